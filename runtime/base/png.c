/* base/png.c - pixels as a PNG file
 *
 * Eight bits of red, green and blue, rows unfiltered (PNG, second edition; deflate: RFC
 * 1950 and 1951). */
#include "base/png.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { STORED_MOST = 65535, CHUNK = 12, BEST = 9 };

static uint32_t crc_of(const unsigned char *data, size_t n)
{
	uint32_t crc = 0xffffffff;

	for (size_t i = 0; i < n; i++) {
		crc ^= data[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static uint32_t adler_of(const unsigned char *data, size_t n)
{
	uint32_t a = 1, b = 0;

	for (size_t i = 0; i < n; i++) {
		a = (a + data[i]) % 65521;
		b = (b + a) % 65521;
	}
	return b << 16 | a;
}

static void put_four(unsigned char *to, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		to[i] = value >> (24 - 8 * i) & 0xff;
}

/* Header, blocks that are stored as they are, checksum. */
static size_t deflate_stored(const unsigned char *data, size_t n, unsigned char *out)
{
	size_t at = 0, used = 2;

	out[0] = 0x78;
	out[1] = 0x01;
	do {
		size_t part = n - at < STORED_MOST ? n - at : STORED_MOST;

		out[used++] = at + part == n;
		out[used++] = part & 0xff;
		out[used++] = part >> 8 & 0xff;
		out[used++] = ~part & 0xff;
		out[used++] = ~part >> 8 & 0xff;
		memcpy(out + used, data + at, part);
		used += part;
		at += part;
	} while (at < n);
	put_four(out + used, adler_of(data, n));
	return used + 4;
}

/* By zlib; 0: it is not here. */
static size_t deflate_small(const unsigned char *data, size_t n, unsigned char *out,
			    size_t room)
{
	int (*compress2)(unsigned char *, unsigned long *, const unsigned char *,
			 unsigned long, int);
	void *zlib = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
	void *function = zlib ? dlsym(zlib, "compress2") : NULL;
	unsigned long used = room;

	if (!function)
		return 0;
	memcpy(&compress2, &function, sizeof function);
	if (compress2(out, &used, data, n, BEST) != 0)
		used = 0;
	dlclose(zlib);
	return used;
}

/* Each row behind a 0: it is not filtered. */
static unsigned char *scanlines(const struct canvas *c, size_t *n)
{
	size_t row = (size_t)c->width * 3;
	unsigned char *lines;

	*n = (row + 1) * (size_t)c->height;
	lines = malloc(*n);
	for (int j = 0; lines && j < c->height; j++) {
		lines[(row + 1) * (size_t)j] = 0;
		memcpy(lines + (row + 1) * (size_t)j + 1,
		       c->pixel + (size_t)j * (size_t)c->width, row);
	}
	return lines;
}

/* Adds a chunk whose n bytes of data already stand in their place. */
static size_t close_chunk(unsigned char *file, size_t at, const char *type, size_t n)
{
	put_four(file + at, (uint32_t)n);
	memcpy(file + at + 4, type, 4);
	put_four(file + at + 8 + n, crc_of(file + at + 4, n + 4));
	return at + CHUNK + n;
}

static size_t put_file(unsigned char *file, size_t room, const struct canvas *c,
		       const unsigned char *lines, size_t n)
{
	static const unsigned char start[8] = { 0x89, 'P',  'N',  'G',
						'\r', '\n', 0x1a, '\n' };
	size_t at = sizeof start, packed;

	memcpy(file, start, sizeof start);
	put_four(file + at + 8, (uint32_t)c->width);
	put_four(file + at + 12, (uint32_t)c->height);
	memcpy(file + at + 16, "\10\2\0\0", 5); /* bits, RGB; the usual ways */
	at = close_chunk(file, at, "IHDR", 13);
	packed = deflate_small(lines, n, file + at + 8, room - at - 8);
	if (packed == 0)
		packed = deflate_stored(lines, n, file + at + 8);
	at = close_chunk(file, at, "IDAT", packed);
	return close_chunk(file, at, "IEND", 0);
}

unsigned char *png_encode(const struct canvas *c, size_t *bytes)
{
	size_t n, room;
	unsigned char *lines = scanlines(c, &n), *file;

	/* stored blocks have 5 bytes each, zlib's bound is smaller */
	room = n + n / 1000 + 200;
	file = lines ? malloc(room) : NULL;
	if (file)
		*bytes = put_file(file, room, c, lines, n);
	free(lines);
	return file;
}
