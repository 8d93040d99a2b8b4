/* exec/exec.h - the state of a running program, and what the files of exec share
 *
 * A session carries out the calls of abi.def. Every rank makes the same calls with
 * the same scalars, so whatever is decided from scalars, sizes and the tables of the
 * program is decided alike everywhere: which ghosts are stale, which plan serves,
 * whether a call fails. What one rank alone can find out (memory, files) the ranks
 * agree on before they go on. */
#ifndef MPA_EXEC_EXEC_H
#define MPA_EXEC_EXEC_H

#include <setjmp.h>
#include <stdbool.h>

#include "array/array.h"
#include "array/move.h"
#include "base/status.h"
#include "comm/comm.h"
#include "device/cpu/pool.h"
#include "exec/options.h"
#include "halo/halo.h"
#include "layout/layout.h"
#include "mpa/abi.h"
#include "mpa/host.h"
#include "mpa/program.h"

/* ---- grids --------------------------------------------------------------- */

struct axis_state {
	bool defined;
	int64_t size;
	double lo, hi;
	int64_t start; /* of a sliced grid: the point of the parent that is its first */
	int64_t n_cuts, *cuts; /* as written: the starts of its blocks and the end; or */
	bool balanced;         /* by the sums of */
	int64_t cost;          /* this array */
};

struct family_state {
	bool defined;
	struct family family;
	int64_t *cuts[MPA_MAX_AXES]; /* what its axes point to */
};

struct grid_state {
	bool made;
	struct layout layout;
	struct layout
		spread; /* the same, its local axes as whole ones: they have ghosts too */
};

/* Points of a region: those of the box that lie a multiple of step from `from`. */
struct region {
	struct box box;
	int64_t from[MPA_MAX_AXES], step[MPA_MAX_AXES];
};

/* ---- arrays -------------------------------------------------------------- */

/* Ghosts up to these widths; points displaced along more axes do not count. */
struct ghosts {
	int64_t width[MPA_MAX_AXES][2];
	int diagonal;
};

struct array_state {
	const struct mpa_array_info *info;
	const struct layout *layout;  /* NULL: not begun yet */
	struct mpa_array now, second; /* second: stride[] all 0 until it is needed */
	bool has_second;
	int64_t room[MPA_MAX_AXES][2];  /* halo that new storage gets */
	int64_t grown[MPA_MAX_AXES][2]; /* of it, beyond walls: written by its own runs */
	int64_t version; /* one more whenever values, or ghosts beyond walls, change */
	bool exchanged_valid, walled_valid;
	struct ghosts exchanged, walled; /* valid to these */
	int n_snapshot;
	int64_t *snapshot; /* of all that its walls read: scalars, versions of fields */
};

/* ---- runs ---------------------------------------------------------------- */

/* Ghosts of one array that a run needs. */
struct need {
	struct array_state *array;
	struct ghosts ghosts;
	bool exchange, fill; /* stale: to be exchanged; to be filled beyond walls */
};

struct needs {
	int n, room;
	struct need *need; /* fields of walls before the arrays that have these walls */
};

struct exchange; /* needs.c */

struct run_state {
	const struct mpa_run_info *info;
	struct mpa_view *view;
	struct needs needs;
	struct exchange *exchanges; /* all that it has needed so far */
	struct mpa_sink **sink;     /* [thread * n_results + result] */
	int64_t *result;            /* 16 bytes each */
	uint64_t collected;         /* on the GPU: its results so far (collect.c) */
	int64_t calls;
	double seconds;
};

/* ---- copies --------------------------------------------------------------- */

struct copy_state {
	const struct mpa_copy_info *info;
	struct move move;          /* what the plan serves */
	struct move_plan *plan;    /* NULL: none is kept */
	struct move_counts counts; /* of plans that are gone */
	int64_t calls;
	double seconds;
};

/* ---- the session --------------------------------------------------------- */

struct local;      /* local.c */
struct fold_state; /* fold.c */
struct text;       /* text.c */
struct files;      /* files.c */
struct trace;      /* trace.c */
struct transfers;  /* transfers.c */

