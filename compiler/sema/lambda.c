/* compiler/sema/lambda.c - functions written where they are used
 *
 * Takes `(i, j) -> e`, gives a function as if it had been declared there: the tree of
 * its declaration is made up, with the places of what was written.
 */
#include "sema/checker.h"

/* `(i, j) -> e`: a function without a name, over what stands above it. */
struct value eval_lambda(struct sema *s, const struct ast *a)
{
	const struct ast *names = a->child[0];
	struct function *f = arena_new_object(s->arena, struct function);
	const struct ast **parameter =
		arena_new_array(s->arena, names->n_children + 1, const struct ast *);
	const struct ast **child = arena_new_array(s->arena, 4, const struct ast *);
	struct ast *fn = arena_copy(s->arena, a, sizeof *a), *list;
	struct value v = { .kind = VALUE_FUNCTION, .span = a->span };

	for (int i = 0; i < names->n_children; i++) {
		const struct ast **part =
			arena_new_array(s->arena, 3, const struct ast *);
		struct ast *p =
			arena_copy(s->arena, names->child[i], sizeof *names->child[i]);

		part[0] = names->child[i];
		p->kind = AST_PARAMETER;
		p->n_children = 3;
		p->child = part;
		parameter[i] = p;
	}
	list = arena_copy(s->arena, names, sizeof *names);
	list->kind = AST_PARAMETERS;
	list->child = parameter;
	child[0] = names;
	child[1] = list;
	child[3] = a->child[1];
	fn->kind = AST_FN;
	fn->n_children = 4;
	fn->child = child;
	*f = (struct function){ "this function", fn, s->scope, s->order, NULL };
	v.as.function = f;
	return v;
}
