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

/* ---- sums of reals, exact --------------------------------------------------------
 * As exec/exact.c has them: a number in digits of 32 bits, digit i counts 2^(32 i - 1074),
 * and how many infinities and NaN there were. Threads have running sums that are exact as
 * doubles, of multiples of two units; what these do not hold goes to the digits of the
 * block, which are integers, so the order does not matter. */
enum { DIGITS = 67, POSITIVE = DIGITS, NEGATIVE, NOT_A_NUMBER, SUM_WORDS };
enum { EXPONENT_INF = 0x7ff, LEAST_TOP = 107, ROOM = 4, SLICE_BITS = 43, SETTLE_AFTER = 1000 };

static __device__ void add_digits(uint64_t *digit, double value)
{
	const uint64_t bits = (uint64_t)__double_as_longlong(value);
	uint64_t mantissa = bits & 0xfffffffffffff, low, high;
	int exponent = (int)(bits >> 52) & EXPONENT_INF, at, shift;

	if (exponent == EXPONENT_INF) {
		atomicAdd(&digit[mantissa ? NOT_A_NUMBER : bits >> 63 ? NEGATIVE : POSITIVE], 1);
		return;
	}
	if (exponent == 0)
		exponent = 1;
	else
		mantissa |= (uint64_t)1 << 52;
	at = (exponent - 1) >> 5;
	shift = (exponent - 1) & 31;
	low = mantissa << shift & 0xffffffff;
	high = shift ? mantissa >> (32 - shift) : mantissa >> 32;
	atomicAdd(&digit[at], bits >> 63 ? 0 - low : low);
	atomicAdd(&digit[at + 1], bits >> 63 ? 0 - high : high);
}

struct running {
	double high, low, big[2];
	uint64_t limit; /* of the bits of values that the units are for, without their sign */
	int added;
};

static __device__ void settle(struct running *r, uint64_t *digit)
{
	if (r->added) {
		add_digits(digit, r->high);
		add_digits(digit, r->low);
	}
	r->high = r->low = 0;
	r->added = 0;
}

/* 1.5 times a power of two by which values below 2^(top - 1022) are rounded to multiples of
 * 2^(top - 1023 - 42): fewer than 2^43 of them, so a thousand add up exactly. */
static __device__ double rounder(int top)
{
	return __longlong_as_double((int64_t)(top + 10) << 52 | (int64_t)1 << 51);
}

static __device__ void add_value(struct running *r, uint64_t *digit, double value)
{
	const uint64_t size = (uint64_t)__double_as_longlong(value) & 0x7fffffffffffffff;
	double first, second;

	if (size == 0)
		return;
	if (size >= r->limit) {
		const int top = (int)(size >> 52);

		if (top < LEAST_TOP || top > EXPONENT_INF - 16) {
			add_digits(digit, value);
			return;
		}
		settle(r, digit);
		r->big[0] = rounder(top + ROOM);
		r->big[1] = rounder(top + ROOM - SLICE_BITS);
		r->limit = (uint64_t)(top + ROOM + 1) << 52;
	}
	first = (value + r->big[0]) - r->big[0];
	value -= first;
	second = (value + r->big[1]) - r->big[1];
	value -= second;
	r->high += first;
	r->low += second;
	if (value != 0)
		add_digits(digit, value);
	if (++r->added == SETTLE_AFTER)
		settle(r, digit);
}

/* Digits become those of one block, so that any number of blocks add up in 64 bits. */
static __device__ void carry(uint64_t *digit)
{
	for (int i = 0; i < DIGITS - 1; i++) {
		const int64_t high = (int64_t)digit[i] >> 32;

		digit[i] &= 0xffffffff;
		digit[i + 1] += (uint64_t)high;
	}
}

template <typename T> static __device__ void sum_reals(const T *value, int64_t n, uint64_t *out)
{
	__shared__ uint64_t digit[SUM_WORDS];
	struct running r = { 0, 0, { 0, 0 }, 0, 0 };

	for (int i = threadIdx.x; i < SUM_WORDS; i += blockDim.x)
		digit[i] = 0;
	__syncthreads();
	for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
	     i += (int64_t)gridDim.x * blockDim.x)
		add_value(&r, digit, (double)value[i]);
	settle(&r, digit);
	__syncthreads();
	if (threadIdx.x == 0)
		carry(digit);
	__syncthreads();
	for (int i = threadIdx.x; i < SUM_WORDS; i += blockDim.x)
		if (digit[i])
			atomicAdd(&out[i], digit[i]);
}

extern "C" __global__ void mpa_sum_f64(const double *value, int64_t n, uint64_t *out)
{
	sum_reals(value, n, out);
}

extern "C" __global__ void mpa_sum_f32(const float *value, int64_t n, uint64_t *out)
{
	sum_reals(value, n, out);
}

/* ---- sums of integers, modulo 2^64; how many are true ------------------------------- */

