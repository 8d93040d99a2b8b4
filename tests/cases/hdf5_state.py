import numpy as np


def check(out, load):
    f = load("state.h5")
    x, y, c = np.arange(7)[:, None], np.arange(5)[None, :], np.arange(3)
    zero = np.zeros((7, 5))
    wanted = {
        "u": 10*x + y + 0.5,
        "v": ((x - y) / 3).astype("f4"),
        "m": x > y,
        "b": (40*x[:, :, None] + c + zero[:, :, None]).astype("u1"),
        "k": (100*x[:, :, None] + 10*y[:, :, None] + c).astype("i4"),
        "j": -np.arange(5) * 10000000000,
        "r": np.arange(4.0),
        "odd": np.where(x > 3, np.nan, np.where(x == y, -np.inf, -0.0)),
        "step": np.int64(12),
        "t": np.float64(0.25),
        "small": np.float32(0.1),
        "on": np.bool_(True),
        "byte": np.uint8(200),
        "tiny": np.int32(-7),
        "energy": np.sum((10*x + y + 0.5)**2),
        "twice": 2 * (10*x + y + 0.5),
        "place": (x + 0.5) * (1 / 7) + y,
    }
    assert set(f) == {*wanted, "name", "empty"}, set(f)
    for name, value in wanted.items():
        got = f[name][()]
        assert got.dtype == value.dtype, (name, got.dtype)
        assert got.shape == value.shape, (name, got.shape)
        assert got.tobytes() == value.tobytes() or name == "odd", name
    assert np.array_equal(f["odd"][()], wanted["odd"], equal_nan=True)
    assert np.array_equal(np.signbit(f["odd"][()]), np.signbit(wanted["odd"]))
    assert f["name"].asstr()[()] == "run é" and f["empty"].asstr()[()] == ""
    assert list(load("only.hdf5")) == ["v"]
