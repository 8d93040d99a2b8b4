/* array/array.c - storage of one field block
 *
 * Strides are chosen from the contiguous axis outwards. Each is padded so that
 * neighbours along the next axis do not fall on the same lines of a cache. */
#include "array/array.h"

#include <string.h>

#include "array/runs.h"

/* Room for a vector read or written across either end of the block. */
enum { SLACK = MEM_LINE };

/* Where the contiguous rows of an array lie in its block. */
struct plan {
	int order[MPA_MAX_AXES];
	int64_t stride[MPA_MAX_AXES];
	int64_t first; /* bytes from the block's start to the first owned point */
	int64_t bytes; /* of the block */
};

static int64_t round_up(int64_t value, int64_t to)
{
	return (value + to - 1) / to * to;
}

/* A distance of `bytes` (whole lines) between rows or planes, made longer by at
 * most a sixteenth: an odd number of lines, and away from multiples of a page. */
static int64_t pad_distance(int64_t bytes)
{
	int64_t offset, most, wanted;

	if (bytes < 8 * MEM_LINE)
		return bytes;
	if (bytes / MEM_LINE % 2 == 0)
		bytes += MEM_LINE;
	offset = bytes % MEM_PAGE;
	if (offset >= 512 && offset <= MEM_PAGE - 512)
		return bytes;
	if (offset > MEM_PAGE / 2)
		offset -= MEM_PAGE;
	most = bytes / 16 / (2 * MEM_LINE) * (2 * MEM_LINE);
	wanted = 1600 - offset;
	wanted += wanted / MEM_LINE % 2 * MEM_LINE;
	return bytes + (wanted < most ? wanted : most);
}

static void plan_order(struct plan *plan, const struct layout *layout)
{
	int n = 0;

	for (int local = 1; local >= 0; local--)
		for (int a = 0; a < layout->naxes; a++)
			if (layout->axis[a].local == local)
				plan->order[n++] = a;
}

/* Needs the order. */
static void plan_strides(struct plan *plan, const struct array_spec *spec,
			 const struct box *own)
{
	int naxes = own->naxes, last = naxes > 0 ? plan->order[naxes - 1] : 0;
	int64_t left = 0, distance = spec->elem;

	if (naxes > 0)
		left = round_up(spec->halo_lo[last] * spec->elem, MEM_LINE);
	plan->first = SLACK + left;
	for (int k = naxes - 1; k >= 0; k--) {
		int a = plan->order[k];
		int64_t points = own->hi[a] - own->lo[a] + spec->halo_hi[a];

		plan->stride[a] = distance / spec->elem;
		if (k == naxes - 1) {
			distance = pad_distance(
				round_up(left + points * spec->elem, MEM_LINE));
		} else {
			plan->first += spec->halo_lo[a] * distance;
			distance = pad_distance(distance * (points + spec->halo_lo[a]));
		}
	}
	plan->bytes = distance + 2 * SLACK;
}

static struct plan plan_make(const struct array_spec *spec, const struct box *own)
{
	struct plan plan = { .first = 0 };

	plan_order(&plan, spec->layout);
	plan_strides(&plan, spec, own);
	return plan;
}

/* Half a page between the first two arrays, then quarters, eighths, ... */
static int64_t skew(int64_t count)
{
	int64_t offset = 0;

	for (int bit = 0; bit < 5; bit++)
		if (count >> bit & 1)
			offset += MEM_PAGE / 2 >> bit;
	return offset;
}

struct touch {
	struct mpa_array *array;
	int axis;       /* the outermost that is not local */
	int64_t lo, hi; /* its owned range */
};

/* Writes zeros to rows lo..hi of every local index, ghost rows at the ends too. */
static void touch_rows(void *arg, int64_t lo, int64_t hi)
{
	const struct touch *t = arg;
	struct box box = array_extent(t->array);

	if (lo > t->lo)
		box.lo[t->axis] = lo;
	if (hi < t->hi)
		box.hi[t->axis] = hi;
	runs_zero(t->array, &box);
}

static void array_touch(struct mpa_array *array, const struct layout *layout,
			struct pool *pool)
{
	struct touch t = { .array = array };
	int k = 0;

	if (pool_threads(pool) == 1)
		return;
	while (k < array->naxes && layout->axis[array->order[k]].local)
		k++;
	if (k == array->naxes)
		return;
	t.axis = array->order[k];
	t.lo = array->own.lo[t.axis];
	t.hi = array->own.hi[t.axis];
	pool_for(pool, touch_rows, &t, (struct pool_span){ t.lo, t.hi, 1 });
}

static void array_describe(struct mpa_array *array, const struct array_spec *spec)
{
	*array = (struct mpa_array){ .naxes = spec->layout->naxes, .elem = spec->elem };
	array->own = layout_block(spec->layout, spec->rank);
	for (int a = 0; a < array->naxes; a++) {
		array->halo_lo[a] = spec->halo_lo[a];
		array->halo_hi[a] = spec->halo_hi[a];
	}
}

int64_t array_bytes(const struct array_spec *spec)
{
	struct box own = layout_block(spec->layout, spec->rank);

	return layout_holds(spec->layout, spec->rank) ? plan_make(spec, &own).bytes : 0;
}

/* Zeros on the device; the pages of the host are not touched before they are needed. */
static enum mpa_status array_settle(struct mpa_array *array,
				    const struct array_spec *spec,
				    const struct array_home *home)
{
	int64_t bytes = (int64_t)array->block.bytes;
	enum mpa_status st = gpu_alloc(home->gpu, bytes,
				       spec->name ? spec->name : "an array",
				       &array->device, home->fault);

	if (st != MPA_OK)
		return st;
	gpu_mirror(home->gpu, array->device, array->block.data, bytes);
	array->gpu = home->gpu;
	array->fresh = ARRAY_ON_HOST | ARRAY_ON_DEVICE;
	return gpu_zero(home->gpu, array->device, bytes, home->fault);
}

