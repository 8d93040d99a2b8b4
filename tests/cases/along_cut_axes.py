import math

import numpy as np

from exact import exact


def fields():
    x, y, z = np.indices((24, 33, 5))
    u = ((7 * x + 3 * y * y + 11 * z) % 19 - 9) / 7 + x / 10
    w = np.array([1e300, 1.0, 1e-300, -1e300, 2.0 ** -1074, -1.0, 1e-300])[(x + y + z) % 7]
    e = np.where((x == 3) & (y % 5 == 0) & (z == 2), -math.inf, u)
    e[(x == 20) & (y == 5)] = math.inf
    n = np.where((x + y) % 2 == 0, -0.0, 0.0)
    n[(x == 11) & (z == 1)] = math.nan
    return {"u": u, "s": u.astype(np.float32), "w": w, "e": e, "n": n,
            "c": u + (x - y * z) * 1j, "big": 1e308 * (1 - 2 * (x // 4 % 2))}


def sums(v, axes):
    if v.dtype.kind == "c":
        return sums(v.real, axes) + 1j * sums(v.imag, axes)
    keep = [a for a in range(3) if a not in axes]
    lines = v.transpose(keep + list(axes)).reshape([v.shape[a] for a in keep] + [-1])
    return np.apply_along_axis(lambda line: exact(line), -1, lines).astype(v.dtype)


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b, equal_nan=True)


def check(out, load):
    for name, v in fields().items():
        for axes in ((0,), (0, 1), (0, 2), (1, 2)):
            file = f"{name}_sum_{''.join('xyz'[a] for a in axes)}.npy"
            assert same(load(file), sums(v, axes)), file
        if name not in "usen":
            continue
        assert same(load(f"{name}_min_x.npy"), v.min(0)), name
        assert same(load(f"{name}_max_xy.npy"), v.max((0, 1))), name
        assert (load(f"{name}_argmin_x.npy") == v.argmin(0)).all(), name
        assert (load(f"{name}_any_y.npy") == v.any(1)).all(), name
        assert (load(f"{name}_all_x.npy") == v.all(0)).all(), name
        assert (load(f"{name}_count_x.npy") == np.count_nonzero(v, 0)).all(), name
        near = 1e-6 if v.dtype == np.float32 else 1e-14
        with np.errstate(all="ignore"):
            mean, std = v.mean((0, 1), np.float64), v.std(0, np.float64)
        assert np.allclose(load(f"{name}_mean_xy.npy"), mean, near, near, True), name
        assert np.allclose(load(f"{name}_std_x.npy"), std, near, near, True), name
    x, y, z = np.indices((24, 33, 5))
    i = ((7 * x + 5 * y * z) % 23 * 100_000_000 - 11).astype(np.int32).astype(np.int64)
    assert same(load("i_sum_x.npy"), i.sum(0))
    assert same(load("i_prod_xy.npy"), i.prod((0, 1)))
    assert same(load("i_max_x.npy"), i.max(0).astype(np.int32))
    b = fields()["u"] > 0.4
    assert same(load("b_any_x.npy"), b.any(0))
    assert (load("b_count_xy.npy") == np.count_nonzero(b, (0, 1))).all()
