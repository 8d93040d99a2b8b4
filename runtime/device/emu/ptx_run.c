/* device/emu/ptx_run.c - a launch: blocks one after the other, warps in turn
 *
 * The lanes of a warp run together as long as they are at the same instruction; where
 * they part, those with the lowest one go first, so that they meet again where their ways
 * join. At a barrier a warp waits until all threads of the block that are still there
 * have come to it. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("O3") /* vectors, also at -O2 */
#endif
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "device/emu/ptx_module.h"

enum { MOST_THREADS = 1024 };

/* ---- failures ------------------------------------------------------------------ */

void ptx_place(char *text, size_t n, const struct ptx_kernel *k,
	       const struct ptx_instr *in)
{
	const struct ptx_module *m = k->module;

	if (in->line && in->file < m->n_files && m->file[in->file])
		snprintf(text, n, "%s:%d", m->file[in->file], in->line);
	else
		snprintf(text, n, "line %d of the PTX", in->text_line);
}

void ptx_fail(struct ptx_warp *w, const struct ptx_instr *in, int lane, int code,
	      const char *format, ...)
{
	const struct ptx_block *b = w->block;
	const uint32_t *size = b->launch->block;
	uint32_t t = (uint32_t)(w->first + (lane == PTX_NONE ? 0 : lane));
	char place[256], text[400];
	va_list values;

	w->failed = true;
	if (b->fault->code != PTX_FINE)
		return;
	b->fault->code = code;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	ptx_place(place, sizeof place, b->kernel, in);
	snprintf(b->fault->text, sizeof b->fault->text,
		 "%.160s: %.60s, thread (%u,%u,%u) of block (%u,%u,%u): %.320s", place,
		 b->kernel->name, t % size[0], t / size[0] % size[1],
		 t / size[0] / size[1], b->index[0], b->index[1], b->index[2], text);
}

/* ---- registers ------------------------------------------------------------------- */

static uint64_t special_value(const struct ptx_warp *w, int special, int lane)
{
	const struct ptx_launch *l = w->block->launch;
	uint32_t t = (uint32_t)(w->first + lane);

	if (special == PTX_TID)
		return t % l->block[0];
	if (special < PTX_NTID)
		return special == PTX_TID + 1 ? t / l->block[0] % l->block[1]
					      : t / l->block[0] / l->block[1];
	if (special < PTX_CTAID)
		return l->block[special - PTX_NTID];
	if (special < PTX_NCTAID)
		return w->block->index[special - PTX_CTAID];
	if (special < PTX_LANEID)
		return l->grid[special - PTX_NCTAID];
	switch (special) {
	case PTX_LANEID:
		return (uint64_t)lane;
	case PTX_WARPID:
		return (uint64_t)(w->first / PTX_LANES);
	case PTX_LANEMASK_LT:
		return ((uint64_t)1 << lane) - 1;
	case PTX_LANEMASK_LE:
		return ((uint64_t)2 << lane) - 1;
	case PTX_LANEMASK_EQ:
		return (uint64_t)1 << lane;
	case PTX_LANEMASK_GE:
		return PTX_ALL << lane & PTX_ALL;
	case PTX_LANEMASK_GT:
		return (uint64_t)PTX_ALL << lane << 1 & PTX_ALL;
	case PTX_NWARPID:
		return (uint64_t)w->block->n_warps;
	case PTX_WARPSIZE:
		return PTX_LANES;
	case PTX_ZERO:
		return 0;
	case PTX_DYNAMIC:
		return (uint64_t)w->block->kernel->dynamic;
	default:
		return (uint64_t)w->steps;
	}
}

/* Registers that nothing changes; those of a warp are kept from one block to the next, in
 * which only its number is another. */
static void preset_registers(struct ptx_warp *w, bool first)
{
	const struct ptx_kernel *k = w->block->kernel;

	for (int i = 0; i < k->n_presets; i++) {
		const struct ptx_preset *p = &k->preset[i];
		union ptx_slot *row = w->reg[p->reg];
		bool of_block = p->special >= PTX_CTAID && p->special < PTX_NCTAID;

		if (!first && !of_block)
			continue;
		for (int lane = 0; lane < PTX_LANES; lane++)
			row[lane].u = p->special == PTX_NONE
					      ? p->value
					      : special_value(w, p->special, lane);
	}
}

/* ---- one warp ---------------------------------------------------------------------- */

