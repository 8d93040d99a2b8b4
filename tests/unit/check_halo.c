/* tests/unit/check_halo.c - ghosts of random grids on random process grids
 *
 * Every rank is a thread. After an exchange each ghost must hold the value of the
 * point it stands for if it was asked for, and be untouched if not. */
#include <stdio.h>

#include "halo/halo.h"
#include "unit.h"
#include "world.h"

enum { FIELDS = 3, UNTOUCHED = -7 };

struct problem {
	struct family family;
	struct layout layout[FIELDS];
	struct array_spec spec[FIELDS];
	struct halo_field field[FIELDS];
	int nfields, ranks, rounds;
	unsigned seed;
	int64_t messages, peers; /* of rank 0 */
	int bad;
	char why[200];
};

static int64_t any(unsigned *seed, int64_t n)
{
	return rand_r(seed) % n;
}

static int64_t value(const struct layout *l, const int64_t *index, int round)
{
	int64_t v = 17 * round;

	for (int a = 0; a < l->naxes; a++)
		v = v * l->axis[a].size + index[a];
	return v;
}

static void put(struct mpa_array *array, const int64_t *index, int64_t v)
{
	void *at = array_at(array, index);

	if (array->elem == 1)
		*(int8_t *)at = (int8_t)v;
	else if (array->elem == 4)
		*(int32_t *)at = (int32_t)v;
	else
		*(int64_t *)at = v;
}

static bool same(const struct mpa_array *array, const int64_t *index, int64_t v)
{
	const void *at = array_at(array, index);

	if (array->elem == 1)
		return *(const int8_t *)at == (int8_t)v;
	if (array->elem == 4)
		return *(const int32_t *)at == (int32_t)v;
	return *(const int64_t *)at == v;
}

static bool next(const struct box *box, int64_t *index)
{
	for (int a = box->naxes - 1; a >= 0; a--) {
		if (++index[a] < box->hi[a])
			return true;
		index[a] = box->lo[a];
	}
	return false;
}

/* What a rank has values of: its block, and where that meets a wall some more. */
static struct box grown(const struct mpa_array *array, const struct halo_field *field)
{
	struct box box = array->own;

	for (int a = 0; a < box.naxes; a++) {
		if (field->layout->axis[a].periodic || box.lo[a] == box.hi[a])
			continue;
		if (array->own.lo[a] == 0)
			box.lo[a] -= field->grown_lo[a];
		if (array->own.hi[a] == field->layout->axis[a].size)
			box.hi[a] += field->grown_hi[a];
	}
	return box;
}

static void fill(struct mpa_array *array, const struct halo_field *field, int round)
{
	struct box all = array_extent(array), have = grown(array, field);
	int64_t index[MPA_MAX_AXES];

	if (!array->origin || box_empty(&all))
		return;
	memcpy(index, all.lo, sizeof index);
	do {
		put(array, index,
		    box_holds(&have, index) ? value(field->layout, index, round)
					    : UNTOUCHED);
	} while (next(&all, index));
}

/* What must stand at a place of the array after the exchange. */
static int64_t expected(const struct mpa_array *array, const struct halo_field *field,
			const int64_t *index, int round)
{
	struct box have = grown(array, field);
	int64_t point[MPA_MAX_AXES];
	int displaced = 0;

	for (int a = 0; a < array->naxes; a++) {
		int64_t n = field->layout->axis[a].size;

		point[a] = index[a];
		if (index[a] >= have.lo[a] && index[a] < have.hi[a])
			continue;
		displaced++;
		if (array->own.lo[a] - index[a] > field->lo[a] ||
		    index[a] - array->own.hi[a] + 1 > field->hi[a])
			return UNTOUCHED;
		if (field->layout->axis[a].periodic)
			point[a] = ((index[a] % n) + n) % n;
		else if (index[a] < -field->grown_lo[a] ||
			 index[a] >= n + field->grown_hi[a])
			return UNTOUCHED;
	}
	if (field->diagonal > 0 && displaced > field->diagonal)
		return UNTOUCHED;
	return value(field->layout, point, round);
}

static void verify(struct problem *p, struct comm *comm, const struct mpa_array *array,
		   int f, int round)
{
	struct box all = array_extent(array);
	int64_t index[MPA_MAX_AXES];

	if (!array->origin || box_empty(&all))
		return;
	memcpy(index, all.lo, sizeof index);
	do {
		if (same(array, index, expected(array, &p->field[f], index, round)))
			continue;
		p->bad++;
		snprintf(p->why, sizeof p->why, "rank %d field %d at %ld %ld %ld",
			 comm->rank, f, (long)index[0], (long)index[1], (long)index[2]);
	} while (next(&all, index));
}

