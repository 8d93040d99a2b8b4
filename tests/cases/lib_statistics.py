import numpy as np


def check(out, load):
    u, v, g = load("u.npy"), load("v.npy"), load("g.npy")
    lines = [[float(t) for t in line.split()] for line in out.splitlines()]
    w = v.astype(float)
    wanted = [np.cov(u.ravel(), w.ravel(), ddof=0)[0, 1], np.cov(u.ravel(), w.ravel())[0, 1],
              np.corrcoef(u.ravel(), w.ravel())[0, 1]]
    assert np.allclose(lines[0], wanted, rtol=1e-5)             # deviations of v are single

    def moments(q):
        p = (q - q.mean()) / q.std()
        return (p**3).mean(), (p**4).mean() - 3
    assert np.allclose(lines[1][:2], moments(u), rtol=1e-12)
    assert np.allclose(lines[1][2], moments(w)[0], rtol=1e-4)
    assert np.array_equal(load("h.npy"), np.histogram(u, 9, (-1, 4))[0])
    assert np.array_equal(load("hg.npy"), np.histogram(g, 9, (0, 27))[0])
    assert np.allclose([line[0] for line in lines[2:7]], np.percentile(u, [0, 5, 50, 99, 100]),
                       rtol=1e-14)
    assert np.allclose(lines[7], [np.percentile(w, 33.3), np.percentile(g, 75),
                                  np.sort(u.ravel())[100]], rtol=1e-14)
    samples = np.array([load(f"sample{t}.npy") for t in range(7)])
    assert np.allclose(load("average.npy"), samples.mean(0), rtol=1e-13)
    assert np.allclose(load("variance.npy"), samples.var(0, ddof=1), rtol=1e-12)
