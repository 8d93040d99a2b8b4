import numpy as np


def part(n, m):
    u, k, l, j = np.arange(n), np.arange(3), np.arange(m), np.arange(2)

    def sums(sign):
        return [(u[:, None] + sign * a).sum() for a in (k, l)]

    def spread(by):
        return (u[:, None] + by * j).sum()

    lines = [sums(1) + [spread(1)] if n > 3 else sums(-1) + [spread(2)]]
    if n > 2:
        lines.append([spread(3)])
    h, g = 2 * u[:, None] + k, 2 * u[:, None] + l
    lines.append([h.sum(), g.sum(), (h[:, :, None] * g[:, None, :]).sum()])
    return lines


def check(out, load):
    head, *lines = out.splitlines()
    want = part(*map(int, head.split()))
    assert [[float(w) for w in line.split()] for line in lines] == \
        [[float(v) for v in line] for line in want], want
