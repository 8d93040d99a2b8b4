import numpy as np


def check(out, load):
    f = load("state.h5")
    u = f["phase"][()]
    assert f["step"][()] == 200 and u.shape == (128, 128)
    # domains of both phases, and what lies between them
    assert -1.01 < u.min() < -0.9 and 0.9 < u.max() < 1.01
    energy = np.mean((1 - u**2)**2 / 4 + sum((np.roll(u, -1, a) - u)**2 for a in (0, 1)) / 2)
    assert f"step 200: energy {energy:.4f}" in out
    assert load("phase.png")[:4] == b"\x89PNG" and b"phase" in load("phase.vti")[:600]
