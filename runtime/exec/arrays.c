/* exec/arrays.c - the storage of arrays: one buffer, and a second where it is asked for
 *
 * Ghosts belong to a name, storage travels: after a swap a name may hold storage with
 * less room for ghosts than it needs; it then moves once into new storage. Sizes are
 * the same on every rank, so all do that together. */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "exec/exec.h"

int64_t array_elem_bytes(int64_t elem)
{
	static const int64_t bytes[] = {
		[MPA_BOOL] = 1, [MPA_U8] = 1,  [MPA_I32] = 4, [MPA_I64] = 8,
		[MPA_F32] = 4,  [MPA_F64] = 8, [MPA_C64] = 8, [MPA_C128] = 16,
	};

	return bytes[elem];
}

static struct array_spec array_spec(const struct mpa_session *s,
				    const struct array_state *a)
{
	struct array_spec spec = { .layout = a->layout,
				   .rank = s->comm->rank,
				   .elem = array_elem_bytes(a->info->elem),
				   .name = a->info->name };

	for (int i = 0; i < a->layout->naxes; i++) {
		spec.halo_lo[i] = a->room[i][0];
		spec.halo_hi[i] = a->room[i][1];
	}
	return spec;
}

static void storage_new(struct mpa_session *s, struct array_state *a,
			struct mpa_array *storage, const char *where)
{
	struct array_spec spec = array_spec(s, a);

	if (s->gpu)
		room_check(s, where, a, array_bytes(&spec));
	session_agree(s, where, array_new(storage, &spec, &s->home));
}

static void array_make(struct mpa_session *s, struct array_state *a, const char *where)
{
	a->layout = grid_layout(s, a->info->grid);
	storage_new(s, a, &a->now, where);
	array_changed(a);
}

void array_forget(struct mpa_session *s, struct array_state *a)
{
	if (!a->layout)
		return;
	array_free(&a->now, &s->home);
	if (a->has_second)
		array_free(&a->second, &s->home);
	a->has_second = false;
	a->layout = NULL;
}

void array_changed(struct array_state *a)
{
	a->version++;
	a->exchanged_valid = false;
	a->walled_valid = false;
}

struct array_state *array_of(struct mpa_session *s, int64_t id)
{
	struct array_state *a = &s->array[id];

	if (!a->layout)
		array_make(s, a, a->info->where);
	return a;
}

struct mpa_array *array_read(struct mpa_session *s, struct array_state *a)
{
	session_sent(s, array_on_host(&a->now, false, &s->fault));
	return &a->now;
}

struct mpa_array *array_write(struct mpa_session *s, struct array_state *a)
{
	session_sent(s, array_on_host(&a->now, true, &s->fault));
	return &a->now;
}

void mpa_array_begin(struct mpa_session *s, const char *where, int64_t id)
{
	struct array_state *a = &s->array[id];

	if (!a->layout) {
		array_make(s, a, where);
		return;
	}
	session_sent(s, array_zero(&a->now, &s->home));
	array_changed(a);
}

/* Alike on every rank: the two may then change places on some ranks and not on others. */
void array_need_second(struct mpa_session *s, struct array_state *a)
{
	size_t used = (size_t)a->now.naxes * sizeof(int64_t);
	struct array_spec spec;

	if (a->has_second && memcmp(a->second.halo_lo, a->now.halo_lo, used) == 0 &&
	    memcmp(a->second.halo_hi, a->now.halo_hi, used) == 0)
		return;
	if (a->has_second)
		array_free(&a->second, &s->home);
	spec = array_spec(s, a);
	memcpy(spec.halo_lo, a->now.halo_lo, used);
	memcpy(spec.halo_hi, a->now.halo_hi, used);
	if (s->gpu)
		room_check(s, a->info->where, a, array_bytes(&spec));
	session_agree(s, a->info->where, array_new(&a->second, &spec, &s->home));
	a->has_second = true;
}

struct box array_written(const struct array_state *a)
{
	struct box box = a->now.own;

	if (box_empty(&box))
		return box;
	for (int i = 0; i < box.naxes; i++) {
		if (box.lo[i] == 0)
			box.lo[i] -= a->grown[i][0];
		if (box.hi[i] == a->layout->axis[i].size)
			box.hi[i] += a->grown[i][1];
	}
	return box;
}

static bool has_room(const struct array_state *a, const struct ghosts *g)
{
	for (int i = 0; i < a->now.naxes; i++)
		if (a->now.halo_lo[i] < g->width[i][0] ||
		    a->now.halo_hi[i] < g->width[i][1])
			return false;
	return true;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

void array_need_room(struct mpa_session *s, struct array_state *a, const struct ghosts *g)
{
	struct mpa_array old = a->now;
	bool again = a->has_second;
	struct box box;

	if (has_room(a, g))
		return;
	for (int i = 0; i < old.naxes; i++)
		for (int side = 0; side < 2; side++)
			a->room[i][side] = most(a->room[i][side], g->width[i][side]);
	if (again) { /* the run that asks may be about to write it */
		array_free(&a->second, &s->home);
		a->has_second = false;
	}
	box = array_written(a);
	storage_new(s, a, &a->now, a->info->where);
	session_sent(s, array_copy(&a->now, &old, &box, &s->home));
	array_free(&old, &s->home);
	if (again)
		array_need_second(s, a);
	a->exchanged_valid = a->walled_valid = false;
}

/* ---- buffers change places ------------------------------------------------ */

static void storage_swap(struct mpa_array *a, struct mpa_array *b)
{
	struct mpa_array t = *a;

	*a = *b;
	*b = t;
}

struct copying {
	struct mpa_session *s;
	struct mpa_array *dst, *src;
};

static void copy_box(void *arg, const struct box *box)
{
	struct copying *c = arg;

	session_sent(c->s, array_copy(c->dst, c->src, box, &c->s->home));
}

void array_commit(struct mpa_session *s, struct array_state *a, const struct region *r)
{
	const struct box *own = &a->now.own;
	struct region mine = region_cut(r, own);
	int64_t inside = region_points(&mine);
	struct copying c = { s, &a->second, &a->now };

	assert(a->has_second);
	if (inside == 0)
		return;
	if (!region_is_box(&mine) || 2 * inside <= box_points(own)) {
		c = (struct copying){ s, &a->now, &a->second };
		region_each(&mine, copy_box, &c);
		return;
	}
	box_complement(own, &mine.box, copy_box, &c);
	storage_swap(&a->now, &a->second);
}

void array_exchange_places(struct array_state *a, struct array_state *b)
{
	struct ghosts ghosts = a->exchanged;
	bool valid = a->exchanged_valid;

	storage_swap(&a->now, &b->now);
	a->exchanged = b->exchanged;
	a->exchanged_valid = b->exchanged_valid;
	b->exchanged = ghosts;
	b->exchanged_valid = valid;
	a->walled_valid = b->walled_valid = false;
	a->version++;
	b->version++;
}

void mpa_array_swap(struct mpa_session *s, int64_t a, int64_t b)
{
	array_exchange_places(array_of(s, a), array_of(s, b));
}
