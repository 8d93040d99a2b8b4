/* tests/unit/exec_problem.c - random grids, walls and runs */
#include "exec_problem.h"

#include <stdlib.h>
#include <string.h>

int64_t any(unsigned *seed, int64_t n)
{
	return rand_r(seed) % n;
}

static const int64_t no_second[2] = { 0, 0 }, second_of_last[2] = { 0, 1 };
enum { WALL_SCALARS = 5 };

int first_wall_arg(int a, int axis, int side)
{
	return 1 + 6 + WALL_SCALARS * ((a * 3 + axis) * 2 + side);
}

static void set_loops(const struct problem *p, const struct array_model *am,
		      struct mpa_call *call)
{
	call->n_loops = 0;
	for (int local = 1; local >= 0; local--)
		for (int i = 0; i < am->naxes; i++)
			if (p->local[am->axis[i]] == local)
				call->loop_axis[call->n_loops++] = i;
}

static void make_wall(struct problem *p, int a, int i, int side)
{
	struct array_model *am = &p->array[a];
	int axis = am->axis[i];
	struct condition *c = &am->condition[axis][side];
	struct mpa_wall *w = &am->wall[axis][side];
	int64_t *views = am->views;

	c->kind = (enum kind)any(&p->seed,
				 p->naxes > 1 && (a == U || a == U2) ? KINDS : KINDS - 1);
	c->scale = (double)any(&p->seed, 3) - 1;
	c->shift = (double)any(&p->seed, 5);
	w->mirrors =
		c->kind >= EDGE && c->kind <= REFLECT ? 1 << (c->kind - EDGE) : 0;
	w->call = (struct mpa_call){ .kernel = kernel_wall,
				     .name = "wall",
				     .n_views = 1,
				     .array = views,
				     .second = no_second,
				     .n_scalars = WALL_SCALARS,
				     .first_arg = first_wall_arg(a, axis, side) };
	if (c->kind == FIELD) {
		int64_t *both = malloc(2 * sizeof *both);

		both[0] = a;
		both[1] = WALL_FIELD + axis;
		w->call.n_views = 2;
		w->call.array = both;
		w->n_fields = 1;
		w->field = both + 1;
	}
	set_loops(p, am, &w->call);
	p->info[a].wall[i][side] = w;
}

static void make_array(struct problem *p, int a, int without, bool walls)
{
	struct array_model *am = &p->array[a];
	struct mpa_array_info *info = &p->info[a];

	for (int i = 0; i < p->naxes; i++)
		if (i != without)
			am->axis[am->naxes++] = i;
	am->views[0] = a;
	*info = (struct mpa_array_info){ .name = "a",
					 .where = "here",
					 .elem = MPA_F64,
					 .grid = without < 0 ? 0 : 1 + without,
					 .second = a == U };
	for (int i = 0; i < am->naxes && walls; i++)
		for (int side = 0; side < 2; side++) {
			info->halo[i][side] = REACH;
			if (!p->periodic[am->axis[i]])
				make_wall(p, a, i, side);
		}
}

/* Terms that reach at most `reach` far, and the need that they are. */
static void make_terms(struct problem *p, struct run_model *r, int64_t array,
		       int64_t reach)
{
	bool near = any(&p->seed, 2);

	r->need = (struct mpa_need){ .array = array, .diagonal = 1 };
	for (int k = 0; k < TERMS; k++) {
		int displaced = 0;

		r->factor[k] = (double)any(&p->seed, 4) - 1;
		for (int i = 0; i < p->naxes; i++) {
			int64_t by = any(&p->seed, 2 * reach + 1) - reach;

			if (near && displaced)
				by = 0;
			r->offset[k][i] = by;
			displaced += by != 0;
			if (-by > r->need.width[i][0])
				r->need.width[i][0] = -by;
			if (by > r->need.width[i][1])
				r->need.width[i][1] = by;
		}
		if (displaced > r->need.diagonal)
			r->need.diagonal = displaced;
	}
}

static void make_run(struct problem *p, int run, mpa_kernel_fn *kernel, int from, int to)
{
	struct mpa_run_info *info = &p->run[run];
	struct run_model *r = &p->model[run];

	r->views[0] = from;
	r->views[1] = r->arrays[0] = r->commits[0] = to;
	*info = (struct mpa_run_info){ .where = "run",
				       .n_changed = 1,
				       .changed = r->arrays,
				       .first_region_arg = 1 };
	info->call = (struct mpa_call){ .kernel = kernel,
					.name = "kernel",
					.n_views = 2,
					.array = r->views,
					.second = no_second,
					.n_scalars = 1 };
	set_loops(p, &p->array[U], &info->call);
}

