/* tests/unit/emulated_driver.c - the emulated driver: the order of streams, host code
 * that touches the device, and what its environment says
 *
 * Each test is a process, which sets its environment before it opens the driver.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/cuda/driver.h"
#include "unit.h"

static struct cuda_driver cuda;

static void use(int device)
{
	void *context;

	ck_assert_int_eq(cuda.context_retain(&context, device), CUDA_FINE);
	ck_assert_int_eq(cuda.context_set(context), CUDA_FINE);
}

/* With a variable, or NULL; the answer of init. */
static int begin(const char *name, const char *value)
{
	struct fault fault = { .status = MPA_OK };

	setenv("MPA_FAKE_CUDA", "1", 1);
	setenv("MPA_FAKE_CUDA_MEMORY", "1000000", 1);
	if (name)
		setenv(name, value, 1);
	ck_assert_int_eq(cuda_driver_open(&cuda, &fault), MPA_OK);
	return cuda.init(0);
}

static void begin_with(const char *name, const char *value)
{
	ck_assert_int_eq(begin(name, value), CUDA_FINE);
	use(0);
}

#define TRY(call) ck_assert_int_eq(cuda.call, CUDA_FINE)

/* ---- kernels --------------------------------------------------------------------- */

#define HEAD ".version 7.0\n.target sm_80\n.address_size 64\n"
/* to[0] = from[0] + plus */
static const char add[] = HEAD
	".visible .entry add(.param .u64 to, .param .u64 from, .param .u64 plus)\n{\n"
	".reg .b64 %t, %f, %p, %v;\n"
	"ld.param.u64 %t, [to];\nld.param.u64 %f, [from];\nld.param.u64 %p, [plus];\n"
	"ld.global.u64 %v, [%f];\nadd.s64 %v, %v, %p;\nst.global.u64 [%t], "
	"%v;\nret;\n}\n";

static void *kernel(const char *text, const char *name)
{
	void *module, *function;

	TRY(module_load(&module, text));
	TRY(function_get(&function, module, name));
	return function;
}

static int run_add(void *function, const uint64_t to_from[2], uint64_t plus, void *stream)
{
	uint64_t to = to_from[0], from = to_from[1];
	void *params[] = { &to, &from, &plus };
	int error = cuda.launch(function, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL);

	to = from = plus = 0; /* they were taken at the call */
	return error;
}

/* ---- the order of streams ----------------------------------------------------- */

/* Two streams: one changes u[0] to 7, the other copies it; with an event between, or not.
 */
struct two {
	void *first, *second, *event;
	uint64_t u, *pinned;
	void *add;
};

static struct two two_streams(void)
{
	const uint64_t one = 1;
	struct two t;
	void *pinned;

	t.add = kernel(add, "add");
	TRY(stream_create(&t.first, 0, 0));
	TRY(stream_create(&t.second, 0, -1));
	TRY(event_create(&t.event, CUDA_EVENT_WITHOUT_TIME));
	TRY(host_alloc(&pinned, 64, 0));
	t.pinned = pinned;
	TRY(mem_alloc(&t.u, 64));
	TRY(to_device(t.u, &one, sizeof one));
	return t;
}

static void put(const struct two *t, bool waits)
{
	ck_assert_int_eq(run_add(t->add, (uint64_t[]){ t->u, t->u }, 6, t->first),
			 CUDA_FINE);
	TRY(event_record(t->event, t->first));
	if (waits)
		TRY(stream_wait(t->second, t->event, 0));
	cuda.to_host_async(t->pinned, t->u, 8, t->second); /* may tell what failed */
}

static uint64_t copied(const struct two *t, bool waits)
{
	*t->pinned = 0;
	put(t, waits);
	TRY(stream_synchronize(t->second));
	return *t->pinned;
}