static uint32_t guarded(const struct ptx_warp *w, const struct ptx_instr *in,
			uint32_t mask)
{
	uint32_t yes = 0;

	if (in->guard == PTX_NONE)
		return mask;
	for (int i = 0; i < PTX_LANES; i++)
		yes |= (uint32_t)(w->reg[in->guard][i].u & 1) << i;
	return mask & (in->guard_not ? ~yes : yes);
}

/* Lanes that are to go on at an instruction later. */
static void leave(struct ptx_warp *w, uint32_t mask, int pc)
{
	PTX_EACH(i, mask)
	w->pc[i] = pc;
}

/* Of the lanes that can run, those with the lowest instruction; *limit: where the next
 * others are. */
static uint32_t choose(const struct ptx_warp *w, int *pc, int *limit)
{
	uint32_t mask = 0, ready = w->live & ~w->waiting & ~w->gathered;

	*pc = *limit = INT32_MAX;
	PTX_EACH(i, ready)
	*pc = w->pc[i] < *pc ? w->pc[i] : *pc;
	PTX_EACH(i, ready)
	{
		if (w->pc[i] == *pc)
			mask |= (uint32_t)1 << i;
		else if (w->pc[i] < *limit)
			*limit = w->pc[i];
	}
	return mask;
}

/* Runs these lanes until they part, end, wait, or meet others. */
static void run_lanes(struct ptx_warp *w, uint32_t mask, int pc, int limit)
{
	const struct ptx_instr *instr = w->block->kernel->instr;

	while (pc < limit && !w->failed) {
		const struct ptx_instr *in = &instr[pc];
		uint32_t now = guarded(w, in, mask);

		if (++w->steps == w->block->launch->steps) {
			ptx_fail(w, in, PTX_NONE, PTX_TIMEOUT,
				 "no end after %lld instructions", (long long)w->steps);
			return;
		}
		switch (in->flow) {
		case PTX_NEXT:
			if (now && in->run)
				in->run(w, in, now);
			pc++;
			continue;
		case PTX_BRANCH:
			if (now == mask) {
				pc = (int)in->offset;
				continue;
			}
			if (!now) {
				pc++;
				continue;
			}
			leave(w, now, (int)in->offset);
			leave(w, mask & ~now, pc + 1);
			return;
		case PTX_EXIT:
			w->live &= ~now;
			leave(w, mask & ~now, pc + 1);
			return;
		case PTX_MEET:
			if (!now || ptx_are_together(w, in, now)) {
				if (now)
					ptx_meet(w, in, now);
				pc++;
				continue;
			}
			w->gathered |= now;
			leave(w, now, pc);
			leave(w, mask & ~now, pc + 1);
			return;
		case PTX_BARRIER:
			ptx_arrive(w, in, now);
			leave(w, now & w->waiting, pc);
			leave(w, mask & ~w->waiting, pc + 1);
			return;
		case PTX_TRAP:
			if (now)
				ptx_fail(w, in, __builtin_ctz(now), PTX_ILLEGAL, "trap");
			pc++;
		}
	}
	leave(w, mask, pc);
}

/* Until all lanes have ended or wait for other warps. */
static void run_warp(struct ptx_warp *w)
{
	while (!w->failed) {
		int pc, limit;
		uint32_t mask = choose(w, &pc, &limit);

		if (mask)
			run_lanes(w, mask, pc, limit);
		else if (!ptx_release(w))
			return;
	}
}

/* ---- one block -------------------------------------------------------------------- */

struct block_memory {
	union ptx_slot (*reg)[PTX_LANES];
	char *local, *shared;
	int64_t local_bytes; /* of a warp */
};

static void start_warp(struct ptx_block *b, struct block_memory *m, int which, bool first)
{
	struct ptx_warp *w = &b->warp[which];
	int threads =
		(int)(b->launch->block[0] * b->launch->block[1] * b->launch->block[2]);
	int lanes = threads - which * PTX_LANES;

	*w = (struct ptx_warp){
		.reg = m->reg + (int64_t)which * b->kernel->n_regs,
		.block = b,
		.first = which * PTX_LANES,
		.live = lanes >= PTX_LANES ? PTX_ALL : ((uint32_t)1 << lanes) - 1,
		.local = m->local + which * m->local_bytes,
	};
	preset_registers(w, first);
}

