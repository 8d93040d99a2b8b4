/* base/log.c - notes on standard error, a whole line at a time */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

void log_note(const struct log *log, const char *format, ...)
{
	char line[1024];
	int used = 0;
	va_list list;

	if (!log->on)
		return;
	if (log->prefix)
		used = snprintf(line, sizeof line / 2, "%s: ", log->prefix);
	if (log->rank >= 0 && used < (int)sizeof line / 2)
		used += snprintf(line + used, sizeof line / 4, "rank %d: ", log->rank);
	if (used > (int)sizeof line / 2)
		used = (int)sizeof line / 2;
	va_start(list, format);
	vsnprintf(line + used, sizeof line - (size_t)used, format, list);
	va_end(list);
	fprintf(stderr, "%s\n", line);
}
