import numpy as np


def check(out, load):
    x, y = np.indices((64, 64))
    u = 1.0 * ((x * 7 + y * 13) % 101)
    p = np.pad(u, 1, mode="edge")
    u = (u + p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]) / 5
    p = np.pad(u, 1, mode="edge")
    u = sum(p[1 + i:65 + i, 1 + j:65 + j] for i in (-1, 0, 1) for j in (-1, 0, 1)) / 9
    assert np.allclose(load("u.npy"), u, rtol=1e-14)
