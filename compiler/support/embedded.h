/* compiler/support/embedded.h - the library written in mpa, as the compiler carries it
 *
 * The array is generated from stdlib/ (embed.awk) when mpac is built and ends
 * with an entry whose name is NULL.
 */
#ifndef SUPPORT_EMBEDDED_H
#define SUPPORT_EMBEDDED_H

struct embedded_module {
	const char *name; /* as import says it: "prelude" */
	const char *text; /* the whole file */
};

extern const struct embedded_module stdlib_modules[];

#endif
