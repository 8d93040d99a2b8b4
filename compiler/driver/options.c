/* driver/options.c - reading the command line of mpac
 *
 * A word is an option, a program (FILE.mpa), or something for the linker (objects and
 * archives). --NAME=VALUE that is none of mpac's options is kept for a parameter of the
 * program; a name that no parameter has is told when they are known.
 */
#include "driver/options.h"
#include "backend/backend.h"
#include "support/diag.h"

#include <string.h>

enum option {
#define ROW(id, letter, name, argument, help) OPTION_##id,
#include "driver/options.def"
#undef ROW
	OPTION_COUNT
};

static const struct option_info {
	char letter;
	const char *name, *argument, *help;
} option_info[OPTION_COUNT] = {
#define ROW(id, letter, name, argument, help) { letter, name, argument, help },
#include "driver/options.def"
#undef ROW
};

const struct form_info form_info[EMIT_COUNT] = {
#define ROW(id, name, suffix, help) { name, suffix, help },
#include "driver/form.def"
#undef ROW
};

/* ---- complaints ---------------------------------------------------------- */

static bool complain(const char *text, const char *word, const char *near)
{
	fprintf(stderr, "mpac: %s `%s`", text, word);
	if (near)
		fprintf(stderr, "; did you mean `%s`?", near);
	fprintf(stderr, "\nTry `mpac --help`.\n");
	return false;
}

/* The option that a misspelt word may mean, or NULL. */
static const char *near_option(struct arena *a, const char *name)
{
	const char *candidate[OPTION_COUNT], *near;
	int n = 0;

	for (int i = 0; i < OPTION_COUNT; i++)
		if (option_info[i].name)
			candidate[n++] = option_info[i].name;
	near = diag_nearest(name, candidate, n);
	return near ? arena_printf(a, "--%s", near) : NULL;
}

static bool unknown_option(struct arena *a, const char *word)
{
	return complain("unknown option", word, near_option(a, word + strspn(word, "-")));
}

/* ---- values -------------------------------------------------------------- */

static bool choose_form(struct options *o, const char *value)
{
	const char *names[EMIT_COUNT];

	for (int i = 0; i < EMIT_COUNT; i++) {
		names[i] = form_info[i].name;
		if (!strcmp(names[i], value)) {
			o->emit = i;
			return true;
		}
	}
	return complain("there is no form", value,
			diag_nearest(value, names, EMIT_COUNT));
}

static bool choose_backend(struct options *o, const char *value)
{
	for (const struct backend *const *b = backends; *b; b++)
		if (!strcmp((*b)->name, value)) {
			o->backend = *b;
			return true;
		}
	if (!strcmp(value, "cuda"))
		return complain("the prompt and programs take their processor from "
				"MPA_BACKEND or `backend \"...\"`, programs from an option of "
				"their own too; there is no back end of the compiler",
				value, NULL);
	return complain("there is no back end", value, NULL);
}

static bool choose_colour(struct options *o, const char *value)
{
	static const char *const names[] = { "auto", "always", "never" };

	for (int i = 0; i < 3; i++)
		if (!strcmp(names[i], value)) {
			o->colour = i;
			return true;
		}
	return complain("--color is auto, always or never, not", value, NULL);
}

static bool choose_level(struct options *o, const char *value)
{
	if (value[0] < '0' || value[0] > '3' || value[1])
		return complain("-O takes a number from 0 to 3, not", value, NULL);
	o->level = value[0] - '0';
	return true;
}

static bool apply(struct options *o, enum option option, const char *value)
{
	switch (option) {
	case OPTION_OUTPUT:
		o->output = value;
		return true;
	case OPTION_EMIT:
		return choose_form(o, value);
	case OPTION_DEBUG:
		return o->debug = true;
	case OPTION_LEVEL:
		return choose_level(o, value);
	case OPTION_FAST:
		return o->fast = true;
	case OPTION_CPU:
		o->cpu = strcmp(value, "native") ? value : NULL;
		return true;
	case OPTION_INCLUDE:
		vec_push(o->arena, &o->include, value);
		return true;
	case OPTION_LIBRARY:
		vec_push(o->arena, &o->link, arena_printf(o->arena, "-l%s", value));
		return true;
	case OPTION_LIBDIR:
		vec_push(o->arena, &o->link, arena_printf(o->arena, "-L%s", value));
		return true;
	case OPTION_LINKER:
		o->linker = value;
		return true;
	case OPTION_BACKEND:
		return choose_backend(o, value);
	case OPTION_REPL:
		return o->repl = true;
	case OPTION_EVALUATE:
		return o->evaluate = true;
	case OPTION_VERIFY:
		return o->verify = true;
	case OPTION_COLOR:
		return choose_colour(o, value);
	case OPTION_TIME:
		return o->time = true;
	case OPTION_HELP:
		return o->help = true;
	case OPTION_VERSION:
		return o->version = true;
	case OPTION_COUNT:
		break;
	}
	return false;
}

/* ---- words --------------------------------------------------------------- */

static bool parse_long(struct options *o, const char *word)
{
	const char *name = word + 2, *value = strchr(name, '=');
	size_t length = strcspn(name, "=");

	for (int i = 0; i < OPTION_COUNT; i++) {
		const struct option_info *info = &option_info[i];

		if (!info->name || strlen(info->name) != length ||
		    strncmp(info->name, name, length))
			continue;
		if (info->argument && !value)
			return complain("a value belongs behind", word, NULL);
		if (!info->argument && value)
			return complain("no value belongs behind", word, NULL);
		return apply(o, i, value ? value + 1 : NULL);
	}
	if (o->repl && length)
		vec_push(o->arena, &o->session, (char *)word);
	else if (!value || !length)
		return unknown_option(o->arena, word);
	if (value)
		vec_push(o->arena, &o->override,
		 (struct sema_override){ arena_strndup(o->arena, name, length), value + 1,
					 o->repl, false });
	return true;
}

