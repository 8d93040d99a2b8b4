/* mpa/program.h - what the compiler emits and the run time reads
 *
 * One constant `struct mpa_program` in every executable. All members are 8 bytes wide,
 * so its layout is the same in C and in what a back end emits. Arrays of axes are in
 * the written order of the grid, padded with zeros to MPA_MAX_AXES.
 */
#ifndef MPA_PROGRAM_H
#define MPA_PROGRAM_H

#include <stdint.h>

#include "mpa/elem.h"

enum { MPA_ABI_VERSION = 8 };
/* Of a kernel's argument on a GPU: one of more words of 8 bytes stands in memory, and the
 * kernel gets its address. All of CUDA takes arguments of so many. */
enum { MPA_CUDA_WORDS = 512 };

/* ---- kernels ------------------------------------------------------------- */

/* Element i, j, … of an array block stands at origin + (i*stride[0] + …) elements; the
 * indices are global ones. */
struct mpa_view { void *origin; int64_t stride[MPA_MAX_AXES]; };

struct mpa_sink;                             /* a thread's part of a reduction */
struct mpa_frame {
	const struct mpa_view *view;         /* per view of the kernel */
	const int64_t *scalar;               /* per slot, 8 bytes each: the value's own bytes first */
	struct mpa_sink *const *sink;        /* per reduction */
};

/* Computes the points lo <= i < hi; lo, hi per loop, outermost first. */
typedef void mpa_kernel_fn(const struct mpa_frame *frame, const int64_t *lo, const int64_t *hi);

/* The n values of a reduction at points `at`, at + 1, … along the last loop (at: an index per
 * loop). bool values are bytes 0 and 1. Called from kernels, n <= 1024. */
void mpa_sink_add(struct mpa_sink *sink, const void *values, int64_t n, const int64_t *at);

/* Random numbers at a flat index (C order of the written axes); see base/random.h. */
double mpa_random_uniform(int64_t seed, int64_t key, int64_t flat);
double mpa_random_normal(int64_t seed, int64_t key, int64_t flat);
float mpa_random_uniform_f32(int64_t seed, int64_t key, int64_t flat);

/* ---- tables -------------------------------------------------------------- */

struct mpa_axis_info {
	const char *name;
	int64_t family;
	int64_t periodic, local;
	int64_t place;                       /* 0 index, 1 over, 2 nodes */
	int64_t parent, step;                /* of a sliced grid, else 0: 1 + the axis of which it
	                                      * is every step-th point, from where mpa_axis_slice
	                                      * says */
};

struct mpa_family_info {
	const char *name;
	const char *where;                   /* "heat.mpa:5:1" */
	int64_t n_axes;                      /* base axes */
	int64_t axis[MPA_MAX_AXES];          /* ids */
	int64_t cut[MPA_MAX_AXES];           /* may be cut (split); 0 for local axes */
	int64_t has_procs;                   /* procs(…) was written */
	int64_t parent;                      /* 1 + the family that it is a slice of; 0: none */
};

struct mpa_grid_info {
	const char *name;
	int64_t family;
	int64_t n_axes;
	int64_t axis[MPA_MAX_AXES];          /* ids of axes */
	int64_t longer[MPA_MAX_AXES];        /* points that it has more than the axis */
};

struct mpa_call {
	mpa_kernel_fn *kernel;
	const char *name;
	int64_t n_loops;
	int64_t loop_axis[MPA_MAX_AXES];     /* axis position in the grid */
	int64_t n_views;
	const int64_t *array;                /* per view: array id */
	const int64_t *second;               /* per view: 1: its second buffer */
	const int64_t *written;              /* per view: 1: not only read */
	int64_t n_scalars;
	int64_t first_arg;
	const char *device;                  /* the kernel in `cuda`; NULL: not there */
};

enum mpa_mirrors { MPA_EDGE = 1, MPA_SYMMETRIC = 2, MPA_REFLECT = 4 };        /* bits */
struct mpa_wall {
	struct mpa_call call;
	int64_t mirrors;                     /* how it reads the array itself; 0: it does not */
	int64_t n_fields;
	const int64_t *field;                /* array ids of wall fields */
};

struct mpa_array_info {
	const char *name;
	const char *where;
	int64_t elem;
	int64_t grid;
	int64_t stage;                       /* 1: made by its run, not by mpa_array_begin */
	int64_t second;
	int64_t halo[MPA_MAX_AXES][2];
	int64_t grown[MPA_MAX_AXES][2];
	const struct mpa_wall *wall[MPA_MAX_AXES][2];
};