static void rank_main(struct comm *comm, void *arg)
{
	struct problem *p = arg;
	struct mem_account account = { 0 };
	struct array_home home = { NULL, &account, comm->fault, NULL };
	struct mpa_array array[FIELDS], *list[FIELDS];
	struct halo_plan *plan;

	for (int f = 0; f < p->nfields; f++) {
		struct array_spec spec = p->spec[f];

		spec.rank = comm->rank;
		if (array_new(&array[f], &spec, &home) != MPA_OK)
			abort();
		list[f] = &array[f];
	}
	plan = halo_plan_new(comm, &home, p->field, p->nfields);
	for (int round = 0; round < p->rounds; round++) {
		for (int f = 0; f < p->nfields; f++)
			fill(&array[f], &p->field[f], round);
		if (halo_begin(plan, list) != MPA_OK)
			abort();
		halo_progress(plan);
		if (halo_end(plan) != MPA_OK)
			abort();
		for (int f = 0; f < p->nfields; f++)
			verify(p, comm, &array[f], f, round);
	}
	if (comm->rank == 0) {
		p->messages = halo_plan_counts(plan).messages;
		p->peers = halo_plan_counts(plan).peers;
	}
	halo_plan_free(plan);
	for (int f = 0; f < p->nfields; f++)
		array_free(&array[f], &home);
}

/* A random member of the family: some of its axes, in any order, some local. */
static void random_member(struct problem *p, int f)
{
	struct layout *l = &p->layout[f];
	unsigned *seed = &p->seed;

	*l = (struct layout){ .family = &p->family };
	for (int a = 0; a < p->family.naxes; a++) {
		const struct family_axis *x = &p->family.axis[a];
		int64_t size = x->size;

		if (any(seed, 5) == 0 && f > 0)
			continue;
		if (!x->periodic && size > 1 && any(seed, 4) == 0)
			size += any(seed, 2) ? 1 : -1;
		l->axis[l->naxes++] = (struct layout_axis){ size, x->periodic, false, a };
	}
	if (any(seed, 4) == 0 || l->naxes == 0)
		l->axis[l->naxes++] =
			(struct layout_axis){ 1 + any(seed, 3), false, true, -1 };
	if (any(seed, 2) && l->naxes > 1) {
		struct layout_axis first = l->axis[0];

		l->axis[0] = l->axis[l->naxes - 1];
		l->axis[l->naxes - 1] = first;
	}
}

static void random_field(struct problem *p, int f)
{
	static const int64_t elem[] = { 1, 4, 8 };
	struct array_spec *spec = &p->spec[f];
	struct halo_field *field = &p->field[f];
	unsigned *seed = &p->seed;

	random_member(p, f);
	*spec = (struct array_spec){ .layout = &p->layout[f],
				     .elem = elem[any(seed, 3)] };
	*field = (struct halo_field){ .layout = &p->layout[f], .elem = spec->elem };
	for (int a = 0; a < p->layout[f].naxes; a++) {
		const struct layout_axis *axis = &p->layout[f].axis[a];
		int64_t most = any(seed, 6) ? 3 : 3 * axis->size;

		if (axis->local)
			continue;
		spec->halo_lo[a] = any(seed, most);
		spec->halo_hi[a] = any(seed, most);
		field->lo[a] = spec->halo_lo[a] ? any(seed, spec->halo_lo[a] + 1) : 0;
		field->hi[a] = spec->halo_hi[a] ? any(seed, spec->halo_hi[a] + 1) : 0;
		if (axis->periodic || any(seed, 3))
			continue;
		field->grown_lo[a] = any(seed, spec->halo_lo[a] + 1);
		field->grown_hi[a] = any(seed, spec->halo_hi[a] + 1);
	}
	field->diagonal = (int)any(seed, p->layout[f].naxes + 1);
}

static void random_family(struct problem *p)
{
	unsigned *seed = &p->seed;
	struct fault fault = { 0 };
	int want[MPA_MAX_AXES] = { 0 };
	int left;

	p->family = (struct family){ .naxes = 1 + (int)any(seed, 4) };
	p->ranks = left = 1 + (int)any(seed, 9);
	p->family.nranks = p->ranks;
	for (int a = 0; a < p->family.naxes; a++) {
		p->family.axis[a] = (struct family_axis){
			.size = 1 + any(seed, p->family.naxes > 2 ? 6 : 13),
			.periodic = any(seed, 2),
			.cuttable = any(seed, 6) != 0
		};
		want[a] = p->family.axis[a].cuttable ? 1 + (int)any(seed, left) : 1;
		left /= want[a];
	}
	ck_assert_int_eq(family_divide(&p->family, any(seed, 2) ? want : NULL, &fault),
			 MPA_OK);
}

