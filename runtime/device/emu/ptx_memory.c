/* device/emu/ptx_memory.c - loads, stores, atomics: every access is checked
 *
 * An access must be aligned to its size, of a vector to that of the whole vector, and lie
 * in one allocation of its space. Shared memory is the block's, local memory the
 * thread's, parameters are read-only. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("O3") /* vectors, also at -O2 */
#endif
#include <math.h>
#include <string.h>

#include "device/emu/ptx_module.h"

/* ---- where ------------------------------------------------------------------ */

static char *in_global(struct ptx_warp *w, const struct ptx_instr *in, int lane,
		       uint64_t at, int64_t n, bool write)
{
	const struct ptx_memory *m = &w->block->kernel->module->memory;
	struct ptx_extent *x = &w->block->extent[in->number % PTX_EXTENTS];

	if (at - x->at >= x->bytes && !m->find(m->context, at, x)) {
		x->bytes = 0;
		ptx_fail(w, in, lane, PTX_ILLEGAL_ADDRESS,
			 "`%s` %s address 0x%llx, where nothing is allocated", in->text,
			 write ? "writes to" : "reads", (unsigned long long)at);
		return NULL;
	}
	if (at - x->at + (uint64_t)n > x->bytes) {
		ptx_fail(w, in, lane, PTX_ILLEGAL_ADDRESS,
			 "`%s` goes beyond the end of %s", in->text,
			 x->name ? x->name : "an allocation");
		return NULL;
	}
	if (write && x->constant) {
		ptx_fail(w, in, lane, PTX_ILLEGAL_ADDRESS,
			 "`%s` writes to %s, a constant", in->text,
			 x->name ? x->name : "memory");
		return NULL;
	}
	return x->host + (at - x->at);
}

static char *in_part(struct ptx_warp *w, const struct ptx_instr *in, int lane, char *part,
		     const uint64_t at_n_size[3], const char *name)
{
	uint64_t at = at_n_size[0], n = at_n_size[1], size = at_n_size[2];

	if (at <= size && n <= size - at)
		return part + at;
	ptx_fail(w, in, lane, PTX_ILLEGAL_ADDRESS,
		 "`%s` at byte %lld of %s memory, which has %llu", in->text,
		 (long long)at, name, (unsigned long long)size);
	return NULL;
}

static enum ptx_space window_of(uint64_t *at)
{
	if (*at - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES) {
		*at -= PTX_SHARED_WINDOW;
		return PTX_SHARED;
	}
	if (*at - PTX_LOCAL_WINDOW < PTX_WINDOW_BYTES) {
		*at -= PTX_LOCAL_WINDOW;
		return PTX_LOCAL;
	}
	return PTX_GLOBAL;
}

static char *in_space(struct ptx_warp *w, const struct ptx_instr *in, int lane,
		      const struct ptx_range *r)
{
	const struct ptx_kernel *k = w->block->kernel;

	switch (r->space) {
	case PTX_SHARED:
		return in_part(w, in, lane, w->block->shared,
			       (uint64_t[]){ r->at, r->n, (uint64_t)w->block->shared_bytes },
			       "shared");
	case PTX_LOCAL:
		return in_part(w, in, lane, w->local + lane * k->needs.local,
			       (uint64_t[]){ r->at, r->n, (uint64_t)k->needs.local },
			       "local");
	case PTX_PARAM:
		return in_part(w, in, lane, (char *)w->block->params,
			       (uint64_t[]){ r->at, r->n, (uint64_t)k->needs.params },
			       "parameter");
	default:
		return in_global(w, in, lane, r->at, (int64_t)r->n, r->write);
	}
}

char *ptx_locate(struct ptx_warp *w, const struct ptx_instr *in, int lane, uint64_t at,
		 int64_t n, bool write)
{
	struct ptx_range r = { in->space, at, (uint64_t)n, write, NULL };

	if (r.space == PTX_GENERIC)
		r.space = window_of(&r.at);
	if (r.at % r.n) {
		ptx_fail(w, in, lane, PTX_MISALIGNED,
			 "`%s` at 0x%llx, which is not aligned", in->text,
			 (unsigned long long)r.at);
		return NULL;
	}
	r.host = in_space(w, in, lane, &r);
	if (r.host && w->block->launch->shadow && r.space != PTX_LOCAL &&
	    r.space != PTX_PARAM && !ptx_check(w, in, lane, &r))
		return NULL;
	return r.host;
}

/* The address: register src[0] plus an offset. */
static uint64_t address(const struct ptx_warp *w, const struct ptx_instr *in, int lane)
{
	return w->reg[in->src[0]][lane].u + (uint64_t)in->offset;
}

