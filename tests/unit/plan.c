/* tests/unit/plan.c - what the scheduler makes of statements */
#include "make_air.h"
#include "schedule/plan.h"
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

static struct plan *planned_by(unsigned passes)
{
	struct plan *plan = plan_program_by(p, arena, passes);
	const char *wrong = plan_verify(plan);

	ck_assert_msg(!wrong, "%s", wrong);
	if (getenv("SHOW")) {
		plan_print(plan, stdout);
		for (int i = 0; i < plan->n_kernels; i++)
			kir_print(plan->kernel[i], stdout);
	}
	return plan;
}

static struct plan *planned(void)
{
	return planned_by(PASS_ALL);
}

static struct plan_array *array_of(const struct plan *plan, const struct air_field *f)
{
	return plan->of_field[f->id];
}

static const struct plan_need *need_of(const struct plan_run *r, const struct plan_array *a)
{
	for (int i = 0; i < r->n_needs; i++)
		if (r->need[i].array == a)
			return &r->need[i];
	return NULL;
}

/* u[x+1] + u[x-1] + u[y+1] + u[y-1] */
static const struct air_expr *cross(struct air_field *u)
{
	return add(p, add(p, at(p, u, 1, 0), at(p, u, -1, 0)),
	           add(p, at(p, u, 0, 1), at(p, u, 0, -1)));
}

static void conditions(struct air_field *f, enum air_mirror m)
{
	walls(f, air_mirror(p, f, m, nowhere));
}

/* A sum that something waits for. */
static void sum_of(const struct air_expr *e)
{
	struct air_var *v = reduce(p, REDUCE_SUM, ELEM_F64, e);
	struct air_stmt *s = air_stmt_new(p, &p->body, STMT_EXIT, nowhere);

	s->value = air_cast(p, air_read_var(p, v, nowhere), ELEM_I64);
}

static int count(const struct kir_kernel *k, enum kir_op op)
{
	int n = 0;

	for (int i = 0; i < k->n_instrs; i++)
		n += k->instr[i].op == op;
	return n;
}

START_TEST(a_stencil_goes_to_the_second_buffer)
{
	struct air_field *u = field(p, "u", ELEM_F64, grid(p, "g", "x:8 y:8"));
	struct plan *plan;
	struct plan_array *a;

	conditions(u, MIRROR_EDGE);
	assign(p, &p->body, u, add(p, here(p, u), mul(p, f64(p, 0.1), cross(u))));
	plan = planned();
	a = array_of(plan, u);
	ck_assert_int_eq(plan->n_runs, 1);
	ck_assert_int_eq(plan->run[0]->n_commits, 1);
	ck_assert_ptr_eq(plan->run[0]->commit[0], a);
	ck_assert(a->second);
	ck_assert_int_eq(plan->run[0]->n_needs, 1);
	ck_assert_int_eq(plan->run[0]->need[0].diagonal, 1);
	for (int x = 0; x < 2; x++)
		for (int side = 0; side < 2; side++) {
			ck_assert_int_eq(a->halo[x][side], 1);
			ck_assert_int_eq(plan->run[0]->need[0].width[x][side], 1);
			ck_assert_int_eq(plan->run[0]->margin[x][side], 1);
			ck_assert(a->wall[x][side] && a->wall[x][side]->mirrors);
		}
	ck_assert_int_eq(count(plan->run[0]->call.kernel, KIR_LOAD), 5);
}
END_TEST

START_TEST(pointwise_updates_are_in_place)
{
	struct air_field *u = field(p, "u", ELEM_F64, grid(p, "g", "x:8 y:8"));
	struct plan *plan;

	assign(p, &p->body, u, mul(p, f64(p, 2), here(p, u)));
	plan = planned();
	ck_assert_int_eq(plan->run[0]->n_commits, 0);
	ck_assert_int_eq(plan->run[0]->n_needs, 0);
	ck_assert_int_eq(plan->run[0]->n_changed, 1);
	ck_assert(!array_of(plan, u)->second);
}
END_TEST

static void assign_two(struct air_field *f, const struct air_expr *a, struct air_field *g,
                       const struct air_expr *b)
{
	struct air_stmt *s = assign(p, &p->body, f, a);

	s->n_targets = 2;
	s->target = arena_new_array(arena, 2, struct air_target);
	s->target[0] = (struct air_target){ .field = f, .value = a };
	s->target[1] = (struct air_target){ .field = g, .value = b };
}