START_TEST(what_is_not_waited_for_comes_late)
{
	struct two t;

	begin_with(NULL, NULL);
	t = two_streams();
	ck_assert_uint_eq(copied(&t, true), 7);
	ck_assert_uint_eq(copied(&t, false), 7); /* not yet 13 */
	TRY(to_host(t.pinned, t.u, 8));
	ck_assert_uint_eq(*t.pinned, 13);
}
END_TEST

START_TEST(eager_streams_hide_it)
{
	struct two t;

	begin_with("MPA_FAKE_CUDA_ORDER", "eager");
	t = two_streams();
	ck_assert_uint_eq(copied(&t, false), 7);
	ck_assert_uint_eq(copied(&t, false), 13);
}
END_TEST

START_TEST(a_seed_shows_both_orders)
{
	int early = 0, late = 0;
	struct two t;

	begin_with("MPA_FAKE_CUDA_ORDER", "17");
	t = two_streams();
	for (uint64_t i = 0; i < 200; i++) {
		uint64_t was, got;

		TRY(to_host(&was, t.u, 8));
		got = copied(&t, false);
		early += got == was + 6;
		late += got == was;
	}
	ck_assert_int_eq(early + late, 200);
	ck_assert_int_gt(early, 10);
	ck_assert_int_gt(late, 10);
	for (uint64_t i = 0; i < 200; i++) {
		uint64_t was;

		TRY(to_host(&was, t.u, 8));
		ck_assert_uint_eq(copied(&t, true), was + 6);
	}
}
END_TEST

/* The wait is for what was recorded when it was put, not for a later record elsewhere. */
START_TEST(an_event_that_is_used_again)
{
	struct two t;
	void *third;

	begin_with(NULL, NULL);
	t = two_streams();
	TRY(stream_create(&third, 0, 0));
	ck_assert_int_eq(run_add(t.add, (uint64_t[]){ t.u, t.u }, 6, t.first), CUDA_FINE);
	TRY(event_record(t.event, t.first));
	TRY(stream_wait(t.second, t.event, 0));
	TRY(event_record(t.event, third));
	TRY(event_synchronize(t.event));
	TRY(to_host_async(t.pinned, t.u, 8, t.second));
	TRY(event_destroy(t.event));
	TRY(stream_synchronize(t.second));
	ck_assert_uint_eq(*t.pinned, 7);
}
END_TEST

START_TEST(events_are_asked)
{
	struct two t;

	begin_with(NULL, NULL);
	t = two_streams();
	TRY(event_query(t.event)); /* nothing was recorded */
	ck_assert_int_eq(run_add(t.add, (uint64_t[]){ t.u, t.u }, 6, t.first), CUDA_FINE);
	TRY(event_record(t.event, t.first));
	ck_assert_int_eq(cuda.event_query(t.event), CUDA_NOT_READY);
	TRY(event_query(t.event)); /* who asks gets on */
	TRY(event_record(t.event, NULL));
	TRY(event_query(t.event));
	TRY(stream_destroy(t.first));
	TRY(event_query(t.event));
}
END_TEST

START_TEST(a_stream_apart_is_not_waited_for)
{
	uint64_t *pinned;
	struct two t;
	void *apart;

	begin_with(NULL, NULL);
	t = two_streams();
	pinned = t.pinned;
	TRY(stream_create(&apart, 1, 0));
	*pinned = 5;
	TRY(to_device_async(t.u, pinned, 8, apart));
	TRY(to_host(pinned + 1, t.u, 8));
	ck_assert_uint_eq(pinned[1], 1);
	TRY(to_device_async(t.u, pinned, 8, t.first));
	TRY(to_host(pinned + 1, t.u, 8));
	ck_assert_uint_eq(pinned[1], 5);
	ck_assert_int_eq(cuda.stream_create(&apart, 4, 0), CUDA_INVALID_VALUE);
}
END_TEST

/* Of memory that is not pinned the bytes at the call count, of pinned memory those when
 * the stream comes to them. */
