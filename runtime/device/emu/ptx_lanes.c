/* device/emu/ptx_lanes.c - moves, and what the lanes of a warp tell each other */
#include <string.h>

#include "device/emu/ptx_module.h"

void ptx_move(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	union ptx_slot *to = w->reg[in->dst[0]];
	const union ptx_slot *from = w->reg[in->src[0]];

	if (mask == PTX_ALL) {
		memmove(to, from, sizeof *w->reg);
		return;
	}
	PTX_EACH(i, mask)
	to[i] = from[i];
}

/* Sources, low ones first, become one register; their width is the type's over their
 * number. */
void ptx_pack(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	int bits = 8 * ptx_type_bytes(in->type) / in->n_src;

	PTX_EACH(i, mask)
	{
		uint64_t all = 0;

		for (int k = 0; k < in->n_src; k++)
			all |= (w->reg[in->src[k]][i].u & (((uint64_t)1 << bits) - 1))
			       << (k * bits);
		w->reg[in->dst[0]][i].u = all;
	}
}

void ptx_unpack(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	int bits = 8 * ptx_type_bytes(in->type) / in->n_dst;

	PTX_EACH(i, mask)
	{
		uint64_t all = w->reg[in->src[0]][i].u;

		for (int k = 0; k < in->n_dst; k++)
			if (in->dst[k] != PTX_NONE)
				w->reg[in->dst[k]][i].u =
					all >> (k * bits) & (((uint64_t)1 << bits) - 1);
	}
}

/* ---- warps ------------------------------------------------------------------- */

static const char *const shuffles[] = { "up", "down", "bfly", "idx" };
static const char *const votes[] = { "all", "any", "uni", "ballot" };
static const char *const reductions[] = { "and", "or", "xor", "add", "min", "max" };

static bool find(const char *const *names, int n, const char *text, int *number)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(names[i], text)) {
			*number = i;
			return true;
		}
	return false;
}

bool ptx_shuffle_known(const char *mode, int *number)
{
	return find(shuffles, 4, mode, number);
}

bool ptx_vote_known(const char *mode, int *number)
{
	return find(votes, 4, mode, number);
}

bool ptx_reduce_known(const char *mode, int *number)
{
	return find(reductions, 6, mode, number);
}

/* shfl.sync d|p, a, b, c, members: the lane that mode and b name, in the segment and up
 * to the bound that c gives; where that is beyond, the lane's own value. */
static int shuffled_lane(const struct ptx_instr *in, int lane, uint32_t b, uint32_t c,
			 bool *valid)
{
	int segment = c >> 8 & 31, clamp = c & 31;
	int most = (lane & segment) | (clamp & ~segment), least = lane & segment;
	int at = (int)(b & 31), from;

	switch (in->operation) {
	case 0:
		from = lane - at;
		*valid = from >= most;
		break;
	case 1:
		from = lane + at;
		*valid = from <= most;
		break;
	case 2:
		from = lane ^ at;
		*valid = from <= most;
		break;
	default:
		from = least | (at & ~segment);
		*valid = from <= most;
	}
	return *valid ? from : lane;
}

void ptx_shuffle(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	union ptx_slot old[PTX_LANES];

	memcpy(old, w->reg[in->src[0]], sizeof old);
	PTX_EACH(i, mask)
	{
		bool valid;
		int from = shuffled_lane(in, i, (uint32_t)w->reg[in->src[1]][i].u,
					 (uint32_t)w->reg[in->src[2]][i].u, &valid);

		if (!(mask >> from & 1)) {
			ptx_fail(w, in, i, PTX_ILLEGAL,
				 "`%s` asks lane %d, which takes no part", in->text,
				 from);
			return;
		}
		w->reg[in->dst[0]][i] = old[from];
		if (in->n_dst > 1)
			w->reg[in->dst[1]][i].u = valid;
	}
}

/* vote.sync d, p, members */
void ptx_vote(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	uint32_t true_ones = 0, all = mask, value[4];

	PTX_EACH(i, mask)
	true_ones |= (uint32_t)(w->reg[in->src[0]][i].u & 1) << i;
	value[0] = true_ones == all;
	value[1] = true_ones != 0;
	value[2] = true_ones == all || true_ones == 0;
	value[3] = true_ones;
	PTX_EACH(i, mask)
	w->reg[in->dst[0]][i].u = value[in->operation];
}

/* activemask d */
void ptx_active(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	PTX_EACH(i, mask)
	w->reg[in->dst[0]][i].u = mask;
}

/* match.any d, a, members: the lanes that have the same; match.all d|p: all or none */
void ptx_match(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	const union ptx_slot *a = w->reg[in->src[0]];
	uint32_t same[PTX_LANES] = { 0 };

	PTX_EACH(i, mask)
	PTX_EACH(k, mask)
	same[i] |= (uint32_t)(a[i].u == a[k].u) << k;
	PTX_EACH(i, mask)
	{
		bool all = same[i] == mask;

		if (in->operation == 0 && !all)
			same[i] = 0;
		w->reg[in->dst[0]][i].u = same[i];
		if (in->n_dst > 1)
			w->reg[in->dst[1]][i].u = all;
	}
}

static uint32_t joined(const struct ptx_instr *in, uint32_t a, uint32_t b)
{
	bool below = in->type == PTX_S32 ? (int32_t)b < (int32_t)a : b < a;

	switch (in->operation) {
	case 3:
		return a + b;
	case 4:
		return below ? b : a;
	case 5:
		return below ? a : b;
	default:
		return (uint32_t)ptx_joined(in->operation, a, b);
	}
}

/* redux.add.s32 d, a, members */
void ptx_reduce(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	uint32_t first = mask & (0 - mask);
	uint32_t all = (uint32_t)w->reg[in->src[0]][__builtin_ctz(mask)].u;

	PTX_EACH(i, mask & ~first)
	all = joined(in, all, (uint32_t)w->reg[in->src[0]][i].u);
	PTX_EACH(i, mask)
	w->reg[in->dst[0]][i].u = all;
}
