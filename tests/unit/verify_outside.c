/* tests/unit/verify_outside.c - the rules of AIR for code of one rank, functions for C and
 * functions in C, each broken once */
#include "make_air.h"
#include "unit.h"

static struct arena *arena;
static struct air_program *p;
static struct grid *g;
static struct air_field *u;
static struct air_var *outer;                /* set outside, before all else */

static void set_up(void)
{
	struct air_stmt *set;

	arena = arena_new();
	p = air_new(arena, "test.mpa");
	g = grid(p, "g", "x:8");
	u = field(p, "u", ELEM_F64, g);
	outer = air_var_new(p, "outer", ELEM_I64, nowhere);
	set = air_stmt_new(p, &p->body, STMT_SET, nowhere);
	set->var = outer;
	set->value = i64(p, 1);
}

static void tear_down(void)
{
	arena_free(arena);
}

static struct air_stmt *stmt(struct air_block *b, enum air_stmt_kind kind)
{
	return air_stmt_new(p, b, kind, nowhere);
}

static const struct air_var *set(struct air_block *b, const struct air_var *v,
                                 const struct air_expr *value)
{
	struct air_stmt *st = stmt(b, STMT_SET);

	st->var = v ? v : air_var_new(p, "v", value->elem, nowhere);
	st->value = value;
	return st->var;
}

static const struct air_var *asked(struct air_block *b, enum air_stmt_kind kind)
{
	struct air_stmt *st = stmt(b, kind);

	st->grid = g;
	st->axis = g->axis[0];
	st->to = i64(p, 1);
	return st->var = air_var_new(p, "asked", ELEM_I64, nowhere);
}

static struct air_extern *function(enum elem result, enum elem parameter)
{
	struct air_extern *f = air_extern_new(p, "f", 1, nowhere);

	f->elem = result;
	f->param = arena_copy(arena, &parameter, sizeof parameter);
	return f;
}

/* export f(var q, k) in its loop; the body is given back. */
static struct air_stmt *exported(void)
{
	static struct air_export_param param[2] = { { "q", true, NULL }, { "k", false, NULL } };
	struct air_export *x = air_export_new(p, "f", nowhere);
	struct air_entry *entry = arena_new_object(arena, struct air_entry);
	struct air_stmt *loop = stmt(&p->body, STMT_LOOP), *st;

	param[1].var = air_var_new(p, "k", ELEM_I64, nowhere);
	x->param = param;
	x->n_params = 2;
	x->n_fields = 1;
	*entry = (struct air_entry){ x, &u, p->n_entries++ };
	st = stmt(&loop->body, STMT_EXPORT);
	st->entry = entry;
	stmt(&loop->body, STMT_BREAK);
	return st;
}

START_TEST(right_ones_are_fine)
{
	struct air_stmt *local = stmt(&p->body, STMT_LOCAL), *loop, *st;
	const struct air_var *rank = asked(&local->body, STMT_RANK);
	const struct air_expr *argument = here(p, u);

	asked(&p->body, STMT_RANKS);
	asked(&local->body, STMT_BOUND);
	set(&local->body, NULL, air_read_var(p, rank, nowhere));
	loop = stmt(&local->body, STMT_LOOP);
	stmt(&loop->body, STMT_BREAK);
	st = exported();
	set(&st->body, NULL, air_read_var(p, st->entry->function->param[1].var, nowhere));
	assign(p, &st->body, u, air_call(p, function(ELEM_F64, ELEM_F64), &argument, nowhere));
	ck_assert_ptr_null(air_verify(p));
}
END_TEST

static void local_assigns(void)
{
	assign(p, &stmt(&p->body, STMT_LOCAL)->body, u, here(p, u));
}

static void local_leaks(void)
{
	set(&stmt(&p->body, STMT_LOCAL)->body, outer, i64(p, 2));
}

static void local_is_read(void)
{
	const struct air_var *v = set(&stmt(&p->body, STMT_LOCAL)->body, NULL, i64(p, 2));

	set(&p->body, NULL, air_read_var(p, v, nowhere));
}

static void local_in_local(void)
{
	stmt(&stmt(&p->body, STMT_LOCAL)->body, STMT_LOCAL);
}

static void local_left(void)
{
	struct air_stmt *loop = stmt(&p->body, STMT_LOOP);

	stmt(&stmt(&loop->body, STMT_LOCAL)->body, STMT_BREAK);
}

static void rank_outside(void)
{
	asked(&p->body, STMT_RANK);
}

static void bound_of_nothing(void)
{
	struct air_stmt *local = stmt(&p->body, STMT_LOCAL);

	asked(&local->body, STMT_BOUND);
	local->body.last->axis = NULL;
}

static void export_left(void)
{
	stmt(&exported()->body, STMT_BREAK);
}

static void export_gives_nothing(void)
{
	struct air_stmt *st = exported();
	struct air_export *x = p->export[0];

	ck_assert_ptr_eq(st->entry->function, x);
	x->result = air_var_new(p, "result", ELEM_F64, nowhere);
}

static void export_of_dead(void)
{
	static struct air_field *dead;

	dead = air_field_new(p, FIELD_DECLARED, "dead", ELEM_F64, g, nowhere);
	((struct air_entry *)exported()->entry)->field = &dead;
}

static void call_of_other_type(void)
{
	const struct air_expr *argument = here(p, u);
	struct air_extern *f = function(ELEM_F64, ELEM_I64);

	assign(p, &p->body, u, air_call(p, f, &argument, nowhere));
}

static const struct {
	void (*break_it)(void);
	const char *complaint;
} broken_rules[] = {
	{ local_assigns, "assign: stands in a local block" },
	{ local_leaks, "outer is of outside of the local block" },
	{ local_is_read, "read before it is set" },
	{ local_in_local, "local blocks are nested" },
	{ local_left, "outside a loop" },
	{ rank_outside, "outside of local blocks" },
	{ bound_of_nothing, "no grid or axis" },
	{ export_left, "outside a loop" },
	{ export_gives_nothing, "gives no value" },
	{ export_of_dead, "dead is used where it does not live" },
	{ call_of_other_type, "of another type than the parameter" },
};

START_TEST(each_broken_rule_is_named)
{
	const char *found;

	broken_rules[_i].break_it();
	found = air_verify(p);
	ck_assert_msg(found && strstr(found, broken_rules[_i].complaint),
	              "expected `%s`, found `%s`", broken_rules[_i].complaint,
	              found ? found : "nothing");
}
END_TEST

static Suite *verify_suite(void)
{
	Suite *s = suite_create("verify_outside");
	TCase *t = tcase_create("verify_outside");

	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, right_ones_are_fine);
	tcase_add_loop_test(t, each_broken_rule_is_named, 0,
	                    sizeof broken_rules / sizeof *broken_rules);
	suite_add_tcase(s, t);
	return s;
}

UNIT_MAIN(verify_suite)
