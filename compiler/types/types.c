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

enum elem elem_part(enum elem e)
{
	return e == ELEM_C64 ? ELEM_F32 : e == ELEM_C128 ? ELEM_F64 : e;
}

enum elem elem_complex(enum elem e)
{
	return e == ELEM_F32 || e == ELEM_C64 ? ELEM_C64 : ELEM_C128;
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
	a->id = t->n_axes;
	a->rank = f->n_axes;
	f->axis[f->n_axes++] = a;
	if (!f->grids)
		f->n_base = f->n_axes;
	t->n_axes++;
	return a;
}

bool family_may_cut(const struct family *f, int i)
{
	if (f->axis[i]->local || f->split_none)
		return false;
	return f->split_given ? f->split[i] : true;
}

static bool same_axes(const struct grid *g, struct axis *const *axis, const int *ext, int n)
{
	return g->n_axes == n && !memcmp(g->axis, axis, n * sizeof *axis) &&
	       !memcmp(g->ext, ext, n * sizeof *ext);
}

static bool is_whole_family(const struct family *f, struct axis *const *axis, int n)
{
	return n == f->n_base && !memcmp(f->axis, axis, n * sizeof *axis);
}

/* "plate" for the declared grid, "plate[y, q]", "plate.extend(y: 1)". */
static const char *grid_name(struct types *t, struct axis *const *axis, const int *ext, int n)
{
	struct family *f = axis[0]->family;
	const char *text = f->name, *before = "[", *end = "]";

	if (!is_whole_family(f, axis, n)) {
		for (int i = 0; i < n; i++, before = ", ")
			text = arena_printf(t->arena, "%s%s%s", text, before, axis[i]->name);
		text = arena_printf(t->arena, "%s%s", text, end);
	}
	before = ".extend(";
	end = "";
	for (int i = 0; i < n; i++) {
		if (!ext[i] || ext[i] == EXT_OPEN)
			continue;
		text = arena_printf(t->arena, "%s%s%s: %d", text, before, axis[i]->name, ext[i]);
		before = ", ";
		end = ")";
	}
	return arena_printf(t->arena, "%s%s", text, end);
}

struct grid *grid_of_extended(struct types *t, struct axis *const *axis, const int *ext, int n)
{
	struct family *f = axis[0]->family;
	struct grid *g, **end = &f->grids;

	assert(n > 0 && n <= MAX_AXES);
	for (g = f->grids; g; end = &g->next, g = g->next)
		if (same_axes(g, axis, ext, n))
			return g;
	assert(t->n_grids < MAX_GRIDS);
	g = arena_new_object(t->arena, struct grid);
	g->id = t->n_grids;
	g->name = grid_name(t, axis, ext, n);
	g->family = f;
	g->n_axes = n;
	for (int i = 0; i < n; i++) {
		assert(axis[i]->family == f && grid_axis_index(g, axis[i]) < 0);
		g->axis[i] = axis[i];
		g->ext[i] = ext[i];
	}
	*end = g;
	t->grid[t->n_grids++] = g;
	return g;
}

struct grid *grid_of(struct types *t, struct family *f, struct axis *const *axis, int n)
{
	int none[MAX_AXES] = { 0 };

	assert(n > 0 && axis[0]->family == f);
	return grid_of_extended(t, axis, none, n);
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

int grid_ext(const struct grid *g, const struct axis *a)
{
	int i = grid_axis_index(g, a);

	return i < 0 ? 0 : g->ext[i];
}

int grid_longer(const struct grid *g, const struct axis *a)
{
	int ext = grid_ext(g, a);

	return a->periodic || ext == EXT_OPEN ? 0 : ext;
}

struct grid *grid_closed(struct types *t, struct grid *g)
{
	int ext[MAX_AXES];

	for (int i = 0; i < g->n_axes; i++)
		ext[i] = g->ext[i] == EXT_OPEN ? 0 : g->ext[i];
	return grid_of_extended(t, g->axis, ext, g->n_axes);
}

int64_t grid_constant_size(const struct grid *g, int i)
{
	int64_t n = g->axis[i]->constant_size;

	return n < 0 ? n : n + grid_longer(g, g->axis[i]);
}

int grid_exceeds(const struct grid *big, int i, const struct grid *small)
{
	const struct axis *a = big->axis[i];
	int more = grid_longer(big, a) - grid_longer(small, a);

	return grid_axis_index(small, a) >= 0 && more > 0 ? more : 0;
}

/* The extension of an axis in what joins a and b, one of which has it. */
static int joined_ext(const struct grid *a, const struct grid *b, const struct axis *x)
{
	int in_a = grid_ext(a, x), in_b = grid_ext(b, x);

	if (grid_axis_index(a, x) < 0 || grid_axis_index(b, x) < 0)
		return in_a + in_b;
	return in_a > in_b ? in_a : in_b;
}

/* big, which has all axes of small, as long as the longer of the two. */
static struct grid *grid_longest(struct types *t, struct grid *big, struct grid *small)
{
	int ext[MAX_AXES];

	for (int i = 0; i < big->n_axes; i++)
		ext[i] = joined_ext(big, small, big->axis[i]);
	return grid_of_extended(t, big->axis, ext, big->n_axes);
}

struct grid *grid_join(struct types *t, struct grid *a, struct grid *b)
{
	struct axis *axis[MAX_FAMILY_AXES];
	int ext[MAX_FAMILY_AXES], n = 0;

	if (a->family != b->family)
		return NULL;
	if (grid_contains(a, b))
		return grid_longest(t, a, b);
	if (grid_contains(b, a))
		return grid_longest(t, b, a);
	for (int i = 0; i < a->family->n_axes; i++) {
		struct axis *x = a->family->axis[i];

		if (grid_axis_index(a, x) < 0 && grid_axis_index(b, x) < 0)
			continue;
		ext[n] = joined_ext(a, b, x);
		axis[n++] = x;
	}
	return n <= MAX_AXES ? grid_of_extended(t, axis, ext, n) : NULL;
}
