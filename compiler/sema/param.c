/* compiler/sema/param.c - the parameters of the program
 *
 * A `const` parameter is a constant that `mpac --NAME=VALUE` replaces; any other is
 * a variable that the program's command line sets before the first statement, so
 * its default reads nothing but earlier parameters.
 */
#include "base/parse.h"
#include "sema/checker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool reserved(const char *name)
{
	static const char *const words[] = { "help",     "version", "backend", "threads",
					     "procs",    "seed",    "profile", "trace",
					     "progress", "quiet",   "check" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(name, words[i]) == 0)
			return true;
	return false;
}

static struct sema_override *override_find(const struct sema *s, const char *name)
{
	for (int i = 0; i < s->in->n_overrides; i++)
		if (strcmp(s->in->override[i].name, name) == 0)
			return &s->in->override[i];
	return NULL;
}

static const struct air_expr *override_complex(struct sema *s, const char *text, enum elem e)
{
	double part[2];

	if (!complex_parse(text, e == ELEM_C64, part))
		return NULL;
	return air_complex(s->air, air_real(s->air, elem_part(e), part[0]),
			   air_real(s->air, elem_part(e), part[1]));
}

/* The value of `mpac --name=text` as a literal of type e. */
static const struct air_expr *override_read(struct sema *s, const char *text, enum elem e)
{
	char *end;

	errno = 0;
	switch (elem_kind(e)) {
	case KIND_TEXT:
		return air_string(s->air, arena_strdup(s->arena, text));
	case KIND_COMPLEX:
		return override_complex(s, text, e);
	case KIND_BOOL:
		if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
			return air_int(s->air, e, text[0] == 't');
		return NULL;
	case KIND_INT: {
		long long i = strtoll(text, &end, 0);

		return end == text || *end || errno ? NULL : air_int(s->air, e, i);
	}
	default: {
		double f = strtod(text, &end);

		return end == text || *end ? NULL : air_real(s->air, e, f);
	}
	}
}

static struct value const_value(struct sema *s, const struct ast *name, struct value v)
{
	struct sema_override *given = override_find(s, name->text);

	if (v.kind == VALUE_ERROR)
		return v;
	if (v.kind != VALUE_LIST && !value_is_constant(&v)) {
		struct value e =
			sema_failed(s, DIAG_NOT_CONSTANT, v.span,
				    "the default of a `const` parameter is a constant");

		sema_hint(s,
			  "Leave `: const` out if the value is known at run time only.");
		return e;
	}
	if (!given)
		return v;
	given->used = true;
	if (v.kind == VALUE_EXPR)
		v.as.expr = override_read(s, given->value, v.as.expr->elem);
	if (v.kind == VALUE_EXPR && v.as.expr)
		return v;
	return sema_failed(s, DIAG_WRONG_TYPE, name->span,
			   "`--%s=%s` does not fit the parameter", name->text,
			   given->value);
}

struct param_check {
	struct sema *s;
	const struct air_expr *bad;
};

static const struct air_expr *param_leaf(void *context, const struct air_expr *e)
{
	struct param_check *c = context;
	bool good = e->op == AIR_CONST;

	good = good || (e->op == AIR_VAR && prompt_knows_var(c->s, e->as.var));
	for (int i = 0; e->op == AIR_VAR && i < c->s->air->n_params; i++)
		good = good || c->s->air->param[i].var == e->as.var;
	if (!good)
		c->bad = e;
	return e;
}

static bool default_early(struct sema *s, struct value v, bool hoisted)
{
	struct param_check c = { s, NULL };

	expr_rewrite(s, v.as.expr, param_leaf, &c);
	if (!c.bad && !hoisted)
		return true;
	sema_fail(s, DIAG_BAD_PARAM, v.span,
		  "a default uses constants and earlier parameters only");
	sema_hint(s, "It is needed before the program starts: use a `let` for this.");
	return false;
}

static const char *as_written(struct sema *s, struct span at)
{
	if (!at.source)
		return "";
	return arena_strndup(s->arena, at.source->text + at.begin, at.end - at.begin);
}

