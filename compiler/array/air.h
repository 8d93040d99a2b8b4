/* array/air.h - AIR: what a program means
 *
 * Structured statements over typed, pure, whole-field expressions with constant
 * shifts. Generics are instantiated, functions expanded, names resolved, weak
 * operands converted (CAST is explicit). Made by sema, read by schedule and by the
 * evaluator; never sees syntax, kernels or the run time.
 *
 * THE POINT. An expression over a grid is evaluated at a point p of it. READ takes
 * a field at p + offset; a field that lacks an axis of p does not vary along it;
 * INDEX and COORD take p's own index + offset and are never wrapped or clamped.
 * A shift of an expression is a new expression with all offsets moved (air_shift),
 * so AIR has no shift operation. Points pair by index also where a field is longer or
 * shorter along an axis than the grid of the expression (faces and cells): a point that
 * the field lacks lies beyond its wall. The grid of an operation has the axes of its
 * arguments, each as long as the longest; what it is evaluated on its statement says.
 *
 * BEYOND A WALL. A READ that falls outside the field's grid gives
 *   - along a periodic axis the wrapped point (any number of wraps);
 *   - along another axis the field's ghost value: what field->ghost says for that
 *     axis and side, axes resolved from the LAST of the grid's written order to the
 *     first (so axis 0 is padded first, and later axes pad what is already padded):
 *     GHOST_EXPR  the condition, evaluated at the ghost point p itself: INDEX and
 *                 COORD count on beyond the wall along axes that are not periodic
 *                 and along periodic axes BEFORE this one; along periodic axes after
 *                 it they are wrapped. MIRROR is the same field at p mirrored along
 *                 that axis: EDGE the nearest point; SYMMETRIC k -> k-1; REFLECT
 *                 about the edge value (if the axis has one point: that point).
 *                 Mirrored points may lie beyond the other wall or in ghosts of
 *                 earlier axes: the rule applies again.
 *     GHOST_COMPUTED  (stages only) the stage's value expression evaluated at p, which
 *                 is first wrapped along all periodic axes.
 *     GHOST_NONE  there is none; sema has proved or guards (CHECK) that none is read.
 *
 * STAGES are lets of field expressions: fields of kind FIELD_STAGE that are written
 * by exactly one STAGE statement in the text, with the value they had then, ghosts
 * included. Whether one is stored or recomputed is the scheduler's business.
 *
 * A CALL'S effects, reductions, element reads and draws are hoisted: expressions are
 * pure, and scalar expressions read variables only (but a part of a field expression may
 * be a READ whose axes are all fixed, and thus a scalar).
 */
#ifndef ARRAY_AIR_H
#define ARRAY_AIR_H

#include <stdio.h>
#include "types/types.h"

enum air_op {
#define ROW(id, text, arity) AIR_##id,
#include "array/air.def"
#undef ROW
	AIR_OP_COUNT
};

const char *air_op_text(enum air_op op);
int air_op_arity(enum air_op op);            /* -1: any number */

enum { MAX_EXTERN_PARAMS = 16 };

enum air_mirror { MIRROR_EDGE, MIRROR_SYMMETRIC, MIRROR_REFLECT };

/* How a READ chooses along one axis of the field's grid (in its order). */
enum air_pick { PICK_OFFSET, PICK_FIXED };
struct air_select {
	enum air_pick pick;
	int64_t offset;                      /* PICK_OFFSET: point + offset */
	const struct air_expr *index;        /* PICK_FIXED: i64 scalar, counted from 0, a
	                                      * component of a local axis; in range by CHECK */
};

struct air_var {
	int id;                              /* dense in the program */
	const char *name;                    /* made-up ones: "sum.3" */
	enum elem elem;
	struct span span;
};

/* A place along an axis, which a grid has as it is or extended. */
struct air_place {
	const struct axis *axis;
	int ext;                             /* STEP: 0; SIZE of a periodic axis: 0; never
	                                      * EXT_OPEN in what sema has finished */
	int64_t offset;                      /* SIZE, STEP: 0 */
};

/* `extern fn`: a function that the linker finds. */
struct air_extern {
	int id;                              /* dense in the program */
	const char *name;                    /* its symbol */
	struct span span;
	enum elem elem;                      /* of the result: no str */
	int n_params;
	const enum elem *param;
	/* For the evaluator, set by whoever has loaded the function: args and result are
	 * union scalar. NULL: it cannot be called. */
	void (*call)(const void *args, void *result);
};