template <typename T, bool truths>
static __device__ void sum_integers(const T *value, int64_t n, uint64_t *out)
{
	__shared__ uint64_t all;
	uint64_t sum = 0;

	if (threadIdx.x == 0)
		all = 0;
	__syncthreads();
	for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
	     i += (int64_t)gridDim.x * blockDim.x)
		sum += truths ? (uint64_t)(value[i] != 0) : (uint64_t)(int64_t)value[i];
	if (sum)
		atomicAdd(&all, sum);
	__syncthreads();
	if (threadIdx.x == 0 && all)
		atomicAdd(out, all);
}

#define SUM(name, type, truths)                                                                \
	extern "C" __global__ void name(const type *value, int64_t n, uint64_t *out)           \
	{                                                                                      \
		sum_integers<type, truths>(value, n, out);                                     \
	}
SUM(mpa_sum_i64, int64_t, false)
SUM(mpa_sum_i32, int, false)
SUM(mpa_sum_u8, unsigned char, false)
SUM(mpa_true_u8, unsigned char, true)

/* ---- extremes, and where they are ------------------------------------------------------
 * As exec/reduce.c decides: by value, NaN before all, then by the flat index on the grid. */
struct mpa_extremes { /* exec/collect.c */
	int64_t loops, lo[6], n[6], stride[6]; /* of the box; strides of the flat index */
	int64_t max, place;                    /* of max and argmax; of argmin and argmax */
};
struct mpa_best {
	int64_t value, place, any; /* value: of reals their bits */
};
enum { BEST_THREADS = 256 };

static __device__ int64_t place_of(const struct mpa_extremes *e, int64_t flat)
{
	int64_t place = 0;

#pragma unroll 1
	for (int k = (int)e->loops - 1; k >= 0; k--) {
		place += (e->lo[k] + flat % e->n[k]) * e->stride[k];
		flat /= e->n[k];
	}
	return place;
}

/* -1, 1: by its value a goes before b, or behind; 0: the place decides. */
static __device__ int by_value(double a, double b, bool max, bool place)
{
	const bool a_nan = a != a, b_nan = b != b;

	if (a_nan || b_nan)
		return a_nan && b_nan ? 0 : a_nan ? -1 : 1;
	if (a != b)
		return (max ? a > b : a < b) ? -1 : 1;
	if (!place && a == 0) {
		const bool a_minus = __double_as_longlong(a) < 0;
		const bool b_minus = __double_as_longlong(b) < 0;

		if (a_minus != b_minus)
			return (max ? b_minus : a_minus) ? -1 : 1;
	}
	return 0;
}

static __device__ int by_value(int64_t a, int64_t b, bool max, bool place)
{
	return a == b ? 0 : (max ? a > b : a < b) ? -1 : 1;
}

static __device__ int64_t bits_of(double value)
{
	return __double_as_longlong(value);
}

static __device__ int64_t bits_of(int64_t value)
{
	return value;
}

static __device__ void value_of(int64_t bits, double *value)
{
	*value = __longlong_as_double(bits);
}

static __device__ void value_of(int64_t bits, int64_t *value)
{
	*value = bits;
}

/* The better of two. Wide: double or int64_t. */
template <typename Wide>
static __device__ void join(struct mpa_best *a, const struct mpa_best *b, bool max, bool place)
{
	Wide of_a, of_b;
	int order;

	if (!b->any)
		return;
	value_of(a->value, &of_a);
	value_of(b->value, &of_b);
	order = a->any ? by_value(of_b, of_a, max, place) : -1;
	if (order < 0 || (order == 0 && b->place < a->place))
		*a = *b;
}

template <typename T, typename Wide>
static __device__ void find_best(const T *value, int64_t n, const struct mpa_extremes *e,
				 struct mpa_best *out)
{
	__shared__ struct mpa_best best[BEST_THREADS];
	const bool max = e->max, place = e->place;
	struct mpa_best mine = { 0, 0, 0 };
	Wide of_mine = 0;

	for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
	     i += (int64_t)gridDim.x * blockDim.x) {
		const Wide v = (Wide)value[i];
		const int order = mine.any ? by_value(v, of_mine, max, place) : -1;
		int64_t at;

		if (order > 0)
			continue;
		at = place_of(e, i);
		if (order == 0 && mine.place < at)
			continue;
		of_mine = v;
		mine.place = at;
		mine.any = 1;
	}
	mine.value = bits_of(of_mine);
	best[threadIdx.x] = mine;
#pragma unroll 1
	for (int half = BEST_THREADS / 2; half > 0; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half)
			join<Wide>(&best[threadIdx.x], &best[threadIdx.x + half], max, place);
	}
	if (threadIdx.x == 0)
		join<Wide>(&out[blockIdx.x], &best[0], max, place);
}

#define EXTREME(name, type, wide)                                                              \
	extern "C" __global__ void name(const type *value, int64_t n, struct mpa_best *out,    \
					const struct mpa_extremes e)                           \
	{                                                                                      \
		find_best<type, wide>(value, n, &e, out);                                      \
	}
EXTREME(mpa_extreme_f64, double, double)
EXTREME(mpa_extreme_f32, float, double)
EXTREME(mpa_extreme_i64, int64_t, int64_t)
EXTREME(mpa_extreme_i32, int, int64_t)
EXTREME(mpa_extreme_u8, unsigned char, int64_t)
