import numpy as np


def model():
    x, y, q = np.indices((5, 3, 4))
    w = ((x + 2 * y + 3 * q) % 7 - 3) / 7
    p = (1 + 1e-16 * np.arange(23.0)) * 1.1
    return {"p": np.cumprod(p), "wx": np.cumsum(w, 0), "wy": np.cumsum(w, 1),
            "wq": np.cumsum(w, 2), "bq": np.cumsum(w > 0, 2), "sxq": w.sum((0, 2)),
            "sq": w.sum(2), "aq": w.argmax(2), "ax": w.argmin(0), "vq": w.var(2),
            "mq": (w > 0).mean(2)}


def check(out, load):
    for name, value in model().items():
        got = load(name + ".npy")
        if name in ("p", "wx", "wy", "wq", "bq", "aq", "ax"):
            assert (got == value).all(), name
        assert got.dtype == value.dtype and np.allclose(got, value, 1e-14, 1e-15), name


if __name__ == "__main__":
    x = np.arange(23)
    u = np.where(x % 3 == 0, 1e16, np.where(x % 3 == 1, 1.0, -1e16))
    p, k = 1 + 1e-16 * x, (100000 * x * x).astype(np.int32)
    print(np.cumsum(u)[-1], p.prod(), np.cumprod(1 + p / 7)[-1])
    print(np.cumsum(u))
    print(np.cumsum(np.full(23, 0.1, np.float32)))
    print(np.cumsum(k)[-1], np.cumprod(k.astype(np.int64) + 1)[-1], (u > 0).sum())
    h, g = np.arange(65) / 7, (1 / (1 + np.arange(70))).astype(np.float32)
    print(np.cumsum(h)[-1], np.cumprod(1 + h / 100)[-1], h.max(), 64, np.cumsum(g)[-1], h.std())
    print(g.astype(float).var().astype(np.float32), True)
    t = np.arange(6) * 1.5
    print(t, t[5], 0.0, 0, np.nan)
    print([t.sum()], np.cumsum(t)[None])
