import numpy as np


def lap(u):
    p = np.pad(u, 1)
    return p[2:] - 2 * u + p[:-2]


def check(out, load):
    n = len(load("k2.npy"))
    u = np.zeros(n)
    u[n // 2] = 1
    for k in range(1, 11):
        u = lap(u)
        if k == 2:
            assert np.array_equal(load("k2.npy"), u)
            assert n != 9 or u.tolist() == [0, 0, 1, -4, 6, -4, 1, 0, 0]
        if k == 6:
            assert out.split() == [str(u[0]), str(u[-1])]
    assert np.array_equal(load("k10.npy"), u)
