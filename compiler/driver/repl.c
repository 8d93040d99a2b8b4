/* driver/repl.c - the prompt: lines in, answers out
 *
 * takes: what rank 0 reads   gives: effects of its items, one after the other
 * Lines are shared with all ranks, which then do the same. Input that nobody watches
 * ends with status 1 if anything in it failed.
 */
#include "config.h"

#include "driver/repl.h"
#include "driver/libraries.h"
#include "driver/link.h"
#include "driver/session.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const char prompt[] = "mpa> ", more[] = "...> ";

bool repl_speaks(const struct repl *r)
{
	return r->run ? mpa_host_rank(r->run) == 0 : mpa_announced_rank() == 0;
}

static void tell_unfinished(struct repl *r, const struct source *source)
{
	struct span end = { source, source->length, source->length };

	/* behind the last thing that stands there */
	while (end.begin > 0 && strchr(" \t\r\n", source->text[end.begin - 1]))
		end.begin = --end.end;
	r->failed = true;
	diag_error(r->syntax.diag, DIAG_UNEXPECTED, end,
		   "the input ends inside of a statement");
}

/* As long as all lines before this one, so that messages name it. */
static struct source *source_before(const struct repl *r)
{
	struct source *source = source_new(r->syntax.arena, r->source->name, "", 0);

	for (uint32_t i = 0; i + 1 < r->source->length; i++)
		if (r->source->text[i] == '\n')
			source_append(source, "\n", 1);
	return source;
}

const struct ast *repl_parse(struct repl *r, const char *text)
{
	struct source *source = source_before(r);
	struct parser *p = parser_new(&r->syntax, source);
	enum parse_status status = parser_feed(p, text, strlen(text));
	const struct ast *tree = status == PARSE_COMPLETE ? parser_take(p) : NULL;

	parser_free(p);
	if (status == PARSE_NEEDS_MORE)
		tell_unfinished(r, source);
	return tree;
}

/* ---- lines, on every rank ---------------------------------------------------- */

enum heard { HEARD_LINE, HEARD_END, HEARD_NEVER_MIND };
struct message {
	int64_t heard, length;
};

/* The next line, from malloc; NULL: *heard says why. */
static char *next_line(struct repl *r, bool begun, enum heard *heard)
{
	struct message m = { HEARD_LINE, 0 };
	bool interrupted = false;
	char *line = NULL;

	if (repl_speaks(r)) {
		line = r->editor->read(r->editor, begun ? more : prompt, &interrupted);
		m.heard = interrupted ? HEARD_NEVER_MIND : line ? HEARD_LINE : HEARD_END;
		m.length = line ? (int64_t)strlen(line) + 1 : 0;
	}
	mpa_host_share(r->run, &m, sizeof m);
	if (!line && m.length)
		line = xmalloc((size_t)m.length);
	if (m.length)
		mpa_host_share(r->run, line, m.length);
	*heard = (enum heard)m.heard;
	if (*heard == HEARD_LINE)
		return line;
	free(line);
	return NULL;
}

/* Was Ctrl-C typed? It waits, blocked, until it is asked for. */
static int interrupted(void *context)
{
	const struct timespec now = { 0, 0 };
	sigset_t set;

	(void)context;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	return sigtimedwait(&set, NULL, &now) == SIGINT;
}

/* ---- items ------------------------------------------------------------------- */

static void start_parser(struct repl *r)
{
	parser_free(r->parser);
	r->parser = parser_new(&r->syntax, r->source);
}

static void run_complete(struct repl *r)
{
	const struct ast *tree = parser_take(r->parser);

	if (tree->n_children && !item_run(r, tree))
		r->failed = true;
}

/* Is an item begun that goes on? */
static bool take_line(struct repl *r, const char *line, bool begun)
{
	const char *word = line + strspn(line, " \t");

	if (!begun && *word == ':') {
		source_append(r->source, "\n", 1); /* lines are counted all the same */
		command_run(r, word + 1);
		return false;
	}
	switch (parser_feed(r->parser, line, strlen(line))) {
	case PARSE_COMPLETE:
		run_complete(r);
		return false;
	case PARSE_NEEDS_MORE:
		return true;
	case PARSE_FAILED:
		r->failed = true;
		item_tell(r);
		break;
	}
	return false;
}

static void read_lines(struct repl *r)
{
	bool begun = false;
	enum heard heard;
	char *line;

	while (!r->done) {
		line = next_line(r, begun, &heard);
		if (heard == HEARD_END) {
			if (begun)
				tell_unfinished(r, r->source);
			item_tell(r);
			return;
		}
		if (line)
			begun = take_line(r, line, begun);
		else if (begun)
			start_parser(r);
		begun = begun && line;
		free(line);
	}
}

