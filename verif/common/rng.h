// SPDX-License-Identifier: Apache-2.0
/* rng.h -- the random numbers of every test: xorshift64*, seeded through splitmix64: seeds 1, 2, 3 are unrelated. The
 * same on every machine. */
#ifndef WARPLOCK_RNG_H
#define WARPLOCK_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
	uint64_t s;
};

static inline struct rng rng_seed(uint64_t seed, uint64_t stream)
{
	uint64_t z = seed * UINT64_C(0xd1342543de82ef95) + stream * UINT64_C(0x9e3779b97f4a7c15) +
	             UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	return (struct rng){z ? z : 1};
}

static inline uint64_t rng_next(struct rng *r)
{
	r->s ^= r->s >> 12;
	r->s ^= r->s << 25;
	r->s ^= r->s >> 27;
	return r->s * UINT64_C(0x2545f4914f6cdd1d);
}

/* The upper half, with better quality. */
static inline uint32_t rng_u32(struct rng *r)
{
	return (uint32_t)(rng_next(r) >> 32);
}

/* 0 .. n-1; n > 0 */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
	return (uint32_t)((uint64_t)rng_u32(r) * n >> 32);
}

static inline bool rng_one_in(struct rng *r, uint32_t n)
{
	return rng_below(r, n) == 0;
}

#endif
