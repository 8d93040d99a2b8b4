/* device/cuda/gpu.h - the GPU of a rank: memory, copies, kernels of one program
 *
 * Of the devices that CUDA shows (CUDA_VISIBLE_DEVICES) a rank takes the one of its
 * number on the node, modulo how many there are. Kernels are CUDA C, compiled by NVRTC
 * for the device; where the driver does not take the code, it gets the PTX.
 *
 * Work is put into two queues, and is carried out behind the host's back: kernels and what
 * they need go to GPU_WORK one after the other, messages to GPU_TRAFFIC, which may pass it.
 * gpu_put, gpu_get and gpu_wait wait for both. Failures name the driver's error, and of the
 * emulated driver what it has found; those of kernels may be told by a later call. */
#ifndef MPA_DEVICE_CUDA_GPU_H
#define MPA_DEVICE_CUDA_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct gpu;

/* Since it was opened, or gpu_messages. */
struct gpu_counts {
	int64_t to_host, to_device; /* bytes of fields, and values of reductions */
	int64_t staged, direct;     /* bytes of messages, sent and received */
	int64_t launches;
};

/* NULL: see the fault. */
struct gpu *gpu_open(int local_rank, struct fault *fault);
/* The same kernels twice: in CUDA C for NVRTC, and in PTX (NULL: not made). */
struct gpu_text {
	const char *cuda, *ptx;
};
/* The kernels that gpu_run knows from now on. */
enum mpa_status gpu_program(struct gpu *g, const struct gpu_text *text,
			    struct fault *fault);
void gpu_close(struct gpu *g); /* NULL is fine */
const char *gpu_name(const struct gpu *g);
int gpu_number(const struct gpu *g); /* as CUDA counts what it shows */
/* In words: the device, its memory and driver, what has compiled the kernels. */
void gpu_describe(const struct gpu *g, char *text, size_t size);
struct gpu_counts gpu_counts(const struct gpu *g);
enum mpa_status gpu_wait(struct gpu *g, struct fault *fault);

/* Memory of the device; name: for messages. */
enum mpa_status gpu_alloc(struct gpu *g, int64_t bytes, const char *name, uint64_t *at,
			  struct fault *fault);
/* Bytes of the host that stand for it, for a message when they are touched although they
 * are protected. */
void gpu_mirror(struct gpu *g, uint64_t at, const void *host, int64_t bytes);
void gpu_free(struct gpu *g, uint64_t at); /* 0 is fine */
void gpu_room(const struct gpu *g, int64_t *available, int64_t *total); /* bytes */
enum mpa_status gpu_zero(struct gpu *g, uint64_t at, int64_t bytes, struct fault *fault);
enum mpa_status gpu_put(struct gpu *g, uint64_t to, const void *from, int64_t bytes,
			struct fault *fault);
enum mpa_status gpu_get(struct gpu *g, void *to, uint64_t from, int64_t bytes,
			struct fault *fault);

enum gpu_queue { GPU_WORK, GPU_TRAFFIC };
/* What `behind` is given from now on waits for what the other one has been given so far. */
enum mpa_status gpu_pass(struct gpu *g, enum gpu_queue behind, struct fault *fault);

/* Is this address memory of a device, whoever got it? */
bool gpu_owns(const struct gpu *g, uint64_t at);
/* What MPI is given for an address, where gpu_messages_direct. */
void *gpu_for_mpi(const struct gpu *g, uint64_t at);

/* What messages are packed into and unpacked from: bytes on the device, and those that MPI
 * is given, on the host or, if MPI takes addresses of the device, the same ones. */
struct gpu_buffer {
	int64_t bytes;
	uint64_t device;
	char *host;
	bool direct;
	void *ready; /* an event: see gpu_buffer_mark */
};
/* For buffers made from now on; not direct at first. Counts begin here. */
void gpu_messages(struct gpu *g, bool direct);
bool gpu_messages_direct(const struct gpu *g);
bool gpu_is_emulated(const struct gpu *g);
enum mpa_status gpu_buffer_new(struct gpu *g, int64_t bytes, struct gpu_buffer *b,
			       struct fault *fault);
void gpu_buffer_free(struct gpu *g, struct gpu_buffer *b);
/* Puts the copy of what was packed to the host into GPU_TRAFFIC, and of what was received
 * to the device. */
enum mpa_status gpu_buffer_packed(struct gpu *g, struct gpu_buffer *b,
				  struct fault *fault);
enum mpa_status gpu_buffer_received(struct gpu *g, struct gpu_buffer *b,
				    struct fault *fault);
/* Its bytes are the host's again when the queue has come to here: packed, or unpacked. */
enum mpa_status gpu_buffer_mark(struct gpu *g, struct gpu_buffer *b, enum gpu_queue queue,
				struct fault *fault);
enum mpa_status gpu_buffer_wait(struct gpu *g, struct gpu_buffer *b, struct fault *fault);

/* A kernel over n[k] points of each loop, outermost first; args: its one parameter, or if
 * args_bytes is not 0 what that points to. */
struct gpu_launch {
	const char *kernel;
	const void *args;
	int64_t args_bytes;
	int n_loops;
	const int64_t *n;
};
enum mpa_status gpu_run(struct gpu *g, const struct gpu_launch *launch,
			struct fault *fault);
/* A kernel of support.cu, by blocks of 256 threads; args as cuLaunchKernel has them. */
enum { GPU_THREADS = 256 };
enum mpa_status gpu_call(struct gpu *g, const char *kernel, int64_t blocks, void **args,
			 struct fault *fault);

#endif
