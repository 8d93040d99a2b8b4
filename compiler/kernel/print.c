/* kernel/print.c - kernels as people read them: mpac --emit=kernels
 *
 *	kernel heat_12 [x, y]
 *	  view u: f64 read
 *	  %0 = load f64 u[x+1, y]
 *	  ...
 *	  store u.new[x, y] = %9
 *
 * An index along a mirrored axis prints as [%3-x-1].
 */
#include "kernel/kir.h"

static void print_index(const struct kir_kernel *k, const struct kir_index *x, FILE *out)
{
	bool first = true;

	if (x->base >= 0) {
		fprintf(out, "%%%d", x->base);
		first = false;
	}
	if (x->loop >= 0 && x->coefficient) {
		fputs(x->coefficient < 0 ? "-" : first ? "" : "+", out);
		fputs(k->loop_name[x->loop], out);
		first = false;
	}
	if (first)
		fprintf(out, "%lld", (long long)x->offset);
	else if (x->offset)
		fprintf(out, "%+lld", (long long)x->offset);
}

static void print_access(const struct kir_kernel *k, const struct kir_access *a, FILE *out)
{
	const struct kir_view *v = &k->view[a->view];

	fprintf(out, "%s[", v->name);
	for (int i = 0; i < v->n_axes; i++) {
		fputs(i ? ", " : "", out);
		print_index(k, &a->at[i], out);
	}
	fputc(']', out);
}

static void print_args(const struct kir_instr *in, FILE *out)
{
	for (int i = 0; i < in->n_args; i++)
		fprintf(out, "%s%%%d", i ? ", " : " ", in->arg[i]);
}

static void print_constant(const struct kir_instr *in, FILE *out)
{
	if (elem_kind(in->elem) == KIND_REAL)
		fprintf(out, "const %s %.17g", elem_text(in->elem), in->as.f);
	else
		fprintf(out, "const %s %lld", elem_text(in->elem), (long long)in->as.i);
}

static void print_air(const struct kir_instr *in, FILE *out)
{
	fprintf(out, "%s %s", air_op_text(in->as.air.op), elem_text(in->elem));
	if (in->as.air.op == AIR_EXTERN)
		fprintf(out, " %s", in->as.air.function->name);
	print_args(in, out);
	if (in->as.air.op == AIR_POWI)
		fprintf(out, " ^ %d", in->as.air.exponent);
}

static void print_value(const struct kir_kernel *k, const struct kir_instr *in, FILE *out)
{
	switch (in->op) {
	case KIR_CONST:
		print_constant(in, out);
		break;
	case KIR_SCALAR:
		fprintf(out, "scalar %s $%d", elem_text(in->elem), in->as.slot);
		break;
	case KIR_INDEX:
		fprintf(out, "index %s", k->loop_name[in->as.loop]);
		break;
	case KIR_LOAD:
		fprintf(out, "load %s ", elem_text(in->elem));
		print_access(k, &in->as.access, out);
		break;
	case KIR_RANDOM:
		fprintf(out, "random.%s %s", in->as.i ? "normal" : "uniform",
		        elem_text(in->elem));
		print_args(in, out);
		break;
	default:
		print_air(in, out);
		break;
	}
}

static void print_instr(const struct kir_kernel *k, int i, FILE *out)
{
	const struct kir_instr *in = &k->instr[i];

	if (in->op == KIR_STORE) {
		fputs("  store ", out);
		print_access(k, &in->as.access, out);
		fprintf(out, " = %%%d", in->arg[0]);
	} else if (in->op == KIR_REDUCE) {
		fprintf(out, "  reduce #%d += %%%d", in->as.slot, in->arg[0]);
	} else {
		fprintf(out, "  %%%d = ", i);
		print_value(k, in, out);
	}
	fputc('\n', out);
}

void kir_print(const struct kir_kernel *k, FILE *out)
{
	fprintf(out, "kernel %s [", k->name);
	for (int l = 0; l < k->n_loops; l++)
		fprintf(out, "%s%s", l ? ", " : "", k->loop_name[l]);
	fputs("]\n", out);
	for (int v = 0; v < k->n_views; v++)
		fprintf(out, "  view %s: %s%s%s\n", k->view[v].name,
		        elem_text(k->view[v].elem), k->view[v].read ? " read" : "",
		        k->view[v].written ? " written" : "");
	for (int i = 0; i < k->n_instrs; i++)
		print_instr(k, i, out);
}
