/* device/emu/ptx.h - PTX, NVIDIA's assembly for virtual GPUs, carried out on the CPU
 *
 * A module is made of the text that NVRTC or LLVM writes; a launch runs one of its kernels,
 * block after block, each a warp of 32 lanes at a time. Arithmetic is that of the device
 * bit for bit where PTX defines it (NVIDIA, "Parallel Thread Execution ISA"); for what is
 * approximate there the host's functions stand, so the last bits may be others than a
 * GPU's. Every access is checked: it must be aligned and lie in one allocation; with a
 * shadow also for races and reads of what was never written. Knows nothing of the driver:
 * where addresses of the global space lead, the caller says. */
#ifndef MPA_DEVICE_EMU_PTX_H
#define MPA_DEVICE_EMU_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As the driver numbers them. */
enum ptx_error {
	PTX_FINE = 0,
	PTX_NO_MEMORY = 2,
	PTX_INVALID = 218,        /* the text cannot be carried out */
	PTX_ILLEGAL_ADDRESS = 700,
	PTX_TIMEOUT = 702,        /* no end in sight */
	PTX_ASSERT = 710,
	PTX_MISALIGNED = 716,
	PTX_ILLEGAL = 715,        /* trap, threads that do not meet at a barrier, … */
};

struct ptx_fault {
	int code;                 /* enum ptx_error */
	char text[640];           /* "heat.mpa:12: kernel_0_heat, thread (3,0,0) of block
				   * (1,0,0): …" */
};

/* An allocation of the global space. */
struct ptx_extent {
	uint64_t at, bytes;
	char *host;               /* where its bytes are */
	const char *name;         /* for messages: "u"; may be NULL */
	bool constant;            /* must not be written */
};

struct ptx_memory {
	void *context;
	/* The one that holds this address; false: none does. */
	bool (*find)(void *context, uint64_t at, struct ptx_extent *extent);
	/* For variables of modules; 0: no memory. */
	uint64_t (*alloc)(void *context, uint64_t bytes, const char *name, bool constant);
	void (*free)(void *context, uint64_t at);
};

struct ptx_module;
struct ptx_kernel;

/* NULL: see the fault, which names the line of the text. */
struct ptx_module *ptx_load(const char *text, const struct ptx_memory *memory,
			    struct ptx_fault *fault);
void ptx_unload(struct ptx_module *module);                     /* NULL is fine */
const struct ptx_kernel *ptx_find(const struct ptx_module *module, const char *name);
/* A variable of the module: its address and size; false: there is none. */
bool ptx_variable(const struct ptx_module *module, const char *name, uint64_t *at,
		  uint64_t *bytes);

struct ptx_needs {
	int params;               /* bytes of all parameters, as they are laid out */
	int64_t shared, local;    /* static, bytes a block; bytes a thread */
	int most_threads;         /* of a block; 0: as the device allows */
};
struct ptx_needs ptx_needs(const struct ptx_kernel *kernel);
const char *ptx_name(const struct ptx_kernel *kernel);

/* What is known of the memory of the global space, where launches are checked for races
 * and reads of what was never written. NULL, wherever one is taken: no checks. */
struct ptx_shadow;
struct ptx_shadow *ptx_shadow_new(void);                        /* NULL: no memory */
void ptx_shadow_free(struct ptx_shadow *shadow);
/* A new allocation, in which nothing is written; false: no memory. */
bool ptx_shadow_add(struct ptx_shadow *shadow, const struct ptx_extent *extent);
void ptx_shadow_drop(struct ptx_shadow *shadow, uint64_t at);
/* The host has written bytes, or a module its variable. */
void ptx_shadow_write(struct ptx_shadow *shadow, const char *host, uint64_t n);

struct ptx_access {
	uint64_t at, bytes;       /* of the global space */
	bool writes;
};

struct ptx_launch {
	const struct ptx_kernel *kernel;
	uint32_t grid[3], block[3];
	uint32_t shared;          /* dynamic, bytes */
	const void *const *param; /* one pointer a parameter, as cuLaunchKernel takes them */
	int64_t steps;            /* instructions that a warp may run; 0: any number */
	struct ptx_shadow *shadow;
	/* With a shadow, of each access; false: it is an error, and the text goes on with
	 * what the access touches. NULL: all are fine. */
	bool (*touch)(void *context, const struct ptx_access *access, char *text, size_t size);
	void *context;
};
/* What the parameters point to, laid out as the kernel has them: ptx_needs.params bytes. */
void ptx_take_params(const struct ptx_launch *launch, void *to);
/* false: see the fault. taken: what ptx_take_params made; NULL: that of now. */
bool ptx_run(const struct ptx_launch *launch, const void *taken, struct ptx_fault *fault);

#endif
