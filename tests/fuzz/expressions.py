"""tests/fuzz/expressions.py - random expressions

Of the kind asked for (b, i, r: bool, integer, real), in a Place, which says what may be
read there. self.budget bounds what a statement grows to.
"""
from parts import INTS, KIND, REALS, Expr, Field, Grid, Place


class Expressions:
    # ---- small helpers ---------------------------------------------------------

    def name(self, stem):
        self.number += 1
        return f"{stem}{self.number}"

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    def chance(self, p):
        return self.r.random() < p

    def pick(self, choices):
        return self.r.choice(choices)

    def weighted(self, table):
        return self.r.choices([t[1] for t in table], [t[0] for t in table])[0]

    # ---- scalars ---------------------------------------------------------------

    def scalar_leaf(self, kind, p):
        known = [s for s in self.scalars if s.kind == kind]
        if known and self.chance(0.5):
            return Expr(self.pick(known).name)
        if kind == "b":
            return Expr(self.pick(["true", "false"]))
        if kind == "i":
            if self.grids and self.chance(0.15):
                g = self.pick(self.grids)
                return Expr(f"{g.name}.{self.pick(g.axes).name}.size")
            if self.lists and self.chance(0.2):
                l, n, k = self.pick(self.lists)
                if k == "i":
                    return Expr(f"{l}[{self.r.randint(-n, n - 1)}]")
            return Expr(self.pick(INTS))
        if self.grids and self.chance(0.1):
            g = self.pick(self.grids)
            return Expr(f"{g.name}.{self.pick(g.axes).name}.step")
        if self.lists and self.chance(0.2):
            l, n, _ = self.pick(self.lists)
            return Expr(f"{l}[{self.r.randint(-n, n - 1)}]")
        return Expr(self.pick(REALS + (["pi", "e"] if self.chance(0.2) else [])))

    def scalar(self, kind, depth, p=None):
        """a scalar expression; with p.pure nothing that reads points"""
        p = p or Place()
        if depth <= 0:
            return self.scalar_leaf(kind, p)
        if not p.pure and self.fields and self.chance(0.3):
            return self.of_field(kind, depth)
        if kind in "ir" and not p.pure and self.chance(0.03):
            return Expr("random()" if kind == "r" else "i64(random() * 10)")
        return self.operation(kind, depth, Place(pure=p.pure))

    def of_field(self, kind, depth):
        f = self.pick(self.fields)
        if self.chance(0.4) and KIND[f.elem] == kind:
            return Expr(self.element(f))
        return self.reduction(kind, depth, f)

    def element(self, f):
        at = []
        for a in f.grid.axes:
            loops = [s for s in self.scalars if s.least is not None and s.least >= -a.size
                     and s.most < a.size]
            if loops and self.chance(0.5):
                at.append(self.pick(loops).name)
            elif self.chance(0.2):
                at.append(f"({self.scalar_leaf('i', None).text} % {a.size})")
            else:
                at.append(str(self.r.randint(-a.size, a.size - 1)))
        if self.chance(0.3):
            both = [f"{a.name}={i}" for a, i in zip(f.grid.axes, at)]
            self.r.shuffle(both)
            at = both
        return f"{f.name}[{', '.join(at)}]"

    def reduction(self, kind, depth, f):
        p = Place(f.grid.base, f.grid.axes, pure=self.chance(0.8))
        def of(k):
            e = self.expr(k, min(depth - 1, 2), p)
            if not e.fields:
                read = self.read(f, Place(f.grid.base, f.grid.axes, still=frozenset()))
                as_k = {"b": "({} != 0)", "i": "i64({})", "r": "f64({})"}[k].format(read.text)
                e = Expr(f"({e.text}) {'==' if k == 'b' else '+'} {as_k}")
            return e.text
        if kind == "b":
            return Expr(self.pick([lambda: f"any({of('b')})", lambda: f"all({of('b')})",
                                   lambda: f"array_equal({of('i')}, {of('i')})",
                                   lambda: f"allclose({of('r')}, {of('r')}, 0.1, 0.5)"])())
        if kind == "i":
            return Expr(self.pick([lambda: f"sum({of('i')})", lambda: f"min({of('i')} // 2)",
                                   lambda: f"max({of('i')} - 0)", lambda: f"count({of('b')})",
                                   lambda: f"argmin({of('r')})", lambda: f"argmax({of('i')})",
                                   lambda: f"prod(({of('i')}) % 5 + 1)",
                                   lambda: f"dot({of('i')}, {of('i')})"])())
        return Expr(self.pick([lambda: f"sum({of('r')})", lambda: f"sum({of('r')} * 0.5)",
                               lambda: f"mean({of('r')})", lambda: f"min({of('r')} + 0.0)",
                               lambda: f"max({of('r')} * 1.0)", lambda: f"norm({of('r')})",
                               lambda: f"var({of('r')})", lambda: f"std({of('r')})",
                               lambda: f"dot({of('r')}, {of('r')})",
                               lambda: f"norm({of('r')}, {self.pick(['1', 'inf'])})",
                               lambda: f"prod(1 + 0.1 * sin({of('r')}))"])())

    # ---- expressions over points -------------------------------------------------

    def may_read(self, f, p):
        if f.grid.base is not p.base:
            return False
        names = p.names()
        if not any(a.name in names for a in f.grid.axes):
            return False
        if p.mirror and any(not a.periodic and not {(a.name, 0), (a.name, 1)} <= f.ghost
                            for a in f.grid.axes):
            return False            # it is read beyond corners
        for a in f.grid.axes:
            if a.name in names and not p.target and p.axis(a.name).ext != a.ext:
                return False
            if p.longer(a) > p.room.get(a.name, (0, 0))[1] and (a.name, 1) not in f.ghost:
                return False
            if a.name not in names and (not a.local or p.mirror):
                return False
            if a.name in p.still and not a.periodic and a.name in names and \
               not {(a.name, 0), (a.name, 1)} <= f.ghost:
                return False
        return True

    def read(self, f, p):
        """the field, shifted as far as it may be"""
        names, entries, stencil = p.names(), [], set()
        eager = self.pick([0.0, 0.3, 0.3, 0.8])
        for a in f.grid.axes:
            if a.name not in names:
                entries.append(f"{a.name}={self.component(a)}")
            elif a.name not in p.still and self.chance(eager):
                k = self.pick([1, -1, 1, -1, 2, -2, self.r.randint(-4, 4)])
                room = p.room.get(a.name, (0, 0))
                if not k:
                    continue
                if a.periodic or (a.name, int(k > 0)) in f.ghost or \
                   (k + p.longer(a) <= room[1] if k > 0 else -k <= room[0]):
                    entries.append(f"{a.name}{k:+d}")
                    stencil.add(a.name)
        text = f"{f.name}[{', '.join(entries)}]" if entries else f.name
        return Expr(text, [f], stencil, [a.name for a in f.grid.axes if a.name in names])

    def component(self, a):
        loops = [s for s in self.scalars if s.least is not None and s.least >= 0
                 and s.most < a.size]
        if loops and self.chance(0.4):
            return self.pick(loops).name
        return str(self.r.randint(0, a.size - 1))

    def leaf(self, kind, p):
        if p.mirror and self.chance(0.5):
            words = ["edge", "symmetric", "reflect", "antisymmetric"]
            if p.mirror == kind:
                return Expr(self.pick(words[:3] if kind == "b" else words))
        known = [f for f in self.fields if KIND[f.elem] == kind and self.may_read(f, p)]
        if known and self.chance(0.75):
            return self.read(self.pick(known), p)
        if p.axes and kind != "b" and self.chance(0.5):
            a = self.pick(p.axes)
            if kind == "i":
                return Expr(a.name, axes=[a.name])
            if a.sliced:
                return Expr(f"(0.5 * {a.name})", axes=[a.name])
            loose = [l for l in self.loose if l[1] <= p.names()]
            if loose and self.chance(0.4):
                l = self.pick(loose)
                return Expr(l[0], axes=l[1])
            if self.chance(0.2):
                return Expr(f"{a.name}.{self.pick(['step', 'size'])}")
            return Expr(f"{a.name}.at", axes=[a.name])
        return self.scalar_leaf(kind, p)

    def expr(self, kind, depth, p):
        self.budget -= 1
        if depth <= 0 or self.budget < 0:
            return self.leaf(kind, p)
        if not p.axes:
            return self.scalar(kind, depth, p)
        special = [(8, self.operation), (3, lambda k, d, q: self.leaf(k, q)),
                   (1.2, self.shift), (0.6, self.comprehension), (0.7, self.along),
                   (0.7, self.call), (0.5, self.lookup), (0.5, self.stencil),
                   (0.5, self.across), (0.3, self.running)]
        if not p.pure and not p.mirror:
            special.append((0.4, lambda k, d, q: self.scalar(k, d - 1)))
        return self.weighted(special)(kind, depth, p)

    def operation(self, kind, depth, p):
        def e(k=kind, less=1):
            return self.expr(k, depth - less, p)
        if kind == "b":
            how = self.r.randint(0, 5)
            k = self.pick("ir")
            if how < 3:
                a, b = e(k), e(k)
                return a.made(f"({a.text} {self.pick(['<', '<=', '>', '>=', '==', '!='])} {b.text})", b)
            if how == 3:
                a = e()
                return a.made(f"(not {a.text})")
            if how == 4:
                a = e("r")
                return a.made(f"{self.pick(['isnan', 'isfinite', 'isinf'])}({a.text})")
            a, b = e(), e()
            return a.made(f"({a.text} {self.pick(['and', 'or', '==', '!='])} {b.text})", b)
        how = self.r.randint(0, 11)
        if how < 6:
            ops = ["+", "-", "*", "+", "-", "*"] + (["/"] if kind == "r" else ["//", "%"])
            a, b = e(), e(self.pick([kind, kind, "i"]))
            return a.made(f"({a.text} {self.pick(ops)} {b.text})", b)
        if how == 6:
            a, b = e(), e()
            return a.made(f"{self.pick(['min', 'max'])}({a.text} + 0, {b.text} - 0)", b)
        if how == 7:
            c, a, b = e("b"), e(), e()
            return a.made(f"where({c.text}, {a.text}, {b.text})", b, c)
        if how == 8:
            a = e("b" if kind == "i" and self.chance(0.3) else kind)
            forms = ["(-({}))", "abs({})", "sign({})", "({})^2", "({})^3", "clip({}, -3, 5)"]
            return a.made(self.pick(forms).format(a.text))
        if how == 9:
            if kind == "i":
                a = e(self.pick("rib"))
                return a.made(f"{self.pick(['i64', 'i32', 'u8', 'i64'])}({a.text})")
            a = e(self.pick("rib"))
            return a.made(f"{self.pick(['f32', 'f64'])}({a.text})")
        if kind == "i":
            a, b = e(), e()
            return a.made(f"(({a.text}) % 7 - ({b.text}))", b)
        if how == 10:
            a = e()
            forms = ["sin({})", "cos({})", "exp(-abs({}))", "sqrt(abs({}))", "tanh({})",
                     "floor({})", "round({})", "atan({})", "log1p(abs({}))", "trunc({})",
                     "ceil({})", "cbrt({})", "erf({})", "expm1(min(({}) + 0, 1))", "sqrt({})"]
            return a.made(self.pick(forms).format(a.text))
        a, b = e(), e()
        forms = ["atan2({}, {})", "hypot({}, {})", "fma({}, {}, 0.5)", "(({}) % ({}))",
                 "(({}) // ({}))", "((abs({}) + 0.5) ^ ({}))"]
        return a.made(self.pick(forms).format(a.text, b.text), b)

    def shift(self, kind, depth, p):
        """an expression, shifted"""
        a = self.pick(p.axes)
        if a.name in p.still:
            return self.leaf(kind, p)
        e = self.expr(kind, depth - 1, p.shifted(a))
        if a.name not in e.axes or p.mirror:
            return e
        k = self.pick([1, -1, 2, -2, 3, -4])
        back = f"[{a.name}{-k:+d}]" if a.periodic and self.chance(0.3) else ""
        text = f"({e.text})[{a.name}{k:+d}]{back}"
        return Expr(text, e.fields, e.stencil if back else e.stencil | {a.name}, e.axes)

    def comprehension(self, kind, depth, p):
        known = [f for f in self.fields if KIND[f.elem] == kind and self.may_read(f, p)]
        if not known or kind == "b":
            return self.leaf(kind, p)
        f = self.pick(known)
        axes = [a for a in f.grid.axes if a.name in p.names() and a.name not in p.still
                and (a.periodic or {(a.name, 0), (a.name, 1)} <= f.ghost)]
        extra = [f"{a.name}={self.component(a)}" for a in f.grid.axes
                 if a.name not in p.names()]
        if not axes:
            return self.leaf(kind, p)
        a, k = self.pick(axes), self.name("k")
        lo = self.r.randint(-2, 1)
        at = ", ".join([f"{a.name}{self.pick('+-')}{k}"] + extra)
        text = f"sum({k} in {lo}..{lo + self.r.randint(1, 4)}: {k} * {f.name}[{at}])"
        return Expr(text, [f], [a.name], [b.name for b in f.grid.axes
                                          if b.name in p.names()])

    def along(self, kind, depth, p):
        """reduced along a local axis"""
        all_axes = {a.name: a for g in self.grids if g.base is p.base for a in g.axes
                    if a.local and a.name not in p.names()}
        if not all_axes or p.mirror or p.pure:
            return self.leaf(kind, p)
        a = all_axes[self.pick(list(all_axes))]
        inner = Place(p.base, p.axes + [a], p.room, p.still, p.pure, target=p.target)
        e = self.expr(kind, depth - 1, inner)
        if not e.fields or a.name not in e.axes or a.name in e.stencil or len(e.axes) < 1:
            return self.leaf(kind, p)
        if not a.constant:          # a field without boundary
            if p.still or len(e.axes) < 2:
                return self.leaf(kind, p)
            rest = [b for b in p.axes if b.name in e.axes]
            e = Expr(e.text, [Field("", "f64", Grid("", rest, p.base), "let")], (), e.axes)
        word = self.pick({"b": ["any", "all"], "i": ["sum", "min", "max", "prod"],
                          "r": ["sum", "min", "max", "mean"]}[kind])
        return Expr(f"{word}({e.text}, {a.name})", e.fields, e.stencil, e.axes - {a.name})

    def across(self, kind, depth, p):
        """reduced along an axis that may be cut: a field without boundary"""
        gone = [a for a in p.base.axes if not a.local and a.name not in p.names()] \
            if p.base else []
        if not gone or p.mirror or p.pure or p.still:
            return self.leaf(kind, p)
        a = self.pick(gone)
        e = self.expr(kind, min(depth - 1, 2), Place(p.base, p.axes + [a]))
        if not e.fields or a.name not in e.axes or len(e.axes) < 2:
            return self.leaf(kind, p)
        word = self.pick({"b": ["any", "all"], "r": ["sum", "min", "max", "mean", "prod"],
                          "i": ["sum", "min", "max", "argmin", "argmax"]}[kind])
        return self.unwalled(f"{word}({e.text}, {a.name})", e.axes - {a.name}, p)

    def running(self, kind, depth, p):
        """a running sum along an axis"""
        axes = [a for a in p.axes if not a.local]
        if not axes or p.mirror or p.pure or p.still or kind == "b":
            return self.leaf(kind, p)
        a = self.pick(axes)
        e = self.expr(kind, min(depth - 1, 2), Place(p.base, p.axes))
        if not e.fields or a.name not in e.axes:
            return self.leaf(kind, p)
        text = f"cumsum({e.text}, {a.name})"
        if kind == "r" and self.chance(0.3):
            text = f"cumprod(1 + 0.1 * sin({e.text}), {a.name})"
        return self.unwalled(text, e.axes, p)

    @staticmethod
    def unwalled(text, axes, p):
        rest = [b for b in p.axes if b.name in axes]
        return Expr(text, [Field("", "f64", Grid("", rest, p.base), "let")], (), axes)

    def lookup(self, kind, depth, p):
        lists = [l for l in self.lists if l[2] == kind]
        if not lists or p.mirror:
            return self.leaf(kind, p)
        i = self.expr("i", depth - 1, p)
        if not i.axes:
            return self.leaf(kind, p)
        return i.made(f"{self.pick(lists)[0]}[{i.text}]")

    def stencil(self, kind, depth, p):
        if kind != "r" or p.mirror or any(a.sliced for a in p.axes):
            return self.leaf(kind, p)
        e = self.expr("r", min(depth - 1, 1), Place(p.base, p.axes, {}, p.still |
                                               {a.name for a in p.axes}, p.pure,
                                               target=p.target))
        cut = [a for a in p.axes if not a.local and a.name in e.axes
               and a.name not in p.still]
        if not cut or not e.fields or p.still or not self.native(e, p):
            return e
        a = self.pick(cut).name
        order = self.pick(["", "", ", order=4", ", 6", ", order=8"])
        text = self.pick([f"d({e.text}, {a}{order})", f"d2({e.text}, {a}{order})",
                          f"(0.01 * laplacian({e.text}{order}))"])
        return Expr(text, e.fields, e.stencil | e.axes, e.axes)

    def call(self, kind, depth, p):
        fit = [f for f in self.functions if f["kind"] == kind]
        if not fit:
            return self.leaf(kind, p)
        f = self.pick(fit)
        if p.mirror and f["takes"] == "i":
            return self.leaf(kind, p)
        if not f["shifts"]:
            e = [self.expr(k, depth - 1, p) for k in f["takes"]]
            if f.get("lets") and not self.native(e[0], p):
                return e[0]
            return e[0].made(f"{f['name']}({', '.join(a.text for a in e)})", *e[1:])
        a = self.pick(p.axes)
        if a.name in p.still or p.mirror:
            return self.leaf(kind, p)
        e = self.expr(f["takes"], depth - 1, p.shifted(a))
        if a.name not in e.axes or not e.fields:
            return e if f["takes"] == kind else self.leaf(kind, p)
        if f["stage"] and (p.pure or p.still or not self.walled(e) or
                           not self.native(e, p)):
            return self.leaf(kind, p)
        k = self.r.randint(-3, 3)
        return Expr(f"{f['name']}({e.text}, {a.name}, {k})", e.fields,
                    e.stencil | {a.name}, e.axes)

    @staticmethod
    def native(e, p):
        """is everything in it as long as the place, so that lets are at its points?"""
        return all(not p.axis(a.name) or p.axis(a.name).ext == a.ext
                   for f in e.fields for a in f.grid.axes)

    @staticmethod
    def walled(e):
        """has everything in it a value beyond all walls?"""
        return not e.stencil and all(
            a.periodic or {(a.name, 0), (a.name, 1)} <= f.ghost
            for f in e.fields for a in f.grid.axes)
