/* tests/unit/evaluate.c - the evaluator against formulas and padded arrays
 *
 * Programs are built by hand. Ghosts are compared with an array that is padded axis
 * after axis, as numpy.pad does it, which shares nothing with the evaluator's rules.
 */
#include <math.h>
#include <unistd.h>

#include "array/evaluate.h"
#include "base/random.h"
#include "make_air.h"
#include "unit.h"

static struct arena *arena;
static struct air_program *p;

static void set_up(void)
{
	arena = arena_new();
	p = air_new(arena, "test.mpa");
}

static void tear_down(void)
{
	arena_free(arena);
}

/* What the program prints. */
static char *printed(int status, int argc, char **argv)
{
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	const char *wrong = air_verify(p);

	ck_assert_msg(!wrong, "%s", wrong);
	ck_assert_int_eq(air_evaluate(p, argc, argv, out), status);
	fclose(out);
	return text;
}

static void expect(const char *expected)
{
	char *text = printed(0, 0, NULL);

	ck_assert_str_eq(text, expected);
	free(text);
}

static void print_field(struct air_field *f)
{
	struct air_stmt *s = air_stmt_new(p, &p->body, STMT_PRINT, nowhere);

	s->text.n = 1;
	s->text.piece = arena_new_object(arena, struct air_piece);
	*s->text.piece = (struct air_piece){ .kind = PIECE_FIELD, .field = f };
}

static void print_value(const struct air_expr *e, const char *format)
{
	struct air_stmt *s = air_stmt_new(p, &p->body, STMT_PRINT, nowhere);

	s->text.n = 1;
	s->text.piece = arena_new_object(arena, struct air_piece);
	*s->text.piece = (struct air_piece){ .kind = PIECE_SCALAR, .value = e,
		                             .format = format };
}

static void print_var(struct air_var *v)
{
	print_value(air_read_var(p, v, nowhere), "");
}

static const struct air_expr *real(const struct air_expr *e)
{
	return air_cast(p, e, ELEM_F64);
}

static const struct air_expr *mirror(struct air_field *f, enum air_mirror m)
{
	return air_mirror(p, f, m, nowhere);
}

/* a[x-1] - 2 a + a[x+1] */
static const struct air_expr *second(struct air_field *f)
{
	return add(p, sub(p, at(p, f, -1, 0), mul(p, f64(p, 2), here(p, f))),
	           at(p, f, 1, 0));
}

static struct air_stmt *set_region(struct air_stmt *s, int axis, int64_t lo, int64_t hi)
{
	struct air_slice *slice = &s->target->region.axis[axis];

	*slice = (struct air_slice){ .part = PART_RANGE, .step = 1 };
	slice->lo = i64(p, lo);
	slice->hi = hi == INT64_MAX ? NULL : i64(p, hi);
	return s;
}

/* ghosts against padding */

enum { NX = 4, NY = 3, PAD = 6, WIDE = NX + 2 * PAD, HIGH = NY + 2 * PAD };

enum wall { PERIODIC, EDGE, SYMMETRIC, REFLECT, VALUE, POSITION };

static double start_value(int x, int y)
{
	return 1 + 10 * x + y * y;
}

static int back(enum wall wall, int i, int n)
{
	switch (wall) {
	case PERIODIC:
		return (i % n + n) % n;
	case EDGE:
		return i < 0 ? 0 : n - 1;
	case SYMMETRIC:
		return i < 0 ? -i - 1 : 2 * n - i - 1;
	default:
		return i < 0 ? -i : 2 * n - 2 - i;
	}
}

/* Pads along one axis, outwards from the walls, so that mirrored points exist. POSITION
 * is 100 x + y of the ghost itself, x and y wrapped along later periodic axes only. */
static void pad_axis(double a[WIDE][HIGH], int axis, enum wall wall)
{
	int n = axis ? NY : NX;

	for (int k = 1; k <= PAD; k++)
		for (int side = 0; side < 2; side++)
			for (int j = 0; j < (axis ? WIDE : HIGH); j++) {
				int i = side ? n - 1 + k : -k, from = back(wall, i, n);
				double *ghost = axis ? &a[j][i + PAD] : &a[i + PAD][j];

				if (wall == VALUE)
					*ghost = 7;
				else if (wall == POSITION)
					*ghost = axis ? 100 * (j - PAD) + i : 100 * i + j - PAD;
				else
					*ghost = axis ? a[j][from + PAD] : a[from + PAD][j];
			}
}

