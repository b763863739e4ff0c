// SPDX-License-Identifier: Apache-2.0
/* policy_expected.c -- expected buffers of the kernel of hinted.sm_80.ptx, in host arithmetic.
 *
 *   policy_expected DIR     writes DIR/hinted.<arg>.bin */
#include <string.h>

#include "../expected.h"

enum { THREADS = 96, WORDS = 4 };

struct word {
	uint32_t sum, most;
	float threads;
	uint32_t gap;
	uint64_t wide;
	uint32_t odd, count;
};

int main(int argc, char **argv)
{
	uint32_t out[THREADS];
	struct word words[WORDS];
	if (argc != 2)
		return 2;
	memset(words, 0, sizeof words);
	for (uint32_t t = 0; t < THREADS; t++) {
		struct word *w = &words[t % WORDS];
		out[t] = 2 * rnd(77, 1, 100000, t);
		w->sum += out[t];
		w->most = out[t] > w->most ? out[t] : w->most;
		w->threads += (float)t;
		w->wide += out[t];
		w->odd += t % WORDS != 1;
		w->count++;
	}
	save(argv[1], "hinted.out", out, sizeof out);
	save(argv[1], "hinted.words", words, sizeof words);
	return 0;
}
