/* device/cuda/cache.c - code that was compiled before, in files */
#include "device/cuda/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/settings.h"

static const char MAGIC[8] = "mpacode1";
enum {
	HASH = 32,           /* digits of an entry's name */
	OLD = 3600,          /* seconds: what is made has been made, or never will be */
	WAIT = 30,           /* seconds, of MPA_CACHE_WAIT */
	SIZE = 256,          /* MiB, of MPA_CACHE_SIZE */
	PAUSE = 10 * 1000000 /* nanoseconds between two looks at a lock */
};

struct header {
	char magic[8];
	uint64_t bytes[2], check;
};

/* FNV-1a (Fowler, Noll, Vo), with a start of one's own. */
static uint64_t hash(uint64_t h, const char *data, size_t n)
{
	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)data[i]) * 0x100000001b3u;
	return h;
}

/* ---- the folder ------------------------------------------------------------------ */

static void make_folders(char *path)
{
	for (char *p = path + 1; *p; p++)
		if (*p == '/') {
			*p = '\0';
			mkdir(path, 0777);
			*p = '/';
		}
	mkdir(path, 0777);
}

static bool folder(char *path, size_t size)
{
	const char *own = setting_text("MPA_CACHE"),
		   *base = setting_text("XDG_CACHE_HOME");
	const char *home = setting_text("HOME");
	int n;

	if (own && !strcmp(own, "off"))
		return false;
	if (own)
		n = snprintf(path, size, "%s", own);
	else if (base)
		n = snprintf(path, size, "%s/mpa", base);
	else if (home)
		n = snprintf(path, size, "%s/.cache/mpa", home);
	else
		return false;
	if (n <= 0 || (size_t)n >= size)
		return false;
	make_folders(path);
	return true;
}

/* ---- keeping it small ------------------------------------------------------------ */

enum kind { OTHERS, ENTRY, PART };

/* Of a file: an entry, what belongs to one that is being made, or not the cache's. */
static enum kind kind_of(const char *name)
{
	size_t n = strspn(name, "0123456789abcdef");

	if (n != HASH)
		return OTHERS;
	if (name[n] == '\0')
		return ENTRY;
	return !strcmp(name + n, ".lock") || !strncmp(name + n, ".new.", 5) ? PART
									    : OTHERS;
}

struct census {
	int64_t bytes;
	char oldest[HASH + 1]; /* the entry that was not used for longest */
	struct timespec used;
};

