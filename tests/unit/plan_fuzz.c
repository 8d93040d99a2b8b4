/* tests/unit/plan_fuzz.c - random programs: the plan does what the evaluator does
 *
 * plan_fuzz [programs [first seed]]. A program declares fields of integers on small
 * grids, with every kind of boundary, and assigns, names, masks, sums and loops at
 * random; the same final values must come out with each set of passes.
 */
#include <check.h>

#include "array/evaluate.h"
#include "make_air.h"
#include "plan_run.h"

enum { FIELDS = 6, VARS = 3, DEPTH = 3 };

struct fuzz {
	struct arena *arena;
	struct air_program *p;
	uint64_t state;
	struct grid *g, *gy, *l;
	struct air_field *field[64];         /* that may be read */
	int n_fields, n_declared;
	struct air_var *var[VARS];
	struct air_block *block;
	int loops;
};

static uint64_t bits(struct fuzz *f)
{
	f->state = f->state * 6364136223846793005u + 1442695040888963407u;
	return f->state >> 33;
}

static int upto(struct fuzz *f, int n)
{
	return (int)(bits(f) % (unsigned)n);
}

static const struct air_expr *small(struct fuzz *f)
{
	return i64(f->p, upto(f, 7) - 3);
}

static const struct air_expr *variable(struct fuzz *f)
{
	return air_read_var(f->p, f->var[upto(f, VARS)], nowhere);
}

/* A read of a field that fits into grid g, at offsets of at most `far`. */
static const struct air_expr *read_random(struct fuzz *f, struct grid *g, int far)
{
	struct air_field *u = f->field[upto(f, f->n_fields)];
	struct air_select at[MAX_AXES] = { 0 };

	for (int a = 0; a < u->grid->n_axes; a++) {
		if (u->grid->axis[a]->local &&
		    (grid_axis_index(g, u->grid->axis[a]) < 0 || upto(f, 2))) {
			at[a].pick = PICK_FIXED;
			at[a].index = i64(f->p, upto(f, 6) ? upto(f, 3) : upto(f, 7) - 2);
		} else if (grid_axis_index(g, u->grid->axis[a]) < 0) {
			return small(f);
		} else if (far && !upto(f, 2)) {
			at[a].offset = upto(f, 2 * far + 1) - far;
		}
	}
	return air_read(f->p, u, at, nowhere);
}

static const struct air_expr *leaf(struct fuzz *f, struct grid *g, int far)
{
	switch (upto(f, 8)) {
	case 0:
		return small(f);
	case 1:
		return variable(f);
	case 2:
		return air_at(f->p, AIR_INDEX, g->axis[upto(f, g->n_axes)],
		              far ? upto(f, 3) - 1 : 0, nowhere);
	default:
		return read_random(f, g, far);
	}
}

static const struct air_expr *tree(struct fuzz *f, struct grid *g, int far, int depth)
{
	static const enum air_op op[] = { AIR_ADD, AIR_SUB, AIR_MUL, AIR_ADD, AIR_MIN };
	const struct air_expr *x, *y, *arg[3];

	if (!depth || !upto(f, 4))
		return leaf(f, g, far);
	x = tree(f, g, far, depth - 1);
	y = tree(f, g, far, depth - 1);
	if (upto(f, 6))
		return op2(f->p, op[upto(f, 5)], ELEM_I64, x, y);
	arg[0] = op2(f->p, AIR_LT, ELEM_BOOL, x, y);
	arg[1] = y;
	arg[2] = tree(f, g, far, depth - 1);
	return air_op(f->p, AIR_SELECT, ELEM_I64, arg, 3, nowhere);
}

/* ---- declarations ---- */

static const struct air_expr *condition(struct fuzz *f, struct air_field *u, int axis)
{
	struct air_program *p = f->p;
	const struct air_expr *m = air_mirror(p, u, (enum air_mirror)upto(f, 3), nowhere);
	int other = u->grid->n_axes > 1 ? !axis : axis;

	switch (upto(f, 8)) {
	case 0:
		return small(f);
	case 1:
		return op1(p, AIR_NEG, ELEM_I64, m);
	case 2:
		return sub(p, mul(p, small(f), variable(f)), m);
	case 3:
		return add(p, m, air_at(p, AIR_INDEX, u->grid->axis[other], 0, nowhere));
	case 4:
		return air_at(p, AIR_INDEX, u->grid->axis[axis], 0, nowhere);
	case 5: /* the wall field, on the other axis alone */
		if (u->grid == f->g && axis == 0 && f->n_fields)
			return add(p, m, air_read(p, f->field[0],
			                          (struct air_select[1]){ { .offset = 0 } },
			                          nowhere));
		return m;
	default:
		return m;
	}
}

static void conditions(struct fuzz *f, struct air_field *u)
{
	for (int a = 0; a < u->grid->n_axes; a++)
		for (int side = 0; side < 2 && !u->grid->axis[a]->periodic; side++) {
			u->ghost[a][side].kind = GHOST_EXPR;
			u->ghost[a][side].value = condition(f, u, a);
		}
}

