/* backend/llvm/host.c - the plan's tree to the function `body`
 *
 * takes: a plan   gives: static void body(struct mpa_session *), which sets parameters
 * and then does what the program says, calling the run time for whatever touches
 * arrays, files or other ranks. Conditions are scalars that are equal on every rank, so
 * all take the same way through it.
 */
#include "backend/llvm/host.h"
#include "backend/llvm/tables.h"

#include <assert.h>

static void emit_statements(struct host *h, const struct plan_block *b);

/* ---- blocks -------------------------------------------------------------- */

static void go_on_at(struct host *h, LLVMBasicBlockRef block)
{
	if (emit_is_open(h->e))
		LLVMBuildBr(h->e->builder, block);
	LLVMPositionBuilderAtEnd(h->e->builder, block);
}

/* After a jump: what follows is never reached, but must stand somewhere. */
static void after_jump(struct host *h)
{
	LLVMPositionBuilderAtEnd(h->e->builder, emit_block(h->e, "dead"));
}

static void jump(struct host *h, LLVMBasicBlockRef to)
{
	LLVMBuildBr(h->e->builder, to);
	after_jump(h);
}

/* After a call that ends the program, or asks the end of the local block to do so. */
static void leave_program(struct host *h)
{
	if (h->local)
		LLVMBuildBr(h->e->builder, h->local);
	else
		LLVMBuildUnreachable(h->e->builder);
}

/* Fails with a text unless the condition holds; a NULL text takes the message. */
static void check(struct host *h, LLVMValueRef holds, const struct air_text *text,
		  const char *message, struct span at)
{
	LLVMBasicBlockRef fails = emit_block(h->e, "fails"),
			  fine = emit_block(h->e, "fine");

	LLVMBuildCondBr(h->e->builder, holds, fine, fails);
	LLVMPositionBuilderAtEnd(h->e->builder, fails);
	if (text) {
		host_pieces(h, text);
	} else {
		host_call(h, ABI_mpa_out_begin, NULL, NULL, NULL);
		host_call(h, ABI_mpa_out_text, emit_text(h->e, message), NULL, NULL);
	}
	host_call(h, h->local ? ABI_mpa_local_fail : ABI_mpa_out_fail,
		  emit_where(h->e, at), NULL, NULL);
	leave_program(h);
	LLVMPositionBuilderAtEnd(h->e->builder, fine);
}

/* ---- grids --------------------------------------------------------------- */

/* (hi - lo) / n, or / (n - 1) with nodes; between points of no interval it is 1. */
static LLVMValueRef step_of(struct host *h, const struct axis *a, LLVMValueRef size,
			    LLVMValueRef lo, LLVMValueRef hi)
{
	LLVMBuilderRef l = h->e->builder;
	LLVMValueRef parts = size;

	if (a->place == AXIS_INDEX)
		return LLVMConstReal(h->e->f64, 1);
	if (a->place == AXIS_NODES)
		parts = LLVMBuildSub(l, size, emit_i64(h->e, 1), "");
	parts = LLVMBuildSIToFP(l, parts, h->e->f64, "");
	return LLVMBuildFDiv(l, LLVMBuildFSub(l, hi, lo, ""), parts, "");
}

/* Where its points are is said by those that they are of. */
static void define_slice(struct host *h, const struct axis *a)
{
	LLVMValueRef size = host_value(h, a->size);
	LLVMValueRef arg[] = { h->session, emit_where(h->e, a->span),
			       emit_i64(h->e, tables_axis(h->e, a)), size,
			       host_value(h, a->slice->start) };

	abi_call(h->e, ABI_mpa_axis_slice, arg);
	LLVMBuildStore(h->e->builder, size, h->axis[tables_axis(h->e, a)].size);
}

