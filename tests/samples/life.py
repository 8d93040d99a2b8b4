import numpy as np


def model(n=512, steps=1103):
    cell, m = np.zeros((n, n), int), n // 2
    for i, j in (-1, 0), (-1, 1), (0, -1), (0, 0), (1, 0):
        cell[m + i, m + j] = 1
    for t in range(steps):
        rows = cell + np.roll(cell, 1, 0) + np.roll(cell, -1, 0)
        k = rows + np.roll(rows, 1, 1) + np.roll(rows, -1, 1) - cell
        cell = ((k == 3) | ((k == 2) & (cell == 1))).astype(int)
    return cell


def check(out, load):
    assert np.array_equal(load("life.npy"), model())


def printed():
    return f"{model().sum()} cells alive"
