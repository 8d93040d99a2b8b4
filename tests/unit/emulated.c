/* tests/unit/emulated.c - the emulated driver, through the table that the real one fills,
 * and the cache of compiled kernels
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "device/cuda/cache.h"
#include "device/cuda/driver.h"
#include "unit.h"

static struct cuda_driver cuda;

static void set_up(void)
{
	struct fault fault = { .status = MPA_OK };
	void *context;

	setenv("MPA_FAKE_CUDA", "1", 1);
	setenv("MPA_FAKE_CUDA_MEMORY", "1000000", 1);
	ck_assert_int_eq(cuda_driver_open(&cuda, &fault), MPA_OK);
	ck_assert_int_eq(cuda.init(0), CUDA_FINE);
	ck_assert_int_eq(cuda.context_retain(&context, 0), CUDA_FINE);
	ck_assert_int_eq(cuda.context_set(context), CUDA_FINE);
}

/* ---- the driver -------------------------------------------------------------- */

START_TEST(memory_keeps_what_it_is_given)
{
	double put[100], got[100];
	uint64_t at;

	for (int i = 0; i < 100; i++)
		put[i] = i / 7.0;
	ck_assert_int_eq(cuda.mem_alloc(&at, sizeof put), CUDA_FINE);
	ck_assert_int_eq(cuda.to_device(at, put, sizeof put), CUDA_FINE);
	ck_assert_int_eq(cuda.to_host(got, at + 80, sizeof put - 80), CUDA_FINE);
	ck_assert_int_eq(memcmp(got, put + 10, sizeof put - 80), 0);
	ck_assert_int_eq(cuda.to_host(got, at + 8, sizeof put), CUDA_INVALID_VALUE);
	ck_assert_int_eq(cuda.mem_free(at), CUDA_FINE);
	ck_assert_int_eq(cuda.to_host(got, at, 8), CUDA_INVALID_VALUE);
	ck_assert_int_eq(cuda.mem_free(at), CUDA_INVALID_VALUE);
}
END_TEST

START_TEST(memory_ends)
{
	size_t available, total;
	uint64_t a, b;

	ck_assert_int_eq(cuda.mem_alloc(&a, 600000), CUDA_FINE);
	ck_assert_int_eq(cuda.mem_alloc(&b, 600000), CUDA_OUT_OF_MEMORY);
	ck_assert_int_eq(cuda.mem_info(&available, &total), CUDA_FINE);
	ck_assert_uint_eq(total, 1000000);
	ck_assert_uint_eq(available, 400000);
	ck_assert_int_eq(cuda.mem_free(a), CUDA_FINE);
	ck_assert_int_eq(cuda.mem_alloc(&b, 600000), CUDA_FINE);
	ck_assert_uint_ne(a, b); /* so that what still uses a is found */
	ck_assert_int_eq(cuda.mem_free(b), CUDA_FINE);
}
END_TEST

START_TEST(addresses_go_round)
{
	uint64_t kept, at, before = 0;
	int again = 0;

	ck_assert_int_eq(cuda.mem_alloc(&kept, 100000), CUDA_FINE);
	for (int i = 0; i < 1000; i++) {
		ck_assert_int_eq(cuda.mem_alloc(&at, 300000), CUDA_FINE);
		ck_assert(at + 300000 <= kept || kept + 100000 <= at);
		ck_assert_uint_ne(at, before);
		again += at < before;
		before = at;
		ck_assert_int_eq(cuda.mem_free(at), CUDA_FINE);
	}
	ck_assert_int_gt(again, 10);
	ck_assert_int_eq(cuda.mem_free(kept), CUDA_FINE);
}
END_TEST

