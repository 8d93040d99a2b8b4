/* tests/unit/check_exec.c - random programs on random grids, against a slow model
 *
 * Every rank is a thread with a session of its own. After every run each rank compares
 * its block of every array with the model. */
#include <math.h>
#include <stdio.h>

#include "exec/exec.h"
#include "exec_problem.h"
#include "unit.h"
#include "world.h"

static void complain(struct problem *p, const struct mpa_session *s, int step,
		     const char *what)
{
	if (__sync_fetch_and_add(&p->bad, 1) == 0)
		snprintf(p->why, sizeof p->why, "rank %d of %d, step %d (%d): %s",
			 s->comm->rank, s->comm->size, step,
			 step < 0 ? -1 : p->step_kind[step], what);
}

static void compare(struct mpa_session *s, const struct world_model *m, int step)
{
	struct problem *p = (struct problem *)s->program;

	for (int a = 0; a < p->program.n_arrays; a++) {
		const struct array_state *state = &s->array[a];
		int64_t index[3] = { 0 }, own[3] = { 0 };
		char text[100];

		if (!state->layout || !state->now.origin)
			continue;
		do {
			double got, want = m->value[a][model_flat(m, a, index)];

			for (int i = 0; i < p->array[a].naxes; i++)
				own[i] = index[p->array[a].axis[i]];
			if (!box_holds(&state->now.own, own))
				continue;
			got = *(double *)array_at(&state->now, own);
			if (got == want)
				continue;
			snprintf(text, sizeof text, "array %d at %d %d %d is %g, not %g",
				 a, (int)index[0], (int)index[1], (int)index[2], got,
				 want);
			complain(p, s, step, text);
			return;
		} while (model_next(p, a, index));
	}
}

static void store_args(struct mpa_session *s, const struct world_model *m, int step)
{
	struct problem *p = (struct problem *)s->program;
	int64_t *args = mpa_args(s);

	args[0] = (int64_t)p;
	for (int i = 0; i < p->naxes && step >= 0; i++) {
		args[1 + 2 * i] = p->slice[step][i][0];
		args[2 + 2 * i] = p->slice[step][i][1];
	}
	for (int a = 0; a < ARRAYS; a++)
		for (int axis = 0; axis < 3; axis++)
			for (int side = 0; side < 2; side++) {
				int64_t *arg = &args[first_wall_arg(a, axis, side)];

				arg[0] = (int64_t)p;
				arg[1] = a;
				arg[2] = axis;
				arg[3] = side;
				arg[4] = (int64_t)m->constant;
			}
}

/* Neighbours by pairs, an odd last one passed up. */
static double tree_product(double *value, int64_t n)
{
	while (n > 1) {
		int64_t k = 0;

		for (int64_t i = 0; i + 1 < n; i += 2)
			value[k++] = value[i] * value[i + 1];
		if (n % 2)
			value[k++] = value[n - 1];
		n = k;
	}
	return value[0];
}

static void check_sums(struct mpa_session *s, const struct world_model *m, int step)
{
	struct problem *p = (struct problem *)s->program;
	int64_t n = 1, place = 0;
	double sum = 0, least = INFINITY, most = -INFINITY, half[MOST];

	for (int i = 0; i < p->naxes; i++)
		n *= p->size[i];
	for (int64_t i = 0; i < n; i++) {
		double v = m->value[U][i];

		sum += v;
		least = v < least ? v : least;
		half[i] = 1 + v / 2048;
		if (v > most) {
			most = v;
			place = i;
		}
	}
	if (mpa_result_d(s, RUN_SUMS, 0) != sum || mpa_result_d(s, RUN_SUMS, 1) != least)
		complain(p, s, step, "wrong sum or min");
	if (mpa_result_i(s, RUN_SUMS, 2) != place)
		complain(p, s, step, "wrong argmax");
	if (mpa_result_d(s, RUN_SUMS, 3) != tree_product(half, n))
		complain(p, s, step, "wrong product");
}

static void do_step(struct mpa_session *s, struct world_model *m, int step)
{
	struct problem *p = (struct problem *)s->program;
	int run = p->step_kind[step];
	int64_t index[3] = { 0 };

	if (any(&(unsigned){ p->seed + (unsigned)step }, 2))
		m->constant += 1;
	store_args(s, m, step);
	if (run == RUNS || run == RUN_INIT) {
		double t[MOST];

		mpa_array_swap(s, U, U2);
		memcpy(t, m->value[U], sizeof t);
		memcpy(m->value[U], m->value[U2], sizeof t);
		memcpy(m->value[U2], t, sizeof t);
		return;
	}
	if (run == RUN_FIELD) {
		if (p->naxes == 1)
			return;
		mpa_run(s, run);
		do {
			m->value[WALL_FIELD][model_flat(m, WALL_FIELD, index)] +=
				1 + (double)index[p->array[WALL_FIELD].axis[0]];
		} while (model_next(p, WALL_FIELD, index));
		return;
	}
	if (run == RUN_READ_STAGE) { /* the stage has the value it was given last */
		mpa_run(s, RUN_STAGE);
		model_step(m, step, RUN_STAGE);
	}
	mpa_run(s, run);
	if (run == RUN_SUMS)
		check_sums(s, m, step);
	else
		model_step(m, step, run);
}

static void body(struct mpa_session *s)
{
	struct problem *p = (struct problem *)s->program;
	struct world_model *m = calloc(1, sizeof *m);
	int64_t index[3] = { 0 };

	m->p = p;
	for (int i = 0; i < p->naxes; i++)
		mpa_axis_define(s, "here", i, p->size[i], 0, 0);
	mpa_family_define(s, "here", 0, p->procs);
	for (int a = 0; a < p->program.n_arrays; a++)
		if (a != STAGE)
			mpa_array_begin(s, "here", a);
	store_args(s, m, -1);
	mpa_run(s, RUN_INIT);
	do {
		m->value[U][model_flat(m, U, index)] = start_value(index, U);
		m->value[U2][model_flat(m, U2, index)] = start_value(index, U2);
	} while (model_next(p, U, index));
	compare(s, m, -1);
	for (int step = 0; step < STEPS && !p->bad; step++) {
		do_step(s, m, step);
		compare(s, m, step);
		comm_barrier(s->comm);
	}
	free(m);
}

static void rank_main(struct comm *comm, void *arg)
{
	struct problem *p = arg;
	struct mpa_session s = { .program = &p->program, .comm = comm };

	s.options.threads = p->threads;
	s.options.check = p->check;
	s.options.given = NULL;
	session_start(&s);
	p->program.body(&s);
	session_free(&s);
}

enum { PROBLEMS = 400 };

START_TEST(random_programs_agree_with_the_model)
{
	static struct problem p;

	for (unsigned i = 0; i < PROBLEMS / 8; i++) {
		unsigned seed = (unsigned)_i * PROBLEMS / 8 + i;

		problem_make(&p, seed * 7919 + 1, body);
		ck_assert(world_run(p.ranks, rank_main, &p));
		ck_assert_msg(p.bad == 0, "seed %u, %d axes of %d %d %d: %s", seed,
			      p.naxes, (int)p.size[0], (int)p.size[1], (int)p.size[2],
			      p.why);
		problem_free(&p);
	}
}
END_TEST

static Suite *exec_suite(void)
{
	Suite *s = suite_create("exec");
	TCase *t = tcase_create("runs");

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, random_programs_agree_with_the_model, 0, 8);
	suite_add_tcase(s, t);
	return s;
}

UNIT_MAIN(exec_suite)
