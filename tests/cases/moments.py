import math

import numpy as np

from exact import exact

R, N = 5, 203


def data():
    rng = np.random.default_rng(31)
    u = rng.normal(0, 1, (R, N))
    u[1] = 1e8 + u[1]                                   # the mean is far from 0
    u[2] *= 1e-160                                      # squares below the smallest f64
    u[3] *= 1e160                                       # and above the largest
    u[4] = np.ldexp(u[4], rng.integers(-40, 40, N))
    i = rng.integers(-10**12, 10**12, (R, N))
    i[1] = rng.integers(-2**63, 2**63 - 1, N)           # sums wrap
    z = np.empty(u.shape, complex)
    z.real, z.imag = u, np.roll(u[:, ::-1], 3, 1)
    with np.errstate(all="ignore"):
        return {"u": u, "s": np.clip(u, -1e30, 1e30).astype(np.float32), "i": i,
                "j": rng.integers(-2**31, 2**31 - 1, (R, N)).astype(np.int32), "z": z,
                "c": np.clip(z.real, -1e15, 1e15).astype(np.complex64) * np.complex64(1 - 2j)}


def prepare():
    for name, values in data().items():
        np.save(name + ".npy", values)


def whole(x):
    return int(np.sum(x, dtype=np.int64))


def squares(re, im):
    """of complex numbers: a sum of each part"""
    return exact(re * re) + exact(im * im)


def var(x, ddof=0):
    if x.dtype.kind == "c":
        n = x.size
        re, im = x.real.astype(float), x.imag.astype(float)
        return squares(re - exact(re) / n, im - exact(im) / n) / n
    f = x.astype(float)
    d = f - exact(f) / x.size
    return exact(d * d) / (x.size - ddof)


def moments(x):
    f = x.astype(float)
    one, large = exact(abs(f)), abs(f).max()
    if x.dtype.kind == "i":
        large = float(max(abs(int(a)) for a in np.ravel(x)))
    return [exact(f) / x.size, var(x), math.sqrt(var(x, 2)), math.sqrt(exact(f * f)), one, large]


def moments_z(x):
    x = x.astype(complex)
    size = math.sqrt(squares(x.real, x.imag))
    return [exact(x.real) / x.size, exact(x.imag) / x.size, var(x), size]


def dot(a, b):
    """real and imaginary part"""
    a, b = a.astype(complex), b.astype(complex)
    return (exact(a.real * b.real + a.imag * b.imag), exact(a.real * b.imag - a.imag * b.real))


def wanted(name, r, d):
    if name in ("u", "s", "i", "j"):
        return moments(d[name] if r == R else d[name][r])
    if name in ("z", "c"):
        return moments_z(d[name] if r == R else d[name][r])
    u, s, i, j, z, c = (d[n][r] for n in "usijzc")
    m = i % 3 == 1
    if name == "dot":
        return [exact(u * s), whole(i * j), exact(i * u), exact(s.astype(float)**2),
                exact(m * u)]
    if name == "dotz":
        return [dot(z, z)[0], dot(z, c)[1], dot(z, c)[0], dot(c, u)[1]]
    return [exact(u[m]), int(m.sum()), int(m.sum()), whole(i), whole(j), m.mean()]


def check(out, load):
    np.seterr(all="ignore")
    d, bad = data(), []
    lines = out.splitlines()
    assert len(lines) == 9 * R + 2
    for line in lines:
        name, r, *got = line.split()
        want = wanted(name, int(r), d)
        for n, (a, b) in enumerate(zip(got, want, strict=True)):
            if type(b)(a) != b and not (b != b and a == "nan"):
                bad.append((name, r, n, a, b))
    assert not bad, bad
    i, u, z = (d[n] for n in "iuz")
    want = {"mi": [exact(x.astype(float)) / N for x in i],
            "mij": [exact(x.astype(float)) / R for x in i.T], "vi": [var(x) for x in i],
            "vz": [var(x) for x in z], "nu": [exact(abs(x)) for x in u],
            "nz": [math.sqrt(squares(x.real, x.imag)) for x in z.T]}
    for name, values in want.items():
        assert np.array_equal(load(name + ".npy"), values), name
