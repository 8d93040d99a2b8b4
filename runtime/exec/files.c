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
#include "array/picture.h"
#include "array/vti.h"
#include "base/memory.h"
#include "exec/exec.h"

struct files {
	int n, room;
	struct h5_item *item;
	struct places {
		int64_t array; /* id; -1: a scalar */
		bool known;    /* the others are */
		double first[MPA_MAX_AXES], step[MPA_MAX_AXES];
	} * places;
};

enum file_kind { FILE_NPY, FILE_HDF5, FILE_VTI };

static enum file_kind kind_of(const char *file)
{
	const char *end = strrchr(file, '.');

	if (end && (!strcasecmp(end, ".h5") || !strcasecmp(end, ".hdf5")))
		return FILE_HDF5;
	if (end && !strcasecmp(end, ".vti"))
		return FILE_VTI;
	return FILE_NPY;
}

/* Of what is read. */
static void check_read(struct mpa_session *s, const char *where, const char *file)
{
	if (kind_of(file) == FILE_VTI)
		session_fail(s, where, "cannot load \"%s\": .vti files are only written",
			     file);
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
	mem_free(s->files->places);
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
		f->places = list_grown(s, f->places, f->n, sizeof *f->places);
		f->room = 2 * f->n + 8;
	}
	f->places[f->n] = (struct places){ .array = array };
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

void mpa_file_axis(struct mpa_session *s, int64_t axis, double first, double step)
{
	struct places *p = &s->files->places[s->files->n - 1];

	p->known = true;
	p->first[axis] = first;
	p->step[axis] = step;
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

static void save_vti(struct mpa_session *s, const char *where, const char *file)
{
	const struct mpa_program *p = s->program;
	struct files *f = s->files;
	struct vti_field *field = session_new(s, (size_t)f->n * sizeof *field);

	for (int i = 0; i < f->n; i++) {
		const struct places *at = &f->places[i];
		const struct mpa_grid_info *grid;

		if (!at->known)
			session_fail(
				s, where,
				"cannot save \"%s\": a .vti file holds fields, and its "
				"name must end so in the program",
				file);
		grid = &p->grid[p->array[at->array].grid];
		field[i] = (struct vti_field){ .name = f->item[i].name,
					       .elem = f->item[i].elem,
					       .layout = f->item[i].layout,
					       .array = f->item[i].array };
		memcpy(field[i].first, at->first, sizeof at->first);
		memcpy(field[i].step, at->step, sizeof at->step);
		for (int a = 0; a < grid->n_axes; a++)
			field[i].axis[a] = p->axis[grid->axis[a]].name;
	}
	check_status(s, where, vti_write(s->comm, file, field, f->n));
	mem_free(field);
}

/* Files are the host's. */
static void fields_to_host(struct mpa_session *s, const char *where, bool writes)
{
	const struct files *f = s->files;


	for (int i = 0; i < f->n; i++) {
		if (f->places[i].array < 0)
			continue;
		if (writes)
			array_write(s, array_of(s, f->places[i].array));
		else
			array_read(s, array_of(s, f->places[i].array));
	}
	transfers_count(s, where);
}

void mpa_save(struct mpa_session *s, const char *where, const char *file)
{
	struct files *f = s->files;
	const struct h5_item *one;

	fields_to_host(s, where, false);
	switch (kind_of(file)) {
	case FILE_HDF5:
		check_status(s, where, h5_write(s->comm, file, f->item, f->n));
		break;
	case FILE_VTI:
		save_vti(s, where, file);
		break;
	default:
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

void mpa_plot(struct mpa_session *s, const char *where, const char *file)
{
	const struct mpa_program *p = s->program;
	const struct places *at = &s->files->places[0];
	const struct h5_item *item = &s->files->item[0];
	const struct mpa_grid_info *grid = &p->grid[p->array[at->array].grid];
	struct file_job job = { .comm = s->comm, .layout = item->layout, .path = file };
	struct plot plot = { .title = item->name, .naxes = item->layout->naxes };

	fields_to_host(s, where, false);
	for (int a = 0; a < plot.naxes; a++)
		plot.axis[a] = (struct plot_axis){ p->axis[grid->axis[a]].name,
						   item->layout->axis[a].size,
						   at->first[a], at->step[a] };
	check_status(s, where, picture_write(&job, &plot, item->array, item->elem));
}

void mpa_load(struct mpa_session *s, const char *where, const char *file, int64_t only)
{
	struct files *f = s->files;
	const struct h5_item *one;

	check_read(s, where, file);
	fields_to_host(s, where, true);
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
		if (f->places[i].array >= 0)
			array_changed(array_of(s, f->places[i].array));
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

	check_read(s, where, file);
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
