def check(out, load):
    w, s, k, half, product = (complex(t.replace("i", "j").replace("jnf", "inf"))
                              for t in out.splitlines()[0].split())
    assert k == 3 - 1j
    if w == w:
        assert half == w / 2 and product == w * k
