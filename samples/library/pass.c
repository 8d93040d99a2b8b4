/* pass.c - memory of one GPU goes to another: rank 0 has ten numbers, ten apart, on its
 * device, and sends them to rank 1, which has zeros on its own
 *
 *     mpac --emit=shared row.mpa -o librow.so
 *     cc pass.c -o pass -L. -lrow -Wl,-rpath,.
 *     mpiexec -n 2 ./pass --backend=cuda
 *
 * The memory is a field's; that of another library is sent and received in the same way.
 * (With -I for the folder of mpa/mpa.h where that is not found.) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "row.h"

enum { N = 10, TAG_WHERE, TAG_NUMBERS };

static struct mpa *row;

static void must(int answer)
{
	if (answer == MPA_FINE)
		return;
	if (answer != MPA_EXITED && (!row || mpa_my_rank(row) == 0))
		fprintf(stderr, "%s\n", row ? mpa_error(row) : "out of memory");
	mpa_close(row);
	exit(answer == MPA_EXITED ? 0 : 1);
}

static void want(int fine, const char *message)
{
	if (fine)
		return;
	if (mpa_my_rank(row) == 0)
		fprintf(stderr, "pass: error: %s\n", message);
	mpa_close(row);
	exit(1);
}

/* Node and number of a device, as a text. */
struct place { char text[128]; };

static struct place place_of(int device)
{
	struct place p = { "" };
	char node[100] = "";

	gethostname(node, sizeof node - 1);
	snprintf(p.text, sizeof p.text, "device %d of %s", device, node);
	return p;
}

/* Each rank tells the other where its device is; these are messages of the host's memory. */
static struct place swap_places(const struct place *mine, int me)
{
	struct place its;

	if (me == 0)
		must(mpa_send(row, mine, sizeof *mine, MPA_U8, 1, TAG_WHERE));
	must(mpa_recv(row, &its, sizeof its, MPA_U8, 1 - me, TAG_WHERE));
	if (me == 1)
		must(mpa_send(row, mine, sizeof *mine, MPA_U8, 0, TAG_WHERE));
	return its;
}

static void show(struct mpa_field *a, const char *when)
{
	const int64_t stride = 1;
	double number[N];
	char line[256]; /* in one piece, so that lines of two ranks stay apart */
	int n;

	must(mpa_field_copy_to(a, number, &stride));
	n = sprintf(line, "rank %d %s:", mpa_my_rank(row), when);
	for (int i = 0; i < N; i++)
		n += sprintf(line + n, " %g", number[i]);
	sprintf(line + n, "\n");
	fputs(line, stdout);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct mpa_start start = { argc, (const char *const *)argv, NULL, 0, 0 };
	struct mpa_field *a;
	struct place mine, its;
	int64_t stride;
	void *data;
	int me;

	must(row_open(&row, &start));
	must(mpa_execute(row));
	me = mpa_my_rank(row);
	want(mpa_count_ranks(row) == 2, "this is for two ranks: mpiexec -n 2 ./pass --backend=cuda");
	want(mpa_device(row) >= 0, "this is for GPUs: give --backend=cuda");
	mine = place_of(mpa_device(row));
	its = swap_places(&mine, me);
	want(strcmp(mine.text, its.text) != 0,
	     "this is for two GPUs, and both ranks have the same one");

	a = mpa_find_field(row, "a");
	show(a, "before");
	must(mpa_field_device_block(a, &data, &stride));
	if (me == 0)
		must(mpa_send(row, data, N, MPA_F64, 1, TAG_NUMBERS));
	else
		must(mpa_recv(row, data, N, MPA_F64, 0, TAG_NUMBERS));
	must(mpa_field_changed(a));
	show(a, "after");
	must(mpa_close(row));
	return 0;
}
