/* comm/launcher.c - the marks that launchers leave in the environment
 *
 * Open MPI's and Hydra's variables come first: an mpiexec inside a batch job
 * inherits the scheduler's as well. */
#include "comm/launcher.h"

#include "base/settings.h"

static int64_t number(const char *name, int64_t otherwise)
{
	setting_int(name, &otherwise);
	return otherwise;
}

static struct launcher open_mpi(void)
{
	return (struct launcher){ .name = "Open MPI's mpiexec",
				  .mpi = LAUNCHER_OPENMPI,
				  .ranks = number("OMPI_COMM_WORLD_SIZE", 0),
				  .rank = number("OMPI_COMM_WORLD_RANK", 0),
				  .local_rank = number("OMPI_COMM_WORLD_LOCAL_RANK", -1),
				  .local_ranks =
					  number("OMPI_COMM_WORLD_LOCAL_SIZE", 0) };
}

static struct launcher hydra(void)
{
	return (struct launcher){ .name = "MPICH's mpiexec",
				  .mpi = LAUNCHER_MPICH,
				  .ranks = number("PMI_SIZE", 0),
				  .rank = number("PMI_RANK", 0),
				  .local_rank = number("MPI_LOCALRANKID", -1),
				  .local_ranks = number("MPI_LOCALNRANKS", 0) };
}

static struct launcher slurm(void)
{
	struct launcher l = { .name = "srun",
			      .mpi = LAUNCHER_UNKNOWN,
			      .ranks = number("SLURM_STEP_NUM_TASKS", 0),
			      .rank = number("SLURM_PROCID", 0),
			      .local_rank = number("SLURM_LOCALID", -1) };

	if (setting_text("PMIX_RANK"))
		l.mpi = LAUNCHER_OPENMPI;
	else if (setting_text("PMI_RANK") || setting_text("PMI_FD"))
		l.mpi = LAUNCHER_MPICH;
	return l;
}

struct launcher launcher_find(void)
{
	if (setting_text("OMPI_COMM_WORLD_SIZE"))
		return open_mpi();
	if (setting_text("PMI_SIZE") &&
	    (setting_text("PMI_FD") || setting_text("PMI_PORT")))
		return hydra();
	if (setting_text("SLURM_STEP_NUM_TASKS") && setting_text("SLURM_PROCID"))
		return slurm();
	if (setting_text("PALS_RANKID"))
		return (struct launcher){ .name = "PALS",
					  .mpi = LAUNCHER_MPICH,
					  .ranks = number("PALS_SIZE", 0),
					  .rank = number("PALS_RANKID", 0),
					  .local_rank = number("PALS_LOCAL_RANKID", -1) };
	if (setting_text("FLUX_JOB_SIZE"))
		return (struct launcher){ .name = "flux",
					  .mpi = LAUNCHER_MPICH,
					  .ranks = number("FLUX_JOB_SIZE", 0),
					  .rank = number("FLUX_TASK_RANK", 0),
					  .local_rank =
						  number("FLUX_TASK_LOCAL_ID", -1) };
	if (setting_text("PMIX_RANK"))
		return (struct launcher){ .name = "a PMIx launcher",
					  .mpi = LAUNCHER_OPENMPI,
					  .rank = number("PMIX_RANK", 0),
					  .local_rank = -1 };
	if (setting_text("PMI_SIZE"))
		return hydra();
	return (struct launcher){ .mpi = LAUNCHER_SERIAL, .local_rank = -1 };
}
