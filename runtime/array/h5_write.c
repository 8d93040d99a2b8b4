/* array/h5_write.c - HDF5 files: rank 0 makes them, all ranks fill them */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array/h5.h"
#include "array/newfile.h"
#include "array/npy_convert.h"
#include "base/hdf5.h"
#include "base/memory.h"

static enum mpa_status library_fault(const struct newfile *f, const struct hdf5 *h,
				     const char *name)
{
	char why[HDF5_WHY];

	return fault_set(f->job->comm->fault, MPA_FILE,
			 "cannot write \"%.300s\": %s%sHDF5: %s", f->job->path, name,
			 *name ? ": " : "", hdf5_why(h, why));
}

static bool scalar_write(const struct hdf5 *h, hdf5_id data, const struct h5_item *item)
{
	union {
		uint8_t u8;
		int32_t i32;
		int64_t i64;
		float f32[2];
		double f64[2];
		const char *text;
	} as = { 0 };
	hdf5_id type = hdf5_type(h, item->elem);
	int status;

	switch (item->elem) {
	case MPA_BOOL:
	case MPA_U8:
		as.u8 = (uint8_t)item->value.i;
		break;
	case MPA_I32:
		as.i32 = (int32_t)item->value.i;
		break;
	case MPA_I64:
		as.i64 = item->value.i;
		break;
	case MPA_F32:
	case MPA_C64:
		as.f32[0] = (float)item->value.f[0];
		as.f32[1] = (float)item->value.f[1];
		break;
	case MPA_STR:
		as.text = item->value.text;
		break;
	default:
		memcpy(as.f64, item->value.f, sizeof as.f64);
	}
	npy_quiet(item->elem, &as, 1);
	status = h->data_write(data, type, 0, 0, 0, &as);
	h->type_close(type);
	return status >= 0;
}

/* Makes the dataset of an item; *offset: where its elements go, -1: it is done. */
static bool data_create(const struct hdf5 *h, hdf5_id file, const struct h5_item *item,
			int64_t *offset)
{
	int64_t shape[MPA_MAX_AXES];
	int naxes = item->array ? item->layout->naxes : -1;
	hdf5_id data;
	bool fine;

	for (int a = 0; a < naxes; a++)
		shape[a] = item->layout->axis[a].size;
	data = hdf5_data_new(h, file, item->name, item->elem, naxes, shape);
	*offset = -1;
	if (data < 0)
		return false;
	fine = item->array || scalar_write(h, data, item);
	if (item->array)
		*offset = (int64_t)h->data_offset(data); /* no elements: none, -1 */
	return h->data_close(data) >= 0 && fine;
}

/* A full disk is seen early where the file system can tell. */
static enum mpa_status part_reserve(const struct newfile *f)
{
	int file = open(f->part, O_WRONLY | O_CLOEXEC), error = 0;
	struct stat info;

	if (file < 0)
		return file_fault(f->job, errno, "write");
	if (fstat(file, &info) != 0 || !file_reserve(file, info.st_size))
		error = errno ? errno : EIO;
	if (close(file) != 0 && !error)
		error = errno;
	return error ? file_fault(f->job, error, "write") : MPA_OK;
}

static enum mpa_status part_create(const struct newfile *f, const struct h5_item *item,
				   int n, int64_t *offset)
{
	struct comm *comm = f->job->comm;
	enum mpa_status st;
	char why[HDF5_WHY];
	struct hdf5 h;
	hdf5_id file;

	if (!hdf5_load(&h, why))
		return fault_set(comm->fault, MPA_FILE, "cannot write \"%.300s\": %s",
				 f->job->path, why);
	/* only for a clear message: the library's are long */
	st = newfile_create(f, "", 0, 0);
	if (st != MPA_OK || unlink(f->part) != 0)
		return st;
	file = h.file_create(f->part, HDF5_NEW, 0, 0);
	if (file < 0)
		return library_fault(f, &h, "");
	for (int i = 0; i < n && st == MPA_OK; i++)
		if (!data_create(&h, file, &item[i], &offset[i]))
			st = library_fault(f, &h, item[i].name);
	if (h.file_close(file) < 0 && st == MPA_OK)
		st = library_fault(f, &h, "");
	return st == MPA_OK ? part_reserve(f) : st;
}

static enum mpa_status items_write(const struct newfile *f, const struct h5_item *item,
				   int n, const int64_t *offset)
{
	enum mpa_status st = MPA_OK;

	for (int i = 0; i < n && st == MPA_OK; i++) {
		struct stored stored = { .type = item[i].elem, .data = offset[i] };
		struct file_job job = *f->job;

		if (offset[i] < 0)
			continue;
		job.layout = item[i].layout;
		stored.naxes = job.layout->naxes;
		for (int a = 0; a < stored.naxes; a++)
			stored.shape[a] = job.layout->axis[a].size;
		st = stored_write(&job, &stored, item[i].array, f->part);
	}
	return st;
}

enum mpa_status h5_write(struct comm *comm, const char *path, const struct h5_item *item,
			 int n)
{
	struct file_job job = { .comm = comm, .path = path };
	int64_t *offset = mem_new((size_t)n * sizeof *offset);
	struct newfile f;
	enum mpa_status st;

	st = comm_agree(comm, offset ? MPA_OK : MPA_MEMORY);
	if (st == MPA_OK)
		st = newfile_begin(&f, &job);
	if (st != MPA_OK) {
		mem_free(offset);
		return st;
	}
	if (comm->rank == 0)
		st = part_create(&f, item, n, offset);
	st = comm_agree(comm, st);
	if (st == MPA_OK)
		st = comm_bcast(comm, 0, offset, n * (int64_t)sizeof *offset);
	if (st == MPA_OK)
		st = items_write(&f, item, n, offset);
	mem_free(offset);
	return newfile_end(&f, st);
}
