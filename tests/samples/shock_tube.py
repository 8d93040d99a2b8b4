import numpy as np

G = 1.4


def pressure(u):
    return (G - 1) * (u[2] - u[1]**2 / (2 * u[0]))


def fastest(u):
    return abs(u[1] / u[0]) + np.sqrt(G * pressure(u) / u[0])


def flow(u):
    v, p = u[1] / u[0], pressure(u)
    return np.array([u[1], u[1] * v + p, (u[2] + p) * v])


def rate(u, h):
    p = np.pad(u, ((0, 0), (2, 2)), mode="edge")
    a, b = p[:, 1:-1] - p[:, :-2], p[:, 2:] - p[:, 1:-1]
    with np.errstate(all="ignore"):
        slope = np.where(a * b > 0, 2 * a * b / (a + b), 0)
    left, right = (p[:, 1:-1] + slope / 2)[:, :-1], (p[:, 1:-1] - slope / 2)[:, 1:]
    flux = (flow(left) + flow(right)
            - np.maximum(fastest(left), fastest(right)) * (right - left)) / 2
    return (flux[:, :-1] - flux[:, 1:]) / h


def model(n=400, end=0.2):
    h = 1 / n
    x = (np.arange(n) + 0.5) * h
    u = np.array([np.where(x < 0.5, 1, 0.125), 0 * x, np.where(x < 0.5, 1, 0.1) / (G - 1)])
    t = 0.0
    while t < end:
        dt = min(0.4 * h / fastest(u).max(), end - t)
        a = u + dt * rate(u, h)
        b = 3/4 * u + 1/4 * (a + dt * rate(a, h))
        u = u / 3 + 2/3 * (b + dt * rate(b, h))
        t += dt
    return u[0]


def check(out, load):
    rho = model()
    assert np.allclose(load("shock_tube.npy"), rho, rtol=0, atol=1e-10)
    assert abs(rho[316] - 0.26557) < 2e-4                   # the exact solution
    assert out.split()[4] == f"{rho[316]:.4f},"
    assert f"shock at {(rho > 0.2).sum() / 400:.4f}" in out
