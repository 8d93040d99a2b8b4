import numpy as np


def check(out, load):
    """the lines of the program whose numbers NumPy gives as well, in their order"""
    n = 7
    x, y, q = np.indices((n, 5, 3))
    f = 100.0 * q + 10 * x + y
    X, Y = np.indices((n, 5))
    u = 10.0 * X + Y
    v, z = u.copy(), u + 2j * Y
    want = []

    def note(*arrays):
        want.extend("".join(str(a).split()) for a in arrays)

    note(f[1:3, :, 1][0, :], f[:, 1, 1:3][2, :], f[1:3, :2].sum(2), u[1:4].sum(0),
         np.cumsum(u[:3, ::2], 1))
    f[::3, :, 2] = u[::3] * 2 + f[:, :, 0][::3]
    note(f[:, :, 2][::3, :2])
    f[1:3, 1:3] += u[:2, :2, None] + f[2:4, 2:4, :].copy()
    note(f[1:3, 1:3, 0], f[1:3, 1:3, 2])
    mask, w = u[1:] > 30, u[:-1] * 2
    v[1:][mask] = (w + u[1:])[mask]
    inner = v[:-1] > 20
    v[1:][mask & inner] = 0
    v[:-1][mask & ~inner] = 1
    note(v, 2 * u[1:])

    def total(q):
        t = 2 * q[1:-1]
        t[0] = q[0]
        return t

    note(total(u))
    for k in (1, 2):
        s = u[k:, 1] + np.arange(n - k)
        s[1:] += s[:-1].copy()
        note(s)
    both = v[:2] + X[:2], u[-2:] * 2
    u[:2], v[-2:] = both
    note(u[:3], v[-3:], v[::-1, ::-1][0])
    text = "".join(out.split())
    for shown in want:
        assert shown in text, shown
        text = text[text.index(shown):]
    assert "11000+0i" in out and z[::2].shape[0] == 4
    assert np.isclose((z[::2] * np.conj(z[::-2])).sum(), 11000)
