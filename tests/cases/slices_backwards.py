import numpy as np


def check(out, load):
    x = np.arange(6.0)
    u, v = x + 1, 10 * x
    v[:-5:-1] += v[3::-1] - u[:-2]
    said = [str(v)]
    v[4:0:-2] *= 2
    said.append(str(v))
    v[1:4:-1] = 100
    v[-1:1:-3] = -u[:2]
    said.append(str(v))
    assert out.split("\n") == said + [""], said
