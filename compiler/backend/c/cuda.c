/* backend/c/cuda.c - the kernels of a program in CUDA C
 *
 * takes: a plan   gives: one file for NVRTC, which needs no header: a function for each
 * kernel but those that call functions in C. Its argument is one structure by value, all
 * members 8 bytes wide: the box (lo, n: first index and number of points a loop), views,
 * scalars, and where values of reductions go, one a point in C order of the box. One that
 * is larger than arguments may be everywhere stands in memory of the device.
 *
 * Threads along x take points of the innermost loop, along y those of the next one, along
 * z all others; each strides over the grid, so any grid computes any box.
 */
#include "backend/c/nest.h"
#include "mpa/program.h"
#include "support/arena.h"
#include "support/embedded.h"

#include <stdlib.h>

static const char *in_values(struct c_nest *n, int reduction)
{
	return arena_printf(n->c->arena, "((%s *)args.values[%d])[flat]",
			    c_memory(n->k->reduction[reduction]), reduction);
}

static const struct c_dialect dialect = {
	.origin = "args.origin%d",
	.stride = "args.stride%d[%d]",
	.scalar = "args.scalar[%d]",
	.load = "__ldg(&%s)",
	.reduced = in_values,
};

static void emit_arguments(struct c_nest *n, const char *name)
{
	const struct kir_kernel *k = n->k;

	c_line(n->c, "struct %s_args {", name);
	c_line(n->c, "int64_t lo[%d], n[%d];", k->n_loops, k->n_loops);
	for (int v = 0; v < k->n_views; v++) {
		c_line(n->c, "void *origin%d;", v);
		if (k->view[v].n_axes)
			c_line(n->c, "int64_t stride%d[%d];", v, k->view[v].n_axes);
	}
	if (k->n_scalars)
		c_line(n->c, "int64_t scalar[%d];", k->n_scalars);
	if (k->n_reductions)
		c_line(n->c, "void *values[%d];", k->n_reductions);
	c_line(n->c, "};");
}

static bool in_memory(const struct kir_kernel *k)
{
	int words = 2 * k->n_loops + k->n_scalars + k->n_reductions;

	for (int v = 0; v < k->n_views; v++)
		words += 1 + k->view[v].n_axes;
	return words > MPA_CUDA_WORDS;
}

/* ---- loops ----------------------------------------------------------------------- */

/* All loops but two are one, from which their indices are taken apart. */
static void open_planes(struct c_nest *n, int loops)
{
	struct c_code *c = n->c;

	c_line(c, "int64_t planes = args.n[0];");
	for (int l = 1; l < loops; l++)
		c_line(c, "planes *= args.n[%d];", l);
	c_line(c,
	       "for (int64_t plane = blockIdx.z; plane < planes; plane += gridDim.z) {");
	c_line(c, "int64_t rest = plane;");
	for (int l = loops - 1; l > 0; l--) {
		c_line(c,
		       "const int64_t i%d = args.lo[%d] + rest %% args.n[%d]; /* %s */",
		       l, l, l, c_symbol(c, n->k->loop_name[l]));
		c_line(c, "rest /= args.n[%d];", l);
	}
	c_line(c, "const int64_t i0 = args.lo[0] + rest; /* %s */",
	       c_symbol(c, n->k->loop_name[0]));
	for (int l = 0; l < loops; l++)
		c_level(n, l);
}

static void open_loop(struct c_nest *n, int loop, char along)
{
	struct c_code *c = n->c;

	c_line(c, "const int64_t end%d = args.lo[%d] + args.n[%d];", loop, loop, loop);
	c_line(c,
	       "for (int64_t i%d = args.lo[%d] + first_%c; i%d < end%d; i%d += "
	       "stride_%c) "
	       "/* %s */ {",
	       loop, loop, along, loop, loop, loop, along,
	       c_symbol(c, n->k->loop_name[loop]));
}

/* The place of this thread among all along an axis of the grid, and how many there are.
 */
static void open_thread(struct c_nest *n, char along)
{
	c_line(n->c,
	       "const int64_t first_%c = (int64_t)blockIdx.%c * blockDim.%c + "
	       "threadIdx.%c;",
	       along, along, along, along);
	c_line(n->c, "const int64_t stride_%c = (int64_t)gridDim.%c * blockDim.%c;",
	       along, along, along);
}

