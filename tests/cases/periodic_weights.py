def check(out, load):
    assert load("v.npy").tolist() == [71, 2, 13, 24, 35, 46, 57, 60]
