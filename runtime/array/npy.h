/* array/npy.h - NumPy files, read and written by all ranks in parallel
 *
 * Files are C ordered in the written order of axes, whatever lies in memory;
 * version 1.0, little endian; a NaN is written as the quiet one. A file appears
 * under its name only when it is complete: it is written beside it under another
 * name, synchronised and renamed. All calls are collective, agree on the
 * outcome (every rank returns a failure when one had it) and name the file. */
#ifndef MPA_ARRAY_NPY_H
#define MPA_ARRAY_NPY_H

#include "array/stored.h"

/* element type, NumPy's descriptor, bytes, kind: (b)ool, (i)nteger, (r)eal,
 * (c)omplex */
#define NPY_TYPES(ROW)                                                                   \
	ROW(MPA_BOOL, "|b1", 1, 'b')                                                     \
	ROW(MPA_U8, "|u1", 1, 'i')                                                       \
	ROW(MPA_I32, "<i4", 4, 'i')                                                      \
	ROW(MPA_I64, "<i8", 8, 'i')                                                      \
	ROW(MPA_F32, "<f4", 4, 'r')                                                      \
	ROW(MPA_F64, "<f8", 8, 'r')                                                      \
	ROW(MPA_C64, "<c8", 8, 'c')                                                      \
	ROW(MPA_C128, "<c16", 16, 'c')

/* Reads and checks the header: also that the file is long enough. */
enum mpa_status npy_read_header(struct comm *comm, const char *path,
				struct stored *header);
/* Writes what the first holders of each block own. */
enum mpa_status npy_write(const struct file_job *job, const struct mpa_array *array,
			  enum mpa_elem type);
/* Fills the owned points of an array of element type `type` on every rank. The
 * shape must be the layout's; the file's kind must be that of `type` or a lower
 * one (bool < integer < real < complex), elements are then converted. */
enum mpa_status npy_read(const struct file_job *job, struct mpa_array *array,
			 enum mpa_elem type);

#endif
