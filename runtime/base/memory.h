/* base/memory.h - allocation
 *
 * Small blocks come from the heap, 64-byte aligned and zeroed. Big ones (array
 * storage) come as whole pages that ask for huge ones; their pages are zero and
 * are placed where they are first touched. An account adds up what is in use. */
#ifndef MPA_BASE_MEMORY_H
#define MPA_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

enum { MEM_LINE = 64, MEM_PAGE = 4096 };

struct mem_account {
	int64_t bytes; /* of big blocks now in use */
	int64_t peak;  /* the most that ever was */
	int64_t count; /* big blocks ever made */
};

struct mem_block {
	char *data; /* page aligned; NULL: none */
	size_t bytes;
};

/* NULL when there is no memory; 0 bytes give a block too. */
void *mem_new(size_t bytes);
void mem_free(void *data);

/* data == NULL when there is no memory. */
struct mem_block mem_block_new(struct mem_account *account, size_t bytes);
void mem_block_free(struct mem_account *account, struct mem_block *block);

#endif
