/* exec/room.c - is there room on the GPU? And if not, what has it all gone to */
#include <stdarg.h>
#include <stdio.h>

#include "device/cuda/gpu.h"
#include "exec/exec.h"

static double mebibytes(int64_t bytes)
{
	return (double)bytes / (1 << 20);
}

struct table {
	char text[FAULT_TEXT];
	int n;
};

static void put(struct table *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void put(struct table *t, const char *format, ...)
{
	va_list list;
	int room = (int)sizeof t->text - t->n;

	va_start(list, format);
	t->n += vsnprintf(t->text + t->n, (size_t)room, format, list);
	va_end(list);
	if (t->n >= (int)sizeof t->text)
		t->n = (int)sizeof t->text - 1;
}

/* What of a block are points of its rank; the rest are ghosts and gaps. */
static int64_t own_bytes(const struct mpa_array *a)
{
	return a->block.data && !box_empty(&a->own) ? box_points(&a->own) * a->elem : 0;
}

static void put_array(struct table *t, const char *name, const struct mpa_array *a)
{
	int64_t all = (int64_t)a->block.bytes;

	if (all > 0)
		put(t, "\n  %12.1f MiB  %s, of which %.1f MiB are ghosts and gaps",
		    mebibytes(all), name, mebibytes(all - own_bytes(a)));
}

static void put_arrays(struct mpa_session *s, struct table *t, int64_t used)
{
	for (int64_t i = 0; i < s->program->n_arrays; i++) {
		const struct array_state *a = &s->array[i];
		char second[160];

		if (!a->layout)
			continue;
		snprintf(second, sizeof second, "%.100s, second buffer", a->info->name);
		put_array(t, a->info->name, &a->now);
		used -= (int64_t)a->now.block.bytes;
		if (!a->has_second)
			continue;
		put_array(t, second, &a->second);
		used -= (int64_t)a->second.block.bytes;
	}
	if (used > 0)
		put(t, "\n  %12.1f MiB  messages, kernels, other programs",
		    mebibytes(used));
}

void room_check(struct mpa_session *s, const char *where, const struct array_state *a,
		int64_t bytes)
{
	struct table t = { .n = 0 };
	int64_t room, total;
	enum mpa_status st = MPA_OK;

	gpu_room(s->gpu, &room, &total);
	if (bytes > room) {
		put(&t,
		    "the GPU of rank %d has no room for `%s`: that takes %.1f MiB, and of "
		    "%.1f MiB there are %.1f left",
		    s->comm->rank, a->info->name, mebibytes(bytes), mebibytes(total),
		    mebibytes(room));
		put_arrays(s, &t, total - room);
		put(&t, "\n  more ranks with GPUs of their own have smaller blocks");
		st = fault_set(&s->fault, MPA_MEMORY, "%s", t.text);
	}
	session_agree(s, where, st);
}
