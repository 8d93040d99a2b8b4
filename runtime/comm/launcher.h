/* comm/launcher.h - who started this process, from the environment alone
 *
 * Known before any MPI library is opened: it decides which one is. */
#ifndef MPA_COMM_LAUNCHER_H
#define MPA_COMM_LAUNCHER_H

#include <stdint.h>

enum launcher_mpi { LAUNCHER_SERIAL, LAUNCHER_MPICH, LAUNCHER_OPENMPI, LAUNCHER_UNKNOWN };

struct launcher {
	const char *name; /* for messages; NULL: nothing started this process */
	enum launcher_mpi
		mpi;   /* UNKNOWN: started ranks, but does not say for which MPI */
	int64_t ranks; /* announced; 0: not said */
	int64_t rank;
	int64_t local_rank, local_ranks; /* on this node; -1 and 0: not said */
};

struct launcher launcher_find(void);

#endif
