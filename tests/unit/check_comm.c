/* tests/unit/check_comm.c - communicators: serial, and many ranks in one process;
 * the same suite runs under each MPI in tests/unit/comm_ranks.sh */
#include <stdio.h>

#include "comm/comm.h"
#include "comm/launcher.h"
#include "comm_suite.h"
#include "unit.h"
#include "world.h"

/* The environment of no launcher, whatever starts the tests. */
static void clean(void)
{
	static const char *const names[] = {
		"OMPI_COMM_WORLD_SIZE",
		"PMI_SIZE",
		"PMI_FD",
		"PMI_PORT",
		"PMI_RANK",
		"SLURM_PROCID",
		"FLUX_JOB_SIZE",
		"PALS_RANKID",
		"SLURM_STEP_NUM_TASKS",
		"PMIX_RANK",
		"MPA_MPI",
		"MPA_PLUGIN_DIR",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unsetenv(names[i]);
}

static struct comm *serial(struct fault *fault)
{
	struct comm_options options = { .fault = fault };
	struct comm *comm;

	clean();
	*fault = (struct fault){ 0 };
	ck_assert_int_eq(comm_open(&options, &comm), MPA_OK);
	return comm;
}

START_TEST(serial_is_a_full_communicator)
{
	struct fault fault;
	struct comm *comm = serial(&fault);
	const char *bad = comm_suite_run(comm);

	ck_assert_str_eq(comm_name(comm), "serial");
	ck_assert_int_eq(comm->size, 1);
	ck_assert_msg(!bad, "%s", bad);
	comm_close(comm);
}
END_TEST

START_TEST(a_message_nobody_sends_is_reported)
{
	struct fault fault;
	struct comm *comm = serial(&fault);
	struct comm_batch *batch = comm_batch_new(comm);
	int64_t v;

	ck_assert_int_eq(comm_recv(batch, 0, COMM_TAG_USER, &v, 8), MPA_OK);
	ck_assert_int_eq(comm_wait(batch), MPA_COMM);
	ck_assert_int_eq(comm_send(batch, 1, COMM_TAG_USER, &v, 8), MPA_COMM);
	comm_batch_free(batch);
	comm_close(comm);
}
END_TEST

static void world_main(struct comm *comm, void *arg)
{
	const char *bad = comm_suite_run(comm);

	if (bad && comm->rank == 0)
		*(const char **)arg = bad;
}

START_TEST(any_number_of_ranks)
{
	const char *bad = NULL;

	ck_assert(world_run(_i, world_main, &bad));
	ck_assert_msg(!bad, "%d ranks: %s", _i, bad);
}
END_TEST

START_TEST(launchers_are_recognised)
{
	clean();
	ck_assert_ptr_null(launcher_find().name);
	setenv("SLURM_STEP_NUM_TASKS", "6", 1);
	setenv("SLURM_PROCID", "2", 1);
	ck_assert_int_eq(launcher_find().mpi, LAUNCHER_UNKNOWN);
	ck_assert_int_eq(launcher_find().ranks, 6);
	ck_assert_int_eq(launcher_find().rank, 2);
	setenv("PMI_RANK", "2", 1);
	ck_assert_int_eq(launcher_find().mpi, LAUNCHER_MPICH);
	setenv("PMI_SIZE", "4", 1);
	setenv("PMI_FD", "9", 1);
	ck_assert_int_eq(launcher_find().mpi, LAUNCHER_MPICH);
	ck_assert_int_eq(launcher_find().ranks, 4);
	setenv("OMPI_COMM_WORLD_SIZE", "3", 1);
	ck_assert_int_eq(launcher_find().mpi, LAUNCHER_OPENMPI);
	ck_assert_int_eq(launcher_find().ranks, 3);
}
END_TEST

static void expect_refusal(const char *text)
{
	struct fault fault = { 0 };
	struct comm_options options = { .fault = &fault, .plugin_dir = "/nonexistent" };
	struct comm *comm;

	ck_assert_int_ne(comm_open(&options, &comm), MPA_OK);
	ck_assert_ptr_null(comm);
	ck_assert_msg(strstr(fault.text, text) != NULL, "%s", fault.text);
}

START_TEST(never_copies_of_a_serial_run)
{
	clean();
	setenv("PMI_SIZE", "4", 1);
	setenv("PMI_FD", "9", 1);
	setenv("MPA_MPI", "none", 1);
	expect_refusal("MPICH's mpiexec started 4 ranks but MPA_MPI=none");
	setenv("MPA_MPI", "lam", 1);
	expect_refusal("it must be mpich, openmpi or none");
	unsetenv("MPA_MPI");
	setenv("MPA_PLUGIN_DIR", "/nonexistent", 1);
	expect_refusal(
		"MPICH's mpiexec asks for mpa_mpich.so, which is not in /nonexistent");
	clean();
	setenv("SLURM_STEP_NUM_TASKS", "6", 1);
	setenv("SLURM_PROCID", "0", 1);
	expect_refusal("srun started 6 ranks but does not say for which MPI");
}
END_TEST

static Suite *comm_suite(void)
{
	Suite *s = suite_create("comm");
	TCase *t = tcase_create("conformance");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, serial_is_a_full_communicator);
	tcase_add_test(t, a_message_nobody_sends_is_reported);
	tcase_add_loop_test(t, any_number_of_ranks, 1, 18);
	tcase_add_test(t, launchers_are_recognised);
	tcase_add_test(t, never_copies_of_a_serial_run);
	suite_add_tcase(s, t);
	return s;
}

UNIT_MAIN(comm_suite)
