/* array/h5_read.c - HDF5 files: rank 0 looks what is in them, all ranks read
 *
 * What rank 0 has found goes to all, so that the ranks decide alike whether a dataset
 * fits and how it is read. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array/h5.h"
#include "array/npy_convert.h"
#include "array/npy_header.h"
#include "array/runs.h"
#include "base/hdf5.h"
#include "base/memory.h"

enum { BUFFER_BYTES = 32 << 20, CACHE_BYTES = 64 << 20, CACHE_SLOTS = 12289 };

/* A dataset that serves an item. */
struct found {
	struct stored stored;        /* data < 0: it is read through the library, */
	int64_t chunk[MPA_MAX_AXES]; /* with all of such a box at once; 0: not in chunks
				      */
	int64_t length;              /* of a text, with its 0 */
	char name[HDF5_NAME];        /* of the dataset, for those who open it again */
	union {
		int64_t i;
		double f[2];
	} value; /* of a scalar */
};

static enum mpa_status read_fault(struct comm *comm, const char *path, const char *name,
				  const char *why)
{
	return fault_set(comm->fault, MPA_FILE, "cannot load %s%s\"%.300s\": %s", name,
			 *name ? " from " : "", path, why);
}

static hdf5_id file_open(struct comm *comm, const char *path, struct hdf5 *h)
{
	int plain = open(path, O_RDONLY | O_CLOEXEC);
	char why[HDF5_WHY], text[HDF5_WHY + 40];
	hdf5_id file;

	if (plain < 0) {
		fault_set_errno(comm->fault, MPA_FILE, errno, "cannot open \"%s\"", path);
		return -1;
	}
	close(plain);
	if (!hdf5_load(h, why)) {
		read_fault(comm, path, "", why);
		return -1;
	}
	file = h->file_open(path, HDF5_READ, 0);
	if (file < 0) {
		snprintf(text, sizeof text, "this is no HDF5 file (%s)",
			 hdf5_why(h, why));
		read_fault(comm, path, "", text);
	}
	return file;
}

/* ---- looking ------------------------------------------------------------- */

/* How a dataset lies in the file: by place, or only the library knows. */
static void found_place(const struct hdf5 *h, hdf5_id data, bool same, struct found *f)
{
	hdf5_id list = h->data_list(data);
	uint64_t chunk[MPA_MAX_AXES], offset = UINT64_MAX;
	int layout = h->list_layout(list);

	if (layout == HDF5_CONTIGUOUS && same)
		offset = h->data_offset(data);
	f->stored.data = offset == UINT64_MAX ? -1 : (int64_t)offset;
	if (layout == HDF5_CHUNKED && f->stored.naxes <= MPA_MAX_AXES &&
	    h->list_chunk(list, f->stored.naxes, chunk) == f->stored.naxes)
		for (int a = 0; a < f->stored.naxes; a++)
			f->chunk[a] = (int64_t)chunk[a];
	h->list_close(list);
}

/* The one element of a dataset as the item's type. */
static bool scalar_read(const struct hdf5 *h, hdf5_id data, enum mpa_elem elem,
			struct h5_item *item)
{
	union {
		uint8_t u8;
		int32_t i32;
		int64_t i64;
		float f32[2];
		double f64[2];
	} raw = { 0 }, as = { 0 };
	hdf5_id type = hdf5_type(h, elem);
	bool fine = h->data_read(data, type, 0, 0, 0, &raw) >= 0;

	h->type_close(type);
	npy_convert(item->elem, &as, elem, &raw, 1);
	switch (item->elem) {
	case MPA_F32:
	case MPA_C64:
		item->value.f[0] = (double)as.f32[0];
		item->value.f[1] = (double)as.f32[1];
		break;
	case MPA_F64:
	case MPA_C128:
		memcpy(item->value.f, as.f64, sizeof as.f64);
		break;
	case MPA_I64:
		item->value.i = as.i64;
		break;
	case MPA_I32:
		item->value.i = as.i32;
		break;
	default:
		item->value.i = as.u8;
	}
	return fine;
}

