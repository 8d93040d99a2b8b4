/* comm/comm.h - ranks and messages; serial is a full communicator
 *
 * A communicator is opened once per session. It is one process without any
 * library, or what the launcher's MPI gives (comm/mpi, opened at run time).
 * Point-to-point calls are gathered in a batch and complete in comm_wait, which
 * spins a little and then yields the core, so more ranks than cores stay fast.
 * Collectives are built on them: every rank calls them in the same order.
 * Counts are bytes or elements in int64_t; long messages are cut inside.
 * Two messages with equal (from, to, tag) arrive in the order sent. */
#ifndef MPA_COMM_COMM_H
#define MPA_COMM_COMM_H

#include <stdint.h>
#include "base/status.h"

enum {
	COMM_TAG_HALO = 1,
	COMM_TAG_MOVE = 2,
	COMM_TAG_USER = 16,        /* 16..16383 are free for callers */
	COMM_TAG_INTERNAL = 16384, /* collectives; all tags stay below 32767 */
};

/* The communicator that a program in C brings, if it does. */
struct comm_given {
	const void *comm; /* points to its MPI_Comm, or NULL */
	bool has_fortran;
	int fortran; /* its number in Fortran */
};

struct comm_ops;

struct comm {
	const struct comm_ops *ops;
	int rank, size;
	int local_rank, local_size; /* among the ranks of this node */
	int cores;                  /* this rank may use without taking others': >= 1 */
	bool crowded;               /* more ranks on this node than cores: yield early */
	struct fault *fault;        /* of the session: messages go here */
	struct comm_batch *inner;   /* of the collectives */
	void *plugin;               /* handle of the library; NULL: built in */
	const struct comm_given *guest; /* in a process of others; NULL: our own. While opening */
	bool stays;                     /* MPI goes on after close */
	void *world;                    /* the plug-in's communicator */
};

/* A set of sends and receives that are completed together; reusable. */
struct comm_batch;

struct comm_options {
	struct fault *fault;
	const char *plugin_dir; /* where plug-ins are installed; may be NULL */
	const struct comm_given *guest; /* a library: MPI may run already, and is not ended.
					 * NULL: a program, to which the process belongs */
};

/* open.c - recognises the launcher (MPA_MPI overrides: mpich, openmpi, none),
 * opens the plug-in and checks that MPI sees the ranks that were announced. On
 * failure *comm is NULL and the message names the launcher and the cause. */
enum mpa_status comm_open(const struct comm_options *options, struct comm **comm);
/* Ends MPI; every rank. NULL is fine. */
void comm_close(struct comm *comm);
/* Ends all ranks at once with this exit status, without agreement. Returns only
 * where there are no others (serial): the caller then exits itself. */
void comm_abort(struct comm *comm, int exit_status);

/* "serial", "MPICH", "Open MPI". */
const char *comm_name(const struct comm *comm);

/* Whether the library says that messages may be in memory of a CUDA device. */
bool comm_takes_cuda(struct comm *comm);

/* The rank that the launcher's environment gives this process; 0 if none does.
 * For messages where there is no communicator yet. */
int comm_announced_rank(void);

/* batch: point to point */
struct comm_batch *comm_batch_new(struct comm *comm);
void comm_batch_free(struct comm_batch *batch);
/* The data must stay untouched, the buffer unread, until comm_wait. bytes may be
 * 0 (a message all the same). `to` and `from` may be the caller. */
enum mpa_status comm_send(struct comm_batch *batch, int to, int tag, const void *data,
			  int64_t bytes);
enum mpa_status comm_recv(struct comm_batch *batch, int from, int tag, void *data,
			  int64_t bytes);
/* Lets messages progress; *done: all of the batch are complete, it is empty. */
enum mpa_status comm_test(struct comm_batch *batch, bool *done);
/* Completes all; the batch is empty afterwards, also after a failure. */
enum mpa_status comm_wait(struct comm_batch *batch);

/* collective.c: on every rank, in the same order, with the same counts */
enum comm_op { COMM_SUM_I64, COMM_MIN_I64, COMM_MAX_I64, COMM_MIN_F64, COMM_MAX_F64 };

/* values: n int64_t or double, the same result on every rank. MIN and MAX of f64
 * give NaN when any is NaN, and hold 0 above -0. */
enum mpa_status comm_all_reduce(struct comm *comm, enum comm_op op, void *values, int n);

/* Combines states of any kind: into = into + other, `into` being that of lower
 * ranks; associative. Combined along a fixed tree; all ranks get rank 0's bytes. */
typedef void comm_combine_fn(void *into, const void *other, void *arg);
enum mpa_status comm_all_combine(struct comm *comm, void *state, int64_t bytes,
				 comm_combine_fn *combine, void *arg);

enum mpa_status comm_bcast(struct comm *comm, int root, void *data, int64_t bytes);
/* counts[r] bytes from rank r, one after the other in rank order in `all` (root
 * only); every rank gives its own counts[rank], the root needs all of them. */
enum mpa_status comm_gather(struct comm *comm, int root, const void *mine, void *all,
			    const int64_t *counts);
enum mpa_status comm_barrier(struct comm *comm);

/* Whether every rank is well. Where one is not, all get a status that is not
 * MPA_OK and the fault text of the lowest such rank. */
enum mpa_status comm_agree(struct comm *comm, enum mpa_status mine);

#endif
