import numpy as np


def check(out, load):
    u = np.sin(np.pi * (np.arange(501) + 1) / 502)
    for t in range(100):
        p = np.pad(u, 1)
        u = u + 0.25 * (p[:-2] - 2 * u + p[2:])
    assert np.allclose(load("u.npy"), u, rtol=0, atol=1e-14)
    assert abs(load("u.npy")[250] - 0.999021365698143) < 1e-12