static const char *scalar_take(const struct hdf5 *h, hdf5_id data, struct h5_item *item,
			       struct found *f)
{
	for (int a = 0; a < f->stored.naxes; a++)
		if (a >= MPA_MAX_AXES || f->stored.shape[a] != 1)
			return "it is an array, and a scalar is to hold it";
	if (item->elem != MPA_STR)
		return scalar_read(h, data, f->stored.type, item) ? NULL
								  : "it cannot be read";
	item->value.text = hdf5_text_read(h, data);
	if (!item->value.text)
		return "it cannot be read";
	f->length = (int64_t)strlen(item->value.text) + 1;
	return NULL;
}

/* What serves the item, and, for a scalar, its value; NULL, or what is wrong. */
static const char *data_look(const struct hdf5 *h, hdf5_id data, struct h5_item *item,
			     struct found *f)
{
	hdf5_id type = h->data_type(data);
	bool same;

	f->stored.type = hdf5_elem(h, type, &same);
	f->stored.naxes = hdf5_data_shape(h, data, f->stored.shape, MPA_MAX_AXES);
	h->type_close(type);
	if (f->stored.type == 0 ||
	    (f->stored.type != MPA_STR && npy_type_of(f->stored.type)->bytes == 0))
		return "its elements are of a type that is not read";
	if (item->array && f->stored.type == MPA_STR)
		return "its elements are texts";
	found_place(h, data, same, f);
	if (item->array)
		return NULL;
	if (f->stored.type == MPA_STR || item->elem == MPA_STR
		    ? f->stored.type != item->elem
		    : !npy_type_fits(f->stored.type, item->elem))
		return "its value is of another kind than the variable";
	return scalar_take(h, data, item, f);
}

static enum mpa_status root_look(struct comm *comm, const char *path,
				 struct h5_item *item, int n, struct found *found)
{
	enum mpa_status st = MPA_OK;
	struct hdf5 h;
	hdf5_id file = file_open(comm, path, &h);

	if (file < 0)
		return MPA_FILE;
	for (int i = 0; i < n && st == MPA_OK; i++) {
		char text[HDF5_WHY];
		const char *why = text;
		hdf5_id data = hdf5_data_find(&h, file, item[i].name, item[i].only,
					      found[i].name, text);

		if (data >= 0) {
			why = data_look(&h, data, &item[i], &found[i]);
			h.data_close(data);
		}
		if (why)
			st = read_fault(comm, path, item[i].name, why);
	}
	h.file_close(file);
	return st;
}

/* Texts of scalars to all ranks. */
static enum mpa_status texts_share(struct comm *comm, struct h5_item *item, int n,
				   const struct found *found)
{
	enum mpa_status st = MPA_OK;

	for (int i = 0; i < n && st == MPA_OK; i++) {
		if (item[i].array || item[i].elem != MPA_STR)
			continue;
		if (comm->rank != 0)
			item[i].value.text = calloc((size_t)found[i].length, 1);
		st = comm_agree(comm, item[i].value.text ? MPA_OK : MPA_MEMORY);
		if (st == MPA_OK)
			st = comm_bcast(comm, 0, item[i].value.text, found[i].length);
	}
	return st;
}

/* ---- reading through the library ----------------------------------------- */

struct reader {
	const struct hdf5 *h;
	hdf5_id data, type, space; /* of the file; as it is in memory */
	const struct found *found;
	struct mpa_array *array;
	enum mpa_elem elem;
	int64_t piece[MPA_MAX_AXES]; /* a box that fits the buffers, of whole chunks */
	char *buffer, *converted;
};

static bool piece_read(struct reader *r, const struct box *box)
{
	uint64_t start[MPA_MAX_AXES], count[MPA_MAX_AXES];
	int n = r->array->naxes, status;
	int64_t points = box_points(box);
	hdf5_id memory;

	for (int a = 0; a < n; a++) {
		start[a] = (uint64_t)box->lo[a];
		count[a] = (uint64_t)(box->hi[a] - box->lo[a]);
	}
	memory = r->h->space_new_simple(n, count, NULL);
	status = r->h->space_select(r->space, 0, start, NULL, count, NULL);
	if (status >= 0)
		status =
			r->h->data_read(r->data, r->type, memory, r->space, 0, r->buffer);
	r->h->space_close(memory);
	if (status < 0)
		return false;
	npy_convert(r->elem, r->converted, r->found->stored.type, r->buffer, points);
	runs_unpack(r->array, box, NULL, r->converted);
	return true;
}

