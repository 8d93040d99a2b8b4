/* driver/command.c - what the prompt does beyond the language: `:help` and its like
 *
 * takes: a line without its `:`   gives: an answer on standard output; command.def lists
 * them. A word may be cut short as long as it is the beginning of one command only.
 */
#include "driver/session.h"

#include <string.h>

enum command {
#define ROW(id, name, argument, help) COMMAND_##id,
#include "driver/command.def"
#undef ROW
	COMMAND_COUNT
};

static const struct command_info {
	const char *name, *argument, *help;
} command_info[COMMAND_COUNT] = {
#define ROW(id, name, argument, help) { name, argument, help },
#include "driver/command.def"
#undef ROW
};

static void refuse(struct repl *r, const char *text, const char *word)
{
	r->failed = true;
	if (!repl_speaks(r))
		return;
	fflush(stdout);
	fprintf(stderr, "error: %s `%s`\n", text, word);
}

static void help(struct repl *r)
{
	if (!repl_speaks(r))
		return;
	puts("What is typed is carried out at once; the value of an expression is shown.\n"
	     "A line goes on where a bracket or a block is open. Ctrl-C stops what runs.\n");
	for (int i = 0; i < COMMAND_COUNT; i++) {
		char left[40];

		snprintf(left, sizeof left, ":%s%s%s", command_info[i].name,
			 *command_info[i].argument ? " " : "", command_info[i].argument);
		printf("  %-18s %s\n", left, command_info[i].help);
	}
	puts("\nThe language: man mpa; the library: man mpa-lib; the compiler: man mpac.");
}

static void show_name(void *context, const char *name, const char *text)
{
	(void)context;
	printf("%-12s %s\n", name, text);
}

static void show_type(struct repl *r, const char *text)
{
	const struct ast *tree = repl_parse(r, text);
	const char *type = tree ? sema_type(r->sema, tree) : NULL;

	r->failed |= !type;
	if (type && repl_speaks(r))
		puts(type);
	item_tell(r);
}

/* FORM, and what it is asked of. */
static void emit(struct repl *r, const char *text)
{
	size_t n = strcspn(text, " \t");
	const char *word = arena_strndup(r->syntax.arena, text, n);
	const struct ast *tree;

	for (int i = 0; i < EMIT_OBJ; i++) {
		if (strcmp(form_info[i].name, word))
			continue;
		tree = repl_parse(r, text + n);
		if (!tree || !item_emit(r, tree, i))
			r->failed = true;
		item_tell(r);
		return;
	}
	refuse(r, "there is no such form (ast, air, plan, kernels, c, cuda, ptx, llvm, asm):", word);
}

static void reset(struct repl *r)
{
	mpa_host_reset(r->run);
	item_open(r);
	item_tell(r);
}

static void carry_out(struct repl *r, enum command command, const char *argument)
{
	switch (command) {
	case COMMAND_HELP:
		help(r);
		break;
	case COMMAND_VARS:
		if (repl_speaks(r))
			sema_names(r->sema, false, show_name, NULL);
		break;
	case COMMAND_TYPE:
		show_type(r, argument);
		break;
	case COMMAND_EMIT:
		emit(r, argument);
		break;
	case COMMAND_RESET:
		reset(r);
		break;
	case COMMAND_QUIT:
		r->done = true;
		break;
	case COMMAND_COUNT:
		break;
	}
}

void command_run(struct repl *r, const char *line)
{
	const char *word = line + strspn(line, " \t");
	size_t n = strcspn(word, " \t");
	int found = -1, n_found = 0;

	for (int i = 0; i < COMMAND_COUNT && n; i++)
		if (!strncmp(command_info[i].name, word, n)) {
			found = i;
			n_found++;
		}
	word = arena_strndup(r->syntax.arena, word, n);
	if (n_found != 1)
		refuse(r, "there is no such command (:help lists them):", word);
	else if (*command_info[found].argument && !line[n + strspn(line + n, " \t")])
		refuse(r, "an expression belongs behind", word);
	else
		carry_out(r, found, line + n + strspn(line + n, " \t"));
	fflush(stdout);
}
