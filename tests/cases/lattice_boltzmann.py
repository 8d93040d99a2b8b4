import numpy as np

from lattice import model


def check(out, load):
    rho, f = load("rho.npy"), load("f.npy")
    assert rho.shape == (96, 48) and f.shape == (96, 48, 9)
    assert abs(rho.sum() - 4576) < 1e-6
    assert np.allclose(f, model()[0].transpose(1, 2, 0), rtol=0, atol=1e-13)
