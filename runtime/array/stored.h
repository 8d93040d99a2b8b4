/* array/stored.h - elements of a field that lie in a file, moved by all ranks
 *
 * Whatever the format of the file, somewhere in it the elements of a field lie without
 * gaps. Each rank moves its own box, in chunks that fit a buffer. Nothing here is
 * collective: the callers agree on the outcome. */
#ifndef MPA_ARRAY_STORED_H
#define MPA_ARRAY_STORED_H

#include "array/array.h"
#include "comm/comm.h"

/* What a file call needs to know of the session. */
struct file_job {
	struct comm *comm;
	const struct layout *layout; /* of the array; same on every rank */
	const char *path;
	const char *dataset; /* of the file, for messages; NULL: it holds one array */
};

struct stored {
	enum mpa_elem type;
	bool fortran; /* first axis contiguous in the file */
	int naxes;    /* 0: a scalar; at most MPA_MAX_AXES */
	int64_t shape[MPA_MAX_AXES];
	int64_t data; /* offset of the first element in the file */
	bool ordered; /* the axes lie as `order` says, outermost first */
	int order[MPA_MAX_AXES];
};

/* All of these bytes; false: errno says why, 0 the end of the file. */
bool file_read(int file, void *data, int64_t bytes, int64_t at);
bool file_write(int file, const void *data, int64_t bytes, int64_t at);
/* "cannot WHAT "PATH": ..." by errno value `error`. */
enum mpa_status file_fault(const struct file_job *job, int error, const char *what);

/* "(3, 4)" */
void shape_text(int naxes, const int64_t *shape, char *text, size_t size);
/* Whether an array of `type` can be filled from it: equal shape, and a kind that is
 * the same or lower (bool < integer < real). */
enum mpa_status stored_check(const struct file_job *job, const struct stored *stored,
			     enum mpa_elem type);

/* The first holders of each block write what they own into the file `name`, which is
 * there; it has reached the disk afterwards. */
enum mpa_status stored_write(const struct file_job *job, const struct stored *stored,
			     const struct mpa_array *array, const char *name);
/* Fills what the array, of element type `type`, owns on this rank. */
enum mpa_status stored_read(const struct file_job *job, const struct stored *stored,
			    struct mpa_array *array, enum mpa_elem type);

#endif
