/* compiler/syntax/parse.c - one source to its tree, at once or line by line
 *
 * A file is pulled through the grammar; at the prompt each line is pushed, and
 * the answer says whether to run it, to ask for more, or to forget it.
 */
#include "syntax/reader.h"
#include "syntax/parser.h"

#include <stdlib.h>
#include <string.h>

struct span parser_span(const struct parser *p, uint32_t begin, uint32_t end)
{
	return (struct span){ p->source, begin, end };
}

/* Ready for the first statement; the place stays. */
static void start(struct parser *p)
{
	lexer_reset(p);
	p->current = (struct token){ 0 };
	p->holds = false;
	p->unclosed.kind = 0;
	p->recovering = false;
	p->failed = false;
	p->idle = true;
	p->program = list_new(p, NULL);
	if (p->grammar)
		yypstate_delete(p->grammar);
	p->grammar = NULL;
}

static struct parser *make(const struct syntax *s, struct source *source,
                           bool interactive)
{
	struct parser *p = xmalloc(sizeof *p);

	*p = (struct parser){
		.arena = s->arena,
		.names = s->names,
		.diag = s->diag,
		.source = source,
		.interactive = interactive,
		.pos = interactive ? source->length : 0,
	};
	start(p);
	return p;
}

struct parser *parser_new(const struct syntax *s, struct source *source)
{
	return make(s, source, true);
}

void parser_free(struct parser *p)
{
	if (!p)
		return;
	start(p);
	strbuf_free(&p->piece);
	strbuf_free(&p->doc);
	free(p);
}

/* The source with a line end at its end; the lexer counts on one. */
static void feed_source(struct parser *p)
{
	static const char mark[] = "\xef\xbb\xbf";      /* byte order mark */
	struct strbuf text = { 0 };

	if (strncmp(p->source->text, mark, 3) == 0)
		p->pos = 3;
	strbuf_add(&text, p->source->text + p->pos, p->source->length - p->pos);
	strbuf_putc(&text, '\n');
	lexer_feed(p, text.text, text.length);
	strbuf_free(&text);
}

static bool is_doc(const char *line)
{
	return line[0] == '#' && line[1] == '#' && line[2] != '#';
}

static const char *line_after(const char *line)
{
	line += strcspn(line, "\n");
	return *line ? line + 1 : line;
}

static bool is_blank(const char *line)
{
	return line[strspn(line, " \t\r")] == '\n' || !line[strspn(line, " \t\r")];
}

/* The file's documentation: its first lines with ##, if a line that is blank or the end
 * of the file follows. Lines with # may stand before. */
static const char *file_doc(struct parser *p)
{
	const char *line = p->source->text + p->pos, *end;
	struct strbuf doc = { 0 };
	const char *text = NULL;

	while (*line && !is_doc(line) && (*line == '#' || is_blank(line)))
		line = line_after(line);
	for (end = line; is_doc(end); end = line_after(end))
		strbuf_add(&doc, end + 2, (size_t)(line_after(end) - end) - 2);
	if (doc.length && is_blank(end)) {
		text = strbuf_to_arena(&doc, p->arena);
		p->doc_end = (uint32_t)(end - p->source->text);
	}
	strbuf_free(&doc);
	return text;
}

const struct ast *parse_file(const struct syntax *s, const struct source *source)
{
	struct parser *p = make(s, (struct source *)source, false);
	struct ast *program = NULL;
	const char *doc = file_doc(p);

	feed_source(p);
	if (yyparse(p) == 0 && !p->failed) {
		program = node_list(p, AST_PROGRAM, parser_span(p, 0, source->length),
		                    p->program);
		program->doc = doc;
	}
	parser_free(p);
	return program;
}

static void push_tokens(struct parser *p)
{
	union value value;
	struct span at;
	int kind;

	while ((kind = layout_next(&value, &at, p)) != STARVED)
		if (yypush_parse(p->grammar, kind, &value, &at, p) != YYPUSH_MORE)
			break;                  /* nested too deep */
}

enum parse_status parser_feed(struct parser *p, const char *line, size_t length)
{
	bool ended = length && line[length - 1] == '\n';
	uint32_t begin = p->source->length;

	source_append(p->source, line, length);
	if (!ended)
		source_append(p->source, "\n", 1);
	p->pos = begin;
	if (!p->grammar)
		p->grammar = yypstate_new();
	lexer_feed(p, p->source->text + begin, p->source->length - begin);
	push_tokens(p);
	if (p->failed) {
		start(p);
		return PARSE_FAILED;
	}
	return layout_needs_more(p) ? PARSE_NEEDS_MORE : PARSE_COMPLETE;
}

const struct ast *parser_take(struct parser *p)
{
	struct list *taken = p->program;
	struct span at = parser_span(p, p->pos, p->pos);

	if (taken->v.n)
		at = span_join(taken->v.item[0]->span,
		               taken->v.item[taken->v.n - 1]->span);
	p->program = list_new(p, NULL);
	return node_list(p, AST_PROGRAM, at, taken);
}
