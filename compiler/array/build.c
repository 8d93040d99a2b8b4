/* array/build.c - making of expressions, each one once
 *
 * Takes an operation and its arguments; gives the one expression that says it, in its
 * simplest form that is the same bit for bit. Invariants: equal expressions are one
 * object; arguments have smaller ids; simplifying never changes type or grid.
 */
#include "array/air.h"

#include <assert.h>
#include <string.h>
#include "array/complex.h"
#include "array/cons.h"
#include "array/scalar.h"
#include "array/simplify.h"

static const struct { const char *text; int arity; } op_info[AIR_OP_COUNT] = {
#define ROW(id, text, arity) [AIR_##id] = { text, arity },
#include "array/air.def"
#undef ROW
};

const char *air_op_text(enum air_op op)
{
	return op_info[op].text;
}

int air_op_arity(enum air_op op)
{
	return op_info[op].arity;
}

static const struct air_expr *constant_of(struct air_program *p, enum elem e,
                                          union scalar x)
{
	switch (elem_kind(e)) {
	case KIND_REAL:
		return air_real(p, e, x.f);
	case KIND_TEXT:
		return air_string(p, x.text);
	default:
		return air_int(p, e, x.i);
	}
}

static bool all_constant(const struct air_expr *e)
{
	for (int i = 0; i < e->n_args; i++)
		if (e->arg[i]->op != AIR_CONST)
			return false;
	return e->n_args > 0 && e->n_args <= 3;
}

static const struct air_expr *folded(struct air_program *p, const struct air_expr *e)
{
	enum elem from = e->arg[e->n_args - 1]->elem;
	union scalar x[3];

	for (int i = 0; i < e->n_args; i++)
		x[i] = constant_value(e->arg[i]);
	return constant_of(p, e->elem, scalar_op(e->op, from, e->elem, x, e->as.i));
}

static const struct air_expr *expr_simple(struct air_program *p, const struct air_expr *e)
{
	const struct air_expr *same = expr_simpler(e);

	if (same && same->grid == e->grid && same->elem == e->elem)
		return same;
	if (e->op != AIR_RANDOM && e->op != AIR_LOOKUP && e->op != AIR_EXTERN &&
	    e->op != AIR_COMPLEX && all_constant(e))
		return folded(p, e);
	return expr_of(p, e);
}

static struct grid *join_args(struct air_program *p, const struct air_expr *const *arg,
                              int n)
{
	struct grid *g = NULL;

	for (int i = 0; i < n; i++) {
		if (!arg[i]->grid || arg[i]->grid == g)
			continue;
		g = g ? grid_join(&p->types, g, arg[i]->grid) : arg[i]->grid;
		assert(g);
	}
	return g;
}

/* exported */

struct air_program *air_new(struct arena *a, const char *file)
{
	struct air_program *p = arena_new_object(a, struct air_program);

	p->arena = a;
	p->types.arena = a;
	p->file = file;
	p->doc = "";
	p->table = table_new(a);
	return p;
}

/* Room for one more pointer in an array that is doubled when its length is a power of 2. */
static void *room_for(struct arena *a, void *array, int n)
{
	void *more;

	if (n & (n - 1))
		return array;
	more = arena_array(a, n ? 2 * n : 1, sizeof(void *));
	if (n)
		memcpy(more, array, n * sizeof(void *));
	return more;
}

struct air_var *air_var_new(struct air_program *p, const char *name, enum elem e,
                            struct span at)
{
	struct air_var *v = arena_new_object(p->arena, struct air_var);

	*v = (struct air_var){ .id = p->n_vars, .name = name, .elem = e, .span = at };
	p->var = room_for(p->arena, p->var, p->n_vars);
	p->var[p->n_vars++] = v;
	return v;
}

struct air_field *air_field_new(struct air_program *p, enum air_field_kind kind,
                                const char *name, enum elem e, struct grid *g,
                                struct span at)
{
	struct air_field *f = arena_new_object(p->arena, struct air_field);

	f->id = p->n_fields;
	f->kind = kind;
	f->name = name;
	f->elem = e;
	f->grid = g;
	f->span = at;
	p->field = room_for(p->arena, p->field, p->n_fields);
	p->field[p->n_fields++] = f;
	return f;
}

struct air_extern *air_extern_new(struct air_program *p, const char *name, int n_params,
                                  struct span at)
{
	struct air_extern *f = arena_new_object(p->arena, struct air_extern);

