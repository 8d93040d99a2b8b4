/* bench/empty.c - starts and stops MPI: what an empty program on many ranks must cost */
#include <mpi.h>

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Finalize();
	return 0;
}
