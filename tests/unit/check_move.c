/* tests/unit/check_move.c - random slices between random layouts
 *
 * Every rank is a thread. Each keeps the whole of every array besides its block, applies
 * the moves to it point by point, and compares its block: nothing else may have changed.
 */
#include <stdio.h>

#include "array/move.h"
#include "unit.h"
#include "world.h"

enum { ARRAYS = 4, MOVES = 3, MOST = 4096 };

struct problem {
	struct family family[ARRAYS];
	struct layout layout[ARRAYS];
	struct move move[MOVES];
	int to[MOVES], from[MOVES]; /* arrays */
	int nmoves, ranks, rounds, threads;
	int64_t elem;
	unsigned seed;
	struct move_counts counts; /* of rank 0 */
	int bad;
	char why[200];
};

static int64_t any(unsigned *seed, int64_t n)
{
	return rand_r(seed) % n;
}

static bool next(int naxes, const int64_t *count, int64_t *index)
{
	for (int a = naxes - 1; a >= 0; a--) {
		if (++index[a] < count[a])
			return true;
		index[a] = 0;
	}
	return false;
}

static int64_t flat_of(const struct layout *l, const int64_t *index)
{
	int64_t flat = 0;

	for (int a = 0; a < l->naxes; a++)
		flat = flat * l->axis[a].size + index[a];
	return flat;
}

/* ---- the model ------------------------------------------------------------- */

static int64_t side_flat(const struct move_side *side, const int64_t *position)
{
	int64_t index[MPA_MAX_AXES];

	for (int a = 0; a < side->layout->naxes; a++)
		index[a] = side->start[a] +
			   (side->along[a] == MOVE_FIXED
				    ? 0
				    : side->step[a] * position[side->along[a]]);
	return flat_of(side->layout, index);
}

static void model_run(const struct problem *p, int64_t (*whole)[MOST])
{
	static __thread int64_t before[ARRAYS][MOST];

	memcpy(before, whole, sizeof before);
	for (int i = 0; i < p->nmoves; i++) {
		const struct move *m = &p->move[i];
		int64_t position[MPA_MAX_AXES] = { 0 }, points = 1;

		for (int k = 0; k < m->naxes; k++)
			points *= m->count[k];
		if (points == 0)
			continue;
		do {
			whole[p->to[i]][side_flat(&m->to, position)] =
				before[p->from[i]][side_flat(&m->from, position)];
		} while (next(m->naxes, m->count, position));
	}
}

/* ---- a rank ---------------------------------------------------------------- */

struct part { /* of rank_main */
	struct problem *p;
	struct comm *comm;
	struct mpa_array array[ARRAYS];
	int64_t whole[ARRAYS][MOST];
};

/* Calls fn for each point of an array, in this rank's block or not. */
static void each_point(struct part *t, int a,
		       void (*fn)(struct part *t, int a, const int64_t *index))
{
	const struct layout *l = &t->p->layout[a];
	int64_t index[MPA_MAX_AXES] = { 0 }, size[MPA_MAX_AXES];

	for (int i = 0; i < l->naxes; i++)
		size[i] = l->axis[i].size;
	do {
		fn(t, a, index);
	} while (next(l->naxes, size, index));
}

static void put(struct part *t, int a, const int64_t *index)
{
	struct mpa_array *array = &t->array[a];
	int64_t v = 1 + 7 * flat_of(&t->p->layout[a], index) + a;

	if (array->elem == 1)
		v &= 0x7f;
	t->whole[a][flat_of(&t->p->layout[a], index)] = v;
	if (array->origin && box_holds(&array->own, index))
		memcpy(array_at(array, index), &v,
		       (size_t)(array->elem < 8 ? array->elem : 8));
}

static void verify(struct part *t, int a, const int64_t *index)
{
	const struct mpa_array *array = &t->array[a];
	int64_t v = 0;

	if (!array->origin || !box_holds(&array->own, index))
		return;
	memcpy(&v, array_at(array, index), (size_t)(array->elem < 8 ? array->elem : 8));
	if (v == t->whole[a][flat_of(&t->p->layout[a], index)])
		return;
	if (__sync_fetch_and_add(&t->p->bad, 1) == 0)
		snprintf(t->p->why, sizeof t->p->why, "rank %d array %d at %ld %ld %ld",
			 t->comm->rank, a, (long)index[0], (long)index[1],
			 (long)index[2]);
}

