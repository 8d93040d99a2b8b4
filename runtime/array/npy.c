/* array/npy.c - NumPy files, read and written by all ranks in parallel
 *
 * Each rank moves its own box in chunks that fit a buffer, a chunk as runs that
 * are contiguous in the file. Files are opened by each rank on its own; only the
 * header and the outcome go through messages. */
#include "array/npy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array/npy_convert.h"
#include "array/npy_header.h"
#include "array/runs.h"
#include "base/memory.h"

enum { BUFFER_BYTES = 8 << 20 };

/* One rank's part of a file. */
struct transfer {
	const struct npy_job *job;
	struct npy_header header;
	struct mpa_array *array;
	enum mpa_elem type; /* of the array */
	bool writing;
	int file;
	int order[MPA_MAX_AXES];      /* axes of the file, outermost first */
	int64_t stride[MPA_MAX_AXES]; /* of the file, bytes per written axis */
	char *buffer;                 /* a chunk as the file has it */
	char *converted;              /* a chunk as the array has it; NULL: the same */
};

static enum mpa_status file_fault(const struct npy_job *job, int error, const char *what)
{
	return fault_set_errno(job->comm->fault, MPA_FILE, error, "cannot %s \"%s\"",
			       what, job->path);
}

/* Moves all of a run; false: errno says why, 0 the end of the file. */
static bool file_move(const struct transfer *t, char *data, int64_t bytes, int64_t at)
{
	while (bytes > 0) {
		ssize_t n = t->writing ? pwrite(t->file, data, (size_t)bytes, at)
				       : pread(t->file, data, (size_t)bytes, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n < 0 ? errno : 0;
			return false;
		}
		data += n;
		at += n;
		bytes -= n;
	}
	return true;
}

/* How many of the inner axes of the file a run spans: the box has all points of
 * each but the outermost of them. */
static int run_axis(const struct transfer *t, const struct box *box)
{
	int k = t->header.naxes - 1;

	while (k > 0 && box->hi[t->order[k]] - box->lo[t->order[k]] ==
				t->header.shape[t->order[k]])
		k--;
	return k < 0 ? 0 : k;
}

/* The chunk in the buffer to or from the file, run after run. */
static bool chunk_move(struct transfer *t, const struct box *box)
{
	int first = run_axis(t, box), k;
	int64_t at[MPA_MAX_AXES], bytes = npy_type_of(t->header.type)->bytes;
	char *data = t->buffer;

	memcpy(at, box->lo, sizeof at);
	for (k = first; k < t->header.naxes; k++)
		bytes *= box->hi[t->order[k]] - box->lo[t->order[k]];
	do {
		int64_t offset = t->header.data;

		for (int a = 0; a < t->header.naxes; a++)
			offset += at[a] * t->stride[a];
		if (!file_move(t, data, bytes, offset))
			return false;
		data += bytes;
		for (k = first - 1; k >= 0; k--) {
			int a = t->order[k];

			if (++at[a] < box->hi[a])
				break;
			at[a] = box->lo[a];
		}
	} while (k >= 0);
	return true;
}

static enum mpa_status chunk_write(struct transfer *t, const struct box *box)
{
	runs_pack(t->array, box, t->order, t->buffer);
	npy_quiet(t->type, t->buffer, box_points(box));
	return chunk_move(t, box) ? MPA_OK : file_fault(t->job, errno, "write");
}

static enum mpa_status chunk_read(struct transfer *t, const struct box *box)
{
	if (!chunk_move(t, box))
		return errno ? file_fault(t->job, errno, "read")
			     : fault_set(t->job->comm->fault, MPA_FILE,
					 "cannot read \"%s\": it ended early",
					 t->job->path);
	if (t->converted)
		npy_convert(t->type, t->converted, t->header.type, t->buffer,
			    box_points(box));
	runs_unpack(t->array, box, t->order, t->converted ? t->converted : t->buffer);
	return MPA_OK;
}

/* Divides a box along the outermost axis of the file until it fits the buffer. */
static enum mpa_status box_move(struct transfer *t, struct box box)
{
	int64_t most = BUFFER_BYTES / 8, points = box_points(&box), hi, step;
	enum mpa_status st = MPA_OK;
	int k = 0, a;

	if (points <= most)
		return t->writing ? chunk_write(t, &box) : chunk_read(t, &box);
	while (box.hi[t->order[k]] - box.lo[t->order[k]] == 1)
		k++;
	a = t->order[k];
	hi = box.hi[a];
	step = most / (points / (hi - box.lo[a]));
	step = step > 0 ? step : 1;
	while (box.lo[a] < hi && st == MPA_OK) {
		box.hi[a] = box.lo[a] + step < hi ? box.lo[a] + step : hi;
		st = box_move(t, box);
		box.lo[a] = box.hi[a];
	}
	return st;
}

