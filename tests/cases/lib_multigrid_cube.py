import numpy as np


def second(n):
    """the second difference on n points, turned in sign beyond the walls"""
    m = np.diag(-2.0 * np.ones(n)) + np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)
    m[0, 0] = m[-1, -1] = -3
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
    i, j, k = np.indices((8, 8, 8))
    u = solution(np.sin(i**2 + 3 * j - k))
    assert np.allclose(load("cube.npy"), u, rtol=0, atol=1e-6 * abs(u).max())
    assert int(out.split()[1]) <= 12 and out.endswith("true\n")
