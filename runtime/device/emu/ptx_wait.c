/* device/emu/ptx_wait.c - lanes that wait for lanes, threads that wait for their block
 *
 * What a warp does together (shfl, vote, …) names the lanes that take part: those that
 * come first are gathered until the others have come to the same instruction. A barrier
 * has a number; threads wait at it until all of the block that are still there have come,
 * or as many as it asks for. Where none can go on any more, that is a failure which names
 * who waits where. */
#include <stdio.h>

#include "device/emu/ptx_module.h"

/* ---- lanes of a warp ------------------------------------------------------------ */

static uint32_t members(const struct ptx_warp *w, const struct ptx_instr *in, int lane)
{
	return (uint32_t)w->reg[in->src[in->n_src - 1]][lane].u & w->live;
}

bool ptx_are_together(const struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	uint32_t odd = 0;

	PTX_EACH(i, mask)
	odd |= members(w, in, i) ^ mask;
	return !odd;
}

void ptx_meet(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	if (in->run)
		in->run(w, in, mask);
	else
		w->meeting++; /* bar.warp.sync */
}

/* Gathered lanes at the instruction where this one is. */
static uint32_t with(const struct ptx_warp *w, int lane)
{
	uint32_t mask = 0;

	PTX_EACH(i, w->gathered)
	mask |= (uint32_t)(w->pc[i] == w->pc[lane]) << i;
	return mask;
}

bool ptx_release(struct ptx_warp *w)
{
	PTX_EACH(i, w->gathered)
	{
		const struct ptx_instr *in = &w->block->kernel->instr[w->pc[i]];
		uint32_t mask = members(w, in, i);

		if (mask & ~with(w, i) || !ptx_are_together(w, in, mask))
			continue;
		ptx_meet(w, in, mask);
		w->gathered &= ~mask;
		PTX_EACH(k, mask)
		w->pc[k]++;
		return true;
	}
	return false;
}

/* ---- barriers --------------------------------------------------------------------- */

struct barrier {
	int threads, wanted;    /* that have come; 0: all that are there */
	int true_ones, waiting;
};

static const struct ptx_instr *waits_at(const struct ptx_warp *w, int lane)
{
	return &w->block->kernel->instr[w->pc[lane]];
}

static int number_of(const struct ptx_warp *w, const struct ptx_instr *in, int lane)
{
	return (int)(w->reg[in->src[0]][lane].u % PTX_BARRIERS);
}

static bool is_reduction(const struct ptx_instr *in)
{
	return in->operation >= PTX_POPC;
}

static int wanted(const struct ptx_warp *w, const struct ptx_instr *in, int lane)
{
	return in->n_src > 1 + is_reduction(in) ? (int)w->reg[in->src[1]][lane].u : 0;
}

void ptx_arrive(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	PTX_EACH(i, mask)
	{
		if (w->reg[in->src[0]][i].u >= PTX_BARRIERS) {
			ptx_fail(w, in, i, PTX_ILLEGAL, "barriers are 0 to 15");
			return;
		}
		if (in->operation == PTX_ARRIVE)
			w->block->arrived[number_of(w, in, i)]++;
		else
			w->waiting |= (uint32_t)1 << i;
	}
}

/* Who waits at each; gives how many threads are left. */
static int count(const struct ptx_block *b, struct barrier *barrier)
{
	int live = 0;

	for (int k = 0; k < PTX_BARRIERS; k++)
		barrier[k].threads = b->arrived[k];
	for (int k = 0; k < b->n_warps; k++) {
		const struct ptx_warp *w = &b->warp[k];

		live += __builtin_popcount(w->live);
		PTX_EACH(i, w->waiting)
		{
			const struct ptx_instr *in = waits_at(w, i);
			struct barrier *at = &barrier[number_of(w, in, i)];

			at->threads++;
			at->waiting++;
			at->wanted = wanted(w, in, i);
			if (at->wanted && !(w->live >> i >> 1)) /* counts in warps */
				at->threads += PTX_LANES - __builtin_popcount(w->live);
			if (is_reduction(in))
				at->true_ones += w->reg[in->src[in->n_src - 1]][i].u & 1;
		}
	}
	return live;
}

