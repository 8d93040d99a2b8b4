import numpy as np


def check(out, load):
    x, y = np.arange(900)[:, None], np.arange(1000)
    u, v = (x + 2 * y) % 64 / 8, 1.5 + x % 2 + 0 * y
    line = [one.split() for one in out.split("\n")]
    assert line[0] == [str(float(s)) for s in
                       (u.sum(), v.sum(), np.sqrt((v * v).sum()), (u * v).sum())]
    assert line[1][1:] == [str(s) for s in
                           (np.min(u - v), np.argmax(u[::-1, 3:]), np.sum(u < v))]
    assert float(line[1][0]) == float(int((u > 4).sum()) * int(1e300))
    u = 2 * u - v
    assert line[2][:2] == [str(s) for s in (u.sum(), abs(u[1:, :-1] - u[:-1, 1:]).sum())]
    assert line[3] == ["375000.0"]
