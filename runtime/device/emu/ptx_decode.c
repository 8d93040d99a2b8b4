/* device/emu/ptx_decode.c - what the parts of an instruction's name say
 *
 * takes: "cvt.rn.f32.f64"   gives: who runs it, with types, space, rounding
 * Parts that matter on a GPU alone (how to cache, orders of memory: here one lane comes
 * after the other) are known and passed over. */
#include <stdio.h>
#include <string.h>

#include "device/emu/ptx_module.h"

static const struct {
	const char *name;
	int bytes;
} types[PTX_TYPES] = {
	[PTX_U8] = { "u8", 1 },   [PTX_S8] = { "s8", 1 },   [PTX_B8] = { "b8", 1 },
	[PTX_U16] = { "u16", 2 }, [PTX_S16] = { "s16", 2 }, [PTX_B16] = { "b16", 2 },
	[PTX_U32] = { "u32", 4 }, [PTX_S32] = { "s32", 4 }, [PTX_B32] = { "b32", 4 },
	[PTX_U64] = { "u64", 8 }, [PTX_S64] = { "s64", 8 }, [PTX_B64] = { "b64", 8 },
	[PTX_F32] = { "f32", 4 }, [PTX_F64] = { "f64", 8 }, [PTX_PRED] = { "pred", 1 },
};

static const char *const spaces[] = {
	[PTX_GENERIC] = "",      [PTX_GLOBAL] = "global", [PTX_CONST] = "const",
	[PTX_SHARED] = "shared", [PTX_LOCAL] = "local",   [PTX_PARAM] = "param",
};

/* The first ones: accesses of memory that others may make at the same time. */
static const char *const passed[] = {
	"volatile", "relaxed", "acquire", "release", "acq_rel", "weak", "sys", "gpu",
	"cta",      "cluster", "ca",      "cg",      "cs",      "lu",   "cv",  "wb",
	"wt",       "uni",     "aligned", "sync",    "sc",
};
enum { STRONG = 5 };

/* One part after the other. */
struct parts {
	const char *rest;
	char part[24];
};

static bool next_part(struct parts *p)
{
	size_t n = strcspn(p->rest, ".");

	if (!*p->rest)
		return false;
	if (n >= sizeof p->part)
		n = sizeof p->part - 1;
	memcpy(p->part, p->rest, n);
	p->part[n] = '\0';
	p->rest += strcspn(p->rest, ".");
	p->rest += *p->rest == '.';
	return true;
}

bool ptx_type_of(const char *text, enum ptx_type *type)
{
	for (int i = 0; i < PTX_TYPES; i++)
		if (!strcmp(types[i].name, text)) {
			*type = (enum ptx_type)i;
			return true;
		}
	return false;
}

int ptx_type_bytes(enum ptx_type type)
{
	return types[type].bytes;
}

static bool take_space(const char *part, enum ptx_space *space)
{
	for (int i = PTX_GLOBAL; i <= PTX_PARAM; i++)
		if (!strncmp(part, spaces[i], strlen(spaces[i]))) {
			/* "shared::cta", "param::entry" */
			const char *end = part + strlen(spaces[i]);

			*space = (enum ptx_space)i;
			return !*end || !strncmp(end, "::", 2);
		}
	return false;
}

static bool is_passed(const char *part)
{
	for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
		if (!strcmp(passed[i], part))
			return true;
	return strstr(part, "::") != NULL;
}

static bool is_strong(const char *part)
{
	for (int i = 0; i < STRONG; i++)
		if (!strcmp(passed[i], part))
			return true;
	return false;
}

/* ---- kinds of instructions ----------------------------------------------------- */

