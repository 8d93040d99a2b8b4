"""what reductions and scans along axes give, of small fields of several types"""
import numpy as np


def fields():
    x, y, z = np.indices((6, 5, 9))
    u = ((7 * x + 3 * y * y + 11 * z) % 19 - 9) / 7 + x / 10
    return {"u": u, "s": u.astype(np.float32),
            "i": ((7 * x + 5 * y * z) % 23 - 11).astype(np.int32),
            "c": (40 * x + y + z).astype(np.uint8), "b": u > 0.4}


def results(v):
    """name to (value, exact)"""
    whole = v.dtype.kind != "f"
    own = np.float64 if whole else v.dtype
    f = v.astype(np.float64)
    n = np.count_nonzero(v, 2)
    return {
        "sum_y": f.sum(1), "sum_xz": f.sum((0, 2)), "prod_z": v.prod(2, dtype=np.int64 if whole else own),
        "prod_zx": v.prod((0, 2), dtype=np.int64 if whole else own),
        "min_x": v.min(0), "max_yz": v.max((1, 2)), "any_y": v.any(1), "all_x": v.all(0),
        "count_z": n, "argmin_y": v.argmin(1), "argmax_z": v.argmax(2),
        "mean_x": f.mean(0), "mean_yz": f.mean((1, 2)), "var_y": f.var(1),
        "std_xy": f.std((0, 1), ddof=1), "norm_z": np.sqrt((f * f).sum(2)),
        "norm1_x": abs(f).sum(0), "norminf_y": abs(f).max(1),
        "cumsum_x": np.cumsum(v, 0), "cumsum_z": np.cumsum(v, 2),
        "cumprod_y": np.cumprod(v, 1)}


def kind(name, v):
    if name.startswith(("sum", "prod", "cum")):
        return v.dtype if v.dtype.kind == "f" else np.dtype(np.int64)
    if name.startswith(("min", "max")):
        return v.dtype
    if name.startswith(("any", "all")):
        return np.dtype(bool)
    if name.startswith(("count", "arg")):
        return np.dtype(np.int64)
    return v.dtype if v.dtype.kind == "f" else np.dtype(np.float64)


EXACT = ("min", "max", "any", "all", "count", "arg", "cum")


def compare(load, types, exact=EXACT):
    """of these fields, named by a letter: types, and values, bit for bit where exact"""
    for short in types:
        v = fields()[short]
        near = 1e-6 if v.dtype == np.float32 else 1e-13
        for name, want in results(v).items():
            got = load(f"{short}_{name}.npy")
            assert got.dtype == kind(name, v), (short, name, got.dtype)
            if name.startswith(exact):
                assert (got == want).all(), (short, name)
            else:
                assert np.allclose(got, want, near, near), (short, name)
