import numpy as np

from poisson import solution


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
