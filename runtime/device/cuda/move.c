/* device/cuda/move.c - boxes of elements, moved on the device, all by one launch */
#include "device/cuda/move.h"

#include <string.h>

#include "base/memory.h"
#include "device/cuda/gpu_state.h"

enum { THREADS = 256, MOST_BLOCKS = 4096, MOST_ROWS = 65535 };

static bool list_holds(const struct gpu_list *l, const struct gpu_move *move, int64_t n)
{
	return l->n == n && memcmp(l->move, move, (size_t)n * sizeof *move) == 0;
}

static enum mpa_status list_room(struct gpu *g, struct gpu_list *l, int64_t n,
				 struct fault *fault)
{
	enum mpa_status st;

	if (n <= l->room)
		return MPA_OK;
	gpu_free(g, l->device);
	mem_free(l->move);
	*l = (struct gpu_list){ .move = mem_new((size_t)n * sizeof *l->move) };
	if (!l->move)
		return fault_set(fault, MPA_MEMORY, "out of memory");
	st = gpu_alloc(g, n * (int64_t)sizeof *l->move, "a list of moves", &l->device,
		       fault);
	if (st == MPA_OK)
		l->room = n;
	return st;
}

/* The list on the device. */
static enum mpa_status list_find(struct gpu *g, struct gpu_moves *kept,
				 const struct gpu_move *move, int64_t n, uint64_t *at,
				 struct fault *fault)
{
	struct gpu_list *l = &kept->list[kept->oldest];
	int64_t bytes = n * (int64_t)sizeof *move;
	enum mpa_status st;

	for (int i = 0; i < 2; i++)
		if (list_holds(&kept->list[i], move, n)) {
			kept->oldest = !i;
			*at = kept->list[i].device;
			return MPA_OK;
		}
	kept->oldest = !kept->oldest;
	l->n = 0;
	st = list_room(g, l, n, fault);
	if (st != MPA_OK)
		return st;
	memcpy(l->move, move, (size_t)bytes);
	l->n = n;
	*at = l->device;
	return gpu_failed(g, g->driver.to_device(l->device, move, (size_t)bytes),
			  "take a list of moves", fault);
}

enum mpa_status gpu_move(struct gpu *g, struct gpu_moves *kept, enum gpu_queue queue,
			 const struct gpu_move *move, int64_t n, struct fault *fault)
{
	int64_t points = 0, blocks;
	uint64_t list;
	void *function, *args[] = { &list, &n };
	enum mpa_status st;

	for (int64_t i = 0; i < n; i++)
		points = move[i].points > points ? move[i].points : points;
	if (points == 0)
		return MPA_OK;
	st = gpu_support(g, "mpa_move", &function, fault);
	if (st == MPA_OK)
		st = list_find(g, kept ? kept : &g->moves, move, n, &list, fault);
	if (st != MPA_OK)
		return st;
	blocks = (points + THREADS - 1) / THREADS;
	blocks = blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS;
	g->counts.launches++;
	return gpu_failed(g,
			  g->driver.launch(function, (unsigned)blocks,
					   (unsigned)(n < MOST_ROWS ? n : MOST_ROWS), 1,
					   THREADS, 1, 1, 0, g->queue[queue], args, NULL),
			  "move points", fault);
}

void gpu_moves_free(struct gpu *g, struct gpu_moves *kept)
{
	for (int i = 0; i < 2; i++) {
		gpu_free(g, kept->list[i].device);
		mem_free(kept->list[i].move);
	}
	memset(kept, 0, sizeof *kept);
}
