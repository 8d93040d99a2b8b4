"""tests/fuzz/slices.py - random slices: copies, differences of them, grids of every other point"""
from declarations import Declarations
from parts import KIND, Axis, Field, Grid, Place


class Slices(Declarations):
    # ---- texts -------------------------------------------------------------------

    def cut(self, n, count, steps=(1, 1, 1, 2, 3, -1, -2)):
        """`count` of the points 0..n-1, as NumPy takes them"""
        if count == 0:
            k = self.r.randint(0, n)
            return f"{k}:{k}"
        step = self.pick([s for s in steps if (count - 1) * abs(s) < n])
        span = (count - 1) * abs(step)
        low = self.r.randint(0, n - 1 - span)
        if step > 0:
            first, last = low, low + span + self.r.randint(1, step)
            first = "" if first == 0 and self.chance(0.6) else self.from_end(first, n)
            last = "" if last >= n else self.from_end(last, n)
        else:
            first, last = low + span, low - self.r.randint(1, -step)
            first = "" if first == n - 1 and self.chance(0.6) else self.from_end(first, n)
            last = "" if last < 0 else self.from_end(last, n)
        return f"{first}:{last}" + (f":{step}" if step != 1 or self.chance(0.1) else "")

    def from_end(self, i, n):
        return str(i - n) if i < n and self.chance(0.4) else str(i)

    def entries(self, f, wanted):
        """brackets of f whose ranges have these lengths, by name or in order; None: cannot"""
        axes = f.grid.axes
        if any(a.name in wanted for a in axes):
            if not set(wanted) <= {a.name for a in axes}:
                return None
            counts = {a.name: wanted[a.name] for a in axes if a.name in wanted}
        else:
            if len(axes) < len(wanted):
                return None
            some = sorted(self.r.sample(range(len(axes)), len(wanted)))
            counts = {axes[k].name: c for k, c in zip(some, wanted.values())}
        if any(a.size < counts.get(a.name, 1) for a in axes):
            return None
        texts = [self.cut(a.size, counts[a.name]) if a.name in counts
                 else self.from_end(self.r.randint(0, a.size - 1), a.size) for a in axes]
        if self.chance(0.15):
            texts = [f"{a.name}={t}" for a, t in zip(axes, texts)]
            self.r.shuffle(texts)
        return f"[{', '.join(texts)}]"

    def slice_like(self, kind, wanted):
        """a slice of some field with these lengths"""
        known = [f for f in self.fields if KIND[f.elem] == kind]
        self.r.shuffle(known)
        for f in known:
            text = self.entries(f, wanted)
            if text:
                return f.name + text
        return None

    def lengths(self, f):
        """how many points of which axes of f, by name"""
        axes = [a for a in f.grid.axes if self.chance(0.8)] or f.grid.axes[:1]
        return {a.name: self.r.randint(0 if self.chance(0.05) else 1, a.size) for a in axes}

    # ---- statements ----------------------------------------------------------------

    def copy_slice(self):
        if not self.targets():
            return
        f = self.pick(self.targets())
        kind, wanted = KIND[f.elem], self.lengths(f)
        left = self.entries(f, wanted)
        right = self.slice_like(kind, wanted)
        if not left or not right:
            return
        if f.elem in ("u8", "i32") or kind != "r":
            op = "="
        else:
            op = self.pick(["=", "=", "=", "+=", "-=", "*="])
        if f.elem in ("u8", "i32"):
            right = f"{f.elem}({right})"
        elif kind != "b" and self.chance(0.5):
            other = self.slice_like(kind, wanted)
            if other:
                right = f"{right} {self.pick('+-*')} {other}"
            if self.chance(0.3):
                right += f" * {self.scalar_leaf('i', None).text}"
        self.line(f"{f.name}{left} {op} {right}")

    def let_slice(self):
        """a field of its own, on the grid of the first slice"""
        f = self.pick(self.fields)
        kind, wanted = KIND[f.elem], self.lengths(f)
        if 0 in wanted.values():
            return
        first = f.name + self.entries(f, wanted)
        second = self.slice_like(kind, wanted) if kind != "b" else None
        elem = {"r": "f64", "i": "i64", "b": "bool"}[kind]
        text = f"{elem}({first})" if kind != "b" else first
        if second:
            text += f" {self.pick('+-*')} {second}"
        name = self.name("v")
        self.line(f"let {name} = {text}")
        if kind != "b" and self.chance(0.4):
            self.line(f"print(sum({name}), max({name}))")
        axes = [self.sliced(a, wanted[a.name]) for a in f.grid.axes if a.name in wanted]
        g = Grid(name, axes, None)
        g.base = g
        self.fields.append(Field(name, elem, g, "let"))

    @staticmethod
    def sliced(a, count):
        s = Axis(a.name, count, False, a.local, "")
        s.sliced = True
        return s

    def sliced_grid(self):
        base = self.pick(self.bases)
        axes = [a for a in base.axes if not a.local]
        if len(axes) < len(base.axes) or any(a.periodic for a in axes):
            return
        counts = [self.r.randint(1, a.size) for a in axes]
        texts = [self.cut(a.size, c, (1, 1, 2, 2, 3)) for a, c in zip(axes, counts)]
        name = self.name("g")
        self.line(f"grid {name} = {base.name}[{', '.join(texts)}]")
        g = Grid(name, [self.sliced(a, c) for a, c in zip(axes, counts)], None)
        g.base = g
        self.grids.append(g)
