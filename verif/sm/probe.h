// SPDX-License-Identifier: Apache-2.0
/* probe.h -- one instruction, given as text, on 32 lanes of operands, again and again; and random floats for tests. */
#ifndef VERIF_SM_PROBE_H
#define VERIF_SM_PROBE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../common/float_bits.h"
#include "kernel.h"

enum { PROBE_REGS = 16, PROBE_LANES = 32 };

/* Operands before, and the whole state after: R0..R15, P0..P6 (a bit for each lane), UR4..UR7. */
struct probe_state {
	uint32_t r[PROBE_REGS][PROBE_LANES], p[7], ur[4];
};
struct probe {
	struct kernel k;
	enum wl_arch arch;
	const char *text;
	unsigned uop;
};

/* Ends the test program if the text is refused. Records the micro-operation as run: see probe_all_covered. */
void probe_open(struct probe *p, enum wl_arch arch, const char *text);
void probe_run(struct probe *p, const struct probe_state *before, struct probe_state *after);
void probe_close(struct probe *p);
/* Did probe_open run every micro-operation that uop_covered.def gives to this file? */
bool probe_all_covered(const char *file);

uint32_t probe_random(void);
/* Random operands: floats of all kinds (zero, subnormal, near the ends, infinite, NaN, small integers, close to each
 * other) in every register, for a reader of 16, 32 or 64 bits. */
uint16_t probe_f16(bool bf16);
uint32_t probe_f32(void);
uint64_t probe_f64(void);

static inline uint64_t probe_pair(const struct probe_state *s, unsigned r, unsigned lane)
{
	return (uint64_t)s->r[r + 1][lane] << 32 | s->r[r][lane];
}
static inline void probe_set_pair(struct probe_state *s, unsigned r, unsigned lane, uint64_t v)
{
	s->r[r][lane] = (uint32_t)v;
	s->r[r + 1][lane] = (uint32_t)(v >> 32);
}

#endif
