import numpy as np

N = 24
H = 2 * np.pi / N
D2 = {2: [-2, 1], 4: [-5/2, 4/3, -1/12], 6: [-49/18, 3/2, -3/20, 1/90],
      8: [-205/72, 8/5, -1/5, 8/315, -1/560]}
D1 = {2: [1/2], 8: [4/5, -1/5, 4/105, -1/280]}


def d(u, axis, order=2):
    return sum(c * (np.roll(u, -k, axis) - np.roll(u, k, axis))
               for k, c in enumerate(D1[order], 1)) / H


def laplacian(u, order=2):
    c = D2[order]
    return sum(c[0] * u + sum(a * (np.roll(u, -k, axis) + np.roll(u, k, axis))
                              for k, a in enumerate(c[1:], 1)) for axis in (0, 1)) / H**2


def start():
    x, y = np.meshgrid(*2 * [(np.arange(N) + 0.5) * H], indexing="ij")
    return np.sin(x) * np.cos(2 * y), x, y


def check(out, load):
    u, x, y = start()
    ux, uy = d(u, 0), d(u, 1)
    expected = {"ux": ux, "uy": uy, "div": d(ux, 0) + d(uy, 1), "lap": laplacian(u),
                "lap8": laplacian(u, 8)}
    for name, value in expected.items():
        assert np.allclose(load(name + ".npy"), value, rtol=0, atol=1e-12), name


if __name__ == "__main__":
    u, x, y = start()
    print(f"{abs(d(u, 0, 8) - np.cos(x) * np.cos(2 * y)).max():.1e}",
          f"{abs(d(u, 1, 8) + 2 * np.sin(x) * np.sin(2 * y)).max():.1e}")
    print(f"{abs(laplacian(u, 4) + 5 * u).max():.4e} {abs(laplacian(u, 6) + 5 * u).max():.4e}")
