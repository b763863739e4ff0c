// SPDX-License-Identifier: Apache-2.0
/* random_program.h -- random PTX kernels and their meaning for one thread.
 *
 * A program works on eight 32-bit, five 64-bit and four predicate variables and on slots of shared and local memory
 * that belong to the thread alone, so what each thread ends with does not depend on the others. */
#ifndef VERIF_COMPILER_RANDOM_PROGRAM_H
#define VERIF_COMPILER_RANDOM_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

enum { NUM_W = 8, NUM_D = 5, NUM_P = 4, SLOT_BYTES = 32 };

struct values {
	uint64_t w[NUM_W], d[NUM_D], p[NUM_P];
	uint8_t shared[SLOT_BYTES], local[SLOT_BYTES];
};

struct program;

struct program *program_new(uint64_t seed, unsigned statements);
void program_free(struct program *p);
/* The kernel: entry `k`, parameters in and out, each 14 words of 64 bits for a thread: w, d, p. */
void program_print(const struct program *p, char *text, size_t n);
/* One thread. False when it takes too many steps. */
void program_run(const struct program *p, struct values *v);

#endif
