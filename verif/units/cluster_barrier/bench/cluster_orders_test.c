// SPDX-License-Identifier: Apache-2.0
/* Bench of cluster_barrier in every order of four CTAs and two phases, also with one CTA exiting instead of the second
 * arrival. Each cycle takes a step. The bench checks the parks and the releases of each step, and no others may
 * come.
 *
 *   cluster_orders_test MODEL.so [ONE_IN]      takes one order in ONE_IN; a model of one port, 4 warps or more */
#include <stdio.h>
#include <string.h>

#include "cluster_orders.h"
#include "../../bench_main.h"
#include "pins/cluster_barrier.h"

enum { REL_BITS = 121, UNIT = 7, LANES_ALL = 0xffffffffu };

static struct {
	struct model model;
	PINS_MEMBERS(cluster_barrier);
	unsigned one_in;
	unsigned long seen, orders, cycles, errors;
} b;

static void expect(const char *what, unsigned at, uint64_t got, uint64_t want)
{
	if (got != want && b.errors++ < 10)
		printf("order %lu, step %u: %s is 0x%llx, expected 0x%llx\n", b.seen, at, what, (unsigned long long)got,
		       (unsigned long long)want);
}

static void clock_edge(void)
{
	*b.clk_i = 1;
	b.model.eval(b.model.self);
	*b.clk_i = 0;
	b.cycles++;
}

/* Four CTAs of the same cluster come to an empty unit. */
static void begin(const unsigned number[ORDER_WARPS])
{
	*b.rst_i = 1;
	*b.head_valid_i = *b.head_exit_i = *b.cta_valid_i = 0;
	*b.rsp_take_i = 1;
	b.model.eval(b.model.self);
	clock_edge();
	*b.rst_i = 0;
	for (unsigned i = 0; i < ORDER_WARPS; i++) {
		*b.cta_valid_i = *b.cta_open_i = 1;
		*b.cta_slot_i = *b.cta_first_i = (uint8_t)number[i];
		*b.cta_warps_i = 1;
		*b.cta_cluster_i = 9;
		b.model.eval(b.model.self);
		clock_edge();
	}
	*b.cta_valid_i = 0;
}

static void drive(const struct order_step *t, const unsigned number[ORDER_WARPS])
{
	*b.head_valid_i = t && t->op != ORDER_EXIT;
	*b.head_exit_i = t && t->op == ORDER_EXIT;
	if (!t)
		return;
	*b.head_wait_i = t->op == ORDER_WAIT;
	*b.head_slot_i = (uint8_t)number[t->warp];
	pin_set(b.head_tag_i, 0, 22, number[t->warp] << 16);
	pin_set(b.head_mask_i, 0, 32, LANES_ALL);
}

/* The judgement of the step taken in the cycle before. */
static void check(const struct order_step *t, unsigned at, const unsigned number[ORDER_WARPS])
{
	uint32_t warps = 0;
	expect("fault_o", at, *b.fault_o, 0);
	expect("commit_o", at, *b.commit_o, t && t->op != ORDER_EXIT);
	expect("park_valid_o", at, *b.park_valid_o, t && t->parks);
	for (uint32_t left = t ? t->released : 0; left; left &= left - 1)
		warps |= 1u << number[__builtin_ctz(left)];
	expect("rel_valid_o", at, *b.rel_valid_o, warps != 0);
	if (t && t->parks)
		expect("park_id_o", at, pin_get(b.park_id_o, 0, 16), t->phase);
	if (!warps)
		return;
	expect("warps", at, pin_get(b.rel_o, 32, 32), warps);
	expect("other warps", at, pin_get(b.rel_o, 64, 16), 0);
	expect("phase", at, pin_get(b.rel_o, 80, 16), t->phase);
	expect("id", at, pin_get(b.rel_o, 96, 16), t->phase);
	expect("slot", at, pin_get(b.rel_o, 112, 4), 0);
	expect("unit", at, pin_get(b.rel_o, 116, 4), UNIT);
}

static bool run(void *self, const struct order_step *step, unsigned n)
{
	unsigned number[ORDER_WARPS];
	(void)self;
	if (b.seen++ % b.one_in)
		return true;
	order_numbers((unsigned)(b.orders++ % 24), number);
	begin(number);
	for (unsigned i = 0; i <= n; i++) {
		drive(i < n ? &step[i] : NULL, number);
		b.model.eval(b.model.self);
		if (i < n)
			expect("head_ready_o", i, *b.head_ready_o, 1);
		check(i ? &step[i - 1] : NULL, i, number);
		clock_edge();
	}
	return b.errors < (b.model.changed ? 1u : 10u);
}

static struct bench_end run_bench(const struct bench_args *a)
{
	b.model = a->model;
	b.one_in = a->count;
	PINS_FIND(cluster_barrier, &b, &b.model);
	for (unsigned leaver = 0; leaver <= ORDER_WARPS && !b.errors; leaver++)
		cluster_orders(leaver, run, NULL);
	printf("cluster_barrier: %lu of %lu orders of 4 CTAs and 2 phases, %lu cycles, %lu errors\n", b.orders, b.seen,
	       b.cycles, b.errors);
	return bench_good(!b.errors && b.orders * b.one_in >= 1000000);
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {.words = "MODEL.so [ONE_IN]", .usual = 1, .run = run_bench};
	return bench_main(argc, argv, &form);
}
