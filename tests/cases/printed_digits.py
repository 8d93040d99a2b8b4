import numpy as np

N = 400


def data():
    rng = np.random.default_rng(3)
    bits = rng.integers(0, 2**63 - 1, N) * 2 + rng.integers(0, 2, N)
    u, s = bits.view(float).copy(), bits.astype(np.uint32).view(np.float32).copy()
    u[100:200] = rng.integers(-10**6, 10**6, 100) / 1000        # short ones
    u[200:250] = np.ldexp(1.0, rng.integers(-1074, 1023, 50))   # gaps of two sizes
    u[250:300] = np.nextafter(10.0**rng.integers(-30, 30, 50), rng.choice([0, 1e99], 50))
    u[300:320] = rng.integers(1, 99, 20) * 5e-324
    u[320:340] = rng.integers(-99, 99, 20) + 0.5                # halves
    u[340:360] = 10.0**np.arange(6, 26)
    u[360:365] = [0.0, -0.0, np.inf, -np.inf, np.nan]
    u[365:370] = [1e23, 9007199254740993.0, 2.0**63, 1.7976931348623157e308, 2.2250738585072014e-308]
    s[100:200] = rng.integers(-10**5, 10**5, 100) / 1000
    s[200:250] = np.ldexp(1.0, rng.integers(-149, 127, 50))
    s[300:320] = rng.integers(1, 99, 20) * 1.4e-45
    s[340:360] = 10.0**np.arange(2, 22)
    return u, s


def prepare():
    for name, values in zip("us", data()):
        np.save(name + ".npy", values)


def single(x):
    """Python's layout of the shortest digits of an f32"""
    digits = np.format_float_scientific(x, unique=True, trim="0")
    return repr(float(digits)) if np.isfinite(x) else repr(float(x))


def check(out, load):
    u, s = data()
    want = [f"{float(a)!r} {single(b)} {float(a)!r} {single(b)}" for a, b in zip(u, s)]
    want += [f"{a:.0f} {a:.3f} {a:.17e} {a:g} {a:.1e} {a:.12g}" for a in map(float, u)]
    for got, line in zip(out.splitlines(), want, strict=True):
        assert got == line, (got, line)
