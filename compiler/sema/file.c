/* compiler/sema/file.c - files: save, load, shape, exists
 *
 * The end of a file's name tells its kind. Where a name is known only when the program
 * runs, so is its kind, and what a kind cannot hold is refused then.
 */
#include "sema/checker.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* OTHER: an end of up to four letters that no kind here has */
enum file_kind { FILE_UNKNOWN, FILE_NPY, FILE_HDF5, FILE_VTI, FILE_NPZ, FILE_PNG, FILE_OTHER };

struct file {
	const struct air_expr *name; /* NULL: told what is wrong with it */
	enum file_kind kind;
	struct span span;
};

/* ---- names of files ------------------------------------------------------------ */

static enum file_kind kind_of(const char *name)
{
	static const struct {
		const char *end;
		enum file_kind kind;
	} kinds[] = {
#define ROW(end, kind) { end, FILE_##kind },
#include "sema/file.def"
#undef ROW
	};
	const char *end = strrchr(name, '.');
	int letters;

	for (size_t i = 0; end && i < sizeof kinds / sizeof *kinds; i++)
		if (strcasecmp(end, kinds[i].end) == 0)
			return kinds[i].kind;
	for (letters = 0; end && isalpha((unsigned char)end[1 + letters]); letters++)
		continue;
	return letters >= 1 && letters <= 4 && !end[1 + letters] ? FILE_OTHER : FILE_UNKNOWN;
}

/* Also of a text with holes, if what follows the last of them has the end. */
static enum file_kind kind_written(const struct ast *a, const struct value *v)
{
	const struct ast *last;

	if (value_is_constant(v))
		return kind_of(v->as.expr->as.text);
	a = ast_bare(a);
	if (a->kind != AST_TEXT || !a->n_children)
		return FILE_UNKNOWN;
	last = a->child[a->n_children - 1];
	return last->kind == AST_PIECE ? kind_of(last->text) : FILE_UNKNOWN;
}

static struct file file_read(struct sema *s, struct value v, const struct ast *a)
{
	struct file f = { .span = a->span };

	v = value_operand(s, v);
	if (v.kind == VALUE_ERROR)
		return f;
	if (!value_is_scalar(&v) || value_elem(&v) != ELEM_STR) {
		sema_fail(s, DIAG_WRONG_TYPE, a->span,
			  "the name of a file is a text, and this is %s",
			  value_text(s, &v));
		return f;
	}
	f.name = v.as.expr;
	f.kind = kind_written(a, &v);
	return f;
}

static bool refuse(struct sema *s, struct span at, const char *what, const char *remedy)
{
	sema_fail(s, DIAG_WRONG_ARGUMENTS, at, "%s", what);
	sema_hint(s, "%s", remedy);
	return false;
}

/* ---- items ---------------------------------------------------------------------- */

/* What a file gets or gives, as it is written: `u`, or `name = u`. */
struct written {
	const char *name; /* NULL: an expression without one */
	const struct ast *ast;
};

static int items_written(const struct arguments *a, struct written *w)
{
	int n = 0;

	for (int i = 1; i < a->n; i++) {
		const struct ast *x = ast_bare(a->ast[i]);

		w[n++] = (struct written){ x->kind == AST_NAME ? x->text : NULL, x };
	}
	for (int i = 0; i < a->n_named; i++)
		w[n++] = (struct written){ a->key[i], ast_bare(a->named[i]) };
	return n;
}

static bool names_differ(struct sema *s, const struct arguments *a,
			 const struct written *w, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++) {
			if (!w[i].name || !w[j].name || strcmp(w[i].name, w[j].name))
				continue;
			sema_fail(s, DIAG_WRONG_ARGUMENTS, w[i].ast->span,
				  "`%s` is twice in this `%s`", w[i].name, a->name);
			return false;
		}
	return true;
}

static void named_use(struct arguments *a)
{
	for (int i = 0; i < a->n_named; i++)
		a->used[i] = true;
}

/* ---- save ------------------------------------------------------------------------ */

static bool save_fits(struct sema *s, const struct file *f, const struct arguments *a,
		      int n)
{
	static const char one[] =
		"Several fields and scalars go into a file whose name ends "
		"in `.h5`, each as a dataset.";

	if (n == 0)
		return refuse(s, a->at, "`save` needs what is to be saved",
			      "Write `save(\"u.npy\", u)`.");
	if (f->kind == FILE_NPZ)
		return refuse(s, f->span, "files of the kind .npz are not written", one);
	if (f->kind == FILE_PNG)
		return refuse(s, f->span, "`save` makes no pictures",
			      "`plot(\"u.png\", u)` does.");
	if (f->kind == FILE_OTHER)
		return refuse(s, f->span, "files of this kind are not written",
			      "NumPy's `.npy`, HDF5's `.h5` and VTK's `.vti` are.");
	if (f->kind == FILE_NPY && n > 1)
		return refuse(s, a->at, "a NumPy file holds one field", one);
	return true;
}

