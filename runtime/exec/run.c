/* exec/run.c - one run: a kernel over a region, with all that must happen around it
 *
 * Stale ghosts are on their way while the points are computed that need none of them:
 * those at least a margin away from the sides that wait for other ranks. Ghosts that
 * this rank makes itself, beyond walls and by wrapping, are there before. */
#include "base/clock.h"
#include "exec/exec.h"

/* Arrays and buffers that the kernel is bound to, its wall fields excepted. */
static void run_storage(struct mpa_session *s, const struct mpa_call *call)
{
	for (int64_t v = 0; v < call->n_views; v++) {
		struct array_state *a = array_of(s, call->array[v]);

		if (call->second[v])
			array_need_second(s, a);
	}
}

/* What this rank computes: its part of the region, and beyond walls what a stage grows
 * to. */
static struct region run_region(struct mpa_session *s, const struct mpa_run_info *info,
				const struct region *all)
{
	const struct layout *layout = grid_layout(s, info->grid);
	struct box own = layout_block(layout, s->comm->rank);
	struct region mine = region_cut(all, &own);

	if (box_empty(&mine.box))
		return mine;
	for (int a = 0; a < own.naxes; a++) {
		if (own.lo[a] == 0 && mine.box.lo[a] == 0) {
			mine.box.lo[a] -= info->grow[a][0];
			mine.from[a] = mine.box.lo[a];
		}
		if (own.hi[a] == layout->axis[a].size && mine.box.hi[a] == own.hi[a])
			mine.box.hi[a] += info->grow[a][1];
	}
	return mine;
}

/* The points that need no ghosts from other ranks; false: there are none, or so few that
 * waiting first is as good. */
static bool run_interior(struct mpa_session *s, const struct run_state *r,
			 const struct region *mine, const bool (*remote)[2],
			 struct region *interior)
{
	const struct mpa_grid_info *grid = &s->program->grid[r->info->grid];
	struct box own = layout_block(grid_layout(s, r->info->grid), s->comm->rank);
	bool any = false;

	for (int64_t a = 0; a < grid->n_axes; a++) {
		if (remote[grid->axis[a]][0])
			own.lo[a] += r->info->margin[a][0];
		else
			own.lo[a] -= r->info->grow[a][0];
		if (remote[grid->axis[a]][1])
			own.hi[a] -= r->info->margin[a][1];
		else
			own.hi[a] += r->info->grow[a][1];
		any |= remote[grid->axis[a]][0] || remote[grid->axis[a]][1];
	}
	*interior = region_cut(mine, &own);
	return any && !box_empty(&interior->box);
}

struct rest {
	struct mpa_session *s;
	const struct launch *launch;
	const struct region *mine;
};

static void rest_box(void *arg, const struct box *box)
{
	struct rest *rest = arg;
	struct region part = region_cut(rest->mine, box);

	launch_region(rest->s, rest->launch, &part);
}

static void run_wait(struct mpa_session *s, const struct run_state *r, struct exchange *e)
{
	double start = s->trace ? clock_now() : 0;

	exchange_end(s, e);
	trace_add(s, (struct trace_what){ r->info->where, "exchange", TRACE_EXCHANGE },
		  start);
}

static void run_kernel(struct mpa_session *s, struct run_state *r,
		       const struct region *mine)
{
	struct launch l = { .call = &r->info->call,
			    .layout = grid_layout(s, r->info->grid),
			    .view = r->view,
			    .sink = r->sink,
			    .n_results = (int)r->info->n_results,
			    .collected = r->collected };
	bool stale = needs_collect(s, r);
	struct exchange *e = stale ? needs_exchange(s, r) : NULL;
	struct region interior;

	launch_bind(s, &r->info->call, r->view);
	if (e) {
		exchange_begin(s, e);
		if (run_interior(s, r, mine, exchange_remote(e), &interior) &&
		    walls_fill_early(s, &r->needs, exchange_remote(e))) {
			struct rest rest = { s, &l, mine };

			l.flying = e;
			launch_region(s, &l, &interior);
			l.flying = NULL;
			run_wait(s, r, e);
			walls_fill(s, &r->needs);
			box_complement(&mine->box, &interior.box, rest_box, &rest);
			return;
		}
		run_wait(s, r, e);
	}
	if (stale)
		walls_fill(s, &r->needs);
	launch_region(s, &l, mine);
}

static void run_changed(struct mpa_session *s, const struct mpa_run_info *info)
{
	for (int64_t i = 0; i < info->n_changed; i++)
		array_changed(array_of(s, info->changed[i]));
}

/* The region in terms of an array that may have axes which the run's grid lacks: along
 * these the kernel writes all points. */
static struct region run_written(struct mpa_session *s, const struct mpa_run_info *info,
				 const struct region *all, const struct array_state *a)
{
	const struct mpa_grid_info *from = &s->program->grid[info->grid];
	const struct mpa_grid_info *to = &s->program->grid[a->info->grid];
	struct region r = region_whole(&a->now.own);

	for (int64_t k = 0; k < to->n_axes; k++)
		for (int64_t j = 0; j < from->n_axes; j++) {
			if (from->axis[j] != to->axis[k])
				continue;
			r.box.lo[k] = all->box.lo[j];
			r.box.hi[k] = all->box.hi[j];
			r.from[k] = all->from[j];
			r.step[k] = all->step[j];
		}
	return r;
}

static void run_commit(struct mpa_session *s, const struct mpa_run_info *info,
		       const struct region *all)
{
	for (int64_t i = 0; i < info->n_commits; i++) {
		struct array_state *a = &s->array[info->commit[i]];
		struct region written = run_written(s, info, all, a);

		array_commit(s, a, &written);
	}
}

void mpa_run(struct mpa_session *s, int64_t id)
{
	struct run_state *r = &s->run[id];
	const struct mpa_run_info *info = r->info;
	double start = s->options.profile || s->trace ? clock_now() : 0;
	struct region all = region_resolve(s, info), mine;

	run_storage(s, &info->call);
	walls_check(s, info, &all);
	mine = run_region(s, info, &all);
	if (info->n_results > 0)
		reduce_begin(s, r);
	run_kernel(s, r, &mine);
	run_commit(s, info, &all);
	run_changed(s, info);
	for (int64_t i = 0; i < info->n_swaps; i++)
		array_exchange_places(array_of(s, info->swap[i][0]),
				      array_of(s, info->swap[i][1]));
	if (info->n_swaps > 0) /* names, and the storage that went to other names */
		run_changed(s, info);
	if (info->n_results > 0)
		reduce_end(s, r);
	r->calls++;
	transfers_count(s, info->where);
	if (s->options.profile)
		r->seconds += clock_now() - start;
	trace_add(s, (struct trace_what){ info->where, info->call.name, TRACE_RUN },
		  start);
}
