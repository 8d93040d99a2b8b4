import numpy as np


def philox(index, count):
    low = np.uint64(0xffffffff)
    c = [index & low, index >> np.uint64(32), np.uint64(count) + 0 * index, 0 * index]
    k = [np.uint64(0), np.uint64(0)]
    for turn in range(10):
        p, q = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [(q >> np.uint64(32)) ^ c[1] ^ k[0], q & low, (p >> np.uint64(32)) ^ c[3] ^ k[1], p & low]
        k = [(k[0] + np.uint64(0x9E3779B9)) & low, (k[1] + np.uint64(0xBB67AE85)) & low]
    return (((c[0] << np.uint64(32)) + c[1]) >> np.uint64(11)) / 2**53


def check(out, load):
    u = -6.0
    for count in range(12):
        u = u + philox(np.arange(10**6, dtype=np.uint64), count)
    p = (u - u.mean()) / u.std()
    assert np.array_equal(load("noise.npy"), np.histogram(u, 8, (-4, 4))[0])
    assert out.splitlines()[0] == (
        f"mean {u.mean():.5f}, deviation {u.std():.5f}, skewness {(p**3).mean():.4f}, "
        f"kurtosis {(p**4).mean() - 3:.4f}")
    assert f"median {np.median(u):.5f}, within one deviation {(abs(u) < 1).mean():.2%}" in out
