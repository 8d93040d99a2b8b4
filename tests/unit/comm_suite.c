/* tests/unit/comm_suite.c - what every communicator must do */
#include "comm_suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *ring(struct comm *comm)
{
	struct comm_batch *batch = comm_batch_new(comm);
	int right = (comm->rank + 1) % comm->size;
	int left = (comm->rank + comm->size - 1) % comm->size;
	int64_t sent[2] = { comm->rank, 7 }, first[2], second[2];
	const char *bad = NULL;

	for (int round = 0; round < 100 && !bad; round++) {
		/* two messages with one tag keep their order, one with another tag may
		 * be received before them, one is empty */
		comm_send(batch, right, COMM_TAG_USER, &sent[0], 8);
		comm_send(batch, right, COMM_TAG_USER, &sent[1], 8);
		comm_send(batch, right, COMM_TAG_USER + 1, sent, 16);
		comm_send(batch, right, COMM_TAG_USER + 2, NULL, 0);
		comm_recv(batch, left, COMM_TAG_USER + 1, second, 16);
		comm_recv(batch, left, COMM_TAG_USER, &first[0], 8);
		comm_recv(batch, left, COMM_TAG_USER, &first[1], 8);
		comm_recv(batch, left, COMM_TAG_USER + 2, NULL, 0);
		if (comm_wait(batch) != MPA_OK)
			bad = "ring: a message failed";
		else if (first[0] != left || first[1] != 7 || second[0] != left)
			bad = "ring: wrong data";
	}
	comm_batch_free(batch);
	return bad;
}

static const char *two_batches(struct comm *comm)
{
	struct comm_batch *a = comm_batch_new(comm), *b = comm_batch_new(comm);
	int peer = comm->size - 1 - comm->rank;
	int64_t out[2] = { 1, 2 }, in[2] = { 0, 0 };
	bool done = false;

	comm_recv(a, peer, COMM_TAG_HALO, &in[0], 8);
	comm_recv(b, peer, COMM_TAG_HALO, &in[1], 8);
	comm_send(a, peer, COMM_TAG_HALO, &out[0], 8);
	comm_send(b, peer, COMM_TAG_HALO, &out[1], 8);
	comm_wait(b);
	while (!done)
		if (comm_test(a, &done) != MPA_OK)
			return "two batches: a message failed";
	comm_batch_free(a);
	comm_batch_free(b);
	return in[0] == 1 && in[1] == 2 ? NULL : "two batches: wrong data";
}

static const char *reductions(struct comm *comm)
{
	int n = comm->size;
	int64_t i[3] = { comm->rank, 1, INT64_MAX };
	double d[4] = { comm->rank, comm->rank == n / 2 ? NAN : 1.0,
			comm->rank == n - 1 ? -0.0 : 0.0, -comm->rank };
	double e[3] = { comm->rank, comm->rank == 0 ? NAN : INFINITY,
			comm->rank == n - 1 ? 0.0 : -0.0 };

	if (comm_all_reduce(comm, COMM_SUM_I64, i, 2) != MPA_OK)
		return "reductions: failed";
	if (i[0] != (int64_t)n * (n - 1) / 2 || i[1] != n || i[2] != INT64_MAX)
		return "reductions: wrong sum";
	i[0] = i[1] = comm->rank;
	comm_all_reduce(comm, COMM_MIN_I64, &i[0], 1);
	comm_all_reduce(comm, COMM_MAX_I64, &i[1], 1);
	if (i[0] != 0 || i[1] != n - 1)
		return "reductions: wrong extremes of integers";
	comm_all_reduce(comm, COMM_MIN_F64, d, 4);
	if (d[0] != 0 || !isnan(d[1]) || !signbit(d[2]) || d[3] != -(n - 1))
		return "reductions: wrong minimum";
	comm_all_reduce(comm, COMM_MAX_F64, e, 3);
	if (e[0] != n - 1 || !isnan(e[1]) || (n > 0 && signbit(e[2])))
		return "reductions: wrong maximum";
	return NULL;
}

/* Not commutative, so the order shows: text is put behind text. */
static void append(void *into, const void *other, void *arg)
{
	(void)arg;
	strcat(into, other);
}

static const char *combining_in_order(struct comm *comm)
{
	char text[2000] = "", want[2000] = "";

	text[0] = (char)('a' + comm->rank % 26);
	if (comm_all_combine(comm, text, sizeof text, append, NULL) != MPA_OK)
		return "combining: failed";
	for (int r = 0; r < comm->size; r++)
		want[r] = (char)('a' + r % 26);
	return strcmp(text, want) == 0 ? NULL : "combining: wrong order";
}

static const char *broadcasts(struct comm *comm)
{
	for (int root = 0; root < comm->size; root++) {
		int64_t v[2] = { comm->rank == root ? root : -1, 3 };

		if (comm_bcast(comm, root, v, 8) != MPA_OK || v[0] != root || v[1] != 3)
			return "broadcast: wrong data";
	}
	return NULL;
}

static const char *gathering(struct comm *comm)
{
	int root = comm->size - 1;
	int64_t *counts = calloc((size_t)comm->size, sizeof *counts), total = 0;
	char *mine, *all;
	const char *bad = NULL;

	for (int r = 0; r < comm->size; r++)
		total += counts[r] = 3 * (r % 3); /* some have nothing */
	mine = malloc(16);
	all = malloc((size_t)total + 1);
	memset(mine, comm->rank, 16);
	if (comm_gather(comm, root, mine, comm->rank == root ? all : NULL, counts) !=
	    MPA_OK)
		bad = "gather: failed";
	if (comm->rank == root)
		for (int64_t r = 0, at = 0; r < comm->size; r++)
			for (int64_t k = 0; k < counts[r]; k++)
				if (all[at++] != (char)r)
					bad = "gather: wrong data";
	free(counts);
	free(mine);
	free(all);
	return bad;
}

static const char *agreement(struct comm *comm)
{
	bool mine = comm->rank >= comm->size / 2;
	enum mpa_status st;

	if (comm_agree(comm, MPA_OK) != MPA_OK)
		return "agreement: all are well but that is not seen";
	st = MPA_OK;
	if (mine)
		st = fault_set(comm->fault, MPA_FILE, "rank %d has a fault", comm->rank);
	st = comm_agree(comm, st);
	if (st != (mine ? MPA_FILE : MPA_ELSEWHERE))
		return "agreement: wrong status";
	if (atoi(comm->fault->text + 5) != comm->size / 2)
		return "agreement: not the text of the lowest rank";
	fault_clear(comm->fault);
	return NULL;
}

const char *comm_suite_run(struct comm *comm)
{
	static const char *(*const part[])(struct comm *) = {
		ring,       two_batches, reductions, combining_in_order,
		broadcasts, gathering,   agreement,
	};

	for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
		const char *bad = part[i](comm);
		int64_t any = bad != NULL;

		if (comm_barrier(comm) != MPA_OK)
			return "barrier: failed";
		if (comm_all_reduce(comm, COMM_MAX_I64, &any, 1) != MPA_OK || any)
			return bad ? bad : "failed on another rank";
	}
	return NULL;
}
