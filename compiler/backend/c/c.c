/* backend/c/c.c - the back end that writes C
 *
 * takes: a plan   gives: one file of C, for any compiler of C11 with the extensions of
 * GNU C, that links with the run time. What is there of LLVM's back end is there too, but
 * for code that runs in this process.
 */
#include "backend/c/emit.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/embedded.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- the text ------------------------------------------------------------------ */

void c_line(struct c_code *c, const char *format, ...)
{
	size_t start;
	va_list values;
	const char *line;

	start = c->text.length;
	va_start(values, format);
	strbuf_vprintf(&c->text, format, values);
	va_end(values);
	line = arena_strndup(c->arena, c->text.text + start, c->text.length - start);
	c->text.length = start;
	if (*line == '}')
		c->depth--;
	if (c->everywhere && c->line && *line && *line != '#')
		strbuf_printf(&c->text, "#line %d\n", c->line);
	for (int i = 0; i < c->depth && *line && *line != '#'; i++)
		strbuf_putc(&c->text, '\t');
	strbuf_printf(&c->text, "%s\n", line);
	if (*line && line[strlen(line) - 1] == '{')
		c->depth++;
}

static const char *from_root(struct c_code *c, const char *path)
{
	char *whole = realpath(path, NULL);
	const char *result = whole ? arena_strdup(c->arena, whole) : path;

	free(whole);
	return result;
}

void c_place(struct c_code *c, struct span at)
{
	struct place place;

	if (!c->options->debug || !at.source)
		return;
	place = span_place(at);
	if (c->everywhere ? c->source == at.source : place.line == c->line) {
		c->line = place.line;
		return;
	}
	c->line = place.line;
	c->source = at.source;
	c_line(c, "#line %d %s", place.line,
	       c_text(c, c->everywhere ? from_root(c, at.source->name) : at.source->name));
}

const char *c_name(struct c_code *c, const char *kind)
{
	return arena_printf(c->arena, "%s_%d", kind, ++c->names);
}

const char *c_symbol(struct c_code *c, const char *name)
{
	char *symbol = arena_strdup(c->arena, name);

	for (char *p = symbol; *p; p++)
		if (!isalnum((unsigned char)*p) || (unsigned char)*p > 127)
			*p = '_';
	return symbol;
}

const char *c_text(struct c_code *c, const char *text)
{
	struct strbuf b = { 0 };
	const char *made;

	if (!text)
		return "0";
	strbuf_putc(&b, '"');
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		/* three digits, so that no digit that follows is taken for one of them; and
		 * no trigraphs */
		if (byte == '"' || byte == '\\' || byte == '?')
			strbuf_printf(&b, "\\%c", byte);
		else if (byte < 32 || byte > 126)
			strbuf_printf(&b, "\\%03o", byte);
		else
			strbuf_putc(&b, (char)byte);
	}
	strbuf_putc(&b, '"');
	made = strbuf_to_arena(&b, c->arena);
	strbuf_free(&b);
	return made;
}

const char *c_where(struct c_code *c, struct span at)
{
	struct place place;

	if (!at.source)
		return c_text(c, c->plan->air->file);
	place = span_place(at);
	return c_text(c, arena_printf(c->arena, "%s:%d:%d", at.source->name, place.line,
				      place.column));
}

void c_open(struct c_code *c)
{
	c->made = map_new(c->arena, MAP_TEXTS);
	c->functions = open_memstream(&c->functions_text, &c->functions_length);
	if (!c->functions)
		abort();
}

void c_print(struct c_code *c, FILE *out)
{
	fflush(c->functions);
	fwrite(c->functions_text, 1, c->functions_length, out);
	fwrite(strbuf_text(&c->text), 1, c->text.length, out);
}

void c_close(struct c_code *c)
{
	fclose(c->functions);
	free(c->functions_text);
	strbuf_free(&c->text);
	arena_free(c->arena);
}

/* ---- the back end ----------------------------------------------------------------- */

/* Kernels that compute the same share their code, but under a debugger. */
static void emit_kernels(struct c_code *c)
{
	const struct plan *p = c->plan;
	int *first = arena_new_array(c->arena, p->n_kernels + 1, int);

	kir_share(p->kernel, p->n_kernels, first);
	for (int i = 0; i < p->n_kernels; i++)
		if (first[i] < i && !c->options->debug)
			c->kernel[i] = c->kernel[first[i]];
		else
			c_kernel(c, p->kernel[i]);
}

static void *c_begin(const struct plan *p, const struct backend_options *o, struct diag *d)
{
	struct c_code *c = xmalloc(sizeof *c);

	*c = (struct c_code){ .plan = p, .options = o, .diag = d, .arena = arena_new() };
	c->kernel = arena_new_array(c->arena, p->n_kernels + 1, const char *);
	c_open(c);
	c_externs(c);
	emit_kernels(c);
	c_host(c);
	c_tables(c);
	c_library(c);
	return c;
}

/* That is left to the compiler of C. */
static bool c_optimise(void *self)
{
	(void)self;
	return true;
}

static bool c_write(void *self, enum backend_form form, FILE *out)
{
	struct c_code *c = self;

	if (form != FORM_SOURCE && form != FORM_CUDA) {
		diag_error(c->diag, DIAG_BAD_OPTION, (struct span){ 0 },
			   "the back end `c` writes C, and no assembly or code of LLVM");
		diag_hint(c->diag, "Use --emit=c, or leave out --backend=c.");
		return false;
	}
	fprintf(out, "/* %s: made of %s by %s */\n", c->options->program, c->plan->air->file,
		c->options->compiler);
	if (form == FORM_CUDA) {
		fputs((c->options->cuda ? c->options->cuda
					: backend_cuda_of(c->plan, c->arena))->text, out);
	} else if (c->options->symbol) { /* of an item at the prompt the rest is of interest */
		fwrite(strbuf_text(&c->text), 1, c->text.length, out);
	} else {
		fputs(c_prelude, out);
		fputc('\n', out);
		c_print(c, out);
	}
	if (!ferror(out))
		return true;
	diag_error(c->diag, DIAG_CANNOT_WRITE, (struct span){ 0 }, "cannot write: %s",
		   strerror(errno));
	return false;
}

static void c_end(void *self)
{
	struct c_code *c = self;

	c_close(c);
	free(c);
}

const struct backend backend_c = {
	.name = "c",
	.help = "C, compiled by the system's C compiler",
	.source = true,
	.begin = c_begin,
	.optimise = c_optimise,
	.write = c_write,
	.end = c_end,
};
