/* device/emu/ptx_whole.c - integers beyond ptx_ops.def: carries, bits from several sources
 *
 * Each lane has a carry of its own, which .cc writes and addc, subc, and madc read. */
#include <string.h>

#include "device/emu/ptx_module.h"

/* ---- carries --------------------------------------------------------------------- */

static const char *const names[] = { "add", "addc", "sub", "subc", "mad", "madc" };
enum { ADD, ADDC, SUB, SUBC, MAD, MADC, N_NAMES };

bool ptx_carry_known(const char *name, int *number)
{
	for (int i = 0; i < N_NAMES; i++)
		if (!strcmp(names[i], name)) {
			*number = i;
			return true;
		}
	return false;
}

static bool is_signed(enum ptx_type type)
{
	return type == PTX_S32 || type == PTX_S64;
}

/* A half of the product, as many bits as the type has. */
static uint64_t product(const struct ptx_instr *in, uint64_t a, uint64_t b)
{
	int bits = 8 * ptx_type_bytes(in->type);
	unsigned __int128 all = (unsigned __int128)a * b;

	if (bits == 32 && is_signed(in->type))
		all = (uint64_t)((int64_t)(int32_t)a * (int32_t)b);
	else if (is_signed(in->type))
		all = (unsigned __int128)((__int128)(int64_t)a * (int64_t)b);
	if (in->high)
		all >>= bits;
	return bits == 32 ? (uint32_t)all : (uint64_t)all;
}

/* The sum or difference, and whether it carries, or borrows. */
static uint64_t added(const struct ptx_instr *in, const uint64_t *x, unsigned carry,
		      bool *over)
{
	int bits = 8 * ptx_type_bytes(in->type);
	bool minus = in->operation == SUB || in->operation == SUBC;
	unsigned __int128 a = x[0], b = x[1], r;

	r = minus ? a - b - carry : a + b + carry;
	*over = r >> bits & 1;
	return bits == 32 ? (uint32_t)r : (uint64_t)r;
}

void ptx_carry(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	bool reads = in->operation % 2, product_first = in->operation >= MAD;
	uint64_t most = ptx_type_bytes(in->type) == 4 ? 0xffffffffu : ~(uint64_t)0;

	PTX_EACH(i, mask)
	{
		uint64_t x[3];
		bool over;

		for (int k = 0; k < in->n_src && k < 3; k++)
			x[k] = w->reg[in->src[k]][i].u & most;
		if (product_first) {
			x[0] = product(in, x[0], x[1]);
			x[1] = x[2];
		}
		w->reg[in->dst[0]][i].u = added(in, x, reads ? w->carry >> i & 1 : 0, &over);
		if (in->carry)
			w->carry = (w->carry & ~((uint32_t)1 << i)) | (uint32_t)over << i;
	}
}

/* ---- bits ------------------------------------------------------------------------- */

/* bfi d, a, b, at, n: the low n bits of a, in b from bit `at` */
void ptx_insert(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	uint32_t bits = 8 * (uint32_t)ptx_type_bytes(in->type);

	PTX_EACH(i, mask)
	{
		uint64_t a = w->reg[in->src[0]][i].u, b = w->reg[in->src[1]][i].u;
		uint32_t at = w->reg[in->src[2]][i].u & 255;
		uint32_t n = w->reg[in->src[3]][i].u & 255;
		uint64_t field = n < 64 ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;

		if (at < bits)
			b = (b & ~(field << at)) | (a & field) << at;
		w->reg[in->dst[0]][i].u = bits == 32 ? (uint32_t)b : b;
	}
}

/* prmt d, a, b, c: each of 4 bytes is one of 8, or 8 times its sign */
void ptx_permute(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	PTX_EACH(i, mask)
	{
		uint64_t all = (uint32_t)w->reg[in->src[0]][i].u |
			       w->reg[in->src[1]][i].u << 32;
		uint64_t which = w->reg[in->src[2]][i].u, made = 0;

		for (int k = 0; k < 4; k++) {
			uint64_t select = which >> (4 * k) & 15;
			uint64_t byte = all >> (8 * (select & 7)) & 255;

			if (select & 8)
				byte = byte & 128 ? 255 : 0;
			made |= byte << (8 * k);
		}
		w->reg[in->dst[0]][i].u = made;
	}
}

/* lop3 d, a, b, c, table: the bit of the table that the bits of a, b, and c number */
void ptx_logic(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	PTX_EACH(i, mask)
	{
		uint32_t a = (uint32_t)w->reg[in->src[0]][i].u, made = 0;
		uint32_t b = (uint32_t)w->reg[in->src[1]][i].u;
		uint32_t c = (uint32_t)w->reg[in->src[2]][i].u;
		uint32_t table = (uint32_t)w->reg[in->src[3]][i].u;

		for (int k = 0; k < 8; k++)
			if (table >> k & 1)
				made |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) &
					(k & 1 ? c : ~c);
		w->reg[in->dst[0]][i].u = made;
	}
}

/* Part k of a register, of so many bits. */
static int64_t part_of(uint64_t u, int k, int bits, bool with_sign)
{
	uint64_t part = u >> (k * bits) & (((uint64_t)1 << bits) - 1);
	bool minus = with_sign && part >> (bits - 1);

	return (int64_t)part - (minus ? (int64_t)1 << bits : 0);
}

/* dp4a.u32.s32 d, a, b, c: the products of 4 bytes each, added up to c; dp2a: of 2 parts
 * of 16 bits with bytes of b, the low ones or the high ones */
void ptx_dot(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	int parts = in->operation, bits = 32 / parts, first = in->high ? 2 : 0;

	PTX_EACH(i, mask)
	{
		uint64_t a = w->reg[in->src[0]][i].u, b = w->reg[in->src[1]][i].u;
		int64_t sum = (int32_t)w->reg[in->src[2]][i].u;

		for (int k = 0; k < parts; k++)
			sum += part_of(a, k, bits, in->type == PTX_S32) *
			       part_of(b, first + k, 8, in->from == PTX_S32);
		w->reg[in->dst[0]][i].u = (uint32_t)sum;
	}
}
