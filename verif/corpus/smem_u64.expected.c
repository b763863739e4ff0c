// SPDX-License-Identifier: Apache-2.0
// smem_u64: the result rules.
#define KERNEL "smem_u64"
#include "rules.h"

static void rules(void)
{
	static uint64_t a[576], m[576], p[576];
	static int64_t q[576];
	uint64_t *k, *x, *l;
	for (int i = 0; i < 576; i++)
		q[i] = INT64_MIN;
	for (int s = 0; s < 6; s++)
		for (int g = 0; g < 264; g++) {
			int w = g / 88 * 192 + s * 32 + ((g % 88) >> s & 31);
			uint32_t v = rnd(74, 1, 4294967294u, s * 264 + g);
			uint64_t big = v * 0x9E3779B97F4A7C15ull;
			a[w] += big;
			if (big > m[w])
				m[w] = big;
			if ((v & 3) && (int64_t)big > q[w])
				q[w] = (int64_t)big;
			if (v & 12)
				p[w] += (1ull << 40) + (v & 0xffffff);
		}
	EXPECT("sum", a, sizeof a);
	EXPECT("top", m, sizeof m);
	EXPECT("stop", q, sizeof q);
	EXPECT("pack", p, sizeof p);
	k = ACTUAL("tick", 12672);
	x = ACTUAL("swaps", 12672);
	l = ACTUAL("last", 4608);
	if (k && x && l)
		for (int b = 0; b < 3; b++)
			for (int w = 0; w < 192; w++) {
				char seen[88] = {0}, left[89] = {0};
				int n = 0, s = w / 32, first = 0;
				uint64_t old;
				for (int t = 0; t < 88; t++)
					n += (t >> s & 31) == w % 32;
				for (int t = 0; t <= 88;
				     t++) { /* every value written is returned once, but the last one; the first one returned is the initial one */
					if (t < 88 && (t >> s & 31) != w % 32)
						continue;
					int i = s * 264 + b * 88 + t;
					if (t < 88) {
						uint64_t d = k[i] - 0xfffffff0u;
						FAILIF(d >= (uint64_t)n || seen[d % 88]++,
						       "64-bit tickets are not consecutive");
					}
					old = t < 88 ? x[i] : l[b * 192 + w];
					if (old == 0xabcdef0123456789ull) {
						FAILIF(first++ || (t == 88 && n), "the initial value came twice");
						continue;
					}
					uint32_t u = (uint32_t)(old >> 32) - b * 88;
					if (u >= 88 || (u >> s & 31) != (uint32_t)(w % 32) ||
					    (uint32_t)old != rnd(74, 1, 4294967294u, s * 264 + b * 88 + u))
						FAILIF(1, "foreign value from exchange");
					else
						FAILIF(left[u]++, "a value came twice from exchange");
				}
				FAILIF(!first, "the initial value is lost");
			}
}
