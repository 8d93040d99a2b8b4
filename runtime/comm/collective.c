/* comm/collective.c - collectives from messages
 *
 * Reductions double their reach every round: after round k every rank holds the
 * combination of the 2^k neighbours of its group, made in rank order by the same
 * tree on all of them, so all ranks end with the same bits. Ranks beyond a power
 * of two first join their left neighbour and get the result from it. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "comm/comm.h"

enum {
	TAG_COMBINE = COMM_TAG_INTERNAL,
	TAG_BCAST,
	TAG_GATHER,
};

struct combining {
	struct comm *comm;
	char *state, *other;
	int64_t bytes;
	comm_combine_fn *combine;
	void *arg;
};

static enum mpa_status combining_exchange(struct combining *c, int to, int from)
{
	struct comm_batch *batch = c->comm->inner;
	enum mpa_status st = MPA_OK, waited;

	if (from >= 0)
		st = comm_recv(batch, from, TAG_COMBINE, c->other, c->bytes);
	if (to >= 0 && st == MPA_OK)
		st = comm_send(batch, to, TAG_COMBINE, c->state, c->bytes);
	waited = comm_wait(batch);
	return st != MPA_OK ? st : waited;
}

/* state = state + other, or other + state where the other is of lower ranks. */
static void combining_add(struct combining *c, bool other_first)
{
	char *first = other_first ? c->other : c->state;
	char *second = other_first ? c->state : c->other;

	if (c->bytes == 0)
		return;
	c->combine(first, second, c->arg);
	if (other_first) {
		c->other = second;
		c->state = first;
	}
}

static enum mpa_status combining_rounds(struct combining *c, int me, int size, int extra)
{
	for (int reach = 1; reach < size; reach *= 2) {
		int partner = me ^ reach;
		int rank = partner < extra ? 2 * partner : partner + extra;
		enum mpa_status st = combining_exchange(c, rank, rank);

		if (st != MPA_OK)
			return st;
		combining_add(c, partner < me);
	}
	return MPA_OK;
}

static enum mpa_status combining_all(struct combining *c)
{
	int rank = c->comm->rank, size = 1, extra;
	enum mpa_status st = MPA_OK;

	while (2 * size <= c->comm->size)
		size *= 2;
	extra = c->comm->size - size;
	if (rank >= 2 * extra)
		return combining_rounds(c, rank - extra, size, extra);
	if (rank % 2) { /* join the left neighbour, then take the result */
		st = combining_exchange(c, rank - 1, -1);
		if (st == MPA_OK)
			st = combining_exchange(c, -1, rank - 1);
		if (st == MPA_OK) {
			char *result = c->other;

			c->other = c->state;
			c->state = result;
		}
		return st;
	}
	st = combining_exchange(c, -1, rank + 1);
	if (st == MPA_OK)
		combining_add(c, false);
	if (st == MPA_OK)
		st = combining_rounds(c, rank / 2, size, extra);
	return st == MPA_OK ? combining_exchange(c, rank + 1, -1) : st;
}

enum mpa_status comm_all_combine(struct comm *comm, void *state, int64_t bytes,
				 comm_combine_fn *combine, void *arg)
{
	struct combining c = { .comm = comm,
			       .state = state,
			       .bytes = bytes,
			       .combine = combine,
			       .arg = arg };
	_Alignas(MEM_LINE) char small[1024];
	bool heap = bytes > (int64_t)sizeof small;
	char *other;
	enum mpa_status st;

	if (comm->size == 1)
		return MPA_OK;
	other = heap ? mem_new((size_t)bytes) : small;
	if (!other)
		return fault_set(comm->fault, MPA_MEMORY,
				 "out of memory for a reduction");
	c.other = other;
	st = combining_all(&c);
	if (c.state != state && bytes > 0)
		memcpy(state, c.state, (size_t)bytes);
	if (heap)
		mem_free(other);
	return st;
}

struct reduction {
	enum comm_op op;
	int n;
};

static double min_f64(double a, double b)
{
	if (isnan(a) || isnan(b))
		return NAN;
	if (a == b)
		return signbit(a) ? a : b;
	return a < b ? a : b;
}

