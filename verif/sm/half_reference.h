// SPDX-License-Identifier: Apache-2.0
/* half_reference.h -- arithmetic on float16 and bfloat16 by IEEE 754 and the instructions' modifiers: exact in 113
 * bits, rounded by search (nearest.h). */
#ifndef VERIF_SM_HALF_REFERENCE_H
#define VERIF_SM_HALF_REFERENCE_H

#include "nearest.h"

struct fmt {
	bool bf16, ftz, sat, relu;
};

static inline struct small shape(struct fmt f)
{
	return f.bf16 ? SMALL_BF16 : SMALL_F16;
}
static inline bool is_nan(struct fmt f, uint32_t h)
{
	return (h & 0x7fff) > (f.bf16 ? 0x7f80 : 0x7c00);
}
static inline bool is_inf(struct fmt f, uint32_t h)
{
	return (h & 0x7fff) == (f.bf16 ? 0x7f80 : 0x7c00);
}
static inline uint32_t ftz(struct fmt f, uint32_t h)
{
	return f.ftz && (h & 0x7fff) < (f.bf16 ? 0x0080 : 0x0400) ? h & 0x8000 : h;
}
static inline real value(struct fmt f, uint32_t h)
{
	real v = small_value(shape(f), h & 0x7fff);
	return h >> 15 ? -v : v;
}

/* a * b + c on halves by IEEE 754, then the modifiers. */
static inline uint32_t fused(struct fmt f, uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t inf = f.bf16 ? 0x7f80 : 0x7c00, one = f.bf16 ? 0x3f80 : 0x3c00, r;
	a = ftz(f, a), b = ftz(f, b), c = ftz(f, c);
	bool nan = is_nan(f, a) || is_nan(f, b) || is_nan(f, c);
	bool pinf = is_inf(f, a) || is_inf(f, b), psign = (a ^ b) >> 15;
	nan = nan || (pinf && (!(a & 0x7fff) || !(b & 0x7fff))) || (pinf && is_inf(f, c) && psign != c >> 15);
	if (nan)
		return f.sat ? 0 : 0x7fff;
	if (pinf || is_inf(f, c)) {
		r = inf | (pinf ? (uint32_t)psign << 15 : c & 0x8000);
	} else {
		struct exact v = exact_sum(value(f, a) * value(f, b), value(f, c));
		bool zero = v.s == 0, neg = zero ? psign && c >> 15 : v.s < 0;
		r = small_round(shape(f), v, neg, NEAREST) | (neg ? 0x8000 : 0);
	}
	r = ftz(f, r);
	if (f.sat)
		return r >> 15 ? 0 : r > one ? one : r;
	return f.relu && r >> 15 ? 0 : r;
}

/* A sum without a third term adds -0; a sum multiplies with 1. */
static inline uint32_t sum(struct fmt f, uint32_t a, uint32_t b, uint32_t c)
{
	(void)c;
	return fused(f, a, f.bf16 ? 0x3f80 : 0x3c00, b);
}
static inline uint32_t product(struct fmt f, uint32_t a, uint32_t b, uint32_t c)
{
	(void)c;
	return fused(f, a, b, ((a ^ b) & 0x8000));
}

#endif
