/* device/cuda/cache.h - code that was compiled before, in files
 *
 * In MPA_CACHE, or mpa below XDG_CACHE_HOME or ~/.cache; MPA_CACHE=off: none. A file's name
 * is a hash of all that the code depends on. Files are written beside and renamed, so
 * others see all of one or nothing; one that is damaged is as if it were not there, and
 * so is a folder that cannot be written, or is full. Together they have at most
 * MPA_CACHE_SIZE MiB: those that were used last stay. A process that is making an entry
 * holds its lock; others wait for MPA_CACHE_WAIT seconds at most, then make it, too. */
#ifndef MPA_DEVICE_CUDA_CACHE_H
#define MPA_DEVICE_CUDA_CACHE_H

#include <stdbool.h>
#include <stddef.h>

struct cache_entry {
	char path[1024];          /* "": there is no cache */
	int lock;                 /* held while it is made; -1: not */
};

/* The entry for these texts, n of them; once no other process is making it. */
void cache_open(struct cache_entry *e, const char *const *key, int n);
/* Two parts, each to be freed by mem_free; false: they are not there. */
bool cache_read(const struct cache_entry *e, char *part[2], size_t bytes[2]);
void cache_write(const struct cache_entry *e, const char *const part[2],
		 const size_t bytes[2]);
void cache_close(struct cache_entry *e);

#endif
