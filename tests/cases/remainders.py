"""what the program prints, by NumPy, whose remainder is C's fmod, exact"""
import numpy as np


def printed():
    from exact import exact

    i = np.arange(4000)
    a = (i * 1.37 - 2000) * np.ldexp(1.0, i % 127 - 63)
    b = (i % 71 - 35.5) * np.ldexp(1.0, i % 83 - 41)
    c = (i * 1.37 - 2000).astype(np.float32)
    return (f"{exact(a % b):.17g} {exact(a // b):.17g}\n"
            f"{exact(a % 0.3):.17g} {exact((c % np.float32(0.7)).astype(float)):.17g}\n"
            f"{(a % 1e-300).max():.17g} {(a * 1e280 % 3e-310).max():.17g}\n")


def check(out, load):
    assert out == printed()
