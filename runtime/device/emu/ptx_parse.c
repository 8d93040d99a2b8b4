/* device/emu/ptx_parse.c - the text of a module
 *
 * takes: PTX   gives: kernels with decoded instructions, variables with their values
 * Anything that is not known is an error with its line: a launch runs all of a kernel or
 * nothing. Textures and the like are not known. Kernels are parsed once all variables and
 * functions have been met. */
#include "device/emu/ptx_parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* ---- memory of the module ----------------------------------------------------- */

struct ptx_piece {
	struct ptx_piece *next;
	uint64_t data[];
};

void *ptx_keep(struct ptx_module *m, size_t bytes)
{
	struct ptx_piece *p = mem_new(sizeof *p + bytes);

	if (!p)
		return NULL;
	p->next = m->pieces;
	m->pieces = p;
	return p->data;
}

/* ---- errors ----------------------------------------------------------------------- */

bool ptx_wrong(struct ptx_parser *p, const char *format, ...)
{
	va_list values;
	int n;

	if (p->fault->code != PTX_FINE)
		return false;
	p->fault->code = PTX_INVALID;
	n = snprintf(p->fault->text, sizeof p->fault->text,
		     "line %d of the PTX: ", p->lex.line);
	va_start(values, format);
	vsnprintf(p->fault->text + n, sizeof p->fault->text - (size_t)n, format, values);
	va_end(values);
	return false;
}

bool ptx_expect(struct ptx_parser *p, const char *text)
{
	if (!ptx_is(&p->lex, text))
		return ptx_wrong(p, "`%s` expected, not `%.*s`", text, (int)p->lex.length,
				 p->lex.start);
	ptx_next(&p->lex);
	return true;
}

bool ptx_take(struct ptx_parser *p, const char *text)
{
	if (!ptx_is(&p->lex, text))
		return false;
	ptx_next(&p->lex);
	return true;
}

const char *ptx_word(struct ptx_parser *p)
{
	char *name;

	if (p->lex.token != PTX_WORD) {
		ptx_wrong(p, "a name expected, not `%.*s`", (int)p->lex.length,
			  p->lex.start);
		return NULL;
	}
	name = ptx_keep(p->module, p->lex.length + 1);
	if (!name) {
		ptx_wrong(p, "no memory");
		return NULL;
	}
	memcpy(name, p->lex.start, p->lex.length);
	ptx_next(&p->lex);
	return name;
}

bool ptx_integer(struct ptx_parser *p, int64_t *value)
{
	bool minus = ptx_take(p, "-");
	uint64_t bits;

	if (!ptx_number(&p->lex, &bits))
		return ptx_wrong(p, "a number expected, not `%.*s`", (int)p->lex.length,
				 p->lex.start);
	ptx_next(&p->lex);
	*value = (int64_t)(minus ? 0 - bits : bits);
	return true;
}

/* ---- variables -------------------------------------------------------------------- */

/* ".align 8 .b8 name[16]": what stands there; without the value. */
bool ptx_declare(struct ptx_parser *p, struct ptx_declared *d)
{
	enum ptx_type type = PTX_TYPES;
	char text[8];

	d->align = 0;
	d->count = 1;
	while (p->lex.token == PTX_WORD && *p->lex.start == '.') {
		if (ptx_take(p, ".align")) {
			if (!ptx_integer(p, &d->align))
				return false;
			continue;
		}
		snprintf(text, sizeof text, "%.*s", (int)p->lex.length - 1,
			 p->lex.start + 1);
		if (strcmp(text, "ptr") && !ptx_type_of(text, &type) && type == PTX_TYPES)
			return ptx_wrong(p, "a type expected, not `.%s`", text);
		ptx_next(&p->lex);
	}
	if (type == PTX_TYPES)
		return ptx_wrong(p, "a declaration without a type");
	d->name = ptx_word(p);
	while (d->name && ptx_take(p, "["))
		if (ptx_take(p, "]"))
			d->count = 0;
		else {
			int64_t n;

			if (!ptx_integer(p, &n) || !ptx_expect(p, "]"))
				return false;
			d->count *= n;
		}
	d->unit = ptx_type_bytes(type);
	if (d->align < d->unit)
		d->align = d->unit;
	return d->name != NULL;
}

