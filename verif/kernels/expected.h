// SPDX-License-Identifier: Apache-2.0
/* expected.h -- shared by the programs for expected buffers on the host: output of a buffer, and the random contents in
 * launch files. No code of the compiler or the models. */
#ifndef VERIF_KERNELS_EXPECTED_H
#define VERIF_KERNELS_EXPECTED_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static inline void save(const char *dir, const char *name, const void *data, size_t size)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s.bin", dir, name);
	FILE *f = fopen(path, "wb");
	if (!f || fwrite(data, 1, size, f) != size || fclose(f)) {
		perror(path);
		exit(1);
	}
}

/* Element i of a launch file's "random:SEED:LO:HI": two multiply-xorshift rounds of 32 bits, then reduced
 * to the range. */
static inline uint32_t rnd(uint32_t seed, uint32_t lo, uint32_t hi, uint32_t i)
{
	uint32_t h = seed * 2654435769u + i * 2246822507u + 1u;
	h = (h ^ h >> 16) * 2146121005u;
	h = (h ^ h >> 15) * 2221713035u;
	h ^= h >> 16;
	return lo + h % (hi - lo + 1u);
}

#endif