static void define_axis(struct host *h, const struct axis *a)
{
	struct host_axis *slot = &h->axis[tables_axis(h->e, a)];
	LLVMValueRef zero = LLVMConstReal(h->e->f64, 0);
	LLVMValueRef size = host_value(h, a->size);
	LLVMValueRef lo = a->place == AXIS_INDEX ? zero : host_value(h, a->lo);
	LLVMValueRef hi = a->place == AXIS_INDEX ? zero : host_value(h, a->hi);
	LLVMValueRef arg[] = { h->session,
			       emit_where(h->e, a->span),
			       emit_i64(h->e, tables_axis(h->e, a)),
			       size,
			       lo,
			       hi };

	abi_call(h->e, ABI_mpa_axis_define, arg);
	LLVMBuildStore(h->e->builder, size, slot->size);
	LLVMBuildStore(h->e->builder, lo, slot->lo);
	LLVMBuildStore(h->e->builder, step_of(h, a, size, lo, hi), slot->step);
}

static void define_cuts(struct host *h, const struct axis *a, const struct cuts *c)
{
	LLVMValueRef where = emit_where(h->e, a->span);
	LLVMValueRef axis = emit_i64(h->e, tables_axis(h->e, a));
	LLVMValueRef arg[] = { h->session, where, axis, emit_i64(h->e, c->n), NULL };

	if (c->cost)
		host_call(h, ABI_mpa_axis_balance, where, axis,
			  emit_i64(h->e, h->e->plan->of_field[c->cost->id]->id));
	if (!c->n)
		return;
	arg[4] = host_slots(h, c->n);
	for (int k = 0; k < c->n; k++)
		host_fill(h, arg[4], k, host_value(h, c->at[k]));
	abi_call(h->e, ABI_mpa_axis_cuts, arg);
}

static void define_family(struct host *h, const struct family *f)
{
	LLVMValueRef procs = LLVMConstNull(h->e->ptr);

	for (int i = 0; i < f->n_base; i++) {
		(f->parent ? define_slice : define_axis)(h, f->axis[i]);
		define_cuts(h, f->axis[i], &f->cuts[i]);
	}
	if (f->n_procs) {
		procs = host_slots(h, MAX_AXES);
		for (int i = 0; i < f->n_procs; i++)
			host_fill(h, procs, i, host_value(h, f->procs[i]));
	}
	host_call(h, ABI_mpa_family_define, emit_where(h->e, f->span),
		  emit_i64(h->e, tables_family(h->e, f)), procs);
}

/* ---- statements of the host ---------------------------------------------- */

static LLVMValueRef array_id(struct host *h, const struct air_field *f)
{
	const struct plan_array *a = h->e->plan->of_field[f->id];

	assert(a);
	return emit_i64(h->e, a->id);
}

static LLVMValueRef element_parts(struct host *h, const struct air_stmt *s,
				  LLVMValueRef index)
{
	LLVMValueRef value = host_slots(h, 2);
	LLVMValueRef arg[] = { h->session, emit_where(h->e, s->span), array_id(h, s->field),
			       index, value };

	abi_call(h->e, ABI_mpa_element_c, arg);
	return scalar_load(h->e, s->var->elem, value);
}

static void emit_element(struct host *h, const struct air_stmt *s)
{
	bool real = elem_kind(s->var->elem) == KIND_REAL;
	LLVMValueRef index = host_slots(h, MAX_AXES), value;

	for (int i = 0; i < s->field->grid->n_axes; i++)
		host_fill(h, index, i, host_value(h, s->index[i]));
	if (elem_kind(s->var->elem) == KIND_COMPLEX) {
		host_set(h, s->var, element_parts(h, s, index));
		return;
	}
	value = host_call(h, real ? ABI_mpa_element_d : ABI_mpa_element_i,
			  emit_where(h->e, s->span), array_id(h, s->field), index);
	host_set(h, s->var, abi_narrow(h->e, s->var->elem, value));
}

