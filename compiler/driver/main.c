/* driver/main.c - the program mpac
 *
 * takes: the command line   gives: an exit status (0 fine, 1 the program is wrong, 2
 * the command line is wrong)
 */
#include "config.h"

#include "driver/edit.h"
#include "driver/options.h"
#include "driver/pipeline.h"
#include "driver/verify.h"
#include "support/arena.h"

#include <stdio.h>

/* Whoever is at a terminal edits lines, if there is a library for it. */
static int run_prompt(struct options *o)
{
	struct repl_editor *e = edit_open();
	int status;

	if (!e)
		e = lines_open();
	status = repl_run(o, e);
	e->close(e);
	return status;
}

int main(int argc, char **argv)
{
	struct arena *a = arena_new();
	struct options o;
	int status = 0;

	if (!options_parse(&o, a, argc, argv))
		status = 2;
	else if (o.help)
		options_help(stdout);
	else if (o.version)
		printf("mpac %s\n", PACKAGE_VERSION);
	else if (o.repl)
		status = run_prompt(&o);
	else if (o.compare)
		status = verify_run(&o, argc - 1, argv + 1);
	else
		status = pipeline_run(&o);
	arena_free(a);
	return status;
}