static const struct air_expr *condition(struct air_field *u, struct grid *g, enum wall wall)
{
	switch (wall) {
	case EDGE:
		return mirror(u, MIRROR_EDGE);
	case SYMMETRIC:
		return mirror(u, MIRROR_SYMMETRIC);
	case REFLECT:
		return mirror(u, MIRROR_REFLECT);
	case VALUE:
		return f64(p, 7);
	default:
		return add(p, mul(p, f64(p, 100), real(index_of(p, g, 0))),
		           real(index_of(p, g, 1)));
	}
}

static void pad(double a[WIDE][HIGH], enum wall x, enum wall y)
{
	memset(a, 0, WIDE * HIGH * sizeof **a);
	for (int i = 0; i < NX; i++)
		for (int j = 0; j < NY; j++)
			a[i + PAD][j + PAD] = start_value(i, j);
	pad_axis(a, 0, x);
	pad_axis(a, 1, y);
	/* positions beyond a wall of x do not count on along a periodic y behind it */
	for (int i = 0; x == POSITION && y == PERIODIC && i < WIDE; i++)
		for (int j = 0; (i < PAD || i >= PAD + NX) && j < HIGH; j++)
			a[i][j] = 100 * (i - PAD) + back(PERIODIC, j - PAD, NY);
}

START_TEST(ghosts_are_those_of_padding)
{
	enum wall x = _i / 6, y = _i % 6;
	double a[WIDE][HIGH];
	char axes[16];
	struct grid *g;
	struct air_field *u, *sum;
	const struct air_expr *wrong = f64(p, 0), *k = f64(p, 1);

	snprintf(axes, sizeof axes, "x:%d%s y:%d%s", NX, x ? "" : "p", NY, y ? "" : "p");
	g = grid(p, "g", axes);
	u = field(p, "u", ELEM_F64, g);
	sum = field(p, "sum", ELEM_F64, g);
	for (int side = 0; side < 2; side++) {
		if (x)
			u->ghost[0][side] = (struct air_ghost){ GHOST_EXPR, condition(u, g, x), nowhere };
		if (y)
			u->ghost[1][side] = (struct air_ghost){ GHOST_EXPR, condition(u, g, y), nowhere };
	}
	k = real(index_of(p, g, 1));
	assign(p, &p->body, u, add(p, add(p, f64(p, 1), mul(p, f64(p, 10), real(index_of(p, g, 0)))),
	                           mul(p, k, k)));
	/* at every offset, the number of points where the read differs */
	pad(a, x, y);
	for (int i = -PAD; i <= PAD; i++)
		for (int j = -PAD; j <= PAD; j++) {
			const struct air_expr *entry[NX * NY + 1], *differs, *select[3];

			entry[0] = add(p, mul(p, i64(p, NY), index_of(p, g, 0)),
			               index_of(p, g, 1));
			for (int q = 0; q < NX * NY; q++) {
				int r = q / NY + i + PAD, s = q % NY + j + PAD;

				/* only what has been padded */
				entry[1 + q] = r >= 0 && r < WIDE && s >= 0 && s < HIGH
				                       ? f64(p, a[r][s]) : f64(p, NAN);
			}
			differs = op2(p, AIR_NE, ELEM_BOOL, at(p, u, i, j),
			              air_op(p, AIR_LOOKUP, ELEM_F64, entry, NX * NY + 1, nowhere));
			select[0] = differs;
			select[1] = f64(p, 1000 * (i + PAD) + j + PAD + 1);
			select[2] = f64(p, 0);
			wrong = op2(p, AIR_MAX, ELEM_F64, wrong,
			            air_op(p, AIR_SELECT, ELEM_F64, select, 3, nowhere));
		}
	assign(p, &p->body, sum, wrong);
	print_var(reduce(p, REDUCE_MAX, ELEM_F64, here(p, sum)));
	expect("0.0\n");
}
END_TEST

/* cases with known answers */

