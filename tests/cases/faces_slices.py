import numpy as np


def check(out, load):
    n = 7
    u = np.arange(n + 1)[:, None] + 10.0 * np.arange(4)
    w = u[1:].copy()
    u[1:-1] *= 2
    v = w[::-1]
    z = np.empty((2 * n, 4))
    z[::2], z[1::2] = v, w
    w = w * 2 + w.sum()
    w[1:] = v[:-1]
    w[0, 1] = 99
    for name, have in (("u", u), ("w", w), ("z", z), ("d", u[1:] - u[:-1])):
        assert np.array_equal(load(name + ".npy"), have), name
