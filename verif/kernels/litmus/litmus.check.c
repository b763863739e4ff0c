// SPDX-License-Identifier: Apache-2.0
/* litmus.check.c -- judges the results of the litmus kernels: outcomes allowed by the PTX memory model pass, forbidden
 * outcomes fail. The buffers in DIR tell the kernel.
 *
 *   x check DIR     reads DIR/<arg>.bin; exit 0 or 1
 *
 * Verdicts: two atomics of one scope read different values, and no strong store slips into an atomic (rmw); fence.sc on
 * all sides of store buffering and of IRIW, acq_rel atomics instead of the accesses (sb); release, release sequence
 * through another thread's atomic, observation and then causality, atom and fence (mp); coherence of strong accesses.
 * Relaxed store buffering: all. */
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "../expected.h"

enum { ROUNDS = 6, N = 32 * ROUNDS, WARPS = 6 };

static const char *dir;
static unsigned bad;

static uint32_t *load(const char *arg, unsigned count)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s.bin", dir, arg);
	FILE *f = fopen(path, "rb");
	uint32_t *v = calloc(count + 1, 4);
	if (!f)
		return free(v), NULL;
	if (fread(v, 4, count + 1, f) != count) {
		printf("%s: not %u words\n", path, count);
		exit(1);
	}
	fclose(f);
	return v;
}

static void fail(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (bad++ < 8)
		vprintf(format, args);
	va_end(args);
}

/* Each of the threads on word `at` of four has another number, counted from 0. */
static void each_once(const char *name, const uint32_t *old, unsigned at)
{
	static bool seen[WARPS * N];
	memset(seen, 0, sizeof seen);
	for (unsigned i = at; i < WARPS * N; i += 4) {
		if (old[i] >= WARPS * N / 4 || seen[old[i]])
			fail("forbidden: %s: thread %u got %u, as another did or nobody can\n", name, i, old[i]);
		else
			seen[old[i]] = true;
	}
}

/* The exchanges of a word are a chain from 0 to the value left. One thread gets each thread's value; the last value is
 * left. */
static void chain_of(const uint32_t *swapped, uint32_t left, unsigned at)
{
	static unsigned taken[WARPS * N + 1];
	memset(taken, 0, sizeof taken);
	for (unsigned i = at; i < WARPS * N; i += 4)
		taken[swapped[i] <= WARPS * N ? swapped[i] : 0]++;
	taken[left <= WARPS * N ? left : 0]++;
	for (unsigned i = 0; i <= WARPS * N; i++)
		if (taken[i] != (i == 0 || (i - 1) % 4 == at))
			fail("forbidden: exchange: %u was handed on %u times\n", i, taken[i]);
}

/* +1, +16 and =5 on a 0, in any order. */
static bool some_order(uint32_t left, uint32_t one, uint32_t sixteen)
{
	static const unsigned orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
	for (unsigned k = 0; k < 6; k++) {
		uint32_t v = 0, got[3] = {0};
		for (unsigned i = 0; i < 3; i++) {
			const unsigned what = orders[k][i];
			got[what] = v;
			v = what == 0 ? v + 1 : what == 1 ? v + 16 : 5;
		}
		if (v == left && got[0] == one && got[1] == sixteen)
			return true;
	}
	return false;
}

static void rmw(const uint32_t *counter)
{
	const uint32_t *added = load("added", WARPS * N), *swapped = load("swapped", WARPS * N),
	               *slot = load("slot", 4), *tried = load("tried", WARPS * N), *tally = load("tally", 4),
	               *cell = load("cell", N), *left = load("left", 2 * N);
	for (unsigned at = 0; at < 4; at++) {
		each_once("add", added, at);
		each_once("compare and swap", tried, at);
		chain_of(swapped, slot[at], at);
		if (counter[at] != WARPS * N / 4 || tally[at] != WARPS * N / 4)
			fail("forbidden: %u additions, %u swaps are left of %u\n", counter[at], tally[at],
			     WARPS * N / 4);
	}
	for (unsigned n = 0; n < N; n++)
		if (!some_order(cell[n], left[n], left[N + n]))
			fail("forbidden: +1 got %u, +16 got %u, a store wrote 5, %u is left\n", left[n], left[N + n],
			     cell[n]);
}

