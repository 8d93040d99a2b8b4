/* tests/unit/verify.c - each rule of AIR, broken once, is noticed and named */
#include "make_air.h"
#include "unit.h"

static struct arena *arena;
static struct air_program *p;
static struct grid *g;                       /* x:8 q:3 local */
static struct air_field *u, *k;              /* f64 and i64 on g */

static void set_up(void)
{
	arena = arena_new();
	p = air_new(arena, "test.mpa");
	g = grid(p, "g", "x:8 q:3l");
	u = field(p, "u", ELEM_F64, g);
	k = field(p, "k", ELEM_I64, g);
}

static void tear_down(void)
{
	arena_free(arena);
}

static void expect(const char *complaint)
{
	const char *found = air_verify(p);

	ck_assert_msg(found && strstr(found, complaint), "expected `%s`, found `%s`", complaint,
	              found ? found : "nothing");
}

static struct air_stmt *stmt(enum air_stmt_kind kind)
{
	return air_stmt_new(p, &p->body, kind, nowhere);
}

/* A copy that can be broken. */
static struct air_expr *broken(const struct air_expr *e)
{
	return arena_copy(arena, e, sizeof *e);
}

START_TEST(a_right_program_is_fine)
{
	struct air_select fixed[MAX_AXES] = { { .offset = 1 },
		                              { .pick = PICK_FIXED, .index = i64(p, 2) } };
	struct air_stmt *loop = stmt(STMT_LOOP);

	walls(u, air_mirror(p, u, MIRROR_EDGE, nowhere));
	walls(k, i64(p, 0));
	assign(p, &loop->body, u, air_read(p, u, fixed, nowhere));
	air_stmt_new(p, &loop->body, STMT_BREAK, nowhere);
	reduce(p, REDUCE_SUM, ELEM_F64, here(p, u));
	reduce(p, REDUCE_ARGMAX, ELEM_I64, here(p, k));
	ck_assert_ptr_null(air_verify(p));
}
END_TEST

/* Each case adds one fault to the program; its complaint stands beside it. */

static void arg_of_other_type(void)
{
	const struct air_expr *arg[] = { here(p, u), here(p, k) };
	struct air_expr *e = broken(add(p, here(p, u), f64(p, 2)));

	e->arg = arena_copy(arena, arg, sizeof arg);
	assign(p, &p->body, u, e);
}

static void compare_to_real(void)
{
	struct air_expr *e = broken(op2(p, AIR_LT, ELEM_BOOL, here(p, u), f64(p, 2)));

	e->elem = ELEM_F64;
	assign(p, &p->body, u, e);
}

static void sqrt_of_int(void)
{
	assign(p, &p->body, k, op1(p, AIR_SQRT, ELEM_I64, here(p, k)));
}

static void not_of_int(void)
{
	assign(p, &p->body, k, op1(p, AIR_NOT, ELEM_I64, here(p, k)));
}

static void select_by_int(void)
{
	const struct air_expr *arg[] = { here(p, k), here(p, k), i64(p, 1) };

	assign(p, &p->body, k, air_op(p, AIR_SELECT, ELEM_I64, arg, 3, nowhere));
}

static void lookup_by_real(void)
{
	const struct air_expr *arg[] = { here(p, u), f64(p, 1), f64(p, 2) };

	assign(p, &p->body, u, air_op(p, AIR_LOOKUP, ELEM_F64, arg, 3, nowhere));
}

static void isnan_of_int(void)
{
	struct air_stmt *s = assign(p, &p->body, u, here(p, u));

	s->mask = op1(p, AIR_ISNAN, ELEM_BOOL, here(p, k));
}

static void cast_to_text(void)
{
	struct air_expr *e = broken(air_cast(p, here(p, u), ELEM_I64));

	e->elem = ELEM_STR;
	e->grid = NULL;
	reduce(p, REDUCE_SUM, ELEM_I64, e);
}

static void later_argument(void)
{
	struct air_expr *e = broken(add(p, here(p, u), f64(p, 2)));

	e->id = 0;
	assign(p, &p->body, u, e);
}

static void exponent(void)
{
	struct air_expr *e = broken(air_powi(p, here(p, u), 3, nowhere));

	e->as.i = 65;
	assign(p, &p->body, u, e);
}

static void arity(void)
{
	struct air_expr *e = broken(add(p, here(p, u), f64(p, 2)));

	e->n_args = 1;
	assign(p, &p->body, u, e);
}

static void lost_grid(void)
{
	struct air_expr *e = broken(add(p, here(p, u), f64(p, 2)));

	e->grid = NULL;
	assign(p, &p->body, u, e);
}

