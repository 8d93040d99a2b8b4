import numpy as np

W = 8


def start():
    x, y = np.indices((4, 3))
    return 1.0 + 3 * x + 7 * y + x * y**2


def shifted(p, dx, dy):
    return p[W + dx:W + dx + 4, W + dy:W + dy + 3]


def mixed(u):
    """x.lo = 5, x.hi = edge; then y.lo = reflect, y.hi = -3"""
    p = np.concatenate([np.full((W, 3), 5.0), u, np.repeat(u[-1:], W, 0)])
    low = np.pad(p, ((0, 0), (W, 0)), mode="reflect")
    return np.pad(low, ((0, 0), (0, W)), constant_values=-3)


def odd(u):
    """antisymmetric in x (which repeats further out), then edge in y"""
    p = np.pad(u, ((W, W), (0, 0)), mode="symmetric")
    sign = np.where((np.arange(-W, 4 + W) // 4) % 2, -1, 1)
    return np.pad(p * sign[:, None], ((0, 0), (W, W)), mode="edge")


def check(out, load):
    u = start()
    padded = {"a": np.pad(u, W, mode="edge"), "b": np.pad(u, W, mode="symmetric"),
              "c": np.pad(u, W, mode="reflect"), "d": odd(u), "e": mixed(u)}
    reads = {"a0": (-3, -3), "a1": (3, 3), "a2": (-5, 4), "b0": (-3, -3), "b1": (3, 3),
             "b2": (-5, 7), "c0": (-3, -2), "c1": (3, 2), "c2": (-7, 5), "d0": (-3, -3),
             "d1": (3, 3), "e0": (-1, -2), "e1": (2, -2), "e2": (-1, 3), "e3": (3, 3)}
    for name, (dx, dy) in reads.items():
        wanted = shifted(padded[name[0]], dx, dy)
        got = load(name + ".npy")
        assert np.array_equal(got, wanted), f"{name}: {got.tolist()} not {wanted.tolist()}"
