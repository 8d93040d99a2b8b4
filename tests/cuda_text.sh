#!/bin/sh
# tests/cuda_text.sh - kernels in CUDA C are accepted by NVRTC
cd "${srcdir:-.}/tests" && exec "${PYTHON3:-python3}" -B check-cuda
