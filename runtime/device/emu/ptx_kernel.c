/* device/emu/ptx_kernel.c - kernels and the functions they call
 *
 * A call becomes the instructions of the function, in a scope of its own, from the text of
 * the function each time: the lanes part and meet in it as if it stood there. Parameters
 * of calls are in local memory. A function that calls itself is refused; vprintf and
 * __assertfail, which CUDA has, are instructions here. */
#include <string.h>

#include "device/emu/ptx_parse.h"

/* ---- calls ------------------------------------------------------------------------- */

enum { MOST_ACTUALS = 32 };

/* Places of results, then of arguments, in local memory. */
struct actuals {
	int n_results, n;
	uint64_t at[MOST_ACTUALS];
};

/* "(param0, param1)" after the parenthesis */
static bool parse_actuals(struct ptx_body *b, struct actuals *a)
{
	struct ptx_parser *p = b->p;

	while (!ptx_take(p, ")")) {
		b->local = false;
		if (a->n == MOST_ACTUALS)
			return ptx_wrong(p, "a call with more than 32 arguments");
		if (!ptx_find_symbol(b, &a->at[a->n++]) || !b->local)
			return ptx_wrong(p, "`%.*s` is no parameter of a call",
					 (int)p->lex.length, p->lex.start);
		ptx_next(&p->lex);
		if (!ptx_is(&p->lex, ")") && !ptx_expect(p, ","))
			return false;
	}
	return true;
}

/* ".param .b64 name, …" after the parenthesis: the names are those of the actual ones. */
static bool bind_formals(struct ptx_body *b, const struct actuals *a, int first, int end)
{
	struct ptx_parser *p = b->p;

	while (!ptx_take(p, ")")) {
		struct ptx_declared d;

		if (!ptx_expect(p, ".param") || !ptx_declare(p, &d))
			return false;
		if (first == end)
			return ptx_wrong(p, "a call with too few arguments");
		if (!ptx_add_place(b, &(struct ptx_named){ d.name, a->at[first++],
							   PTX_OF_SCOPE, true }))
			return false;
		if (!ptx_is(&p->lex, ")") && !ptx_expect(p, ","))
			return false;
	}
	return first == end || ptx_wrong(p, "a call with too many arguments");
}

static bool parse_function(struct ptx_body *b, const struct actuals *a)
{
	struct ptx_parser *p = b->p;

	if (!ptx_open_scope(b, PTX_NONE))
		return false;
	if (ptx_take(p, "(") && !bind_formals(b, a, 0, a->n_results))
		return false;
	ptx_next(&p->lex); /* its name */
	if (ptx_take(p, "(") && !bind_formals(b, a, a->n_results, a->n))
		return false;
	while (p->lex.token == PTX_WORD) /* .noreturn and the like */
		ptx_next(&p->lex);
	return ptx_expect(p, "{") && ptx_parse_block(b) && ptx_add_label(b, PTX_RETURN);
}

/* The body of a function where it is called. */
static bool insert(struct ptx_body *b, const struct ptx_text *f, const struct actuals *a)
{
	struct ptx_lex here = b->p->lex;
	struct ptx_frame frame = { b->frame, f->name };
	int file = b->file, line = b->line, inside = b->inside;

	for (const struct ptx_frame *up = b->frame; up; up = up->up)
		if (!strcmp(up->name, f->name))
			return ptx_wrong(b->p, "`%s` calls itself", f->name);
	b->p->lex = f->at;
	b->frame = &frame;
	if (!parse_function(b, a))
		return false;
	ptx_close_scope(b);
	b->inside = inside;
	b->frame = frame.up;
	b->p->lex = here;
	b->file = file;
	b->line = line;
	return true;
}

/* vprintf and __assertfail; NULL: another. */
static ptx_run_fn *provided(const char *name)
{
	return !strcmp(name, "vprintf")	       ? ptx_print
	       : !strcmp(name, "__assertfail") ? ptx_assert
					       : NULL;
}

static bool call_provided(struct ptx_body *b, const char *name, const struct actuals *a)
{
	struct ptx_instr in = { .guard = PTX_NONE,
				.file = b->file,
				.line = b->line,
				.text_line = b->p->lex.line,
				.text = name,
				.run = provided(name),
				.space = PTX_LOCAL };

	for (int i = 0; i < a->n && i < PTX_OPERANDS; i++) {
		in.src[in.n_src++] = ptx_preset(b, PTX_NONE, a->at[i]);
		if (in.src[i] == PTX_NONE)
			return false;
	}
	return ptx_add_instr(b, &in);
}

static bool call(struct ptx_body *b, const char *name, const struct actuals *a)
{
	const struct ptx_text *f = b->p->texts;

	while (f && (f->kernel || !f->body || strcmp(f->name, name)))
		f = f->next;
	if (f)
		return insert(b, f, a);
	if (provided(name))
		return call_provided(b, name, a);
	return ptx_wrong(b->p, "there is no function `%s`", name);
}

