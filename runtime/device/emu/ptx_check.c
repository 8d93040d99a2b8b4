/* device/emu/ptx_check.c - races, and reads of what was never written, while a launch runs
 *
 * Two accesses of a byte, one of which writes, are a race unless something orders them:
 * of different blocks nothing does, of one block a barrier, of one warp also bar.warp.sync.
 * Atomics, and loads and stores that say .volatile, .relaxed and the like, are no race
 * among themselves. A write is one, too, where it writes what is there already; the
 * message says so. What ld.global.nc reads must not be written by the launch, by whoever. */
#include <stdio.h>
#include <string.h>

#include "device/emu/ptx_shadow.h"

/* An access of one lane. */
struct access {
	struct ptx_warp *w;
	const struct ptx_instr *in;
	int lane;
	struct ptx_part *part;
	uint64_t offset, n;
	bool writes;
	const char *host;
	struct ptx_touch touch;
};

/* ---- who ------------------------------------------------------------------------- */

static uint32_t number_of(const struct ptx_block *b)
{
	const uint32_t *grid = b->launch->grid;

	return (b->index[2] * grid[1] + b->index[1]) * grid[0] + b->index[0];
}

static struct ptx_touch touch_of(const struct ptx_warp *w, const struct ptx_instr *in,
				 int lane)
{
	return (struct ptx_touch){ .block = number_of(w->block) + 1,
				   .thread = (uint32_t)(w->first + lane) & 0x7ff,
				   .strong = in->strong,
				   .interval = w->block->interval & 0xfffff,
				   .meeting = w->meeting,
				   .instr = in->number };
}

/* Whether nothing orders what is touched now after what was. */
static bool are_loose(const struct ptx_touch *was, const struct ptx_touch *is)
{
	if (!was->block)
		return false;
	if (was->block != is->block)
		return true;
	if (was->thread == is->thread || was->interval != is->interval)
		return false;
	return was->thread / PTX_LANES != is->thread / PTX_LANES ||
	       was->meeting == is->meeting;
}

/* ---- messages ----------------------------------------------------------------------- */

static void name_bytes(char *text, size_t n, const struct access *a)
{
	const struct ptx_extent *x = &a->w->block->extent[a->in->number % PTX_EXTENTS];
	uint64_t one = (uint64_t)ptx_type_bytes(a->in->type);

	if (a->part == &a->w->block->launch->shadow->shared)
		snprintf(text, n, "byte %llu of shared memory", (unsigned long long)a->offset);
	else
		snprintf(text, n, "element %llu (byte %llu) of %s",
			 (unsigned long long)(a->offset / one), (unsigned long long)a->offset,
			 x->name ? x->name : "an allocation");
}

static void name_thread(char *text, size_t n, const struct access *a,
			const struct ptx_touch *t)
{
	const struct ptx_launch *l = a->w->block->launch;
	uint32_t thread = t->thread, block = t->block - 1;
	char place[200];

	ptx_place(place, sizeof place, l->kernel, &l->kernel->instr[t->instr]);
	snprintf(text, n, "thread (%u,%u,%u) of block (%u,%u,%u) by `%s` at %s",
		 thread % l->block[0], thread / l->block[0] % l->block[1],
		 thread / l->block[0] / l->block[1], block % l->grid[0],
		 block / l->grid[0] % l->grid[1], block / l->grid[0] / l->grid[1],
		 l->kernel->instr[t->instr].text, place);
}

/* Whether a store changes nothing. */
static bool is_there(const struct access *a)
{
	size_t one = (size_t)ptx_type_bytes(a->in->type);
	bool same = a->in->run == ptx_write;

	for (int k = 1; same && k < a->in->n_src; k++)
		same = !memcmp(a->host + (size_t)(k - 1) * one,
			       &a->w->reg[a->in->src[k]][a->lane], one);
	return same;
}

static bool fail_race(const struct access *a, const struct ptx_touch *other,
		      const char *did)
{
	char bytes[120], thread[280];

	name_bytes(bytes, sizeof bytes, a);
	name_thread(thread, sizeof thread, a, other);
	ptx_fail(a->w, a->in, a->lane, PTX_ILLEGAL, "a race: `%s` %s %s, which is %s by %s%s",
		 a->in->text, a->writes ? "writes" : "reads", bytes, did, thread,
		 is_there(a) ? "; the value is the same" : "");
	return false;
}

