/* tests/unit/exec_model.c - what random programs mean, the slow way */
#include "exec_problem.h"

#include <math.h>
#include <string.h>

static double model_at(const struct world_model *m, int a, const int64_t *index);

int64_t model_flat(const struct world_model *m, int a, const int64_t *index)
{
	const struct array_model *am = &m->p->array[a];
	int64_t flat = 0;

	for (int i = 0; i < am->naxes; i++)
		flat = flat * m->p->size[am->axis[i]] + index[am->axis[i]];
	return flat;
}

static double combine(const struct world_model *m, const struct run_model *r, int a,
		      const int64_t *index)
{
	double sum = 0;

	for (int k = 0; k < TERMS; k++) {
		int64_t at[3];

		for (int i = 0; i < m->p->naxes; i++)
			at[i] = index[i] + r->offset[k][i];
		sum += r->factor[k] * model_at(m, a, at);
	}
	return fmod(sum, MODULUS);
}

static double beyond(const struct world_model *m, int a, int axis, int side,
		     const int64_t *index)
{
	const struct array_model *am = &m->p->array[a];
	const struct condition *c = &am->condition[axis][side];
	int64_t n = m->p->size[axis], at[3];
	int64_t distance = side ? index[axis] - n + 1 : -index[axis], inside;
	double sum = 0;

	memcpy(at, index, sizeof at);
	switch (c->kind) {
	case CONSTANT:
		return c->shift + m->constant;
	case POSITION:
		for (int i = 0; i < am->naxes; i++)
			if (!m->p->periodic[am->axis[i]] || !m->p->stages)
				sum += (double)((i + 2) * index[am->axis[i]]);
		return sum;
	case FIELD:
		return c->scale * model_at(m, WALL_FIELD + axis, at);
	case EDGE:
		inside = 0;
		break;
	case SYMMETRIC:
		inside = distance - 1;
		break;
	default:
		inside = n > 1 ? distance : 0;
	}
	at[axis] = side ? n - 1 - inside : inside;
	return c->scale * model_at(m, a, at) + c->shift;
}

static double model_at(const struct world_model *m, int a, const int64_t *index)
{
	const struct array_model *am = &m->p->array[a];
	int64_t at[3];

	memcpy(at, index, sizeof at);
	for (int i = am->naxes - 1; i >= 0; i--) {
		int axis = am->axis[i];
		int64_t n = m->p->size[axis];

		if (m->p->periodic[axis])
			at[axis] = ((at[axis] % n) + n) % n;
		else if ((at[axis] < 0 || at[axis] >= n) && am->computed)
			return combine(m, &m->p->model[RUN_STAGE], U, at);
		else if (at[axis] < 0 || at[axis] >= n)
			return beyond(m, a, axis, at[axis] >= n, at);
	}
	return m->value[a][model_flat(m, a, at)];
}

bool model_next(const struct problem *p, int a, int64_t *index)
{
	for (int i = p->array[a].naxes - 1; i >= 0; i--) {
		int axis = p->array[a].axis[i];

		if (++index[axis] < p->size[axis])
			return true;
		index[axis] = 0;
	}
	return false;
}

double start_value(const int64_t *index, int a)
{
	return fmod(
		(double)(31 * index[0] + 7 * index[1] + 3 * index[2] * index[2] + 5 * a),
		50);
}

static bool in_slice(const struct problem *p, int step, const int64_t *index)
{
	for (int i = 0; i < p->naxes; i++) {
		const int64_t *s = p->slice[step][i];

		if (index[i] < s[0] || index[i] >= s[1] || (index[i] - s[0]) % s[2])
			return false;
	}
	return true;
}

void model_step(struct world_model *m, int step, int run)
{
	const struct problem *p = m->p;
	int from = run == RUN_READ_STAGE ? STAGE : U;
	int to = run == RUN_STAGE ? STAGE : run == RUN_UPDATE ? U : V;
	double out[MOST];
	int64_t index[3] = { 0 };

	do {
		int64_t flat = model_flat(m, to, index);

		out[flat] = m->value[to][flat];
		if (run != RUN_UPDATE || in_slice(p, step, index))
			out[flat] = combine(m, &p->model[run], from, index);
	} while (model_next(p, to, index));
	memcpy(m->value[to], out, sizeof out);
}
