// SPDX-License-Identifier: Apache-2.0
/* cunits_barrier_orders_test.c -- four warps at two barriers in every order of arrivals (barrier_orders.h). The
 * functions of barrier_file called by the front end run against the reference of the RTL's bench. */
#include <inttypes.h>
#include <stdio.h>

#include "barrier_orders.h"
#include "warplock/barrier_file.h"

static struct wl_barrier_file file;
static bool wrong;

static void expect(const char *what, uint64_t got, uint64_t want)
{
	if (got != want) {
		printf("%s is %" PRIx64 ", expected %" PRIx64 "\n", what, got, want);
		wrong = true;
	}
}

static void launch(void *self, struct orders *o)
{
	(void)self;
	(void)o;
	wl_bar_open(&file, ORDER_SLOT, ORDER_WARPS);
}

static void compare(const struct orders *o)
{
	for (unsigned id = 0; id < ORDER_BARRIERS; id++) {
		const struct wl_named_bar *b = &file.cta[ORDER_SLOT].bar[id];
		const struct ref_status s = ref_status(&o->ref, ORDER_SLOT, id);
		expect("warps that have arrived", b->arrived, s.here);
		expect("their number", b->here, s.arrived);
		expect("warps that wait", b->waiting, s.waiting);
		if (s.arrived) {
			expect("whether a count was given", b->counted, s.counted);
			expect("warps expected", b->count, s.expected);
			expect("warps missing", wl_bar_missing(&file.cta[ORDER_SLOT], id), s.expected - s.arrived);
		}
	}
}

static bool arrive(void *self, struct orders *o, unsigned n, const struct bar_request *q)
{
	const struct wl_bar_arrival a = {
	        .op = q->kind == BAR_ARV ? WL_BAR_ARV : WL_BAR_SYNC, .id = q->id, .count = q->count, .live = q->mask};
	struct wl_released r = {0};
	enum wl_fault fault = wl_bar_check(&file, ORDER_SLOT, &a);
	(void)self;
	(void)n; /* on one port a single arrival at a time */
	if (fault == WL_FAULT_NONE) {
		fault = wl_bar_arrive(&file, ORDER_SLOT, q->warp, &a, &r);
	}
	expect("fault", fault, ref_fault(&o->ref, q));
	o->faults += fault != WL_FAULT_NONE;
	if (fault == WL_FAULT_NONE) {
		expect("warps that go on", r.warps, orders_apply(o, q).warps);
	}
	compare(o);
	return !wrong;
}

int main(int argc, char **argv)
{
	const bool more = argc > 1;
	unsigned passed = 0, failed = 0;
	(void)argv;
	for (unsigned i = 0; i < ORDER_WALKS; i++) {
		if (order_walks[i].hows == 7 && !more) {
			continue;
		}
		struct orders o = {.ports = 1,
		                   .need = order_walks[i].need,
		                   .hows = order_walks[i].hows,
		                   .with_left = order_walks[i].with_left,
		                   .launch = launch,
		                   .arrive = arrive};
		const bool good = orders_walk(&o) && o.ends && o.faults;
		printf("phases of %u warps: %lu states, %lu steps, %lu phases, %lu faults: %s\n", o.need, o.states,
		       o.steps, o.ends, o.faults, good ? "right" : "WRONG");
		*(good ? &passed : &failed) += 1;
	}
	struct orders o = {.ports = 1, .need = ORDER_WARPS, .launch = launch, .arrive = arrive};
	*(orders_of_syncs(&o, more ? 24 : 1) ? &passed : &failed) += 1;
	printf("%lu SYNCs at barriers 0, 1, 0, 1 in all orders%s\n", o.steps, more ? "" : ", in the last phase in one");
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}
