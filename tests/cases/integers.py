import numpy as np


def check(out, load):
    x = np.arange(6)
    b, i, k = (50 * x).astype(np.uint8), (1000000 * (x + 1)).astype(np.int32), x
    t, f = x > 2, (x / 3).astype(np.float32)
    with np.errstate(all="ignore"):
        expected = {
            "b_add": b + b, "b_mul": b * np.uint8(3), "b_sub": b - np.uint8(100), "b_div": b / 4,
            "i_mul": i * i, "i_b": i + b, "i_k": i * k, "i_f": i + f,
            "t_t": t.astype(np.int64) + t, "t_and": t & (x != 4), "t_k": t * k, "t_f": t * f,
            "to_i": (f * np.float32(3)).astype(np.int32), "to_b": (k * 60).astype(np.uint8),
            "to_t": k != 3, "to_f": f.astype(float), "pow": k**3, "b_pow": b * b,
        }
    for name, value in expected.items():
        got = load(name + ".npy")
        assert got.dtype == value.dtype, f"{name}: {got.dtype} instead of {value.dtype}"
        assert np.array_equal(got, value), f"{name}: {got} instead of {value}"
