/* exec/host.c - sessions that outlive a program; see mpa/host.h */
#include "comm/comm.h"
#include "mpa/host.h"

int mpa_announced_rank(void)
{
	return comm_announced_rank();
}
