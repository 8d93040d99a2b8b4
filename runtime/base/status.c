/* base/status.c - the first failure of a session
 *
 * Later failures are consequences more often than news, so they are dropped. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *status_text(enum mpa_status status)
{
	static const char *const text[MPA_STATUS_COUNT] = {
#define ROW(id, text) [MPA_##id] = text,
		MPA_STATUSES(ROW)
#undef ROW
	};

	return status < MPA_STATUS_COUNT ? text[status] : "unknown status";
}

/* Whether this fault is the one that is kept: the first. */
static bool first_fault(struct fault *fault, enum mpa_status status, const char *format,
			va_list list)
{
	if (!fault || fault->status != MPA_OK)
		return false;
	fault->status = status;
	vsnprintf(fault->text, sizeof fault->text, format, list);
	return true;
}

enum mpa_status fault_set(struct fault *fault, enum mpa_status status, const char *format,
			  ...)
{
	va_list list;

	va_start(list, format);
	first_fault(fault, status, format, list);
	va_end(list);
	return status;
}

enum mpa_status fault_set_errno(struct fault *fault, enum mpa_status status, int error,
				const char *format, ...)
{
	va_list list;
	size_t used;
	bool first;

	va_start(list, format);
	first = first_fault(fault, status, format, list);
	va_end(list);
	if (!first)
		return status;
	used = strlen(fault->text);
	snprintf(fault->text + used, sizeof fault->text - used, ": %s", strerror(error));
	return status;
}

void fault_clear(struct fault *fault)
{
	fault->status = MPA_OK;
	fault->text[0] = 0;
}