/* Pieces are cut where chunks are, so that none is decoded twice. */
static bool pieces_read(struct reader *r)
{
	const struct box *own = &r->array->own;
	int64_t at[MPA_MAX_AXES];
	int n = own->naxes, k;

	for (int a = 0; a < n; a++)
		at[a] = own->lo[a] / r->piece[a];
	do {
		struct box box = { .naxes = n };

		for (int a = 0; a < n; a++) {
			box.lo[a] = at[a] * r->piece[a];
			box.hi[a] = box.lo[a] + r->piece[a];
		}
		box = box_cut(&box, own);
		if (!piece_read(r, &box))
			return false;
		for (k = n - 1; k >= 0; k--) {
			if (++at[k] * r->piece[k] < own->hi[k])
				break;
			at[k] = own->lo[k] / r->piece[k];
		}
	} while (k >= 0);
	return true;
}

/* One chunk, grown along the inner axes while it fits the buffer. */
static int64_t choose_piece(struct reader *r, int64_t most)
{
	int n = r->array->naxes;
	int64_t points = 1;

	for (int a = 0; a < n; a++) {
		r->piece[a] = r->found->chunk[a] ? r->found->chunk[a] : 1;
		points *= r->piece[a];
	}
	for (int a = n - 1; a >= 0; a--) {
		int64_t size = r->found->stored.shape[a];
		int64_t wanted = (size + r->piece[a] - 1) / r->piece[a];
		int64_t fits = points < most ? most / points : 1;
		int64_t times = wanted < fits ? wanted : fits;

		times = times > 0 ? times : 1;
		r->piece[a] *= times;
		points *= times;
	}
	return points;
}

static const char *reader_run(struct reader *r)
{
	int64_t file_bytes = npy_type_of(r->found->stored.type)->bytes;
	int64_t bytes = file_bytes > r->array->elem ? file_bytes : r->array->elem;
	int64_t points = choose_piece(r, BUFFER_BYTES / bytes);
	bool fine;

	r->buffer = mem_new((size_t)(points * file_bytes));
	r->converted = mem_new((size_t)(points * r->array->elem));
	if (!r->buffer || !r->converted) {
		mem_free(r->buffer);
		mem_free(r->converted);
		return "out of memory";
	}
	r->space = r->h->data_space(r->data);
	r->type = hdf5_type(r->h, r->found->stored.type);
	fine = pieces_read(r);
	r->h->space_close(r->space);
	r->h->type_close(r->type);
	mem_free(r->buffer);
	mem_free(r->converted);
	return fine ? NULL : "it cannot be read";
}

static enum mpa_status library_read(const struct file_job *job,
				    const struct h5_item *item, const struct found *found)
{
	struct reader r = { .found = found, .array = item->array, .elem = item->elem };
	char why[HDF5_WHY], text[HDF5_WHY + 60];
	const char *wrong = NULL;
	struct hdf5 h;
	hdf5_id file, list;

	if (!array_owns(item->array))
		return MPA_OK;
	file = file_open(job->comm, job->path, &h);
	if (file < 0)
		return MPA_FILE;
	list = h.list_new(h.access_data);
	h.list_set_cache(list, CACHE_SLOTS, CACHE_BYTES, 1);
	r.h = &h;
	r.data = h.data_open(file, found->name, list);
	h.list_close(list);
	wrong = r.data < 0 ? "it cannot be opened" : reader_run(&r);
	if (wrong) {
		snprintf(text, sizeof text, "%s (%s)", wrong, hdf5_why(&h, why));
		read_fault(job->comm, job->path, found->name, text);
	}
	if (r.data >= 0)
		h.data_close(r.data);
	h.file_close(file);
	return wrong ? MPA_FILE : MPA_OK;
}

