// SPDX-License-Identifier: Apache-2.0
/* rules.h -- the program around the result rules of a kernel of the corpus (NAME.expected.c).
 *   NAME.expected gen DIR     writes DIR/NAME.ARG.bin for each argument with one right content
 *   NAME.expected check DIR   judges the final buffers DIR/ARG.bin; prints PASS or FAIL, exit status 0 or 1
 * Buffers are raw little-endian arrays. No code of the compiler or the models. */
#ifndef VERIF_CORPUS_RULES_H
#define VERIF_CORPUS_RULES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *dir;
static int checking, bad;

/* EXPECT: the buffer ends with these bytes. ACTUAL: the buffer of a run, NULL for `gen`. FAILIF: an invariant is broken. */
#define EXPECT(arg, data, size) expect(arg, data, size)
#define ACTUAL(arg, size)       (checking ? load(arg, size) : NULL)
#define FAILIF(broken, text)                                                                                           \
	do {                                                                                                           \
		if (broken) {                                                                                          \
			printf("FAIL %s\n", text);                                                                     \
			bad = 1;                                                                                       \
		}                                                                                                      \
	} while (0)

/* Element i of a launch file's "random:SEED:LO:HI". */
static inline uint32_t rnd(uint32_t seed, uint32_t lo, uint32_t hi, uint32_t i)
{
	uint32_t x = seed * 0x9E3779B9u + i * 0x85EBCA6Bu + 1u;
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	x ^= x >> 16;
	return lo + x % (hi - lo + 1u);
}

static inline int cmp_u32(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

static inline int same_multiset(const uint32_t *a, const uint32_t *b, int n)
{
	size_t size = 4 * (size_t)n;
	uint32_t *x = malloc(size + 4), *y = malloc(size + 4);
	memcpy(x, a, size);
	memcpy(y, b, size);
	qsort(x, (size_t)n, 4, cmp_u32);
	qsort(y, (size_t)n, 4, cmp_u32);
	int same = !memcmp(x, y, size);
	free(x);
	free(y);
	return same;
}

static inline uint16_t f16bits(uint32_t v) /* exact for integers below 2048 */
{
	int e = v ? 31 - __builtin_clz(v) : 0;
	return v ? (uint16_t)((e + 15) << 10 | ((v << (10 - e)) & 0x3ff)) : 0;
}

static inline void *load(const char *arg, size_t n)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s.bin", dir, arg);
	FILE *f = fopen(path, "rb");
	char *buffer = malloc(n + 1);
	if (!f || fread(buffer, 1, n + 1, f) != n) {
		printf("FAIL %s: missing or wrong size\n", arg);
		exit(1);
	}
	fclose(f);
	return buffer;
}

static inline void expect(const char *arg, const void *want, size_t n)
{
	if (checking) {
		if (memcmp(load(arg, n), want, n)) {
			printf("FAIL %s differs\n", arg);
			bad = 1;
		}
		return;
	}
	char path[4096];
	snprintf(path, sizeof path, "%s/" KERNEL ".%s.bin", dir, arg);
	FILE *f = fopen(path, "wb");
	if (!f || fwrite(want, 1, n, f) != n || fclose(f)) {
		perror(path);
		exit(1);
	}
}

static void rules(void);

int main(int argc, char **argv)
{
	if (argc != 3 || (strcmp(argv[1], "gen") && strcmp(argv[1], "check"))) {
		fprintf(stderr, "usage: " KERNEL ".expected gen|check DIR\n");
		return 2;
	}
	checking = !strcmp(argv[1], "check");
	dir = argv[2];
	rules();
	if (checking && !bad)
		puts("PASS");
	return bad;
}

#endif
