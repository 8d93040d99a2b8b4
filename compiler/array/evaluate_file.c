/* array/evaluate_file.c - NumPy files, version 1.0, small and simple
 *
 * Written in C order under another name first, then renamed; read in either order, of
 * any element type of the field's kind or a lower one.
 */
#include "array/evaluator.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HEADER_MOST = 65536, PREFIX = 10, ALIGN = 64 };

struct npy {
	FILE *file;
	enum elem elem;
	bool fortran;
	int n_axes;
	int64_t size[32];
};

/* elements as bytes */

void element_put(unsigned char *bytes, enum elem e, union scalar x)
{
	uint64_t bits = x.i;
	uint32_t narrow;
	float f = 0;

	if (elem_kind(e) == KIND_COMPLEX) {
		for (int i = 0; i < 2; i++)
			element_put(bytes + i * elem_bytes(elem_part(e)), elem_part(e),
			            (union scalar){ .f = x.part[i] });
		return;
	}
	if (elem_kind(e) == KIND_REAL && isnan(x.f))
		x.f = NAN;
	if (e == ELEM_F32) {
		f = isnan(x.f) ? NAN : (float)x.f;
		memcpy(&narrow, &f, sizeof narrow);
		bits = narrow;
	} else if (e == ELEM_F64) {
		memcpy(&bits, &x.f, sizeof bits);
	}
	for (int i = 0; i < elem_bytes(e); i++)
		bytes[i] = bits >> 8 * i & 0xff;
}

union scalar element_get(const unsigned char *bytes, enum elem e)
{
	uint64_t bits = 0;
	uint32_t narrow;
	float f;
	double d;

	if (elem_kind(e) == KIND_COMPLEX) {
		d = element_get(bytes, elem_part(e)).f;
		bytes += elem_bytes(elem_part(e));
		return (union scalar){ .part = { d, element_get(bytes, elem_part(e)).f } };
	}
	for (int i = 0; i < elem_bytes(e); i++)
		bits |= (uint64_t)bytes[i] << 8 * i;
	switch (e) {
	case ELEM_F32:
		narrow = bits;
		memcpy(&f, &narrow, sizeof f);
		return (union scalar){ .f = f };
	case ELEM_F64:
		memcpy(&d, &bits, sizeof d);
		return (union scalar){ .f = d };
	default:
		return scalar_cast(ELEM_I64, e, (union scalar){ .i = (int64_t)bits });
	}
}

static void put_value(FILE *file, enum elem e, union scalar x)
{
	unsigned char bytes[16];

	element_put(bytes, e, x);
	fwrite(bytes, elem_bytes(e), 1, file);
}

static union scalar get_value(FILE *file, enum elem e)
{
	unsigned char bytes[16] = { 0 };

	if (fread(bytes, elem_bytes(e), 1, file) != 1)
		return (union scalar){ 0 };
	return element_get(bytes, e);
}

static bool is_vti(struct evaluator *ev, const struct air_stmt *s)
{
	const char *path = evaluate_scalar(ev, s->value).text, *end = strrchr(path, '.');

	return end && !strcasecmp(end, ".vti");
}

static bool is_hdf5(struct evaluator *ev, const struct air_stmt *s)
{
	const char *path = evaluate_scalar(ev, s->value).text, *end = strrchr(path, '.');

	return end && (!strcasecmp(end, ".h5") || !strcasecmp(end, ".hdf5"));
}

/* The field that a NumPy file holds; NULL: the program has ended. */
static const struct air_field *only_field(struct evaluator *ev, const struct air_stmt *s)
{
	if (s->n_items != 1 || !s->item[0].field)
		evaluate_fail(ev, s, "%s: a NumPy file holds one field",
		              evaluate_scalar(ev, s->value).text);
	return ev->ended ? NULL : s->item[0].field;
}

/* saving */

static void put_header(struct evaluator *ev, FILE *file, const struct air_field *f)
{
	struct strbuf b = { 0 };
	const struct grid *g = f->grid;

	strbuf_printf(&b, "{'descr': '%s', 'fortran_order': False, 'shape': (",
	              elem_npy(f->elem));
	for (int i = 0; i < g->n_axes; i++)
		strbuf_printf(&b, i ? ", %lld" : "%lld",
		              (long long)points_along(ev, g, i));
	strbuf_puts(&b, g->n_axes == 1 ? ",), }" : "), }");
	while ((PREFIX + b.length + 1) % ALIGN)
		strbuf_putc(&b, ' ');
	strbuf_putc(&b, '\n');
	fwrite("\x93NUMPY\1\0", 1, 8, file);
	putc(b.length & 0xff, file);
	putc(b.length >> 8, file);
	fwrite(b.text, 1, b.length, file);
	strbuf_free(&b);
}

void evaluate_save(struct evaluator *ev, const struct air_stmt *s)
{
	const char *path = evaluate_scalar(ev, s->value).text;
	char *beside = arena_printf(ev->arena, "%s.part", path);
	const struct air_field *f = NULL;
	const struct store *values;
	FILE *file;
	bool fine;

	if (is_hdf5(ev, s)) {
		evaluate_save_hdf5(ev, s);
		return;
	}
	if (is_vti(ev, s)) {
		evaluate_save_vti(ev, s);
		return;
	}
	f = only_field(ev, s);
	if (!f)
		return;
	values = ev->now->field[f->id];
	file = fopen(beside, "wb");
	if (!file) {
		evaluate_fail(ev, s, "%s: %s", path, strerror(errno));
		return;
	}
	put_header(ev, file, f);
	for (int64_t i = 0; i < values->n; i++)
		put_value(file, f->elem, values->value[i]);
	fine = !ferror(file);
	fine &= !fclose(file);
	if (!fine || rename(beside, path))
		evaluate_fail(ev, s, "%s: %s", path, strerror(errno));
}

