// SPDX-License-Identifier: Apache-2.0
/* uop_case.h -- one instruction on 32 lanes of corner and random values, against a C expression over the operands of
 * one lane.
 *
 *   a b c   R2 R4 R6        A B C   the pairs R2:R3, R4:R5, R6:R7 as uint64_t        p q s    P0 P1 P2      lane  0..31
 *   u v w   UR4 UR6 UR8     U V W   the pairs UR4:UR5, UR6:UR7, UR8:UR9              x y z    UP0 UP1 UP2
 * Results: R8 (and R9 for 64 bits), P3, P4; of the uniform datapath UR10 (and UR11), UP3, UP4. All other state must
 * stay, in every lane; lanes with a false guard must keep all. Each case runs on sm_75 and sm_90, with all lanes and
 * with random lanes. `c[0x0][0x160]`, the first parameter, is moved to the architecture's place. */
#ifndef VERIF_SM_UOP_CASE_H
#define VERIF_SM_UOP_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../cmodel/sm/gpu.h"
#include "kernel.h"

enum { REGS = 64, ROUNDS = 12 };

struct state {
	uint32_t r[REGS][WL_WARP_LANES];
	uint32_t preds[8];
	uint32_t uni[UNIFORMS];
};
struct run {
	const char *text;
	enum wl_arch arch;
	uint32_t mask;
	bool uniform; /* guarded by UP6, not by P6 */
	struct state before, after;
};

/* Architectures of the following cases; both at the start of a test program. */
void uop_on_both(void);
void uop_on(enum wl_arch only);
extern struct uop_archs {
	enum wl_arch arch[2];
	unsigned n;
} uop_archs;

uint32_t uop_random(void);
uint32_t uop_value(void); /* corners of two's complement and of shift amounts come up often */

/* Executes t->text once under its guard; t->before and t->after are filled. */
void uop_execute(struct run *t, unsigned round);
/* Executes two instructions, all lanes, t->text being the second. */
void uop_execute_pair(struct run *t, const char *first, unsigned round);
/* Executes t->text once in all lanes on R0..R9, P0..P5, UR4..UR11 and UP0..UP5 of t->before. */
void uop_execute_on(struct run *t);
/* NULL: must not change. */
void uop_expect(const struct run *t, const uint32_t *lo, const uint32_t *hi, const uint32_t *p3, const uint32_t *p4);
/* UR10, UR11, UP3 and UP4 as selected by bits 0..3 of `which`. */
void uop_expect_uniform(const struct run *t, unsigned which, uint64_t value, bool up3, bool up4);

#define OPERANDS                                                                                                       \
	const uint32_t a = t.before.r[2][lane], b = t.before.r[4][lane], c = t.before.r[6][lane];                      \
	const uint64_t A = (uint64_t)t.before.r[3][lane] << 32 | a, B = (uint64_t)t.before.r[5][lane] << 32 | b,       \
	               C = (uint64_t)t.before.r[7][lane] << 32 | c;                                                    \
	const uint32_t p = t.before.preds[0] >> lane & 1, q = t.before.preds[1] >> lane & 1,                           \
	               s = t.before.preds[2] >> lane & 1;                                                              \
	UNIFORM_OPERANDS;                                                                                              \
	(void)a, (void)b, (void)c, (void)A, (void)B, (void)C, (void)p, (void)q, (void)s
#define UNIFORM_OPERANDS                                                                                               \
	const uint32_t u = t.before.uni[4], v = t.before.uni[6], w = t.before.uni[8];                                  \
	const uint64_t U = (uint64_t)t.before.uni[5] << 32 | u, V = (uint64_t)t.before.uni[7] << 32 | v,               \
	               W = (uint64_t)t.before.uni[9] << 32 | w;                                                        \
	const uint32_t x = t.before.uni[UPRED] & 1, y = t.before.uni[UPRED + 1] & 1, z = t.before.uni[UPRED + 2] & 1;  \
	(void)u, (void)v, (void)w, (void)U, (void)V, (void)W, (void)x, (void)y, (void)z

