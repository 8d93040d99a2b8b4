/* comm/mpi/plugin.c - messages over MPI: the only file that includes mpi.h
 *
 * Built once against each MPI found, as a library that programs open when they
 * are started by that MPI's launcher. Nothing here blocks: the caller polls. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#if defined OPEN_MPI && defined __has_include
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#endif

#include "comm/ops.h"

struct mpi_batch {
	struct comm_batch base;
	MPI_Request *request;
	MPI_Status *status; /* as many */
	int count, room;
};

static MPI_Comm world(const struct comm *comm)
{
	return *(const MPI_Comm *)comm->world;
}

static enum mpa_status check(struct comm *comm, int code, const char *call)
{
	char text[MPI_MAX_ERROR_STRING];
	int length;

	if (code == MPI_SUCCESS)
		return MPA_OK;
	MPI_Error_string(code, text, &length);
	return fault_set(comm->fault, MPA_COMM, "%s failed: %s", call, text);
}

static struct comm_batch *mpi_batch_new(struct comm *comm)
{
	struct mpi_batch *batch = calloc(1, sizeof *batch);

	if (!batch)
		return NULL;
	batch->base.comm = comm;
	return &batch->base;
}

static void mpi_batch_free(struct comm_batch *base)
{
	struct mpi_batch *batch = (struct mpi_batch *)base;

	free(batch->request);
	free(batch->status);
	free(batch);
}

static bool mpi_batch_grow(struct mpi_batch *batch)
{
	int room = batch->room ? 2 * batch->room : 16;
	MPI_Request *requests = realloc(batch->request, (size_t)room * sizeof *requests);
	MPI_Status *statuses = realloc(batch->status, (size_t)room * sizeof *statuses);

	if (requests)
		batch->request = requests;
	if (statuses)
		batch->status = statuses;
	if (!requests || !statuses)
		return false;
	batch->room = room;
	return true;
}

/* Room for one more request; NULL: no memory. */
static MPI_Request *mpi_batch_next(struct mpi_batch *batch)
{
	if (batch->count == batch->room && !mpi_batch_grow(batch)) {
		fault_set(batch->base.comm->fault, MPA_MEMORY,
			  "out of memory for messages");
		return NULL;
	}
	return &batch->request[batch->count];
}

static enum mpa_status mpi_send(struct comm_batch *base, int to, int tag,
				const void *data, int bytes)
{
	struct mpi_batch *batch = (struct mpi_batch *)base;
	MPI_Request *next = mpi_batch_next(batch);
	enum mpa_status st;

	if (!next)
		return MPA_MEMORY;
	st = check(base->comm,
		   MPI_Isend(data, bytes, MPI_BYTE, to, tag, world(base->comm), next),
		   "MPI_Isend");
	batch->count += st == MPA_OK;
	return st;
}

static enum mpa_status mpi_recv(struct comm_batch *base, int from, int tag, void *data,
				int bytes)
{
	struct mpi_batch *batch = (struct mpi_batch *)base;
	MPI_Request *next = mpi_batch_next(batch);
	enum mpa_status st;

	if (!next)
		return MPA_MEMORY;
	st = check(base->comm,
		   MPI_Irecv(data, bytes, MPI_BYTE, from, tag, world(base->comm), next),
		   "MPI_Irecv");
	batch->count += st == MPA_OK;
	return st;
}

static enum mpa_status mpi_test(struct comm_batch *base, bool *done)
{
	struct mpi_batch *batch = (struct mpi_batch *)base;
	int flag = 1, code = MPI_SUCCESS;

	if (batch->count > 0)
		code = MPI_Testall(batch->count, batch->request, &flag, batch->status);
	*done = flag;
	if (flag || code != MPI_SUCCESS)
		batch->count = 0;
	return check(base->comm, code, "MPI_Testall");
}

static void mpi_abort(struct comm *comm, int exit_status)
{
	MPI_Abort(world(comm), exit_status);
}

static void finish(void)
{
	int done = 0;

	MPI_Finalized(&done);
	if (!done)
		MPI_Finalize();
}

static void mpi_close(struct comm *comm)
{
	if (comm->stays && comm->world && world(comm) != MPI_COMM_NULL)
		MPI_Comm_free(comm->world);
	free(comm->world);
	if (!comm->stays)
		finish();
}

#if defined OPEN_MPI
#define MPI_NAME "Open MPI"
#else
#define MPI_NAME "MPICH"
#endif

