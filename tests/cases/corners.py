import numpy as np

W = 5
SHAPE = 5, 4, 3
READS = {"u0": (-2, -3, -1), "u1": (2, 3, -3), "u2": (-4, 1, 1), "u3": (3, -2, 2),
         "u4": (-1, 5, 3), "s0": (-2, -3, -2), "s1": (4, 3, 1), "s2": (-3, 1, -1),
         "s3": (1, -2, 3)}


def data():
    return np.random.default_rng(2).normal(0, 1, SHAPE)


def prepare():
    np.save("u.npy", data())


def sides(p, axis, low, high):
    """one axis: what np.pad calls the modes, or a number; '-symmetric' turns signs"""
    width = [(0, 0)] * 3
    width[axis] = (W, W)

    def pad(mode):
        if not isinstance(mode, str):
            return np.pad(p, width, constant_values=mode)
        padded = np.pad(p, width, mode=mode.lstrip("-"))
        if mode[0] == "-":
            n = p.shape[axis]
            turned = (np.arange(-W, n + W) // n) % 2
            padded *= np.where(turned, -1, 1).reshape([-1 if k == axis else 1 for k in range(3)])
        return padded

    n = p.shape[axis]
    return np.concatenate([np.take(pad(low), range(W + n), axis),
                           np.take(pad(high), range(W + n, 2 * W + n), axis)], axis)


def shifted(p, a):
    return p[tuple(slice(W + d, W + d + n) for d, n in zip(a, SHAPE))]


def check(out, load):
    u = data()
    s = u.astype(np.float32)
    kinds = [("reflect", "edge"), ("wrap", "wrap"), (-7, "-symmetric")]
    for axis, (low, high) in enumerate(kinds):
        u = sides(u, axis, low, high)
    kinds = [("symmetric", "symmetric"), ("wrap", "wrap"), ("edge", 0.25)]
    for axis, (low, high) in enumerate(kinds):
        s = sides(s, axis, low, high)
    for name, a in READS.items():
        want = shifted(u if name[0] == "u" else s, a)
        got = load(name + ".npy")
        assert got.dtype == want.dtype and np.array_equal(got, want), name
    steps = np.stack(np.meshgrid(*[[-1, 0, 1]] * 3, indexing="ij"), -1).reshape(-1, 3)
    want = np.max([(9 * a + 3 * b + c) * shifted(u, (a, b, c)) for a, b, c in steps], 0)
    assert np.array_equal(load("all.npy"), want), "all"