static void emit_fold(struct host *h, const struct air_stmt *s)
{
	const struct air_fold *f = s->fold;
	LLVMValueRef arg[] = { h->session,
			       emit_where(h->e, s->span),
			       array_id(h, f->to),
			       array_id(h, f->from),
			       emit_i64(h->e, f->axes),
			       emit_i64(h->e, f->reduction) };

	abi_call(h->e, ABI_mpa_fold, arg);
}

static void emit_text_stmt(struct host *h, const struct air_stmt *s)
{
	host_pieces(h, &s->text);
	if (s->kind == STMT_PRINT)
		host_call(h, ABI_mpa_out_print, emit_where(h->e, s->span), NULL, NULL);
	else
		host_set(h, s->var, host_call(h, ABI_mpa_out_take, NULL, NULL, NULL));
}

static void emit_random(struct host *h, const struct air_stmt *s)
{
	LLVMValueRef value;

	if (s->kind == STMT_DRAW)
		value = host_call(h, ABI_mpa_draw, NULL, NULL, NULL);
	else
		value = host_call(h,
				  s->normal ? ABI_mpa_normal_scalar
					    : ABI_mpa_random_scalar,
				  host_value(h, s->value), NULL, NULL);

	host_set(h, s->var, abi_narrow(h->e, s->var->elem, value));
}

/* var = a value, or an answer of the run time that depends on nothing else */
static LLVMValueRef answer(struct host *h, const struct air_stmt *s)
{
	static const enum abi function[] = {
		[STMT_CLOCK] = ABI_mpa_clock,
		[STMT_RANKS] = ABI_mpa_ranks,
		[STMT_RANK] = ABI_mpa_rank,
		[STMT_CHECKING] = ABI_mpa_checking,
	};

	if (s->kind == STMT_SET)
		return host_value(h, s->value);
	if (s->kind == STMT_BOUND)
		return host_call(h, ABI_mpa_bound,
				 emit_i64(h->e, tables_grid(h->e, s->grid)),
				 emit_i64(h->e, tables_axis(h->e, s->axis)),
				 host_value(h, s->to));
	return abi_narrow(h->e, s->var->elem,
			  host_call(h, function[s->kind], NULL, NULL, NULL));
}

static void emit_jump(struct host *h, const struct air_stmt *s)
{
	switch (s->kind) {
	case STMT_EXIT:
		host_call(h, h->local ? ABI_mpa_local_exit : ABI_mpa_exit,
			  abi_widen(h->e, s->value->elem, host_value(h, s->value)), NULL,
			  NULL);
		leave_program(h);
		after_jump(h);
		break;
	case STMT_BREAK:
		jump(h, h->leave);
		break;
	case STMT_CONTINUE:
		jump(h, h->next);
		break;
	default:
		emit_fail(h->e,
			  "the plan has a statement of AIR (%d) that the host cannot run",
			  (int)s->kind);
	}
}

static void emit_host(struct host *h, const struct air_stmt *s)
{
	switch (s->kind) {
	case STMT_GRID:
		if (s->axis)
			define_axis(h, s->axis);
		else
			define_family(h, s->family);
		break;
	case STMT_FIELD:
		if (h->e->plan->of_field[s->field->id] && !s->field->made)
			host_call(h, ABI_mpa_array_begin, emit_where(h->e, s->span),
				  array_id(h, s->field), NULL);
		break;
	case STMT_FOLD:
		emit_fold(h, s);
		break;
	case STMT_ELEMENT:
		emit_element(h, s);
		break;
	case STMT_DRAW:
	case STMT_RANDOM:
		emit_random(h, s);
		break;
	case STMT_TEXT:
	case STMT_PRINT:
		emit_text_stmt(h, s);
		break;
	case STMT_CHECK:
		check(h, host_value(h, s->value), &s->text, NULL, s->span);
		break;
	case STMT_SAVE:
	case STMT_LOAD:
	case STMT_SHAPE:
	case STMT_PLOT:
	case STMT_EXISTS:
		host_file(h, s);
		break;
	case STMT_BACKEND:
		host_call(h, ABI_mpa_backend, emit_where(h->e, s->span),
			  host_value(h, s->value), NULL);
		break;
	case STMT_SET:
	case STMT_CLOCK:
	case STMT_RANKS:
	case STMT_RANK:
	case STMT_BOUND:
	case STMT_CHECKING:
		host_set(h, s->var, answer(h, s));
		break;
	default:
		emit_jump(h, s);
	}
}

