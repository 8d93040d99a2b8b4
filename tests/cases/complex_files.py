import numpy as np


def check(out, load):
    x, y, q = np.arange(7)[:, None], np.arange(5)[None, :], np.arange(2)
    z = (x + 2j*y).astype("c8")
    w = (x + 1j*y)[:, :, None] + 10*q
    f = load("z.h5")
    assert f["z"].dtype == "c8" and np.array_equal(f["z"][()], z)
    assert f["w"].dtype == "c16" and np.array_equal(f["w"][()], w)
    assert f["s"][()] == 1.5 + 2j and f["t"][()] == np.complex64(-1 + 0.5j)
    assert f["square"][()] == (3 + 4j)**2
    assert np.array_equal(load("w.npy"), w)
    head, raw = load("z.vti").split(b'<AppendedData encoding="raw">\n   _')
    assert head.count(b'NumberOfComponents="2"') == 1 == head.count(b'NumberOfComponents="4"')
    n = 8 * 35
    assert np.array_equal(np.frombuffer(raw[8:8 + n], "c8").reshape(5, 7).T, z)
    assert np.array_equal(np.frombuffer(raw[16 + n:16 + n + 35 * 32], "c16").reshape(5, 7, 2),
                          w.transpose(1, 0, 2))