enum mpa_status array_new(struct mpa_array *array, const struct array_spec *spec,
			  const struct array_home *home)
{
	struct plan plan;
	int64_t shift;

	array_describe(array, spec);
	plan = plan_make(spec, &array->own);
	memcpy(array->order, plan.order, sizeof plan.order);
	memcpy(array->stride, plan.stride, sizeof plan.stride);
	if (!layout_holds(spec->layout, spec->rank))
		return MPA_OK;
	shift = plan.bytes < 2 * MEM_PAGE ? 0 : skew(home->account->count);
	array->block = mem_block_new(home->account, (size_t)(plan.bytes + shift));
	if (!array->block.data)
		return fault_set(home->fault, MPA_MEMORY,
				 "out of memory for an array of %lld bytes",
				 (long long)plan.bytes);
	array->origin = array->block.data + shift + plan.first;
	for (int a = 0; a < array->naxes; a++)
		array->origin -= array->own.lo[a] * array->stride[a] * array->elem;
	if (home->gpu)
		return array_settle(array, spec, home);
	array_touch(array, spec->layout, home->pool);
	return MPA_OK;
}

void array_free(struct mpa_array *array, const struct array_home *home)
{
	if (array->gpu)
		gpu_free(array->gpu, array->device);
	mem_block_free(home->account, &array->block);
	array->device = 0;
	array->origin = NULL;
}

bool array_owns(const struct mpa_array *array)
{
	return array->origin && !box_empty(&array->own);
}

struct box array_extent(const struct mpa_array *array)
{
	struct box box = array->own;

	for (int a = 0; a < array->naxes; a++) {
		box.lo[a] -= array->halo_lo[a];
		box.hi[a] += array->halo_hi[a];
	}
	return box;
}

void *array_at(const struct mpa_array *array, const int64_t *index)
{
	int64_t offset = 0;

	for (int a = 0; a < array->naxes; a++)
		offset += index[a] * array->stride[a];
	return array->origin + offset * array->elem;
}

bool array_alike(const struct mpa_array *a, const struct mpa_array *b)
{
	size_t used = (size_t)a->naxes * sizeof(int64_t);

	return a->elem == b->elem && box_same(&a->own, &b->own) &&
	       memcmp(a->halo_lo, b->halo_lo, used) == 0 &&
	       memcmp(a->halo_hi, b->halo_hi, used) == 0 &&
	       memcmp(a->stride, b->stride, used) == 0;
}

void array_swap(struct mpa_array *a, struct mpa_array *b)
{
	struct mpa_array t = *a;

	*a = *b;
	*b = t;
}

struct copying {
	struct mpa_array *dst;
	const struct mpa_array *src;
	struct box box;
	int axis;
};

static void copy_rows(void *arg, int64_t lo, int64_t hi)
{
	const struct copying *c = arg;
	struct box box = c->box;
	int64_t no_shift[MPA_MAX_AXES] = { 0 };

	if (box.naxes > 0) {
		box.lo[c->axis] = lo;
		box.hi[c->axis] = hi;
	}
	runs_copy(c->dst, c->src, &box, no_shift);
}

static void copy_on_host(struct copying *c, struct pool *pool)
{
	struct mpa_array *dst = c->dst;

	for (int k = 0; k < dst->naxes; k++) { /* the longest outer axis is shared out */
		int a = dst->order[k];

		if (k == 0 ||
		    c->box.hi[a] - c->box.lo[a] > c->box.hi[c->axis] - c->box.lo[c->axis])
			c->axis = a;
		if (c->box.hi[a] - c->box.lo[a] >= pool_threads(pool))
			break;
	}
	if (dst->naxes == 0 || box_points(&c->box) < 32768) {
		copy_rows(c, c->box.lo[c->axis], c->box.hi[c->axis]);
		return;
	}
	pool_for(pool, copy_rows, c,
		 (struct pool_span){ c->box.lo[c->axis], c->box.hi[c->axis], 1 });
}

static enum mpa_status copy_on_device(const struct copying *c, struct fault *fault)
{
	struct mpa_array to = array_of_device(c->dst), from = array_of_device(c->src);
	int64_t no_shift[MPA_MAX_AXES] = { 0 };
	struct runs_move run = runs_copying(&to, &from, &c->box, no_shift);

	return runs_on_device(c->dst->gpu, NULL, GPU_WORK, &run, 1, fault);
}

enum mpa_status array_copy(struct mpa_array *dst, struct mpa_array *src,
			   const struct box *box, const struct array_home *home)
{
	struct box to = array_extent(dst), from = array_extent(src);
	struct copying c = { .dst = dst, .src = src };
	bool device = dst->gpu && src->gpu;
	enum mpa_status st;

	c.box = box_cut(box, &to);
	c.box = box_cut(&c.box, &from);
	if (box_points(&c.box) == 0 || !dst->origin || !src->origin)
		return MPA_OK;
	st = device ? array_on_device(src, false, home->fault)
		    : array_on_host(src, false, home->fault);
	if (st == MPA_OK)
		st = device ? array_on_device(dst, true, home->fault)
			    : array_on_host(dst, true, home->fault);
	if (st != MPA_OK)
		return st;
	if (device)
		return copy_on_device(&c, home->fault);
	copy_on_host(&c, home->pool);
	return MPA_OK;
}

void array_pack(const struct mpa_array *array, const struct box *box, void *out)
{
	runs_pack(array, box, NULL, out);
}

void array_unpack(struct mpa_array *array, const struct box *box, const void *in)
{
	runs_unpack(array, box, NULL, in);
}