static bool decode_memory(struct ptx_instr *in, struct parts *p)
{
	bool load = !strcmp(p->part, "ld");
	int vector = 1;

	in->run = load ? ptx_read : ptx_write;
	while (next_part(p)) {
		if (p->part[0] == 'v' && (p->part[1] == '2' || p->part[1] == '4' || p->part[1] == '8') && !p->part[2])
			vector = p->part[1] - '0';
		else if (!strcmp(p->part, "nc"))
			in->constant = true;
		else if (is_strong(p->part))
			in->strong = true;
		else if (!take_space(p->part, &in->space) &&
			 !ptx_type_of(p->part, &in->type) && !is_passed(p->part))
			return false;
	}
	in->n_dst = load ? vector : 0;
	return true;
}

static bool decode_atomic(struct ptx_instr *in, struct parts *p)
{
	bool known = false;

	in->n_dst = !strcmp(p->part, "atom");
	in->run = ptx_atomic;
	in->strong = true;
	while (next_part(p)) {
		if (!known && ptx_atomic_known(p->part, &in->operation))
			known = true;
		else if (!take_space(p->part, &in->space) &&
			 !ptx_type_of(p->part, &in->type) && !is_passed(p->part))
			return false;
	}
	return known && (in->space == PTX_GLOBAL || in->space == PTX_SHARED ||
			 in->space == PTX_GENERIC);
}

static bool take_rounding(struct ptx_instr *in, const char *part)
{
	const char *modes = "nzmp",
		   *mode = part[0] == 'r' && part[1] ? strchr(modes, part[1]) : NULL;

	if (!mode || (part[2] && strcmp(part + 2, "i")))
		return false;
	in->rounding = (enum ptx_rounding)(mode - modes);
	in->to_integer = part[2] == 'i';
	return true;
}

static bool decode_convert(struct ptx_instr *in, struct parts *p)
{
	int n = 0;

	in->run = ptx_convert;
	while (next_part(p)) {
		if (take_rounding(in, p->part))
			continue;
		if (!strcmp(p->part, "sat"))
			in->saturate = true;
		else if (!strcmp(p->part, "ftz"))
			in->flush = true;
		else if (!ptx_type_of(p->part, n++ ? &in->from : &in->type))
			return false;
	}
	return n == 2 && in->type != PTX_PRED && in->from != PTX_PRED;
}

/* What is left of add, div, ex2, … : rounding, .ftz, .sat, .approx */
static bool decode_real(struct ptx_instr *in, struct parts *p)
{
	bool exact, typed = false, rounded = false;

	if (!ptx_real_known(p->part, &in->operation, &exact))
		return false;
	in->run = ptx_real;
	while (next_part(p)) {
		if (!typed && take_rounding(in, p->part))
			rounded = true;
		else if (!strcmp(p->part, "ftz"))
			in->flush = true;
		else if (!strcmp(p->part, "sat"))
			in->saturate = true;
		else if (!strcmp(p->part, "approx") || !strcmp(p->part, "full"))
			in->approximate = true;
		else if (typed || !ptx_type_of(p->part, &in->type))
			return false;
		else
			typed = true;
	}
	if (!exact && (!in->approximate || rounded))
		return false;
	return typed && !in->to_integer && (in->type == PTX_F32 || in->type == PTX_F64);
}

/* add.cc.u32, madc.hi.cc.u64, … */
static bool decode_carry(struct ptx_instr *in, struct parts *p)
{
	bool typed = false;

	if (!ptx_carry_known(p->part, &in->operation))
		return false;
	in->run = ptx_carry;
	while (next_part(p)) {
		if (!strcmp(p->part, "cc"))
			in->carry = true;
		else if (!strcmp(p->part, "hi"))
			in->high = true;
		else if (strcmp(p->part, "lo") && (typed || !ptx_type_of(p->part, &in->type)))
			return false;
		else if (strcmp(p->part, "lo"))
			typed = true;
	}
	return typed && in->type >= PTX_U32 && in->type <= PTX_B64 &&
	       (in->carry || in->operation % 2);
}

