/* drive.c - steps of plate.mpa from C
 *
 *     mpac --emit=shared plate.mpa -o libplate.so
 *     cc drive.c -o drive -L. -lplate -Wl,-rpath,.
 *     ./drive --n=128            or: mpiexec -n 4 ./drive --n=128
 *
 * (with -I for the folder of mpa/mpa.h where that is not found) */
#include <stdio.h>
#include <stdlib.h>

#include "plate.h"

static struct mpa *plate;

/* Every call gives an answer; all but MPA_FINE have a message. */
static void must(int answer)
{
	if (answer == MPA_FINE)
		return;
	if (answer != MPA_EXITED && (!plate || mpa_my_rank(plate) == 0))
		fprintf(stderr, "%s\n", plate ? mpa_error(plate) : "out of memory");
	mpa_close(plate);
	exit(answer == MPA_EXITED ? 0 : 1);
}

/* A disk that is heated: each rank writes its own block, where it stands. */
static void heat_disk(struct mpa_field *source)
{
	int64_t shape[2], lo[2], hi[2], stride[2];
	void *block;

	must(mpa_field_shape(source, shape));
	must(mpa_field_bounds(source, lo, hi));
	must(mpa_field_block(source, &block, stride));
	for (int64_t i = lo[0]; i < hi[0]; i++)
		for (int64_t j = lo[1]; j < hi[1]; j++) {
			double x = (i + 0.5) / shape[0] - 0.3, y = (j + 0.5) / shape[1] - 0.6;
			double *at = (double *)block + (i - lo[0]) * stride[0] +
				     (j - lo[1]) * stride[1];

			*at = x * x + y * y < 0.01 ? 1 : 0;
		}
	must(mpa_field_changed(source));
}

int main(int argc, char **argv)
{
	struct mpa_start start = { argc, (const char *const *)argv, NULL, 0, 0 };
	struct mpa_field *u, *source;
	double change, heat, given, dt, *all;
	int64_t shape[2];

	must(plate_open(&plate, &start));
	must(mpa_execute(plate));
	u = mpa_find_field(plate, "u");
	source = mpa_find_field(plate, "source");
	must(mpa_field_shape(u, shape));
	heat_disk(source);

	dt = 0.2 / (double)(shape[0] * shape[0]);
	for (int t = 0; t < 100; t++)
		must(plate_advance(plate, u, source, dt, &change));
	must(plate_total(plate, u, &heat));
	must(plate_total(plate, source, &given));

	/* the whole field, on rank 0 */
	all = mpa_my_rank(plate) == 0 ? malloc((size_t)(shape[0] * shape[1]) * sizeof *all) : NULL;
	must(mpa_gather(u, 0, all));
	if (all) {
		double most = 0;

		for (int64_t i = 0; i < shape[0] * shape[1]; i++)
			most = all[i] > most ? all[i] : most;
		printf("heat %.9f of %.9f, peak %.9f, last change %.3e\n", heat,
		       given * dt * 100, most, change);
		free(all);
	}
	must(mpa_close(plate));
	return 0;
}
