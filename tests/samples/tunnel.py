import numpy as np


def model(n=1000, steps=2000, k=1.0, height=0.6, width=2.0):
    h = 200 / n
    x = -100 + (np.arange(n) + 0.5) * h
    barrier = np.where(abs(x) < width / 2, height, 0.0)
    shape = np.exp(-((x + 30) / 10)**2 / 2) / np.sqrt(10 * np.sqrt(np.pi))
    z = shape * np.exp(1j * k * x)
    dt = 60 / (k * steps)

    def rate(z):
        near, far = np.roll(z, 1) + np.roll(z, -1), np.roll(z, 2) + np.roll(z, -2)
        return -1j * (barrier * z - 0.5 * (-2.5 * z + 4/3 * near - far / 12) / h**2)
    for t in range(steps):
        k1 = rate(z)
        k2 = rate(z + dt / 2 * k1)
        k3 = rate(z + dt / 2 * k2)
        z = z + dt / 6 * (k1 + 2 * k2 + 2 * k3 + rate(z + dt * k3))
    return x, h, abs(z)**2


def check(out, load):
    x, h, density = model()
    assert np.allclose(load("tunnel.npy"), density, rtol=0, atol=1e-10)
    assert f"{density.sum() * h:.8f}" in out
    assert f"{density[x > 0].sum() * h:.4f} are behind" in out