static bool parse_values(struct ptx_parser *p, char *to, const struct ptx_declared *d)
{
	bool list = ptx_take(p, "{");

	for (int64_t i = 0; i < d->count; i++) {
		uint64_t bits;
		int64_t value;

		if (p->lex.token == PTX_NUMBER && ptx_number(&p->lex, &bits))
			ptx_next(&p->lex);
		else if (ptx_integer(p, &value))
			bits = (uint64_t)value;
		else
			return false;
		memcpy(to + i * d->unit, &bits, (size_t)d->unit);
		if (!list || !ptx_take(p, ","))
			break;
	}
	return !list || ptx_expect(p, "}");
}

static bool parse_variable(struct ptx_parser *p, bool constant)
{
	struct ptx_declared d;
	struct ptx_var *v = ptx_keep(p->module, sizeof *v);
	const struct ptx_memory *m = &p->module->memory;
	struct ptx_extent extent;

	if (!v || !ptx_declare(p, &d))
		return ptx_wrong(p, "no memory");
	v->name = d.name;
	v->bytes = (uint64_t)(d.count * d.unit);
	v->at = m->alloc(m->context, v->bytes ? v->bytes : 1, d.name, constant);
	if (!v->at || !m->find(m->context, v->at, &extent))
		return ptx_wrong(p, "no memory for `%s`", d.name);
	v->next = p->module->vars;
	p->module->vars = v;
	memset(extent.host, 0, (size_t)v->bytes);
	if (ptx_take(p, "=") && !parse_values(p, extent.host, &d))
		return false;
	return ptx_expect(p, ";");
}

/* Where NVRTC puts every __shared__; "[]" is what the launch adds. */
static bool parse_shared(struct ptx_parser *p)
{
	struct ptx_declared d;
	struct ptx_shared *v = ptx_keep(p->module, sizeof *v);

	if (!v)
		return ptx_wrong(p, "no memory");
	if (!ptx_declare(p, &d))
		return false;
	*v = (struct ptx_shared){ p->module->shared, d.name, d.align, d.count * d.unit };
	p->module->shared = v;
	return ptx_expect(p, ";");
}

/* ---- directives ------------------------------------------------------------------- */

static bool parse_file(struct ptx_parser *p)
{
	struct ptx_module *m = p->module;
	int64_t number;
	char *name;

	if (!ptx_integer(p, &number) || number < 0 || number > 10000 ||
	    p->lex.token != PTX_STRING)
		return ptx_wrong(p, "a .file that is none");
	if (number >= m->n_files) {
		const char **file = ptx_keep(m, (size_t)(number + 8) * sizeof *file);

		if (!file)
			return ptx_wrong(p, "no memory");
		if (m->n_files)
			memcpy(file, m->file, (size_t)m->n_files * sizeof *file);
		m->file = file;
		m->n_files = (int)number + 8;
	}
	name = ptx_keep(m, p->lex.length);
	if (!name)
		return ptx_wrong(p, "no memory");
	memcpy(name, p->lex.start + 1, p->lex.length - 2);
	m->file[number] = name;
	ptx_next(&p->lex);
	while (ptx_take(p, ",")) /* time and size */
		ptx_next(&p->lex);
	return true;
}

static bool parse_section(struct ptx_parser *p)
{
	ptx_next(&p->lex); /* its name */
	if (!ptx_expect(p, "{"))
		return false;
	while (p->lex.token != PTX_END && !ptx_is(&p->lex, "}"))
		ptx_next(&p->lex);
	return ptx_expect(p, "}");
}

static void skip_line(struct ptx_parser *p)
{
	int line = p->lex.line;

	while (p->lex.token != PTX_END && p->lex.line == line)
		ptx_next(&p->lex);
}

/* Past the body of a kernel or function, or the end of its declaration. */
static bool skip_body(struct ptx_parser *p, bool *body)
{
	int depth = 0;

	*body = false;
	for (;;) {
		if (p->lex.token == PTX_END)
			return ptx_wrong(p, "the end of the text inside of a kernel");
		if (ptx_is(&p->lex, ";") && depth == 0)
			break;
		depth += ptx_is(&p->lex, "{") - ptx_is(&p->lex, "}");
		*body |= depth > 0;
		if (*body && depth == 0)
			break;
		ptx_next(&p->lex);
	}
	ptx_next(&p->lex);
	return true;
}

