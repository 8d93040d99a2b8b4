/* driver/pipeline.h - from the command line to the file it asks for */
#ifndef DRIVER_PIPELINE_H
#define DRIVER_PIPELINE_H

struct options;

/* The exit status of mpac: 0 fine, 1 the program or the machine is at fault, 2 the
 * command line; with --evaluate that of the program. */
int pipeline_run(struct options *o);

#endif