/* How what session_try was asked to do has ended. */
enum session_end { SESSION_DONE, SESSION_FAILED, SESSION_EXITED };
struct recovery {
	jmp_buf at;
	enum session_end end;
	int status; /* EXITED: with this */
};

/* What a session gives its programs beyond what they bring: variables, which live on
 * from one program to the next. */
enum { MPA_CELL_KINDS = 2 };
struct cells {
	int64_t n;
	void *data;
};

/* Is this rank asked to stop what runs? Asked at turns of loops, ever less often. */
struct watch {
	int (*interrupted)(void *context);
	void *context;
	int64_t left, every; /* turns until the ranks agree again */
	double last;
};

struct mpa_session {
	const struct mpa_program *program;
	struct options options;
	struct fault fault;
	struct comm *comm;
	struct pool *pool;
	struct gpu *gpu; /* NULL: kernels run on the CPU */
	struct values {  /* on it, room for values of reductions: bytes at an address */
		uint64_t at;
		int64_t bytes;
	} values;
	struct mem_account account;
	struct array_home home, beside; /* beside: of arrays that stay on the host */
	int64_t *args;
	struct axis_state *axis;
	struct family_state *family;
	struct grid_state *grid;
	struct array_state *array;
	struct run_state *run;
	struct copy_state *copy;
	struct fold_state *folds; /* a list, as they occur */
	int64_t *wall_args;       /* room for the snapshot of any array */
	int64_t draws;
	double start;
	struct text *text;
	struct local *local; /* of the first local block on, until the session ends */
	struct files *files;
	struct trace *trace;               /* NULL: not asked for */
	struct transfers *transfers;       /* NULL: none were counted */
	double loop_start, progress_shown; /* of --progress */
	struct recovery *recovery;         /* NULL: failures end the process */
	struct fault *told; /* failures are kept here, not printed; NULL: printed */
	struct cells cells[MPA_CELL_KINDS];
	struct watch watch;
};

/* session.c */
/* With program, options and comm set: threads and tables; then body may be called. */
void session_start(struct mpa_session *s);
void session_free(struct mpa_session *s); /* all but comm */
/* Prints what --help or --version ask for; false: they do not. */
bool session_informs(struct mpa_session *s);
/* Refuses a --backend that is not there. */
void session_backend(struct mpa_session *s, const char *where);
/* Fails on every rank: prints one message "where: error: …", ends the program. */
_Noreturn void session_fail(struct mpa_session *s, const char *where, const char *format,
			    ...) __attribute__((format(printf, 3, 4)));
/* Collective: goes on if all ranks are well, else fails with the first rank's message. */
void session_agree(struct mpa_session *s, const char *where, enum mpa_status mine);
/* After a message was lost: ends all ranks where they are. */
void session_sent(struct mpa_session *s, enum mpa_status status);
/* Calls fn; what fails or exits in it comes back here, on every rank. A failure has been
 * told. Calls may be nested; what fn made and did not keep in the session is lost. */
enum session_end session_try(struct mpa_session *s, void (*fn)(struct mpa_session *s),
			     int *status);
/* Ends this rank in order, or the session_try around; every rank. */
_Noreturn void session_exit(struct mpa_session *s, int status);
/* True if all that was printed has reached its destination. */
bool output_flush(void);
/* Prints on this rank alone; does not return if that fails. where may be NULL. */
void output_write(struct mpa_session *s, const char *where, const char *text, size_t n);
/* Small memory of the session; does not return without. */
void *session_new(struct mpa_session *s, size_t bytes);

/* tables.c */
/* The state of all that the program describes. */
void tables_open(struct mpa_session *s);
/* The same for `next`, whose axes, families, grids and arrays go on where those of the
 * program end: what has a number already keeps its state. */
void tables_extend(struct mpa_session *s, const struct mpa_program *next);
void tables_free(struct mpa_session *s);

/* grids.c */
/* Tells if --procs is meant for no grid of the program. */
void procs_check(struct mpa_session *s);
void family_forget(struct family_state *f); /* frees its cuts */
const struct layout *grid_layout(struct mpa_session *s, int64_t grid);
/* Where an axis (by id) stands in a grid; -1: nowhere. */
int grid_place(const struct mpa_program *p, int64_t grid, int64_t axis);
/* Python's slice.indices: the first of n points that lo:hi:step takes, and how many. */
void slice_take(const struct mpa_slice *slice, const int64_t *arg, int64_t n,
		int64_t *start, int64_t *count);
