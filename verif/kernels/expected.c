// SPDX-License-Identifier: Apache-2.0
/* expected.c -- host arithmetic for the kernels of this folder: expected contents of the buffers.
 *
 *   expected DIR         writes DIR/<kernel>.<arg>.bin, raw little-endian
 * The committed .bin files are the program's output; a check compares both. No code of the models. */
#include <stdint.h>
#include <stdio.h>

#include "expected.h"

static void letter_hist(const char *dir)
{
	uint32_t count[26] = {0}, longest[4] = {0};
	for (uint32_t i = 0; i < 5000; i++) {
		uint32_t v = rnd(2026, 0, 4294967294, i);
		uint32_t block = i % (4 * 160) / 160; /* grid-stride loop: the block of element i */
		count[(v & 255) * (v >> 8 & 255) * 26 >> 16]++;
		if (v >> 16 > longest[block])
			longest[block] = v >> 16;
	}
	save(dir, "letter_hist.count", count, sizeof count);
	save(dir, "letter_hist.longest", longest, sizeof longest);
}

static void accounts(const char *dir)
{
	uint64_t total[6];
	uint32_t balance[24], moves[24] = {0};
	for (int b = 0; b < 3; b++) {
		total[2 * b] = 0xffffff00, total[2 * b + 1] = 0;
		for (int a = 0; a < 8; a++)
			balance[8 * b + a] = 1000000;
		for (uint32_t t = 0; t < 112; t++)
			for (uint32_t step = 0; step < 4; step++) {
				uint32_t id = (uint32_t)b * 112 + t, amount = (id * 37 + step * 11) & 1023;
				uint32_t account = 8 * (uint32_t)b + ((id + step * 5) & 7);
				balance[account] += step % 2 ? amount : 0 - amount;
				moves[account]++;
				total[2 * b] += (uint64_t)amount << 20 | amount;
				uint64_t key = (uint64_t)amount << 33 | id;
				if (key > total[2 * b + 1])
					total[2 * b + 1] = key;
			}
	}
	save(dir, "accounts.total", total, sizeof total);
	save(dir, "accounts.balance", balance, sizeof balance);
	save(dir, "accounts.moves", moves, sizeof moves);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: expected DIR\n");
		return 2;
	}
	letter_hist(argv[1]);
	accounts(argv[1]);
	return 0;
}