static bool save_value(struct sema *s, const struct file *f, struct value v,
		       struct air_item *item)
{
	v = loose_settle_alone(s, value_operand(s, v));
	if (v.kind == VALUE_ERROR)
		return false;
	if (v.kind != VALUE_EXPR ||
	    (f->kind != FILE_HDF5 && f->kind != FILE_UNKNOWN && !value_grid(&v))) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, v.span,
			  "a field is saved, and this is %s", value_text(s, &v));
		if (v.kind == VALUE_EXPR)
			sema_hint(s, "Files whose name ends in `.h5` hold scalars too.");
		return false;
	}
	if (!value_grid(&v)) {
		item->value = v.as.expr;
		return true;
	}
	if (!value_field(&v))
		v = stage_new(s, v, sema_name(s, "saved"));
	item->field = v.kind == VALUE_ERROR ? NULL : value_field(&v);
	return item->field;
}

/* Where the first point of an axis of g is. */
static const struct air_expr *first_place(struct sema *s, struct grid *g, int axis,
					  struct span at)
{
	struct air_place place = { g->axis[axis], g->ext[axis], 0 };
	struct value v = value_scalar(air_at_place(s->air, AIR_COORD, place, at), at);
	struct air_stmt *st;

	v = stage_new(s, v, sema_name(s, "place"));
	st = sema_emit(s, STMT_ELEMENT, at);
	st->field = value_field(&v);
	st->index[0] = air_int(s->air, ELEM_I64, 0);
	st->var = var_new(s, sema_name(s, "first"), ELEM_F64, at, false);
	return air_read_var(s->air, st->var, at);
}

static void places_take(struct sema *s, struct air_item *item, struct span at)
{
	struct grid *g = item->field->grid;

	for (int i = 0; i < g->n_axes; i++) {
		struct air_place place = { g->axis[i], 0, 0 };

		if (g->axis[i]->local)
			continue;
		item->first[i] = first_place(s, g, i, at);
		item->step[i] = air_at_place(s->air, AIR_STEP, place, at);
	}
}

static int axes_cut(const struct grid *g)
{
	int n = 0;

	for (int i = 0; i < g->n_axes; i++)
		n += !g->axis[i]->local;
	return n;
}

static bool vti_fits(struct sema *s, const struct air_field *f, struct span at)
{
	int n = axes_cut(f->grid);

	if (n >= 1 && n <= 3)
		return true;
	return refuse(s, at, "VTK's images have one to three axes that are not local",
		      "Save it as `.npy` or `.h5`.");
}

static bool save_item(struct sema *s, const struct file *f, const struct written *w,
		      struct air_item *item)
{
	struct value v = eval_expr(s, w->ast);

	v.span = w->ast->span;
	if (!w->name && (f->kind == FILE_HDF5 || f->kind == FILE_VTI) &&
	    v.kind != VALUE_ERROR)
		return refuse(
			s, w->ast->span,
			"what is saved there takes its name along, and this has none",
			"Give it one: `save(..., name = ...)`.");
	item->name = air_string(s->air, w->name ? w->name : "data");
	if (!save_value(s, f, v, item))
		return false;
	if (f->kind != FILE_VTI)
		return true;
	if (!vti_fits(s, item->field, w->ast->span))
		return false;
	places_take(s, item, sema_place(s, w->ast->span));
	return true;
}

struct value save_call(struct sema *s, struct arguments *a, int data)
{
	struct written w[ARGUMENTS_MOST + NAMED_MOST];
	int n = items_written(a, w);
	struct air_item *item = arena_new_array(s->arena, n + 1, struct air_item);
	struct value name = eval_expr(s, a->ast[0]);
	struct file f = file_read(s, name, a->ast[0]);
	struct air_stmt *st;
	bool good = f.name && save_fits(s, &f, a, n) && names_differ(s, a, w, n);

	(void)data;
	named_use(a);
	s->alone = false;
	for (int i = 0; i < n && good; i++)
		good = save_item(s, &f, &w[i], &item[i]);
	if (!good)
		return value_error();
	st = sema_emit(s, STMT_SAVE, sema_place(s, a->at));
	st->n_items = n;
	st->item = item;
	st->value = f.name;
	s->effects++;
	return value_none(a->at);
}

