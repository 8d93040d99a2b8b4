/* schedule/verify.c - is this a plan?
 *
 * Kernels are bound to arrays of their types and axes, no run needs more ghosts than its
 * arrays hold, nothing is written that is also read elsewhere by the same run, and what
 * a run writes is what it says has changed.
 */
#include "schedule/plan.h"

static const char *verify_bind(const struct plan_call *c, int v)
{
	const struct kir_view *view = &c->kernel->view[v];
	const struct plan_bind *b = &c->bind[v];

	if (!b->array)
		return "a view that is bound to nothing";
	if (view->elem != b->array->field->elem ||
	    view->n_axes != b->array->field->grid->n_axes)
		return "a view that is bound to an array of another kind";
	if (b->buffer == BUFFER_SECOND && !b->array->second)
		return "a second buffer of an array that has none";
	for (int w = 0; w < v; w++)
		if (c->bind[w].array == b->array && c->bind[w].buffer == b->buffer)
			return "two views of one buffer";
	return NULL;
}

static const char *verify_call(const struct plan *p, const struct plan_call *c,
                               const struct grid *g)
{
	const char *wrong = kir_verify(c->kernel);
	unsigned seen = 0;

	for (int v = 0; v < c->kernel->n_views && !wrong; v++)
		wrong = verify_bind(c, v);
	if (wrong)
		return wrong;
	for (int l = 0; l < c->kernel->n_loops; l++)
		seen |= 1u << c->loop_axis[l];
	if (c->kernel->n_loops != g->n_axes || seen != (1u << g->n_axes) - 1)
		return "loops that are not the axes of the grid";
	if (c->first_arg < 0 || c->first_arg + c->kernel->n_scalars > p->n_args)
		return "arguments outside the table";
	return NULL;
}

static const char *verify_need(const struct plan_need *n)
{
	bool any = false;

	for (int a = 0; a < n->array->field->grid->n_axes; a++)
		for (int side = 0; side < 2; side++) {
			if (n->width[a][side] > n->array->halo[a][side])
				return "a need beyond the halo";
			any |= n->width[a][side] > 0;
		}
	if (!any)
		return "a need of nothing";
	if (n->diagonal < 1 || n->diagonal > n->array->field->grid->n_axes)
		return "a need with an impossible diagonal";
	return NULL;
}

static bool commits(const struct plan_run *r, const struct plan_array *a)
{
	for (int i = 0; i < r->n_commits; i++)
		if (r->commit[i] == a)
			return true;
	return false;
}

static const struct plan_need *need_of(const struct plan_run *r, const struct plan_array *a)
{
	for (int i = 0; i < r->n_needs; i++)
		if (r->need[i].array == a)
			return &r->need[i];
	return NULL;
}

static const char *verify_writes(const struct plan_run *r)
{
	const struct kir_kernel *k = r->call.kernel;

	for (int v = 0; v < k->n_views; v++) {
		const struct plan_bind *b = &r->call.bind[v];

		if (!k->view[v].written)
			continue;
		if ((b->buffer == BUFFER_SECOND) != commits(r, b->array))
			return "a second buffer that is written and not committed, or the reverse";
		if (b->buffer == BUFFER_CURRENT && need_of(r, b->array))
			return "an array that is written in place while its ghosts are needed";
	}
	return NULL;
}

static const char *verify_swaps(const struct plan_run *r)
{
	for (int i = 0; i < r->n_swaps; i++)
		for (int a = 0; a < MAX_AXES; a++)
			for (int side = 0; side < 2; side++)
				if (r->swap[i][0]->halo[a][side] != r->swap[i][1]->halo[a][side])
					return "a swap of arrays with different halos";
	return NULL;
}

static const char *verify_run(const struct plan *p, const struct plan_run *r)
{
	const char *wrong = verify_call(p, &r->call, r->grid);

	for (int i = 0; i < r->n_needs && !wrong; i++)
		wrong = verify_need(&r->need[i]);
	if (!wrong)
		wrong = verify_writes(r);
	if (!wrong)
		wrong = verify_swaps(r);
	if (!wrong && r->n_results != r->call.kernel->n_reductions)
		wrong = "results that are not the kernel's reductions";
	if (!wrong && (r->first_region_arg < 0 ||
	               r->first_region_arg + 2 * r->grid->n_axes > p->n_args))
		wrong = "bounds outside the table of arguments";
	return wrong;
}

static const char *verify_copy(const struct plan *p, const struct plan_copy *c)
{
	const struct air_field *to = c->air->to, *from = c->air->from;
	int bounds = 2 * (to->grid->n_axes + from->grid->n_axes);

	if (!p->of_field[to->id] || !p->of_field[from->id])
		return "a copy of what is not stored";
	if (c->first_arg < 0 || c->first_arg + bounds > p->n_args)
		return "bounds of a copy outside the table of arguments";
	return NULL;
}

static const char *verify_array(const struct plan *p, const struct plan_array *a)
{
	const char *wrong = NULL;

	if (p->of_field[a->field->id] != a)
		return "an array that its field does not know";
	for (int i = 0; i < a->field->grid->n_axes; i++)
		for (int side = 0; side < 2 && !wrong; side++)
			if (a->wall[i][side])
				wrong = verify_call(p, &a->wall[i][side]->call, a->field->grid);
	return wrong;
}

static const char *verify_block(const struct plan *p, const struct plan_block *b, bool local);

static bool is_stored(const struct plan *p, const struct air_field *f)
{
	return p->of_field[f->id] != NULL;
}

static const char *verify_stmt(const struct plan *p, const struct plan_stmt *st, bool local)
{
	const char *wrong;

	if (local && (st->kind == PLAN_RUN || st->kind == PLAN_SWAP || st->kind == PLAN_LOCAL))
		return "a local block that other ranks take part in";
	if (local && st->kind == PLAN_HOST && !stmt_is_local(st->air->kind))
		return "a statement of all ranks in a local block";
	if (st->kind == PLAN_HOST && st->air->kind == STMT_FOLD &&
	    !(is_stored(p, st->air->fold->to) && is_stored(p, st->air->fold->from)))
		return "a fold of what is not stored";
	wrong = verify_block(p, &st->body, local || st->kind == PLAN_LOCAL);
	return wrong ? wrong : verify_block(p, &st->other, local);
}

static const char *verify_block(const struct plan *p, const struct plan_block *b, bool local)
{
	const char *wrong = NULL;

	for (const struct plan_stmt *st = b->first; st && !wrong; st = st->next)
		wrong = verify_stmt(p, st, local);
	return wrong;
}

const char *plan_verify(const struct plan *p)
{
	const char *wrong = NULL;

	for (int i = 0; i < p->n_arrays && !wrong; i++)
		wrong = verify_array(p, p->array[i]);
	for (int i = 0; i < p->n_runs && !wrong; i++)
		wrong = verify_run(p, p->run[i]);
	for (int i = 0; i < p->n_copies && !wrong; i++)
		wrong = verify_copy(p, p->copy[i]);
	return wrong ? wrong : verify_block(p, &p->body, false);
}
