/* exec/session.c - main of every program: options, start, the body, the end
 *
 * A failure that all ranks have found prints one message on rank 0, ends MPI in order
 * and exits with status 1. One that a single rank has found is agreed on first. Only a
 * lost message ends the ranks without agreement. */
#include <stdarg.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "exec/exec.h"

enum { STATUS_FAILED = 1, STATUS_USAGE = 2 };

static void arrays_free(struct mpa_session *s)
{
	for (int64_t i = 0; i < s->program->n_runs && s->run; i++) {
		exchanges_free(&s->run[i]);
		reduce_free(s, &s->run[i]);
		mem_free(s->run[i].view);
		mem_free(s->run[i].needs.need);
		mem_free(s->run[i].result);
	}
	for (int64_t i = 0; i < s->program->n_copies && s->copy; i++)
		copy_forget(&s->copy[i]);
	for (int64_t i = 0; i < s->program->n_arrays && s->array; i++) {
		array_forget(s, &s->array[i]);
		mem_free(s->array[i].snapshot);
	}
}

void session_free(struct mpa_session *s)
{
	arrays_free(s);
	text_free(s);
	local_free(s);
	trace_free(s);
	command_free(&s->options);
	pool_free(s->pool);
	mem_free(s->args);
	mem_free(s->axis);
	mem_free(s->family);
	mem_free(s->grid);
	mem_free(s->array);
	mem_free(s->run);
	mem_free(s->copy);
	mem_free(s->wall_args);
}

bool output_flush(void)
{
	return fflush(stdout) == 0 && !ferror(stdout);
}

void session_exit(struct mpa_session *s, int status)
{
	struct comm *comm = s->comm;
	bool flushed = output_flush();

	if (!flushed && status == 0) {
		fprintf(stderr, "%s: error: cannot write the output\n", s->program->name);
		status = STATUS_FAILED;
	}
	session_free(s);
	comm_close(comm);
	exit(status);
}

void session_fail(struct mpa_session *s, const char *where, const char *format, ...)
{
	va_list list;

	output_flush();
	if (!s->comm || s->comm->rank == 0) {
		char text[2 * FAULT_TEXT];

		va_start(list, format);
		vsnprintf(text, sizeof text, format, list);
		va_end(list);
		fprintf(stderr, "%s: error: %s\n", where ? where : s->program->name,
			text);
		fflush(stderr);
	}
	session_exit(s, STATUS_FAILED);
}

void session_sent(struct mpa_session *s, enum mpa_status status)
{
	if (status == MPA_OK)
		return;
	output_flush();
	fprintf(stderr, "%s: error: %s\n", s->program->name,
		s->fault.status != MPA_OK ? s->fault.text : status_text(status));
	fflush(stderr);
	comm_abort(s->comm, STATUS_FAILED);
	exit(STATUS_FAILED);
}

void session_agree(struct mpa_session *s, const char *where, enum mpa_status mine)
{
	enum mpa_status all = comm_agree(s->comm, mine);

	if (all == MPA_OK)
		return;
	if (s->fault.status == MPA_OK)
		session_fail(s, where, "%s", status_text(all));
	session_fail(s, where, "%s", s->fault.text);
}

void *session_new(struct mpa_session *s, size_t bytes)
{
	void *data = mem_new(bytes);

	if (data)
		return data;
	fault_set(&s->fault, MPA_MEMORY, "out of memory");
	session_sent(s, MPA_MEMORY);
	abort();
}

/* Corners beyond a wall that is filled and one that is computed are computed as well. */
static void stage_grow(struct array_state *a, const struct mpa_run_info *run)
{
	for (int i = 0; i < MPA_MAX_AXES && a->info->stage; i++)
		for (int side = 0; side < 2; side++)
			if (a->grown[i][side] < run->grow[i][side])
				a->grown[i][side] = run->grow[i][side];
}

