/* array/npy_header.c - the text in front of the elements of a NumPy file
 *
 * The header is a Python dictionary of three entries, whose order NumPy fixes but
 * its reader does not; version 1.0 counts its length in two bytes, the later ones
 * in four. */
#include "array/npy_header.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const struct npy_type_info *npy_type_of(enum mpa_elem type)
{
	static const struct npy_type_info info[] = {
#define ROW(id, descr, bytes, kind) [id] = { descr, bytes, kind },
		NPY_TYPES(ROW)
#undef ROW
			[MPA_STR] = { "", 0, 0 },
	};

	return &info[type <= MPA_STR ? type : MPA_STR];
}

bool npy_type_fits(enum mpa_elem from, enum mpa_elem to)
{
	static const char order[] = "birc";

	return strchr(order, npy_type_of(from)->kind) <=
	       strchr(order, npy_type_of(to)->kind);
}

int64_t npy_header_length(const unsigned char *p, struct fault *fault)
{
	int64_t length;

	if (memcmp(p, "\x93NUMPY", 6) != 0) {
		fault_set(fault, MPA_FILE, "this is not a NumPy file");
		return -1;
	}
	if (p[6] < 1 || p[6] > 3) {
		fault_set(fault, MPA_FILE, "version %d of NumPy's format is not known",
			  p[6]);
		return -1;
	}
	if (p[6] == 1)
		return 10 + p[8] + 256 * p[9];
	length = 12 + (p[8] + 256 * p[9] + 65536 * p[10] + ((int64_t)p[11] << 24));
	if (length <= NPY_HEADER_MOST)
		return length;
	fault_set(fault, MPA_FILE, "the header is corrupt: it says it is %lld bytes long",
		  (long long)length);
	return -1;
}

struct scan {
	const char *at, *end;
	struct fault *fault;
	struct stored *header;
	bool has_type, has_order, has_shape;
};

static bool corrupt(struct scan *s, const char *what)
{
	fault_set(s->fault, MPA_FILE, "the header is corrupt: %s", what);
	return false;
}

static void blanks(struct scan *s)
{
	while (s->at < s->end && isspace((unsigned char)*s->at))
		s->at++;
}

/* Skips blanks and takes `c` if it is next. */
static bool took(struct scan *s, char c)
{
	blanks(s);
	if (s->at == s->end || *s->at != c)
		return false;
	s->at++;
	return true;
}

static bool took_word(struct scan *s, const char *word)
{
	size_t n = strlen(word);

	blanks(s);
	if ((size_t)(s->end - s->at) < n || memcmp(s->at, word, n) != 0)
		return false;
	s->at += n;
	return true;
}

static bool quoted(struct scan *s, char *text, size_t size)
{
	size_t n = 0;
	char quote;

	blanks(s);
	if (s->at == s->end || (*s->at != '\'' && *s->at != '"'))
		return corrupt(s, "a text was expected");
	quote = *s->at++;
	while (s->at < s->end && *s->at != quote && n + 1 < size)
		text[n++] = *s->at++;
	text[n] = 0;
	if (!took(s, quote))
		return corrupt(s, "a text does not end");
	return true;
}

static bool scan_type(struct scan *s)
{
	char descr[32];

	blanks(s);
	if (s->at < s->end && *s->at == '[') {
		fault_set(s->fault, MPA_FILE, "its elements are structures, not numbers");
		return false;
	}
	if (!quoted(s, descr, sizeof descr))
		return false;
	s->has_type = true;
	for (int t = 1; t < MPA_STR; t++) {
		const struct npy_type_info *info = npy_type_of((enum mpa_elem)t);

		if (info->kind && strcmp(descr, info->descr) == 0) {
			s->header->type = (enum mpa_elem)t;
			return true;
		}
	}
	if (descr[0] == '>')
		fault_set(s->fault, MPA_FILE,
			  "its elements, %s, are big endian; save it as little endian",
			  descr);
	else
		fault_set(s->fault, MPA_FILE,
			  "its elements are of NumPy's type %s; this can read |b1, |u1, "
			  "<i4, "
			  "<i8, <f4, <f8, <c8 and <c16",
			  descr);
	return false;
}

static bool scan_order(struct scan *s)
{
	s->has_order = true;
	s->header->fortran = took_word(s, "True");
	if (!s->header->fortran && !took_word(s, "False"))
		return corrupt(s, "fortran_order is neither True nor False");
	return true;
}

