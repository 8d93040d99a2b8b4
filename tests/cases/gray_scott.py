import numpy as np


def laplacian(u):
    return sum(np.roll(u, s, a) for s in (-1, 1) for a in (0, 1)) - 4 * u


def check(out, load):
    u, n = load("u0.npy"), 128
    x, y = np.indices((n, n))
    seeded = (abs(x - n // 2) < 10) & (abs(y - n // 2) < 10)
    assert (abs(u - 1)[~seeded] <= 0.01).all() and (u[seeded] == 0.5).all()
    v = np.where(seeded, 0.25, 0.0)
    for t in range(1000):
        r = u * v**2
        u, v = (u + 0.16 * laplacian(u) - r + 0.04 * (1 - u),
                v + 0.08 * laplacian(v) + r - (0.04 + 0.06) * v)
    assert np.allclose(load("u.npy"), u, rtol=0, atol=1e-9)
    assert np.allclose(load("v.npy"), v, rtol=0, atol=1e-9)
