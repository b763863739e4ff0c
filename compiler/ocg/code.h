/* SPDX-License-Identifier: Apache-2.0
 *
 * code.h -- the PTX instructions of an accepted intrinsic.
 *
 * Text of instructions names the operands of the call: $0 is the first operand, in a register of its declared width;
 * $s0 the low 32 bits, $g0 the value in 64 bits, $r the result, $w a register of 64 bits. */
#ifndef WLCC_OCG_CODE_H
#define WLCC_OCG_CODE_H

#include "ocg.h"

enum { OCG_MAX_CODE = 2048, OCG_MAX_WHY = 160 };

struct ocg_code {
	const char *guard; /* in front of each instruction: "@%p " or "" */
	size_t n;
	char text[OCG_MAX_CODE];
	char missing[OCG_MAX_WHY]; /* the reason for missing code, or empty */
	bool wide;                 /* $w is used */
	unsigned low, long_;       /* operands used as $s and as $g: bit k of operand k */
};

/* PTX of a call accepted by ocg_judge. False: t->missing has the reason. */
bool ocg_code(const struct ocg_call *c, struct ocg_code *t);

void ocg_put(struct ocg_code *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ocg_miss(struct ocg_code *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A form accepted by ptxas, but without an instruction. */
void ocg_lost(const struct ocg_call *c, struct ocg_code *t);
/* Width of the operand of a call: 32, 64 or another width of the declared type. */
unsigned ocg_bits(enum ocg_type type);
/* Chips with the tensor units of sm_100. */
static inline bool ocg_has_tensor_memory(unsigned chip)
{
	return chip >= 100 && chip < 120;
}

#define OCG_BASE(text, judge, code, since, words, does)                                                                \
	void ocg_code_##code(const struct ocg_call *c, struct ocg_code *t);
#include "bases.def"

#endif
