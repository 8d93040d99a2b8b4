/* backend/c/scalar.c - one operation on scalars
 *
 * takes: an elementwise operation of AIR and the texts of its arguments
 * gives: a name for its value, which is computed where the text stands, as scalar.def
 * and arithmetic.h say. Kernels and host code share it.
 */
#include "backend/c/emit.h"
#include "elementary/elementary.h"
#include "support/arena.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- types and constants --------------------------------------------------- */

static const char *const types[ELEM_COUNT] = {
	[ELEM_BOOL] = "bool",    [ELEM_U8] = "uint8_t", [ELEM_I32] = "int32_t",
	[ELEM_I64] = "int64_t",  [ELEM_F32] = "float",  [ELEM_F64] = "double",
	[ELEM_C64] = "struct mpa_c64", [ELEM_C128] = "struct mpa_c128",
	[ELEM_STR] = "const char *",
};

const char *c_elem(enum elem e)
{
	assert(types[e]);
	return types[e];
}

const char *c_memory(enum elem e)
{
	return e == ELEM_BOOL ? "uint8_t" : c_elem(e);
}

static const char *real_constant(struct c_code *c, enum elem e, double f)
{
	uint64_t bits;
	float narrow = (float)f;
	uint32_t narrow_bits;

	if (isfinite(f))
		return arena_printf(c->arena, signbit(f) ? "(%a%s)" : "%a%s", f,
				    e == ELEM_F32 ? "f" : "");
	memcpy(&bits, &f, sizeof bits);
	memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
	if (e == ELEM_F32)
		return arena_printf(c->arena, "float_of(0x%" PRIx32 "u)", narrow_bits);
	return arena_printf(c->arena, "double_of(0x%" PRIx64 "u)", bits);
}

const char *c_constant(struct c_code *c, enum elem e, int64_t i, double f)
{
	if (elem_kind(e) == KIND_REAL)
		return real_constant(c, e, f);
	if (i == INT64_MIN)
		return "MPA_I64_MIN";
	if (e == ELEM_I32 && i == INT32_MIN)
		return "MPA_I32_MIN";
	return arena_printf(c->arena, i < 0 ? "(%" PRId64 ")" : "%" PRId64, i);
}

const char *c_value(struct c_code *c, enum elem e, const char *text)
{
	const char *name = c_name(c, "t");

	c_line(c, "const %s %s = %s;", c_elem(e), name, text);
	return name;
}

const char *c_narrow(struct c_code *c, enum elem e, const char *value)
{
	return e == ELEM_BOOL ? arena_printf(c->arena, "(%s) != 0", value)
			      : arena_printf(c->arena, "(%s)(%s)", c_elem(e), value);
}

/* ---- operations of scalar.def ---------------------------------------------- */

static const struct {
	const char *real, *whole;
} texts[AIR_OP_COUNT] = {
#define ROW(op, real, whole) [AIR_##op] = { real, whole },
#include "backend/c/scalar.def"
#undef ROW
};

static const char *expand(struct c_code *c, const struct c_op *o, const char *text)
{
	struct strbuf b = { 0 };
	const char *made;

	for (const char *p = text; *p; p++) {
		if (*p != '$')
			strbuf_putc(&b, *p);
		else if (*++p == 'T')
			strbuf_puts(&b, elem_text(o->from));
		else if (*p == 'S')
			strbuf_puts(&b, o->from == ELEM_F32 ? "f" : "");
		else
			strbuf_puts(&b, o->arg[*p - '0']);
	}
	made = strbuf_to_arena(&b, c->arena);
	strbuf_free(&b);
	return made;
}

static const char *from_table(struct c_code *c, const struct c_op *o)
{
	enum elem_kind kind = elem_kind(o->from);
	bool real = kind == KIND_REAL || kind == KIND_COMPLEX;
	const char *text = real ? texts[o->op].real : texts[o->op].whole;

	assert(text);
	return expand(c, o, text);
}

/* ---- elementary functions ---------------------------------------------------------- */

static const struct {
	bool known;
	enum elementary function;
} elementaries[AIR_OP_COUNT] = {
#define ROW(id, name, n_args) [AIR_##id] = { true, ELEMENTARY_##id },
#include "elementary/elementary.def"
#undef ROW
};

static void print_table(const struct formula_table *t, FILE *out)
{
	fprintf(out, "MPA_TABLE double mpa_%s[%d] = {\n", t->name, t->n);
	for (int i = 0; i < t->n; i++)
		fprintf(out, "\t%a,\n", t->value[i]);
	fputs("};\n\n", out);
}

/* Has the file this name already? */
static bool is_made(struct c_code *c, const char *name)
{
	bool made = map_get(c->made, name) != NULL;

	map_set(c->made, name, (void *)name);
	return made;
}

/* After the tables and formulas that it uses. */
static void make_function(struct c_code *c, const struct formula *f, FILE *out)
{
	for (int i = 0; i < f->n_instrs; i++) {
		const struct formula_instr *in = &f->instr[i];

		if (in->op == FORMULA_TABLE && !is_made(c, in->as.table->name))
			print_table(in->as.table, out);
		if (in->op == FORMULA_RARE && !is_made(c, in->as.callee->name))
			make_function(c, in->as.callee, out);
	}
	fputs("MPA_FN ", out);
	formula_print(f, out);
}