/* ---- all items ----------------------------------------------------------- */

static enum mpa_status items_check(struct file_job *job, const struct h5_item *item,
				   int n, const struct found *found)
{
	enum mpa_status st = MPA_OK;

	for (int i = 0; i < n && st == MPA_OK; i++) {
		if (!item[i].array)
			continue;
		job->layout = item[i].layout;
		job->dataset = found[i].name;
		st = stored_check(job, &found[i].stored, item[i].elem);
	}
	return st;
}

static enum mpa_status items_read(struct file_job *job, const struct h5_item *item, int n,
				  const struct found *found)
{
	enum mpa_status st = MPA_OK;

	for (int i = 0; i < n && st == MPA_OK; i++) {
		if (!item[i].array)
			continue;
		job->layout = item[i].layout;
		st = found[i].stored.data < 0 ? library_read(job, &item[i], &found[i])
					      : stored_read(job, &found[i].stored,
							    item[i].array, item[i].elem);
	}
	return st;
}

/* What rank 0 has found, on every rank; scalars are set. */
static enum mpa_status found_share(struct comm *comm, struct h5_item *item, int n,
				   struct found *found)
{
	enum mpa_status st;

	for (int i = 0; i < n && comm->rank == 0; i++)
		memcpy(&found[i].value, &item[i].value, sizeof found[i].value);
	st = comm_bcast(comm, 0, found, n * (int64_t)sizeof *found);
	for (int i = 0; i < n && comm->rank != 0 && st == MPA_OK; i++)
		if (!item[i].array && item[i].elem != MPA_STR)
			memcpy(&item[i].value, &found[i].value, sizeof found[i].value);
	return st == MPA_OK ? texts_share(comm, item, n, found) : st;
}

static void texts_free(struct h5_item *item, int n)
{
	for (int i = 0; i < n; i++)
		if (!item[i].array && item[i].elem == MPA_STR) {
			free(item[i].value.text);
			item[i].value.text = NULL;
		}
}

enum mpa_status h5_read(struct comm *comm, const char *path, struct h5_item *item, int n)
{
	struct file_job job = { .comm = comm, .path = path };
	struct found *found = mem_new((size_t)n * sizeof *found);
	enum mpa_status st = comm_agree(comm, found ? MPA_OK : MPA_MEMORY);

	for (int i = 0; i < n; i++)
		memset(&item[i].value, 0, sizeof item[i].value);
	if (st == MPA_OK && comm->rank == 0)
		st = root_look(comm, path, item, n, found);
	st = comm_agree(comm, st);
	if (st == MPA_OK)
		st = found_share(comm, item, n, found);
	if (st == MPA_OK)
		st = items_check(&job, item, n, found);
	if (st == MPA_OK)
		st = comm_agree(comm, items_read(&job, item, n, found));
	if (st != MPA_OK)
		texts_free(item, n);
	mem_free(found);
	return st;
}

static enum mpa_status root_shape(struct comm *comm, const char *path, const char *name,
				  struct stored *stored)
{
	char why[HDF5_WHY], found[HDF5_NAME];
	struct hdf5 h;
	hdf5_id file = file_open(comm, path, &h), data;
	enum mpa_status st = MPA_OK;

	if (file < 0)
		return MPA_FILE;
	data = hdf5_data_find(&h, file, name, !*name, found, why);
	if (data >= 0)
		stored->naxes = hdf5_data_shape(&h, data, stored->shape, MPA_MAX_AXES);
	else
		st = read_fault(comm, path, name, why);
	if (data >= 0)
		h.data_close(data);
	h.file_close(file);
	return st;
}

enum mpa_status h5_read_shape(struct comm *comm, const char *path, const char *name,
			      struct stored *stored)
{
	enum mpa_status st = MPA_OK;

	memset(stored, 0, sizeof *stored);
	if (comm->rank == 0)
		st = root_shape(comm, path, name, stored);
	st = comm_agree(comm, st);
	return st == MPA_OK ? comm_bcast(comm, 0, stored, sizeof *stored) : st;
}