struct air_expr {
	enum air_op op;
	enum elem elem;
	struct grid *grid;                   /* NULL: a scalar, the same on every rank */
	struct span span;                    /* of the first place that made it */
	int id;                              /* dense; arguments have smaller ids */
	int n_args;
	const struct air_expr *const *arg;
	union {
		int64_t i;                   /* CONST of bool and integers; POWI; RANDOM */
		double f;                    /* CONST of reals */
		const char *text;            /* CONST of str */
		const struct air_var *var;
		struct { struct air_field *field; const struct air_select *at; } read;
		struct air_place at;         /* INDEX COORD SIZE STEP */
		enum air_mirror mirror;
		const struct air_extern *function;   /* EXTERN */
	} as;
};

enum air_field_kind { FIELD_DECLARED, FIELD_STAGE };
enum air_ghost_kind { GHOST_NONE, GHOST_EXPR, GHOST_COMPUTED };
struct air_ghost {
	enum air_ghost_kind kind;
	const struct air_expr *value;        /* GHOST_EXPR: of the field's elem; grid: the
	                                      * field's or less */
	struct span span;
};

struct air_field {
	int id;                              /* dense in the program */
	enum air_field_kind kind;
	const char *name;                    /* made-up ones: "mask.2" */
	enum elem elem;
	struct grid *grid;
	struct air_ghost ghost[MAX_AXES][2]; /* [axis of the grid][0 low, 1 high] */
	bool made;                           /* DECLARED, but by no declaration: what is
	                                      * written to it and never read may be dropped */
	const struct air_expr *value;        /* stages */
	struct span span;
};

/* A part of a field's grid, as written: NumPy's rules, resolved when it runs.
 * Negative constants count from the end; bounds are clamped; AT is in range or fails. */
enum air_part { PART_ALL, PART_RANGE, PART_AT };
struct air_slice {
	enum air_part part;
	const struct air_expr *lo, *hi;      /* i64 scalars; NULL: open. AT: lo is the index */
	int64_t step;                        /* not 0; below 0 as in Python */
};
struct air_region {
	struct air_slice axis[MAX_AXES];     /* in the field's grid order */
};

/* The points of a part of `from` go to those of a part of `to`, position by position:
 * along each axis of `to` that is no AT, the positions are those of axis pair[...] of
 * `from`, or, where that is -1, all get the same. Each axis of `from` that is no AT is
 * paired once. Pairs of parts must have equal counts (checked when it runs). All is
 * read before anything is written. No ghosts are read. */
struct air_copy {
	struct air_field *to, *from;         /* of equal elem; `to` is no stage */
	struct air_region to_region, from_region;
	int pair[MAX_AXES];
};

struct air_target {
	struct air_field *field;
	struct air_region region;
	const struct air_expr *value;        /* of the field's elem; its grid is within the field's */
};

enum air_reduction { REDUCE_SUM, REDUCE_PROD, REDUCE_MIN, REDUCE_MAX, REDUCE_ANY, REDUCE_ALL,
	             REDUCE_ARGMIN, REDUCE_ARGMAX, REDUCE_CUMSUM, REDUCE_CUMPROD };

/* Along some axes of a field, all points across them for themselves. Reductions: `to` is on
 * the grid without them; sums are exact, rounded once; products go by pairs of the flat
 * index (C order) along these axes; argmin and argmax have one axis and give the index
 * along it. CUMSUM and CUMPROD have one axis too, keep the grid, and go from left to right
 * in the field's own type. Reads no ghosts. */
struct air_fold {
	struct air_field *to, *from;         /* `to`: of air_reduced_elem */
	unsigned axes;                       /* bits: of the axes of from->grid; not all of them,
	                                      * unless `to` keeps the grid */
	enum air_reduction reduction;
};

enum air_piece_kind { PIECE_TEXT, PIECE_SCALAR, PIECE_FIELD };
struct air_piece {                           /* of a printed line or of a text */
	enum air_piece_kind kind;
	const char *text;                    /* PIECE_TEXT */
	const struct air_expr *value;        /* PIECE_SCALAR */
	const char *format;                  /* PIECE_SCALAR: "" or the spec */
	struct air_field *field;             /* PIECE_FIELD */
};
struct air_text { int n; struct air_piece *piece; };

