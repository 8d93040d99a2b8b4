/* device/emu/ptx_body.c - a kernel of the text: registers, labels, instructions
 *
 * Operands become numbers of registers. Constants, special registers and addresses of
 * variables have registers of their own, which are filled when a warp starts. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "device/emu/ptx_parse.h"

/* Registers %r<12> are a name and a count; a single one has count 0. */
struct regs {
	char name[64];
	int first, count;
};
struct label {
	const char *name;
	int at;
};
struct jump {
	int instr;
	const char *label;
	int line;
};
struct place {
	const char *name;
	uint64_t at;
}; /* in parameters, shared or local memory */

struct body {
	struct ptx_parser *p;
	struct ptx_kernel *k;
	int n_scopes, scope[16]; /* registers known when each began */
	int n_regs, room_regs, n_labels, room_labels, n_jumps, room_jumps, n_places,
		room_places;
	int room_presets, room_instrs;
	struct regs *regs;
	struct label *label;
	struct jump *jump;
	struct place *place;
	struct ptx_preset *preset;
	struct ptx_instr *instr;
	int file, line;
};

/* Room for one more item. */
static bool grow(struct body *b, void *items, int n, int *room, size_t size)
{
	void **at = items, *more;

	if (n < *room)
		return true;
	*room = *room ? 2 * *room : 32;
	more = mem_new((size_t)*room * size);
	if (!more)
		return ptx_wrong(b->p, "no memory");
	if (n)
		memcpy(more, *at, (size_t)n * size);
	mem_free(*at);
	*at = more;
	return true;
}

static void body_free(struct body *b)
{
	mem_free(b->regs);
	mem_free(b->label);
	mem_free(b->jump);
	mem_free(b->place);
	mem_free(b->preset);
	mem_free(b->instr);
}

/* ---- registers ------------------------------------------------------------------ */

/* ".reg .b64 %rd<85>, %x;" after ".reg" */
static bool parse_regs(struct body *b)
{
	struct ptx_parser *p = b->p;

	ptx_next(&p->lex); /* the type: every slot holds any */
	do {
		struct regs *r;
		int64_t count = 0;

		if (!grow(b, &b->regs, b->n_regs, &b->room_regs, sizeof *b->regs))
			return false;
		r = &b->regs[b->n_regs++];
		if (p->lex.token != PTX_WORD || p->lex.length >= sizeof r->name)
			return ptx_wrong(p, "the name of a register expected");
		snprintf(r->name, sizeof r->name, "%.*s", (int)p->lex.length,
			 p->lex.start);
		ptx_next(&p->lex);
		if (ptx_take(p, "<") && (!ptx_integer(p, &count) || !ptx_expect(p, ">")))
			return false;
		r->first = b->k->n_regs;
		r->count = (int)count;
		b->k->n_regs += count ? (int)count : 1;
	} while (ptx_take(p, ","));
	return ptx_expect(p, ";");
}

/* Of a register's name; the innermost scope's, as the last ones are found first. */
static int find_reg(const struct body *b, const char *text, size_t length)
{
	for (int i = b->n_regs - 1; i >= 0; i--) {
		const struct regs *r = &b->regs[i];
		size_t n = strlen(r->name), k = n;
		int number = 0;

		if (length < n || memcmp(text, r->name, n))
			continue;
		if (!r->count && length == n)
			return r->first;
		while (k < length && text[k] >= '0' && text[k] <= '9' &&
		       number < r->count)
			number = 10 * number + (text[k++] - '0');
		if (r->count && length > n && k == length && number < r->count)
			return r->first + number;
	}
	return PTX_NONE;
}

static int preset(struct body *b, int special, uint64_t value)
{
	struct ptx_kernel *k = b->k;

	for (int i = 0; i < k->n_presets; i++)
		if (b->preset[i].special == special && b->preset[i].value == value)
			return b->preset[i].reg;
	if (!grow(b, &b->preset, k->n_presets, &b->room_presets, sizeof *b->preset))
		return PTX_NONE;
	b->preset[k->n_presets++] = (struct ptx_preset){ k->n_regs, special, value };
	return k->n_regs++;
}

static int find_special(const struct ptx_lex *lex)
{
	static const struct {
		const char *name;
		int number, axes;
	} specials[] = {
		{ "%tid", PTX_TID, 3 },
		{ "%ntid", PTX_NTID, 3 },
		{ "%ctaid", PTX_CTAID, 3 },
		{ "%nctaid", PTX_NCTAID, 3 },
		{ "%laneid", PTX_LANEID, 0 },
		{ "%warpid", PTX_WARPID, 0 },
		{ "%clock", PTX_CLOCK, 0 },
		{ "%clock64", PTX_CLOCK, 0 },
		{ "%globaltimer", PTX_CLOCK, 0 },
		{ "%lanemask_lt", PTX_LANEMASK_LT, 0 },
		{ "%lanemask_le", PTX_LANEMASK_LE, 0 },
		{ "%lanemask_eq", PTX_LANEMASK_EQ, 0 },
		{ "%lanemask_ge", PTX_LANEMASK_GE, 0 },
		{ "%lanemask_gt", PTX_LANEMASK_GT, 0 },
		{ "%nwarpid", PTX_NWARPID, 0 },
		{ "%smid", PTX_ZERO, 0 },
	};

	for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
		size_t n = strlen(specials[i].name);
		int axis = 0;

		if (lex->length < n || memcmp(lex->start, specials[i].name, n))
			continue;
		if (specials[i].axes && lex->length == n + 2 && lex->start[n] == '.')
			axis = lex->start[n + 1] - 'x';
		else if (specials[i].axes || lex->length != n)
			continue;
		if (axis >= 0 && axis < 3)
			return specials[i].number + axis;
	}
	return PTX_NONE;
}

