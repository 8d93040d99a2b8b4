import numpy as np

from orders import compare

START = 1 + np.arange(5) / 4
TABLES = {                           # Butcher's: rows of a, then b
    "euler": ([[]], [1]),
    "rk2": ([[], [1/2]], [0, 1]),
    "ssprk3": ([[], [1], [1/4, 1/4]], [1/6, 1/6, 2/3]),
    "rk4": ([[], [1/2], [0, 1/2], [0, 0, 1]], [1/6, 1/3, 1/3, 1/6]),
}


def advance(table, f, y, t, dt):
    a, b = TABLES[table]
    k = []
    for row in a:
        k.append(f(y + dt * sum(w * s for w, s in zip(row, k)), t + dt * sum(row)))
    return y + dt * sum(w * s for w, s in zip(b, k))


def run(table, f, y, n):
    for i in range(n):
        y = advance(table, f, y, i / n, 1 / n)
    return y


def leapfrog(n, damping):
    h = 2 * np.pi / 32
    x = (np.arange(32) + 0.5) * h
    speed = np.sin(h) / h
    u, before = np.sin(x), np.sin(x + speed / n)
    for i in range(n):
        after = before - 2 / n * (np.roll(u, -1) - np.roll(u, 1)) / (2 * h)
        before, u = u + damping * (after - 2 * u + before), after
    return abs(u - np.sin(x - speed)).max()


def verlet(n):
    u, before = START, START * np.cos(1 / n)
    for i in range(n):
        u, before = 2 * u - before - u / n**2, u
    return abs(u - START * np.cos(1)).max()


def errors(i):
    """with the longer and the shorter step"""
    e = {}
    for name in "euler 1", "rk2 2", "ssprk3 3", "rk4 4":
        u = run(name.split()[0], lambda y, t: -y**2, START, 20 * i)
        e[name] = abs(u - START / (1 + START)).max()
    u = run("rk4", lambda y, t: -2 * t * y, START, 10 * i)
    e["rk4_in_time 4"] = abs(u - START * np.exp(-1)).max()
    for name in "ssprk3_two 3", "rk4_two 4":
        u = run(name.split("_")[0], lambda y, t: np.array([-y[0] / y[1], y[0] * y[1]]),
                np.ones(2), 10 * i)
        e[name] = abs(u - [1/2, 2]).max()
    e["leapfrog 2"] = leapfrog(20 * i, 0)
    e["leapfrog 1"] = leapfrog(20 * i, 0.1)
    e["verlet 2"] = verlet(20 * i)
    return e


def check(out, load):
    compare(out, errors(1), errors(2), 0.1)
