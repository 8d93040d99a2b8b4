/* array/evaluate.c - the options of an evaluated program, and its run from start to end
 *
 * Parameters are set as a compiled program sets them. Options that only say how a
 * program runs (--threads, --backend and their like) are accepted and do nothing.
 */
#include "array/evaluate.h"
#include "base/parse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "array/evaluator.h"

enum { WRONG_OPTION = 2 };

static bool parse_bool(const char *text, union scalar *x)
{
	static const char *const word[] = { "false", "true", "no", "yes", "0", "1", "off", "on" };

	for (int i = 0; i < 8; i++)
		if (!strcmp(text, word[i])) {
			x->i = i & 1;
			return true;
		}
	return false;
}

static bool parse_int(enum elem e, const char *text, union scalar *x)
{
	char *end;
	long long i;

	errno = 0;
	i = strtoll(text, &end, 10);
	x->i = i;
	return *text && !*end && !errno &&
	       scalar_cast(ELEM_I64, e, *x).i == i;
}

static bool parse_real(enum elem e, const char *text, union scalar *x)
{
	char *end;

	x->f = strtod(text, &end);
	if (e == ELEM_F32)
		x->f = strtof(text, &end);
	return *text && !*end;
}

static bool parse_value(enum elem e, const char *text, union scalar *x)
{
	switch (elem_kind(e)) {
	case KIND_BOOL:
		return parse_bool(text ? text : "true", x);
	case KIND_INT:
		return text && parse_int(e, text, x);
	case KIND_REAL:
		return text && parse_real(e, text, x);
	case KIND_COMPLEX:
		return text && complex_parse(text, e == ELEM_C64, x->part);
	default:
		x->text = text;
		return text && e == ELEM_STR;
	}
}

static bool parse_flag(const char *text, bool *flag)
{
	union scalar x;
	bool fine = parse_bool(text, &x);

	*flag = fine && x.i;
	return fine;
}

static bool only_how(const char *name, size_t length)
{
	static const char *const known[] = { "backend", "threads", "procs", "profile", "trace",
		                             "progress", "quiet" };

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strlen(known[i]) == length && !strncmp(known[i], name, length))
			return true;
	return false;
}

static const struct air_param *param_named(const struct air_program *p, const char *name,
                                           size_t length)
{
	for (int i = 0; i < p->n_params; i++) {
		const char *other = p->param[i].var->name;

		if (strlen(other) == length && !strncmp(other, name, length))
			return &p->param[i];
	}
	return NULL;
}

/* Sets what --name=value says; given: by variable, that it is set. */
static bool read_option(struct evaluator *ev, const char *option, char *given)
{
	const char *name = option + 2, *value = strchr(option, '=');
	size_t length = value ? (size_t)(value - name) : strlen(name);
	const struct air_param *param;
	union scalar seed;

	if (strncmp(option, "--", 2))
		return false;
	if (value)
		value++;
	param = param_named(ev->p, name, length);
	if (param) {
		given[param->var->id] = 1;
		return parse_value(param->var->elem, value, &ev->now->var[param->var->id]);
	}
	if (length == 4 && !strncmp(name, "seed", 4)) {
		if (!value || !parse_int(ELEM_I64, value, &seed))
			return false;
		ev->seed = seed.i;
		return true;
	}
	if (length == 5 && !strncmp(name, "check", 5)) {
		ev->checking = true;
		return !value || parse_flag(value, &ev->checking);
	}
	return only_how(name, length);
}

static bool refuse(struct evaluator *ev, const char *option)
{
	fprintf(stderr, "error: option %s is not understood\n", option);
	ev->ended = true;
	ev->status = WRONG_OPTION;
	return false;
}

/* The lines of the file behind @. */
static bool read_file(struct evaluator *ev, const char *path, char *given)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	bool fine = file != NULL;

	while (fine && getline(&line, &room, file) > 0) {
		char *option = line + strspn(line, " \t");

		for (char *c = option + strlen(option); c-- > option && strchr(" \t\r\n", *c);)
			*c = 0;
		if (*option && *option != '#')
			fine = read_option(ev, arena_strdup(ev->arena, option), given);
	}
	free(line);
	if (file)
		fclose(file);
	return fine;
}

static bool read_options(struct evaluator *ev, int argc, char **argv)
{
	char *given = arena_new_array(ev->arena, ev->p->n_vars + 1, char);

	for (int i = 0; i < argc; i++)
		if (argv[i][0] == '@' ? !read_file(ev, argv[i] + 1, given)
		                      : !read_option(ev, argv[i], given))
			return refuse(ev, argv[i]);
	for (int i = 0; i < ev->p->n_params; i++) {
		const struct air_param *param = &ev->p->param[i];

		if (!given[param->var->id])
			ev->now->var[param->var->id] = evaluate_scalar(ev, param->value);
	}
	return true;
}

/* A text that was not set yet is the empty one. */
static void set_up_texts(struct evaluator *ev)
{
	for (int i = 0; i < ev->p->n_vars; i++)
		if (ev->p->var[i]->elem == ELEM_STR)
			ev->now->var[i].text = "";
}

int air_evaluate(const struct air_program *p, int argc, char **argv, FILE *out)
{
	struct evaluator ev = { .p = p, .arena = arena_new(), .out = out };

	ev.now = world_new(p);
	ev.extent = arena_array(ev.arena, p->types.n_families + 1, sizeof *ev.extent);
	ev.tape = arena_new_array(ev.arena, p->n_exprs + 1, struct tape *);
	ev.seen_from = arena_new_array(ev.arena, p->n_fields + 1, struct air_field_set *);
	set_up_texts(&ev);
	if (read_options(&ev, argc, argv))
		evaluate_body(&ev);
	fflush(out);
	world_release(p, ev.now);
	arena_free(ev.arena);
	return ev.status;
}
