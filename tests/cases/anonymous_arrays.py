import numpy as np


def check(out, load):
    n = 5 if load("arange_n.npy").size == 5 else 9
    step = 0.1 if n == 5 else -0.37
    i, j = np.meshgrid(np.arange(6), np.arange(4), indexing="ij")
    p, q, r = np.meshgrid(np.arange(3), np.arange(4), np.arange(2), indexing="ij")
    want = {
        "array": np.array([[1, 2], [3, 4]]),
        "array_list": np.array([[1.5, n, -2], [1, 2, 3]]),
        "array_three": np.array([[[1, 2]], [[3, 4]], [[5, 6]]], dtype=np.float32),
        "array_complex": np.array([1j, 2, n]), "array_bool": np.array([True, n > 6]),
        "zeros": np.zeros((6, 4)), "zeros_i32": np.zeros(3, dtype=np.int32),
        "ones": np.ones((2, n)), "ones_single": np.ones(7, np.float32),
        "full": np.full((3, 2, 2), 3.5), "full_integer": np.full(n, 7),
        "full_complex": np.full(2, 1 - 1j, np.complex64), "arange": np.arange(100),
        "arange_n": np.arange(n), "arange_step": np.arange(3, 20, 4),
        "arange_down": np.arange(n, -n, -3), "arange_real": np.arange(0.0, 3 * step, step / 7),
        "arange_single": np.arange(0, 1, 0.1).astype(np.float32),
        "linspace": np.linspace(0, 1, 101), "linspace_n": np.linspace(-step, 7, n),
        "linspace_one": np.linspace(3, 5, 1), "linspace_50": np.linspace(1, 0),
        "from_function": np.fromfunction(lambda i, j: 10 * i + j, (6, 4), dtype=int),
        "from_function_named": np.where(p == q, r, -p),
    }
    for name, value in want.items():
        got = load(name + ".npy")
        assert got.dtype == value.dtype, f"{name}: {got.dtype} instead of {value.dtype}"
        assert np.array_equal(got, value), f"{name}: {got} instead of {value}"
    real = np.fromfunction(lambda i, j: np.sin(0.1 * i) * j, (n, 3))
    assert np.allclose(load("from_function_real.npy"), real, rtol=1e-15, atol=0)
    b = 10.0 * i + j + i - j
    b[1:-1, 2] = 7
    b[0, 3] = b[5, 1]
    assert np.array_equal(load("b.npy"), b)
    e = np.pad(np.pad(b, ((1, 1), (0, 0)), mode="edge"), ((0, 0), (1, 1)))
    assert np.array_equal(load("shifted.npy"), e[2:, :-2] + 2 * e[:-2, 1:-1])
    b = np.where(b > 20, b, e[1:-1, 2:])
    assert np.array_equal(load("where.npy"), b)
    c = np.pad(3 * b, ((0, 0), (1, 1)), mode="reflect")
    assert np.array_equal(load("reflected.npy"), c[:, 2:] - c[:, :-2])
    total = sum(t + np.arange(n)[:, None] * np.ones((n, 2)) * t for t in range(1, 3))
    assert np.array_equal(load("total.npy"), total)
    lines = []
    for k in range(2, 5):
        v = np.arange(k)
        lines.append(f"{v} {(v**2).sum()} {v[-1]}")
    lines += ["2 1", "3 3", "true 2 4 4 3 [[ true false]", " [ true false]]"]
    assert out.splitlines()[-len(lines):] == lines, out
