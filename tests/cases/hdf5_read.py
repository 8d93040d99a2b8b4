import numpy as np

u = (np.arange(66 * 37) % 1000).reshape(66, 37) / 8.0


def prepare():
    import h5py
    i = np.arange(66 * 37).reshape(66, 37)
    with h5py.File("in.h5", "w") as f:
        f["plain"] = u
        f.create_dataset("chunked", data=u, chunks=(7, 5))
        f.create_dataset("packed", data=u.astype("f4"), chunks=(16, 37), compression="gzip",
                         shuffle=True, fletcher32=True)
        f["big"] = u.astype(">f8")
        f.create_dataset("half", data=u.astype("f2"))
        f["wide"] = u.astype("g")
        f.create_dataset("filled", shape=u.shape, chunks=(10, 10), fillvalue=2.5)
        f["short"] = (i - 1000).astype(">i2")
        f["ushort"] = (i + 60000).astype("u2")
        f["uint"] = (i + 4294960000).astype("<u4")
        f["byte"] = (i % 256 - 128).astype("i1")
        f.create_dataset("mask", data=i % 3 == 0, chunks=(66, 1))
        f.create_dataset("three", data=i[:, :, None] * np.array([1, 2, 3], ">i4"),
                         chunks=(33, 8, 2), compression="gzip", dtype=">i4")
        f["group/inner"] = (i % 5).astype("i4")
        f["a"] = np.int16(-3)
        f["b"] = np.array([[7]], ">i8")
        f["c"] = "é long"
        f["d"] = np.bytes_("fixed")
        f["e"] = True
        f["one"] = np.float32(0.5)
    with h5py.File("late.h5", "w", userblock_size=1024, libver="latest") as f:
        f["whatever"] = np.arange(5)


def check(out, load):
    assert np.array_equal(load("packed.npy"), u)
    i = np.arange(66 * 37).reshape(66, 37)
    assert np.array_equal(load("three.npy"), i[:, :, None] * np.array([1, 2, 3]))
    lines = out.splitlines()[-7:]
    assert lines[0].split() == ["0.0"] * 3, lines
    assert lines[1].split() == ["0.0", "0.0", "6105.0"], lines
    assert lines[2] == f"{(i - 1000).sum()} {(i + 60000).min()} {(i + 4294960000).max()} " \
                       f"{(i % 256 - 128).sum()}", lines
    assert lines[3] == f"{(i % 3 == 0).sum()} {6 * i.sum()}", lines
    assert lines[4] == f"{(i % 5).sum()}.0", lines
    assert lines[5] == "-3 7.0 é long fixed true 0.5", lines
    assert lines[6] == "[0 1 2 3 4]", lines