START_TEST(copies_take_bytes_when_cuda_does)
{
	uint64_t own = 3, got;
	struct two t;

	begin_with(NULL, NULL);
	t = two_streams();
	TRY(to_device_async(t.u, &own, 8, t.first));
	own = 4;
	*t.pinned = 5;
	TRY(to_device_async(t.u + 8, t.pinned, 8, t.first));
	*t.pinned = 6;
	TRY(within_device_async(t.u + 16, t.u, 16, t.first));
	TRY(set_bytes_async(t.u + 32, 1, 8, t.first));
	TRY(to_host_async(&got, t.u + 16, 8, t.first)); /* waits */
	ck_assert_uint_eq(got, 3);
	TRY(to_host(&got, t.u + 24, 8));
	ck_assert_uint_eq(got, 6);
	TRY(to_host(&got, t.u + 32, 8));
	ck_assert_uint_eq(got, 0x0101010101010101);
	ck_assert_int_eq(cuda.to_device_async(t.u + 60, &own, 8, t.first),
			 CUDA_INVALID_VALUE);
	ck_assert_int_eq(cuda.within_device_async(t.u, t.u + 60, 8, t.first),
			 CUDA_INVALID_VALUE);
}
END_TEST

START_TEST(pointers_tell_whose_they_are)
{
	unsigned kind = 0;
	struct two t;

	begin_with(NULL, NULL);
	t = two_streams();
	TRY(pointer_attribute(&kind, CUDA_POINTER_KIND, t.u + 63));
	ck_assert_uint_eq(kind, 2);
	TRY(pointer_attribute(&kind, CUDA_POINTER_KIND, (uint64_t)(uintptr_t)t.pinned));
	ck_assert_uint_eq(kind, 1);
	ck_assert_int_eq(
		cuda.pointer_attribute(&kind, CUDA_POINTER_KIND, (uint64_t)(uintptr_t)&t),
		CUDA_INVALID_VALUE);
	TRY(host_free(t.pinned));
	ck_assert_int_eq(cuda.host_free(t.pinned), CUDA_INVALID_VALUE);
}
END_TEST

/* ---- checks of the order ------------------------------------------------------------
 */

static const char *const orders[] = { "lazy", "eager", "2", "3" };
enum { ORDERS = sizeof orders / sizeof *orders };

static struct two checked_streams(int order)
{
	setenv("MPA_FAKE_CUDA_ORDER", orders[order], 1);
	begin_with("MPA_FAKE_CUDA", "check");
	return two_streams();
}

static void is_told(const struct two *t, const char *what)
{
	ck_assert_int_ne(cuda.synchronize(), CUDA_FINE);
	ck_assert_ptr_nonnull(strstr(cuda.explain(), what));
	ck_assert_ptr_nonnull(strstr(cuda.explain(), ", and no event is between"));
	ck_assert_int_ne(cuda.to_host(t->pinned, t->u, 8), CUDA_FINE);
}

static int add_on(const struct two *t, int index, void *stream)
{
	uint64_t at = t->u + 8 * (uint64_t)index;

	return run_add(t->add, (uint64_t[]){ at, at }, 6, stream);
}

START_TEST(waits_make_an_order)
{
	struct two t = checked_streams(_i);

	cuda.name_memory(t.u, "u");
	ck_assert_uint_eq(copied(&t, true), 7);
	TRY(event_record(t.event, t.second)); /* what was read may be written again */
	TRY(stream_wait(t.first, t.event, 0));
	ck_assert_int_eq(add_on(&t, 0, t.first), CUDA_FINE);
	TRY(stream_synchronize(t.first)); /* the host may wait as well */
	ck_assert_int_eq(add_on(&t, 0, t.second), CUDA_FINE);
	TRY(event_record(t.event, t.second));
	TRY(event_synchronize(t.event));
	ck_assert_int_eq(add_on(&t, 0, t.first), CUDA_FINE);
	ck_assert_int_eq(add_on(&t, 0, NULL), CUDA_FINE); /* it waits for all */
	ck_assert_int_eq(add_on(&t, 0, t.second), CUDA_FINE);
	TRY(to_host(t.pinned, t.u, 8));
	ck_assert_uint_eq(*t.pinned, 37);
}
END_TEST

