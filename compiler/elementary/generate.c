/* elementary/generate.c - writes the elementary functions in C when mpac is built
 *
 *	generate header | source
 *
 * The compiler folds constants and evaluates with them, the runtime draws random
 * numbers with them; compiled code makes the same formulas itself.
 */
#include "elementary/elementary.h"
#include "support/arena.h"

#include <stdio.h>
#include <string.h>

static const char head[] =
	"/* base/elementary.%c - elementary functions, made by elementary/generate.c */\n";

static const char prelude[] =
	"#include \"base/elementary.h\"\n\n"
	"#include <math.h>\n#include <stdint.h>\n#include <string.h>\n\n"
	"static inline uint64_t bits_of(double x)\n{\n"
	"\tuint64_t bits;\n\n\tmemcpy(&bits, &x, sizeof bits);\n\treturn bits;\n}\n\n"
	"static inline double double_of(uint64_t bits)\n{\n"
	"\tdouble x;\n\n\tmemcpy(&x, &bits, sizeof x);\n\treturn x;\n}\n\n";

static void print_header(FILE *out)
{
	fprintf(out, head, 'h');
	fprintf(out, "#ifndef BASE_ELEMENTARY_H\n#define BASE_ELEMENTARY_H\n\n");
#define ROW(id, name, n_args) \
	fprintf(out, "double mpa_" #name "(double x%s);\n", n_args == 2 ? ", double y" : "");
#include "elementary/elementary.def"
#undef ROW
	fprintf(out, "\n#endif\n");
}

static void print_table(const struct formula_table *t, FILE *out)
{
	fprintf(out, "static const double mpa_%s[%d] = {\n", t->name, t->n);
	for (int i = 0; i < t->n; i++)
		fprintf(out, "\t%a,\n", t->value[i]);
	fprintf(out, "};\n\n");
}

/* a formula after the tables and formulas that it uses and no other has used yet */
struct used { const void *item[64]; int n; };

static int use(struct used *used, const void *item)
{
	for (int i = 0; i < used->n; i++)
		if (used->item[i] == item)
			return 0;
	used->item[used->n++] = item;
	return 1;
}

static void print_with_uses(const struct formula *f, const char *storage, struct used *used,
			    FILE *out)
{
	for (int i = 0; i < f->n_instrs; i++) {
		const struct formula_instr *instr = &f->instr[i];

		if (instr->op == FORMULA_TABLE && use(used, instr->as.table))
			print_table(instr->as.table, out);
		if (instr->op == FORMULA_RARE && use(used, instr->as.callee))
			print_with_uses(instr->as.callee, "static ", used, out);
	}
	fputs(storage, out);
	formula_print(f, out);
}

static void print_source(FILE *out)
{
	struct arena *a = arena_new();
	struct used used = { .n = 0 };

	fprintf(out, head, 'c');
	fputs(prelude, out);
	for (int e = 0; e < ELEMENTARY_COUNT; e++)
		print_with_uses(elementary_formula(a, e), "", &used, out);
	arena_free(a);
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "header") == 0)
		print_header(stdout);
	else if (argc == 2 && strcmp(argv[1], "source") == 0)
		print_source(stdout);
	else
		return 2;
	return fclose(stdout) == 0 ? 0 : 1;
}
