import numpy as np


def shown(z, spec=""):
    if spec or isinstance(z, np.ndarray):
        return format(z, spec) if spec else str(z)
    return str(z).strip("()")


def check(out, load):
    x, y = np.meshgrid(np.arange(4), np.arange(2), indexing="ij")
    with np.errstate(all="ignore"):
        a = x + 0.5 - 1j * y
        b = ((x - 0.1) * np.exp(1j * y)).astype(np.complex64)
        c = 10.0**(3 * x) * (1 + 1e-3j * y)
        d = np.where(x == 2, 1j * np.inf, np.where(x == 3, np.nan - 1j, y - 1.5 + 0j))
        e = 1.5 - np.inf * x + 0j
    f = np.arange(2000) * (1 - 0.25j)
    scalars = [1j, 2 - 1j, 0.1 + 1e-7j, 1e22j - 3, -(1 + 0j), np.complex64(0.1 + 0.7j), b[0, 1],
               np.nan + 1j, d[2, 0]]
    want = [shown(z) for z in (a, b, c, d, e, f)] + [" ".join(shown(z) for z in scalars)]
    want += [f"{1234.5 - 2j:,.2f} {1j:g} {2 + 1j:+e} {1j:<8}| {1.23456 + 7j:^20.3} {-2j:*>9}"]
    want = "\n".join(want).replace("j", "i").replace("(1.23+7i)", " 1.23+7i ")
    want = want.replace("(-0-2i)", "**-0-2i")
    assert out == want + "\n", f"{out}\ninstead of\n{want}"