START_TEST(without_one_it_is_told)
{
	struct two t = checked_streams(_i);

	cuda.name_memory(t.u, "u");
	put(&t, false);
	is_told(&t, _i == 1 ? "a copy of stream 2 reads u, which add of stream 1 writes"
			    : "");
}
END_TEST

START_TEST(writing_what_is_read_is_told)
{
	struct two t = checked_streams(_i);

	put(&t, true);
	ck_assert_int_eq(add_on(&t, 0, t.first), CUDA_FINE); /* the copy read it */
	is_told(&t, "of stream ");
}
END_TEST

START_TEST(reading_needs_no_order)
{
	struct two t = checked_streams(_i);

	TRY(to_host_async(t.pinned, t.u, 8, t.first));
	TRY(to_host_async(t.pinned + 1, t.u, 8, t.second));
	TRY(event_record(t.event, t.first));
	TRY(stream_wait(t.second, t.event, 0));
	ck_assert_int_eq(add_on(&t, 0, t.second), CUDA_FINE);
	TRY(synchronize());
	ck_assert(t.pinned[0] == 1 && t.pinned[1] == 1);
}
END_TEST

START_TEST(both_readers_count)
{
	struct two t = checked_streams(_i);
	void *third;

	TRY(stream_create(&third, 0, 0));
	TRY(to_host_async(t.pinned, t.u, 8, t.first));
	TRY(to_host_async(t.pinned + 1, t.u, 8, t.second));
	TRY(event_record(t.event, t.second));
	TRY(stream_wait(third, t.event, 0));
	ck_assert_int_eq(add_on(&t, 0, third), CUDA_FINE);
	is_told(&t, "of stream ");
}
END_TEST

START_TEST(neighbours_need_no_order)
{
	const uint64_t many[3] = { 1, 2, 3 };
	struct two t = checked_streams(_i);

	TRY(to_device(t.u, many, sizeof many));
	ck_assert_int_eq(add_on(&t, 0, t.first), CUDA_FINE);
	ck_assert_int_eq(add_on(&t, 1, t.second), CUDA_FINE);
	TRY(set_bytes_async(t.u + 16, 0, 8, t.first));
	TRY(synchronize());
	TRY(mem_free(t.u));
}
END_TEST

START_TEST(streams_apart_wait_for_nothing)
{
	struct two t = checked_streams(_i);
	void *apart;

	TRY(stream_create(&apart, 1, 0));
	ck_assert_int_eq(add_on(&t, 0, apart), CUDA_FINE);
	TRY(stream_synchronize(apart));
	ck_assert_int_eq(add_on(&t, 0, NULL), CUDA_FINE);
	TRY(synchronize());
	ck_assert_int_eq(add_on(&t, 0, apart), CUDA_FINE);
	ck_assert_int_eq(add_on(&t, 0, NULL), CUDA_FINE);
	is_told(&t, "of stream ");
}
END_TEST

/* What is copied to pinned memory is copied on before it is there. */
START_TEST(pinned_memory_needs_an_order)
{
	struct two t = checked_streams(_i);

	TRY(to_host_async(t.pinned, t.u, 8, t.first));
	TRY(event_record(t.event, t.first));
	TRY(stream_wait(t.second, t.event, 0));
	TRY(to_device_async(t.u + 8, t.pinned, 8, t.second));
	TRY(to_host_async(t.pinned + 1, t.u, 8, t.first)); /* beside it */
	TRY(synchronize());
	TRY(to_host_async(t.pinned, t.u, 8, t.first));
	cuda.to_device_async(t.u + 8, t.pinned, 8, t.second); /* may tell what failed */
	is_told(&t, " pinned memory, which a copy of stream ");
}
END_TEST

