import numpy as np


def second(n):
    """the second difference on n points, 0 beyond the walls"""
    m = np.diag(-2.0 * np.ones(n)) + np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)
    return m


def laplacian(shape):
    total = 0
    for axis, n in enumerate(shape):
        before, after = np.prod(shape[:axis], dtype=int), np.prod(shape[axis + 1:], dtype=int)
        total = total + np.kron(np.kron(np.eye(before), second(n)), np.eye(after))
    return total


def solution(f):
    a = -laplacian(f.shape)
    return np.linalg.lstsq(a, f.ravel(), rcond=None)[0].reshape(f.shape)


def check(out, load):
    z = np.arange(31)
    wanted = {"rod": solution(np.sin(z**2))}
    x, y = np.indices((15, 31))
    wanted["plate"] = solution(np.sin(x**2 + 3 * y))
    p, q, r = np.indices((7, 7, 15))
    wanted["box"] = solution(np.cos(p + q**2 - r))
    for name, u in wanted.items():
        error = abs(load(name + ".npy") - u).max()
        assert error < 1e-6 * abs(u).max(), (name, error)
    for line in out.splitlines():
        assert int(line.split()[1]) <= 12 and line.endswith("true"), line
