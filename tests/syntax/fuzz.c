/* tests/syntax/fuzz.c - the front end on what no one would write
 *
 *	fuzz [COUNT [SEED]]
 *
 * Feeds COUNT inputs, as a file and line by line as at the prompt: soups of bytes,
 * of tokens, and of a program with tokens changed. It must come back, give a tree or
 * an error but not both, and a tree that passes its verifier. TAP.
 */
#include "support/arena.h"
#include "support/diag.h"
#include "support/intern.h"
#include "support/strbuf.h"
#include "syntax/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const tokens[] = {
	"param", "let", "var", "grid", "field", "boundary", "fn", "return", "for", "in",
	"while", "if", "else", "where", "every", "break", "continue", "local", "import",
	"extern", "export", "and", "or", "not", "true", "false", "from", "on", "by",
	"over", "nodes", "periodic", "particles", "like", "backend", "a", "b", "x", "\xce\xb1",
	"1", "2.5", "1e3", "2i", "0xff", "1.", "007", "(", ")", "[", "]", "{", "}", "\"",
	"\"t\"", "\"{", "}\"", ":", ",", ";", ".", "..", "...", "->", "=", "==", "!=", "<",
	">", "<=", ">=", "+", "-", "*", "/", "//", "%", "^", "**", "+=", "-=", "*=", "/=",
	"\n", "\n", "\n", "\n", "# c\n", "## d\n", "\\", "\\n", "'", "?", "&", "|", "!",
	"\xff", "\xe2\x88\x92", "\r\n", "\t", "@", ":>8.3f", "{ ", " }\n", "(a, b)", "[x+1]",
};

static const char program[] =
	"## doc\nparam n: i64 = 512 \"points\"\n"
	"grid g[x: n over 0..1, q: 9 local] split(x) procs(2)\n"
	"field u, v: f32 on g = x.at * 2\nboundary u { x.lo = 1.0; x.hi = edge }\n"
	"let f on g.extend(x: 1) = u - u[x-1]\n"
	"fn step(var u, dt: f64 = 1) {\n\tlet k = (u)[x+1]\n\tu[1:-1, q=3] += dt * k\n}\n"
	"for t in 0..n by 2 {\n\tif max(u) > 1 and not a { break } else { step(u, 0.5) }\n"
	"\tevery 10 { print(\"at {t:>5d} {sum(u):.3f} done\", -2 ^ -t) }\n}\n"
	"where x.at < 0.5 { u = 1 }\nelse { u = 0 }\n(u, v) = (v, 2*u - v)\n"
	"let h = from_function((i, j) -> sum(k in 1..5: c[k]), [1, 2,])\n";

static unsigned long long state;

static unsigned below(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % n;
}

static const char *any_token(void)
{
	return tokens[below(sizeof tokens / sizeof *tokens)];
}

static void make_bytes(struct strbuf *b)
{
	for (unsigned n = below(200); n; n--)
		strbuf_putc(b, (char)(below(4) ? 32 + below(96) : below(256)));
}

static void make_tokens(struct strbuf *b)
{
	for (unsigned n = below(150); n; n--)
		strbuf_printf(b, "%s%s", any_token(), below(3) ? " " : "");
}

static void make_deep(struct strbuf *b)
{
	const char *one = any_token(), *two = any_token();

	for (unsigned n = below(4000); n; n--)
		strbuf_printf(b, "%s %s ", one, two);
}

static void make_changed(struct strbuf *b)
{
	unsigned rarity = 40u << below(6);

	for (const char *c = program; *c; c++) {
		switch (below(rarity)) {
		case 0:
			break;
		case 1:
			strbuf_puts(b, any_token());
			break;
		case 2:
			c += strlen(c) > 8 ? below(8) : 0;
			break;
		default:
			strbuf_putc(b, *c);
		}
	}
}

static void make(struct strbuf *b)
{
	static void (*const ways[])(struct strbuf *) = { make_bytes, make_tokens,
		                                         make_changed, make_changed };

	strbuf_clear(b);
	if (below(50) == 0)
		make_deep(b);
	else
		ways[below(4)](b);
}

static void check_tree(const struct ast *tree)
{
	const char *wrong = ast_verify(tree);

	if (wrong) {
		puts(wrong);
		abort();
	}
}

static struct syntax begin(void)
{
	return (struct syntax){ arena_new(), intern_new(), diag_new() };
}

static void end(struct syntax s, FILE *sink)
{
	diag_print(s.diag, sink, true);
	arena_free(s.arena);
	intern_free(s.names);
	diag_free(s.diag);
}

static bool try_file(const struct strbuf *b, FILE *sink)
{
	struct syntax s = begin();
	struct source *source = source_new(s.arena, "fuzz", strbuf_text(b), b->length);
	const struct ast *tree = parse_file(&s, source);

	if (!tree == !diag_errors(s.diag))
		abort();
	if (tree) {
		check_tree(tree);
		ast_print(sink, tree);
	}
	end(s, sink);
	return tree;
}

static void try_prompt(const struct strbuf *b, FILE *sink)
{
	struct syntax s = begin();
	struct parser *p = parser_new(&s, source_new(s.arena, "prompt", "", 0));
	const char *line = strbuf_text(b), *last = line + b->length;

	while (line < last) {
		const char *stop = memchr(line, '\n', (size_t)(last - line));
		size_t length = stop ? (size_t)(stop + 1 - line) : (size_t)(last - line);

		if (parser_feed(p, line, length) == PARSE_COMPLETE) {
			const struct ast *tree = parser_take(p);

			check_tree(tree);
			ast_print(sink, tree);
		}
		line += length;
	}
	parser_free(p);
	end(s, sink);
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 2000, good = 0;
	FILE *sink = fopen("/dev/null", "w");
	struct strbuf b = { 0 };

	state = argc > 2 ? strtoull(argv[2], NULL, 10) : 88172645463325252u;
	for (long i = 0; i < count; i++) {
		make(&b);
		if (getenv("FUZZ_SHOW"))
			fprintf(stderr, "---- %ld\n%s\n", i, strbuf_text(&b));
		good += try_file(&b, sink);
		try_prompt(&b, sink);
	}
	strbuf_free(&b);
	fclose(sink);
	printf("ok 1 - %ld inputs, %ld of them programs\n1..1\n", count, good);
	return 0;
}
