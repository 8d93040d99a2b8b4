import numpy as np


def check(out, load):
    u = np.zeros((12, 12, 12))
    u[2:-2, 2:-2, 2:-2] = 1
    assert np.array_equal(load("u.npy"), u)
