import numpy as np


def model():
    x, y = np.indices((6, 4))
    f = x + 10.0 * y
    h = f[:, :, None] * (np.arange(3) + 1)
    g = np.arange(4) + 1.0
    p, q, m, k = np.indices((3, 2, 4, 3))
    z = p + 10.0 * q + 100 * m + 1000 * k
    u, v, w = np.indices((3, 4, 2))
    c = u + 10.0 * v + 100 * w
    h2 = h.copy()
    h2[:, :, 1] = 5
    h2[0, :, 2] = -1
    return {"f": f * g, "h": h, "mixed": h + g[:, None], "z": z,
            "zz": np.roll(z, -1, 3) - np.roll(z, 1, 3),
            "dd": np.roll(c, (1, -1), (0, 2)), "h2": h2}


def check(out, load):
    for name, value in model().items():
        assert np.array_equal(load(name + ".npy"), value), name


if __name__ == "__main__":
    m = model()
    z = m["z"]
    a, b = np.indices((9, 6))
    print(5, 24, 6, 0.5, 0.5, 0.25, 72)
    print(6, 24, 0.5)
    print(z.sum(), z[2, 1, 3, 2], z[0, 1, 1, 0], (a * b).sum() * 1.0, 18.0, 4.0, 10.0, m["h"].sum())
