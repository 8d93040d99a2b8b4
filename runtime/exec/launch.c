/* exec/launch.c - kernels over regions, shared out among the threads
 *
 * A region is divided along the outermost loop that is long enough, local axes last,
 * into one piece per thread in order: so a thread meets the rows that it has touched
 * first when the array was made. */
#include "exec/exec.h"

enum { POINTS_WORTH_THREADS = 16384, POINTS_WORTH_PROGRESS = 1 << 18, SLICES = 8 };

struct job {
	const struct launch *launch;
	const struct region *region;
	const int64_t *scalar;
	bool divide; /* all that can be divided: with --check, so that faults show */
	int axis;    /* divided along it, into */
	int64_t pieces;
};

struct mpa_array *launch_storage(struct mpa_session *s, const struct mpa_call *call,
				 int64_t v)
{
	struct array_state *a = &s->array[call->array[v]];

	return call->second[v] ? &a->second : &a->now;
}

void launch_bind(struct mpa_session *s, const struct mpa_call *call,
		 struct mpa_view *view)
{
	for (int64_t v = 0; v < call->n_views; v++) {
		const struct mpa_array *storage = launch_storage(s, call, v);

		view[v].origin = storage->origin;
		for (int i = 0; i < storage->naxes; i++)
			view[v].stride[i] = storage->stride[i];
	}
}

struct piece {
	const struct launch *launch;
	struct mpa_frame frame;
};

static void call_box(void *arg, const struct box *box)
{
	const struct piece *p = arg;
	const struct mpa_call *call = p->launch->call;
	int64_t lo[MPA_MAX_AXES], hi[MPA_MAX_AXES];

	for (int64_t k = 0; k < call->n_loops; k++) {
		lo[k] = box->lo[call->loop_axis[k]];
		hi[k] = box->hi[call->loop_axis[k]];
	}
	call->kernel(&p->frame, lo, hi);
}

/* The points of a piece; meanwhile the thread that talks to other ranks lets messages
 * progress. */
static void run_box(const struct job *j, struct piece *p, struct box box,
		    struct exchange *flying)
{
	bool worth = j->divide || box_points(&box) >= POINTS_WORTH_PROGRESS;
	int64_t slices = flying && worth ? SLICES : 1;
	int64_t lo = box.lo[j->axis], n = box.hi[j->axis] - lo;

	for (int64_t k = 0; k < slices; k++) {
		struct region mine;

		box.lo[j->axis] = lo + n * k / slices;
		box.hi[j->axis] = lo + n * (k + 1) / slices;
		mine = region_cut(j->region, &box);
		region_each(&mine, call_box, p);
		if (flying)
			exchange_progress(flying);
	}
}

/* Piece 0 is that of the thread which runs the program. */
static void run_piece(void *arg, int64_t i)
{
	const struct job *j = arg;
	const struct launch *l = j->launch;
	struct piece p = { l, { l->view, j->scalar, NULL } };
	struct box box = j->region->box;
	int64_t n = box.hi[j->axis] - box.lo[j->axis];
	int64_t each = n / j->pieces, extra = n % j->pieces;

	if (l->sink)
		p.frame.sink = l->sink + i * l->n_results;
	box.lo[j->axis] += i * each + (i < extra ? i : extra);
	box.hi[j->axis] = box.lo[j->axis] + each + (i < extra);
	run_box(j, &p, box, i == 0 ? l->flying : NULL);
}

static void choose_division(struct mpa_session *s, struct job *j)
{
	const struct mpa_call *call = j->launch->call;
	const struct box *box = &j->region->box;
	int64_t threads = pool_threads(s->pool), longest = 0;

	j->pieces = 1;
	j->axis = (int)call->loop_axis[0];
	if (threads == 1 || (region_points(j->region) < POINTS_WORTH_THREADS && !j->divide))
		return;
	for (int64_t k = 0; k < call->n_loops; k++) {
		int a = (int)call->loop_axis[k];
		int64_t n = box->hi[a] - box->lo[a];

		if (n <= longest)
			continue;
		longest = n;
		j->axis = a;
		if (n >= threads && !j->launch->layout->axis[a].local)
			break;
	}
	j->pieces = longest < threads ? longest : threads;
}

void launch_region(struct mpa_session *s, const struct launch *l, const struct region *r)
{
	struct job j = { .launch = l, .region = r, .divide = s->options.check };

	if (box_empty(&r->box))
		return;
	if (s->gpu) {
		offload_region(s, l, r);
		return;
	}
	j.scalar = s->args + l->call->first_arg;
	choose_division(s, &j);
	pool_run(s->pool, run_piece, &j, j.pieces);
}
