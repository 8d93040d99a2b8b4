"""tests/fuzz/evaluate.py - expressions of the model at a point, ghosts included

A tree is walked at each point; a shift walks what is shifted at another. env: what
names stand for: scalars (Val), lists, grids (lists of Axis), Field, Function, and
expressions (Closure).
"""
import copy
import itertools

from reader import Unknown
from scalars import CONSTANTS, ELEMENTWISE, KIND, Val, binary, cast, common, elementwise, made, power


class Axis:
    def __init__(self, name, size, a, ends, rank):
        self.name, self.size, self.rank = name, size, rank
        self.periodic, self.local = "periodic" in a, "local" in a
        self.place = "over" if "over" in a else "nodes" if "nodes" in a else ""
        self.lo, self.hi = ends
        self.constant = a["size"][0] == "int"
        self.step = 1.0
        if self.place:
            self.step = (self.hi - self.lo) / (size - (self.place == "nodes"))
        self.ext, self.open = 0, False

    def at(self, i, ext=0):
        i += 0.5 * (self.place == "over") - 0.5 * ext
        return self.lo + i * self.step if self.place else float(i)

    def length(self, ext):
        return self.size + (0 if self.periodic else ext - self.ext)

    def extended(self, by):
        a = copy.copy(self)
        a.size, a.ext = self.length(self.ext + by), self.ext + by
        return a

    def opened(self):
        """by its name only: the grid where it ends up says how long it is"""
        a = copy.copy(self)
        a.open = True
        return a


def point_of(grid, index):
    """the index along each axis, and how the grid extends it"""
    point = {a.name: i for a, i in zip(grid, index)}
    point.update({(a.name, "ext"): a.ext for a in grid})
    return point


class SlicedAxis(Axis):
    """of the points `of` of another"""

    def __init__(self, parent, of, constant):
        self.name, self.size, self.rank = parent.name, len(of), parent.rank
        self.periodic, self.local, self.constant = False, parent.local, constant
        self.parent, self.of = parent, of
        self.step = parent.step * of.step
        self.ext, self.open = 0, False

    def at(self, i, ext=0):
        return self.parent.at(self.of.start + self.of.step * i, self.parent.ext)


class Field:
    """declared, or a let (with expr and the env where it was defined)"""

    def __init__(self, name, t, grid, expr=None, env=None):
        self.name, self.t, self.grid, self.expr, self.env = name, t, grid, expr, env
        self.ghost, self.data = {}, {}

    def copy(self):
        f = Field(self.name, self.t, self.grid, self.expr, self.env)
        f.ghost, f.data = self.ghost, self.data
        return f

    def inside(self, index):
        return self.data[index]


class Bounded(Field):
    """a parameter with a boundary of its own"""

    def inside(self, index):
        return cast(self.t, evaluate(self.expr, self.env, point_of(self.grid, index)).v)


class Mirror:
    """edge and its like, in a condition"""

    def __init__(self, word, field, at, k, env):
        self.word, self.field, self.at, self.k, self.env = word, field, at, k, env


class Closure:
    def __init__(self, expr, env):
        self.expr, self.env = expr, env


class Function:
    def __init__(self, names, defaults, body, env):
        self.names, self.defaults, self.body, self.env = names, defaults, body, env


# ---- fields at points ------------------------------------------------------------------

def value_at(f, index, env):
    at = list(index)
    for k in range(len(f.grid) - 1, -1, -1):
        a = f.grid[k]
        if a.periodic:
            at[k] %= a.size
        elif not 0 <= at[k] < a.size:
            return ghost(f, at, k, f.env if f.expr is not None else env)
    return f.inside(tuple(at))


class NoGhost(Unknown):
    """a read beyond a wall without a condition"""


def ghost(f, at, k, env):
    computed = ("name", "computed")
    condition = f.ghost.get((f.grid[k].name, at[k] >= 0), computed if f.expr is not None else None)
    if condition is None:
        raise NoGhost(f"{f.name} has no ghost at {f.grid[k].name}")
    point = point_of(f.grid, at)
    if condition == computed:
        for a in f.grid:
            if a.periodic:
                point[a.name] %= a.size
        return cast(f.t, evaluate(f.expr, env, point).v)
    inner = dict(env)
    for word in ("edge", "symmetric", "reflect", "antisymmetric"):
        inner[word] = Mirror(word, f, list(at), k, env)
    return cast(f.t, evaluate(condition, inner, point).v)


def mirrored(word, i, n):
    if word == "edge":
        return 0 if i < 0 else n - 1
    if word in ("symmetric", "antisymmetric"):
        return -1 - i if i < 0 else 2 * n - 1 - i
    return 0 if n == 1 else -i if i < 0 else 2 * (n - 1) - i