static void make_reading_run(struct problem *p, int run, mpa_kernel_fn *kernel, int from,
			     int to)
{
	struct run_model *r = &p->model[run];

	make_run(p, run, kernel, from, to);
	make_terms(p, r, from, 1 + any(&p->seed, 3));
	p->run[run].n_needs = 1;
	p->run[run].need = &r->need;
	memcpy(p->run[run].margin, r->need.width, sizeof r->need.width);
}

/* The stage is computed beyond its walls, as far as it is read. */
static void make_stage(struct problem *p)
{
	struct run_model *made = &p->model[RUN_STAGE], *read = &p->model[RUN_READ_STAGE];

	p->array[STAGE].computed = true;
	p->info[STAGE].stage = 1;
	for (int i = 0; i < p->naxes; i++)
		for (int side = 0; side < 2; side++) {
			int64_t w = read->need.width[i][side];

			p->info[STAGE].halo[i][side] = w;
			if (p->periodic[i])
				continue;
			p->info[STAGE].grown[i][side] = p->run[RUN_STAGE].grow[i][side] =
				w;
			made->need.width[i][side] += w;
			made->need.diagonal = p->naxes;
		}
	p->run[RUN_STAGE].call.first_arg = 0;
}

static void make_runs(struct problem *p)
{
	int64_t *swap = p->model[RUN_INIT].views;

	make_run(p, RUN_INIT, kernel_init, U, U2);
	p->run[RUN_INIT].n_changed = 2;
	p->run[RUN_INIT].changed = swap;
	make_reading_run(p, RUN_READ, kernel_read, U, V);
	make_reading_run(p, RUN_UPDATE, kernel_update, U, U);
	p->run[RUN_UPDATE].call.second = second_of_last;
	p->run[RUN_UPDATE].n_commits = 1;
	p->run[RUN_UPDATE].commit = p->model[RUN_UPDATE].commits;
	for (int i = 0; i < p->naxes; i++)
		p->run[RUN_UPDATE].region[i] =
			(struct mpa_slice){ MPA_RANGE, 1, 1, any(&p->seed, 4) ? 1 : 2 };
	make_reading_run(p, RUN_STAGE, kernel_stage, U, STAGE);
	make_reading_run(p, RUN_READ_STAGE, kernel_read_stage, STAGE, V);
	make_stage(p);
	make_run(p, RUN_SUMS, kernel_sums, U, U);
	p->run[RUN_SUMS].n_changed = 0;
	p->run[RUN_SUMS].call.n_views = 1;
	p->run[RUN_SUMS].n_results = 4;
	p->run[RUN_SUMS].result = p->result;
	p->result[0] = (struct mpa_result){ MPA_SUM, MPA_F64 };
	p->result[1] = (struct mpa_result){ MPA_MIN, MPA_F64 };
	p->result[2] = (struct mpa_result){ MPA_ARGMAX, MPA_F64 };
	p->result[3] = (struct mpa_result){ MPA_PROD, MPA_F64 };
	if (p->naxes == 1)
		return;
	make_run(p, RUN_FIELD, kernel_field, WALL_FIELD, WALL_FIELD);
	p->run[RUN_FIELD].grid = 1;
	p->run[RUN_FIELD].call.n_views = 1;
	set_loops(p, &p->array[WALL_FIELD], &p->run[RUN_FIELD].call);
}

/* No more room for ghosts than the runs ask for: the run time finds what walls that
 * mirror need besides. */
static void make_narrow(struct problem *p)
{
	static const int reads_u[] = { RUN_READ, RUN_UPDATE, RUN_STAGE };

	for (int i = 0; i < p->naxes; i++)
		for (int side = 0; side < 2; side++) {
			int64_t most = 0;

			for (int k = 0; k < 3; k++) {
				int64_t w = p->model[reads_u[k]].need.width[i][side];

				most = w > most ? w : most;
			}
			p->info[U].halo[i][side] = most;
			p->info[U2].halo[i][side] = any(&p->seed, most + 1);
		}
}

