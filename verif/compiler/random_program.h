// SPDX-License-Identifier: Apache-2.0
/* random_program.h -- random PTX kernels, with the expected values of a thread.
 *
 * A program works on eight 32-bit, five 64-bit and four predicate variables, and on private slots of shared and local
 * memory. So the final values of each thread do not depend on other threads. */
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
/* Prints the kernel: entry `k`, parameters in and out, each 14 words of 64 bits for a thread: w, d, p. */
void program_print(const struct program *p, char *text, size_t n);
/* Runs a single thread. False: too many steps. */
void program_run(const struct program *p, struct values *v);

#endif
