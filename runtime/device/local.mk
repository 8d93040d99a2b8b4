# runtime/device - its part of libmpart.a
libmpart_a_SOURCES += \
	runtime/device/cpu/pool.c \
	runtime/device/cpu/pool.h \
	runtime/device/cuda/cache.c \
	runtime/device/cuda/cache.h \
	runtime/device/cuda/driver.c \
	runtime/device/cuda/driver.def \
	runtime/device/cuda/driver.h \
	runtime/device/cuda/gpu.c \
	runtime/device/cuda/gpu.h \
	runtime/device/cuda/gpu_state.h \
	runtime/device/cuda/load.c \
	runtime/device/cuda/memory.c \
	runtime/device/cuda/move.c \
	runtime/device/cuda/move.h \
	runtime/device/cuda/nvrtc.c \
	runtime/device/cuda/nvrtc.def \
	runtime/device/cuda/nvrtc.h \
	runtime/device/cuda/nvrtc_find.c \
	runtime/device/cuda/result.def \
	runtime/device/emu/copy.c \
	runtime/device/emu/driver.c \
	runtime/device/emu/guard.c \
	runtime/device/emu/guard.h \
	runtime/device/emu/launch.c \
	runtime/device/emu/memory.c \
	runtime/device/emu/memory.h \
	runtime/device/emu/order.c \
	runtime/device/emu/order.h \
	runtime/device/emu/ptx.h \
	runtime/device/emu/ptx_body.c \
	runtime/device/emu/ptx_check.c \
	runtime/device/emu/ptx_convert.c \
	runtime/device/emu/ptx_decode.c \
	runtime/device/emu/ptx_kernel.c \
	runtime/device/emu/ptx_lanes.c \
	runtime/device/emu/ptx_lex.c \
	runtime/device/emu/ptx_memory.c \
	runtime/device/emu/ptx_module.h \
	runtime/device/emu/ptx_names.c \
	runtime/device/emu/ptx_ops.c \
	runtime/device/emu/ptx_ops.def \
	runtime/device/emu/ptx_parse.c \
	runtime/device/emu/ptx_parse.h \
	runtime/device/emu/ptx_print.c \
	runtime/device/emu/ptx_real.c \
	runtime/device/emu/ptx_real.def \
	runtime/device/emu/ptx_run.c \
	runtime/device/emu/ptx_shadow.c \
	runtime/device/emu/ptx_shadow.h \
	runtime/device/emu/ptx_wait.c \
	runtime/device/emu/ptx_whole.c \
	runtime/device/emu/queue.c \
	runtime/device/emu/setup.c \
	runtime/device/emu/setup.h \
	runtime/device/emu/state.h \
	runtime/device/emu/streams.c \
	runtime/device/emu/streams.h

# kernels of the run time itself, as text for NVRTC
nodist_libmpart_a_SOURCES += runtime/device/cuda/support.c
CLEANFILES += runtime/device/cuda/support.c
EXTRA_DIST += runtime/device/cuda/support.cu runtime/device/cuda/support.ptx \
	build-aux/support-ptx

runtime/device/cuda/support.c: build-aux/embed.awk runtime/device/cuda/support.cu \
		runtime/device/cuda/support.ptx
	$(AM_V_GEN)$(MKDIR_P) runtime/device/cuda && LC_ALL=C $(AWK) \
		-f $(srcdir)/build-aux/embed.awk -v header=device/cuda/gpu_state.h \
		text=gpu_support_text $(srcdir)/runtime/device/cuda/support.cu \
		text=gpu_support_ptx $(srcdir)/runtime/device/cuda/support.ptx >$@.tmp && mv $@.tmp $@

gpu_world = tests/unit/gpu_world.c tests/unit/ptx_world.h tests/unit/unit.h
ptx_world = tests/unit/ptx_world.c tests/unit/ptx_world.h tests/unit/unit.h

unit_tests += tests/unit/ptx_forms tests/unit/ptx tests/unit/ptx_cuda tests/unit/ptx_check tests/unit/ptx_llvm tests/unit/emulated \
	tests/unit/emulated_driver
tests_unit_emulated_SOURCES = tests/unit/emulated.c tests/unit/unit.h
tests_unit_emulated_CPPFLAGS = $(runtime_cppflags) $(CHECK_CFLAGS)
tests_unit_emulated_driver_SOURCES = tests/unit/emulated_driver.c tests/unit/unit.h
tests_unit_emulated_driver_CPPFLAGS = $(runtime_cppflags) $(CHECK_CFLAGS)
tests_unit_ptx_forms_SOURCES = tests/unit/ptx_forms.c tests/unit/ptx_forms.def tests/unit/random.h $(ptx_world)
tests_unit_ptx_forms_CPPFLAGS = $(runtime_cppflags) $(CHECK_CFLAGS)
# the same on a GPU
gpu_tests = tests/unit/gpu_forms tests/unit/gpu_cuda tests/unit/gpu_bits
unit_tests += $(gpu_tests)
tests_unit_gpu_forms_SOURCES = tests/unit/ptx_forms.c tests/unit/ptx_forms.def tests/unit/random.h $(gpu_world)
tests_unit_gpu_forms_CPPFLAGS = $(runtime_cppflags) $(CHECK_CFLAGS)
tests_unit_gpu_bits_SOURCES = tests/unit/gpu_bits.c tests/unit/gpu_bits.def tests/unit/random.h tests/unit/unit.h
tests_unit_gpu_bits_CPPFLAGS = $(runtime_cppflags) $(CHECK_CFLAGS)
tests_unit_gpu_cuda_SOURCES = tests/unit/ptx_cuda.c $(gpu_world)
tests_unit_gpu_cuda_CPPFLAGS = $(runtime_cppflags) $(CHECK_CFLAGS)
tests_unit_ptx_SOURCES = tests/unit/ptx.c $(ptx_world)
tests_unit_ptx_CPPFLAGS = $(runtime_cppflags) $(CHECK_CFLAGS)
tests_unit_ptx_cuda_SOURCES = tests/unit/ptx_cuda.c $(ptx_world)
tests_unit_ptx_cuda_CPPFLAGS = $(runtime_cppflags) $(CHECK_CFLAGS)
tests_unit_ptx_check_SOURCES = tests/unit/ptx_check.c $(ptx_world)
tests_unit_ptx_check_CPPFLAGS = $(runtime_cppflags) $(CHECK_CFLAGS)
tests_unit_ptx_llvm_SOURCES = tests/unit/ptx_llvm.c $(ptx_world)
tests_unit_ptx_llvm_CPPFLAGS = $(runtime_cppflags) $(LLVM_CPPFLAGS) $(CHECK_CFLAGS)
