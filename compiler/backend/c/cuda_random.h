
MPA_FN double mpa_random_uniform(int64_t seed, int64_t key, int64_t flat)
{
	return random_uniform(seed, flat, key);
}

MPA_FN float mpa_random_uniform_f32(int64_t seed, int64_t key, int64_t flat)
{
	return random_uniform_f32(seed, flat, key);
}

MPA_FN double mpa_random_normal(int64_t seed, int64_t key, int64_t flat)
{
	return random_normal(seed, flat, key);
}