static bool decode_sum(struct ptx_instr *in, struct parts *p)
{
	struct parts again = *p;
	struct ptx_instr before = *in;

	if (decode_carry(in, p))
		return true;
	*in = before;
	return decode_real(in, &again);
}

/* setp.lt.and.ftz.f32: the comparison is one of ptx_ops.def */
static bool decode_compare(struct ptx_instr *in, struct parts *p)
{
	static const char *const joins[] = { "and", "or", "xor" };
	char plain[64], test[24] = "";

	in->run = ptx_compare;
	in->operation = PTX_NONE;
	while (next_part(p)) {
		int join = 0;

		while (join < 3 && strcmp(joins[join], p->part))
			join++;
		if (join < 3)
			in->operation = join;
		else if (!*test)
			snprintf(test, sizeof test, "%s", p->part);
		else if (!ptx_type_of(p->part, &in->type))
			return false;
	}
	snprintf(plain, sizeof plain, "setp.%s.%s", test, types[in->type].name);
	in->test = ptx_alu(plain);
	return in->test != NULL;
}

static bool decode_typed(struct ptx_instr *in, struct parts *p, ptx_run_fn *run)
{
	in->run = run;
	return next_part(p) && ptx_type_of(p->part, &in->type) && !next_part(p);
}

static bool decode_insert(struct ptx_instr *in, struct parts *p)
{
	return decode_typed(in, p, ptx_insert);
}

static bool decode_permute(struct ptx_instr *in, struct parts *p)
{
	return decode_typed(in, p, ptx_permute);
}

static bool decode_dot(struct ptx_instr *in, struct parts *p)
{
	int n = 0;

	in->operation = p->part[2] - '0'; /* dp4a, dp2a */
	in->run = ptx_dot;
	while (next_part(p))
		if (!strcmp(p->part, "hi"))
			in->high = true;
		else if (strcmp(p->part, "lo") &&
			 !ptx_type_of(p->part, n++ ? &in->from : &in->type))
			return false;
	return n == 2;
}

static bool decode_is_in(struct ptx_instr *in, struct parts *p)
{
	in->run = ptx_is_in;
	return next_part(p) && take_space(p->part, &in->space) && !next_part(p);
}

static bool decode_logic(struct ptx_instr *in, struct parts *p)
{
	return decode_typed(in, p, ptx_logic);
}

static bool decode_generic(struct ptx_instr *in, struct parts *p)
{
	in->run = ptx_to_generic;
	while (next_part(p)) {
		if (!strcmp(p->part, "to"))
			in->run = ptx_from_generic;
		else if (!take_space(p->part, &in->space) &&
			 !ptx_type_of(p->part, &in->type))
			return false;
	}
	return true;
}

static bool decode_lanes(struct ptx_instr *in, struct parts *p)
{
	bool shuffle = !strcmp(p->part, "shfl"), known = false;

	in->run = shuffle ? ptx_shuffle : ptx_vote;
	in->flow = PTX_MEET;
	while (next_part(p)) {
		if (shuffle ? ptx_shuffle_known(p->part, &in->operation)
			    : ptx_vote_known(p->part, &in->operation))
			known = true;
		else if (!ptx_type_of(p->part, &in->type) && !is_passed(p->part))
			return false;
	}
	return known;
}

static bool decode_match(struct ptx_instr *in, struct parts *p)
{
	in->flow = PTX_MEET;
	in->run = ptx_match;
	return next_part(p) && ptx_vote_known(p->part, &in->operation) &&
	       in->operation <= 1 && next_part(p) && !strcmp(p->part, "sync") &&
	       next_part(p) && ptx_type_of(p->part, &in->type);
}

static bool decode_reduce(struct ptx_instr *in, struct parts *p)
{
	in->flow = PTX_MEET;
	in->run = ptx_reduce;
	return next_part(p) && !strcmp(p->part, "sync") && next_part(p) &&
	       ptx_reduce_known(p->part, &in->operation) && next_part(p) &&
	       ptx_type_of(p->part, &in->type) && ptx_type_bytes(in->type) == 4 &&
	       in->type != PTX_F32;
}

