import numpy as np


def check(out, load):
    u, b, i = np.ones(4, np.float32), np.full(4, 250, np.uint8), np.full(4, 7, np.int32)
    x = np.arange(4)
    expected = {
        "u_at": (u * x).astype(np.float32),
        "tenth": np.float32(0.1) * u,
        "count": np.full(4, 2, np.int64),
        "wide": np.full(4, 550, np.int64),
        "byte": b + np.uint8(7),
        "quotient": i / 2,
        "floor": i // np.int32(2),
        "mixed": i * u,
        "logic": np.full(4, True),
        "root": np.sqrt(u),
        "sum": b + i,
    }
    for name, value in expected.items():
        got = load(name + ".npy")
        assert got.dtype == value.dtype, f"{name}: {got.dtype} instead of {value.dtype}"
        assert np.array_equal(got, value), f"{name}: {got}"