/* loading */

static const char *after(const char *header, const char *key)
{
	const char *at = strstr(header, key);

	if (!at || !(at = strchr(at + strlen(key), ':')))
		return NULL;
	return at + 1 + strspn(at + 1, " ");
}

static enum elem elem_of_npy(const char *text)
{
	for (int e = ELEM_NONE + 1; e < ELEM_COUNT; e++)
		if (*elem_npy(e) && !strncmp(text + 1, elem_npy(e), 3))
			return e;
	return ELEM_NONE;
}

static const char *parse_header(const char *header, struct npy *n)
{
	const char *descr = after(header, "'descr'"), *order = after(header, "'fortran_order'");
	const char *shape = after(header, "'shape'");
	char *end;

	if (!descr || !order || !shape || *shape != '(')
		return "the header is corrupt";
	n->elem = elem_of_npy(descr);
	if (n->elem == ELEM_NONE)
		return "its elements are of a type that is not read";
	n->fortran = *order == 'T';
	for (shape++; *shape != ')' && n->n_axes < 32; shape = end) {
		shape += strspn(shape, ", ");
		if (*shape == ')')
			break;
		n->size[n->n_axes++] = strtoll(shape, &end, 10);
		if (end == shape)
			return "the header is corrupt";
	}
	return NULL;
}

/* Opens the file and reads its header; the program ends if that fails. */
static bool open_npy(struct evaluator *ev, const struct air_stmt *s, struct npy *n)
{
	const char *path = evaluate_scalar(ev, s->value).text, *wrong = NULL;
	unsigned char prefix[12];
	char header[HEADER_MOST + 1];
	size_t length;

	*n = (struct npy){ .file = fopen(path, "rb") };
	if (!n->file) {
		evaluate_fail(ev, s, "%s: %s", path, strerror(errno));
		return false;
	}
	if (fread(prefix, 1, PREFIX, n->file) != PREFIX || memcmp(prefix, "\x93NUMPY", 6))
		wrong = "this is not a NumPy file";
	length = wrong ? 0 : prefix[8] + 256 * prefix[9];
	if (!wrong && prefix[6] > 1)
		length += 65536 * getc(n->file) + 16777216 * (size_t)getc(n->file);
	if (!wrong && (length > HEADER_MOST || fread(header, 1, length, n->file) != length))
		wrong = "the header is corrupt";
	header[length <= HEADER_MOST ? length : 0] = 0;
	if (!wrong)
		wrong = parse_header(header, n);
	if (!wrong)
		return true;
	evaluate_fail(ev, s, "%s: %s", path, wrong);
	fclose(n->file);
	return false;
}

static const char *mismatch(struct evaluator *ev, const struct air_field *f,
                            const struct npy *n)
{
	const struct grid *g = f->grid;

	if (n->n_axes != g->n_axes)
		return "it has another number of axes";
	for (int i = 0; i < g->n_axes; i++)
		if (n->size[i] != points_along(ev, g, i))
			return "it has another shape";
	return elem_kind(n->elem) > elem_kind(f->elem) ? "its elements are of a higher kind"
	                                               : NULL;
}

/* Where element i of the file, in Fortran order, stands in C order. */
static int64_t transposed(const struct npy *n, int64_t i)
{
	int64_t index[32], flat = 0;

	for (int a = 0; a < n->n_axes; a++) {
		index[a] = i % n->size[a];
		i /= n->size[a];
	}
	for (int a = 0; a < n->n_axes; a++)
		flat = flat * n->size[a] + index[a];
	return flat;
}

void evaluate_load(struct evaluator *ev, const struct air_stmt *s)
{
	const struct air_field *f;
	struct npy n;
	const char *wrong;
	union scalar *value;
	int64_t count;

	if (is_hdf5(ev, s)) {
		evaluate_load_hdf5(ev, s);
		return;
	}
	f = only_field(ev, s);
	if (!f || !open_npy(ev, s, &n))
		return;
	count = points_count(ev, f->grid);
	wrong = mismatch(ev, f, &n);
	if (!wrong) {
		value = world_change(ev, f);
		for (int64_t i = 0; i < count && !feof(n.file); i++)
			value[n.fortran ? transposed(&n, i) : i] =
				scalar_cast(n.elem, f->elem, get_value(n.file, n.elem));
		if (feof(n.file))
			wrong = "it ends too early";
	}
	if (wrong)
		evaluate_fail(ev, s, "%s: %s", evaluate_scalar(ev, s->value).text, wrong);
	fclose(n.file);
}

int64_t evaluate_shape(struct evaluator *ev, const struct air_stmt *s)
{
	struct npy n;
	int64_t axis = evaluate_scalar(ev, s->from).i;

	if (is_hdf5(ev, s))
		return evaluate_shape_hdf5(ev, s);
	if (!open_npy(ev, s, &n))
		return 0;
	fclose(n.file);
	axis += axis < 0 ? n.n_axes : 0;
	if (axis >= 0 && axis < n.n_axes)
		return n.size[axis];
	evaluate_fail(ev, s, "%s: it has no axis %lld", evaluate_scalar(ev, s->value).text,
	              (long long)axis);
	return 0;
}