/* ---- the rules ------------------------------------------------------------------------ */

static const struct ptx_touch *find_loose(const struct ptx_touch *seen,
					  const struct ptx_touch *is, bool weak_alone)
{
	for (int i = 0; i < PTX_SEEN; i++)
		if (are_loose(&seen[i], is) && !(weak_alone && seen[i].strong))
			return &seen[i];
	return NULL;
}

static void remember(struct ptx_touch *seen, const struct ptx_touch *is)
{
	const struct ptx_touch last = seen[PTX_LAST];

	seen[PTX_LAST] = *is;
	if (!last.block || (last.block == is->block && last.thread == is->thread))
		return;
	if (last.block == is->block) {
		seen[PTX_BESIDE] = last;
	} else {
		seen[PTX_APART] = last;
		seen[PTX_BESIDE].block = 0;
	}
}

static bool check_cell(const struct access *a, struct ptx_cell *c)
{
	const struct ptx_touch *is = &a->touch, *other;
	bool uncached = a->in->constant;

	if (are_loose(&c->write, is))
		return fail_race(a, &c->write, "written");
	other = find_loose(c->atomic, is, is->strong);
	if (other)
		return fail_race(a, other, "changed");
	other = a->writes ? find_loose(c->read, is, is->strong) : NULL;
	if (other)
		return fail_race(a, other, "read");
	if (a->writes && c->constant.block)
		return fail_race(a, &c->constant, "taken for constant in this launch");
	other = c->write.block ? &c->write : &c->atomic[PTX_LAST];
	if (uncached && other->block)
		return fail_race(a, other, "not constant in this launch: written");
	if (uncached)
		c->constant = *is;
	if (!a->writes)
		remember(c->read, is);
	else if (is->strong)
		remember(c->atomic, is);
	else
		c->write = *is;
	return true;
}

static bool check_race(const struct access *a, uint32_t epoch)
{
	uint64_t unit;

	if (!ptx_part_narrow(a->part, a->offset, a->n)) {
		ptx_fail(a->w, a->in, a->lane, PTX_NO_MEMORY, "no memory for checks");
		return false;
	}
	unit = (uint64_t)a->part->unit;
	for (uint64_t i = a->offset / unit; i < (a->offset + a->n) / unit; i++) {
		struct ptx_cell *c = &a->part->cell[i];

		if (c->epoch != epoch) {
			memset(c, 0, sizeof *c);
			c->epoch = epoch;
		}
		if (!check_cell(a, c))
			return false;
	}
	return true;
}

static bool check_written(const struct access *a)
{
	char bytes[120];

	if (a->writes && a->in->run != ptx_atomic) {
		ptx_part_write(a->part, a->offset, a->n);
		return true;
	}
	if (ptx_part_is_written(a->part, a->offset, a->n))
		return true;
	name_bytes(bytes, sizeof bytes, a);
	ptx_fail(a->w, a->in, a->lane, PTX_ILLEGAL,
		 "`%s` reads %s, which nothing has written", a->in->text, bytes);
	return false;
}

/* In order with other launches. */
static bool check_order(const struct access *a)
{
	const struct ptx_launch *l = a->w->block->launch;
	struct ptx_access access = { a->part->at + a->offset, a->n, a->writes };
	char bytes[120], text[200];

	if (!l->touch || l->touch(l->context, &access, text, sizeof text))
		return true;
	name_bytes(bytes, sizeof bytes, a);
	ptx_fail(a->w, a->in, a->lane, PTX_ILLEGAL, "`%s` %s %s, %s", a->in->text,
		 a->writes ? "writes" : "reads", bytes, text);
	return false;
}

bool ptx_check(struct ptx_warp *w, const struct ptx_instr *in, int lane,
	       const struct ptx_range *range)
{
	struct ptx_shadow *s = w->block->launch->shadow;
	bool shared = range->space == PTX_SHARED;
	struct ptx_part *p = shared ? &s->shared : ptx_part_at(s, range->at);
	struct access a = { w, in, lane, p, 0, range->n, range->write, range->host,
			    { 0 } };

	if (!p)
		return true;
	a.offset = range->at - p->at;
	a.touch = touch_of(w, in, lane);
	return check_written(&a) &&
	       check_race(&a, shared ? s->shared.epoch : w->block->epoch) &&
	       (shared || check_order(&a));
}
