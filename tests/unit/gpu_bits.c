/* tests/unit/gpu_bits.c - CUDA C on a GPU and by the interpreter: the same bits
 *
 * Each row of gpu_bits.def is a kernel, which the GPU gets as PTX and as code. Where NVRTC
 * uses instructions that PTX does not define to the last bit, the results must be near,
 * and how near they are is told.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/cuda/driver.h"
#include "device/cuda/nvrtc.h"
#include "random.h"
#include "unit.h"

enum { N = 4096, THREADS = 128 };

static const struct row {
	const char *text;
	int exact;
} rows[] = {
#define ROW(text, exact) { text, exact },
#include "gpu_bits.def"
#undef ROW
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Made once, read by all tests. */
static struct nvrtc nvrtc;
static double x[N], y[N];

/* ---- one driver ------------------------------------------------------------------ */

struct machine {
	struct cuda_driver cuda;
	void *context;
	int device;
};

static void well(const struct machine *m, int error, const char *what)
{
	ck_assert_msg(error == CUDA_FINE, "%s: error %d %s", what, error,
		      m->cuda.explain ? m->cuda.explain() : "");
}

static bool start(struct machine *m)
{
	int count = 0;

	return m->cuda.init(0) == 0 && m->cuda.device_count(&count) == 0 && count > 0 &&
	       m->cuda.device_get(&m->device, 0) == 0 &&
	       m->cuda.context_retain(&m->context, m->device) == 0 &&
	       m->cuda.context_set(m->context) == 0;
}

static void compute(struct machine *m, const char *image, int row, double *result)
{
	uint64_t at[3];
	const double *from[] = { result, x, y };
	void *module, *function, *params[3];
	const char *text = rows[row].text;

	ck_assert(start(m));
	well(m, m->cuda.module_load(&module, image), text);
	well(m, m->cuda.function_get(&function, module, "k"), text);
	for (int i = 0; i < 3; i++) {
		well(m, m->cuda.mem_alloc(&at[i], N * sizeof(double)), "memory");
		well(m, m->cuda.to_device(at[i], from[i], N * sizeof(double)), "copy");
		params[i] = &at[i];
	}
	well(m, m->cuda.launch(function, N / THREADS, 1, 1, THREADS, 1, 1, 0, NULL, params,
			    NULL),
	     text);
	well(m, m->cuda.to_host(result, at[0], N * sizeof(double)), text);
	for (int i = 0; i < 3; i++)
		m->cuda.mem_free(at[i]);
	m->cuda.module_unload(module);
}

/* ---- comparison ------------------------------------------------------------------- */

static bool same(double a, double b)
{
	return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

static double distance(double a, double b)
{
	return fabs(a - b) / fmax(fmax(fabs(a), fabs(b)), DBL_MIN);
}

static void check_row(int row, const double *got, const double *want)
{
	const char *text = rows[row].text;
	bool narrow = strstr(text, "f(f") != NULL;
	double most = 0;
	int differ = 0;

	for (int i = 0; i < N; i++) {
		if (same(got[i], want[i]))
			continue;
		differ++;
		ck_assert_msg(!rows[row].exact && distance(got[i], want[i]) <
							  (narrow ? 1e-5 : 1e-13),
			      "%s of %a and %a is %a on the GPU, not %a", text, x[i],
			      y[i], got[i], want[i]);
		most = fmax(most, distance(got[i], want[i]));
	}
	if (differ) {
		printf("# %s: %d of %d differ, at most by %g\n", text, differ, N, most);
		fflush(stdout);
	}
}

static void compile(int row, struct nvrtc_code *code)
{
	struct fault fault = { 0 };
	char text[1024];

	snprintf(text, sizeof text,
		 "extern \"C\" __global__ void k(double *out, const double *a, "
		 "const double *b)\n{\n"
		 "int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
		 "double x = a[i], y = b[i];\nfloat f = x, g = y;\n"
		 "(void)f; (void)g; (void)y;\nout[i] = %s;\n}\n",
		 rows[row].text);
	ck_assert_msg(nvrtc_compile(&nvrtc, text, code, &fault) == MPA_OK, "%s",
		      fault.text);
}

static void compare(int row, bool by_code)
{
	struct machine gpu, interpreter;
	struct fault fault = { 0 };
	struct nvrtc_code code;
	double got[N] = { 0 }, want[N] = { 0 };

	compile(row, &code);
	ck_assert_int_eq(cuda_driver_open(&gpu.cuda, &fault), MPA_OK);
	emulated_driver(&interpreter.cuda);
	compute(&gpu, by_code ? code.cubin : code.ptx, row, got);
	compute(&interpreter, code.ptx, row, want);
	check_row(row, got, want);
	nvrtc_free(&code);
}

START_TEST(ptx_gives_the_same)
{
	compare(_i, false);
}
END_TEST

START_TEST(code_gives_the_same)
{
	compare(_i, true);
}
END_TEST

/* ---- what is compared --------------------------------------------------------------- */

static void choose_values(void)
{
	static const double edges[] = { 0,         -0.0,     1,    -1,      0.5,
					INFINITY,  NAN,      1e10, 1e-300,  1e300,
					-INFINITY, DBL_MIN,  7,    -2.5,    1.5,
					0x1p-1074, 0x1.8p52, 1e15, 3.14159, 64 };
	enum { EDGES = sizeof edges / sizeof *edges };
	uint64_t state = 88172645463325252u;

	for (int i = 0; i < N; i++) {
		x[i] = i < EDGES * EDGES ? edges[i / EDGES]
					 : (double)(int64_t)random_next(&state) * 0x1p-57;
		y[i] = i < EDGES * EDGES ? edges[i % EDGES]
					 : (double)(int64_t)random_next(&state) * 0x1p-60;
	}
}

/* 0: there is no GPU. In a process of its own: children cannot go on with CUDA. */
static int find_capability(void)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		struct machine m;
		struct fault fault = { 0 };
		int major = 0, minor = 0;

		if (cuda_driver_open(&m.cuda, &fault) == MPA_OK && start(&m)) {
			m.cuda.attribute(&major, CUDA_CAPABILITY_MAJOR, m.device);
			m.cuda.attribute(&minor, CUDA_CAPABILITY_MINOR, m.device);
		}
		_exit(10 * major + minor);
	}
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
		       ? WEXITSTATUS(status)
		       : 0;
}

static Suite *bits_suite(void)
{
	Suite *s = suite_create("gpu bits");
	TCase *c = tcase_create("functions");

	tcase_add_loop_test(c, ptx_gives_the_same, 0, ROWS);
	if (strncmp(nvrtc.architecture, "sm_", 3) == 0)
		tcase_add_loop_test(c, code_gives_the_same, 0, ROWS);
	suite_add_tcase(s, c);
	return s;
}

int main(void)
{
	Suite *(*const make[])(void) = { bits_suite };
	const char *fake = getenv("MPA_FAKE_CUDA");
	struct nvrtc_device device = { 99000, find_capability(),
				       .takes_code = !fake || !strcmp(fake, "0") };
	struct fault fault = { 0 };

	if (device.capability == 0) {
		printf("1..0 # SKIP no GPU here\n");
		return 0;
	}
	if (nvrtc_open(&nvrtc, &device, &fault) != MPA_OK) {
		printf("1..0 # SKIP %s\n", fault.text);
		return 0;
	}
	choose_values();
	return unit_run(make, 1);
}
