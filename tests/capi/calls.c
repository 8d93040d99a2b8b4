/* tests/capi/calls.c - what mpa/mpa.h promises, call by call; says "fine" on rank 0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

static struct mpa *p;
static int wrong;

#define NEED(truth)                                                                      \
	do {                                                                             \
		if (!(truth)) {                                                          \
			fprintf(stderr, "line %d: %s; %s\n", __LINE__, #truth,           \
				p ? mpa_error(p) : "");                                  \
			wrong++;                                                         \
		}                                                                        \
	} while (0)

static struct mpa_field *field(const char *name)
{
	struct mpa_field *f = mpa_find_field(p, name);

	NEED(f && strcmp(mpa_field_name(f), name) == 0);
	return f;
}

static void before(void)
{
	double d;
	int64_t shape[MPA_MAX_AXES];

	NEED(calls_old(p, &d) == MPA_WRONG && strstr(mpa_error(p), "not executed"));
	NEED(mpa_field_shape(field("u"), shape) == MPA_WRONG);
	NEED(mpa_execute(p) == MPA_FINE);
	NEED(mpa_execute(p) == MPA_WRONG && strstr(mpa_error(p), "already"));
}

static void scalars(void)
{
	double d = 0;
	uint8_t k = 0;
	bool b = false;
	float f = 0;
	int32_t m = 0;
	const char *t = "";
	union mpa_value in[7] = { { .boolean = 1 }, { .u8 = 255 }, { .i32 = -7 }, { .i64 = 1 },
				  { .f32 = 0.25f }, { .f64 = 1e-3 }, { .text = "text" } };
	union mpa_value out;

	NEED(calls_types(p, true, 255, -7, 1, 0.25f, 1e-3, "text", &d) == MPA_FINE);
	NEED(d == 1 + 2 * 255 - 3 * 7 + 4 + 5 * 0.25 + 6 * 1e-3);
	NEED(mpa_call(p, "types", in, 7, &out) == MPA_FINE && out.f64 == d);
	NEED(mpa_call(p, "types", in, 6, &out) == MPA_WRONG);
	NEED(mpa_call(p, "typos", in, 7, &out) == MPA_WRONG);
	NEED(calls_next_u8(p, 255, &k) == MPA_FINE && k == 0);
	NEED(calls_negative(p, -1, &b) == MPA_FINE && b);
	NEED(calls_negative(p, 1, &b) == MPA_FINE && !b);
	NEED(calls_half(p, 3, &f) == MPA_FINE && f == 1.5f);
	NEED(calls_less(p, INT32_MIN + 1, &m) == MPA_FINE && m == INT32_MIN);
	NEED(calls_less(p, 3, NULL) == MPA_FINE);
	NEED(calls_title(p, &t) == MPA_FINE && strcmp(t, "calls of 6") == 0);
}

static void questions(void)
{
	static const char *const names[] = { "u", "v", "s", "i", "b", "r" };
	static const int elem[] = { MPA_F64, MPA_F64, MPA_F32, MPA_I32, MPA_BOOL, MPA_I64 };
	static const int bytes[] = { 8, 8, 4, 4, 1, 8 };
	int64_t shape[MPA_MAX_AXES], lo[MPA_MAX_AXES], hi[MPA_MAX_AXES];

	NEED(mpa_count_fields(p) == 6 && !mpa_nth_field(p, 6) && !mpa_nth_field(p, -1));
	for (int i = 0; i < 6; i++) {
		struct mpa_field *f = mpa_nth_field(p, i);

		NEED(f == field(names[i]) && mpa_field_elem(f) == (enum mpa_elem)elem[i] &&
		     mpa_field_bytes(f) == bytes[i]);
	}
	NEED(!mpa_find_field(p, "nothing") && strstr(mpa_error(p), "nothing"));
	NEED(mpa_field_axes(field("s")) == 3);
	NEED(strcmp(mpa_field_axis(field("s"), 2), "q") == 0 &&
	     !mpa_field_axis(field("s"), 3));
	NEED(mpa_field_shape(field("s"), shape) == MPA_FINE && shape[0] == 6 &&
	     shape[1] == 5 && shape[2] == 2);
	NEED(mpa_field_bounds(field("r"), lo, hi) == MPA_FINE && lo[0] == 0 && hi[0] == 7);
}

/* This rank's points of u become f(x, y). */
static void write_block(double (*f)(int64_t x, int64_t y))
{
	int64_t lo[2], hi[2], stride[2];
	void *data;

	NEED(mpa_field_bounds(field("u"), lo, hi) == MPA_FINE);
	NEED(mpa_field_block(field("u"), &data, stride) == MPA_FINE);
	NEED((data == NULL) == (lo[0] >= hi[0] || lo[1] >= hi[1]));
	for (int64_t x = lo[0]; data && x < hi[0]; x++)
		for (int64_t y = lo[1]; y < hi[1]; y++)
			((double *)data)[(x - lo[0]) * stride[0] + (y - lo[1]) * stride[1]] =
				f(x, y);
	NEED(mpa_field_changed(field("u")) == MPA_FINE);
}

