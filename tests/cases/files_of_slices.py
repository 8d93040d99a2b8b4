import re
import numpy as np


def check(out, load):
    u = np.arange(20)[:, None] + 0.5 * np.arange(10)
    part = load("part.h5")
    assert np.array_equal(part["part"][()], u[3:-1, ::3]) and np.array_equal(part["all"][()], u)
    assert np.allclose(load("faces.h5")["f"][()], np.linspace(-1, 1, 21)[:, None])
    head, raw = load("part.vti").split(b'<AppendedData encoding="raw">\n   _')
    origin = [float(x) for x in re.search(rb'Origin="([^"]*)"', head).group(1).split()]
    step = [float(x) for x in re.search(rb'Spacing="([^"]*)"', head).group(1).split()]
    assert np.allclose(origin, [-0.65, 0.025, 0]) and np.allclose(step, [0.1, 0.15, 1])
    values = np.frombuffer(raw[8:8 + 16 * 4 * 8]).reshape(4, 16).T
    assert np.array_equal(values, u[3:-1, ::3])
