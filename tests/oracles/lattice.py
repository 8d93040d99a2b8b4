"""a flow around a cylinder by lattice Boltzmann, D2Q9"""
import numpy as np

CX = [0, 1, 0, -1, 0, 1, -1, -1, 1]
CY = [0, 0, 1, 0, -1, 1, 1, -1, -1]
W = np.array([4/9] + 4 * [1/9] + 4 * [1/36])
OPPOSITE = [0, 3, 4, 1, 2, 7, 8, 5, 6]


def model(nx=96, ny=48, steps=600, tau=0.6, force=1e-5):
    x, y = np.indices((nx, ny))
    solid = ((x - nx // 4)**2 + (y - ny // 2 + 2)**2 < 36) | (y == 0) | (y == ny - 1)
    f = np.tile(W[:, None, None], (1, nx, ny))
    for t in range(steps):
        for k in range(1, 9):
            p = np.pad(f[k], ((0, 0), (1, 1)))
            f[k] = np.roll(p, CX[k], 0)[:, 1 - CY[k]:ny + 1 - CY[k]]
        rho = f.sum(0)
        ux = sum(c * g for c, g in zip(CX, f)) / rho
        uy = sum(c * g for c, g in zip(CY, f)) / rho
        for k in range(9):
            cu = CX[k] * ux + CY[k] * uy
            rest = W[k] * rho * (1 + 3*cu + 4.5*cu**2 - 1.5*(ux**2 + uy**2))
            f[k] += np.where(solid, 0, (rest - f[k]) / tau + 3 * W[k] * CX[k] * force)
        g = f[OPPOSITE]
        f = np.where(solid, g, f)
    ux = sum(c * g for c, g in zip(CX, f)) / f.sum(0)
    return f, np.where(solid, 0, ux)
