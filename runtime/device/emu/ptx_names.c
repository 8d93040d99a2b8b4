/* device/emu/ptx_names.c - what names mean in a kernel: registers, places, labels
 *
 * Names of a scope are known up to its end, and hide those around it. Constants, special
 * registers and addresses of variables have registers of their own, which are filled when
 * a warp starts. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "device/emu/ptx_parse.h"

/* Room for one more item. */
static bool grow(struct ptx_body *b, void *items, int n, int *room, size_t size)
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

void ptx_body_free(struct ptx_body *b)
{
	mem_free(b->regs);
	mem_free(b->label);
	mem_free(b->jump);
	mem_free(b->place);
	mem_free(b->scope);
	mem_free(b->preset);
	mem_free(b->instr);
}

/* ---- registers ------------------------------------------------------------------ */

bool ptx_parse_regs(struct ptx_body *b)
{
	struct ptx_parser *p = b->p;

	ptx_next(&p->lex); /* the type: every slot holds any */
	do {
		struct ptx_regs *r;
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

int ptx_find_reg(const struct ptx_body *b, const char *text, size_t length)
{
	for (int i = b->n_regs - 1; i >= 0; i--) {
		const struct ptx_regs *r = &b->regs[i];
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

int ptx_preset(struct ptx_body *b, int special, uint64_t value)
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

int ptx_find_special(const struct ptx_lex *lex)
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
		{ "WARP_SZ", PTX_WARPSIZE, 0 },
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

bool ptx_add_instr(struct ptx_body *b, const struct ptx_instr *in)
{
	if (!grow(b, &b->instr, b->k->n_instrs, &b->room_instrs, sizeof *in))
		return false;
	b->instr[b->k->n_instrs] = *in;
	b->instr[b->k->n_instrs].number = b->k->n_instrs;
	b->k->n_instrs++;
	return true;
}

/* ---- places ---------------------------------------------------------------------- */

bool ptx_add_place(struct ptx_body *b, const struct ptx_named *place)
{
	if (!grow(b, &b->place, b->n_places, &b->room_places, sizeof *b->place))
		return false;
	b->place[b->n_places++] = *place;
	return true;
}

static const struct ptx_shared *find_shared(const struct ptx_body *b, const char *name)
{
	const struct ptx_shared *v = b->p->module->shared;

	while (v && strcmp(v->name, name))
		v = v->next;
	return v;
}

bool ptx_is_dynamic(struct ptx_body *b)
{
	const struct ptx_shared *v = b->p->module->shared;

	while (v && (v->bytes || !ptx_is(&b->p->lex, v->name)))
		v = v->next;
	if (v && v->align > b->k->dynamic)
		b->k->dynamic = v->align;
	return v != NULL;
}

int64_t ptx_aligned(int64_t at, int64_t align)
{
	return (at + align - 1) / align * align;
}

/* Shared memory of the module has a place in the kernels that name it. */
static bool place_shared(struct ptx_body *b, const char *name, uint64_t *at)
{
	const struct ptx_shared *v = find_shared(b, name);
	int64_t *total = &b->k->needs.shared;

	if (!v || !v->bytes)
		return false;
	*total = ptx_aligned(*total, v->align);
	*at = (uint64_t)*total;
	*total += v->bytes;
	return ptx_add_place(b, &(struct ptx_named){ .name = v->name, .at = *at });
}

bool ptx_find_symbol(struct ptx_body *b, uint64_t *at)
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
			b->local = b->place[i].local;
			return true;
		}
	return place_shared(b, name, at) ||
	       ptx_variable(b->p->module, name, at, &bytes);
}

/* ---- scopes and labels -------------------------------------------------------------- */

bool ptx_open_scope(struct ptx_body *b, int up)
{
	if (!grow(b, &b->scope, b->n_scopes, &b->room_scopes, sizeof *b->scope))
		return false;
	b->scope[b->n_scopes] = (struct ptx_scope){ up, b->n_regs, b->n_places };
	b->inside = b->n_scopes++;
	return true;
}

/* Shared memory of the module that was met here keeps its place. */
void ptx_close_scope(struct ptx_body *b)
{
	const struct ptx_scope *s = &b->scope[b->inside];
	int kept = s->places;

	for (int i = s->places; i < b->n_places; i++)
		if (b->place[i].kind == PTX_OF_KERNEL)
			b->place[kept++] = b->place[i];
	b->n_places = kept;
	b->n_regs = s->regs;
	b->inside = s->up;
}

bool ptx_add_label(struct ptx_body *b, const char *name)
{
	if (!grow(b, &b->label, b->n_labels, &b->room_labels, sizeof *b->label))
		return false;
	for (int i = 0; i < b->n_labels; i++)
		if (b->label[i].scope == b->inside && !strcmp(b->label[i].name, name))
			return ptx_wrong(b->p, "the label `%s` stands twice", name);
	b->label[b->n_labels++] = (struct ptx_label){ name, b->inside, b->k->n_instrs };
	return true;
}

bool ptx_add_jump(struct ptx_body *b, const char *label)
{
	if (!label || !grow(b, &b->jump, b->n_jumps, &b->room_jumps, sizeof *b->jump))
		return false;
	b->jump[b->n_jumps++] = (struct ptx_jump){ label, b->inside, b->k->n_instrs,
						   b->p->lex.line };
	return true;
}

/* The label of a scope; NULL: there is none. */
static const struct ptx_label *find_label(const struct ptx_body *b, int scope,
					  const char *name)
{
	for (int i = 0; i < b->n_labels; i++)
		if (b->label[i].scope == scope && !strcmp(b->label[i].name, name))
			return &b->label[i];
	return NULL;
}

bool ptx_link_jumps(struct ptx_body *b)
{
	for (int i = 0; i < b->n_jumps; i++) {
		const struct ptx_jump *j = &b->jump[i];
		const struct ptx_label *to = NULL;

		for (int s = j->scope; s != PTX_NONE && !to; s = b->scope[s].up)
			to = find_label(b, s, j->label);
		if (!to)
			return ptx_wrong(b->p, "there is no label `%s` for line %d",
					 j->label, j->line);
		b->instr[j->instr].offset = to->at;
	}
	return true;
}
