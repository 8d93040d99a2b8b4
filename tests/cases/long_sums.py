import numpy as np


def check(out, load):
    p = np.sqrt(1.0 + np.add.outer(np.arange(50) + 0.0, np.arange(12)))
    q = 0
    for k in range(5000):
        x = np.clip(np.arange(50) + k % 97 - 48, 0, 49)
        y = (np.arange(12) + k // 97 - 26) % 12
        q = q + (1 + k % 7) * p[np.ix_(x, y)]
    total, corner = map(float, out.split("\n")[1].split())
    assert np.isclose(total, q.sum(), rtol=1e-11) and corner == q[0, 0]