static void run_moves(struct part *t, struct pool *pool)
{
	struct problem *p = t->p;
	struct array_home home = { pool, NULL, t->comm->fault, NULL };
	struct move_plan *plan = move_plan_new(t->comm, &home, p->move, p->nmoves);
	struct mpa_array *to[MOVES], *from[MOVES];

	for (int i = 0; i < p->nmoves; i++) {
		to[i] = &t->array[p->to[i]];
		from[i] = &t->array[p->from[i]];
	}
	for (int round = 0; round < p->rounds; round++) {
		if (!plan || move_run(plan, to, from) != MPA_OK)
			abort();
		model_run(p, t->whole);
		for (int a = 0; a < ARRAYS; a++)
			each_point(t, a, verify);
	}
	if (t->comm->rank == 0)
		p->counts = move_plan_counts(plan);
	move_plan_free(plan);
}

static void rank_main(struct comm *comm, void *arg)
{
	struct problem *p = arg;
	struct mem_account account = { 0 };
	struct pool *pool = pool_new(p->threads, 1, comm->fault);
	struct array_home home = { NULL, &account, comm->fault, NULL };
	struct part *t = calloc(1, sizeof *t);

	t->p = p;
	t->comm = comm;
	for (int a = 0; a < ARRAYS; a++) {
		struct array_spec spec = {
			.layout = &p->layout[a], .rank = comm->rank, .elem = p->elem
		};

		for (int i = 0; i < p->layout[a].naxes; i++)
			spec.halo_lo[i] = p->layout[a].axis[i].local ? 0 : (a + i) % 3;
		if (array_new(&t->array[a], &spec, &home) != MPA_OK)
			abort();
		each_point(t, a, put);
	}
	run_moves(t, pool);
	for (int a = 0; a < ARRAYS; a++)
		array_free(&t->array[a], &home);
	pool_free(pool);
	free(t);
}

/* ---- random problems ------------------------------------------------------- */

static void random_family(struct problem *p, int f)
{
	struct family *family = &p->family[f];
	unsigned *seed = &p->seed;
	struct fault fault = { 0 };
	int want[MPA_MAX_AXES] = { 0 }, left = p->ranks;
	bool whole = any(seed, 7) == 0;

	*family = (struct family){ .naxes = 1 + (int)any(seed, 4), .nranks = p->ranks };
	for (int a = 0; a < family->naxes; a++) {
		family->axis[a] = (struct family_axis){
			.size = 1 + any(seed, family->naxes > 2 ? 8 - family->naxes : 12),
			.cuttable = !whole && any(seed, 6) != 0
		};
		want[a] = family->axis[a].cuttable ? 1 + (int)any(seed, left) : 1;
		left /= want[a];
	}
	ck_assert_int_eq(
		family_divide(family, !whole && any(seed, 2) ? want : NULL, &fault),
		MPA_OK);
}

/* Some of the axes of its family, in any order, longer or shorter ones, local ones. */
static void random_layout(struct problem *p, int f)
{
	struct layout *l = &p->layout[f];
	unsigned *seed = &p->seed;

	*l = (struct layout){ .family = &p->family[f] };
	for (int a = 0; a < p->family[f].naxes; a++) {
		int64_t size = p->family[f].axis[a].size;

		if (any(seed, 5) == 0)
			continue;
		if (size > 1 && any(seed, 4) == 0)
			size += any(seed, 2) ? 1 : -1;
		l->axis[l->naxes++] = (struct layout_axis){ size, false, false, a };
	}
	if (any(seed, 4) == 0 || l->naxes == 0)
		l->axis[l->naxes++] =
			(struct layout_axis){ 1 + any(seed, 4), false, true, -1 };
	if (any(seed, 2) && l->naxes > 1) {
		struct layout_axis first = l->axis[0];

		l->axis[0] = l->axis[l->naxes - 1];
		l->axis[l->naxes - 1] = first;
	}
}