START_TEST(leapfrog_writes_over_the_oldest)
{
	struct grid *g = grid(p, "g", "x:8p y:8p");
	struct air_field *a = field(p, "p", ELEM_F64, g), *b = field(p, "q", ELEM_F64, g);
	struct plan *plan;

	assign_two(a, here(p, b), b, sub(p, cross(b), here(p, a)));
	plan = planned();
	ck_assert_int_eq(plan->n_runs, 1);
	ck_assert_int_eq(plan->run[0]->n_commits, 0);
	ck_assert_int_eq(plan->run[0]->n_swaps, 1);
	ck_assert_int_eq(plan->run[0]->n_changed, 2);
	ck_assert(!array_of(plan, a)->second && !array_of(plan, b)->second);
	ck_assert_int_eq(array_of(plan, a)->halo[1][0], 1);
	ck_assert_int_eq(count(plan->run[0]->call.kernel, KIR_STORE), 1);
}
END_TEST

START_TEST(a_swap_is_only_a_swap)
{
	struct grid *g = grid(p, "g", "x:8p y:8p");
	struct air_field *a = field(p, "p", ELEM_F64, g), *b = field(p, "q", ELEM_F64, g);
	struct plan *plan;

	assign_two(a, here(p, b), b, here(p, a));
	plan = planned();
	ck_assert_int_eq(plan->n_runs, 0);
	ck_assert_int_eq(plan->body.last->kind, PLAN_SWAP);
}
END_TEST

START_TEST(targets_of_other_points_are_computed_first)
{
	struct grid *g = grid(p, "g", "x:8p y:8p");
	struct air_field *a = field(p, "p", ELEM_F64, g), *b = field(p, "q", ELEM_F64, g);
	struct plan *plan;

	assign_two(a, at(p, b, 1, 0), b, at(p, a, -1, 0));
	p->body.last->target[0].region.axis[0] =
		(struct air_slice){ .part = PART_RANGE, .lo = i64(p, 1), .step = 1 };
	plan = planned_by(0);
	ck_assert_int_eq(plan->n_runs, 4);
	ck_assert_int_eq(plan->n_arrays, 4);
	ck_assert_int_eq(plan->run[0]->need[0].width[0][1], 1);
	ck_assert_int_eq(plan->run[1]->need[0].width[0][0], 1);
	ck_assert_int_eq(plan->run[2]->n_needs + plan->run[3]->n_needs, 0);
	ck_assert_int_eq(planned()->n_runs, 3);      /* the first value needs no keeping */
}
END_TEST

START_TEST(mirrors_widen_both_sides)
{
	struct air_field *u = field(p, "u", ELEM_F64, grid(p, "g", "x:8 y:8p"));
	struct plan *plan;

	conditions(u, MIRROR_REFLECT);
	sum_of(at(p, u, -2, 1));
	plan = planned();
	ck_assert_int_eq(plan->run[0]->need[0].diagonal, 2);
	ck_assert_int_eq(array_of(plan, u)->halo[0][0], 2);
	ck_assert_int_eq(array_of(plan, u)->halo[0][1], 2);
	ck_assert_int_eq(array_of(plan, u)->halo[1][0], 0);
	ck_assert_int_eq(array_of(plan, u)->halo[1][1], 1);
	ck_assert_int_eq(plan->run[0]->margin[0][1], 0);
	ck_assert_int_eq(plan->run[0]->n_results, 1);
}
END_TEST

START_TEST(wall_fields_are_needed_as_wide)
{
	struct grid *g = grid(p, "g", "x:8 y:8");
	struct grid *gy = grid_of(&p->types, g->family, &g->axis[1], 1);
	struct air_field *u = field(p, "u", ELEM_F64, g), *w = field(p, "w", ELEM_F64, gy);
	struct plan *plan;

	walls(w, f64(p, 0));
	walls(u, f64(p, 0));
	u->ghost[0][0].value = air_read(p, w, (struct air_select[1]){ { 0 } }, nowhere);
	sum_of(at(p, u, -1, 2));
	plan = planned();
	ck_assert_int_eq(plan->run[0]->n_needs, 2);
	ck_assert_int_eq(array_of(plan, w)->halo[0][1], 2);
	ck_assert_int_eq(array_of(plan, u)->wall[0][0]->n_fields, 1);
	ck_assert_ptr_eq(array_of(plan, u)->wall[0][0]->field[0], array_of(plan, w));
	ck_assert_ptr_null(array_of(plan, u)->wall[0][1]);
}
END_TEST

