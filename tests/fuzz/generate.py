"""tests/fuzz/generate.py - random programs that are valid

A Program is a list of lines. Names are numbered, so that several programs may stand
in one file. What is known of each name (grid, type, which walls have a condition)
decides what an expression may read: nothing here is refused by mpac, but for the rare
line that runs into something not implemented.
"""
import random

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
                 mirror=False):
        self.base, self.axes = base, list(axes)
        self.room = room or {}      # axis name -> (lo, hi): points to the walls
        self.still = still          # axes along which it is shifted as a whole
        self.pure = pure            # no reductions, elements, draws
        self.mirror = mirror        # a condition

    def shifted(self, axis):
        return Place(self.base, self.axes, {}, self.still | {axis.name}, self.pure,
                     self.mirror)

    def names(self):
        return {a.name for a in self.axes}


class Program:
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
        self.line(f"grid {name}[{', '.join(a.text for a in axes)}]{clause}")
        g = Grid(name, axes, None)
        g.base = g
        self.bases.append(g)
        self.grids.append(g)

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
                room = p.room.get(a.name, (0, 0))[k > 0]
                if not k:
                    continue
                if a.periodic or (a.name, int(k > 0)) in f.ghost or abs(k) <= room:
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
                   (0.7, self.call), (0.5, self.lookup), (0.5, self.stencil)]
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
        inner = Place(p.base, p.axes + [a], p.room, p.still, p.pure)
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

    def lookup(self, kind, depth, p):
        lists = [l for l in self.lists if l[2] == kind]
        if not lists or p.mirror:
            return self.leaf(kind, p)
        i = self.expr("i", depth - 1, p)
        if not i.axes:
            return self.leaf(kind, p)
        return i.made(f"{self.pick(lists)[0]}[{i.text}]")

    def stencil(self, kind, depth, p):
        if kind != "r" or p.mirror:
            return self.leaf(kind, p)
        e = self.expr("r", min(depth - 1, 1), Place(p.base, p.axes, {}, p.still |
                                               {a.name for a in p.axes}, p.pure))
        cut = [a for a in p.axes if not a.local and a.name in e.axes
               and a.name not in p.still]
        if not cut or not e.fields or p.still:
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
            return e[0].made(f"{f['name']}({', '.join(a.text for a in e)})", *e[1:])
        a = self.pick(p.axes)
        if a.name in p.still or p.mirror:
            return self.leaf(kind, p)
        e = self.expr(f["takes"], depth - 1, p.shifted(a))
        if a.name not in e.axes or not e.fields:
            return e if f["takes"] == kind else self.leaf(kind, p)
        if f["stage"] and (p.pure or p.still or not self.walled(e)):
            return self.leaf(kind, p)
        k = self.r.randint(-3, 3)
        return Expr(f"{f['name']}({e.text}, {a.name}, {k})", e.fields,
                    e.stencil | {a.name}, e.axes)

    @staticmethod
    def walled(e):
        """has everything in it a value beyond all walls?"""
        return not e.stencil and all(
            a.periodic or {(a.name, 0), (a.name, 1)} <= f.ghost
            for f in e.fields for a in f.grid.axes)

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
            self.functions.append(dict(name=name, kind="i", takes="i", shifts=False))
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
            if kind == "r":
                words += ["2*1.5 - symmetric", f"edge - 0.5*{axis.name}.step",
                          "0.5*edge + 0.25", f"{axis.name}.at", "0.75"]
            return self.pick(words)
        others = [a for a in f.grid.axes if a is not axis]
        place = Place(f.grid.base, others, pure=True, mirror=kind)
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
            e = self.value(f, Place(g.base, g.axes))
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
        place = Place(f.grid.base, f.grid.axes, room)
        op = "="
        if kind == "r" and self.chance(0.25):
            op = self.pick(["+=", "-=", "*=", "/="])
        if kind == "i" and self.chance(0.25):
            op = self.pick(["+=", "-=", "*="])
        e = self.value(f, place)
        self.line(f"{f.name}{region} {op} {e.text}")

    def assign_all(self):
        f = self.pick(self.targets())
        group = [g for g in self.targets() if g.grid is f.grid]
        self.r.shuffle(group)
        group = group[:self.r.randint(2, 3)]
        if len(group) < 2:
            return self.assign()
        left, right = [], []
        region, room = self.region(f.grid) if self.chance(0.25) else ("", {})
        if self.masked:
            room = {}
        for i, g in enumerate(group):
            self.budget = 10
            left.append(g.name + region)
            swap = [h for h in group if h is not g and KIND[h.elem] == KIND[g.elem]]
            if swap and self.chance(0.6):
                right.append(self.pick(swap).name)
            else:
                right.append(self.value(g, Place(g.grid.base, g.grid.axes, room)).text)
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
        e = self.value(f, Place(f.grid.base, rest))
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
        p = Place(g.base, g.axes)
        e = self.expr(kind, self.pick([1, 2, 3]), p)
        if not e.fields:
            return
        axes = [a for a in g.axes if a.name in e.axes]
        inner = next((h for h in self.grids if h.base is g.base and
                      {a.name for a in h.axes} == e.axes), None)
        if inner is None:           # its order of axes is the family's, which is not kept here
            return
        f = Field(self.name("v"), elem, Grid(inner.name, axes, g.base), "let")
        self.line(f"let {f.name} = {e.text}")
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
                       mask.axes <= {a.name for a in h.grid.axes}]
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
            (0.7, self.declare_field), (3 * nested, lambda: self.where(depth - 1)),
            (1.5 * nested, lambda: self.loop(depth - 1)),
            (1.5 * nested, lambda: self.leapfrog(depth - 1)),
            (1 * nested, lambda: self.branch(depth - 1)),
            (0.5 * nested, lambda: self.every(depth - 1))])()

    def build(self):
        for _ in range(self.pick([1, 1, 1, 2])):
            self.base_grid()
        for _ in range(self.r.randint(0, 3)):
            self.derived_grid(self.pick(self.bases))
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