/* bar.sync a, bar.sync a, n, bar.arrive a, n, bar.red.and.pred p, a, q, and the same
 * of "barrier"; bar.warp.sync members */
static bool decode_barrier(struct ptx_instr *in, struct parts *p)
{
	static const char *const names[] = { [PTX_SYNC] = "sync", [PTX_ARRIVE] = "arrive",
					     [PTX_POPC] = "popc", [PTX_AND] = "and",
					     [PTX_OR] = "or" };

	in->n_dst = 0;
	in->flow = PTX_BARRIER;
	while (next_part(p)) {
		int i = PTX_SYNC;

		while (i <= PTX_OR && strcmp(names[i], p->part))
			i++;
		if (i <= PTX_OR)
			in->operation = i;
		else if (!strcmp(p->part, "warp"))
			in->flow = PTX_MEET;
		else if (!strcmp(p->part, "red"))
			in->n_dst = 1;
		else if (!ptx_type_of(p->part, &in->type) && !is_passed(p->part))
			return false;
	}
	return in->n_dst == (in->operation >= PTX_POPC);
}

static bool decode_active(struct ptx_instr *in, struct parts *p)
{
	in->run = ptx_active;
	return next_part(p) && ptx_type_of(p->part, &in->type);
}

static bool decode_flow(struct ptx_instr *in, struct parts *p)
{
	in->n_dst = 0;
	in->flow = !strcmp(p->part, "bra") ? PTX_BRANCH : PTX_EXIT;
	while (next_part(p))
		if (!is_passed(p->part))
			return false;
	return true;
}

static bool decode_nothing(struct ptx_instr *in, struct parts *p)
{
	(void)p;
	in->n_dst = 0;
	return true;
}

static bool decode_trap(struct ptx_instr *in, struct parts *p)
{
	in->n_dst = 0;
	in->flow = PTX_TRAP;
	return !next_part(p);
}

static bool decode_move(struct ptx_instr *in, struct parts *p)
{
	in->run = ptx_move;
	return next_part(p) && ptx_type_of(p->part, &in->type) && !next_part(p);
}

static const struct {
	const char *name;
	bool (*decode)(struct ptx_instr *in, struct parts *p);
} kinds[] = {
	{ "ld", decode_memory },       { "st", decode_memory },
	{ "atom", decode_atomic },     { "red", decode_atomic },
	{ "cvt", decode_convert },     { "cvta", decode_generic },
	{ "shfl", decode_lanes },      { "vote", decode_lanes },
	{ "bar", decode_barrier },     { "bra", decode_flow },
	{ "barrier", decode_barrier }, { "ret", decode_flow },
	{ "exit", decode_flow },       { "membar", decode_nothing },
	{ "fence", decode_nothing },   { "trap", decode_trap },
	{ "mov", decode_move },        { "nanosleep", decode_nothing },
	{ "activemask", decode_active }, { "setp", decode_compare },
	{ "add", decode_sum },         { "sub", decode_sum },
	{ "mad", decode_sum },         { "addc", decode_carry },
	{ "subc", decode_carry },      { "madc", decode_carry },
	{ "bfi", decode_insert },      { "prmt", decode_permute },
	{ "lop3", decode_logic },      { "match", decode_match },
	{ "redux", decode_reduce },    { "prefetch", decode_nothing },
	{ "dp4a", decode_dot },        { "dp2a", decode_dot },
	{ "isspacep", decode_is_in },
};

bool ptx_decode(struct ptx_instr *in, const char *text)
{
	struct parts p = { .rest = text };

	in->text = text;
	in->n_dst = 1;
	in->run = ptx_alu(text);
	if (in->run)
		return true;
	if (!next_part(&p))
		return false;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(kinds[i].name, p.part))
			return kinds[i].decode(in, &p);
	return decode_real(in, &p);
}
