/* exec/tables.c - the state of what a program describes, and of programs that go on
 *
 * A program that extends another brings tables which hold all that is known so far;
 * numbers stay, so the state stays, too. Only runs and their arguments are its own. */
#include <string.h>

#include "base/memory.h"
#include "exec/exec.h"

static void runs_free(struct mpa_session *s)
{
	for (int64_t i = 0; i < s->program->n_runs && s->run; i++) {
		exchanges_free(&s->run[i]);
		reduce_free(s, &s->run[i]);
		mem_free(s->run[i].view);
		mem_free(s->run[i].needs.need);
		mem_free(s->run[i].result);
	}
	folds_free(s);
	for (int64_t i = 0; i < s->program->n_copies && s->copy; i++)
		copy_forget(&s->copy[i]);
	mem_free(s->copy);
	mem_free(s->run);
	mem_free(s->args);
	mem_free(s->wall_args);
	s->run = NULL;
	s->copy = NULL;
	s->args = s->wall_args = NULL;
}

void tables_free(struct mpa_session *s)
{
	runs_free(s);
	for (int64_t i = 0; i < s->program->n_arrays && s->array; i++) {
		array_forget(s, &s->array[i]);
		mem_free(s->array[i].snapshot);
	}
	for (int64_t i = 0; i < s->program->n_axes && s->axis; i++)
		axis_forget_cuts(&s->axis[i]);
	for (int64_t i = 0; i < s->program->n_families && s->family; i++)
		family_forget(&s->family[i]);
	mem_free(s->axis);
	mem_free(s->family);
	mem_free(s->grid);
	mem_free(s->array);
}

/* Corners beyond a wall that is filled and one that is computed are computed as well. */
static void stage_grow(struct array_state *a, const struct mpa_run_info *run)
{
	for (int i = 0; i < MPA_MAX_AXES && a->info->stage; i++)
		for (int side = 0; side < 2; side++)
			if (a->grown[i][side] < run->grow[i][side])
				a->grown[i][side] = run->grow[i][side];
}

static void raise(int64_t (*to)[2], const int64_t (*from)[2])
{
	for (int i = 0; i < MPA_MAX_AXES; i++)
		for (int side = 0; side < 2; side++)
			if (to[i][side] < from[i][side])
				to[i][side] = from[i][side];
}

/* Returns how many words the snapshot of its walls takes. */
static int array_describe(struct mpa_session *s, int64_t id)
{
	const struct mpa_array_info *info = &s->program->array[id];
	struct array_state *a = &s->array[id];
	int n = walls_snapshot_size(info, s->program);

	mem_free(a->snapshot);
	a->info = info;
	a->snapshot = session_new(s, (size_t)n * sizeof(int64_t));
	a->n_snapshot = n;
	a->walled_valid = false;
	raise(a->room, info->halo);
	raise(a->grown, info->grown);
	return n;
}

static void runs_open(struct mpa_session *s)
{
	const struct mpa_program *p = s->program;

	s->args = session_new(s, (size_t)p->n_args * sizeof *s->args);
	s->run = session_new(s, (size_t)p->n_runs * sizeof *s->run);
	s->copy = session_new(s, (size_t)p->n_copies * sizeof *s->copy);
	for (int64_t i = 0; i < p->n_copies; i++)
		s->copy[i].info = &p->copy[i];
	for (int64_t i = 0; i < p->n_runs; i++) {
		struct run_state *r = &s->run[i];

		r->info = &p->run[i];
		r->view = session_new(s, (size_t)r->info->call.n_views * sizeof *r->view);
		r->result =
			session_new(s, (size_t)r->info->n_results * 2 * sizeof *r->result);
		for (int64_t k = 0; k < r->info->n_changed; k++)
			stage_grow(&s->array[r->info->changed[k]], r->info);
	}
}

static void describe(struct mpa_session *s)
{
	int most = 0;

	for (int64_t i = 0; i < s->program->n_arrays; i++) {
		int n = array_describe(s, i);

		most = n > most ? n : most;
	}
	s->wall_args = session_new(s, (size_t)most * sizeof(int64_t));
	runs_open(s);
}

void tables_open(struct mpa_session *s)
{
	const struct mpa_program *p = s->program;

	s->axis = session_new(s, (size_t)p->n_axes * sizeof *s->axis);
	s->family = session_new(s, (size_t)p->n_families * sizeof *s->family);
	s->grid = session_new(s, (size_t)p->n_grids * sizeof *s->grid);
	s->array = session_new(s, (size_t)p->n_arrays * sizeof *s->array);
	describe(s);
}

/* ---- programs that go on -------------------------------------------------- */

/* A table of n entries that begins as the old one, which is freed. */
static void *longer(struct mpa_session *s, void *old, int64_t had, int64_t n, size_t size)
{
	char *table = session_new(s, (size_t)n * size);

	memcpy(table, old, (size_t)(had < n ? had : n) * size);
	mem_free(old);
	return table;
}

/* Layouts point to families, and arrays to layouts: these have moved. */
static void point_again(struct mpa_session *s, const struct mpa_program *p)
{
	for (int64_t g = 0; g < p->n_grids; g++) {
		const struct family *family = &s->family[p->grid[g].family].family;

		if (s->grid[g].made)
			s->grid[g].layout.family = s->grid[g].spread.family = family;
	}
	for (int64_t i = 0; i < p->n_arrays; i++)
		if (s->array[i].layout)
			s->array[i].layout = &s->grid[p->array[i].grid].layout;
}

void tables_extend(struct mpa_session *s, const struct mpa_program *next)
{
	const struct mpa_program *p = s->program;

	runs_free(s);
	s->axis = longer(s, s->axis, p->n_axes, next->n_axes, sizeof *s->axis);
	for (int64_t i = next->n_families; i < p->n_families; i++)
		family_forget(&s->family[i]);
	s->family = longer(s, s->family, p->n_families, next->n_families,
			   sizeof *s->family);
	s->grid = longer(s, s->grid, p->n_grids, next->n_grids, sizeof *s->grid);
	for (int64_t i = next->n_arrays; i < p->n_arrays; i++) {
		array_forget(s, &s->array[i]);
		mem_free(s->array[i].snapshot);
	}
	s->array = longer(s, s->array, p->n_arrays, next->n_arrays, sizeof *s->array);
	s->program = next;
	point_again(s, next);
	describe(s);
}
