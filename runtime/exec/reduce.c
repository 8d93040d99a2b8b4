/* exec/reduce.c - reductions: a sink per thread, joined over threads and ranks
 *
 * Every result is the same for any number of threads and ranks: sums are exact, extremes
 * are decided by value and then by the flat index (C order of the written axes),
 * products follow a tree over the flat indices. Of ranks that hold the same block one
 * gives its points. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "exec/reduce.h"

enum { BLOCK = 1024 };

static bool is_real(enum mpa_elem elem)
{
	return elem == MPA_F32 || elem == MPA_F64;
}

static int64_t integer_at(enum mpa_elem elem, const void *values, int64_t i)
{
	switch (elem) {
	case MPA_I32:
		return ((const int32_t *)values)[i];
	case MPA_I64:
		return ((const int64_t *)values)[i];
	default:
		return ((const uint8_t *)values)[i];
	}
}

static double real_at(enum mpa_elem elem, const void *values, int64_t i)
{
	return elem == MPA_F32 ? (double)((const float *)values)[i]
			       : ((const double *)values)[i];
}

typedef uint64_t lanes_sum __attribute__((vector_size(64)));

/* Modulo 2^64. */
VECTOR_CLONES static uint64_t sum_words(const int64_t *value, int64_t n)
{
	enum { LANES = sizeof(lanes_sum) / sizeof(uint64_t) };
	lanes_sum sum = { 0 };
	uint64_t all = 0;
	int64_t i = 0;

	for (; i + LANES <= n; i += LANES) {
		lanes_sum v;

		memcpy(&v, value + i, sizeof v);
		sum += v;
	}
	for (; i < n; i++)
		all += (uint64_t)value[i];
	for (int k = 0; k < LANES; k++)
		all += sum[k];
	return all;
}

static void add_sum(struct mpa_sink *sink, const void *values, int64_t n)
{
	double wide[BLOCK];

	if (sink->elem == MPA_I64) {
		sink->count = (int64_t)((uint64_t)sink->count + sum_words(values, n));
		return;
	}
	if (!is_real(sink->elem)) {
		uint64_t sum = (uint64_t)sink->count;

		for (int64_t i = 0; i < n; i++)
			sum += (uint64_t)integer_at(sink->elem, values, i);
		sink->count = (int64_t)sum;
		return;
	}
	if (sink->elem == MPA_F64) {
		exact_add(&sink->sum, values, n);
		return;
	}
	for (int64_t i = 0; i < n; i++)
		wide[i] = (double)((const float *)values)[i];
	exact_add(&sink->sum, wide, n);
}

static void add_product(struct mpa_sink *sink, const void *values, int64_t n,
			int64_t flat, int64_t step)
{
	double value[BLOCK];

	if (!is_real(sink->elem)) {
		for (int64_t i = 0; i < n; i++)
			sink->count =
				(int64_t)((uint64_t)sink->count *
					  (uint64_t)integer_at(sink->elem, values, i));
		return;
	}
	for (int64_t i = 0; i < n; i++)
		value[i] = real_at(sink->elem, values, i);
	if (step == 1)
		product_add(&sink->product, flat, value, n);
	for (int64_t i = 0; i < n && step != 1; i++)
		product_add(&sink->product, flat + i * step, &value[i], 1);
}

static bool is_complex(enum mpa_elem elem)
{
	return elem == MPA_C64 || elem == MPA_C128;
}

static void add_complex(struct mpa_sink *sink, const void *values, int64_t n,
			int64_t flat, int64_t step)
{
	for (int64_t i = 0; i < n; i++) {
		double part[2];

		for (int k = 0; k < 2; k++)
			part[k] = sink->elem == MPA_C64
					  ? (double)((const float *)values)[2 * i + k]
					  : ((const double *)values)[2 * i + k];
		product_add(&sink->product, flat + i * step, part, 1);
	}
}

static void add_truths(struct mpa_sink *sink, const void *values, int64_t n)
{
	const uint8_t *truth = values;
	int64_t sum = 0;

	for (int64_t i = 0; i < n; i++)
		sum += truth[i] != 0;
	sink->count += sink->reduction == MPA_ANY ? sum : n - sum;
}