static double flat(int64_t x, int64_t y)
{
	return (double)(10 * x + y);
}

static double square(int64_t x, int64_t y)
{
	return (double)(x * x + y);
}

/* Ghosts must follow what the caller writes. */
static void blocks(void)
{
	double all[30];
	struct mpa_field *u = field("u");

	for (int turn = 0; turn < 2; turn++) {
		double (*f)(int64_t, int64_t) = turn ? square : flat;

		write_block(f);
		NEED(calls_smooth(p, u) == MPA_FINE);
		memset(all, 0, sizeof all);
		NEED(mpa_gather(u, MPA_EVERY_RANK, all) == MPA_FINE);
		for (int x = 0; x < 6; x++)
			for (int y = 0; y < 5; y++)
				NEED(all[5 * x + y] == (f(x < 5 ? x + 1 : 5, y) +
							f(x > 0 ? x - 1 : 0, y)) / 2);
	}
}

static void whole_fields(void)
{
	int ranks = mpa_count_ranks(p), last = ranks - 1, me = mpa_my_rank(p);
	int64_t r[7];
	float s[60];
	bool b[30];
	double sum, u[30], v[30];

	for (int i = 0; i < 60; i++)
		s[i] = (float)i;
	NEED(mpa_scatter(field("s"), last, me == last ? s : NULL) == MPA_FINE);
	NEED(calls_lines(p, field("s"), &sum) == MPA_FINE && sum == 59 * 30);
	memset(s, 0, sizeof s);
	NEED(mpa_gather(field("s"), 0, me == 0 ? s : NULL) == MPA_FINE);
	for (int i = 0; i < 60; i++)
		NEED(s[i] == (me == 0 ? (float)i : 0));
	for (int i = 0; i < 30; i++)
		b[i] = i % 3 == 0;
	NEED(mpa_scatter(field("b"), MPA_EVERY_RANK, b) == MPA_FINE);
	NEED(calls_flip(p, field("b")) == MPA_FINE);
	NEED(mpa_gather(field("b"), MPA_EVERY_RANK, b) == MPA_FINE);
	for (int i = 0; i < 30; i++)
		NEED(b[i] == (i % 3 != 0));
	NEED(calls_add(p, field("r"), 5) == MPA_FINE);
	NEED(mpa_gather(field("r"), last, r) == MPA_FINE);
	for (int i = 0; i < 7 && me == last; i++)
		NEED(r[i] == i + 5);
	NEED(mpa_scatter(field("r"), 0, r) == MPA_FINE || me != 0);
	NEED(calls_copy(p, field("v"), field("u")) == MPA_FINE);
	NEED(mpa_gather(field("u"), MPA_EVERY_RANK, u) == MPA_FINE &&
	     mpa_gather(field("v"), MPA_EVERY_RANK, v) == MPA_FINE);
	NEED(memcmp(u, v, sizeof u) == 0);
	NEED(calls_old(p, &sum) == MPA_FINE && sum == 30); /* as it was defined */
	NEED(mpa_gather(field("u"), ranks, u) == MPA_WRONG);
	NEED(mpa_gather(field("u"), last, me == last ? NULL : u) == MPA_WRONG);
	NEED(mpa_gather(field("u"), last, u) == MPA_FINE);
}

