/* array/npy_convert.c - elements of files to elements of arrays and back
 *
 * Only what a load allows occurs: from a kind to the same or a higher one. */
#include "array/npy_convert.h"

#include <math.h>
#include <string.h>

#define LOOP(out_type, in_type, value)                                                   \
	for (int64_t i = 0; i < n; i++) {                                                \
		in_type x = ((const in_type *)in)[i];                                    \
		((out_type *)out)[i] = (out_type)(value);                                \
	}                                                                                \
	break

#define FROM_COMPLEX(out_type)                                                           \
	case MPA_C64:                                                                    \
		LOOP(out_type, float _Complex, x);                                       \
	case MPA_C128:                                                                   \
		LOOP(out_type, double _Complex, x);
#define FROM_EACH(out_type, more)                                                              \
	switch (from) {                                                                  \
	case MPA_BOOL:                                                                   \
		LOOP(out_type, uint8_t, x != 0);                                         \
	case MPA_U8:                                                                     \
		LOOP(out_type, uint8_t, x);                                              \
	case MPA_I32:                                                                    \
		LOOP(out_type, int32_t, x);                                              \
	case MPA_I64:                                                                    \
		LOOP(out_type, int64_t, x);                                              \
	case MPA_F32:                                                                    \
		LOOP(out_type, float, x);                                                \
	case MPA_F64:                                                                    \
		LOOP(out_type, double, x);                                               \
		more                                                                     \
	default:                                                                         \
		break;                                                                   \
	}                                                                                \
	break

void npy_convert(enum mpa_elem to, void *out, enum mpa_elem from, const void *in,
		 int64_t n)
{
	switch (to) {
	case MPA_BOOL:
	case MPA_U8:
		FROM_EACH(uint8_t, );
	case MPA_I32:
		FROM_EACH(int32_t, );
	case MPA_I64:
		FROM_EACH(int64_t, );
	case MPA_F32:
		FROM_EACH(float, );
	case MPA_F64:
		FROM_EACH(double, );
	case MPA_C64:
		FROM_EACH(float _Complex, FROM_COMPLEX(float _Complex));
	case MPA_C128:
		FROM_EACH(double _Complex, FROM_COMPLEX(double _Complex));
	default:
		break;
	}
}

void npy_quiet(enum mpa_elem type, void *data, int64_t n)
{
	const uint32_t quiet32 = 0x7fc00000;
	const uint64_t quiet64 = 0x7ff8000000000000;

	if (type == MPA_C64 || type == MPA_C128) { /* of its parts */
		type = type == MPA_C64 ? MPA_F32 : MPA_F64;
		n *= 2;
	}
	if (type == MPA_F32) {
		for (int64_t i = 0; i < n; i++)
			if (isnan(((float *)data)[i]))
				memcpy((float *)data + i, &quiet32, sizeof quiet32);
	} else if (type == MPA_F64) {
		for (int64_t i = 0; i < n; i++)
			if (isnan(((double *)data)[i]))
				memcpy((double *)data + i, &quiet64, sizeof quiet64);
	}
}