/* Whether b goes before a: it is more extreme, or as extreme and stands earlier. */
static bool goes_before(const struct mpa_sink *sink, const struct extreme *a,
			const struct extreme *b)
{
	bool max = sink->reduction == MPA_MAX || sink->reduction == MPA_ARGMAX;
	bool place = sink->reduction == MPA_ARGMIN || sink->reduction == MPA_ARGMAX;

	if (!a->any || !b->any)
		return b->any;
	if (!is_real(sink->elem)) {
		if (a->i != b->i)
			return max ? b->i > a->i : b->i < a->i;
		return b->place < a->place;
	}
	if (isnan(a->d) || isnan(b->d))
		return isnan(a->d) && isnan(b->d) ? b->place < a->place : isnan(b->d);
	if (a->d != b->d)
		return max ? b->d > a->d : b->d < a->d;
	if (!place && signbit(a->d) != signbit(b->d))
		return max ? signbit(a->d) : signbit(b->d);
	return b->place < a->place;
}

static void extreme_join(const struct mpa_sink *sink, struct extreme *a,
			 const struct extreme *b)
{
	if (goes_before(sink, a, b))
		*a = *b;
}

typedef double lanes_f64 __attribute__((vector_size(64)));
typedef float lanes_f32 __attribute__((vector_size(64)));
typedef int64_t lanes_i64 __attribute__((vector_size(64)));
typedef int32_t lanes_i32 __attribute__((vector_size(64)));

/* Whether all values are on one side of the best so far, or equal to it where ties do not
 * go before. NaN never is. */
#define ALL_BEHIND(name, real, lanes, truths)                                            \
	VECTOR_CLONES static bool name(const real *value, int64_t n, real best,          \
				       bool max, bool ties)                              \
	{                                                                                \
		enum { LANES = sizeof(lanes) / sizeof(real) };                           \
		truths behind = (truths){ 0 } - 1, tie = (truths){ 0 } - (ties ? 1 : 0); \
		int64_t i = 0;                                                           \
		bool all = true;                                                         \
                                                                                         \
		for (; i + LANES <= n; i += LANES) {                                     \
			lanes v;                                                         \
                                                                                         \
			memcpy(&v, value + i, sizeof v);                                 \
			behind &= (max ? v < best : v > best) | ((v == best) & tie);     \
		}                                                                        \
		for (; i < n; i++)                                                       \
			all &= (max ? value[i] < best : value[i] > best) ||              \
			       (ties && value[i] == best);                               \
		for (int k = 0; k < LANES; k++)                                          \
			all &= behind[k] != 0;                                           \
		return all;                                                              \
	}
ALL_BEHIND(all_behind_f64, double, lanes_f64, lanes_i64)
ALL_BEHIND(all_behind_f32, float, lanes_f32, lanes_i32)

static bool all_behind(const struct mpa_sink *sink, const void *values, int64_t n,
		       int64_t flat)
{
	const struct extreme *best = &sink->extreme;
	bool place = sink->reduction == MPA_ARGMIN || sink->reduction == MPA_ARGMAX;
	bool max = sink->reduction == MPA_MAX || sink->reduction == MPA_ARGMAX;
	bool ties = place ? flat > best->place : best->d != 0;

	if (!best->any || !is_real(sink->elem) || isnan(best->d))
		return false;
	if (sink->elem == MPA_F32)
		return all_behind_f32(values, n, (float)best->d, max, ties);
	return all_behind_f64(values, n, best->d, max, ties);
}

/* Looks at most values only once: those that clearly do not go before are passed by. */
static void add_extreme(struct mpa_sink *sink, const void *values, int64_t n,
			int64_t flat, int64_t step)
{
	struct extreme best = sink->extreme;
	bool max = sink->reduction == MPA_MAX || sink->reduction == MPA_ARGMAX;

	if (all_behind(sink, values, n, flat))
		return;
	for (int64_t i = 0; i < n; i++) {
		struct extreme one = { .any = true, .place = flat + i * step };

		if (is_real(sink->elem)) {
			one.d = real_at(sink->elem, values, i);
			if (best.any && (max ? one.d < best.d : one.d > best.d))
				continue;
		} else {
			one.i = integer_at(sink->elem, values, i);
			if (best.any && (max ? one.i < best.i : one.i > best.i))
				continue;
		}
		extreme_join(sink, &best, &one);
	}
	sink->extreme = best;
}

void mpa_sink_add(struct mpa_sink *sink, const void *values, int64_t n, const int64_t *at)
{
	int64_t flat = 0, last = sink->n_loops - 1;

	switch (sink->reduction) {
	case MPA_SUM:
		add_sum(sink, values, n);
		return;
	case MPA_ANY:
	case MPA_ALL_TRUE:
		add_truths(sink, values, n);
		return;
	default:
		break;
	}
	for (int64_t k = 0; k <= last; k++)
		flat += at[k] * sink->stride[k];
	if (sink->reduction == MPA_PROD && is_complex(sink->elem))
		add_complex(sink, values, n, flat, sink->stride[last]);
	else if (sink->reduction == MPA_PROD)
		add_product(sink, values, n, flat, sink->stride[last]);
	else
		add_extreme(sink, values, n, flat, sink->stride[last]);
}

