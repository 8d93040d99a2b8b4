/* base/canvas.h - pixels, and what is drawn with them
 *
 * x counts to the right, y down. What lies outside is not drawn. */
#ifndef MPA_BASE_CANVAS_H
#define MPA_BASE_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

struct color {
	uint8_t r, g, b;
};

struct canvas {
	int width, height;
	struct color *pixel; /* rows from the top; NULL: no memory */
};

enum { TEXT_WIDTH = 12, TEXT_HEIGHT = 14 }; /* of a letter, the gap behind it included */

struct canvas canvas_new(int width, int height); /* white */
void canvas_free(struct canvas *c);
void canvas_fill(struct canvas *c, int x, int y, int width, int height,
		 struct color color);
void canvas_frame(struct canvas *c, int x, int y, int width, int height); /* around it */
void canvas_line(struct canvas *c, const int from[2], const int to[2],
		 struct color color);
/* Letters in UTF-8, black; those that the font lacks are boxes. */
void canvas_text(struct canvas *c, int x, int y, const char *text);
int canvas_text_width(const char *text);

#endif
