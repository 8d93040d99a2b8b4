"""tests/fuzz/scalars.py - numbers of the language, in Python

Typed, with promotion, weak operands, wrapping and clamping. Elementary functions in f32
are those of f64, rounded: equal to what programs compute only to a tolerance.
"""
import math
import struct
from fractions import Fraction

from reader import Unknown

KIND = {"bool": 0, "u8": 1, "i32": 1, "i64": 1, "f32": 2, "f64": 2}
BITS = {"u8": (0, 255), "i32": (-2**31, 2**31 - 1), "i64": (-2**63, 2**63 - 1)}
CONSTANTS = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan}


class Val:
    """a typed number; weak: of scalars and positions alone; constant: known to mpac"""

    def __init__(self, t, v, weak=True, constant=False):
        self.t, self.v, self.weak, self.constant = t, v, weak, constant


def made(t, v, args):
    return Val(t, v, all(a.weak for a in args), all(a.constant for a in args))


# ---- types ----------------------------------------------------------------------------

def wrap(t, i):
    lo, hi = BITS[t]
    return (i - lo) % (hi - lo + 1) + lo


def single(x):
    try:
        return struct.unpack("f", struct.pack("f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def cast(t, x):
    """a Python number as T(x)"""
    if t == "bool":
        return x != 0
    if KIND[t] == 2:
        try:
            return single(x) if t == "f32" else float(x)
        except OverflowError:
            return math.copysign(math.inf, x)
    if isinstance(x, float):
        lo, hi = BITS[t]
        return 0 if x != x else lo if x <= lo else hi if x >= hi else int(x)
    return wrap(t, int(x))


def promote(a, b):
    if a == b:
        return a
    if KIND[a] > KIND[b]:
        a, b = b, a
    if a == "bool":
        return b
    if KIND[b] == 1:
        return "i64" if "i64" in (a, b) else "i32"
    if KIND[a] == 2:
        return "f64"
    return "f64" if b == "f64" or a in ("i32", "i64") else "f32"


def takes_type(x, strong):
    """does the weak x take the type of a field it meets?"""
    k, s = KIND[x.t], KIND[strong]
    if k == s == 1:
        return x.constant and BITS[strong][0] <= x.v <= BITS[strong][1]
    return (k < s and s >= 1) or k == s == 2


def common(values):
    strong = weak = None
    for x in values:
        if x.weak:
            weak = x.t if weak is None else promote(weak, x.t)
        else:
            strong = x.t if strong is None else promote(strong, x.t)
    if strong is None:
        return weak
    t = strong
    for x in values:
        if x.weak:
            t = promote(t, strong if takes_type(x, strong) else promote(x.t, strong))
    return t


# ---- operators ------------------------------------------------------------------------

def divide(a, b):
    if b == 0:
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1, b)
    return a / b


def floordiv(a, b):
    """NumPy's"""
    if isinstance(a, int):
        return a // b if b else 0
    if b == 0:
        return divide(a, b)
    if not math.isfinite(a) or b != b:
        return math.nan
    mod = math.fmod(a, b)
    div = (a - mod) / b
    if mod and (b < 0) != (mod < 0):
        div -= 1.0
    if not div:
        return math.copysign(0.0, a / b)
    floor = math.floor(div) if math.isfinite(div) else div
    return float(floor + 1 if div - floor > 0.5 else floor)


def modulo(a, b):
    if isinstance(a, int):
        return a % b if b else 0
    if b == 0 or not math.isfinite(a) or b != b:
        return math.nan
    mod = math.fmod(a, b)
    if mod:
        return mod + b if (b < 0) != (mod < 0) else mod
    return math.copysign(0.0, b)


ARITHMETIC = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
              "/": divide, "//": floordiv, "%": modulo}
COMPARE = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
           ">=": lambda a, b: a >= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b}


def binary(op, a, b):
    if op in ("and", "or"):
        return made("bool", (a.v and b.v) if op == "and" else (a.v or b.v), (a, b))
    t = common((a, b))
    if op in COMPARE:
        return made("bool", COMPARE[op](cast(t, a.v), cast(t, b.v)), (a, b))
    if op == "/" and KIND[t] < 2:
        t = "f64"
    t = "i64" if t == "bool" else t
    return made(t, cast(t, ARITHMETIC[op](cast(t, a.v), cast(t, b.v))), (a, b))


def power(a, b):
    if KIND[b.t] == 1 and b.constant and -64 <= b.v <= 64:
        t = "i64" if a.t == "bool" else a.t
        x, r = cast(t, a.v), cast(t, 1)
        for bit in bin(abs(b.v))[2:]:
            r = cast(t, r * r)
            if bit == "1":
                r = cast(t, r * x)
        return made(t, cast(t, divide(cast(t, 1), r)) if b.v < 0 else r, (a, b))
    t = common((a, b))
    if KIND[t] < 2:
        raise Unknown("a power of integers")
    return made(t, cast(t, guarded(math.pow, cast(t, a.v), cast(t, b.v))), (a, b))


# ---- functions ------------------------------------------------------------------------

def guarded(f, *x):
    try:
        return float(f(*x))
    except OverflowError:
        return math.inf
    except (ValueError, ZeroDivisionError):
        return math.nan


def log1p(x):
    return -math.inf if x == -1 else math.log1p(x)


def rounder(f):
    return lambda x: math.copysign(float(f(x)), x) if math.isfinite(x) else x


def extreme(a, b, less):
    if a != a or b != b:
        return math.nan
    if a == b == 0 and isinstance(a, float):
        return a if (math.copysign(1, a) < 0) == less else b
    return a if (a < b) == less else b


def least(a, b):
    return extreme(a, b, True)


def most(a, b):
    return extreme(a, b, False)


def fused(a, b, c):
    if not all(map(math.isfinite, (a, b, c))):
        return a * b + c
    return Fraction(a) * Fraction(b) + Fraction(c)


REAL = {"sqrt": math.sqrt, "sin": math.sin, "cos": math.cos, "exp": math.exp, "tanh": math.tanh,
        "floor": rounder(math.floor), "ceil": rounder(math.ceil), "trunc": rounder(math.trunc),
        "atan": math.atan, "log1p": log1p, "erf": math.erf, "expm1": math.expm1,
        "cbrt": lambda x: math.copysign(abs(x) ** (1 / 3), x), "fma": fused,
        "atan2": math.atan2, "hypot": math.hypot}
TESTS = {"isnan", "isinf", "isfinite"}
ELEMENTWISE = {*REAL, *TESTS, "where", "abs", "sign", "round", "min", "max", "clip"}


def choose(a):
    chosen = a[1] if a[0].v else a[2]
    r = made(common(a[1:]), cast(common(a[1:]), chosen.v), a)
    r.constant = a[0].constant and chosen.constant      # mpac knows it then
    return r


def elementwise(name, a):
    if name in TESTS:
        return made("bool", getattr(math, name)(float(a[0].v)), a)
    if name == "where":
        return choose(a)
    t = common(a)
    if name in REAL and KIND[t] < 2:
        t = "f64"
    t = "i64" if t == "bool" else t
    x = [cast(t, v.v) for v in a]
    if name in REAL:
        v = guarded(REAL[name], *x)
    elif name == "abs":
        v = abs(x[0])
    elif name == "sign":
        v = x[0] if x[0] != x[0] else (x[0] > 0) - (x[0] < 0)
    elif name == "round":
        v = x[0] if KIND[t] < 2 else rounder(round)(x[0])
    elif name == "clip":
        v = least(most(x[0], x[1]), x[2])
    else:
        v = (least if name == "min" else most)(*x)
    return made(t, cast(t, v), a)