/* ---- plot ------------------------------------------------------------------------ */

static bool plot_fits(struct sema *s, const struct value *v)
{
	int n = value_grid(v) ? axes_cut(value_grid(v)) : 0;

	if (v->kind != VALUE_EXPR || !value_grid(v)) {
		sema_fail(s, DIAG_WRONG_ARGUMENTS, v->span,
			  "a field is drawn, and this is %s", value_text(s, v));
		return false;
	}
	if (elem_kind(value_elem(v)) == KIND_COMPLEX)
		return refuse(s, v->span, "complex numbers cannot be drawn",
			      "Draw `abs(...)` or `real(...)` of them.");
	if (n < value_grid(v)->n_axes)
		return refuse(s, v->span, "a field with a local axis cannot be drawn",
			      "Draw a component, such as `f[q=0]`.");
	if (n > 2)
		return refuse(s, v->span, "fields of one or two axes can be drawn",
			      "Draw a slice, such as `u[z=0]`.");
	return true;
}

/* The title: the name, or the expression as it is written. */
static const char *title_of(struct sema *s, const struct ast *a)
{
	struct span at = a->span;
	char *title = arena_printf(s->arena, "%.*s", (int)(at.end - at.begin),
				   at.source->text + at.begin);

	for (char *c = title; *c; c++)
		if (*c == '\n' || *c == '\t' || *c == '\r')
			*c = ' ';
	return title;
}

static bool plot_item(struct sema *s, const struct ast *a, struct air_item *item)
{
	struct value v = eval_expr(s, a);

	v.span = a->span;
	v = loose_settle_alone(s, value_operand(s, v));
	if (v.kind == VALUE_ERROR || !plot_fits(s, &v))
		return false;
	if (!value_field(&v))
		v = stage_new(s, v, sema_name(s, "drawn"));
	if (v.kind == VALUE_ERROR)
		return false;
	item->field = value_field(&v);
	item->name = air_string(s->air, title_of(s, a));
	places_take(s, item, sema_place(s, a->span));
	return true;
}

struct value plot_call(struct sema *s, struct arguments *a, int data)
{
	struct air_item *item = arena_new_array(s->arena, 1, struct air_item);
	struct value name = eval_expr(s, a->ast[0]);
	struct file f = file_read(s, name, a->ast[0]);
	struct air_stmt *st;

	(void)data;
	s->alone = false;
	if (f.name && f.kind != FILE_PNG && f.kind != FILE_UNKNOWN) {
		refuse(s, f.span, "pictures are PNG files",
		       "Give it a name that ends in `.png`.");
		return value_error();
	}
	if (!f.name || !plot_item(s, a->ast[1], item))
		return value_error();
	st = sema_emit(s, STMT_PLOT, sema_place(s, a->at));
	st->n_items = 1;
	st->item = item;
	st->value = f.name;
	s->effects++;
	return value_none(a->at);
}

/* ---- load ------------------------------------------------------------------------ */

static bool load_fits(struct sema *s, const struct file *f, struct span at, int n,
		      bool named)
{
	if (f->kind == FILE_VTI || f->kind == FILE_PNG || f->kind == FILE_NPZ)
		return refuse(s, f->span, "files of this kind are not read",
			      "NumPy's `.npy` and HDF5's `.h5` are.");
	if (f->kind == FILE_NPY && n > 1)
		return refuse(
			s, at, "a NumPy file holds one field",
			"Several fields and scalars come from a file whose name ends in "
			"`.h5`.");
	if (f->kind == FILE_NPY && named)
		return refuse(s, at, "a NumPy file holds one field without a name",
			      "Leave the name of the dataset out.");
	return true;
}

static void emit_load(struct sema *s, const struct file *f, struct span at,
		      struct air_item *item, int n)
{
	struct air_stmt *st = sema_emit(s, STMT_LOAD, sema_place(s, at));

	st->n_items = n;
	st->item = item;
	st->value = f->name;
}

/* Is it `load(...)`, which fills the field on the left side? */
bool load_is(const struct sema *s, const struct ast *a)
{
	a = a ? ast_bare(a) : NULL;
	return ast_is(a, AST_CALL) && a->child[0]->kind == AST_NAME &&
	       strcmp(a->child[0]->text, "load") == 0 &&
	       !scope_find(s, a->child[0]->text);
}

/* The name of a dataset, a text. */
static const struct air_expr *dataset_name(struct sema *s, const struct ast *a)
{
	struct value v = eval_scalar(s, a, "the name of a dataset");

	if (v.kind == VALUE_ERROR)
		return NULL;
	if (value_elem(&v) == ELEM_STR)
		return v.as.expr;
	sema_fail(s, DIAG_WRONG_TYPE, a->span,
		  "the name of a dataset is a text, and this is %s", value_text(s, &v));
	return NULL;
}

