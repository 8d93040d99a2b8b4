import numpy as np

EXACT = {"nan_of_zero", "real_of_bool", "imag_of_integer", "sum", "difference", "negative", "real", "imag", "conj", "round", "equal", "differs",
         "isnan", "isfinite", "isinf", "where", "isclose", "truth", "narrow",
         "integer_weak", "single_weak"}


def check(out, load):
    x = np.arange(61)
    z = (x - 30) / 8 + 1j * (1.5 - x / 16) * (x % 3)
    w = 0.3 - x / 20 + 2j * (x % 5 - 1.5)
    r, i = (x - 20) / 7, x - 3
    s, f = z.astype(np.complex64), r.astype(np.float32)
    one = np.exp(1j * r) * (1 + f / np.float32(1e9))
    with np.errstate(all="ignore"):
        want = {
            "sum": z + w, "difference": z - r, "product": z * w, "quotient": z / w,
            "over_real": z / r, "of_real": i / w, "negative": -z, "square": z**2,
            "fifth": z * z * (z * z) * z, "inverse": 1 / (w * w * w), "power": w**z,
            "power_of_zero": z**1.5, "nan_of_zero": np.isnan(z**(1 + 0.5j)), "run_power": w**i,
            "single_power": (s.astype(complex)**7.5).astype(np.complex64), "real_of_bool": r > 0,
            "imag_of_integer": np.zeros_like(i), "root": w**0.5, "single": s * f,
            "single_weak": f * np.complex64(1 + 0.1j), "single_quotient": s / (s + np.complex64(1j)),
            "integer_weak": i * 2.5j, "wide": s * r, "real": z.real, "imag": s.imag,
            "conj": w.conj(), "abs": abs(z), "abs_single": abs(s), "arg": np.angle(z),
            "arg_real": np.angle(r), "sqrt": np.sqrt(z), "exp": np.exp(z), "log": np.log(w),
            "log_near_one": np.log(one), "log2": np.log2(w), "log10": np.log10(w),
            "sin": np.sin(z), "cos": np.cos(z), "tan": np.tan(z), "sinh": np.sinh(z),
            "cosh": np.cosh(z), "tanh": np.tanh(z), "round": np.round(10 * z),
            "equal": z == z.real, "differs": z != r, "isnan": np.isnan(z / (r - r)),
            "isfinite": np.isfinite(1 / z), "isinf": np.isinf(z * np.inf),
            "where": np.where(r > 0, z, f), "isclose": np.isclose(z, z + 1e-9j * x),
            "truth": z.astype(bool), "narrow": w.astype(np.complex64),
        }
    for name, value in want.items():
        got = load(name + ".npy")
        assert got.dtype == value.dtype, f"{name}: {got.dtype} instead of {value.dtype}"
        narrow = value.dtype in (np.complex64, np.float32)
        if name in EXACT:
            same = np.array_equal(got, value, equal_nan=value.dtype.kind in "fc")
        else:
            same = np.allclose(got, value, rtol=1e-6 if narrow else
                               2e-13 if name == "run_power" else 4e-15, atol=0 if
                               name != "log_near_one" else 1e-24, equal_nan=True)
        assert same, f"{name}: {got[got != value]} instead of {value[got != value]}"
    lines = [line.split() for line in out.splitlines()]
    want = [z.sum(), s.sum(dtype=complex), w.mean(), np.vdot(z, w), np.vdot(s.astype(complex), r)]
    for got, value in zip(lines[0], want):
        assert np.isclose(complex(got.replace("i", "j")), value, rtol=1e-13)
    want = [np.linalg.norm(z), np.linalg.norm(w, 1), abs(s).max(), z.var(), w.std(ddof=1)]
    for got, value in zip(lines[1], want):
        assert np.isclose(float(got), value, rtol=1e-7 if value == want[2] else 1e-13)
    assert lines[2] == ["true", "false", "60", "true", "true", "true"], lines[2]
