/* array/newfile.c - a file that appears under its name only when it is complete */
#include "array/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Rank 0: follows a symbolic link, so that the file it leads to is replaced, and
 * refuses what is no file, such as /dev/null. */
static enum mpa_status names_choose(struct newfile *f)
{
	const struct file_job *job = f->job;
	struct stat info;
	char *slash;
	int folder;

	if (strlen(job->path) >= sizeof f->final)
		return file_fault(job, ENAMETOOLONG, "create");
	strcpy(f->final, job->path);
	if (stat(job->path, &info) == 0) {
		if (S_ISDIR(info.st_mode))
			return file_fault(job, EISDIR, "write");
		if (!S_ISREG(info.st_mode))
			return fault_set(job->comm->fault, MPA_FILE,
					 "cannot write \"%s\": it is not a regular file",
					 job->path);
		if (lstat(job->path, &info) == 0 && S_ISLNK(info.st_mode) &&
		    !realpath(job->path, f->final))
			return file_fault(job, errno, "write");
	}
	slash = strrchr(f->final, '/');
	folder = slash ? (int)(slash + 1 - f->final) : 0;
	snprintf(f->part, sizeof f->part, "%.*s.%s.%ld.tmp", folder, f->final,
		 f->final + folder, (long)getpid());
	return MPA_OK;
}

/* Gives the file its length, so that a full disk is seen early where the file
 * system can tell. */
bool file_reserve(int file, int64_t bytes)
{
	if (fallocate(file, 0, 0, bytes) == 0)
		return true;
	if (errno == ENOSPC || errno == EFBIG)
		return false;
	return ftruncate(file, bytes) == 0;
}

enum mpa_status newfile_create(const struct newfile *f, const void *head, int64_t length,
			       int64_t bytes)
{
	int file, error = 0;

	unlink(f->part);
	file = open(f->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (file < 0)
		return file_fault(f->job, errno, "create");
	if (!file_reserve(file, bytes) || !file_write(file, head, length, 0))
		error = errno ? errno : EIO;
	if (close(file) != 0 && !error)
		error = errno;
	return error ? file_fault(f->job, error, "write") : MPA_OK;
}

enum mpa_status newfile_begin(struct newfile *f, const struct file_job *job)
{
	struct comm *comm = job->comm;
	enum mpa_status st = MPA_OK;

	memset(f, 0, sizeof *f);
	f->job = job;
	if (comm->rank == 0)
		st = names_choose(f);
	st = comm_agree(comm, st);
	return st == MPA_OK ? comm_bcast(comm, 0, f->part, sizeof f->part) : st;
}

enum mpa_status newfile_end(const struct newfile *f, enum mpa_status mine)
{
	struct comm *comm = f->job->comm;
	enum mpa_status st = comm_agree(comm, mine);

	if (comm->rank == 0 && st == MPA_OK && rename(f->part, f->final) != 0)
		st = file_fault(f->job, errno, "create");
	if (comm->rank == 0 && st != MPA_OK)
		unlink(f->part);
	return comm_agree(comm, st);
}