struct air_item {                            /* of a file: a field or a scalar */
	const struct air_expr *name;         /* str: of its dataset */
	struct air_field *field;             /* or, saved, */
	const struct air_expr *value;        /* a scalar, or, loaded, */
	const struct air_var *var;
	/* Of a field in a file that tells places: the coordinate of the first point and the
	 * spacing per axis that is not local, f64 scalars; else all are NULL. */
	const struct air_expr *first[MAX_AXES], *step[MAX_AXES];
};

enum air_stmt_kind {
	STMT_GRID,      /* family: its base axes' sizes are known from here, and which points of
	                 * its parent they are if it is sliced; with `axis`: that
	                 * of one added local axis. Once each, before use */
	STMT_FIELD,     /* field: begins to live here, zeros */
	STMT_ASSIGN,    /* targets all at once; mask or NULL */
	STMT_STAGE,     /* field->value, evaluated here */
	STMT_COPY,      /* copy */
	STMT_SET,       /* var = value */
	STMT_REDUCE,    /* var = reduction of value over all points of grid, or, where that is
	                 * NULL, of value->grid */
	STMT_FOLD,      /* fold->to, which lives from here, is made of fold->from */
	STMT_ELEMENT,   /* var = field[index...]; negative counts from the end; out of range fails */
	STMT_DRAW,      /* var (i64) = the next count of random draws */
	STMT_RANDOM,    /* var (f64) = a random scalar, key `value`; uniform or normal */
	STMT_TEXT,      /* var (str) = text */
	STMT_IF,        /* value, body, other */
	STMT_LOOP,      /* body for ever: left by BREAK */
	STMT_FOR,       /* var = from, from + by, ... < to (by < 0: > to); body. from and to are
	                 * read once; by == 0 fails */
	STMT_BREAK,
	STMT_CONTINUE,
	STMT_CHECK,     /* fails with `text` unless value holds (assert, and guards) */
	STMT_PRINT,     /* text, and a line end */
	STMT_SAVE,      /* items into the file `value` (str) */
	STMT_LOAD,      /* items from the file `value`; with `only`: from a file's only
	                 * dataset if none has the name */
	STMT_SHAPE,     /* var = shape(value, axis `from`), of the dataset item[0].name, "":
	                 * the only one */
	STMT_PLOT,      /* a picture of item[0], which is called by its name, into the file `value` */
	STMT_EXISTS,    /* var = exists(value) */
	STMT_CLOCK,     /* var = seconds */
	STMT_EXIT,      /* status value */
	STMT_BACKEND,   /* value (str): the default of --backend */
	STMT_RANKS,     /* var = the number of ranks */
	STMT_CHECKING,  /* var = is the program run with --check? */
	STMT_LOCAL,     /* body: each rank for itself; values may differ between ranks, so none
	                 * leaves it, and only stmt_is_local ones stand in it. What it prints
	                 * appears when all have ended it, by rank */
	STMT_RANK,      /* var = the rank; in LOCAL */
	STMT_EXPORT,    /* entry, body: runs when `entry` is called from outside, never by going
	                 * on; so stands in a LOOP that holds all of them and ends with BREAK */
	STMT_BOUND      /* var = where the rank's block of grid begins along axis, or, where `to`
	                 * is 1, ends; in LOCAL */
};

struct air_block { struct air_stmt *first, *last; };

struct air_stmt {
	enum air_stmt_kind kind;
	struct span span;
	struct air_stmt *next;
	struct family *family;               /* GRID */
	const struct axis *axis;             /* GRID: the added axis, or NULL; BOUND */
	struct air_field *field;             /* FIELD STAGE ELEMENT */
	int n_targets;                       /* ASSIGN */
	struct air_target *target;
	const struct air_expr *mask;         /* ASSIGN: bool, or NULL */
	const struct air_copy *copy;         /* COPY */
	const struct air_var *var;
	const struct air_expr *value;
	bool normal;                         /* RANDOM */
	enum air_reduction reduction;
	const struct air_fold *fold;         /* FOLD */
	struct grid *grid;                   /* REDUCE: contains the value's grid, or NULL; BOUND */
	const struct air_expr *index[MAX_AXES];      /* ELEMENT: i64 scalars */
	const struct air_expr *from, *to, *by;       /* FOR; SHAPE: from; BOUND: to, 0 or 1 */
	const struct air_entry *entry;       /* EXPORT */
	struct air_text text;
	int n_items;                         /* SAVE LOAD SHAPE PLOT */
	struct air_item *item;
	bool only;                           /* LOAD: see there */
	struct air_block body, other;
};

