/* base/plot.c - pictures of fields: colour map, colour bar, axes, title
 *
 * The colours are viridis (S. van der Walt, N. Smith, E. Firing) by the polynomials of
 * degree six that M. Zucker fitted to it and put into the public domain (shadertoy
 * WlfXRN). */
#include "base/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/canvas.h"
#include "base/png.h"
#include "base/ticks.h"

enum { AREA = 512, CURVE_WIDTH = 600, CURVE_HEIGHT = 400, NARROWEST = 4 };
enum { GAP = 8, TICK = 6, BAR = 24, DOTS_MOST = 64, DOT = 5, TITLE_MOST = 48 };
/* pixels from tick to tick, at least */
enum { SPARSE = 90, DENSE = 28 };

static const struct color no_number = { 190, 190, 190 }, ink = { 0, 0, 0 };

/* ---- what every rank decides --------------------------------------------- */

static bool named(const struct plot_axis *a, char name)
{
	return a->name[0] == name && !a->name[1];
}

static double extent(const struct plot_axis *a)
{
	double d = (double)a->size * fabs(a->step);

	return d > 0 && isfinite(d) ? d : (double)a->size;
}

static void plan_curve(struct plot *p)
{
	p->across = p->up = 0;
	p->width = CURVE_WIDTH;
	p->height = CURVE_HEIGHT;
	p->cells[0] = p->axis[0].size < p->width ? (int)p->axis[0].size : p->width;
	p->cells[1] = 1;
}

void plot_plan(struct plot *p)
{
	double ratio;

	p->down = false;
	if (p->naxes == 1) {
		plan_curve(p);
		return;
	}
	p->down = named(&p->axis[1], 'x') || named(&p->axis[1], 'j');
	p->across = p->down ? 1 : 0;
	p->up = !p->across;
	ratio = extent(&p->axis[p->up]) / extent(&p->axis[p->across]);
	ratio = ratio > NARROWEST         ? NARROWEST
		: ratio < 1.0 / NARROWEST ? 1.0 / NARROWEST
					  : ratio;
	p->width = ratio > 1 ? (int)(AREA / ratio + 0.5) : AREA;
	p->height = ratio > 1 ? AREA : (int)(AREA * ratio + 0.5);
	for (int a = 0; a < 2; a++) {
		int most = a == p->across ? p->width : p->height;

		p->cells[a] = p->axis[a].size < most ? (int)p->axis[a].size : most;
	}
}

int plot_cell(const struct plot *p, int axis, int64_t i)
{
	int64_t size = p->axis[axis].size, cells = p->cells[axis];

	return (int)(size == cells ? i : i * cells / size);
}

/* Halves, since the distance of two finite numbers need not be finite. */
int64_t plot_level(const struct plot *p, double value)
{
	double t;

	if (isnan(value))
		return -1;
	if (p->lo == p->hi || p->lo > p->hi)
		return isinf(value) ? (value > 0 ? PLOT_LEVELS : 0) : PLOT_LEVELS / 2;
	t = (value / 2 - p->lo / 2) / (p->hi / 2 - p->lo / 2);
	t = t < 0 ? 0 : t > 1 ? 1 : t;
	return (int64_t)(t * PLOT_LEVELS + 0.5);
}

/* ---- colours -------------------------------------------------------------- */

static uint8_t part(const double *c, double t)
{
	double x = c[6];

	for (int i = 5; i >= 0; i--)
		x = x * t + c[i];
	x = x < 0 ? 0 : x > 1 ? 1 : x;
	return (uint8_t)(x * 255 + 0.5);
}

static struct color viridis(double t)
{
	static const double r[] = { 0.2777273272234177,  0.1050930431085774,
				    -0.3308618287255563, -4.634230498983486,
				    6.228269936347081,   4.776384997670288,
				    -5.435455855934631 },
			    g[] = { 0.005407344544966578, 1.404613529898575,
				    0.214847559468213,    -5.799100973351585,
				    14.17993336680509,    -13.74514537774601,
				    4.645852612178535 },
			    b[] = { 0.3340998053353061,  1.384590162594685,
				    0.09509516302823659, -19.33244095627987,
				    56.69055260068105,   -65.35303263337234,
				    26.3124352495832 };

	return (struct color){ part(r, t), part(g, t), part(b, t) };
}

/* ---- the frame ------------------------------------------------------------ */

/* Where things are: the area at left, top, with labels around it. */
struct sheet {
	struct canvas canvas;
	int left, top;
	struct ticks across, up, bar;
	char title[4 * TITLE_MOST];
};

/* Its first letters, of up to four bytes. */
static void title_cut(const char *title, char *cut)
{
	size_t n = 0;
	int letters = 0;

	for (; title[n]; n++) {
		letters += ((unsigned char)title[n] & 0xc0) != 0x80;
		if (letters > TITLE_MOST - 3)
			break;
	}
	memcpy(cut, title, n);
	strcpy(cut + n, title[n] ? "..." : "");
}