static void make_slices(struct problem *p, int step)
{
	for (int i = 0; i < p->naxes; i++) {
		int64_t *s = p->slice[step][i], n = p->size[i];

		s[0] = any(&p->seed, 3) ? any(&p->seed, n + 1) / 2 : 0;
		s[1] = any(&p->seed, 3) ? n - any(&p->seed, n + 1) / 2 : n;
		s[1] = s[1] < s[0] ? s[0] : s[1];
		s[2] = p->run[RUN_UPDATE].region[i].step;
	}
}

static void make_grids(struct problem *p)
{
	int local =
		p->naxes > 1 && any(&p->seed, 3) == 0 ? (int)any(&p->seed, p->naxes) : -1;

	for (int i = 0; i < p->naxes; i++) {
		p->size[i] = 1 + any(&p->seed, p->naxes == 1   ? 20
					       : p->naxes == 2 ? 9
							       : 6);
		p->periodic[i] = any(&p->seed, 2);
		p->local[i] = i == local;
		p->axis[i] =
			(struct mpa_axis_info){ .name = "x",
						.periodic = p->periodic[i],
						.local = p->local[i] };
	}
	p->family = (struct mpa_family_info){ .name = "g",
					      .where = "here",
					      .n_axes = p->naxes };
	p->grid[0] = (struct mpa_grid_info){ .name = "g", .n_axes = p->naxes };
	for (int i = 0; i < p->naxes; i++) {
		struct mpa_grid_info *g = &p->grid[1 + i];

		p->family.axis[i] = p->grid[0].axis[i] = i;
		p->family.cut[i] = !p->local[i];
		*g = (struct mpa_grid_info){ .name = "w" };
		for (int k = 0; k < p->naxes; k++)
			if (k != i)
				g->axis[g->n_axes++] = k;
	}
}

/* Sometimes a process grid that leaves ranks without any part of it. */
static void make_procs(struct problem *p)
{
	int64_t left = p->ranks;

	p->family.has_procs = any(&p->seed, 3) == 0;
	for (int i = 0; i < p->naxes; i++) {
		p->procs[i] = p->local[i] ? 1 : 1 + any(&p->seed, left < 3 ? left : 3);
		left /= p->procs[i];
	}
}

void problem_make(struct problem *p, unsigned seed, void (*body)(struct mpa_session *))
{
	*p = (struct problem){ .seed = seed };
	p->ranks = 1 + (int)any(&p->seed, 8);
	p->naxes = 1 + (int)any(&p->seed, 3);
	p->check = any(&p->seed, 2);
	p->stages = any(&p->seed, 2);
	p->threads = 1 + (any(&p->seed, 8) == 0);
	make_grids(p);
	make_procs(p);
	make_array(p, U, -1, true);
	make_array(p, U2, -1, true);
	make_array(p, V, -1, false);
	make_array(p, STAGE, -1, false);
	for (int i = 0; i < p->naxes && p->naxes > 1; i++)
		make_array(p, WALL_FIELD + i, i, true);
	make_runs(p);
	if (any(&p->seed, 2))
		make_narrow(p);
	for (int step = 0; step < STEPS; step++) {
		p->step_kind[step] = (int)any(&p->seed, RUNS + 1);
		if (!p->stages && (p->step_kind[step] == RUN_STAGE ||
				   p->step_kind[step] == RUN_READ_STAGE))
			p->step_kind[step] = RUN_READ;
		make_slices(p, step);
	}
	p->program =
		(struct mpa_program){ .abi = MPA_ABI_VERSION,
				      .name = "random",
				      .file = "random.mpa",
				      .n_axes = p->naxes,
				      .n_families = 1,
				      .n_grids = 1 + p->naxes,
				      .n_arrays = p->naxes > 1 ? WALL_FIELD + p->naxes
							       : WALL_FIELD,
				      .n_runs = RUNS,
				      .n_args = 1 + 6 + WALL_SCALARS * 6 * ARRAYS,
				      .axis = p->axis,
				      .family = &p->family,
				      .grid = p->grid,
				      .array = p->info,
				      .run = p->run,
				      .body = body };
}

void problem_free(struct problem *p)
{
	for (int a = 0; a < ARRAYS; a++)
		for (int axis = 0; axis < 3; axis++)
			for (int side = 0; side < 2; side++)
				if (p->array[a].wall[axis][side].n_fields)
					free((void *)p->array[a]
						     .wall[axis][side]
						     .call.array);
}
