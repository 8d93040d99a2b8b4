import numpy as np


def same(load, name, want):
    have = load(name + ".npy")
    assert have.shape == want.shape, (name, have.shape, want.shape)
    assert np.array_equal(have, want), name


def check(out, load):
    n = load("moved.npy").shape[0]
    k = {9: 2, 6: -2}[n]
    x, y = np.indices((n, 7))
    u = 0.37 * (x * x) + 10.1 * y
    v = (x - 4.3) * y
    same(load, "d", u[1:] - u[:-1])
    same(load, "cross", u[1:-1, 2:] * v[2:, :-2] - v[:-2, 1:-1])
    same(load, "back", u[::-1, ::2] + v[:, 6::-2])
    same(load, "some", u[k:, 3])
    same(load, "named", u[:, 1:-1])
    same(load, "row", (u + v)[2, ::-3])
    same(load, "again", (u[1:, ::2])[::2, 1:])
    m = u.copy()
    m[2:6] = m[1:5].copy()
    m[:, 1:3] = m[:, 4:6].copy()
    m[:, ::-1] = m.copy()
    same(load, "moved", m)
    m = np.zeros_like(u)
    m[1:-1, 1:-1] = v[2:, 1:-1] * x[1:-1, 1:-1] + u[:-2, :-2] * (0.5 + y[1:-1, 1:-1])
    same(load, "region", m)
    m[::2, ::2] += u[1, 1] * v[::2, ::2]
    same(load, "added", m)
    mask = u[:, 1:] > v[:, :-1]
    m[:, :-1][mask] = -u[:, ::-1][:, 1:][mask]
    same(load, "masked", m)
    u[1:], v[:, :3] = u[:-1].copy(), u[:, 4:].copy()
    same(load, "both", u)
    same(load, "v", v)
    w = u.copy()
    same(load, "w", w)
    same(load, "t", u.T)
    f = u[:, 4].copy()
    f[2:4] = v[0, 3:5]
    same(load, "f", f)
    w[1:, 2] = f[:-1] + v[1:, 2]
    same(load, "w2", w)
