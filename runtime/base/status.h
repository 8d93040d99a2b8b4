/* base/status.h - what a runtime call returns, and the first message of a session
 *
 * Calls that can fail return enum mpa_status and record text in a struct fault,
 * which keeps the first failure and ignores later ones. Text is one short lower
 * case sentence without a full stop, names the file or value, and has no
 * position: exec adds "heat.mpa:12:5: error: ". Nothing below exec prints it. */
#ifndef MPA_BASE_STATUS_H
#define MPA_BASE_STATUS_H

#include <stdbool.h>

#define MPA_STATUSES(ROW)                                                                \
	ROW(OK, "success")                                                               \
	ROW(MEMORY, "out of memory")                                                     \
	ROW(FILE, "file error")                                                          \
	ROW(ARGUMENT, "invalid argument")                                                \
	ROW(COMM, "communication error")                                                 \
	ROW(SYSTEM, "system error")                                                      \
	ROW(ELSEWHERE, "failure on another rank")

enum mpa_status {
#define ROW(id, text) MPA_##id,
	MPA_STATUSES(ROW)
#undef ROW
		MPA_STATUS_COUNT
};

enum { FAULT_TEXT = 1024 };

struct fault {
	enum mpa_status status; /* MPA_OK: nothing happened yet */
	char text[FAULT_TEXT];
};

const char *status_text(enum mpa_status status);

/* Records a failure unless one is recorded already; returns `status`. */
enum mpa_status fault_set(struct fault *fault, enum mpa_status status, const char *format,
			  ...) __attribute__((format(printf, 3, 4)));
/* The same, followed by ": " and what errno value `error` means. */
enum mpa_status fault_set_errno(struct fault *fault, enum mpa_status status, int error,
				const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void fault_clear(struct fault *fault);

#endif