static void transfer_strides(struct transfer *t)
{
	int n = t->header.naxes;
	int64_t stride = npy_type_of(t->header.type)->bytes;

	for (int k = n - 1; k >= 0; k--) {
		t->order[k] = t->header.fortran ? n - 1 - k : k;
		t->stride[t->order[k]] = stride;
		stride *= t->header.shape[t->order[k]];
	}
}

/* Moves what the array owns; the file is open. */
static enum mpa_status transfer_run(struct transfer *t)
{
	bool converting = t->type != t->header.type || t->type == MPA_BOOL;
	int64_t points = box_points(&t->array->own);
	enum mpa_status st;

	if (points == 0)
		return MPA_OK;
	if (points > BUFFER_BYTES / 8)
		points = BUFFER_BYTES / 8;
	transfer_strides(t);
	t->buffer = mem_new((size_t)points * 8);
	t->converted = converting && !t->writing ? mem_new((size_t)points * 8) : NULL;
	if (!t->buffer || (converting && !t->writing && !t->converted))
		st = fault_set(t->job->comm->fault, MPA_MEMORY,
			       "out of memory for the file \"%s\"", t->job->path);
	else
		st = box_move(t, t->array->own);
	mem_free(t->buffer);
	mem_free(t->converted);
	return st;
}

/* ---- writing */

/* Where the file goes and where it is written until it is complete. */
struct names {
	char final[PATH_MAX]; /* rank 0 only */
	char part[PATH_MAX + 32];
};

/* Rank 0: follows a symbolic link, so that the file it leads to is replaced, and
 * refuses what is no file, such as /dev/null. */
static enum mpa_status names_choose(const struct npy_job *job, struct names *names)
{
	struct stat info;
	char *slash;
	int folder;

	if (strlen(job->path) >= sizeof names->final)
		return file_fault(job, ENAMETOOLONG, "create");
	strcpy(names->final, job->path);
	if (stat(job->path, &info) == 0) {
		if (S_ISDIR(info.st_mode))
			return file_fault(job, EISDIR, "write");
		if (!S_ISREG(info.st_mode))
			return fault_set(job->comm->fault, MPA_FILE,
					 "cannot write \"%s\": it is not a regular file",
					 job->path);
		if (lstat(job->path, &info) == 0 && S_ISLNK(info.st_mode) &&
		    !realpath(job->path, names->final))
			return file_fault(job, errno, "write");
	}
	slash = strrchr(names->final, '/');
	folder = slash ? (int)(slash + 1 - names->final) : 0;
	snprintf(names->part, sizeof names->part, "%.*s.%s.%ld.tmp", folder, names->final,
		 names->final + folder, (long)getpid());
	return MPA_OK;
}

/* Gives the file its length, so that a full disk is seen early where the file
 * system can tell. */
static bool file_reserve(int file, int64_t bytes)
{
	if (fallocate(file, 0, 0, bytes) == 0)
		return true;
	if (errno == ENOSPC || errno == EFBIG)
		return false;
	return ftruncate(file, bytes) == 0;
}

static enum mpa_status file_create(const struct npy_job *job, const char *name,
				   struct npy_header *header)
{
	char text[NPY_WRITTEN_MOST];
	int64_t length = npy_header_write(header, text);
	int64_t bytes = npy_type_of(header->type)->bytes;
	struct transfer t = { .writing = true };
	int file, error = 0;

	for (int a = 0; a < header->naxes; a++)
		bytes *= header->shape[a];
	unlink(name);
	file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (file < 0)
		return file_fault(job, errno, "create");
	t.file = file;
	if (!file_reserve(file, length + bytes) || !file_move(&t, text, length, 0))
		error = errno ? errno : EIO;
	if (close(file) != 0 && !error)
		error = errno;
	return error ? file_fault(job, error, "write") : MPA_OK;
}

static enum mpa_status part_write(struct transfer *t, const char *name)
{
	const struct npy_job *job = t->job;
	enum mpa_status st;

	if (!layout_is_first(job->layout, job->comm->rank) || !t->array->origin)
		return MPA_OK;
	t->file = open(name, O_WRONLY | O_CLOEXEC);
	if (t->file < 0)
		return file_fault(job, errno, "open");
	st = transfer_run(t);
	if (fsync(t->file) != 0 && errno != EINVAL && st == MPA_OK)
		st = file_fault(job, errno, "write");
	if (close(t->file) != 0 && st == MPA_OK)
		st = file_fault(job, errno, "write");
	return st;
}

/* Rank 0 creates the file and all write their parts. */
static enum mpa_status parts_write(struct transfer *t, const char *name)
{
	struct comm *comm = t->job->comm;
	enum mpa_status st = MPA_OK;

	if (comm->rank == 0)
		st = file_create(t->job, name, &t->header);
	st = comm_agree(comm, st);
	if (st != MPA_OK)
		return st;
	st = comm_bcast(comm, 0, &t->header.data, sizeof t->header.data);
	if (st == MPA_OK)
		st = part_write(t, name);
	return comm_agree(comm, st);
}

