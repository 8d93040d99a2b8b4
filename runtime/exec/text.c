/* exec/text.c - texts made of pieces: printed, kept, or the message of a failure
 *
 * Every rank makes the text, rank 0 prints it. Of an array only the elements that are
 * shown travel. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"
#include "exec/exec.h"

struct kept {
	struct kept *next;
	char text[];
};

struct text {
	char *data;
	size_t length, room;
	struct kept *kept; /* texts that were taken */
};

static struct text *text_of(struct mpa_session *s)
{
	if (!s->text)
		s->text = session_new(s, sizeof *s->text);
	return s->text;
}

/* Room for n more bytes and a final 0. */
static char *text_grow(struct mpa_session *s, size_t n)
{
	struct text *t = text_of(s);

	if (t->length + n + 1 > t->room) {
		size_t room = 2 * (t->length + n + 1);
		char *more = session_new(s, room);

		if (t->length > 0)
			memcpy(more, t->data, t->length);
		mem_free(t->data);
		t->data = more;
		t->room = room;
	}
	return t->data + t->length;
}

static void text_add(struct mpa_session *s, const char *piece, size_t n)
{
	memcpy(text_grow(s, n), piece, n);
	s->text->length += n;
	s->text->data[s->text->length] = 0;
}

static void text_value(struct mpa_session *s, enum format_kind kind,
		       union format_value value, const char *format)
{
	struct format_spec spec;
	size_t n;

	format_parse(format ? format : "", &spec); /* the compiler has checked it */
	n = format_value(NULL, 0, &spec, kind, value);
	format_value(text_grow(s, n), n + 1, &spec, kind, value);
	s->text->length += n;
}

void text_free(struct mpa_session *s)
{
	struct text *t = s->text;

	if (!t)
		return;
	while (t->kept) {
		struct kept *next = t->kept->next;

		mem_free(t->kept);
		t->kept = next;
	}
	mem_free(t->data);
	mem_free(t);
	s->text = NULL;
}

const char *text_made(const struct mpa_session *s)
{
	return s->text->data;
}

void mpa_out_begin(struct mpa_session *s)
{
	text_of(s)->length = 0;
	text_add(s, "", 0);
}

void mpa_out_text(struct mpa_session *s, const char *text)
{
	text_add(s, text, strlen(text));
}

void mpa_out_i(struct mpa_session *s, int64_t value, const char *format)
{
	text_value(s, FORMAT_INT, (union format_value){ .i = value }, format);
}

void mpa_out_b(struct mpa_session *s, int64_t value, const char *format)
{
	text_value(s, FORMAT_BOOL, (union format_value){ .i = value != 0 }, format);
}

void mpa_out_d(struct mpa_session *s, double value, const char *format)
{
	text_value(s, FORMAT_F64, (union format_value){ .f = value }, format);
}

void mpa_out_f(struct mpa_session *s, double value, const char *format)
{
	text_value(s, FORMAT_F32, (union format_value){ .f = value }, format);
}

void mpa_out_c(struct mpa_session *s, double re, double im, int64_t narrow,
	       const char *format)
{
	text_value(s, narrow ? FORMAT_C64 : FORMAT_C128,
		   (union format_value){ .part = { re, im } }, format);
}

void mpa_out_s(struct mpa_session *s, const char *text, const char *format)
{
	text_value(s, FORMAT_TEXT, (union format_value){ .text = text }, format);
}

void mpa_out_print(struct mpa_session *s, const char *where)
{
	text_add(s, "\n", 1);
	if (local_is_open(s)) {
		local_print(s, s->text->data, s->text->length);
	} else if (s->comm->rank == 0 && !s->options.quiet) {
		output_write(s, where, s->text->data, s->text->length);
	}
	if (!local_is_open(s))
		transfers_count(s, where);
	s->text->length = 0;
}

const char *text_keep(struct mpa_session *s, const char *text)
{
	size_t bytes = strlen(text) + 1;
	struct kept *kept = session_new(s, sizeof *kept + bytes);

	memcpy(kept->text, text, bytes);
	kept->next = text_of(s)->kept;
	s->text->kept = kept;
	return kept->text;
}

