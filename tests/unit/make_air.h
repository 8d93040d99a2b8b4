/* tests/unit/make_air.h - short names for building AIR by hand in tests
 *
 * A maker holds a program; nothing here is checked beyond what build.c asserts.
 */
#ifndef TESTS_UNIT_MAKE_AIR_H
#define TESTS_UNIT_MAKE_AIR_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "array/air.h"

static const struct span nowhere;

#define UNUSED_IS_FINE __attribute__((unused))

UNUSED_IS_FINE
static const struct air_expr *i64(struct air_program *p, int64_t i)
{
	return air_int(p, ELEM_I64, i);
}

UNUSED_IS_FINE
static const struct air_expr *f64(struct air_program *p, double f)
{
	return air_real(p, ELEM_F64, f);
}

UNUSED_IS_FINE
static const struct air_expr *op1(struct air_program *p, enum air_op op, enum elem e,
                                  const struct air_expr *a)
{
	return air_op(p, op, e, &a, 1, nowhere);
}

UNUSED_IS_FINE
static const struct air_expr *op2(struct air_program *p, enum air_op op, enum elem e,
                                  const struct air_expr *a, const struct air_expr *b)
{
	const struct air_expr *arg[] = { a, b };

	return air_op(p, op, e, arg, 2, nowhere);
}

UNUSED_IS_FINE
static const struct air_expr *add(struct air_program *p, const struct air_expr *a,
                                  const struct air_expr *b)
{
	return op2(p, AIR_ADD, a->elem, a, b);
}

UNUSED_IS_FINE
static const struct air_expr *mul(struct air_program *p, const struct air_expr *a,
                                  const struct air_expr *b)
{
	return op2(p, AIR_MUL, a->elem, a, b);
}

UNUSED_IS_FINE
static const struct air_expr *sub(struct air_program *p, const struct air_expr *a,
                                  const struct air_expr *b)
{
	return op2(p, AIR_SUB, a->elem, a, b);
}

/* The field at offsets along its axes. */
UNUSED_IS_FINE
static const struct air_expr *at(struct air_program *p, struct air_field *f, int64_t x,
                                 int64_t y)
{
	struct air_select s[MAX_AXES] = { { .offset = x }, { .offset = y } };

	return air_read(p, f, s, nowhere);
}

UNUSED_IS_FINE
static const struct air_expr *here(struct air_program *p, struct air_field *f)
{
	return at(p, f, 0, 0);
}

UNUSED_IS_FINE
static const struct air_expr *index_of(struct air_program *p, const struct grid *g, int axis)
{
	return air_at(p, AIR_INDEX, g->axis[axis], 0, nowhere);
}

/* A grid of its own family, declared at this place of the program: "x:8" or "x:8p y:5". */
UNUSED_IS_FINE
static struct grid *grid(struct air_program *p, const char *name, const char *axes)
{
	struct family *f = family_new(&p->types, name, nowhere);

	for (const char *a = axes; *a; a += strcspn(a, " "), a += strspn(a, " ")) {
		char *end;
		long n = strtol(strchr(a, ':') + 1, &end, 10);
		struct axis proto = {
			.name = arena_strndup(p->arena, a, strcspn(a, ":")),
			.periodic = *end == 'p',
			.local = *end == 'l',
			.size = i64(p, n),
			.constant_size = n,
		};

		family_add_axis(&p->types, f, proto);
	}
	air_stmt_new(p, &p->body, STMT_GRID, nowhere)->family = f;
	return grid_of(&p->types, f, f->axis, f->n_axes);
}

UNUSED_IS_FINE
static struct air_field *field(struct air_program *p, const char *name, enum elem e,
                               struct grid *g)
{
	struct air_field *f = air_field_new(p, FIELD_DECLARED, name, e, g, nowhere);

	air_stmt_new(p, &p->body, STMT_FIELD, nowhere)->field = f;
	return f;
}

UNUSED_IS_FINE
static struct air_field *stage(struct air_program *p, const char *name, struct grid *g,
                               const struct air_expr *value)
{
	struct air_field *f = air_field_new(p, FIELD_STAGE, name, value->elem, g, nowhere);

	f->value = value;
	air_stmt_new(p, &p->body, STMT_STAGE, nowhere)->field = f;
	return f;
}

/* One condition on every wall. */
UNUSED_IS_FINE
static void walls(struct air_field *f, const struct air_expr *value)
{
	for (int i = 0; i < f->grid->n_axes; i++)
		for (int side = 0; side < 2 && !f->grid->axis[i]->periodic; side++)
			f->ghost[i][side] = (struct air_ghost){ GHOST_EXPR, value, nowhere };
}

/* The whole field = value, at the end of the block. */
UNUSED_IS_FINE
static struct air_stmt *assign(struct air_program *p, struct air_block *b,
                               struct air_field *f, const struct air_expr *value)
{
	struct air_stmt *s = air_stmt_new(p, b, STMT_ASSIGN, nowhere);

	s->n_targets = 1;
	s->target = arena_new_object(p->arena, struct air_target);
	s->target->field = f;
	s->target->value = value;
	return s;
}

UNUSED_IS_FINE
static struct air_var *reduce(struct air_program *p, enum air_reduction r, enum elem e,
                              const struct air_expr *value)
{
	struct air_var *v = air_var_new(p, "result", e, nowhere);
	struct air_stmt *s = air_stmt_new(p, &p->body, STMT_REDUCE, nowhere);

	s->var = v;
	s->reduction = r;
	s->value = value;
	return v;
}

#endif
