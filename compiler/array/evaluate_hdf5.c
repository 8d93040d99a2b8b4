/* array/evaluate_hdf5.c - HDF5 files, whole datasets through the library
 *
 * Written under another name first, then renamed. */
#include "array/evaluator.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/hdf5.h"

struct h5 {
	struct evaluator *ev;
	const struct air_stmt *s;
	const char *path;
	struct hdf5 lib;
	hdf5_id file;
	char why[HDF5_WHY];
};

static bool h5_fail(struct h5 *h, const char *what)
{
	evaluate_fail(h->ev, h->s, "%s: %s", h->path, what);
	return false;
}

static bool h5_load(struct h5 *h, struct evaluator *ev, const struct air_stmt *s)
{
	*h = (struct h5){ .ev = ev, .s = s, .path = evaluate_scalar(ev, s->value).text };
	return hdf5_load(&h->lib, h->why) || h5_fail(h, h->why);
}

static bool h5_open(struct h5 *h, struct evaluator *ev, const struct air_stmt *s)
{
	if (!h5_load(h, ev, s))
		return false;
	h->file = h->lib.file_open(h->path, HDF5_READ, 0);
	return h->file >= 0 || h5_fail(h, hdf5_why(&h->lib, h->why));
}

static int64_t size_of(struct evaluator *ev, const struct air_field *f, int axis)
{
	return points_along(ev, f->grid, axis);
}

/* ---- saving -------------------------------------------------------------- */

static bool save_values(struct h5 *h, hdf5_id data, enum elem e, const union scalar *x,
                        int64_t n)
{
	size_t bytes = elem_bytes(e);
	unsigned char *all = xmalloc(n * bytes + 1);
	hdf5_id type = hdf5_type(&h->lib, (enum mpa_elem)e);
	int status;

	for (int64_t i = 0; i < n && e != ELEM_STR; i++)
		element_put(all + i * bytes, e, x[i]);
	status = h->lib.data_write(data, type, 0, 0, 0,
	                           e == ELEM_STR ? (const void *)&x->text : all);
	h->lib.type_close(type);
	free(all);
	return status >= 0;
}

static bool save_item(struct h5 *h, const struct air_item *item)
{
	const char *name = evaluate_scalar(h->ev, item->name).text;
	const struct air_field *f = item->field;
	enum elem e = f ? f->elem : item->value->elem;
	union scalar x = { 0 };
	int64_t shape[MAX_AXES];
	hdf5_id data;
	bool fine;

	for (int i = 0; f && i < f->grid->n_axes; i++)
		shape[i] = size_of(h->ev, f, i);
	if (!f)
		x = evaluate_scalar(h->ev, item->value);
	data = hdf5_data_new(&h->lib, h->file, name, (enum mpa_elem)e,
	                     f ? f->grid->n_axes : -1, shape);
	if (data < 0)
		return h5_fail(h, hdf5_why(&h->lib, h->why));
	if (f)
		fine = save_values(h, data, e, h->ev->now->field[f->id]->value,
		                   points_count(h->ev, f->grid));
	else
		fine = save_values(h, data, e, &x, 1);
	fine = h->lib.data_close(data) >= 0 && fine;
	return fine || h5_fail(h, hdf5_why(&h->lib, h->why));
}

void evaluate_save_hdf5(struct evaluator *ev, const struct air_stmt *s)
{
	struct h5 h;
	const char *beside;
	bool fine = true;

	if (!h5_load(&h, ev, s))
		return;
	beside = arena_printf(ev->arena, "%s.part", h.path);
	unlink(beside);
	h.file = h.lib.file_create(beside, HDF5_NEW, 0, 0);
	if (h.file < 0) {
		h5_fail(&h, hdf5_why(&h.lib, h.why));
		return;
	}
	for (int i = 0; i < s->n_items && fine; i++)
		fine = save_item(&h, &s->item[i]);
	if (h.lib.file_close(h.file) < 0)
		h5_fail(&h, "it cannot be closed");
	else if (fine && rename(beside, h.path))
		h5_fail(&h, strerror(errno));
}

/* ---- loading ------------------------------------------------------------- */

