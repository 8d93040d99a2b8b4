/* array/npy_header.h - the text in front of the elements of a NumPy file
 *
 * Pure: bytes in memory to struct stored and back. Messages come without the
 * file's name; the caller puts it in front. */
#ifndef MPA_ARRAY_NPY_HEADER_H
#define MPA_ARRAY_NPY_HEADER_H

#include "array/npy.h"

enum {
	NPY_PROLOGUE = 12, /* bytes that tell how long the header is */
	NPY_HEADER_MOST = 1 << 20,
	NPY_WRITTEN_MOST = 512, /* bytes npy_header_write needs */
};

struct npy_type_info {
	const char *descr;
	int bytes;
	char kind; /* b, i, r; 0: no such element in files */
};

const struct npy_type_info *npy_type_of(enum mpa_elem type);
/* Does an array of `to` hold such elements: is the kind the same or a lower one? */
bool npy_type_fits(enum mpa_elem from, enum mpa_elem to);

/* Length of the whole header from the first NPY_PROLOGUE bytes of a file; -1 with
 * a message if they are not those of a NumPy file. */
int64_t npy_header_length(const unsigned char *prologue, struct fault *fault);
/* Reads a header of `length` bytes; does not know how long the file is. */
enum mpa_status npy_header_parse(const char *text, int64_t length,
				 struct stored *header, struct fault *fault);
/* Writes version 1.0 into `text`, sets header->data and returns it. */
int64_t npy_header_write(struct stored *header, char *text);

#endif
