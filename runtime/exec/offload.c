/* exec/offload.c - a kernel over a region on the rank's GPU
 *
 * Fields stay on the device from one kernel to the next; what the host does with them
 * brings them over (array_read, array_write). A failure on one rank ends all. Values of
 * reductions stand in C order of the box, and are added up there (collect.c) or, of
 * products, by the host. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "device/cuda/gpu.h"
#include "exec/exec.h"
#include "exec/reduce.h"

enum { VALUES_AT_ONCE = 512, VALUES_ALIGN = 256, VALUES_MOST = 1 << 22 };

/* ---- the GPU of a session -------------------------------------------------------- */

static bool is_foreign(const struct mpa_call *call, const char *where, const char **at)
{
	if (!call->device)
		*at = where;
	return !call->device;
}

/* Whether loops call functions in C, and the first one. The same on every rank. */
static bool calls_c(const struct mpa_program *p, const char **at)
{
	for (int64_t i = 0; i < p->n_runs; i++)
		if (is_foreign(&p->run[i].call, p->run[i].where, at))
			return true;
	for (int64_t i = 0; i < p->n_arrays; i++)
		for (int a = 0; a < MPA_MAX_AXES; a++)
			for (int side = 0; side < 2; side++)
				if (p->array[i].wall[a][side] &&
				    is_foreign(&p->array[i].wall[a][side]->call,
					       p->array[i].where, at))
					return true;
	return false;
}

static bool is_empty(const struct mpa_program *p)
{
	return !p->n_runs && !p->n_arrays;
}

/* Fails where the program cannot run on GPUs at all. */
static void check_program(struct mpa_session *s, const char *where)
{
	const struct mpa_program *p = s->program;
	const char *at;

	if (is_empty(p)) /* as between the lines of the prompt */
		return;
	if (!p->cuda)
		session_fail(s, where, "there are no kernels for GPUs in this program");
	if (calls_c(p, &at))
		session_fail(
			s, at,
			"this calls functions in C, which are not there on a GPU: run it "
			"with --backend=cpu");
}

static void load_program(struct mpa_session *s, const char *where)
{
	const struct gpu_text text = { s->program->cuda, s->program->ptx };

	if (!is_empty(s->program))
		session_agree(s, where, gpu_program(s->gpu, &text, &s->fault));
}

void offload_program(struct mpa_session *s, const char *where)
{
	check_program(s, where);
	load_program(s, where);
}

void offload_open(struct mpa_session *s, const char *where)
{
	if (s->gpu)
		return;
	check_program(s, where);
	s->gpu = gpu_open(s->comm->local_rank, &s->fault);
	session_agree(s, where, s->gpu ? MPA_OK : s->fault.status);
	s->home.gpu = s->gpu;
	direct_choose(s, where);
	load_program(s, where);
}

/* On all ranks or on none: why not is in the fault. */
static void try_all(struct mpa_session *s)
{
	static const struct gpu_text nothing = {
		"", ".version 6.3\n.target sm_75\n.address_size 64\n"
	};
	const struct gpu_text text = { s->program->cuda, s->program->ptx };
	const struct mpa_program *p = s->program;
	enum mpa_status st;
	const char *at;

	if (!is_empty(p) && !p->cuda) {
		fault_set(&s->fault, MPA_SYSTEM,
			  "there are no kernels for GPUs in this program");
		return;
	}
	if (calls_c(p, &at)) {
		fault_set(&s->fault, MPA_SYSTEM, "%s calls functions in C", at);
		return;
	}
	s->gpu = gpu_open(s->comm->local_rank, &s->fault);
	st = s->gpu ? MPA_OK : s->fault.status;
	if (st == MPA_OK) /* lines of the prompt will have to be loaded, too */
		st = gpu_program(s->gpu, is_empty(p) ? &nothing : &text, &s->fault);
	if (comm_agree(s->comm, st) == MPA_OK)
		return;
	gpu_close(s->gpu);
	s->gpu = NULL;
}