START_TEST(conditions_are_expressions)
{
	struct grid *g = grid(p, "g", "x:4");
	struct air_field *u = field(p, "u", ELEM_F64, g), *v = field(p, "v", ELEM_F64, g);
	struct air_field *w = field(p, "w", ELEM_F64, g), *out = field(p, "out", ELEM_F64, g);
	const struct air_expr *x = real(index_of(p, g, 0));

	walls(u, sub(p, f64(p, 10), mirror(u, MIRROR_SYMMETRIC)));
	walls(v, sub(p, mul(p, f64(p, 2), mirror(v, MIRROR_EDGE)), mirror(v, MIRROR_REFLECT)));
	v->ghost[0][0].value = sub(p, mirror(v, MIRROR_EDGE), f64(p, 3));
	walls(w, mul(p, x, x));
	assign(p, &p->body, u, add(p, x, f64(p, 1)));
	assign(p, &p->body, v, here(p, u));
	assign(p, &p->body, out, second(u));
	print_field(out);
	assign(p, &p->body, out, second(v));
	print_field(out);
	assign(p, &p->body, out, add(p, at(p, w, 2, 0), at(p, w, -2, 0)));
	print_field(out);
	expect("[9. 0. 0. 1.]\n[-2.  0.  0.  0.]\n[ 4.  1. 16. 25.]\n");
}
END_TEST

START_TEST(reads_wrap_more_than_once)
{
	struct grid *g = grid(p, "g", "x:3p");
	struct air_field *u = field(p, "u", ELEM_I64, g);
	const struct air_expr *sum = i64(p, 0);

	assign(p, &p->body, u, index_of(p, g, 0));
	for (int d = -4; d <= 4; d++)
		sum = add(p, sum, at(p, u, d, 0));
	assign(p, &p->body, u, sum);
	print_field(u);
	expect("[9 9 9]\n");
}
END_TEST

START_TEST(stages_have_their_own_walls)
{
	struct grid *g = grid(p, "g", "x:9");
	struct air_field *u = field(p, "u", ELEM_F64, g), *s = u;
	struct air_stmt *one;

	walls(u, f64(p, 0));
	one = assign(p, &p->body, u, f64(p, 1));
	set_region(one, 0, 4, 5);
	for (int k = 1; k < 6; k++) {
		s = stage(p, "s", g, second(s));
		walls(s, f64(p, 0));
	}
	assign(p, &p->body, u, second(s));
	print_field(u);
	expect("[  65. -220.  495. -792.  924. -792.  495. -220.   65.]\n");
}
END_TEST

START_TEST(stages_stay_what_they_were)
{
	struct grid *g = grid(p, "g", "x:3");
	struct air_field *u = field(p, "u", ELEM_F64, g), *s, *computed;
	struct air_var *level = air_var_new(p, "level", ELEM_F64, nowhere);
	struct air_stmt *set = air_stmt_new(p, &p->body, STMT_SET, nowhere);

	set->var = level;
	set->value = f64(p, 5);
	walls(u, air_read_var(p, level, nowhere));
	s = stage(p, "s", g, add(p, here(p, u), f64(p, 1)));
	walls(s, mul(p, f64(p, 2), air_read_var(p, level, nowhere)));
	s->ghost[0][1].value = mirror(s, MIRROR_REFLECT);
	computed = stage(p, "computed", g, mul(p, here(p, u), f64(p, 3)));
	for (int side = 0; side < 2; side++)
		computed->ghost[0][side].kind = GHOST_COMPUTED;
	set = air_stmt_new(p, &p->body, STMT_SET, nowhere);
	set->var = level;
	set->value = f64(p, 100);
	assign(p, &p->body, u, f64(p, 50));
	/* neighbours to the left: of s the old 2*level, of computed the old ghost of u */
	assign(p, &p->body, u, add(p, at(p, s, -1, 0), at(p, u, -1, 0)));
	print_field(u);
	assign(p, &p->body, u, add(p, at(p, computed, 1, 0), at(p, s, 1, 0)));
	print_field(u);
	expect("[110.  51.  51.]\n[ 1.  1. 16.]\n");
}
END_TEST

START_TEST(assignments_happen_at_once)
{
	struct grid *g = grid(p, "g", "x:3");
	struct air_field *s = field(p, "s", ELEM_I64, g), *t = field(p, "t", ELEM_I64, g);
	struct air_stmt *swap;

	walls(s, i64(p, 100));
	walls(t, i64(p, 200));
	assign(p, &p->body, s, index_of(p, g, 0));
	assign(p, &p->body, t, mul(p, i64(p, 10), index_of(p, g, 0)));
	swap = assign(p, &p->body, s, here(p, t));
	swap->n_targets = 2;
	swap->target = arena_array(arena, 2, sizeof *swap->target);
	swap->target[0] = (struct air_target){ .field = s, .value = here(p, t) };
	swap->target[1] = (struct air_target){ .field = t, .value = here(p, s) };
	assign(p, &p->body, s, at(p, s, -1, 0));
	print_field(s);
	assign(p, &p->body, t, at(p, t, -1, 0));
	print_field(t);
	expect("[100   0  10]\n[200   0   1]\n");
}
END_TEST

