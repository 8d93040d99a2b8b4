/* comm/batch.c - messages of any length, and waiting for them
 *
 * Waiting spins for a microsecond or two, which is what a message between idle
 * cores takes, and then gives the core to whoever needs it: another rank's
 * message may depend on that. Blocking calls of MPI never yield. */
#include <sched.h>

#include "comm/ops.h"

enum { SPINS = 400, SPINS_CROWDED = 10 };

bool comm_takes_cuda(struct comm *comm)
{
	return comm->ops->takes_cuda && comm->ops->takes_cuda(comm);
}

struct comm_batch *comm_batch_new(struct comm *comm)
{
	struct comm_batch *batch = comm->ops->batch_new(comm);

	if (!batch)
		fault_set(comm->fault, MPA_MEMORY, "out of memory for messages");
	return batch;
}

void comm_batch_free(struct comm_batch *batch)
{
	if (batch)
		batch->comm->ops->batch_free(batch);
}

static int piece(int64_t left)
{
	return left < COMM_PIECE ? (int)left : COMM_PIECE;
}

enum mpa_status comm_send(struct comm_batch *batch, int to, int tag, const void *data,
			  int64_t bytes)
{
	const char *at = data;
	enum mpa_status st;

	do {
		int n = piece(bytes);

		st = batch->comm->ops->send(batch, to, tag, at, n);
		at += n;
		bytes -= n;
	} while (st == MPA_OK && bytes > 0);
	return st;
}

enum mpa_status comm_recv(struct comm_batch *batch, int from, int tag, void *data,
			  int64_t bytes)
{
	char *at = data;
	enum mpa_status st;

	do {
		int n = piece(bytes);

		st = batch->comm->ops->recv(batch, from, tag, at, n);
		at += n;
		bytes -= n;
	} while (st == MPA_OK && bytes > 0);
	return st;
}

enum mpa_status comm_test(struct comm_batch *batch, bool *done)
{
	return batch->comm->ops->test(batch, done);
}

enum mpa_status comm_wait(struct comm_batch *batch)
{
	struct comm *comm = batch->comm;
	int spins = comm->crowded ? SPINS_CROWDED : SPINS;
	bool done = false;

	for (int i = 0;; i++) {
		enum mpa_status st = comm->ops->test(batch, &done);

		if (done || st != MPA_OK)
			return st;
		if (i >= spins)
			sched_yield();
	}
}