static void run_block(struct ptx_block *b, struct block_memory *m)
{
	bool first = !b->index[0] && !b->index[1] && !b->index[2];

	memset(m->shared, 0xff, (size_t)b->shared_bytes);
	memset(b->arrived, 0, sizeof b->arrived);
	b->interval = 0;
	if (b->launch->shadow)
		ptx_shadow_begin(b->launch->shadow, true);
	for (int i = 0; i < b->n_warps; i++)
		start_warp(b, m, i, first);
	do {
		for (int i = 0; i < b->n_warps && b->fault->code == PTX_FINE; i++)
			run_warp(&b->warp[i]);
	} while (b->fault->code == PTX_FINE && ptx_pass_barriers(b));
}

/* ---- the launch
 * ------------------------------------------------------------------------ */

static bool refuse(struct ptx_fault *fault, int code, const char *text)
{
	fault->code = code;
	snprintf(fault->text, sizeof fault->text, "%s", text);
	return false;
}

static bool open_memory(struct block_memory *m, struct ptx_block *b)
{
	const struct ptx_kernel *k = b->kernel;
	const uint32_t *size = b->launch->block;
	int64_t threads = (int64_t)size[0] * size[1] * size[2];

	b->n_warps = (int)((threads + PTX_LANES - 1) / PTX_LANES);
	m->local_bytes = k->needs.local * PTX_LANES;
	b->warp = mem_new((size_t)b->n_warps * sizeof *b->warp);
	m->reg = mem_new((size_t)b->n_warps * (size_t)k->n_regs * sizeof *m->reg);
	m->local = mem_new((size_t)(b->n_warps * m->local_bytes + 16));
	m->shared = mem_new((size_t)b->shared_bytes + 16);
	b->shared = m->shared;
	if (b->launch->shadow &&
	    !ptx_shadow_shared(b->launch->shadow, (uint64_t)b->shared_bytes))
		return false;
	if (b->launch->shadow)
		b->epoch = ptx_shadow_begin(b->launch->shadow, false);
	return b->warp && m->reg && m->local && m->shared;
}

static void close_memory(struct block_memory *m, struct ptx_block *b)
{
	mem_free(b->warp);
	mem_free(m->reg);
	mem_free(m->local);
	mem_free(m->shared);
}

void ptx_take_params(const struct ptx_launch *l, void *to)
{
	const struct ptx_kernel *k = l->kernel;

	for (int i = 0; i < k->n_params; i++)
		memcpy((char *)to + k->param[i].offset, l->param[i], (size_t)k->param[i].bytes);
}

static void run_blocks(struct ptx_block *b, struct block_memory *m)
{
	const uint32_t *grid = b->launch->grid;

	for (uint32_t z = 0; z < grid[2]; z++)
		for (uint32_t y = 0; y < grid[1]; y++)
			for (uint32_t x = 0; x < grid[0] && b->fault->code == PTX_FINE;
			     x++) {
				b->index[0] = x;
				b->index[1] = y;
				b->index[2] = z;
				run_block(b, m);
			}
}

bool ptx_run(const struct ptx_launch *l, const void *taken, struct ptx_fault *fault)
{
	const struct ptx_kernel *k = l->kernel;
	struct ptx_block block = { .launch = l, .kernel = k, .fault = fault };
	struct block_memory m = { 0 };
	char *params;

	fault->code = PTX_FINE;
	if (k->needs.most_threads && (uint64_t)l->block[0] * l->block[1] * l->block[2] >
					     (uint64_t)k->needs.most_threads)
		return refuse(fault, PTX_ILLEGAL,
			      "more threads than the kernel takes (.maxntid)");
	if ((uint64_t)l->block[0] * l->block[1] * l->block[2] > MOST_THREADS ||
	    !l->block[0] || !l->block[1] || !l->block[2])
		return refuse(fault, PTX_ILLEGAL, "a block has 1 to 1024 threads");
	block.shared_bytes = k->dynamic + l->shared;
	params = mem_new((size_t)k->needs.params + 16);
	if (!params || !open_memory(&m, &block)) {
		mem_free(params);
		close_memory(&m, &block);
		return refuse(fault, PTX_NO_MEMORY, "no memory for a launch");
	}
	if (taken)
		memcpy(params, taken, (size_t)k->needs.params);
	else
		ptx_take_params(l, params);
	block.params = params;
	run_blocks(&block, &m);
	close_memory(&m, &block);
	mem_free(params);
	return fault->code == PTX_FINE;
}
