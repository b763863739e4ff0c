// SPDX-License-Identifier: Apache-2.0
/* matrix_expected.c -- host arithmetic for the kernels of this folder, by the fragments of the PTX ISA ("ldmatrix",
 * "stmatrix"): thread 4i + j/2 holds numbers (i, j) and (i, j + 1) of a matrix; with .trans numbers of (j, i).
 *
 *   matrix_expected DIR         writes DIR/<kernel>.<arg>.bin, raw little-endian */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../expected.h"

enum { WARPS = 2, LANES = 32, FORMS = 6, SIDE = 8, WORDS = 4 };

static unsigned matrices(unsigned form)
{
	return 1u << form / 2;
}

/* Number (i, j) of matrix m in the registers of a warp. */
static void *held(uint32_t regs[LANES][WORDS], unsigned form, unsigned m, unsigned i, unsigned j)
{
	const unsigned row = form % 2 ? j : i, column = form % 2 ? i : j;
	return (unsigned char *)&regs[4 * row + column / 2][m] + 2 * (column % 2);
}

static void move(uint32_t regs[LANES][WORDS], uint16_t rows[LANES][SIDE], unsigned form, unsigned spread, int stores)
{
	for (unsigned m = 0; m < matrices(form); m++)
		for (unsigned i = 0; i < SIDE; i++)
			for (unsigned j = 0; j < SIDE; j++) {
				void *number = &rows[(SIDE * m + i) * spread % LANES][j],
				     *lane = held(regs, form, m, i, j);
				memcpy(stores ? number : lane, stores ? lane : number, sizeof(uint16_t));
			}
}

static void fragments(const char *dir)
{
	static uint32_t out[WARPS * LANES][FORMS][WORDS];
	for (unsigned warp = 0; warp < WARPS; warp++) {
		uint32_t words[LANES * WORDS];
		for (unsigned n = 0; n < LANES * WORDS; n++)
			words[n] = (warp * LANES * WORDS + n) * 0x9e3779b1u;
		for (unsigned form = 0; form < FORMS; form++) {
			uint32_t regs[LANES][WORDS] = {{0}};
			uint16_t rows[LANES][SIDE];
			memcpy(rows, words, sizeof rows);
			move(regs, rows, form, 11, 0);
			for (unsigned l = 0; l < LANES; l++)
				memcpy(out[warp * LANES + l][form], regs[l], sizeof regs[l]);
		}
	}
	save(dir, "fragments.out", out, sizeof out);
}

static void tiles(const char *dir)
{
	static uint32_t out[WARPS * LANES][FORMS][WORDS], back[WARPS * LANES][FORMS][WORDS];
	for (unsigned warp = 0; warp < WARPS; warp++)
		for (unsigned form = 0; form < FORMS; form++) {
			uint32_t regs[LANES][WORDS];
			uint16_t rows[LANES][SIDE] = {{0}};
			for (unsigned l = 0; l < LANES; l++)
				for (unsigned k = 0; k < WORDS; k++)
					regs[l][k] = ((warp * LANES + l) * 4 + k + 1000 * form) * 0x9e3779b1u;
			move(regs, rows, form, 13, 1);
			for (unsigned l = 0; l < LANES; l++) {
				memcpy(out[warp * LANES + l][form], rows[l], sizeof rows[l]);
				memcpy(back[warp * LANES + l][form], regs[l], matrices(form) * sizeof regs[l][0]);
			}
		}
	save(dir, "tiles.out", out, sizeof out);
	save(dir, "tiles.back", back, sizeof back);
}

/* Element (i, j) of the result is element (j, i) of a matrix holding each element's place. */
static void turn(const char *dir)
{
	enum { N = 64 };
	static uint16_t out[N][N];
	for (unsigned i = 0; i < N; i++)
		for (unsigned j = 0; j < N; j++)
			out[i][j] = (uint16_t)(N * j + i);
	save(dir, "turn.out", out, sizeof out);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: matrix_expected DIR\n");
		return 2;
	}
	fragments(argv[1]);
	tiles(argv[1]);
	turn(argv[1]);
	return 0;
}
