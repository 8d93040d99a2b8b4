/* base/settings.c - what the environment says */
#include "base/settings.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

const char *setting_text(const char *name)
{
	const char *text = getenv(name);

	return text && *text ? text : NULL;
}

bool setting_int(const char *name, int64_t *value)
{
	const char *text = setting_text(name);
	char *end;
	long long number;

	if (!text)
		return false;
	errno = 0;
	number = strtoll(text, &end, 10);
	if (errno || end == text || *end)
		return false;
	*value = number;
	return true;
}

bool setting_flag(const char *name)
{
	static const char *const yes[] = { "1", "yes", "true", "on" };
	const char *text = setting_text(name);

	for (int i = 0; text && i < 4; i++)
		if (strcasecmp(text, yes[i]) == 0)
			return true;
	return false;
}

void setting_hint(const char *name, const char *value)
{
	if (!setting_text(name))
		setenv(name, value, 1);
}

int setting_cores(void)
{
	cpu_set_t set;
	int cores;

	if (sched_getaffinity(0, sizeof set, &set) == 0)
		cores = CPU_COUNT(&set);
	else
		cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
	return cores < 1 ? 1 : cores;
}
