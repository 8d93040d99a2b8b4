/* array/evaluate_vti.c - VTK image data, point after point
 *
 * Written under another name first, then renamed. */
#include "array/evaluator.h"

#include <errno.h>
#include <string.h>

enum { VTK_AXES = 3 };

/* Which axis of g is which of VTK's: x, y, z if they are called so, else in order. */
static void axes_of(const struct grid *g, int *axis)
{
	int called = 0, n = 0;

	for (int v = 0; v < VTK_AXES; v++) {
		axis[v] = -1;
		for (int i = 0; i < g->n_axes; i++)
			if (!g->axis[i]->local && !strcmp(g->axis[i]->name, &"x\0y\0z"[2 * v]))
				axis[v] = i;
		called += axis[v] >= 0;
	}
	for (int i = 0; i < g->n_axes; i++)
		n += !g->axis[i]->local;
	if (called == n)
		return;
	axis[0] = axis[1] = axis[2] = -1;
	n = 0;
	for (int i = 0; i < g->n_axes && n < VTK_AXES; i++)
		if (!g->axis[i]->local)
			axis[n++] = i;
}

static int64_t size_of(struct evaluator *ev, const struct grid *g, int axis)
{
	return axis < 0 ? 1 : points_along(ev, g, axis);
}

static int64_t components_of(struct evaluator *ev, const struct grid *g)
{
	int64_t n = 1;

	for (int i = 0; i < g->n_axes; i++)
		if (g->axis[i]->local)
			n *= points_along(ev, g, i);
	return n;
}

static const char *type_of(enum elem e)
{
	switch (e) {
	case ELEM_BOOL:
	case ELEM_U8:
		return "UInt8";
	case ELEM_I32:
		return "Int32";
	case ELEM_I64:
		return "Int64";
	default:
		return e == ELEM_F32 || e == ELEM_C64 ? "Float32" : "Float64";
	}
}

static int numbers_in(enum elem e)
{
	return elem_kind(e) == KIND_COMPLEX ? 2 : 1;
}

/* x y z of the first item's grid. */
static void put_geometry(struct evaluator *ev, const struct air_item *item, FILE *out)
{
	const struct grid *g = item->field->grid;
	int axis[VTK_AXES];

	axes_of(g, axis);
	fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" "
	      "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  <ImageData WholeExtent=\"",
	      out);
	for (int v = 0; v < VTK_AXES; v++)
		fprintf(out, v ? " 0 %lld" : "0 %lld", (long long)size_of(ev, g, axis[v]) - 1);
	fputs("\" Origin=\"", out);
	for (int v = 0; v < VTK_AXES; v++)
		fprintf(out, v ? " %.17g" : "%.17g",
		        axis[v] < 0 ? 0 : evaluate_scalar(ev, item->first[axis[v]]).f);
	fputs("\" Spacing=\"", out);
	for (int v = 0; v < VTK_AXES; v++)
		fprintf(out, v ? " %.17g" : "%.17g",
		        axis[v] < 0 ? 1 : evaluate_scalar(ev, item->step[axis[v]]).f);
	fputs("\">\n    <Piece Extent=\"", out);
	for (int v = 0; v < VTK_AXES; v++)
		fprintf(out, v ? " 0 %lld" : "0 %lld", (long long)size_of(ev, g, axis[v]) - 1);
	fputs("\">\n", out);
}

static void put_arrays(struct evaluator *ev, const struct air_stmt *s, FILE *out)
{
	int64_t offset = 0;

	for (int i = 0; i < s->n_items; i++) {
		const struct air_field *f = s->item[i].field;
		const char *name = evaluate_scalar(ev, s->item[i].name).text;
		int64_t n = components_of(ev, f->grid) * numbers_in(f->elem);

		if (i == 0)
			fprintf(out, "      <PointData %s=\"%s\">\n",
			        n == 3 ? "Vectors" : "Scalars", name);
		fprintf(out,
		        "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%lld\" "
		        "format=\"appended\" offset=\"%lld\"/>\n",
		        type_of(f->elem), name, (long long)n, (long long)offset);
		offset += 8 + points_count(ev, f->grid) * elem_bytes(f->elem);
	}
	fputs("      </PointData>\n    </Piece>\n  </ImageData>\n"
	      "  <AppendedData encoding=\"raw\">\n   _",
	      out);
}

static void put_point(struct evaluator *ev, const struct air_field *f, int64_t *at, FILE *out)
{
	const struct grid *g = f->grid;
	int64_t n = components_of(ev, g);
	unsigned char bytes[16];

	for (int64_t c = 0; c < n; c++) {
		int64_t rest = c, flat = 0;

		for (int i = g->n_axes - 1; i >= 0; i--) {
			if (!g->axis[i]->local)
				continue;
			at[i] = rest % points_along(ev, g, i);
			rest /= points_along(ev, g, i);
		}
		for (int i = 0; i < g->n_axes; i++)
			flat = flat * points_along(ev, g, i) + at[i];
		element_put(bytes, f->elem, ev->now->field[f->id]->value[flat]);
		fwrite(bytes, 1, elem_bytes(f->elem), out);
	}
}

static void put_points(struct evaluator *ev, const struct air_field *f, FILE *out)
{
	const struct grid *g = f->grid;
	uint64_t bytes = points_count(ev, g) * elem_bytes(f->elem);
	int64_t at[MAX_AXES] = { 0 }, i[VTK_AXES];
	int axis[VTK_AXES];

	axes_of(g, axis);
	fwrite(&bytes, sizeof bytes, 1, out);
	for (i[2] = 0; i[2] < size_of(ev, g, axis[2]); i[2]++)
		for (i[1] = 0; i[1] < size_of(ev, g, axis[1]); i[1]++)
			for (i[0] = 0; i[0] < size_of(ev, g, axis[0]); i[0]++) {
				for (int v = 0; v < VTK_AXES; v++)
					if (axis[v] >= 0)
						at[axis[v]] = i[v];
				put_point(ev, f, at, out);
			}
}

void evaluate_save_vti(struct evaluator *ev, const struct air_stmt *s)
{
	const char *path = evaluate_scalar(ev, s->value).text;
	char *beside = arena_printf(ev->arena, "%s.part", path);
	FILE *out = fopen(beside, "wb");
	bool fine;

	if (!out) {
		evaluate_fail(ev, s, "%s: %s", path, strerror(errno));
		return;
	}
	put_geometry(ev, &s->item[0], out);
	put_arrays(ev, s, out);
	for (int i = 0; i < s->n_items; i++)
		put_points(ev, s->item[i].field, out);
	fputs("\n  </AppendedData>\n</VTKFile>\n", out);
	fine = !ferror(out);
	fine &= !fclose(out);
	if (!fine || rename(beside, path))
		evaluate_fail(ev, s, "%s: %s", path, strerror(errno));
}
