/* array/cons.c - each expression once
 *
 * A table of all expressions of a program by their hashes: takes an expression, gives the
 * one object that is equal to it, new or old.
 */
#include "array/cons.h"

#include <string.h>

struct air_table {
	int n, room;                         /* room: a power of two */
	const struct air_expr **slot;
	uint32_t *hash;                      /* of each slot */
};

enum { FIRST_ROOM = 1024 };

static uint32_t mix(uint32_t h, uint64_t x)
{
	x = (x ^ h) * 0x9e3779b97f4a7c15u;
	return (uint32_t)(x >> 32 ^ x);
}

static uint32_t mix_text(uint32_t h, const char *text)
{
	for (; *text; text++)
		h = mix(h, (unsigned char)*text);
	return h;
}

static uint32_t mix_pointer(uint32_t h, const void *p)
{
	return mix(h, (uintptr_t)p);
}

static uint32_t mix_constant(uint32_t h, const struct air_expr *e)
{
	uint64_t bits;

	switch (elem_kind(e->elem)) {
	case KIND_REAL:
		memcpy(&bits, &e->as.f, sizeof bits);
		return mix(h, bits);
	case KIND_TEXT:
		return mix_text(h, e->as.text);
	default:
		return mix(h, e->as.i);
	}
}

static uint32_t mix_select(uint32_t h, const struct air_expr *e)
{
	h = mix_pointer(h, e->as.read.field);
	for (int i = 0; i < e->as.read.field->grid->n_axes; i++) {
		h = mix(h, e->as.read.at[i].offset);
		h = mix_pointer(h, e->as.read.at[i].index);
	}
	return h;
}

static uint32_t expr_hash(const struct air_expr *e)
{
	uint32_t h = mix(mix_pointer(e->op, e->grid), e->elem);

	for (int i = 0; i < e->n_args; i++)
		h = mix_pointer(h, e->arg[i]);
	switch (e->op) {
	case AIR_CONST:
		return mix_constant(h, e);
	case AIR_VAR:
		return mix_pointer(h, e->as.var);
	case AIR_READ:
		return mix_select(h, e);
	case AIR_INDEX:
	case AIR_COORD:
	case AIR_SIZE:
	case AIR_STEP:
		h = mix(mix_pointer(h, e->as.at.axis), e->as.at.ext);
		return mix(h, e->as.at.offset);
	case AIR_MIRROR:
		return mix(h, e->as.mirror);
	case AIR_EXTERN:
		return mix_pointer(h, e->as.function);
	default:
		return mix(h, e->as.i);
	}
}

union scalar constant_value(const struct air_expr *e)
{
	switch (elem_kind(e->elem)) {
	case KIND_REAL:
		return (union scalar){ .f = e->as.f };
	case KIND_TEXT:
		return (union scalar){ .text = e->as.text };
	default:
		return (union scalar){ .i = e->as.i };
	}
}

static bool same_select(const struct air_expr *a, const struct air_expr *b)
{
	if (a->as.read.field != b->as.read.field)
		return false;
	for (int i = 0; i < a->as.read.field->grid->n_axes; i++) {
		const struct air_select *x = &a->as.read.at[i], *y = &b->as.read.at[i];

		if (x->pick != y->pick || x->offset != y->offset || x->index != y->index)
			return false;
	}
	return true;
}

static bool same_payload(const struct air_expr *a, const struct air_expr *b)
{
	switch (a->op) {
	case AIR_CONST:
		return scalar_equal(a->elem, constant_value(a), constant_value(b));
	case AIR_VAR:
		return a->as.var == b->as.var;
	case AIR_READ:
		return same_select(a, b);
	case AIR_INDEX:
	case AIR_COORD:
	case AIR_SIZE:
	case AIR_STEP:
		return a->as.at.axis == b->as.at.axis && a->as.at.ext == b->as.at.ext &&
		       a->as.at.offset == b->as.at.offset;
	case AIR_MIRROR:
		return a->as.mirror == b->as.mirror;
	case AIR_EXTERN:
		return a->as.function == b->as.function;
	default:
		return a->as.i == b->as.i;
	}
}

static bool same_expr(const struct air_expr *a, const struct air_expr *b)
{
	return a->op == b->op && a->elem == b->elem && a->grid == b->grid &&
	       a->n_args == b->n_args &&
	       (!a->n_args || !memcmp(a->arg, b->arg, a->n_args * sizeof *a->arg)) &&
	       same_payload(a, b);
}

static void table_resize(struct arena *a, struct air_table *t, int room)
{
	struct air_table old = *t;

	t->room = room;
	t->slot = arena_new_array(a, room, const struct air_expr *);
	t->hash = arena_new_array(a, room, uint32_t);
	for (int i = 0; i < old.room; i++) {
		int j = old.hash[i] & (room - 1);

		if (!old.slot[i])
			continue;
		while (t->slot[j])
			j = (j + 1) & (room - 1);
		t->slot[j] = old.slot[i];
		t->hash[j] = old.hash[i];
	}
}

/* A copy with its arguments and selection, in the program's arena. */
static const struct air_expr *expr_keep(struct air_program *p, const struct air_expr *e)
{
	struct air_expr *kept = arena_copy(p->arena, e, sizeof *e);

	if (e->n_args)
		kept->arg = arena_copy(p->arena, e->arg, e->n_args * sizeof *e->arg);
	if (e->op == AIR_READ)
		kept->as.read.at = arena_copy(p->arena, e->as.read.at,
		                              e->as.read.field->grid->n_axes *
		                                      sizeof *e->as.read.at);
	if (e->op == AIR_CONST && e->elem == ELEM_STR)
		kept->as.text = arena_strdup(p->arena, e->as.text);
	kept->id = p->n_exprs++;
	return kept;
}

const struct air_expr *expr_of(struct air_program *p, const struct air_expr *e)
{
	struct air_table *t = p->table;
	uint32_t h = expr_hash(e);
	int i;

	if (2 * t->n >= t->room)
		table_resize(p->arena, t, 2 * t->room);
	for (i = h & (t->room - 1); t->slot[i]; i = (i + 1) & (t->room - 1))
		if (t->hash[i] == h && same_expr(t->slot[i], e))
			return t->slot[i];
	t->slot[i] = expr_keep(p, e);
	t->hash[i] = h;
	t->n++;
	return t->slot[i];
}

struct air_table *table_new(struct arena *a)
{
	struct air_table *t = arena_new_object(a, struct air_table);

	table_resize(a, t, FIRST_ROOM);
	return t;
}
