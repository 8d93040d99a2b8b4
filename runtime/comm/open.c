/* comm/open.c - one process, or the MPI of whoever started this one
 *
 * A program links no MPI. Ranks that were announced but not found are an error:
 * the wrong library makes every process believe that it is alone. */
#include <dlfcn.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/settings.h"
#include "comm/launcher.h"
#include "comm/ops.h"

static const char *const plugin_file[] = {
	[LAUNCHER_MPICH] = "mpa_mpich.so", [LAUNCHER_OPENMPI] = "mpa_openmpi.so"
};
static const char *const mpi_name[] = {
	[LAUNCHER_MPICH] = "MPICH", [LAUNCHER_OPENMPI] = "Open MPI"
};

/* Which MPI to open; the user's word goes before the launcher's. */
static enum mpa_status choose_mpi(const struct launcher *by, struct fault *fault,
				  enum launcher_mpi *mpi)
{
	const char *word = setting_text("MPA_MPI");

	*mpi = by->mpi;
	if (!word) {
		if (by->ranks == 1)
			*mpi = LAUNCHER_SERIAL;
		else if (by->mpi == LAUNCHER_UNKNOWN)
			return fault_set(
				fault, MPA_COMM,
				"%s started %lld ranks but does not say for which "
				"MPI; set MPA_MPI=mpich or MPA_MPI=openmpi, or use "
				"srun --mpi=pmix or --mpi=pmi2",
				by->name, (long long)by->ranks);
		return MPA_OK;
	}
	if (strcmp(word, "mpich") == 0)
		*mpi = LAUNCHER_MPICH;
	else if (strcmp(word, "openmpi") == 0)
		*mpi = LAUNCHER_OPENMPI;
	else if (strcmp(word, "none") == 0)
		*mpi = LAUNCHER_SERIAL;
	else
		return fault_set(fault, MPA_ARGUMENT,
				 "MPA_MPI is \"%s\"; it must be mpich, openmpi or none",
				 word);
	if (*mpi == LAUNCHER_SERIAL && by->ranks > 1)
		return fault_set(
			fault, MPA_COMM,
			"%s started %lld ranks but MPA_MPI=none leaves them without "
			"MPI",
			by->name, (long long)by->ranks);
	return MPA_OK;
}

/* The folder of the running program; "" if unknown. */
static void program_folder(char *folder, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", folder, size - 1);
	char *slash;

	folder[n > 0 ? n : 0] = 0;
	slash = strrchr(folder, '/');
	if (slash)
		*slash = 0;
}

/* Opens `file` from the first folder that has it. */
static void *open_library(const char *file, const char *plugin_dir,
			  const struct launcher *by, struct fault *fault)
{
	char own[PATH_MAX], path[PATH_MAX + 64], searched[400] = "";
	const char *folder[3] = { setting_text("MPA_PLUGIN_DIR"), plugin_dir, own };
	const char *who = by->name ? by->name : "MPA_MPI";
	size_t used = 0;
	void *library;

	program_folder(own, sizeof own);
	for (int i = 0; i < 3; i++) {
		if (!folder[i] || !folder[i][0])
			continue;
		used += (size_t)snprintf(searched + used, sizeof searched - used, "%s%s",
					 used ? " or " : "", folder[i]);
		if (used >= sizeof searched)
			used = sizeof searched - 1;
		snprintf(path, sizeof path, "%s/%s", folder[i], file);
		if (access(path, F_OK) != 0)
			continue;
		library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
		if (!library)
			fault_set(fault, MPA_COMM,
				  "%s asks for %s, which cannot be opened: "
				  "%s",
				  who, file, dlerror());
		return library;
	}
	fault_set(fault, MPA_COMM,
		  "%s asks for %s, which is not in %s; install mpa with this MPI, or set "
		  "MPA_PLUGIN_DIR to the folder that holds it",
		  who, file, searched);
	return NULL;
}

/* Before MPI starts. On one node shared memory is the fastest way, and looking for
 * networks takes most of the start; waiting ranks have to give way where there are
 * more of them than cores. What the user has set stays. */
static void hint_libraries(enum launcher_mpi mpi, const struct launcher *by)
{
	bool one_node = by->ranks > 0 && by->ranks == by->local_ranks;

	if (mpi == LAUNCHER_MPICH && one_node)
		setting_hint("UCX_TLS", "posix,self");
	if (mpi == LAUNCHER_OPENMPI && one_node)
		setting_hint("OMPI_MCA_pml", "ob1");
	if (mpi == LAUNCHER_OPENMPI && by->local_ranks > setting_cores())
		setting_hint("OMPI_MCA_mpi_yield_when_idle", "1");
}

/* ---- guests: the process may run MPI already ------------------------------ */

/* Is the library loaded, and MPI started? */
static bool is_running(const char *file)
{
	void *library = dlopen(file, RTLD_LAZY | RTLD_NOLOAD), *found;
	int (*initialized)(int *flag) = NULL;
	int flag = 0;

	if (!library)
		return false;
	found = dlsym(library, "MPI_Initialized");
	memcpy(&initialized, &found, sizeof initialized);
	if (initialized)
		initialized(&flag);
	dlclose(library);
	return flag != 0;
}

