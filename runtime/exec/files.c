/* exec/files.c - files by the names a program gives them; the end of a name tells the
 * kind
 *
 * Fields and scalars are listed one by one, then saved or loaded together. What a file
 * is made of is found out together: one rank looks, all hear of it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "array/h5.h"
#include "array/npy.h"
#include "base/memory.h"
#include "exec/exec.h"

struct files {
	int n, room;
	struct h5_item *item;
	int64_t *array; /* ids; -1: a scalar */
};

enum file_kind { FILE_NPY, FILE_HDF5 };

static enum file_kind kind_of(const char *file)
{
	const char *end = strrchr(file, '.');

	if (end && (!strcasecmp(end, ".h5") || !strcasecmp(end, ".hdf5")))
		return FILE_HDF5;
	return FILE_NPY;
}

static void check_status(struct mpa_session *s, const char *where, enum mpa_status st)
{
	if (st != MPA_OK)
		session_fail(s, where, "%s",
			     s->fault.status != MPA_OK ? s->fault.text : status_text(st));
}

/* ---- the list ------------------------------------------------------------ */

void files_free(struct mpa_session *s)
{
	if (!s->files)
		return;
	mem_free(s->files->item);
	mem_free(s->files->array);
	mem_free(s->files);
	s->files = NULL;
}

void mpa_file_begin(struct mpa_session *s)
{
	if (!s->files)
		s->files = session_new(s, sizeof *s->files);
	s->files->n = 0;
}

static void *list_grown(struct mpa_session *s, void *old, int n, size_t bytes)
{
	char *more = session_new(s, (size_t)(2 * n + 8) * bytes);

	if (n > 0)
		memcpy(more, old, (size_t)n * bytes);
	mem_free(old);
	return more;
}

static struct h5_item *item_add(struct mpa_session *s, const char *name, int64_t elem,
				int64_t array)
{
	struct files *f = s->files;
	struct h5_item *item;

	if (f->n == f->room) {
		f->item = list_grown(s, f->item, f->n, sizeof *f->item);
		f->array = list_grown(s, f->array, f->n, sizeof *f->array);
		f->room = 2 * f->n + 8;
	}
	f->array[f->n] = array;
	item = &f->item[f->n++];
	memset(item, 0, sizeof *item);
	item->name = name;
	item->elem = (enum mpa_elem)elem;
	return item;
}

void mpa_file_array(struct mpa_session *s, const char *name, int64_t array)
{
	struct array_state *a = array_of(s, array);
	struct h5_item *item = item_add(s, name, a->info->elem, array);

	item->layout = a->layout;
	item->array = &a->now;
}

void mpa_file_i(struct mpa_session *s, const char *name, int64_t elem, int64_t value)
{
	item_add(s, name, elem, -1)->value.i = value;
}

void mpa_file_d(struct mpa_session *s, const char *name, int64_t elem, double value)
{
	item_add(s, name, elem, -1)->value.f[0] = value;
}

void mpa_file_c(struct mpa_session *s, const char *name, int64_t elem, double re, double im)
{
	struct h5_item *item = item_add(s, name, elem, -1);

	item->value.f[0] = re;
	item->value.f[1] = im;
}

void mpa_file_s(struct mpa_session *s, const char *name, const char *value)
{
	item_add(s, name, MPA_STR, -1)->value.text = (char *)value; /* only read */
}

/* ---- saving and loading -------------------------------------------------- */

/* The one field that a NumPy file holds. */
static struct h5_item *only_field(struct mpa_session *s, const char *where,
				  const char *file, const char *what)
{
	if (s->files->n != 1 || !s->files->item[0].array)
		session_fail(s, where,
			     "cannot %s \"%s\": a NumPy file holds one field; several "
			     "fields and scalars go into a file whose name ends in .h5",
			     what, file);
	return &s->files->item[0];
}

void mpa_save(struct mpa_session *s, const char *where, const char *file)
{
	struct files *f = s->files;
	const struct h5_item *one;

	if (kind_of(file) == FILE_HDF5) {
		check_status(s, where, h5_write(s->comm, file, f->item, f->n));
	} else {
		one = only_field(s, where, file, "save");
		check_status(s, where,
			     npy_write(&(struct file_job){ .comm = s->comm,
							   .layout = one->layout,
							   .path = file },
				       one->array, one->elem));
	}
}

/* Texts that were read live on in the session. */
static void texts_keep(struct mpa_session *s, struct files *f)
{
	for (int i = 0; i < f->n; i++) {
		struct h5_item *item = &f->item[i];
		char *read = item->value.text;

		if (item->array || item->elem != MPA_STR)
			continue;
		item->value.text = (char *)text_keep(s, read);
		free(read);
	}
}

void mpa_load(struct mpa_session *s, const char *where, const char *file, int64_t only)
{
	struct files *f = s->files;
	const struct h5_item *one;

	for (int i = 0; i < f->n; i++)
		f->item[i].only = only;
	if (kind_of(file) == FILE_HDF5) {
		check_status(s, where, h5_read(s->comm, file, f->item, f->n));
		texts_keep(s, f);
	} else {
		one = only_field(s, where, file, "load");
		check_status(s, where,
			     npy_read(&(struct file_job){ .comm = s->comm,
							  .layout = one->layout,
							  .path = file },
				      one->array, one->elem));
	}
	for (int i = 0; i < f->n; i++)
		if (f->array[i] >= 0)
			array_changed(array_of(s, f->array[i]));
}

int64_t mpa_loaded_i(struct mpa_session *s, int64_t item)
{
	return s->files->item[item].value.i;
}

double mpa_loaded_d(struct mpa_session *s, int64_t item)
{
	return s->files->item[item].value.f[0];
}

void mpa_loaded_c(struct mpa_session *s, int64_t item, double *parts)
{
	memcpy(parts, s->files->item[item].value.f, 2 * sizeof *parts);
}

const char *mpa_loaded_s(struct mpa_session *s, int64_t item)
{
	return s->files->item[item].value.text;
}

/* ---- questions ----------------------------------------------------------- */

int64_t mpa_shape(struct mpa_session *s, const char *where, const char *file,
		  const char *name, int64_t axis)
{
	struct stored stored;

	check_status(s, where,
		     kind_of(file) == FILE_HDF5
			     ? h5_read_shape(s->comm, file, name, &stored)
			     : npy_read_header(s->comm, file, &stored));
	if (*name && kind_of(file) != FILE_HDF5)
		session_fail(s, where, "%s is a NumPy file, which has no dataset %s",
			     file, name);
	if (axis < 0)
		axis += stored.naxes;
	if (axis < 0 || axis >= stored.naxes)
		session_fail(s, where, "%s has %d axes, so there is no axis %" PRId64,
			     file, stored.naxes, axis);
	return axis < MPA_MAX_AXES ? stored.shape[axis] : 0;
}

int64_t mpa_exists(struct mpa_session *s, const char *file)
{
	int64_t there = s->comm->rank == 0 && access(file, F_OK) == 0;

	session_sent(s, comm_bcast(s->comm, 0, &there, sizeof there));
	return there;
}
