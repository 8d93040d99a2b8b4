/* device/emu/guard.c - host code that touches memory of the device is told what it did
 *
 * In signal handlers nothing may be called that could have been interrupted: texts are
 * put together by hand. */
#include "device/emu/guard.h"

#include <string.h>
#include <unistd.h>

struct line {
	size_t n;
	char text[256];
};

static void add(struct line *l, const char *text)
{
	size_t n = strnlen(text, sizeof l->text - l->n);

	memcpy(l->text + l->n, text, n);
	l->n += n;
}

static void add_number(struct line *l, uint64_t number, unsigned base)
{
	char digits[24];
	size_t at = sizeof digits - 1;

	digits[at] = 0;
	do {
		digits[--at] = "0123456789abcdef"[number % base];
		number /= base;
	} while (number);
	add(l, digits + at);
}

void emu_guard_tell(const struct emu_memory *m, uint64_t at)
{
	bool is_device = at - m->first < m->range;
	struct line l = { .n = 0 };
	struct ptx_extent x;

	if (!is_device)
		at = emu_memory_mirrored(m, at);
	if (!at)
		return;
	add(&l, is_device ? "error: host code uses memory of the GPU: "
			  : "error: host code uses what is on the GPU now: ");
	if (emu_memory_find(m, at, &x)) {
		add(&l, "byte ");
		add_number(&l, at - x.at, 10);
		add(&l, x.name ? " of `" : " of an allocation");
		add(&l, x.name ? x.name : "");
		add(&l, x.name ? "`\n" : "\n");
	} else {
		add(&l, "address 0x");
		add_number(&l, at, 16);
		add(&l, ", where nothing is allocated\n");
	}
	if (write(STDERR_FILENO, l.text, l.n) < 0)
		return; /* there is no one to tell */
}

/* Without a handler the instruction is run again, and the process ends as it would have.
 */
void emu_guard_pass(const struct sigaction *before, int number, siginfo_t *info,
		    void *context)
{
	if (before->sa_flags & SA_SIGINFO)
		before->sa_sigaction(number, info, context);
	else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN)
		before->sa_handler(number);
	else
		sigaction(number, before, NULL);
}

void emu_guard_open(void (*handler)(int, siginfo_t *, void *), struct sigaction *before)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };

	action.sa_sigaction = handler;
	sigemptyset(&action.sa_mask);
	sigaction(SIGSEGV, &action, before);
}
