/* tests/capi/guest.c - programs in a process that runs MPI itself
 *
 * guest HOW: the ranks are divided into an even and an odd half, by a communicator given
 * as C has it (c), as Fortran has it (fortran), or not at all (world: all ranks share it).
 * Two programs are open at the same time, and one after the other; MPI is still there
 * after them, and its messages are not taken for theirs. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plate.h"
#include "wave.h"

static void must(struct mpa *p, int answer)
{
	if (answer == MPA_FINE)
		return;
	fprintf(stderr, "%s\n", p ? mpa_error(p) : "no program");
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static void need(int truth, const char *what)
{
	if (truth)
		return;
	fprintf(stderr, "wrong: %s\n", what);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static void try_both(const struct mpa_start *start, MPI_Comm comm)
{
	struct mpa *plate, *wave;
	struct mpa_field *u, *source;
	double all[64], change, total, energy[2];
	int rank, size, other = -1;
	MPI_Request request;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	/* a message under way meanwhile */
	MPI_Irecv(&other, 1, MPI_INT, (rank + 1) % size, 1, comm, &request);
	must(NULL, plate_open(&plate, start));
	must(NULL, wave_open(&wave, start));
	need(mpa_my_rank(plate) == rank && mpa_count_ranks(plate) == size, "ranks");
	must(plate, mpa_execute(plate));
	must(wave, mpa_execute(wave));
	u = mpa_find_field(plate, "u");
	source = mpa_find_field(plate, "source");
	for (int i = 0; i < 64; i++)
		all[i] = i;
	must(plate, mpa_scatter(source, size - 1, rank == size - 1 ? all : NULL));
	must(plate, plate_advance(plate, u, source, 1, &change));
	need(change == 63, "change");
	must(plate, plate_total(plate, u, &total));
	need(total == 31.5, "total");
	must(wave, wave_energy(wave, &energy[0]));
	for (int t = 0; t < 10; t++)
		must(wave, wave_step(wave, mpa_find_field(wave, "p"),
				     mpa_find_field(wave, "q")));
	must(wave, wave_energy(wave, &energy[1]));
	need(energy[0] > 0 && energy[1] > 0 && energy[1] < 2 * energy[0], "energy");
	memset(all, 0, sizeof all);
	must(plate, mpa_gather(u, MPA_EVERY_RANK, all));
	for (int i = 0; i < 64; i++)
		need(all[i] == i, "gathered");
	need(plate_advance(plate, u, mpa_find_field(wave, "p"), 1, &change) == MPA_WRONG,
	     "a field of another program");
	need(strstr(mpa_error(plate), "another program") != NULL, "its message");
	must(plate, mpa_close(plate));
	must(wave, wave_energy(wave, &energy[0]));
	must(wave, mpa_close(wave));
	MPI_Send(&rank, 1, MPI_INT, (rank + size - 1) % size, 1, comm);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	need(other == (rank + 1) % size, "the message under way");
}

int main(int argc, char **argv)
{
	static const char *const words[] = { "guest", "--n=8", "--quiet" };
	struct mpa_start start = { .argc = 3, .argv = words };
	MPI_Comm half;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	if (strcmp(argv[1], "world") == 0) {
		half = MPI_COMM_WORLD;
	} else if (strcmp(argv[1], "c") == 0) {
		start.comm = &half;
	} else {
		start.has_fortran_comm = 1;
		start.fortran_comm = (int)MPI_Comm_c2f(half);
	}
	try_both(&start, half);
	try_both(&start, half);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	if (rank == 0)
		puts("fine");
	return 0;
}
