import numpy as np

from orders import compare


def weights(offsets, derivative):
    """those that are exact for polynomials of the highest degree"""
    offsets = np.array(offsets, float)
    powers = np.vander(offsets, increasing=True).T
    wanted = np.zeros(len(offsets))
    wanted[derivative] = [1, 1, 2, 6, 24][derivative]
    return np.linalg.solve(powers, wanted)


def along(u, axis, offsets, derivative):
    h = 2 * np.pi / len(u)
    return sum(w * np.roll(u, -o, axis)
               for o, w in zip(offsets, weights(offsets, derivative))) / h**derivative


def cells(order):
    """the points on either side of a cell whose faces are at -1/2 and 1/2"""
    return [k + 0.5 for k in range(-order // 2, order // 2)]


def faces_sum(u, axis, order, derivative, lower):
    """lower: of a face, from the cells around it; else of a cell, from its faces"""
    h = 2 * np.pi / len(u)
    offsets = cells(order)
    move = [int(o - 0.5) if lower else int(o + 0.5) for o in offsets]
    return sum(w * np.roll(u, -m, axis)
               for m, w in zip(move, weights(offsets, derivative))) / h**derivative


def errors(n):
    h = 2 * np.pi / n
    x = (np.arange(n) + 0.5)[:, None] * h
    y = (np.arange(n) + 0.5)[None, :] * h
    u = np.sin(x) * np.cos(y)
    e = {}

    def note(name, got, exact):
        e[name] = abs(got - exact).max()

    for o in 1, 2, 3, 4:
        note(f"forward {o}", along(u, 0, list(range(o + 1)), 1), np.cos(x) * np.cos(y))
        note(f"backward {o}", along(u, 1, list(range(-o, 1)), 1), -np.sin(x) * np.sin(y))
    for o in 2, 4, 6, 8:
        near = list(range(-o // 2, o // 2 + 1))
        note(f"mixed {o}", along(along(u, 1, near, 1), 0, near, 1), -np.cos(x) * np.sin(y))
        note(f"d_at_faces {o}", faces_sum(u, 0, o, 1, True), np.cos(x - h/2) * np.cos(y))
        note(f"d_at_cells {o}", faces_sum(u, 1, o, 1, False), -np.sin(x) * np.sin(y + h/2))
        note(f"at_faces {o}", faces_sum(u, 0, o, 0, True), np.sin(x - h/2) * np.cos(y))
        note(f"at_cells {o}", faces_sum(u, 1, o, 0, False), np.sin(x) * np.cos(y + h/2))
    for o in 2, 4, 6:
        near = list(range(-o // 2 - 1, o // 2 + 2))
        note(f"d3 {o}", along(u, 0, near, 3), -np.cos(x) * np.cos(y))
        note(f"d4 {o}", along(u, 1, near, 4), u)
    lap = sum(along(u, a, [-1, 0, 1], 2) for a in (0, 1))
    note("biharmonic 2", sum(along(lap, a, [-1, 0, 1], 2) for a in (0, 1)), 4 * u)
    k = 2 + np.sin(x) + 0 * y
    flux = [(k + np.roll(k, 1, a)) * (u - np.roll(u, 1, a)) / (2 * h) for a in (0, 1)]
    note("diffusion 2", sum(np.roll(f, -1, a) - f for a, f in enumerate(flux)) / h,
         (np.cos(x)**2 - 2 * k * np.sin(x)) * np.cos(y))
    return e


def check(out, load):
    compare(out, errors(24), errors(48), 0.05)