/* ---- a run's sinks --------------------------------------------------------- */

void sink_reset(struct mpa_sink *sink)
{
	sink->count = sink->reduction == MPA_PROD;
	sink->extreme.any = false;
	sink->product.n = 0;
	memset(&sink->sum, 0, sizeof sink->sum);
}

static void sinks_make(struct mpa_session *s, struct run_state *r)
{
	int64_t n = r->info->n_results, all = n * pool_threads(s->pool);

	r->sink = session_new(s, (size_t)all * sizeof *r->sink);
	for (int64_t i = 0; i < all; i++) {
		struct mpa_sink *sink = session_new(s, sizeof *sink);

		sink->reduction = (enum mpa_reduction)r->info->result[i % n].reduction;
		sink->elem = (enum mpa_elem)r->info->result[i % n].elem;
		sink->product.complex = is_complex(sink->elem);
		sink->n_loops = r->info->call.n_loops;
		r->sink[i] = sink;
	}
}

void reduce_begin(struct mpa_session *s, struct run_state *r)
{
	const struct layout *layout = grid_layout(s, r->info->grid);
	int64_t all = r->info->n_results * pool_threads(s->pool);
	int64_t stride[MPA_MAX_AXES], flat = 1;

	if (!r->sink)
		sinks_make(s, r);
	for (int a = layout->naxes - 1; a >= 0; a--) {
		stride[a] = flat;
		flat *= layout->axis[a].size;
	}
	for (int64_t i = 0; i < all; i++) {
		struct mpa_sink *sink = r->sink[i];

		for (int64_t k = 0; k < sink->n_loops; k++)
			sink->stride[k] = stride[r->info->call.loop_axis[k]];
		sink->product.total = flat;
		sink_reset(sink);
	}
	if (s->gpu)
		collect_begin(s, r);
}

void sink_join_extreme(struct mpa_sink *sink, const struct extreme *other)
{
	extreme_join(sink, &sink->extreme, other);
}

static void sink_join(struct mpa_sink *into, struct mpa_sink *other)
{
	switch (into->reduction) {
	case MPA_SUM:
		into->count = (int64_t)((uint64_t)into->count + (uint64_t)other->count);
		if (is_real(into->elem))
			exact_join(&into->sum, &other->sum);
		return;
	case MPA_PROD:
		into->count = (int64_t)((uint64_t)into->count * (uint64_t)other->count);
		product_join(&into->product, other->product.node, other->product.n);
		into->product.failed |= other->product.failed;
		return;
	case MPA_ANY:
	case MPA_ALL_TRUE:
		into->count += other->count;
		return;
	default:
		extreme_join(into, &into->extreme, &other->extreme);
	}
}

/* What ranks send each other: all sinks of a run but their products of reals. */
struct joining {
	int64_t n;
};

static void join_states(void *into, const void *other, void *arg)
{
	const struct joining *j = arg;

	for (int64_t i = 0; i < j->n; i++) {
		struct mpa_sink *a = (struct mpa_sink *)into + i;
		struct mpa_sink b = ((const struct mpa_sink *)other)[i];

		b.product = (struct product){ .total = 0 };
		sink_join(a, &b);
	}
}

static void join_ranks(struct mpa_session *s, struct run_state *r)
{
	struct joining j = { r->info->n_results };
	size_t bytes = (size_t)j.n * sizeof(struct mpa_sink);
	struct mpa_sink *state;

	if (s->comm->size == 1)
		return;
	state = session_new(s, bytes);
	for (int64_t i = 0; i < j.n; i++) {
		state[i] = *r->sink[i];
		state[i].product = (struct product){ .total = 0 };
	}
	session_sent(s,
		     comm_all_combine(s->comm, state, (int64_t)bytes, join_states, &j));
	for (int64_t i = 0; i < j.n; i++) {
		struct product own = r->sink[i]->product;

		*r->sink[i] = state[i];
		r->sink[i]->product = own;
	}
	mem_free(state);
}

/* The one node of a product of all points. */
static void product_alone(struct product *p, double part[2])
{
	product_close(p);
	part[0] = p->n == 1 ? p->node[0].value : p->total == 0 ? 1 : NAN;
	part[1] = p->n == 1 ? p->node[0].imag : 0;
}