/* *taken: the next word was the value. */
static bool parse_letter(struct options *o, const char *word, const char *next,
			 bool *taken)
{
	for (int i = 0; i < OPTION_COUNT; i++) {
		const struct option_info *info = &option_info[i];

		if (info->letter != word[1])
			continue;
		if (!info->argument)
			return word[2] ? unknown_option(o->arena, word)
				       : apply(o, i, NULL);
		if (word[2])
			return apply(o, i, word + 2);
		if (!next)
			return complain("a value belongs behind", word, NULL);
		*taken = true;
		return apply(o, i, next);
	}
	return unknown_option(o->arena, word);
}

static bool for_linker(const char *word)
{
	static const char *const suffix[] = { ".o", ".a", ".so" };
	size_t length = strlen(word);

	for (int i = 0; i < 3; i++)
		if (length > strlen(suffix[i]) &&
		    !strcmp(word + length - strlen(suffix[i]), suffix[i]))
			return true;
	return false;
}

static bool parse_file_name(struct options *o, const char *word)
{
	if (for_linker(word)) {
		vec_push(o->arena, &o->link, word);
		return true;
	}
	if (o->file)
		return complain("there can be one program only; here is another:", word,
				NULL);
	o->file = word;
	return true;
}

static bool parse_words(struct options *o, int argc, char **argv)
{
	bool options = true;

	o->run = argc > 1 && !strcmp(argv[1], "run");
	o->compare = argc > 1 && !strcmp(argv[1], "verify");
	for (int i = 1 + (o->run || o->compare); i < argc; i++) {
		bool fine, taken = false;

		if ((o->evaluate || o->run || o->compare) && o->file) {
			i += !strcmp(argv[i], "--");
			o->n_rest = argc - i;
			o->rest = argv + i;
			return true;
		}
		if (options && !strcmp(argv[i], "--")) {
			options = false;
			continue;
		}
		if (!options || argv[i][0] != '-' || !argv[i][1])
			fine = parse_file_name(o, argv[i]);
		else if (argv[i][1] == '-')
			fine = parse_long(o, argv[i]);
		else
			fine = parse_letter(o, argv[i], i + 1 < argc ? argv[i + 1] : NULL,
					    &taken);
		if (!fine)
			return false;
		i += taken;
	}
	return true;
}

static bool has_word(int argc, char **argv, const char *word)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], word))
			return true;
	return false;
}

bool options_parse(struct options *o, struct arena *a, int argc, char **argv)
{
	*o = (struct options){
		.arena = a, .emit = EMIT_EXE, .backend = backends[0], .level = 3
	};
	o->repl = has_word(argc, argv, "--repl");
	vec_push(a, &o->session, argv[0]);
	if (!parse_words(o, argc, argv))
		return false;
	if (o->repl) {
		o->n_rest = o->session.n;
		o->rest = o->session.item;
	}
	if (o->evaluate && o->fast) {
		fprintf(stderr, "mpac: --evaluate shows the strict values; without --fast, "
				"please\nTry `mpac --help`.\n");
		return false;
	}
	if (o->file || o->help || o->version || o->repl)
		return true;
	fprintf(stderr, "mpac: no program given\nTry `mpac --help`.\n");
	return false;
}

int options_unused(const struct options *o, struct diag *d)
{
	int unused = 0;

	for (int i = 0; i < o->override.n; i++) {
		const struct sema_override *x = &o->override.item[i];
		bool is_unused = !x->used && !x->optional;
		const char *near = is_unused ? near_option(o->arena, x->name) : NULL;

		unused += is_unused;
		if (near)
			diag_hint(d, "Did you mean `%s=%s`?", near, x->value);
	}
	return unused;
}

const char *options_arithmetic(const struct options *o)
{
	return o->fast ? "Compiled with --fast: a product and a sum are rounded once (fma)."
		       : "";
}

/* ---- help ---------------------------------------------------------------- */

static void help_line(FILE *out, const struct option_info *info)
{
	char left[64] = "", name[64] = "";
	const char *argument = info->argument ? info->argument : "";

	if (info->letter)
		snprintf(left, sizeof left, "-%c%s%s", info->letter,
			 info->argument && !info->name ? " " : "",
			 info->name ? "" : argument);
	if (info->name)
		snprintf(name, sizeof name, "%s--%s%s%s", info->letter ? ", " : "    ",
			 info->name, info->argument ? "=" : "", argument);
	fprintf(out, "  %s%-*s %s\n", left, 24 - (int)strlen(left), name, info->help);
}

void options_help(FILE *out)
{
	fputs("usage: mpac [OPTION]... FILE.mpa [OBJECT]...\n"
	      "       mpac run [OPTION]... FILE.mpa [OPTION OF THE PROGRAM]...\n"
	      "       mpac verify [OPTION]... FILE.mpa [OPTION OF THE PROGRAM]...\n"
	      "       mpac --repl [OPTION]... [FILE.mpa]\n"
	      "       mpac --evaluate FILE.mpa [OPTION OF THE PROGRAM]...\n\n"
	      "Compile an mpa program to an executable that runs alone and under "
	      "mpiexec,\n"
	      "or run it at once, or in many ways that must give the same.\n\n",
	      out);
	for (int i = 0; i < OPTION_COUNT; i++)
		help_line(out, &option_info[i]);
	fputs("      --NAME=VALUE         set the constant parameter NAME of the "
	      "program\n\n"
	      "Forms:\n",
	      out);
	for (int i = 0; i < EMIT_COUNT; i++)
		fprintf(out, "  %-24s %s\n", form_info[i].name, form_info[i].help);
}
