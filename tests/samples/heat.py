import numpy as np


def model(n=512, steps=1000):
    x = (np.arange(n) + 0.5) / n
    u = np.exp(-((x[:, None] - 0.3)**2 + (x - 0.6)**2) / 0.005)
    for t in range(steps):
        p = np.pad(u, 1, mode="edge")
        u = u + 0.2 * (p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * u)
    return u


def check(out, load):
    assert np.allclose(load("heat.npy"), model(), rtol=0, atol=1e-12)


def printed():
    u = model()
    return f"total heat {u.sum() / 512**2:.6f}, peak {u.max():.4f}"
