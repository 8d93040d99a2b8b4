/* array/evaluate_stmt.c - statements, one after the other
 *
 * A block says how it was left; nothing goes on once the program has ended.
 */
#include "array/evaluator.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "base/random.h"

enum left { LEFT_AT_END, LEFT_BY_BREAK, LEFT_BY_CONTINUE };

static enum left run_block(struct evaluator *ev, const struct air_block *b);

void evaluate_fail(struct evaluator *ev, const struct air_stmt *s, const char *format, ...)
{
	va_list values;

	fflush(ev->out);
	if (s && s->span.source) {
		struct place at = span_place(s->span);

		fprintf(stderr, "%s:%d:%d: ", s->span.source->name, at.line, at.column);
	}
	fputs("error: ", stderr);
	va_start(values, format);
	vfprintf(stderr, format, values);
	va_end(values);
	putc('\n', stderr);
	ev->ended = true;
	ev->status = 1;
}

static void set_var(struct evaluator *ev, const struct air_stmt *s, union scalar x)
{
	ev->now->var[s->var->id] = x;
}

/* grids and fields */

static void begin_axis(struct evaluator *ev, const struct air_stmt *s, const struct axis *a)
{
	struct extent *x = &ev->extent[a->family->id][a->rank];
	bool nodes = a->place == AXIS_NODES;
	double lo = 0, hi = 0;

	x->size = evaluate_scalar(ev, a->size).i;
	if (x->size < 1 + nodes && !a->slice) {
		evaluate_fail(ev, s, "axis %s of %s has %lld points", a->name, a->family->name,
		              (long long)x->size);
		x->size = 1 + nodes;
	}
	x->lo = 0;
	x->step = 1;
	if (a->place == AXIS_INDEX)
		return;
	lo = evaluate_scalar(ev, a->lo).f;
	hi = evaluate_scalar(ev, a->hi).f;
	x->lo = lo;
	x->step = (hi - lo) / (double)(x->size - nodes);
}

/* Where blocks start changes no value, but a cost must be one. */
static void check_cost(struct evaluator *ev, const struct air_stmt *s, int axis)
{
	const struct air_field *f = s->family->cuts[axis].cost;
	int64_t n = f ? points_count(ev, f->grid) : 0;

	for (int64_t i = 0; i < n && !ev->ended; i++) {
		union scalar x = evaluate_field(ev, ev->now, f, &i);

		if (elem_kind(f->elem) == KIND_REAL ? !(x.f >= 0) || isinf(x.f) : x.i < 0)
			evaluate_fail(ev, s,
			              "the cost of axis %s has a point that is negative or "
			              "not finite",
			              s->family->axis[axis]->name);
	}
}

static void begin_family(struct evaluator *ev, const struct air_stmt *s)
{
	if (s->axis)
		begin_axis(ev, s, s->axis);
	for (int i = 0; !s->axis && i < s->family->n_base; i++) {
		begin_axis(ev, s, s->family->axis[i]);
		check_cost(ev, s, i);
	}
}

static void define_stage(struct evaluator *ev, const struct air_stmt *s)
{
	const struct air_field *f = s->field;
	struct world *w = world_snapshot(ev, f);
	struct store *store = world_begin(ev, f);
	struct points p = points_of(ev, f->grid);

	store->world = w;
	for (points_start(&p); p.more; points_next(&p))
		store->value[p.flat] = evaluate_at(ev, w, f->value, &p.place);
}

/* assignments: everything is evaluated before anything is written */

struct written { int64_t flat; union scalar value; };

/* The points of the target where the mask holds, and what they become. Values are made
 * at all points, so that a read without a boundary fails whatever the mask says. */
static struct written *evaluate_target(struct evaluator *ev, const struct air_stmt *s,
                                       const struct air_target *t, int64_t *n)
{
	struct written *out;
	struct points p;
	int64_t room = 1;

	*n = 0;
	if (!points_in(ev, s, t->field, &t->region, &p))
		return NULL;
	for (int i = 0; i < p.grid->n_axes; i++)
		room *= p.count[i];
	out = xmalloc((room + 1) * sizeof *out);
	for (points_start(&p); p.more; points_next(&p)) {
		out[*n].flat = p.flat;
		out[*n].value = evaluate_at(ev, ev->now, t->value, &p.place);
		if (!s->mask || evaluate_at(ev, ev->now, s->mask, &p.place).i)
			++*n;
	}
	return out;
}

static void assign(struct evaluator *ev, const struct air_stmt *s)
{
	struct written **out = xmalloc(s->n_targets * sizeof *out);
	int64_t *n = xmalloc(s->n_targets * sizeof *n);

	for (int i = 0; i < s->n_targets; i++)
		out[i] = evaluate_target(ev, s, &s->target[i], &n[i]);
	for (int i = 0; i < s->n_targets; i++) {
		union scalar *value = world_change(ev, s->target[i].field);

		for (int64_t j = 0; j < n[i] && !ev->ended; j++)
			value[out[i][j].flat] = out[i][j].value;
		free(out[i]);
	}
	free(out);
	free(n);
}

