// SPDX-License-Identifier: Apache-2.0
/* unit_ref_test.h -- shared by the tests of references of single units. A file of tests for each group of units. */
#ifndef WARPLOCK_UNIT_REF_TEST_H
#define WARPLOCK_UNIT_REF_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "warplock/unit_ref.h"

enum { AGREES = WL_UNIT_AGREES, DIFFERS = WL_UNIT_DIFFERS, MISUSE = WL_UNIT_MISUSE };
enum { MISALIGNED = 1, OUT_OF_RANGE = 2, GLOBAL_OUT_OF_RANGE = 4, BAD_SPACE = 10 }; /* numbers of the RTL */
static const uint32_t ALL = UINT32_MAX;

static struct wl_unit_ref *unit;

static inline void open_unit(const char *name, const char *parameters)
{
	unit = wl_unit_open(name, parameters);
	if (!unit)
		fail_msg("%s", wl_unit_open_error());
}

static inline void says(int got, int want, const char *text)
{
	if (got != want || !strstr(wl_unit_why(unit), text))
		fail_msg("%d '%s'; expected %d '%s'", got, wl_unit_why(unit), want, text);
}
#define YES(call) says(call, AGREES, "")

/* A request with the same A and B in all lanes. */
static inline void ask(uint32_t tag, uint32_t slot, uint32_t warp, const char *text, uint32_t mask, uint32_t a,
                       uint32_t b)
{
	for (uint32_t lane = 0; lane < 32; lane++) {
		YES(wl_unit_operand(unit, 0, lane, 0, a));
		YES(wl_unit_operand(unit, 1, lane, 0, b));
	}
	YES(wl_unit_request(unit, tag, slot, warp, text, mask, 0));
}

void test_mbarrier_phase(void **x);
void test_mbarrier_questions(void **x);
void test_mbarrier_gives_up(void **x);
void test_mbarrier_faults(void **x);
void test_mbarrier_partial_fault(void **x);
void test_mbarrier_landings(void **x);
void test_mbarrier_of_other_cta(void **x);
void test_mbarrier_layout_a(void **x);
void test_mbarrier_layout_v1(void **x);
void test_mbarrier_misuse(void **x);
void test_fences(void **x);
void test_cluster_barrier(void **x);
void test_cluster_misuse(void **x);
void test_branches(void **x);
void test_warpsync(void **x);
void test_global_atomics(void **x);
void test_global_faults(void **x);
void test_generic_atomics(void **x);
void test_global_misuse(void **x);

#endif
