"""tests/fuzz/model.py - the language once more, slowly, from its definition

run(text, prelude) gives {file: (type, shape, values)} of what a program of generate.py
saves, or raises Unknown: random numbers are not modelled, and printing is passed over.
"""
import itertools

from evaluate import (Axis, Closure, Field, Function, NoGhost, elem_of, evaluate,
                      give_boundary, grid_of, is_list, list_of, number, point_of, points_of,
                      region_of, sliced_grid)
from reader import Parser, Unknown
from scalars import Val, cast


class Break(Exception):
    pass


class Continue(Exception):
    pass


class Run:
    def __init__(self, prelude):
        self.axes, self.out, self.loops, self.masks = {}, {}, [], []
        self.ranks, self.families = {}, {}
        self.env = {"all axes": self.axes}
        self.block(prelude)

    def block(self, body):
        for st in body:
            getattr(self, "do_" + st[0])(*st[1:])

    # ---- declarations ----------------------------------------------------------------

    def axis(self, a, family):
        ends = [float(number(a[k], self.env)) if k in a else 0.0 for k in ("lo", "hi")]
        rank = self.ranks[family] = self.ranks.get(family, -1) + 1
        x = Axis(a["name"], number(a["size"], self.env), a, ends, rank)
        self.axes[x.name] = x
        return x

    def do_grid(self, name, axes):
        self.families[name] = name
        self.env[name] = [self.axis(a, name) for a in axes]

    def do_extended(self, name, base, by):
        self.families[name] = self.families[base]
        self.env[name] = [a.extended(by.get(a.name, 0)) for a in self.env[base]]

    def do_derived(self, name, base, axes):
        family = self.families[name] = self.families[base]
        self.env[name] = self.env[base] if axes is None else [
            next((b for b in self.env[base] if b.name == a["name"]), None) or
            self.axes.get(a["name"]) or self.axis(a, family) for a in axes]

    def do_sliced(self, name, base, entries):
        self.env[name] = sliced_grid(self.env[base], entries, self.env)

    def frozen(self):
        """what names stand for now, whatever is assigned later"""
        return {k: v.copy() if isinstance(v, Field) else v for k, v in self.env.items()}

    def has_field(self, e):
        if isinstance(e, tuple) and e and e[0] == "name":
            return isinstance(self.env.get(e[1]), Field)
        return isinstance(e, (tuple, list)) and any(map(self.has_field, e))

    def do_let_on(self, name, on, e):
        f = Field(name, elem_of(e, self.env), self.env[on], e, self.frozen())
        f.data = self.where_defined(f, e)
        self.env[name] = f

    def do_let(self, name, e, is_param):
        if is_list(e, self.env):
            self.env[name] = list_of(e, self.env)
            return
        grid = grid_of(e, self.env)
        if not grid:
            v = evaluate(e, self.env, {})
            self.env[name] = Val(v.t, v.v, True, v.constant and not is_param)
        elif self.has_field(e):
            f = Field(name, elem_of(e, self.env), grid, e, self.frozen())
            f.data = self.where_defined(f, e)
            self.env[name] = f
        else:
            self.env[name] = Closure(e, dict(self.env))

    def do_var(self, name, t, e):
        v = evaluate(e, self.env, {})
        self.env[name] = Val(t or v.t, cast(t or v.t, v.v))

    def do_field(self, name, t, grid, e):
        f = Field(name, t, self.env[grid])
        f.data = self.values(f, e or ("int", 0), points_of(f.grid))
        self.env[name] = f

    def do_boundary(self, name, parts):
        give_boundary(self.env[name], parts)

    def do_fn(self, name, names, defaults, body):
        self.env[name] = Function(names, defaults, body, self.env)

    # ---- assignments -----------------------------------------------------------------

    def values(self, f, e, points):
        return {tuple(p[a.name] for a in f.grid): cast(f.t, evaluate(e, self.env, p).v)
                for p in points}

    def where_defined(self, f, e):
        """of a let, which need not be defined at points that nobody asks for"""
        values = {}
        for p in points_of(f.grid):
            try:
                values.update(self.values(f, e, [p]))
            except NoGhost:
                pass
        return values

    def region(self, f, entries):
        """its points, each with its position along the axes that are ranges"""
        ranges = region_of(f.grid, entries, self.env)
        for index in itertools.product(*(range(len(r)) for r in ranges)):
            point = point_of(f.grid, [r[i] for r, i in zip(ranges, index)])
            point["@"] = [(a.name, i) for a, r, i in zip(f.grid, ranges, index)
                          if isinstance(r, range)]
            yield point

    def holds(self, p):
        return all((data[tuple(p[a.name] for a in grid)] if grid is not None else
                    evaluate(data[0], data[1], p).v) != negated
                   for negated, grid, data in self.masks)

    def assigned(self, target, e):
        """the name that changes, and to what"""
        name = target[1] if target[0] == "name" else target[1][1]
        f = self.env[name]
        if isinstance(f, Val):
            return name, Val(f.t, cast(f.t, evaluate(e, self.env, {}).v))
        points = self.region(f, target[2] if target[0] == "sel" else [])
        return name, self.values(f, e, filter(self.holds, points))

    def do_assign(self, left, op, e):
        if op:
            e = ("bin", op, left if left[0] == "name" else left[1], e)
        pairs = zip(left[1], e[1]) if left[0] == "tuple" else [(left, e)]
        for name, v in [self.assigned(*pair) for pair in pairs]:
            if isinstance(v, Val):
                self.env[name] = v
            else:
                self.env[name].data = {**self.env[name].data, **v}

    def do_where(self, c, body, other):
        grid, data = grid_of(c, self.env), (c, self.frozen())
        if not grid or self.has_field(c):
            data = {tuple(p[a.name] for a in grid): evaluate(c, self.env, p).v
                    for p in points_of(grid)}
        else:
            grid = None             # names of axes alone take any grid
        for negated, statements in ((False, body), (True, other)):
            self.masks.append((negated, grid, data))
            self.block(statements)
            self.masks.pop()

    # ---- control ---------------------------------------------------------------------

    def do_if(self, c, body, other):
        self.block(body if number(c, self.env) else other)

    def repeat(self, name, items, body):
        self.loops.append(0)
        for i, item in enumerate(items):
            self.loops[-1] = item if name else i
            if name:
                self.env[name] = Val("i64", item)
            try:
                self.block(body)
            except Continue:
                pass
            except Break:
                break
        self.loops.pop()

    def do_for(self, name, lo, hi, by, body):
        step = number(by, self.env) if by else 1
        self.repeat(name, range(number(lo, self.env), number(hi, self.env), step), body)

    def do_while(self, c, body):
        self.repeat(None, iter(lambda: number(c, self.env), False), body)

    def do_every(self, n, body):
        if self.loops[-1] % number(n, self.env) == 0:
            self.block(body)

    def do_break(self):
        raise Break

    def do_continue(self):
        raise Continue

    def do_do(self, e):
        if e[0] == "call" and e[1] == "save":
            f = self.env[e[2][1][1]]
            indices = itertools.product(*(range(a.size) for a in f.grid))
            self.out[e[2][0][1].strip('"')] = (f.t, [a.size for a in f.grid],
                                               [f.data[i] for i in indices])
        elif e[1] not in ("print", "assert"):
            raise Unknown(e[1])


def run(text, prelude):
    r = Run(Parser(prelude).program())
    r.block(Parser(text).program())
    return r.out