START_TEST(computed_ghosts_make_a_stage_grow)
{
	struct grid *g = grid(p, "g", "x:8 y:8p");
	struct air_field *u = field(p, "u", ELEM_F64, g), *v = field(p, "v", ELEM_F64, g), *s;
	struct plan *plan;
	const struct plan_array *a;

	walls(u, f64(p, 1));
	s = stage(p, "s", g, mul(p, here(p, u), at(p, u, 1, 0)));
	s->ghost[0][0].kind = s->ghost[0][1].kind = GHOST_COMPUTED;
	assign(p, &p->body, u, f64(p, 0));
	assign(p, &p->body, v, sub(p, at(p, s, 2, 0), at(p, s, -1, 0)));
	plan = planned();
	a = array_of(plan, s);
	ck_assert_int_eq(a->grown[0][0], 1);
	ck_assert_int_eq(a->grown[0][1], 2);
	ck_assert_int_eq(plan->run[0]->grow[0][1], 2);
	ck_assert_int_eq(need_of(plan->run[0], array_of(plan, u))->width[0][1], 3);
	ck_assert_int_eq(need_of(plan->run[0], array_of(plan, u))->width[0][0], 1);
	ck_assert_int_eq(array_of(plan, u)->halo[0][1], 3);
}
END_TEST

START_TEST(masks_choose_between_new_and_old)
{
	struct grid *g = grid(p, "g", "x:8 y:8");
	struct air_field *u = field(p, "u", ELEM_F64, g);
	struct air_stmt *s = assign(p, &p->body, u, f64(p, 1));
	struct plan *plan;

	s->mask = op2(p, AIR_LT, ELEM_BOOL, index_of(p, g, 0), i64(p, 3));
	plan = planned();
	ck_assert_int_eq(count(plan->run[0]->call.kernel, KIR_LOAD), 1);
	ck_assert_int_eq(plan->run[0]->n_commits, 0);
}
END_TEST

START_TEST(a_stage_used_once_is_not_stored)
{
	struct grid *g = grid(p, "g", "x:8p y:8p");
	struct air_field *u = field(p, "u", ELEM_F64, g), *v = field(p, "v", ELEM_F64, g);
	struct air_field *r = stage(p, "r", g, mul(p, here(p, u), here(p, v)));
	struct plan *plan;

	assign_two(u, sub(p, cross(u), here(p, r)), v, add(p, cross(v), here(p, r)));
	plan = planned();
	ck_assert_int_eq(plan->n_runs, 1);
	ck_assert_int_eq(plan->n_arrays, 2);
	ck_assert_int_eq(plan->run[0]->n_commits, 2);
}
END_TEST

START_TEST(a_stage_outlives_what_it_was_made_of)
{
	struct grid *g = grid(p, "g", "x:8p y:8p");
	struct air_field *u = field(p, "u", ELEM_F64, g), *v = field(p, "v", ELEM_F64, g);
	struct air_field *old = stage(p, "old", g, here(p, u));
	struct plan *plan;

	assign(p, &p->body, u, f64(p, 1));
	assign(p, &p->body, v, sub(p, here(p, u), here(p, old)));
	plan = planned_by(PASS_INLINE);
	ck_assert_int_eq(plan->n_runs, 3);
	ck_assert_ptr_nonnull(array_of(plan, old));
	plan = planned();                            /* merged, it has no need to */
	ck_assert_int_eq(plan->n_runs, 1);
	ck_assert_ptr_null(array_of(plan, old));
}
END_TEST

START_TEST(a_loop_may_write_before_it_reads_again)
{
	struct grid *g = grid(p, "g", "x:8p y:8p");
	struct air_field *u = field(p, "u", ELEM_F64, g);
	struct air_field *old = stage(p, "old", g, mul(p, here(p, u), f64(p, 2)));
	struct air_stmt *loop = air_stmt_new(p, &p->body, STMT_LOOP, nowhere);

	assign(p, &loop->body, u, add(p, here(p, u), here(p, old)));
	ck_assert_ptr_nonnull(array_of(planned(), old));
}
END_TEST

START_TEST(a_scalar_may_change_as_well)
{
	struct grid *g = grid(p, "g", "x:8p y:8p");
	struct air_var *t = air_var_new(p, "t", ELEM_F64, nowhere);
	struct air_field *u = field(p, "u", ELEM_F64, g);
	struct air_field *s =
		stage(p, "s", g, mul(p, here(p, u), air_read_var(p, t, nowhere)));
	struct air_stmt *set = air_stmt_new(p, &p->body, STMT_SET, nowhere);

	set->var = t;
	set->value = f64(p, 1);
	assign(p, &p->body, u, here(p, s));
	ck_assert_ptr_nonnull(array_of(planned_by(PASS_INLINE), s));
}
END_TEST

