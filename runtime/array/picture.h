/* array/picture.h - a field drawn into a PNG file
 *
 * Each rank reduces what it owns to the cells of the picture; the sums of these travel,
 * never the field. They are sums of integers, so the picture is the same on any number
 * of ranks. */
#ifndef MPA_ARRAY_PICTURE_H
#define MPA_ARRAY_PICTURE_H

#include "array/stored.h"
#include "base/plot.h"

/* Collective. plot: title and axes are set; the array has as many axes. */
enum mpa_status picture_write(const struct file_job *job, struct plot *plot,
			      const struct mpa_array *array, enum mpa_elem elem);

#endif