/* ---- from the first to the last ----------------------------------------------- */

static bool open_run(struct repl *r)
{
	struct mpa_host host = {
		.name = "mpac",
		.runtime_dir = r->backend.runtime_dir,
		.argc = r->o->n_rest,
		.argv = r->o->rest,
		.interrupted = interrupted,
	};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	signal(SIGXFSZ, SIG_IGN);
	r->run = mpa_host_open(&host, &r->status);
	return r->run != NULL;
}

static bool open_compiler(struct repl *r)
{
	struct arena *a = r->syntax.arena;

	r->source = source_new(a, "stdin", "", 0);
	start_parser(r);
	r->modules = (struct modules){ r->o, &r->syntax, map_new(a, MAP_TEXTS) };
	r->input = (struct sema_input){
		.arena = a,
		.names = r->syntax.names,
		.diag = r->syntax.diag,
		.program = parser_take(r->parser),
		.source = r->source,
		.load = modules_load,
		.context = &r->modules,
		.n_overrides = r->o->override.n,
		.override = r->o->override.item,
	};
	if (r->o->backend->open)
		r->engine = r->o->backend->open(r->syntax.diag);
	else
		diag_error(r->syntax.diag, DIAG_BAD_OPTION, (struct span){ 0 },
			   "the back end `%s` cannot run programs", r->o->backend->name);
	return r->engine && libraries_load(r->o, r->engine, r->syntax.diag) &&
	       item_open(r);
}

/* The program that was named, before the first prompt. */
static void run_file(struct repl *r)
{
	struct source *source = source_read(r->syntax.arena, r->o->file);
	const struct ast *tree = source ? parse_file(&r->syntax, source) : NULL;

	if (!source)
		diag_error(r->syntax.diag, DIAG_CANNOT_READ, (struct span){ 0 },
			   "cannot read `%s`: %s", r->o->file, strerror(errno));
	if (!mpa_host_all(r->run, tree && !diag_errors(r->syntax.diag))) {
		r->failed = true;
		item_tell(r);
	} else if (!item_run(r, tree)) {
		r->failed = true;
	}
}

static void offer_names(void *context, repl_name_fn *fn, void *to);

static void talk(struct repl *r)
{
	r->editor->names = offer_names;
	r->editor->context = r;
	if (r->editor->interactive && repl_speaks(r))
		printf("mpac %s. :help shows what there is, :quit leaves.\n",
		       PACKAGE_VERSION);
	if (r->o->file)
		run_file(r);
	read_lines(r);
	if (!r->status && r->failed && !r->editor->interactive)
		r->status = 1;
}

int repl_run(struct options *o, struct repl_editor *editor)
{
	struct repl r = { .o = o,
			  .syntax = { arena_new(), intern_new(), diag_new() },
			  .editor = editor };

	o->verify |= MPA_VERIFY;
	r.backend = (struct backend_options){
		.program = "mpac",
		.compiler = "mpac " PACKAGE_VERSION,
		.arithmetic = options_arithmetic(o),
		.runtime_dir = link_runtime_dir(r.syntax.arena),
		.cpu = o->cpu,
		.level = o->level,
		.verify = o->verify,
		.resident = true,
	};
	if (open_run(&r)) {
		r.status = 0;
		if (open_compiler(&r))
			talk(&r);
		else
			r.status = 1;
		item_tell(&r);
		mpa_host_close(r.run);
	}
	if (r.engine)
		o->backend->close(r.engine);
	sema_close(r.sema);
	parser_free(r.parser);
	diag_free(r.syntax.diag);
	intern_free(r.syntax.names);
	arena_free(r.syntax.arena);
	return r.status;
}

/* ---- names ------------------------------------------------------------------- */

struct offer {
	repl_name_fn *fn;
	void *to;
};

static void offer_name(void *context, const char *name, const char *text)
{
	struct offer *offer = context;

	(void)text;
	offer->fn(offer->to, name);
}

static void offer_names(void *context, repl_name_fn *fn, void *to)
{
	static const char *const words[] = {
#define KEYWORD(id, text) text,
#define WORD(id, text) text,
#include "syntax/token.def"
#undef KEYWORD
#undef WORD
	};
	struct repl *r = context;
	struct offer offer = { fn, to };

	sema_names(r->sema, true, offer_name, &offer);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		fn(to, words[i]);
}