enum mpa_status npy_write(const struct npy_job *job, const struct mpa_array *array,
			  enum mpa_elem type)
{
	/* A transfer can read and write; this one only reads the array. */
	struct transfer t = { .job = job,
			      .array = (struct mpa_array *)array,
			      .type = type,
			      .writing = true };
	bool root = job->comm->rank == 0;
	struct names names = { "", "" };
	enum mpa_status st = root ? names_choose(job, &names) : MPA_OK;

	st = comm_agree(job->comm, st);
	if (st == MPA_OK)
		st = comm_bcast(job->comm, 0, names.part, sizeof names.part);
	if (st != MPA_OK)
		return st;
	t.header = (struct npy_header){ .type = type, .naxes = job->layout->naxes };
	for (int a = 0; a < t.header.naxes; a++)
		t.header.shape[a] = job->layout->axis[a].size;
	st = parts_write(&t, names.part);
	if (root && st == MPA_OK && rename(names.part, names.final) != 0)
		st = file_fault(job, errno, "create");
	if (root && st != MPA_OK)
		unlink(names.part);
	return comm_agree(job->comm, st);
}

/* ---- reading */

static enum mpa_status header_check_length(int file, const struct npy_header *header,
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

static enum mpa_status header_read(int file, struct npy_header *header,
				   struct fault *fault)
{
	unsigned char prologue[NPY_PROLOGUE];
	struct transfer t = { .file = file };
	enum mpa_status st;
	int64_t length;
	char *text;

	if (!file_move(&t, (char *)prologue, NPY_PROLOGUE, 0))
		return errno ? fault_set_errno(fault, MPA_FILE, errno, "read error")
			     : fault_set(fault, MPA_FILE, "this is not a NumPy file");
	length = npy_header_length(prologue, fault);
	if (length < 0)
		return MPA_FILE;
	text = mem_new((size_t)length);
	if (!text)
		return fault_set(fault, MPA_MEMORY, "out of memory");
	if (!file_move(&t, text, length, 0))
		st = fault_set(fault, MPA_FILE,
			       "it is cut short: the header is not complete");
	else
		st = npy_header_parse(text, length, header, fault);
	mem_free(text);
	return st == MPA_OK ? header_check_length(file, header, fault) : st;
}

static enum mpa_status root_read_header(struct comm *comm, const char *path,
					struct npy_header *header)
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
				struct npy_header *header)
{
	enum mpa_status st = MPA_OK;

	if (comm->rank == 0)
		st = root_read_header(comm, path, header);
	st = comm_agree(comm, st);
	return st == MPA_OK ? comm_bcast(comm, 0, header, sizeof *header) : st;
}

static void shape_text(int naxes, const int64_t *shape, char *text, size_t size)
{
	int used = snprintf(text, size, "(");

	for (int a = 0; a < naxes; a++)
		used += snprintf(text + used, size - (size_t)used, "%s%lld",
				 a > 0 ? ", " : "", (long long)shape[a]);
	snprintf(text + used, size - (size_t)used, naxes == 1 ? ",)" : ")");
}

static enum mpa_status header_check(const struct npy_job *job,
				    const struct npy_header *header, enum mpa_elem type)
{
	static const char order[] = "bir";
	const struct npy_type_info *have = npy_type_of(header->type),
				   *want = npy_type_of(type);
	int64_t shape[MPA_MAX_AXES];
	char theirs[200], ours[200];
	int n = job->layout->naxes;

	for (int a = 0; a < n; a++)
		shape[a] = job->layout->axis[a].size;
	if (n != header->naxes ||
	    memcmp(shape, header->shape, (size_t)n * sizeof *shape)) {
		shape_text(header->naxes, header->shape, theirs, sizeof theirs);
		shape_text(n, shape, ours, sizeof ours);
		return fault_set(
			job->comm->fault, MPA_FILE,
			"cannot load \"%s\": its shape is %s where the grid has %s",
			job->path, theirs, ours);
	}
	if (strchr(order, have->kind) > strchr(order, want->kind))
		return fault_set(
			job->comm->fault, MPA_FILE,
			"cannot load \"%s\": its elements, %s, do not fit a field of "
			"%s",
			job->path, have->descr, want->descr);
	return MPA_OK;
}

enum mpa_status npy_read(const struct npy_job *job, struct mpa_array *array,
			 enum mpa_elem type)
{
	struct transfer t = { .job = job, .array = array, .type = type };
	enum mpa_status st = npy_read_header(job->comm, job->path, &t.header);

	if (st != MPA_OK)
		return st;
	st = header_check(job, &t.header, type); /* the same on every rank */
	if (st == MPA_OK && array->origin) {
		t.file = open(job->path, O_RDONLY | O_CLOEXEC);
		if (t.file < 0) {
			st = file_fault(job, errno, "open");
		} else {
			st = transfer_run(&t);
			close(t.file);
		}
	}
	return comm_agree(job->comm, st);
}
