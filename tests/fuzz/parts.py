"""tests/fuzz/parts.py - what random programs are made of

What is known of each name (grid, type, which walls have a condition) decides what an
expression may read.
"""
REALS = ["0.5", "0.25", "1.5", "0.1", "2.0", "1e-3", "0.3", "3", "-1.5", "1/3", "7"]
INTS = ["0", "1", "2", "3", "5", "7", "-1", "-3"]
ELEMS = {"r": ["f64", "f64", "f64", "f32"], "i": ["i64", "i32", "u8"], "b": ["bool"]}
KIND = {e: k for k, all_of in ELEMS.items() for e in all_of}
NAMES = ["x", "y", "z", "w"]


class Axis:
    def __init__(self, name, size, periodic, local, text):
        self.name, self.size, self.periodic, self.local = name, size, periodic, local
        self.text = text            # as in the declaration
        self.constant = f": {size}" in text
        self.sliced = False         # of a slice: coordinates are not modelled
        self.ext = 0                # of faces: 1; of what is between: -1

    def extended(self, by):
        longer = 0 if self.periodic else by
        a = Axis(self.name, self.size + longer, self.periodic, self.local, self.text)
        a.ext, a.sliced = self.ext + by, self.sliced
        return a


class Grid:
    def __init__(self, name, axes, base):
        self.name, self.axes = name, axes
        self.base = base            # the declared grid of its family, or itself


class Field:
    def __init__(self, name, elem, grid, kind):
        self.name, self.elem, self.grid, self.kind = name, elem, grid, kind
        self.ghost = set()          # (axis, side) with a value beyond that wall
        self.computable = set()     # ... where `computed` would be possible

    def axis(self, name):
        return next((a for a in self.grid.axes if a.name == name), None)


class Scalar:
    def __init__(self, name, kind, mutable, least=None, most=None):
        self.name, self.kind, self.mutable = name, kind, mutable
        self.least, self.most = least, most     # bounds, where they are known


class Expr:
    """text, and what decides what may be done with it"""

    def __init__(self, text, fields=(), stencil=(), axes=()):
        self.text = text
        self.fields, self.stencil, self.axes = set(fields), set(stencil), set(axes)

    def made(self, text, *others):
        r = Expr(text, self.fields, self.stencil, self.axes)
        for o in others:
            r.fields |= o.fields
            r.stencil |= o.stencil
            r.axes |= o.axes
        return r


class Place:
    """where an expression stands: what it may read there"""

    def __init__(self, base=None, axes=(), room=None, still=frozenset(), pure=False,
                 mirror=False, target=False):
        self.base, self.axes = base, list(axes)
        self.room = room or {}      # axis name -> (lo, hi): points to the walls
        self.still = still          # axes along which it is shifted as a whole
        self.pure = pure            # no reductions, elements, draws
        self.mirror = mirror        # a condition
        self.target = target        # says how long the axes are

    def shifted(self, axis):
        return Place(self.base, self.axes, {}, self.still | {axis.name}, self.pure,
                     self.mirror, self.target)

    def axis(self, name):
        return next((a for a in self.axes if a.name == name), None)

    def longer(self, a):
        """by how many points it is longer than a field's axis"""
        mine = self.axis(a.name)
        return mine.size - a.size if mine else 0

    def names(self):
        return {a.name for a in self.axes}