START_TEST(own_conditions_keep_a_stage)
{
	struct grid *g = grid(p, "g", "x:8 y:8");
	struct air_field *u = field(p, "u", ELEM_F64, g);
	struct air_field *s = stage(p, "s", g, mul(p, here(p, u), here(p, u)));
	struct plan *plan;

	conditions(s, MIRROR_EDGE);
	reduce(p, REDUCE_SUM, ELEM_F64, cross(s));
	plan = planned_by(PASS_INLINE);
	ck_assert_ptr_nonnull(array_of(plan, s));
}
END_TEST

START_TEST(shifted_places_on_periodic_axes_keep_a_stage)
{
	struct grid *g = grid(p, "g", "x:8p y:8p");
	struct air_field *u = field(p, "u", ELEM_I64, g);
	struct air_field *s = stage(p, "s", g, index_of(p, g, 0));
	struct air_field *t = stage(p, "t", g, index_of(p, g, 1));
	struct plan *plan;

	assign(p, &p->body, u, add(p, at(p, s, 1, 0), at(p, t, 1, 0)));
	plan = planned();
	ck_assert_ptr_nonnull(array_of(plan, s));
	ck_assert_ptr_null(array_of(plan, t));
}
END_TEST

START_TEST(random_stages_are_drawn_once)
{
	struct grid *g = grid(p, "g", "x:8p y:8p");
	struct air_field *u = field(p, "u", ELEM_F64, g);
	const struct air_expr *r = air_random(p, g, ELEM_F64, i64(p, 0), 0, nowhere);
	struct air_field *s = stage(p, "s", g, r);

	assign(p, &p->body, u, at(p, s, 1, 0));
	ck_assert_ptr_nonnull(array_of(planned(), s));
}
END_TEST

START_TEST(what_nobody_reads_is_not_computed)
{
	struct grid *g = grid(p, "g", "x:8p y:8p");
	struct air_field *u = field(p, "u", ELEM_F64, g);
	struct air_field *s = stage(p, "s", g, here(p, u));

	stage(p, "t", g, mul(p, here(p, s), here(p, s)));
	reduce(p, REDUCE_SUM, ELEM_F64, here(p, u));
	ck_assert_int_eq(planned()->n_runs, 0);
}
END_TEST

START_TEST(neighbours_share_a_run)
{
	struct grid *g = grid(p, "g", "x:8p y:8p");
	struct air_field *u = field(p, "u", ELEM_F64, g), *v = field(p, "v", ELEM_F64, g);
	struct air_field *w = field(p, "w", ELEM_F64, g);
	struct plan *plan;

	assign(p, &p->body, u, add(p, here(p, u), here(p, w)));
	assign(p, &p->body, v, mul(p, here(p, u), cross(w)));
	sum_of(mul(p, here(p, v), here(p, v)));
	plan = planned();
	ck_assert_int_eq(plan->n_runs, 1);
	ck_assert_int_eq(plan->run[0]->n_results, 1);
	ck_assert_int_eq(plan->run[0]->n_commits, 0);
	ck_assert_int_eq(count(plan->run[0]->call.kernel, KIR_STORE), 2);
}
END_TEST

START_TEST(a_shifted_read_waits_for_its_writer)
{
	struct grid *g = grid(p, "g", "x:8p y:8p");
	struct air_field *u = field(p, "u", ELEM_F64, g), *v = field(p, "v", ELEM_F64, g);

	assign(p, &p->body, u, f64(p, 1));
	assign(p, &p->body, v, cross(u));
	ck_assert_int_eq(planned()->n_runs, 2);
}
END_TEST

START_TEST(merging_costs_no_second_buffer)
{
	struct grid *g = grid(p, "g", "x:8p y:8p");
	struct air_field *u = field(p, "u", ELEM_F64, g), *v = field(p, "v", ELEM_F64, g);

	assign(p, &p->body, u, cross(v));
	assign(p, &p->body, v, f64(p, 1));
	ck_assert_int_eq(planned()->n_runs, 2);
	ck_assert(!array_of(planned(), v)->second);
}
END_TEST

START_TEST(a_sum_of_a_sum_waits)
{
	struct grid *g = grid(p, "g", "x:8p y:8p");
	struct air_field *u = field(p, "u", ELEM_F64, g);
	struct air_var *mean = reduce(p, REDUCE_SUM, ELEM_F64, here(p, u));

	reduce(p, REDUCE_SUM, ELEM_F64, sub(p, here(p, u), air_read_var(p, mean, nowhere)));
	reduce(p, REDUCE_SUM, ELEM_F64, mul(p, here(p, u), here(p, u)));
	ck_assert_int_eq(planned_by(PASS_MERGE)->n_runs, 2);
}
END_TEST

