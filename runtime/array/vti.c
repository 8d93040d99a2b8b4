/* array/vti.c - VTK image data, written by all ranks in parallel
 *
 * Every rank works out the same header, and from it where each array stands: eight
 * bytes that count its bytes, then its elements, x fastest but for the components. */
#include "array/vti.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array/newfile.h"
#include "array/npy_header.h"

enum { COUNT_BYTES = 8 };

/* The points of a field as VTK counts them. */
struct image {
	int axis[VTI_AXES]; /* of the field; -1: none, there is one point */
	int64_t size[VTI_AXES];
	double first[VTI_AXES], step[VTI_AXES];
	int64_t components;
};

static int axis_called(const struct vti_field *f, char name)
{
	for (int a = 0; a < f->layout->naxes; a++)
		if (!f->layout->axis[a].local && f->axis[a][0] == name && !f->axis[a][1])
			return a;
	return -1;
}

/* false: more than three axes */
static bool image_axes(const struct vti_field *f, struct image *im)
{
	int named = 0, others = 0;

	for (int a = 0; a < f->layout->naxes; a++)
		others += !f->layout->axis[a].local;
	for (int v = 0; v < VTI_AXES; v++) {
		im->axis[v] = axis_called(f, (char)('x' + v));
		named += im->axis[v] >= 0;
	}
	if (named == others)
		return true;
	others = 0;
	for (int a = 0; a < f->layout->naxes; a++) {
		if (f->layout->axis[a].local)
			continue;
		if (others == VTI_AXES)
			return false;
		im->axis[others++] = a;
	}
	while (others < VTI_AXES)
		im->axis[others++] = -1;
	return true;
}

static bool image_of(const struct vti_field *f, struct image *im)
{
	if (!image_axes(f, im))
		return false;
	for (int v = 0; v < VTI_AXES; v++) {
		int a = im->axis[v];

		im->size[v] = a < 0 ? 1 : f->layout->axis[a].size;
		im->first[v] = a < 0 ? 0 : f->first[a];
		im->step[v] = a < 0 ? 1 : f->step[a];
	}
	im->components = f->elem == MPA_C64 || f->elem == MPA_C128 ? 2 : 1;
	for (int a = 0; a < f->layout->naxes; a++)
		if (f->layout->axis[a].local)
			im->components *= f->layout->axis[a].size;
	return true;
}

static bool image_same(const struct image *a, const struct image *b)
{
	for (int v = 0; v < VTI_AXES; v++)
		if (a->size[v] != b->size[v] || a->first[v] != b->first[v] ||
		    a->step[v] != b->step[v])
			return false;
	return true;
}

/* How the elements of a field lie behind `data`. */
static struct stored image_stored(const struct vti_field *f, const struct image *im,
				  int64_t data)
{
	struct stored s = {
		.type = f->elem, .naxes = f->layout->naxes, .data = data, .ordered = true
	};
	int n = 0;

	for (int v = VTI_AXES - 1; v >= 0; v--)
		if (im->axis[v] >= 0)
			s.order[n++] = im->axis[v];
	for (int a = 0; a < s.naxes; a++) {
		s.shape[a] = f->layout->axis[a].size;
		if (f->layout->axis[a].local)
			s.order[n++] = a;
	}
	return s;
}

static int64_t field_bytes(const struct vti_field *f)
{
	int64_t bytes = npy_type_of(f->elem)->bytes;

	for (int a = 0; a < f->layout->naxes; a++)
		bytes *= f->layout->axis[a].size;
	return bytes;
}

static const char *type_name(enum mpa_elem elem)
{
	switch (elem) {
	case MPA_BOOL:
	case MPA_U8:
		return "UInt8";
	case MPA_I32:
		return "Int32";
	case MPA_I64:
		return "Int64";
	case MPA_F32:
	case MPA_C64:
		return "Float32";
	default:
		return "Float64";
	}
}

static void put_extent(FILE *out, const char *name, const struct image *im)
{
	fprintf(out, " %s=\"", name);
	for (int v = 0; v < VTI_AXES; v++)
		fprintf(out, "%s0 %" PRId64, v ? " " : "", im->size[v] - 1);
	fputs("\"", out);
}

static void put_three(FILE *out, const char *name, const double *x)
{
	fprintf(out, " %s=\"%.17g %.17g %.17g\"", name, x[0], x[1], x[2]);
}

