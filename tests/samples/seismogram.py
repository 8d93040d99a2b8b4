import numpy as np


def mirrored(q, axis, mode, sign):
    """with two more values on either side"""
    width = [(2, 2) if a == axis else (0, 0) for a in (0, 1)]
    p = np.moveaxis(np.pad(q, width, mode=mode), axis, 0)
    p[:2] *= sign
    p[-2:] *= sign
    return p


def faces(p, axis):
    p = mirrored(p, axis, "symmetric", -1)
    d = 9/8 * (p[2:-1] - p[1:-2]) - (p[3:] - p[:-3]) / 24
    return np.moveaxis(d, 0, axis) / 10


def cells(v, axis):
    p = mirrored(v, axis, "reflect", 1)
    d = 9/8 * (p[3:-2] - p[2:-3]) - (p[4:-1] - p[1:-4]) / 24
    return np.moveaxis(d, 0, axis) / 10


def model(nx=120, nz=80, steps=400, f=15.0):
    c = np.where((np.arange(nz) + 0.5) * 10 > 450, 2500.0, 1500.0)[:, None]
    dt = 0.5 * 10 / 2500

    def damp(z, x):
        near = np.minimum.outer(nz - 1 - np.arange(z), np.minimum(np.arange(x), x - 1 - np.arange(x)))
        return np.exp(-(0.02 * np.maximum(0, 15 - near))**2)
    p, vz, vx = np.zeros((nz, nx)), np.zeros((nz + 1, nx)), np.zeros((nz, nx + 1))
    dp, dz, dx = damp(nz, nx), damp(nz + 1, nx), damp(nz, nx + 1)
    seis = np.zeros((steps, nx))
    for k in range(steps):
        vz = dz * (vz - dt * faces(p, 0))
        vx = dx * (vx - dt * faces(p, 1))
        p = dp * (p - dt * c**2 * (cells(vz, 0) + cells(vx, 1)))
        a = (np.pi * f * (k * dt - 1.2 / f))**2
        p[3, 30] += (1 - 2 * a) * np.exp(-a)
        seis[k] = p[3]
    return seis


def check(out, load):
    seis = model()
    assert np.allclose(load("seismogram.npy"), seis, rtol=0, atol=1e-12)
    direct, echo = abs(seis[:200, 50]).argmax(), 200 + abs(seis[200:, 50]).argmax()
    assert f"after {direct * 0.002:.3f} s" in out and f"after {echo * 0.002:.3f} s" in out
    assert abs(direct * 0.002 - 0.08 - 200 / 1500) < 0.02
