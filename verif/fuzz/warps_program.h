// SPDX-License-Identifier: Apache-2.0
/* warps_program.h -- random PTX kernels with cooperating threads, and their meaning for a block.
 *
 * A thread has variables of 64, 32 and 16 bits and predicates, and memory of its own in shared, global and local space.
 * Threads meet in shuffles, votes, matches and reductions of the active lanes (the program keeps their mask), in
 * exchanges through shared memory between barriers, and in atomics. Atomics on a thread's own cells use the result;
 * atomics on common cells commute and return nothing. Thus the outcome depends on no order. A thread calls recursive
 * functions, and reads unwritten registers where the contents do not matter. */
#ifndef VERIF_FUZZ_WARPS_PROGRAM_H
#define VERIF_FUZZ_WARPS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { THREADS = 64, NUM_W = 7, NUM_D = 4, NUM_H = 3, NUM_P = 4, OWN_BYTES = 32, COMMON_CELLS = 10 };
enum { OUT_WORDS = NUM_W + NUM_D + NUM_H + NUM_P + OWN_BYTES / 8 * 2 };

#define COMMON_START UINT64_C(0x7fff00ff70ff0f0f) /* of the cells in global memory; cells in shared memory start as 0 */

struct block_out {
	uint64_t thread[THREADS][OUT_WORDS]; /* variables, then the thread's shared and global memory */
	uint64_t common[2 * COMMON_CELLS];   /* in global memory, in shared memory */
};

struct program;

struct program *program_new(uint64_t seed);
void program_free(struct program *p);
bool program_needs_sm80(const struct program *p);
/* Text before the kernels of a module. */
const char *program_header(bool sm80);
/* A kernel with its functions: parameters in, out, own global memory, common cells. Returns its length. */
size_t program_print(const struct program *p, const char *entry, char *text, size_t n);
void program_run(const struct program *p, const uint64_t in[THREADS][OUT_WORDS], struct block_out *out);

/* For the reducer: statements are numbered; statements switched off are neither printed nor run. */
unsigned program_statements(const struct program *p);
void program_switch(struct program *p, unsigned statement, bool on);
bool program_is_on(const struct program *p, unsigned statement);
/* Known wrong compilations of ptxas (docs/real-code.md). */
enum deviation {
	DEVIATION_NONE,
	DEVIATION_GUARD, /* -O3: a guarded move goes behind a statement that changes the guard */
	DEVIATION_LEAST, /* -O3: a user of abs or neg takes the result for the least number as positive */
	DEVIATION_SUMS,  /* -O3: a saturating sum absorbs the sum before, a sum that wraps around */
	DEVIATION_CNOT,  /* -O3: a user of fewer bits of cnot.b32 gets bits of another register */
	DEVIATION_SHIFT, /* -O3: a 16-bit shift uses another amount than the given 32 bits */
	DEVIATION_FIELD, /* -O3: a signed field behind the end of a word is -1, with any sign */
	DEVIATION_BITS,  /* -O3: a float with the bits of 0, 1 or -1 is converted or compared as the integer */
	DEVIATION_CRASH, /* ptxas ends by a signal; no statement is to blame */
	DEVIATION_COUNT
};
extern const char *const deviation_names[DEVIATION_COUNT];
/* Does the active part of the program contain the deviation's code? */
bool program_meets(const struct program *p, enum deviation d);
/* From now on prints the program in other words of the same meaning, outside the deviation. */
void program_reword(struct program *p, enum deviation d);
/* The PTX line of a statement, without inner statements. */
void program_describe(const struct program *p, unsigned statement, char *text, size_t n);

#endif
