import numpy as np

ROWS, N = 7, 45
KINDS = {"u": "f8", "s": "f4", "i": "i8", "j": "i4", "b": "u1"}


def data():
    rng = np.random.default_rng(11)
    u = rng.choice([-1.5, -0.5, 0.0, -0.0, 0.75, 2.0], (ROWS, N))
    u[1] = rng.choice([0.0, -0.0], N)
    u[2] = -0.0                                     # one zero of the other sign, at the end
    u[2, 44] = 0.0
    u[3] = rng.uniform(0.5, 2, N)                   # products that round
    u[4] = np.ldexp(rng.uniform(1, 2, N), rng.integers(-900, 900, N))
    u[5, [9, 31]] = np.nan
    u[6] = rng.choice([np.inf, 1.0, -np.inf, 5e-324], N)
    values = {"u": u, "s": np.clip(u, -1e38, 1e38) * 1.1, "i": rng.integers(-9, 9, (ROWS, N)),
              "j": rng.choice([-2**31, 2**31 - 1, 3], (ROWS, N)),
              "b": rng.integers(1, 4, (ROWS, N))}
    values["i"][1] = 2**62 + 1
    values = {k: v.astype(KINDS[k]) for k, v in values.items()}
    z = np.empty(u.shape, complex)
    z.real, z.imag = u, np.roll(u, 1, 0)
    return values | {"z": z}


def prepare():
    for name, values in data().items():
        np.save(name + ".npy", values)


def minimum(x, axis=None):
    """as NumPy's, but -0 counts as less than 0, whatever the order"""
    least = x.min(axis)
    if x.dtype.kind != "f":
        return least
    negative = ((x == 0) & np.signbit(x)).any(axis) & (least == 0)
    return np.where(negative, x.dtype.type(-0.0), np.where(least == 0, x.dtype.type(0), least))


def maximum(x, axis=None):
    return -minimum(-x, axis) if x.dtype.kind == "f" else x.max(axis)


def product(values):
    """neighbours in pairs, then those in pairs; a last one without a neighbour waits"""
    x = np.ravel(values)
    if x.dtype.kind in "iu":
        return np.prod(x.astype(np.int64))
    x = [(v.real, v.imag) for v in x] if x.dtype.kind == "c" else list(x.astype(float))
    while len(x) > 1:
        x = [times(*x[n:n + 2]) if n + 1 < len(x) else x[n] for n in range(0, len(x), 2)]
    return x[0]


def times(a, b):
    if isinstance(a, tuple):
        return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]
    return a * b


def running(function, x, axis):
    """left to right, in the type of x"""
    result, x = np.array(x), np.moveaxis(x, axis, 0)
    result = np.moveaxis(result, axis, 0)
    for n in range(1, len(x)):
        result[n] = function(result[n - 1], x[n])
    return np.moveaxis(result, 0, axis)


def same(got, want, what):
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype == want.dtype, (what, got.dtype, want.dtype)
    nan = (got != got) & (want != want)
    fine = (got == want) & (np.signbit(got) == np.signbit(want)) | nan
    assert got.shape == want.shape and fine.all(), (what, got[~fine], want[~fine])


def check_line(values, name, r, got):
    x = values[name]
    x = x if r == 7 else x[3:] if r == 8 else x[r]
    if name == "z":
        want = list(product(x))
    else:
        want = [minimum(x), maximum(x), x.argmin(), x.argmax(), product(x)]
    if name in "us":
        want.append(maximum(abs(x)))
    for a, b in zip(got, want, strict=True):
        kind = np.asarray(b).dtype.type
        same(kind(a), kind(b), (name, r))


def check(out, load):
    np.seterr(all="ignore")
    v = data()
    lines = out.splitlines()
    assert len(lines) == 6 * ROWS + 3
    for line in lines:
        name, r, *got = line.split()
        check_line(v, name, int(r), got)
    u, s, i, j = (v[n] for n in "usij")
    want = {"min_u": minimum(u, 1), "max_u": maximum(u, 1), "argmin_u": u.argmin(1),
            "argmax_u": u.argmax(1), "min_s": minimum(s, 0), "max_s": maximum(s, 0),
            "argmin_s": s.argmin(0), "argmax_s": s.argmax(0), "argmin_i": i.argmin(0),
            "argmax_j": j.argmax(1), "cumsum_u": running(np.add, u, 1),
            "cumsum_s": running(np.add, s, 1), "cumsum_i": running(np.add, i, 0),
            "cumprod_u": running(np.multiply, u, 1), "cumprod_s": running(np.multiply, s, 0),
            "cumprod_i": running(np.multiply, i, 1)}
    row = np.arange(ROWS)[:, None]
    zero = np.where(row % 2 == 0, 0.0, -0.0) * np.ones(N)
    two = np.stack([u, zero])
    want["two_u"] = np.where(row % 2 == 0, minimum(two, 0), maximum(two, 0))
    p = np.pad(s, 1)
    want["two_s"] = maximum(np.stack([minimum(np.stack([s, p[2:, 1:-1]]), 0), p[:-2, :-2]]), 0)
    for name, value in want.items():
        same(load(name + ".npy"), value, name)