def mirror_value(m):
    f, at = m.field, list(m.at)
    at[m.k] = mirrored(m.word, at[m.k], f.grid[m.k].size)
    v = value_at(f, at, m.env)
    if m.word != "antisymmetric":
        return Val(f.t, v, False)
    t = "i64" if f.t == "bool" else f.t
    return Val(t, cast(t, -v), False)


# ---- grids of expressions --------------------------------------------------------------

def points_of(grid):
    for index in itertools.product(*(range(a.size) for a in grid)):
        yield point_of(grid, index)


def join(a, b):
    known = {x.name: x for x in a + b if x.open}
    known.update({x.name: x for x in a + b if not x.open})
    if {x.name for x in b} <= {x.name for x in a}:
        return [known[x.name] for x in a]
    if {x.name for x in a} <= {x.name for x in b}:
        return [known[x.name] for x in b]
    if any(isinstance(x, SlicedAxis) for x in a + b):
        return a                    # position by position
    return sorted(known.values(), key=lambda x: x.rank)


def axis_of(e, env):
    """the axis that an expression stands for, or None"""
    v = env.get(e[1]) if e[0] == "name" else None
    if e[0] == "sel" and e[1][0] == "name":
        axes = env.get(e[1][1])
        if isinstance(axes, list) and axes and isinstance(axes[0], Axis):
            return axes[number(e[2][0], env)]
    if isinstance(v, Axis):
        return v
    if isinstance(v, Closure) and v.expr != e:
        return axis_of(v.expr, v.env)
    return env["all axes"].get(e[1]) if e[0] == "name" and v is None else None


def shift_of(e, env):
    """(axis, offset) where an entry of brackets is a shift, else None"""
    if e[0] == "bin" and e[1] in "+-":
        left = shift_of(e[2], env)
        if left is None:
            return None
        k = number(e[3], env)
        return left[0], left[1] + (k if e[1] == "+" else -k)
    a = axis_of(e, env)
    return (a, 0) if a is not None else None


def grid_of(e, env):
    kind = e[0]
    if kind in ("int", "real", "text"):
        return []
    if kind == "name":
        return grid_of_name(e, env)
    if kind in ("neg", "not"):
        return grid_of(e[1], env)
    if kind in ("bin", "pow"):
        return join(grid_of(e[-2], env), grid_of(e[-1], env))
    if kind == "dot":
        a = axis_of(e[1], env)
        return [a.opened()] if a is not None and e[2] in ("at", "size") else []
    if kind == "sel":
        return grid_of_selected(e, env)
    if kind == "call":
        return grid_of_call(e, env)
    raise Unknown(kind)


def grid_of_name(e, env):
    v = env.get(e[1])
    if isinstance(v, Field):
        return v.grid
    if isinstance(v, Mirror):
        return v.field.grid
    a = axis_of(e, env)
    if a is not None:
        return [a.opened()]
    return grid_of(v.expr, v.env) if isinstance(v, Closure) else []


def is_slice(entries):
    return any((x[2] if x[0] == "named" else x)[0] == "slice" for x in entries)


def entries_of(grid, entries):
    """each entry with the number of its axis"""
    for k, x in enumerate(entries):
        if x[0] == "named":
            k = next(i for i, a in enumerate(grid) if a.name == x[1])
            x = x[2]
        yield k, x


def region_of(grid, entries, env):
    """per axis the points selected: a range, or a list of one"""
    ranges = [range(a.size) for a in grid]
    for k, x in entries_of(grid, entries):
        if x[0] == "slice":
            bounds = [b if b is None else number(b, env) for b in x[1:]]
            ranges[k] = ranges[k][slice(*bounds)]
        else:
            ranges[k] = [ranges[k][number(x, env)]]
    return ranges


def sliced_grid(grid, entries, env):
    """of the ranges only; a size is a constant if the axis's and its bounds are"""
    constant = [a.constant for a in grid]
    for k, x in entries_of(grid, entries):
        if x[0] == "slice":
            constant[k] &= all(b is None or evaluate(b, env, {}).constant for b in x[1:])
    return [SlicedAxis(a, r, c)
            for a, r, c in zip(grid, region_of(grid, entries, env), constant)
            if isinstance(r, range)]


def evaluate_slice(e, env, point):
    """at the position where the point stands in its region, or in its grid"""
    grid = grid_of(e[1], env)
    ranges = region_of(grid, e[2], env)
    kept = [a.name for a, r in zip(grid, ranges) if isinstance(r, range)]
    here = point.get("@") or [(k, i) for k, i in point.items() if isinstance(k, str)]
    if set(kept) & {name for name, _ in here}:
        at = dict(here)
    else:
        at = {name: i for name, (_, i) in zip(kept, here)}
    inner = [r[at[a.name]] if isinstance(r, range) else r[0] for a, r in zip(grid, ranges)]
    return evaluate(e[1], env, point_of(grid, inner))


