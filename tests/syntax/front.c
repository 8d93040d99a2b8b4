/* tests/syntax/front.c - the front end alone, for tests
 *
 *	front FILE...    messages of each file, without colours; nothing where it is fine
 *	front -t FILE... and its tree
 *	front -i         lines from the input as at a prompt, and what each needs
 */
#include "support/arena.h"
#include "support/diag.h"
#include "support/intern.h"
#include "syntax/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct syntax begin(void)
{
	return (struct syntax){ arena_new(), intern_new(), diag_new() };
}

static void end(struct syntax s)
{
	arena_free(s.arena);
	intern_free(s.names);
	diag_free(s.diag);
}

static bool check_file(const char *path, bool trees)
{
	struct syntax s = begin();
	struct source *source = source_read(s.arena, path);
	const struct ast *program = NULL;

	if (source)
		program = parse_file(&s, source);
	else
		perror(path);
	if (program && trees)
		ast_print(stdout, program);
	diag_print(s.diag, stdout, false);
	end(s);
	return program;
}

static void feed(struct syntax *s, struct parser *p, const char *line, size_t length)
{
	switch (parser_feed(p, line, length)) {
	case PARSE_COMPLETE:
		puts("complete");
		ast_print(stdout, parser_take(p));
		break;
	case PARSE_NEEDS_MORE:
		puts("more");
		break;
	case PARSE_FAILED:
		diag_print(s->diag, stdout, false);
		diag_clear(s->diag);
		puts("failed");
		break;
	}
}

static void prompt(void)
{
	struct syntax s = begin();
	struct source *source = source_new(s.arena, "prompt", "", 0);
	struct parser *p = parser_new(&s, source);
	char *line = NULL;
	size_t room = 0;
	ssize_t length;

	while ((length = getline(&line, &room, stdin)) > 0)
		feed(&s, p, line, (size_t)length);
	free(line);
	parser_free(p);
	end(s);
}

int main(int argc, char **argv)
{
	bool trees = argc > 1 && strcmp(argv[1], "-t") == 0;
	bool good = true;

	if (argc > 1 && strcmp(argv[1], "-i") == 0) {
		prompt();
		return 0;
	}
	for (int i = 1 + trees; i < argc; i++)
		good &= check_file(argv[i], trees);
	return good ? 0 : 1;
}
