/* tests/unit/comm_suite.h - what every communicator must do
 *
 * Called on every rank with the same communicator; NULL, or what went wrong. */
#ifndef TESTS_UNIT_COMM_SUITE_H
#define TESTS_UNIT_COMM_SUITE_H

#include "comm/comm.h"

const char *comm_suite_run(struct comm *comm);

#endif
