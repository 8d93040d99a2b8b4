/* array/move.c - messages made of boxes of positions
 *
 * A rank's block of either side is a box of positions. What rank d gets from rank s is
 * where d's box of the destination meets s's box of the source, provided that s is the
 * one of several holders that d asks: itself, or the one beside it in the process grid
 * (layout_rank_beside). Both ends compute this alike, so nothing is asked or announced.
 * Boxes are packed in the memory order of the source and cut into chunks for threads.
 * Where all arrays are on a GPU, that does it. */
#include "array/move.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array/runs.h"
#include "base/memory.h"

enum { CHUNK_BYTES = 256 << 10, THREADED_BYTES = 512 << 10 };

struct chunk {
	int move;
	struct box box; /* of positions */
	int64_t offset; /* in the buffer of its side */
};

struct message {
	int peer;
	int64_t start, bytes; /* in the buffer */
};

/* What is sent, received, or stays on the rank; chunks by peer, then by move. */
struct side {
	struct chunk *chunk;
	int nchunks, room;
	struct message *message;
	int nmessages, message_room;
	char *buffer; /* what MPI is given */
	int64_t bytes;
	struct gpu_buffer staged; /* with a GPU */
	struct gpu_moves moves;
};

struct plan_move {
	struct move move;
	int order[MPA_MAX_AXES]; /* axes of the positions, packed outermost first */
	bool repeated[MPA_MAX_AXES];
	struct mpa_array from, to; /* of the run, on the device as it sees them */
};

struct move_plan {
	struct comm *comm;
	struct array_home home;
	struct comm_batch *batch;
	struct plan_move *move;
	int nmoves;
	struct side sent, received, own;
	bool shared; /* own goes by its buffer */
	struct move_counts counts;
};

/* ---- who gives what to whom ------------------------------------------------ */

static int64_t divide_up(int64_t a, int64_t b)
{
	return a / b + (a % b > 0);
}

