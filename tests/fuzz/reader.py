"""tests/fuzz/reader.py - reads the programs that generate.py makes, and the prelude

Written apart from the compiler. Expressions and statements become tuples whose first
entry says what they are.
"""
import re

TOKEN = re.compile(r'\s*(?:(\d+\.(?!\.)\d*(?:e[-+]?\d+)?|\d+e[-+]?\d+)|(\d+)|(\w+)|("[^"]*")'
                   r'|(\.\.|//|\*\*|[-+*/]=|<=|>=|==|!=|->|[-+*/%^<>=()\[\]{}:;,.]))')
LEVELS = [("or",), ("and",), None, ("<", "<=", ">", ">=", "==", "!="), ("+", "-"),
          ("*", "/", "//", "%")]


class Unknown(Exception):
    """something that the model does not know"""


def tokens_of(line):
    out, i = [], 0
    line = re.sub(r'^((?:[^"#]|"[^"]*")*)#.*', r"\1", line).rstrip()
    while i < len(line):
        m = TOKEN.match(line, i)
        if not m:
            raise Unknown(line[i:])
        real, integer, word, text, op = m.groups()
        out.append(("real", float(real)) if real else ("int", int(integer)) if integer else
                   ("name", word) if word else ("text", text) if text else ("op", op))
        i = m.end()
    return out