def grid_of_selected(e, env):
    if is_list(e[1], env):
        return grid_of(e[2][0], env)
    if is_slice(e[2]):
        return sliced_grid(grid_of(e[1], env), e[2], env)
    if any(x[0] != "named" and shift_of(x, env) is None for x in e[2]):
        return []                   # one point
    return [a for a in grid_of(e[1], env)
            if not any(x[0] == "named" and x[1] == a.name for x in e[2])]


def grid_of_call(e, env):
    name, args = e[1], e[2]
    f = env.get(name)
    if isinstance(f, Function):
        return grid_of(*enter(f, args, env))
    if args and args[0][0] == "each":
        return grid_of(args[0][4], {**env, args[0][1]: each_items(args[0], env)[0]})
    if is_whole(name, args, env):
        return []
    if name in REDUCTIONS and axis_of(args[1], env) is not None:
        gone = {axis_of(a, env).name for a in args[1:]}
        return [a for a in grid_of(args[0], env) if a.name not in gone]
    if name in ("cumsum", "cumprod"):
        return grid_of(args[0], env)
    grid = []
    for a in args:
        grid = join(grid, grid_of(a, env))
    return grid


REDUCTIONS = {"sum", "prod", "min", "max", "any", "all", "count", "mean", "var", "std", "norm",
              "dot", "argmin", "argmax", "allclose", "array_equal"}


def is_whole(name, args, env):
    """a reduction to one scalar?"""
    return name in REDUCTIONS and (len(args) == 1 or (
        name not in ("min", "max") and axis_of(args[1], env) is None))


# ---- lists -----------------------------------------------------------------------------

def is_list(e, env):
    if e[0] == "list":
        return True
    if e[0] == "sel":               # of a list of lists
        return is_list(e[1], env) and not grid_of(e[2][0], env) and \
            isinstance(list_of(e, env), list)
    v = env.get(e[1]) if e[0] == "name" else None
    return isinstance(v, list) or (isinstance(v, Closure) and is_list(v.expr, v.env))


def list_of(e, env):
    if e[0] == "list":
        return [list_of(x, env) if x[0] == "list" else evaluate(x, env, {}) for x in e[1]]
    if e[0] == "sel":
        return list_of(e[1], env)[number(e[2][0], env)]
    v = env[e[1]]
    return list_of(v.expr, v.env) if isinstance(v, Closure) else v


def evaluate_entry(items, index, env, point):
    i = evaluate(index, env, point)
    if not grid_of(index, env):
        return items[i.v]
    t = common(items)
    return Val(t, cast(t, items[min(max(i.v, 0), len(items) - 1)].v), i.weak)


# ---- expressions -----------------------------------------------------------------------

def number(e, env):
    return evaluate(e, env, {}).v


def evaluate(e, env, point):
    kind = e[0]
    if kind in ("int", "real"):
        return Val("i64" if kind == "int" else "f64", e[1], True, True)
    if kind == "name":
        return evaluate_name(e, env, point)
    if kind == "neg":
        v = evaluate(e[1], env, point)
        t = "i64" if v.t == "bool" else v.t
        return made(t, cast(t, -v.v), [v])
    if kind == "not":
        v = evaluate(e[1], env, point)
        return made("bool", not v.v, [v])
    if kind == "bin":
        return binary(e[1], evaluate(e[2], env, point), evaluate(e[3], env, point))
    if kind == "pow":
        return power(evaluate(e[1], env, point), evaluate(e[2], env, point))
    if kind == "dot":
        return evaluate_dot(e, env, point)
    if kind == "sel":
        return evaluate_selected(e, env, point)
    if kind == "call":
        return evaluate_call(e, env, point)
    raise Unknown(kind)


def evaluate_name(e, env, point):
    v = env.get(e[1])
    if isinstance(v, Field):
        return Val(v.t, value_at(v, [point[a.name] for a in v.grid], env), False)
    if isinstance(v, Mirror):
        return mirror_value(v)
    a = axis_of(e, env)
    if a is not None:
        return Val("i64", point[a.name])
    if isinstance(v, Closure):
        return evaluate(v.expr, v.env, point)
    if isinstance(v, Val):
        return v
    if e[1] in ("true", "false"):
        return Val("bool", e[1] == "true", True, True)
    if e[1] in CONSTANTS:
        return Val("f64", CONSTANTS[e[1]], True, True)
    raise Unknown(e[1])


