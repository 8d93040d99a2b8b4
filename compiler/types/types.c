/* types/types.c - the table of element types, and the making of families and grids
 *
 * Takes what a program declares; gives families, axes and grids that are compared
 * by pointer. Invariant: a family has one grid for any sequence of axes, and its
 * declared axes come first.
 */
#include "types/types.h"

#include <assert.h>
#include <string.h>

static const struct elem_info {
	const char *text, *npy;
	enum elem_kind kind;
	int bytes;
} elem_info[ELEM_COUNT] = {
	[ELEM_NONE] = { "none", "", KIND_NONE, 0 },
#define ROW(id, text, kind, bytes, npy) [ELEM_##id] = { text, npy, KIND_##kind, bytes },
#include "types/elem.def"
#undef ROW
};

const char *elem_text(enum elem e)
{
	return elem_info[e].text;
}

const char *elem_npy(enum elem e)
{
	return elem_info[e].npy;
}

enum elem_kind elem_kind(enum elem e)
{
	return elem_info[e].kind;
}

int elem_bytes(enum elem e)
{
	return elem_info[e].bytes;
}

enum elem elem_named(const char *text)
{
	for (int e = ELEM_NONE + 1; e < ELEM_COUNT; e++)
		if (!strcmp(elem_info[e].text, text))
			return e;
	return ELEM_NONE;
}

/* The real type that holds an integer type: small integers fit f32. */
static enum elem real_for(enum elem e)
{
	return e == ELEM_BOOL || e == ELEM_U8 || e == ELEM_F32 ? ELEM_F32 : ELEM_F64;
}

static enum elem complex_for(enum elem e)
{
	if (elem_kind(e) == KIND_COMPLEX)
		return e;
	return real_for(e) == ELEM_F32 ? ELEM_C64 : ELEM_C128;
}

enum elem elem_promote(enum elem a, enum elem b)
{
	enum elem low = a < b ? a : b, high = a < b ? b : a;

	if (low == high)
		return low;
	switch (elem_kind(high)) {
	case KIND_INT:
		return high;
	case KIND_REAL:
		return real_for(low) == ELEM_F64 ? ELEM_F64 : high;
	case KIND_COMPLEX:
		return complex_for(low) == ELEM_C128 ? ELEM_C128 : high;
	default:
		return ELEM_NONE;
	}
}

struct family *family_new(struct types *t, const char *name, struct span span)
{
	struct family *f = arena_new_object(t->arena, struct family);

	assert(t->n_families < MAX_FAMILIES);
	f->id = t->n_families;
	f->name = name;
	f->span = span;
	t->family[t->n_families++] = f;
	return f;
}

struct axis *family_add_axis(struct types *t, struct family *f, struct axis proto)
{
	struct axis *a = arena_copy(t->arena, &proto, sizeof proto);

	assert(f->n_axes < MAX_FAMILY_AXES);
	a->family = f;
	a->rank = f->n_axes;
	f->axis[f->n_axes++] = a;
	if (!f->grids)
		f->n_base = f->n_axes;
	t->n_axes++;
	return a;
}

static bool same_axes(const struct grid *g, struct axis *const *axis, int n)
{
	return g->n_axes == n && !memcmp(g->axis, axis, n * sizeof *axis);
}

static bool is_whole_family(const struct family *f, struct axis *const *axis, int n)
{
	return n == f->n_base && !memcmp(f->axis, axis, n * sizeof *axis);
}

/* "plate" for the declared grid, else "plate[y, q]". */
static const char *grid_name(struct types *t, struct family *f, struct axis *const *axis,
                             int n)
{
	const char *text = f->name;

	if (is_whole_family(f, axis, n))
		return text;
	for (int i = 0; i < n; i++)
		text = arena_printf(t->arena, "%s%s%s", text, i ? ", " : "[", axis[i]->name);
	return arena_printf(t->arena, "%s]", text);
}

struct grid *grid_of(struct types *t, struct family *f, struct axis *const *axis, int n)
{
	struct grid *g, **end = &f->grids;

	assert(n > 0 && n <= MAX_AXES);
	for (g = f->grids; g; end = &g->next, g = g->next)
		if (same_axes(g, axis, n))
			return g;
	assert(t->n_grids < MAX_GRIDS);
	g = arena_new_object(t->arena, struct grid);
	g->id = t->n_grids;
	g->name = grid_name(t, f, axis, n);
	g->family = f;
	g->n_axes = n;
	for (int i = 0; i < n; i++) {
		assert(axis[i]->family == f && grid_axis_index(g, axis[i]) < 0);
		g->axis[i] = axis[i];
	}
	*end = g;
	t->grid[t->n_grids++] = g;
	return g;
}

int grid_axis_index(const struct grid *g, const struct axis *a)
{
	for (int i = 0; i < g->n_axes; i++)
		if (g->axis[i] == a)
			return i;
	return -1;
}

struct axis *grid_axis_named(const struct grid *g, const char *name)
{
	for (int i = 0; i < g->n_axes; i++)
		if (!strcmp(g->axis[i]->name, name))
			return g->axis[i];
	return NULL;
}

bool grid_contains(const struct grid *big, const struct grid *small)
{
	for (int i = 0; i < small->n_axes; i++)
		if (grid_axis_index(big, small->axis[i]) < 0)
			return false;
	return big->family == small->family;
}

struct grid *grid_join(struct types *t, struct grid *a, struct grid *b)
{
	struct axis *axis[MAX_FAMILY_AXES];
	int n = 0;

	if (a->family != b->family)
		return NULL;
	if (grid_contains(a, b))
		return a;
	if (grid_contains(b, a))
		return b;
	for (int i = 0; i < a->family->n_axes; i++) {
		struct axis *x = a->family->axis[i];

		if (grid_axis_index(a, x) >= 0 || grid_axis_index(b, x) >= 0)
			axis[n++] = x;
	}
	return n <= MAX_AXES ? grid_of(t, a->family, axis, n) : NULL;
}
