import numpy as np

C = [4/5, -1/5, 4/105, -1/280]


def check(out, load):
    u = np.pad(np.add.outer(10.0 * np.arange(10), np.arange(10)), ((4, 4), (0, 0)))
    w = sum(c * (u[4 + k:14 + k] - u[4 - k:14 - k]) for k, c in enumerate(C, 1))
    assert np.allclose(load("w.npy"), w, rtol=1e-13, atol=1e-13)
    assert np.allclose(load("w.npy")[4:6], 10, rtol=1e-14)