START_TEST(streams_that_are_too_many_to_check)
{
	struct two t = checked_streams(0);
	void *stream;

	for (int i = 2; i < 31; i++)
		TRY(stream_create(&stream, 0, 0));
	ck_assert_int_eq(cuda.stream_create(&stream, 0, 0), CUDA_OUT_OF_MEMORY);
	ck_assert_str_eq(cuda.explain(), "at most 31 streams are checked");
	TRY(stream_destroy(t.second));
	TRY(stream_create(&stream, 0, 0)); /* in its place */
	ck_assert_int_eq(add_on(&t, 0, stream), CUDA_FINE);
	TRY(synchronize());
}
END_TEST

/* ---- the host -------------------------------------------------------------------- */

static void leave(int number)
{
	(void)number;
	_exit(42);
}

/* What a process that reads an address writes, and how it ends. */
static int read_at(uint64_t at, char *told, size_t size)
{
	int pipes[2], status;
	ssize_t n;
	pid_t child;

	ck_assert_int_eq(pipe(pipes), 0);
	child = fork();
	if (child == 0) {
		dup2(pipes[1], STDERR_FILENO);
		_exit(*(volatile char *)at);
	}
	close(pipes[1]);
	n = read(pipes[0], told, size - 1);
	told[n > 0 ? n : 0] = 0;
	close(pipes[0]);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return status;
}

START_TEST(host_code_is_told_what_it_touches)
{
	char told[300];
	uint64_t at;
	int status;

	signal(SIGSEGV, SIG_DFL);
	begin_with(NULL, NULL);
	TRY(mem_alloc(&at, 100));
	cuda.name_memory(at, "u");
	status = read_at(at + 42, told, sizeof told);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	ck_assert_str_eq(told,
			 "error: host code uses memory of the GPU: byte 42 of `u`\n");
	status = read_at(at + 4096 + 104, told, sizeof told);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	ck_assert_ptr_nonnull(strstr(told, ", where nothing is allocated\n"));
	status = read_at(16, told, sizeof told);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	ck_assert_str_eq(told, "");
}
END_TEST

