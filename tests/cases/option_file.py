def prepare():
    with open("options.txt", "w") as f:
        f.write("--n=5\n--name=two words\n--ratio=0.25\n")
