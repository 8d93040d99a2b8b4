"""NVRTC, where it is here: CUDA C to PTX and CUBIN; and whether there is a GPU

    python3 tests/nvrtc.py      exit status 0: there is a GPU, or MPA_FAKE_CUDA is set
"""
import ctypes
import glob
import os
import sys


def gpu():
    """whether programs find one, real or emulated"""
    if os.environ.get("MPA_FAKE_CUDA", "0") not in ("", "0"):
        return True
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int()
    return (driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
            and count.value > 0)


def library():
    """None: it is not here"""
    names = [os.environ.get("MPA_NVRTC")] if os.environ.get("MPA_NVRTC") else []
    for root in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"):
        if root:
            names += sorted(glob.glob(os.path.join(root, "lib64", "libnvrtc.so.*")))
    for name in names + ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"]:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def knows(nvrtc, architecture):
    """whether it is new enough, or old enough, for compute_90 or sm_90"""
    count = ctypes.c_int()
    nvrtc.nvrtcGetNumSupportedArchs(ctypes.byref(count))
    known = (ctypes.c_int * count.value)()
    nvrtc.nvrtcGetSupportedArchs(known)
    return int(architecture.split("_")[1]) in known


def compile(nvrtc, text, architecture):
    """(PTX, CUBIN, log) as bytes; PTX is None if the text is wrong"""
    program = ctypes.c_void_p()
    options = [f"--gpu-architecture={architecture}", "--fmad=false", "--generate-line-info",
               "-default-device", "--std=c++17"]
    array = (ctypes.c_char_p * len(options))(*(o.encode() for o in options))

    def get(what):
        size = ctypes.c_size_t()
        if getattr(nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size)):
            return b""
        data = ctypes.create_string_buffer(size.value)
        getattr(nvrtc, f"nvrtcGet{what}")(program, data)
        return data.raw

    if nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, b"kernels.cu", 0, None, None):
        raise RuntimeError("nvrtcCreateProgram")
    failed = nvrtc.nvrtcCompileProgram(program, len(options), array)
    log = get("ProgramLog").rstrip(b"\0\n ")
    ptx, cubin = (None, b"") if failed else (get("PTX").rstrip(b"\0"), get("CUBIN"))
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return ptx, cubin, log


if __name__ == "__main__":
    sys.exit(not gpu())
