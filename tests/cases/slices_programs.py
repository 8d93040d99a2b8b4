import numpy as np


def poisson(u):
    n = u.shape[0]
    wide = np.pad(u, 1)
    f = np.zeros((n, n))
    f[n // 3, n // 2] = 1
    f[2 * n // 3, n // 4] = -1
    return f + (wide[2:, 1:-1] + wide[:-2, 1:-1] + wide[1:-1, 2:] + wide[1:-1, :-2] - 4 * u)


def listened(steps):
    p = np.zeros((16, 10, 6), np.float32)
    q = p.copy()
    q[3, 4, 2] = 1
    notes = np.zeros((steps, 16), np.float32)
    for it in range(steps):
        w = np.pad(np.pad(q, ((0, 0), (1, 1), (1, 1))), ((1, 1), (0, 0), (0, 0)), mode="wrap")
        around = (w[2:, 1:-1, 1:-1] + w[:-2, 1:-1, 1:-1] + w[1:-1, 2:, 1:-1] + w[1:-1, :-2, 1:-1]
                  + w[1:-1, 1:-1, 2:] + w[1:-1, 1:-1, :-2])
        p, q = q, 2 * q - p + np.float32(0.1) * (around - 6 * q)
        notes[it] = q[:, 4, 3]
    return notes


def check(out, load):
    u = load("u.npy")
    assert np.linalg.norm(poisson(u)) < 1e-7
    assert f"cycle 4: {np.linalg.norm(poisson(u)):.2e}"[:-4] in out
    notes = load("notes.npy")
    assert notes.dtype == np.float32
    assert np.allclose(notes, listened(len(notes)), rtol=0, atol=2e-6)
    w = np.arange(93) + 0.5
    w = np.where(w / 93 < 0.4, 1, 0) + (w / 93) ** 2
    for t in range(20):
        w = w - 0.5 * (w - np.concatenate((w[:1], w[:-1])))
    assert f"variation {np.abs(np.diff(w)).sum():.6f}" in out
    assert f"second {np.abs(w[2:] - 2 * w[1:-1] + w[:-2]).max():.6f}" in out
