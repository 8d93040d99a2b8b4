import numpy as np


def check(out, load):
    x, y = np.meshgrid(np.arange(4.0), np.arange(3.0), indexing="ij")
    u, r = 10 * x + y, np.arange(4.0)**2
    w = x - y + u * np.arange(1, 13).reshape(4, 3)
    assert np.array_equal(load("w.npy"), w)
    w[1:3, :] = 7
    w[0, :] = np.arange(3)
    w[:, 1] = np.arange(4) * 2
    assert np.array_equal(load("regions.npy"), w)
    d, a = np.arange(6)**2, np.arange(4)
    e = u[1:].copy()
    e[0] += [0.5, 1, 2]
    p = np.pad(e, 1)
    assert np.array_equal(load("e.npy"), p[1:-1, 2:] + p[:-2, 1:-1])
    v = np.linspace(0, 8, 5)
    v = (v[1:] + v[:-1]) / 2
    want = [f"{np.zeros(4) + a} {a - np.ones(4)} {r + a} {a * r}",
            f"{d[1:] - d[:-1]} {d[::-1]} {d[2:5] + r[1:]}",
            f"{(v[1:] + v[:-1]) / 2} {e.sum()} {a.sum()}.0"]
    assert out == "\n".join(want) + "\n", f"{out} instead of {want}"