static uint64_t reduced(const struct barrier *at, int operation)
{
	if (operation == PTX_POPC)
		return (uint64_t)at->true_ones;
	return operation == PTX_OR ? at->true_ones != 0 : at->true_ones == at->waiting;
}

/* Past the barriers of the mask. */
static void go_on(struct ptx_block *b, const struct barrier *barrier, uint32_t which)
{
	for (int k = 0; k < b->n_warps; k++) {
		struct ptx_warp *w = &b->warp[k];

		PTX_EACH(i, w->waiting)
		{
			const struct ptx_instr *in = waits_at(w, i);
			int n = number_of(w, in, i);

			if (!(which >> n & 1))
				continue;
			if (in->n_dst && in->dst[0] != PTX_NONE)
				w->reg[in->dst[0]][i].u = reduced(&barrier[n], in->operation);
			w->waiting &= ~((uint32_t)1 << i);
			w->pc[i]++;
		}
	}
}

/* Some thread that cannot go on; PTX_NONE: of none of these. */
static int find_stuck(const struct ptx_block *b, int *warp, bool gathered)
{
	for (*warp = 0; *warp < b->n_warps; ++*warp) {
		const struct ptx_warp *w = &b->warp[*warp];
		uint32_t mask = gathered ? w->gathered : w->waiting;

		if (mask)
			return __builtin_ctz(mask);
	}
	return PTX_NONE;
}

/* Of threads that wait elsewhere than this one: "; thread 32 waits at …" */
static void describe_other(char *text, size_t n, const struct ptx_block *b,
			   const struct ptx_instr *in)
{
	text[0] = '\0';
	for (int k = 0; k < b->n_warps; k++)
		PTX_EACH(i, b->warp[k].waiting | b->warp[k].gathered)
		{
			const struct ptx_instr *other = waits_at(&b->warp[k], i);
			char place[200];

			if (other == in)
				continue;
			ptx_place(place, sizeof place, b->kernel, other);
			snprintf(text, n, "; thread %d waits at `%s`, %s",
				 b->warp[k].first + i, other->text, place);
			return;
		}
}

static void fail_stuck(struct ptx_block *b, const struct barrier *barrier, int live)
{
	int k, lane = find_stuck(b, &k, true);
	bool gathered = lane != PTX_NONE;
	const struct ptx_instr *in;
	struct ptx_warp *w;
	char other[300];

	if (!gathered)
		lane = find_stuck(b, &k, false);
	w = &b->warp[k];
	in = waits_at(w, lane);
	describe_other(other, sizeof other, b, in);
	if (gathered) {
		ptx_fail(w, in, lane, PTX_ILLEGAL,
			 "not all threads of the mask 0x%08x have come to `%s`%s",
			 members(w, in, lane), in->text, other);
		return;
	}
	k = number_of(w, in, lane);
	ptx_fail(w, in, lane, PTX_ILLEGAL, "%d of %d threads have come to barrier %d%s",
		 barrier[k].threads, barrier[k].wanted ? barrier[k].wanted : live, k,
		 other);
}

bool ptx_pass_barriers(struct ptx_block *b)
{
	struct barrier barrier[PTX_BARRIERS] = { 0 };
	int live = count(b, barrier);
	uint32_t which = 0;

	for (int k = 0; k < PTX_BARRIERS; k++) {
		const struct barrier *at = &barrier[k];

		if (!at->waiting || at->threads < (at->wanted ? at->wanted : live))
			continue;
		which |= (uint32_t)1 << k;
		b->arrived[k] = 0;
	}
	b->interval++;
	if (which)
		go_on(b, barrier, which);
	else if (live)
		fail_stuck(b, barrier, live);
	return which != 0;
}