/* copies */

/* "(3, 4)": the counts along the axes that are paired. */
static const char *copy_shape(struct evaluator *ev, const struct air_copy *c,
                              const struct points *side, bool source)
{
	const char *text = "(";

	for (int i = 0; i < c->to->grid->n_axes; i++)
		if (c->pair[i] >= 0)
			text = arena_printf(ev->arena, "%s%s%lld", text, text[1] ? ", " : "",
			                    (long long)side->count[source ? c->pair[i] : i]);
	return arena_printf(ev->arena, "%s)", text);
}

static bool copy_fits(struct evaluator *ev, const struct air_stmt *s, const struct points *to,
                      const struct points *from)
{
	for (int i = 0; i < to->grid->n_axes; i++) {
		int k = s->copy->pair[i];

		if (k < 0 || to->count[i] == from->count[k])
			continue;
		evaluate_fail(ev, s, "a slice of shape %s does not fit points of shape %s",
		              copy_shape(ev, s->copy, from, true),
		              copy_shape(ev, s->copy, to, false));
		return false;
	}
	return true;
}

/* Where the position of `to` lies in `from`. */
static int64_t copy_source(const struct air_copy *c, const struct points *to,
                           struct points *from)
{
	int64_t flat = 0;

	for (int i = 0; i < to->grid->n_axes; i++)
		if (c->pair[i] >= 0)
			from->k[c->pair[i]] = to->k[i];
	for (int i = 0; i < from->grid->n_axes; i++)
		flat = flat * from->size[i] + from->start[i] + from->k[i] * from->step[i];
	return flat;
}

static void copy(struct evaluator *ev, const struct air_stmt *s)
{
	const struct air_copy *c = s->copy;
	struct points to, from;
	struct written *out;
	union scalar *value;
	int64_t n = 0, room = 1;

	if (!points_in(ev, s, c->to, &c->to_region, &to) ||
	    !points_in(ev, s, c->from, &c->from_region, &from) ||
	    !copy_fits(ev, s, &to, &from))
		return;
	for (int i = 0; i < to.grid->n_axes; i++)
		room *= to.count[i];
	out = xmalloc((room + 1) * sizeof *out);
	for (points_start(&to); to.more; points_next(&to)) {
		out[n].flat = to.flat;
		out[n++].value = ev->now->field[c->from->id]->value[copy_source(c, &to, &from)];
	}
	value = world_change(ev, c->to);
	for (int64_t i = 0; i < n; i++)
		value[out[i].flat] = out[i].value;
	free(out);
}

static void element(struct evaluator *ev, const struct air_stmt *s)
{
	const struct grid *g = s->field->grid;
	int64_t index[MAX_AXES];

	for (int i = 0; i < g->n_axes; i++) {
		int64_t n = points_along(ev, g, i);
		int64_t written = evaluate_scalar(ev, s->index[i]).i;

		index[i] = written < 0 ? written + n : written;
		if (index[i] >= 0 && index[i] < n)
			continue;
		evaluate_fail(ev, s, "index %lld is outside axis %s of %lld points",
		              (long long)written, g->axis[i]->name, (long long)n);
		return;
	}
	set_var(ev, s, evaluate_field(ev, ev->now, s->field, index));
}

/* texts */

static void set_text(struct evaluator *ev, const struct air_stmt *s)
{
	struct strbuf b = { 0 };

	evaluate_text(ev, &s->text, &b);
	set_var(ev, s, (union scalar){ .text = strbuf_to_arena(&b, ev->arena) });
	strbuf_free(&b);
}

static void print(struct evaluator *ev, const struct air_stmt *s)
{
	struct strbuf b = { 0 };

	evaluate_text(ev, &s->text, &b);
	if (!ev->ended)
		fprintf(ev->out, "%s\n", strbuf_text(&b));
	strbuf_free(&b);
}

