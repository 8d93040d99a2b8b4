import math

import numpy as np


def check(out, load):
    x = np.arange(41)
    u, v = (x - 20) / 8, 1.5 - x / 16
    s, i = u.astype(np.float32), (x - 20).astype(np.int32)
    a = abs(u) + 0.5
    with np.errstate(all="ignore"):
        exact = {
            "abs": abs(u), "sqrt": np.sqrt(abs(u)), "floor": np.floor(u), "ceil": np.ceil(u),
            "round": np.round(4 * u), "trunc": np.trunc(u), "sign": np.sign(u),
            "min": np.minimum(u, v), "max": np.maximum(u, v), "clip": np.clip(u, -1, 0.5),
            "where": np.where(u > v, u, -v), "isnan": np.isnan(np.log(u)),
            "isinf": np.isinf(1 / u), "isfinite": np.isfinite(1 / u),
            "isclose": np.isclose(u, u + 1e-9 * (x % 20)),
            "fma": (u.astype(np.longdouble) * v + 1).astype(float),
            "cube": u * u * u, "iabs": abs(i), "isign": np.sign(i), "imin": np.minimum(i, 3),
            "ipower": i**3, "ifloordiv": i // 7, "imod": i % -7, "isqrt": np.sqrt(abs(i)),
            "floordiv": u // 0.3, "mod": u % -0.3, "ssqrt": np.sqrt(abs(s)), "scube": s * s * s,
        }
        close = {
            "cbrt": np.cbrt(u), "exp": np.exp(u), "exp2": np.exp2(u), "expm1": np.expm1(u), "log": np.log(a),
            "log2": np.log2(a), "log10": np.log10(a), "log1p": np.log1p(abs(u)),
            "sin": np.sin(u), "cos": np.cos(u), "tan": np.tan(u), "asin": np.arcsin(u / 3),
            "acos": np.arccos(u / 3), "atan": np.arctan(u), "atan2": np.arctan2(u, v),
            "sinh": np.sinh(u), "cosh": np.cosh(u), "tanh": np.tanh(u), "hypot": np.hypot(u, v),
            "erf": np.array([math.erf(t) for t in u]),
            "gamma": np.array([math.gamma(t) for t in a]), "power": abs(u)**1.5,
            "inverse": v**-2, "ssin": np.sin(s), "sexp": np.exp(s), "spower": abs(s)**np.float32(0.5),
            "stanh": np.tanh(s),
        }
    for name, value in {**exact, **close}.items():
        got = load(name + ".npy")
        assert got.dtype == value.dtype, f"{name}: {got.dtype} instead of {value.dtype}"
        if name in exact:
            same = np.array_equal(got, value, equal_nan=value.dtype.kind == "f")
        else:
            same = np.allclose(got, value, rtol=2e-15 if got.dtype == float else 5e-7,
                               atol=0, equal_nan=True)
        assert same, f"{name}: {got[got != value]} instead of {value[got != value]}"
