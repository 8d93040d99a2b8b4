/* backend/llvm/host_text.c - texts: what is printed, and the messages of failures
 *
 * takes: the pieces of a text   gives: calls that hand them to the run time in order
 */
#include "backend/llvm/host.h"

#include <assert.h>

static enum abi out_function(enum elem elem)
{
	switch (elem) {
	case ELEM_BOOL:
		return ABI_mpa_out_b;
	case ELEM_F32:
		return ABI_mpa_out_f;
	case ELEM_F64:
		return ABI_mpa_out_d;
	case ELEM_STR:
		return ABI_mpa_out_s;
	default:
		return ABI_mpa_out_i;
	}
}

static void put_complex(struct host *h, const struct air_piece *p, const char *format)
{
	enum elem part = elem_part(p->value->elem);
	LLVMValueRef value = host_value(h, p->value), arg[5] = { h->session };

	for (unsigned i = 0; i < 2; i++)
		arg[1 + i] = abi_widen(h->e, part,
				       LLVMBuildExtractValue(h->e->builder, value, i, ""));
	arg[3] = emit_i64(h->e, part == ELEM_F32);
	arg[4] = emit_text(h->e, format);
	abi_call(h->e, ABI_mpa_out_c, arg);
}

static void put_scalar(struct host *h, const struct air_piece *p)
{
	const char *format = p->format && *p->format ? p->format : NULL;
	LLVMValueRef value;

	if (elem_kind(p->value->elem) == KIND_COMPLEX) {
		put_complex(h, p, format);
		return;
	}
	value = abi_widen(h->e, p->value->elem, host_value(h, p->value));
	host_call(h, out_function(p->value->elem), value, emit_text(h->e, format), NULL);
}

void host_pieces(struct host *h, const struct air_text *t)
{
	host_call(h, ABI_mpa_out_begin, NULL, NULL, NULL);
	for (int i = 0; i < t->n; i++) {
		const struct air_piece *p = &t->piece[i];

		switch (p->kind) {
		case PIECE_TEXT:
			host_call(h, ABI_mpa_out_text, emit_text(h->e, p->text), NULL,
				  NULL);
			break;
		case PIECE_SCALAR:
			put_scalar(h, p);
			break;
		case PIECE_FIELD:
			assert(h->e->plan->of_field[p->field->id]);
			host_call(h, ABI_mpa_out_array,
				  emit_i64(h->e, h->e->plan->of_field[p->field->id]->id),
				  NULL, NULL);
			break;
		}
	}
}