START_TEST(host_code_is_told_what_is_on_the_device)
{
	enum { PAGE = 4096 };
	char told[300], *host;
	uint64_t at, bare;

	signal(SIGSEGV, SIG_DFL);
	begin_with("MPA_FAKE_CUDA_DEVICES", "2");
	host = mmap(NULL, 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bare = (uint64_t)(uintptr_t)host;
	TRY(mem_alloc(&at, PAGE));
	cuda.name_memory(at, "u");
	cuda.mirror(at, host, PAGE);
	use(1);
	read_at(bare + 42, told, sizeof told);
	ck_assert_str_eq(
		told, "error: host code uses what is on the GPU now: byte 42 of `u`\n");
	read_at(bare + PAGE, told, sizeof told);
	ck_assert_str_eq(told, "");
	use(0);
	TRY(mem_free(at));
	read_at(bare + 42, told, sizeof told);
	ck_assert_str_eq(told, "");
}
END_TEST

START_TEST(who_handled_faults_still_does)
{
	char told[300];
	uint64_t at;

	signal(SIGSEGV, leave);
	begin_with(NULL, NULL);
	TRY(mem_alloc(&at, 100));
	ck_assert_int_eq(WEXITSTATUS(read_at(at, told, sizeof told)), 42);
	ck_assert_str_eq(told, "error: host code uses memory of the GPU: byte 0 of an "
			       "allocation\n");
	ck_assert_int_eq(WEXITSTATUS(read_at(16, told, sizeof told)), 42);
}
END_TEST

START_TEST(an_alias_is_the_same_memory)
{
	uint64_t at, *alias, got = 9;

	begin_with(NULL, NULL);
	TRY(mem_alloc(&at, 100));
	alias = cuda.alias(at + 8);
	ck_assert_ptr_nonnull(alias);
	*alias = 11;
	TRY(to_host(&got, at + 8, 8));
	ck_assert_uint_eq(got, 11);
	ck_assert_ptr_null(cuda.alias(at + 100));
}
END_TEST

/* ---- the environment ------------------------------------------------------------ */

START_TEST(devices_have_memory_of_their_own)
{
	char name[40];
	uint64_t a, b, got;
	int count;

	setenv("MPA_FAKE_CUDA_DEVICES", "4", 1);
	begin_with("CUDA_VISIBLE_DEVICES", "2,0,9,1");
	TRY(device_count(&count));
	ck_assert_int_eq(count, 2);
	TRY(device_name(name, sizeof name, 0));
	ck_assert_str_eq(name, "emulated GPU 2");
	ck_assert_int_eq(cuda.device_get(&count, 2), CUDA_INVALID_DEVICE);
	TRY(mem_alloc(&a, 600000));
	use(1);
	TRY(mem_alloc(&b, 600000));
	TRY(to_device(b, &a, 8));
	ck_assert_uint_ne(a, b);
	ck_assert_int_eq(cuda.to_host(&got, a, 8), CUDA_INVALID_VALUE);
	use(0);
	TRY(to_host(&got, a, 8));
	ck_assert_uint_eq(got, UINT64_MAX); /* as new memory is */
}
END_TEST

START_TEST(failures_are_of_one_device)
{
	void *function;
	uint64_t at;

	begin_with("MPA_FAKE_CUDA_DEVICES", "2");
	function = kernel(add, "add");
	ck_assert_int_eq(run_add(function, (uint64_t[]){ 0, 0 }, 0, NULL), CUDA_FINE);
	ck_assert_int_eq(cuda.synchronize(), CUDA_ILLEGAL_ADDRESS);
	use(1);
	TRY(mem_alloc(&at, 8));
	use(0);
	ck_assert_int_eq(cuda.mem_alloc(&at, 8), CUDA_ILLEGAL_ADDRESS);
}
END_TEST

START_TEST(devices_can_be_hidden)
{
	ck_assert_int_eq(begin("CUDA_VISIBLE_DEVICES", "-1"), CUDA_NO_DEVICE);
	unsetenv("CUDA_VISIBLE_DEVICES");
	ck_assert_int_eq(begin("MPA_FAKE_CUDA_FAULT", "no-device"), CUDA_NO_DEVICE);
	unsetenv("MPA_FAKE_CUDA_FAULT");
	ck_assert_int_eq(begin("MPA_FAKE_CUDA_DEVICES", "0"), CUDA_NO_DEVICE);
}
END_TEST

START_TEST(an_environment_without_sense_is_refused)
{
	static const char *const wrong[][2] = {
		{ "MPA_FAKE_CUDA_ORDER", "late" },
		{ "MPA_FAKE_CUDA_ORDER", "0" },
		{ "MPA_FAKE_CUDA_DEVICES", "17" },
		{ "MPA_FAKE_CUDA_FAULT", "alloc" },
		{ "MPA_FAKE_CUDA_FAULT", "load:1" },
		{ "MPA_FAKE_CUDA_FAULT", "launch:x" },
		{ "MPA_FAKE_CUDA_MEMORY", "8G" },
		{ "MPA_FAKE_CUDA_DRIVER", "12.4" },
	};

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		const char *name = wrong[i][0];

		ck_assert_int_eq(begin(name, wrong[i][1]), CUDA_INVALID_VALUE);
		ck_assert_int_eq(strncmp(cuda.explain(), name, strlen(name)), 0);
		unsetenv(name);
	}
	ck_assert_int_eq(begin(NULL, NULL), CUDA_FINE);
}
END_TEST

