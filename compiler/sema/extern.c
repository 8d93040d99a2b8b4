/* compiler/sema/extern.c - `extern fn`: functions in C
 *
 * Every parameter and the result have an element type; arguments are converted as in an
 * assignment. A call is an operation of AIR like any other: pure, of scalars a scalar, of
 * fields a value per point.
 */
#include "sema/checker.h"

#include <string.h>

static bool check_name(struct sema *s, const struct ast *name)
{
	if (strncmp(name->text, "mpa_", 4) != 0 && strcmp(name->text, "main") != 0)
		return true;
	sema_fail(s, DIAG_WRONG_ARGUMENTS, name->span,
		  "`%s` is a name of the run time, not of a function in C", name->text);
	return false;
}

static enum elem c_type(struct sema *s, const struct ast *type)
{
	enum elem e = elem_of_type(s, type);

	if (elem_kind(e) != KIND_COMPLEX)
		return e;
	sema_fail(s, DIAG_WRONG_TYPE, type->span,
		  "a function in C takes and gives no complex numbers");
	sema_hint(s, "Let it take real(z) and imag(z); of what it gives, each part is a "
		     "function.");
	return ELEM_NONE;
}

static enum elem parameter_elem(struct sema *s, const struct ast *p)
{
	if (p->kind == AST_VAR_PARAMETER) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, p->span,
			  "a function in C changes none of its arguments");
		return ELEM_NONE;
	}
	if (!p->child[1] || p->child[1]->kind == AST_FIELD_TYPE) {
		sema_fail(s, DIAG_WRONG_TYPE, p->span,
			  "the parameter of a function in C has an element type");
		sema_hint(s, "Write `%s: f64`; of a field, the function is called for each "
			     "point.",
			  p->child[0]->text);
		return ELEM_NONE;
	}
	return c_type(s, p->child[1]);
}

static bool result_elem(struct sema *s, const struct ast *a, enum elem *e)
{
	if (!a->child[2]) {
		sema_fail(s, DIAG_WRONG_TYPE, a->child[0]->span,
			  "a function in C gives a value, whose type stands behind the `)`");
		return false;
	}
	*e = c_type(s, a->child[2]);
	if (*e == ELEM_STR)
		sema_fail(s, DIAG_WRONG_TYPE, a->child[2]->span,
			  "a function in C cannot give a text");
	return *e != ELEM_NONE && *e != ELEM_STR;
}

/* One that is declared already, perhaps by another module, with the same types. */
static const struct air_extern *same_extern(struct sema *s, const struct air_extern *f,
					    bool *differs)
{
	for (int i = 0; i < s->air->n_externs; i++) {
		const struct air_extern *other = s->air->external[i];

		if (strcmp(other->name, f->name) != 0)
			continue;
		*differs = other->elem != f->elem || other->n_params != f->n_params ||
			   memcmp(other->param, f->param,
				  (size_t)f->n_params * sizeof *f->param) != 0;
		return other;
	}
	return NULL;
}

static const struct air_extern *extern_keep(struct sema *s, const struct air_extern *f)
{
	bool differs = false;
	const struct air_extern *old = same_extern(s, f, &differs);
	struct air_extern *kept;

	if (differs) {
		sema_fail(s, DIAG_DECLARED_TWICE, f->span,
			  "`%s` is declared with other types before", f->name);
		sema_note(s, old->span, "here");
		return NULL;
	}
	if (old)
		return old;
	kept = air_extern_new(s->air, f->name, f->n_params, f->span);
	kept->elem = f->elem;
	kept->param = f->param;
	return kept;
}

static const struct air_extern *read_signature(struct sema *s, const struct ast *a)
{
	const struct ast *list = a->child[1];
	enum elem *param = arena_new_array(s->arena, list->n_children + 1, enum elem);
	struct air_extern f = { .name = a->child[0]->text, .span = a->child[0]->span };
	bool good = check_name(s, a->child[0]);

	f.n_params = list->n_children;
	f.param = param;
	if (f.n_params > MAX_EXTERN_PARAMS) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, list->span,
			  "a function in C has at most %d parameters", MAX_EXTERN_PARAMS);
		return NULL;
	}
	for (int i = 0; i < f.n_params; i++) {
		param[i] = parameter_elem(s, list->child[i]);
		good = good && param[i] != ELEM_NONE;
	}
	return result_elem(s, a, &f.elem) && good ? extern_keep(s, &f) : NULL;
}

void check_extern(struct sema *s, const struct ast *a)
{
	struct function *f = arena_new_object(s->arena, struct function);
	struct value v = { .kind = VALUE_FUNCTION, .span = a->child[0]->span };

	f->name = a->child[0]->text;
	f->ast = a;
	f->scope = s->scope;
	f->order = s->order;
	f->external = read_signature(s, a);
	v.as.function = f;
	scope_add(s, a->child[0], SYMBOL_FUNCTION, f->external ? v : value_error());
}

struct value extern_call(struct sema *s, const struct air_extern *f, struct value *v,
			 struct span at)
{
	const struct air_expr *arg[MAX_EXTERN_PARAMS];
	struct value r;

	if (!operands_meet(s, v, f->n_params, at))
		return value_error();
	for (int i = 0; i < f->n_params; i++) {
		const char *what = arena_printf(s->arena, "argument %d of `%s`", i + 1,
						f->name);

		if (!value_convert(s, &v[i], f->param[i], what))
			return value_error();
		arg[i] = v[i].as.expr;
	}
	r = value_joined(s, v, f->n_params, at);
	r.as.expr = air_call(s->air, f, arg, sema_place(s, at));
	return r;
}
