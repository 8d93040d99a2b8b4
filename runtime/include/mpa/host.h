/* mpa/host.h - for programs that hold a session themselves: the prompt
 *
 * mpa_main is a program's whole life. A host opens a session without a program, runs
 * one after the other in it, each going on with the axes, families, grids and arrays of
 * the one before, and goes on after failures. All but mpa_announced_rank are
 * collective: every rank makes the same calls in the same order.
 */
#ifndef MPA_HOST_H
#define MPA_HOST_H

#include "mpa/program.h"

struct mpa_host {
	const char *name;                    /* of the host, for messages */
	const char *runtime_dir;             /* where the MPI plug-ins are */
	int argc;                            /* options of the session (argv[0] is none), and */
	char **argv;                         /* values for parameters that are yet to come */
	int (*interrupted)(void *context);   /* shall what runs now stop? Forgets that then */
	void *context;
};

/* How much of the tables is still in use: what lies beyond is forgotten. */
struct mpa_extent { int64_t axes, families, grids, arrays; };

enum mpa_end { MPA_END_DONE, MPA_END_FAILED, MPA_END_EXITED };

/* The rank that the launcher gave this process, before a session is open; alone 0. */
int mpa_announced_rank(void);
/* NULL: it was told why, and *status is what to exit with. */
struct mpa_session *mpa_host_open(const struct mpa_host *host, int *status);
void mpa_host_close(struct mpa_session *s);
int mpa_host_rank(const struct mpa_session *s);
int mpa_host_ranks(const struct mpa_session *s);
/* Do kernels run on GPUs? Programs must bring them then. */
int mpa_host_on_gpu(const struct mpa_session *s);
/* Rank 0's bytes on every rank; others wait for them asleep. */
void mpa_host_share(struct mpa_session *s, void *data, int64_t bytes);
/* Is it true on every rank? */
int mpa_host_all(struct mpa_session *s, int truth);
/* Carries out a program whose tables go on from the last one's. A failure has been told;
 * what was complete before it stays done. EXITED: with *status. */
enum mpa_end mpa_host_run(struct mpa_session *s, const struct mpa_program *next, int *status);
/* Points along an axis; 0: it is not known yet. */
int64_t mpa_host_size(const struct mpa_session *s, int64_t axis);
/* Forgets what lies beyond the extent, and single arrays. Numbers may be used again. */
void mpa_host_cut(struct mpa_session *s, const struct mpa_extent *used);
void mpa_host_forget(struct mpa_session *s, int64_t array);
/* As it was when it was opened. */
void mpa_host_reset(struct mpa_session *s);

#endif
