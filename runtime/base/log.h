/* base/log.h - notes about what the runtime chose, on standard error
 *
 * For --profile and MPA_DEBUG; results and errors never come this way. */
#ifndef MPA_BASE_LOG_H
#define MPA_BASE_LOG_H

#include <stdbool.h>

struct log {
	bool on;            /* off: note calls do nothing */
	int rank;           /* written in front of each line if >= 0 */
	const char *prefix; /* the program's name; may be NULL */
};

void log_note(const struct log *log, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
