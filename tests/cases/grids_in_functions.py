import numpy as np


def solve(top, k, m):
    if k == 0:
        return top
    x, y = np.arange(m * k)[:, None], (np.arange(k + 1) + 0.5) / (k + 1)
    v = top + x * y
    for _ in range(k):
        p = np.pad(np.pad(v, ((0, 0), (1, 1)), mode="edge"), ((1, 1), (0, 0)), mode="wrap")
        v = v + 0.1 * (p[2:, 1:-1] + p[:-2, 1:-1] - 2 * v + (k + 1)**2 * (
            p[1:-1, 2:] + p[1:-1, :-2] - 2 * v))
    flux = np.diff(np.pad(v, ((0, 0), (1, 1)), mode="edge"), axis=1)
    v = v + flux[:, 1:] - flux[:, :-1]
    return solve(v.max(), k - 1, m) + v.sum()


def check(out, load):
    lines = out.split("\n")
    for k in range(2, 6):
        s = np.linspace(0, 1, k)
        want = ((s[1:]**2 + s[:-1]**2) / 2).sum() / (k - 1)
        assert abs(float(lines[k - 2].split()[1]) - want) < 1e-15, k
    for i in range(5):
        want = solve(11 / 12 + i, 3, 3 + i)
        assert abs(float(lines[i - 6]) - want) < 1e-5, (lines[i - 6], want)