static bool add_instr(struct body *b, const struct ptx_instr *in)
{
	if (!grow(b, &b->instr, b->k->n_instrs, &b->room_instrs, sizeof *in))
		return false;
	b->instr[b->k->n_instrs++] = *in;
	return true;
}

/* ---- operands -------------------------------------------------------------------- */

static bool add_place(struct body *b, const char *name, uint64_t at)
{
	if (!grow(b, &b->place, b->n_places, &b->room_places, sizeof *b->place))
		return false;
	b->place[b->n_places++] = (struct place){ name, at };
	return true;
}

static const struct ptx_shared *find_shared(const struct body *b, const char *name)
{
	const struct ptx_shared *v = b->p->module->shared;

	while (v && strcmp(v->name, name))
		v = v->next;
	return v;
}

/* Whether the token names memory that launches add; it begins where that ends which is
 * known. */
static bool is_dynamic(struct body *b)
{
	const struct ptx_shared *v = b->p->module->shared;

	while (v && (v->bytes || !ptx_is(&b->p->lex, v->name)))
		v = v->next;
	if (v && v->align > b->k->dynamic)
		b->k->dynamic = v->align;
	return v != NULL;
}

static int64_t aligned(int64_t at, int64_t align)
{
	return (at + align - 1) / align * align;
}

/* Shared memory of the module has a place in the kernels that name it. */
static bool place_shared(struct body *b, const char *name, uint64_t *at)
{
	const struct ptx_shared *v = find_shared(b, name);
	int64_t *total = &b->k->needs.shared;

	if (!v || !v->bytes)
		return false;
	*total = aligned(*total, v->align);
	*at = (uint64_t)*total;
	*total += v->bytes;
	return add_place(b, v->name, *at);
}

/* The address of a variable, parameter, or place in shared or local memory. */
static bool find_symbol(struct body *b, uint64_t *at)
{
	const struct ptx_lex *lex = &b->p->lex;
	char name[256];
	uint64_t bytes;

	if (lex->length >= sizeof name)
		return false;
	snprintf(name, sizeof name, "%.*s", (int)lex->length, lex->start);
	for (int i = b->n_places - 1; i >= 0; i--)
		if (!strcmp(b->place[i].name, name)) {
			*at = b->place[i].at;
			return true;
		}
	return place_shared(b, name, at) ||
	       ptx_variable(b->p->module, name, at, &bytes);
}

/* A register that holds the operand at hand; PTX_NONE: told. */
static int operand(struct body *b)
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
		return preset(b, PTX_NONE, bits);
	}
	reg = p->lex.token == PTX_WORD ? find_reg(b, p->lex.start, p->lex.length)
				       : PTX_NONE;
	special = find_special(&p->lex);
	if (reg == PTX_NONE && special != PTX_NONE)
		reg = preset(b, special, 0);
	else if (reg == PTX_NONE && p->lex.token == PTX_WORD && is_dynamic(b))
		reg = preset(b, PTX_DYNAMIC, 0);
	else if (reg == PTX_NONE && p->lex.token == PTX_WORD && find_symbol(b, &bits))
		reg = preset(b, PTX_NONE, bits);
	if (reg == PTX_NONE)
		ptx_wrong(p, "`%.*s` is no register, number or variable",
			  (int)p->lex.length, p->lex.start);
	ptx_next(&p->lex);
	return reg;
}

