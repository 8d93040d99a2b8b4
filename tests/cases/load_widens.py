import numpy as np


def prepare():
    np.save("ints.npy", np.arange(12, dtype=np.int32).reshape(3, 4))
    np.save("single.npy", np.full((3, 4), 0.5, np.float32))
    np.save("bytes.npy", np.arange(12, dtype=np.uint8).reshape(3, 4))
