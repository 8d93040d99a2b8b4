def prepare():
    with open("no.h5", "w") as f:
        f.write("words\n" * 100)
