/* base/canvas.c - pixels, and what is drawn with them */
#include "base/canvas.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 5, ROWS = 8, SCALE = 2 };

static const struct color black = { 0, 0, 0 };

struct canvas canvas_new(int width, int height)
{
	size_t n = (size_t)width * (size_t)height;
	struct canvas c = { width, height, malloc(n * sizeof *c.pixel) };

	if (c.pixel)
		memset(c.pixel, 255, n * sizeof *c.pixel);
	return c;
}

void canvas_free(struct canvas *c)
{
	free(c->pixel);
	c->pixel = NULL;
}

void canvas_fill(struct canvas *c, int x, int y, int width, int height,
		 struct color color)
{
	for (int j = y < 0 ? 0 : y; j < y + height && j < c->height; j++)
		for (int i = x < 0 ? 0 : x; i < x + width && i < c->width; i++)
			c->pixel[(size_t)j * (size_t)c->width + (size_t)i] = color;
}

void canvas_frame(struct canvas *c, int x, int y, int width, int height)
{
	canvas_fill(c, x - 1, y - 1, width + 2, 1, black);
	canvas_fill(c, x - 1, y + height, width + 2, 1, black);
	canvas_fill(c, x - 1, y, 1, height, black);
	canvas_fill(c, x + width, y, 1, height, black);
}

/* Bresenham's, two pixels thick. */
void canvas_line(struct canvas *c, const int from[2], const int to[2], struct color color)
{
	int x = from[0], y = from[1];
	int dx = abs(to[0] - x), dy = -abs(to[1] - y), error = dx + dy, twice;

	for (;;) {
		canvas_fill(c, x, y, 2, 2, color);
		if (x == to[0] && y == to[1])
			return;
		twice = 2 * error;
		if (twice >= dy) {
			error += dy;
			x += to[0] > x ? 1 : -1;
		}
		if (twice <= dx) {
			error += dx;
			y += to[1] > y ? 1 : -1;
		}
	}
}

static const uint8_t *glyph(unsigned char letter)
{
	static const uint8_t box[COLUMNS] = { 0x7f, 0x41, 0x41, 0x41, 0x7f };
	static const uint8_t font[128][COLUMNS] = {
#define GLYPH(code, a, b, c, d, e) [code] = { a, b, c, d, e },
#include "base/font.def"
#undef GLYPH
	};

	return letter >= ' ' && letter <= '~' ? font[letter] : box;
}

static bool follows(char byte)
{
	return ((unsigned char)byte & 0xc0) ==
	       0x80; /* inside a letter of several bytes */
}

void canvas_text(struct canvas *c, int x, int y, const char *text)
{
	for (; *text; text++) {
		const uint8_t *column = glyph((unsigned char)*text);

		if (follows(*text))
			continue;
		for (int i = 0; i < COLUMNS; i++)
			for (int j = 0; j < ROWS; j++)
				if (column[i] >> j & 1)
					canvas_fill(c, x + i * SCALE, y + j * SCALE,
						    SCALE, SCALE, black);
		x += TEXT_WIDTH;
	}
}

int canvas_text_width(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += !follows(*text);
	return n ? n * TEXT_WIDTH - SCALE : 0;
}
