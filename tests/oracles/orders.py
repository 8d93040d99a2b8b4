"""orders of accuracy, from the errors on two grids"""


def compare(out, coarse, fine, near):
    """lines "NAME ORDER: error, error, order": the errors as predicted, the order as named"""
    names = set()
    for line in out.splitlines():
        name, numbers = line.split(": ")
        a, b, order = (float(t) for t in numbers.split())
        names.add(name)
        assert abs(a / coarse[name] - 1) < 0.01 and abs(b / fine[name] - 1) < 0.01, line
        assert abs(order - int(name.split()[1])) < near, line
    assert names == set(coarse)