/* Where the values of this point stand. */
static void emit_flat(struct c_nest *n)
{
	c_line(n->c, "int64_t flat = i0 - args.lo[0];");
	for (int l = 1; l < n->k->n_loops; l++)
		c_line(n->c, "flat = flat * args.n[%d] + (i%d - args.lo[%d]);", l, l, l);
}

static void emit_loops(struct c_nest *n)
{
	int inner = n->k->n_loops - 1;

	open_thread(n, 'x');
	if (inner > 0)
		open_thread(n, 'y');
	if (inner > 1)
		open_planes(n, inner - 1);
	if (inner > 0) {
		open_loop(n, inner - 1, 'y');
		c_level(n, inner - 1);
	}
	open_loop(n, inner, 'x');
	if (n->k->n_reductions)
		emit_flat(n);
	c_level(n, inner);
	for (int l = 0; l < (inner > 2 ? 3 : inner + 1); l++)
		c_line(n->c, "}");
}

/* ---- kernels ---------------------------------------------------------------------- */

static void need_random(struct c_code *c)
{
	if (c->random)
		return;
	c_function(c, AIR_LOG);
	c_function(c, AIR_COS);
	fputs(cuda_random, c->functions);
	fputc('\n', c->functions);
	c->random = true;
}

static bool calls_c(const struct kir_kernel *k)
{
	for (int i = 0; i < k->n_instrs; i++)
		if (k->instr[i].op == KIR_AIR && k->instr[i].as.air.op == AIR_EXTERN)
			return true;
	return false;
}

static void emit_kernel(struct c_code *c, const struct kir_kernel *k)
{
	struct c_nest n = c_nest_of(c, &dialect, k);
	const char *name =
		arena_printf(c->arena, "kernel_%d_%s", k->id, c_symbol(c, k->name));

	c_line(c, "%s", "");
	if (calls_c(k)) {
		c_line(c, "/* %s calls functions in C: it has no place on a GPU */",
		       name);
		return;
	}
	c->kernel[k->id] = name;
	for (int i = 0; i < k->n_instrs; i++)
		if (k->instr[i].op == KIR_RANDOM)
			need_random(c);
	emit_arguments(&n, name);
	c_place(c, k->span);
	c_line(c, "extern \"C\" __global__ void %s(const struct %s_args %s)", name, name,
	       in_memory(k) ? "*__restrict__ in_memory" : "args");
	c_line(c, "{");
	if (in_memory(k))
		c_line(c, "const struct %s_args &args = *in_memory;", name);
	c_open_views(&n);
	c_level(&n, -1);
	emit_loops(&n);
	c_line(c, "}");
}

/* The whole file, in memory of the arena. */
static const char *text_of(struct c_code *c, struct arena *a)
{
	char *text = NULL;
	const char *kept;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		abort();
	fputs(cuda_prelude, out);
	c_print(c, out);
	fclose(out);
	kept = arena_strndup(a, text, length);
	free(text);
	return kept;
}

struct backend_cuda *backend_cuda_of(const struct plan *p, struct arena *a)
{
	static const struct backend_options options = { .debug = true };
	struct c_code c = {
		.plan = p, .options = &options, .arena = arena_new(), .everywhere = true
	};
	struct backend_cuda *made = arena_new_object(a, struct backend_cuda);
	int *first = arena_new_array(c.arena, p->n_kernels + 1, int);

	c_open(&c);
	made->kernel = arena_new_array(a, p->n_kernels + 1, const char *);
	c.kernel = arena_new_array(c.arena, p->n_kernels + 1, const char *);
	kir_share(p->kernel, p->n_kernels, first);
	for (int i = 0; i < p->n_kernels; i++) {
		if (first[i] == i)
			emit_kernel(&c, p->kernel[i]);
		if (c.kernel[first[i]])
			made->kernel[i] = arena_strdup(a, c.kernel[first[i]]);
	}
	made->text = text_of(&c, a);
	c_close(&c);
	return made;
}