static void session_tables(struct mpa_session *s)
{
	const struct mpa_program *p = s->program;
	int snapshot = 0;

	s->args = session_new(s, (size_t)p->n_args * sizeof *s->args);
	s->axis = session_new(s, (size_t)p->n_axes * sizeof *s->axis);
	s->family = session_new(s, (size_t)p->n_families * sizeof *s->family);
	s->grid = session_new(s, (size_t)p->n_grids * sizeof *s->grid);
	s->array = session_new(s, (size_t)p->n_arrays * sizeof *s->array);
	s->run = session_new(s, (size_t)p->n_runs * sizeof *s->run);
	s->copy = session_new(s, (size_t)p->n_copies * sizeof *s->copy);
	for (int64_t i = 0; i < p->n_copies; i++)
		s->copy[i].info = &p->copy[i];
	for (int64_t i = 0; i < p->n_arrays; i++) {
		int n = walls_snapshot_size(&p->array[i], p);

		s->array[i].info = &p->array[i];
		s->array[i].snapshot = session_new(s, (size_t)n * sizeof(int64_t));
		s->array[i].n_snapshot = n;
		memcpy(s->array[i].room, p->array[i].halo, sizeof s->array[i].room);
		memcpy(s->array[i].grown, p->array[i].grown, sizeof s->array[i].grown);
		snapshot = n > snapshot ? n : snapshot;
	}
	s->wall_args = session_new(s, (size_t)snapshot * sizeof(int64_t));
	for (int64_t i = 0; i < p->n_runs; i++) {
		struct run_state *r = &s->run[i];

		r->info = &p->run[i];
		r->view = session_new(s, (size_t)r->info->call.n_views * sizeof *r->view);
		r->result =
			session_new(s, (size_t)r->info->n_results * sizeof *r->result);
		for (int64_t k = 0; k < r->info->n_changed; k++)
			stage_grow(&s->array[r->info->changed[k]], r->info);
	}
}

/* The threads, once it is known how many cores this rank has. */
void session_start(struct mpa_session *s)
{
	s->pool = pool_new((int)s->options.threads, s->comm->cores, &s->fault);
	session_agree(s, NULL, s->pool ? MPA_OK : s->fault.status);
	s->home = (struct array_home){ s->pool, &s->account, &s->fault };
	session_tables(s);
	s->start = clock_now();
	trace_begin(s);
}

static bool session_informs(struct mpa_session *s)
{
	const struct mpa_program *p = s->program;

	if (!s->options.help && !s->options.version)
		return false;
	if (s->comm && s->comm->rank != 0)
		return true;
	if (s->options.version)
		printf("%s, compiled by %s\n", p->name, p->compiler);
	else
		command_help(p, stdout);
	return true;
}

static void session_backend(struct mpa_session *s, const char *where)
{
	if (s->options.backend && strcmp(s->options.backend, "cuda") == 0)
		session_fail(s, where,
			     "the CUDA back end is not available yet in this build");
}

int mpa_main(int argc, char **argv, const struct mpa_program *program)
{
	struct mpa_session session = { .program = program }, *s = &session;
	struct comm_options how = { .fault = &s->fault,
				    .plugin_dir = program->runtime_dir };
	struct fault usage = { .status = MPA_OK };
	enum mpa_status st = MPA_OK;

	if (program->abi != MPA_ABI_VERSION) {
		fprintf(stderr,
			"%s: error: compiled for another version of the run time\n",
			program->name);
		return STATUS_FAILED;
	}
	signal(SIGXFSZ, SIG_IGN); /* a file over the limit is an error with a message */
	command_parse(&s->options, program, argc, argv, &usage);
	st = comm_open(&how, &s->comm);
	if (session_informs(s))
		session_exit(s, 0);
	if (usage.status != MPA_OK) {
		if (s->comm ? s->comm->rank == 0 : comm_announced_rank() == 0)
			fprintf(stderr, "%s: error: %s\n", program->name, usage.text);
		session_exit(s, STATUS_USAGE);
	}
	if (st != MPA_OK) {
		if (comm_announced_rank() == 0)
			fprintf(stderr, "%s: error: %s\n", program->name, s->fault.text);
		session_exit(s, STATUS_FAILED);
	}
	session_backend(s, NULL);
	session_start(s);
	program->body(s);
	mpa_exit(s, 0);
}

/* ---- what generated code asks of the session as a whole ------------------- */

int64_t mpa_param(struct mpa_session *s, void *value, int64_t parameter)
{
	if (!s->options.given[parameter])
		return 0;
	memcpy(value, &s->options.value[parameter], sizeof(int64_t));
	return 1;
}

int64_t *mpa_args(struct mpa_session *s)
{
	return s->args;
}

void mpa_backend(struct mpa_session *s, const char *where, const char *name)
{
	if (s->options.backend)
		return;
	if (strcmp(name, "cpu") != 0 && strcmp(name, "cuda") != 0 &&
	    strcmp(name, "auto") != 0)
		session_fail(s, where,
			     "there is no back end \"%s\": it is cpu, cuda or auto",
			     name);
	s->options.backend = name;
	session_backend(s, where);
}

double mpa_clock(struct mpa_session *s)
{
	double now = clock_now() - s->start;

	session_sent(s, comm_bcast(s->comm, 0, &now, sizeof now));
	return now;
}

void mpa_exit(struct mpa_session *s, int64_t status)
{
	if (s->options.profile)
		profile_print(s);
	trace_write(s);
	session_exit(s, (int)(status & 0xff));
}

int64_t mpa_draw(struct mpa_session *s)
{
	return s->draws++;
}

int64_t mpa_seed(struct mpa_session *s)
{
	return s->options.seed;
}