/* The part of the grid that a run writes, all ranks' points, ghosts it grows to excluded.
 */
struct region region_resolve(struct mpa_session *s, const struct mpa_run_info *run);
struct region region_whole(const struct box *box);
/* Points of the region inside `box`; its box is empty if there are none. */
struct region region_cut(const struct region *r, const struct box *box);
bool region_is_box(const struct region *r); /* all steps are 1 */
int64_t region_points(const struct region *r);
/* Calls fn for boxes that together are the region. */
typedef void box_fn(void *arg, const struct box *box);
void region_each(const struct region *r, box_fn *fn, void *arg);
/* Calls fn for boxes that make up `all` without `part`, which lies in it. */
void box_complement(const struct box *all, const struct box *part, box_fn *fn, void *arg);


/* cuts.c */
/* The parts that written cuts ask for; procs: `want` says already what procs(…) does. */
void cuts_want(struct mpa_session *s, const struct mpa_family_info *info, bool procs,
	       int *want);
/* The starts of so many parts and the end, to be freed; NULL: near even. Collective. */
int64_t *cuts_make(struct mpa_session *s, const char *where, int64_t axis, int parts);
void axis_forget_cuts(struct axis_state *a);

/* arrays.c */
int64_t array_elem_bytes(int64_t elem); /* of an enum mpa_elem that fields have */
struct array_state *array_of(struct mpa_session *s, int64_t id); /* makes a stage */
void array_need_second(struct mpa_session *s, struct array_state *a);
/* Room for ghosts of these widths in the storage now current. */
void array_need_room(struct mpa_session *s, struct array_state *a,
		     const struct ghosts *g);
void array_changed(struct array_state *a);
/* Up to date on the host, for what does not run on a GPU; does not return if that fails. */
struct mpa_array *array_read(struct mpa_session *s, struct array_state *a);
/* The same, and the host will write. */
struct mpa_array *array_write(struct mpa_session *s, struct array_state *a);
/* The second buffer holds the points of the region; the others keep their value. */
void array_commit(struct mpa_session *s, struct array_state *a, const struct region *r);
void array_exchange_places(struct array_state *a, struct array_state *b);
void array_forget(struct mpa_session *s, struct array_state *a); /* frees its storage */
/* Its block and, at walls, the points beyond that its own runs write. */
struct box array_written(const struct array_state *a);

/* launch.c */
struct launch {
	const struct mpa_call *call;
	int naxes;
	struct mpa_sink *const *sink; /* as in run_state, or NULL */
	int n_results;
	const struct layout *layout;
	const struct mpa_view *view;
	struct exchange *flying; /* meanwhile, or NULL */
	uint64_t collected;      /* as in run_state */
};
/* What a view of a kernel is bound to. */
struct mpa_array *launch_storage(struct mpa_session *s, const struct mpa_call *call,
				 int64_t v);
void launch_bind(struct mpa_session *s, const struct mpa_call *call,
		 struct mpa_view *view);
void launch_region(struct mpa_session *s, const struct launch *l, const struct region *r);

/* offload.c */
/* Opens the rank's GPU for the kernels of the program; fails on every rank. */
void offload_open(struct mpa_session *s, const char *where);
/* For --backend=auto: the GPU if every rank has one that can run the kernels; tells which. */
void offload_choose(struct mpa_session *s);
void offload_print(struct mpa_session *s);
/* The kernels of another program, which goes on with the fields of the one before. */
void offload_program(struct mpa_session *s, const char *where);
void offload_close(struct mpa_session *s);
void offload_region(struct mpa_session *s, const struct launch *l, const struct region *r);

/* room.c */
/* Fails on every rank, with a table of what there is, where the GPU of one has not the
 * room for more. Collective. */
void room_check(struct mpa_session *s, const char *where, const struct array_state *a,
		int64_t bytes);

/* direct.c: whether messages go by memory of the host. Collective. */
void direct_choose(struct mpa_session *s, const char *where);

