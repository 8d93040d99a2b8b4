/* array/h5.h - HDF5 files, read and written by all ranks in parallel
 *
 * A dataset per field or scalar, in C order of the written axes. No parallel HDF5 is
 * needed: rank 0 makes the file, with room set aside for each dataset, and then every
 * rank writes its own block at its place. Such datasets are also read by place; those
 * in chunks, compressed or of other types through the library, by every rank the part
 * that it owns. All calls are collective and agree on the outcome. */
#ifndef MPA_ARRAY_H5_H
#define MPA_ARRAY_H5_H

#include "array/stored.h"

/* A field (array and layout are set) or a scalar. */
struct h5_item {
	const char *name;
	bool only; /* reading: where no dataset has this name, the only one of the file */
	enum mpa_elem elem;
	const struct layout *layout;
	struct mpa_array *array;
	union {
		int64_t i; /* bool and integers */
		double f[2];
		char *text; /* read: to be freed with free */
	} value;
};

enum mpa_status h5_write(struct comm *comm, const char *path, const struct h5_item *item,
			 int n);
/* Fills arrays and values. Shapes must be those of the layouts, a scalar's dataset has
 * one element; kinds may be lower than the item's. After a failure no text is left. */
enum mpa_status h5_read(struct comm *comm, const char *path, struct h5_item *item, int n);
/* The sizes of a dataset; "": of the only one. */
enum mpa_status h5_read_shape(struct comm *comm, const char *path, const char *name,
			      struct stored *stored);

#endif
