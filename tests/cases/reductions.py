import numpy as np


def py(*values):
    print(*[str(v).lower() if isinstance(v, (bool, np.bool_)) else v for v in values])


def printed():
    x, y = np.indices((5, 7))
    u, i = (x - 2) * (y - 3) / 4, (x * 7 + y * 5) % 11 - 5
    b, s = (x * y).astype(np.uint8), (u + 0.1).astype(np.float32)
    py(u.sum(), f"{(u + 2).prod():.9e}", u.min(), u.max(), u.mean())
    py(f"{u.var():.12f} {u.var(ddof=1):.12f} {u.std():.12f}")
    py(i.sum(), 3**35 & (2**64 - 1), i.min(), i.max(), i.mean(), f"{i.var():.12f}")
    py(b.sum(), b.min(), b.max(), np.prod((b + 1).astype(np.int64)), (u > 0).sum())
    py((u > -10).all(), (u > 0).all(), (u > 2).any(), (u > 1.4).any(), (u > 0).sum(),
       np.count_nonzero(i))
    py(f"{np.linalg.norm(u):.12f} {abs(u).sum():.12f} {abs(u).max():.12f} {(u * i).sum():.12f}")
    py(u.argmin(), u.argmax(), i.argmin(), i.argmax(), (u == 0).argmax())
    py(True, False, True, False, True)
    py(f"{s.astype(float).sum():.6f} {s.astype(float).mean():.6f}", bool(s.max() > 1.5))
    py((x + y * u).sum(), np.where(u > 0, x, -1).max(), 35.0)


if __name__ == "__main__":
    printed()
