/* tests/fuzz/front.c - programs with words changed, through parser, checks and plan
 *
 *	front [-n COUNT] [-t SECONDS] [-s SEED] FILE...
 *
 * Takes the files apart into words, changes, drops, doubles and exchanges some, also
 * between files, then in some programs single bytes, and compiles what comes out up to
 * its kernels. It must come back, with messages or with trees, AIR, plan and kernels that
 * pass their verifiers. What it was working on is in the file fuzz-front.mpa if it does
 * not. TAP.
 */
#include "../modules.h"
#include "schedule/plan.h"
#include "sema/sema.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/intern.h"
#include "support/strbuf.h"
#include "syntax/parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { HANG_SECONDS = 60, LONGEST = 20000 };   /* of the processor */

struct word { const char *text; int length; };
struct words { struct word *word; int n, room; };

static const char *const extra[] = {
	"[x+1]", "[1:]", "[:-1]", "[::2]", "[0]", "[y-2]", "(u)", "x", "y", "x.at", "u", "v",
	"0", "-1", "2.5", "1i", "true", "sum", "max", "let", "var", "field", "grid", "fn",
	"boundary", "where", "else", "for", "if", "{", "}", "(", ")", "[", "]", ",", ":", "=",
	"+=", "edge", "reflect", "computed", ".x.size", ".step", ".extend(x: 1)", "like",
	"f32", "i64", "u8", "c128", "bool", "random(g)", "local", "return", "\n", ";", "laplacian",
	"9223372036854775807", "1e308", "nan", "\"text {u}\"", "break", "every 2", "periodic",
};

static unsigned long long state = 88172645463325252u;

static unsigned below(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % n;
}

/* ---- words ------------------------------------------------------------------ */

static void words_add(struct words *w, const char *text, int length)
{
	if (w->n == w->room) {
		w->room = w->room ? 2 * w->room : 256;
		w->word = realloc(w->word, (size_t)w->room * sizeof *w->word);
		if (!w->word)
			abort();
	}
	w->word[w->n++] = (struct word){ text, length };
}

static bool is_part(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 128;
}

static struct words words_of(const char *text)
{
	struct words w = { 0 };

	while (*text) {
		int n = 1;

		if (*text == ' ' || *text == '\t')
			while (text[n] == ' ' || text[n] == '\t')
				n++;
		else if (is_part(*text))
			while (is_part(text[n]))
				n++;
		words_add(&w, text, n);
		text += n;
	}
	return w;
}

static struct word word_any(const struct words *file, int n_files)
{
	const struct words *w = &file[below((unsigned)n_files)];
	const char *text = extra[below(sizeof extra / sizeof *extra)];

	if (below(3) == 0 || w->n == 0)
		return (struct word){ text, (int)strlen(text) };
	return w->word[below((unsigned)w->n)];
}

static void put(struct strbuf *b, struct word w)
{
	strbuf_printf(b, "%.*s", w.length, w.text);
}

/* Lines of other files, as a program that starts in one way and goes on in another. */
static void put_stretch(struct strbuf *b, const struct words *from)
{
	int at = from->n ? (int)below((unsigned)from->n) : 0, most = 1 + (int)below(40);

	for (; at < from->n && most; at++, most--)
		put(b, from->word[at]);
}

static void make(struct strbuf *b, const struct words *file, int n_files)
{
	const struct words *w = &file[below((unsigned)n_files)];
	unsigned rarity = 8u << below(8);

	strbuf_clear(b);
	for (int i = 0; i < w->n && b->length < LONGEST; i++) {
		switch (below(5 * rarity)) {
		case 0:
			break;
		case 1:
			put(b, word_any(file, n_files));
			break;
		case 2:
			put(b, w->word[below((unsigned)w->n)]);
			break;
		case 3:
			put(b, w->word[i]);
			put(b, word_any(w, 1));
			break;
		case 4:
			put_stretch(b, &file[below((unsigned)n_files)]);
			break;
		default:
			put(b, w->word[i]);
		}
	}
}

/* Single bytes of a program lost, doubled, or any other, as in files that are damaged or
 * none of ours. */
