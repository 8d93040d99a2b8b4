import numpy as np


def pad(u, wall, t):
    """ghosts along x first, then along y"""
    y = np.arange(7.0)
    p = np.vstack([wall, u, 10 * t + y])
    return np.column_stack([0.5 * p[:, 0] + 1, p, 2 * t - p[:, -1]])


def model():
    x, y = np.indices((9, 7))
    u, wall, t = 1.0 * (x + y), np.arange(7.0)**2, 0
    for k in range(5):
        p = pad(u, wall, t)
        u = (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]) / 4
        wall = wall + 0.25 * u[0, 3]
        t += 1
    p = pad(u, wall, t)
    return u, wall, p[:-2, :-2] + 10 * p[2:, 2:]


def check(out, load):
    u, wall, diagonal = model()
    assert np.array_equal(load("u.npy"), u)
    assert np.array_equal(load("diagonal.npy"), diagonal)


if __name__ == "__main__":
    u, wall, _ = model()
    print(f"{u.sum():.10f} {wall.sum():.10f}")
