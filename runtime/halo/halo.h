/* halo/halo.h - exchange of ghosts: plan once, begin, end
 *
 * A plan serves a list of arrays that are exchanged together: one message per
 * peer for all of them. It fills ghosts that are points of the grid: those other
 * ranks own, and on periodic axes those met by wrapping, from as many ranks as
 * it takes and as often around as it takes. Ghosts beyond walls that no block has
 * grown to, and points on local axes, are not its business. Values always come from owned
 * points, so pieces are independent. Plans hold geometry only: arrays that are alike may
 * take each other's place at every begin. All ranks make the same plans and
 * begin them in the same order; different plans may be in flight together. Arrays of a GPU
 * are packed and unpacked there, all pieces by one launch. */
#ifndef MPA_HALO_HALO_H
#define MPA_HALO_HALO_H

#include "array/array.h"
#include "comm/comm.h"

struct halo_field {
	const struct layout *layout; /* needed by halo_plan_new only */
	int64_t elem;                /* bytes */
	/* points wanted below and above, per written axis; at most what the array
	 * has room for; 0 on local axes */
	int64_t lo[MPA_MAX_AXES], hi[MPA_MAX_AXES];
	/* points beyond the walls that the blocks next to them have values of, as if they
	 * owned them; elsewhere they are ghosts like others */
	int64_t grown_lo[MPA_MAX_AXES], grown_hi[MPA_MAX_AXES];
	/* greatest number of axes along which a point read is displaced at once:
	 * 1 faces only, 2 edges too, ...; 0 counts as all */
	int diagonal;
};

/* Since the plan was made, on this rank. */
struct halo_counts {
	int64_t exchanges; /* begins */
	int64_t messages;  /* sent */
	int64_t bytes;     /* sent */
	int peers;         /* ranks that one exchange sends to */
};

struct halo_plan;

/* home: that of the arrays. */
struct halo_plan *halo_plan_new(struct comm *comm, const struct array_home *home,
				const struct halo_field *fields, int nfields);
void halo_plan_free(struct halo_plan *plan); /* NULL is fine */

/* Posts receives, packs, sends, and copies what the rank has itself. arrays[i] is
 * the array of fields[i]. Values are taken now: owned points may be written
 * before halo_end, ghosts neither read nor written. */
enum mpa_status halo_begin(struct halo_plan *plan, struct mpa_array *const *arrays);
/* Waits and unpacks into the same arrays. */
enum mpa_status halo_end(struct halo_plan *plan);
/* Lets messages progress while the interior is computed. */
void halo_progress(struct halo_plan *plan);

struct halo_counts halo_plan_counts(const struct halo_plan *plan);

#endif
