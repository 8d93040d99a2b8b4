import numpy as np


def weights(order, derivative):
    """at the distances ... -3/2, -1/2, 1/2, 3/2 ..."""
    offsets = np.arange(order) - (order - 1) / 2
    wanted = np.zeros(order)
    wanted[derivative] = 1
    return np.linalg.solve(np.vander(offsets, increasing=True).T, wanted)


def between(p, count, w):
    """sums over as many neighbours of a padded array as there are weights"""
    return sum(c * p[k:k + count] for k, c in enumerate(w))


def to_faces(u, w):
    k = len(w) // 2
    return between(np.pad(u, k, mode="symmetric"), len(u) + 1, w)


def to_cells(f, w):
    k = len(w) // 2 - 1
    return between(np.pad(f, k, mode="reflect", reflect_type="even")
                   * np.concatenate((-np.ones(k), np.ones(len(f)), -np.ones(k))),
                   len(f) - 1, w)


def wave(n, order):
    x, y = (np.arange(n) + 0.5) / n, np.arange(n + 1) / n
    slope, mean = weights(order, 1) * n, weights(order, 0)
    z, dt = np.concatenate((np.cos(np.pi * x), 0 * y)), 0.002

    def rate(z):
        return np.concatenate((-to_cells(z[n:], slope), -to_faces(z[:n], slope)))
    for t in range(200):
        k1 = rate(z)
        k2 = rate(z + dt / 2 * k1)
        k3 = rate(z + dt / 2 * k2)
        z = z + dt / 6 * (k1 + 2 * k2 + 2 * k3 + rate(z + dt * k3))
    u, f = z[:n], z[n:]
    cx, sy = np.cos(0.4 * np.pi) * np.cos(np.pi * x), np.sin(0.4 * np.pi) * np.sin(np.pi * y)
    cy, sx = np.cos(0.4 * np.pi) * np.cos(np.pi * y), np.sin(0.4 * np.pi) * np.sin(np.pi * x)
    return [abs(e).max() for e in (u - cx, f - sy, to_cells(f, mean) - sx, to_faces(u, mean) - cy)]


def check(out, load):
    lines = [line.split(": ") for line in out.splitlines()]
    wanted = [(f"order {o}", a, b) for o in (2, 4, 6, 8)
              for a, b in zip(wave(8, o), wave(16, o))]
    assert len(lines) == len(wanted)
    for (name, numbers), (order, a, b) in zip(lines, wanted):
        p, q, observed = (float(t) for t in numbers.split())
        assert name == order and abs(p / a - 1) < 0.01 and abs(q / b - 1) < 0.02, numbers
        assert abs(observed - int(order.split()[1])) < 0.2, numbers
