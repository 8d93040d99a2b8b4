/* base/hdf5.h - HDF5 files through the library that is at hand when they are asked for
 *
 * A program links no HDF5: the library is opened when a file of that kind is first
 * needed, version 1.10 or newer, MPA_HDF5 names another one. Ids are closed by who
 * asked for them; a negative id or result is a failure, which hdf5_why explains.
 *
 * Elements are stored as h5py does: bools as the enumeration FALSE, TRUE of one byte,
 * complex numbers as the compound r, i, texts as UTF-8 of any length. */
#ifndef MPA_BASE_HDF5_H
#define MPA_BASE_HDF5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mpa/program.h"

typedef int64_t hdf5_id;

struct hdf5_group { /* the library's H5G_info_t */
	int storage;
	uint64_t links;
	int64_t order;
	bool mounted;
};

struct hdf5_error { /* the library's H5E_error2_t */
	hdf5_id class, major, minor;
	unsigned line;
	const char *function, *file, *text;
};
typedef int hdf5_error_fn(unsigned n, const struct hdf5_error *error, void *into);

struct hdf5 {
#define FUNCTION(member, symbol, result, parameters) result(*member) parameters;
#define VARIABLE(member, symbol)                     hdf5_id member;
#include "base/hdf5.def"
#undef FUNCTION
#undef VARIABLE
	unsigned major, minor, patch;
};

enum {
	HDF5_READ = 0,  /* of file_open */
	HDF5_NEW = 4,   /* of file_create: fails where there is one */
	HDF5_WHY = 400, /* bytes for hdf5_why and hdf5_load */
	HDF5_NAME = 256 /* and for the name of a dataset */
};
/* spaces and layouts */
enum { HDF5_SCALAR = 0, HDF5_SIMPLE = 1 };
enum { HDF5_CONTIGUOUS = 1, HDF5_CHUNKED = 2 };

/* Fills the table; false: `why` (HDF5_WHY bytes) says what is missing. */
bool hdf5_load(struct hdf5 *h, char *why);
/* What the library says about its last failure, in one line. */
const char *hdf5_why(const struct hdf5 *h, char *why);

/* The type of such elements in memory, and in the files that are written. */
hdf5_id hdf5_type(const struct hdf5 *h, enum mpa_elem elem);
/* As which elements those of a file are read; 0: as none. *same: the bytes are equal,
 * else they are read as hdf5_type(result). */
enum mpa_elem hdf5_elem(const struct hdf5 *h, hdf5_id type, bool *same);

/* A new dataset, its bytes set aside without gaps; naxes < 0: a scalar. */
hdf5_id hdf5_data_new(const struct hdf5 *h, hdf5_id file, const char *name,
		      enum mpa_elem elem, int naxes, const int64_t *shape);
/* Opens the dataset `name`, or, where there is none and `only` holds, the only one of the
 * file; `found` is its name. Negative: `why` says which there are. */
hdf5_id hdf5_data_find(const struct hdf5 *h, hdf5_id file, const char *name, bool only,
		       char *found, char *why);
/* Of a dataset: its axes and the first `room` of their sizes; 0 for a scalar. */
int hdf5_data_shape(const struct hdf5 *h, hdf5_id data, int64_t *shape, int room);
/* The one text in it, to be freed with free; NULL: it has none. */
char *hdf5_text_read(const struct hdf5 *h, hdf5_id data);

#endif
