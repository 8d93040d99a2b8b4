import zlib
import numpy as np

# viridis as published, at 0, 1/8, ..., 1
VIRIDIS = np.array([(68, 1, 84), (71, 44, 122), (59, 81, 139), (44, 113, 142), (33, 144, 141),
                    (39, 173, 129), (92, 200, 99), (170, 220, 50), (253, 231, 37)], float)
GREY = (190, 190, 190)


def viridis(t):
    at = np.linspace(0, 1, 9)
    return np.array([np.interp(t, at, VIRIDIS[:, c]) for c in range(3)])


def decode(png):
    """rows of pixels"""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, []
    while at < len(png):
        n = int.from_bytes(png[at:at + 4], "big")
        kind, data = png[at + 4:at + 8], png[at + 8:at + 8 + n]
        assert zlib.crc32(kind + data) == int.from_bytes(png[at + 8 + n:at + 12 + n], "big")
        chunks.append((kind, data))
        at += 12 + n
    assert [k for k, _ in chunks] == [b"IHDR", b"IDAT", b"IEND"]
    head = chunks[0][1]
    width, height = int.from_bytes(head[:4], "big"), int.from_bytes(head[4:8], "big")
    assert head[8:] == bytes([8, 2, 0, 0, 0])
    rows = np.frombuffer(zlib.decompress(chunks[1][1]), "u1").reshape(height, 1 + 3 * width)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(height, width, 3).astype(int)


def frame(picture):
    """what is inside of it: top, bottom, left, right"""
    black = (picture == 0).all(axis=2)
    best = (0,)
    for y in range(len(black)):             # the longest black line
        run = 0
        for x, b in enumerate(black[y]):
            run = run + 1 if b else 0
            if run > best[0]:
                best = (run, y, x - run + 1)
    width, top, left = best
    bottom = top + 1
    while black[bottom, left + 1:left + width - 1].mean() < 0.9:
        bottom += 1
    return top + 1, bottom, left + 1, left + width - 1


def area(picture):
    top, bottom, left, right = frame(picture)
    return picture[top:bottom, left:right]


def cells(picture, rows, columns):
    """the pixel in the middle of each cell"""
    inner = area(picture)
    y = ((np.arange(rows) + 0.5) * inner.shape[0] / rows).astype(int)
    x = ((np.arange(columns) + 0.5) * inner.shape[1] / columns).astype(int)
    return inner[y][:, x]


def same(got, t, what):
    """are these the colours of t (NaN: grey)?"""
    wanted = np.moveaxis(viridis(np.nan_to_num(t)), 0, -1)
    wanted[np.isnan(t)] = GREY
    error = abs(got - wanted).max()
    assert error <= 16, (what, error)       # of a fit and of this interpolation


def check(out, load):
    x, y = np.arange(20)[:, None], np.arange(10)
    u = x + 0.5 * y
    u[3, 4] = np.nan
    picture = decode(load("u.png"))
    assert area(picture).shape[:2] == (128, 512)        # two by a half
    same(cells(picture, 10, 20)[::-1], (u / 23.5).T, "u: y upwards")
    top, bottom, _, right = frame(picture)              # the colour bar
    wanted = viridis((np.arange(bottom - top)[::-1] + 0.5) / (bottom - top)).T
    bar = [x for x in range(right, picture.shape[1])
           if abs(picture[top:bottom, x] - wanted).max() <= 16]
    assert len(bar) == 24 and np.ptp(bar) == 23, bar

    raw = 10.0 * np.arange(12)[:, None] + np.arange(16)
    picture = decode(load("raw.png"))
    assert area(picture).shape[:2] == (384, 512)
    same(cells(picture, 12, 16), raw / 125, "raw: rows first")

    inner = area(decode(load("mask.png")))              # means of about 3 x 3 points
    a, b = np.arange(1500)[:, None], np.arange(700)
    mask = ((a // 3 + b // 3) % 2 == 0).astype(float)
    rows, columns = inner.shape[:2]
    means = np.zeros((columns, rows))
    count = np.zeros((columns, rows))
    np.add.at(means, (a * columns // 1500, b * rows // 700), mask)
    np.add.at(count, (a * columns // 1500, b * rows // 700), 1)
    same(inner[::-1], (means / count).T, "mask: means")

    inner = area(decode(load("half.png")))
    assert (inner[:, :256] == inner[0, 0]).all() and (inner[:, 256:] == inner[0, -1]).all()

    inner = area(decode(load("w.png")))                 # a curve with a gap
    t = (np.arange(40) + 0.5) / 5
    w = np.sin(t)
    w[20] = np.nan
    lo, hi = np.nanmin(w), np.nanmax(w)
    lo, hi = lo - (hi - lo) / 20, hi + (hi - lo) / 20
    for i in range(40):
        column = int((i + 0.5) * 600 / 40)
        ink = np.flatnonzero((inner[:, column] != 255).any(axis=1))
        if i == 20:
            assert len(ink) == 0
        else:
            row = 398 - (w[i] - lo) / (hi - lo) * 398
            assert abs(ink.mean() - row) < 4, (i, ink, row)

    inner = area(decode(load("s.png")))                 # no peak is lost between columns
    assert (inner[:25, 299:302] != 255).any()
    assert not (inner[:25, :295] != 255).any()

    picture = decode(load("constant.png"))
    same(cells(picture, 10, 20), np.full((10, 20), 0.5), "constant")
    own = np.where(np.arange(5)[:, None] > 2, 1.0, 0.0) + np.zeros(4)
    own[:, 0] = 1
    same(cells(decode(load("own.png")), 5, 4), own, "own")
    same(cells(decode(load("bool.png")), 10, 20)[::-1], (u > 8).astype(float).T, "bool")
    inner = area(decode(load("nothing.png")))
    assert (inner[:40] == GREY).all()
