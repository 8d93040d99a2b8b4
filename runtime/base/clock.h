/* base/clock.h - wall time in seconds from an arbitrary start, monotonic */
#ifndef MPA_BASE_CLOCK_H
#define MPA_BASE_CLOCK_H

double clock_now(void);

#endif