static void other_family(void)
{
	struct air_expr *e = broken(add(p, here(p, u), f64(p, 2)));

	e->grid = grid(p, "h", "x:8 q:3l");
	assign(p, &p->body, u, e);
}

static void axis_missing(void)
{
	struct air_expr *e = broken(add(p, here(p, u), f64(p, 2)));

	e->grid = grid_of(&p->types, g->family, g->axis, 1);
	assign(p, &p->body, u, e);
}

static void axis_too_many(void)
{
	const struct air_expr *x = index_of(p, g, 0);
	struct air_expr *e = broken(add(p, x, i64(p, 2)));

	e->grid = g;
	assign(p, &p->body, k, e);
}

static void fixed_on_cut_axis(void)
{
	struct air_select at[MAX_AXES] = { { .pick = PICK_FIXED, .index = i64(p, 2) } };

	assign(p, &p->body, u, air_read(p, u, at, nowhere));
}

static void fixed_by_field(void)
{
	struct air_select at[MAX_AXES] = {
		{ .offset = 0 }, { .pick = PICK_FIXED, .index = index_of(p, g, 0) }
	};

	assign(p, &p->body, u, air_read(p, u, at, nowhere));
}

static void read_type(void)
{
	struct air_expr *e = broken(here(p, u));

	e->elem = ELEM_I64;
	assign(p, &p->body, k, e);
}

static void read_grid(void)
{
	struct air_expr *e = broken(here(p, u));

	e->grid = grid_of(&p->types, g->family, g->axis, 1);
	assign(p, &p->body, u, e);
}

static void mirror_outside(void)
{
	assign(p, &p->body, u, air_mirror(p, u, MIRROR_EDGE, nowhere));
}

/* Takes back the statements of u and k. */
static void restart(void)
{
	p->body.last = p->body.first;
	p->body.first->next = NULL;
}

static void random_condition(void)
{
	restart();
	walls(u, air_random(p, g, ELEM_F64, i64(p, 1), 0, nowhere));
	stmt(STMT_FIELD)->field = u;
}

static void wrong_condition(void)
{
	restart();
	walls(u, i64(p, 1));
	stmt(STMT_FIELD)->field = u;
}

static void computed_condition(void)
{
	restart();
	u->ghost[0][1].kind = GHOST_COMPUTED;
	stmt(STMT_FIELD)->field = u;
}

static void periodic_condition(void)
{
	struct air_field *f = air_field_new(p, FIELD_DECLARED, "f", ELEM_F64,
	                                    grid(p, "t", "x:4p"), nowhere);

	f->ghost[0][0] = (struct air_ghost){ GHOST_EXPR, f64(p, 1), nowhere };
	stmt(STMT_FIELD)->field = f;
}

static void condition_on_more_axes(void)
{
	struct grid *x = grid_of(&p->types, g->family, g->axis, 1);
	struct air_field *f = air_field_new(p, FIELD_DECLARED, "f", ELEM_F64, x, nowhere);

	f->ghost[0][0] = (struct air_ghost){ GHOST_EXPR, here(p, u), nowhere };
	stmt(STMT_FIELD)->field = f;
}

static void condition_reads_nothing_known(void)
{
	struct air_field *f = air_field_new(p, FIELD_DECLARED, "f", ELEM_F64, g, nowhere);
	struct air_field *h = air_field_new(p, FIELD_DECLARED, "h", ELEM_F64, g, nowhere);

	f->ghost[0][0] = (struct air_ghost){ GHOST_EXPR, here(p, h), nowhere };
	stmt(STMT_FIELD)->field = f;
}

static void field_unknown(void)
{
	struct air_field *f = air_field_new(p, FIELD_DECLARED, "f", ELEM_F64, g, nowhere);

	assign(p, &p->body, f, f64(p, 1));
}

static void field_of_inner_block(void)
{
	struct air_field *f = air_field_new(p, FIELD_DECLARED, "f", ELEM_F64, g, nowhere);
	struct air_stmt *loop = stmt(STMT_LOOP);

	air_stmt_new(p, &loop->body, STMT_FIELD, nowhere)->field = f;
	assign(p, &p->body, u, here(p, f));
}

static void field_twice(void)
{
	stmt(STMT_FIELD)->field = u;
}

static void field_before_grid(void)
{
	struct family *f = family_new(&p->types, "late", nowhere);
	struct axis proto = { .name = "x", .size = i64(p, 4), .constant_size = 4 };

	family_add_axis(&p->types, f, proto);
	field(p, "f", ELEM_F64, grid_of(&p->types, f, f->axis, 1));
}

static void grid_twice(void)
{
	stmt(STMT_GRID)->family = g->family;
}

