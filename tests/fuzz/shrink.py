"""tests/fuzz/shrink.py - a smaller program that still fails

Lines and blocks are left out, blocks replaced by what is in them, then expressions by
parts of them, as long as the test says that the fault is still there.
"""
import re
import time


def block_end(lines, i):
    """the last line of the statement that begins at line i"""
    depth = 0
    for k in range(i, len(lines)):
        text = re.sub(r'"[^"]*"', "", lines[k])
        depth += text.count("{") - text.count("}")
        if depth <= 0:
            return k
    return i


def without_lines(lines):
    """candidates: one statement less, or a block's contents in its place"""
    size = max(1, len(lines) // 2)
    while size >= 1:            # long runs of simple lines first
        for i in range(len(lines) - size, -1, -size):
            yield lines[:i] + lines[i + size:]
        size //= 2
    for i in range(len(lines) - 1, -1, -1):
        k = block_end(lines, i)
        if k > i:
            yield lines[:i] + lines[k + 1:]
            inside = lines[i + 1:k]
            yield lines[:i] + [l[4:] for l in inside] + lines[k + 1:]
            for m in range(i + 1, k):
                if re.match(r"\s*} else", lines[m]):
                    yield lines[:m] + lines[k:]


def groups(text):
    """(begin, end) of the text within each pair of brackets"""
    stack = []
    for i, c in enumerate(text):
        if c in "([":
            stack.append(i)
        elif c in ")]" and stack:
            yield stack.pop(), i


def split_top(text, pattern):
    """the parts of a text between matches outside of brackets"""
    parts, depth, start, i = [], 0, 0, 0
    while i < len(text):
        depth += (text[i] in "([") - (text[i] in ")]")
        m = re.match(pattern, text[i:]) if depth == 0 and i > start else None
        if m:
            parts.append(text[start:i])
            i += m.end()
            start = i
            continue
        i += 1
    return parts + [text[start:]]


OPERATORS = r" (?:\+|-|\*|//|/|%|<=|>=|==|!=|<|>|and|or|\^) |, "


def simpler(line):
    """candidates for a line"""
    m = re.match(r'^(\s*boundary \w+) \{ (.*) \}$', line)
    if m:
        parts = m.group(2).split("; ")
        for i in range(len(parts)):
            if len(parts) > 1:
                yield f"{m.group(1)} {{ {'; '.join(parts[:i] + parts[i + 1:])} }}"
    for begin, end in sorted(groups(line), key=lambda g: g[0] - g[1]):
        head = re.search(r"[\w.]+$", line[:begin])
        start = head.start() if head else begin
        inner = line[begin + 1:end]
        if line[begin] == "[":
            yield line[:begin] + line[end + 1:]
            entries = split_top(inner, ", ")
            for i in range(len(entries)):
                if len(entries) > 1:
                    yield line[:begin + 1] + ", ".join(entries[:i] + entries[i + 1:]) + line[end:]
            continue
        for constant in ["1", "0.5", "true"]:
            if end - start > 4:
                yield line[:start] + constant + line[end + 1:]
        for part in split_top(inner, OPERATORS):
            yield line[:start] + part + line[end + 1:]
            if part != inner:
                yield line[:begin + 1] + part + line[end:]
    m = re.match(r"^(\s*(?:field [\w:]+(?: \w+)? on \w+|let \w+|[\w\[\]:, =+-]+?) [-+*/]?= )(.*)$", line)
    if m:
        for part in split_top(m.group(2), OPERATORS):
            if part != m.group(2):
                yield m.group(1) + part
        yield m.group(1) + "1"
        if line.lstrip().startswith("field"):
            yield m.group(1)[:-3]
    for a, b in [(": f32", ""), (" periodic", ""), (" over 0..1", ""), (" local", "")]:
        if a in line:
            yield line.replace(a, b, 1)


def pass_over(lines, candidates, fails, limit):
    changed = True
    while changed and time.monotonic() < limit:
        changed = False
        for c in candidates(lines):
            if time.monotonic() > limit:
                break
            if len(c) < len(lines) and fails("\n".join(c) + "\n"):
                lines, changed = c, True
                break
    return lines


def simplify(lines, fails, limit):
    for i in range(len(lines)):
        again = True
        while again and time.monotonic() < limit:
            again = False
            for c in simpler(lines[i]):
                if len(c) < len(lines[i]) and time.monotonic() < limit and \
                   fails("\n".join(lines[:i] + [c] + lines[i + 1:]) + "\n"):
                    lines[i], again = c, True
                    break
    return lines


def shrink(text, fails, limit):
    lines = text.splitlines()
    while time.monotonic() < limit:
        before = list(lines)
        lines = pass_over(lines, without_lines, fails, limit)
        lines = simplify(lines, fails, limit)
        if lines == before:
            break
    return "\n".join(lines) + "\n"
