/* bench/heat.c - the heat step of heat.mpa as one writes it by hand
 *
 *	heat N STEPS        prints the sum of the squares
 *
 * With -fopenmp on threads, with -DRANKS under MPI in blocks of rows. Walls copy
 * the nearest point.
 */
#include <stdio.h>
#include <stdlib.h>

#ifdef RANKS
#include <mpi.h>
#else
enum { MPI_PROC_NULL = -1 };
#endif

struct block {
	long n;         /* points per row */
	long rows;      /* of this rank */
	long first;     /* the first of them */
	int up, down;   /* neighbours, or MPI_PROC_NULL */
};

static double *block_alloc(const struct block *b)
{
	double *u = malloc((size_t)(b->rows + 2) * (size_t)(b->n + 2) * sizeof *u);

	if (!u) {
		fprintf(stderr, "heat: out of memory\n");
		exit(1);
	}
	return u;
}

static void block_start(const struct block *b, double *u)
{
	long pitch = b->n + 2;

#pragma omp parallel for
	for (long i = 0; i < b->rows + 2; i++)
		for (long j = 0; j < pitch; j++)
			u[i * pitch + j] = (double)(((b->first + i - 1) * 7 + (j - 1) * 13) % 101);
}

static void block_exchange(const struct block *b, double *u)
{
#ifdef RANKS
	long pitch = b->n + 2, last = b->rows * pitch;
	int n = (int)b->n;

	MPI_Sendrecv(u + pitch + 1, n, MPI_DOUBLE, b->up, 1, u + last + pitch + 1, n, MPI_DOUBLE,
		     b->down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(u + last + 1, n, MPI_DOUBLE, b->down, 2, u + 1, n, MPI_DOUBLE, b->up, 2,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
	(void)b;
	(void)u;
#endif
}

static void block_walls(const struct block *b, double *u)
{
	long pitch = b->n + 2, last = b->rows * pitch;

	for (long i = 1; i <= b->rows; i++) {
		u[i * pitch] = u[i * pitch + 1];
		u[i * pitch + b->n + 1] = u[i * pitch + b->n];
	}
	for (long j = 1; b->up == MPI_PROC_NULL && j <= b->n; j++)
		u[j] = u[pitch + j];
	for (long j = 1; b->down == MPI_PROC_NULL && j <= b->n; j++)
		u[last + pitch + j] = u[last + j];
}

static void block_step(const struct block *b, const double *restrict u, double *restrict v)
{
	long pitch = b->n + 2;

#pragma omp parallel for
	for (long i = 1; i <= b->rows; i++) {
		for (long j = 1; j <= b->n; j++) {
			long k = i * pitch + j;

			v[k] = u[k] + 0.2 * (u[k - pitch] + u[k + pitch] + u[k - 1] + u[k + 1] -
					     4 * u[k]);
		}
	}
}

static double block_sum(const struct block *b, const double *u)
{
	double sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (long i = 1; i <= b->rows; i++) {
		const double *row = u + i * (b->n + 2);

		for (long j = 1; j <= b->n; j++)
			sum += row[j] * row[j];
	}
	return sum;
}

static struct block block_of(int rank, int size, long n)
{
	long each = n / size, extra = n % size;

	return (struct block){ .n = n,
			       .rows = each + (rank < extra),
			       .first = rank * each + (rank < extra ? rank : extra),
			       .up = rank > 0 ? rank - 1 : MPI_PROC_NULL,
			       .down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL };
}

int main(int argc, char **argv)
{
	int rank = 0, size = 1;
	double sum;

#ifdef RANKS
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
#endif
	if (argc != 3)
		return 2;
	struct block b = block_of(rank, size, atol(argv[1]));
	double *u = block_alloc(&b), *v = block_alloc(&b);

	block_start(&b, u);
	block_start(&b, v);
	for (long t = 0, steps = atol(argv[2]); t < steps; t++) {
		double *other = u;

		block_exchange(&b, u);
		block_walls(&b, u);
		block_step(&b, u, v);
		u = v;
		v = other;
	}
	sum = block_sum(&b, u);
#ifdef RANKS
	double total = 0;
	MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	sum = total;
	MPI_Finalize();
#endif
	if (rank == 0)
		printf("%.6e\n", sum);
	free(u);
	free(v);
	return 0;
}
