/* driver/verify.h - mpac verify: is the answer the same on all ways to run a program? */
#ifndef DRIVER_VERIFY_H
#define DRIVER_VERIFY_H

struct options;

/* The status of mpac: 0 the same everywhere, 1 not, or not to be compiled, 2 nothing to
 * compare with. */
int verify_run(const struct options *o, int argc, char **argv);

#endif