/* `count` positions along an axis of n points: any start and step for which they fit. */
static void random_range(unsigned *seed, int64_t n, int64_t count, int64_t *start,
			 int64_t *step)
{
	int64_t reach;

	*step = count > 1 ? 1 + any(seed, (n - 1) / (count - 1)) : 1 + any(seed, 3);
	reach = count > 0 ? (count - 1) * *step : 0;
	*start = any(seed, n - reach);
	if (any(seed, 2)) {
		*start += reach;
		*step = -*step;
	}
}

static void random_move(struct problem *p, int i)
{
	struct move *m = &p->move[i];
	unsigned *seed = &p->seed;
	bool used[MPA_MAX_AXES] = { false };

	*m = (struct move){ .elem = p->elem };
	p->to[i] = (int)any(seed, ARRAYS);
	p->from[i] = (int)any(seed, ARRAYS);
	m->to.layout = &p->layout[p->to[i]];
	m->from.layout = &p->layout[p->from[i]];
	for (int b = 0; b < m->from.layout->naxes; b++) {
		m->from.along[b] = MOVE_FIXED;
		m->from.start[b] = any(seed, m->from.layout->axis[b].size);
	}
	for (int a = 0; a < m->to.layout->naxes; a++) {
		int64_t n = m->to.layout->axis[a].size, most = n;
		int b = (int)any(seed, m->from.layout->naxes), k = m->naxes;

		m->to.along[a] = MOVE_FIXED;
		m->to.start[a] = any(seed, n);
		if (any(seed, 5) == 0)
			continue;
		if (!used[b] && m->from.layout->axis[b].size < most)
			most = m->from.layout->axis[b].size;
		m->count[k] = any(seed, 20) ? 1 + any(seed, most) : 0;
		random_range(seed, n, m->count[k], &m->to.start[a], &m->to.step[a]);
		if (!used[b]) {
			random_range(seed, m->from.layout->axis[b].size, m->count[k],
				     &m->from.start[b], &m->from.step[b]);
			m->from.along[b] = k;
		}
		used[b] = true;
		m->to.along[a] = k;
		m->naxes++;
	}
}

static void mark_shared(struct problem *p)
{
	for (int i = 0; i < p->nmoves; i++)
		for (int k = 0; k < p->nmoves; k++)
			p->move[i].shared |= p->to[i] == p->from[k];
}

START_TEST(random_slices_between_random_layouts)
{
	static const int64_t elem[] = { 1, 4, 8, 16 };

	for (int i = 0; i < 400; i++) {
		struct problem p = { .seed = (unsigned)(1000 * _i + i), .rounds = 2 };

		p.ranks = 1 + (int)any(&p.seed, 9);
		p.threads = 1;
		p.elem = elem[any(&p.seed, 4)];
		for (int a = 0; a < ARRAYS; a++) {
			random_family(&p, a);
			random_layout(&p, a);
		}
		p.nmoves = 1 + (int)any(&p.seed, MOVES);
		for (int k = 0; k < p.nmoves; k++)
			random_move(&p, k);
		mark_shared(&p);
		ck_assert(world_run(p.ranks, rank_main, &p));
		ck_assert_msg(p.bad == 0, "problem %d: %s", 1000 * _i + i, p.why);
	}
}
END_TEST

/* ---- chosen ones ----------------------------------------------------------- */

/* All of a line of n points, on `ranks` ranks, shifted, turned or strided. */
static void line(struct problem *p, int64_t n, int ranks)
{
	const bool local[MPA_MAX_AXES] = { false };
	struct fault fault = { 0 };

	*p = (struct problem){ .ranks = ranks, .rounds = 1, .threads = 1, .elem = 8 };
	for (int a = 0; a < ARRAYS; a++) {
		p->family[a] = (struct family){ .naxes = 1, .nranks = ranks };
		p->family[a].axis[0] = (struct family_axis){ n, false, true, NULL };
		ck_assert_int_eq(family_divide(&p->family[a], NULL, &fault), MPA_OK);
		p->layout[a] = layout_of_family(&p->family[a], local);
	}
}

static void line_move(struct problem *p, struct move_side to, struct move_side from,
		      int64_t count)
{
	struct move *m = &p->move[p->nmoves++];

	*m = (struct move){
		.naxes = 1, .count = { count }, .elem = 8, .to = to, .from = from
	};
}