START_TEST(old_drivers_refuse_newer_ptx)
{
	static const struct {
		const char *version;
		int error;
	} cases[] = {
		{ ".version 7.8\n", CUDA_FINE },
		{ ".version 8.4\n", CUDA_FINE },
		{ ".version 8.5\n", CUDA_UNSUPPORTED_PTX },
		{ ".version 8.7\n", CUDA_UNSUPPORTED_PTX },
		{ "// .version\n.version 9.0\n", CUDA_UNSUPPORTED_PTX },
	};
	char text[100];
	void *module;
	int number;

	begin_with("MPA_FAKE_CUDA_DRIVER", "12040");
	TRY(version(&number));
	ck_assert_int_eq(number, 12040);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(text, sizeof text, "%s.target sm_80\n.address_size 64\n",
			 cases[i].version);
		ck_assert_int_eq(cuda.module_load(&module, text), cases[i].error);
	}
	ck_assert_str_eq(cuda.explain(),
			 "this is PTX 9.0, of CUDA 13.0; the driver is of CUDA 12.4");
}
END_TEST

START_TEST(faults_come_when_they_are_to)
{
	void *module, *function;
	uint64_t at;

	begin_with("MPA_FAKE_CUDA_FAULT", "alloc:3");
	TRY(mem_alloc(&at, 8));
	TRY(mem_alloc(&at, 8));
	ck_assert_int_eq(cuda.mem_alloc(&at, 8), CUDA_OUT_OF_MEMORY);
	ck_assert_str_eq(cuda.explain(), "allocation 3 is to fail");
	TRY(mem_alloc(&at, 8));
	TRY(module_load(&module, add));
	TRY(function_get(&function, module, "add"));
}
END_TEST

START_TEST(modules_fail_to_load)
{
	void *module;

	begin_with("MPA_FAKE_CUDA_FAULT", "load");
	ck_assert_int_eq(cuda.module_load(&module, add), CUDA_INVALID_IMAGE);
}
END_TEST

START_TEST(launches_fail)
{
	struct two t;

	begin_with("MPA_FAKE_CUDA_FAULT", "launch:2");
	t = two_streams();
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(run_add(t.add, (uint64_t[]){ t.u, t.u }, 6, t.first),
				 CUDA_FINE);
	ck_assert_int_eq(cuda.stream_synchronize(t.first), CUDA_LAUNCH_FAILED);
	ck_assert_str_eq(cuda.explain(), "launch 2 is to fail");
	ck_assert_int_eq(cuda.to_host(t.pinned, t.u, 8), CUDA_LAUNCH_FAILED);
	ck_assert_uint_eq(*(uint64_t *)cuda.alias(t.u), 7); /* the third did not run */
}
END_TEST

/* ---- limits ------------------------------------------------------------------------ */

/* A kernel with parameters and shared memory of so many bytes. */
static int load(const char *version, int params, int shared, void **function)
{
	char text[500];
	void *module;
	int error;

	snprintf(text, sizeof text,
		 ".version %s\n.target sm_80\n.address_size 64\n"
		 ".visible .entry k(.param .align 4 .b8 p[%d])\n.maxntid 64, 1, 1\n"
		 "{\n.shared .align 4 .b8 s[%d];\n.reg .b32 %%r;\nmov.u32 %%r, "
		 "s;\nret;\n}\n",
		 version, params, shared);
	error = cuda.module_load(&module, text);
	return error ? error : cuda.function_get(function, module, "k");
}

