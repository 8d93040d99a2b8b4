import math

import numpy as np

from exact import exact

N = 12007


def data():
    rng = np.random.default_rng(23)

    def wide(shape, low, high):
        return np.ldexp(rng.uniform(-1, 1, shape), rng.integers(low, high, shape))

    u = wide(N, -1074, 1000)
    u[3000:9000] = rng.permutation(np.concatenate([u[:3000], -u[:3000]]))
    u[::500] = 1.6e308
    u[250::500] = -1.6e308                              # so that some parts overflow, not all
    v = rng.choice([-1, 1], N) * np.exp(rng.normal(0, 0.5, N))
    v[[4000, 8000]] = v.max() + 1
    v[[5001, 11999]] = v.min() - 1
    s = wide(N, -149, 100).astype(np.float32)
    i = rng.integers(-10**15, 10**15, N)
    i[[777, 10777]], i[[888, 11888]] = -10**15, 10**15
    i[:] |= 1
    t, f = wide((3, 3001), -1074, 1022), wide((3, 3001), -20, 20).astype(np.float32)
    t[1] = -t[0]
    t[2] *= 1e-250
    return {"u": u, "v": v, "s": s, "i": i, "t": t, "f": f}


def prepare():
    for name, values in data().items():
        np.save(name + ".npy", values)


def lines(x, axis):
    return np.moveaxis(x, axis, -1).reshape(-1, x.shape[axis])


def product(x):
    """neighbours in pairs, then those in pairs; a last one without a neighbour waits"""
    if x.dtype.kind == "i":
        return np.prod(x)
    x = x.astype(float)
    while len(x) > 1:
        x = np.append(x[:-1:2] * x[1::2], x[len(x) // 2 * 2:])
    return x[0]


def var(x, ddof=0):
    return exact((x - exact(x) / x.size)**2) / (x.size - ddof)


def printed(d):
    u, v, s, i = (d[n].copy() for n in "uvsi")
    e = s.astype(float)
    yield [exact(u), exact(u[::3]), exact(u[17:-5]), exact(u[i > 0]), exact(u * 1e-20 * v),
           math.sqrt(exact(v * v)), exact(abs(v))]
    yield [exact(e), exact(e * e[::-1]), exact(e), exact(e), exact(e) / N,
           var(v), math.sqrt(var(v, 1))]
    yield [exact(u * v), exact(2 * v - v), N, i.sum(), product(v), product(s), product(i)]
    yield [i.argmin(), i.argmax(), v.argmin(), v.argmax(), (abs(v) > 1.5).argmax(), v.min(),
           s.max()]
    u[9001], v[7000] = np.inf, np.nan
    yield [np.inf, np.inf, np.inf, np.nan, np.nan, np.nan, 7000, 7000, np.nan]
    yield [np.nan, np.nan, -np.inf, np.inf, 11000, 9001, "false", 2]


def check(out, load):
    np.seterr(all="ignore")
    d = data()
    for got, want in zip(out.splitlines(), printed(d), strict=True):
        for n, (a, b) in enumerate(zip(got.split(), want, strict=True)):
            assert type(b)(a) == b or b != b and a == "nan", (n, a, b, want)
    t, f = d["t"], d["f"]
    want = {"cumsum": np.cumsum(d["u"]), "single": np.cumsum(d["s"]),
            "cumprod": np.cumprod(d["v"]), "ca": np.cumsum(t, 1),
            "ta": [exact(x) for x in lines(t, 0)], "tb": [exact(x) for x in lines(t, 1)],
            "fa": np.array([exact(x) for x in lines(f, 0)]).astype(np.float32),
            "fb": np.array([exact(x) for x in lines(f, 1)]).astype(np.float32),
            "vb": [var(x) for x in lines(t * 1e-200, 1)],
            "pb": np.array([product(x) for x in lines(f, 1)]).astype(np.float32)}
    for name, values in want.items():
        assert np.array_equal(load(name + ".npy"), values, equal_nan=True), name
