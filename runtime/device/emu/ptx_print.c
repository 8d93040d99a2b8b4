/* device/emu/ptx_print.c - vprintf and __assertfail: what kernels tell
 *
 * Arguments are values in local memory, at the places that the sources name; strings have
 * generic addresses. A program's kernels print on standard output, as they do with a GPU,
 * thread after thread. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device/emu/ptx_module.h"

enum { MOST_TEXT = 400, MOST_SPEC = 32 };

/* The instruction, as one that takes generic addresses. */
static struct ptx_instr generic(const struct ptx_instr *in)
{
	struct ptx_instr any = *in;

	any.space = PTX_GENERIC;
	return any;
}

/* Bytes of a thread; zeros after a failure. */
static uint64_t value_at(struct ptx_warp *w, const struct ptx_instr *in, int lane,
			 uint64_t at, int64_t n)
{
	const char *from = ptx_locate(w, in, lane, at, n, false);
	uint64_t value = 0;

	if (from)
		memcpy(&value, from, (size_t)n);
	return value;
}

/* An argument of the call: all 8 bytes, or the first 4. */
static uint64_t argument(struct ptx_warp *w, const struct ptx_instr *in, int lane, int k,
			 int64_t n)
{
	return value_at(w, in, lane, w->reg[in->src[k]][lane].u, n);
}

static void read_text(struct ptx_warp *w, const struct ptx_instr *in, int lane,
		      uint64_t at, char *text)
{
	struct ptx_instr any = generic(in);
	size_t n = 0;

	do
		text[n] = (char)value_at(w, &any, lane, at + n, 1);
	while (text[n] && !w->failed && ++n < MOST_TEXT - 1);
	text[n] = '\0';
}

/* Values that a format takes, one after the other, each aligned. */
struct values {
	struct ptx_warp *w;
	struct ptx_instr in;
	int lane;
	uint64_t at;
};

static uint64_t next_value(struct values *v, uint64_t n)
{
	v->at = (v->at + n - 1) / n * n;
	v->at += n;
	return value_at(v->w, &v->in, v->lane, v->at - n, (int64_t)n);
}

/* One conversion, "%-8.3f": how C has it, with the width of whole numbers as of int64. */
static void print_value(struct values *v, const char *spec, size_t n)
{
	char form[MOST_SPEC + 4], text[MOST_TEXT], kind = spec[n - 1];
	size_t flags = n - 1;
	bool wide;

	while (flags && strchr("hlzjt", spec[flags - 1]))
		flags--;
	wide = memchr(spec + flags, 'l', n - flags) || memchr(spec + flags, 'z', n - flags);
	snprintf(form, sizeof form, "%.*s", (int)flags, spec);
	if (strchr("diuxXoc", kind)) {
		int64_t x = (int64_t)next_value(v, wide ? 8 : 4);

		if (!wide && (kind == 'd' || kind == 'i'))
			x = (int32_t)x;
		snprintf(form + flags, sizeof form - flags, "%s%c", kind == 'c' ? "" : PRId64,
			 kind);
		if (kind != 'c') /* PRId64 ends in d */
			snprintf(form + flags + strlen(PRId64) - 1, 2, "%c", kind);
		if (kind == 'c')
			printf(form, (int)x);
		else
			printf(form, x);
	} else if (strchr("eEfFgGaA", kind)) {
		union ptx_slot x = { .u = next_value(v, 8) };

		snprintf(form + flags, sizeof form - flags, "%c", kind);
		printf(form, x.d);
	} else if (kind == 's') {
		read_text(v->w, &v->in, v->lane, next_value(v, 8), text);
		snprintf(form + flags, sizeof form - flags, "s");
		printf(form, text);
	} else if (kind == 'p') {
		printf("0x%" PRIx64, next_value(v, 8));
	} else {
		fwrite(spec, 1, n, stdout);
	}
}

static void print_format(struct values *v, const char *format)
{
	while (*format) {
		size_t plain = strcspn(format, "%"), n;

		fwrite(format, 1, plain, stdout);
		format += plain;
		if (!*format)
			return;
		n = 1 + strspn(format + 1, "-+ #0123456789.hlzjt");
		n += format[n] != '\0';
		if (n == 2 && format[1] == '%')
			putchar('%');
		else if (n < MOST_SPEC)
			print_value(v, format, n);
		format += n;
	}
}

/* (result) vprintf(format, arguments) */
void ptx_print(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	PTX_EACH(i, mask)
	{
		struct values v = { w, generic(in), i, argument(w, in, i, 2, 8) };
		char format[MOST_TEXT];
		char *result = ptx_locate(w, in, i, w->reg[in->src[0]][i].u, 4, true);

		read_text(w, in, i, argument(w, in, i, 1, 8), format);
		if (w->failed || !result)
			return;
		print_format(&v, format);
		memset(result, 0, 4);
	}
	fflush(stdout);
}

/* __assertfail(what, file, line, function, size of a character) */
void ptx_assert(struct ptx_warp *w, const struct ptx_instr *in, uint32_t mask)
{
	int lane = __builtin_ctz(mask);
	char what[MOST_TEXT], file[MOST_TEXT];

	read_text(w, in, lane, argument(w, in, lane, 0, 8), what);
	read_text(w, in, lane, argument(w, in, lane, 1, 8), file);
	ptx_fail(w, in, lane, PTX_ASSERT, "%.120s:%u: the assertion `%.150s` failed", file,
		 (unsigned)argument(w, in, lane, 2, 4), what);
}
