/* comm/serial.c - one rank, which can send messages to itself
 *
 * Sends and receives are matched when the second of the two is posted, in order
 * per tag. A batch that waits for a partner nobody posted would wait for ever:
 * that is reported. */
#include <string.h>

#include "base/memory.h"
#include "comm/ops.h"

/* One message without its partner, in the order posted. */
struct pending {
	struct pending *next;
	struct serial_batch *batch;
	bool sends;
	int tag, bytes;
	const char *from; /* a send */
	char *to;         /* a receive */
};

struct serial {
	struct comm_ops ops; /* the table in use: comm->ops points here */
	struct pending *pending;
};

struct serial_batch {
	struct comm_batch base;
	int open; /* messages without partner */
};

static struct serial *serial_of(struct comm *comm)
{
	return (struct serial *)comm->ops;
}

static struct comm_batch *serial_batch_new(struct comm *comm)
{
	struct serial_batch *batch = mem_new(sizeof *batch);

	if (!batch)
		return NULL;
	batch->base.comm = comm;
	return &batch->base;
}

/* Forgets what the batch has posted. */
static void serial_drop(struct serial_batch *batch)
{
	struct pending **link = &serial_of(batch->base.comm)->pending;

	while (*link) {
		struct pending *p = *link;

		if (p->batch == batch) {
			*link = p->next;
			mem_free(p);
		} else {
			link = &p->next;
		}
	}
	batch->open = 0;
}

static void serial_batch_free(struct comm_batch *batch)
{
	serial_drop((struct serial_batch *)batch);
	mem_free(batch);
}

static enum mpa_status serial_deliver(struct comm *comm, const struct pending *send,
				      const struct pending *recv)
{
	if (send->bytes > recv->bytes)
		return fault_set(comm->fault, MPA_COMM,
				 "a message of %d bytes meets a receive of %d",
				 send->bytes, recv->bytes);
	if (send->bytes > 0)
		memcpy(recv->to, send->from, (size_t)send->bytes);
	return MPA_OK;
}

/* Delivers to the first partner, or queues the message. */
static enum mpa_status serial_post(struct comm_batch *base, struct pending mine)
{
	struct serial_batch *batch = (struct serial_batch *)base;
	struct pending **link = &serial_of(base->comm)->pending, *p;
	enum mpa_status st;

	for (; (p = *link); link = &p->next) {
		if (p->tag != mine.tag || p->sends == mine.sends)
			continue;
		st = mine.sends ? serial_deliver(base->comm, &mine, p)
				: serial_deliver(base->comm, p, &mine);
		p->batch->open--;
		*link = p->next;
		mem_free(p);
		return st;
	}
	p = mem_new(sizeof *p);
	if (!p)
		return fault_set(base->comm->fault, MPA_MEMORY,
				 "out of memory for a message");
	*p = mine;
	p->batch = batch;
	batch->open++;
	*link = p;
	return MPA_OK;
}

static enum mpa_status serial_peer(struct comm *comm, int peer)
{
	if (peer == 0)
		return MPA_OK;
	return fault_set(comm->fault, MPA_COMM, "there is no rank %d", peer);
}

static enum mpa_status serial_send(struct comm_batch *batch, int to, int tag,
				   const void *data, int bytes)
{
	enum mpa_status st = serial_peer(batch->comm, to);

	if (st != MPA_OK)
		return st;
	return serial_post(
		batch, (struct pending){
			       .sends = true, .tag = tag, .bytes = bytes, .from = data });
}

static enum mpa_status serial_recv(struct comm_batch *batch, int from, int tag,
				   void *data, int bytes)
{
	enum mpa_status st = serial_peer(batch->comm, from);

	if (st != MPA_OK)
		return st;
	return serial_post(batch,
			   (struct pending){ .tag = tag, .bytes = bytes, .to = data });
}

static enum mpa_status serial_test(struct comm_batch *base, bool *done)
{
	struct serial_batch *batch = (struct serial_batch *)base;

	*done = batch->open == 0;
	if (*done)
		return MPA_OK;
	serial_drop(batch);
	return fault_set(base->comm->fault, MPA_COMM,
			 "a message to the rank itself has no partner");
}

static void serial_abort(struct comm *comm, int exit_status)
{
	(void)comm;
	(void)exit_status;
}

static void serial_close(struct comm *comm)
{
	mem_free(serial_of(comm));
}

enum mpa_status comm_serial_open(struct comm *comm)
{
	struct serial *serial = mem_new(sizeof *serial);

	if (!serial)
		return fault_set(comm->fault, MPA_MEMORY, "out of memory");
	serial->ops =
		(struct comm_ops){ "serial",     serial_batch_new, serial_batch_free,
				   serial_send,  serial_recv,      serial_test,
				   serial_abort, serial_close,     NULL };
	comm->ops = &serial->ops;
	comm->rank = comm->local_rank = 0;
	comm->size = comm->local_size = 1;
	return MPA_OK;
}
