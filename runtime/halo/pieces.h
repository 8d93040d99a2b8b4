/* halo/pieces.h - which points fill which ghosts: pure geometry
 *
 * A piece is a box of ghosts that one rank fills for another, or for itself, from
 * points it owns. Both sides compute it alone and come to the same list in the
 * same order. No piece is longer than PIECE_BYTES where it can be divided. */
#ifndef MPA_HALO_PIECES_H
#define MPA_HALO_PIECES_H

#include "halo/halo.h"

enum { PIECE_BYTES = 256 << 10 };

struct piece {
	int peer;         /* the other side; the rank itself for local copies */
	int field;        /* of the plan */
	struct box ghost; /* in the receiver's indices, which may lie outside the grid */
	int64_t shift[MPA_MAX_AXES]; /* source index = ghost index + shift */
	int64_t offset;              /* in the message, bytes; a multiple of 16 */
};

struct pieces {
	struct piece *piece;
	int count, room;
	bool failed; /* out of memory: the list is not complete */
};

/* Appends what fills the ghosts of `rank`, peers and the rank itself. */
void pieces_received(struct pieces *list, const struct halo_field *field, int which,
		     int rank);
/* Appends what other ranks take from the points of `rank`. */
void pieces_sent(struct pieces *list, const struct halo_field *field, int which,
		 int rank);
/* Sorts by peer, then in the order both sides share. */
void pieces_sort(struct pieces *list);
void pieces_free(struct pieces *list);

#endif