/* Rank by rank a token goes round; what each has in memory goes to the field and back. */
static void memory(void)
{
	int ranks = mpa_count_ranks(p), me = mpa_my_rank(p);
	int64_t lo[2], hi[2], n[2], stride[2], token = 7;
	struct mpa_field *u = field("u");
	double mine[30], back[60], all[30];
	void *device;

	NEED(mpa_field_bounds(u, lo, hi) == MPA_FINE);
	n[0] = hi[0] - lo[0];
	n[1] = hi[1] - lo[1];
	for (int64_t x = 0; x < n[0]; x++)
		for (int64_t y = 0; y < n[1]; y++)
			mine[n[1] * x + y] = flat(lo[0] + x, lo[1] + y);
	NEED(mpa_field_copy_from(u, mine, (int64_t[]){ n[1], 1 }) == MPA_FINE);
	NEED(mpa_gather(u, MPA_EVERY_RANK, all) == MPA_FINE);
	for (int i = 0; i < 30; i++)
		NEED(all[i] == flat(i / 5, i % 5));
	/* with the axes the other way round, and every other element */
	NEED(mpa_field_copy_to(u, back, (int64_t[]){ 2, 2 * n[0] }) == MPA_FINE);
	for (int64_t x = 0; x < n[0]; x++)
		for (int64_t y = 0; y < n[1]; y++)
			NEED(back[2 * (x + n[0] * y)] == mine[n[1] * x + y]);
	NEED(mpa_field_device_block(u, &device, stride) == MPA_FINE);
	NEED((device != NULL) == (mpa_device(p) >= 0 && n[0] * n[1] > 0));
	if (me > 0)
		NEED(mpa_recv(p, &token, 1, MPA_I64, me - 1, 3) == MPA_FINE);
	NEED(token == 7 + me);
	token++;
	if (me + 1 < ranks)
		NEED(mpa_send(p, &token, 1, MPA_I64, me + 1, 3) == MPA_FINE);
	NEED(mpa_send(p, &token, 1, MPA_I64, ranks, 3) == MPA_WRONG);
	NEED(mpa_send(p, &token, 1, MPA_I64, me, 3) == MPA_WRONG);
	NEED(mpa_recv(p, &token, 1, MPA_I64, (me + 1) % ranks, 16001) == MPA_WRONG);
}

static void refusals(void)
{
	int64_t n;

	NEED(calls_smooth(p, field("v")) == MPA_WRONG && strstr(mpa_error(p), "v"));
	NEED(calls_smooth(p, NULL) == MPA_WRONG);
	NEED(calls_fails(p, -1) == MPA_FINE);
	NEED(strcmp(mpa_error(p), "") == 0);
	NEED(calls_fails(p, 3) == MPA_FAILED &&
	     strstr(mpa_error(p), "calls.mpa:") && strstr(mpa_error(p), "k is 3"));
	NEED(calls_leaves(p, 12) == MPA_EXITED && mpa_exit_status(p) == 12);
	NEED(calls_ranks_here(p, &n) == MPA_FINE && n == mpa_count_ranks(p));
}

/* ./calls [--backend=cuda] */
int main(int argc, char **argv)
{
	const char *const words[] = { "calls", "--quiet", "--check", argc > 1 ? argv[1] : NULL };
	static const char *const bad[] = { "calls", "--n=0" };
	struct mpa_start start = { .argc = argc > 1 ? 4 : 3, .argv = words };
	int me;

	NEED(calls_open(&p, &start) == MPA_FINE);
	before();
	scalars();
	questions();
	blocks();
	whole_fields();
	memory();
	refusals();
	me = mpa_my_rank(p);
	NEED(mpa_close(p) == MPA_FINE);
	/* once more, with a grid that there cannot be */
	start = (struct mpa_start){ .argc = 2, .argv = bad };
	NEED(calls_open(&p, &start) == MPA_FINE);
	NEED(mpa_execute(p) == MPA_FAILED && strstr(mpa_error(p), "0 points"));
	NEED(calls_fails(p, -1) == MPA_WRONG);
	NEED(mpa_close(p) == MPA_FINE);
	NEED(mpa_close(NULL) == MPA_FINE);
	if (me == 0 && !wrong)
		puts("fine");
	return wrong != 0;
}