/* "[%rd4+8]", after the bracket */
static bool address(struct body *b, struct ptx_instr *in)
{
	struct ptx_parser *p = b->p;
	int reg = operand(b);

	if (reg == PTX_NONE)
		return false;
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
static int negated(struct body *b)
{
	struct ptx_instr in = { .guard = PTX_NONE, .text_line = b->p->lex.line };
	int reg = operand(b);

	if (reg == PTX_NONE || !ptx_decode(&in, "not.pred"))
		return PTX_NONE;
	in.src[in.n_src++] = reg;
	in.dst[0] = b->k->n_regs++;
	return add_instr(b, &in) ? in.dst[0] : PTX_NONE;
}

/* One destination or source; `_` is none. */
static bool item(struct body *b, int *list, int *n)
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
static bool items(struct body *b, int *list, int *n)
{
	if (!ptx_take(b->p, "{"))
		return item(b, list, n);
	do {
		if (!item(b, list, n))
			return false;
	} while (ptx_take(b->p, ","));
	return ptx_expect(b->p, "}");
}

static bool operands(struct body *b, struct ptx_instr *in)
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

static bool parse_guard(struct body *b, struct ptx_instr *in)
{
	in->guard_not = ptx_take(b->p, "!");
	in->guard = operand(b);
	return in->guard != PTX_NONE;
}

static bool branch(struct body *b, int instr)
{
	if (!grow(b, &b->jump, b->n_jumps, &b->room_jumps, sizeof *b->jump))
		return false;
	b->jump[b->n_jumps++] = (struct jump){ instr, ptx_word(b->p), b->p->lex.line };
	return b->jump[b->n_jumps - 1].label != NULL;
}

static bool parse_instr(struct body *b)
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
	if (!ptx_decode(&in, name))
		return ptx_wrong(b->p, "the instruction `%s` is not known", name);
	if (in.flow == PTX_BRANCH ? !branch(b, b->k->n_instrs) : !operands(b, &in))
		return false;
	return add_instr(b, &in) && ptx_expect(b->p, ";");
}

/* ".loc 2 80 1, function_name $L_string0, inlined_at 1 23 3": where it was inlined
 * counts, which is the line of the program. */
static bool parse_loc(struct body *b)
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

/* ".shared .align 8 .b8 name[64];" and ".local …" */
static bool parse_place(struct body *b, int64_t *total)
{
	struct ptx_declared d;

	if (!ptx_declare(b->p, &d))
		return false;
	*total = aligned(*total, d.align);
	if (!add_place(b, d.name, (uint64_t)*total))
		return false;
	*total += d.count * d.unit;
	return ptx_expect(b->p, ";");
}

static bool parse_statement(struct body *b)
{
	struct ptx_parser *p = b->p;

	if (ptx_take(p, ".reg"))
		return parse_regs(b);
	if (ptx_take(p, ".loc"))
		return parse_loc(b);
	if (ptx_take(p, ".shared"))
		return parse_place(b, &b->k->needs.shared);
	if (ptx_take(p, ".local"))
		return parse_place(b, &b->k->needs.local);
	if (ptx_take(p, ".pragma")) {
		ptx_next(&p->lex);
		return ptx_expect(p, ";");
	}
	if (ptx_take(p, "{")) {
		if (b->n_scopes == 16)
			return ptx_wrong(p, "too many scopes");
		b->scope[b->n_scopes++] = b->n_regs;
		return true;
	}
	if (p->lex.token == PTX_WORD && *p->lex.start != '.' && *p->lex.at == ':') {
		if (!grow(b, &b->label, b->n_labels, &b->room_labels, sizeof *b->label))
			return false;
		for (int i = 0; i < b->n_labels; i++)
			if (ptx_is(&p->lex, b->label[i].name))
				return ptx_wrong(p, "the label `%s` stands twice",
						 b->label[i].name);
		b->label[b->n_labels++] = (struct label){ ptx_word(p), b->k->n_instrs };
		return ptx_expect(p, ":");
	}
	return parse_instr(b);
}

/* ---- the kernel ------------------------------------------------------------------- */

static bool parse_params(struct body *b)
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
		total = aligned(total, d.align);
		if (!add_place(b, d.name, (uint64_t)total))
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
static bool parse_tuning(struct body *b)
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

static bool link_jumps(struct body *b)
{
	for (int i = 0; i < b->n_jumps; i++) {
		int k = 0;

		while (k < b->n_labels && strcmp(b->label[k].name, b->jump[i].label))
			k++;
		if (k == b->n_labels)
			return ptx_wrong(b->p, "there is no label `%s` for line %d",
					 b->jump[i].label, b->jump[i].line);
		b->instr[b->jump[i].instr].offset = b->label[k].at;
	}
	return true;
}

static bool keep_body(struct body *b)
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
	k->dynamic = aligned(k->needs.shared, k->dynamic > 16 ? k->dynamic : 16);
	return true;
}

static bool parse_body(struct body *b)
{
	struct ptx_parser *p = b->p;

	if (!ptx_expect(p, "(") || !parse_params(b) || !parse_tuning(b) ||
	    !ptx_expect(p, "{"))
		return false;
	for (;;) {
		if (ptx_take(p, "}")) {
			if (b->n_scopes == 0)
				return link_jumps(b) && keep_body(b);
			b->n_regs = b->scope[--b->n_scopes];
		} else if (p->lex.token == PTX_END) {
			return ptx_wrong(p, "the end of the text inside of a kernel");
		} else if (!parse_statement(b)) {
			return false;
		}
	}
}

bool ptx_parse_kernel(struct ptx_parser *p)
{
	struct body b = { .p = p, .k = ptx_keep(p->module, sizeof *b.k) };
	bool fine;

	if (!b.k)
		return ptx_wrong(p, "no memory");
	b.k->module = p->module;
	b.k->name = ptx_word(p);
	fine = b.k->name && parse_body(&b);
	body_free(&b);
	b.k->next = p->module->kernels;
	p->module->kernels = b.k;
	return fine;
}
