import numpy as np


def check(out, load):
    x, y = np.meshgrid(np.arange(7), np.arange(6), indexing="ij")
    z = x + 1j * y
    s = (y - 2j * x).astype(np.complex64)

    def pad_z(z, n=2):
        lo = -z[n - 1::-1]
        hi = np.stack([2 * z[-1] + 1j * (6 + k) for k in range(1, n + 1)])
        return np.concatenate([lo, z, hi])

    def same(name, value, **close):
        got = load(name + ".npy")
        assert got.dtype == value.dtype, f"{name}: {got.dtype} instead of {value.dtype}"
        assert np.allclose(got, value, **close) if close else np.array_equal(got, value), name

    p = pad_z(z)
    same("ghosts", p[:7] + np.roll(p[3:10], 1, axis=1))
    q = np.pad(s, ((1, 1), (0, 0)), mode="symmetric")
    same("single", np.roll(q[2:], -3, axis=1) * q[:-2], rtol=1e-6)
    q = np.pad(z * s, ((1, 1), (0, 0)), mode="edge")
    same("let", q[2:] - q[:-2], rtol=1e-14)
    for t in range(3):
        p = pad_z(z)
        z = z + 0.1j * (p[3:10] + p[1:8] + np.roll(z, -1, axis=1) + np.roll(z, 1, axis=1) - 4 * z)
    same("steps", z, rtol=1e-13)
    mask = abs(z) > 5
    assert mask.any() and not mask.all()
    z, s = np.where(mask, -z, z), np.where(mask, np.complex64(1j), 2 * s)
    same("masked_z", z, rtol=1e-13)
    same("masked_s", s)
    r = np.zeros_like(s)
    r[1:] = np.roll(s, -1, axis=1)[:-1]
    r[2:4, 0], r[6, 2] = 3j, 1 + 1j
    same("scatter", r)
    z, s = s.conj().astype(complex), np.roll(z, 1, axis=1).astype(np.complex64)
    same("swapped_z", z)
    same("swapped_s", s, rtol=1e-6)
    same("list", sum(w * np.roll(z, -1, axis=1) for w in [1, 2j, 3.5]), rtol=1e-14)
    f = np.arange(5)[:, None] * (np.arange(3) + 1j)
    f[:, 1] = 7
    same("parts", f[:, 0] * f[:, 2])
    same("components", f[:, 0] + f[:, 1] + f[:, 2])
    c = 1 / z[3, 2]
    c = c * c - 1j
    same("turned", z * c * np.exp(0.5j * np.pi), rtol=1e-14)
    shown = f"{c:.3f}".replace("j", "i")
    assert out == f"2.5i 2.5i 2.5i true (1i, 2)\n{shown}     2+1i text 1i\n", out
