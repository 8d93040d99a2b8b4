/* device/emu/ptx_module.h - PTX as it is decoded, and a warp that runs it; private to ptx*.c
 *
 * Registers are numbered per kernel, those of constants and of special registers too, which
 * are filled when a warp starts. A row holds the 32 lanes of one; each slot is 64 bits, of
 * which narrower values take the low ones, zeros above. Predicates are 0 or 1. */
#ifndef MPA_DEVICE_EMU_PTX_MODULE_H
#define MPA_DEVICE_EMU_PTX_MODULE_H

#include "device/emu/ptx.h"

enum {
	PTX_LANES = 32,
	PTX_OPERANDS = 9,         /* sources, destinations: at most */
	PTX_BARRIERS = 16,
	PTX_EXTENTS = 32,
	PTX_NONE = -1,
};
#define PTX_ALL 0xffffffffu

union ptx_slot {
	uint64_t u;
	double d;
	float f;                  /* little-endian: the low 4 bytes */
};

struct ptx_warp;
struct ptx_instr;
/* Runs one instruction for the lanes of the mask. */
typedef void ptx_run_fn(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask);

enum ptx_type {
	PTX_U8, PTX_S8, PTX_B8, PTX_U16, PTX_S16, PTX_B16, PTX_U32, PTX_S32, PTX_B32, PTX_U64,
	PTX_S64, PTX_B64, PTX_F32, PTX_F64, PTX_PRED, PTX_TYPES
};
enum ptx_space { PTX_GENERIC, PTX_GLOBAL, PTX_CONST, PTX_SHARED, PTX_LOCAL, PTX_PARAM };
enum ptx_rounding { PTX_RN, PTX_RZ, PTX_RM, PTX_RP };

/* Branches and the like say what the warp does next. */
enum ptx_flow {
	PTX_NEXT, PTX_BRANCH, PTX_EXIT, PTX_TRAP,
	PTX_MEET,     /* runs once all lanes that its last source names have come */
	PTX_BARRIER,  /* goes on once the threads of the block have come */
};

struct ptx_instr {
	ptx_run_fn *run;          /* NULL: nothing but what flow says */
	enum ptx_flow flow;
	int guard;                /* a predicate, or PTX_NONE */
	bool guard_not;
	int dst[PTX_OPERANDS], src[PTX_OPERANDS];
	int n_dst, n_src;
	int64_t offset;           /* of an address; of a branch: the instruction it goes to */
	enum ptx_type type, from; /* from: cvt */
	enum ptx_space space;
	enum ptx_rounding rounding;
	bool to_integer;          /* cvt.rni and the like */
	bool saturate;
	bool flush, approximate;  /* .ftz, .approx */
	bool high, carry;         /* of mad: the upper half; .cc */
	ptx_run_fn *test;         /* of setp */
	bool constant, strong;    /* .nc; .volatile, .relaxed and the like, atomics */
	int operation;            /* of atom, shfl, vote, bar: by the table of that */
	int file, line;           /* of the source, by .loc; 0: unknown */
	int number;               /* in the kernel */
	int text_line;            /* of the PTX */
	const char *text;         /* "add.rn.f64" */
};

/* Special registers; %tid.x … are 3 numbers each. */
enum ptx_special {
	PTX_TID, PTX_NTID = 3, PTX_CTAID = 6, PTX_NCTAID = 9, PTX_LANEID = 12, PTX_WARPID,
	PTX_LANEMASK_LT, PTX_LANEMASK_LE, PTX_LANEMASK_EQ, PTX_LANEMASK_GE, PTX_LANEMASK_GT,
	PTX_NWARPID, PTX_WARPSIZE, PTX_ZERO, PTX_CLOCK,
	PTX_DYNAMIC,              /* where dynamic shared memory begins */
	PTX_SPECIALS
};

struct ptx_preset {
	int reg;
	int special;              /* or PTX_NONE: */
	uint64_t value;
};

struct ptx_param { int offset, bytes; };

struct ptx_kernel {
	struct ptx_kernel *next;
	struct ptx_module *module;
	const char *name;
	int n_params;
	struct ptx_param *param;
	struct ptx_needs needs;
	int64_t dynamic;          /* where dynamic shared memory begins */
	int n_regs, n_presets, n_instrs;
	struct ptx_preset *preset;
	struct ptx_instr *instr;
};

struct ptx_var {
	struct ptx_var *next;
	const char *name;
	uint64_t at, bytes;
};

/* Of all kernels that use it: each block has its own. */
struct ptx_shared {
	struct ptx_shared *next;
	const char *name;
	int64_t align, bytes;     /* bytes 0: as many as the launch gives */
};

struct ptx_module {
	struct ptx_memory memory;
	struct ptx_kernel *kernels;
	struct ptx_var *vars;
	struct ptx_shared *shared;
	int n_files;
	const char **file;        /* by .file number; NULL: not given */
	struct ptx_piece *pieces;
};

/* Zeroed memory that lives as long as the module; NULL: there is none. */
void *ptx_keep(struct ptx_module *m, size_t bytes);

/* ---- ptx_lex.c ------------------------------------------------------------------- */

enum ptx_token { PTX_END, PTX_WORD, PTX_NUMBER, PTX_STRING, PTX_SIGN };

/* The token at hand: WORDs are names, directives and instructions ("%rd4", ".reg",
 * "add.s64"), SIGNs one character. */
struct ptx_lex {
	const char *at;
	int line;
	enum ptx_token token;
	const char *start;
	size_t length;
};

void ptx_next(struct ptx_lex *lex);
bool ptx_is(const struct ptx_lex *lex, const char *text);
/* The bits of "0d3FF0…", "0f3F80…", and of integers in C's notations. */
bool ptx_number(const struct ptx_lex *lex, uint64_t *bits);