void offload_choose(struct mpa_session *s)
{
	if (s->gpu)
		return;
	try_all(s);
	s->home.gpu = s->gpu;
	if (s->comm->rank == 0 && !s->options.quiet)
		fprintf(stderr, "%s: runs on the %s: %s\n", s->program->name,
			s->gpu ? "GPU" : "processor",
			s->gpu ? gpu_name(s->gpu) : s->fault.text);
	fault_clear(&s->fault);
	if (s->gpu)
		direct_choose(s, NULL);
}

/* Which device each rank has, in their order. */
void offload_print(struct mpa_session *s)
{
	enum { TEXT = 256 };
	int size = s->comm->size;
	int64_t *count;
	char mine[TEXT] = "", *all;

	if (!s->gpu)
		return;
	gpu_describe(s->gpu, mine, sizeof mine);
	count = session_new(s, (size_t)size * sizeof *count);
	for (int r = 0; r < size; r++)
		count[r] = TEXT;
	all = session_new(s, s->comm->rank == 0 ? (size_t)size * TEXT : 1);
	session_sent(s, comm_gather(s->comm, 0, mine, all, count));
	for (int r = 0; r < size && s->comm->rank == 0; r++)
		fprintf(stderr, "rank %d on %s\n", r, all + (ptrdiff_t)r * TEXT);
	mem_free(all);
	mem_free(count);
}

void offload_close(struct mpa_session *s)
{
	if (s->gpu)
		gpu_free(s->gpu, s->values.at);
	gpu_close(s->gpu);
	s->gpu = NULL;
}

/* ---- one launch ------------------------------------------------------------------ */

struct offload {
	struct mpa_session *s;
	const struct launch *launch;
};

static void bring_views(const struct offload *o)
{
	const struct mpa_call *call = o->launch->call;

	for (int64_t v = 0; v < call->n_views; v++)
		session_sent(o->s, array_on_device(launch_storage(o->s, call, v),
						   call->written[v], &o->s->fault));
}

/* The kernel's argument: see backend/c/cuda.c. Its size in words. */
static int64_t argument_words(const struct offload *o)
{
	const struct mpa_call *call = o->launch->call;
	int64_t n = 2 * call->n_loops + call->n_scalars + o->launch->n_results;

	for (int64_t v = 0; v < call->n_views; v++)
		n += 1 + launch_storage(o->s, call, v)->naxes;
	return n;
}

static int64_t write_views(const struct offload *o, int64_t *word)
{
	const struct mpa_call *call = o->launch->call;
	int64_t n = 0;

	for (int64_t v = 0; v < call->n_views; v++) {
		struct mpa_array a = array_of_device(launch_storage(o->s, call, v));

		word[n++] = (int64_t)(uintptr_t)a.origin;
		for (int i = 0; i < a.naxes; i++)
			word[n++] = a.stride[i];
	}
	return n;
}

/* Where the values of each reduction go: behind one another in memory that is kept. */
static void open_values(struct offload *o, int64_t points, uint64_t *at)
{
	struct mpa_session *s = o->s;
	int64_t bytes = 0;

	for (int i = 0; i < o->launch->n_results; i++) {
		at[i] = (uint64_t)bytes;
		bytes += points * array_elem_bytes(o->launch->sink[i]->elem);
		bytes = (bytes + VALUES_ALIGN - 1) / VALUES_ALIGN * VALUES_ALIGN;
	}
	if (bytes > s->values.bytes) {
		gpu_free(s->gpu, s->values.at);
		s->values = (struct values){ 0, bytes };
		session_sent(s, gpu_alloc(s->gpu, bytes, "values", &s->values.at,
					  &s->fault));
	}
	for (int i = 0; i < o->launch->n_results; i++)
		at[i] += s->values.at;
}

/* Row by row, as kernels of the CPU do. */
static void add_values(struct mpa_sink *sink, const char *values,
		       const struct mpa_call *call, const int64_t *lo, const int64_t *n)
{
	int64_t at[MPA_MAX_AXES], elem = array_elem_bytes(sink->elem),
				  last = call->n_loops - 1;
	int64_t k;

	memcpy(at, lo, (size_t)call->n_loops * sizeof *at);
	do {
		for (int64_t i = 0; i < n[last]; i += VALUES_AT_ONCE) {
			int64_t left = n[last] - i;

			at[last] = lo[last] + i;
			left = left < VALUES_AT_ONCE ? left : VALUES_AT_ONCE;
			mpa_sink_add(sink, values, left, at);
			values += left * elem;
		}
		for (k = last - 1; k >= 0; k--) {
			if (++at[k] < lo[k] + n[k])
				break;
			at[k] = lo[k];
		}
	} while (k >= 0);
}

