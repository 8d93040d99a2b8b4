"""sums of exact arithmetic, rounded once"""
import math

import numpy as np


def exact(values):
    """the f64 nearest to the sum: integers, in units of the smallest f64"""
    values = [float(x) for x in np.ravel(values)]
    odd = [x for x in values if not math.isfinite(x)]
    if odd:
        return sum(odd)
    total = 0
    for x in values:
        p, q = x.as_integer_ratio()
        total += p * (2**1074 // q)
    try:
        return total / 2**1074                  # Python rounds this once
    except OverflowError:
        return math.inf if total > 0 else -math.inf
