/* compiler/support/embedded.h - texts that the compiler carries
 *
 * They are made into C when mpac is built: the library written in mpa (stdlib/embed.awk),
 * which ends with an entry whose name is NULL, and what generated C and CUDA C begin with
 * (backend/c/embed.awk).
 */
#ifndef SUPPORT_EMBEDDED_H
#define SUPPORT_EMBEDDED_H

struct embedded_module {
	const char *name; /* as import says it: "prelude" */
	const char *text; /* the whole file */
};

extern const struct embedded_module stdlib_modules[];
extern const char c_prelude[], cuda_prelude[];
extern const char cuda_random[]; /* needs mpa_log and mpa_cos */

#endif