static const char *shape_wrong(struct h5 *h, hdf5_id data, const struct air_field *f)
{
	int64_t shape[MAX_AXES];
	int n = hdf5_data_shape(&h->lib, data, shape, MAX_AXES);

	for (int i = 0; i < n && i < MAX_AXES; i++)
		if (f ? i >= f->grid->n_axes || shape[i] != size_of(h->ev, f, i)
		      : shape[i] != 1)
			return "it has another shape";
	return f && n != f->grid->n_axes ? "it has another number of axes" : NULL;
}

static bool load_values(struct h5 *h, hdf5_id data, enum elem from, enum elem to,
                        union scalar *x, int64_t n)
{
	size_t bytes = elem_bytes(from);
	unsigned char *all = xmalloc(n * bytes + 1);
	hdf5_id type = hdf5_type(&h->lib, (enum mpa_elem)from);
	int status = h->lib.data_read(data, type, 0, 0, 0, all);

	h->lib.type_close(type);
	for (int64_t i = 0; i < n && status >= 0; i++)
		x[i] = scalar_cast(from, to, element_get(all + i * bytes, from));
	free(all);
	return status >= 0;
}

static const char *load_text(struct h5 *h, hdf5_id data, union scalar *x)
{
	char *text = hdf5_text_read(&h->lib, data);

	if (!text)
		return "it cannot be read";
	x->text = arena_printf(h->ev->arena, "%s", text);
	free(text);
	return NULL;
}

static const char *load_data(struct h5 *h, hdf5_id data, const struct air_item *item)
{
	const struct air_field *f = item->field;
	enum elem to = f ? f->elem : item->var->elem, from;
	hdf5_id type = h->lib.data_type(data);
	const char *wrong = shape_wrong(h, data, f);
	union scalar *x;
	bool same;

	from = (enum elem)hdf5_elem(&h->lib, type, &same);
	h->lib.type_close(type);
	if (wrong)
		return wrong;
	if (from == ELEM_NONE || elem_kind(from) > elem_kind(to) ||
	    (from == ELEM_STR) != (to == ELEM_STR))
		return "its elements are of another kind";
	x = f ? world_change(h->ev, f) : &h->ev->now->var[item->var->id];
	if (from == ELEM_STR)
		return load_text(h, data, x);
	return load_values(h, data, from, to, x, f ? points_count(h->ev, f->grid) : 1)
	               ? NULL
	               : "it cannot be read";
}

static bool load_item(struct h5 *h, const struct air_item *item)
{
	const char *name = evaluate_scalar(h->ev, item->name).text, *wrong;
	char found[HDF5_NAME];
	hdf5_id data = hdf5_data_find(&h->lib, h->file, name, h->s->only, found, h->why);

	if (data < 0)
		return h5_fail(h, h->why);
	wrong = load_data(h, data, item);
	h->lib.data_close(data);
	return !wrong || h5_fail(h, wrong);
}

void evaluate_load_hdf5(struct evaluator *ev, const struct air_stmt *s)
{
	struct h5 h;
	bool fine = h5_open(&h, ev, s);

	if (!fine)
		return;
	for (int i = 0; i < s->n_items && fine; i++)
		fine = load_item(&h, &s->item[i]);
	h.lib.file_close(h.file);
}

int64_t evaluate_shape_hdf5(struct evaluator *ev, const struct air_stmt *s)
{
	const char *name = evaluate_scalar(ev, s->item[0].name).text;
	int64_t axis = evaluate_scalar(ev, s->from).i, shape[32] = { 0 };
	char found[HDF5_NAME];
	struct h5 h;
	hdf5_id data;
	int n = 0;

	if (!h5_open(&h, ev, s))
		return 0;
	data = hdf5_data_find(&h.lib, h.file, name, !*name, found, h.why);
	if (data >= 0) {
		n = hdf5_data_shape(&h.lib, data, shape, 32);
		h.lib.data_close(data);
	}
	h.lib.file_close(h.file);
	axis += axis < 0 ? n : 0;
	if (data < 0)
		h5_fail(&h, h.why);
	else if (axis < 0 || axis >= n)
		h5_fail(&h, "it has no such axis");
	return axis >= 0 && axis < n ? shape[axis] : 0;
}
