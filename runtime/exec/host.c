/* exec/host.c - sessions that outlive a program; see mpa/host.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "exec/exec.h"

enum { STATUS_FAILED = 1, STATUS_USAGE = 2 };

/* Between programs there is one that says nothing. */
static const struct mpa_program nothing = { .abi = MPA_ABI_VERSION,
					    .name = "mpac",
					    .file = "",
					    .doc = "",
					    .compiler = "",
					    .arithmetic = "" };

int mpa_announced_rank(void)
{
	return comm_announced_rank();
}

int mpa_host_rank(const struct mpa_session *s)
{
	return s->comm->rank;
}

int mpa_host_ranks(const struct mpa_session *s)
{
	return s->comm->size;
}

/* ---- open and close -------------------------------------------------------- */

static struct mpa_session *refuse(struct mpa_session *s, const struct mpa_host *host,
				  const char *text)
{
	struct comm *comm = s->comm;

	if (comm ? comm->rank == 0 : comm_announced_rank() == 0)
		fprintf(stderr, "%s: error: %s\n", host->name, text);
	session_free(s);
	comm_close(comm);
	mem_free(s);
	return NULL;
}

static void start(struct mpa_session *s)
{
	session_backend(s, NULL);
	session_start(s);
}

struct mpa_session *mpa_host_open(const struct mpa_host *host, int *status)
{
	struct mpa_session *s = mem_new(sizeof *s);
	struct comm_options how = { .plugin_dir = host->runtime_dir };
	struct fault usage = { .status = MPA_OK };
	enum mpa_status st;

	*status = STATUS_FAILED;
	if (!s)
		return NULL;
	*s = (struct mpa_session){ .program = &nothing };
	s->watch.interrupted = host->interrupted;
	s->watch.context = host->context;
	how.fault = &s->fault;
	command_parse_early(&s->options, host->argc, host->argv, &usage);
	st = comm_open(&how, &s->comm);
	if (usage.status != MPA_OK) {
		*status = STATUS_USAGE;
		return refuse(s, host, usage.text);
	}
	if (st != MPA_OK)
		return refuse(s, host, s->fault.text);
	if (session_try(s, start, status) == SESSION_DONE)
		return s;
	mpa_host_close(s);
	return NULL;
}

void mpa_host_close(struct mpa_session *s)
{
	struct comm *comm = s->comm;
	int status;

	session_try(s, trace_write, &status);
	output_flush();
	session_free(s);
	comm_close(comm);
	offload_close(s);
	mem_free(s);
}

/* ---- between programs ------------------------------------------------------ */

static void doze(struct mpa_session *s, struct comm_batch *batch)
{
	const struct timespec nap = { 0, 1000000 };
	bool done = false;

	while (!done) {
		session_sent(s, comm_test(batch, &done));
		if (!done)
			nanosleep(&nap, NULL);
	}
}

void mpa_host_share(struct mpa_session *s, void *data, int64_t bytes)
{
	struct comm_batch *batch;

	if (s->comm->size == 1)
		return;
	batch = comm_batch_new(s->comm);
	if (!batch)
		session_sent(s, fault_set(&s->fault, MPA_MEMORY, "out of memory"));
	if (s->comm->rank != 0)
		session_sent(s, comm_recv(batch, 0, COMM_TAG_USER, data, bytes));
	for (int r = 1; s->comm->rank == 0 && r < s->comm->size; r++)
		session_sent(s, comm_send(batch, r, COMM_TAG_USER, data, bytes));
	if (s->comm->rank == 0)
		session_sent(s, comm_wait(batch));
	else
		doze(s, batch);
	comm_batch_free(batch);
}

int mpa_host_on_gpu(const struct mpa_session *s)
{
	return s->gpu != NULL;
}

int mpa_host_all(struct mpa_session *s, int truth)
{
	int64_t all = truth != 0;

	session_sent(s, comm_all_reduce(s->comm, COMM_MIN_I64, &all, 1));
	return (int)all;
}

static void body(struct mpa_session *s)
{
	if (s->gpu)
		offload_program(s, NULL);
	s->program->body(s);
	if (s->options.profile)
		profile_print(s);
}

enum mpa_end mpa_host_run(struct mpa_session *s, const struct mpa_program *next,
			  int *status)
{
	enum session_end end;

	*status = STATUS_FAILED;
	tables_extend(s, next);
	s->watch.left = s->watch.every = 1;
	s->watch.last = clock_now();
	if (command_params(&s->options, next, &s->fault) != MPA_OK) {
		if (s->comm->rank == 0)
			fprintf(stderr, "%s: error: %s\n", next->file, s->fault.text);
		fault_clear(&s->fault);
		return MPA_END_FAILED;
	}
	end = session_try(s, body, status);
	if (s->comm->rank == 0)
		output_flush();
	return end == SESSION_DONE     ? MPA_END_DONE
	       : end == SESSION_FAILED ? MPA_END_FAILED
				       : MPA_END_EXITED;
}

int64_t mpa_host_size(const struct mpa_session *s, int64_t axis)
{
	return axis < s->program->n_axes && s->axis[axis].defined ? s->axis[axis].size : 0;
}

void mpa_host_forget(struct mpa_session *s, int64_t array)
{
	struct array_state *a = &s->array[array];

	array_forget(s, a);
	mem_free(a->snapshot);
	*a = (struct array_state){ .info = a->info, .version = a->version + 1 };
}

void mpa_host_cut(struct mpa_session *s, const struct mpa_extent *used)
{
	const struct mpa_program *p = s->program;

	for (int64_t i = used->axes; i < p->n_axes; i++) {
		axis_forget_cuts(&s->axis[i]);
		s->axis[i] = (struct axis_state){ .defined = false };
	}
	for (int64_t i = used->families; i < p->n_families; i++)
		s->family[i].defined = false;
	for (int64_t i = used->grids; i < p->n_grids; i++)
		s->grid[i].made = false;
	for (int64_t i = used->arrays; i < p->n_arrays; i++)
		mpa_host_forget(s, i);
}

void mpa_host_reset(struct mpa_session *s)
{
	mpa_host_cut(s, &(struct mpa_extent){ 0 });
	s->draws = 0;
}

/* ---- what generated code asks of a session that goes on -------------------- */

void *mpa_cells(struct mpa_session *s, int64_t kind, int64_t n)
{
	enum { BYTES = 16 }; /* of the widest value */
	struct cells *c = &s->cells[kind];
	void *more;

	if (n <= c->n)
		return c->data;
	more = session_new(s, (size_t)(2 * n) * BYTES);
	if (c->n > 0)
		memcpy(more, c->data, (size_t)c->n * BYTES);
	mem_free(c->data);
	*c = (struct cells){ 2 * n, more };
	return more;
}

enum { WATCH_MOST = 16 };              /* turns between two agreements */
static const double WATCH_OFTEN = 2e-3; /* seconds between them that are enough */

void mpa_turn(struct mpa_session *s, const char *where)
{
	struct watch *w = &s->watch;
	double now, state[2];

	if (--w->left > 0)
		return;
	now = clock_now();
	state[0] = w->interrupted && w->interrupted(w->context) ? 1 : 0;
	state[1] = now - w->last;
	session_sent(s, comm_all_reduce(s->comm, COMM_MAX_F64, state, 2));
	w->last = now;
	w->every = state[1] > WATCH_OFTEN     ? 1
		   : w->every < WATCH_MOST ? 2 * w->every
					   : WATCH_MOST;
	w->left = w->every;
	if (state[0] > 0)
		session_fail(s, where, "interrupted");
}