static int64_t divide_down(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* The positions whose index along the axis lies in a block. */
static struct range positions(int64_t start, int64_t step, struct range block)
{
	if (block.hi <= block.lo)
		return (struct range){ 0, 0 };
	if (step > 0)
		return (struct range){ divide_up(block.lo - start, step),
				       divide_up(block.hi - start, step) };
	return (struct range){ divide_up(start - (block.hi - 1), -step),
			       divide_down(start - block.lo, -step) + 1 };
}

/* The positions of which a rank holds the points; false: none. */
static bool side_box(const struct move *m, const struct move_side *side, int rank,
		     struct box *box)
{
	struct box block = layout_block(side->layout, rank);

	*box = (struct box){ .naxes = m->naxes };
	memcpy(box->hi, m->count, sizeof box->hi);
	if (!layout_takes_part(side->layout, rank))
		return false;
	for (int a = 0; a < side->layout->naxes; a++) {
		struct range held = { block.lo[a], block.hi[a] }, p;
		int k = side->along[a];

		if (k == MOVE_FIXED) {
			if (side->start[a] < held.lo || side->start[a] >= held.hi)
				return false;
			continue;
		}
		p = range_cut(positions(side->start[a], side->step[a], held),
			      (struct range){ box->lo[k], box->hi[k] });
		box->lo[k] = p.lo;
		box->hi[k] = p.hi;
	}
	return !box_empty(box);
}

/* Whether `reader` takes from `holder` what both that and others hold. */
static bool asks(const struct layout *layout, int reader, int holder)
{
	int part[MPA_MAX_AXES];

	for (int a = 0; a < layout->naxes; a++)
		part[a] = layout_coordinate(layout, a, holder);
	return layout_rank_beside(layout, reader, part) == holder;
}

/* ---- chunks and messages --------------------------------------------------- */

static bool make_room(void **list, int count, int *room, size_t bytes)
{
	void *more;

	if (count < *room)
		return true;
	more = realloc(*list, ((size_t)count * 2 + 8) * bytes);
	if (!more)
		return false;
	*list = more;
	*room = count * 2 + 8;
	return true;
}

/* As packed: what is repeated stands there once. */
static int64_t chunk_bytes(const struct plan_move *m, const struct box *box)
{
	int64_t bytes = m->move.elem;

	for (int k = 0; k < box->naxes; k++)
		if (!m->repeated[k])
			bytes *= box->hi[k] - box->lo[k];
	return bytes;
}

static bool side_add(struct side *side, const struct chunk *chunk, int64_t bytes)
{
	void *list = side->chunk;

	if (!make_room(&list, side->nchunks, &side->room, sizeof *chunk))
		return false;
	side->chunk = list;
	side->chunk[side->nchunks] = *chunk;
	side->chunk[side->nchunks++].offset = side->bytes;
	side->bytes += (bytes + 15) / 16 * 16;
	return true;
}

/* The outermost axis with more than one position; -1: there is none. */
static int longest_outer(const struct plan_move *m, const struct box *box)
{
	for (int i = 0; i < box->naxes; i++) {
		int k = m->order[i];

		if (!m->repeated[k] && box->hi[k] - box->lo[k] > 1)
			return k;
	}
	return -1;
}

/* Adds a box in parts of about CHUNK_BYTES. */
static bool side_add_divided(struct side *side, const struct plan_move *m,
			     struct chunk chunk)
{
	int64_t bytes = chunk_bytes(m, &chunk.box), step, end;
	int axis = longest_outer(m, &chunk.box);

	if (axis < 0 || bytes <= CHUNK_BYTES)
		return side_add(side, &chunk, bytes);
	end = chunk.box.hi[axis];
	bytes /= end - chunk.box.lo[axis];
	step = CHUNK_BYTES / bytes;
	step = step > 0 ? step : 1;
	while (chunk.box.lo[axis] < end) {
		int64_t hi = chunk.box.lo[axis] + step;

		chunk.box.hi[axis] = hi < end ? hi : end;
		if (!side_add(side, &chunk, chunk_bytes(m, &chunk.box)))
			return false;
		chunk.box.lo[axis] = hi;
	}
	return true;
}

/* All that `reader` gets from `holder`, one of which is this rank. */
static bool side_add_pair(struct move_plan *plan, struct side *side, int reader,
			  int holder)
{
	int64_t start = side->bytes;
	void *list = side->message;

	for (int i = 0; i < plan->nmoves; i++) {
		const struct move *m = &plan->move[i].move;
		struct chunk chunk = { .move = i };
		struct box held;

		if (!side_box(m, &m->to, reader, &chunk.box) ||
		    !side_box(m, &m->from, holder, &held))
			continue;
		chunk.box = box_cut(&chunk.box, &held);
		if (box_empty(&chunk.box) || !asks(m->from.layout, reader, holder))
			continue;
		if (!side_add_divided(side, &plan->move[i], chunk))
			return false;
	}
	if (side->bytes == start || reader == holder)
		return true;
	if (!make_room(&list, side->nmessages, &side->message_room,
		       sizeof *side->message))
		return false;
	side->message = list;
	side->message[side->nmessages++] =
		(struct message){ reader == plan->comm->rank ? holder : reader, start,
				  side->bytes - start };
	return true;
}

static enum mpa_status side_buffer(struct move_plan *plan, struct side *side)
{
	const struct array_home *home = &plan->home;
	enum mpa_status st;

	if (!home->gpu) {
		side->buffer = mem_new((size_t)side->bytes);
		return side->buffer ? MPA_OK : MPA_MEMORY;
	}
	st = gpu_buffer_new(home->gpu, side->bytes, &side->staged, home->fault);
	side->buffer = side->staged.host;
	return st;
}

/* Where kernels, or threads, find it. */
static char *side_base(const struct move_plan *plan, const struct side *side)
{
	return plan->home.gpu ? (char *)(uintptr_t)side->staged.device : side->buffer;
}

static void side_free(struct move_plan *plan, struct side *side)
{
	free(side->chunk);
	free(side->message);
	if (plan->home.gpu) {
		gpu_buffer_free(plan->home.gpu, &side->staged);
		gpu_moves_free(plan->home.gpu, &side->moves);
		return;
	}
	mem_free(side->buffer);
}

/* ---- plans ----------------------------------------------------------------- */

/* The memory order of the source: local axes outermost; what is repeated innermost. */
static void set_order(struct plan_move *m)
{
	const struct move_side *from = &m->move.from;
	int n = 0;

	for (int k = 0; k < m->move.naxes; k++)
		m->repeated[k] = true;
	for (int local = 1; local >= 0; local--)
		for (int a = 0; a < from->layout->naxes; a++)
			if (from->layout->axis[a].local == local &&
			    from->along[a] != MOVE_FIXED) {
				m->order[n++] = from->along[a];
				m->repeated[from->along[a]] = false;
			}
	for (int k = 0; k < m->move.naxes; k++)
		if (m->repeated[k])
			m->order[n++] = k;
	assert(n == m->move.naxes);
}

static bool plan_make(struct move_plan *plan, const struct move *moves, int nmoves)
{
	int rank = plan->comm->rank;

	plan->batch = comm_batch_new(plan->comm);
	plan->move = mem_new((size_t)nmoves * sizeof *plan->move);
	if (!plan->batch || !plan->move)
		return false;
	plan->nmoves = nmoves;
	for (int i = 0; i < nmoves; i++) {
		plan->move[i].move = moves[i];
		plan->shared |= moves[i].shared;
		set_order(&plan->move[i]);
	}
	for (int r = 0; r < plan->comm->size; r++) {
		if (r == rank) {
			if (!side_add_pair(plan, &plan->own, rank, rank))
				return false;
			continue;
		}
		if (!side_add_pair(plan, &plan->sent, r, rank) ||
		    !side_add_pair(plan, &plan->received, rank, r))
			return false;
	}
	plan->counts.peers = plan->sent.nmessages;
	return side_buffer(plan, &plan->sent) == MPA_OK &&
	       side_buffer(plan, &plan->received) == MPA_OK &&
	       (!plan->shared || side_buffer(plan, &plan->own) == MPA_OK);
}

struct move_plan *move_plan_new(struct comm *comm, const struct array_home *home,
				const struct move *moves, int nmoves)
{
	struct move_plan *plan = mem_new(sizeof *plan);

	if (plan) {
		plan->comm = comm;
		plan->home = *home;
		if (plan_make(plan, moves, nmoves))
			return plan;
	}
	fault_set(comm->fault, MPA_MEMORY, "out of memory for points that change owner");
	move_plan_free(plan);
	return NULL;
}

void move_plan_free(struct move_plan *plan)
{
	if (!plan)
		return;
	side_free(plan, &plan->sent);
	side_free(plan, &plan->received);
	side_free(plan, &plan->own);
	comm_batch_free(plan->batch);
	mem_free(plan->move);
	mem_free(plan);
}

int64_t move_plan_bytes(const struct move_plan *plan)
{
	return plan->sent.bytes + plan->received.bytes +
	       (plan->shared ? plan->own.bytes : 0);
}

struct move_counts move_plan_counts(const struct move_plan *plan)
{
	return plan->counts;
}

/* ---- moving ---------------------------------------------------------------- */

/* One side of the move of a chunk: the address of its first point, and the distance in
 * bytes for each axis of the positions; 0 where the side does not vary. */
struct lattice {
	char *first;
	int64_t stride[MPA_MAX_AXES];
};

static struct lattice lattice_of_array(const struct move_side *side,
				       const struct mpa_array *array,
				       const struct box *box)
{
	struct lattice l = { .first = NULL };
	int64_t index[MPA_MAX_AXES];

	for (int a = 0; a < array->naxes; a++) {
		int k = side->along[a];

		index[a] = side->start[a];
		if (k == MOVE_FIXED)
			continue;
		index[a] += side->step[a] * box->lo[k];
		l.stride[k] = side->step[a] * array->stride[a] * array->elem;
	}
	l.first = array_at(array, index);
	return l;
}

static struct lattice lattice_of_buffer(const struct plan_move *m, char *first,
					const struct box *box)
{
	struct lattice l = { .first = first };
	int64_t inside = m->move.elem;

	for (int i = m->move.naxes - 1; i >= 0; i--) {
		int k = m->order[i];

		if (m->repeated[k])
			continue;
		l.stride[k] = inside;
		inside *= box->hi[k] - box->lo[k];
	}
	return l;
}

static struct runs_move move_lattice(const struct plan_move *m, const struct box *box,
				     const struct lattice *to, const struct lattice *from)
{
	struct runs_loop loop[MPA_MAX_AXES];
	int n = 0;

	for (int i = 0; i < m->move.naxes; i++) {
		int k = m->order[i];

		if (m->repeated[k] && to->stride[k] == 0)
			continue;
		loop[n++] = (struct runs_loop){ box->hi[k] - box->lo[k], to->stride[k],
						from->stride[k] };
	}
	return runs_moving(loop, n, m->move.elem, to->first, from->first);
}

/* How a chunk is moved; buffer: where that of its side is. */
typedef struct runs_move chunk_fn(const struct plan_move *m, const struct chunk *c,
				  char *buffer);

static struct runs_move pack(const struct plan_move *m, const struct chunk *c,
			     char *buffer)
{
	struct lattice from = lattice_of_array(&m->move.from, &m->from, &c->box);
	struct lattice to = lattice_of_buffer(m, buffer + c->offset, &c->box);

	return move_lattice(m, &c->box, &to, &from);
}

static struct runs_move unpack(const struct plan_move *m, const struct chunk *c,
			       char *buffer)
{
	struct lattice to = lattice_of_array(&m->move.to, &m->to, &c->box);
	struct lattice from = lattice_of_buffer(m, buffer + c->offset, &c->box);

	return move_lattice(m, &c->box, &to, &from);
}

static struct runs_move copy(const struct plan_move *m, const struct chunk *c,
			     char *buffer)
{
	struct lattice to = lattice_of_array(&m->move.to, &m->to, &c->box);
	struct lattice from = lattice_of_array(&m->move.from, &m->from, &c->box);

	(void)buffer;
	return move_lattice(m, &c->box, &to, &from);
}

enum { ALL_MOVES = -1 };

/* The chunks of a side that belong to one move, or to all. */
struct work {
	struct move_plan *plan;
	struct side *side;
	chunk_fn *how;
	int move;
};

static void do_chunk(void *arg, int64_t i)
{
	const struct work *w = arg;
	const struct chunk *c = &w->side->chunk[i];
	struct runs_move run;

	if (w->move != ALL_MOVES && c->move != w->move)
		return;
	run = w->how(&w->plan->move[c->move], c, side_base(w->plan, w->side));
	runs_do(&run);
}

static enum mpa_status do_on_device(const struct work *w)
{
	const struct array_home *home = &w->plan->home;
	const struct side *side = w->side;
	struct runs_move *run = mem_new((size_t)side->nchunks * sizeof *run);
	enum mpa_status st;
	int64_t n = 0;

	if (!run)
		return fault_set(home->fault, MPA_MEMORY, "out of memory");
	for (int i = 0; i < side->nchunks; i++) {
		const struct chunk *c = &side->chunk[i];

		if (w->move == ALL_MOVES || c->move == w->move)
			run[n++] = w->how(&w->plan->move[c->move], c,
					  side_base(w->plan, side));
	}
	st = runs_on_device(home->gpu, &w->side->moves, GPU_WORK, run, n,
			    home->fault);
	mem_free(run);
	return st;
}

static enum mpa_status do_chunks(struct move_plan *plan, struct side *side, chunk_fn *how,
				 int move)
{
	struct work w = { plan, side, how, move };

	if (plan->home.gpu)
		return do_on_device(&w);
	pool_run(side->bytes >= THREADED_BYTES ? plan->home.pool : NULL, do_chunk, &w,
		 side->nchunks);
	return MPA_OK;
}

static enum mpa_status write_own(struct move_plan *plan, int move)
{
	return do_chunks(plan, &plan->own, plan->shared ? unpack : copy, move);
}

static enum mpa_status write_received(struct move_plan *plan, int move)
{
	return do_chunks(plan, &plan->received, unpack, move);
}

/* On a GPU the host waits for the bytes that it is to send. */
static enum mpa_status pack_sent(struct move_plan *plan)
{
	struct gpu *gpu = plan->home.gpu;
	struct gpu_buffer *staged = &plan->sent.staged;
	struct fault *fault = plan->home.fault;
	enum mpa_status st = do_chunks(plan, &plan->sent, pack, ALL_MOVES);

	if (st != MPA_OK || !gpu)
		return st;
	st = gpu_pass(gpu, GPU_TRAFFIC, fault);
	if (st == MPA_OK)
		st = gpu_buffer_packed(gpu, staged, fault);
	if (st == MPA_OK)
		st = gpu_buffer_mark(gpu, staged, GPU_TRAFFIC, fault);
	return st == MPA_OK ? gpu_buffer_wait(gpu, staged, fault) : st;
}

static enum mpa_status take_received(struct move_plan *plan)
{
	struct gpu *gpu = plan->home.gpu;
	enum mpa_status st;

	if (!gpu)
		return MPA_OK;
	st = gpu_buffer_received(gpu, &plan->received.staged, plan->home.fault);
	return st == MPA_OK ? gpu_pass(gpu, GPU_WORK, plan->home.fault) : st;
}

/* What was received before has been unpacked. */
static enum mpa_status free_received(struct move_plan *plan)
{
	return plan->home.gpu ? gpu_buffer_wait(plan->home.gpu, &plan->received.staged,
						plan->home.fault)
			      : MPA_OK;
}

static enum mpa_status post(struct move_plan *plan)
{
	enum mpa_status st = free_received(plan);

	for (int i = 0; i < plan->received.nmessages && st == MPA_OK; i++) {
		const struct message *m = &plan->received.message[i];

		st = comm_recv(plan->batch, m->peer, COMM_TAG_MOVE,
			       plan->received.buffer + m->start, m->bytes);
	}
	if (st == MPA_OK)
		st = pack_sent(plan);
	for (int i = 0; i < plan->sent.nmessages && st == MPA_OK; i++) {
		const struct message *m = &plan->sent.message[i];

		st = comm_send(plan->batch, m->peer, COMM_TAG_MOVE,
			       plan->sent.buffer + m->start, m->bytes);
		plan->counts.messages++;
		plan->counts.bytes += m->bytes;
	}
	return st;
}

/* The arrays, up to date where they are moved. */
static enum mpa_status take_arrays(struct move_plan *plan, struct mpa_array *const *to,
				   struct mpa_array *const *from)
{
	struct fault *fault = plan->home.fault;
	enum mpa_status st = MPA_OK;

	for (int i = 0; i < plan->nmoves && st == MPA_OK; i++) {
		struct plan_move *m = &plan->move[i];
		bool gpu = plan->home.gpu != NULL;

		st = gpu ? array_on_device(from[i], false, fault)
			 : array_on_host(from[i], false, fault);
		if (st == MPA_OK)
			st = gpu ? array_on_device(to[i], true, fault)
				 : array_on_host(to[i], true, fault);
		m->from = gpu ? array_of_device(from[i]) : *from[i];
		m->to = gpu ? array_of_device(to[i]) : *to[i];
	}
	return st;
}

enum mpa_status move_run(struct move_plan *plan, struct mpa_array *const *to,
			 struct mpa_array *const *from)
{
	enum mpa_status st = take_arrays(plan, to, from);

	plan->counts.runs++;
	if (st == MPA_OK)
		st = post(plan);
	if (st == MPA_OK && plan->shared)
		st = do_chunks(plan, &plan->own, pack, ALL_MOVES);
	if (st == MPA_OK && plan->nmoves == 1) /* while messages are on their way */
		st = write_own(plan, 0);
	if (st == MPA_OK)
		st = comm_wait(plan->batch);
	if (st == MPA_OK)
		st = take_received(plan);
	for (int i = 0; i < plan->nmoves && st == MPA_OK; i++) {
		if (plan->nmoves > 1)
			st = write_own(plan, i);
		if (st == MPA_OK)
			st = write_received(plan, i);
	}
	if (st == MPA_OK && plan->home.gpu)
		st = gpu_buffer_mark(plan->home.gpu, &plan->received.staged, GPU_WORK,
				     plan->home.fault);
	return st;
}
