import numpy as np


def model():
    x, y, z = np.indices((5, 4, 3))
    w = (x - y * z % 3) / 4 + 1j * (y + x % 2) / 2
    v = (w * (1 - 2j)).astype(np.complex64)
    wide = v.astype(complex)
    return {"sy": w.sum(1), "svxz": v.sum((0, 2)), "mz": w.mean(2), "mvx": v.mean(0),
            "varx": w.var(0, ddof=1), "stdv": wide.std((1, 2)).astype(np.float32),
            "nz": np.linalg.norm(w, axis=2), "nvy": abs(v).sum(1), "cx": np.cumsum(w, 0),
            "cvz": np.cumsum(v, 2), "ay": w.any(1), "kx": np.count_nonzero(w, 0),
            "py": w.prod(1), "pv": wide.prod((0, 2)).astype(np.complex64),
            "pz": np.cumprod(v, 2), "qx": np.cumprod(w, 0)}


def check(out, load):
    for name, value in model().items():
        got = load(name + ".npy")
        assert got.dtype == value.dtype, (name, got.dtype)
        near = 1e-6 if value.dtype in (np.float32, np.complex64) else 1e-14
        assert np.allclose(got, value, near, near), name


if __name__ == "__main__":
    print("true")
    x, y, z = np.indices((5, 4, 3))
    w = (x - y * z % 3) / 4 + 1j * (y + x % 2) / 2
    v = (w * (1 - 2j)).astype(np.complex64).astype(complex)
    print(f"{(w + 2).prod().real:.9e} {(v - 3j).prod().imag:.6e}", 1)