/* ---- values ------------------------------------------------------------------- */

static union ptx_slot loaded(const char *from, enum ptx_type type)
{
	union ptx_slot slot = { .u = 0 };

	memcpy(&slot, from, (size_t)ptx_type_bytes(type));
	switch (type) {
	case PTX_S8:
		slot.u = (uint64_t)(int64_t)(int8_t)slot.u;
		break;
	case PTX_S16:
		slot.u = (uint64_t)(int64_t)(int16_t)slot.u;
		break;
	case PTX_S32:
		slot.u = (uint64_t)(int64_t)(int32_t)slot.u;
		break;
	default:
		break;
	}
	return slot;
}

/* Where the bytes of all lanes lie aligned in the allocation that the instruction has met
 * last, nothing is to be looked at one by one. */
static const struct ptx_extent *are_near(const struct ptx_warp *w,
					 const struct ptx_instr *in, uint32_t mask,
					 uint64_t n)
{
	const struct ptx_extent *x = &w->block->extent[in->number % PTX_EXTENTS];
	const union ptx_slot *base = w->reg[in->src[0]];
	uint64_t far = 0, odd = 0, start = x->at - (uint64_t)in->offset;

	if (in->space != PTX_GLOBAL || x->bytes < n || w->block->launch->shadow)
		return NULL;
	for (int i = 0; i < PTX_LANES; i++) {
		uint64_t on = mask >> i & 1;

		far |= on & (base[i].u - start > x->bytes - n);
		odd |= (0 - on) & (base[i].u + (uint64_t)in->offset) & (n - 1);
	}
	return far || odd ? NULL : x;
}

/* One value of 4 or 8 bytes for each lane. */
static bool read_near(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	int64_t n = ptx_type_bytes(in->type);
	const struct ptx_extent *x;
	const union ptx_slot *base = w->reg[in->src[0]];
	union ptx_slot *to = w->reg[in->dst[0]];
	const char *host;

	if (in->n_dst != 1 || (n != 8 && n != 4) || in->type == PTX_S32 ||
	    in->dst[0] == PTX_NONE)
		return false;
	x = are_near(w, in, mask, (uint64_t)n);
	if (!x)
		return false;
	host = x->host - x->at + in->offset;
	PTX_EACH(i, mask)
	{
		uint32_t narrow;

		if (n == 8) {
			memcpy(&to[i].u, host + base[i].u, sizeof to[i].u);
		} else {
			memcpy(&narrow, host + base[i].u, sizeof narrow);
			to[i].u = narrow;
		}
	}
	return true;
}

static bool write_near(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	int64_t n = ptx_type_bytes(in->type);
	const struct ptx_extent *x;
	const union ptx_slot *base = w->reg[in->src[0]], *from = w->reg[in->src[1]];
	char *host;

	if (in->n_src != 2 || (n != 8 && n != 4))
		return false;
	x = are_near(w, in, mask, (uint64_t)n);
	if (!x || x->constant)
		return false;
	host = x->host - x->at + in->offset;
	PTX_EACH(i, mask)
	{
		if (n == 8)
			memcpy(host + base[i].u, &from[i].u, 8);
		else
			memcpy(host + base[i].u, &from[i].u, 4);
	}
	return true;
}

/* Parameters are the same for all lanes where their address is. */
static bool read_same(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	const union ptx_slot *base = w->reg[in->src[0]];
	union ptx_slot value;
	uint64_t other = 0;
	const char *at;

	for (int i = 1; i < PTX_LANES; i++)
		other |= base[i].u ^ base[0].u;
	if (other)
		return false;
	at = ptx_locate(w, in, 0, address(w, in, 0), ptx_type_bytes(in->type), false);
	if (!at)
		return true;
	value = loaded(at, in->type);
	PTX_EACH(i, mask)
	{
		w->reg[in->dst[0]][i] = value;
	}
	return true;
}

void ptx_read(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	int64_t one = ptx_type_bytes(in->type);

	if (read_near(w, in, mask))
		return;
	if (in->space == PTX_PARAM && in->n_dst == 1 && in->dst[0] != PTX_NONE &&
	    read_same(w, in, mask))
		return;
	PTX_EACH(i, mask)
	{
		char *at = ptx_locate(w, in, i, address(w, in, i), one * in->n_dst, false);

		if (!at)
			return;
		for (int k = 0; k < in->n_dst; k++)
			if (in->dst[k] != PTX_NONE)
				w->reg[in->dst[k]][i] = loaded(at + k * one, in->type);
	}
}

