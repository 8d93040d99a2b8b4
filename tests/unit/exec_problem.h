/* tests/unit/exec_problem.h - random programs as the compiler would emit them, and a
 * model
 *
 * A problem is a grid with arrays, walls and runs. Its model keeps whole arrays and finds
 * each value beyond a wall by its definition (array/air.h). Values are small integers in
 * doubles, so every order of adding is exact. */
#ifndef TESTS_UNIT_EXEC_PROBLEM_H
#define TESTS_UNIT_EXEC_PROBLEM_H

#include "mpa/program.h"

#include <stdbool.h>

enum { U, U2, V, STAGE, WALL_FIELD, ARRAYS = WALL_FIELD + 3 }; /* a wall field per axis */
enum { TERMS = 4, KINDS = 6, STEPS = 14, MODULUS = 1009, REACH = 6, MOST = 4096 };
enum kind { CONSTANT, POSITION, EDGE, SYMMETRIC, REFLECT, FIELD };
enum {
	RUN_INIT,
	RUN_READ,
	RUN_UPDATE,
	RUN_FIELD,
	RUN_STAGE,
	RUN_READ_STAGE,
	RUN_SUMS,
	RUNS
};

struct condition {
	enum kind kind;
	double scale, shift; /* of what is mirrored or in the field; the constant */
};

struct problem;
struct array_model {
	int naxes, axis[3]; /* the axes of the problem that it has */
	struct condition condition[3][2];
	bool computed; /* beyond walls */
	struct mpa_wall wall[3][2];
	int64_t views[2];
};

struct run_model {
	int64_t offset[TERMS][3];
	double factor[TERMS];
	struct mpa_need need;
	int64_t views[2], arrays[1], commits[1];
};

struct problem {
	struct mpa_program program; /* first */
	unsigned seed;
	int ranks, naxes;
	int64_t size[3], procs[3];
	bool periodic[3], local[3], check;
	bool stages; /* else conditions depend on places on periodic axes: those before
		      * the wall count on, which for computed ghosts nobody can see */
	int step_kind[STEPS], threads;
	int64_t slice[STEPS][3][3]; /* lo, hi, step */
	struct mpa_axis_info axis[3];
	struct mpa_family_info family;
	struct mpa_grid_info grid[4]; /* the whole, and without axis i */
	struct mpa_array_info info[ARRAYS];
	struct mpa_run_info run[RUNS];
	struct array_model array[ARRAYS];
	struct run_model model[RUNS];
	struct mpa_result result[4];
	int bad;
	char why[300];
};

/* One rank's model: whole arrays. */
struct world_model {
	const struct problem *p;
	double constant; /* of the conditions, changes with time */
	double value[ARRAYS][MOST];
};

/* exec_problem.c */
int64_t any(unsigned *seed, int64_t n); /* 0..n-1 */
void problem_make(struct problem *p, unsigned seed, void (*body)(struct mpa_session *));
void problem_free(struct problem *p);
int first_wall_arg(int array, int axis, int side);

/* exec_model.c */
int64_t model_flat(const struct world_model *m, int array, const int64_t *index);
bool model_next(const struct problem *p, int array, int64_t *index);
double start_value(const int64_t *index, int array);
/* What a run does to whole arrays. */
void model_step(struct world_model *m, int step, int run);

/* exec_kernels.c */
mpa_kernel_fn kernel_read, kernel_update, kernel_stage, kernel_read_stage, kernel_init,
	kernel_field, kernel_sums, kernel_wall;

#endif