static void declare(struct fuzz *f)
{
	char axes[64];

	snprintf(axes, sizeof axes, "x:%d%s y:%d%s q:3l", 1 + upto(f, 4),
	         upto(f, 2) ? "p" : "", 1 + upto(f, 5), upto(f, 2) ? "p" : "");
	f->l = grid(f->p, "l", axes);
	f->g = grid_of(&f->p->types, f->l->family, f->l->axis, 2);
	f->gy = grid_of(&f->p->types, f->l->family, f->l->axis + 1, 1);
	for (int i = 0; i < VARS; i++) {
		struct air_stmt *s = air_stmt_new(f->p, &f->p->body, STMT_SET, nowhere);

		f->var[i] = air_var_new(f->p, "v", ELEM_I64, nowhere);
		s->var = f->var[i];
		s->value = small(f);
	}
	for (int i = 0; i < FIELDS; i++) {
		struct grid *g = i == 0 ? f->gy : i < 4 ? f->g : f->l;
		struct air_field *u = air_field_new(f->p, FIELD_DECLARED,
		                                    arena_printf(f->arena, "u%d", i),
		                                    ELEM_I64, g, nowhere);

		conditions(f, u);
		air_stmt_new(f->p, &f->p->body, STMT_FIELD, nowhere)->field = u;
		f->field[f->n_fields++] = u;
	}
	f->n_declared = f->n_fields;
}

/* ---- statements ---- */

static struct air_slice slice(struct fuzz *f, const struct axis *a)
{
	struct air_slice s = { .part = PART_ALL, .step = 1 };

	if (a->local && upto(f, 2)) {
		s.part = PART_AT;
		s.lo = i64(f->p, upto(f, 3));
	} else if (!upto(f, 6)) {
		s.part = PART_RANGE;
		s.lo = upto(f, 2) ? small(f) : NULL;
		s.hi = upto(f, 2) ? small(f) : NULL;
		s.step = 1 + !upto(f, 4);
	}
	return s;
}

static void target(struct fuzz *f, struct air_stmt *s, struct air_target *t)
{
	t->field = f->field[upto(f, f->n_declared)];
	if (s->mask)
		while (!grid_contains(t->field->grid, f->g))
			t->field = f->field[upto(f, f->n_declared)];
	for (int a = 0; a < t->field->grid->n_axes; a++)
		t->region.axis[a] = slice(f, t->field->grid->axis[a]);
	if (!upto(f, 3))
		for (int a = 0; a < t->field->grid->n_axes; a++)
			t->region.axis[a] = (struct air_slice){ .step = 1 };
	t->value = upto(f, 4) ? tree(f, t->field->grid, 2, DEPTH)
	                      : read_random(f, t->field->grid, 0);
}

static void assign_random(struct fuzz *f, const struct air_expr *mask)
{
	struct air_stmt *s = air_stmt_new(f->p, f->block, STMT_ASSIGN, nowhere);

	s->n_targets = 1 + (upto(f, 3) ? 0 : 1 + upto(f, 2));
	s->target = arena_new_array(f->arena, (size_t)s->n_targets, struct air_target);
	s->mask = mask;
	for (int i = 0; i < s->n_targets; i++)
		target(f, s, &s->target[i]);
}

static void stage_random(struct fuzz *f)
{
	struct grid *g = upto(f, 3) ? f->g : upto(f, 2) ? f->l : f->gy;
	struct air_field *u = air_field_new(f->p, FIELD_STAGE,
	                                    arena_printf(f->arena, "s%d", f->n_fields),
	                                    ELEM_I64, g, nowhere);

	u->value = tree(f, g, 1, 2);
	conditions(f, u);
	for (int a = 0; a < g->n_axes; a++)
		for (int side = 0; side < 2; side++)
			if (!g->axis[a]->periodic && upto(f, 2))
				u->ghost[a][side] = (struct air_ghost){ .kind = GHOST_COMPUTED };
	air_stmt_new(f->p, f->block, STMT_STAGE, nowhere)->field = u;
	if (f->n_fields < 64)
		f->field[f->n_fields++] = u;
}

static void reduce_random(struct fuzz *f)
{
	struct air_stmt *s = air_stmt_new(f->p, f->block, STMT_REDUCE, nowhere);

	s->var = upto(f, 2) ? f->var[upto(f, VARS)]
	                    : air_var_new(f->p, "sum", ELEM_I64, nowhere);
	s->reduction = REDUCE_SUM;
	s->grid = upto(f, 4) ? f->g : f->l;
	s->value = tree(f, s->grid, 1, 2);
}

static void statements(struct fuzz *f, int n);

static void nested(struct fuzz *f, enum air_stmt_kind kind)
{
	struct air_stmt *s = air_stmt_new(f->p, f->block, kind, nowhere);
	struct air_block *outer = f->block;
	int n_fields = f->n_fields;

	if (kind == STMT_FOR) {
		s->var = air_var_new(f->p, "i", ELEM_I64, nowhere);
		s->from = i64(f->p, 0);
		s->to = i64(f->p, 2);
		s->by = i64(f->p, 1);
	} else {
		s->value = op2(f->p, AIR_LT, ELEM_BOOL, variable(f), small(f));
	}
	f->loops++;
	f->block = &s->body;
	statements(f, 1 + upto(f, 4));
	f->n_fields = n_fields;
	if (kind == STMT_IF) {
		f->block = &s->other;
		statements(f, 1 + upto(f, 2));
		f->n_fields = n_fields;
	}
	f->block = outer;
	f->loops--;
}

