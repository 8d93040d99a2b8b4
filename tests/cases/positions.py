import numpy as np


def check(out, load):
    x = (np.arange(1536) + 0.5) * (1 / 1536)
    assert np.allclose(load("px.npy"), x[:, None], rtol=1e-15)
