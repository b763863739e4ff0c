// SPDX-License-Identifier: Apache-2.0
/* progress_expected.c -- expected `out` of the kernels of progress.cu, computed thread by thread on the host.
 *
 *   progress_expected DIR     writes DIR/KERNEL.out.bin, 1024 words each */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CTAS = 3, THREADS = 80, ALL = CTAS * THREADS, WORDS = 1024 };

static uint32_t out[WORDS];
#define EACH_THREAD                                                                                                    \
	for (uint32_t me = 0; me < ALL; me++)                                                                          \
		for (uint32_t b = me / THREADS, t = me % THREADS, once = 1; once; once = 0, (void)b, (void)t)

static void lane_lock(void)
{
	EACH_THREAD
	out[me] = 1;
}

static void shared_lock(void)
{
	EACH_THREAD
	out[me] = 3 * THREADS;
}

static void ticket_lock(void)
{
	EACH_THREAD
	out[me] = me + 5;
}

static void chain(void)
{
	EACH_THREAD
	out[me] = (me ? out[me - 1] : 0) + THREADS - 1 - t;
}

static void ring(void)
{
	for (uint32_t b = 0; b < CTAS; b++)
		for (uint32_t lane = 0; lane < 32; lane++)
			for (uint32_t i = 0; i < 20; i++)
				out[b * 32 + lane] += i * 100 + (31 - lane) + b;
}

static void across(void)
{
	EACH_THREAD
	out[me] = (t * 3 + 1) * (b + 1);
}

static uint32_t depth(uint32_t n)
{
	return n < 2 ? n + 7 : depth(n - 2) + depth(n - 1) % 5;
}

static void calls(void)
{
	EACH_THREAD
	{
		out[me] = 1;
		out[256 + me] = depth(t % 7);
	}
}

/* A warp of n lanes, a step for all lanes at a time. */
static void nested_warp(uint32_t *v, uint32_t n)
{
	uint32_t was[32], votes;
	for (uint32_t turn = 0; turn < 4; turn++) {
		memcpy(was, v, sizeof was);
		for (uint32_t l = 0; l < n; l++) {
			if (l % 4 == 3)
				v[l] += was[3] + 1;
			for (uint32_t k = 0; l % 4 == 1 && k < (l & 12); k++)
				v[l] ^= k * 5;
			if (l % 2 == 0 && l & 4)
				v[l] += 100 + turn;
		}
		memcpy(was, v, sizeof was);
		votes = 0;
		for (uint32_t l = 0; l < n; l += 2)
			votes += v[l] & 1;
		for (uint32_t l = 0; l < n; l++)
			v[l] += l % 2 ? was[l ^ 2] & 0xff : votes;
		memcpy(was, v, sizeof was);
		for (uint32_t l = 0; l < n; l++)
			v[l] += was[l % 8 == 7 ? l : l + 1] & 3;
	}
}

static void nested(void)
{
	for (uint32_t w = 0; w < CTAS * 3; w++) {
		uint32_t v[32], n = w % 3 == 2 ? 16 : 32;
		for (uint32_t l = 0; l < 32; l++)
			v[l] = l;
		nested_warp(v, n);
		memcpy(&out[w / 3 * THREADS + w % 3 * 32], v, n * sizeof v[0]);
	}
}

/* Tiles of 8 begin at multiples of 8, also in the number of the thread among all. */
static void tiles(void)
{
	EACH_THREAD
	{
		uint32_t kind = t % 5 < 2 ? 1 : t / 8 % 2 ? 2 : 0, any = 0, sum = 0;
		for (uint32_t o = t / 8 * 8; o < t / 8 * 8 + 8; o++) {
			any |= o % 11 == 0;
			sum += (b * THREADS + o) * 7 % 13;
		}
		out[me] = sum * 16 + kind + (any ? 4 : 0);
		out[512 + b] += kind == 1;
		out[520 + b] += kind == 2;
	}
}

static void exits(void)
{
	EACH_THREAD
	{
		uint32_t v = THREADS - 1 - t + b;
		out[me] = t % 4 == 3 || (b == 1 && t / 32 == 1) || t == 0 ? 1 : 2 + v;
	}
}

static uint32_t leave(uint32_t v)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < 40; i++) {
		for (uint32_t j = 0; j < 5; j++) {
			v = v * 1664525u + 1013904223u;
			uint32_t top = v >> 28;
			if (top == 0)
				return n;
			if (top == 1) {
				n += 3;
				continue;
			}
			n += top == 2 || top == 3 ? 1 : top == 4 ? 0 : top == 15 ? v & 3 : 1;
			j += top == 4 ? 2 : 0;
			if (top == 15 && n > 90)
				return n;
			if (v & 64)
				break;
		}
		if (n > 60)
			break;
		n += 2;
	}
	return n;
}

static void leaves(void)
{
	EACH_THREAD
	out[me] = leave(me * 2654435761u);
}

static void matches(void)
{
	EACH_THREAD
	for (uint32_t k = 0; k < me % 6; k++)
		out[(me * 11 % 9 + 4 * k) % 9]++;
}

static void read_write(void)
{
	EACH_THREAD
	out[me] = me % 5 ? 2 : 1;
	out[512] = ALL;
}

static void two_locks(void)
{
	EACH_THREAD
	{
		out[me % 5]++;
		out[(me + 1) % 5]++;
	}
}

static void stack(void)
{
	EACH_THREAD
	out[me + 1] = 1;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*fill)(void);
	} kernels[] = {{"lane_lock", lane_lock},
	               {"shared_lock", shared_lock},
	               {"ticket_lock", ticket_lock},
	               {"chain", chain},
	               {"ring", ring},
	               {"across", across},
	               {"calls", calls},
	               {"nested", nested},
	               {"tiles", tiles},
	               {"exits", exits},
	               {"leaves", leaves},
	               {"matches", matches},
	               {"read_write", read_write},
	               {"two_locks", two_locks},
	               {"stack", stack}};
	for (unsigned i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
		char path[1000];
		memset(out, 0, sizeof out);
		kernels[i].fill();
		snprintf(path, sizeof path, "%s/%s.out.bin", argc > 1 ? argv[1] : ".", kernels[i].name);
		FILE *f = fopen(path, "wb");
		if (!f || fwrite(out, sizeof out, 1, f) != 1 || fclose(f)) {
			perror(path);
			return 1;
		}
	}
	return 0;
}
