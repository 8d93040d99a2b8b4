/* driver/interrupt.c - signals that wait while there are files to be removed */
#include "driver/interrupt.h"

static const int ends[] = { SIGINT, SIGTERM, SIGHUP };

enum { N_ENDS = sizeof ends / sizeof *ends };

void interrupt_hold(sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	for (int i = 0; i < N_ENDS; i++)
		sigaddset(&set, ends[i]);
	sigprocmask(SIG_BLOCK, &set, before);
}

bool interrupt_waits(void)
{
	sigset_t set;

	if (sigpending(&set) != 0)
		return false;
	for (int i = 0; i < N_ENDS; i++)
		if (sigismember(&set, ends[i]) == 1)
			return true;
	return false;
}

void interrupt_release(const sigset_t *before)
{
	sigprocmask(SIG_SETMASK, before, NULL);
}