static enum launcher_mpi running_mpi(void)
{
	static const struct {
		const char *file;
		enum launcher_mpi mpi;
	} known[] = {
		{ "libmpi.so.40", LAUNCHER_OPENMPI },
		{ "libmpich.so.12", LAUNCHER_MPICH },
		{ "libmpi.so.12", LAUNCHER_MPICH },
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (is_running(known[i].file))
			return known[i].mpi;
	return LAUNCHER_SERIAL;
}

static bool brings_comm(const struct comm_given *given)
{
	return given && (given->comm || given->has_fortran);
}

static enum mpa_status open_plugin(struct comm *comm, enum launcher_mpi mpi,
				   const struct launcher *by, const char *plugin_dir)
{
	const struct comm_plugin *plugin;
	enum mpa_status st;

	comm->plugin = open_library(plugin_file[mpi], plugin_dir, by, comm->fault);
	if (!comm->plugin)
		return MPA_COMM;
	plugin = dlsym(comm->plugin, "mpa_comm_plugin");
	if (!plugin || plugin->abi != COMM_ABI)
		return fault_set(comm->fault, MPA_COMM,
				 "%s is of another version of mpa than this program",
				 plugin_file[mpi]);
	hint_libraries(mpi, by);
	if (by->local_ranks > 0 && by->local_rank >= 0) {
		comm->local_rank = (int)by->local_rank;
		comm->local_size = (int)by->local_ranks;
	}
	st = plugin->open(comm);
	if (st == MPA_OK && by->ranks > 1 && comm->size != by->ranks)
		st = fault_set(comm->fault, MPA_COMM,
			       "%s started %lld ranks, but %s sees %d: the program was "
			       "started by the mpiexec of another MPI (see MPA_MPI)",
			       by->name, (long long)by->ranks, mpi_name[mpi], comm->size);
	return st;
}

static void or_bytes(void *into, const void *other, void *arg)
{
	(void)arg;
	for (size_t i = 0; i < sizeof(cpu_set_t); i++)
		((unsigned char *)into)[i] |= ((const unsigned char *)other)[i];
}

/* Ranks may be bound to cores of their own or share them all: what one may use
 * is its part of the cores that any of them has, and at most what it has. */
static enum mpa_status comm_count_cores(struct comm *comm)
{
	int mine = setting_cores(), all;
	enum mpa_status st;
	cpu_set_t set;

	CPU_ZERO(&set);
	sched_getaffinity(0, sizeof set, &set);
	st = comm_all_combine(comm, &set, sizeof set, or_bytes, NULL);
	all = CPU_COUNT(&set) > mine ? CPU_COUNT(&set) : mine;
	comm->crowded = comm->local_size > all;
	comm->cores = all / comm->local_size < mine ? all / comm->local_size : mine;
	if (comm->cores < 1)
		comm->cores = 1;
	return st;
}

static enum mpa_status comm_start(struct comm *comm, const struct comm_options *options)
{
	struct launcher by = launcher_find();
	enum launcher_mpi mpi = options->guest ? running_mpi() : LAUNCHER_SERIAL;
	enum mpa_status st = MPA_OK;

	comm->guest = options->guest;
	if (mpi != LAUNCHER_SERIAL) /* its ranks are what MPI says, whatever started them */
		by = (struct launcher){ .name = "this process", .mpi = mpi };
	else if (brings_comm(options->guest))
		return fault_set(comm->fault, MPA_ARGUMENT,
				 "a communicator is given, but MPI is not started");
	else
		st = choose_mpi(&by, comm->fault, &mpi);

	if (st != MPA_OK)
		return st;
	if (mpi == LAUNCHER_SERIAL)
		st = comm_serial_open(comm);
	else
		st = open_plugin(comm, mpi, &by, options->plugin_dir);
	if (st != MPA_OK)
		return st;
	comm->guest = NULL;
	comm->inner = comm_batch_new(comm);
	if (!comm->inner)
		return MPA_MEMORY;
	return comm_count_cores(comm);
}

/* A launcher may end all ranks when the first one fails. The one that prints the
 * message is rank 0, so the others let it go first. */
static void give_way(void)
{
	if (comm_announced_rank() != 0)
		sleep(1);
}

enum mpa_status comm_open(const struct comm_options *options, struct comm **out)
{
	struct comm *comm = mem_new(sizeof *comm);
	enum mpa_status st;

	*out = NULL;
	if (!comm)
		return fault_set(options->fault, MPA_MEMORY, "out of memory");
	comm->fault = options->fault;
	comm->crowded = true; /* until known: yield while the ranks start */
	st = comm_start(comm, options);
	if (st != MPA_OK) {
		if (comm->ops)
			comm->ops->close(comm);
		mem_free(comm);
		give_way();
		return st;
	}
	*out = comm;
	return MPA_OK;
}

/* The library stays open: MPI implementations do not survive being unloaded. */
void comm_close(struct comm *comm)
{
	if (!comm)
		return;
	comm_barrier(comm); /* which yields, while the one inside MPI may not */
	comm_batch_free(comm->inner);
	comm->ops->close(comm);
	mem_free(comm);
}

void comm_abort(struct comm *comm, int exit_status)
{
	comm->ops->abort(comm, exit_status);
}

const char *comm_name(const struct comm *comm)
{
	return comm->ops->name;
}

int comm_announced_rank(void)
{
	return (int)launcher_find().rank;
}