static bool scan_size(struct scan *s)
{
	struct stored *header = s->header;
	int64_t size = 0;

	if (header->naxes == MPA_MAX_AXES) {
		fault_set(s->fault, MPA_FILE, "it has more than %d axes", MPA_MAX_AXES);
		return false;
	}
	blanks(s);
	if (s->at == s->end || !isdigit((unsigned char)*s->at))
		return corrupt(s, "a size was expected");
	while (s->at < s->end && isdigit((unsigned char)*s->at))
		if (__builtin_mul_overflow(size, 10, &size) ||
		    __builtin_add_overflow(size, *s->at++ - '0', &size))
			return corrupt(s, "a size is too large");
	took(s, 'L'); /* Python 2 */
	header->shape[header->naxes++] = size;
	return true;
}

static bool scan_shape(struct scan *s)
{
	s->has_shape = true;
	if (!took(s, '('))
		return corrupt(s, "the shape is not a tuple");
	while (!took(s, ')')) {
		if (!scan_size(s))
			return false;
		if (!took(s, ',')) {
			if (took(s, ')'))
				return true;
			return corrupt(s, "the shape does not end");
		}
	}
	return true;
}

static bool scan_entry(struct scan *s)
{
	char key[32];

	if (!quoted(s, key, sizeof key))
		return false;
	if (!took(s, ':'))
		return corrupt(s, "a colon is missing");
	if (strcmp(key, "descr") == 0 && !s->has_type)
		return scan_type(s);
	if (strcmp(key, "fortran_order") == 0 && !s->has_order)
		return scan_order(s);
	if (strcmp(key, "shape") == 0 && !s->has_shape)
		return scan_shape(s);
	return corrupt(s, "it has an entry that is not known");
}

static bool scan_dictionary(struct scan *s)
{
	if (!took(s, '{'))
		return corrupt(s, "it is not a dictionary");
	while (!took(s, '}')) {
		if (!scan_entry(s))
			return false;
		if (!took(s, ',')) {
			if (took(s, '}'))
				break;
			return corrupt(s, "a comma is missing");
		}
	}
	if (!s->has_type || !s->has_order || !s->has_shape)
		return corrupt(s, "an entry is missing");
	return true;
}

/* Whether all elements and what stands before them fit into 2^63 bytes. */
static bool fits(const struct stored *header)
{
	int64_t bytes = npy_type_of(header->type)->bytes;

	for (int a = 0; a < header->naxes; a++)
		if (header->shape[a] == 0)
			return true;
	for (int a = 0; a < header->naxes; a++)
		if (__builtin_mul_overflow(bytes, header->shape[a], &bytes))
			return false;
	return bytes < INT64_MAX - header->data;
}

enum mpa_status npy_header_parse(const char *text, int64_t length,
				 struct stored *header, struct fault *fault)
{
	int64_t first = text[6] == 1 ? 10 : 12;
	struct scan s = {
		text + first, text + length, fault, header, false, false, false
	};

	*header = (struct stored){ .data = length };
	if (length < first || !scan_dictionary(&s))
		return MPA_FILE;
	if (!fits(header)) {
		corrupt(&s, "its shape is too large");
		return MPA_FILE;
	}
	return MPA_OK;
}

int64_t npy_header_write(struct stored *header, char *text)
{
	char *end = text + NPY_WRITTEN_MOST, *at = text + 10;
	int64_t length;

	at += snprintf(
		at, (size_t)(end - at), "{'descr': '%s', 'fortran_order': %s, 'shape': (",
		npy_type_of(header->type)->descr, header->fortran ? "True" : "False");
	for (int a = 0; a < header->naxes; a++)
		at += snprintf(at, (size_t)(end - at), "%s%lld%s", a > 0 ? " " : "",
			       (long long)header->shape[a],
			       a + 1 < header->naxes || a == 0 ? "," : "");
	at += snprintf(at, (size_t)(end - at), "), }");
	length = (at - text + 1 + 63) / 64 * 64;
	memset(at, ' ', (size_t)(text + length - at));
	text[length - 1] = '\n';
	memcpy(text, "\x93NUMPY\x01", 8);
	text[8] = (char)((length - 10) % 256);
	text[9] = (char)((length - 10) / 256);
	header->data = length;
	return length;
}
