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
	struct gpu_buffer staged; /* with a GPU: its host's side is the buffer */
	struct gpu_moves moves;
};

struct halo_plan {
	struct comm *comm;
	struct array_home home;
	struct comm_batch *batch;
	struct side sent, received;
	struct pieces own; /* copied inside the rank */
	int64_t own_bytes;
	struct gpu_moves own_moves;
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
	if (plan->home.gpu) {
		bool made = gpu_buffer_new(plan->home.gpu, side->bytes, &side->staged,
					   plan->home.fault) == MPA_OK;

		side->buffer = side->staged.host;
		return made;
	}
	side->buffer = mem_new((size_t)side->bytes);
	return side->buffer != NULL;
}

static void side_free(struct halo_plan *plan, struct side *side)
{
	pieces_free(&side->pieces);
	mem_free(side->message);
	if (plan->home.gpu) {
		gpu_buffer_free(plan->home.gpu, &side->staged);
		gpu_moves_free(plan->home.gpu, &side->moves);
		return;
	}
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

struct halo_plan *halo_plan_new(struct comm *comm, const struct array_home *home,
				const struct halo_field *fields, int nfields)
{
	struct halo_plan *plan = mem_new(sizeof *plan);

	if (plan) {
		plan->comm = comm;
		plan->home = *home;
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
	side_free(plan, &plan->sent);
	side_free(plan, &plan->received);
	pieces_free(&plan->own);
	if (plan->home.gpu)
		gpu_moves_free(plan->home.gpu, &plan->own_moves);
	comm_batch_free(plan->batch);
	mem_free(plan->field);
	mem_free(plan->array);
	mem_free(plan);
}

/* How a piece is moved: from its array to the buffer at `base`, back, or inside. */
typedef struct runs_move piece_fn(struct mpa_array *array, const struct piece *piece,
				  char *base);

static struct runs_move pack_piece(struct mpa_array *array, const struct piece *piece,
				   char *base)
{
	struct box source = piece_source(piece);

	return runs_packing(array, &source, array->order, base + piece->offset);
}

static struct runs_move unpack_piece(struct mpa_array *array, const struct piece *piece,
				     char *base)
{
	return runs_unpacking(array, &piece->ghost, array->order, base + piece->offset);
}

static struct runs_move copy_piece(struct mpa_array *array, const struct piece *piece,
				   char *base)
{
	(void)base;
	return runs_copying(array, array, &piece->ghost, piece->shift);
}

/* All pieces of a list. */
struct moving {
	struct halo_plan *plan;
	const struct pieces *pieces;
	int64_t bytes;
	char *buffer;
	piece_fn *how;
};

static void move_piece(void *arg, int64_t i)
{
	const struct moving *m = arg;
	const struct piece *piece = &m->pieces->piece[i];
	struct runs_move run = m->how(m->plan->array[piece->field], piece, m->buffer);

	runs_do(&run);
}

static enum mpa_status move_on_device(const struct moving *m, struct gpu_moves *kept,
				      enum gpu_queue queue)
{
	const struct array_home *home = &m->plan->home;
	int n = m->pieces->count;
	struct runs_move *run = mem_new((size_t)n * sizeof *run);
	enum mpa_status st;

	if (!run)
		return fault_set(home->fault, MPA_MEMORY, "out of memory");
	for (int i = 0; i < n; i++) {
		const struct piece *piece = &m->pieces->piece[i];
		struct mpa_array there = array_of_device(m->plan->array[piece->field]);

		run[i] = m->how(&there, piece, m->buffer);
	}
	st = runs_on_device(home->gpu, kept, queue, run, n, home->fault);
	mem_free(run);
	return st;
}

static enum mpa_status move_pieces(struct moving m, struct gpu_moves *kept,
				   enum gpu_queue queue)
{
	if (m.plan->home.gpu)
		return move_on_device(&m, kept, queue);
	pool_run(m.bytes >= THREADED_BYTES ? m.plan->home.pool : NULL, move_piece, &m,
		 m.pieces->count);
	return MPA_OK;
}

static enum mpa_status move_side(struct halo_plan *plan, struct side *side, piece_fn *how,
				 enum gpu_queue queue)
{
	char *base = plan->home.gpu ? (char *)(uintptr_t)side->staged.device
				    : side->buffer;

	return move_pieces((struct moving){ plan, &side->pieces, side->bytes, base, how },
			   &side->moves, queue);
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

/* ---- with a GPU ---------------------------------------------------------------
 * The kernels that pack are in the queue of work: what is computed next may overwrite what
 * they read. All else of an exchange passes it, in the queue of traffic, while the
 * interior is computed. */

static enum mpa_status queue_packing(struct halo_plan *plan)
{
	struct gpu *gpu = plan->home.gpu;
	struct fault *fault = plan->home.fault;
	struct gpu_buffer *staged = &plan->sent.staged;
	enum mpa_status st = MPA_OK;

	for (int i = 0; i < plan->nfields && st == MPA_OK; i++)
		st = array_on_device(plan->array[i], true, fault);
	if (st == MPA_OK)
		st = move_side(plan, &plan->sent, pack_piece, GPU_WORK);
	if (st == MPA_OK)
		st = gpu_pass(gpu, GPU_TRAFFIC, fault);
	if (st == MPA_OK)
		st = gpu_buffer_packed(gpu, staged, fault);
	if (st == MPA_OK)
		st = gpu_buffer_mark(gpu, staged, GPU_TRAFFIC, fault);
	return st;
}

/* When it is packed; meanwhile the interior has been put into the queue of work. */
static enum mpa_status send_packed(struct halo_plan *plan)
{
	enum mpa_status st =
		gpu_buffer_wait(plan->home.gpu, &plan->sent.staged, plan->home.fault);

	return st == MPA_OK ? post_sends(plan) : st;
}

static enum mpa_status queue_unpacking(struct halo_plan *plan)
{
	struct gpu *gpu = plan->home.gpu;
	struct fault *fault = plan->home.fault;
	struct gpu_buffer *staged = &plan->received.staged;
	enum mpa_status st = gpu_buffer_received(gpu, staged, fault);

	if (st == MPA_OK)
		st = move_side(plan, &plan->received, unpack_piece, GPU_TRAFFIC);
	if (st == MPA_OK)
		st = gpu_buffer_mark(gpu, staged, GPU_TRAFFIC, fault);
	return st == MPA_OK ? gpu_pass(gpu, GPU_WORK, fault) : st;
}

/* ---- an exchange -------------------------------------------------------------- */

static enum mpa_status pack_and_send(struct halo_plan *plan)
{
	enum mpa_status st;

	if (plan->home.gpu)
		return queue_packing(plan);
	st = move_side(plan, &plan->sent, pack_piece, GPU_WORK);
	return st == MPA_OK ? post_sends(plan) : st;
}

enum mpa_status halo_begin(struct halo_plan *plan, struct mpa_array *const *arrays)
{
	struct gpu *gpu = plan->home.gpu;
	enum mpa_status st = MPA_OK;

	assert(!plan->flying);
	for (int i = 0; i < plan->nfields; i++)
		plan->array[i] = arrays[i];
	plan->flying = true;
	plan->counts.exchanges++;
	if (gpu) /* what came before has been unpacked */
		st = gpu_buffer_wait(gpu, &plan->received.staged, plan->home.fault);
	if (st == MPA_OK)
		st = post_receives(plan);
	if (st == MPA_OK)
		st = pack_and_send(plan);
	if (st != MPA_OK)
		return st;
	return move_pieces((struct moving){ plan, &plan->own, plan->own_bytes, NULL,
					    copy_piece },
			   &plan->own_moves, GPU_WORK);
}

enum mpa_status halo_end(struct halo_plan *plan)
{
	enum mpa_status st = plan->home.gpu ? send_packed(plan) : MPA_OK;

	assert(plan->flying);
	plan->flying = false;
	if (st == MPA_OK)
		st = comm_wait(plan->batch);
	if (st != MPA_OK)
		return st;
	return plan->home.gpu
		       ? queue_unpacking(plan)
		       : move_side(plan, &plan->received, unpack_piece, GPU_WORK);
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