class Parser:
    def __init__(self, text):
        self.t, depth = [], 0
        for line in text.splitlines():
            for t in tokens_of(line):
                depth += (t[1] in ("(", "[")) - (t[1] in (")", "]"))
                self.t.append(t)
            if depth == 0:
                self.t.append(("op", "\n"))
        self.t.append(("end", None))
        self.i = 0

    def at(self, *what):
        return self.t[self.i][1] in what and self.t[self.i][0] in ("op", "name")

    def take(self, *what):
        if self.at(*what):
            self.i += 1
            return self.t[self.i - 1][1]
        return None

    def need(self, what):
        if not self.take(what):
            raise Unknown(f"{what} at {self.t[self.i:self.i + 5]}")

    def name(self):
        self.i += 1
        return self.t[self.i - 1][1]

    # ---- expressions -----------------------------------------------------------------

    def expr(self, level=0):
        if level == 2:
            return ("not", self.expr(2)) if self.take("not") else self.expr(3)
        if level == len(LEVELS):
            return self.unary()
        e = self.expr(level + 1)
        while self.at(*LEVELS[level]):
            op = self.name()
            e = ("bin", op, e, self.expr(level + 1))
        return e

    def unary(self):
        if self.take("-"):
            return ("neg", self.unary())
        e = self.postfix()
        return ("pow", e, self.unary()) if self.take("^", "**") else e

    def primary(self):
        kind, v = self.t[self.i]
        self.i += 1
        if kind in ("real", "int", "text"):
            return (kind, v)
        if v == "[":
            return ("list", self.items("]"))
        if v == "(":
            e = self.expr()
            items = [e]
            while self.take(","):
                items.append(self.expr())
            self.need(")")
            return e if len(items) == 1 else ("tuple", items)
        if kind != "name":
            raise Unknown(f"expression at {v}")
        return ("name", v)

    def postfix(self):
        e = self.primary()
        while True:
            if self.take("("):
                e = ("call", e[1], self.items(")"))
            elif self.take("["):
                e = ("sel", e, self.items("]"))
            elif self.take("."):
                e = ("dot", e, self.name())
            else:
                return e

    def item(self):
        if self.take(":"):
            return self.slice(None)
        e = self.expr()
        if self.take("in"):
            lo = self.expr()
            hi = self.expr() if self.take("..") else None
            self.need(":")
            return ("each", e[1], lo, hi, self.expr())
        if self.take("="):
            return ("named", e[1], self.item())
        return self.slice(e) if self.take(":") else e

    def items(self, end):
        out = []
        while not self.take(end):
            out.append(self.item())
            self.take(",")
        return out

    def slice(self, lo):
        hi = step = None
        if not self.at(":", ",", "]"):
            hi = self.expr()
        if self.take(":"):
            step = None if self.at(",", "]") else self.expr()
        return ("slice", lo, hi, step)

    # ---- statements ------------------------------------------------------------------

    def block(self):
        out = []
        self.need("{")
        while not self.take("}"):
            if not self.take("\n", ";"):
                out.append(self.statement())
        return out

    def program(self):
        out = []
        while self.t[self.i][0] != "end":
            if not self.take("\n", ";"):
                out.append(self.statement())
        return out

    def statement(self):
        word = self.t[self.i][1] if self.t[self.i][0] == "name" else None
        read = getattr(self, f"read_{word}", None)
        if read:
            self.i += 1
            return read()
        left = self.expr()
        op = self.take("=", "+=", "-=", "*=", "/=")
        return ("assign", left, op[:-1], self.expr()) if op else ("do", left)

    def type_of(self, otherwise=None):
        return self.name() if self.take(":") else otherwise

    def read_param(self):
        return self.read_let(True)

    def read_let(self, is_param=False):
        n = self.name()
        if self.take("on"):
            on = self.name()
            self.need("=")
            return ("let_on", n, on, self.expr())
        self.need("=")
        return ("let", n, self.expr(), is_param)

    def read_var(self):
        n, t = self.name(), self.type_of()
        self.need("=")
        return ("var", n, t, self.expr())

    def read_field(self):
        n, t = self.name(), self.type_of("f64")
        self.need("on")
        return ("field", n, t, self.name(), self.expr() if self.take("=") else None)

    def read_axis(self):
        a = {"name": self.name()}
        if self.take(":"):
            a["size"] = self.expr()
            while not self.at(",", "]"):
                word = self.name()
                a[word] = True
                if word in ("over", "nodes"):
                    a["lo"] = self.expr()
                    self.need("..")
                    a["hi"] = self.expr()
        self.take(",")
        return a

    def extensions(self):
        self.need("extend")
        self.need("(")
        by = {}
        while not self.take(")"):
            axis = self.name()
            self.need(":")
            minus = self.take("-")
            by[axis] = -int(self.name()) if minus else int(self.name())
            self.take(",")
        return by

    def read_grid(self):
        n, axes = self.name(), []
        base = self.name() if self.take("=") else None
        if base and self.take("."):
            return ("extended", n, base, self.extensions())
        if base and not self.at("["):
            return ("derived", n, base, None)
        self.need("[")
        if base and (self.t[self.i][0] == "int" or self.at(":", "-")):
            return ("sliced", n, base, self.items("]"))
        while not self.take("]"):
            axes.append(self.read_axis())
        while not self.at("\n"):
            self.i += 1             # split
        return ("derived", n, base, axes) if base else ("grid", n, axes)

    def read_boundary(self):
        n, parts = self.name(), []
        if self.take("="):
            return ("boundary", n, [(None, None, self.expr())])
        self.need("{")
        while not self.take("}"):
            a = self.name()
            side = self.name() if self.take(".") else None
            self.need("=")
            parts.append((a, side, self.expr()))
            self.take(";")
        return ("boundary", n, parts)

    def read_fn(self):
        n, names, defaults = self.name(), [], {}
        self.need("(")
        while not self.take(")"):
            p = self.name()
            names.append(p)
            self.type_of()
            if self.take("="):
                defaults[p] = self.expr()
            self.take(",")
        body = [("return", self.expr())] if self.take("=") else self.block()
        return ("fn", n, names, defaults, body)

    def read_return(self):
        return ("return", self.expr())

    def read_if(self):
        c, body, other = self.expr(), self.block(), []
        if self.take("else"):
            other = [self.read_if()] if self.take("if") else self.block()
        return ("if", c, body, other)

    def read_where(self):
        c, body, other = self.expr(), self.block(), []
        if self.take("else"):
            other = [self.read_where()] if self.take("where") else self.block()
        return ("where", c, body, other)

    def read_for(self):
        n = self.name()
        self.need("in")
        lo = self.expr()
        self.need("..")
        hi = self.expr()
        return ("for", n, lo, hi, self.expr() if self.take("by") else None, self.block())

    def read_while(self):
        return ("while", self.expr(), self.block())

    def read_every(self):
        return ("every", self.expr(), self.block())

    def read_break(self):
        return ("break",)

    def read_continue(self):
        return ("continue",)
