"""tests/fuzz/reduce.py - reductions of the model"""
import math

from evaluate import evaluate, grid_of, join, number, points_of
from scalars import KIND, Val, binary, cast, common, least, most, wrap


def across(name, terms):
    """along an axis that may be cut: exact, rounded last"""
    t = terms[0].t
    x = [v.v for v in terms]
    if name in ("argmin", "argmax"):
        return Val("i64", first_extreme(x, name == "argmin"), False)
    if KIND[t] < 2:
        return Val("i64", wrap("i64", sum(x)), False)
    return Val(t, cast(t, exact_sum([float(v) for v in x])), False)


def running(name, e, a, env, point):
    """from left to right, up to the point"""
    terms = [evaluate(e, env, {**point, a.name: i}) for i in range(point[a.name] + 1)]
    t = "i64" if KIND[terms[0].t] < 2 else terms[0].t
    r = cast(t, terms[0].v)
    for v in terms[1:]:
        r = cast(t, r * cast(t, v.v) if name == "cumprod" else r + cast(t, v.v))
    return Val(t, r, False)


def along(name, e, a, env, point):
    """along a local axis: from left to right, in the field's own type"""
    terms = [evaluate(e, env, {**point, a.name: i}) for i in range(a.size)]
    if name in ("argmin", "argmax") or (name == "sum" and not a.local):
        return across(name, terms)
    t = terms[0].t
    if name in ("any", "all"):
        return Val("bool", (any if name == "any" else all)(v.v != 0 for v in terms), False)
    if name in ("sum", "prod", "mean") and KIND[t] < 2:
        t = "i64"
    r = cast(t, terms[0].v)
    for v in terms[1:]:
        x = cast(t, v.v)
        r = (cast(t, r * x) if name == "prod" else least(r, x) if name == "min" else
             most(r, x) if name == "max" else cast(t, r + x))
    if name == "mean":
        return binary("/", Val(t, r, False), Val("i64", a.size))
    return Val(t, r, False)


def exact_sum(x):
    try:
        return math.fsum(x)
    except (OverflowError, ValueError):
        return sum(x)


def is_close(a, b, rtol, atol):
    t = common((a, b))
    t = t if KIND[t] == 2 else "f64"
    x, y = cast(t, a.v), cast(t, b.v)
    return x == y or (math.isfinite(y) and abs(x - y) <= atol + rtol * abs(y))


def first_extreme(x, smallest):
    best = 0
    for i, v in enumerate(x):
        if v != v:
            return i
        if (v < x[best]) if smallest else (v > x[best]):
            best = i
    return best


def of_pairs(name, pairs, tolerances):
    if name == "array_equal":
        return Val("bool", all(binary("==", a, b).v for a, b in pairs))
    if name == "allclose":
        return Val("bool", all(is_close(a, b, *tolerances) for a, b in pairs))
    if all(KIND[v.t] < 2 for v in pairs[0]):
        return Val("i64", wrap("i64", sum(a.v * b.v for a, b in pairs)))
    return Val("f64", exact_sum([float(a.v) * float(b.v) for a, b in pairs]))


def of_reals(name, x, order):
    n, total = len(x), exact_sum(x)
    if name in ("sum", "mean"):
        return total if name == "sum" else total / n
    if name == "prod":
        return math.prod(x)
    if name == "norm":
        if order == 2:
            return math.sqrt(exact_sum([v * v for v in x]))
        return exact_sum(map(abs, x)) if order == 1 else fold(most, [abs(v) for v in x])
    var = exact_sum([(v - total / n) ** 2 for v in x]) / n
    return var if name == "var" else math.sqrt(var)


def fold(f, x):
    r = x[0]
    for v in x[1:]:
        r = f(r, v)
    return r


def whole(name, args, env):
    """of all points, to a scalar"""
    n = 2 if name in ("dot", "allclose", "array_equal") else 1
    grid = grid_of(args[0], env)
    for a in args[1:n]:
        grid = join(grid, grid_of(a, env))
    values = [[evaluate(a, env, p) for p in points_of(grid)] for a in args[:n]]
    more = [number(a, env) for a in args[n:]]
    x, t = [v.v for v in values[0]], values[0][0].t
    if n == 2:
        return of_pairs(name, list(zip(*values)), more)
    if name in ("any", "all"):
        return Val("bool", (any if name == "any" else all)(v != 0 for v in x))
    if name in ("argmin", "argmax"):
        return Val("i64", first_extreme(x, name == "argmin"))
    if name in ("min", "max"):
        return Val(t, fold(least if name == "min" else most, x))
    if name == "count":
        return Val("i64", sum(v != 0 for v in x))
    if name in ("sum", "prod") and KIND[t] < 2:
        return Val("i64", wrap("i64", (sum if name == "sum" else math.prod)(map(int, x))))
    return Val("f64", of_reals(name, [float(v) for v in x], (more + [2])[0]))
