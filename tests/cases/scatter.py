import numpy as np


def check(out, load):
    x, y = np.meshgrid(np.arange(6), np.arange(4), indexing="ij")
    u, w = 10.0 * x + y, 1 + x + 0.1 * y
    for i in range(5):
        u[i + 1] += w[i]
    before = w.copy()
    for i in range(1, 2):                       # x < 2, and x - 1 is a point
        for j in range(1, 4):
            u[i - 1, (j + 1) % 4] -= 100 * before[i, (j + 1) % 4]
    assert np.allclose(load("u.npy"), u, rtol=1e-15, atol=0)

    r = np.ones(6)
    r[2:] += 5
    r[:-1] += r[1:].copy()
    assert (load("r.npy") == r).all()

    k = np.zeros((6, 4), int)
    k[1:] += 1
    k += np.roll(np.broadcast_to(x, k.shape), -1, axis=1)
    assert (load("k.npy") == k).all()