START_TEST(limits_are_those_of_cuda)
{
	static char bytes[32764];
	void *function, *params[] = { bytes };

	begin_with(NULL, NULL);
	ck_assert_int_eq(load("7.0", 4096, 16, &function), CUDA_FINE);
	ck_assert_int_eq(load("8.0", 4100, 16, &function), CUDA_INVALID_PTX);
	ck_assert_int_eq(load("8.1", 32764, 16, &function), CUDA_FINE);
	ck_assert_int_eq(load("9.0", 32768, 16, &function), CUDA_INVALID_PTX);
	ck_assert_int_eq(load("9.0", 4, 49156, &function), CUDA_INVALID_PTX);
	ck_assert_int_eq(load("9.0", 4, 49152 - 1024, &function), CUDA_FINE);
	TRY(launch(function, 1, 1, 1, 64, 1, 1, 1024, NULL, params, NULL));
	ck_assert_int_eq(
		cuda.launch(function, 1, 1, 1, 64, 1, 1, 1028, NULL, params, NULL),
		CUDA_INVALID_VALUE);
	ck_assert_int_eq(cuda.launch(function, 1, 1, 1, 65, 1, 1, 0, NULL, params, NULL),
			 CUDA_INVALID_VALUE);
	ck_assert_int_eq(
		cuda.launch(function, 1, 65536, 1, 8, 1, 1, 0, NULL, params, NULL),
		CUDA_INVALID_VALUE);
	ck_assert_int_eq(cuda.launch(function, 1, 1, 0, 8, 1, 1, 0, NULL, params, NULL),
			 CUDA_INVALID_VALUE);
	TRY(launch(function, 100, 1, 1, 8, 8, 1, 0, NULL, params, NULL));
	TRY(synchronize());
}
END_TEST

static Suite *emulated_driver_suite(void)
{
	Suite *s = suite_create("emulated_driver");
	TCase *streams = tcase_create("streams"), *host = tcase_create("host"),
	      *setup = tcase_create("setup");

	tcase_add_test(streams, what_is_not_waited_for_comes_late);
	tcase_add_test(streams, eager_streams_hide_it);
	tcase_add_test(streams, a_seed_shows_both_orders);
	tcase_add_test(streams, an_event_that_is_used_again);
	tcase_add_test(streams, events_are_asked);
	tcase_add_test(streams, a_stream_apart_is_not_waited_for);
	tcase_add_test(streams, copies_take_bytes_when_cuda_does);
	tcase_add_test(streams, pointers_tell_whose_they_are);
	tcase_add_loop_test(streams, waits_make_an_order, 0, ORDERS);
	tcase_add_loop_test(streams, without_one_it_is_told, 0, ORDERS);
	tcase_add_loop_test(streams, writing_what_is_read_is_told, 0, ORDERS);
	tcase_add_loop_test(streams, reading_needs_no_order, 0, ORDERS);
	tcase_add_loop_test(streams, both_readers_count, 0, ORDERS);
	tcase_add_loop_test(streams, neighbours_need_no_order, 0, ORDERS);
	tcase_add_loop_test(streams, streams_apart_wait_for_nothing, 0, ORDERS);
	tcase_add_loop_test(streams, pinned_memory_needs_an_order, 0, ORDERS);
	tcase_add_test(streams, streams_that_are_too_many_to_check);
	tcase_add_test(host, host_code_is_told_what_it_touches);
	tcase_add_test(host, host_code_is_told_what_is_on_the_device);
	tcase_add_test(host, who_handled_faults_still_does);
	tcase_add_test(host, an_alias_is_the_same_memory);
	tcase_add_test(setup, devices_have_memory_of_their_own);
	tcase_add_test(setup, failures_are_of_one_device);
	tcase_add_test(setup, devices_can_be_hidden);
	tcase_add_test(setup, an_environment_without_sense_is_refused);
	tcase_add_test(setup, old_drivers_refuse_newer_ptx);
	tcase_add_test(setup, faults_come_when_they_are_to);
	tcase_add_test(setup, modules_fail_to_load);
	tcase_add_test(setup, launches_fail);
	tcase_add_test(setup, limits_are_those_of_cuda);
	suite_add_tcase(s, streams);
	suite_add_tcase(s, host);
	suite_add_tcase(s, setup);
	return s;
}

UNIT_MAIN(emulated_driver_suite)