struct mpa_need {
	int64_t array;
	int64_t width[MPA_MAX_AXES][2];
	int64_t diagonal;
};

/* How each axis of a region is bounded; bounds stand in the table of arguments as lo, hi. */
enum mpa_part { MPA_ALL, MPA_RANGE, MPA_AT };
struct mpa_slice { int64_t part, has_lo, has_hi, step; };    /* step: not 0 */

enum mpa_reduction { MPA_SUM, MPA_PROD, MPA_MIN, MPA_MAX, MPA_ANY, MPA_ALL_TRUE, MPA_ARGMIN,
	             MPA_ARGMAX, MPA_CUMSUM, MPA_CUMPROD };     /* scans: of mpa_fold only */
struct mpa_result { int64_t reduction, elem; };      /* elem: of the values added */

struct mpa_run_info {
	const char *where;
	struct mpa_call call;
	int64_t grid;
	struct mpa_slice region[MPA_MAX_AXES];
	int64_t first_region_arg;
	int64_t grow[MPA_MAX_AXES][2];
	int64_t n_needs;
	const struct mpa_need *need;
	int64_t margin[MPA_MAX_AXES][2];
	int64_t n_commits;
	const int64_t *commit;
	int64_t n_swaps;
	const int64_t (*swap)[2];
	int64_t n_changed;
	const int64_t *changed;
	int64_t n_results;
	const struct mpa_result *result;
};

/* The points of a region of src go to those of a region of dst, position by position. Bounds
 * are Python's, for steps below 0 too; a bound at a time, lo, hi per axis of dst, then
 * of src, from first_arg on (AT: lo). Every ranged axis of src stands at one ranged axis of dst. */
struct mpa_copy_info {
	const char *where;
	int64_t dst, src;                    /* array ids; equal elem */
	struct mpa_slice to[MPA_MAX_AXES], from[MPA_MAX_AXES];
	int64_t pair[MPA_MAX_AXES];          /* per axis of dst: that of src; -1: none (AT, or repeated) */
	int64_t first_arg;
};

struct mpa_param_info {
	const char *name;
	int64_t elem;
	const char *help;
	const char *shown;                   /* default as written */
};

/* What programs in C find: fields declared at the top level, and exported functions, with
 * an entry for each choice of fields. */
struct mpa_name_info { const char *name; int64_t array; };
struct mpa_session;
struct mpa_entry_info {
	const int64_t *array;                /* per parameter that is a field */
	/* args: 8 bytes per parameter, the value's own bytes first; result as in memory */
	void (*call)(struct mpa_session *s, const int64_t *args, void *result);
};
struct mpa_export_info {
	const char *name;
	int64_t n_params;
	const int64_t *param;                /* enum mpa_elem; 0: a field */
	int64_t result;                      /* enum mpa_elem; 0: none */
	int64_t n_entries;
	const struct mpa_entry_info *entry;
};

struct mpa_program {
	int64_t abi;                         /* MPA_ABI_VERSION */
	const char *name;                    /* "heat" */
	const char *file;                    /* "heat.mpa" */
	const char *doc;
	const char *compiler;                /* "mpac 0.1.0" */
	const char *arithmetic;              /* in which way it is not strict; "": it is */
	const char *runtime_dir;             /* where the MPI plug-ins are, as compiled in */
	int64_t n_params, n_axes, n_families, n_grids, n_arrays, n_runs, n_copies,
		n_args;
	const struct mpa_param_info *param;
	const struct mpa_axis_info *axis;
	const struct mpa_family_info *family;
	const struct mpa_grid_info *grid;
	const struct mpa_array_info *array;
	const struct mpa_run_info *run;
	const struct mpa_copy_info *copy;
	const char *cuda;                    /* kernels in CUDA C, for NVRTC; NULL: none */
	const char *ptx;                     /* the same in PTX, if mpac could; or NULL */
	void (*body)(struct mpa_session *s); /* the program */
	int64_t n_fields;                    /* both of libraries only */
	const struct mpa_name_info *field;
	int64_t n_functions;
	const struct mpa_export_info *function;
};

/* main of every executable: options, start, program->body, end. */
int mpa_main(int argc, char **argv, const struct mpa_program *program);

#endif
