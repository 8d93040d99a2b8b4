/* exec/collect.c - results of reductions, made on the GPU
 *
 * Each result has a slot there, all zeros when a run begins: the digits of an exact sum,
 * an integer, or the best of each block of threads. Kernels of support.cu add values to it;
 * at the end it goes to the sink, and on as what a thread has found. Products are made
 * by the host. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "device/cuda/gpu.h"
#include "exec/reduce.h"

enum { BEST_BLOCKS = 256, SUM_BLOCKS = 1024, BEST_WORDS = 3 };
enum { SLOT_WORDS = BEST_BLOCKS * BEST_WORDS, SLOT_BYTES = SLOT_WORDS * 8 };

/* support.cu has them too */
struct extremes {
	int64_t loops, lo[MPA_MAX_AXES], n[MPA_MAX_AXES], stride[MPA_MAX_AXES];
	int64_t max, place;
};
struct best {
	int64_t value, place, any;
};

static bool is_extreme(const struct mpa_sink *sink)
{
	return sink->reduction == MPA_MIN || sink->reduction == MPA_MAX ||
	       sink->reduction == MPA_ARGMIN || sink->reduction == MPA_ARGMAX;
}

static bool is_made(const struct mpa_sink *sink)
{
	return sink->reduction != MPA_PROD;
}

void collect_begin(struct mpa_session *s, struct run_state *r)
{
	int64_t bytes = r->info->n_results * SLOT_BYTES;

	if (!r->collected)
		session_sent(s, gpu_alloc(s->gpu, bytes, "results", &r->collected,
					  &s->fault));
	session_sent(s, gpu_zero(s->gpu, r->collected, bytes, &s->fault));
}

void collect_free(struct mpa_session *s, struct run_state *r)
{
	if (r->collected)
		gpu_free(s->gpu, r->collected);
	r->collected = 0;
}

/* The kernel for values of this type. */
static const char *kernel_of(const struct mpa_sink *sink)
{
	static const char *const sums[] = {
		[MPA_BOOL] = "mpa_sum_u8", [MPA_U8] = "mpa_sum_u8",
		[MPA_I32] = "mpa_sum_i32", [MPA_I64] = "mpa_sum_i64",
		[MPA_F32] = "mpa_sum_f32", [MPA_F64] = "mpa_sum_f64",
	};
	static const char *const extremes[] = {
		[MPA_BOOL] = "mpa_extreme_u8", [MPA_U8] = "mpa_extreme_u8",
		[MPA_I32] = "mpa_extreme_i32", [MPA_I64] = "mpa_extreme_i64",
		[MPA_F32] = "mpa_extreme_f32", [MPA_F64] = "mpa_extreme_f64",
	};

	if (sink->reduction == MPA_ANY || sink->reduction == MPA_ALL_TRUE)
		return "mpa_true_u8";
	return is_extreme(sink) ? extremes[sink->elem] : sums[sink->elem];
}

static int64_t blocks_for(int64_t points, int64_t most)
{
	int64_t blocks = (points + GPU_THREADS - 1) / GPU_THREADS;

	return blocks < most ? blocks : most;
}

bool collect_values(struct mpa_session *s, const struct launch *l, int i, uint64_t values,
		    const int64_t *lo, const int64_t *n)
{
	struct mpa_sink *sink = l->sink[i];
	struct extremes e = { .loops = l->call->n_loops };
	uint64_t slot = l->collected + (uint64_t)i * SLOT_BYTES;
	int64_t points = 1;
	void *args[] = { &values, &points, &slot, &e };

	if (!is_made(sink))
		return false;
	for (int64_t k = 0; k < e.loops; k++) {
		e.lo[k] = lo[k];
		e.n[k] = n[k];
		e.stride[k] = sink->stride[k];
		points *= n[k];
	}
	e.max = sink->reduction == MPA_MAX || sink->reduction == MPA_ARGMAX;
	e.place = sink->reduction == MPA_ARGMIN || sink->reduction == MPA_ARGMAX;
	session_sent(s, gpu_call(s->gpu, kernel_of(sink),
				 blocks_for(points, is_extreme(sink) ? BEST_BLOCKS
								     : SUM_BLOCKS),
				 args, &s->fault));
	if (sink->reduction == MPA_ALL_TRUE)
		sink->count += points; /* of which the true ones are taken off */
	return true;
}

static void take_extremes(struct mpa_sink *sink, const int64_t *slot)
{
	bool real = sink->elem == MPA_F32 || sink->elem == MPA_F64;

	for (int b = 0; b < BEST_BLOCKS; b++, slot += BEST_WORDS) {
		struct best best;
		struct extreme one = { .any = true };

		memcpy(&best, slot, sizeof best);
		if (!best.any)
			continue;
		one.place = best.place;
		if (real)
			memcpy(&one.d, &best.value, sizeof one.d);
		else
			one.i = best.value;
		sink_join_extreme(sink, &one);
	}
}

static void take_slot(struct mpa_sink *sink, const int64_t *slot)
{
	if (is_extreme(sink))
		take_extremes(sink, slot);
	else if (sink->reduction == MPA_ALL_TRUE)
		sink->count -= *slot;
	else if (sink->elem == MPA_F32 || sink->elem == MPA_F64)
		exact_add_digits(&sink->sum, slot, slot[EXACT_DIGITS],
				 slot[EXACT_DIGITS + 1], slot[EXACT_DIGITS + 2]);
	else
		sink->count = (int64_t)((uint64_t)sink->count + (uint64_t)*slot);
}

void collect_end(struct mpa_session *s, struct run_state *r)
{
	int64_t n = r->info->n_results;
	int64_t *slots = session_new(s, (size_t)(n * SLOT_BYTES));

	session_sent(s, gpu_get(s->gpu, slots, r->collected, n * SLOT_BYTES, &s->fault));
	for (int64_t i = 0; i < n; i++)
		if (is_made(r->sink[i]))
			take_slot(r->sink[i], slots + i * SLOT_WORDS);
	mem_free(slots);
}
