/* compiler/sema/checker.h - the state of one check, and what the files of it share
 *
 * One struct sema checks one program from top to bottom and appends AIR statements
 * to the block it is in. Effects and collectives are hoisted: evaluating an
 * expression may append statements, the expression itself is pure.
 */
#ifndef SEMA_CHECKER_H
#define SEMA_CHECKER_H

#include "sema/sema.h"
#include "sema/value.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/map.h"
#include "support/vec.h"
#include "syntax/ast.h"

enum { ARGUMENTS_MOST = 64, NAMED_MOST = 32 }; /* of a function of the language */
enum { UNROLL_LIMIT = 64, CALL_DEPTH = 100, UNROLL_MOST = 100000 };

#define LOCAL_HINT                                                                       \
	"Ranks may differ in a `local` block, so nothing of it reaches the outside."

enum symbol_kind {
	SYMBOL_LET,
	SYMBOL_VAR,
	SYMBOL_FIELD,
	SYMBOL_GRID,
	SYMBOL_PARAM,
	SYMBOL_LOOP,
	SYMBOL_FUNCTION,
	SYMBOL_MODULE,
	SYMBOL_ARGUMENT,
	SYMBOL_VAR_ARGUMENT
};

struct symbol {
	const char *name;
	enum symbol_kind kind;
	struct value value;
	struct span span;
	int order; /* of its declaration among all */
	struct scope *scope;
};

enum scope_kind { SCOPE_MODULE, SCOPE_FUNCTION, SCOPE_BLOCK };

struct scope {
	struct scope *up;
	enum scope_kind kind;
	int limit;           /* FUNCTION: of what is above it in its file */
	struct map *symbols; /* name -> struct symbol */
};

struct module {
	const char *name;
	struct scope *scope;
	bool loading;
};

struct function {
	const char *name;
	const struct ast *ast; /* FN */
	struct scope *scope;   /* where it stands ... */
	int order;             /* ... and when */
	const struct air_extern *external; /* `extern fn`: it is that, and has no body */
};

struct call { /* an expansion in progress */
	struct call *up;
	const struct function *function;
	struct span at;
	int n;                        /* its parameters ... */
	const struct value *constant; /* ... that are `const`: their values; else an error */
};

enum loop_kind { LOOP_RANGE, LOOP_OTHER };

struct loop {
	struct loop *up;
	enum loop_kind kind;
	struct value count;      /* the variable, or the iteration */
	const struct call *call; /* the function it stands in */
	bool unrolled;
	const struct air_var *left; /* UNROLLED: set by `break` */
	const struct local_block *local; /* around it */
};

struct local_block { /* rank-local code */
	int n_vars;       /* those before it are of outside */
	struct span told; /* where something was last found to be out of place */
};

struct mask { /* of the `where` statements around */
	struct mask *up;
	struct value value;
	bool negated;
	const struct call *call;
};

struct wall { /* the condition being read */
	struct air_field *field;
	const struct axis *axis;
};

struct field_note {                      /* what only sema knows of a field */
	struct scope *scope;             /* where its name was declared */
	bool given[MAX_AXES][2];         /* by a `boundary` */
	bool inner[MAX_AXES][2];         /* ghosts are for others that are computed */
	struct span needed[MAX_AXES][2]; /* the first read beyond that wall */
	bool drawn;                      /* of random numbers */
	bool unnamed;                    /* a hoisted one: a `let` may take it over */
	const struct origin *origin;     /* slice.c: of a slice, what it was copied from */
};

struct arguments;
struct sema;
typedef struct value builtin_fn(struct sema *s, struct arguments *a, int data);

struct array_grid {                      /* of arrays without a declared one */
	struct grid *grid;
	const struct air_block *block; /* where its statement stands; NULL: at the top */
};

struct added_axis { /* a local one that only the run knows */
	const struct axis *axis;
	const struct air_block *block; /* where it is made */
};

