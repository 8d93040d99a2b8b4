def check(out, load):
    assert load("a.npy").tolist() == [1, 2, 3, 4, 5, 6, 7, 0]
    assert load("b.npy").tolist() == [2, 3, 4, 5, 6, 7, 0, 0]