/* r64: value of R9:R8; p3, p4: bits. */
#define CASE(instruction, lo_, hi_, p3_, p4_, r64, p3bit, p4bit)                                                       \
	for (unsigned round = 0; round < ROUNDS * uop_archs.n; round++) {                                              \
		struct run t = {.text = (instruction), .arch = uop_archs.arch[round % uop_archs.n]};                   \
		uint32_t lo[32], hi[32], p3 = 0, p4 = 0;                                                               \
		uop_execute(&t, round / uop_archs.n);                                                                  \
		for (unsigned lane = 0; lane < 32; lane++) {                                                           \
			OPERANDS;                                                                                      \
			uint64_t result = (uint64_t)(r64);                                                             \
			lo[lane] = (uint32_t)result;                                                                   \
			hi[lane] = (uint32_t)(result >> 32);                                                           \
			p3 |= (uint32_t)((p3bit) != 0) << lane;                                                        \
			p4 |= (uint32_t)((p4bit) != 0) << lane;                                                        \
		}                                                                                                      \
		(void)lo, (void)hi, (void)p3, (void)p4;                                                                \
		uop_expect(&t, lo_, hi_, p3_, p4_);                                                                    \
	}
#define R32(text, value)               CASE(text, lo, NULL, NULL, NULL, (uint32_t)(value), 0, 0)
#define R64(text, value)               CASE(text, lo, hi, NULL, NULL, value, 0, 0)
#define R64_P(text, value, bit)        CASE(text, lo, hi, &p3, NULL, value, bit, 0)
#define R32_P(text, value, bit)        CASE(text, lo, NULL, &p3, NULL, (uint32_t)(value), bit, 0)
#define R32_PQ(text, value, bit, bit2) CASE(text, lo, NULL, &p3, &p4, (uint32_t)(value), bit, bit2)
#define PQ(text, bit, bit2)            CASE(text, NULL, NULL, &p3, &p4, 0, bit, bit2)
#define P(text, bit)                   CASE(text, NULL, NULL, &p3, NULL, 0, bit, 0)

#define PAIR(first, second, r64, pbit)                                                                                 \
	for (unsigned round = 0; round < ROUNDS * uop_archs.n; round++) {                                              \
		struct run t = {.text = (second), .arch = uop_archs.arch[round % uop_archs.n]};                        \
		uop_execute_pair(&t, first, round / uop_archs.n);                                                      \
		for (unsigned lane = 0; lane < 32; lane++) {                                                           \
			OPERANDS;                                                                                      \
			uint64_t is = (uint64_t)t.after.r[9][lane] << 32 | t.after.r[8][lane];                         \
			uint32_t bit = t.after.preds[3] >> lane & 1;                                                   \
			assert_int_equal(is, (uint64_t)(r64));                                                         \
			assert_int_equal(bit, (pbit));                                                                 \
		}                                                                                                      \
	}

#define UCASE(instruction, which, value, up3, up4)                                                                     \
	for (unsigned round = 0; round < ROUNDS * uop_archs.n; round++) {                                              \
		struct run t = {.text = (instruction), .arch = uop_archs.arch[round % uop_archs.n], .uniform = true};  \
		uop_execute(&t, round / uop_archs.n);                                                                  \
		UNIFORM_OPERANDS;                                                                                      \
		uop_expect_uniform(&t, which, (uint64_t)(value), (up3) != 0, (up4) != 0);                              \
	}
#define U32(text, value)               UCASE(text, 1, (uint32_t)(value), 0, 0)
#define U64(text, value)               UCASE(text, 3, value, 0, 0)
#define U32_P(text, value, bit)        UCASE(text, 5, (uint32_t)(value), bit, 0)
#define U64_P(text, value, bit)        UCASE(text, 7, value, bit, 0)
#define U64_PQ(text, value, bit, bit2) UCASE(text, 15, value, bit, bit2)
#define U32_PQ(text, value, bit, bit2) UCASE(text, 13, (uint32_t)(value), bit, bit2)
#define UPQ(text, bit, bit2)           UCASE(text, 12, 0, bit, bit2)

#endif