/* [lo:hi:step] of the axis */
static void part(struct air_slice *x, int64_t lo, int64_t hi, int64_t step)
{
	*x = (struct air_slice){ PART_RANGE, i64(p, lo), i64(p, hi), step };
}

static struct air_copy *copy_new(struct air_field *to, struct air_field *from)
{
	struct air_copy *c = arena_new_object(arena, struct air_copy);

	*c = (struct air_copy){ .to = to, .from = from, .pair = { 0, 1 } };
	for (int i = 0; i < MAX_AXES; i++)
		c->to_region.axis[i].step = c->from_region.axis[i].step = 1;
	air_stmt_new(p, &p->body, STMT_COPY, nowhere)->copy = c;
	return c;
}

START_TEST(copies_go_position_by_position)
{
	struct grid *g = grid(p, "g", "x:5"), *h = grid(p, "h", "a:2 b:3");
	struct air_field *u = field(p, "u", ELEM_I64, g), *w = field(p, "w", ELEM_I64, h);
	struct air_copy *c;

	assign(p, &p->body, u, index_of(p, g, 0));
	c = copy_new(u, u);
	part(&c->to_region.axis[0], 1, 4, 1);
	part(&c->from_region.axis[0], 0, 3, 1);
	print_field(u);
	c = copy_new(u, u);
	part(&c->from_region.axis[0], -1, -6, -1);
	print_field(u);
	c = copy_new(w, u);
	part(&c->from_region.axis[0], 0, 5, 2);
	c->pair[0] = -1;
	c->pair[1] = 0;
	print_field(w);
	c = copy_new(u, w);
	part(&c->to_region.axis[0], 3, 9, 1);
	c->from_region.axis[1] = (struct air_slice){ PART_AT, i64(p, -2), NULL, 1 };
	c->pair[1] = -1;
	print_field(u);
	expect("[0 0 1 2 4]\n[4 2 1 0 0]\n[[4 1 0]\n [4 1 0]]\n[4 2 1 1 1]\n");
}
END_TEST

START_TEST(masks_and_regions_choose_points)
{
	struct grid *g = grid(p, "g", "x:6");
	struct air_field *u = field(p, "u", ELEM_I64, g);
	struct air_stmt *s;

	assign(p, &p->body, u, index_of(p, g, 0))->mask =
		op2(p, AIR_LT, ELEM_BOOL, i64(p, 3), index_of(p, g, 0));
	s = assign(p, &p->body, u, i64(p, -1));
	set_region(s, 0, 0, -3);
	s->target->region.axis[0].step = 2;
	s = assign(p, &p->body, u, i64(p, 7));
	s->target->region.axis[0] = (struct air_slice){ .part = PART_AT, .lo = i64(p, -1) };
	print_field(u);
	expect("[-1  0 -1  0  4  7]\n");
}
END_TEST

START_TEST(heat_keeps_its_energy)
{
	struct grid *g = grid(p, "g", "x:8 y:5");
	struct air_field *u = field(p, "u", ELEM_F64, g);
	struct air_var *step = air_var_new(p, "t", ELEM_I64, nowhere);
	const struct air_expr *sum = add(p, add(p, at(p, u, 1, 0), at(p, u, -1, 0)),
	                                 add(p, at(p, u, 0, 1), at(p, u, 0, -1)));
	struct air_stmt *loop;
	double a[10][7] = { { 0 } }, b[10][7];
	char expected[64];

	walls(u, mirror(u, MIRROR_EDGE));
	assign(p, &p->body, u, real(mul(p, index_of(p, g, 0), index_of(p, g, 1))));
	loop = air_stmt_new(p, &p->body, STMT_FOR, nowhere);
	loop->var = step;
	loop->from = i64(p, 0);
	loop->to = i64(p, 20);
	loop->by = i64(p, 1);
	sum = sub(p, sum, mul(p, f64(p, 4), here(p, u)));
	assign(p, &loop->body, u, add(p, here(p, u), mul(p, f64(p, 0.2), sum)));
	print_value(air_read_var(p, reduce(p, REDUCE_MAX, ELEM_F64, here(p, u)), nowhere), "");
	print_value(air_read_var(p, reduce(p, REDUCE_SUM, ELEM_F64, here(p, u)), nowhere),
	            ".6f");
	for (int i = 1; i <= 8; i++)
		for (int j = 1; j <= 5; j++)
			a[i][j] = (i - 1) * (j - 1);
	for (int t = 0; t < 20; t++) {
		for (int i = 0; i < 10; i++)
			a[i][0] = a[i][1], a[i][6] = a[i][5];
		for (int j = 0; j < 7; j++)
			a[0][j] = a[1][j], a[9][j] = a[8][j];
		for (int i = 1; i <= 8; i++)
			for (int j = 1; j <= 5; j++)
				b[i][j] = a[i][j] + 0.2 * (a[i + 1][j] + a[i - 1][j] +
				          (a[i][j + 1] + a[i][j - 1]) - 4 * a[i][j]);
		for (int i = 1; i <= 8; i++)
			memcpy(&a[i][1], &b[i][1], 5 * sizeof(double));
	}
	snprintf(expected, sizeof expected, "%.17g\n280.000000\n", a[8][5]);
	expect(expected);
}
END_TEST

