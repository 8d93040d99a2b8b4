import numpy as np


def padded(a, modes):
    for axis, mode in enumerate(modes):
        width = [(0, 0), (0, 0)]
        width[axis] = (3, 3)
        a = np.pad(a, width, mode=mode)
    return a


def at(p, x, y):
    return p[3 + x:p.shape[0] - 3 + x, 3 + y:p.shape[1] - 3 + y]


def check(out, load):
    n = 12
    a = (np.arange(n)[:, None] + 0.5) / n * np.arange(8)
    b = np.add.outer(np.arange(n), np.arange(n)) + 0.0
    c = np.outer(np.arange(n), np.arange(6)) + 0.0
    for _ in range(5):
        p = padded(a, ("edge", "edge"))
        a = a + 0.1 * (at(p, -1, 0) + at(p, 0, 2) - 2 * at(p, 3, 0))
        p = padded(b, ("edge", "edge"))
        b = b + 0.1 * (at(p, -1, 0) + at(p, 0, 2) - 2 * at(p, 3, -1))
        p = padded(c, ("wrap", "edge"))
        c = c + 0.1 * (at(p, -1, 0) + at(p, 0, 2) - 2 * at(p, 3, -1))
    sums = [float(word) for word in out.split()[:3]]
    assert np.allclose(sums, [a.sum(), b.sum(), c.sum()], rtol=1e-12, atol=0), sums
    assert np.allclose(load("a.npy"), a, rtol=1e-13, atol=1e-15)