static void stage_without_value(void)
{
	stmt(STMT_STAGE)->field = air_field_new(p, FIELD_STAGE, "s", ELEM_F64, g, nowhere);
}

static void stage_assigned(void)
{
	assign(p, &p->body, stage(p, "s", g, here(p, u)), f64(p, 1));
}

static void value_type(void)
{
	assign(p, &p->body, u, i64(p, 1));
}

static void value_grid(void)
{
	struct grid *x = grid_of(&p->types, g->family, g->axis, 1);

	assign(p, &p->body, field(p, "f", ELEM_F64, x), here(p, u));
}

static void mask_type(void)
{
	assign(p, &p->body, u, f64(p, 1))->mask = here(p, k);
}

static void region_step(void)
{
	assign(p, &p->body, u, f64(p, 1))->target->region.axis[0].part = PART_RANGE;
}

static void region_bound(void)
{
	assign(p, &p->body, u, f64(p, 1))->target->region.axis[0] =
		(struct air_slice){ .part = PART_AT, .lo = f64(p, 1) };
}

static void no_target(void)
{
	stmt(STMT_ASSIGN);
}

static void var_unset(void)
{
	struct air_var *v = air_var_new(p, "v", ELEM_F64, nowhere);

	assign(p, &p->body, u, air_read_var(p, v, nowhere));
}

static void set_type(void)
{
	struct air_stmt *s = stmt(STMT_SET);

	s->var = air_var_new(p, "v", ELEM_F64, nowhere);
	s->value = i64(p, 1);
}

static void set_field(void)
{
	struct air_stmt *s = stmt(STMT_SET);

	s->var = air_var_new(p, "v", ELEM_F64, nowhere);
	s->value = here(p, u);
}

static void sum_type(void)
{
	reduce(p, REDUCE_SUM, ELEM_F64, here(p, k));
}

static void any_of_ints(void)
{
	reduce(p, REDUCE_ANY, ELEM_BOOL, here(p, k));
}

static void sum_of_scalar(void)
{
	reduce(p, REDUCE_SUM, ELEM_F64, f64(p, 1));
}

static void element_index(void)
{
	struct air_stmt *s = stmt(STMT_ELEMENT);

	s->field = u;
	s->var = air_var_new(p, "v", ELEM_F64, nowhere);
	s->index[0] = i64(p, 1);
}

static void if_of_int(void)
{
	stmt(STMT_IF)->value = i64(p, 1);
}

static void stray_break(void)
{
	stmt(STMT_BREAK);
}

static void for_without_step(void)
{
	struct air_stmt *s = stmt(STMT_FOR);

	s->var = air_var_new(p, "i", ELEM_I64, nowhere);
	s->from = s->to = i64(p, 1);
}

static void bad_format(void)
{
	struct air_stmt *s = stmt(STMT_PRINT);

	s->text.n = 1;
	s->text.piece = arena_new_object(arena, struct air_piece);
	*s->text.piece = (struct air_piece){ .kind = PIECE_SCALAR, .value = f64(p, 1.5),
		                             .format = "d" };
}

static void save_by_number(void)
{
	stmt(STMT_SAVE)->value = i64(p, 1);
}

static struct air_item *file_item(enum air_stmt_kind kind)
{
	struct air_stmt *s = stmt(kind);

	s->value = air_string(p, "u.h5");
	s->n_items = 1;
	s->item = arena_new_array(p->arena, 1, struct air_item);
	s->item->name = air_string(p, "u");
	return s->item;
}

static void save_nothing(void)
{
	stmt(STMT_SAVE)->value = air_string(p, "u.h5");
}

static void save_two(void)
{
	struct air_item *item = file_item(STMT_SAVE);

	item->field = u;
	item->value = i64(p, 1);
}

static void load_value(void)
{
	file_item(STMT_LOAD)->value = i64(p, 1);
}

static void load_stage(void)
{
	struct air_field *f = stage(p, "s", g, here(p, u));

	file_item(STMT_LOAD)->field = f;
}

static struct air_copy *copied(struct air_field *to, struct air_field *from)
{
	struct air_copy *c = arena_new_object(arena, struct air_copy);

	*c = (struct air_copy){ .to = to, .from = from, .pair = { 0, 1 } };
	for (int i = 0; i < MAX_AXES; i++)
		c->to_region.axis[i].step = c->from_region.axis[i].step = 1;
	stmt(STMT_COPY)->copy = c;
	return c;
}

static void copy_nothing(void)
{
	stmt(STMT_COPY);
}

static void copy_to_stage(void)
{
	copied(stage(p, "s", g, here(p, u)), u);
}

static void copy_type(void)
{
	copied(field(p, "k", ELEM_I64, g), u);
}

