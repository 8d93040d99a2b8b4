import numpy as np


def check(out, load):
    u = 1e-300 * (np.arange(64) + 1)
    for t in range(2000):
        u = u * 0.99
    assert np.array_equal(load("u.npy"), u)
    assert 0 < u[0] < 2.3e-308


if __name__ == "__main__":
    u = 1e-300 * (np.arange(64) + 1)
    for t in range(2000):
        u = u * 0.99
    print(repr(float(u[0])), repr(float(u[63])), np.sum(u > 0))
