/* exec/options.c - reading the command line
 *
 * --name=value sets a parameter of the program or an option of options.def; --name
 * alone is for flags and parameters of type bool. @FILE stands for the lines of a
 * file. The environment is asked for what the command line does not say. */
#include "exec/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/settings.h"

enum option_kind { KIND_FLAG, KIND_COUNT, KIND_NUMBER, KIND_WORD };

struct option {
	const char *name;
	enum option_kind kind;
	const char *variable, *argument, *text;
	size_t offset; /* of its member */
};

static const struct option table[] = {
#define ROW(member, name, kind, variable, argument, text)                                \
	{ name, KIND_##kind, variable, argument, text, offsetof(struct options, member) },
#include "exec/options.def"
#undef ROW
};

enum { N_OPTIONS = sizeof table / sizeof *table, FILES_DEEP = 8 };

struct reader {
	struct options *options;
	const struct mpa_program *program;
	struct fault *fault;
	bool seen[N_OPTIONS];
	int depth;  /* of @FILE in @FILE */
	bool early; /* parameters are not known yet */
};

static void *member(struct options *o, const struct option *option)
{
	return (char *)o + option->offset;
}

static enum mpa_status set_number(struct reader *r, const struct option *option,
				  const char *text)
{
	int64_t n;

	if (!integer_parse(text, &n) || (option->kind == KIND_COUNT && n < 1))
		return fault_set(r->fault, MPA_ARGUMENT,
				 "--%s needs %s, but it is \"%s\"", option->name,
				 option->kind == KIND_COUNT ? "a positive integer"
							    : "an integer",
				 text);
	*(int64_t *)member(r->options, option) = n;
	return MPA_OK;
}

static enum mpa_status set_flag(struct reader *r, const struct option *option,
				const char *text)
{
	int64_t truth[2] = { 1 };

	if (text && !value_parse(MPA_BOOL, text, truth))
		return fault_set(r->fault, MPA_ARGUMENT,
				 "--%s takes no value but true or false, not \"%s\"",
				 option->name, text);
	*(bool *)member(r->options, option) = truth[0];
	return MPA_OK;
}

static enum mpa_status set_option(struct reader *r, const struct option *option,
				  const char *text)
{
	if (option->kind == KIND_FLAG)
		return set_flag(r, option, text);
	if (!text || !*text)
		return fault_set(r->fault, MPA_ARGUMENT, "--%s needs a value: --%s=%s",
				 option->name, option->name, option->argument);
	if (option->kind == KIND_WORD) {
		*(const char **)member(r->options, option) = text;
		return MPA_OK;
	}
	return set_number(r, option, text);
}

static enum mpa_status set_param(struct reader *r, int64_t i, const char *text)
{
	const struct mpa_param_info *param = &r->program->param[i];

	if (!text && param->elem != MPA_BOOL)
		return fault_set(r->fault, MPA_ARGUMENT, "--%s needs a value: --%s=%s",
				 param->name, param->name, param->shown);
	if (!value_parse((enum mpa_elem)param->elem, text ? text : "true",
			 r->options->value[i]))
		return fault_set(r->fault, MPA_ARGUMENT,
				 "--%s needs %s, but it is \"%s\"", param->name,
				 value_kind((enum mpa_elem)param->elem), text);
	r->options->given[i] = true;
	return MPA_OK;
}

static enum mpa_status unknown(struct reader *r, const char *name)
{
	struct nearest nearest = { .name = name };

	for (int64_t i = 0; i < r->program->n_params; i++)
		nearest_try(&nearest, r->program->param[i].name);
	for (int i = 0; i < N_OPTIONS; i++)
		nearest_try(&nearest, table[i].name);
	if (nearest.best)
		return fault_set(r->fault, MPA_ARGUMENT,
				 "there is no option --%s; did you mean --%s?", name,
				 nearest.best);
	return fault_set(r->fault, MPA_ARGUMENT,
			 "there is no option --%s; --help lists them", name);
}

/* `name` and, if there is one, the text after "=". */
static enum mpa_status set_named(struct reader *r, const char *name, const char *text)
{
	for (int64_t i = 0; i < r->program->n_params; i++)
		if (strcmp(r->program->param[i].name, name) == 0)
			return set_param(r, i, text);
	for (int i = 0; i < N_OPTIONS; i++)
		if (strcmp(table[i].name, name) == 0) {
			r->seen[i] = true;
			return set_option(r, &table[i], text);
		}
	return r->early && text ? MPA_OK : unknown(r, name);
}

static enum mpa_status read_argument(struct reader *r, char *argument);

/* The contents of a file behind a link to the one read before; NULL with errno. */
static char *file_contents(const char *path, char *before)
{
	FILE *in = fopen(path, "r");
	char *data = NULL;
	long size = -1;

	if (!in)
		return NULL;
	if (fseek(in, 0, SEEK_END) == 0)
		size = ftell(in);
	if (size >= 0 && fseek(in, 0, SEEK_SET) == 0)
		data = mem_new(sizeof before + (size_t)size + 1);
	if (data) {
		memcpy(data, &before, sizeof before);
		if (fread(data + sizeof before, 1, (size_t)size, in) != (size_t)size) {
			mem_free(data);
			data = NULL;
		}
	}
	fclose(in);
	return data;
}

static char *line_trim(char *line)
{
	char *end;

	while (*line == ' ' || *line == '\t')
		line++;
	end = line + strlen(line);
	while (end > line && strchr(" \t\r", end[-1]))
		*--end = 0;
	return line;
}

/* Cuts a comment off: a # at the start of the line or behind a blank, outside of quotes. */
static void line_cut(char *line)
{
	char quote = 0;

	for (char *c = line; *c; c++) {
		if (quote ? *c == quote : *c == '"' || *c == '\'')
			quote = quote ? 0 : *c;
		if (!quote && *c == '#' && (c == line || c[-1] == ' ' || c[-1] == '\t')) {
			*c = 0;
			return;
		}
	}
}

/* Takes the quotes off around a whole value, as a shell does. */
static void value_bare(char *line)
{
	char *value = strchr(line, '=');
	size_t n = value ? strlen(++value) : 0;

	if (n < 2 || (value[0] != '"' && value[0] != '\'') || value[n - 1] != value[0])
		return;
	memmove(value, value + 1, n - 2);
	value[n - 2] = 0;
}

static enum mpa_status read_file(struct reader *r, const char *path)
{
	char *data, *line, *next;
	enum mpa_status st = MPA_OK;

	if (++r->depth > FILES_DEEP)
		return fault_set(r->fault, MPA_ARGUMENT, "@%s includes itself", path);
	data = file_contents(path, r->options->files);
	if (!data)
		return fault_set_errno(r->fault, MPA_FILE, errno,
				       "cannot read the options in %s", path);
	r->options->files = data;
	for (line = data + sizeof data; line && st == MPA_OK; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		line_cut(line);
		line = line_trim(line);
		value_bare(line);
		if (*line)
			st = read_argument(r, line);
	}
	r->depth--;
	return st;
}

static enum mpa_status read_argument(struct reader *r, char *argument)
{
	char name[128];
	const char *equals = strchr(argument, '=');
	size_t n;

	if (argument[0] == '@')
		return read_file(r, argument + 1);
	if (strncmp(argument, "--", 2) != 0 || !argument[2])
		return fault_set(r->fault, MPA_ARGUMENT,
				 "\"%s\" is no option: options are --name=value",
				 argument);
	n = equals ? (size_t)(equals - argument) - 2 : strlen(argument) - 2;
	if (n >= sizeof name)
		n = sizeof name - 1;
	memcpy(name, argument + 2, n);
	name[n] = 0;
	return set_named(r, name, equals ? equals + 1 : NULL);
}

static enum mpa_status read_environment(struct reader *r)
{
	enum mpa_status st = MPA_OK;

	for (int i = 0; i < N_OPTIONS && st == MPA_OK; i++) {
		const char *text = setting_text(table[i].variable);

		if (r->seen[i] || !text)
			continue;
		st = set_option(r, &table[i], text);
	}
	return st;
}

/* "2x3" or "2,3". */
static enum mpa_status split_procs(struct reader *r)
{
	struct options *o = r->options;
	const char *at = o->procs;
	char *end;

	while (at && *at) {
		long long n = strtoll(at, &end, 10);

		if (end == at || n < 1 || n > INT32_MAX || o->n_procs == MPA_MAX_AXES ||
		    (*end && !strchr("x,X*", *end)) || (*end && !end[1]))
			return fault_set(
				r->fault, MPA_ARGUMENT,
				"--procs needs a process grid such as 2x3, but it is "
				"\"%s\"",
				o->procs);
		o->proc[o->n_procs++] = n;
		at = *end ? end + 1 : end;
	}
	return MPA_OK;
}

static enum mpa_status check_words(struct reader *r)
{
	static const char *const backend[] = { "cpu", "cuda", "auto" };
	const char *word = r->options->backend;
	struct nearest nearest = { .name = word };

	for (int i = 0; i < 3 && word; i++) {
		if (strcmp(word, backend[i]) == 0)
			return MPA_OK;
		nearest_try(&nearest, backend[i]);
	}
	if (!word)
		return MPA_OK;
	return fault_set(r->fault, MPA_ARGUMENT,
			 "--backend needs cpu, cuda or auto, but it is \"%s\"%s%s%s",
			 word, nearest.best ? "; did you mean " : "",
			 nearest.best ? nearest.best : "", nearest.best ? "?" : "");
}

static enum mpa_status make_room(struct reader *r)
{
	struct options *o = r->options;
	size_t n = (size_t)r->program->n_params;

	mem_free(o->given);
	mem_free(o->value);
	o->given = mem_new(n * sizeof *o->given);
	o->value = mem_new(n * sizeof *o->value);
	return o->given && o->value ? MPA_OK
				    : fault_set(r->fault, MPA_MEMORY, "out of memory");
}

static enum mpa_status read_all(struct reader *r, int argc, char **argv)
{
	enum mpa_status st = make_room(r);

	for (int i = 1; i < argc && st == MPA_OK; i++)
		st = read_argument(r, argv[i]);
	if (st == MPA_OK)
		st = read_environment(r);
	if (st == MPA_OK)
		st = split_procs(r);
	if (st == MPA_OK)
		st = check_words(r);
	return st;
}

enum mpa_status command_parse(struct options *o, const struct mpa_program *p, int argc,
			      char **argv, struct fault *fault)
{
	struct reader r = { .options = o, .program = p, .fault = fault };

	*o = (struct options){ .backend = NULL };
	return read_all(&r, argc, argv);
}

enum mpa_status command_parse_early(struct options *o, int argc, char **argv,
				    struct fault *fault)
{
	static const struct mpa_program nothing = { .n_params = 0 };
	struct reader r = {
		.options = o, .program = &nothing, .fault = fault, .early = true
	};

	*o = (struct options){ .n_words = argc, .word = argv };
	return read_all(&r, argc, argv);
}

enum mpa_status command_params(struct options *o, const struct mpa_program *p,
			       struct fault *fault)
{
	struct reader r = { .options = o, .program = p, .fault = fault };
	enum mpa_status st = make_room(&r);

	for (int64_t k = 0; k < p->n_params; k++)
		for (int i = 1; i < o->n_words && st == MPA_OK; i++) {
			const char *name = o->word[i] + 2;
			size_t n = strlen(p->param[k].name);

			if (strncmp(o->word[i], "--", 2) || strncmp(name, p->param[k].name, n))
				continue;
			if (name[n] == 0 || name[n] == '=')
				st = set_param(&r, k, name[n] ? name + n + 1 : NULL);
		}
	return st;
}

void command_free(struct options *o)
{
	while (o->files) {
		char *before;

		memcpy(&before, o->files, sizeof before);
		mem_free(o->files);
		o->files = before;
	}
	mem_free(o->given);
	mem_free(o->value);
	o->given = NULL;
	o->value = NULL;
}

static void help_line(FILE *out, const char *name, const char *argument, const char *text)
{
	char left[160];

	snprintf(left, sizeof left, "--%s%s%s", name, *argument ? "=" : "", argument);
	fprintf(out, "  %-24s %s", left, text);
}

void command_help(const struct mpa_program *p, FILE *out)
{
	static const char *const elem[] = {
		[MPA_BOOL] = "bool", [MPA_U8] = "u8",     [MPA_I32] = "i32",
		[MPA_I64] = "i64",   [MPA_F32] = "f32",   [MPA_F64] = "f64",
		[MPA_C64] = "c64",   [MPA_C128] = "c128", [MPA_STR] = "str"
	};

	fprintf(out, "usage: %s [--name=value]... [@FILE]...\n", p->name);
	if (p->doc && *p->doc)
		fprintf(out, "\n%s\n", p->doc);
	if (*p->arithmetic)
		fprintf(out, "\n%s\n", p->arithmetic);
	if (p->n_params > 0)
		fprintf(out, "\nparameters:\n");
	for (int64_t i = 0; i < p->n_params; i++) {
		const struct mpa_param_info *param = &p->param[i];

		help_line(out, param->name, elem[param->elem], param->help);
		fprintf(out, "%s(default: %s)\n", *param->help ? " " : "", param->shown);
	}
	fprintf(out, "\noptions:\n");
	for (int i = 0; i < N_OPTIONS; i++) {
		help_line(out, table[i].name, table[i].argument, table[i].text);
		if (*table[i].variable)
			fprintf(out, " (also %s)", table[i].variable);
		fprintf(out, "\n");
	}
	fprintf(out, "  %-24s %s\n", "@FILE", "options from a file, one a line");
}
