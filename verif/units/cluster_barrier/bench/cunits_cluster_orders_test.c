// SPDX-License-Identifier: Apache-2.0
/* cunits_cluster_orders_test.c -- cluster_barrier in every order of four CTAs and two phases, also with one CTA exiting
 * instead of the second arrival: waits and releases of each step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cluster_orders.h"
#include "warplock/units.h"

static struct wl_cluster_barrier barrier, fresh;
static unsigned long orders;

static bool run(void *self, const struct order_step *step, unsigned n)
{
	unsigned number[ORDER_WARPS];
	(void)self;
	order_numbers(orders++ % 24, number);
	memcpy(&barrier.bar, &fresh.bar, sizeof barrier.bar);
	for (unsigned i = 0; i < n; i++) {
		const unsigned w = number[step[i].warp];
		struct wl_released r = {.warps = 0};
		uint64_t warps = 0;
		bool parks = false;
		for (uint32_t left = step[i].released; left; left &= left - 1)
			warps |= UINT64_C(1) << number[__builtin_ctz(left)];
		if (step[i].op == ORDER_ARRIVE)
			assert_int_equal(wl_cbar_arrive(&barrier, w, w, &r), WL_FAULT_NONE);
		else if (step[i].op == ORDER_WAIT)
			assert_int_equal(wl_cbar_wait(&barrier, w, w, &parks), WL_FAULT_NONE);
		else
			wl_cbar_exit(&barrier, w, w, &r);
		assert_int_equal(parks, step[i].parks);
		assert_true(r.warps == warps);
		assert_true(!warps || (r.phase == step[i].phase && r.slot == 0));
	}
	return true;
}

static void test_orders(void **state)
{
	(void)state;
	for (unsigned w = 0; w < ORDER_WARPS; w++)
		wl_cbar_open(&fresh, &(struct wl_cta_start){.slot = w,
		                                            .first_warp = w,
		                                            .warps = 1,
		                                            .threads = 32,
		                                            .cluster = 5,
		                                            .cluster_ctas = ORDER_WARPS,
		                                            .rank = w});
	barrier = fresh;
	assert_int_equal(cluster_orders(ORDER_WARPS, run, NULL), 1415400);
	for (unsigned leaver = 0; leaver < ORDER_WARPS; leaver++)
		assert_true(cluster_orders(leaver, run, NULL) > 100000);
	printf("%lu orders\n", orders);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_orders)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
