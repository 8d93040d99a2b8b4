/* base/settings.h - the environment: the only getenv and setenv of the runtime
 *
 * A variable that is set to the empty text counts as not set. */
#ifndef MPA_BASE_SETTINGS_H
#define MPA_BASE_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/* NULL: not set. */
const char *setting_text(const char *name);
/* Whether `name` holds a decimal integer that fits; *value is untouched if not. */
bool setting_int(const char *name, int64_t *value);
/* "1", "yes", "true", "on". */
bool setting_flag(const char *name);
/* Sets what the user has not set: hints to libraries that are opened later. */
void setting_hint(const char *name, const char *value);

/* Cores this process may run on: at least 1. */
int setting_cores(void);

#endif
