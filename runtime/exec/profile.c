/* exec/profile.c - --profile: where time went and what was sent
 *
 * One line for each run, copy or fold that happened, on standard error of rank 0: the
 * time is the longest of any rank, messages and bytes are the most that one rank sent. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "exec/exec.h"

static const char *threads_text(int n)
{
	return n == 1 ? "thread" : "threads";
}

/* Messages, bytes, peers of the run on the rank that has most of each. */
static void run_counts(struct mpa_session *s, const struct run_state *r, int64_t count[4])
{
	memset(count, 0, 4 * sizeof *count);
	for (const struct exchange *e = r->exchanges; e; e = exchange_next(e)) {
		struct halo_counts c = exchange_counts(e);

		count[0] += c.exchanges;
		count[1] += c.messages;
		count[2] += c.bytes;
		count[3] = c.peers > count[3] ? c.peers : count[3];
	}
	session_sent(s, comm_all_reduce(s->comm, COMM_MAX_I64, count, 4));
}

/* What stands in a line before its messages. */
struct line {
	const char *where, *name;
	int64_t calls;
	double seconds; /* of this rank */
};

static void put_line(struct mpa_session *s, const struct line *l, const int64_t *count)
{
	double seconds = l->seconds;

	session_sent(s, comm_all_reduce(s->comm, COMM_MAX_F64, &seconds, 1));
	if (s->comm->rank != 0 || l->calls == 0)
		return;
	fprintf(stderr, "%-24s %-20s %10" PRId64 " %10.4f", l->where, l->name, l->calls,
		seconds);
	if (count[1] > 0)
		fprintf(stderr, " %9" PRId64 " %9" PRId64 " %12" PRId64 " %5" PRId64,
			count[0], count[1], count[2], count[3]);
	else
		fprintf(stderr, " %9" PRId64 " %9s %12s %5s", count[0], "-", "-", "-");
	fprintf(stderr, "\n");
}

static void run_line(struct mpa_session *s, const struct run_state *r)
{
	struct line l = { r->info->where, r->info->call.name, r->calls, r->seconds };
	int64_t count[4];

	run_counts(s, r, count);
	put_line(s, &l, count);
}

static void move_line(struct mpa_session *s, struct line l, struct move_counts n)
{
	int64_t count[4] = { n.runs, n.messages, n.bytes, n.peers };

	session_sent(s, comm_all_reduce(s->comm, COMM_MAX_I64, count, 4));
	put_line(s, &l, count);
}

void profile_print(struct mpa_session *s)
{
	double total = clock_now() - s->start;
	int64_t bytes = s->account.peak;
	struct fold_profile fold;

	session_sent(s, comm_all_reduce(s->comm, COMM_MAX_I64, &bytes, 1));
	fflush(stdout);
	if (s->comm->rank == 0) {
		fprintf(stderr,
			"%s: %.4f s on %d rank%s (%s) of %d %s, %.1f MiB of fields a "
			"rank\n",
			s->program->name, total, s->comm->size,
			s->comm->size == 1 ? "" : "s", comm_name(s->comm),
			pool_threads(s->pool), threads_text(pool_threads(s->pool)),
			(double)bytes / (1 << 20));
		fprintf(stderr, "%-24s %-20s %10s %10s %9s %9s %12s %5s\n", "where",
			"kernel", "calls", "seconds", "exchanges", "messages", "bytes",
			"peers");
	}
	for (int64_t i = 0; i < s->program->n_runs; i++)
		run_line(s, &s->run[i]);
	for (int64_t i = 0; i < s->program->n_copies; i++)
		move_line(s,
			  (struct line){ s->copy[i].info->where, "copy", s->copy[i].calls,
					 s->copy[i].seconds },
			  copy_counts(&s->copy[i]));
	for (int64_t i = 0; fold_line(s, i, &fold); i++)
		move_line(
			s,
			(struct line){ fold.where, fold.name, fold.calls, fold.seconds },
			fold.counts);
	offload_print(s);
	transfers_print(s);
}