static bool is_before(struct timespec a, struct timespec b)
{
	return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

/* Removes what a crash has left, too. */
static void take_census(DIR *folder, struct census *c)
{
	int at = dirfd(folder);
	struct dirent *file;
	struct stat s;

	memset(c, 0, sizeof *c);
	rewinddir(folder);
	while ((file = readdir(folder))) {
		enum kind kind = kind_of(file->d_name);

		if (kind == OTHERS || fstatat(at, file->d_name, &s, AT_SYMLINK_NOFOLLOW))
			continue;
		if (kind == PART && s.st_mtim.tv_sec < time(NULL) - OLD)
			unlinkat(at, file->d_name, 0);
		if (kind == PART)
			continue;
		c->bytes += s.st_size;
		if (!*c->oldest || is_before(s.st_mtim, c->used)) {
			strcpy(c->oldest, file->d_name);
			c->used = s.st_mtim;
		}
	}
}

static void make_room(const char *path)
{
	int64_t most = SIZE;
	struct census c;
	DIR *folder = opendir(path);

	setting_int("MPA_CACHE_SIZE", &most);
	if (!folder)
		return;
	take_census(folder, &c);
	while (c.bytes >> 20 >= most && *c.oldest &&
	       unlinkat(dirfd(folder), c.oldest, 0) == 0)
		take_census(folder, &c);
	closedir(folder);
}

/* ---- entries ----------------------------------------------------------------------- */

/* The kernel gives a lock up with the process that holds it, but one that was stopped
 * keeps it. Meanwhile the entry may come to be there. */
static void wait_for_lock(struct cache_entry *e)
{
	int64_t most = WAIT;
	double start = clock_now();

	setting_int("MPA_CACHE_WAIT", &most);
	while (flock(e->lock, LOCK_EX | LOCK_NB)) {
		if ((errno != EWOULDBLOCK && errno != EINTR) ||
		    clock_now() - start >= (double)most || access(e->path, R_OK) == 0) {
			close(e->lock);
			e->lock = -1;
			return;
		}
		nanosleep(&(struct timespec){ 0, PAUSE }, NULL);
	}
}

void cache_open(struct cache_entry *e, const char *const *key, int n)
{
	uint64_t a = 0xcbf29ce484222325u, b = 0x84222325cbf29ce4u;
	char path[900], lock[1060];

	*e = (struct cache_entry){ .lock = -1 };
	if (!folder(path, sizeof path))
		return;
	for (int i = 0; i < n; i++) {
		a = hash(a, key[i], strlen(key[i]) + 1);
		b = hash(b, key[i], strlen(key[i]) + 1);
	}
	snprintf(e->path, sizeof e->path, "%s/%016llx%016llx", path,
		 (unsigned long long)a, (unsigned long long)b);
	if (access(e->path, R_OK) == 0)
		return;
	snprintf(lock, sizeof lock, "%s.lock", e->path);
	e->lock = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (e->lock >= 0)
		wait_for_lock(e);
}

static uint64_t check_of(const char *const part[2], const size_t bytes[2])
{
	return hash(hash(1, part[0], bytes[0]), part[1], bytes[1]);
}

static char *read_part(FILE *in, size_t bytes)
{
	char *data = mem_new(bytes + 1);

	if (data && fread(data, 1, bytes, in) == bytes)
		return data;
	mem_free(data);
	return NULL;
}

bool cache_read(const struct cache_entry *e, char *part[2], size_t bytes[2])
{
	FILE *in = *e->path ? fopen(e->path, "rb") : NULL;
	struct header h;
	struct stat s;
	bool fine = false;

	part[0] = part[1] = NULL;
	if (!in)
		return false;
	if (fread(&h, sizeof h, 1, in) == 1 && !memcmp(h.magic, MAGIC, sizeof MAGIC) &&
	    fstat(fileno(in), &s) == 0 && h.bytes[0] <= (uint64_t)s.st_size &&
	    h.bytes[1] <= (uint64_t)s.st_size) {
		for (int i = 0; i < 2; i++) {
			bytes[i] = (size_t)h.bytes[i];
			part[i] = read_part(in, bytes[i]);
		}
		fine = part[0] && part[1] &&
		       check_of((const char *const *)part, bytes) == h.check;
	}
	if (fine)
		futimens(fileno(in), NULL); /* it is used now */
	fclose(in);
	if (fine)
		return true;
	mem_free(part[0]);
	mem_free(part[1]);
	part[0] = part[1] = NULL;
	return false;
}

void cache_write(const struct cache_entry *e, const char *const part[2],
		 const size_t bytes[2])
{
	struct header h = { .bytes = { bytes[0], bytes[1] },
			    .check = check_of(part, bytes) };
	char path[1200], host[65] = "";
	FILE *out;
	bool fine;

	if (!*e->path)
		return;
	gethostname(host, sizeof host - 1); /* homes are shared by several */
	snprintf(path, sizeof path, "%s.new.%s.%ld", e->path, host, (long)getpid());
	out = fopen(path, "wb");
	if (!out)
		return;
	memcpy(h.magic, MAGIC, sizeof MAGIC);
	fine = fwrite(&h, sizeof h, 1, out) == 1 &&
	       fwrite(part[0], 1, bytes[0], out) == bytes[0] &&
	       fwrite(part[1], 1, bytes[1], out) == bytes[1];
	if (fclose(out) || !fine || rename(path, e->path))
		unlink(path);
	snprintf(path, sizeof path, "%s", e->path);
	*strrchr(path, '/') = '\0';
	make_room(path);
}

void cache_close(struct cache_entry *e)
{
	char lock[1060];

	if (e->lock < 0)
		return;
	snprintf(lock, sizeof lock, "%s.lock", e->path);
	unlink(lock);
	close(e->lock);
	e->lock = -1;
}