	f->id = p->n_externs;
	f->name = name;
	f->span = at;
	f->n_params = n_params;
	p->external = room_for(p->arena, p->external, p->n_externs);
	p->external[p->n_externs++] = f;
	return f;
}

struct air_export *air_export_new(struct air_program *p, const char *name, struct span at)
{
	struct air_export *x = arena_new_object(p->arena, struct air_export);

	x->name = name;
	x->doc = "";
	x->span = at;
	p->export = room_for(p->arena, p->export, p->n_exports);
	p->export[p->n_exports++] = x;
	return x;
}

void air_name_add(struct air_program *p, struct air_field *f)
{
	p->name = room_for(p->arena, p->name, p->n_names);
	p->name[p->n_names++] = f;
}

const struct air_expr *air_int(struct air_program *p, enum elem e, int64_t i)
{
	struct air_expr x = { .op = AIR_CONST, .elem = e };

	assert(elem_kind(e) == KIND_BOOL || elem_kind(e) == KIND_INT);
	x.as.i = scalar_cast(ELEM_I64, e, (union scalar){ .i = i }).i;
	return expr_of(p, &x);
}

const struct air_expr *air_real(struct air_program *p, enum elem e, double f)
{
	struct air_expr x = { .op = AIR_CONST, .elem = e };

	assert(elem_kind(e) == KIND_REAL);
	x.as.f = e == ELEM_F32 ? (float)f : f;
	return expr_of(p, &x);
}

const struct air_expr *air_string(struct air_program *p, const char *text)
{
	struct air_expr x = { .op = AIR_CONST, .elem = ELEM_STR };

	x.as.text = text;
	return expr_of(p, &x);
}

const struct air_expr *air_read_var(struct air_program *p, const struct air_var *v,
                                    struct span at)
{
	struct air_expr x = { .op = AIR_VAR, .elem = v->elem, .span = at };

	x.as.var = v;
	return expr_of(p, &x);
}

/* The field's grid without the axes along which a component is fixed. */
static struct grid *selected_grid(struct air_program *p, const struct grid *g,
                                  const struct air_select *at)
{
	struct axis *axis[MAX_AXES];
	int ext[MAX_AXES], n = 0;

	for (int i = 0; i < g->n_axes; i++) {
		if (at[i].pick != PICK_OFFSET)
			continue;
		ext[n] = g->ext[i];
		axis[n++] = g->axis[i];
	}
	return n ? grid_of_extended(&p->types, axis, ext, n) : NULL;
}

const struct air_expr *air_read(struct air_program *p, struct air_field *f,
                                const struct air_select *at, struct span span)
{
	struct air_expr x = { .op = AIR_READ, .elem = f->elem, .span = span };
	struct air_select here[MAX_AXES] = { 0 };

	for (int i = 0; at && i < f->grid->n_axes; i++)
		here[i] = at[i].pick == PICK_FIXED
		                  ? (struct air_select){ .pick = PICK_FIXED, .index = at[i].index }
		                  : (struct air_select){ .offset = at[i].offset };
	x.grid = selected_grid(p, f->grid, here);
	x.as.read.field = f;
	x.as.read.at = here;
	return expr_of(p, &x);
}

static double constant_step(const struct axis *a, double lo, double hi)
{
	int64_t n = a->constant_size;

	return (hi - lo) / (double)(a->place == AXIS_NODES ? n - 1 : n);
}

/* SIZE and STEP where they are known, else NULL. */
static const struct air_expr *known_at(struct air_program *p, enum air_op op,
                                       const struct air_place *at)
{
	const struct axis *a = at->axis;
	double lo, hi;

	if (op == AIR_STEP && a->place == AXIS_INDEX)
		return air_real(p, ELEM_F64, 1);
	if (a->constant_size < 0)
		return NULL;
	if (op == AIR_SIZE)
		return air_int(p, ELEM_I64, a->constant_size + at->ext);
	if (op == AIR_STEP && air_constant(a->lo, NULL, &lo) && air_constant(a->hi, NULL, &hi))
		return air_real(p, ELEM_F64, constant_step(a, lo, hi));
	return NULL;
}

double air_half_steps(const struct air_place *at)
{
	return (at->axis->place == AXIS_OVER ? 0.5 : 0) - 0.5 * at->ext;
}