START_TEST(sums_are_exact)
{
	struct grid *g = grid(p, "g", "x:10");
	struct air_field *u = field(p, "u", ELEM_F64, g);
	static const double value[] = { 1e308, 1e308, -1e308, -1e308, 1, 1e-300, 5e-324, 1e100,
		                        -1e100, 0x1p-53 };
	const struct air_expr *entry[11] = { index_of(p, g, 0) };

	for (int i = 0; i < 10; i++)
		entry[i + 1] = f64(p, value[i]);
	assign(p, &p->body, u, air_op(p, AIR_LOOKUP, ELEM_F64, entry, 11, nowhere));
	print_var(reduce(p, REDUCE_SUM, ELEM_F64, here(p, u)));
	assign(p, &p->body, u, f64(p, 0.1));
	print_var(reduce(p, REDUCE_SUM, ELEM_F64, here(p, u)));
	print_var(reduce(p, REDUCE_SUM, ELEM_F64, op1(p, AIR_NEG, ELEM_F64, here(p, u))));
	print_var(reduce(p, REDUCE_SUM, ELEM_F64, mul(p, here(p, u), f64(p, INFINITY))));
	expect("1.0000000000000002\n1.0\n-1.0\ninf\n");
}
END_TEST

START_TEST(reductions_are_numpys)
{
	struct grid *g = grid(p, "g", "x:5");
	struct air_field *u = field(p, "u", ELEM_F64, g);
	const struct air_expr *x = real(index_of(p, g, 0)), *v = here(p, u);

	assign(p, &p->body, u, sub(p, mul(p, x, x), f64(p, 4)));
	print_var(reduce(p, REDUCE_PROD, ELEM_F64, add(p, v, f64(p, 5))));
	print_var(reduce(p, REDUCE_ARGMIN, ELEM_I64, op1(p, AIR_ABS, ELEM_F64, v)));
	print_var(reduce(p, REDUCE_ARGMAX, ELEM_I64, v));
	print_var(reduce(p, REDUCE_ANY, ELEM_BOOL, op2(p, AIR_LT, ELEM_BOOL, v, f64(p, -4))));
	print_var(reduce(p, REDUCE_ALL, ELEM_BOOL, op2(p, AIR_LE, ELEM_BOOL, f64(p, -4), v)));
	print_var(reduce(p, REDUCE_MAX, ELEM_F64, op1(p, AIR_SQRT, ELEM_F64, v)));
	print_var(reduce(p, REDUCE_ARGMAX, ELEM_I64, op1(p, AIR_SQRT, ELEM_F64, v)));
	expect("1700.0\n2\n4\nfalse\ntrue\nnan\n0\n");
}
END_TEST

static void file_of(struct air_stmt *s, const char *path, struct air_field *f)
{
	s->value = air_string(p, path);
	s->n_items = 1;
	s->item = arena_new_array(p->arena, 1, struct air_item);
	s->item->name = air_string(p, "");
	s->item->field = f;
}