static void check(struct evaluator *ev, const struct air_stmt *s)
{
	struct strbuf b = { 0 };

	if (evaluate_scalar(ev, s->value).i)
		return;
	evaluate_text(ev, &s->text, &b);
	evaluate_fail(ev, s, "%s", strbuf_text(&b));
	strbuf_free(&b);
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void leave(struct evaluator *ev, int status)
{
	ev->ended = true;
	ev->status = status;
}

/* control */

static enum left run_loop(struct evaluator *ev, const struct air_stmt *s)
{
	while (!ev->ended && run_block(ev, &s->body) != LEFT_BY_BREAK)
		;
	return LEFT_AT_END;
}

static enum left run_for(struct evaluator *ev, const struct air_stmt *s)
{
	int64_t i = evaluate_scalar(ev, s->from).i, to = evaluate_scalar(ev, s->to).i;
	int64_t by = evaluate_scalar(ev, s->by).i;

	if (by == 0)
		evaluate_fail(ev, s, "a range goes by 0");
	while (!ev->ended && (by > 0 ? i < to : i > to)) {
		set_var(ev, s, (union scalar){ .i = i });
		if (run_block(ev, &s->body) == LEFT_BY_BREAK)
			break;
		if (__builtin_add_overflow(i, by, &i))
			break;
	}
	return LEFT_AT_END;
}

static enum left run_control(struct evaluator *ev, const struct air_stmt *s)
{
	switch (s->kind) {
	case STMT_IF:
		return run_block(ev, evaluate_scalar(ev, s->value).i ? &s->body : &s->other);
	case STMT_LOCAL:
		return run_block(ev, &s->body);
	case STMT_EXPORT: /* nobody calls it */
		return LEFT_AT_END;
	case STMT_LOOP:
		return run_loop(ev, s);
	case STMT_FOR:
		return run_for(ev, s);
	case STMT_BREAK:
		return LEFT_BY_BREAK;
	default:
		assert(s->kind == STMT_CONTINUE);
		return LEFT_BY_CONTINUE;
	}
}

static int64_t extent_of(const struct evaluator *ev, const struct axis *a)
{
	return ev->extent[a->family->id][a->rank].size;
}

/* var = ... of one scalar argument or none */
static union scalar asked(struct evaluator *ev, const struct air_stmt *s)
{
	union scalar x = { 0 };

	if (s->value)
		x = evaluate_scalar(ev, s->value);
	switch (s->kind) {
	case STMT_SET:
		return x;
	case STMT_DRAW:
		return (union scalar){ .i = ev->draws++ };
	case STMT_RANDOM:
		return (union scalar){ .f = s->normal ? random_normal(ev->seed, 0, x.i)
		                                      : random_uniform(ev->seed, 0, x.i) };
	case STMT_SHAPE:
		return (union scalar){ .i = evaluate_shape(ev, s) };
	case STMT_EXISTS:
		return (union scalar){ .i = access(x.text, F_OK) == 0 };
	case STMT_RANKS:
		return (union scalar){ .i = 1 };
	case STMT_CHECKING:
		return (union scalar){ .i = ev->checking };
	case STMT_RANK:
		return (union scalar){ .i = 0 };
	case STMT_BOUND:
		return (union scalar){ .i = evaluate_scalar(ev, s->to).i * extent_of(ev, s->axis) };
	default:
		assert(s->kind == STMT_CLOCK);
		return (union scalar){ .f = seconds() };
	}
}

static enum left run_stmt(struct evaluator *ev, const struct air_stmt *s)
{
	switch (s->kind) {
	case STMT_GRID:
		begin_family(ev, s);
		break;
	case STMT_FIELD:
		world_begin(ev, s->field);
		break;
	case STMT_ASSIGN:
		assign(ev, s);
		break;
	case STMT_STAGE:
		define_stage(ev, s);
		break;
	case STMT_COPY:
		copy(ev, s);
		break;
	case STMT_REDUCE:
		set_var(ev, s, evaluate_reduction(ev, s));
		break;
	case STMT_FOLD:
		evaluate_fold(ev, s);
		break;
	case STMT_ELEMENT:
		element(ev, s);
		break;
	case STMT_TEXT:
		set_text(ev, s);
		break;
	case STMT_CHECK:
		check(ev, s);
		break;
	case STMT_PRINT:
		print(ev, s);
		break;
	case STMT_SAVE:
		evaluate_save(ev, s);
		break;
	case STMT_PLOT:
		evaluate_plot(ev, s);
		break;
	case STMT_LOAD:
		evaluate_load(ev, s);
		break;
	case STMT_EXIT:
		leave(ev, evaluate_scalar(ev, s->value).i & 0xff);
		break;
	case STMT_BACKEND:
		break;
	case STMT_SET:
	case STMT_DRAW:
	case STMT_RANDOM:
	case STMT_SHAPE:
	case STMT_EXISTS:
	case STMT_CLOCK:
	case STMT_RANKS:
	case STMT_CHECKING:
	case STMT_RANK:
	case STMT_BOUND:
		set_var(ev, s, asked(ev, s));
		break;
	default:
		return run_control(ev, s);
	}
	return LEFT_AT_END;
}

static enum left run_block(struct evaluator *ev, const struct air_block *b)
{
	for (const struct air_stmt *s = b->first; s && !ev->ended; s = s->next) {
		enum left left = run_stmt(ev, s);

		if (left != LEFT_AT_END)
			return left;
	}
	return LEFT_AT_END;
}

void evaluate_body(struct evaluator *ev)
{
	run_block(ev, &ev->p->body);
}
