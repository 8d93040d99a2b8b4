/* exec/direct.c - may MPI be given addresses of the GPU?
 *
 * As MPA_CUDA_AWARE says, else as MPI does; a yes is tried out before it is believed.
 * Without, messages go by memory of the host. The same on all ranks. */
#include "base/memory.h"
#include "base/settings.h"
#include "device/cuda/gpu.h"
#include "exec/exec.h"

static bool is_asked_for(struct mpa_session *s, bool *by_user)
{
	int64_t yes;

	*by_user = setting_int("MPA_CUDA_AWARE", &yes);
	if (*by_user)
		return yes != 0;
	return !gpu_is_emulated(s->gpu) && comm_takes_cuda(s->comm);
}

static enum mpa_status to_itself(struct mpa_session *s, struct comm_batch *batch,
				 const struct gpu_buffer *from, struct gpu_buffer *to)
{
	int rank = s->comm->rank;
	enum mpa_status st = comm_recv(batch, rank, COMM_TAG_USER, to->host, to->bytes);

	if (st == MPA_OK)
		st = comm_send(batch, rank, COMM_TAG_USER, from->host, from->bytes);
	return st == MPA_OK ? comm_wait(batch) : st;
}

/* A message of a rank to itself, from the device to the device. */
static bool arrives(struct mpa_session *s)
{
	struct comm_batch *batch = comm_batch_new(s->comm);
	struct gpu_buffer from = { .bytes = 0 }, to = { .bytes = 0 };
	int64_t sent = 0x5ca1ab1e, received = 0;
	enum mpa_status st = batch ? MPA_OK : MPA_MEMORY;
	struct fault fault = { .status = MPA_OK };

	if (st == MPA_OK)
		st = gpu_buffer_new(s->gpu, sizeof sent, &from, &fault);
	if (st == MPA_OK)
		st = gpu_buffer_new(s->gpu, sizeof sent, &to, &fault);
	if (st == MPA_OK)
		st = gpu_put(s->gpu, from.device, &sent, sizeof sent, &fault);
	if (st == MPA_OK)
		st = to_itself(s, batch, &from, &to);
	if (st == MPA_OK)
		st = gpu_get(s->gpu, &received, to.device, sizeof received, &fault);
	gpu_buffer_free(s->gpu, &from);
	gpu_buffer_free(s->gpu, &to);
	comm_batch_free(batch);
	return st == MPA_OK && received == sent;
}

void direct_choose(struct mpa_session *s, const char *where)
{
	bool by_user;
	int64_t yes = is_asked_for(s, &by_user);

	session_sent(s, comm_all_reduce(s->comm, COMM_MIN_I64, &yes, 1));
	gpu_messages(s->gpu, yes != 0);
	if (yes == 0)
		return;
	yes = arrives(s);
	session_sent(s, comm_all_reduce(s->comm, COMM_MIN_I64, &yes, 1));
	if (yes == 0 && by_user)
		session_fail(s, where,
			     "MPA_CUDA_AWARE says that %s takes memory of the GPU, but a "
			     "message of it did not arrive",
			     comm_name(s->comm));
	gpu_messages(s->gpu, yes != 0);
}