START_TEST(files_come_back)
{
	struct grid *g = grid(p, "g", "x:3 y:4");
	struct air_field *k = field(p, "k", ELEM_I32, g), *u = field(p, "u", ELEM_F32, g);
	char path[] = "/tmp/evaluate-XXXXXX";
	int file = mkstemp(path);
	struct air_stmt *s;

	assign(p, &p->body, k, air_cast(p, add(p, mul(p, i64(p, 10), index_of(p, g, 0)),
	                                       index_of(p, g, 1)), ELEM_I32));
	s = air_stmt_new(p, &p->body, STMT_SAVE, nowhere);
	file_of(s, path, k);
	s = air_stmt_new(p, &p->body, STMT_LOAD, nowhere);
	file_of(s, path, u);
	s = air_stmt_new(p, &p->body, STMT_SHAPE, nowhere);
	s->var = air_var_new(p, "n", ELEM_I64, nowhere);
	file_of(s, path, NULL);
	s->from = i64(p, 1);
	print_var((struct air_var *)s->var);
	print_field(u);
	expect("4\n[[ 0.  1.  2.  3.]\n [10. 11. 12. 13.]\n [20. 21. 22. 23.]]\n");
	close(file);
	unlink(path);
}
END_TEST

START_TEST(options_set_parameters)
{
	struct air_var *n = air_var_new(p, "n", ELEM_I64, nowhere);
	struct air_var *m = air_var_new(p, "m", ELEM_I64, nowhere);
	char *few[] = { "--n=3" }, *bad[] = { "--n=x" }, *seed[] = { "--seed=5", "--m=0x" };
	char *text;

	p->n_params = 2;
	p->param = arena_new_array(arena, 2, struct air_param);
	p->param[0] = (struct air_param){ .var = n, .value = i64(p, 4) };
	p->param[1] = (struct air_param){
		.var = m, .value = mul(p, i64(p, 2), air_read_var(p, n, nowhere)),
	};
	print_var(m);
	expect("8\n");
	text = printed(0, 1, few);
	ck_assert_str_eq(text, "6\n");
	free(text);
	free(printed(2, 1, bad));
	free(printed(2, 2, seed));
}
END_TEST

START_TEST(failures_end_the_program)
{
	struct air_field *u = field(p, "u", ELEM_F64, grid(p, "g", "x:3"));
	struct air_stmt *s = air_stmt_new(p, &p->body, STMT_ELEMENT, nowhere);

	s->var = air_var_new(p, "v", ELEM_F64, nowhere);
	s->field = u;
	s->index[0] = i64(p, 3);
	print_field(u);
	free(printed(1, 0, NULL));
}
END_TEST

START_TEST(draws_are_counted)
{
	struct air_field *u = field(p, "u", ELEM_F64, grid(p, "g", "x:64"));
	struct air_var *k[2];
	char expected[64];
	double most = -1;

	for (int i = 0; i < 2; i++) {
		struct air_stmt *s = air_stmt_new(p, &p->body, STMT_DRAW, nowhere);

		s->var = k[i] = air_var_new(p, "k", ELEM_I64, nowhere);
	}
	for (int i = 0; i < 2; i++)
		assign(p, &p->body, u,
		       sub(p, air_random(p, u->grid, ELEM_F64, air_read_var(p, k[i], nowhere),
		                         0, nowhere), here(p, u)));
	print_var(reduce(p, REDUCE_MAX, ELEM_F64, here(p, u)));
	print_var(k[1]);
	for (int i = 0; i < 64; i++)
		most = fmax(most, random_uniform(0, i, 1) - random_uniform(0, i, 0));
	snprintf(expected, sizeof expected, "%.16g\n1\n", most);
	expect(expected);
}
END_TEST

static Suite *evaluate_suite(void)
{
	Suite *s = suite_create("evaluate");
	TCase *t = tcase_create("evaluate");

	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_loop_test(t, ghosts_are_those_of_padding, 0, 36);
	tcase_add_test(t, conditions_are_expressions);
	tcase_add_test(t, reads_wrap_more_than_once);
	tcase_add_test(t, stages_have_their_own_walls);
	tcase_add_test(t, stages_stay_what_they_were);
	tcase_add_test(t, assignments_happen_at_once);
	tcase_add_test(t, copies_go_position_by_position);
	tcase_add_test(t, masks_and_regions_choose_points);
	tcase_add_test(t, heat_keeps_its_energy);
	tcase_add_test(t, sums_are_exact);
	tcase_add_test(t, reductions_are_numpys);
	tcase_add_test(t, files_come_back);
	tcase_add_test(t, options_set_parameters);
	tcase_add_test(t, failures_end_the_program);
	tcase_add_test(t, draws_are_counted);
	suite_add_tcase(s, t);
	return s;
}

UNIT_MAIN(evaluate_suite)
