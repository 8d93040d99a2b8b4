/* array/vti.h - VTK image data, written by all ranks in parallel
 *
 * Point data on a regular grid of one to three axes, raw behind an XML header. Axes
 * called x, y, z are those of VTK, others take its axes in the order written; local axes
 * are the components of a point, a complex number has two. */
#ifndef MPA_ARRAY_VTI_H
#define MPA_ARRAY_VTI_H

#include "array/stored.h"

enum { VTI_AXES = 3 };

struct vti_field {
	const char *name;
	enum mpa_elem elem;
	const struct layout *layout;
	const struct mpa_array *array;
	const char *axis[MPA_MAX_AXES]; /* names */
	double first[MPA_MAX_AXES], step[MPA_MAX_AXES];
};

/* Collective; the fields must have the same points. */
enum mpa_status vti_write(struct comm *comm, const char *path,
			  const struct vti_field *field, int n);

#endif
