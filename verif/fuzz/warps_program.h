// SPDX-License-Identifier: Apache-2.0
/* warps_program.h -- random PTX kernels whose threads work together, and their meaning for a block.
 *
 * A thread has variables of 64, 32 and 16 bits and predicates, and memory of its own in shared, global and local space.
 * It meets others in shuffles, votes, matches and reductions of the lanes that are there (the program keeps the mask of
 * them), in exchanges through shared memory between barriers, and in atomics: on cells of its own with what they
 * return, on cells of all by operations that commute. So what is left does not depend on any order. It calls functions,
 * which call themselves, and reads registers that nothing has written yet, where what they hold does not matter. */
#ifndef VERIF_FUZZ_WARPS_PROGRAM_H
#define VERIF_FUZZ_WARPS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { THREADS = 64, NUM_W = 7, NUM_D = 4, NUM_H = 3, NUM_P = 4, OWN_BYTES = 32, COMMON_CELLS = 10 };
enum { OUT_WORDS = NUM_W + NUM_D + NUM_H + NUM_P + OWN_BYTES / 8 * 2 };

#define COMMON_START UINT64_C(0x7fff00ff70ff0f0f) /* of the cells in global memory; the others start as 0 */

struct block_out {
	uint64_t thread[THREADS][OUT_WORDS]; /* variables, then its shared and global memory */
	uint64_t common[2 * COMMON_CELLS];   /* in global memory, in shared memory */
};

struct program;

struct program *program_new(uint64_t seed);
void program_free(struct program *p);
bool program_needs_sm80(const struct program *p);
/* What stands before the kernels of a module. */
const char *program_header(bool sm80);
/* A kernel with its functions: parameters in, out, own global memory, common cells. Returns its length. */
size_t program_print(const struct program *p, const char *entry, char *text, size_t n);
void program_run(const struct program *p, const uint64_t in[THREADS][OUT_WORDS], struct block_out *out);

/* For the reducer: statements are numbered; those that are off are neither printed nor run. */
unsigned program_statements(const struct program *p);
void program_switch(struct program *p, unsigned statement, bool on);
bool program_is_on(const struct program *p, unsigned statement);
/* What ptxas is known to make wrong (docs/real-code.md). */
enum deviation {
	DEVIATION_NONE,
	DEVIATION_GUARD, /* -O3: a guarded move goes behind what changes its guard */
	DEVIATION_LEAST, /* -O3: abs or neg of the least number is taken for a positive one by what uses it */
	DEVIATION_SUMS,  /* -O3: a saturating sum takes in the sum before it, which wraps around */
	DEVIATION_CNOT,  /* -O3: what takes fewer bits of cnot.b32 takes those of another register */
	DEVIATION_SHIFT, /* -O3: a 16-bit shift takes another amount than the 32 bits that it is given */
	DEVIATION_FIELD, /* -O3: a signed field behind the end of a word is -1, whatever its sign */
	DEVIATION_BITS,  /* -O3: a float with the bits of 0, 1 or -1 is converted or compared as that number */
	DEVIATION_CRASH, /* it ends by a signal; no statement is to blame */
	DEVIATION_COUNT
};
extern const char *const deviation_names[DEVIATION_COUNT];
/* Does the program, as far as it is on, hold what the deviation is about? */
bool program_meets(const struct program *p, enum deviation d);
/* Print it from now on in other words of the same meaning, to which the deviation does not apply. */
void program_reword(struct program *p, enum deviation d);
/* The PTX line of a statement, without what it holds inside. */
void program_describe(const struct program *p, unsigned statement, char *text, size_t n);

#endif
