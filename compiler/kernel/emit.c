/* kernel/emit.c - appends instructions to a kernel in the making
 *
 * Equal instructions are emitted once, so an instruction is a value and its number a
 * name for it. Stores and reductions act and are never shared.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "kernel/maker.h"

static uint64_t mix(uint64_t h, uint64_t x)
{
	h = (h ^ x) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 29;
}

static uint64_t access_hash(const struct kir_access *a)
{
	uint64_t h = (uint64_t)a->view;

	for (int i = 0; i < MAX_AXES; i++) {
		h = mix(h, (uint64_t)a->at[i].loop * 8 + (uint64_t)a->at[i].coefficient);
		h = mix(h, (uint64_t)a->at[i].offset);
		h = mix(h, (uint64_t)a->at[i].base);
	}
	return h;
}

static bool access_equal(const struct kir_access *a, const struct kir_access *b)
{
	for (int i = 0; i < MAX_AXES; i++) {
		const struct kir_index *x = &a->at[i], *y = &b->at[i];

		if (x->loop != y->loop || x->coefficient != y->coefficient ||
		    x->offset != y->offset || x->base != y->base)
			return false;
	}
	return a->view == b->view;
}

/* What tells two instructions apart besides op, elem and arguments. */
static uint64_t payload(const struct kir_instr *in)
{
	uint64_t bits = 0;

	switch (in->op) {
	case KIR_CONST:
		memcpy(&bits, &in->as.i, sizeof bits);
		return bits;
	case KIR_SCALAR:
		return (uint64_t)in->as.slot;
	case KIR_INDEX:
		return (uint64_t)in->as.loop;
	case KIR_RANDOM:
		return (uint64_t)in->as.i;
	case KIR_AIR:
		if (in->as.air.op == AIR_EXTERN)
			return (uint64_t)in->as.air.op << 32 |
			       (uint32_t)in->as.air.function->id;
		return (uint64_t)in->as.air.op << 32 | (uint32_t)in->as.air.exponent;
	case KIR_LOAD:
		return access_hash(&in->as.access);
	default:
		return 0;
	}
}

static uint64_t instr_hash(const struct kir_instr *in, const int *arg)
{
	uint64_t h = mix((uint64_t)in->op * 64 + (uint64_t)in->elem, payload(in));

	for (int i = 0; i < in->n_args; i++)
		h = mix(h, (uint64_t)arg[i]);
	return h;
}

static bool instr_equal(const struct kir_instr *a, const struct kir_instr *b, const int *arg)
{
	if (a->op != b->op || a->elem != b->elem || a->n_args != b->n_args ||
	    payload(a) != payload(b))
		return false;
	if (a->op == KIR_LOAD && !access_equal(&a->as.access, &b->as.access))
		return false;
	return !a->n_args || !memcmp(a->arg, arg, (size_t)a->n_args * sizeof *arg);
}

static void bucket_put(struct kir_maker *m, int which)
{
	const struct kir_instr *in = &m->instr.item[which];
	uint64_t h = instr_hash(in, in->arg);

	while (m->bucket[h % (uint64_t)m->n_buckets])
		h++;
	m->bucket[h % (uint64_t)m->n_buckets] = which + 1;
}

static void buckets_grow(struct kir_maker *m)
{
	if (2 * (m->instr.n + 1) < m->n_buckets)
		return;
	m->n_buckets = m->n_buckets ? 2 * m->n_buckets : 64;
	m->bucket = arena_new_array(m->arena, (size_t)m->n_buckets, int);
	for (int i = 0; i < m->instr.n; i++)
		if (m->instr.item[i].op != KIR_STORE && m->instr.item[i].op != KIR_REDUCE)
			bucket_put(m, i);
}

/* The number of an equal instruction, or -1. */
static int instr_find(const struct kir_maker *m, const struct kir_instr *in, const int *arg)
{
	uint64_t h = instr_hash(in, arg);
	int at;

	while ((at = m->bucket[h % (uint64_t)m->n_buckets])) {
		if (instr_equal(&m->instr.item[at - 1], in, arg))
			return at - 1;
		h++;
	}
	return -1;
}

int kir_emit(struct kir_maker *m, struct kir_instr proto, const int *arg)
{
	bool value = proto.op != KIR_STORE && proto.op != KIR_REDUCE;
	int found;

	buckets_grow(m);
	if (value && (found = instr_find(m, &proto, arg)) >= 0)
		return found;
	if (proto.n_args)
		proto.arg = arena_copy(m->arena, arg, (size_t)proto.n_args * sizeof *arg);
	vec_push(m->arena, &m->instr, proto);
	if (value)
		bucket_put(m, m->instr.n - 1);
	return m->instr.n - 1;
}

int kir_int(struct kir_maker *m, enum elem e, int64_t i)
{
	return kir_emit(m, (struct kir_instr){ .op = KIR_CONST, .elem = e, .as.i = i }, NULL);
}

int kir_real(struct kir_maker *m, enum elem e, double f)
{
	return kir_emit(m, (struct kir_instr){ .op = KIR_CONST, .elem = e, .as.f = f }, NULL);
}

int kir_op(struct kir_maker *m, enum air_op op, enum elem e, const int *arg, int n)
{
	return kir_emit(m, (struct kir_instr){ .op = KIR_AIR, .elem = e, .n_args = n,
	                                       .as.air = { .op = op } }, arg);
}

static bool slot_equal(const struct kir_slot *a, const struct kir_slot *b)
{
	return a->kind == b->kind && a->expr == b->expr && a->axis == b->axis;
}

int kir_slot(struct kir_maker *m, struct kir_slot s, enum elem e)
{
	int i = 0;

	while (i < m->slot.n && !slot_equal(&m->slot.item[i], &s))
		i++;
	if (i == m->slot.n) {
		vec_push(m->arena, &m->slot, s);
		vec_push(m->arena, &m->slot_elem, e);
	}
	return kir_emit(m, (struct kir_instr){ .op = KIR_SCALAR, .elem = e, .as.slot = i }, NULL);
}
