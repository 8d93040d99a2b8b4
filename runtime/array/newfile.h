/* array/newfile.h - a file that appears under its name only when it is complete
 *
 * It is written beside its place under another name and renamed at the end; after a
 * failure nothing is left of it. A symbolic link is followed: what it leads to is
 * replaced. */
#ifndef MPA_ARRAY_NEWFILE_H
#define MPA_ARRAY_NEWFILE_H

#include <limits.h>

#include "array/stored.h"

struct newfile {
	const struct file_job *job;
	char final[PATH_MAX];     /* rank 0 only */
	char part[PATH_MAX + 32]; /* the name until then, on every rank */
};

/* Collective: chooses the names. */
enum mpa_status newfile_begin(struct newfile *f, const struct file_job *job);
/* Rank 0: a file of so many bytes that begins with `head`. */
enum mpa_status newfile_create(const struct newfile *f, const void *head, int64_t length,
			       int64_t bytes);
/* Rank 0: room for so many bytes, so that a full disk is seen early. */
bool file_reserve(int file, int64_t bytes);
/* Collective: with all ranks well it gets its name, else it goes. */
enum mpa_status newfile_end(const struct newfile *f, enum mpa_status mine);

#endif
