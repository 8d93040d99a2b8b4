import numpy as np


def check(out, load):
    v = load("v.npy")
    u = np.arange(len(v))
    assert v.dtype == np.int64
    assert np.array_equal(v, sum(np.roll(u, -k) for k in range(-4, 5)))
