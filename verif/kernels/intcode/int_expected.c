// SPDX-License-Identifier: Apache-2.0
/* int_expected DIR -- writes DIR/in.bin, and for each case of int_cases.h the launch file DIR/NAME.json and the host's
 * words, DIR/NAME.bin. Prints the names. */
#include <stdio.h>
#include <stdlib.h>

#include "int_cases.h"

static void write_file(const char *dir, const char *name, const void *data, size_t n)
{
	char path[300];
	snprintf(path, sizeof path, "%s/%s", dir, name);
	FILE *f = fopen(path, "wb");
	if (!f || fwrite(data, 1, n, f) != n || fclose(f)) {
		fprintf(stderr, "int_expected: cannot write %s\n", path);
		exit(1);
	}
}

/* Corners of two's complement and of shift amounts come up often. */
static uint32_t value(uint64_t *seed)
{
	static const uint32_t corner[] = {0,          1,          2,          31,         32,     33,     0x7fffffff,
	                                  0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0xffff, 0x10000};
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	uint32_t r = (uint32_t)(*seed >> 32);
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	uint32_t v = (uint32_t)(*seed >> 32);
	return r % 4 ? v >> r / 4 % 32 : corner[v % (sizeof corner / sizeof corner[0])];
}

static uint32_t in[CASE_THREADS][CASE_IN], out[CASE_THREADS][CASE_OUT];

static void write_case(const char *dir, const char *name, void (*compute)(const uint32_t *, uint32_t *))
{
	char file[100], text[1000];
	for (int t = 0; t < CASE_THREADS; t++)
		compute(in[t], out[t]);
	snprintf(file, sizeof file, "%s.bin", name);
	write_file(dir, file, out, sizeof out);
	int n = snprintf(
	        text, sizeof text,
	        "{\"kernel\": \"k_%s\", \"grid\": [2, 1, 1], \"block\": [%d, 1, 1], \"cluster\": null,\n"
	        " \"dynamic_shared\": 0, \"expect\": \"pass\", \"args\": [\n"
	        "  {\"name\": \"in\", \"kind\": \"buffer\", \"type\": \"u32\", \"count\": %d, \"init\": "
	        "\"file:in.bin\", "
	        "\"expect\": null},\n"
	        "  {\"name\": \"out\", \"kind\": \"buffer\", \"type\": \"u32\", \"count\": %d, \"init\": \"zero\", "
	        "\"expect\": \"file:%s.bin\"}]}\n",
	        name, CASE_THREADS / 2, CASE_THREADS * CASE_IN, CASE_THREADS * CASE_OUT, name);
	snprintf(file, sizeof file, "%s.json", name);
	write_file(dir, file, text, (size_t)n);
	puts(name);
}

int main(int argc, char **argv)
{
	uint64_t seed = 7;
	if (argc != 2) {
		fputs("usage: int_expected DIR\n", stderr);
		return 2;
	}
	for (int t = 0; t < CASE_THREADS; t++)
		for (int i = 0; i < CASE_IN; i++)
			in[t][i] = value(&seed);
	write_file(argv[1], "in.bin", in, sizeof in);
#define WRITE(name) write_case(argv[1], #name, case_##name);
	CASES(WRITE)
	return 0;
}
