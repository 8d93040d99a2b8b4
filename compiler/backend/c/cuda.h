/* CUDA C, for NVRTC alone, without any header: what the arithmetic below, and kernels made
 * by mpac, are written in. Must be compiled without contraction of a * b + c
 * (--fmad=false) and for a device (-default-device). */
#pragma nv_diag_suppress 39 // division by 0
#pragma nv_diag_suppress 177 // a function that no kernel needs
#pragma nv_diag_suppress 186 // 0 > a, of a type without sign
typedef unsigned char uint8_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;

#define MPA_FN static __device__ __forceinline__
#define MPA_ALONE __restrict__
#define MPA_TABLE static __device__ const
#define MPA_ALIGNED(bytes) __align__(bytes)
#define MPA_PRODUCT(x) (x)
#define INFINITY __int_as_float(0x7f800000)

