/* tests/unit/comm_ranks.c - the communicator's suite on the ranks of an mpiexec
 *
 * comm_ranks PLUGIN_DIR RANKS NAME: rank 0 prints "good" if there are so many and
 * their MPI is NAME. With NAME "long" sends a message of more than 2^31 bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm_suite.h"

static const char *long_message(struct comm *comm)
{
	struct comm_batch *batch = comm_batch_new(comm);
	int64_t bytes = ((int64_t)1 << 31) + 4097;
	char *data = malloc((size_t)bytes);
	const char *bad = NULL;

	if (!data || !batch)
		return "no memory for a long message";
	memset(data, comm->rank == 0 ? 'x' : ' ', (size_t)bytes);
	if (comm->rank == 0)
		comm_send(batch, 1, COMM_TAG_USER, data, bytes);
	if (comm->rank == 1)
		comm_recv(batch, 0, COMM_TAG_USER, data, bytes);
	if (comm_wait(batch) != MPA_OK)
		bad = "a long message failed";
	else if (comm->rank < 2 && (data[0] != 'x' || data[bytes - 1] != 'x' ||
				    memcmp(data, data + 1, (size_t)bytes - 1)))
		bad = "a long message arrived damaged";
	free(data);
	comm_batch_free(batch);
	return bad;
}

int main(int argc, char **argv)
{
	struct fault fault = { 0 };
	struct comm_options options = { .fault = &fault, .plugin_dir = argv[argc > 1] };
	struct comm *comm;
	const char *bad;

	if (argc != 4)
		return 99;
	if (comm_open(&options, &comm) != MPA_OK) {
		if (comm_announced_rank() == 0)
			printf("%s\n", fault.text);
		return 1;
	}
	if (strcmp(argv[3], "long") == 0)
		bad = long_message(comm);
	else if (comm->size != atoi(argv[2]) || strcmp(comm_name(comm), argv[3]))
		bad = "wrong number of ranks or MPI";
	else
		bad = comm_suite_run(comm);
	if (bad)
		printf("rank %d: %s (%s)\n", comm->rank, bad, fault.text);
	else if (comm->rank == 0)
		printf("good\n");
	comm_close(comm);
	return bad != NULL;
}
