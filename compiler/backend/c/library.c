/* backend/c/library.c - the functions of a library, for programs in C
 *
 * takes: the exports of a program   gives: int32_t NAME_open(struct mpa **, const struct
 * mpa_start *), and for each export int32_t NAME_EXPORT(struct mpa *, arguments..., result
 * *), which hand everything to the run time. driver/header.c writes what C is told of them.
 */
#include "backend/c/emit.h"
#include "support/arena.h"

static const char *parameters(struct c_code *c, const struct air_export *x)
{
	struct strbuf b = { 0 };
	const char *text;

	strbuf_puts(&b, "struct mpa *m");
	for (int i = 0; i < x->n_params; i++)
		strbuf_printf(&b, ", %s x%d",
			      x->param[i].var ? c_elem(x->param[i].var->elem) : "const char *",
			      i);
	if (x->result)
		strbuf_printf(&b, ", %s *result", c_memory(x->result->elem));
	text = strbuf_to_arena(&b, c->arena);
	strbuf_free(&b);
	return text;
}

static void emit_export(struct c_code *c, const struct air_export *x, int which)
{
	c_line(c, "%s", "");
	c_line(c, "int32_t %s_%s(%s)", c->options->library, x->name, parameters(c, x));
	c_line(c, "{");
	c_line(c, "int64_t slots[%d];", 2 * x->n_params + 1);
	for (int i = 0; i < x->n_params; i++)
		c_line(c, "memcpy(&slots[%d], &x%d, sizeof x%d);", i, i, i);
	c_line(c, "return mpa_call_export(m, %d, slots, %s);", which,
	       x->result ? "result" : "0");
	c_line(c, "}");
}

void c_library(struct c_code *c)
{
	const struct air_program *air = c->plan->air;
	const char *name = c->options->library;

	if (!name)
		return;
	c_line(c, "%s", "");
	c_line(c, "struct mpa;");
	c_line(c, "struct mpa_start;");
	c_line(c, "int32_t mpa_open(struct mpa **m, const struct mpa_program *program, "
		  "const struct mpa_start *how);");
	c_line(c, "int32_t mpa_call_export(struct mpa *m, int64_t which, const int64_t *slots, "
		  "void *result);");
	c_line(c, "int32_t %s_open(struct mpa **m, const struct mpa_start *how)", name);
	c_line(c, "{");
	c_line(c, "return mpa_open(m, &mpa_program_table, how);");
	c_line(c, "}");
	for (int i = 0; i < air->n_exports; i++)
		emit_export(c, air->export[i], i);
}
