import numpy as np

NX, NY = 32, 16


def walls(q, heat=False):
    p = np.pad(q, 1, mode="edge")
    if heat:
        p[:, 0], p[:, -1] = 2 - p[:, 1], -p[:, -2]
    else:
        p[[0, -1]] *= -1
        p[:, [0, -1]] *= -1
    return p


def slopes(p):
    return ((p[2:, 1:-1] - p[:-2, 1:-1]) * NY / 2, (p[1:-1, 2:] - p[1:-1, :-2]) * NY / 2)


def laplacian(p):
    return (p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * p[1:-1, 1:-1]) * NY**2


def model(steps=400, ra=5000.0, pr=1.0):
    """the stream function by sines, which are the modes of these walls"""
    x, y = ((np.arange(NX) + 0.5) / NY)[:, None], (np.arange(NY) + 0.5) / NY
    heat = 1 - y + 0.1 * np.cos(np.pi * x) * np.sin(np.pi * y)
    w = 0 * heat

    def modes(n):
        k = np.arange(1, n + 1)
        s = np.sin(np.pi * np.outer(np.arange(n) + 0.5, k) / n)
        return s, (2 * NY * np.sin(np.pi * k / (2 * n)))**2
    (sx, lx), (sy, ly) = modes(NX), modes(NY)
    solve_x, solve_y = np.linalg.inv(sx), np.linalg.inv(sy)
    dt = 0.1 / NY**2
    for t in range(steps):
        p = sx @ (solve_x @ w @ solve_y.T / (lx[:, None] + ly)) @ sy.T
        px, u = slopes(walls(p))
        v = -px
        hx, hy = slopes(walls(heat, True))
        wx, wy = slopes(walls(w))
        heat, w = (heat + dt * (laplacian(walls(heat, True)) - u * hx - v * hy),
                   w + dt * (pr * laplacian(walls(w)) + pr * ra * hx - u * wx - v * wy))
    px, u = slopes(walls(p))
    return heat, 1 - (px * heat).mean(), np.hypot(px, u).max()


def check(out, load):
    heat, carried, speed = model()
    assert np.allclose(load("convection.npy"), heat, rtol=0, atol=1e-5)
    assert f"carried {carried:.3f} times" in out and f"flow {speed:.2f}" in out
