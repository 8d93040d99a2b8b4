import numpy as np


def check(out, load):
    def same(name, want):
        assert np.array_equal(load(name + ".npy"), want), name

    n = load("u.npy").shape[0]
    x, y = np.indices((n, 6))
    u = 10.0 * x + y**2
    v, w, old = u.copy(), u.copy(), u.copy()
    u[1:-1, 1:-1] = (v[2:, 1:-1] * x[1:-1, 1:-1] + v[:-2, :-2] * old[2:, 1:-1]
                     - w[1:-1, 2:])
    old = u.copy()
    u[1:] -= old[:-1] * 0.5
    same("u", u)
    w[:, 2:5] = np.where(u[:, 1:4] > 4, w[:, 3:6], -w[:, 2:5]) + x[:, 2:5]
    w[1:3:2, 0:1] += v[:1:2, 5:]
    mask = w[1:] > 20
    v[1:][mask] = (w[:-1] + y[1:])[mask]
    same("w", w)
    same("v", v)
    old = u.copy()
    u[1:], v[:-1] = old[:-1], v[1:] - old[1:]
    u[0] += u[1]
    u[:, -1] = 2 * u[:, 0] - u[:, 1]
    same("u2", u)
    same("v2", v)
    assert out.splitlines()[0].split()[0] == repr(float(np.abs(u[1:] - u[:-1]).max()))
