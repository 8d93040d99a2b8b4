#!/bin/sh
# tests/ptx_text.sh - kernels in the PTX of LLVM are accepted by ptxas
cd "${srcdir:-.}/tests" && exec "${PYTHON3:-python3}" -B check-cuda ptx