/* Coordinates of an axis without an interval: its indices, and where faces are between. */
static const struct air_expr *index_coord(struct air_program *p, struct air_place at,
                                          struct span span)
{
	const struct air_expr *i = air_at_place(p, AIR_INDEX, at, span), *arg[2];

	arg[0] = air_cast(p, i, ELEM_F64);
	if (!at.ext)
		return arg[0];
	arg[1] = air_real(p, ELEM_F64, air_half_steps(&at));
	return air_op(p, AIR_ADD, ELEM_F64, arg, 2, span);
}

static const struct air_expr *op2(struct air_program *p, enum air_op op,
                                  const struct air_expr *a, const struct air_expr *b)
{
	const struct air_expr *arg[2] = { a, b };

	return air_op(p, op, a->elem, arg, 2, a->span);
}

/* Of a sliced axis: by the formula of the axis from which all its points come. */
static const struct air_expr *slice_coord(struct air_program *p, struct air_place at,
                                          struct span span)
{
	const struct axis_slice *from = at.axis->slice->from;
	struct air_place origin = { from->axis, from->ext, 0 };
	const struct air_expr *x = air_at_place(p, AIR_INDEX, at, span);
	double half = air_half_steps(&origin) + from->half -
	              0.5 * at.ext * (double)from->step;

	x = op2(p, AIR_MUL, x, air_int(p, ELEM_I64, from->step));
	x = air_cast(p, op2(p, AIR_ADD, x, from->start), ELEM_F64);
	if (half != 0)
		x = op2(p, AIR_ADD, x, air_real(p, ELEM_F64, half));
	if (from->axis->place == AXIS_INDEX)
		return x;
	x = op2(p, AIR_MUL, x, air_at_place(p, AIR_STEP, origin, span));
	return op2(p, AIR_ADD, from->axis->lo, x);
}

static const struct air_expr *slice_step(struct air_program *p, struct air_place at,
                                         struct span span)
{
	const struct axis_slice *from = at.axis->slice->from;
	struct air_place origin = { from->axis, 0, 0 };

	return op2(p, AIR_MUL, air_real(p, ELEM_F64, (double)from->step),
	           air_at_place(p, AIR_STEP, origin, span));
}

const struct air_expr *air_at_place(struct air_program *p, enum air_op op,
                                    struct air_place at, struct span span)
{
	bool point = op == AIR_INDEX || op == AIR_COORD;
	bool real = op == AIR_COORD || op == AIR_STEP;
	struct air_expr x = { .op = op, .elem = real ? ELEM_F64 : ELEM_I64, .span = span };
	struct axis *axis = at.axis->family->axis[at.axis->rank];
	const struct air_expr *known;

	assert(point || op == AIR_SIZE || op == AIR_STEP);
	if (op == AIR_COORD && axis->slice && at.ext != EXT_OPEN)
		return slice_coord(p, at, span);
	if (op == AIR_STEP && axis->slice)
		return slice_step(p, at, span);
	if (!point)
		at.offset = 0;
	if (op == AIR_STEP || (op == AIR_SIZE && axis->periodic))
		at.ext = 0;
	known = point || at.ext == EXT_OPEN ? NULL : known_at(p, op, &at);
	if (known)
		return known;
	if (op == AIR_COORD && axis->place == AXIS_INDEX && at.ext != EXT_OPEN)
		return index_coord(p, at, span);
	x.grid = point ? grid_of_extended(&p->types, &axis, &at.ext, 1) : NULL;
	x.as.at = at;
	return expr_of(p, &x);
}

const struct air_expr *air_at(struct air_program *p, enum air_op op, const struct axis *a,
                              int64_t offset, struct span span)
{
	return air_at_place(p, op, (struct air_place){ a, 0, offset }, span);
}

const struct air_expr *air_size(struct air_program *p, const struct grid *g, int i)
{
	struct air_place at = { g->axis[i], grid_longer(g, g->axis[i]), 0 };

	return air_at_place(p, AIR_SIZE, at, g->axis[i]->span);
}

const struct air_expr *air_mirror(struct air_program *p, struct air_field *f,
                                  enum air_mirror m, struct span span)
{
	struct air_expr x = { .op = AIR_MIRROR, .elem = f->elem, .grid = f->grid };

	x.span = span;
	x.as.mirror = m;
	return expr_of(p, &x);
}

