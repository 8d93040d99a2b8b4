/* device/emu/setup.c - what the environment says of the emulated devices */
#include "device/emu/setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings.h"

static const int64_t MEMORY = (int64_t)8 << 30;

/* ---- numbers -------------------------------------------------------------------- */

struct number {
	const char *name;
	bool read;
	const int64_t *value;
	int64_t least, most;
};

static bool read_numbers(struct emu_setup *s, char *text, size_t size)
{
	const struct number numbers[] = {
		{ "MPA_FAKE_CUDA_DEVICES",
		  setting_int("MPA_FAKE_CUDA_DEVICES", &s->devices), &s->devices, 0,
		  EMU_DEVICES },
		{ "MPA_FAKE_CUDA_CAPABILITY",
		  setting_int("MPA_FAKE_CUDA_CAPABILITY", &s->capability), &s->capability,
		  10, 999 },
		{ "MPA_FAKE_CUDA_DRIVER", setting_int("MPA_FAKE_CUDA_DRIVER", &s->driver),
		  &s->driver, 1000, 99990 },
		{ "MPA_FAKE_CUDA_MEMORY", setting_int("MPA_FAKE_CUDA_MEMORY", &s->memory),
		  &s->memory, 0, (int64_t)1 << 40 },
	};

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		const struct number *n = &numbers[i];

		if (!setting_text(n->name) ||
		    (n->read && *n->value >= n->least && *n->value <= n->most))
			continue;
		snprintf(text, size, "%s=%s is no number from %lld to %lld", n->name,
			 setting_text(n->name), (long long)n->least, (long long)n->most);
		return false;
	}
	return true;
}

/* ---- words ---------------------------------------------------------------------- */

static bool read_order(struct emu_setup *s, char *text, size_t size)
{
	const char *order = setting_text("MPA_FAKE_CUDA_ORDER");

	s->eager = order && !strcmp(order, "eager");
	if (!order || s->eager || !strcmp(order, "lazy") ||
	    (setting_int("MPA_FAKE_CUDA_ORDER", &s->seed) && s->seed > 0))
		return true;
	snprintf(text, size,
		 "MPA_FAKE_CUDA_ORDER=%s is not lazy, eager, or a number above 0", order);
	return false;
}

/* "load", or "alloc:3" where the kind counts. */
static bool is_fault(const char *fault, const char *kind, bool counts, int64_t *which)
{
	size_t n = strlen(kind);
	char *end;

	if (strncmp(fault, kind, n))
		return false;
	if (!counts)
		return !fault[n];
	if (fault[n] != ':')
		return false;
	*which = strtoll(fault + n + 1, &end, 10);
	return *which > 0 && !*end;
}

static bool read_fault(struct emu_setup *s, char *text, size_t size)
{
	static const struct {
		const char *kind;
		enum emu_wrong wrong;
		bool counts;
	} kinds[] = {
		{ "alloc", EMU_ALLOC, true },
		{ "load", EMU_LOAD, false },
		{ "launch", EMU_LAUNCH, true },
		{ "no-device", EMU_NO_DEVICE, false },
	};
	const char *fault = setting_text("MPA_FAKE_CUDA_FAULT");

	if (!fault)
		return true;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (is_fault(fault, kinds[i].kind, kinds[i].counts, &s->which)) {
			s->wrong = kinds[i].wrong;
			return true;
		}
	snprintf(text, size,
		 "MPA_FAKE_CUDA_FAULT=%s is not alloc:N, load, launch:N, or no-device",
		 fault);
	return false;
}

/* As CUDA reads it: the first that is none hides those after it. */
static void read_visible(struct emu_setup *s)
{
	const char *at = setting_text("CUDA_VISIBLE_DEVICES");

	if (!at)
		for (; s->n_visible < s->devices; s->n_visible++)
			s->visible[s->n_visible] = s->n_visible;
	while (at && s->n_visible < EMU_DEVICES) {
		char *end;
		long which = strtol(at, &end, 10);

		if (end == at || which < 0 || which >= s->devices)
			return;
		s->visible[s->n_visible++] = (int)which;
		if (*end != ',')
			return;
		at = end + 1;
	}
}

bool emu_setup_read(struct emu_setup *s, char *text, size_t size)
{
	const char *fake = setting_text("MPA_FAKE_CUDA");

	*s = (struct emu_setup){
		.devices = 1, .capability = 80, .driver = 13000, .memory = MEMORY
	};
	if (!read_numbers(s, text, size) || !read_order(s, text, size) ||
	    !read_fault(s, text, size))
		return false;
	read_visible(s);
	s->check = fake && !strcmp(fake, "check");
	return true;
}

/* ---- versions -------------------------------------------------------------------- */

/* PTX 7.0 to 7.8 came with CUDA 11.0 to 11.8, 8.0 to 8.5 with 12.0 to 12.5, 8.6 to 8.8
 * with 12.7 to 12.9, and 9.x with 13.x; those before with what all drivers here are newer
 * than. */
int emu_ptx_driver(const char *text, int *major, int *minor)
{
	const char *at = strstr(text, ".version");

	while (at && sscanf(at, ".version %d.%d", major, minor) != 2)
		at = strstr(at + 1, ".version");
	if (!at)
		return 0;
	if (*major < 7)
		return 10000;
	return (*major + 4) * 1000 + (*minor + (*major == 8 && *minor > 5)) * 10;
}
