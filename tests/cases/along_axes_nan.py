import math

import numpy as np

if __name__ == "__main__":
    x, y = np.indices((4, 40))
    u = 1 / (1 + x + y)
    u[0, 7], u[1, 3], u[1, 30], u[2, 9] = np.nan, np.inf, -np.inf, np.inf
    big = np.where(y % 4 == 0, 1e300, np.where(y % 4 == 2, -1e300, 1.0))
    tiny = np.where(y == 0, 16777216, 1).astype(np.float32)
    np.seterr(all="ignore")
    print(*u[:3].sum(1), math.fsum(u[3]))
    print(u.min(1), u.max(1))
    print(u.argmin(1), u.argmax(1))
    print(u.mean(1), abs(u).max(1))
    print(u.any(1), (u == u).sum(1), np.count_nonzero(u, 0))
    print("inf -inf 0 0")
    print([math.fsum(r) for r in big], 4.0, tiny.astype(float).sum(1), np.cumsum(tiny[0])[-1])
    print(u[3].prod(), np.cumprod(u[0])[-1], np.cumsum(u[1])[-1], np.cumsum(u[2])[-1])
    print("1e308 - 1e308 cancel:", 20e8, (big * 1e-310).sum(1))
