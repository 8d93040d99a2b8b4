import numpy as np


def check(out, load):
    x, y = np.indices((64, 64))
    u = 1.0 * ((x * 7 + y * 13) % 101)
    at = lambda i, j: np.roll(u, (-i, -j), (0, 1))
    for t in range(10):
        v = sum(0.01 * (at(k, j) + at(-k, -j)) for k in range(1, 5) for j in range(-3, 4))
        v = v + at(0, 4) / 9 + at(0, -4) / 11
        v = v + 0.001 * (at(1, 4) - at(-1, -4) + at(2, 4) - at(-2, -4))
        u = u.copy()
        u[:, 4:-4] = v[:, 4:-4]
    assert np.allclose(load("u.npy"), u, rtol=1e-12)
