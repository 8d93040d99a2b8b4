/* device/emu/ptx_body.c - the statements of a kernel or function: declarations, labels,
 * instructions, whose operands become numbers of registers */
#include <stdio.h>
#include <string.h>

#include "device/emu/ptx_parse.h"

/* ---- operands -------------------------------------------------------------------- */

/* A register that holds the operand at hand; PTX_NONE: told. */
static int operand(struct ptx_body *b)
{
	struct ptx_parser *p = b->p;
	uint64_t bits;
	int64_t value;
	int reg, special;

	if (p->lex.token == PTX_NUMBER || ptx_is(&p->lex, "-")) {
		if (p->lex.token == PTX_NUMBER && ptx_number(&p->lex, &bits))
			ptx_next(&p->lex);
		else if (ptx_integer(p, &value))
			bits = (uint64_t)value;
		else
			return PTX_NONE;
		return ptx_preset(b, PTX_NONE, bits);
	}
	reg = p->lex.token == PTX_WORD ? ptx_find_reg(b, p->lex.start, p->lex.length)
				       : PTX_NONE;
	special = ptx_find_special(&p->lex);
	if (reg == PTX_NONE && special != PTX_NONE)
		reg = ptx_preset(b, special, 0);
	else if (reg == PTX_NONE && p->lex.token == PTX_WORD && ptx_is_dynamic(b))
		reg = ptx_preset(b, PTX_DYNAMIC, 0);
	else if (reg == PTX_NONE && p->lex.token == PTX_WORD && ptx_find_symbol(b, &bits))
		reg = ptx_preset(b, PTX_NONE, bits);
	if (reg == PTX_NONE)
		ptx_wrong(p, "`%.*s` is no register, number or variable",
			  (int)p->lex.length, p->lex.start);
	ptx_next(&p->lex);
	return reg;
}

/* "[%rd4+8]", after the bracket */
static bool address(struct ptx_body *b, struct ptx_instr *in)
{
	struct ptx_parser *p = b->p;
	int reg;

	b->local = false;
	reg = operand(b);
	if (reg == PTX_NONE)
		return false;
	if (in->space == PTX_PARAM && (b->local || b->frame))
		in->space = PTX_LOCAL; /* a parameter of a call */
	in->src[in->n_src++] = reg;
	if (ptx_take(p, "+")) {
		if (!ptx_integer(p, &in->offset))
			return false;
	} else if (ptx_is(&p->lex, "-") && !ptx_integer(p, &in->offset)) {
		return false;
	}
	return ptx_expect(p, "]");
}

/* "!%p" as a source: an instruction in front of that at hand; PTX_NONE: told. */
static int negated(struct ptx_body *b)
{
	struct ptx_instr in = { .guard = PTX_NONE, .text_line = b->p->lex.line };
	int reg = operand(b);

	if (reg == PTX_NONE || !ptx_decode(&in, "not.pred"))
		return PTX_NONE;
	in.src[in.n_src++] = reg;
	in.dst[0] = b->k->n_regs++;
	return ptx_add_instr(b, &in) ? in.dst[0] : PTX_NONE;
}

/* One destination or source; `_` is none. */
static bool item(struct ptx_body *b, int *list, int *n)
{
	if (*n == PTX_OPERANDS)
		return ptx_wrong(b->p, "too many operands");
	if (ptx_take(b->p, "!")) {
		list[*n] = negated(b);
		return list[(*n)++] != PTX_NONE;
	}
	if (ptx_take(b->p, "_")) {
		list[(*n)++] = PTX_NONE;
		return true;
	}
	list[*n] = operand(b);
	return list[(*n)++] != PTX_NONE;
}

/* An item, or several in braces. */
static bool items(struct ptx_body *b, int *list, int *n)
{
	if (!ptx_take(b->p, "{"))
		return item(b, list, n);
	do {
		if (!item(b, list, n))
			return false;
	} while (ptx_take(b->p, ","));
	return ptx_expect(b->p, "}");
}

static bool operands(struct ptx_body *b, struct ptx_instr *in)
{
	struct ptx_parser *p = b->p;
	int wanted = in->n_dst;

	in->n_dst = 0;
	if (wanted) {
		if (!items(b, in->dst, &in->n_dst) ||
		    (ptx_take(p, "|") && !items(b, in->dst, &in->n_dst)))
			return false;
		if (!ptx_is(&p->lex, ";") && !ptx_expect(p, ","))
			return false;
	}
	while (!ptx_is(&p->lex, ";")) {
		if (ptx_take(p, "[") ? !address(b, in) : !items(b, in->src, &in->n_src))
			return false;
		if (!ptx_is(&p->lex, ";") && !ptx_expect(p, ","))
			return false;
	}
	if (in->n_dst > wanted && in->run != ptx_compare && !strncmp(in->text, "setp.", 5)) {
		in->test = in->run;
		in->run = ptx_compare;
		in->operation = PTX_NONE;
	}
	if (in->n_dst > wanted && in->run != ptx_shuffle && in->run != ptx_move &&
	    in->run != ptx_compare && in->run != ptx_match)
		return ptx_wrong(p, "`%s` with two results is not known", in->text);
	for (int i = 0; in->run == ptx_compare && i < in->n_dst; i++)
		if (in->dst[i] == PTX_NONE)
			in->dst[i] = b->k->n_regs++;
	for (int i = 0; i < in->n_src; i++) /* what is stored; no value to read */
		if (in->src[i] == PTX_NONE)
			return ptx_wrong(p, "`_` as a source");
	if (in->run == ptx_move && in->n_src > 1)
		in->run = ptx_pack;
	else if (in->run == ptx_move && in->n_dst > 1)
		in->run = ptx_unpack;
	else if (in->run == ptx_move && in->dst[0] == PTX_NONE)
		in->run = NULL;
	return true;
}