/* collect.c: results of runs, made on the GPU */
void collect_begin(struct mpa_session *s, struct run_state *r);
/* The values of n[k] points from lo[k] on of each loop, at `values` on the device, go to
 * result i; false: this reduction is not made there. */
bool collect_values(struct mpa_session *s, const struct launch *l, int i, uint64_t values,
		    const int64_t *lo, const int64_t *n);
void collect_end(struct mpa_session *s, struct run_state *r); /* into the sinks */
void collect_free(struct mpa_session *s, struct run_state *r);

/* needs.c */
/* What run r needs that is stale now; true if something is. */
bool needs_collect(struct mpa_session *s, struct run_state *r);
/* The plan for what is to be exchanged; NULL: nothing is. */
struct exchange *needs_exchange(struct mpa_session *s, struct run_state *r);
void exchange_begin(struct mpa_session *s, struct exchange *e);
void exchange_end(struct mpa_session *s, struct exchange *e);
void exchange_progress(struct exchange *e);
const bool (*exchange_remote(const struct exchange *e))[2];
struct halo_counts exchange_counts(const struct exchange *e);
struct exchange *exchange_next(const struct exchange *e);
void exchanges_free(struct run_state *r);

/* walls.c */
/* Fills what is stale beyond the walls of the arrays needed. */
void walls_fill(struct mpa_session *s, const struct needs *needs);
/* Beforehand: what needs no ghosts from across the sides marked remote (per axis id). */
bool walls_fill_early(struct mpa_session *s, const struct needs *needs,
		      const bool (*remote)[2]);
int walls_snapshot(struct mpa_session *s, const struct array_state *a, int64_t *into);
int walls_snapshot_size(const struct mpa_array_info *info, const struct mpa_program *p);
bool walls_mirror(const struct array_state *a, int axis, int side);
/* Fails where a mirror would see beyond the other wall, and there nothing is given. */
void walls_check(struct mpa_session *s, const struct mpa_run_info *info,
		 const struct region *all);

/* reduce.c */
void reduce_begin(struct mpa_session *s, struct run_state *r);
void reduce_end(struct mpa_session *s, struct run_state *r);
void reduce_free(struct mpa_session *s, struct run_state *r);

/* local.c */
bool local_is_open(const struct mpa_session *s);
void local_print(struct mpa_session *s, const char *text, size_t n);
void local_free(struct mpa_session *s);

/* fold.c */
void folds_forget(struct mpa_session *s, int64_t family); /* what is kept; -1: of all */
void folds_free(struct mpa_session *s);
struct fold_profile {
	const char *where, *name;
	int64_t calls;
	double seconds;
	struct move_counts counts;
};
/* The i-th fold that has occurred; false: there are no more. The same on all ranks. */
bool fold_line(const struct mpa_session *s, int64_t i, struct fold_profile *line);

/* copy.c */
void copy_forget(struct copy_state *c); /* its plan */
struct move_counts copy_counts(const struct copy_state *c);

/* text.c */
void text_free(struct mpa_session *s);
const char *text_made(const struct mpa_session *s); /* the one in progress */
/* A copy that lives as long as the session. */
const char *text_keep(struct mpa_session *s, const char *text);

/* files.c */
void files_free(struct mpa_session *s);

/* trace.c */
enum trace_kind {
	TRACE_RUN,
	TRACE_EXCHANGE,
	TRACE_COPY,
	TRACE_FOLD
};                  /* EXCHANGE: the wait for it */
struct trace_what { /* texts of the program's tables */
	const char *where, *name;
	enum trace_kind kind;
};
void trace_begin(struct mpa_session *s);
/* Something that began at `start` (clock_now) has ended. */
void trace_add(struct mpa_session *s, struct trace_what what, double start);
void trace_write(struct mpa_session *s); /* collective */
void trace_free(struct mpa_session *s);

/* transfers.c */
/* What went between host and GPU since the last call was for this place; NULL: for a text
 * that has none. Where the whole of a session's calls have been counted, all are. */
void transfers_count(struct mpa_session *s, const char *where);
void transfers_print(struct mpa_session *s); /* collective; of --profile */
void transfers_free(struct mpa_session *s);

/* profile.c */
void profile_print(struct mpa_session *s);

#endif
