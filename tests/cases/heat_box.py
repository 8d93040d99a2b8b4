import numpy as np


def check(out, load):
    s = np.sin(np.pi * np.arange(1, 32) / 32)
    u = s[:, None, None] * s[:, None] * s
    factor = 1 - 1 / 8 * 3 * 4 * np.sin(np.pi / 64)**2
    assert np.allclose(load("u.npy"), factor**64 * u, rtol=0, atol=1e-13)
    assert abs(load("u.npy")[15, 15, 15] - 0.7933018467414865) < 1e-13
