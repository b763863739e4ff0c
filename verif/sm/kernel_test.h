// SPDX-License-Identifier: Apache-2.0
/* kernel_test.h -- shared parts of cmocka tests of small kernels: beginning and end of most texts. */
#ifndef VERIF_SM_KERNEL_TEST_H
#define VERIF_SM_KERNEL_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "kernel.h"

/* R0 = thread number in the CTA, R1 = CTA, R2:R3 = address of the thread's word of parameter 0. One-dimensional. */
#define PROLOGUE                                                                                                       \
	"S2R R0, SR_TID.X\n"                                                                                           \
	"S2R R1, SR_CTAID.X\n"                                                                                         \
	"IMAD R5, R1, c[0x0][0x0], R0\n"                                                                               \
	"MOV R4, 0x4\n"                                                                                                \
	"IMAD.WIDE.U32 R2, R5, R4, c[0x0][0x160]\n"
#define STORE_R8 "STG.E.SYS [R2], R8\nEXIT\n"

/* Runs the kernel; the test fails unless every thread comes to its end. */
static inline void ends(struct kernel *k)
{
	if (kernel_run(k) != WL_ENDED)
		fail_msg("%s", k->detail);
}

/* PROLOGUE, body, STORE_R8 in one CTA of `threads`; returns R8 of each thread. */
static inline const uint32_t *kernel_r8(struct kernel *k, const char *body, uint32_t threads)
{
	char text[3000];
	snprintf(text, sizeof text, PROLOGUE "%s" STORE_R8, body);
	kernel_init(k, text);
	k->launch.block[0] = threads;
	const uint32_t *out = kernel_words(k, 0, threads, 0xdeadbeef);
	ends(k);
	return out;
}

/* want: expression over t (thread) and lane. */
#define EACH_THREAD(threads, body, want)                                                                               \
	do {                                                                                                           \
		struct kernel k;                                                                                       \
		const uint32_t *out = kernel_r8(&k, body, threads);                                                    \
		for (uint32_t t = 0; t < (threads); t++) {                                                             \
			const uint32_t lane = t % 32;                                                                  \
			(void)lane;                                                                                    \
			if (out[t] != (uint32_t)(want))                                                                \
				fail_msg("%s: thread %u has 0x%x, expected 0x%x", body, t, out[t], (uint32_t)(want));  \
		}                                                                                                      \
		kernel_free(&k);                                                                                       \
	} while (0)

#endif