/* ---- control ------------------------------------------------------------- */

static void emit_if(struct host *h, const struct plan_stmt *s)
{
	LLVMBasicBlockRef yes = emit_block(h->e, "then"), no = emit_block(h->e, "else");
	LLVMBasicBlockRef after = emit_block(h->e, "after");

	LLVMBuildCondBr(h->e->builder, host_value(h, s->air->value), yes, no);
	LLVMPositionBuilderAtEnd(h->e->builder, yes);
	emit_statements(h, &s->body);
	go_on_at(h, after);
	LLVMPositionBuilderAtEnd(h->e->builder, no);
	emit_statements(h, &s->other);
	go_on_at(h, after);
}

/* The body of a loop, with the places that break and continue go to. */
static void emit_body(struct host *h, const struct plan_stmt *s, LLVMBasicBlockRef leave,
		      LLVMBasicBlockRef next)
{
	LLVMBasicBlockRef outer_leave = h->leave, outer_next = h->next;

	if (h->e->options->resident && !h->local)
		host_call(h, ABI_mpa_turn, emit_where(h->e, s->air->span), NULL, NULL);
	h->leave = leave;
	h->next = next;
	emit_statements(h, &s->body);
	if (emit_is_open(h->e))
		LLVMBuildBr(h->e->builder, next);
	h->leave = outer_leave;
	h->next = outer_next;
}

static void emit_loop(struct host *h, const struct plan_stmt *s)
{
	LLVMBasicBlockRef head = emit_block(h->e, "loop"),
			  after = emit_block(h->e, "after");

	go_on_at(h, head);
	emit_body(h, s, after, head);
	LLVMPositionBuilderAtEnd(h->e->builder, after);
}

/* How often from, from + by, ... stays below to (by < 0: above); differences are taken
 * without sign, so that no bounds make it wrong. */
static LLVMValueRef count_turns(struct host *h, LLVMValueRef from, LLVMValueRef to,
				LLVMValueRef by)
{
	LLVMBuilderRef l = h->e->builder;
	LLVMValueRef zero = emit_i64(h->e, 0), one = emit_i64(h->e, 1);
	LLVMValueRef up = LLVMBuildICmp(l, LLVMIntSGT, by, zero, "");
	LLVMValueRef low = LLVMBuildSelect(l, up, from, to, "");
	LLVMValueRef high = LLVMBuildSelect(l, up, to, from, "");
	LLVMValueRef stride = LLVMBuildSelect(l, up, by, LLVMBuildNeg(l, by, ""), "");
	LLVMValueRef width = LLVMBuildSub(l, LLVMBuildSub(l, high, low, ""), one, "");
	LLVMValueRef turns =
		LLVMBuildAdd(l, LLVMBuildUDiv(l, width, stride, ""), one, "");

	return LLVMBuildSelect(l, LLVMBuildICmp(l, LLVMIntSGT, high, low, ""), turns,
			       zero, "");
}

static LLVMValueRef step_by(struct host *h, const struct air_stmt *s)
{
	LLVMValueRef by, zero = emit_i64(h->e, 0);

	if (!s->by)
		return emit_i64(h->e, 1);
	by = abi_widen(h->e, s->by->elem, host_value(h, s->by));
	if (!LLVMIsConstant(by) || by == zero)
		check(h, LLVMBuildICmp(h->e->builder, LLVMIntNE, by, zero, ""), NULL,
		      "the step of a range is 0", s->by->span);
	return by;
}

