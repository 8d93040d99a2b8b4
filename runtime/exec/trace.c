/* exec/trace.c - --trace: a timeline of the run; --progress: how far the loops are
 *
 * Events are kept in memory, each rank its own, and written by rank 0 at the end as the
 * JSON that Chrome's and Perfetto's trace viewers read: a process a rank, times in
 * microseconds since the program began on that rank. The file appears under its name
 * only when it is complete. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "exec/exec.h"

/* Of one rank; beyond it only the count goes on, and the file says so. */
enum { TRACE_MOST = 1 << 20 };

struct event {
	struct trace_what what;
	double start, seconds;
};

struct trace {
	int64_t n, room, lost;
	struct event *event;
};

void trace_add(struct mpa_session *s, struct trace_what what, double start)
{
	struct trace *t = s->trace;
	struct event *more;

	if (!t)
		return;
	if (t->n == t->room && t->n < TRACE_MOST) {
		more = realloc(t->event, (size_t)(2 * t->room + 1024) * sizeof *more);
		if (more) {
			t->event = more;
			t->room = 2 * t->room + 1024;
		}
	}
	if (t->n == t->room || t->n == TRACE_MOST) {
		t->lost++;
		return;
	}
	t->event[t->n++] = (struct event){ what, start - s->start, clock_now() - start };
}

void trace_begin(struct mpa_session *s)
{
	if (s->options.trace)
		s->trace = session_new(s, sizeof *s->trace);
}

void trace_free(struct mpa_session *s)
{
	if (s->trace)
		free(s->trace->event);
	mem_free(s->trace);
	s->trace = NULL;
}

/* Names of files and kernels hold what a JSON text must not hold bare. */
static void put_text(FILE *out, const char *text)
{
	for (; *text; text++)
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if ((unsigned char)*text < ' ')
			fprintf(out, "\\u%04x", *text);
		else
			fputc(*text, out);
}

static void put_event(FILE *out, int rank, const struct event *e)
{
	static const char *const kind[] = { "run", "exchange", "copy", "fold" };

	fprintf(out,
		",\n{\"ph\":\"X\",\"pid\":%d,\"tid\":0,\"cat\":\"%s\",\"ts\":%.3f,"
		"\"dur\":%.3f,\"name\":\"",
		rank, kind[e->what.kind], 1e6 * e->start, 1e6 * e->seconds);
	put_text(out, e->what.name);
	fprintf(out, "\",\"args\":{\"where\":\"");
	put_text(out, e->what.where);
	fprintf(out, "\"}}");
}

/* The events of this rank as text; the caller frees it. */
static char *trace_text(struct mpa_session *s, size_t *length)
{
	struct trace *t = s->trace;
	char *text = NULL;
	FILE *out = open_memstream(&text, length);

	if (!out)
		return NULL;
	fprintf(out,
		"%s\n{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{"
		"\"name\":"
		"\"rank %d\",\"lost\":%" PRId64 "}}",
		s->comm->rank ? "," : "[", s->comm->rank, s->comm->rank, t->lost);
	for (int64_t i = 0; i < t->n; i++)
		put_event(out, s->comm->rank, &t->event[i]);
	if (s->comm->rank == s->comm->size - 1)
		fprintf(out, "\n]\n");
	return fclose(out) == 0 ? text : NULL;
}

/* All ranks' texts on rank 0, in order; other ranks: the empty text. NULL: no memory. */
static char *trace_gather(struct mpa_session *s, const char *mine, int64_t *counts,
			  int64_t *total)
{
	char *all;

	*total = 0;
	session_sent(s, comm_all_reduce(s->comm, COMM_SUM_I64, counts, s->comm->size));
	for (int r = 0; r < s->comm->size; r++)
		*total += counts[r];
	all = malloc(s->comm->rank == 0 ? (size_t)*total + 1 : 1);
	session_agree(s, NULL,
		      all ? MPA_OK : fault_set(&s->fault, MPA_MEMORY, "out of memory"));
	session_sent(s, comm_gather(s->comm, 0, mine, all, counts));
	return all;
}

static enum mpa_status trace_store(struct mpa_session *s, const char *all, int64_t total)
{
	const char *name = s->options.trace;
	char part[4096 + 32];
	FILE *out;
	bool fine;

	if (strlen(name) > 4096)
		return fault_set(&s->fault, MPA_FILE,
				 "the name of the trace is too long");
	snprintf(part, sizeof part, "%s.%ld.tmp", name, (long)getpid());
	out = fopen(part, "w");
	if (!out)
		return fault_set_errno(&s->fault, MPA_FILE, errno, "cannot write %s",
				       name);
	fine = fwrite(all, 1, (size_t)total, out) == (size_t)total;
	fine = fclose(out) == 0 && fine;
	if (fine && rename(part, name) == 0)
		return MPA_OK;
	fault_set_errno(&s->fault, MPA_FILE, errno, "cannot write %s", name);
	unlink(part);
	return MPA_FILE;
}

void trace_write(struct mpa_session *s)
{
	size_t length = 0;
	int64_t *counts, total;
	enum mpa_status st = MPA_OK;
	char *mine, *all;

	if (!s->trace)
		return;
	mine = trace_text(s, &length);
	session_agree(s, NULL,
		      mine ? MPA_OK : fault_set(&s->fault, MPA_MEMORY, "out of memory"));
	counts = session_new(s, (size_t)s->comm->size * sizeof *counts);
	counts[s->comm->rank] = (int64_t)length;
	all = trace_gather(s, mine, counts, &total);
	if (s->comm->rank == 0)
		st = trace_store(s, all, total);
	free(mine);
	free(all);
	mem_free(counts);
	session_agree(s, NULL, st);
}

/* ---- --progress ----------------------------------------------------------- */

static const double PROGRESS_EVERY = 0.5; /* seconds */

void mpa_progress(struct mpa_session *s, const char *where, int64_t left, int64_t turns)
{
	double now, rest;

	if (!s->options.progress || s->comm->rank != 0)
		return;
	now = clock_now();
	if (left == turns)
		s->loop_start = s->progress_shown = now;
	if (now - s->progress_shown < PROGRESS_EVERY)
		return;
	s->progress_shown = now;
	rest = (now - s->loop_start) / (double)(turns - left) * (double)left;
	output_flush();
	fprintf(stderr, "%s: %" PRId64 " of %" PRId64 " (%.0f %%), about %.0f s left\n",
		where, turns - left, turns,
		100.0 * (double)(turns - left) / (double)turns, rest);
}
