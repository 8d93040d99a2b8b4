import numpy as np


def model(n=101, grains=10000):
    pile, rounds = np.zeros((n + 2, n + 2), int), 0
    pile[n // 2 + 1, n // 2 + 1] = grains
    while pile[1:-1, 1:-1].max() >= 4:
        falls = pile // 4
        falls[[0, -1]] = falls[:, [0, -1]] = 0
        pile[1:-1, 1:-1] += (falls[2:, 1:-1] + falls[:-2, 1:-1] + falls[1:-1, 2:]
                             + falls[1:-1, :-2] - 4 * falls[1:-1, 1:-1])
        rounds += 1
    return pile[1:-1, 1:-1], rounds


def check(out, load):
    pile, rounds = model()
    assert np.array_equal(load("sandpile.npy"), pile)
    assert out == (f"{pile.sum()} grains on {np.count_nonzero(pile)} places after {rounds} "
                   f"rounds, {np.count_nonzero(pile == 3)} piles of three\n")
