import numpy as np


def check(out, load):
    u = np.arange(8.0)
    p = np.pad(u, 1, constant_values=5)
    assert np.array_equal(load("a.npy"), u)
    assert np.array_equal(load("b.npy"), (p + 5)[:-2] + (p + 5)[2:])
    assert np.array_equal(load("c.npy"), p[2:] - p[:-2])


if __name__ == "__main__":
    u = np.full(8, 100.0)
    for t in range(3):
        before = u
        u = u + t + 1
        print(t, (u - before)[3], u[7])
    for t in range(2):
        old = u
        u = np.pad(old, 1, constant_values=-1)[:-2] + t
        u = u - old
        print(u[0], u[1])
    print(3 if u.max() > 0 else 4)
    print(0, 1, 4, sep="\n")
