import numpy as np


def apply(q):
    n = len(q)
    p = np.pad(q, 1, mode="symmetric")
    p[[0, -1]] *= -1
    p[:, [0, -1]] *= -1
    return n**2 * (4 * q - p[2:, 1:-1] - p[:-2, 1:-1] - p[1:-1, 2:] - p[1:-1, :-2])


def model(n=128, tol=1e-10):
    x = (np.arange(n) + 0.5) / n
    x, y = x[:, None], x
    exact = x * (1 - x) * np.sin(np.pi * y)
    r = (2 + np.pi**2 * x * (1 - x)) * np.sin(np.pi * y)
    u, p, rr = 0 * r, r, (r * r).sum()
    stop, iterations = tol**2 * rr, 0
    while rr > stop:
        q = apply(p)
        alpha = rr / (p * q).sum()
        u, r = u + alpha * p, r - alpha * q
        after = (r * r).sum()
        p, rr = r + after / rr * p, after
        iterations += 1
    return u, iterations, abs(u - exact).max()


def check(out, load):
    assert np.allclose(load("poisson.npy"), model()[0], rtol=0, atol=1e-9)


def printed():
    u, iterations, error = model()
    return f"{iterations} iterations, largest error {error:.1e}"