/* ---- ptx_decode.c: who runs an instruction --------------------------------------- */

/* Fills run, flow, type, space, n_dst, … from "ld.global.nc.v2.f64". False: unknown. */
bool ptx_decode(struct ptx_instr *in, const char *text);
bool ptx_type_of(const char *text, enum ptx_type *type);
int ptx_type_bytes(enum ptx_type type);

/* ---- a warp -------------------------------------------------------------------- */

struct ptx_block {
	const struct ptx_launch *launch;
	const struct ptx_kernel *kernel;
	uint32_t index[3];
	const char *params;
	char *shared;
	int64_t shared_bytes;
	int n_warps;
	struct ptx_warp *warp;
	struct ptx_extent extent[PTX_EXTENTS];  /* that instructions have met, by number */
	int arrived[PTX_BARRIERS]; /* threads that came to it and did not wait */
	uint32_t interval;        /* barriers that were passed */
	uint32_t epoch;           /* of the launch, in the shadow */
	struct ptx_fault *fault;
};

struct ptx_warp {
	union ptx_slot (*reg)[PTX_LANES];
	struct ptx_block *block;
	int first;                /* thread of lane 0 */
	uint32_t live, waiting;   /* waiting: at a barrier, at w->pc */
	uint32_t carry;
	uint32_t meeting;         /* how often bar.warp.sync was passed */
	uint32_t gathered;        /* wait for lanes of the warp, at w->pc */
	int pc[PTX_LANES];        /* of lanes that are not running */
	char *local;              /* of each lane, one after the other */
	int64_t steps;
	bool failed;
};

/* The first failure of the launch is kept; lane: which thread, or PTX_NONE. */
void ptx_fail(struct ptx_warp *w, const struct ptx_instr *in, int lane, int code,
	      const char *format, ...) __attribute__((format(printf, 5, 6)));

/* "heat.mpa:12", or the line of the PTX. */
void ptx_place(char *text, size_t n, const struct ptx_kernel *k,
	       const struct ptx_instr *in);

/* Generic addresses of the other spaces: windows where no allocation is. */
#define PTX_SHARED_WINDOW 0x7f0000000000000u
#define PTX_LOCAL_WINDOW  0x7e0000000000000u
#define PTX_WINDOW_BYTES  0x000001000000000u

/* ptx_ops.c: NULL where there is no such instruction */
ptx_run_fn *ptx_alu(const char *text);
/* ptx_real.c, ptx_whole.c */
ptx_run_fn ptx_real, ptx_compare, ptx_carry, ptx_insert, ptx_permute, ptx_logic,
	ptx_dot;
bool ptx_real_known(const char *name, int *number, bool *exact);
bool ptx_carry_known(const char *name, int *number);
int ptx_host_rounding(enum ptx_rounding r);    /* for fesetround */
/* 0: and, 1: or, 2: xor */
uint64_t ptx_joined(int operation, uint64_t a, uint64_t b);
/* ptx_convert.c */
ptx_run_fn ptx_convert;
/* ptx_memory.c: where bytes of a space are for a lane, NULL after a failure */
ptx_run_fn ptx_read, ptx_write, ptx_atomic, ptx_to_generic, ptx_from_generic,
	ptx_is_in;
/* The bytes of a place for a lane; NULL after a failure. */
char *ptx_locate(struct ptx_warp *w, const struct ptx_instr *in, int lane, uint64_t at,
		 int64_t n, bool write);
bool ptx_atomic_known(const char *operation, int *number);
/* ptx_shadow.c, ptx_check.c: where launch->shadow is given */
bool ptx_shadow_shared(struct ptx_shadow *s, uint64_t bytes); /* false: no memory */
/* A launch, or a block of it, with a number of its own. */
uint32_t ptx_shadow_begin(struct ptx_shadow *s, bool block);
struct ptx_range {
	enum ptx_space space;     /* PTX_SHARED, PTX_GLOBAL */
	uint64_t at, n;
	bool write;
	char *host;
};
/* An access that is possible; false: it is wrong, which is told. */
bool ptx_check(struct ptx_warp *w, const struct ptx_instr *in, int lane,
	       const struct ptx_range *range);
/* ptx_print.c: vprintf, __assertfail */
ptx_run_fn ptx_print, ptx_assert;
/* ptx_lanes.c: moves, what lanes tell each other */
ptx_run_fn ptx_move, ptx_pack, ptx_unpack, ptx_shuffle, ptx_vote, ptx_active,
	ptx_match, ptx_reduce;
bool ptx_shuffle_known(const char *mode, int *number);
bool ptx_vote_known(const char *mode, int *number);
bool ptx_reduce_known(const char *mode, int *number);

/* ptx_wait.c: PTX_MEET: whether these lanes are all that are to come */
bool ptx_are_together(const struct ptx_warp *w, const struct ptx_instr *in,
		      uint32_t mask);
void ptx_meet(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask);
/* Runs what gathered lanes wait for, where they are all there; false: nowhere. */
bool ptx_release(struct ptx_warp *w);
/* PTX_BARRIER: what bar.red makes of predicates, and bar.arrive */
enum ptx_arrival { PTX_SYNC, PTX_ARRIVE, PTX_POPC, PTX_AND, PTX_OR };
void ptx_arrive(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask);
/* Lets threads go on from barriers that all have come to; false: all have ended, or
 * none ever can, which is a failure. */
bool ptx_pass_barriers(struct ptx_block *b);

/* The loop over the lanes of a mask. */
#define PTX_EACH(i, mask)                    \
	for (int i = 0; i < PTX_LANES; i++)  \
		if ((mask) >> i & 1)

#endif