/* To the host: what the device does not add up itself. */
static void take_values(struct offload *o, int i, uint64_t at, const int64_t *lo,
			const int64_t *n)
{
	struct mpa_session *s = o->s;
	struct mpa_sink *sink = o->launch->sink[i];
	int64_t bytes = array_elem_bytes(sink->elem);
	char *values;

	for (int64_t k = 0; k < o->launch->call->n_loops; k++)
		bytes *= n[k];
	values = session_new(s, (size_t)bytes);
	session_sent(s, gpu_get(s->gpu, values, at, bytes, &s->fault));
	add_values(sink, values, o->launch->call, lo, n);
	mem_free(values);
}

/* lo, n: of each loop. */
static void run_part(struct offload *o, const int64_t *lo, const int64_t *n)
{
	const struct mpa_call *call = o->launch->call;
	int results = o->launch->n_results, loops = (int)call->n_loops;
	int64_t words = argument_words(o), word[words], *rest = word + 2 * loops,
		points = 1;
	uint64_t values[results + 1];
	struct gpu_launch launch = { .kernel = call->device,
				     .args = word,
				     .n_loops = loops,
				     .n = n };

	memcpy(word, lo, (size_t)loops * sizeof *word);
	memcpy(word + loops, n, (size_t)loops * sizeof *word);
	for (int k = 0; k < loops; k++)
		points *= n[k];
	if (words > MPA_CUDA_WORDS)
		launch.args_bytes = words * (int64_t)sizeof *word;
	rest += write_views(o, rest);
	memcpy(rest, o->s->args + call->first_arg,
	       (size_t)call->n_scalars * sizeof *rest);
	if (results > 0)
		open_values(o, points, values);
	memcpy(rest + call->n_scalars, values, (size_t)results * sizeof *rest);
	session_sent(o->s, gpu_run(o->s->gpu, &launch, &o->s->fault));
	for (int i = 0; i < results; i++)
		if (!collect_values(o->s, o->launch, i, values[i], lo, n))
			take_values(o, i, values[i], lo, n);
}

/* Parts of so many points that their values take little memory, and are still in the
 * device's cache when they are added up. */
static void run_parts(struct offload *o, const int64_t *lo, const int64_t *n, int64_t most)
{
	int loops = (int)o->launch->call->n_loops, k = 0;
	int64_t first[MPA_MAX_AXES], count[MPA_MAX_AXES], points = 1, end;

	for (int i = 0; i < loops; i++)
		points *= n[i];
	while (k < loops && n[k] == 1)
		k++;
	if (points <= most || k == loops) {
		run_part(o, lo, n);
		return;
	}
	memcpy(first, lo, sizeof *lo * (size_t)loops);
	memcpy(count, n, sizeof *n * (size_t)loops);
	end = lo[k] + n[k];
	count[k] = most / (points / n[k]);
	if (count[k] == 0)
		count[k] = 1;
	for (; first[k] < end; first[k] += count[k]) {
		if (count[k] > end - first[k])
			count[k] = end - first[k];
		run_parts(o, first, count, most);
	}
}

static void run_box(void *arg, const struct box *box)
{
	struct offload *o = arg;
	const struct mpa_call *call = o->launch->call;
	int64_t lo[MPA_MAX_AXES], n[MPA_MAX_AXES];

	for (int64_t k = 0; k < call->n_loops; k++) {
		lo[k] = box->lo[call->loop_axis[k]];
		n[k] = box->hi[call->loop_axis[k]] - lo[k];
		if (n[k] <= 0)
			return;
	}
	run_parts(o, lo, n, o->launch->n_results ? VALUES_MOST : INT64_MAX);
}

void offload_region(struct mpa_session *s, const struct launch *l, const struct region *r)
{
	struct offload o = { s, l };

	bring_views(&o);
	region_each(r, run_box, &o);
}