/* Where the text of a kernel or function is, for later. */
static bool note_text(struct ptx_parser *p, bool kernel)
{
	struct ptx_text *t = ptx_keep(p->module, sizeof *t);

	if (!t)
		return ptx_wrong(p, "no memory");
	t->kernel = kernel;
	t->at = p->lex;
	if (!kernel && ptx_is(&p->lex, "(")) /* the result */
		while (p->lex.token != PTX_END && !ptx_take(p, ")"))
			ptx_next(&p->lex);
	t->name = ptx_word(p);
	*p->last = t;
	p->last = &t->next;
	return t->name && skip_body(p, &t->body);
}

static bool parse_kernels(struct ptx_parser *p)
{
	for (const struct ptx_text *t = p->texts; t; t = t->next) {
		p->lex = t->at;
		if (t->kernel && !ptx_parse_kernel(p))
			return false;
	}
	return true;
}

static bool parse_directive(struct ptx_parser *p)
{
	static const char *const linkage[] = { ".visible", ".extern", ".weak",
					       ".common" };
	static const char *const header[] = { ".version", ".target", ".address_size" };

	for (size_t i = 0; i < sizeof header / sizeof *header; i++)
		if (ptx_is(&p->lex, header[i])) {
			skip_line(p);
			return true;
		}
	for (size_t i = 0; i < sizeof linkage / sizeof *linkage; i++)
		if (ptx_take(p, linkage[i]))
			return true;
	if (ptx_take(p, ".entry"))
		return note_text(p, true);
	if (ptx_take(p, ".func"))
		return note_text(p, false);
	if (ptx_take(p, ".global"))
		return parse_variable(p, false);
	if (ptx_take(p, ".const"))
		return parse_variable(p, true);
	if (ptx_take(p, ".shared"))
		return parse_shared(p);
	if (ptx_take(p, ".file"))
		return parse_file(p);
	if (ptx_take(p, ".section"))
		return parse_section(p);
	return ptx_wrong(p, "`%.*s` is not known here", (int)p->lex.length, p->lex.start);
}

/* ---- the module
 * ------------------------------------------------------------------------ */

struct ptx_module *ptx_load(const char *text, const struct ptx_memory *memory,
			    struct ptx_fault *fault)
{
	struct ptx_module *m = mem_new(sizeof *m);
	struct ptx_parser p = { .module = m, .fault = fault, .last = &p.texts };

	fault->code = PTX_FINE;
	if (!m) {
		fault->code = PTX_NO_MEMORY;
		snprintf(fault->text, sizeof fault->text, "no memory for a module");
		return NULL;
	}
	m->memory = *memory;
	p.lex = (struct ptx_lex){ .at = text, .line = 1 };
	ptx_next(&p.lex);
	while (p.lex.token != PTX_END && parse_directive(&p))
		continue;
	if (fault->code == PTX_FINE && parse_kernels(&p))
		return m;
	ptx_unload(m);
	return NULL;
}

void ptx_unload(struct ptx_module *m)
{
	if (!m)
		return;
	for (struct ptx_var *v = m->vars; v; v = v->next)
		m->memory.free(m->memory.context, v->at);
	while (m->pieces) {
		struct ptx_piece *next = m->pieces->next;

		mem_free(m->pieces);
		m->pieces = next;
	}
	mem_free(m);
}

const struct ptx_kernel *ptx_find(const struct ptx_module *m, const char *name)
{
	const struct ptx_kernel *k = m->kernels;

	while (k && strcmp(k->name, name))
		k = k->next;
	return k;
}

bool ptx_variable(const struct ptx_module *m, const char *name, uint64_t *at,
		  uint64_t *bytes)
{
	const struct ptx_var *v = m->vars;

	while (v && strcmp(v->name, name))
		v = v->next;
	if (!v)
		return false;
	*at = v->at;
	*bytes = v->bytes;
	return true;
}

struct ptx_needs ptx_needs(const struct ptx_kernel *k)
{
	return k->needs;
}

const char *ptx_name(const struct ptx_kernel *k)
{
	return k->name;
}
