/* array/array.h - storage of one field block with room for ghosts
 *
 * An array holds the owned box of a rank (global indices, axes in written order)
 * and halo_lo/halo_hi points more on each side. In memory local axes are
 * outermost in written order, then the others in written order, the last
 * contiguous. Element i (global) lies at origin + sum i[a] * stride[a] * elem
 * bytes; origin itself may lie outside the block. The first owned point of every
 * row is 64-byte aligned, rows and planes are padded away from multiples of a
 * page, arrays start at different offsets in their pages, and a vector may be
 * read or written across the end of a row or of the block by up to 64 bytes.
 * A rank that holds nothing (layout_holds) has an array without storage: origin is
 * NULL. Another may own an empty box and have room for ghosts beside it.
 *
 * With a GPU an array has a block of the same shape there too. One of the two or both are
 * up to date; array_on_host and array_on_device bring the other one up to date. Host
 * memory that is not cannot be touched. */
#ifndef MPA_ARRAY_ARRAY_H
#define MPA_ARRAY_ARRAY_H

#include <stddef.h>
#include "base/memory.h"
#include "device/cpu/pool.h"
#include "device/cuda/gpu.h"
#include "layout/layout.h"

struct array_spec {
	const struct layout *layout;
	int rank;     /* whose block */
	int64_t elem; /* bytes: 1, 2, 4, 8 or 16 */
	int64_t halo_lo[MPA_MAX_AXES], halo_hi[MPA_MAX_AXES]; /* 0 on local axes */
	const char *name; /* for messages; NULL: it has none */
};

/* What arrays are made with; members outlive the arrays. */
struct array_home {
	struct pool *pool; /* NULL: one thread */
	struct mem_account *account;
	struct fault *fault;
	struct gpu *gpu; /* NULL: they live on the host alone */
};

/* Where an array is up to date: bits. */
enum { ARRAY_ON_HOST = 1, ARRAY_ON_DEVICE = 2 };

struct mpa_array {
	int naxes;
	int64_t elem;
	struct box own; /* what this rank owns */
	int64_t halo_lo[MPA_MAX_AXES];
	int64_t halo_hi[MPA_MAX_AXES];
	int order[MPA_MAX_AXES];      /* axes from outermost to contiguous */
	int64_t stride[MPA_MAX_AXES]; /* in elements, per written axis */
	char *origin;                 /* where global index 0, 0, ... would be */
	struct mem_block block;
	struct gpu *gpu; /* NULL: it lives on the host alone */
	uint64_t device; /* its block there */
	unsigned fresh;  /* with a GPU: where it is up to date */
};

/* Zeros everywhere, ghosts too, first touched by the threads that pool_for gives
 * the same range of the outermost axis that is not local. */
enum mpa_status array_new(struct mpa_array *array, const struct array_spec *spec,
			  const struct array_home *home);
void array_free(struct mpa_array *array, const struct array_home *home);
/* Bytes array_new would take: for the table of memory. */
int64_t array_bytes(const struct array_spec *spec);

/* The block is up to date on the host, or the device; with `writes` there alone, as what
 * writes it is to follow. Nothing to do without a GPU, or without storage. */
enum mpa_status array_on_host(struct mpa_array *array, bool writes, struct fault *fault);
enum mpa_status array_on_device(struct mpa_array *array, bool writes,
				struct fault *fault);
/* The array with addresses of the device for those of the host: to compute with. */
struct mpa_array array_of_device(const struct mpa_array *array);
/* Zeros everywhere again. */
enum mpa_status array_zero(struct mpa_array *array, const struct array_home *home);
/* One element, from wherever it is. */
enum mpa_status array_get(const struct mpa_array *array, const int64_t *index, void *to,
			  struct fault *fault);

/* Has it points of its own? A rank may have storage for ghosts alone. */
bool array_owns(const struct mpa_array *array);
/* Owned box with ghosts. */
struct box array_extent(const struct mpa_array *array);
/* Address of an element inside array_extent. */
void *array_at(const struct mpa_array *array, const int64_t *index);
/* Equal element size, box, halos: may be swapped. */
bool array_alike(const struct mpa_array *a, const struct mpa_array *b);
/* Exchanges the storage of two arrays that are alike, in O(1). */
void array_swap(struct mpa_array *a, struct mpa_array *b);
/* Copies `box`, cut to what both arrays hold, from src to dst; equal elem, axes
 * and order, not the same storage. Where both are on a GPU, there. */
enum mpa_status array_copy(struct mpa_array *dst, struct mpa_array *src,
			   const struct box *box, const struct array_home *home);
/* Contiguous elements of `box` in written C order to and from an array. */
void array_pack(const struct mpa_array *array, const struct box *box, void *out);
void array_unpack(struct mpa_array *array, const struct box *box, const void *in);

#endif