static void emit_for(struct host *h, const struct plan_stmt *s)
{
	struct emit *e = h->e;
	const struct air_stmt *air = s->air;
	LLVMValueRef from = abi_widen(e, air->from->elem, host_value(h, air->from));
	LLVMValueRef to = abi_widen(e, air->to->elem, host_value(h, air->to));
	LLVMValueRef by = step_by(h, air), zero = emit_i64(e, 0), i, left, step[2];
	LLVMBasicBlockRef head = emit_block(e, "for"), body = emit_block(e, "body");
	LLVMBasicBlockRef next = emit_block(e, "next"), after = emit_block(e, "after");
	LLVMBasicBlockRef in[2] = { LLVMGetInsertBlock(e->builder), next };
	LLVMValueRef start[2] = { from, count_turns(h, from, to, by) };

	go_on_at(h, head);
	i = LLVMBuildPhi(e->builder, e->i64, air->var->name);
	left = LLVMBuildPhi(e->builder, e->i64, "left");
	LLVMBuildCondBr(e->builder, LLVMBuildICmp(e->builder, LLVMIntEQ, left, zero, ""),
			after, body);
	LLVMPositionBuilderAtEnd(e->builder, body);
	host_set(h, air->var, abi_narrow(e, air->var->elem, i));
	if (!h->leave && !h->local)
		host_call(h, ABI_mpa_progress, emit_where(e, air->span), left, start[1]);
	emit_body(h, s, after, next);
	LLVMPositionBuilderAtEnd(e->builder, next);
	step[0] = LLVMBuildAdd(e->builder, i, by, "");
	step[1] = LLVMBuildSub(e->builder, left, emit_i64(e, 1), "");
	LLVMBuildBr(e->builder, head);
	LLVMAddIncoming(i, (LLVMValueRef[]){ start[0], step[0] }, in, 2);
	LLVMAddIncoming(left, (LLVMValueRef[]){ start[1], step[1] }, in, 2);
	LLVMPositionBuilderAtEnd(e->builder, after);
}

static void emit_local(struct host *h, const struct plan_stmt *s)
{
	LLVMBasicBlockRef leave = h->leave, next = h->next;

	h->local = emit_block(h->e, "local");
	h->leave = h->next = NULL;
	host_call(h, ABI_mpa_local_begin, NULL, NULL, NULL);
	emit_statements(h, &s->body);
	go_on_at(h, h->local);
	host_call(h, ABI_mpa_local_end, NULL, NULL, NULL);
	h->local = NULL;
	h->leave = leave;
	h->next = next;
}

static void emit_statement(struct host *h, const struct plan_stmt *s)
{
	struct emit *e = h->e;

	debug_place(e, s->kind == PLAN_RUN ? s->run->span
		       : s->air            ? s->air->span
					   : (struct span){ 0 });
	switch (s->kind) {
	case PLAN_HOST:
		if (s->copy)
			host_copy(h, s->copy);
		else
			emit_host(h, s->air);
		break;
	case PLAN_RUN:
		host_run(h, s->run);
		break;
	case PLAN_SWAP:
		host_call(h, ABI_mpa_array_swap, emit_i64(e, s->swap[0]->id),
			  emit_i64(e, s->swap[1]->id), NULL);
		break;
	case PLAN_IF:
		emit_if(h, s);
		break;
	case PLAN_LOOP:
		emit_loop(h, s);
		break;
	case PLAN_FOR:
		emit_for(h, s);
		break;
	case PLAN_LOCAL:
		emit_local(h, s);
		break;
	case PLAN_EXPORT: /* host_emit makes a function of it */
		break;
	}
}

static void emit_statements(struct host *h, const struct plan_block *b)
{
	for (const struct plan_stmt *s = b->first; s; s = s->next)
		emit_statement(h, s);
}

/* ---- the function -------------------------------------------------------- */

