/* driver/header.c - what C is told of a library: heat.h
 *
 * takes: a program, the name that its functions begin with   gives: a header of C and C++
 * Its comments are the program's own documentation.
 */
#include "driver/header.h"

#include "array/air.h"

#include <string.h>

const char *c_type(enum elem e)
{
	switch (e) {
	case ELEM_BOOL:
		return "_Bool";
	case ELEM_U8:
		return "uint8_t";
	case ELEM_I32:
		return "int32_t";
	case ELEM_I64:
		return "int64_t";
	case ELEM_F32:
		return "float";
	case ELEM_STR:
		return "const char *";
	default:
		return "double";
	}
}

/* Lines of a comment; what would end it is taken apart. */
static void write_lines(const char *text, FILE *out)
{
	char before = 0;

	for (; *text; before = *text++) {
		if (*text == '/' && before == '*')
			putc(' ', out);
		putc(*text, out);
		if (*text == '\n')
			fputs(text[1] == '\n' ? " *" : " * ", out);
	}
}

static void write_doc(const char *text, FILE *out)
{
	if (!*text)
		return;
	fputs(" * ", out);
	write_lines(text, out);
	putc('\n', out);
}

static void write_param(const struct air_param *p, FILE *out)
{
	fprintf(out, " *   --%s=%s", p->var->name, elem_text(p->var->elem));
	if (p->shown && *p->shown) {
		fputs("  default ", out);
		write_lines(p->shown, out);
	}
	if (p->text && *p->text) {
		fputs(": ", out);
		write_lines(p->text, out);
	}
	putc('\n', out);
}

static void write_field(const struct air_field *f, FILE *out)
{
	fprintf(out, " *   %s: %s on %s[", f->name, elem_text(f->elem), f->grid->name);
	for (int i = 0; i < f->grid->n_axes; i++)
		fprintf(out, "%s%s", i ? ", " : "", f->grid->axis[i]->name);
	fputs("]\n", out);
}

static void write_top(const struct air_program *p, const char *name, const char *compiler,
		      FILE *out)
{
	fprintf(out, "/* %s.h - made by %s from ", name, compiler);
	write_lines(p->file, out);
	fputs("\n *\n", out);
	if (p->doc && *p->doc) {
		write_doc(p->doc, out);
		fputs(" *\n", out);
	}
	if (p->n_params)
		fputs(" * Options:\n", out);
	for (int i = 0; i < p->n_params; i++)
		write_param(&p->param[i], out);
	if (p->n_names)
		fputs(" * Fields:\n", out);
	for (int i = 0; i < p->n_names; i++)
		write_field(p->name[i], out);
	fputs(" */\n", out);
}

/* C++ has no _Bool in headers: its bool is the same. */
static const char *type_of(enum elem e)
{
	return e == ELEM_BOOL ? "bool" : c_type(e);
}

/* Which fields it takes, where a choice is left out. */
static void write_choices(const struct air_export *x, FILE *out)
{
	const char *before = " * Takes ";
	int field = 0;

	if (!x->n_fields)
		return;
	for (int i = 0; i < x->n_params; i++)
		if (!x->param[i].var) {
			fprintf(out, "%s%s", before, x->param[i].name);
			before = ", ";
		}
	fputs(" = ", out);
	for (int e = 0; e < x->n_entries; e++) {
		fputs(e ? "; " : "", out);
		for (field = 0; field < x->n_fields; field++)
			fprintf(out, "%s%s", field ? ", " : "",
			        x->entry[e]->field[field]->name);
	}
	fputs("\n", out);
}

static void write_export(const struct air_export *x, const char *name, FILE *out)
{
	fprintf(out, "\n/* %s\n", x->name);
	write_doc(x->doc, out);
	write_choices(x, out);
	fprintf(out, " */\nint %s_%s(struct mpa *program", name, x->name);
	for (int i = 0; i < x->n_params; i++) {
		const struct air_export_param *p = &x->param[i];
		const char *type = p->var ? type_of(p->var->elem) : "struct mpa_field *";

		fprintf(out, ", %s%s%s", type, type[strlen(type) - 1] == '*' ? "" : " ",
		        p->name);
	}
	if (x->result)
		fprintf(out, ", %s%s*result", type_of(x->result->elem),
		        x->result->elem == ELEM_STR ? "" : " ");
	fputs(");\n", out);
}

bool header_is_ours(const char *path)
{
	char line[256] = "";
	FILE *file = fopen(path, "r");
	bool ours = !file || (fgets(line, sizeof line, file) && strstr(line, " - made by mpac "));

	if (file)
		fclose(file);
	return ours;
}

void header_write(const struct air_program *p, const char *name, const char *compiler,
		  FILE *out)
{
	write_top(p, name, compiler, out);
	fprintf(out,
	        "#ifndef MPA_PROGRAM_%s_H\n#define MPA_PROGRAM_%s_H\n\n"
	        "#include <stdbool.h>\n#include <mpa/mpa.h>\n\n"
	        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
	        "/* Opens the program; see mpa(3). */\n"
	        "int %s_open(struct mpa **program, const struct mpa_start *start);\n",
	        name, name, name);
	for (int i = 0; i < p->n_exports; i++)
		write_export(p->export[i], name, out);
	fputs("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n", out);
}