START_TEST(what_stays_on_its_rank_is_not_sent)
{
	struct problem p;

	line(&p, 100, 4);
	p.to[0] = 1;
	line_move(&p, (struct move_side){ &p.layout[1], { 0 }, { 1 }, { 0 } },
		  (struct move_side){ &p.layout[0], { 0 }, { 1 }, { 0 } }, 100);
	ck_assert(world_run(4, rank_main, &p));
	ck_assert_int_eq(p.bad, 0);
	ck_assert_int_eq(p.counts.messages, 0);
}
END_TEST

START_TEST(a_shift_sends_one_point_to_one_rank)
{
	struct problem p;

	line(&p, 100, 4);
	line_move(&p, (struct move_side){ &p.layout[0], { 0 }, { 1 }, { 0 } },
		  (struct move_side){ &p.layout[0], { 1 }, { 1 }, { 0 } }, 99);
	p.move[0].shared = 1;
	ck_assert(world_run(4, rank_main, &p));
	ck_assert_int_eq(p.bad, 0);
	ck_assert_int_eq(p.counts.messages, 0); /* rank 0 receives one */
	line_move(&p, (struct move_side){ &p.layout[0], { 99 }, { -1 }, { 0 } },
		  (struct move_side){ &p.layout[0], { 0 }, { 1 }, { 0 } }, 100);
	p.move[0].shared = p.move[1].shared = 1;
	ck_assert(world_run(4, rank_main, &p));
	ck_assert_int_eq(p.bad, 0);
	ck_assert_int_eq(p.counts.messages, 1);
	ck_assert_int_eq(p.counts.bytes, 25 * 8 + 8); /* whole lines of 16 bytes */
}
END_TEST

START_TEST(moves_of_a_plan_share_messages)
{
	struct problem p;

	line(&p, 10, 2);
	for (int i = 0; i < 2; i++) {
		p.to[i] = 2 + i;
		p.from[i] = i;
		line_move(&p,
			  (struct move_side){ &p.layout[2 + i], { 9 }, { -1 }, { 0 } },
			  (struct move_side){ &p.layout[i], { 0 }, { 1 }, { 0 } }, 10);
	}
	ck_assert(world_run(2, rank_main, &p));
	ck_assert_int_eq(p.bad, 0);
	ck_assert_int_eq(p.counts.messages, 1);
	ck_assert_int_eq(p.counts.peers, 1);
}
END_TEST

/* A column of 3 x 1100 points of 16 bytes a rank and more: several chunks, by threads. */
START_TEST(large_moves_in_chunks)
{
	struct problem p;

	line(&p, 3, 1);
	p.ranks = 2;
	p.threads = 2;
	p.elem = 16;
	for (int a = 0; a < ARRAYS; a++) {
		struct fault fault = { 0 };

		p.family[a] = (struct family){ .naxes = 2, .nranks = 2 };
		p.family[a].axis[0] = (struct family_axis){ 3, false, a < 2, NULL };
		p.family[a].axis[1] = (struct family_axis){ 1300, false, a >= 2, NULL };
		ck_assert_int_eq(family_divide(&p.family[a], NULL, &fault), MPA_OK);
		p.layout[a] = layout_of_family(&p.family[a], (bool[MPA_MAX_AXES]){ 0 });
	}
	p.nmoves = 1;
	p.to[0] = 2;
	p.move[0] = (struct move){ .naxes = 2,
				   .count = { 3, 1300 },
				   .elem = 16,
				   .to = { &p.layout[2], { 0 }, { 1, 1 }, { 0, 1 } },
				   .from = { &p.layout[0], { 2 }, { -1, 1 }, { 0, 1 } } };
	ck_assert(world_run(2, rank_main, &p));
	ck_assert_int_eq(p.bad, 0);
	ck_assert_int_eq(p.counts.messages, 1);
}
END_TEST

static Suite *move_suite(void)
{
	Suite *s = suite_create("move");
	TCase *t = tcase_create("redistribution");

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, random_slices_between_random_layouts, 0, 6);
	tcase_add_test(t, what_stays_on_its_rank_is_not_sent);
	tcase_add_test(t, a_shift_sends_one_point_to_one_rank);
	tcase_add_test(t, moves_of_a_plan_share_messages);
	tcase_add_test(t, large_moves_in_chunks);
	suite_add_tcase(s, t);
	return s;
}

UNIT_MAIN(move_suite)