def evaluate_dot(e, env, point):
    a, constant = axis_of(e[1], env), False
    if a is None and e[1][0] == "dot":
        constant = True             # where the size was written as one
        g = env[e[1][1][1]]
        a = next(x for x in (g.grid if isinstance(g, Field) else g) if x.name == e[1][2])
    if e[2] == "at":
        return Val("f64", a.at(point[a.name], point.get((a.name, "ext"), 0)))
    size = a.size if constant else a.length(point.get((a.name, "ext"), a.ext))
    return Val("f64", a.step) if e[2] == "step" else Val("i64", size, True,
                                                         constant and a.constant)


def evaluate_selected(e, env, point):
    if is_list(e[1], env):
        return evaluate_entry(list_of(e[1], env), e[2][0], env, point)
    if is_slice(e[2]):
        return evaluate_slice(e, env, point)
    moved, grid, positions = dict(point), grid_of(e[1], env), 0
    for x in e[2]:
        shift = shift_of(x, env) if x[0] != "named" else None
        if shift:
            moved[shift[0].name] += shift[1]
            continue
        a = next(b for b in grid if b.name == x[1]) if x[0] == "named" else grid[positions]
        positions += x[0] != "named"
        i = number(x[2] if x[0] == "named" else x, env)
        moved[a.name] = i + a.size if i < 0 else i
    v = evaluate(e[1], env, moved)
    return v if grid_of_selected(e, env) else Val(v.t, v.v)


def evaluate_call(e, env, point):
    name, args = e[1], e[2]
    f = env.get(name)
    if isinstance(f, Function):
        return evaluate(*enter(f, args, env), point)
    if name in KIND:
        v = evaluate(args[0], env, point)
        return made(name, cast(name, v.v), [v])
    if name == "len":
        return Val("i64", len(env[args[0][1]]), True, True)
    if args and args[0][0] == "each":
        return evaluate_each(name, args[0], env, point)
    if name in ("cumsum", "cumprod"):
        import reduce
        return reduce.running(name, args[0], axis_of(args[1], env), env, point)
    if name in REDUCTIONS and (is_whole(name, args, env) or axis_of(args[1], env) is not None):
        import reduce               # it evaluates in turn
        if is_whole(name, args, env):
            return reduce.whole(name, args, env)
        return reduce.along(name, args[0], axis_of(args[1], env), env, point)
    if name in ELEMENTWISE:
        return elementwise(name, [evaluate(a, env, point) for a in args])
    raise Unknown(name)


def each_items(e, env):
    if e[3] is None:
        return bind_let(e[2], env)
    return [Val("i64", i, True, True) for i in range(number(e[2], env), number(e[3], env))]


def evaluate_each(name, e, env, point):
    if name != "sum":
        raise Unknown(name)
    total = None
    for item in each_items(e, env):
        v = evaluate(e[4], {**env, e[1]: item}, point)
        total = v if total is None else binary("+", total, v)
    return total


# ---- calls -----------------------------------------------------------------------------

def enter(f, args, env):
    """the expression that a call is worth, and what names stand for in it"""
    inner, given = {**f.env, "all axes": env["all axes"]}, {}
    for i, a in enumerate(args):
        given[a[1] if a[0] == "named" else f.names[i]] = a[2] if a[0] == "named" else a
    for n in f.names:
        if n not in given:
            inner[n] = Closure(f.defaults[n], f.env)
            continue
        a = axis_of(given[n], env)
        inner[n] = a if a is not None else Closure(given[n], env)
    return enter_body(f.body, inner)


def enter_body(body, env):
    for st in body:
        if st[0] == "return":
            return st[1], env
        if st[0] == "if":
            return enter_body(st[2] if number(st[1], env) else st[3], env)
        if st[0] == "let":
            env[st[1]] = bind_let(st[2], env)
        elif st[0] == "boundary":
            of = env[st[1]]
            f = Bounded(st[1], elem_of(of.expr, of.env), grid_of(of.expr, of.env), of.expr, of.env)
            give_boundary(f, st[2])
            env[st[1]] = f
        elif st[0] != "do":
            raise Unknown(st[0])
    raise Unknown("no return")


def bind_let(e, env):
    if e[0] == "call" and e[1] == "axes":
        return [a for a in grid_of(e[2][0], env) if not a.local]
    return list_of(e, env) if is_list(e, env) else Closure(e, dict(env))


def elem_of(e, env):
    for point in points_of(grid_of(e, env)):
        try:
            return evaluate(e, env, point).t
        except NoGhost:
            pass
    return "f64"                    # of no value: it has no point where it is defined


def give_boundary(f, parts):
    for axis, side, condition in parts:
        for a in f.grid:
            if a.periodic or axis not in (None, a.name):
                continue
            for k, word in enumerate(("lo", "hi")):
                if side in (None, word):
                    f.ghost[(a.name, k)] = condition
