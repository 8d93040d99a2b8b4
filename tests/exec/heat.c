/* tests/exec/heat.c - the program that the compiler makes of heat on an insulated plate,
 * written by hand: the run time is tried with it on any number of ranks
 *
 *     param n = 64; param m = 48; param steps = 20; param file: str = ""
 *     grid plate[x: n, y: m]
 *     field u on plate = x*x - 3*y
 *     boundary u = edge
 *     for t in 0..steps { u += 0.1 * laplacian(u) }
 *     print("sum {sum(u)} max {max(u)} first {argmax(u)} u {u[1, -1]}")
 *     if file != "" { save(file, u) }
 */
#include <stdio.h>
#include <string.h>

#include "mpa/abi.h"

enum { ARRAY_U };
enum { RUN_INIT, RUN_STEP, RUN_RESULTS };

#define AT(view, type, i, j)                                                             \
	(((type *)(view).origin)[(i) * (view).stride[0] + (j) * (view).stride[1]])

static void kernel_init(const struct mpa_frame *f, const int64_t *lo, const int64_t *hi)
{
	for (int64_t i = lo[0]; i < hi[0]; i++)
		for (int64_t j = lo[1]; j < hi[1]; j++)
			AT(f->view[0], double, i, j) = (double)(i * i - 3 * j);
}

static void kernel_step(const struct mpa_frame *f, const int64_t *lo, const int64_t *hi)
{
	const struct mpa_view u = f->view[0], out = f->view[1];

	for (int64_t i = lo[0]; i < hi[0]; i++) {
		const double *restrict c = &AT(u, double, i, 0),
				       *restrict a = c - u.stride[0],
				       *restrict b = c + u.stride[0];
		double *restrict o = &AT(out, double, i, 0);

		for (int64_t j = lo[1]; j < hi[1]; j++)
			o[j] = c[j] +
			       0.1 * ((a[j] + b[j]) + (c[j - 1] + c[j + 1]) - 4 * c[j]);
	}
}

static void kernel_results(const struct mpa_frame *f, const int64_t *lo,
			   const int64_t *hi)
{
	double row[1024];

	for (int64_t i = lo[0]; i < hi[0]; i++)
		for (int64_t j = lo[1]; j < hi[1]; j += 1024) {
			int64_t n = hi[1] - j < 1024 ? hi[1] - j : 1024, at[2] = { i, j };

			for (int64_t k = 0; k < n; k++)
				row[k] = AT(f->view[0], double, i, j + k);
			for (int k = 0; k < 3; k++)
				mpa_sink_add(f->sink[k], row, n, at);
		}
}

/* edge, on either side of axis 0 and of axis 1; slot 0: the nearest index */
static void kernel_edge_x(const struct mpa_frame *f, const int64_t *lo, const int64_t *hi)
{
	for (int64_t i = lo[0]; i < hi[0]; i++)
		for (int64_t j = lo[1]; j < hi[1]; j++)
			AT(f->view[0], double, i, j) =
				AT(f->view[0], double, f->scalar[0], j);
}

static void kernel_edge_y(const struct mpa_frame *f, const int64_t *lo, const int64_t *hi)
{
	for (int64_t i = lo[0]; i < hi[0]; i++)
		for (int64_t j = lo[1]; j < hi[1]; j++)
			AT(f->view[0], double, i, j) =
				AT(f->view[0], double, i, f->scalar[0]);
}

static const int64_t only_u[2] = { ARRAY_U, ARRAY_U }, current[2] = { 0, 0 },
		     out[2] = { 0, 1 }, written[1] = { 1 };