static void copy_unpaired(void)
{
	copied(u, u)->pair[1] = -1;
}

static void copy_paired_twice(void)
{
	copied(u, u)->pair[1] = 0;
}

static void copy_pairs_point(void)
{
	struct air_copy *c = copied(u, u);

	c->from_region.axis[1].part = PART_AT;
	c->from_region.axis[1].lo = i64(p, 0);
}

static void slice_of_nothing(void)
{
	struct axis_slice *x = arena_new_object(arena, struct axis_slice);

	*x = (struct axis_slice){ .axis = g->axis[0], .start = i64(p, 0), .step = 1 };
	grid(p, "h", "x:2")->axis[0]->slice = x;
}

static void exit_real(void)
{
	stmt(STMT_EXIT)->value = f64(p, 1);
}

static const struct {
	void (*break_it)(void);
	const char *complaint;
} broken_rules[] = {
	{ arg_of_other_type, "takes numbers of its own type" },
	{ compare_to_real, "compares two of one type" },
	{ sqrt_of_int, "takes reals" },
	{ not_of_int, "takes and gives bools" },
	{ select_by_int, "takes a bool and two" },
	{ lookup_by_real, "takes an i64 and entries" },
	{ isnan_of_int, "asks about a real" },
	{ cast_to_text, "converts numbers and bools only" },
	{ later_argument, "an argument was made later" },
	{ exponent, "exponent beyond" },
	{ arity, "wrong number of arguments" },
	{ lost_grid, "a scalar has an argument with a grid" },
	{ other_family, "another family" },
	{ axis_missing, "has an axis more" },
	{ axis_too_many, "has an axis that no argument has" },
	{ fixed_on_cut_axis, "not local" },
	{ fixed_by_field, "chosen by an i64 scalar" },
	{ read_type, "is not of its field's type" },
	{ read_grid, "has not the axes of its field" },
	{ mirror_outside, "outside a boundary condition" },
	{ random_condition, "draws random numbers" },
	{ wrong_condition, "condition of u is i64, not f64" },
	{ computed_condition, "u is no stage" },
	{ periodic_condition, "which is periodic" },
	{ condition_on_more_axes, "is not within g[x]" },
	{ condition_reads_nothing_known, "reads h, which has no statement" },
	{ field_unknown, "f is used where it does not live" },
	{ field_of_inner_block, "read where it does not live" },
	{ field_twice, "u has two statements" },
	{ field_before_grid, "on a grid that is not known yet" },
	{ grid_twice, "axis x of g has two statements" },
	{ stage_without_value, "no value" },
	{ stage_assigned, "stage s is assigned to" },
	{ value_type, "value is i64, not f64" },
	{ value_grid, "value on g is not within g[x]" },
	{ mask_type, "value is i64, not bool" },
	{ region_step, "a region has step 0" },
	{ region_bound, "position is f64, not i64" },
	{ no_target, "no target" },
	{ var_unset, "read before it is set" },
	{ set_type, "v is f64, not i64" },
	{ set_field, "value is not a scalar" },
	{ sum_type, "result is f64, not i64" },
	{ any_of_ints, "any and all take bools" },
	{ sum_of_scalar, "over no grid" },
	{ element_index, "no index" },
	{ if_of_int, "condition is i64, not bool" },
	{ stray_break, "outside a loop" },
	{ for_without_step, "no step of range" },
	{ bad_format, "format `d` does not fit f64" },
	{ save_by_number, "name of file is i64, not str" },
	{ save_nothing, "no items" },
	{ save_two, "an item is a field, a value or a variable" },
	{ load_stage, "stage s is loaded" },
	{ load_value, "a value is loaded" },
	{ copy_nothing, "no copy" },
	{ copy_to_stage, "stage s is copied to" },
	{ copy_type, "u is f64, not i64" },
	{ copy_unpaired, "an axis of u has no pair" },
	{ copy_paired_twice, "axis 1 of u is paired with none" },
	{ copy_pairs_point, "axis 1 of u is paired with none" },
	{ slice_of_nothing, "is no slice, but its family is, or the reverse" },
	{ exit_real, "status is f64, not i64" },
};

enum { N_RULES = sizeof broken_rules / sizeof *broken_rules };

START_TEST(each_broken_rule_is_named)
{
	broken_rules[_i].break_it();
	expect(broken_rules[_i].complaint);
}
END_TEST

static Suite *verify_suite(void)
{
	Suite *s = suite_create("verify");
	TCase *t = tcase_create("verify");

	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, a_right_program_is_fine);
	tcase_add_loop_test(t, each_broken_rule_is_named, 0, N_RULES);
	suite_add_tcase(s, t);
	return s;
}

UNIT_MAIN(verify_suite)
