/* tests/unit/world.h - many ranks in one process, a thread each
 *
 * A communicator for tests: messages are queued in memory, everything above
 * (batches, collectives, halos, files) is the real thing. */
#ifndef TESTS_UNIT_WORLD_H
#define TESTS_UNIT_WORLD_H

#include "comm/comm.h"

typedef void world_main_fn(struct comm *comm, void *arg);

/* Runs fn(comm, arg) on `ranks` ranks and waits for all; true when no message was
 * left over. Each rank has a fault of its own. */
bool world_run(int ranks, world_main_fn *fn, void *arg);

#endif
