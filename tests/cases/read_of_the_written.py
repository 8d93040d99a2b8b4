def check(out, load):
    assert load("u.npy").tolist() == [3, 5, 7, 9, 11, 13, 15, 8]
    assert load("v.npy").tolist() == [0, 3, 5, 7, 9, 11, 13, 15]
