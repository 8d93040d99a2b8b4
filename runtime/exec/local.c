/* exec/local.c - rank-local code: what each rank does for itself
 *
 * Between mpa_local_begin and mpa_local_end no rank waits for another. What a rank
 * prints, that it failed or wants to exit is kept; at the end all ranks meet, rank 0
 * prints the lines of all, in the order of ranks, and if a rank wants to end the
 * program, all of them end as the first such rank says. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "exec/exec.h"

enum verdict { GOES_ON, EXITS, FAILS };

/* How a rank has left the block; travels. */
struct left {
	int64_t verdict, status;
	char where[256], text[2 * FAULT_TEXT];
};

struct local {
	bool open;
	char *data; /* printed so far */
	size_t length, room;
	struct left left;
};

static struct local *local_of(struct mpa_session *s)
{
	if (!s->local)
		s->local = session_new(s, sizeof *s->local);
	return s->local;
}

bool local_is_open(const struct mpa_session *s)
{
	return s->local && s->local->open;
}

void local_free(struct mpa_session *s)
{
	if (!s->local)
		return;
	mem_free(s->local->data);
	mem_free(s->local);
	s->local = NULL;
}

void local_print(struct mpa_session *s, const char *text, size_t n)
{
	struct local *l = s->local;

	if (l->length + n > l->room) {
		size_t room = 2 * (l->length + n);
		char *more = session_new(s, room);

		if (l->length > 0)
			memcpy(more, l->data, l->length);
		mem_free(l->data);
		l->data = more;
		l->room = room;
	}
	memcpy(l->data + l->length, text, n);
	l->length += n;
}

/* Room for what all ranks have printed, on rank 0. */
static char *room_for_all(struct mpa_session *s, const int64_t *length)
{
	int64_t all = 0;

	if (s->comm->rank != 0)
		return NULL;
	for (int r = 0; r < s->comm->size; r++)
		all += length[r];
	return session_new(s, (size_t)all + 1);
}

static void print_all(struct mpa_session *s)
{
	size_t ranks = (size_t)s->comm->size;
	int64_t *length = session_new(s, ranks * sizeof *length), sum = 0;
	char *all = NULL;

	length[s->comm->rank] = (int64_t)s->local->length;
	session_sent(s, comm_all_reduce(s->comm, COMM_SUM_I64, length, s->comm->size));
	for (size_t r = 0; r < ranks; r++)
		sum += length[r];
	if (sum > 0) {
		all = room_for_all(s, length);
		session_sent(s, comm_gather(s->comm, 0, s->local->data, all, length));
	}
	if (all)
		output_write(s, NULL, all, (size_t)sum);
	mem_free(all);
	mem_free(length);
}

/* All ranks end if one wants to. */
static void end_together(struct mpa_session *s)
{
	struct left left = s->local->left;
	int64_t first = left.verdict == GOES_ON ? s->comm->size : s->comm->rank;

	session_sent(s, comm_all_reduce(s->comm, COMM_MIN_I64, &first, 1));
	if (first == s->comm->size)
		return;
	session_sent(s, comm_bcast(s->comm, (int)first, &left, sizeof left));
	if (left.verdict == EXITS)
		mpa_exit(s, left.status);
	session_fail(s, left.where, "%s", left.text);
}

/* ---- what generated code calls -------------------------------------------- */

int64_t mpa_ranks(struct mpa_session *s)
{
	return s->comm->size;
}

int64_t mpa_rank(struct mpa_session *s)
{
	return s->comm->rank;
}

int64_t mpa_bound(struct mpa_session *s, int64_t grid, int64_t axis, int64_t side)
{
	const struct layout *layout = grid_layout(s, grid);
	struct box own = layout_block(layout, s->comm->rank);
	int place = grid_place(s->program, grid, axis);

	return side ? own.hi[place] : own.lo[place];
}

void mpa_local_begin(struct mpa_session *s)
{
	struct local *l = local_of(s);

	l->open = true;
	l->length = 0;
	l->left.verdict = GOES_ON;
}

void mpa_local_exit(struct mpa_session *s, int64_t status)
{
	s->local->left.verdict = EXITS;
	s->local->left.status = status;
}

void mpa_local_fail(struct mpa_session *s, const char *where)
{
	struct left *left = &s->local->left;

	left->verdict = FAILS;
	snprintf(left->where, sizeof left->where, "%s", where);
	snprintf(left->text, sizeof left->text, "%s", text_made(s));
}

void mpa_local_end(struct mpa_session *s)
{
	s->local->open = false;
	if (!s->options.quiet)
		print_all(s);
	end_together(s);
}
