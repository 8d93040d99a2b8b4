/* tests/unit/world.c - many ranks in one process */
#include "world.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "comm/ops.h"

struct letter {
	struct letter *next;
	int from, to, tag, bytes;
	char data[];
};

struct world {
	pthread_mutex_t lock;
	struct letter *letters; /* in the order sent */
};

struct world_ops {
	struct comm_ops ops;
	struct world *world;
};

struct open_recv {
	struct open_recv *next;
	struct world_batch *batch;
	int from, tag, bytes;
	void *data;
};

struct world_batch {
	struct comm_batch base;
	int open; /* receives without a letter */
};

struct world_rank {
	struct comm comm; /* first: a struct comm * is one of these */
	struct fault fault;
	struct open_recv *open; /* in the order posted, of all batches */
	world_main_fn *fn;
	void *arg;
	pthread_t thread;
};

static struct world *world_of(struct comm_batch *batch)
{
	return ((struct world_ops *)batch->comm->ops)->world;
}

static struct comm_batch *batch_new(struct comm *comm)
{
	struct world_batch *batch = calloc(1, sizeof *batch);

	batch->base.comm = comm;
	return &batch->base;
}

static void batch_free(struct comm_batch *base)
{
	free(base);
}

static enum mpa_status batch_send(struct comm_batch *batch, int to, int tag,
				  const void *data, int bytes)
{
	struct world *world = world_of(batch);
	struct letter *letter = malloc(sizeof *letter + (size_t)bytes), **link;

	if (to < 0 || to >= batch->comm->size || tag > 32767)
		abort();
	*letter = (struct letter){ NULL, batch->comm->rank, to, tag, bytes };
	if (bytes > 0)
		memcpy(letter->data, data, (size_t)bytes);
	pthread_mutex_lock(&world->lock);
	for (link = &world->letters; *link; link = &(*link)->next)
		;
	*link = letter;
	pthread_mutex_unlock(&world->lock);
	return MPA_OK;
}

static enum mpa_status batch_recv(struct comm_batch *base, int from, int tag, void *data,
				  int bytes)
{
	struct world_batch *batch = (struct world_batch *)base;
	struct open_recv **link = &((struct world_rank *)base->comm)->open;
	struct open_recv *recv = malloc(sizeof *recv);

	*recv = (struct open_recv){ NULL, batch, from, tag, bytes, data };
	batch->open++;
	while (*link)
		link = &(*link)->next;
	*link = recv;
	return MPA_OK;
}

/* Takes the first letter for a receive; false: not there yet. Two different sizes
 * are a mistake of the test's subject, even where MPI would allow it. */
static bool take(struct world *world, int me, const struct open_recv *recv)
{
	for (struct letter **link = &world->letters; *link; link = &(*link)->next) {
		struct letter *l = *link;

		if (l->from != recv->from || l->to != me || l->tag != recv->tag)
			continue;
		if (l->bytes != recv->bytes)
			abort();
		if (l->bytes > 0)
			memcpy(recv->data, l->data, (size_t)l->bytes);
		*link = l->next;
		free(l);
		return true;
	}
	return false;
}

/* Receives of all batches are served in the order they were posted, as MPI does. */
static enum mpa_status batch_test(struct comm_batch *base, bool *done)
{
	struct world *world = world_of(base);
	struct open_recv **link = &((struct world_rank *)base->comm)->open;

	pthread_mutex_lock(&world->lock);
	while (*link) {
		struct open_recv *recv = *link;

		if (take(world, base->comm->rank, recv)) {
			recv->batch->open--;
			*link = recv->next;
			free(recv);
		} else {
			link = &recv->next;
		}
	}
	pthread_mutex_unlock(&world->lock);
	*done = ((struct world_batch *)base)->open == 0;
	return MPA_OK;
}

static void *rank_main(void *arg)
{
	struct world_rank *rank = arg;

	rank->comm.inner = comm_batch_new(&rank->comm);
	rank->fn(&rank->comm, rank->arg);
	comm_batch_free(rank->comm.inner);
	return NULL;
}

bool world_run(int ranks, world_main_fn *fn, void *arg)
{
	struct world world = { .letters = NULL };
	struct world_ops ops = { { .name = "world",
				   .batch_new = batch_new,
				   .batch_free = batch_free,
				   .send = batch_send,
				   .recv = batch_recv,
				   .test = batch_test },
				 &world };
	struct world_rank *rank = calloc((size_t)ranks, sizeof *rank);

	pthread_mutex_init(&world.lock, NULL);
	for (int r = 0; r < ranks; r++) {
		rank[r].comm = (struct comm){ .ops = &ops.ops,
					      .rank = r,
					      .size = ranks,
					      .local_rank = r,
					      .local_size = ranks,
					      .cores = 1,
					      .crowded = true,
					      .fault = &rank[r].fault };
		rank[r].fn = fn;
		rank[r].arg = arg;
		if (pthread_create(&rank[r].thread, NULL, rank_main, &rank[r]))
			abort();
	}
	for (int r = 0; r < ranks; r++)
		pthread_join(rank[r].thread, NULL);
	free(rank);
	pthread_mutex_destroy(&world.lock);
	return world.letters == NULL;
}