/* Lanes that do not call go round it. */
static bool guard_call(struct ptx_body *b, const struct ptx_instr *in, const char *over)
{
	struct ptx_instr round = *in;

	if (in->guard == PTX_NONE)
		return true;
	round.flow = PTX_BRANCH;
	round.guard_not = !in->guard_not;
	round.text = "call";
	return ptx_add_jump(b, over) && ptx_add_instr(b, &round);
}

bool ptx_parse_call(struct ptx_body *b, const struct ptx_instr *in)
{
	struct ptx_parser *p = b->p;
	struct actuals a = { 0 };
	const char *name;

	if (ptx_take(p, "(") && (!parse_actuals(b, &a) || !ptx_expect(p, ",")))
		return false;
	a.n_results = a.n;
	name = ptx_word(p);
	if (!name || (ptx_take(p, ",") && (!ptx_expect(p, "(") || !parse_actuals(b, &a))))
		return false;
	if (!ptx_is(&p->lex, ";"))
		return ptx_wrong(p, "calls by address are not known");
	/* a scope for the label behind it */
	if (!ptx_open_scope(b, b->inside) || !guard_call(b, in, "%over") ||
	    !call(b, name, &a) || !ptx_add_label(b, "%over"))
		return false;
	ptx_close_scope(b);
	return ptx_expect(p, ";");
}

/* ---- the kernel ------------------------------------------------------------------- */

static bool parse_params(struct ptx_body *b)
{
	struct ptx_parser *p = b->p;
	struct ptx_param param[64];
	int64_t total = 0;

	while (ptx_take(p, ".param")) {
		struct ptx_declared d;

		if (b->k->n_params == 64)
			return ptx_wrong(p, "more than 64 parameters");
		if (!ptx_declare(p, &d))
			return false;
		total = ptx_aligned(total, d.align);
		if (!ptx_add_place(b, &(struct ptx_named){ .name = d.name,
							   .at = (uint64_t)total }))
			return false;
		param[b->k->n_params++] =
			(struct ptx_param){ (int)total, (int)(d.count * d.unit) };
		total += d.count * d.unit;
		if (!ptx_take(p, ","))
			break;
	}
	b->k->needs.params = (int)total;
	b->k->param = ptx_keep(p->module, (size_t)(b->k->n_params + 1) * sizeof *param);
	if (!b->k->param)
		return ptx_wrong(p, "no memory");
	memcpy(b->k->param, param, (size_t)b->k->n_params * sizeof *param);
	return ptx_expect(p, ")");
}

/* ".maxntid 128, 1, 1" and the like, in front of the body */
static bool parse_tuning(struct ptx_body *b)
{
	struct ptx_parser *p = b->p;

	while (p->lex.token == PTX_WORD && *p->lex.start == '.') {
		bool most = ptx_is(&p->lex, ".maxntid");
		int64_t n, all = 1;

		ptx_next(&p->lex);
		do {
			if (!ptx_integer(p, &n))
				return false;
			all *= n;
		} while (ptx_take(p, ","));
		if (most)
			b->k->needs.most_threads = (int)all;
	}
	return true;
}

static bool keep_body(struct ptx_body *b)
{
	struct ptx_kernel *k = b->k;

	k->preset = ptx_keep(k->module, (size_t)(k->n_presets + 1) * sizeof *k->preset);
	k->instr = ptx_keep(k->module, (size_t)(k->n_instrs + 1) * sizeof *k->instr);
	if (!k->preset || !k->instr)
		return ptx_wrong(b->p, "no memory");
	if (k->n_presets)
		memcpy(k->preset, b->preset, (size_t)k->n_presets * sizeof *k->preset);
	if (k->n_instrs)
		memcpy(k->instr, b->instr, (size_t)k->n_instrs * sizeof *k->instr);
	k->instr[k->n_instrs++] =
		(struct ptx_instr){ .flow = PTX_EXIT, .guard = PTX_NONE, .text = "}" };
	k->n_regs++; /* one at least */
	k->dynamic = ptx_aligned(k->needs.shared, k->dynamic > 16 ? k->dynamic : 16);
	return true;
}

static bool parse_body(struct ptx_body *b)
{
	struct ptx_parser *p = b->p;

	return ptx_expect(p, "(") && parse_params(b) && parse_tuning(b) &&
	       ptx_expect(p, "{") && ptx_open_scope(b, PTX_NONE) && ptx_parse_block(b) &&
	       ptx_link_jumps(b) && keep_body(b);
}

bool ptx_parse_kernel(struct ptx_parser *p)
{
	struct ptx_body b = { .p = p, .k = ptx_keep(p->module, sizeof *b.k) };
	bool fine;

	if (!b.k)
		return ptx_wrong(p, "no memory");
	b.k->module = p->module;
	b.k->name = ptx_word(p);
	fine = b.k->name && parse_body(&b);
	ptx_body_free(&b);
	b.k->next = p->module->kernels;
	p->module->kernels = b.k;
	return fine;
}
