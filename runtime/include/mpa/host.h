/* mpa/host.h - for programs that hold a session themselves: the prompt
 *
 * mpa_main is a program's whole life. A host opens a session without a program, runs
 * one after the other in it, and goes on after failures.
 */
#ifndef MPA_HOST_H
#define MPA_HOST_H

#include "mpa/program.h"

/* The rank that the launcher gave this process, before a session is open; alone 0. */
int mpa_announced_rank(void);

#endif
