/* array/stored.c - elements of a field that lie in a file, moved by all ranks
 *
 * A box is cut along the outermost axes of the file into chunks that fit a buffer; a
 * chunk is moved as runs that are contiguous in the file. Files are opened by each
 * rank on its own. */
#include "array/stored.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "array/npy_convert.h"
#include "array/npy_header.h"
#include "array/runs.h"
#include "base/memory.h"

enum { BUFFER_BYTES = 8 << 20 };

/* One rank's part of a file. */
struct transfer {
	const struct file_job *job;
	const struct stored *stored;
	struct mpa_array *array;
	enum mpa_elem type; /* of the array */
	bool writing;
	int file;
	int64_t most;                 /* points of a chunk */
	int order[MPA_MAX_AXES];      /* axes of the file, outermost first */
	int64_t stride[MPA_MAX_AXES]; /* of the file, bytes per written axis */
	char *buffer;                 /* a chunk as the file has it */
	char *converted;              /* a chunk as the array has it; NULL: the same */
};

enum mpa_status file_fault(const struct file_job *job, int error, const char *what)
{
	return fault_set_errno(job->comm->fault, MPA_FILE, error, "cannot %s \"%s\"",
			       what, job->path);
}

static bool file_move(int file, char *data, int64_t bytes, int64_t at, bool writing)
{
	while (bytes > 0) {
		ssize_t n = writing ? pwrite(file, data, (size_t)bytes, at)
				    : pread(file, data, (size_t)bytes, at);

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

bool file_read(int file, void *data, int64_t bytes, int64_t at)
{
	return file_move(file, data, bytes, at, false);
}

bool file_write(int file, const void *data, int64_t bytes, int64_t at)
{
	return file_move(file, (char *)data, bytes, at, true);
}

/* How many of the inner axes of the file a run spans: the box has all points of
 * each but the outermost of them. */
static int run_axis(const struct transfer *t, const struct box *box)
{
	int k = t->stored->naxes - 1;

	while (k > 0 && box->hi[t->order[k]] - box->lo[t->order[k]] ==
				t->stored->shape[t->order[k]])
		k--;
	return k < 0 ? 0 : k;
}

/* The chunk in the buffer to or from the file, run after run. */
static bool chunk_move(struct transfer *t, const struct box *box)
{
	int first = run_axis(t, box), k;
	int64_t at[MPA_MAX_AXES], bytes = npy_type_of(t->stored->type)->bytes;
	char *data = t->buffer;

	memcpy(at, box->lo, sizeof at);
	for (k = first; k < t->stored->naxes; k++)
		bytes *= box->hi[t->order[k]] - box->lo[t->order[k]];
	do {
		int64_t offset = t->stored->data;

		for (int a = 0; a < t->stored->naxes; a++)
			offset += at[a] * t->stride[a];
		if (!file_move(t->file, data, bytes, offset, t->writing))
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
		npy_convert(t->type, t->converted, t->stored->type, t->buffer,
			    box_points(box));
	runs_unpack(t->array, box, t->order, t->converted ? t->converted : t->buffer);
	return MPA_OK;
}

/* Divides a box along the outermost axis of the file until it fits the buffer. */
static enum mpa_status box_move(struct transfer *t, struct box box)
{
	int64_t points = box_points(&box), hi, step;
	enum mpa_status st = MPA_OK;
	int k = 0, a;

	if (points <= t->most)
		return t->writing ? chunk_write(t, &box) : chunk_read(t, &box);
	while (box.hi[t->order[k]] - box.lo[t->order[k]] == 1)
		k++;
	a = t->order[k];
	hi = box.hi[a];
	step = t->most / (points / (hi - box.lo[a]));
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
	int n = t->stored->naxes;
	int64_t stride = npy_type_of(t->stored->type)->bytes;

	for (int k = n - 1; k >= 0; k--) {
		t->order[k] = t->stored->ordered   ? t->stored->order[k]
			      : t->stored->fortran ? n - 1 - k
						   : k;
		t->stride[t->order[k]] = stride;
		stride *= t->stored->shape[t->order[k]];
	}
}

/* Moves what the array owns; the file is open. */
static enum mpa_status transfer_run(struct transfer *t)
{
	bool converting =
		!t->writing && (t->type != t->stored->type || t->type == MPA_BOOL);
	int64_t points = box_points(&t->array->own);
	int64_t bytes = npy_type_of(t->stored->type)->bytes;
	enum mpa_status st;

	if (points == 0)
		return MPA_OK;
	t->most = BUFFER_BYTES / bytes;
	if (points > t->most)
		points = t->most;
	transfer_strides(t);
	t->buffer = mem_new((size_t)(points * bytes));
	t->converted = converting ? mem_new((size_t)(points * t->array->elem)) : NULL;
	if (!t->buffer || (converting && !t->converted))
		st = fault_set(t->job->comm->fault, MPA_MEMORY,
			       "out of memory for the file \"%s\"", t->job->path);
	else
		st = box_move(t, t->array->own);
	mem_free(t->buffer);
	mem_free(t->converted);
	return st;
}

enum mpa_status stored_write(const struct file_job *job, const struct stored *stored,
			     const struct mpa_array *array, const char *name)
{
	/* A transfer can read and write; this one only reads the array. */
	struct transfer t = { .job = job,
			      .stored = stored,
			      .array = (struct mpa_array *)array,
			      .type = stored->type,
			      .writing = true };
	enum mpa_status st;

	if (!layout_is_first(job->layout, job->comm->rank) || !array_owns(array))
		return MPA_OK;
	t.file = open(name, O_WRONLY | O_CLOEXEC);
	if (t.file < 0)
		return file_fault(job, errno, "open");
	st = transfer_run(&t);
	if (fsync(t.file) != 0 && errno != EINVAL && st == MPA_OK)
		st = file_fault(job, errno, "write");
	if (close(t.file) != 0 && st == MPA_OK)
		st = file_fault(job, errno, "write");
	return st;
}

enum mpa_status stored_read(const struct file_job *job, const struct stored *stored,
			    struct mpa_array *array, enum mpa_elem type)
{
	struct transfer t = {
		.job = job, .stored = stored, .array = array, .type = type
	};
	enum mpa_status st;

	if (!array_owns(array))
		return MPA_OK;
	t.file = open(job->path, O_RDONLY | O_CLOEXEC);
	if (t.file < 0)
		return file_fault(job, errno, "open");
	st = transfer_run(&t);
	close(t.file);
	return st;
}

void shape_text(int naxes, const int64_t *shape, char *text, size_t size)
{
	int used = snprintf(text, size, "(");

	for (int a = 0; a < naxes && a < MPA_MAX_AXES; a++)
		used += snprintf(text + used, size - (size_t)used, "%s%lld",
				 a > 0 ? ", " : "", (long long)shape[a]);
	if (naxes > MPA_MAX_AXES)
		used += snprintf(text + used, size - (size_t)used, ", ...");
	snprintf(text + used, size - (size_t)used, naxes == 1 ? ",)" : ")");
}

/* "u" from "state.h5" */
static void source_text(const struct file_job *job, char *text, size_t size)
{
	if (job->dataset)
		snprintf(text, size, "%.200s from \"%.300s\"", job->dataset, job->path);
	else
		snprintf(text, size, "\"%.300s\"", job->path);
}

enum mpa_status stored_check(const struct file_job *job, const struct stored *stored,
			     enum mpa_elem type)
{
	int64_t shape[MPA_MAX_AXES];
	char theirs[200], ours[200], source[540];
	int n = job->layout->naxes;

	source_text(job, source, sizeof source);
	for (int a = 0; a < n; a++)
		shape[a] = job->layout->axis[a].size;
	if (n != stored->naxes ||
	    memcmp(shape, stored->shape, (size_t)n * sizeof *shape)) {
		shape_text(stored->naxes, stored->shape, theirs, sizeof theirs);
		shape_text(n, shape, ours, sizeof ours);
		return fault_set(job->comm->fault, MPA_FILE,
				 "cannot load %s: its shape is %s where the grid has %s",
				 source, theirs, ours);
	}
	if (!npy_type_fits(stored->type, type))
		return fault_set(
			job->comm->fault, MPA_FILE,
			"cannot load %s: its elements, %s, do not fit a field of %s",
			source, npy_type_of(stored->type)->descr,
			npy_type_of(type)->descr);
	return MPA_OK;
}
