/* array/evaluate_text.c - printed lines and texts */
#include "array/evaluator.h"

#include <assert.h>
#include <stdlib.h>
#include "array/scalar.h"

static union format_value value_of(enum elem e, union scalar x)
{
	if (e == ELEM_STR)
		return (union format_value){ .text = x.text };
	if (elem_kind(e) == KIND_REAL)
		return (union format_value){ .f = x.f };
	if (elem_kind(e) == KIND_COMPLEX)
		return (union format_value){ .part = { x.part[0], x.part[1] } };
	return (union format_value){ .i = x.i };
}

static void put_scalar(struct evaluator *ev, const struct air_piece *piece,
                       struct strbuf *out)
{
	enum elem e = piece->value->elem;
	union format_value v = value_of(e, evaluate_scalar(ev, piece->value));
	struct format_spec spec;
	size_t n;
	char *text;

	if (!format_parse(piece->format ? piece->format : "", &spec))
		assert(!"checked by air_verify");
	n = format_value(NULL, 0, &spec, scalar_format(e), v);
	text = xmalloc(n + 1);
	format_value(text, n + 1, &spec, scalar_format(e), v);
	strbuf_add(out, text, n);
	free(text);
}

/* The points of a big array that are shown: the first and last three of each axis. */
static void put_field(struct evaluator *ev, const struct air_field *f, struct strbuf *out)
{
	int64_t size[MAX_AXES], kept[MAX_AXES], index[MAX_AXES], n;
	union format_value *v;
	char *text;
	size_t length;
	FILE *lines = open_memstream(&text, &length);

	for (int i = 0; i < f->grid->n_axes; i++)
		size[i] = points_along(ev, f->grid, i);
	n = format_array_kept(f->grid->n_axes, size, kept);
	v = xmalloc((n + 1) * sizeof *v);
	for (int64_t k = 0; k < n; k++) {
		int64_t rest = k;

		for (int i = f->grid->n_axes - 1; i >= 0; i--) {
			int64_t j = rest % kept[i];

			rest /= kept[i];
			index[i] = j < kept[i] / 2 ? j : j + size[i] - kept[i];
		}
		v[k] = value_of(f->elem, evaluate_field(ev, ev->now, f, index));
	}
	format_array(lines, scalar_format(f->elem), f->grid->n_axes, size, v);
	fclose(lines);
	strbuf_add(out, text, length);
	free(text);
	free(v);
}

void evaluate_text(struct evaluator *ev, const struct air_text *t, struct strbuf *out)
{
	for (int i = 0; i < t->n; i++) {
		const struct air_piece *piece = &t->piece[i];

		if (piece->kind == PIECE_TEXT)
			strbuf_puts(out, piece->text);
		else if (piece->kind == PIECE_SCALAR)
			put_scalar(ev, piece, out);
		else
			put_field(ev, piece->field, out);
	}
}
