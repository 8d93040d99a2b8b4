/* halo/plan.c - messages made of pieces
 *
 * Pieces are sorted by peer; a message is the pieces of one peer behind one
 * another, each packed in the memory order of its array. All buffers are made
 * with the plan, so an exchange allocates nothing. */
#include "halo/halo.h"

#include <assert.h>
#include <stdlib.h>

#include "array/runs.h"
#include "base/memory.h"
#include "halo/pieces.h"

enum { THREADED_BYTES = 512 << 10 }; /* moved at once, before threads pay */

/* The pieces first..first+count-1 of a list, to or from one rank. */
struct message {
	int peer;
	int64_t start, bytes; /* in the buffer of the list */
};

struct side {
	struct pieces pieces;
	struct message *message;
	int nmessages;
	char *buffer;
	int64_t bytes;
};

struct halo_plan {
	struct comm *comm;
	struct pool *pool;
	struct comm_batch *batch;
	struct side sent, received;
	struct pieces own; /* copied inside the rank */
	int64_t own_bytes;
	struct halo_field *field;
	struct mpa_array **array; /* in flight, per field */
	int nfields;
	bool flying;
	struct halo_counts counts;
};

static int64_t piece_bytes(const struct halo_plan *plan, const struct piece *piece)
{
	return box_points(&piece->ghost) * plan->field[piece->field].elem;
}

/* Where the values of a piece lie in its source. */
static struct box piece_source(const struct piece *piece)
{
	struct box box = piece->ghost;

	for (int a = 0; a < box.naxes; a++) {
		box.lo[a] += piece->shift[a];
		box.hi[a] += piece->shift[a];
	}
	return box;
}

/* Groups sorted pieces into messages and finds room for them. */
static bool side_make(struct halo_plan *plan, struct side *side)
{
	int count = side->pieces.count;
	struct message *last = NULL;

	if (side->pieces.failed)
		return false;
	pieces_sort(&side->pieces);
	side->message = mem_new((size_t)count * sizeof *side->message);
	if (!side->message)
		return false;
	for (int i = 0; i < count; i++) {
		struct piece *piece = &side->pieces.piece[i];

		if (!last || last->peer != piece->peer) {
			last = &side->message[side->nmessages++];
			last->peer = piece->peer;
			last->start = side->bytes;
		}
		piece->offset = side->bytes;
		side->bytes += (piece_bytes(plan, piece) + 15) / 16 * 16;
		last->bytes = side->bytes - last->start;
	}
	side->buffer = mem_new((size_t)side->bytes);
	return side->buffer != NULL;
}

static void side_free(struct side *side)
{
	pieces_free(&side->pieces);
	mem_free(side->message);
	mem_free(side->buffer);
}

/* Keeps of `all` what comes from others; the rest goes to plan->own. */
static bool plan_divide(struct halo_plan *plan, struct pieces *all)
{
	int kept = 0, rank = plan->comm->rank;
	int own = 0;

	for (int i = 0; i < all->count; i++)
		own += all->piece[i].peer == rank;
	plan->own.piece = calloc((size_t)own + 1, sizeof *plan->own.piece);
	if (!plan->own.piece)
		return false;
	for (int i = 0; i < all->count; i++) {
		if (all->piece[i].peer == rank) {
			plan->own.piece[plan->own.count++] = all->piece[i];
			plan->own_bytes += piece_bytes(plan, &all->piece[i]);
		} else {
			all->piece[kept++] = all->piece[i];
		}
	}
	all->count = kept;
	return true;
}

static bool plan_make(struct halo_plan *plan, const struct halo_field *fields,
		      int nfields)
{
	size_t n = (size_t)nfields;
	int rank = plan->comm->rank;

	plan->nfields = nfields;
	plan->field = mem_new(n * sizeof *plan->field);
	plan->array = mem_new(n * sizeof *plan->array);
	plan->batch = comm_batch_new(plan->comm);
	if (!plan->field || !plan->array || !plan->batch)
		return false;
	for (int i = 0; i < nfields; i++) {
		plan->field[i] = fields[i];
		pieces_received(&plan->received.pieces, &fields[i], i, rank);
		pieces_sent(&plan->sent.pieces, &fields[i], i, rank);
	}
	if (!plan_divide(plan, &plan->received.pieces))
		return false;
	if (!side_make(plan, &plan->received) || !side_make(plan, &plan->sent))
		return false;
	plan->counts.peers = plan->sent.nmessages;
	return true;
}