void c_function(struct c_code *c, enum air_op op)
{
	enum elementary e = elementaries[op].function;

	assert(elementaries[op].known);
	if (!is_made(c, elementary_name(e)))
		make_function(c, elementary_formula(c->arena, e), c->functions);
}

/* Of f32 it is the function of the wider number, rounded once more. */
static const char *call_elementary(struct c_code *c, const struct c_op *o)
{
	const char *name = elementary_name(elementaries[o->op].function);
	const char *cast = o->elem == ELEM_F32 ? "(float)" : "";

	c_function(c, o->op);
	return o->n == 2 ? arena_printf(c->arena, "%smpa_%s(%s, %s)", cast, name, o->arg[0],
					o->arg[1])
			 : arena_printf(c->arena, "%smpa_%s(%s)", cast, name, o->arg[0]);
}

/* ---- the others -------------------------------------------------------------- */

/* Squaring from the highest bit of the exponent, as everywhere. */
static const char *power(struct c_code *c, const struct c_op *o)
{
	const char *x = o->arg[0], *r = x;
	int bit = 6;

	if (o->exponent == 0)
		return c_constant(c, o->elem, 1, 1);
	while (!(o->exponent >> bit & 1))
		bit--;
	while (--bit >= 0) {
		const char *square[2] = { r, r };
		struct c_op times = { AIR_MUL, o->elem, o->elem, 2, 0, square, NULL };

		r = c_operation(c, &times);
		square[0] = r;
		square[1] = x;
		if (o->exponent >> bit & 1)
			r = c_operation(c, &times);
	}
	return r;
}

static const char *cast(struct c_code *c, const struct c_op *o)
{
	const char *x = o->arg[0];

	if (o->elem == o->from)
		return x;
	if (o->elem == ELEM_BOOL)
		return arena_printf(c->arena, "%s != 0", x);
	if (elem_kind(o->elem) == KIND_INT && elem_kind(o->from) == KIND_REAL)
		return arena_printf(c->arena, "%s_of(%s)", elem_text(o->elem), x);
	return arena_printf(c->arena, "(%s)%s", c_elem(o->elem), x);
}

static const char *lookup(struct c_code *c, const struct c_op *o)
{
	const char *list = c_name(c, "list");
	struct strbuf b = { 0 };

	for (int i = 1; i < o->n; i++)
		strbuf_printf(&b, "%s(%s)%s", i > 1 ? ", " : "", c_elem(o->elem), o->arg[i]);
	c_line(c, "const %s %s[] = { %s };", c_elem(o->elem), list, strbuf_text(&b));
	strbuf_free(&b);
	return arena_printf(c->arena, "%s[mpa_entry(%s, %d)]", list, o->arg[0], o->n - 1);
}

static const char *call(struct c_code *c, const struct c_op *o)
{
	struct strbuf b = { 0 };
	const char *made;

	strbuf_printf(&b, "mpa_extern_%s(", o->function->name);
	for (int i = 0; i < o->n; i++)
		strbuf_printf(&b, "%s%s", i ? ", " : "", o->arg[i]);
	strbuf_putc(&b, ')');
	made = strbuf_to_arena(&b, c->arena);
	strbuf_free(&b);
	return made;
}

static const char *make(struct c_code *c, const struct c_op *o)
{
	switch (o->op) {
	case AIR_POWI:
		return power(c, o);
	case AIR_CAST:
		return cast(c, o);
	case AIR_LOOKUP:
		return lookup(c, o);
	case AIR_EXTERN:
		return call(c, o);
	case AIR_COMPLEX:
		return arena_printf(c->arena, "%s_of(%s, %s)", elem_text(o->elem), o->arg[0],
				    o->arg[1]);
	case AIR_EQ:
	case AIR_NE:
		if (o->from == ELEM_STR)
			return arena_printf(c->arena, "%smpa_text_equal(%s, %s)",
					    o->op == AIR_EQ ? "" : "!", o->arg[0],
					    o->arg[1]);
		return from_table(c, o);
	default:
		return elem_kind(o->elem) == KIND_REAL && elementaries[o->op].known
			       ? call_elementary(c, o)
			       : from_table(c, o);
	}
}

const char *c_operation(struct c_code *c, const struct c_op *o)
{
	return c_value(c, o->elem, make(c, o));
}

/* ---- functions in C ------------------------------------------------------------ */

/* Under a name of their own in the file, so that none meets a function of C's headers. */
void c_externs(struct c_code *c)
{
	const struct air_program *p = c->plan->air;

	for (int i = 0; i < p->n_externs; i++) {
		const struct air_extern *f = p->external[i];
		struct strbuf b = { 0 };

		for (int k = 0; k < f->n_params; k++)
			strbuf_printf(&b, "%s%s", k ? ", " : "", c_elem(f->param[k]));
		c_line(c, "extern %s mpa_extern_%s(%s) __asm__(\"%s\");", c_elem(f->elem),
		       f->name, f->n_params ? strbuf_text(&b) : "void", f->name);
		strbuf_free(&b);
	}
}
