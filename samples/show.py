#!/usr/bin/env python3
"""show.py FILE.npy [COLUMNS] - a field with two axes as a picture made of letters

The first axis runs down, the second to the right; the darkest is the smallest.
"""
import sys

import numpy as np

SHADES = " .:-=+*#%@"


def picture(u, columns):
    rows = max(1, round(columns * u.shape[0] / u.shape[1] / 2))
    lo, hi = u.min(), u.max()
    i = np.arange(rows) * u.shape[0] // rows
    j = np.arange(columns) * u.shape[1] // columns
    level = (u[np.ix_(i, j)] - lo) / (hi - lo if hi > lo else 1)
    shade = np.minimum((level * len(SHADES)).astype(int), len(SHADES) - 1)
    return "\n".join("".join(SHADES[s] for s in row) for row in shade)


u = np.load(sys.argv[1]).astype(float)
print(picture(np.atleast_2d(u), int(sys.argv[2]) if len(sys.argv) > 2 else 64))
print(f"{u.shape[0]} x {u.shape[-1]} points, {u.min():.4g} to {u.max():.4g}, sum {u.sum():.6g}")