/* st [src 0], src 1, … */
void ptx_write(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	int64_t one = ptx_type_bytes(in->type);

	if (write_near(w, in, mask))
		return;
	PTX_EACH(i, mask)
	{
		char *at =
			ptx_locate(w, in, i, address(w, in, i), one * (in->n_src - 1), true);
		if (!at)
			return;
		for (int k = 1; k < in->n_src; k++)
			memcpy(at + (k - 1) * one, &w->reg[in->src[k]][i], (size_t)one);
	}
}

/* ---- atomics -------------------------------------------------------------------- */

static const char *const atomics[] = { "add", "min",  "max", "and", "or",
				       "xor", "exch", "cas", "inc", "dec" };
enum { ADD, MIN, MAX, AND, OR, XOR, EXCH, CAS, INC, DEC, N_ATOMICS };

bool ptx_atomic_known(const char *operation, int *number)
{
	for (int i = 0; i < N_ATOMICS; i++)
		if (!strcmp(atomics[i], operation)) {
			*number = i;
			return true;
		}
	return false;
}

static bool below(union ptx_slot a, union ptx_slot b, enum ptx_type type)
{
	switch (type) {
	case PTX_S32:
		return (int32_t)a.u < (int32_t)b.u;
	case PTX_S64:
		return (int64_t)a.u < (int64_t)b.u;
	default:
		return a.u < b.u;
	}
}

static union ptx_slot sum(union ptx_slot a, union ptx_slot b, enum ptx_type type)
{
	union ptx_slot r = { .u = 0 };

	if (type == PTX_F64)
		r.d = a.d + b.d;
	else if (type == PTX_F32)
		r.f = a.f + b.f;
	else
		r.u = a.u + b.u;
	return r;
}

static union ptx_slot combined(const struct ptx_instr *in, union ptx_slot old,
			       union ptx_slot b, union ptx_slot c)
{
	switch (in->operation) {
	case ADD:
		return sum(old, b, in->type);
	case MIN:
		return below(b, old, in->type) ? b : old;
	case MAX:
		return below(old, b, in->type) ? b : old;
	case AND:
		return (union ptx_slot){ .u = old.u & b.u };
	case OR:
		return (union ptx_slot){ .u = old.u | b.u };
	case XOR:
		return (union ptx_slot){ .u = old.u ^ b.u };
	case CAS:
		return old.u == b.u ? c : old;
	case INC:
		return (union ptx_slot){ .u = old.u >= b.u ? 0 : old.u + 1 };
	case DEC:
		return (union ptx_slot){ .u = old.u == 0 || old.u > b.u ? b.u
									: old.u - 1 };
	default:
		return b;
	}
}

static union ptx_slot operand(const struct ptx_warp *w, const struct ptx_instr *in, int k,
			      int lane)
{
	union ptx_slot slot = w->reg[in->src[k]][lane];

	if (ptx_type_bytes(in->type) == 4)
		slot.u = (uint32_t)slot.u;
	return slot;
}

/* atom d, [a], b, c and red [a], b; lanes in order */
void ptx_atomic(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	int64_t bytes = ptx_type_bytes(in->type);

	PTX_EACH(i, mask)
	{
		char *at = ptx_locate(w, in, i, address(w, in, i), bytes, true);
		union ptx_slot old = { .u = 0 }, made;

		if (!at)
			return;
		memcpy(&old, at, (size_t)bytes);
		made = combined(in, old, operand(w, in, 1, i),
				operand(w, in, in->n_src > 2 ? 2 : 1, i));
		memcpy(at, &made, (size_t)bytes);
		if (in->n_dst)
			w->reg[in->dst[0]][i] = old;
	}
}

/* ---- generic addresses ------------------------------------------------------------ */

static uint64_t window(enum ptx_space space)
{
	return space == PTX_SHARED  ? PTX_SHARED_WINDOW
	       : space == PTX_LOCAL ? PTX_LOCAL_WINDOW
				    : 0;
}

void ptx_to_generic(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	PTX_EACH(i, mask)
	w->reg[in->dst[0]][i].u = w->reg[in->src[0]][i].u + window(in->space);
}

void ptx_from_generic(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	if (in->space == PTX_GLOBAL) {
		ptx_move(w, in, mask);
		return;
	}
	PTX_EACH(i, mask)
	w->reg[in->dst[0]][i].u = w->reg[in->src[0]][i].u - window(in->space);
}

/* isspacep.shared p, a */
void ptx_is_in(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	PTX_EACH(i, mask)
	{
		uint64_t at = w->reg[in->src[0]][i].u;

		w->reg[in->dst[0]][i].u = window_of(&at) == in->space;
	}
}