struct sema {
	const struct sema_input *in;
	struct arena *arena;
	struct diag *diag;
	struct air_program *air;
	struct air_block *block; /* statements are appended here */
	struct scope *scope;
	struct scope *main;
	struct scope *prelude; /* NULL while it is being read */
	struct map *modules;  /* name -> struct module */
	struct map *builtins; /* text -> struct builtin */
	struct types *nowhere;
	struct family *loose;
	struct grid *target; /* of the assignment being read, or NULL */
	const struct air_region *region; /* of the target's points; NULL: none to meet at */
	VEC(struct slicing) slicings; /* slice_grid.c: grids that were sliced */
	int changes;                     /* assignments so far to what has a name */
	struct loop *loop;
	struct mask *mask;
	struct local_block *local; /* NULL: code of all ranks */
	const struct wall *wall;
	struct call *call;
	VEC(struct field_note *) notes; /* by field id */
	VEC(const struct scope *) homes; /* by family id: of its name; NULL: it has none */
	VEC(bool) mutable;              /* by variable id */
	VEC(struct array_grid) arrays;
	VEC(struct added_axis) added;
	VEC(const struct function *) exports; /* of the program's file */
	int order;                      /* declarations so far */
	int effects;                    /* statements so far that change or print */
	int assertions;                 /* ... and that are checks */
	int made_up;                    /* names so far */
	bool alone;                     /* the call being read may have effects */
	struct before *before;          /* the prompt: what was when the item began, ... */
	struct arena *scratch;          /* ... in here, until the next one begins */
};

/* check.c - the entry, and messages */
void sema_begin(struct sema *s, const struct sema_input *in);
void sema_drop_loose_grids(struct sema *s);
void sema_fail(struct sema *s, enum diag_code code, struct span at, const char *format,
	       ...) __attribute__((format(printf, 4, 5)));
struct value sema_failed(struct sema *s, enum diag_code code, struct span at,
			 const char *format, ...) __attribute__((format(printf, 4, 5)));
