/* device/cpu/pool.c - threads that take their share of a range
 *
 * A run is announced by one counter that all workers watch, and ends when the
 * count of workers still busy reaches zero. Both sides spin for a few
 * microseconds, which a step of a small grid needs, and then sleep in the kernel
 * on the counter, so that more threads than cores do not hurt. */
#include "device/cpu/pool.h"

#include <errno.h>
#include <fenv.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/memory.h"

enum { SPINS = 4000, SPINS_CROWDED = 50 };

/* One per line: the counters are written by different threads. */
struct signal {
	_Alignas(MEM_LINE) _Atomic uint32_t value;
	_Atomic uint32_t sleepers;
};

struct worker {
	struct pool *pool;
	int index;
	pthread_t thread;
};

struct pool {
	struct signal round; /* one more for every run */
	struct signal busy;  /* workers that have not finished this run */
	int threads, started;
	int spins;
	bool closing;
	pool_chunk_fn *fn;
	void *arg;
	int64_t nchunks;
	struct worker *worker;
};

static void relax(void)
{
#if defined __x86_64__ || defined __i386__
	__builtin_ia32_pause();
#else
	atomic_signal_fence(memory_order_seq_cst);
#endif
}

/* Waits until the value is no longer `old`. */
static uint32_t signal_wait(struct signal *s, uint32_t old, int spins)
{
	uint32_t now;

	for (int i = 0; i < spins; i++) {
		now = atomic_load_explicit(&s->value, memory_order_acquire);
		if (now != old)
			return now;
		relax();
	}
	atomic_fetch_add(&s->sleepers, 1);
	while ((now = atomic_load(&s->value)) == old)
		syscall(SYS_futex, &s->value, FUTEX_WAIT_PRIVATE, old, NULL, NULL, 0);
	atomic_fetch_sub(&s->sleepers, 1);
	return now;
}

static void signal_wake(struct signal *s)
{
	if (atomic_load(&s->sleepers) > 0)
		syscall(SYS_futex, &s->value, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static void pool_share(struct pool *pool, int thread)
{
	int64_t each = pool->nchunks / pool->threads,
		extra = pool->nchunks % pool->threads;
	int64_t lo = thread * each + (thread < extra ? thread : extra);
	int64_t hi = lo + each + (thread < extra);

	for (int64_t c = lo; c < hi; c++)
		pool->fn(pool->arg, c);
}

static void *worker_main(void *arg)
{
	struct worker *worker = arg;
	struct pool *pool = worker->pool;
	uint32_t round = 0;

	fesetenv(FE_DFL_ENV); /* a thread begins with that of the one that made it */
	for (;;) {
		round = signal_wait(&pool->round, round, pool->spins);
		if (pool->closing)
			return NULL;
		pool_share(pool, worker->index);
		if (atomic_fetch_sub(&pool->busy.value, 1) == 1)
			signal_wake(&pool->busy);
	}
}

/* Starts a round: workers are at rest, so plain members may be written before. */
static void pool_announce(struct pool *pool)
{
	atomic_store(&pool->busy.value, (uint32_t)pool->started);
	atomic_fetch_add(&pool->round.value, 1);
	signal_wake(&pool->round);
}

static enum mpa_status pool_start(struct pool *pool, struct fault *fault)
{
	for (int i = 1; i < pool->threads; i++) {
		struct worker *worker = &pool->worker[i];
		int error;

		worker->pool = pool;
		worker->index = i;
		error = pthread_create(&worker->thread, NULL, worker_main, worker);
		if (error)
			return fault_set_errno(fault, MPA_SYSTEM, error,
					       "cannot start thread %d of %d", i + 1,
					       pool->threads);
		pool->started++;
	}
	return MPA_OK;
}

struct pool *pool_new(int threads, int cores, struct fault *fault)
{
	struct pool *pool = mem_new(sizeof *pool);

	if (threads < 1)
		threads = cores > 1 ? cores : 1;
	if (pool)
		pool->worker = mem_new((size_t)threads * sizeof *pool->worker);
	if (!pool || !pool->worker) {
		fault_set(fault, MPA_MEMORY, "out of memory for %d threads", threads);
		mem_free(pool);
		return NULL;
	}
	pool->threads = threads;
	pool->spins = threads > cores ? SPINS_CROWDED : SPINS;
	if (pool_start(pool, fault) != MPA_OK) {
		pool_free(pool);
		return NULL;
	}
	return pool;
}

void pool_free(struct pool *pool)
{
	if (!pool)
		return;
	pool->closing = true;
	pool_announce(pool);
	for (int i = 1; i <= pool->started; i++)
		pthread_join(pool->worker[i].thread, NULL);
	mem_free(pool->worker);
	mem_free(pool);
}

int pool_threads(const struct pool *pool)
{
	return pool ? pool->threads : 1;
}

void pool_run(struct pool *pool, pool_chunk_fn *fn, void *arg, int64_t nchunks)
{
	uint32_t busy;

	if (!pool || pool->threads == 1 || nchunks <= 1) {
		for (int64_t c = 0; c < nchunks; c++)
			fn(arg, c);
		return;
	}
	pool->fn = fn;
	pool->arg = arg;
	pool->nchunks = nchunks;
	pool_announce(pool);
	pool_share(pool, 0);
	while ((busy = atomic_load_explicit(&pool->busy.value, memory_order_acquire)) !=
	       0)
		signal_wait(&pool->busy, busy, pool->spins);
}

struct pieces {
	pool_range_fn *fn;
	void *arg;
	int64_t lo, each, extra;
};

static void pieces_run(void *arg, int64_t chunk)
{
	struct pieces *p = arg;
	int64_t lo = p->lo + chunk * p->each + (chunk < p->extra ? chunk : p->extra);

	p->fn(p->arg, lo, lo + p->each + (chunk < p->extra));
}

void pool_for(struct pool *pool, pool_range_fn *fn, void *arg, struct pool_span span)
{
	int64_t n = span.hi - span.lo, grain = span.grain > 1 ? span.grain : 1;
	int64_t pieces = n / grain < pool_threads(pool) ? n / grain : pool_threads(pool);
	struct pieces p = { .fn = fn, .arg = arg, .lo = span.lo };

	if (n <= 0)
		return;
	if (pieces <= 1) {
		fn(arg, span.lo, span.hi);
		return;
	}
	p.each = n / pieces;
	p.extra = n % pieces;
	pool_run(pool, pieces_run, &p, pieces);
}
