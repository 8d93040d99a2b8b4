/* comm/ops.h - what an implementation of comm.h provides
 *
 * Only point to point: batches, cutting, waiting and collectives are built on
 * these. A plug-in exports `const struct comm_plugin mpa_comm_plugin`. */
#ifndef MPA_COMM_OPS_H
#define MPA_COMM_OPS_H

#include "comm/comm.h"

enum {
	COMM_ABI = 3,
	COMM_PIECE = 1 << 30, /* no implementation sees a longer message */
};

/* Implementations put their own members behind this one. */
struct comm_batch {
	struct comm *comm;
};

struct comm_ops {
	const char *name;
	struct comm_batch *(*batch_new)(struct comm *comm);
	void (*batch_free)(struct comm_batch *batch);
	enum mpa_status (*send)(struct comm_batch *batch, int to, int tag,
				const void *data, int bytes);
	enum mpa_status (*recv)(struct comm_batch *batch, int from, int tag, void *data,
				int bytes);
	/* MPA_OK with *done = false: try again. The batch is empty once done, and
	 * after a failure. */
	enum mpa_status (*test)(struct comm_batch *batch, bool *done);
	void (*abort)(struct comm *comm, int exit_status);
	void (*close)(struct comm *comm);
	/* Does it say that messages may be in memory of a CUDA device? NULL: no. */
	bool (*takes_cuda)(struct comm *comm);
};

struct comm_plugin {
	unsigned abi; /* COMM_ABI, or refused */
	/* Sets ops, rank, size; local_rank and local_size too unless the launcher told
	 * them, which is when local_size is not 0. */
	enum mpa_status (*open)(struct comm *comm);
};

/* serial.c */
enum mpa_status comm_serial_open(struct comm *comm);

#endif
