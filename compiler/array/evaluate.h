/* array/evaluate.h - carrying out a program straight from the definition of AIR
 *
 * The oracle: serial, point by point, no ghost storage, as slow and plain as it can
 * be. Everything a compiled program prints, saves and returns must be what comes out
 * here. Complaints go to standard error.
 */
#ifndef ARRAY_EVALUATE_H
#define ARRAY_EVALUATE_H

#include "array/air.h"

/* argv: the options of the program, --name=value, without its name. What the program
 * prints goes to out. Gives its exit status. */
int air_evaluate(const struct air_program *p, int argc, char **argv, FILE *out);

#endif
