/* array/npy.c - NumPy files, read and written by all ranks in parallel
 *
 * Only the header and the outcome go through messages. */
#include "array/npy.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array/newfile.h"
#include "array/npy_header.h"
#include "base/memory.h"

/* Rank 0 creates the file and all write their parts. */
static enum mpa_status parts_write(const struct newfile *f, struct stored *stored,
				   const struct mpa_array *array)
{
	struct comm *comm = f->job->comm;
	int64_t bytes = npy_type_of(stored->type)->bytes, length;
	char text[NPY_WRITTEN_MOST];
	enum mpa_status st = MPA_OK;

	for (int a = 0; a < stored->naxes; a++)
		bytes *= stored->shape[a];
	length = npy_header_write(stored, text);
	if (comm->rank == 0)
		st = newfile_create(f, text, length, length + bytes);
	st = comm_agree(comm, st);
	return st == MPA_OK ? stored_write(f->job, stored, array, f->part) : st;
}

enum mpa_status npy_write(const struct file_job *job, const struct mpa_array *array,
			  enum mpa_elem type)
{
	struct stored stored = { .type = type, .naxes = job->layout->naxes };
	struct newfile f;
	enum mpa_status st = newfile_begin(&f, job);

	if (st != MPA_OK)
		return st;
	for (int a = 0; a < stored.naxes; a++)
		stored.shape[a] = job->layout->axis[a].size;
	return newfile_end(&f, parts_write(&f, &stored, array));
}

static enum mpa_status header_check_length(int file, const struct stored *header,
					   struct fault *fault)
{
	int64_t bytes = npy_type_of(header->type)->bytes;
	struct stat info;

	for (int a = 0; a < header->naxes; a++)
		bytes *= header->shape[a];
	if (fstat(file, &info) != 0)
		return fault_set_errno(fault, MPA_FILE, errno, "cannot tell its length");
	if (info.st_size >= header->data + bytes)
		return MPA_OK;
	return fault_set(fault, MPA_FILE,
			 "it is cut short: %lld bytes where its shape needs %lld",
			 (long long)info.st_size, (long long)(header->data + bytes));
}

static enum mpa_status header_read(int file, struct stored *header, struct fault *fault)
{
	unsigned char prologue[NPY_PROLOGUE];
	enum mpa_status st;
	int64_t length;
	char *text;

	if (!file_read(file, prologue, NPY_PROLOGUE, 0))
		return errno ? fault_set_errno(fault, MPA_FILE, errno, "read error")
			     : fault_set(fault, MPA_FILE, "this is not a NumPy file");
	length = npy_header_length(prologue, fault);
	if (length < 0)
		return MPA_FILE;
	text = mem_new((size_t)length);
	if (!text)
		return fault_set(fault, MPA_MEMORY, "out of memory");
	if (!file_read(file, text, length, 0))
		st = fault_set(fault, MPA_FILE,
			       "it is cut short: the header is not complete");
	else
		st = npy_header_parse(text, length, header, fault);
	mem_free(text);
	return st == MPA_OK ? header_check_length(file, header, fault) : st;
}

static enum mpa_status root_read_header(struct comm *comm, const char *path,
					struct stored *header)
{
	struct fault inner = { MPA_OK, "" };
	int file = open(path, O_RDONLY | O_CLOEXEC);
	enum mpa_status st;

	if (file < 0)
		return fault_set_errno(comm->fault, MPA_FILE, errno, "cannot open \"%s\"",
				       path);
	st = header_read(file, header, &inner);
	close(file);
	if (st != MPA_OK)
		fault_set(comm->fault, st, "cannot read \"%.*s\": %.*s", 400, path, 500,
			  inner.text);
	return st;
}

enum mpa_status npy_read_header(struct comm *comm, const char *path,
				struct stored *header)
{
	enum mpa_status st = MPA_OK;

	if (comm->rank == 0)
		st = root_read_header(comm, path, header);
	st = comm_agree(comm, st);
	return st == MPA_OK ? comm_bcast(comm, 0, header, sizeof *header) : st;
}

enum mpa_status npy_read(const struct file_job *job, struct mpa_array *array,
			 enum mpa_elem type)
{
	struct stored stored;
	enum mpa_status st = npy_read_header(job->comm, job->path, &stored);

	if (st == MPA_OK)
		st = stored_check(job, &stored, type); /* the same on every rank */
	if (st != MPA_OK)
		return st;
	return comm_agree(job->comm, stored_read(job, &stored, array, type));
}
