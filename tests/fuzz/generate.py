"""tests/fuzz/generate.py - random programs that are valid

A Program is a list of lines. Names are numbered, so that several programs may stand
in one file. What is known of each name (grid, type, which walls have a condition)
decides what an expression may read: nothing here is refused by mpac, but for the rare
line that runs into something not implemented.
"""
import random

from parts import KIND, Field, Grid, Place, Scalar
from slices import Slices


class Program(Slices):
    def __init__(self, seed, number=0):
        self.r = random.Random(seed)
        self.number = number * 1000
        self.tag = f"_{number}" if number else ""
        self.lines = []
        self.depth = 0
        self.bases, self.grids, self.fields, self.scalars = [], [], [], []
        self.functions, self.lists, self.loose = [], [], []
        self.loops, self.masked, self.budget = [], False, 0
        self.build()

    # ---- statements ----------------------------------------------------------------

    def bound(self, value, size):
        """an index, written from the start or the end, or as the run's scalar"""
        text = str(value)
        if 0 < size - value and self.chance(0.4):
            text = str(value - size)
        known = [s for s in self.scalars if s.least == s.most == value and s.least is not None]
        if known and self.chance(0.3):
            text = self.pick(known).name
        return text

    def region(self, g):
        """entries of a target's brackets, and the room to the walls"""
        entries, room, written = [], {}, False
        for a in g.axes:
            how = self.r.randint(0, 5)
            n = a.size
            if how == 0 or (how == 1 and n < 3):
                at = self.r.randint(0, n - 1)
                entries.append(str(at) if self.chance(0.6) else str(at - n))
                room[a.name] = (at, n - 1 - at) if entries[-1][0] != "-" else (0, n - 1 - at)
                written = True
            elif how == 1:
                k = self.r.randint(1, (n - 1) // 2)
                entries.append(f"{k}:-{k}")
                room[a.name] = (k, k)
                written = True
            elif how == 2:
                lo, hi = sorted([self.r.randint(0, n), self.r.randint(0, n)])
                step = self.pick(["", ":2", ":3", ":1"])
                entries.append(f"{self.bound(lo, n) if self.chance(0.8) else ''}:"
                               f"{self.bound(hi, n) if self.chance(0.8) else ''}{step}")
                written = True
            else:
                entries.append(":")
        while entries and entries[-1] == ":" and self.chance(0.5) and len(entries) > 1:
            entries.pop()
        if self.chance(0.2):
            entries = [f"{a.name}={t}" for a, t in zip(g.axes, entries) if t != ":"]
            self.r.shuffle(entries)
        if not entries or not written:
            return "", {}
        return f"[{', '.join(entries)}]", room

    def targets(self):
        return [f for f in self.fields if f.kind == "field"]

    def assign(self):
        if not self.targets():
            return
        f = self.pick(self.targets())
        self.budget = 25
        region, room = self.region(f.grid) if self.chance(0.3) else ("", {})
        if self.masked:
            room = {}
        kind = KIND[f.elem]
        place = Place(f.grid.base, f.grid.axes, room, target=True)
        op = "="
        if kind == "r" and self.chance(0.25):
            op = self.pick(["+=", "-=", "*=", "/="])
        if kind == "i" and self.chance(0.25):
            op = self.pick(["+=", "-=", "*="])
        e = self.value(f, place)
        self.line(f"{f.name}{region} {op} {e.text}")

    def assign_all(self):
        f = self.pick(self.targets())
        apart = self.chance(0.3)
        group = [g for g in self.targets()
                 if g.grid is f.grid or (apart and g.grid.base is f.grid.base)]
        self.r.shuffle(group)
        group = group[:self.r.randint(2, 3)]
        if len(group) < 2:
            return self.assign()
        left, right = [], []
        apart = any(g.grid is not f.grid for g in group)
        region, room = self.region(f.grid) if self.chance(0.25) and not apart else ("", {})
        if self.masked:
            room = {}
        for i, g in enumerate(group):
            self.budget = 10
            left.append(g.name + region)
            swap = [h for h in group if h is not g and KIND[h.elem] == KIND[g.elem]
                    and h.grid is g.grid]
            if swap and self.chance(0.6):
                right.append(self.pick(swap).name)
            else:
                right.append(self.value(g, Place(g.grid.base, g.grid.axes, room,
                                                 target=True)).text)
        self.line(f"({', '.join(left)}) = ({', '.join(right)})")

    def components(self):
        known = [f for f in self.targets() if any(a.local for a in f.grid.axes)
                 and len(f.grid.axes) > 1]
        if not known:
            return self.assign()
        f = self.pick(known)
        a = self.pick([a for a in f.grid.axes if a.local])
        rest = [b for b in f.grid.axes if b is not a]
        i, j = self.r.randint(0, a.size - 1), self.r.randint(0, a.size - 1)
        if i != j and self.chance(0.4):
            self.line(f"({f.name}[{a.name}={i}], {f.name}[{a.name}={j}]) = "
                      f"({f.name}[{a.name}={j}], {f.name}[{a.name}={i}])")
            return
        self.budget = 12
        e = self.value(f, Place(f.grid.base, rest, target=True))
        if a.size <= 4 and self.chance(0.4):
            k = self.name("k")
            self.line(f"for {k} in 0..{a.size} {{ {f.name}[{a.name}={k}] = {e.text} }}")
            return
        self.line(f"{f.name}[{a.name}={i}] {self.pick(['=', '='])} {e.text}")

    def let_field(self):
        g = self.pick(self.grids)
        elem = self.pick(["f64", "f64", "f64", "i64", "bool"])
        kind = KIND[elem]
        self.budget = 16
        on = self.chance(0.3)
        p = Place(g.base, g.axes, target=on)
        e = self.expr(kind, self.pick([1, 2, 3]), p)
        if not e.fields:
            return
        axes = list(g.axes)
        if not on:                  # names of axes alone are those of the declared grid
            read = {a.name for h in e.fields for a in h.grid.axes}
            axes = [a if a.name in read or not a.ext else a.extended(-a.ext)
                    for a in g.axes if a.name in e.axes]
        inner = next((h for h in self.grids if h.base is g.base and
                      {a.name for a in h.axes} == {a.name for a in axes}), None)
        if inner is None:           # its order of axes is the family's, which is not kept here
            return
        f = Field(self.name("v"), elem, Grid(inner.name, axes, g.base), "let")
        self.line(f"let {f.name}{f' on {g.name}' if on else ''} = {e.text}")
        for a in axes:
            for side in (0, 1):
                parts = [h for h in e.fields if h.axis(a.name)]
                wall = (a.name, side)
                if all(wall in h.ghost or wall in h.computable for h in parts):
                    f.computable.add(wall)
                    if a.name not in e.stencil and all(wall in h.ghost for h in parts):
                        f.ghost.add(wall)
        if self.chance(0.5):
            walls = [(a.name, s) for a in axes if not a.periodic for s in (0, 1)]
            if walls and set(walls) <= f.computable and self.chance(0.4):
                self.line(f"boundary {f.name} = computed")
                f.ghost |= set(walls)
            else:
                self.boundaries(f)
        self.fields.append(f)

    def let_loose(self):
        base = self.pick(self.bases)
        axes = [a.name for a in base.axes if self.chance(0.6)]
        if not axes:
            return
        terms = [self.pick(["{}.at", "0.5 * {}", "{}.at^2", "sin({}.at)"]).format(a)
                 for a in axes]
        name = self.name("o")
        self.line(f"let {name} = {' + '.join(terms)} + {self.scalar('r', 0).text}")
        self.loose.append((name, set(axes)))

    def let_scalar(self):
        kind = self.pick("iirrb")
        self.budget = 10
        name = self.name("s")
        self.line(f"let {name} = {self.scalar(kind, self.pick([0, 1, 2]), None).text}")
        self.scalars.append(Scalar(name, kind, False))

    def declare_var(self):
        kind = self.pick("irr")
        name = self.name("t")
        text = self.scalar_leaf(kind, None).text
        type_of = self.pick({"i": [": i64", ""], "r": [": f64", ": f64"]}[kind])
        self.line(f"var {name}{type_of} = {text}")
        self.scalars.append(Scalar(name, kind, True))

    def set_var(self):
        known = [s for s in self.scalars if s.mutable]
        if not known:
            return self.declare_var()
        s = self.pick(known)
        self.budget = 8
        e = self.scalar(s.kind, self.pick([1, 2]), None).text
        if s.kind == "r":
            self.line(f"{s.name} {self.pick(['=', '+=', '='])} clip({e}, -9, 9)")
        else:
            self.line(f"{s.name} = ({e}) % 13")

    def show(self):
        self.budget = 10
        kind = self.pick("iirrb")
        e = self.scalar(kind, 2, None).text
        spec = {"r": ["", ":.3e", ":.6f", ":g", ":12.4g", ":+.2f", ":,.1f"],
                "i": ["", ":d", ":5d", ":x", ":+d", ":,"], "b": [""]}[kind]
        spec = self.pick(spec)
        text = f'"{{{e}{spec}}}"' if '"' not in e else e
        if self.fields and self.chance(0.3):
            f = self.pick(self.fields)
            text += f", {f.name}"
        elif self.chance(0.3):
            text += f", {self.scalar('r', 1, None).text}"
        self.line(f"print({text})")

    def where(self, depth):
        f = self.pick(self.fields)
        self.budget = 10
        base = f.grid.base
        groups = [t for t in self.targets() if t.grid.base is base]
        if not groups:
            return
        t = self.pick(groups)
        mask = self.expr("b", 2, Place(base, t.grid.axes))
        outer, outer_fields = self.masked, self.fields
        self.masked = True
        inside = [h for h in self.fields if h.grid.base is base]
        # a mask fits fields with at least its axes
        self.fields = [h for h in inside if h.kind == "let" or
                       (mask.axes <= {a.name for a in h.grid.axes} and
                        all(h.axis(n).ext == t.axis(n).ext for n in mask.axes))]
        self.mask_axes = mask.axes
        if not self.targets():
            self.masked, self.fields = outer, outer_fields
            return
        keep = list(self.fields)
        self.line(f"where {mask.text} {{")
        self.where_body(depth)
        while self.chance(0.25):
            self.fields = list(keep)
            again = self.expr("b", 1, Place(base, t.grid.axes))
            if again.axes <= mask.axes:
                self.line(f"}} else where {again.text} {{")
                self.where_body(depth)
        if self.chance(0.5):
            self.fields = list(keep)
            self.line("} else {")
            self.where_body(depth)
        self.line("}")
        self.masked, self.fields = outer, outer_fields

    def where_body(self, depth):
        self.depth += 1
        for _ in range(self.r.randint(1, 3)):
            self.weighted([(6, self.assign), (2, self.assign_all), (1, self.let_field),
                           (1 if depth > 0 else 0, lambda: self.where(depth - 1))])()
        self.depth -= 1

    def block(self, depth, count, bases=None):
        keep = [list(l) for l in (self.fields, self.scalars, self.lists, self.loose,
                                  self.grids)]
        self.depth += 1
        for _ in range(count):
            self.statement(depth)
        self.depth -= 1
        (self.fields, self.scalars, self.lists, self.loose, self.grids) = keep

    def loop(self, depth):
        n = self.r.randint(1, 3)
        t = self.name("t")
        how = self.r.randint(0, 4)
        outer = list(self.scalars)
        if how < 3:
            lo = self.pick([0, 0, 1, -1])
            by = self.pick(["", "", " by 2"])
            last = str(lo + n * (2 if by else 1))
            if self.chance(0.3):
                last = self.name("n")
                self.line(f"let {last} = {lo + n * (2 if by else 1)} + {self.scalar_leaf('i', None).text} * 0")
            self.line(f"for {t} in {lo}..{last}{by} {{")
            self.scalars.append(Scalar(t, "i", False, lo, lo + 2 * n))
        elif how == 3:
            self.line(f"for {t} in {n}..0 by -1 {{")
            self.scalars.append(Scalar(t, "i", False, 1, n))
        else:
            self.line(f"var {t} = 0")
            self.line(f"while {t} < {n} {{")
            self.line(f"    {t} += 1")
            self.scalars.append(Scalar(t, "i", False, 0, n))
        self.loops.append(t)
        self.block(depth, self.r.randint(1, 4))
        if self.chance(0.2):
            self.line(f"    if {self.scalar('b', 2).text} {{ {self.pick(['break', 'continue'])} }}")
            self.block(depth, 1)
        self.loops.pop()
        self.line("}")
        self.scalars = outer

    def leapfrog(self, depth):
        """the usual time loop: a stencil, a swap, a let"""
        t = self.name("t")
        self.line(f"for {t} in 0..{self.r.randint(2, 4)} {{")
        keep = [list(self.fields), list(self.scalars)]
        self.scalars.append(Scalar(t, "i", False, 0, 4))
        self.depth += 1
        self.loops.append(t)
        for _ in range(self.r.randint(1, 3)):
            self.weighted([(3, self.assign_all), (3, self.assign), (2, self.let_field),
                           (1, self.set_var), (1, self.components)])()
        self.loops.pop()
        self.depth -= 1
        self.fields, self.scalars = keep
        self.line("}")

    def branch(self, depth):
        self.budget = 8
        self.line(f"if {self.scalar('b', 2).text} {{")
        self.block(depth, self.r.randint(1, 3))
        if self.chance(0.4):
            self.line("} else {")
            self.block(depth, self.r.randint(1, 2))
        self.line("}")

    def every(self, depth):
        if not self.loops:
            return self.show()
        self.line(f"every {self.r.randint(1, 3)} {{")
        self.block(depth, 1)
        self.line("}")

    def draw(self):
        known = [f for f in self.targets() if f.elem in ("f32", "f64")]
        if known:
            f = self.pick(known)
            self.line(f"{f.name} {self.pick(['=', '+='])} {self.pick(['random', 'normal'])}"
                      f"({f.grid.name}{self.pick(['', ', f32', ', key = 3'])})")

    def statement(self, depth):
        nested = 1 if depth > 0 else 0
        if not self.fields:
            return self.declare_field()
        self.weighted([
            (8, self.assign), (3, self.assign_all if self.targets() else self.assign),
            (2, self.components), (3, self.let_field), (1, self.let_scalar),
            (1, self.set_var), (1.5, self.show), (0.5, self.draw), (0.4, self.let_loose),
            (0.7, self.declare_field), (2, self.copy_slice), (1, self.let_slice), (3 * nested, lambda: self.where(depth - 1)),
            (1.5 * nested, lambda: self.loop(depth - 1)),
            (1.5 * nested, lambda: self.leapfrog(depth - 1)),
            (1 * nested, lambda: self.branch(depth - 1)),
            (0.5 * nested, lambda: self.every(depth - 1))])()

    def build(self):
        for _ in range(self.pick([1, 1, 1, 2])):
            self.base_grid()
        for _ in range(self.r.randint(0, 3)):
            self.pick([self.derived_grid, self.derived_grid, self.extended_grid])(
                self.pick(self.bases))
        if self.chance(0.3):
            self.sliced_grid()
        for _ in range(self.r.randint(0, 2)):
            self.declare_list()
        for _ in range(self.r.randint(0, 3)):
            self.pick([self.let_scalar, self.declare_var])()
        for _ in range(self.r.randint(0, 2)):
            self.declare_function()
        for _ in range(self.r.randint(1, 5)):
            self.declare_field()
        for _ in range(self.r.randint(1, 10)):
            self.statement(2)
        for f in self.fields:
            if self.chance(0.8):
                self.line(f'save("{f.name}.npy", {f.name})')
        self.show()

    def text(self):
        return "\n".join(self.lines) + "\n"
