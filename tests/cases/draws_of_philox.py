import numpy as np

SHAPE = 7, 5, 3


def words(seed, count, index):
    """four for each index: Salmon et al., SC11"""
    m, low32 = (0xD2511F53, 0xCD9E8D57), 2**32 - 1
    result = []
    for i in index:
        c = [i & low32, i >> 32, count & low32, count >> 32 & low32]
        k = [seed & low32, seed >> 32 & low32]
        for _ in range(10):
            p, q = m[0] * c[0], m[1] * c[2]
            c = [q >> 32 ^ c[1] ^ k[0], q & low32, p >> 32 ^ c[3] ^ k[1], p & low32]
            k = [k[0] + 0x9E3779B9 & low32, k[1] + 0xBB67AE85 & low32]
        result.append(c)
    return np.array(result, np.uint64).T


def unit(high, low):
    return ((high << np.uint64(32) | low) >> np.uint64(11)) / 2.0**53


def uniform(seed, count, shape=SHAPE):
    w = words(seed, count, range(int(np.prod(shape))))
    return unit(w[0], w[1]).reshape(shape)


def single(seed, count):
    w = words(seed, count, range(int(np.prod(SHAPE))))
    return ((w[0] >> np.uint64(8)) / 2.0**24).astype(np.float32).reshape(SHAPE)


def normal(seed, count, shape=SHAPE):
    w = words(seed, count, range(int(np.prod(shape))))
    a, b = unit(w[0], w[1]), unit(w[2], w[3])
    return (np.sqrt(-2 * np.log(1 - a)) * np.cos(2 * np.pi * b)).reshape(shape)


def known():
    """the test vector of the authors: counter and key of the digits of pi"""
    got = words(0x299f31d0_a4093822, 0x03707344_13198a2e, [0x85a308d3_243f6a88])[:, 0]
    assert [hex(x) for x in got] == ["0xd16cfe09", "0x94fdcceb", "0x5001e420", "0x24126ea1"]
    print("oracle agrees with the published vector")


def check(out, load):
    which, *got = out.split()
    s = -8070450532247928833 if which == "1" else 0
    late = 0
    for t in range(3):
        late = uniform(s, 2 + t) + 2 * late
    first = uniform(s, 9)
    assert np.array_equal(load("a.npy"), uniform(s, 0))
    assert np.array_equal(load("b.npy"), single(s, 1))
    assert np.array_equal(load("c.npy"), late)
    assert np.array_equal(load("d.npy"), uniform(s, -3))
    assert np.allclose(load("e.npy"), normal(s, 5), 1e-14, 1e-15)
    assert np.allclose(load("f.npy"), normal(s, 4294967299), 1e-6, 1e-7)
    assert np.array_equal(load("g.npy"), np.where(first < 0.5, uniform(s, 6), first))
    one = [uniform(s, 7, (1,)), normal(s, 8, (1,)), uniform(s, 9, (1,)), uniform(s, 9, (1,))]
    assert np.allclose(np.array(got, float), np.ravel(one), 1e-15, 0), (got, one)


if __name__ == "__main__":
    known()
