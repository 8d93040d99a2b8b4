import numpy as np


def check(out, load):
    r = load("r.npy")
    assert len(np.unique(r)) == r.size
    assert np.array_equal(load("shifted.npy"), np.roll(r, -1, 0))
    assert abs(load("normal.npy").std() - 1) < 0.25
    assert load("single.npy").dtype == np.float32
