/* exec/library_memory.c - memory of host and GPU that a process of others has
 *
 * Blocks of fields are copied from and to it, and it is sent from rank to rank. Where the
 * device can, it moves the bytes itself. */
#include <string.h>

#include "array/runs.h"
#include "base/memory.h"
#include "exec/library.h"

enum { TAGS = 16000 };

static bool on_device(const struct mpa_session *s, const void *memory)
{
	return s->gpu && gpu_owns(s->gpu, (uint64_t)(uintptr_t)memory);
}

int mpa_device(const struct mpa *p)
{
	return p->session.gpu ? gpu_number(p->session.gpu) : -1;
}

/* ---- blocks of fields ------------------------------------------------------------ */

static void settle(struct mpa_session *s)
{
	struct mpa *p = (struct mpa *)s;

	session_sent(s, array_on_device(&s->array[p->moved->array].now, true, &s->fault));
	session_sent(s, gpu_wait(s->gpu, &s->fault));
}

int mpa_field_device_block(struct mpa_field *f, void **data, int64_t *stride)
{
	struct array_state *a = library_array(f);
	struct mpa_array there;
	int answer = MPA_FINE;

	if (!a)
		return MPA_WRONG;
	*data = NULL;
	f->program->moved = f;
	if (f->program->session.gpu)
		answer = library_do(f->program, settle);
	for (int i = 0; i < a->layout->naxes; i++)
		stride[i] = a->now.stride[i];
	if (answer != MPA_FINE || !a->now.gpu || !array_owns(&a->now))
		return answer;
	there = array_of_device(&a->now);
	*data = array_at(&there, there.own.lo);
	return MPA_FINE;
}

/* The points of a block, one side of which is memory of others. */
static struct runs_move block_move(const struct mpa_array *a, const struct mpa *p,
				   bool from_memory)
{
	struct runs_loop loop[MPA_MAX_AXES];
	void *block = array_at(a, a->own.lo);

	for (int k = 0; k < a->naxes; k++) {
		int axis = a->order[k];
		int64_t own = a->stride[axis] * a->elem, other = p->stride[axis] * a->elem;

		loop[k] = (struct runs_loop){ a->own.hi[axis] - a->own.lo[axis],
					      from_memory ? own : other,
					      from_memory ? other : own };
	}
	return from_memory ? runs_moving(loop, a->naxes, a->elem, block, p->all)
			   : runs_moving(loop, a->naxes, a->elem, p->all, block);
}

static void copy_block(struct mpa_session *s, bool from_memory)
{
	struct mpa *p = (struct mpa *)s;
	struct array_state *state = &s->array[p->moved->array];
	struct mpa_array *a = &state->now;
	struct runs_move move;

	if (array_owns(a) && on_device(s, p->all)) {
		struct mpa_array there = array_of_device(a);

		session_sent(s, array_on_device(a, from_memory, &s->fault));
		move = block_move(&there, p, from_memory);
		session_sent(s, runs_on_device(s->gpu, NULL, GPU_WORK, &move, 1,
					       &s->fault));
		session_sent(s, gpu_wait(s->gpu, &s->fault));
	} else if (array_owns(a)) {
		session_sent(s, array_on_host(a, from_memory, &s->fault));
		move = block_move(a, p, from_memory);
		runs_do(&move);
	}
	if (from_memory)
		array_changed(state);
}

static void copy_from(struct mpa_session *s)
{
	copy_block(s, true);
}

static void copy_to(struct mpa_session *s)
{
	copy_block(s, false);
}

static int copy(struct mpa_field *f, void *memory, const int64_t *stride,
		void (*how)(struct mpa_session *s))
{
	struct mpa *p = f->program;
	const struct array_state *a = library_array(f);

	if (!a)
		return MPA_WRONG;
	if (!memory && array_owns(&a->now))
		return library_refuse(p, "rank %d gives no memory for %s", mpa_my_rank(p),
				      mpa_field_name(f));
	p->moved = f;
	p->all = memory;
	p->stride = stride;
	return library_do(p, how);
}

int mpa_field_copy_from(struct mpa_field *f, const void *memory, const int64_t *stride)
{
	return copy(f, (void *)(uintptr_t)memory, stride, copy_from);
}

int mpa_field_copy_to(struct mpa_field *f, void *memory, const int64_t *stride)
{
	return copy(f, memory, stride, copy_to);
}

/* ---- messages ---------------------------------------------------------------------- */

static void transfer(struct mpa_session *s, const struct message *m, void *data)
{
	struct comm_batch *batch = comm_batch_new(s->comm);
	enum mpa_status st = batch ? MPA_OK : MPA_MEMORY;
	int tag = COMM_TAG_USER + 1 + m->tag;

	if (st == MPA_OK)
		st = m->send ? comm_send(batch, m->peer, tag, data, m->bytes)
			     : comm_recv(batch, m->peer, tag, data, m->bytes);
	session_sent(s, st);
	session_sent(s, comm_wait(batch));
	comm_batch_free(batch);
}

/* By memory of the host. */
static void transfer_staged(struct mpa_session *s, const struct message *m)
{
	uint64_t at = (uint64_t)(uintptr_t)m->data;
	void *staged = session_new(s, (size_t)m->bytes);

	if (m->send)
		session_sent(s, gpu_get(s->gpu, staged, at, m->bytes, &s->fault));
	transfer(s, m, staged);
	if (!m->send)
		session_sent(s, gpu_put(s->gpu, at, staged, m->bytes, &s->fault));
	mem_free(staged);
}

static void transfer_message(struct mpa_session *s)
{
	const struct message *m = &((struct mpa *)s)->message;

	if (!on_device(s, m->data)) {
		transfer(s, m, m->data);
		return;
	}
	session_sent(s, gpu_wait(s->gpu, &s->fault));
	if (gpu_messages_direct(s->gpu))
		transfer(s, m, gpu_for_mpi(s->gpu, (uint64_t)(uintptr_t)m->data));
	else
		transfer_staged(s, m);
}

static int message(struct mpa *p, const struct message *m, int64_t n)
{
	int ranks = mpa_count_ranks(p);

	if (p->life == LIFE_ENDED)
		return library_refuse(p, "the program has ended");
	if (m->peer < 0 || m->peer >= ranks)
		return library_refuse(p, "there is no rank %d of %d", m->peer, ranks);
	if (m->peer == mpa_my_rank(p))
		return library_refuse(p, "rank %d and itself: a message goes to another rank",
				      m->peer);
	if (m->tag < 0 || m->tag > TAGS)
		return library_refuse(p, "the tag %d: tags are 0 to %d", m->tag, TAGS);
	if (n < 0 || (n > 0 && !m->data))
		return library_refuse(p, n < 0 ? "fewer than no elements"
					       : "no memory is given for a message");
	p->message = *m;
	return library_do(p, transfer_message);
}

int mpa_send(struct mpa *p, const void *data, int64_t n, enum mpa_elem elem, int to, int tag)
{
	struct message m = { (void *)(uintptr_t)data, n * array_elem_bytes(elem), to, tag,
			     true };

	return message(p, &m, n);
}

int mpa_recv(struct mpa *p, void *data, int64_t n, enum mpa_elem elem, int from, int tag)
{
	struct message m = { data, n * array_elem_bytes(elem), from, tag, false };

	return message(p, &m, n);
}
