// SPDX-License-Identifier: Apache-2.0
/* atoms_pipe.h -- shared declarations of this folder. */
#ifndef WARPLOCK_COSIM_ATOMS_PIPE_H
#define WARPLOCK_COSIM_ATOMS_PIPE_H

#include "../../../cosim/unit.h"
#include "warplock/timing.h"

/* Counters of the unit. */
enum {
	ATOMS_FORWARDS,    /* words from an earlier pass on the way to the RAM */
	ATOMS_SPIN_LOSERS, /* lanes */
	ATOMS_SWAPPED,     /* lanes of compares */
	ATOMS_NOT_SWAPPED,
	ATOMS_ABSOLUTE,    /* instructions without a register in the address */
	ATOMS_UR_ALONE,    /* with a uniform register alone */
	ATOMS_UR_NEGATIVE, /* ... and a negative offset */
	ATOMS_DROPPED,     /* LDS to RZ */
	ATOMS_HIGH,        /* lanes beyond the first half of the memory */
	ATOMS_EXCH_128,    /* instructions */
	ATOMS_WORDS_1,     /* words of stores and atomics with 1 lane of a pass, with 2 to 4, 5 to 16, more */
	ATOMS_WORDS_4,
	ATOMS_WORDS_16,
	ATOMS_WORDS_32,
	ATOMS_SWAPPED_128, /* lanes of compares of 128 bits */
	ATOMS_NOT_SWAPPED_128,
	ATOMS_SIZES,                                   /* instructions by log2 of the access size */
	ATOMS_OPS = ATOMS_SIZES + 5,                   /* ATOMS by operation */
	ATOMS_POPC_INC = ATOMS_OPS + WL_ATOM_EXCH + 1, /* counted apart from ADD */
	ATOMS_NATIVE = ATOMS_POPC_INC + 1,             /* ATOMSN: counters of native.c */
	ATOMS_MATRICES = ATOMS_NATIVE + 27, /* LDSM, then STSM: of 1, 2, 4 matrices, then the same transposed */
	ATOMS_COUNTERS = ATOMS_MATRICES + 12
};
_Static_assert((int)ATOMS_COUNTERS <= (int)COSIM_COUNTERS, "counters of atoms_pipe");

enum { ATOMS_DUE = 4096 };

/* The pass before: words written by the pass are forwarded to a pass in the next cycle. */
struct atoms_pipe_state {
	uint64_t cycle;
	uint32_t we;
	uint32_t row[SHIM_LANES];
	/* --timing */
	struct wl_atoms_timing timing;
	uint64_t first_taken; /* first beat of the request under way */
	struct {
		uint64_t cycle;
		uint32_t tag;
	} due[ATOMS_DUE]; /* COMMITs to come, in order: a ring */
	unsigned first_due, last_due;
};

/* values.c */
void atoms_pipe_compare(struct lockstep *ls, struct flight *f, const struct shim_event *e, uint32_t lanes);
/* For mbarrier_engine: the pipe's COMMITs are mbarrier_engine's COMMITs, too. Lanes that fault in their turn may have
 * had a word forwarded. */
void atoms_pipe_compare_mbar(struct lockstep *ls, struct flight *f, const struct shim_event *e, uint32_t lanes);
/* Pieces of copies write like passes. */
void atoms_pipe_landed(struct lockstep *ls, uint32_t row, uint32_t words);
void atoms_pipe_keep(const struct lockstep *ls, const void *values, void *copy);
bool atoms_pipe_same_results(const struct flight *f);
void atoms_pipe_count(const struct flight *f, uint64_t *counter);
void atoms_pipe_show(const struct lockstep *ls, const struct flight *f, const struct shim_event *e,
                     struct complaint *c);

/* cycles.c */
void atoms_pipe_due(struct lockstep *ls, const struct flight *f, uint64_t cycle); /* the next COMMIT */
void atoms_pipe_beat(struct lockstep *ls, const struct flight *f, unsigned beat);
void atoms_pipe_compare_cycle(struct lockstep *ls, struct flight *f);

/* fields.c */
extern const struct cosim_field atoms_pipe_fields[];

/* random.c, floors.c */
extern const struct cosim_mix *const atoms_pipe_mixes[];
unsigned atoms_pipe_floors(const struct random_config *c, const struct lockstep_stats *s,
                           struct random_floor floor[RANDOM_FLOORS]);

unsigned atoms_combine_floors(const struct random_config *c, const struct lockstep_stats *s,
                              struct random_floor floor[RANDOM_FLOORS]);

unsigned atoms_matrix_floors(const struct random_config *c, const struct lockstep_stats *s,
                             struct random_floor floor[RANDOM_FLOORS]);

/* mon.c */
extern const struct mon_unit mon_atoms_pipe;

#endif