START_TEST(every_ghost_of_random_grids)
{
	for (int i = 0; i < 400; i++) {
		struct problem p = { .seed = (unsigned)(1000 * _i + i), .rounds = 2 };

		random_family(&p);
		p.nfields = 1 + (int)any(&p.seed, FIELDS);
		for (int f = 0; f < p.nfields; f++)
			random_field(&p, f);
		ck_assert(world_run(p.ranks, rank_main, &p));
		ck_assert_msg(p.bad == 0, "problem %d: %s", 1000 * _i + i, p.why);
	}
}
END_TEST

/* n points along each of naxes axes, width 1 everywhere, `fields` alike. */
static struct problem plain(int naxes, int64_t n, bool periodic, int ranks)
{
	struct problem p = { .ranks = ranks, .rounds = 1, .nfields = 1 };
	struct fault fault = { 0 };

	p.family = (struct family){ .naxes = naxes, .nranks = ranks };
	for (int a = 0; a < naxes; a++)
		p.family.axis[a] = (struct family_axis){ n, periodic, true, NULL };
	ck_assert_int_eq(family_divide(&p.family, NULL, &fault), MPA_OK);
	return p;
}

static void plain_fields(struct problem *p, int nfields, int64_t width, int diagonal)
{
	const bool local[MPA_MAX_AXES] = { false };

	p->nfields = nfields;
	for (int f = 0; f < nfields; f++) {
		p->layout[f] = layout_of_family(&p->family, local);
		p->spec[f] = (struct array_spec){ .layout = &p->layout[f], .elem = 8 };
		p->field[f] = (struct halo_field){ .layout = &p->layout[f],
						   .elem = 8,
						   .diagonal = diagonal };
		for (int a = 0; a < p->family.naxes; a++)
			p->spec[f].halo_lo[a] = p->spec[f].halo_hi[a] =
				p->field[f].lo[a] = p->field[f].hi[a] = width;
	}
}

START_TEST(faces_alone_have_two_peers_in_a_corner)
{
	struct problem p = plain(2, 64, false, 4);

	plain_fields(&p, 1, 1, 1);
	ck_assert(world_run(4, rank_main, &p));
	ck_assert_int_eq(p.bad, 0);
	ck_assert_int_eq(p.peers, 2);
	plain_fields(&p, 1, 1, 2);
	ck_assert(world_run(4, rank_main, &p));
	ck_assert_int_eq(p.bad, 0);
	ck_assert_int_eq(p.peers, 3);
}
END_TEST

START_TEST(one_message_per_peer_for_all_fields)
{
	struct problem p = plain(1, 10, true, 2);

	plain_fields(&p, 3, 4, 1);
	ck_assert(world_run(2, rank_main, &p));
	ck_assert_int_eq(p.bad, 0);
	ck_assert_int_eq(p.messages, 1);
}
END_TEST

START_TEST(reads_that_wrap_more_than_once)
{
	for (int ranks = 1; ranks <= 8; ranks++) {
		struct problem p = plain(1, 3, true, ranks);

		plain_fields(&p, 1, 10, 1);
		ck_assert(world_run(ranks, rank_main, &p));
		ck_assert_int_eq(p.bad, 0);
	}
}
END_TEST

START_TEST(big_faces_in_pieces)
{
	struct problem p = plain(3, 210, true, 2);

	plain_fields(&p, 1, 2, 1);
	ck_assert(world_run(2, rank_main, &p));
	ck_assert_int_eq(p.bad, 0);
	ck_assert_int_eq(p.messages, 1);
}
END_TEST

static Suite *halo_suite(void)
{
	Suite *s = suite_create("halo");
	TCase *t = tcase_create("exchange");

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, every_ghost_of_random_grids, 0, 8);
	tcase_add_test(t, faces_alone_have_two_peers_in_a_corner);
	tcase_add_test(t, one_message_per_peer_for_all_fields);
	tcase_add_test(t, reads_that_wrap_more_than_once);
	tcase_add_test(t, big_faces_in_pieces);
	suite_add_tcase(s, t);
	return s;
}

UNIT_MAIN(halo_suite)
