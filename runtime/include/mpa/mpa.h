/* mpa/mpa.h - programs of mpa as libraries, for C, C++, Fortran and Python: see mpa(3)
 *
 * `mpac --emit=shared heat.mpa -o libheat.so` makes a library and heat.h, which declares
 * heat_open and a function for each `export fn`. Everything is collective but mpa_error
 * and the questions about fields: every rank makes the same calls in the same order.
 */
#ifndef MPA_MPA_H
#define MPA_MPA_H

#include <stddef.h>
#include <stdint.h>

#include "mpa/elem.h"

#ifdef __cplusplus
extern "C" {
#endif

struct mpa;       /* a program: its parameters, variables and fields */
struct mpa_field; /* one of its fields; lives as long as the program */

/* What calls give. After all but MPA_FINE, mpa_error says why. */
enum mpa_answer {
	MPA_FINE,
	MPA_FAILED, /* there was an error: what was complete before it stays done */
	MPA_WRONG,  /* the call makes no sense; nothing has been done */
	MPA_EXITED  /* the program called exit */
};

struct mpa_start {
	int argc;                 /* options as on a command line: argv[1], ... */
	const char *const *argv;
	const void *comm;         /* points to an MPI_Comm of MPI as the caller has started
	                           * it; NULL: none, or the next */
	int has_fortran_comm;     /* 1: fortran_comm is the handle that Fortran has of it */
	int fortran_comm;
};

/* Any value of a scalar, or a field: the member is chosen by the parameter. */
union mpa_value {
	double f64;
	float f32;
	int64_t i64;
	int32_t i32;
	uint8_t u8, boolean;
	const char *text;
	struct mpa_field *field;
};

/* heat_open(&program, start) opens one; start may be NULL. If it fails, *program is NULL
 * or can be asked by mpa_error, and closed. */

/* Carries out the statements of the top level, once. */
int mpa_execute(struct mpa *program);
/* What was wrong last; "" if nothing was. */
const char *mpa_error(const struct mpa *program);
/* With what the program exited, after MPA_EXITED. */
int mpa_exit_status(const struct mpa *program);
/* NULL is fine. MPI stays as it was; if the program has started it, until the process ends. */
int mpa_close(struct mpa *program);

/* An exported function by its name; n values, and room for the result or NULL. */
int mpa_call(struct mpa *program, const char *function, const union mpa_value *argument, int n,
	     union mpa_value *result);

/* Fields that the file declares at the top level. */
int mpa_count_fields(const struct mpa *program);
struct mpa_field *mpa_nth_field(struct mpa *program, int n); /* NULL: there is none */
struct mpa_field *mpa_find_field(struct mpa *program, const char *name);

const char *mpa_field_name(const struct mpa_field *field);
enum mpa_elem mpa_field_elem(const struct mpa_field *field);
int mpa_field_bytes(const struct mpa_field *field);  /* of one element */
int mpa_field_axes(const struct mpa_field *field);   /* how many */
const char *mpa_field_axis(const struct mpa_field *field, int axis); /* its name */

/* Once the program has been executed. Arrays have an entry per axis, as written. */
int mpa_field_shape(struct mpa_field *field, int64_t *shape);
/* This rank's points: lo <= index < hi. */
int mpa_field_bounds(struct mpa_field *field, int64_t *lo, int64_t *hi);
/* Where the first of them stands (NULL: there are none), and how many elements it is from
 * one to the next along each axis. Good until the next call of a function of the program. */
int mpa_field_block(struct mpa_field *field, void **data, int64_t *stride);
/* Values of the block were written. */
int mpa_field_changed(struct mpa_field *field);

/* The whole field, in C order of its axes, to and from rank `root`, or, where that is
 * MPA_EVERY_RANK, every rank (mpa_scatter then takes each rank's own). Others may give NULL. */
enum { MPA_EVERY_RANK = -1 };
int mpa_gather(struct mpa_field *field, int root, void *to);
int mpa_scatter(struct mpa_field *field, int root, const void *from);

int mpa_my_rank(const struct mpa *program);
int mpa_count_ranks(const struct mpa *program);

/* Memory below may be the host's or, where the program runs on GPUs, of this rank's device:
 * addresses as CUDA has them (CUdeviceptr), also of memory that another library got in the
 * device's primary context. What that library has launched must be done before a call; what
 * the program has is done after it. */

/* The number of the device that this rank computes on; -1: it is the processor. */
int mpa_device(const struct mpa *program);
/* As mpa_field_block, on the device; NULL also without one. */
int mpa_field_device_block(struct mpa_field *field, void **data, int64_t *stride);
/* This rank's points are copied from memory, or to it; there too it is stride[a] elements
 * from one to the next along axis a, and the first stands at `memory`. Not collective, but
 * all ranks must copy from theirs before the next call of a function of the program. */
int mpa_field_copy_from(struct mpa_field *field, const void *memory, const int64_t *stride);
int mpa_field_copy_to(struct mpa_field *field, void *memory, const int64_t *stride);
/* n elements in a row go from one rank to another, which both call, with equal n, elem and
 * tag (0 to 16000). They return when the memory may be used again. Messages between two
 * ranks arrive in the order sent. A message that is lost ends all ranks. */
int mpa_send(struct mpa *program, const void *data, int64_t n, enum mpa_elem elem, int to,
	     int tag);
int mpa_recv(struct mpa *program, void *data, int64_t n, enum mpa_elem elem, int from, int tag);

#ifdef __cplusplus
}
#endif

#endif
