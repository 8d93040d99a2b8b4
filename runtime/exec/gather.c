/* exec/gather.c - whole fields on one rank or on all, and back
 *
 * The root takes the blocks of one rank after the other, so it needs room for one block
 * besides the field. Of ranks that hold the same block the first one gives it; all of
 * them get it back. */
#include <string.h>

#include "base/memory.h"
#include "exec/library.h"

/* The field as C has it, C order of the written axes; its block of rank r is copied. */
struct whole {
	struct mpa_session *s;
	struct array_state *a;
	char *data;
	char *block; /* room for one */
	int64_t elem;
};

static struct box block_of(const struct whole *w, int rank)
{
	return layout_block(w->a->layout, rank);
}

static bool gives(const struct whole *w, int rank)
{
	struct box b = block_of(w, rank);

	return !box_empty(&b) && layout_is_first(w->a->layout, rank);
}

/* Rows of a block, to or from their places in the whole. */
static void copy_rows(const struct whole *w, const struct box *b, bool out)
{
	const struct layout *l = w->a->layout;
	int64_t at[MPA_MAX_AXES], row = b->hi[b->naxes - 1] - b->lo[b->naxes - 1];
	int64_t n = box_points(b) / row, bytes = row * w->elem;

	memcpy(at, b->lo, sizeof at);
	for (int64_t i = 0; i < n; i++) {
		int64_t flat = 0;
		char *there, *here = w->block + i * bytes;

		for (int k = 0; k < b->naxes; k++)
			flat = flat * l->axis[k].size + at[k];
		there = w->data + flat * w->elem;
		memcpy(out ? there : here, out ? here : there, (size_t)bytes);
		for (int k = b->naxes - 2; k >= 0 && ++at[k] == b->hi[k]; k--)
			at[k] = b->lo[k];
	}
}

/* Room for the largest block that this rank deals with. */
static void make_room(struct whole *w, bool root)
{
	int64_t most = 0;

	for (int r = 0; r < w->s->comm->size; r++) {
		struct box b = block_of(w, r);
		int64_t n = box_empty(&b) ? 0 : box_points(&b);

		if ((root || r == w->s->comm->rank) && n > most)
			most = n;
	}
	w->block = mem_new((size_t)(most + 1) * (size_t)w->elem);
	if (!w->block)
		fault_set(&w->s->fault, MPA_MEMORY, "out of memory for %s", w->a->info->name);
	session_agree(w->s, NULL, w->block ? MPA_OK : MPA_MEMORY);
}

static void transfer(struct whole *w, int from, int to, int64_t bytes)
{
	struct comm_batch *batch = w->s->comm->inner;
	int rank = w->s->comm->rank;

	if (from == to || (rank != from && rank != to))
		return;
	session_sent(w->s, rank == from ? comm_send(batch, to, COMM_TAG_USER, w->block, bytes)
					: comm_recv(batch, from, COMM_TAG_USER, w->block, bytes));
	session_sent(w->s, comm_wait(batch));
}

static void gather_to(struct whole *w, int root)
{
	int rank = w->s->comm->rank;

	make_room(w, rank == root);
	for (int r = 0; r < w->s->comm->size; r++) {
		struct box b = block_of(w, r);

		if (!gives(w, r))
			continue;
		if (r == rank)
			array_pack(array_read(w->s, w->a), &b, w->block);
		transfer(w, r, root, box_points(&b) * w->elem);
		if (rank == root)
			copy_rows(w, &b, true);
	}
	mem_free(w->block);
}

static void scatter_from(struct whole *w, int root)
{
	int rank = w->s->comm->rank;

	make_room(w, rank == root);
	for (int r = 0; r < w->s->comm->size; r++) {
		struct box b = block_of(w, r);

		if (box_empty(&b))
			continue;
		if (rank == root)
			copy_rows(w, &b, false);
		transfer(w, root, r, box_points(&b) * w->elem);
		if (r == rank)
			array_unpack(array_write(w->s, w->a), &b, w->block);
	}
	mem_free(w->block);
	array_changed(w->a);
}

/* Every rank from its own whole field. */
static void scatter_own(struct whole *w)
{
	struct box b = block_of(w, w->s->comm->rank);

	make_room(w, false);
	if (!box_empty(&b)) {
		copy_rows(w, &b, false);
		array_unpack(array_write(w->s, w->a), &b, w->block);
	}
	mem_free(w->block);
	array_changed(w->a);
}

static struct whole whole_of(struct mpa_session *s)
{
	struct mpa *p = (struct mpa *)s;

	return (struct whole){ .s = s, .a = &s->array[p->moved->array], .data = p->all,
			       .elem = mpa_field_bytes(p->moved) };
}

static void gather(struct mpa_session *s)
{
	struct mpa *p = (struct mpa *)s;
	struct whole w = whole_of(s);
	struct box all = layout_whole(w.a->layout);

	gather_to(&w, p->root == MPA_EVERY_RANK ? 0 : p->root);
	if (p->root == MPA_EVERY_RANK)
		session_sent(s, comm_bcast(s->comm, 0, w.data, box_points(&all) * w.elem));
}

static void scatter(struct mpa_session *s)
{
	struct mpa *p = (struct mpa *)s;
	struct whole w = whole_of(s);

	if (p->root == MPA_EVERY_RANK)
		scatter_own(&w);
	else
		scatter_from(&w, p->root);
}

static void check_room(struct mpa_session *s)
{
	struct mpa *p = (struct mpa *)s;
	bool mine = p->root == MPA_EVERY_RANK || p->root == s->comm->rank;
	enum mpa_status st = MPA_OK;

	if (mine && !p->all)
		st = fault_set(&s->fault, MPA_ARGUMENT, "rank %d gives no memory for %s",
			       s->comm->rank, mpa_field_name(p->moved));
	session_agree(s, NULL, st);
}

static int move(struct mpa_field *f, int root, void *all, void (*how)(struct mpa_session *s))
{
	struct mpa *p = f->program;
	int answer;

	if (!library_array(f))
		return MPA_WRONG;
	if (root != MPA_EVERY_RANK && (root < 0 || root >= mpa_count_ranks(p)))
		return library_refuse(p, "there is no rank %d of %d", root,
				      mpa_count_ranks(p));
	p->moved = f;
	p->root = root;
	p->all = all;
	answer = library_do(p, check_room);
	return answer == MPA_FINE ? library_do(p, how) : MPA_WRONG;
}

int mpa_gather(struct mpa_field *f, int root, void *to)
{
	return move(f, root, to, gather);
}

int mpa_scatter(struct mpa_field *f, int root, const void *from)
{
	return move(f, root, (void *)(uintptr_t)from, scatter);
}
