/* driver/interrupt.h - signals that wait while there are files to be removed
 *
 * Between hold and release, Ctrl-C and its kin do not end mpac: what was begun is
 * finished, temporary files go, and then they do. Holds may be nested. */
#ifndef DRIVER_INTERRUPT_H
#define DRIVER_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

void interrupt_hold(sigset_t *before);
bool interrupt_waits(void); /* has one come meanwhile? */
void interrupt_release(const sigset_t *before);

#endif
