/* exec/files.c - NumPy files by the names a program gives them
 *
 * What a file is made of is found out together: one rank looks, all hear of it. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "array/npy.h"
#include "exec/exec.h"

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

/* Fails for kinds of files that there will be and are not yet. */
static void check_kind(struct mpa_session *s, const char *where, const char *file)
{
	static const char *const later[] = { ".h5", ".hdf5", ".vti" };

	for (int i = 0; i < 3; i++)
		if (ends_with(file, later[i]))
			session_fail(s, where,
				     "%s: files of the kind %s are not implemented yet",
				     file, later[i]);
}

static void check_elem(struct mpa_session *s, const char *where,
		       const struct array_state *a)
{
	if (a->info->elem > MPA_F64)
		session_fail(s, where, "files of complex fields are not implemented yet");
}

static void check_status(struct mpa_session *s, const char *where, enum mpa_status st)
{
	if (st != MPA_OK)
		session_fail(s, where, "%s",
			     s->fault.status != MPA_OK ? s->fault.text : status_text(st));
}

void mpa_save(struct mpa_session *s, const char *where, const char *file, int64_t array)
{
	struct array_state *a = array_of(s, array);
	struct file_job job = { s->comm, a->layout, file };

	check_kind(s, where, file);
	check_elem(s, where, a);
	check_status(s, where, npy_write(&job, &a->now, (enum mpa_elem)a->info->elem));
}

void mpa_load(struct mpa_session *s, const char *where, const char *file, int64_t array)
{
	struct array_state *a = array_of(s, array);
	struct file_job job = { s->comm, a->layout, file };

	check_kind(s, where, file);
	check_elem(s, where, a);
	check_status(s, where, npy_read(&job, &a->now, (enum mpa_elem)a->info->elem));
	array_changed(a);
}

int64_t mpa_shape(struct mpa_session *s, const char *where, const char *file,
		  int64_t axis)
{
	struct stored header;

	check_kind(s, where, file);
	check_status(s, where, npy_read_header(s->comm, file, &header));
	if (axis < 0)
		axis += header.naxes;
	if (axis < 0 || axis >= header.naxes)
		session_fail(s, where, "%s has %d axes, so there is no axis %" PRId64,
			     file, header.naxes, axis);
	return header.shape[axis];
}

int64_t mpa_exists(struct mpa_session *s, const char *file)
{
	int64_t there = s->comm->rank == 0 && access(file, F_OK) == 0;

	session_sent(s, comm_bcast(s->comm, 0, &there, sizeof there));
	return there;
}
