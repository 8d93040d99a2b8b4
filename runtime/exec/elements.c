/* exec/elements.c - one element: its owner tells all ranks; random scalars */
#include <inttypes.h>
#include <string.h>

#include "base/random.h"
#include "exec/exec.h"

/* The index counted from 0; negative ones count from the end. */
static void resolve(struct mpa_session *s, const char *where, const struct array_state *a,
		    const int64_t *index, int64_t *at)
{
	const struct mpa_grid_info *grid = &s->program->grid[a->info->grid];

	for (int i = 0; i < a->layout->naxes; i++) {
		int64_t n = a->layout->axis[i].size;

		if (index[i] < -n || index[i] >= n)
			session_fail(s, where,
				     "index %" PRId64
				     " is out of range for axis %s of %s, which "
				     "has %" PRId64 " points",
				     index[i], s->program->axis[grid->axis[i]].name,
				     a->info->name, n);
		at[i] = index[i] < 0 ? index[i] + n : index[i];
	}
}

/* The bytes of one element on every rank. */
static void element_bytes(struct mpa_session *s, const char *where, int64_t array,
			  const int64_t *index, void *bytes)
{
	struct array_state *a = array_of(s, array);
	int64_t at[MPA_MAX_AXES] = { 0 };
	int owner;

	resolve(s, where, a, index, at);
	owner = layout_owner(a->layout, at);
	if (owner == s->comm->rank || a->layout->family->replicated)
		session_sent(s, array_get(&a->now, at, bytes, &s->fault));
	if (!a->layout->family->replicated)
		session_sent(s, comm_bcast(s->comm, owner, bytes, a->now.elem));
	transfers_count(s, where);
}

int64_t mpa_element_i(struct mpa_session *s, const char *where, int64_t array,
		      const int64_t *index)
{
	union {
		uint8_t u8;
		int32_t i32;
		int64_t i64;
	} value = { .i64 = 0 };

	element_bytes(s, where, array, index, &value);
	switch (s->program->array[array].elem) {
	case MPA_I32:
		return value.i32;
	case MPA_I64:
		return value.i64;
	default:
		return value.u8;
	}
}

double mpa_element_d(struct mpa_session *s, const char *where, int64_t array,
		     const int64_t *index)
{
	union {
		float f32;
		double f64;
	} value = { .f64 = 0 };

	element_bytes(s, where, array, index, &value);
	return s->program->array[array].elem == MPA_F32 ? (double)value.f32 : value.f64;
}

void mpa_element_c(struct mpa_session *s, const char *where, int64_t array,
		   const int64_t *index, void *value)
{
	element_bytes(s, where, array, index, value);
}

double mpa_random_scalar(struct mpa_session *s, int64_t key)
{
	return random_uniform(s->options.seed, 0, key);
}

double mpa_normal_scalar(struct mpa_session *s, int64_t key)
{
	return random_normal(s->options.seed, 0, key);
}

double mpa_random_uniform(int64_t seed, int64_t key, int64_t flat)
{
	return random_uniform(seed, flat, key);
}

double mpa_random_normal(int64_t seed, int64_t key, int64_t flat)
{
	return random_normal(seed, flat, key);
}

float mpa_random_uniform_f32(int64_t seed, int64_t key, int64_t flat)
{
	return random_uniform_f32(seed, flat, key);
}
