/* kernel/level.c - the outermost loop that gives each value all it needs
 *
 * takes: a kernel   gives: per instruction the loop in which to compute it. What a
 * kernel also writes is read in the innermost loop, where it is written.
 */
#include "kernel/kir.h"

static int later(int a, int b)
{
	return a > b ? a : b;
}

static int level_of_access(const struct kir_kernel *k, const struct kir_access *a,
			   const int *level)
{
	int last = -1;

	for (int i = 0; i < k->view[a->view].n_axes; i++) {
		const struct kir_index *x = &a->at[i];

		if (x->loop >= 0 && x->coefficient != 0)
			last = later(last, x->loop);
		if (x->base >= 0)
			last = later(last, level[x->base]);
	}
	return last;
}

static int level_of(const struct kir_kernel *k, const struct kir_instr *in,
		    const int *level)
{
	int inner = k->n_loops - 1, last = -1;

	if (in->op == KIR_STORE || in->op == KIR_REDUCE)
		return inner;
	if (in->op == KIR_LOAD)
		return k->view[in->as.access.view].written
			       ? inner
			       : level_of_access(k, &in->as.access, level);
	if (in->op == KIR_INDEX)
		return in->as.loop;
	for (int i = 0; i < in->n_args; i++)
		last = later(last, level[in->arg[i]]);
	return last;
}

void kir_levels(const struct kir_kernel *k, int *level)
{
	for (int i = 0; i < k->n_instrs; i++)
		level[i] = level_of(k, &k->instr[i], level);
}