static int widest(const struct ticks *t)
{
	int most = 0;

	for (int i = 0; i < t->n; i++) {
		int width = canvas_text_width(t->label[i]);

		most = width > most ? width : most;
	}
	return most;
}

static struct ticks axis_ticks(const struct plot_axis *a, int wanted)
{
	double lo = a->first - a->step / 2, hi = lo + (double)a->size * a->step;

	return ticks_between(lo < hi ? lo : hi, lo < hi ? hi : lo,
			     wanted < a->size ? wanted : (int)a->size);
}

/* A constant field stands in the middle of its range. */
static void value_range(const struct plot *p, double *lo, double *hi)
{
	double around;

	*lo = p->lo;
	*hi = p->hi;
	if (p->lo > p->hi) {
		*lo = 0;
		*hi = 1;
	} else if (p->lo == p->hi) {
		around = fabs(p->lo) * 1e-3 > 0.5 ? fabs(p->lo) * 1e-3 : 0.5;
		*lo -= around;
		*hi += around;
	}
}

static bool sheet_new(struct sheet *s, const struct plot *p, bool bar)
{
	int right = GAP + TEXT_WIDTH, width, title;

	if (bar)
		right = 2 * GAP + BAR + TICK + GAP + widest(&s->bar) + GAP;
	title_cut(p->title, s->title);
	title = canvas_text_width(s->title);
	s->left = GAP + widest(&s->up) + GAP / 2 + TICK + 1;
	s->top = GAP + 2 * (TEXT_HEIGHT + GAP) + TEXT_HEIGHT / 2;
	width = s->left + p->width + right;
	if (width < s->left + title + GAP)
		width = s->left + title + GAP;
	s->canvas = canvas_new(width,
			       s->top + p->height + 2 * TICK + 2 * (TEXT_HEIGHT + GAP));
	return s->canvas.pixel;
}

/* How far a coordinate is along the n pixels of the area. */
static int along(const struct plot_axis *a, double at, int n)
{
	double lo = a->first - a->step / 2;

	return (int)((at - lo) / ((double)a->size * a->step) * n);
}

static void draw_across(struct sheet *s, const struct plot *p)
{
	const struct plot_axis *a = &p->axis[p->across];
	int y = s->top + p->height, name = canvas_text_width(a->name);

	for (int i = 0; i < s->across.n; i++) {
		int x = s->left + along(a, s->across.at[i], p->width);
		int width = canvas_text_width(s->across.label[i]);

		canvas_fill(&s->canvas, x, y, 1, TICK, ink);
		canvas_text(&s->canvas, x - width / 2, y + TICK + GAP / 2,
			    s->across.label[i]);
	}
	canvas_text(&s->canvas, s->left + (p->width - name) / 2,
		    y + TICK + GAP + TEXT_HEIGHT + GAP / 2, a->name);
}

/* A label to the left of the area, `up` pixels above its lower side. */
static void draw_up_tick(struct sheet *s, const struct plot *p, int up, const char *label)
{
	int y = p->down ? s->top + up : s->top + p->height - 1 - up;

	canvas_fill(&s->canvas, s->left - TICK, y, TICK, 1, ink);
	canvas_text(&s->canvas, s->left - TICK - GAP / 2 - canvas_text_width(label),
		    y - TEXT_HEIGHT / 2, label);
}

static void draw_frame(struct sheet *s, const struct plot *p)
{
	canvas_text(&s->canvas, s->left, GAP, s->title);
	canvas_frame(&s->canvas, s->left, s->top, p->width, p->height);
	draw_across(s, p);
}

static void draw_bar(struct sheet *s, const struct plot *p, double lo, double hi)
{
	int x = s->left + p->width + 2 * GAP, h = p->height;

	for (int y = 0; y < h; y++)
		canvas_fill(&s->canvas, x, s->top + h - 1 - y, BAR, 1,
			    viridis((y + 0.5) / h));
	canvas_frame(&s->canvas, x, s->top, BAR, h);
	for (int i = 0; i < s->bar.n; i++) {
		double t = (s->bar.at[i] / 2 - lo / 2) / (hi / 2 - lo / 2);
		int y = s->top + h - 1 - (int)(t * (h - 1) + 0.5);

		canvas_fill(&s->canvas, x + BAR, y, TICK, 1, ink);
		canvas_text(&s->canvas, x + BAR + TICK + GAP / 2, y - TEXT_HEIGHT / 2,
			    s->bar.label[i]);
	}
}

static void draw_nothing(struct sheet *s, const struct plot *p)
{
	static const char text[] = "no finite value";

	canvas_text(&s->canvas, s->left + (p->width - canvas_text_width(text)) / 2,
		    s->top + (p->height - TEXT_HEIGHT) / 2, text);
}

