// SPDX-License-Identifier: Apache-2.0
/* remote_expected.c -- expected buffers of the kernels of remote.cu, computed on the host.
 *
 *   remote_expected DIR     writes DIR/KERNEL.BUFFER.bin */
#include <stdbool.h>
#include <string.h>

#include "../expected.h"

enum { MOST = 16384 };

static uint32_t in[MOST], out[MOST];
static uint64_t wide[MOST];

static void fill(uint32_t seed, uint32_t most)
{
	memset(out, 0, sizeof out);
	memset(wide, 0, sizeof wide);
	for (uint32_t i = 0; i < MOST; i++)
		in[i] = rnd(seed, 0, most, i);
}

/* Sum of the pending counts for n lanes arriving together. From sm_90 on all lanes get the count before the first
 * arrival (docs/silicon.md). On sm_80 each lane gets the count before its own arrival. */
static uint32_t counts_of(uint32_t n, bool one_token)
{
	return one_token ? n * n : n * (n + 1) / 2;
}

static void reused(bool one_token)
{
	for (uint32_t round = 0; round < 6; round++) {
		const uint32_t n = 8 + 4 * round, half = n / 2;
		for (uint32_t t = 0; t < 128; t++) {
			out[t] += n * (round + 1);
			out[128 + t] += 3 * (t % 2 ? ~round : round * 17 + t / 32) + counts_of(n, one_token) +
			                1000 * counts_of(half, one_token);
		}
	}
	/* 10 to come: 3 arrive, 4 drop, 2 arrive, 1 arrives; then phases of 6 */
	const uint32_t own[10] = {10, 7, 3, 1, 6, 1, 0, 1, 1, 6};
	memcpy(out + 256, own, sizeof own);
}

static void heard(void)
{
	for (uint32_t t = 0; t < 128; t++) {
		uint32_t s = 0;
		for (uint32_t k = 0; k < 4; k++) {
			const uint32_t i = (4 * t + k + 64) % 512;
			s = s * 31 + (i % 4 < i / 4 % 5 ? in[i] : 0);
		}
		out[t] = s + in[512 + (t + 64) % 128];
	}
}

static void exchange(uint32_t n, uint32_t ctas)
{
	for (uint32_t block = 0; block < ctas; block++) {
		const uint32_t me = block % n, sum = n * (n + 1) / 2;
		uint32_t least = ~0u, most = 0, inc = 3, dec = 5, all = ~0u, some = 0, odd = 0;
		for (uint32_t from = 0; from < n; from++) {
			uint32_t *o = out + (block * 16 + from) * 8, mixed = 50 + (from * 7 + me) % 16;
			uint64_t *w = wide + (block * 16 + from) * 4;
			o[0] = 1000 * (block / n) + 100 * from + me;
			o[1] = from;
			o[2] = me;
			o[3] = from * me;
			o[4] = ~from;
			w[0] = (uint64_t)from << 32 | me;
			w[1] = (uint64_t)from << 40;
			w[2] = ~(uint64_t)me;
			least = mixed < least ? mixed : least;
			most = mixed > most ? mixed : most;
			inc = inc >= 6 ? 0 : inc + 1;
			dec = dec == 0 || dec > 6 ? 6 : dec - 1;
			all &= ~(1u << from);
			some |= 256u << from;
			odd ^= from * me;
		}
		const uint32_t reduced[10] = {sum, least, most, inc, dec, all, some, odd, 1 - n, ~0u};
		for (uint32_t k = 0; k < 10; k++)
			out[(block * 16 + k) * 8 + 5] = reduced[k];
		wide[block * 64 + 3] = 0x80000000ull * sum;
	}
}

static void sets(void)
{
	for (uint32_t block = 0; block < 16; block++) {
		const uint32_t me = block % 8, from = 64 * ((me + 5) % 8);
		uint32_t *o = out + block * 640;
		for (uint32_t i = 0; i < 512; i++)
			o[i] = (me * 3 + i / 64) % 4 && i % 64 < 4 * (i / 64 + 1) ? in[i] : ~0u;
		for (uint32_t t = 0; t < 16; t++) {
			uint32_t *r = o + 512 + t;
			r[0] = t + from + t;
			r[16] = from + t;
			r[32] = from + 16 + t;
			r[48] = 9 >= from + 16 + t ? 0 : 10;
			r[64] = r[80] = from + 32 + t;
			r[96] = 0x55 ^ (from + 48 + t);
		}
	}
}

static void counted(uint32_t n, uint32_t ctas)
{
	for (uint32_t block = 0; block < ctas; block += n) {
		const uint32_t first[5] = {0, 2 * n, 0, 1, 1};
		memcpy(out + block * 8, first, sizeof first);
		out[(block + n - 1) * 8 + 7] = 7;
	}
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	fill(1, 0);
	reused(true);
	save(argv[1], "reused.out", out, 266 * sizeof *out);
	fill(1, 0);
	reused(false);
	save(argv[1], "reused_80.out", out, 266 * sizeof *out);
	fill(5, 1000000);
	heard();
	save(argv[1], "heard.out", out, 128 * sizeof *out);
	fill(1, 0);
	exchange(16, 32);
	save(argv[1], "exchange.out", out, 32 * 128 * sizeof *out);
	save(argv[1], "exchange.wide", wide, 32 * 64 * sizeof *wide);
	fill(7, 1000000);
	sets();
	save(argv[1], "sets.out", out, 16 * 640 * sizeof *out);
	fill(1, 0);
	counted(5, 10);
	save(argv[1], "counted.out", out, 80 * sizeof *out);
	return 0;
}
