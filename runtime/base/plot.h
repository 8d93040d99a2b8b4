/* base/plot.h - pictures of fields: colour map, colour bar, axes, title
 *
 * Pure: what every rank knows decides the size of the picture and its cells; values come
 * gathered in these cells, so a field of any size costs the same. One axis makes a
 * curve, two an image: the first axis goes to the right and the second up, unless the
 * second is called x or j: then rows come first, as in a matrix or a picture's file,
 * and the first row is on top. */
#ifndef MPA_BASE_PLOT_H
#define MPA_BASE_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plot_axis {
	const char *name;
	int64_t size;       /* > 0 */
	double first, step; /* coordinate of the first point, spacing */
};

struct plot {
	const char *title;
	int naxes;
	struct plot_axis axis[2]; /* as the field has them */
	double lo, hi;            /* of the values that are finite; lo > hi: none is */
	/* by plot_plan */
	int across, up; /* which axis goes to the right, which up or down */
	bool down;
	int width, height; /* of the drawn area, in pixels */
	int cells[2];      /* per axis of the field */
};

enum { PLOT_LEVELS = 1 << 16 };

void plot_plan(struct plot *p);
/* The cell along an axis that takes point i. */
int plot_cell(const struct plot *p, int axis, int64_t i);
/* An image's value as an integer, 0 at lo to PLOT_LEVELS at hi, also for infinities; -1:
 * it is not a number. So sums in cells do not depend on their order. */
int64_t plot_level(const struct plot *p, double value);

/* The PNG file, to be freed with free; NULL: no memory. Cells in C order of the field's
 * axes. Of an image: sums of levels and how many points; of a curve: the lowest and the
 * highest finite value in each, lowest > highest: none. */
unsigned char *plot_image(const struct plot *p, const int64_t *sum, const int64_t *count,
			  size_t *bytes);
unsigned char *plot_curve(const struct plot *p, const double *lowest,
			  const double *highest, size_t *bytes);

#endif