struct value sema_not_yet(struct sema *s, struct span at, const char *what);
void sema_hint(struct sema *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void sema_note(struct sema *s, struct span at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
bool span_in_library(struct span at);
struct span sema_place(const struct sema *s, struct span at);
const char *sema_name(struct sema *s, const char *stem);
const char *sema_doc(struct sema *s, const char *doc);
struct air_stmt *sema_emit(struct sema *s, enum air_stmt_kind kind, struct span at);

/* item.c - the prompt */
bool prompt_is_open(const struct sema *s);
/* Is this statement one of those that were typed, in no block of others? */
bool prompt_is_here(const struct sema *s);
/* What later lines change, as it is now. */
struct value prompt_freeze(struct sema *s, struct value v);
bool prompt_knows_var(const struct sema *s, const struct air_var *v); /* of before */
void prompt_show(struct sema *s, struct value v);                     /* show.c */
const char *prompt_text(struct sema *s, const struct value *v);

/* scope.c - names */
struct scope *scope_push(struct sema *s, enum scope_kind kind);
void scope_pop(struct sema *s);
struct symbol *scope_add(struct sema *s, const struct ast *name, enum symbol_kind kind,
			 struct value value);
struct symbol *scope_find(const struct sema *s, const char *name);
struct symbol *scope_find_in(const struct scope *scope, const char *name);
void scope_add_family(struct sema *s, const struct family *f);
bool scope_sees(const struct sema *s, const struct family *f);
bool scope_axis_known(const struct sema *s, const char *name);
const struct axis *scope_loose_axis(struct sema *s, const char *name);
bool scope_unknown(struct sema *s, const char *name, struct span at);
const char *symbol_text(enum symbol_kind kind);
void scope_check_axis(struct sema *s, const char *name, struct span at);

/* value.c - making values and asking about them */
struct value value_error(void);
struct value value_none(struct span at);
struct value value_scalar(const struct air_expr *e, struct span at);
struct value value_field_of(struct sema *s, struct air_field *f, struct span at);
struct value value_strong(const struct air_expr *e, struct span at);
struct value value_of_axis(const struct axis *a, struct span at);
struct value value_of_grid_axis(const struct grid *g, int i, struct span at);
struct value value_of_grid(struct grid *g, struct span at);
struct value value_list(struct sema *s, enum value_kind kind, const struct value *item,
			int n, struct span at);
bool value_is_error(const struct value *v);
bool value_is_scalar(const struct value *v);
bool value_is_field(const struct value *v);
bool value_is_constant(const struct value *v);
bool value_is_integer(const struct value *v, int64_t *i);
bool value_is_loose_axis(const struct sema *s, const struct value *v);
struct air_field *value_field(const struct value *v);   /* a plain read, or NULL */
const struct air_var *value_var(const struct value *v); /* a plain read, or NULL */
enum elem value_elem(const struct value *v);
struct grid *value_grid(const struct value *v);
const char *value_text(struct sema *s, const struct value *v);
struct value value_operand(struct sema *s, struct value v); /* axes become indices */
bool var_is_mutable(const struct sema *s, const struct air_var *v);
struct air_var *var_new(struct sema *s, const char *name, enum elem e, struct span at,
			bool mutable);
struct value var_hold(struct sema *s, struct value v, const char *name);

/* loose.c - expressions over names of axes, and rewriting */
typedef const struct air_expr *leaf_fn(void *context, const struct air_expr *leaf);
const struct air_expr *expr_rewrite(struct sema *s, const struct air_expr *e,
				    leaf_fn *leaf, void *context);
struct value loose_settle(struct sema *s, struct value v, struct grid *g);
struct value loose_meet(struct sema *s, struct value v, struct grid *g);
struct value loose_end(struct sema *s, struct value v, struct grid *g);
struct value loose_settle_alone(struct sema *s, struct value v);
struct value loose_freeze(struct sema *s, struct value v);
struct axis *axis_in(struct sema *s, const struct axis *a, struct grid *g);
const char *axis_list_text(struct sema *s, uint32_t loose);

/* convert.c - types and grids of operands */
bool operands_meet(struct sema *s, struct value *v, int n, struct span at);
bool operands_unify(struct sema *s, struct value *v, int n, struct span at);
struct value value_cast(struct sema *s, struct value v, enum elem e);
bool value_convert(struct sema *s, struct value *v, enum elem e, const char *what);
struct value value_joined(struct sema *s, const struct value *v, int n, struct span at);
struct value value_op(struct sema *s, enum air_op op, enum elem e, struct value *v, int n,
		      struct span at);
enum elem elem_common(const struct value *v, int n);
bool constant_fits(const struct air_expr *e, enum elem elem);

/* operator.c */
struct value value_binary(struct sema *s, enum ast_op op, struct value a, struct value b,
			  struct span at);
struct value value_unary(struct sema *s, enum ast_op op, struct value a, struct span at);
struct value value_power(struct sema *s, struct value a, struct value b, struct span at);

/* expr.c - expressions */
struct value eval_expr(struct sema *s, const struct ast *a);
struct value eval_whole(struct sema *s, const struct ast *a); /* a call may stand alone */
struct value eval_scalar(struct sema *s, const struct ast *a, const char *what);
bool eval_integer(struct sema *s, const struct ast *a, const char *what, int64_t *i);
const struct air_expr *eval_i64(struct sema *s, const struct ast *a, const char *what);
const struct air_expr *eval_condition(struct sema *s, const struct ast *a,
				      const char *what);
struct value eval_text(struct sema *s, const struct ast *a);

/* select.c - brackets */
struct value select_eval(struct sema *s, const struct ast *a);
struct value no_axis(struct sema *s, const struct axis *a, const struct grid *g,
		     struct span at);
struct value value_shift(struct sema *s, struct value v, const struct axis *a,
			 int64_t offset, struct span at);
struct value value_fix(struct sema *s, struct value v, const struct axis *a,
		       const struct air_expr *index);
struct shifts { /* of a target: `rho[x+1, y-1]` */
	int n;
	const struct axis *axis[MAX_AXES]; /* of its grid */
	int64_t offset[MAX_AXES];
};
/* The part of a field that stands on a left side, or the shifts; false: told. */
bool select_target(struct sema *s, const struct ast *a, struct air_field *f,
		   struct air_region *region, struct shifts *by);

/* region.c - parts of axes */
struct part {
	const struct air_expr *start, *count; /* i64 scalars */
	int64_t step;
};
struct part part_of(struct sema *s, const struct air_slice *slice,
		    const struct air_expr *n);
void part_ends(struct sema *s, const struct air_slice *slice, const struct air_expr *n,
	       const struct air_expr *end[2]);
void region_clear(struct air_region *region); /* all points */
bool region_same(const struct air_region *a, const struct air_region *b, int n_axes);
void region_hold(struct sema *s, struct air_region *region);
bool region_slice(struct sema *s, const struct ast *a, struct air_slice *part);
const struct air_expr *point_index(struct sema *s, const struct ast *ast,
				   const struct grid *g, int axis);
/* select.c: the part of g that brackets take; false: told. */
bool select_region(struct sema *s, const struct ast *a, struct grid *g,
		   struct air_region *region);

/* slice_grid.c */
struct grid *grid_sliced(struct sema *s, struct grid *g, const struct air_region *region,
			 bool positional, const struct ast *a);

/* slice.c - slices as values */
struct air_field *slice_evaluate(struct sema *s, struct value v,
				 const struct air_region *region, struct span at);
struct value slice_value(struct sema *s, struct value v, struct air_region *region,
			 const struct ast *a);
struct origin { /* of the values of a made field, along its own axes */
	struct air_field *from;
	struct air_region region;
	int axis[MAX_AXES];            /* of `from`, for each axis of the field */
	const struct air_block *block; /* where it was copied ... */
	int changes;                   /* ... and when */
};
const struct origin *origin_of(const struct sema *s, const struct air_field *f);
void origin_set(struct sema *s, const struct air_copy *c);
struct air_field *made_field(struct sema *s, const char *stem, enum elem e,
			     struct grid *g, struct span at);
bool copy_emit(struct sema *s, const struct air_copy *c, struct span at);
struct count { /* how many points a part takes of an axis */
	const struct air_expr *n;
	const struct axis *axis;
};
bool counts_fit(struct sema *s, const struct count *from, const struct count *to,
		struct span at);

/* meet.c - slices at the points of others */
bool value_is_positional(const struct value *v);
bool value_is_free(struct sema *s, const struct value *v);
struct value slice_onto(struct sema *s, struct value v, struct grid *g,
			const struct air_region *region);
struct value value_at(struct sema *s, struct value v, struct grid *g,
		      const struct air_region *region);
bool slice_assign(struct sema *s, struct air_field *f, const struct air_region *region,
		  const struct value *v, struct span at);
bool slices_meet(struct sema *s, struct value *v, int n);

/* lambda.c */
struct value eval_lambda(struct sema *s, const struct ast *a);

/* scatter.c */
struct scatter {
	struct air_field *field;
	struct shifts by;
	enum ast_op op;
	struct value mask; /* of the points that give; no value: all */
	struct span span;
};
struct value scatter_value(struct sema *s, const struct scatter *to, struct value v);

/* list.c */
struct value list_entry(struct sema *s, struct value list, struct value index,
			struct span at); /* of any index, which is clamped */
struct value list_select(struct sema *s, struct value list, const struct ast *a);

/* guard.c - in front of a statement that evaluates e at points of g: in a region of it
 * (NULL: all), where a mask holds (NULL: everywhere) */
struct guarded { const struct air_region *region; const struct air_expr *mask; };
void guard_look_ups(struct sema *s, const struct air_expr *e, struct grid *g,
		    const struct guarded *where);

/* claim.c - reads beyond walls, and the regions that may not reach them */
const struct claim *claims_join(struct sema *s, const struct claim *a,
				const struct claim *b);
void claims_shift(struct sema *s, struct value *v, const struct value *from,
		  const struct axis *a, int64_t offset);
void claims_check(struct sema *s, const struct value *v, const struct grid *g,
		  const struct air_region *region);
bool field_has_ghost(const struct sema *s, const struct air_field *f, int axis, int side);
struct field_note *field_note_of(const struct sema *s, const struct air_field *f);

/* wall.c - ghosts and boundaries */
const char *wall_side(int side);
void ghosts_default(struct sema *s, struct air_field *stage, const struct value *v);
void check_boundary(struct sema *s, const struct ast *a);

/* field.c - fields, lets, variables, stages */
void check_field(struct sema *s, const struct ast *a);
void check_field_like(struct sema *s, const struct ast *a);
void check_let(struct sema *s, const struct ast *a);
void check_var(struct sema *s, const struct ast *a);
struct value stage_new(struct sema *s, struct value v, const char *name);
struct air_field *sema_field_new(struct sema *s, enum air_field_kind kind,
				 const char *name, enum elem e, struct grid *g);
struct value let_value(struct sema *s, struct value v, const char *name);
enum elem elem_of_type(struct sema *s, const struct ast *type);

/* array.c, of statements of grids */
bool block_holds(const struct air_block *b, const struct air_block *inner);
void grid_first(struct sema *s, struct air_stmt *st);

/* grid.c */
void check_grid(struct sema *s, const struct ast *a);
void check_grid_name(struct sema *s, const struct ast *a);
struct value grid_select(struct sema *s, struct grid *g, const struct ast *a);
struct value axis_attribute(struct sema *s, struct value base, const struct ast *name,
			    struct span at);
struct value grid_attribute(struct sema *s, struct grid *g, const struct ast *name,
			    const char *of, struct span at);
const struct air_expr *grid_size(struct sema *s, const struct grid *g);

/* cut.c */
void clause_cuts(struct sema *s, const struct ast *a, struct family *f);

/* extend.c */
struct value grid_extend(struct sema *s, struct grid *g, const struct ast *a);
uint32_t lengths_differ(const struct value *v, int n);
bool value_is_even(struct sema *s, const struct value *v);

/* param.c */
void check_param(struct sema *s, const struct ast *a);
void check_overrides(struct sema *s);

/* assign.c */
void check_assign(struct sema *s, const struct ast *a);
void check_where(struct sema *s, const struct ast *a);
bool value_on_grid(struct sema *s, const struct value *v, const struct grid *g,
		   const char *name);
void assign_field(struct sema *s, struct air_field *f, struct value v, struct span at);
/* The whole field or the variable that may be changed here by its name; false: told. */
bool assign_target(struct sema *s, const struct ast *name, struct air_field **field,
		   const struct air_var **var);

/* control.c */
void check_block(struct sema *s, const struct ast *block);
void check_statement(struct sema *s, const struct ast *a);
void check_statements(struct sema *s, const struct ast *list);

/* loop.c */
void check_for(struct sema *s, const struct ast *a);
void check_while(struct sema *s, const struct ast *a);
void check_every(struct sema *s, const struct ast *a);
void check_break(struct sema *s, const struct ast *a);
bool iterable_constant(struct sema *s, const struct ast *a, struct value *list);

/* local.c - rank-local code */
void check_local(struct sema *s, const struct ast *a);
void local_check_statement(struct sema *s, enum air_stmt_kind kind, struct span at);
void local_refuse(struct sema *s, struct span at, const char *why); /* in one */
bool local_may_set(struct sema *s, const struct air_var *v, struct span at);
builtin_fn rank_call, ranks_call, bounds_call;

/* extern.c - functions in C */
void check_extern(struct sema *s, const struct ast *a);
struct value extern_call(struct sema *s, const struct air_extern *f, struct value *v,
			 struct span at);

/* export.c - functions for programs in C */
void check_export(struct sema *s, const struct ast *a);
void exports_emit(struct sema *s); /* at the end */

/* call.c - functions */
const struct function *check_fn(struct sema *s, const struct ast *a);
/* The body with these arguments, in the present block; errors are told at its name. */
struct value function_expand(struct sema *s, const struct function *f,
			     const struct value *argument);
bool value_fits_type(struct sema *s, const struct ast *type, struct value *v,
		     const char *what);
struct value call_eval(struct sema *s, const struct ast *a);
/* The function, called with n values; `at` stands for their text. */
struct value function_apply(struct sema *s, const struct value *function,
			    const struct value *arg, int n, const struct ast *at);

/* module.c */
void check_import(struct sema *s, const struct ast *a);
void check_from(struct sema *s, const struct ast *a);
bool module_prelude(struct sema *s);
const char *module_import_of(struct sema *s, const char *name);

/* builtin.c - functions of the language */
struct arguments {      /* of a call, read */
	struct span at; /* the whole call */
	struct span callee;
	const char *name;
	int n;
	struct value value[ARGUMENTS_MOST];
	const struct ast *ast[ARGUMENTS_MOST];
	int n_named;
	const char *key[NAMED_MOST];
	const struct ast *named[NAMED_MOST]; /* their values */
	struct span key_span[NAMED_MOST];
	bool used[NAMED_MOST];
};
struct builtin {
	const char *name;
	builtin_fn *call;
	int least, most; /* arguments; most < 0: any number */
	int data;
	enum { EFFECT_NO, EFFECT_YES, EFFECT_AST, EFFECT_WORD } effect;
};
void builtins_add(struct sema *s);
struct value value_conjugate(struct sema *s, struct value v);
struct value builtin_call(struct sema *s, const struct builtin *b, const struct ast *a);
const struct ast *argument_named(struct arguments *a, const char *key);

/* reduce.c */
builtin_fn reduce_call, count_call, mean_call, variance_call, norm_call, dot_call,
	allclose_call, array_equal_call;
struct value each_call(struct sema *s, const struct builtin *b, const struct ast *a);
struct value reduce_whole(struct sema *s, enum air_reduction r, struct value v,
			  const char *stem);
bool names_alone(struct sema *s, struct arguments *a);

/* fold.c - along axes */
builtin_fn scan_call;
/* The axes that stand as arguments from `first` on, as bits of v's grid; false: told. */
bool fold_axes(struct sema *s, const struct arguments *a, int first,
	       const struct value *v, unsigned *axes);
/* The reduction or scan of v, a field, settled; any and all: of bools. What is left is a
 * field or a scalar. Real sums and products are f64, along local axes of v's own type. */
struct value fold_along(struct sema *s, enum air_reduction r, struct value v,
			unsigned axes, const char *name);
struct value fold_stored(struct sema *s, struct value v); /* v, or a stage of it */
/* How many points a line along them has: an i64 scalar. */
struct value fold_points(struct sema *s, const struct value *v, unsigned axes);

/* io.c */
builtin_fn print_call, assert_call, exit_call, clock_call;
bool text_pieces(struct sema *s, const struct ast *a, struct air_text *text);
bool text_value(struct sema *s, struct air_text *text, struct value v);
void text_add(struct sema *s, struct air_text *text, struct air_piece piece);
struct value text_join(struct sema *s, const struct ast *a);
struct air_text text_plain(struct sema *s, const char *text);

/* file.c */
builtin_fn save_call, load_call, exists_call, shape_call, plot_call;
bool load_is(const struct sema *s, const struct ast *a);
void load_into(struct sema *s, struct air_field *f, const struct ast *call);

/* array.c */
builtin_fn filled_call, full_call, array_call, arange_call, linspace_call,
	from_function_call;

/* draw.c */
builtin_fn random_call;

#endif