const char *mpa_out_take(struct mpa_session *s)
{
	text_of(s)->length = 0;
	if (!local_is_open(s))
		transfers_count(s, NULL);
	return text_keep(s, s->text->data);
}

void mpa_out_fail(struct mpa_session *s, const char *where)
{
	session_fail(s, where, "%s", s->text->data);
}

int64_t mpa_text_equal(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

/* ---- arrays ----------------------------------------------------------------- */

/* Which elements of an array are shown: all, or along some axes first and last ones. */
struct shown {
	struct array_state *array;
	int dim;
	int64_t size[MPA_MAX_AXES], kept[MPA_MAX_AXES];
	int64_t n;
};

static int64_t shown_index(const struct shown *w, int axis, int64_t k)
{
	return 2 * k < w->kept[axis] ? k : w->size[axis] - w->kept[axis] + k;
}

static union format_value value_at(struct mpa_session *s, const struct array_state *a,
				   const int64_t *at)
{
	const double room[2] = { 0, 0 };
	const void *p = room;

	session_sent(s, array_get(&a->now, at, (void *)(uintptr_t)room, &s->fault));
	switch (a->info->elem) {
	case MPA_I32:
		return (union format_value){ .i = *(const int32_t *)p };
	case MPA_I64:
		return (union format_value){ .i = *(const int64_t *)p };
	case MPA_F32:
		return (union format_value){ .f = (double)*(const float *)p };
	case MPA_F64:
		return (union format_value){ .f = *(const double *)p };
	case MPA_C64:
		return (union format_value){
			.part = { ((const float *)p)[0], ((const float *)p)[1] }
		};
	case MPA_C128:
		return (union format_value){
			.part = { ((const double *)p)[0], ((const double *)p)[1] }
		};
	default:
		return (union format_value){ .i = *(const uint8_t *)p };
	}
}

/* The shown elements of which this rank is the first owner; zeros elsewhere. */
static void shown_own(struct mpa_session *s, const struct shown *w,
		      union format_value *values)
{
	const struct array_state *a = w->array;

	if (!layout_is_first(a->layout, s->comm->rank))
		return;
	for (int64_t i = 0; i < w->n; i++) {
		int64_t at[MPA_MAX_AXES], rest = i;

		for (int axis = w->dim - 1; axis >= 0; axis--) {
			at[axis] = shown_index(w, axis, rest % w->kept[axis]);
			rest /= w->kept[axis];
		}
		if (box_holds(&a->now.own, at))
			values[i] = value_at(s, a, at);
	}
}

static enum format_kind shown_kind(const struct array_state *a)
{
	switch (a->info->elem) {
	case MPA_BOOL:
		return FORMAT_BOOL;
	case MPA_F32:
		return FORMAT_F32;
	case MPA_F64:
		return FORMAT_F64;
	case MPA_C64:
		return FORMAT_C64;
	case MPA_C128:
		return FORMAT_C128;
	default:
		return FORMAT_INT;
	}
}

void mpa_out_array(struct mpa_session *s, int64_t array)
{
	struct shown w = { .array = array_of(s, array) };
	union format_value *values;
	char *text = NULL;
	size_t length = 0;
	FILE *out;

	w.dim = w.array->layout->naxes;
	for (int i = 0; i < w.dim; i++)
		w.size[i] = w.array->layout->axis[i].size;
	w.n = format_array_kept(w.dim, w.size, w.kept);
	values = session_new(s, (size_t)w.n * sizeof *values);
	shown_own(s, &w, values);
	/* each value has one owner: as integers the bits of all ranks add up to it */
	session_sent(s, comm_all_reduce(s->comm, COMM_SUM_I64, values,
					(int)(w.n * (int64_t)sizeof *values / 8)));
	out = open_memstream(&text, &length);
	if (out) {
		format_array(out, shown_kind(w.array), w.dim, w.size, values);
		fclose(out);
	}
	mem_free(values);
	if (!text)
		session_sent(s, fault_set(&s->fault, MPA_MEMORY, "out of memory"));
	text_add(s, text, length);
	free(text);
}
