/* driver/lines.c - lines of standard input as they come, without editing
 *
 * takes: standard input   gives: lines; prompts if it is a terminal
 * Ctrl-C gives a line up at a terminal; elsewhere it ends the process, as it would without
 * us. It is blocked meanwhile and seen as a file, so no handler is needed.
 */
#include "driver/repl.h"
#include "support/arena.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

struct lines {
	struct repl_editor editor;
	int signals; /* the file */
	char *text;  /* read and not yet given */
	size_t length, room;
	bool ended;
};

/* More of the input; false: Ctrl-C came first. */
static bool read_more(struct lines *l)
{
	struct pollfd from[2] = { { .fd = STDIN_FILENO, .events = POLLIN },
				  { .fd = l->signals, .events = POLLIN } };
	ssize_t n;

	if (l->length == l->room) {
		l->room = l->room ? 2 * l->room : 4096;
		l->text = xrealloc(l->text, l->room);
	}
	while (poll(from, 2, -1) < 0)
		continue;
	if (from[1].revents)
		return false;
	n = read(STDIN_FILENO, l->text + l->length, l->room - l->length);
	l->ended = n <= 0;
	l->length += n > 0 ? (size_t)n : 0;
	return true;
}

/* The first n bytes and a final 0; these and `skip` more are given. */
static char *take(struct lines *l, size_t n, size_t skip)
{
	char *line = xmalloc(n + 1);

	memcpy(line, l->text, n);
	line[n] = 0;
	l->length -= n + skip;
	memmove(l->text, l->text + n + skip, l->length);
	return line;
}

static void give_up(struct lines *l, bool *interrupted)
{
	struct signalfd_siginfo info;
	sigset_t set;

	if (!l->editor.interactive) {
		sigemptyset(&set);
		sigaddset(&set, SIGINT);
		sigprocmask(SIG_UNBLOCK, &set, NULL);
	}
	*interrupted = read(l->signals, &info, sizeof info) == sizeof info;
	l->length = 0;
	putchar('\n');
}

static char *lines_read(struct repl_editor *e, const char *prompt, bool *interrupted)
{
	struct lines *l = (struct lines *)e;
	const char *end;

	if (e->interactive)
		fputs(prompt, stdout);
	fflush(stdout);
	while (!(end = l->length ? memchr(l->text, '\n', l->length) : NULL)) {
		if (l->ended)
			return l->length ? take(l, l->length, 0) : NULL;
		if (!read_more(l)) {
			give_up(l, interrupted);
			return NULL;
		}
	}
	return take(l, (size_t)(end - l->text), 1);
}

static void lines_close(struct repl_editor *e)
{
	struct lines *l = (struct lines *)e;

	close(l->signals);
	free(l->text);
	free(l);
}

struct repl_editor *lines_open(void)
{
	struct lines *l = xmalloc(sizeof *l);
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	*l = (struct lines){ .editor = { .interactive = isatty(STDIN_FILENO),
					 .read = lines_read,
					 .close = lines_close },
			     .signals = signalfd(-1, &set, SFD_CLOEXEC) };
	return &l->editor;
}
