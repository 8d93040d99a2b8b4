import re
import numpy as np

TYPES = {"UInt8": "u1", "Int32": "<i4", "Int64": "<i8", "Float32": "<f4", "Float64": "<f8"}


def parse(data):
    """(geometry, {name: array[z, y, x, component]})"""
    head, raw = data.split(b'<AppendedData encoding="raw">\n   _', 1)
    assert raw.endswith(b"\n  </AppendedData>\n</VTKFile>\n")
    head = head.decode()
    assert 'byte_order="LittleEndian" header_type="UInt64"' in head

    def three(name):
        return [float(x) for x in re.search(f' {name}="([^"]*)"', head).group(1).split()]
    extent = [int(x) for x in three("WholeExtent")]
    assert extent == three("Extent") and extent[::2] == [0, 0, 0]
    shape = [extent[5] + 1, extent[3] + 1, extent[1] + 1]
    arrays, end = {}, 0
    for t, name, n, offset in re.findall(
            r'<DataArray type="(\w+)" Name="(\w+)" NumberOfComponents="(\d+)" '
            r'format="appended" offset="(\d+)"/>', head):
        offset = int(offset)
        assert offset == end
        size = int.from_bytes(raw[offset:offset + 8], "little")
        end = offset + 8 + size
        arrays[name] = np.frombuffer(raw[offset + 8:end], TYPES[t]).reshape(shape + [int(n)])
    assert len(raw) == end + len("\n  </AppendedData>\n</VTKFile>\n")
    return three("Origin"), three("Spacing"), arrays


def check(out, load):
    origin, spacing, a = parse(load("many.vti"))
    assert origin == [-1 + 0.5 * (2 / 7), 0, 0] and spacing == [2 / 7, 0.75, 1]
    assert list(a) == ["u", "v", "m", "k", "sum"]
    x, y = np.arange(7)[None, None, :, None], np.arange(5)[None, :, None, None]
    c = np.arange(3)[None, None, None, :]
    v = np.where(x == y, np.nan, x - y)
    assert np.array_equal(a["u"], 10.0*x + y) and a["u"].dtype == "f8"
    assert np.array_equal(a["v"], v.astype("f4"), equal_nan=True) and a["v"].dtype == "f4"
    assert np.array_equal(a["m"], (x > y).astype("u1"))
    assert np.array_equal(a["k"], 100*x + 10*y + c) and a["k"].dtype == "i4"
    assert np.array_equal(a["sum"], 10*x + y + v, equal_nan=True)
    origin, spacing, a = parse(load("pic.vti"))
    assert origin == [0, 0, 0] and spacing == [1, 1, 1]
    assert np.array_equal(a["raw"][0, :, :, 0], 10 * np.arange(4)[:, None] + np.arange(6))
    p, q, r = np.arange(3), np.arange(4)[:, None], np.arange(5)[:, None, None]
    assert np.array_equal(parse(load("box.vti"))[2]["f"][..., 0], 100*p + 10*q + r)
    origin, spacing, a = parse(load("line.VTI"))
    assert origin == [0, 0, 0.5 * (3 / 9)] and spacing == [1, 1, 3 / 9]
    assert a["w"].shape == (9, 1, 1, 1)
    assert np.allclose(a["w"].ravel(), (np.arange(9) + 0.5) / 3)
    assert np.array_equal(parse(load("own.vti"))[2]["mine"][0, :, :, 0],
                          10 * np.arange(5) + np.arange(4)[:, None])
    origin, spacing, a = parse(load("faces.vti"))
    assert origin == [-1, 0, 0] and a["faces"].shape == (1, 5, 8, 1)
