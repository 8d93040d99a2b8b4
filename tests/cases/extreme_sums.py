import math

import numpy as np

from exact import exact

ROWS, N = 13, 61


def data():
    """rows: what each is a test of stands beside it"""
    rng = np.random.default_rng(5)

    def wide(low, high):
        return np.ldexp(rng.uniform(-1, 1, N), rng.integers(low, high, N))

    u = np.stack([wide(-1074, 1000) for _ in range(ROWS)])
    u[1, :30], u[1, 30:60], u[1, 60] = wide(-1074, 1020)[:30], 0, 5e-324    # cancels to one bit
    u[1, 30:60] = -u[1, :30]
    rng.shuffle(u[1])
    u[2] = np.where(np.arange(N) % 2, -1.7e308, 1.7e308)    # only partial sums overflow
    u[2, 20:40] = np.repeat([1.7e308, -1.7e308], 10)
    u[3, :20] = 1e308                                       # the sum does
    u[4] = rng.integers(-99, 99, N) * 5e-324                # subnormal
    u[5, 17] = np.inf
    u[6, 60] = np.nan
    u[7, 3], u[7, 40] = np.inf, -np.inf
    u[8] = 0
    u[8, [0, 30, 60]] = 1, 2.0**-53, 5e-324                 # just more than half way
    u[9] = 0
    u[9, [0, 30, 60]] = 1, 2.0**-53, -5e-324                # just less
    u[10] = 0
    u[10, [1, 2]] = np.finfo(float).max, 2.0**970           # half way beyond the largest
    u[11] = u[10]
    u[11, 60] = -5e-324                                     # just less
    u[12] = wide(-3, 3)
    v = np.stack([wide(-60, 20) for _ in range(ROWS)])
    with np.errstate(over="ignore"):
        s = np.ldexp(rng.uniform(-1, 1, (ROWS, N)), rng.integers(-149, 127, (ROWS, N)))
        s = s.astype(np.float32)
    s[2] = np.where(np.arange(N) % 2, -3e38, 3e38)
    s[3] = 3e38
    s[4] = rng.integers(-99, 99, N) * 1.4e-45
    s[5, 3] = np.inf
    s[6, 9] = np.nan
    s[8] = 0
    s[8, [0, 30, 60]] = 1, 2.0**-24, 2.0**-100              # more than half way, not by f64
    z = np.empty(u.shape, complex)
    z.real, z.imag = v, u
    i = rng.integers(-2**63, 2**63 - 1, (ROWS, N))
    return u, v, s, z, i


def prepare():
    for name, values in zip("uvszi", data()):
        np.save(name + ".npy", values)


def wrapped(values):
    return (sum(map(int, np.ravel(values))) + 2**63) % 2**64 - 2**63


def mean(x):
    return exact(x) / x.size


def var(x):
    x = x.astype(float)
    return exact((x - mean(x))**2) / x.size


def norm(x):
    return math.sqrt(exact(x.astype(float)**2))


def same(got, want, what):
    assert got == want or got != got and want != want, (what, got, want)


def check(out, load):
    np.seterr(all="ignore")
    u, v, s, z, i = data()
    masked = np.where(i % 3 == 0, u, 0)
    want = {"all": [exact(u[:3]), exact(s[:3]), exact(u), exact(u[:3] * v[:3]), norm(v),
                    wrapped(i)]}
    for r in range(ROWS):
        want["sum", r] = [exact(u[r]), exact(s[r]), wrapped(i[r]), exact(masked[r])]
        want["sumz", r] = [exact(v[r]), exact(u[r])]
        want["moment", r] = [mean(u[r]), var(u[r]), math.sqrt(var(s[r])), norm(u[r]),
                             exact(abs(s[r])), exact(u[r] * v[r])]
    for line in out.splitlines():
        key, *got = line.split()
        if key != "all":
            key = key, int(got.pop(0))
        for n, (a, b) in enumerate(zip(got, want.pop(key), strict=True)):
            same(type(b)(a), b, (key, n))
    assert not want
    for r in range(ROWS):
        same(load("su.npy")[r], exact(u[r]), ("su", r))
        same(load("ss.npy")[r], np.float32(exact(s[r])), ("ss", r))
        same(load("si.npy")[r], wrapped(i[r]), ("si", r))
        same(load("sz.npy")[r].real, exact(v[r]), ("sz", r))
        same(load("sz.npy")[r].imag, exact(u[r]), ("sz", r))
        same(load("mu.npy")[r], mean(u[r]), ("mu", r))
        same(load("vu.npy")[r], var(u[r]), ("vu", r))
        same(load("nu.npy")[r], norm(u[r]), ("nu", r))
        same(load("mask.npy")[r], exact(masked[r]), ("mask", r))
