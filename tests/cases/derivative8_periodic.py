import numpy as np

C = [4/5, -1/5, 4/105, -1/280]


def check(out, load):
    u = np.add.outer(10.0 * np.arange(10), np.arange(10))
    w = sum(c * (np.roll(u, -k, 0) - np.roll(u, k, 0)) for k, c in enumerate(C, 1))
    assert np.allclose(load("w.npy"), w, rtol=1e-13, atol=1e-13)