static double max_f64(double a, double b)
{
	if (isnan(a) || isnan(b))
		return NAN;
	if (a == b)
		return signbit(a) ? b : a;
	return a > b ? a : b;
}

static int64_t reduce_i64(enum comm_op op, int64_t a, int64_t b)
{
	switch (op) {
	case COMM_MIN_I64:
		return a < b ? a : b;
	case COMM_MAX_I64:
		return a > b ? a : b;
	default: /* wraps, as all integers of the language do */
		return (int64_t)((uint64_t)a + (uint64_t)b);
	}
}

static void reduction_combine(void *into, const void *other, void *arg)
{
	const struct reduction *r = arg;
	bool real = r->op == COMM_MIN_F64 || r->op == COMM_MAX_F64;

	for (int i = 0; i < r->n; i++) {
		if (real) {
			double *a = (double *)into + i, b = ((const double *)other)[i];

			*a = r->op == COMM_MIN_F64 ? min_f64(*a, b) : max_f64(*a, b);
		} else {
			int64_t *a = (int64_t *)into + i, b = ((const int64_t *)other)[i];

			*a = reduce_i64(r->op, *a, b);
		}
	}
}

enum mpa_status comm_all_reduce(struct comm *comm, enum comm_op op, void *values, int n)
{
	struct reduction r = { op, n };

	return comm_all_combine(comm, values, 8 * (int64_t)n, reduction_combine, &r);
}

enum mpa_status comm_barrier(struct comm *comm)
{
	return comm_all_combine(comm, NULL, 0, NULL, NULL);
}

/* A binomial tree: a rank, counted from the root, gets the data from the rank
 * without its lowest bit and hands it on to those with one more lower bit. */
enum mpa_status comm_bcast(struct comm *comm, int root, void *data, int64_t bytes)
{
	int me = (comm->rank - root + comm->size) % comm->size, bit = 1;
	enum mpa_status st = MPA_OK, waited;

	while (bit < comm->size && !(me & bit))
		bit *= 2;
	if (me != 0) {
		st = comm_recv(comm->inner, (me - bit + root) % comm->size, TAG_BCAST,
			       data, bytes);
		waited = comm_wait(comm->inner);
		st = st != MPA_OK ? st : waited;
	}
	for (bit /= 2; bit > 0 && st == MPA_OK; bit /= 2)
		if (me + bit < comm->size)
			st = comm_send(comm->inner, (me + bit + root) % comm->size,
				       TAG_BCAST, data, bytes);
	waited = comm_wait(comm->inner);
	return st != MPA_OK ? st : waited;
}

enum mpa_status comm_gather(struct comm *comm, int root, const void *mine, void *all,
			    const int64_t *counts)
{
	enum mpa_status st = MPA_OK, waited;
	char *at = all;

	if (comm->rank != root) {
		st = comm_send(comm->inner, root, TAG_GATHER, mine, counts[comm->rank]);
	} else {
		for (int r = 0; r < comm->size && st == MPA_OK; at += counts[r++])
			if (r != root)
				st = comm_recv(comm->inner, r, TAG_GATHER, at, counts[r]);
			else if (counts[r] > 0)
				memcpy(at, mine, (size_t)counts[r]);
	}
	waited = comm_wait(comm->inner);
	return st != MPA_OK ? st : waited;
}

enum mpa_status comm_agree(struct comm *comm, enum mpa_status mine)
{
	int64_t lowest = mine == MPA_OK ? comm->size : comm->rank;
	struct fault theirs = { MPA_OK, "" };
	enum mpa_status st = comm_all_reduce(comm, COMM_MIN_I64, &lowest, 1);

	if (st != MPA_OK || lowest == comm->size)
		return st;
	if (lowest == comm->rank)
		theirs = *comm->fault;
	st = comm_bcast(comm, (int)lowest, &theirs, sizeof theirs);
	if (st != MPA_OK)
		return st;
	if (theirs.status != MPA_OK)
		*comm->fault = theirs;
	return mine != MPA_OK ? mine : MPA_ELSEWHERE;
}
