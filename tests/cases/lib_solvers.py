import numpy as np

N = 12
X = ((np.arange(N) + 0.5) / N)[:, None]
Y = ((np.arange(N) + 0.5) * 1.5 / N)[None, :]
B = np.exp(X) * (1 + Y**2)


def walls(u):
    p = np.pad(u, 1)
    p[0], p[-1] = -p[1], -p[-2]
    p[:, 0], p[:, -1] = -p[:, 1], p[:, -2]
    return p


def laplacian(u):
    p = walls(u)
    return ((p[2:, 1:-1] + p[:-2, 1:-1] - 2 * u) * N**2
            + (p[1:-1, 2:] + p[1:-1, :-2] - 2 * u) * (N / 1.5)**2)


def stiff(u):
    return (1 + X * Y) * u - laplacian(u)


def flow(u):
    p = walls(u)
    return (3 * (p[2:, 1:-1] - p[:-2, 1:-1]) * N / 2
            - 2 * (p[1:-1, 2:] - p[1:-1, :-2]) * N / 3 - laplacian(u))


def matrix(apply):
    return np.array([apply(e.reshape(N, N)).ravel() for e in np.eye(N * N)]).T


def solution(apply):
    return np.linalg.solve(matrix(apply), B.ravel()).reshape(N, N)


def cg(u, most):
    r = B - stiff(u)
    p, k = r, 0
    while np.sqrt((r * r).sum()) > 1e-10 * np.linalg.norm(B) and k < most:
        q = stiff(p)
        a = (r * r).sum() / (p * q).sum()
        after = r - a * q
        u, p, r = u + a * p, after + (after * after).sum() / (r * r).sum() * p, after
        k += 1
    return u, k


def sweeps(over, colours):
    u = np.zeros((N, N))
    diagonal = 1 + 2 * N**2 + 2 * (N / 1.5)**2
    parity = np.add.outer(np.arange(N), np.arange(N)) % 2
    for t in range(10):
        for colour in colours:
            u = np.where(parity == colour, u + over * (B - stiff(u)) / diagonal, u)
    return u


def check(out, load):
    k = out.split()
    assert int(k[0]) == cg(0 * B, 1000)[1] and k[4] == "3"
    for name in "cg", "pcg", "swept":
        assert np.allclose(load(name + ".npy"), solution(stiff), rtol=1e-8)
    assert np.allclose(load("bicgstab.npy"), solution(flow), rtol=1e-7)
    assert np.allclose(load("three.npy"), cg(1 + 0 * B, 3)[0], rtol=1e-12)
    u = 0 * B
    for t in range(10):
        u = u + 0.8 * (B - stiff(u)) / (1 + 2 * N**2 + 2 * (N / 1.5)**2)
    assert np.allclose(load("jacobi.npy"), u, rtol=1e-12)
    assert np.allclose(load("red_black.npy"), sweeps(1, (0, 1)), rtol=1e-12)
    assert np.allclose(load("over.npy"), sweeps(1.6, (1, 0)), rtol=1e-12)
    assert k[5:] == ["true", "true"]
    z, one = np.arange(24), np.eye(24)
    c = np.exp(1j * z) + z**2
    up, down = np.roll(one, 1, 1), np.roll(one, -1, 1)
    for name, a in (("hermitian", 4 * one - (1 + 1j) * up - (1 - 1j) * down),
                    ("complex", (4 + 2j) * one - (1 + 1j) * up - 1j * down)):
        assert np.allclose(load(name + ".npy"), np.linalg.solve(a, c), rtol=1e-7)