struct air_param {
	const struct air_var *var;
	const char *text;                    /* for --help, "" if none */
	const struct air_expr *value;        /* its default: may read earlier parameters */
	const char *shown;                   /* the default as written */
	struct span span;
};

/* A program whose text is given bit by bit: of variables and fields with smaller numbers,
 * and of axes, `body` is not the beginning; values of variables and fields flagged in
 * `keep` may be asked for after its end. Both empty in a whole program. */
struct air_known { int n_vars, n_fields, n_axes; };
struct air_keep { int n_vars, n_fields; const bool *var, *field; };

/* `export fn`: what a program in C can call. Arguments in the order written: scalars, each
 * in a variable, and fields, for which there is an entry per choice of declared ones. */
struct air_export_param {
	const char *name;
	bool changes;                        /* a `var` parameter: a field */
	const struct air_var *var;           /* NULL: a field */
};
struct air_entry {
	const struct air_export *function;
	struct air_field *const *field;      /* per parameter that is a field */
	int id;                              /* dense in the program */
};
struct air_export {
	const char *name, *doc;              /* doc: "" if none */
	struct span span;
	int n_params, n_entries, n_fields;   /* n_fields: parameters that are fields */
	const struct air_export_param *param;
	const struct air_entry **entry;
	const struct air_var *result;        /* NULL: none */
};

struct air_program {
	struct arena *arena;
	struct types types;
	const char *file;                    /* as given to mpac */
	const char *doc;
	int n_vars, n_fields, n_params, n_exprs, n_externs;
	struct air_var **var;                /* by id */
	struct air_field **field;            /* by id */
	struct air_param *param;             /* in order */
	struct air_extern **external;        /* by id */
	int n_exports, n_entries, n_names;
	struct air_export **export;          /* as declared */
	struct air_field **name;             /* declared at the top level, to be found by name */
	struct air_block body;
	struct air_table *table;             /* hash-consing, private to build.c */
	struct air_known known;              /* before `body` */
	struct air_keep keep;                /* after it */
};

/* COORD on an axis of n points: OVER lo..hi has step (hi - lo) / n and point i at
 * lo + (i + 0.5) * step; NODES step (hi - lo) / (n - 1) and lo + i * step; all in f64,
 * operation by operation, i an i64 converted. INDEX: step 1, point i at i. COORD and STEP
 * of a sliced axis are made of those of the axis from which it is: operations on its
 * INDEX, the `start` of the slice, and that axis' ends and STEP. On an axis that
 * is extended by e, i is less by e / 2: to i, as f64, air_half_steps is added (not where
 * it is 0). Steps are those of the axis itself.
 *
 * build.c - construction. Expressions are hash-consed: equal ones are one object, so
 * they compare by pointer. The builders fold constants exactly as the language
 * computes (x + 0 is NOT x for reals: -0), and check nothing but assertions. */
struct air_program *air_new(struct arena *a, const char *file);
struct air_var *air_var_new(struct air_program *p, const char *name, enum elem e, struct span at);
struct air_field *air_field_new(struct air_program *p, enum air_field_kind kind, const char *name,
                                enum elem e, struct grid *g, struct span at);
struct air_extern *air_extern_new(struct air_program *p, const char *name, int n_params,
                                  struct span at);
struct air_export *air_export_new(struct air_program *p, const char *name, struct span at);
void air_name_add(struct air_program *p, struct air_field *f);
const struct air_expr *air_int(struct air_program *p, enum elem e, int64_t i);  /* bool too */
const struct air_expr *air_real(struct air_program *p, enum elem e, double f);
const struct air_expr *air_string(struct air_program *p, const char *text);
const struct air_expr *air_read_var(struct air_program *p, const struct air_var *v, struct span at);
const struct air_expr *air_read(struct air_program *p, struct air_field *f,
                                const struct air_select *at, struct span span);
const struct air_expr *air_at(struct air_program *p, enum air_op op, const struct axis *a,
                              int64_t offset, struct span span);   /* INDEX COORD SIZE STEP */
const struct air_expr *air_at_place(struct air_program *p, enum air_op op,
                                    struct air_place at, struct span span);
const struct air_expr *air_size(struct air_program *p, const struct grid *g, int i);
double air_half_steps(const struct air_place *at);
const struct air_expr *air_mirror(struct air_program *p, struct air_field *f, enum air_mirror m,
                                  struct span span);