struct halo_plan *halo_plan_new(struct comm *comm, struct pool *pool,
				const struct halo_field *fields, int nfields)
{
	struct halo_plan *plan = mem_new(sizeof *plan);

	if (plan) {
		plan->comm = comm;
		plan->pool = pool;
		if (plan_make(plan, fields, nfields))
			return plan;
	}
	fault_set(comm->fault, MPA_MEMORY, "out of memory for the exchange of ghosts");
	halo_plan_free(plan);
	return NULL;
}

void halo_plan_free(struct halo_plan *plan)
{
	if (!plan)
		return;
	side_free(&plan->sent);
	side_free(&plan->received);
	pieces_free(&plan->own);
	comm_batch_free(plan->batch);
	mem_free(plan->field);
	mem_free(plan->array);
	mem_free(plan);
}

static void pack_piece(void *arg, int64_t i)
{
	struct halo_plan *plan = arg;
	const struct piece *piece = &plan->sent.pieces.piece[i];
	const struct mpa_array *array = plan->array[piece->field];
	struct box source = piece_source(piece);

	runs_pack(array, &source, array->order, plan->sent.buffer + piece->offset);
}

static void unpack_piece(void *arg, int64_t i)
{
	struct halo_plan *plan = arg;
	const struct piece *piece = &plan->received.pieces.piece[i];
	struct mpa_array *array = plan->array[piece->field];

	runs_unpack(array, &piece->ghost, array->order,
		    plan->received.buffer + piece->offset);
}

static void copy_piece(void *arg, int64_t i)
{
	struct halo_plan *plan = arg;
	const struct piece *piece = &plan->own.piece[i];
	struct mpa_array *array = plan->array[piece->field];

	runs_copy(array, array, &piece->ghost, piece->shift);
}

static void for_pieces(struct halo_plan *plan, pool_chunk_fn *fn, int count,
		       int64_t bytes)
{
	pool_run(bytes >= THREADED_BYTES ? plan->pool : NULL, fn, plan, count);
}

static enum mpa_status post_receives(struct halo_plan *plan)
{
	enum mpa_status st = MPA_OK;

	for (int i = 0; i < plan->received.nmessages && st == MPA_OK; i++) {
		const struct message *m = &plan->received.message[i];

		st = comm_recv(plan->batch, m->peer, COMM_TAG_HALO,
			       plan->received.buffer + m->start, m->bytes);
	}
	return st;
}

static enum mpa_status post_sends(struct halo_plan *plan)
{
	enum mpa_status st = MPA_OK;

	for (int i = 0; i < plan->sent.nmessages && st == MPA_OK; i++) {
		const struct message *m = &plan->sent.message[i];

		st = comm_send(plan->batch, m->peer, COMM_TAG_HALO,
			       plan->sent.buffer + m->start, m->bytes);
		plan->counts.messages++;
		plan->counts.bytes += m->bytes;
	}
	return st;
}

enum mpa_status halo_begin(struct halo_plan *plan, struct mpa_array *const *arrays)
{
	enum mpa_status st;

	assert(!plan->flying);
	for (int i = 0; i < plan->nfields; i++)
		plan->array[i] = arrays[i];
	plan->flying = true;
	plan->counts.exchanges++;
	st = post_receives(plan);
	if (st != MPA_OK)
		return st;
	for_pieces(plan, pack_piece, plan->sent.pieces.count, plan->sent.bytes);
	st = post_sends(plan);
	for_pieces(plan, copy_piece, plan->own.count, plan->own_bytes);
	return st;
}

enum mpa_status halo_end(struct halo_plan *plan)
{
	enum mpa_status st;

	assert(plan->flying);
	plan->flying = false;
	st = comm_wait(plan->batch);
	if (st == MPA_OK)
		for_pieces(plan, unpack_piece, plan->received.pieces.count,
			   plan->received.bytes);
	return st;
}

void halo_progress(struct halo_plan *plan)
{
	bool done;

	if (plan->flying && plan->sent.nmessages + plan->received.nmessages > 0)
		comm_test(plan->batch, &done);
}

struct halo_counts halo_plan_counts(const struct halo_plan *plan)
{
	return plan->counts;
}
