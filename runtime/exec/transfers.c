/* exec/transfers.c - bytes between host and GPU, by the line of the program they are for
 *
 * With --profile. What the counts of the GPU have grown by since the last line was
 * counted is this one's. Lines are counted in the same order on all ranks. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "device/cuda/gpu.h"
#include "exec/exec.h"

enum { KINDS = 4 }; /* to the host, to the device, staged, direct */

struct line {
	const char *where;
	int64_t calls, bytes[KINDS];
};

struct transfers {
	struct line *line;
	int n, room;
	int64_t last[KINDS];
};

static struct line *line_of(struct mpa_session *s, const char *where)
{
	struct transfers *t = s->transfers;

	for (int i = 0; i < t->n; i++)
		if (t->line[i].where == where || !strcmp(t->line[i].where, where))
			return &t->line[i];
	if (t->n == t->room) {
		int room = 2 * t->room + 8;
		struct line *more = session_new(s, (size_t)room * sizeof *more);

		if (t->n > 0)
			memcpy(more, t->line, (size_t)t->n * sizeof *more);
		mem_free(t->line);
		t->line = more;
		t->room = room;
	}
	t->line[t->n] = (struct line){ .where = where };
	return &t->line[t->n++];
}

void transfers_count(struct mpa_session *s, const char *where)
{
	struct gpu_counts c;
	int64_t now[KINDS];
	struct line *line;

	if (!s->gpu || !s->options.profile)
		return;
	if (!s->transfers)
		s->transfers = session_new(s, sizeof *s->transfers);
	line = line_of(s, where ? where : "(text)");
	c = gpu_counts(s->gpu);
	now[0] = c.to_host;
	now[1] = c.to_device;
	now[2] = c.staged;
	now[3] = c.direct;
	line->calls++;
	for (int k = 0; k < KINDS; k++)
		line->bytes[k] += now[k] - s->transfers->last[k];
	memcpy(s->transfers->last, now, sizeof now);
}

/* What a rank has most of. */
void transfers_print(struct mpa_session *s)
{
	struct transfers *t = s->transfers;
	int64_t device[2] = { 0 };

	if (!t)
		return;
	gpu_room(s->gpu, &device[0], &device[1]);
	if (s->comm->rank == 0)
		fprintf(stderr,
			"messages are %s, %.1f of %.1f MiB of the GPU in use\n"
			"%-24s %10s %14s %14s %14s %14s\n",
			gpu_messages_direct(s->gpu) ? "direct" : "staged",
			(double)(device[1] - device[0]) / (1 << 20),
			(double)device[1] / (1 << 20), "transfers: where", "calls",
			"to host", "to device", "staged", "direct");
	for (int i = 0; i < t->n; i++) {
		const struct line *line = &t->line[i];
		int64_t most[KINDS], any = 0;

		memcpy(most, line->bytes, sizeof most);
		session_sent(s, comm_all_reduce(s->comm, COMM_MAX_I64, most, KINDS));
		for (int k = 0; k < KINDS; k++)
			any |= most[k];
		if (!any || s->comm->rank != 0)
			continue;
		fprintf(stderr, "%-24s %10" PRId64, line->where, line->calls);
		for (int k = 0; k < KINDS; k++)
			fprintf(stderr, " %14" PRId64, most[k]);
		fprintf(stderr, "\n");
	}
}

void transfers_free(struct mpa_session *s)
{
	if (!s->transfers)
		return;
	mem_free(s->transfers->line);
	mem_free(s->transfers);
	s->transfers = NULL;
}
