/* device/cpu/pool.h - the threads of a rank
 *
 * Work is divided statically, so the same thread always gets the same share of a
 * range: what it touched first lies near it. The caller is thread 0 and works
 * too. Idle threads spin briefly and then sleep, so idle cores stay free.
 * Only the thread that made the pool runs work on it, and never from inside. */
#ifndef MPA_DEVICE_CPU_POOL_H
#define MPA_DEVICE_CPU_POOL_H

#include <stdint.h>
#include "base/status.h"

struct pool;

/* `cores`: what this rank may use without taking from others (comm->cores).
 * threads == 0: as many. NULL with a message when threads cannot start. */
struct pool *pool_new(int threads, int cores, struct fault *fault);
void pool_free(struct pool *pool);         /* NULL is fine */
int pool_threads(const struct pool *pool); /* of NULL: 1 */

struct pool_span {
	int64_t lo, hi;
	int64_t grain; /* fewest entries worth a thread; 0 counts as 1 */
};

typedef void pool_chunk_fn(void *arg, int64_t chunk);
typedef void pool_range_fn(void *arg, int64_t lo, int64_t hi);

/* Calls fn(arg, c) for each c in 0..nchunks-1 and returns when all are done:
 * thread t takes consecutive chunks, near even. A NULL pool is one thread. */
void pool_run(struct pool *pool, pool_chunk_fn *fn, void *arg, int64_t nchunks);

/* Calls fn(arg, a, b) on at most one piece [a, b) of [lo, hi) per thread; pieces
 * are near even and hold at least `grain` entries. Nothing for an empty range. */
void pool_for(struct pool *pool, pool_range_fn *fn, void *arg, struct pool_span span);

#endif