/* The value from the command line, else the default, which may use earlier ones. */
static void emit_param(struct host *h, int k)
{
	const struct air_param *p = &h->e->plan->air->param[k];
	LLVMBasicBlockRef given = emit_block(h->e, "given"),
			  not = emit_block(h->e, "default");
	LLVMBasicBlockRef after = emit_block(h->e, "after");
	LLVMValueRef slot = host_slots(h, 2), known;

	debug_place(h->e, p->span);
	known = host_call(h, ABI_mpa_param, slot, emit_i64(h->e, k), NULL);
	LLVMBuildCondBr(
		h->e->builder,
		LLVMBuildICmp(h->e->builder, LLVMIntNE, known, emit_i64(h->e, 0), ""),
		given, not );
	LLVMPositionBuilderAtEnd(h->e->builder, given);
	host_set(h, p->var, scalar_load(h->e, p->var->elem, slot));
	go_on_at(h, after);
	LLVMPositionBuilderAtEnd(h->e->builder, not );
	host_set(h, p->var, host_value(h, p->value));
	go_on_at(h, after);
}

static void open_function(struct host *h, LLVMValueRef f, const char *name, struct span at)
{
	struct emit *e = h->e;

	LLVMSetLinkage(f, LLVMInternalLinkage);
	h->session = LLVMGetParam(f, 0);
	debug_function(e, f, name, at);
	LLVMPositionBuilderAtEnd(e->builder,
				 LLVMAppendBasicBlockInContext(e->context, f, ""));
	debug_place(e, at);
	host_make_slots(h);
	h->args = host_call(h, ABI_mpa_args, NULL, NULL, NULL);
}

static void close_function(struct host *h)
{
	LLVMBuildRetVoid(h->e->builder);
	debug_no_place(h->e);
}

/* void entry(session, arguments, result): arguments of 8 bytes, the result as in memory. */
static LLVMValueRef emit_entry(struct host *h, const struct plan_stmt *s)
{
	struct emit *e = h->e;
	const struct air_export *x = s->air->entry->function;
	LLVMTypeRef parameter[3] = { e->ptr, e->ptr, e->ptr };
	LLVMValueRef f = LLVMAddFunction(e->module, x->name,
					 LLVMFunctionType(e->nothing, parameter, 3, 0));

	open_function(h, f, x->name, x->span);
	for (int i = 0; i < x->n_params; i++) {
		const struct air_var *v = x->param[i].var;
		LLVMValueRef at = emit_i64(e, i);

		if (v)
			host_set(h, v,
				 scalar_load(e, v->elem,
					     LLVMBuildGEP2(e->builder, e->i64,
							   LLVMGetParam(f, 1), &at, 1, "")));
	}
	emit_statements(h, &s->body);
	if (x->result)
		scalar_store(e, x->result->elem, host_var(h, x->result), LLVMGetParam(f, 2));
	close_function(h);
	return f;
}

/* Exports stand in the last loop of a program. */
static void emit_entries(struct host *h, const struct plan_block *b)
{
	for (const struct plan_stmt *s = b->first; s; s = s->next) {
		if (s->kind == PLAN_EXPORT)
			h->e->entry[s->air->entry->id] = emit_entry(h, s);
		else if (s->kind == PLAN_LOOP)
			emit_entries(h, &s->body);
	}
}

void host_emit(struct emit *e)
{
	const struct air_program *air = e->plan->air;
	struct span start = air->body.first ? air->body.first->span : (struct span){ 0 };
	struct host h = { .e = e };

	e->body = LLVMAddFunction(e->module, "body",
				  LLVMFunctionType(e->nothing, &e->ptr, 1, 0));
	e->entry = arena_new_array(e->arena, air->n_entries + 1, LLVMValueRef);
	h.value = arena_new_array(e->arena, air->n_exprs + 1, LLVMValueRef);
	h.stamp = arena_new_array(e->arena, air->n_exprs + 1, int);
	open_function(&h, e->body, "body", start);
	for (int i = 0; i < air->n_params; i++)
		emit_param(&h, i);
	emit_statements(&h, &e->plan->body);
	close_function(&h);
	emit_entries(&h, &e->plan->body);
}
