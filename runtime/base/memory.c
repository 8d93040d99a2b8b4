/* base/memory.c - small blocks from the heap, big ones as pages
 *
 * Big blocks are aligned to the size of a huge page where that costs little, so
 * that the kernel can serve them from huge pages from the first byte on. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE = 2 << 20 };

void *mem_new(size_t bytes)
{
	size_t size = (bytes + MEM_LINE) / MEM_LINE * MEM_LINE;
	void *data;

	if (size < bytes)
		return NULL;
	data = aligned_alloc(MEM_LINE, size);
	if (data)
		memset(data, 0, size);
	return data;
}

void mem_free(void *data)
{
	free(data);
}

/* Pages of `bytes` bytes that start at a multiple of `align`. */
static char *pages_new(size_t bytes, size_t align)
{
	size_t all = bytes + align - MEM_PAGE, before;
	char *data = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);

	if (data == MAP_FAILED)
		return NULL;
	before = -(size_t)data & (align - 1);
	if (before > 0)
		munmap(data, before);
	if (all - before > bytes)
		munmap(data + before + bytes, all - before - bytes);
	return data + before;
}

struct mem_block mem_block_new(struct mem_account *account, size_t bytes)
{
	size_t size = (bytes + MEM_PAGE) / MEM_PAGE * MEM_PAGE;
	struct mem_block block = { NULL, 0 };

	if (size < bytes || size > PTRDIFF_MAX - (size_t)HUGE)
		return block;
	block.data = pages_new(size, size >= HUGE ? HUGE : MEM_PAGE);
	if (!block.data)
		return block;
	if (size >= HUGE)
		madvise(block.data, size, MADV_HUGEPAGE);
	block.bytes = size;
	account->bytes += (int64_t)size;
	account->count++;
	if (account->bytes > account->peak)
		account->peak = account->bytes;
	return block;
}

void mem_block_free(struct mem_account *account, struct mem_block *block)
{
	if (!block->data)
		return;
	munmap(block->data, block->bytes);
	account->bytes -= (int64_t)block->bytes;
	*block = (struct mem_block){ NULL, 0 };
}