/* What remains of complex numbers in AIR. */
static bool is_of_parts(enum air_op op)
{
	return op == AIR_COMPLEX || op == AIR_REAL || op == AIR_IMAG;
}

const struct air_expr *air_op(struct air_program *p, enum air_op op, enum elem e,
                              const struct air_expr *const *arg, int n, struct span span)
{
	struct air_expr x = { .op = op, .elem = e, .span = span, .n_args = n, .arg = arg };

	assert(air_op_arity(op) == n || op == AIR_LOOKUP);
	if (!is_of_parts(op) && (elem_kind(e) == KIND_COMPLEX ||
	                         elem_kind(arg[n - 1]->elem) == KIND_COMPLEX) &&
	    (op != AIR_CAST || e != arg[0]->elem))
		return complex_op(p, op, e, arg, n, span);
	x.grid = join_args(p, arg, n);
	return expr_simple(p, &x);
}

const struct air_expr *air_powi(struct air_program *p, const struct air_expr *e,
                                int exponent, struct span span)
{
	struct air_expr x = { .op = AIR_POWI, .elem = e->elem, .grid = e->grid };

	assert(exponent >= 0 && exponent <= 64);
	if (elem_kind(e->elem) == KIND_COMPLEX)
		return complex_powi(p, e, exponent, span);
	x.span = span;
	x.n_args = 1;
	x.arg = &e;
	x.as.i = exponent;
	return expr_simple(p, &x);
}

const struct air_expr *air_random(struct air_program *p, struct grid *g, enum elem e,
                                  const struct air_expr *key, int normal, struct span span)
{
	struct air_expr x = { .op = AIR_RANDOM, .elem = e, .grid = g, .span = span };

	assert(key->elem == ELEM_I64 && !key->grid);
	x.n_args = 1;
	x.arg = &key;
	x.as.i = normal;
	return expr_of(p, &x);
}

const struct air_expr *air_call(struct air_program *p, const struct air_extern *f,
                                const struct air_expr *const *arg, struct span span)
{
	struct air_expr x = { .op = AIR_EXTERN, .elem = f->elem, .span = span };

	x.n_args = f->n_params;
	x.arg = arg;
	x.grid = join_args(p, arg, f->n_params);
	x.as.function = f;
	return expr_of(p, &x);
}

const struct air_expr *air_cast(struct air_program *p, const struct air_expr *e,
                                enum elem to)
{
	return air_op(p, AIR_CAST, to, &e, 1, e->span);
}

const struct air_expr *air_rebuild(struct air_program *p, const struct air_expr *e,
                                   const struct air_expr *const *arg)
{
	struct air_expr x = *e;

	assert(e->n_args > 0);
	x.arg = arg;
	if (e->op != AIR_RANDOM)
		x.grid = join_args(p, arg, e->n_args);
	return expr_simple(p, &x);
}

bool stmt_is_local(enum air_stmt_kind k)
{
	switch (k) {
	case STMT_SET:
	case STMT_TEXT:
	case STMT_IF:
	case STMT_LOOP:
	case STMT_FOR:
	case STMT_BREAK:
	case STMT_CONTINUE:
	case STMT_CHECK:
	case STMT_PRINT:
	case STMT_EXIT:
	case STMT_RANKS:
	case STMT_RANK:
	case STMT_BOUND:
		return true;
	default:
		return false;
	}
}

struct air_stmt *air_stmt_new(struct air_program *p, struct air_block *b,
                              enum air_stmt_kind k, struct span span)
{
	struct air_stmt *s = arena_new_object(p->arena, struct air_stmt);

	s->kind = k;
	s->span = span;
	if (b->last)
		b->last->next = s;
	else
		b->first = s;
	b->last = s;
	return s;
}

bool air_constant(const struct air_expr *e, int64_t *i, double *f)
{
	bool real = elem_kind(e->elem) == KIND_REAL;

	if (e->op != AIR_CONST || (real ? i && !f : f && !i) ||
	    ((i || f) && e->elem == ELEM_STR))
		return false;
	if (real && f)
		*f = e->as.f;
	if (!real && i)
		*i = e->as.i;
	return true;
}

bool air_keeps_var(const struct air_program *p, const struct air_var *v)
{
	return v->id < p->keep.n_vars && p->keep.var[v->id];
}

bool air_keeps_field(const struct air_program *p, const struct air_field *f)
{
	return f->id < p->keep.n_fields && p->keep.field[f->id];
}