START_TEST(the_host_cannot_touch_it)
{
	uint64_t at;
	int status;
	pid_t child;

	ck_assert_int_eq(cuda.mem_alloc(&at, 64), CUDA_FINE);
	child = fork();
	if (child == 0) {
		signal(SIGSEGV, SIG_DFL);
		_exit(*(volatile char *)at);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	ck_assert_int_eq(cuda.mem_free(at), CUDA_FINE);
}
END_TEST

static const char text[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
			   ".visible .entry fill(.param .u64 out, .param .u64 value)\n{\n"
			   ".reg .b64 %at, %v;\n.reg .b32 %t;\n"
			   "ld.param.u64 %at, [out];\nld.param.u64 %v, [value];\n"
			   "mov.u32 %t, %tid.x;\nmad.wide.u32 %at, %t, 8, %at;\n"
			   "st.global.u64 [%at], %v;\nret;\n}\n";

static int fill(void *function, uint64_t at, uint64_t value, unsigned threads)
{
	void *params[] = { &at, &value };

	return cuda.launch(function, 1, 1, 1, threads, 1, 1, 0, NULL, params, NULL);
}

START_TEST(failures_of_kernels_stay)
{
	void *module, *function;
	uint64_t at, got[4];
	const char *name;

	ck_assert_int_eq(cuda.module_load(&module, "\177ELF…"), CUDA_NO_BINARY);
	ck_assert_int_eq(cuda.module_load(&module, ".version 7.0\n.entry"),
			 CUDA_INVALID_PTX);
	ck_assert_str_ne(cuda.explain(), "");
	ck_assert_int_eq(cuda.mem_alloc(&at, 2000000), CUDA_OUT_OF_MEMORY);
	ck_assert_str_eq(cuda.explain(), ""); /* that was another call's */
	ck_assert_int_eq(cuda.module_load(&module, text), CUDA_FINE);
	ck_assert_int_eq(cuda.function_get(&function, module, "empty"), CUDA_NOT_FOUND);
	ck_assert_int_eq(cuda.function_get(&function, module, "fill"), CUDA_FINE);
	ck_assert_int_eq(cuda.mem_alloc(&at, sizeof got), CUDA_FINE);
	cuda.name_memory(at, "u");
	ck_assert_int_eq(fill(function, at, 7, 4), CUDA_FINE);
	ck_assert_int_eq(cuda.synchronize(), CUDA_FINE);
	ck_assert_int_eq(cuda.to_host(got, at, sizeof got), CUDA_FINE);
	ck_assert(got[0] == 7 && got[3] == 7);
	ck_assert_int_eq(fill(function, at, 7, 2000), CUDA_INVALID_VALUE);
	ck_assert_int_eq(fill(function, at + 16, 7, 4),
			 CUDA_FINE); /* it runs: later calls tell */
	ck_assert_int_eq(cuda.synchronize(), 700);
	ck_assert_ptr_nonnull(
		strstr(cuda.explain(), "fill, thread (2,0,0) of block (0,0,0)"));
	ck_assert_int_eq(cuda.error_name(700, &name), CUDA_FINE);
	ck_assert_str_eq(name, "CUDA_ERROR_ILLEGAL_ADDRESS");
	ck_assert_int_eq(cuda.to_host(got, at, sizeof got), 700);
	ck_assert_int_eq(cuda.mem_alloc(&at, 8), 700);
}
END_TEST

/* ---- the cache -------------------------------------------------------------------- */

static const char *const key[] = { "text", "options" };
static const char *const part[] = { "the PTX", "code\0with zeros" };
static const size_t bytes[] = { 7, 15 };

static void open_cache(char folder[32])
{
	strcpy(folder, "/tmp/mpa-cache-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	setenv("MPA_CACHE", folder, 1);
}

static bool has(const char *const *names)
{
	struct cache_entry e;
	char *got[2];
	size_t n[2];
	bool found;

	cache_open(&e, names, 2);
	found = cache_read(&e, got, n);
	if (found) {
		ck_assert(n[0] == bytes[0] && !memcmp(got[0], part[0], n[0]));
		ck_assert(n[1] == bytes[1] && !memcmp(got[1], part[1], n[1]));
		mem_free(got[0]);
		mem_free(got[1]);
	}
	cache_close(&e);
	return found;
}

static void put(struct cache_entry *e)
{
	cache_open(e, key, 2);
	cache_write(e, part, bytes);
	cache_close(e);
}

START_TEST(code_is_kept_by_all_that_it_depends_on)
{
	char folder[32];
	struct cache_entry e;

	open_cache(folder);
	ck_assert(!has(key));
	put(&e);
	ck_assert(has(key));
	ck_assert(!has((const char *const[]){ "text", "other options" }));
	ck_assert(!has((const char *const[]){ "textoptions", "" }));
	unlink(e.path);
	rmdir(folder);
}
END_TEST

START_TEST(damage_is_as_if_nothing_were_there)
{
	char folder[32];
	struct cache_entry e;
	struct stat s;

	open_cache(folder);
	put(&e);
	ck_assert_int_eq(stat(e.path, &s), 0);
	for (off_t at = 0; at < s.st_size; at += 3) {
		int file = open(e.path, O_RDWR);
		char byte;

		ck_assert_int_eq(pread(file, &byte, 1, at), 1);
		byte ^= 0x55;
		ck_assert_int_eq(pwrite(file, &byte, 1, at), 1);
		close(file);
		ck_assert(!has(key));
		put(&e);
	}
	ck_assert_int_eq(truncate(e.path, s.st_size - 1), 0);
	ck_assert(!has(key));
	unlink(e.path);
	rmdir(folder);
}
END_TEST

START_TEST(a_folder_that_cannot_be_is_none)
{
	struct cache_entry e;

	setenv("MPA_CACHE", "/proc/nowhere", 1);
	put(&e);
	ck_assert(!has(key));
	setenv("MPA_CACHE", "/proc/self", 1); /* there, but not to be written */
	put(&e);
	ck_assert(!has(key));
	setenv("MPA_CACHE", "off", 1);
	put(&e);
	ck_assert(!has(key));
}
END_TEST

static void write_file(const char *folder, const char *name, int64_t bytes, time_t age)
{
	char path[128];
	struct timespec at[2];
	int file;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	file = open(path, O_WRONLY | O_CREAT, 0666);
	ck_assert_int_ge(file, 0);
	ck_assert_int_eq(ftruncate(file, bytes), 0);
	at[0] = at[1] = (struct timespec){ time(NULL) - age, 0 };
	ck_assert_int_eq(futimens(file, at), 0);
	close(file);
}

/* Whether it is still there; removes it. */
static bool remained(const char *folder, const char *name)
{
	char path[128];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return unlink(path) == 0;
}

START_TEST(what_was_not_used_for_longest_goes)
{
	static const char old[] = "00000000000000000000000000000001",
			  older[] = "0123456789abcdef0123456789abcdef",
			  oldest[] = "ffffffffffffffffffffffffffffffff";
	char folder[32];
	struct cache_entry e;

	open_cache(folder);
	setenv("MPA_CACHE_SIZE", "2", 1);
	put(&e);
	ck_assert_int_eq(utimensat(AT_FDCWD, e.path,
				   (struct timespec[]){ { 1, 0 }, { 1, 0 } }, 0),
			 0);
	ck_assert(has(key)); /* and is the one used last */
	write_file(folder, old, 1 << 20, 60);
	write_file(folder, oldest, 1 << 20, 4000);
	write_file(folder, older, 1 << 20, 70);
	write_file(folder, "notes", 1 << 20, 4000);
	cache_open(&e, (const char *const[]){ "another", "" }, 2);
	cache_write(&e, part, bytes);
	cache_close(&e);
	ck_assert(has(key));
	ck_assert(remained(folder, old));
	ck_assert(!remained(folder, older));
	ck_assert(!remained(folder, oldest));
	ck_assert(remained(folder, "notes"));
	unlink(e.path);
	setenv("MPA_CACHE_SIZE", "0", 1); /* none */
	ck_assert(has(key));
	cache_open(&e, (const char *const[]){ "another", "" }, 2);
	cache_write(&e, part, bytes);
	cache_close(&e);
	ck_assert(!has(key));
	unsetenv("MPA_CACHE_SIZE");
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(what_a_crash_has_left_goes)
{
	static const char lock[] = "0123456789abcdef0123456789abcdef.lock",
			  made[] = "0123456789abcdef0123456789abcdef.new.host.77",
			  now[] = "ffffffffffffffffffffffffffffffff.new.host.78";
	char folder[32];
	struct cache_entry e;

	open_cache(folder);
	write_file(folder, lock, 0, 4000);
	write_file(folder, made, 10, 4000);
	write_file(folder, now, 10, 10);
	put(&e);
	ck_assert(has(key));
	ck_assert(!remained(folder, lock));
	ck_assert(!remained(folder, made));
	ck_assert(remained(folder, now));
	unlink(e.path);
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(a_full_disk_is_harmless)
{
	char folder[32];
	struct cache_entry e;
	struct rlimit few = { 20, RLIM_INFINITY }, before;

	open_cache(folder);
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
	few.rlim_max = before.rlim_max;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &few), 0);
	put(&e);
	ck_assert(!has(key));
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
	ck_assert_int_eq(rmdir(folder), 0); /* nothing is left behind */
}
END_TEST

/* It waits no longer than it is told. */
START_TEST(a_stopped_process_blocks_nobody)
{
	char folder[32], byte;
	struct cache_entry e;
	int ready[2];
	pid_t owner;
	double start;

	open_cache(folder);
	setenv("MPA_CACHE_WAIT", "1", 1);
	ck_assert_int_eq(pipe(ready), 0);
	owner = fork();
	if (owner == 0) {
		cache_open(&e, key, 2);
		if (write(ready[1], "x", 1) == 1)
			raise(SIGSTOP);
		_exit(0);
	}
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	start = clock_now();
	put(&e);
	ck_assert_double_ge(clock_now() - start, 0.9);
	ck_assert_double_le(clock_now() - start, 20);
	start = clock_now();
	ck_assert(has(key));
	ck_assert_double_le(clock_now() - start, 0.9);
	kill(owner, SIGKILL);
	waitpid(owner, NULL, 0);
	unlink(e.path);
	strcat(e.path, ".lock");
	unlink(e.path);
	unsetenv("MPA_CACHE_WAIT");
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* Who comes first makes it, the others wait. */
START_TEST(one_process_compiles)
{
	enum { MANY = 8 };
	char folder[32], made[48];
	struct cache_entry e;
	int file;

	open_cache(folder);
	snprintf(made, sizeof made, "%s/made", folder);
	for (int i = 0; i < MANY; i++)
		if (fork() == 0) {
			char *got[2];
			size_t n[2];

			cache_open(&e, key, 2);
			if (!cache_read(&e, got, n)) {
				file = open(made, O_WRONLY | O_CREAT | O_APPEND, 0666);
				usleep(30000);
				if (write(file, "x", 1) != 1)
					_exit(1);
				cache_write(&e, part, bytes);
			}
			cache_close(&e);
			_exit(0);
		}
	for (int i = 0; i < MANY; i++) {
		int status;

		ck_assert(wait(&status) > 0 && status == 0);
	}
	file = open(made, O_RDONLY);
	ck_assert_int_eq(lseek(file, 0, SEEK_END), 1);
	close(file);
	cache_open(&e, key, 2);
	unlink(e.path);
	cache_close(&e);
	unlink(made);
	rmdir(folder);
}
END_TEST

static Suite *emulated_suite(void)
{
	Suite *s = suite_create("emulated");
	TCase *driver = tcase_create("driver"), *cache = tcase_create("cache");

	tcase_add_checked_fixture(driver, set_up, NULL);
	tcase_add_test(driver, memory_keeps_what_it_is_given);
	tcase_add_test(driver, memory_ends);
	tcase_add_test(driver, addresses_go_round);
	tcase_add_test(driver, the_host_cannot_touch_it);
	tcase_add_test(driver, failures_of_kernels_stay);
	tcase_add_test(cache, code_is_kept_by_all_that_it_depends_on);
	tcase_add_test(cache, damage_is_as_if_nothing_were_there);
	tcase_add_test(cache, a_folder_that_cannot_be_is_none);
	tcase_add_test(cache, what_was_not_used_for_longest_goes);
	tcase_add_test(cache, what_a_crash_has_left_goes);
	tcase_add_test(cache, a_full_disk_is_harmless);
	tcase_add_test(cache, a_stopped_process_blocks_nobody);
	tcase_add_test(cache, one_process_compiles);
	suite_add_tcase(s, driver);
	suite_add_tcase(s, cache);
	return s;
}

UNIT_MAIN(emulated_suite)
