/* backend/backend.h - from a plan to a file
 *
 * A back end is one constant record. begin makes the code of a plan, optimise improves
 * it, write gives it a form; each says false when it failed, and has told diag why.
 * Instead of being written, code can be loaded by an engine, and run in this process.
 * The core of the compiler runs with the back end `null` as with any other.
 */
#ifndef BACKEND_BACKEND_H
#define BACKEND_BACKEND_H

#include <stdbool.h>
#include <stdio.h>

struct arena;
struct diag;
struct mpa_program;
struct plan;

enum backend_form { FORM_LLVM, FORM_ASSEMBLY, FORM_OBJECT, FORM_SOURCE, FORM_CUDA };

/* Kernels for GPUs; made by backend/c/cuda.c, whichever back end makes the rest. */
struct backend_cuda {
	const char *text;        /* for NVRTC */
	const char *ptx;         /* backend_ptx_of; NULL: not made */
	const char **kernel;     /* its name in the text, by kir_kernel id; NULL: not there */
};
struct backend_cuda *backend_cuda_of(const struct plan *p, struct arena *a);
struct backend_options;
/* The same kernels in PTX, made by backend/llvm/ptx.c. NULL: this LLVM makes none, or
 * told. */
const char *backend_ptx_of(const struct plan *p, const struct backend_cuda *cuda,
			   const struct backend_options *o, struct arena *a, struct diag *d);

struct backend_options {
	const char *program;     /* what the executable calls itself: "heat" */
	const char *compiler;    /* "mpac 0.1.0" */
	const char *arithmetic;  /* what the program says of it; "": strict */
	const char *runtime_dir; /* where the run time looks for its plug-ins */
	const char *cpu;         /* NULL: the one this runs on */
	int level;               /* 0 to 3 */
	bool debug;              /* lines and variables for debuggers */
	bool verify;             /* check what was made after each step */
	bool resident;           /* variables live on in the session, loops may be stopped */
	const char *library;     /* what a library's functions begin with: "heat"; NULL: none.
	                          * Its variables live on in the session, too */
	const struct backend_cuda *cuda; /* or NULL */
	const char *symbol;      /* to be loaded: what its tables are called; NULL: to be
	                          * linked, with a main */
};

struct backend {
	const char *name, *help;
	bool source;             /* makes C (FORM_SOURCE), for the system's compiler, and
	                          * CUDA C of kernels; others make none of these */
	/* NULL when it failed; what is returned is given to end. The options and the plan
	 * must live until then. */
	void *(*begin)(const struct plan *p, const struct backend_options *o,
		       struct diag *d);
	bool (*optimise)(void *self);
	bool (*write)(void *self, enum backend_form form, FILE *out);
	void (*end)(void *self);
	/* An engine, or NULL; load gives the tables of what was made with a symbol that no
	 * other has, and they live until close. All NULL where code cannot be loaded. */
	void *(*open)(struct diag *d);
	const struct mpa_program *(*load)(void *engine, void *self);
	bool (*add)(void *engine, const char *path); /* an object to link with */
	void (*close)(void *engine);
};

extern const struct backend backend_c, backend_llvm, backend_null;
extern const struct backend
	*const backends[]; /* ends with NULL; the first is the default */

#endif