const struct air_expr *air_op(struct air_program *p, enum air_op op, enum elem e,
                              const struct air_expr *const *arg, int n, struct span span);
const struct air_expr *air_powi(struct air_program *p, const struct air_expr *x, int exponent,
                                struct span span);
const struct air_expr *air_random(struct air_program *p, struct grid *g, enum elem e,
                                  const struct air_expr *key, int normal, struct span span);
const struct air_expr *air_call(struct air_program *p, const struct air_extern *f,
                                const struct air_expr *const *arg, struct span span);
/* complex.c - complex values of their parts. air_op, air_powi and air_cast of complex
 * arguments give expressions over these. */
const struct air_expr *air_complex(struct air_program *p, const struct air_expr *re,
                                   const struct air_expr *im);
const struct air_expr *air_part_of(struct air_program *p, const struct air_expr *e, int part);
bool air_is_constant(const struct air_expr *e);      /* complex ones too */
const struct air_expr *air_cast(struct air_program *p, const struct air_expr *x, enum elem e);
struct air_stmt *air_stmt_new(struct air_program *p, struct air_block *b, enum air_stmt_kind k,
                              struct span span);     /* appended to b */
/* Is it CONST, of a kind that is asked for (i: bool or integer, f: real; none: any)? */
bool air_constant(const struct air_expr *e, int64_t *i, double *f);
bool reduction_is_scan(enum air_reduction r);          /* CUMSUM, CUMPROD */
/* Of the result: sums and products are f64, i64 or, products only, c128; any, all: of
 * bools. */
enum elem air_reduced_elem(enum air_reduction r, enum elem e);
/* May it stand in a LOCAL block: does it concern this rank alone? */
bool stmt_is_local(enum air_stmt_kind k);
/* The operation of e (not a leaf), its own exponent or kind kept, on other arguments. */
const struct air_expr *air_rebuild(struct air_program *p, const struct air_expr *e,
                                   const struct air_expr *const *arg);

/* rewrite.c - new expressions from old */
/* All READ, INDEX, COORD of the axis move by offset. Fields and stages keep their own
 * ghosts. No RANDOM or MIRROR may be in e: draws are named by a stage first. */
const struct air_expr *air_shift(struct air_program *p, const struct air_expr *e,
                                 const struct axis *a, int64_t offset);
/* The axis' point becomes `index` (an i64 scalar): READ along it become FIXED at index +
 * offset, INDEX index + offset. For components and sums over local axes. */
const struct air_expr *air_fix(struct air_program *p, const struct air_expr *e,
                               const struct axis *a, const struct air_expr *index);
/* Reads of a stage are replaced by its value, shifted; for any expression. */
const struct air_expr *air_inline(struct air_program *p, const struct air_expr *e,
                                  const struct air_field *stage);
/* Leaves of e that stand in the list become what the list says. */
struct air_replace { const struct air_expr *from, *to; };
const struct air_expr *air_replace(struct air_program *p, const struct air_expr *e,
                                   const struct air_replace *with, int n);

/* footprint.c - which points around the one computed are read */
struct air_reach { int64_t lo[MAX_AXES], hi[MAX_AXES]; int diagonal; bool any; };
/* offsets lo <= 0 .. hi >= 0 at which e reads f, per axis of f's grid; diagonal: most axes
 * displaced in one read. Does not look into stages. */
struct air_reach air_reach_of(const struct air_expr *e, const struct air_field *f);
struct air_field_set { int n, room; struct air_field **field; struct arena *arena; };
void air_fields_read(const struct air_expr *e, struct air_field_set *set);   /* each once */
bool air_reads_shifted(const struct air_expr *e, const struct axis *a);      /* along a */
bool air_reads_var(const struct air_expr *e, const struct air_var *v);       /* not into stages */

bool air_keeps_var(const struct air_program *p, const struct air_var *v);
bool air_keeps_field(const struct air_program *p, const struct air_field *f);

/* print.c, verify.c, evaluate.c */
void air_print(const struct air_program *p, FILE *out);                /* --emit=air */
const char *air_reduction_text(enum air_reduction r);
void air_stmt_print(const struct air_stmt *s, int depth, FILE *out);
void air_expr_print(const struct air_expr *e, FILE *out);
const char *air_verify(const struct air_program *p);                   /* NULL: fine */

#endif
