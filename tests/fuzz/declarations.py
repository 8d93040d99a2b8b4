"""tests/fuzz/declarations.py - random grids, fields, boundaries, functions, lists"""
from expressions import Expressions
from parts import INTS, KIND, NAMES, REALS, Axis, Expr, Field, Grid, Place


class Declarations(Expressions):
    # ---- grids -----------------------------------------------------------------

    def size(self, n_axes):
        if n_axes < 3 and self.chance(0.1):
            return self.r.randint(10, 70 if n_axes == 1 else 36)
        most = {1: 9, 2: 9, 3: 6, 4: 4}[n_axes]
        return self.pick([self.r.randint(1, most), self.r.randint(2, most), most])

    def axis(self, name, size, local=False, added=False):
        form = "" if added else self.pick(["", "", "over", "over", "nodes"])
        periodic = form != "nodes" and not added and self.chance(0.3)
        if form == "nodes":
            size = max(size, 2)
        text = str(size)
        if self.chance(0.3):
            text = self.name("n")
            self.line(f"param {text} = {size}")
        text = f"{name}: {text}" + (" local" if local else "")
        if form:
            text += f" {form} {self.pick(['0..1', '-1..2', '0..0.3', '1..5', '0.5..-0.5'])}"
        if periodic:
            text += " periodic"
        return Axis(name, size, periodic, local, text)

    def balanced(self, axis):
        """a clause that cuts an axis unevenly"""
        grid, name, cost = self.name("c"), self.name("i"), self.name("c")
        self.line(f"grid {grid}[{name}: {axis.size}]")
        self.line(f"field {cost} on {grid} = abs(sin({self.pick(REALS)} * {name}))")
        return f" cuts({axis.name}: balanced({cost}))"

    def base_grid(self):
        n = self.pick([1, 1, 2, 2, 2, 2, 3, 3, 4])
        suffix = self.tag + (f"_{len(self.bases)}" if self.bases else "")
        axes = [self.axis(NAMES[i] + suffix, self.size(n), n > 1 and self.chance(0.07))
                for i in range(n)]
        name = self.name("g")
        clause = ""
        cut = [a for a in axes if not a.local]
        if cut and self.chance(0.1):
            some = [a.name for a in cut if self.chance(0.5)]
            clause = f" split({', '.join(some)})" if some else " split none"
        elif cut and self.chance(0.15):
            clause = self.balanced(self.pick(cut))
        self.line(f"grid {name}[{', '.join(a.text for a in axes)}]{clause}")
        g = Grid(name, axes, None)
        g.base = g
        self.bases.append(g)
        self.grids.append(g)

    def extended_grid(self, base):
        g = self.pick([g for g in self.grids if g.base is base])
        by, axes = [], []
        for a in g.axes:
            k = self.pick([1, 1, -1])
            if not a.local and not a.ext and a.size + k > 0 and self.chance(0.7):
                by.append(f"{a.name}: {k}")
                a = a.extended(k)
            axes.append(a)
        if not by:
            return
        name = self.name("g")
        self.line(f"grid {name} = {g.name}.extend({', '.join(by)})")
        self.grids.append(Grid(name, axes, base))

    def derived_grid(self, base):
        chosen = [a for a in base.axes if self.chance(0.6)]
        texts = [a.name for a in chosen]
        if self.chance(0.15):
            self.r.shuffle(chosen)
            texts = [a.name for a in chosen]
        if len(base.axes) < 4 and self.chance(0.5):
            new = self.axis(self.name("q"), self.r.randint(1, 4), True, True)
            at = self.r.randint(0, len(chosen)) if self.chance(0.3) else len(chosen)
            chosen.insert(at, new)
            texts.insert(at, new.text)
        if not chosen or [a.name for a in chosen] == [a.name for a in base.axes]:
            return
        for g in self.grids:        # axes of grids are the same objects: q may be shared
            if g.base is base and self.chance(0.3) and len(chosen) < 4:
                extra = [a for a in g.axes if a.local and a not in chosen]
                for a in extra[:1]:
                    if a not in base.axes:
                        chosen.append(a)
                        texts.append(a.text)
        if len({a.name for a in chosen}) < len(chosen):
            return
        name = self.name("g")
        self.line(f"grid {name} = {base.name}[{', '.join(texts)}]")
        self.grids.append(Grid(name, chosen, base))

    # ---- declarations ------------------------------------------------------------

    def declare_function(self):
        name = self.name("f")
        form = self.r.randint(0, 4)
        if form == 0:
            self.line(f"fn {name}(a, b) = where(a > b, a - b, 2 * b)")
            self.functions.append(dict(name=name, kind="r", takes="rr", shifts=False))
        elif form == 1:
            self.line(f"fn {name}(q, a: axis, k: const = 1) = (q[a+k] - q) * {self.pick(REALS)}")
            self.functions.append(dict(name=name, kind="r", takes="r", shifts=True, stage=False))
        elif form == 2:
            self.line(f"fn {name}(q, a: axis, k: const) {{")
            self.line(f"    boundary q = {self.pick(['edge', '1', 'symmetric', 'computed', '2 - edge'])}")
            self.line("    let r = q[a+k] - q[a-k]")
            self.line("    return r * q")
            self.line("}")
            self.functions.append(dict(name=name, kind="r", takes="r", shifts=True, stage=True))
        elif form == 3:
            self.line(f"fn {name}(a) {{")
            self.line("    let b = a * a")
            self.line("    return b % 11 + a")
            self.line("}")
            self.functions.append(dict(name=name, kind="i", takes="i", shifts=False,
                                       lets=True))
        else:
            self.line(f"fn {name}(q, a: axis, k: const) = q[a-k] + q[a+k] // 2")
            self.functions.append(dict(name=name, kind="i", takes="i", shifts=True, stage=False))

    def declare_list(self):
        n = self.r.randint(1, 4)
        kind = self.pick("ir")
        items = [self.pick(INTS if kind == "i" else ["0.5", "0.25", "-2.0", "1.5", "1/8"])
                 for _ in range(n)]
        name = self.name("l")
        self.line(f"let {name} = [{', '.join(items)}]")
        self.lists.append((name, n, kind))

    def condition(self, f, axis):
        kind = KIND[f.elem]
        if self.chance(0.5):
            words = ["edge", "symmetric", "reflect"]
            if kind == "b":
                return self.pick(words + ["true", "false"])
            words += ["antisymmetric", "0", "1"]
            if kind == "r" and not axis.sliced:
                words += ["2*1.5 - symmetric", f"edge - 0.5*{axis.name}.step",
                          "0.5*edge + 0.25", f"{axis.name}.at", "0.75"]
            return self.pick(words)
        others = [a for a in f.grid.axes if a is not axis]
        place = Place(f.grid.base, others, pure=True, mirror=kind, target=True)
        walls = [w for w in self.fields
                 if w.grid.base is f.grid.base and w.grid.axes and KIND[w.elem] == kind
                 and {a.name for a in w.grid.axes} <= {a.name for a in others}]
        walls = [w for w in walls if self.may_read(w, place)]
        if walls and self.chance(0.4):
            return self.read(self.pick(walls), place).text
        self.budget = 8
        e = self.expr(kind, 2, place)
        return self.guard(e, f).text

    def boundaries(self, f):
        walls = [(a, s) for a in f.grid.axes if not a.periodic for s in (0, 1)]
        given = {(a.name, s) for a, s in walls}
        if not walls or self.chance(0.15):
            return
        if self.chance(0.3):
            words = ["edge", "symmetric", "reflect"]
            if KIND[f.elem] != "b":
                words += ["antisymmetric", "0", "3"]
            self.line(f"boundary {f.name} = {self.pick(words)}")
            f.ghost |= given
            return
        parts = []
        for a in f.grid.axes:
            if a.periodic or self.chance(0.15):
                continue
            if self.chance(0.35):
                parts.append(f"{a.name} = {self.condition(f, a)}")
                f.ghost |= {(a.name, 0), (a.name, 1)}
                continue
            for side in (0, 1):
                if self.chance(0.85):
                    parts.append(f"{a.name}.{'lo hi'.split()[side]} = {self.condition(f, a)}")
                    f.ghost.add((a.name, side))
        if parts:
            self.line(f"boundary {f.name} {{ {'; '.join(parts)} }}")

    def declare_field(self):
        g = self.pick(self.grids)
        elem = self.pick(["f64", "f64", "f64", "f32", "f32", "i64", "i32", "u8", "bool"])
        f = Field(self.name("h"), elem, g, "field")
        text = f"field {f.name}{'' if elem == 'f64' else ': ' + elem} on {g.name}"
        if self.chance(0.85):
            self.budget = 12
            e = self.value(f, Place(g.base, g.axes, target=True))
            if self.chance(0.1) and elem in ("f32", "f64"):
                e = Expr(f"{self.pick(['random', 'normal'])}({g.name}"
                         f"{self.pick(['', ', f32', ', key = 7'])})")
            text += f" = {e.text}"
        self.line(text)
        self.boundaries(f)
        self.fields.append(f)

    def guard(self, e, f):
        """a value of the type of f"""
        if f.elem in ("u8", "i32") and not e.fields:
            return e.made(f"{f.elem}({e.text})")
        return e

    def value(self, f, p):
        kind = KIND[f.elem]
        if kind == "r" and self.chance(0.1):
            kind = "i"
        e = self.expr(kind, self.pick([1, 2, 2, 3, 3, 4]), p)
        if kind == "r" and self.chance(0.5):
            e = e.made(self.pick(["clip({}, -9, 9)", "tanh({})", "(0.5 * ({}))"]).format(e.text))
        if kind == "i" and self.chance(0.5):
            e = e.made(f"(({e.text}) % 17)")
        return self.guard(e, f)