static void statement(struct fuzz *f)
{
	struct air_stmt *s;

	switch (upto(f, 12)) {
	case 0:
	case 1:
	case 2:
		stage_random(f);
		break;
	case 3:
		reduce_random(f);
		break;
	case 4:
		s = air_stmt_new(f->p, f->block, STMT_SET, nowhere);
		s->var = f->var[upto(f, VARS)];
		s->value = add(f->p, variable(f), small(f));
		break;
	case 5:
		if (f->loops < 2)
			nested(f, upto(f, 2) ? STMT_FOR : STMT_IF);
		break;
	case 6:
		assign_random(f, op2(f->p, AIR_LE, ELEM_BOOL, tree(f, f->g, 1, 1),
		                     tree(f, f->g, 1, 1)));
		break;
	default:
		assign_random(f, NULL);
		break;
	}
}

static void statements(struct fuzz *f, int n)
{
	for (int i = 0; i < n; i++)
		statement(f);
}

static void print_all(struct fuzz *f)
{
	for (int i = 0; i < f->n_declared; i++) {
		struct air_stmt *s = air_stmt_new(f->p, &f->p->body, STMT_PRINT, nowhere);

		s->text.n = 1;
		s->text.piece = arena_new_object(f->arena, struct air_piece);
		s->text.piece->kind = PIECE_FIELD;
		s->text.piece->field = f->field[i];
	}
}

static void make_program(struct fuzz *f, uint64_t seed)
{
	*f = (struct fuzz){ .arena = arena_new(), .state = seed * 77777 + 1 };
	f->p = air_new(f->arena, "fuzz.mpa");
	f->block = &f->p->body;
	bits(f);
	declare(f);
	statements(f, 2 + upto(f, 8));
	print_all(f);
}

/* ---- comparison ---- */

static int64_t next_number(const char **text)
{
	char *end;
	int64_t i;

	while (**text == '[' || **text == ']' || **text == ' ' || **text == '\n')
		++*text;
	i = strtoll(*text, &end, 10);
	assert(end != *text);
	*text = end;
	return i;
}

static bool same(struct fuzz *f, struct machine *m, const char *text)
{
	for (int i = 0; i < f->n_declared; i++) {
		const struct grid *g = f->field[i]->grid;
		int64_t at[MAX_AXES], zero[MAX_AXES] = { 0 }, size[MAX_AXES];

		for (int a = 0; a < g->n_axes; a++)
			size[a] = g->axis[a]->constant_size;
		point_first(at, zero, size, g->n_axes);
		do {
			int64_t a = next_number(&text), b = machine_cell(m, f->field[i], at);

			if (a != b) {
				printf("# u%d: evaluator %lld, plan %lld\n", i, (long long)a,
				       (long long)b);
				return false;
			}
		} while (point_next(at, zero, size, g->n_axes));
	}
	return true;
}

/* Equal with these passes? */
static bool try_passes(uint64_t seed, unsigned passes, bool show)
{
	struct fuzz f;
	struct plan *plan;
	struct machine m;
	const char *wrong;
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	bool ok = false;

	make_program(&f, seed);
	wrong = air_verify(f.p);
	if (show)
		air_print(f.p, stdout);
	if (!wrong && air_evaluate(f.p, 0, NULL, out))
		wrong = "the evaluator fails";
	fclose(out);
	if (!wrong) {
		plan = plan_program_by(f.p, f.arena, passes);
		wrong = plan_verify(plan);
		if (show) {
			plan_print(plan, stdout);
			for (int i = 0; i < plan->n_kernels; i++)
				kir_print(plan->kernel[i], stdout);
		}
	}
	if (wrong) {
		printf("# %s\n", wrong);
	} else {
		m = machine_run(plan);
		ok = same(&f, &m, text);
	}
	free(text);
	arena_free(f.arena);
	return ok;
}

static bool try_program(uint64_t seed)
{
	static const unsigned sets[] = {
		0,
		PASS_ALL,
		PASS_INLINE,
		PASS_MERGE | PASS_DEAD,
		PASS_SHARE | PASS_SPLIT | PASS_TINY,
		PASS_ALL | PASS_TINY,
	};

	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
		if (!try_passes(seed, sets[i], false)) {
			printf("# seed %llu, passes %u\n", (unsigned long long)seed, sets[i]);
			return false;
		}
	return true;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 200, failed = 0;
	uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;

	if (argc > 3)
		return !try_passes(first, (unsigned)atoi(argv[3]), true);
	for (int i = 0; i < n; i++)
		failed += !try_program(first + (unsigned)i);
	printf("%s 1 - plans of %d random programs\n1..1\n", failed ? "not ok" : "ok", n);
	return failed != 0;
}
