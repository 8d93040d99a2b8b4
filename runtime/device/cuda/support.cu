/* device/cuda/support.cu - kernels of the run time itself, in CUDA C for NVRTC */
typedef long long int64_t;
typedef unsigned long long uint64_t;

/* device/cuda/move.h */
struct mpa_loop {
	int64_t count, to, from;
};
struct mpa_move {
	char *to;
	const char *from;
	int64_t elem, points, n;
	struct mpa_loop loop[6];
};

template <typename T> static __device__ void move(char *to, const char *from)
{
	*(T *)to = *(const T *)from;
}

/* Rows of the grid are moves, along x points of one. */
extern "C" __global__ void mpa_move(const struct mpa_move *moves, int64_t n)
{
	for (int64_t i = blockIdx.y; i < n; i += gridDim.y) {
		const struct mpa_move *m = moves + i;
		const int64_t points = m->points, elem = m->elem;
		const int loops = (int)m->n;

		for (int64_t p = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; p < points;
		     p += (int64_t)gridDim.x * blockDim.x) {
			uint64_t rest = (uint64_t)p;
			char *to = m->to;
			const char *from = m->from;

			for (int k = loops - 1; k >= 0; k--) {
				const uint64_t count = (uint64_t)m->loop[k].count;
				const uint64_t left = rest / count;
				const int64_t at = (int64_t)(rest - left * count);

				to += at * m->loop[k].to;
				from += at * m->loop[k].from;
				rest = left;
			}
			switch (elem) {
			case 1:
				move<unsigned char>(to, from);
				break;
			case 2:
				move<unsigned short>(to, from);
				break;
			case 4:
				move<unsigned int>(to, from);
				break;
			case 8:
				move<uint64_t>(to, from);
				break;
			default:
				move<ulonglong2>(to, from);
			}
		}
	}
}
