/* backend/llvm/host_file.c - files: what is saved, loaded, and asked of them
 *
 * takes: a statement about a file   gives: calls that list its items in order, then the
 * one that saves or loads them, then what takes the scalars that were loaded
 */
#include "backend/llvm/host.h"

#include <assert.h>

static LLVMValueRef array_id(struct host *h, const struct air_field *f)
{
	assert(h->e->plan->of_field[f->id]);
	return emit_i64(h->e, h->e->plan->of_field[f->id]->id);
}

static void put_complex(struct host *h, LLVMValueRef name, enum elem e,
			const struct air_expr *value)
{
	LLVMValueRef x = value ? host_value(h, value) : LLVMConstNull(scalar_type(h->e, e));
	LLVMValueRef arg[5] = { h->session, name, emit_i64(h->e, (int64_t)e) };

	for (unsigned i = 0; i < 2; i++)
		arg[3 + i] = abi_widen(h->e, elem_part(e),
				       LLVMBuildExtractValue(h->e->builder, x, i, ""));
	abi_call(h->e, ABI_mpa_file_c, arg);
}

/* A scalar; without a value: one that is to be loaded. */
static void put_scalar(struct host *h, LLVMValueRef name, enum elem e,
		       const struct air_expr *value)
{
	LLVMValueRef elem = emit_i64(h->e, (int64_t)e), x;

	if (e == ELEM_STR) {
		x = value ? host_value(h, value) : LLVMConstNull(h->e->ptr);
		host_call(h, ABI_mpa_file_s, name, x, NULL);
	} else if (elem_kind(e) == KIND_COMPLEX) {
		put_complex(h, name, e, value);
	} else if (elem_kind(e) == KIND_REAL) {
		x = value ? abi_widen(h->e, e, host_value(h, value))
			  : LLVMConstNull(h->e->f64);
		host_call(h, ABI_mpa_file_d, name, elem, x);
	} else {
		x = value ? abi_widen(h->e, e, host_value(h, value)) : emit_i64(h->e, 0);
		host_call(h, ABI_mpa_file_i, name, elem, x);
	}
}

static void put_field(struct host *h, LLVMValueRef name, const struct air_item *item)
{
	LLVMValueRef first, step;

	host_call(h, ABI_mpa_file_array, name, array_id(h, item->field), NULL);
	for (int i = 0; i < item->field->grid->n_axes; i++) {
		if (!item->first[i])
			continue;
		first = host_value(h, item->first[i]);
		step = host_value(h, item->step[i]);
		host_call(h, ABI_mpa_file_axis, emit_i64(h->e, i), first, step);
	}
}

static void put_items(struct host *h, const struct air_stmt *s)
{
	host_call(h, ABI_mpa_file_begin, NULL, NULL, NULL);
	for (int i = 0; i < s->n_items; i++) {
		const struct air_item *item = &s->item[i];
		LLVMValueRef name = host_value(h, item->name);

		if (item->field)
			put_field(h, name, item);
		else
			put_scalar(h, name,
				   item->var ? item->var->elem : item->value->elem,
				   item->value);
	}
}

static void take_complex(struct host *h, const struct air_var *v, int item)
{
	LLVMValueRef slots = host_slots(h, 2), x, value = LLVMGetUndef(scalar_type(h->e, v->elem));

	host_call(h, ABI_mpa_loaded_c, emit_i64(h->e, item), slots, NULL);
	x = scalar_load(h->e, ELEM_C128, slots);
	for (unsigned i = 0; i < 2; i++)
		value = LLVMBuildInsertValue(
			h->e->builder, value,
			abi_narrow(h->e, elem_part(v->elem),
				   LLVMBuildExtractValue(h->e->builder, x, i, "")),
			i, "");
	host_set(h, v, value);
}

static void take_loaded(struct host *h, const struct air_stmt *s)
{
	for (int i = 0; i < s->n_items; i++) {
		const struct air_var *v = s->item[i].var;
		enum abi function;

		if (!v)
			continue;
		if (elem_kind(v->elem) == KIND_COMPLEX) {
			take_complex(h, v, i);
			continue;
		}
		function = v->elem == ELEM_STR               ? ABI_mpa_loaded_s
			   : elem_kind(v->elem) == KIND_REAL ? ABI_mpa_loaded_d
							     : ABI_mpa_loaded_i;
		host_set(h, v,
			 abi_narrow(
				 h->e, v->elem,
				 host_call(h, function, emit_i64(h->e, i), NULL, NULL)));
	}
}

static LLVMValueRef ask_shape(struct host *h, const struct air_stmt *s,
			      LLVMValueRef where, LLVMValueRef file)
{
	LLVMValueRef arg[] = { h->session, where, file, host_value(h, s->item[0].name),
			       host_value(h, s->from) };

	return abi_call(h->e, ABI_mpa_shape, arg);
}

void host_file(struct host *h, const struct air_stmt *s)
{
	LLVMValueRef where = emit_where(h->e, s->span), file = host_value(h, s->value);

	switch (s->kind) {
	case STMT_SAVE:
		put_items(h, s);
		host_call(h, ABI_mpa_save, where, file, NULL);
		break;
	case STMT_PLOT:
		put_items(h, s);
		host_call(h, ABI_mpa_plot, where, file, NULL);
		break;
	case STMT_LOAD:
		put_items(h, s);
		host_call(h, ABI_mpa_load, where, file, emit_i64(h->e, s->only));
		take_loaded(h, s);
		break;
	case STMT_SHAPE:
		host_set(h, s->var,
			 abi_narrow(h->e, s->var->elem, ask_shape(h, s, where, file)));
		break;
	default:
		assert(s->kind == STMT_EXISTS);
		host_set(h, s->var,
			 abi_narrow(h->e, s->var->elem,
				    host_call(h, ABI_mpa_exists, file, NULL, NULL)));
	}
}