#define WALL(fn, arg)                                                                    \
	&(const struct mpa_wall)                                                         \
	{                                                                                \
		.call = { fn, #fn, 2, { 0, 1 }, 1, only_u, current, written, 1, arg },   \
		.mirrors = 1                                                             \
	}

static const struct mpa_axis_info axes[] = { { .name = "x" }, { .name = "y" } };
static const struct mpa_family_info families[] = {
	{ "plate", "heat.mpa:2:1", 2, { 0, 1 }, { 1, 1 }, 0, 0 }
};
static const struct mpa_grid_info grids[] = { { "plate", 0, 2, { 0, 1 }, { 0 } } };
static const struct mpa_array_info arrays[] = {
	{ .name = "u",
	  .where = "heat.mpa:3:1",
	  .elem = MPA_F64,
	  .second = 1,
	  .halo = { { 1, 1 }, { 1, 1 } },
	  .wall = { { WALL(kernel_edge_x, 0), WALL(kernel_edge_x, 1) },
		    { WALL(kernel_edge_y, 2), WALL(kernel_edge_y, 3) } } }
};
static const struct mpa_need need_u[] = { { ARRAY_U, { { 1, 1 }, { 1, 1 } }, 1 } };
static const struct mpa_result results[] = { { MPA_SUM, MPA_F64 },
					     { MPA_MAX, MPA_F64 },
					     { MPA_ARGMAX, MPA_F64 } };
static const struct mpa_run_info runs[] = {
	[RUN_INIT] = { .where = "heat.mpa:3:1",
		       .call = { kernel_init,
				 "init",
				 2,
				 { 0, 1 },
				 1,
				 only_u,
				 current,
				 written,
				 0,
				 0 },
		       .n_changed = 1,
		       .changed = only_u },
	[RUN_STEP] = { .where = "heat.mpa:5:22",
		       .call = { kernel_step, "step", 2, { 0, 1 }, 2, only_u, out, out, 0, 0 },
		       .n_needs = 1,
		       .need = need_u,
		       .margin = { { 1, 1 }, { 1, 1 } },
		       .n_commits = 1,
		       .commit = only_u,
		       .n_changed = 1,
		       .changed = only_u },
	[RUN_RESULTS] = { .where = "heat.mpa:6:1",
			  .call = { kernel_results,
				    "results",
				    2,
				    { 0, 1 },
				    1,
				    only_u,
				    current,
				    current,
				    0,
				    0 },
			  .n_results = 3,
			  .result = results },
};
static const struct mpa_param_info params[] = {
	{ "n", MPA_I64, "points along x", "64" },
	{ "m", MPA_I64, "points along y", "48" },
	{ "steps", MPA_I64, "time steps", "20" },
	{ "file", MPA_STR, "where to save the result", "\"\"" },
};

static void body(struct mpa_session *s)
{
	int64_t n = 64, m = 48, steps = 20, index[2] = { 1, -1 };
	int64_t *arg = mpa_args(s);
	const char *file = "";

	mpa_param(s, &n, 0);
	mpa_param(s, &m, 1);
	mpa_param(s, &steps, 2);
	mpa_param(s, &file, 3);
	mpa_axis_define(s, "heat.mpa:2:12", 0, n, 0, 0);
	mpa_axis_define(s, "heat.mpa:2:18", 1, m, 0, 0);
	mpa_family_define(s, "heat.mpa:2:1", 0, NULL);
	mpa_array_begin(s, "heat.mpa:3:1", ARRAY_U);
	mpa_run(s, RUN_INIT);
	arg[1] = n - 1;
	arg[3] = m - 1;
	for (int64_t t = 0; t < steps; t++)
		mpa_run(s, RUN_STEP);
	mpa_run(s, RUN_RESULTS);
	mpa_out_begin(s);
	mpa_out_text(s, "sum ");
	mpa_out_d(s, mpa_result_d(s, RUN_RESULTS, 0), NULL);
	mpa_out_text(s, " max ");
	mpa_out_d(s, mpa_result_d(s, RUN_RESULTS, 1), NULL);
	mpa_out_text(s, " first ");
	mpa_out_i(s, mpa_result_i(s, RUN_RESULTS, 2), NULL);
	mpa_out_text(s, " u ");
	mpa_out_d(s, mpa_element_d(s, "heat.mpa:6:60", ARRAY_U, index), NULL);
	mpa_out_print(s, "heat.mpa:6:1");
	if (mpa_text_equal(file, ""))
		return;
	mpa_file_begin(s);
	mpa_file_array(s, "u", ARRAY_U);
	mpa_save(s, "heat.mpa:7:18", file);
}

int main(int argc, char **argv)
{
	static const struct mpa_program program = {
		.abi = MPA_ABI_VERSION,
		.name = "heat",
		.file = "heat.mpa",
		.doc = "Heat on an insulated plate.",
		.compiler = "no compiler",
		.arithmetic = "",
		.n_params = 4,
		.n_axes = 2,
		.n_families = 1,
		.n_grids = 1,
		.n_arrays = 1,
		.n_runs = 3,
		.n_args = 4,
		.param = params,
		.axis = axes,
		.family = families,
		.grid = grids,
		.array = arrays,
		.run = runs,
		.body = body,
	};

	return mpa_main(argc, argv, &program);
}
