/* elementary/print.c - a formula as a function in C
 *
 * One statement an instruction. The text relies on bits_of, double_of, fma, sqrt, fabs
 * and rint, which the file around it defines; it must be compiled without contraction
 * of a * b + c.
 */
#include "elementary/formula.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static const char *const text[FORMULA_OPS] = {
#define ROW(id, name, args, result, text) [FORMULA_##id] = text,
#include "elementary/formula.def"
#undef ROW
};

static const char *c_type(char type)
{
	return type == 'd' ? "double" : type == 'i' ? "uint64_t" : "int";
}

static void print_double(double value, FILE *out)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	if (isfinite(value))
		fprintf(out, "%a", value);
	else
		fprintf(out, "double_of(0x%" PRIx64 "u)", bits);
}

/* the C of formula.def with values in place of the letters that stand alone */
static void print_op(const struct formula_instr *instr, FILE *out)
{
	const char *t = text[instr->op];

	for (const char *p = t; *p; p++) {
		bool alone = !(p > t && (isalnum((unsigned char)p[-1]) || p[-1] == '_')) &&
		             !(isalnum((unsigned char)p[1]) || p[1] == '_');

		if (alone && *p >= 'a' && *p <= 'c')
			fprintf(out, "v%d", instr->arg[*p - 'a']);
		else if (alone && *p == 'k')
			fprintf(out, "%d", (int)instr->as.i);
		else
			fputc(*p, out);
	}
}

static void print_rare(const struct formula_instr *instr, FILE *out)
{
	fprintf(out, "v%d ? mpa_%s(v%d", instr->arg[0], instr->as.callee->name, instr->arg[1]);
	for (int i = 2; i < instr->n_args; i++)
		fprintf(out, ", v%d", instr->arg[i]);
	fprintf(out, ") : 0");
}

static void print_value(const struct formula_instr *instr, FILE *out)
{
	switch (instr->op) {
	case FORMULA_ARG:
		fprintf(out, "x%d", (int)instr->as.i);
		break;
	case FORMULA_CONST:
		print_double(instr->as.d, out);
		break;
	case FORMULA_WORD:
		fprintf(out, "0x%" PRIx64 "u", instr->as.i);
		break;
	case FORMULA_TABLE:
		fprintf(out, "mpa_%s[v%d]", instr->as.table->name, instr->arg[0]);
		break;
	case FORMULA_RARE:
		print_rare(instr, out);
		break;
	default:
		print_op(instr, out);
	}
}

/* Which values the result is made of; the others need not be there. */
static bool *used_values(const struct formula *f)
{
	bool *used = arena_new_array(f->arena, (size_t)f->n_instrs, bool);

	used[f->result] = true;
	for (int i = f->n_instrs - 1; i >= 0; i--)
		for (int k = 0; used[i] && k < f->instr[i].n_args; k++)
			used[f->instr[i].arg[k]] = true;
	return used;
}

void formula_print(const struct formula *f, FILE *out)
{
	const bool *used = used_values(f);

	fprintf(out, "double mpa_%s(", f->name);
	for (int i = 0; i < f->n_args; i++)
		fprintf(out, "%sdouble x%d", i ? ", " : "", i);
	fprintf(out, ")\n{\n");
	for (int i = 0; i < f->n_instrs; i++) {
		if (!used[i])
			continue;
		fprintf(out, "\tconst %s v%d = ", c_type(f->instr[i].type), i);
		print_value(&f->instr[i], out);
		fprintf(out, ";\n");
	}
	fprintf(out, "\n\treturn v%d;\n}\n\n", f->result);
}