/* The library's own question, before MPI 4.1. */
#if defined OPEN_MPI && defined MPIX_CUDA_AWARE_SUPPORT
static bool library_takes_cuda(void)
{
	return MPIX_Query_cuda_support();
}
#elif defined MPICH_NUMVERSION && defined MPIX_GPU_SUPPORT_CUDA
static bool library_takes_cuda(void)
{
	int yes = 0;

	return MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &yes) == MPI_SUCCESS && yes;
}
#else
static bool library_takes_cuda(void)
{
	return false;
}
#endif

/* MPI 4.1, 10.4.5: "mpi,system,cuda:device" */
static bool mpi_takes_cuda(struct comm *comm)
{
	char kinds[MPI_MAX_INFO_VAL + 1] = "";
	int known = 0;
	MPI_Info info;

	if (MPI_Comm_get_info(world(comm), &info) != MPI_SUCCESS)
		return library_takes_cuda();
	MPI_Info_get(info, "mpi_memory_alloc_kinds", MPI_MAX_INFO_VAL, kinds, &known);
	MPI_Info_free(&info);
	return known ? strstr(kinds, "cuda") != NULL : library_takes_cuda();
}

static const struct comm_ops mpi_ops = { MPI_NAME,  mpi_batch_new, mpi_batch_free,
					 mpi_send,  mpi_recv,      mpi_test,
					 mpi_abort, mpi_close,     mpi_takes_cuda };

/* Asks MPI which ranks share the node where the launcher did not say: a blocking
 * collective, so slow with more ranks than cores. */
static enum mpa_status mpi_find_node(struct comm *comm)
{
	MPI_Comm node;
	enum mpa_status st;

	if (comm->local_size > 0)
		return MPA_OK;
	st = check(comm,
		   MPI_Comm_split_type(world(comm), MPI_COMM_TYPE_SHARED, comm->rank,
				       MPI_INFO_NULL, &node),
		   "MPI_Comm_split_type");
	if (st != MPA_OK)
		return st;
	MPI_Comm_rank(node, &comm->local_rank);
	MPI_Comm_size(node, &comm->local_size);
	return check(comm, MPI_Comm_free(&node), "MPI_Comm_free");
}

/* A guest leaves MPI running; it ends with the process if nobody else ends it. */
static enum mpa_status mpi_start(struct comm *comm)
{
	int started = 0, provided;
	enum mpa_status st = check(comm, MPI_Initialized(&started), "MPI_Initialized");

	if (st != MPA_OK || started)
		return st;
	st = check(comm, MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided),
		   "MPI_Init_thread");
	if (st == MPA_OK && comm->guest && atexit(finish) != 0)
		st = fault_set(comm->fault, MPA_MEMORY, "out of memory");
	return st;
}

static MPI_Comm given_comm(const struct comm_given *given)
{
	if (given->comm)
		return *(const MPI_Comm *)given->comm;
	return given->has_fortran ? MPI_Comm_f2c((MPI_Fint)given->fortran) : MPI_COMM_WORLD;
}

/* A guest has messages of its own: nobody else's can be taken for them. */
static enum mpa_status mpi_choose(struct comm *comm)
{
	MPI_Comm *own = malloc(sizeof *own);
	int ended = 0;

	if (!own)
		return fault_set(comm->fault, MPA_MEMORY, "out of memory");
	*own = comm->guest ? MPI_COMM_NULL : MPI_COMM_WORLD;
	comm->world = own;
	comm->stays = comm->guest != NULL;
	if (!comm->guest)
		return MPA_OK;
	MPI_Finalized(&ended);
	if (ended)
		return fault_set(comm->fault, MPA_COMM, "MPI has been ended already");
	return check(comm, MPI_Comm_dup(given_comm(comm->guest), own), "MPI_Comm_dup");
}

static enum mpa_status mpi_open(struct comm *comm)
{
	enum mpa_status st = mpi_start(comm);

	if (st != MPA_OK)
		return st;
	comm->ops = &mpi_ops;
	st = mpi_choose(comm);
	if (st == MPA_OK)
		st = check(comm, MPI_Comm_set_errhandler(world(comm), MPI_ERRORS_RETURN),
			   "MPI_Comm_set_errhandler");
	if (st != MPA_OK)
		return st;
	MPI_Comm_rank(world(comm), &comm->rank);
	MPI_Comm_size(world(comm), &comm->size);
	return mpi_find_node(comm);
}

extern const struct comm_plugin mpa_comm_plugin __attribute__((visibility("default")));
const struct comm_plugin mpa_comm_plugin = { COMM_ABI, mpi_open };