void load_into(struct sema *s, struct air_field *f, const struct ast *call)
{
	struct air_item *item = arena_new_array(s->arena, 1, struct air_item);
	struct value name;
	struct file file;
	bool named;

	call = ast_bare(call);
	named = call->n_children == 3;
	if (call->n_children < 2 || call->n_children > 3 ||
	    call->child[1]->kind == AST_NAMED ||
	    (named && call->child[2]->kind == AST_NAMED)) {
		sema_fail(
			s, DIAG_WRONG_ARGUMENTS, call->span,
			"here `load` takes the name of a file and perhaps of a dataset");
		return;
	}
	name = eval_expr(s, call->child[1]);
	file = file_read(s, name, call->child[1]);
	if (!file.name || !load_fits(s, &file, call->span, 1, named))
		return;
	item->field = f;
	item->name =
		named ? dataset_name(s, call->child[2]) : air_string(s->air, f->name);
	if (!item->name)
		return;
	emit_load(s, &file, call->span, item, 1);
	s->block->last->only = !named;
}

static bool load_target(struct sema *s, const struct written *w, struct air_item *item)
{
	if (w->ast->kind != AST_NAME)
		return refuse(s, w->ast->span, "`load` fills whole fields and variables",
			      "Give it their names.");
	if (!assign_target(s, w->ast, &item->field, &item->var))
		return false;
	item->name = air_string(s->air, w->name);
	return true;
}

/* `load("state.h5", u, v, step)` */
struct value load_call(struct sema *s, struct arguments *a, int data)
{
	struct written w[ARGUMENTS_MOST + NAMED_MOST];
	int n = items_written(a, w);
	struct air_item *item = arena_new_array(s->arena, n + 1, struct air_item);
	struct value name, e;
	struct file f;
	bool good;

	(void)data;
	named_use(a);
	if (n == 0 || !s->alone) {
		e = sema_failed(
			s, DIAG_CALL_ALONE, a->at,
			"`load` is the whole right side of a field, or a statement "
			"that names what it fills");
		sema_hint(s,
			  "Write `u = load(\"u.npy\")` or `load(\"state.h5\", u, v)`.");
		return e;
	}
	s->alone = false;
	name = eval_expr(s, a->ast[0]);
	f = file_read(s, name, a->ast[0]);
	good = f.name && load_fits(s, &f, a->at, n, false) && names_differ(s, a, w, n);
	for (int i = 0; i < n && good; i++)
		good = load_target(s, &w[i], &item[i]);
	if (!good)
		return value_error();
	emit_load(s, &f, a->at, item, n);
	s->effects++;
	return value_none(a->at);
}

/* ---- questions --------------------------------------------------------------------- */

struct value exists_call(struct sema *s, struct arguments *a, int data)
{
	struct file f = file_read(s, a->value[0], a->ast[0]);
	struct air_stmt *st;

	(void)data;
	if (!f.name)
		return value_error();
	st = sema_emit(s, STMT_EXISTS, sema_place(s, a->at));
	st->value = f.name;
	st->var = var_new(s, sema_name(s, "exists"), ELEM_BOOL, a->at, false);
	return value_scalar(air_read_var(s->air, st->var, a->at), a->at);
}

/* shape(file, axis), shape(file, dataset, axis) */
struct value shape_call(struct sema *s, struct arguments *a, int data)
{
	struct file f = file_read(s, a->value[0], a->ast[0]);
	struct value axis = value_operand(s, a->value[a->n - 1]);
	struct air_item *item = arena_new_array(s->arena, 1, struct air_item);
	struct air_stmt *st;

	(void)data;
	item->name = a->n == 3 ? dataset_name(s, a->ast[1]) : air_string(s->air, "");
	if (!f.name || !item->name || !load_fits(s, &f, a->at, 1, a->n == 3))
		return value_error();
	if (!value_is_scalar(&axis) || elem_kind(value_elem(&axis)) != KIND_INT)
		return sema_failed(s, DIAG_WRONG_TYPE, axis.span,
				   "an axis of a file is an integer");
	st = sema_emit(s, STMT_SHAPE, sema_place(s, a->at));
	st->value = f.name;
	st->n_items = 1;
	st->item = item;
	st->from = value_cast(s, axis, ELEM_I64).as.expr;
	st->var = var_new(s, sema_name(s, "shape"), ELEM_I64, a->at, false);
	return value_scalar(air_read_var(s->air, st->var, a->at), a->at);
}
