// SPDX-License-Identifier: Apache-2.0
/* sectors_expected.c -- expected buffers of sectors.cu, in host arithmetic.
 *
 *   sectors_expected DIR     writes DIR/sectors.<arg>.bin */
#include "../expected.h"

enum { BLOCK = 64, THREADS = 3 * BLOCK };

int main(int argc, char **argv)
{
	const uint32_t arrived = THREADS / BLOCK;
	static uint64_t to[THREADS][4], sums[BLOCK][4];
	if (argc != 2)
		return 2;
	for (unsigned t = 0; t < THREADS; t++) {
		uint64_t v[4];
		for (unsigned k = 0; k < 4; k++) /* words count from 0 */
			v[k] = (8 * t + 2 * k) | (uint64_t)(8 * t + 2 * k + 1) << 32;
		const uint64_t r[4] = {v[3] + 1, v[2] ^ v[0], v[1] * 3, v[0]};
		for (unsigned k = 0; k < 4; k++) {
			to[t][k] = r[k];
			sums[t % BLOCK][k] += r[k];
		}
	}
	save(argv[1], "sectors.to", to, sizeof to);
	save(argv[1], "sectors.arrived", &arrived, sizeof arrived);
	save(argv[1], "sectors.sums", sums, sizeof sums);
	return 0;
}
