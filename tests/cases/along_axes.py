import numpy as np

from axes import compare, fields


def check(out, load):
    compare(load, "us")
    u = fields()["u"]
    want = u - u.mean(1, keepdims=True) + (u * u).mean(1, keepdims=True)
    assert np.allclose(load("centred.npy"), want, 1e-14)
    x, z = np.indices((6, 9))
    assert (load("rows.npy") == (2.0 * (x + z)).sum(0)).all()