static void put_header(FILE *out, const struct vti_field *field, int n,
		       const struct image *im)
{
	int64_t offset = 0;

	fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" "
	      "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  <ImageData",
	      out);
	put_extent(out, "WholeExtent", &im[0]);
	put_three(out, "Origin", im[0].first);
	put_three(out, "Spacing", im[0].step);
	fputs(">\n    <Piece", out);
	put_extent(out, "Extent", &im[0]);
	fprintf(out, ">\n      <PointData %s=\"%s\">\n",
		im[0].components == 3 ? "Vectors" : "Scalars", field[0].name);
	for (int i = 0; i < n; i++) {
		fprintf(out,
			"        <DataArray type=\"%s\" Name=\"%s\" "
			"NumberOfComponents=\"%" PRId64
			"\" format=\"appended\" offset=\"%" PRId64 "\"/>\n",
			type_name(field[i].elem), field[i].name, im[i].components,
			offset);
		offset += COUNT_BYTES + field_bytes(&field[i]);
	}
	fputs("      </PointData>\n    </Piece>\n  </ImageData>\n"
	      "  <AppendedData encoding=\"raw\">\n   _",
	      out);
}

/* Rank 0: all that is not elements. */
static enum mpa_status frame_write(const struct newfile *f, const struct vti_field *field,
				   int n, const char *head, size_t length)
{
	static const char tail[] = "\n  </AppendedData>\n</VTKFile>\n";
	int64_t at = (int64_t)length, bytes;
	enum mpa_status st;
	int file, error = 0;

	for (int i = 0; i < n; i++)
		at += COUNT_BYTES + field_bytes(&field[i]);
	bytes = at + (int64_t)strlen(tail);
	st = newfile_create(f, head, (int64_t)length, bytes);
	if (st != MPA_OK)
		return st;
	file = open(f->part, O_WRONLY | O_CLOEXEC);
	if (file < 0)
		return file_fault(f->job, errno, "open");
	if (!file_write(file, tail, (int64_t)strlen(tail), at))
		error = errno;
	at = (int64_t)length;
	for (int i = 0; i < n && !error; i++) {
		bytes = field_bytes(&field[i]);
		if (!file_write(file, &bytes, COUNT_BYTES, at))
			error = errno;
		at += COUNT_BYTES + bytes;
	}
	if (close(file) != 0 && !error)
		error = errno;
	return error ? file_fault(f->job, error, "write") : MPA_OK;
}

static enum mpa_status fields_write(const struct newfile *f,
				    const struct vti_field *field, int n,
				    const struct image *im, int64_t at)
{
	enum mpa_status st = MPA_OK;

	for (int i = 0; i < n && st == MPA_OK; i++) {
		struct file_job job = *f->job;
		struct stored stored = image_stored(&field[i], &im[i], at + COUNT_BYTES);

		job.layout = field[i].layout;
		st = stored_write(&job, &stored, field[i].array, f->part);
		at += COUNT_BYTES + field_bytes(&field[i]);
	}
	return st;
}

/* The same on every rank. */
static enum mpa_status images_of(struct comm *comm, const char *path,
				 const struct vti_field *field, int n, struct image *im)
{
	for (int i = 0; i < n; i++) {
		if (!image_of(&field[i], &im[i]))
			return fault_set(
				comm->fault, MPA_ARGUMENT,
				"cannot write \"%s\": %s has more than three axes", path,
				field[i].name);
		if (!image_same(&im[0], &im[i]))
			return fault_set(comm->fault, MPA_ARGUMENT,
					 "cannot write \"%s\": %s and %s are not at the "
					 "same points",
					 path, field[0].name, field[i].name);
	}
	return MPA_OK;
}

enum mpa_status vti_write(struct comm *comm, const char *path,
			  const struct vti_field *field, int n)
{
	struct file_job job = { .comm = comm, .path = path };
	struct image *im = calloc((size_t)n, sizeof *im);
	char *head = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&head, &length);
	struct newfile f;
	enum mpa_status st = im && out ? MPA_OK : MPA_MEMORY;

	if (st == MPA_OK)
		st = images_of(comm, path, field, n, im);
	if (st == MPA_OK)
		put_header(out, field, n, im);
	if (out && fclose(out) != 0 && st == MPA_OK)
		st = MPA_MEMORY;
	st = comm_agree(comm, st);
	if (st == MPA_OK)
		st = newfile_begin(&f, &job);
	if (st == MPA_OK) {
		if (comm->rank == 0)
			st = frame_write(&f, field, n, head, length);
		st = comm_agree(comm, st);
		if (st == MPA_OK)
			st = fields_write(&f, field, n, im, (int64_t)length);
		st = newfile_end(&f, st);
	}
	free(head);
	free(im);
	return st;
}
