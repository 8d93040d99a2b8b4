/* array/evaluator.h - what the files of the evaluator share
 *
 * Private to this folder. A world is the value of every variable and field at one
 * moment; the program changes the present one, and a stage keeps the world in which
 * it was defined (as far as it can be seen from there), so that its ghosts stay what
 * they were. Stores are counted and copied when a shared one is written.
 */
#ifndef ARRAY_EVALUATOR_H
#define ARRAY_EVALUATOR_H

#include "array/scalar.h"
#include "support/strbuf.h"

struct store {                               /* the values of a field at its points */
	int refs;
	int64_t n;
	union scalar *value;                 /* C order of the grid's axes */
	struct world *world;                 /* stages: where their ghosts are made */
};

struct world {
	int refs;
	union scalar *var;                   /* by id */
	struct store **field;                /* by id; NULL: not there */
};

struct extent { int64_t size; double lo, step; };

struct tape;

struct evaluator {
	const struct air_program *p;
	struct arena *arena;
	FILE *out;
	int64_t seed, draws;
	struct world *now;
	struct extent (*extent)[MAX_FAMILY_AXES];    /* by family and rank of the axis */
	struct tape **tape;                  /* by id of the expression; NULL: not yet made */
	struct air_field_set **seen_from;    /* by stage: the fields its world must hold */
	bool checking;                       /* --check */
	bool ended;
	int status;                          /* when ended */
};

/* A point: the index along each axis of a family, by rank. */
struct point { int64_t at[MAX_FAMILY_AXES]; };

/* The program ends with a message at s (NULL: no place) and status 1. */
void evaluate_fail(struct evaluator *ev, const struct air_stmt *s, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* evaluate_expr.c */
union scalar evaluate_at(struct evaluator *ev, struct world *w, const struct air_expr *e,
                         const struct point *at);
union scalar evaluate_scalar(struct evaluator *ev, const struct air_expr *e);
/* The field at an index per axis of its grid, anywhere: ghosts by the rules. */
union scalar evaluate_field(struct evaluator *ev, struct world *w,
                            const struct air_field *f, const int64_t *index);

/* evaluate_world.c */
struct world *world_new(const struct air_program *p);
void world_release(const struct air_program *p, struct world *w);
void store_release(const struct air_program *p, struct store *s);
/* Zeros, in place of what the field was. */
struct store *world_begin(struct evaluator *ev, const struct air_field *f);
/* The field's values, ready to be written. */
union scalar *world_change(struct evaluator *ev, const struct air_field *f);
/* The present as seen from a stage that is defined now. */
struct world *world_snapshot(struct evaluator *ev, const struct air_field *stage);

/* evaluate_points.c: all points of a part of a grid, in C order */
struct points {
	const struct grid *grid;
	int64_t size[MAX_AXES];              /* of the grid */
	int64_t start[MAX_AXES], step[MAX_AXES], count[MAX_AXES], k[MAX_AXES];
	bool more;
	int64_t flat;                        /* place in the whole grid's C order */
	struct point place;
};
int64_t points_along(const struct evaluator *ev, const struct grid *g, int i);
int64_t points_count(const struct evaluator *ev, const struct grid *g);
struct points points_of(const struct evaluator *ev, const struct grid *g);   /* all */
/* false: a position is out of range, and the program has ended. */
bool points_in(struct evaluator *ev, const struct air_stmt *s, const struct air_field *f,
               const struct air_region *region, struct points *p);
void points_start(struct points *p);
void points_next(struct points *p);

/* evaluate_reduce.c */
union scalar evaluate_reduction(struct evaluator *ev, const struct air_stmt *s);
void evaluate_fold(struct evaluator *ev, const struct air_stmt *s);

/* evaluate_stmt.c */
void evaluate_body(struct evaluator *ev);

/* evaluate_text.c */
void evaluate_text(struct evaluator *ev, const struct air_text *t, struct strbuf *out);

/* evaluate_file.c */
void evaluate_save(struct evaluator *ev, const struct air_stmt *s);
void evaluate_load(struct evaluator *ev, const struct air_stmt *s);
int64_t evaluate_shape(struct evaluator *ev, const struct air_stmt *s);
/* Elements as files have them, elem_bytes(e) bytes each. */
void element_put(unsigned char *bytes, enum elem e, union scalar x);
union scalar element_get(const unsigned char *bytes, enum elem e);

/* evaluate_vti.c */
void evaluate_save_vti(struct evaluator *ev, const struct air_stmt *s);

/* evaluate_plot.c */
void evaluate_plot(struct evaluator *ev, const struct air_stmt *s);

/* evaluate_hdf5.c */
void evaluate_save_hdf5(struct evaluator *ev, const struct air_stmt *s);
void evaluate_load_hdf5(struct evaluator *ev, const struct air_stmt *s);
int64_t evaluate_shape_hdf5(struct evaluator *ev, const struct air_stmt *s);

#endif