static void param_add(struct sema *s, struct air_param p)
{
	struct air_param *all =
		arena_new_array(s->arena, s->air->n_params + 1, struct air_param);

	if (s->air->n_params)
		memcpy(all, s->air->param, (size_t)s->air->n_params * sizeof *all);
	all[s->air->n_params++] = p;
	s->air->param = all;
}

/* Parameters of imported files are options of the same program. */
static bool param_taken(struct sema *s, const struct ast *name)
{
	for (int i = 0; i < s->air->n_params; i++) {
		if (strcmp(s->air->param[i].var->name, name->text) != 0)
			continue;
		sema_fail(s, DIAG_BAD_PARAM, name->span,
			  "the program has a parameter `%s` already", name->text);
		sema_note(s, s->air->param[i].span, "it is declared here");
		return true;
	}
	return false;
}

/* What --help says of it: its text, or the first line of what documents it. */
static const char *param_text(struct sema *s, const struct ast *a)
{
	const char *doc = sema_doc(s, a->doc);

	if (a->child[3] && a->child[3]->text)
		return a->child[3]->text;
	return arena_strndup(s->arena, doc, strcspn(doc, "\n"));
}

static struct value param_value(struct sema *s, const struct ast *a, struct value v)
{
	const struct ast *name = a->child[0];
	struct air_var *var;

	var = var_new(s, name->text, v.as.expr->elem, name->span, false);
	param_add(s, (struct air_param){
			     .var = var,
			     .text = param_text(s, a),
			     .value = v.as.expr,
			     .shown = as_written(s, a->child[2]->span),
			     .span = name->span,
		     });
	return value_scalar(air_read_var(s->air, var, name->span), name->span);
}

static struct value param_read(struct sema *s, const struct ast *a)
{
	struct air_block hoisted = { 0 }, *around = s->block;
	const struct ast *type = a->child[1];
	bool constant = ast_is(type, AST_NAME) && strcmp(type->text, "const") == 0;
	struct value v;
	enum elem e;

	if (!a->child[2])
		return sema_failed(s, DIAG_BAD_PARAM, a->span,
				   "the parameter `%s` has no default",
				   a->child[0]->text);
	s->block = &hoisted;
	v = value_operand(s, eval_expr(s, a->child[2]));
	s->block = around;
	if (constant)
		return const_value(s, a->child[0], v);
	if (v.kind == VALUE_ERROR)
		return v;
	if (!value_is_scalar(&v))
		return sema_failed(s, DIAG_NOT_SCALAR, a->child[2]->span,
				   "a parameter is a scalar, and this is %s",
				   value_text(s, &v));
	e = type ? elem_of_type(s, type) : value_elem(&v);
	if (e == ELEM_NONE || !value_convert(s, &v, e, "the default") ||
	    !default_early(s, v, hoisted.first))
		return value_error();
	return param_value(s, a, v);
}

void check_param(struct sema *s, const struct ast *a)
{
	const struct ast *name = a->child[0];
	struct value v;

	if (s->scope->kind != SCOPE_MODULE) {
		sema_fail(s, DIAG_BAD_PARAM, a->span,
			  "a parameter is declared at the top of a file");
		v = value_error();
	} else if (reserved(name->text)) {
		sema_fail(s, DIAG_BAD_PARAM, name->span,
			  "every program has an option `--%s`: a parameter cannot be "
			  "called so",
			  name->text);
		v = value_error();
	} else if (scope_find(s, name->text) || !param_taken(s, name)) {
		v = param_read(s, a);
	} else {
		v = value_error();
	}
	scope_add(s, name, SYMBOL_PARAM, v);
}

/* Options given to the compiler that no parameter took. */
void check_overrides(struct sema *s)
{
	for (int i = 0; i < s->in->n_overrides; i++) {
		struct sema_override *given = &s->in->override[i];

		if (given->used || given->optional)
			continue;
		sema_fail(s, DIAG_BAD_PARAM, (struct span){ 0 },
			  "`--%s=%s`: the program has no parameter `%s: const`",
			  given->name, given->value, given->name);
		sema_hint(s, "Other parameters are given to the compiled program.");
	}
}