/* f[q=k] at an offset */
static const struct air_expr *component(struct air_field *f, int64_t k, int64_t x, int64_t y)
{
	struct air_select at[MAX_AXES] = { { .offset = x }, { .offset = y },
		                           { .pick = PICK_FIXED, .index = i64(p, k) } };

	return air_read(p, f, at, nowhere);
}

static struct air_slice slice_at(int64_t k)
{
	return (struct air_slice){ .part = PART_AT, .lo = i64(p, k), .step = 1 };
}

START_TEST(streaming_and_collision_share_a_run)
{
	struct grid *l = grid(p, "l", "x:8p y:8p q:3l");
	struct grid *g = grid_of(&p->types, l->family, l->axis, 2);
	struct air_field *f = field(p, "f", ELEM_F64, l), *rho;
	struct air_stmt *swap;
	struct plan *plan;

	for (int k = 1; k < 3; k++)
		assign(p, &p->body, f, component(f, k, 3 - 2 * k, k))
			->target[0].region.axis[2] = slice_at(k);
	rho = stage(p, "rho", g, add(p, add(p, component(f, 0, 0, 0), component(f, 1, 0, 0)),
	                             component(f, 2, 0, 0)));
	assign(p, &p->body, f, mul(p, here(p, f), here(p, rho)));
	assign_two(f, component(f, 2, 0, 0), f, component(f, 1, 0, 0));
	swap = p->body.last;
	swap->target[0].region.axis[2] = slice_at(1);
	swap->target[1].region.axis[2] = slice_at(2);
	plan = planned();
	ck_assert_int_eq(plan->n_runs, 1);
	ck_assert_ptr_eq(plan->run[0]->grid, g);
	ck_assert_int_eq(plan->run[0]->n_commits, 1);
	ck_assert_ptr_null(array_of(plan, rho));
	ck_assert_int_eq(count(plan->run[0]->call.kernel, KIR_LOAD), 3);
	ck_assert_int_eq(count(plan->run[0]->call.kernel, KIR_STORE), 3);
}
END_TEST

START_TEST(one_component_stays_a_slice)
{
	struct grid *l = grid(p, "l", "x:8p y:8p q:9l");
	struct air_field *f = field(p, "f", ELEM_F64, l);

	assign(p, &p->body, f, component(f, 3, 1, 0))->target[0].region.axis[2] = slice_at(3);
	assign(p, &p->body, f, component(f, 4, 1, 0))->target[0].region.axis[2] = slice_at(4);
	ck_assert_int_eq(planned()->n_runs, 2);
	ck_assert_ptr_eq(planned()->run[0]->grid, l);
}
END_TEST

static Suite *plan_suite(void)
{
	Suite *s = suite_create("plan");
	TCase *c = tcase_create("runs");

	tcase_add_checked_fixture(c, set_up, tear_down);
	tcase_add_test(c, a_stencil_goes_to_the_second_buffer);
	tcase_add_test(c, pointwise_updates_are_in_place);
	tcase_add_test(c, leapfrog_writes_over_the_oldest);
	tcase_add_test(c, a_swap_is_only_a_swap);
	tcase_add_test(c, targets_of_other_points_are_computed_first);
	tcase_add_test(c, mirrors_widen_both_sides);
	tcase_add_test(c, wall_fields_are_needed_as_wide);
	tcase_add_test(c, computed_ghosts_make_a_stage_grow);
	tcase_add_test(c, masks_choose_between_new_and_old);
	suite_add_tcase(s, c);
	c = tcase_create("passes");
	tcase_add_checked_fixture(c, set_up, tear_down);
	tcase_add_test(c, a_stage_used_once_is_not_stored);
	tcase_add_test(c, a_stage_outlives_what_it_was_made_of);
	tcase_add_test(c, a_loop_may_write_before_it_reads_again);
	tcase_add_test(c, a_scalar_may_change_as_well);
	tcase_add_test(c, own_conditions_keep_a_stage);
	tcase_add_test(c, shifted_places_on_periodic_axes_keep_a_stage);
	tcase_add_test(c, random_stages_are_drawn_once);
	tcase_add_test(c, what_nobody_reads_is_not_computed);
	tcase_add_test(c, neighbours_share_a_run);
	tcase_add_test(c, a_shifted_read_waits_for_its_writer);
	tcase_add_test(c, merging_costs_no_second_buffer);
	tcase_add_test(c, a_sum_of_a_sum_waits);
	tcase_add_test(c, streaming_and_collision_share_a_run);
	tcase_add_test(c, one_component_stays_a_slice);
	suite_add_tcase(s, c);
	return s;
}

UNIT_MAIN(plan_suite)