/* ---- instructions ------------------------------------------------------------------ */

static bool parse_guard(struct ptx_body *b, struct ptx_instr *in)
{
	in->guard_not = ptx_take(b->p, "!");
	in->guard = operand(b);
	return in->guard != PTX_NONE;
}

static bool parse_instr(struct ptx_body *b)
{
	struct ptx_instr in = { .guard = PTX_NONE,
				.file = b->file,
				.line = b->line,
				.text_line = b->p->lex.line };
	const char *name;

	if (ptx_take(b->p, "@") && !parse_guard(b, &in))
		return false;
	name = ptx_word(b->p);
	if (!name)
		return false;
	if (!strcmp(name, "call") || !strcmp(name, "call.uni"))
		return ptx_parse_call(b, &in);
	if (!ptx_decode(&in, name))
		return ptx_wrong(b->p, "the instruction `%s` is not known", name);
	if (in.flow == PTX_EXIT && b->frame && !strncmp(name, "ret", 3)) {
		in.flow = PTX_BRANCH;
		if (!ptx_add_jump(b, PTX_RETURN))
			return false;
	} else if (in.flow == PTX_BRANCH ? !ptx_add_jump(b, ptx_word(b->p))
					 : !operands(b, &in)) {
		return false;
	}
	return ptx_add_instr(b, &in) && ptx_expect(b->p, ";");
}

/* ".loc 2 80 1, function_name $L_string0, inlined_at 1 23 3": where it was inlined
 * counts, which is the line of the program. */
static bool parse_loc(struct ptx_body *b)
{
	struct ptx_parser *p = b->p;
	int64_t file, line, column;

	if (!ptx_integer(p, &file) || !ptx_integer(p, &line) || !ptx_integer(p, &column))
		return false;
	while (ptx_take(p, ",")) {
		if (ptx_take(p, "function_name")) {
			ptx_next(&p->lex);
			if (ptx_take(p, "+"))
				ptx_next(&p->lex);
			continue;
		}
		if (!ptx_expect(p, "inlined_at") || !ptx_integer(p, &file) ||
		    !ptx_integer(p, &line) || !ptx_integer(p, &column))
			return false;
	}
	b->file = (int)file;
	b->line = (int)line;
	return true;
}

bool ptx_parse_place(struct ptx_body *b, int64_t *total, bool local)
{
	struct ptx_declared d;

	if (!ptx_declare(b->p, &d))
		return false;
	*total = ptx_aligned(*total, d.align);
	if (!ptx_add_place(b, &(struct ptx_named){ d.name, (uint64_t)*total, PTX_OF_SCOPE,
						   local }))
		return false;
	*total += d.count * d.unit;
	return ptx_expect(b->p, ";");
}

static bool parse_statement(struct ptx_body *b)
{
	struct ptx_parser *p = b->p;
	const char *name;

	if (ptx_take(p, ".reg"))
		return ptx_parse_regs(b);
	if (ptx_take(p, ".loc"))
		return parse_loc(b);
	if (ptx_take(p, ".shared"))
		return ptx_parse_place(b, &b->k->needs.shared, false);
	if (ptx_take(p, ".local"))
		return ptx_parse_place(b, &b->k->needs.local, false);
	if (ptx_take(p, ".param"))
		return ptx_parse_place(b, &b->k->needs.local, true);
	if (ptx_take(p, ".pragma")) {
		ptx_next(&p->lex);
		return ptx_expect(p, ";");
	}
	if (ptx_take(p, "{"))
		return ptx_open_scope(b, b->inside);
	if (p->lex.token == PTX_WORD && *p->lex.start != '.' && *p->lex.at == ':') {
		name = ptx_word(p);
		return name && ptx_add_label(b, name) && ptx_expect(p, ":");
	}
	return parse_instr(b);
}

bool ptx_parse_block(struct ptx_body *b)
{
	struct ptx_parser *p = b->p;
	int whole = b->inside;

	for (;;) {
		if (ptx_take(p, "}")) {
			if (b->inside == whole)
				return true;
			ptx_close_scope(b);
		} else if (p->lex.token == PTX_END) {
			return ptx_wrong(p, "the end of the text inside of a kernel");
		} else if (!parse_statement(b)) {
			return false;
		}
	}
}
