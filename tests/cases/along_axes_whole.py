from axes import EXACT, compare


def check(out, load):
    compare(load, "icb", (*EXACT, "sum", "prod"))
