/* driver/edit.c - lines that are edited, by readline or libedit, whichever configure found
 *
 * takes: what is typed at a terminal   gives: lines; ~/.mpa_history keeps them
 * The library calls back without a context, hence the one pointer that is kept here; this
 * file is part of the program mpac and not of its library.
 */
#include "config.h"

#include "driver/edit.h"
#include "support/arena.h"
#include "support/vec.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#ifdef HAVE_LINE_EDITING

#ifdef EDITING_BY_LIBEDIT
#include <editline/readline.h>
#else
#include <readline/history.h>
#include <readline/readline.h>
#endif

enum { HISTORY_LINES = 1000 };

struct edit {
	struct repl_editor editor;
	int signals; /* Ctrl-C, blocked, as a file */
	bool interrupted;
	char *history; /* the file, or NULL */
	VEC(char *) match;
	const char *prefix;
	int given; /* matches given to the library */
};

static struct edit *editing;

/* ---- characters ------------------------------------------------------------ */

/* A character; when Ctrl-C is typed, a line end. */
static int next_character(FILE *in)
{
	struct pollfd from[2] = { { .fd = fileno(in), .events = POLLIN },
				  { .fd = editing->signals, .events = POLLIN } };
	struct signalfd_siginfo info;
	unsigned char c;

	while (poll(from, 2, -1) < 0)
		continue;
	if (from[1].revents && read(editing->signals, &info, sizeof info) > 0) {
		editing->interrupted = true;
		fputs("^C", stdout);
		return '\n';
	}
	return read(fileno(in), &c, 1) == 1 ? c : EOF;
}

/* ---- completion ------------------------------------------------------------ */

static void try_name(void *context, const char *name)
{
	struct edit *e = context;

	if (strncmp(name, e->prefix, strlen(e->prefix)) || strchr(name, '.'))
		return;
	for (int i = 0; i < e->match.n; i++)
		if (!strcmp(e->match.item[i], name))
			return;
	vec_push(NULL, &e->match, strdup(name));
}

static const char *const commands[] = {
#define ROW(id, name, argument, help) name,
#include "driver/command.def"
#undef ROW
};
static const char *const attributes[] = { "at", "grid", "hi", "lo", "size", "step" };

static void try_words(struct edit *e, const char *const *word, size_t n)
{
	for (size_t i = 0; i < n; i++)
		try_name(e, word[i]);
}

static char *give_match(const char *text, int state)
{
	(void)text;
	if (!state)
		editing->given = 0;
	return editing->given < editing->match.n ? editing->match.item[editing->given++]
						 : NULL;
}

static char **complete(const char *text, int start, int end)
{
	struct edit *e = editing;
	char before = start ? rl_line_buffer[start - 1] : 0;

	(void)end;
	rl_attempted_completion_over = 1;
	rl_completion_append_character = 0;
	vec_clear(&e->match);
	e->prefix = text;
	if (before == ':' && start == 1)
		try_words(e, commands, sizeof commands / sizeof *commands);
	else if (before == '.')
		try_words(e, attributes, sizeof attributes / sizeof *attributes);
	else if (e->editor.names)
		e->editor.names(e->editor.context, try_name, e);
	return e->match.n ? rl_completion_matches(text, give_match) : NULL;
}

/* ---- lines ----------------------------------------------------------------- */

static void remember(const char *line)
{
	HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1)
					  : NULL;

	if (line[strspn(line, " \t")] && !(last && !strcmp(last->line, line)))
		add_history(line);
}

static char *edit_read(struct repl_editor *editor, const char *prompt, bool *interrupted)
{
	struct edit *e = (struct edit *)editor;
	char *line;

	fflush(stdout);
	e->interrupted = false;
	line = readline(prompt);
	*interrupted = e->interrupted;
	if (!line)
		putchar('\n');
	if (!line || e->interrupted) {
		free(line);
		return NULL;
	}
	remember(line);
	return line;
}

static void edit_close(struct repl_editor *editor)
{
	struct edit *e = (struct edit *)editor;

	if (e->history)
		write_history(e->history);
	close(e->signals);
	free(e->history);
	vec_free(&e->match);
	free(e);
	editing = NULL;
}

static void open_history(struct edit *e)
{
	const char *home = getenv("HOME");

	using_history();
	stifle_history(HISTORY_LINES);
	if (!home || !*home)
		return;
	e->history = xmalloc(strlen(home) + 32);
	sprintf(e->history, "%s/.mpa_history", home);
	read_history(e->history);
}

struct repl_editor *edit_open(void)
{
	struct edit *e;
	sigset_t set;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return NULL;
	e = xmalloc(sizeof *e);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	*e = (struct edit){ .editor = { .interactive = true,
					.read = edit_read,
					.close = edit_close },
			    .signals = signalfd(-1, &set, SFD_CLOEXEC) };
	editing = e;
	rl_readline_name = "mpac";
	rl_catch_signals = 0;
	rl_getc_function = next_character;
	rl_attempted_completion_function = complete;
	rl_completer_word_break_characters = " \t\n\"\\'`@$><=;|&{(,+-*/^%[]:.!~#)}";
	open_history(e);
	return &e->editor;
}

#else

struct repl_editor *edit_open(void)
{
	return NULL;
}

#endif
