/* exec/session.c - main of every program: options, start, the body, the end
 *
 * A failure that all ranks have found prints one message on rank 0, ends MPI in order
 * and exits with status 1. One that a single rank has found is agreed on first. Only a
 * lost message ends the ranks without agreement. */
#include <errno.h>
#include <fenv.h>
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

void session_free(struct mpa_session *s)
{
	tables_free(s);
	text_free(s);
	local_free(s);
	files_free(s);
	trace_free(s);
	transfers_free(s);
	command_free(&s->options);
	pool_free(s->pool);
	for (int i = 0; i < MPA_CELL_KINDS; i++)
		mem_free(s->cells[i].data);
}

bool output_flush(void)
{
	return fflush(stdout) == 0 && !ferror(stdout);
}

enum session_end session_try(struct mpa_session *s, void (*fn)(struct mpa_session *s),
			     int *status)
{
	struct recovery here, *outer = s->recovery;

	s->recovery = &here;
	if (setjmp(here.at) == 0) {
		fn(s);
		here.end = SESSION_DONE;
		here.status = 0;
	}
	s->recovery = outer;
	*status = here.status;
	return here.end;
}

static _Noreturn void recover(struct mpa_session *s, enum session_end end, int status)
{
	output_flush();
	fault_clear(&s->fault);
	s->recovery->end = end;
	s->recovery->status = status;
	longjmp(s->recovery->at, 1);
}

void session_exit(struct mpa_session *s, int status)
{
	struct comm *comm = s->comm;
	bool flushed;

	if (s->recovery)
		recover(s, SESSION_EXITED, status);
	flushed = output_flush();
	if (!flushed && status == 0) {
		fprintf(stderr, "%s: error: cannot write the output\n", s->program->name);
		status = STATUS_FAILED;
	}
	session_free(s);
	comm_close(comm);
	offload_close(s); /* MPI may have known of its memory */
	exit(status);
}

void session_fail(struct mpa_session *s, const char *where, const char *format, ...)
{
	char text[2 * FAULT_TEXT];
	va_list list;

	output_flush();
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	if (s->told) {
		fault_clear(s->told);
		fault_set(s->told, MPA_ARGUMENT, "%s: error: %s",
			  where ? where : s->program->name, text);
	} else if (!s->comm || s->comm->rank == 0) {
		fprintf(stderr, "%s: error: %s\n", where ? where : s->program->name,
			text);
		fflush(stderr);
	}
	if (s->recovery)
		recover(s, SESSION_FAILED, STATUS_FAILED);
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

/* The other ranks do not wait for rank 0 to print, so they cannot agree. */
void output_write(struct mpa_session *s, const char *where, const char *text, size_t n)
{
	int error;

	errno = 0;
	if (fwrite(text, 1, n, stdout) == n && output_flush())
		return;
	error = errno ? errno : EIO;
	clearerr(stdout);
	if (s->comm->size == 1)
		session_fail(s, where, "cannot write the output: %s", strerror(error));
	fprintf(stderr, "%s: error: cannot write the output: %s\n",
		where ? where : s->program->name, strerror(error));
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

/* The threads, once it is known how many cores this rank has. A library that was linked
 * with -ffast-math has the processor flush subnormal numbers from when it is loaded, which
 * MPI may do last. */
void session_start(struct mpa_session *s)
{
	fesetenv(FE_DFL_ENV);
	s->pool = pool_new((int)s->options.threads, s->comm->cores, &s->fault);
	session_agree(s, NULL, s->pool ? MPA_OK : s->fault.status);
	s->beside = (struct array_home){ s->pool, &s->account, &s->fault, NULL };
	s->home = s->beside;
	s->home.gpu = s->gpu;
	tables_open(s);
	procs_check(s);
	s->start = clock_now();
	trace_begin(s);
}

bool session_informs(struct mpa_session *s)
{
	const struct mpa_program *p = s->program;

	if (!s->options.help && !s->options.version)
		return false;
	if (s->comm && s->comm->rank != 0)
		return true;
	if (s->options.version)
		printf("%s, compiled by %s%s%s\n", p->name, p->compiler,
		       *p->arithmetic ? "\n" : "", p->arithmetic);
	else
		command_help(p, stdout);
	return true;
}

void session_backend(struct mpa_session *s, const char *where)
{
	const char *name = s->options.backend;

	if (name && strcmp(name, "cuda") == 0)
		offload_open(s, where);
	if (name && strcmp(name, "auto") == 0)
		offload_choose(s);
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
	signal(SIGPIPE, SIG_IGN); /* so is an output that nobody reads */
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
	memcpy(value, s->options.value[parameter],
	       s->program->param[parameter].elem == MPA_C128 ? 16 : 8);
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
	for (int64_t i = 0; i < s->program->n_arrays; i++)
		if (s->array[i].layout)
			session_fail(s, where,
				     "there are fields already: the back end is chosen before "
				     "the first one");
	s->options.backend = name;
	session_backend(s, where);
	s->home.gpu = s->gpu;
}

int64_t mpa_checking(struct mpa_session *s)
{
	return s->options.check;
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
