/* backend/llvm/emit.h - what the files of this back end share
 *
 * reads: a plan   makes: an LLVM module   Each file makes one part of it:
 *
 *   llvm.c     the record backend_llvm, and the life of a module
 *   target.c   the machine: processor, passes, files
 *   scalar.c   one operation on scalars, divide.c // and %; lower.def says which
 *              function makes which
 *   formula.c  elementary functions
 *   kernel.c   KIR to functions; access.c its addresses, sink.c its
 *              reductions, prefetch.c its requests for memory
 *   extern.c   the functions in C that a program calls
 *   host.c     the plan's tree to the function `body`; host_run.c its runs,
 *              host_text.c its texts, host_expr.c its scalars
 *   tables.c   the constant struct mpa_program
 *   library.c  the functions of a library, for programs in C
 *   abi.c      the functions of the run time
 *   ptx.c      KIR to PTX
 *   jit.c      code that runs in this process
 *   debug.c    places in the source, for debuggers
 */
#ifndef BACKEND_LLVM_EMIT_H
#define BACKEND_LLVM_EMIT_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include "backend/backend.h"
#include "schedule/plan.h"
#include "support/map.h"
#include "support/vec.h"

/* ---- the module ---------------------------------------------------------- */

enum abi {
#define ROW(name, result, parameters) ABI_##name,
#include "mpa/abi.def"
#undef ROW
	ABI_COUNT
};

struct debug;

struct emit {
	const struct plan *plan;
	const struct backend_options *options;
	struct diag *diag;
	struct arena *arena;
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMBuilderRef builder;
	LLVMTargetMachineRef machine;
	bool device; /* of a GPU: ptx.c */
	LLVMTypeRef i1, i8, i32, i64, f32, f64, ptr, nothing;
	LLVMValueRef abi[ABI_COUNT]; /* declared when first called */
	LLVMValueRef *external;      /* by air_extern id */
	LLVMValueRef *kernel;        /* by kir_kernel id */
	LLVMValueRef body;
	LLVMValueRef *entry;         /* of a library, by air_entry id */
	VEC(LLVMValueRef) lanes;     /* what is rare, for vectors (formula.c) */
	struct map *texts;   /* text constants already made */
	struct debug *debug; /* NULL without -g */
};

struct emit *emit_new(const struct plan *p, const struct backend_options *o,
		      struct diag *d);
/* For PTX; NULL: this LLVM makes none. */
struct emit *emit_new_device(const struct plan *p, const struct backend_options *o,
			     struct diag *d);
void emit_free(struct emit *e);
void emit_fail(struct emit *e, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
bool emit_verify(struct emit *e, const char *after);

LLVMValueRef emit_i64(struct emit *e, int64_t value);
LLVMValueRef emit_text(struct emit *e, const char *text); /* NULL: a null pointer */
LLVMValueRef emit_where(struct emit *e, struct span at);  /* "heat.mpa:12:5" */
LLVMValueRef emit_alloca(struct emit *e, LLVMTypeRef type,
			 const char *name); /* at entry */
LLVMBasicBlockRef emit_block(struct emit *e,
			     const char *name); /* in the current function */
LLVMAttributeRef emit_attribute(struct emit *e, const char *name, uint64_t value);
bool emit_is_open(struct emit *e); /* no terminator yet */

/* ---- target.c ------------------------------------------------------------ */
bool target_open(struct emit *e);
bool target_open_device(struct emit *e); /* false: there is none, and nothing is told */
const char *target_text(struct emit *e, struct arena *a); /* assembly; NULL: told */
bool target_optimise(struct emit *e);
bool target_write(struct emit *e, enum backend_form form, FILE *out);
LLVMMemoryBufferRef target_object(struct emit *e); /* NULL: told */
void target_prepare_function(struct emit *e, LLVMValueRef function);

/* ---- scalar.c ------------------------------------------------------------ */
struct scalar_op {
	enum air_op op;
	enum elem elem; /* of the result */
	enum elem from; /* of the last argument */
	int n;
	LLVMValueRef *arg;
	int exponent; /* POWI */
	const struct air_extern *function; /* EXTERN */
};
LLVMTypeRef scalar_type(struct emit *e, enum elem elem);   /* a value: bool is i1 */
LLVMTypeRef scalar_memory(struct emit *e, enum elem elem); /* in memory: bool is i8 */
LLVMValueRef scalar_constant(struct emit *e, enum elem elem, int64_t i, double f);
LLVMValueRef scalar_load(struct emit *e, enum elem elem, LLVMValueRef from);
void scalar_store(struct emit *e, enum elem elem, LLVMValueRef value, LLVMValueRef to);
LLVMValueRef scalar_emit(struct emit *e, const struct scalar_op *o);

/* ---- abi.c --------------------------------------------------------------- */
LLVMValueRef abi_call(struct emit *e, enum abi function, LLVMValueRef *arg);
/* Values to and from the 8 bytes in which the ABI passes integers and bools. */
LLVMValueRef abi_widen(struct emit *e, enum elem elem, LLVMValueRef value);
LLVMValueRef abi_narrow(struct emit *e, enum elem elem, LLVMValueRef value);

/* ---- extern.c ------------------------------------------------------------ */
/* Declares the functions in C, before anything else takes their names. */
void extern_declare(struct emit *e);

/* ---- formula.c ----------------------------------------------------------- */
void formula_keep(struct emit *e); /* when all is made */

/* ---- kernel.c, host.c, tables.c ------------------------------------------ */
LLVMValueRef kernel_emit(struct emit *e, const struct kir_kernel *k);
void host_emit(struct emit *e);
LLVMValueRef tables_emit(struct emit *e); /* the struct mpa_program */
void library_emit(struct emit *e, LLVMValueRef program); /* library.c */

/* ---- jit.c --------------------------------------------------------------- */
void *jit_open(struct diag *d);
const struct mpa_program *jit_load(void *engine, void *self);
bool jit_add(void *engine, const char *path);
void jit_close(void *engine);

/* ---- debug.c: all do nothing without -g ---------------------------------- */
void debug_open(struct emit *e);
void debug_close(struct emit *e);
void debug_function(struct emit *e, LLVMValueRef function, const char *name,
		    struct span at);
void debug_place(struct emit *e, struct span at);
void debug_no_place(struct emit *e);
void debug_variable(struct emit *e, LLVMValueRef slot, const struct air_var *v);

#endif
