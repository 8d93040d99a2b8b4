#!/usr/bin/env python3
"""drive.py [OPTION]... - steps of plate.mpa from Python

    mpac --emit=shared plate.mpa -o libplate.so
    python3 drive.py --n=128            or: mpiexec -n 4 python3 drive.py --n=128
"""
import ctypes
import os
import sys
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int64, c_void_p

import numpy as np

lib = ctypes.CDLL(os.path.join(os.environ.get("LIBRARY", "."), "libplate.so"))
lib.mpa_error.restype = c_char_p
lib.mpa_find_field.restype = c_void_p


class Start(ctypes.Structure):
    _fields_ = [("argc", c_int), ("argv", POINTER(c_char_p)), ("comm", c_void_p),
                ("has_fortran_comm", c_int), ("fortran_comm", c_int)]


plate = c_void_p()


def must(answer):
    if answer:
        sys.exit(lib.mpa_error(plate).decode() if plate else "out of memory")


def bounds_of(function, field):
    numbers = (c_int64 * 2)(), (c_int64 * 2)()
    must(function(field, *numbers))
    return numbers


def block(field):
    """this rank's points of a field of f64 with two axes, where they stand"""
    lo, hi = bounds_of(lib.mpa_field_bounds, field)
    data, stride = c_void_p(), (c_int64 * 2)()
    must(lib.mpa_field_block(field, byref(data), stride))
    shape = [h - l for l, h in zip(lo, hi)]
    if not data:
        return np.zeros(shape), lo
    room = 1 + sum((n - 1) * s for n, s in zip(shape, stride))
    flat = np.ctypeslib.as_array(ctypes.cast(data, POINTER(c_double)), (room,))
    return np.lib.stride_tricks.as_strided(flat, shape, [8 * s for s in stride]), lo


words = [w.encode() for w in sys.argv]
start = Start(len(words), (c_char_p * len(words))(*words), None, 0, 0)
must(lib.plate_open(byref(plate), byref(start)))
must(lib.mpa_execute(plate))
u = c_void_p(lib.mpa_find_field(plate, b"u"))
source = c_void_p(lib.mpa_find_field(plate, b"source"))
shape = (c_int64 * 2)()
must(lib.mpa_field_shape(u, shape))

mine, lo = block(source)
x, y = np.ix_(*((first + 0.5 + np.arange(n)) / whole
                for first, n, whole in zip(lo, mine.shape, shape)))
mine[...] = (x - 0.3) ** 2 + (y - 0.6) ** 2 < 0.01
must(lib.mpa_field_changed(source))

dt = 0.2 / shape[0] ** 2
change, heat, given = c_double(), c_double(), c_double()
for t in range(100):
    must(lib.plate_advance(plate, u, source, c_double(dt), byref(change)))
must(lib.plate_total(plate, u, byref(heat)))
must(lib.plate_total(plate, source, byref(given)))
everything = np.empty(tuple(shape))
must(lib.mpa_gather(u, -1, everything.ctypes.data_as(c_void_p)))
if lib.mpa_my_rank(plate) == 0:
    print(f"heat {heat.value:.9f} of {given.value * dt * 100:.9f}, "
          f"peak {everything.max():.9f}, last change {change.value:.3e}")
must(lib.mpa_close(plate))