/* All nodes go to rank 0, which joins them; its value is everyone's. */
static void product_value(struct mpa_session *s, struct mpa_sink *sink, double part[2])
{
	struct product *p = &sink->product;
	int64_t *counts = session_new(s, (size_t)s->comm->size * sizeof *counts);
	int64_t all = 0;
	struct node *nodes;

	product_close(p);
	counts[s->comm->rank] = p->n * (int64_t)sizeof *nodes;
	session_sent(s, comm_all_reduce(s->comm, COMM_SUM_I64, counts, s->comm->size));
	for (int r = 0; r < s->comm->size; r++)
		all += counts[r];
	nodes = session_new(s, s->comm->rank == 0 ? (size_t)all : 0);
	session_sent(s, comm_gather(s->comm, 0, p->node, nodes, counts));
	if (s->comm->rank == 0) {
		p->n = 0;
		product_join(p, nodes, all / (int64_t)sizeof *nodes);
		product_alone(p, part);
	}
	mem_free(nodes);
	mem_free(counts);
	session_agree(s, NULL,
		      p->failed ? fault_set(&s->fault, MPA_MEMORY,
					    "out of memory for a product")
				: MPA_OK);
	session_sent(s, comm_bcast(s->comm, 0, part, 2 * sizeof *part));
}

const char *reduction_text(enum mpa_reduction reduction)
{
	static const char *const name[] = {
		"sum", "prod",   "min",    "max",    "any",
		"all", "argmin", "argmax", "cumsum", "cumprod"
	};

	return name[reduction];
}

static int64_t as_bits(double value)
{
	int64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

void sink_parts(struct mpa_sink *sink, double part[2])
{
	product_alone(&sink->product, part);
}

int64_t sink_value(struct mpa_sink *sink)
{
	bool real = is_real(sink->elem);
	double part[2];

	switch (sink->reduction) {
	case MPA_SUM:
		return real ? as_bits(exact_value(&sink->sum)) : sink->count;
	case MPA_PROD:
		if (!real)
			return sink->count;
		product_alone(&sink->product, part);
		return as_bits(part[0]);
	case MPA_ANY:
		return sink->count != 0;
	case MPA_ALL_TRUE:
		return sink->count == 0;
	case MPA_ARGMIN:
	case MPA_ARGMAX:
		return sink->extreme.place;
	default:
		return real ? as_bits(sink->extreme.d) : sink->extreme.i;
	}
}

/* After all ranks were joined; 16 bytes. */
static void sink_result(struct mpa_session *s, const struct run_state *r,
			struct mpa_sink *sink, int64_t *result)
{
	double part[2];

	switch (sink->reduction) {
	case MPA_PROD:
		if (!is_real(sink->elem) && !is_complex(sink->elem))
			break;
		product_value(s, sink, part);
		memcpy(result, part, sizeof part);
		return;
	case MPA_SUM:
	case MPA_ANY:
	case MPA_ALL_TRUE:
		break;
	default:
		if (!sink->extreme.any)
			session_fail(s, r->info->where, "%s of no points",
				     reduction_text(sink->reduction));
	}
	*result = sink_value(sink);
}

void reduce_end(struct mpa_session *s, struct run_state *r)
{
	int64_t n = r->info->n_results, all = n * pool_threads(s->pool);
	bool counts = layout_is_first(grid_layout(s, r->info->grid), s->comm->rank);

	if (s->gpu)
		collect_end(s, r);
	for (int64_t i = 0; i < all; i++) {
		if (!counts)
			sink_reset(r->sink[i]);
		else if (i >= n)
			sink_join(r->sink[i % n], r->sink[i]);
	}
	join_ranks(s, r);
	for (int64_t i = 0; i < n; i++)
		sink_result(s, r, r->sink[i], &r->result[2 * i]);
}

void reduce_free(struct mpa_session *s, struct run_state *r)
{
	int64_t all = r->sink ? r->info->n_results * pool_threads(s->pool) : 0;

	for (int64_t i = 0; i < all; i++) {
		product_free(&r->sink[i]->product);
		mem_free(r->sink[i]);
	}
	mem_free(r->sink);
	r->sink = NULL;
	collect_free(s, r);
}

int64_t mpa_result_i(struct mpa_session *s, int64_t run, int64_t result)
{
	return s->run[run].result[2 * result];
}

double mpa_result_d(struct mpa_session *s, int64_t run, int64_t result)
{
	double value;

	memcpy(&value, &s->run[run].result[2 * result], sizeof value);
	return value;
}

void mpa_result_c(struct mpa_session *s, int64_t run, int64_t result, void *value)
{
	memcpy(value, &s->run[run].result[2 * result], 2 * sizeof(double));
}