static void sb(const uint32_t *ring)
{
	const uint32_t *rmw = load("rmw", 2 * N), *iriw = load("iriw", 2 * N), *relaxed = load("relaxed", 2 * N);
	unsigned weak = 0;
	for (unsigned n = 0; n < N; n++) {
		if (!(ring[n] | ring[N + n] | ring[2 * N + n]))
			fail("forbidden: ring %u: nobody saw the next one's store, across fence.sc\n", n);
		if (!(rmw[n] | rmw[N + n]))
			fail("forbidden: rmw %u: neither second atomic saw the first of the other CTA\n", n);
		if (iriw[n] == 1 && iriw[N + n] == 1)
			fail("forbidden: iriw %u: two readers do not agree which store was first\n", n);
		if (relaxed[n] > 1 || relaxed[N + n] > 1)
			fail("forbidden: relaxed %u: out of thin air\n", n);
		weak += !(relaxed[n] | relaxed[N + n]);
	}
	printf("relaxed: both 0, as is allowed, %u of %u times\n", weak, N);
}

static void mp(const uint32_t *chain)
{
	const uint32_t *wrc = load("wrc", N), *fetch = load("fetch", N);
	for (unsigned n = 0; n < N; n++) {
		if (chain[n] != n + 1)
			fail("forbidden: chain %u: the flag came through, the data did not: %u\n", n, chain[n]);
		if (wrc[n] != n + 3)
			fail("forbidden: wrc %u: the flag came through, the data did not: %u\n", n, wrc[n]);
		if (fetch[n] != n + 7 && fetch[n] != ~0u)
			fail("forbidden: fetch %u: the flag came through, the data did not: %u\n", n, fetch[n]);
	}
}

/* Do the values never go back in this order of the four stores? `from`: lowest allowed place of the first value. */
static bool forward(const unsigned place[5], uint32_t values, unsigned count, unsigned from)
{
	for (unsigned k = 0; k < count; k++) {
		const unsigned v = values >> 8 * k & 0xff;
		if (v > 4 || place[v] < from)
			return false;
		from = place[v];
	}
	return true;
}

static bool coherent(uint32_t last, const uint32_t own[2], const uint32_t seen[3])
{
	static const unsigned orders[6][4] = {{1, 2, 3, 4}, {1, 3, 2, 4}, {1, 3, 4, 2},
	                                      {3, 1, 2, 4}, {3, 1, 4, 2}, {3, 4, 1, 2}};
	for (unsigned k = 0; k < 6; k++) {
		unsigned place[5] = {0};
		for (unsigned i = 0; i < 4; i++)
			place[orders[k][i]] = i + 1;
		if (last == orders[k][3] && forward(place, own[0], 1, place[2]) &&
		    forward(place, own[1], 1, place[4]) && forward(place, seen[0], 4, 0) &&
		    forward(place, seen[1], 4, 0) && forward(place, seen[2], 4, 0))
			return true;
	}
	return false;
}

static void coherence(const uint32_t *own)
{
	const uint32_t *x = load("x", 9 * N), *seen = load("seen", 3 * N);
	for (unsigned n = 0; n < N; n++) {
		const uint32_t last = n & 1 ? x[n] : x[N + 8 * n], mine[2] = {own[n], own[N + n]},
		               readers[3] = {seen[n], seen[N + n], seen[2 * N + n]};
		if (!coherent(last, mine, readers))
			fail("forbidden: location %u: readers saw %08x %08x %08x (first lowest), the writers %u and "
			     "%u, %u is "
			     "left: no order of the stores 1 2 and 3 4 has that\n",
			     n, readers[0], readers[1], readers[2], mine[0], mine[1], last);
	}
}

int main(int argc, char **argv)
{
	const uint32_t *buffer;
	if (argc != 3 || strcmp(argv[1], "check") != 0)
		return 2;
	dir = argv[2];
	if ((buffer = load("counter", 4)))
		rmw(buffer);
	else if ((buffer = load("ring", 3 * N)))
		sb(buffer);
	else if ((buffer = load("chain", N)))
		mp(buffer);
	else if ((buffer = load("own", 2 * N)))
		coherence(buffer);
	else
		fail("%s: no buffers of a litmus kernel\n", dir);
	return bad != 0;
}