static void disturb(struct strbuf *b)
{
	for (unsigned n = 1 + below(16); n && b->length; n--) {
		unsigned at = below((unsigned)b->length);

		switch (below(4)) {
		case 0:
			b->text[at] = (char)below(256);
			break;
		case 1:
			b->text[at] = (char)(b->text[at] ^ 1 << below(8));
			break;
		case 2:
			memmove(b->text + at, b->text + at + 1, b->length - at);
			b->length--;
			break;
		default:
			strbuf_putc(b, ' ');
			memmove(b->text + at + 1, b->text + at, b->length - at - 1);
		}
	}
}

/* ---- one compilation ---------------------------------------------------------- */

static void must(const char *complaint)
{
	if (!complaint)
		return;
	printf("# wrong form: %s\n", complaint);
	fflush(stdout);
	abort();
}

static void check_plan(struct air_program *air, struct arena *a)
{
	struct plan *plan = plan_program(air, a);

	must(plan_verify(plan));
	for (int i = 0; i < plan->n_kernels; i++)
		must(kir_verify(plan->kernel[i]));
}

static bool try(const struct strbuf *b, FILE *sink)
{
	struct syntax s = { arena_new(), intern_new(), diag_new() };
	struct source *source = source_new(s.arena, "fuzz", strbuf_text(b), b->length);
	struct sema_input in = { .arena = s.arena, .names = s.names, .diag = s.diag,
				 .source = source, .load = modules_find, .context = &s };
	struct air_program *air = NULL;

	in.program = parse_file(&s, source);
	if (in.program)
		air = sema_program(&in);
	if (!air == !diag_errors(s.diag))
		must("neither a message nor a program, or both");
	if (air) {
		must(air_verify(air));
		check_plan(air, s.arena);
	}
	diag_print(s.diag, sink, true);
	diag_free(s.diag);
	intern_free(s.names);
	arena_free(s.arena);
	return air != NULL;
}

/* Ends the program if this takes so long, however busy the machine is. */
static void limit(long seconds)
{
	struct itimerval timer = { .it_value.tv_sec = seconds };

	setitimer(ITIMER_PROF, &timer, NULL);
}

static void keep(const struct strbuf *b)
{
	FILE *f = fopen("fuzz-front.mpa", "w");

	if (!f)
		abort();
	fwrite(strbuf_text(b), 1, b->length, f);
	fclose(f);
}

/* ---- the loop ------------------------------------------------------------------ */

static struct words file_words(const char *path, struct arena *a)
{
	const struct source *s = source_read(a, path);

	if (!s) {
		perror(path);
		exit(99);
	}
	return words_of(s->text);
}

static void fuzz(const struct words *file, int n_files, long count, long seconds)
{
	FILE *sink = fopen("/dev/null", "w");
	struct strbuf b = { 0 };
	time_t end = time(NULL) + seconds;
	long good = 0, done = 0;

	while (done < count && (!seconds || time(NULL) < end)) {
		make(&b, file, n_files);
		if (below(4) == 0)
			disturb(&b);
		keep(&b);
		limit(HANG_SECONDS);
		good += try(&b, sink);
		done++;
	}
	limit(0);
	remove("fuzz-front.mpa");
	strbuf_free(&b);
	fclose(sink);
	printf("ok 1 - %ld inputs, %ld of them programs\n1..1\n", done, good);
}

int main(int argc, char **argv)
{
	struct arena *texts = arena_new();
	long count = 1000, seconds = 0;
	struct words *file;
	int option;

	while ((option = getopt(argc, argv, "n:t:s:")) != -1) {
		if (option == 'n')
			count = atol(optarg);
		else if (option == 't')
			seconds = atol(optarg);
		else if (option == 's')
			state ^= strtoull(optarg, NULL, 10) << 16;
		else
			return 99;
	}
	if (optind == argc)
		return 99;
	file = arena_alloc(texts, (size_t)(argc - optind) * sizeof *file);
	for (int i = optind; i < argc; i++)
		file[i - optind] = file_words(argv[i], texts);
	fuzz(file, argc - optind, count, seconds);
	for (int i = optind; i < argc; i++)
		free(file[i - optind].word);
	arena_free(texts);
	return 0;
}