static unsigned char *sheet_finish(struct sheet *s, size_t *bytes)
{
	unsigned char *file = png_encode(&s->canvas, bytes);

	canvas_free(&s->canvas);
	return file;
}

/* ---- images ---------------------------------------------------------------- */

static struct color cell_color(int64_t sum, int64_t count)
{
	return count ? viridis((double)sum / (double)count / PLOT_LEVELS) : no_number;
}

static void draw_cells(struct sheet *s, const struct plot *p, const int64_t *sum,
		       const int64_t *count)
{
	int cell[2];

	for (int y = 0; y < p->height; y++)
		for (int x = 0; x < p->width; x++) {
			int up = p->down ? y : p->height - 1 - y;
			int64_t k;

			cell[p->across] =
				(2 * x + 1) * p->cells[p->across] / (2 * p->width);
			cell[p->up] = (2 * up + 1) * p->cells[p->up] / (2 * p->height);
			k = (int64_t)cell[0] * p->cells[1] + cell[1];
			canvas_fill(&s->canvas, s->left + x, s->top + y, 1, 1,
				    cell_color(sum[k], count[k]));
		}
}

unsigned char *plot_image(const struct plot *p, const int64_t *sum, const int64_t *count,
			  size_t *bytes)
{
	const struct plot_axis *up = &p->axis[p->up];
	struct sheet s;
	double lo, hi;

	value_range(p, &lo, &hi);
	s.across = axis_ticks(&p->axis[p->across], p->width / SPARSE);
	s.up = axis_ticks(up, p->height / DENSE);
	s.bar = ticks_between(lo, hi, p->height / DENSE);
	if (!sheet_new(&s, p, true))
		return NULL;
	draw_cells(&s, p, sum, count);
	draw_frame(&s, p);
	for (int i = 0; i < s.up.n; i++)
		draw_up_tick(&s, p, along(up, s.up.at[i], p->height), s.up.label[i]);
	canvas_text(&s.canvas, s.left - TICK - GAP / 2 - canvas_text_width(up->name),
		    s.top - 2 * TEXT_HEIGHT - GAP / 2, up->name);
	if (p->lo <= p->hi)
		draw_bar(&s, p, lo, hi);
	else
		draw_nothing(&s, p);
	return sheet_finish(&s, bytes);
}

/* ---- curves ---------------------------------------------------------------- */

static int curve_y(const struct sheet *s, const struct plot *p, double t)
{
	return s->top + p->height - 2 - (int)(t * (p->height - 2) + 0.5);
}

/* From column to column; what is not finite leaves a gap. */
static void draw_curve(struct sheet *s, const struct plot *p, const double *lowest,
		       const double *highest, const double range[2])
{
	int before[2] = { 0, 0 }, n = p->cells[0];
	double width = range[1] / 2 - range[0] / 2;
	bool joined = false;

	for (int i = 0; i < n; i++) {
		int x = s->left + (int)((2 * i + 1) * (int64_t)p->width / (2 * n));
		int low[2] = { x, 0 }, high[2] = { x, 0 };

		if (lowest[i] > highest[i]) {
			joined = false;
			continue;
		}
		low[1] = curve_y(s, p, (lowest[i] / 2 - range[0] / 2) / width);
		high[1] = curve_y(s, p, (highest[i] / 2 - range[0] / 2) / width);
		if (joined)
			canvas_line(&s->canvas, before, low, viridis(0.25));
		canvas_line(&s->canvas, low, high, viridis(0.25));
		if (p->axis[0].size <= DOTS_MOST)
			canvas_fill(&s->canvas, x - DOT / 2, low[1] - DOT / 2, DOT + 1,
				    DOT + 1, viridis(0.25));
		memcpy(before, high, sizeof before);
		joined = true;
	}
}

/* Room above and below. */
static void widen(double range[2])
{
	double more = (range[1] / 2 - range[0] / 2) / 10;

	if (isfinite(range[0] - more) && isfinite(range[1] + more)) {
		range[0] -= more;
		range[1] += more;
	}
}

unsigned char *plot_curve(const struct plot *p, const double *lowest,
			  const double *highest, size_t *bytes)
{
	double range[2];
	struct sheet s;

	value_range(p, &range[0], &range[1]);
	widen(range);
	s.across = axis_ticks(&p->axis[0], p->width / SPARSE);
	s.up = ticks_between(range[0], range[1], p->height / DENSE);
	if (!sheet_new(&s, p, false))
		return NULL;
	draw_frame(&s, p);
	if (p->lo <= p->hi)
		draw_curve(&s, p, lowest, highest, range);
	else
		draw_nothing(&s, p);
	for (int i = 0; i < s.up.n && p->lo <= p->hi; i++) {
		double t =
			(s.up.at[i] / 2 - range[0] / 2) / (range[1] / 2 - range[0] / 2);

		draw_up_tick(&s, p, (int)(t * (p->height - 2) + 0.5), s.up.label[i]);
	}
	return sheet_finish(&s, bytes);
}
