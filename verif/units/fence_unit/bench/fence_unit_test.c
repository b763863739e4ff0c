// SPDX-License-Identifier: Apache-2.0
/* fence_unit_test.c -- random fences on all ports against the page of the unit. The unit takes a fence a cycle, ports
 * in turn. A fence commits with all lanes. MEMBAR parks the warp and releases only this warp, from the next cycle on;
 * the other fences get an answer of one pass. Releases and answers are taken late and stand until then. A waiting
 * result holds up only fences that need its place. A port without room keeps the turn.
 *
 *   fence_unit_test MODEL.so [SEED [CYCLES [BUG]]]      CYCLES: at least 50, else no event has a floor */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../../common/rng.h"
#include "../../bench_main.h"
#include "rtl_units.h"
#include "pins/fence_unit.h"

enum { PORTS = 4, WARPS = 48, TAG = 22 };

struct fence {
	bool here, waits;
	uint32_t tag, slot, mask;
	unsigned port;
};

struct bench {
	struct model model;
	PINS_MEMBERS(fence_unit);
	unsigned ports, lanes, last; /* last: the port of the last turn */
	struct rng rng;
	struct fence head[PORTS], release, answer;
	uint64_t cycle, taken[PORTS], releases, answers, crowded, blocked;
	unsigned errors;
};

static void error(struct bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void error(struct bench *b, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (b->errors++ < 8) {
		printf("cycle %llu: ", (unsigned long long)b->cycle);
		vprintf(format, args);
		putchar('\n');
	}
	va_end(args);
}

static void open_bench(struct bench *b, const struct bench_args *a)
{
	memset(b, 0, sizeof *b);
	b->model = a->model;
	PINS_FIND(fence_unit, b, &b->model);
	b->ports = model_param(&b->model, "Ports", 1);
	b->lanes = model_param(&b->model, "Lanes", 32);
	b->rng = rng_seed(a->seed, 0);
}

static void reset(struct bench *b)
{
	pin_set(b->head_valid_i, 0, b->ports, 0);
	*b->rel_take_i = *b->rsp_take_i = 0;
	*b->rst_i = 1;
	for (unsigned i = 0; i < 3; i++) {
		*b->clk_i = 0;
		b->model.eval(b->model.self);
		*b->clk_i = 1;
		b->model.eval(b->model.self);
	}
	*b->clk_i = *b->rst_i = 0;
	memset(b->head, 0, sizeof b->head);
	b->release.here = b->answer.here = false;
	b->last = 0;
	b->model.eval(b->model.self);
	if (!*b->idle_o || *b->rel_valid_o || *b->rsp_valid_o)
		error(b, "not idle after reset");
}

static void drive(struct bench *b, unsigned rate)
{
	static const uint8_t kinds[] = {RTL_fence_unit_MEMBAR, RTL_fence_unit_ERRBAR, RTL_fence_unit_CCTL_IVALL};
	for (unsigned p = 0; p < b->ports; p++) {
		struct fence *f = &b->head[p];
		if (f->here || rng_below(&b->rng, 8) >= rate)
			continue;
		const unsigned kind = rng_below(&b->rng, 4);
		*f = (struct fence){.here = true,
		                    .waits = kind % 3 == 0,
		                    .tag = rng_below(&b->rng, WARPS) << 16 | rng_below(&b->rng, 65536),
		                    .slot = rng_below(&b->rng, 16),
		                    .mask = rng_u32(&b->rng) | 1,
		                    .port = p};
		pin_set(b->head_kind_i, p * 5, 5, kinds[kind % 3]);
		pin_set(b->head_tag_i, p * TAG, TAG, f->tag);
		pin_set(b->head_slot_i, p * 4, 4, f->slot);
		pin_set(b->head_mask_i, p * 32, 32, f->mask);
	}
	for (unsigned p = 0; p < b->ports; p++)
		pin_set(b->head_valid_i, p, 1, b->head[p].here);
}

/* The next port, behind the last, whose fence has a free place. */
static struct fence *next(struct bench *b, bool rel_free, bool rsp_free)
{
	for (unsigned i = 1; i <= b->ports; i++) {
		struct fence *f = &b->head[(b->last + i) % b->ports];
		if (f->here && (f->waits ? rel_free : rsp_free))
			return f;
	}
	return NULL;
}

static void check_taken(struct bench *b, const struct fence *f)
{
	const uint32_t ready = pin_get(b->head_ready_o, 0, b->ports), want = f ? 1u << f->port : 0;
	if (ready != want || *b->commit_o != (f != NULL))
		error(b, "ready %x, commit %u, expected %x", ready, *b->commit_o, want);
	if (*b->park_valid_o != (f && f->waits))
		error(b, "park %u, expected %u", *b->park_valid_o, f && f->waits);
	if (!f)
		return;
	if (pin_get(b->commit_tag_o, 0, TAG) != f->tag || pin_get(b->commit_lanes_o, 0, 32) != f->mask)
		error(b, "COMMIT of tag %x lanes %08x, expected %x %08x", pin_get(b->commit_tag_o, 0, TAG),
		      pin_get(b->commit_lanes_o, 0, 32), f->tag, f->mask);
	for (unsigned w = 0; f->waits && w < WARPS; w++)
		if (pin_get(b->park_warps_o, w, 1) != (w == f->tag >> 16))
			error(b, "warp %u parks: %u, expected %u", w, pin_get(b->park_warps_o, w, 1),
			      w == f->tag >> 16);
	if (f->waits && pin_get(b->park_slot_o, 0, 4) != f->slot)
		error(b, "parks in slot %u, expected %u", pin_get(b->park_slot_o, 0, 4), f->slot);
}

/* {gave up, unit, slot, id, phase, warps (48), value (32)}, high to low */
static void check_release(struct bench *b)
{
	const struct fence *f = &b->release;
	if (*b->rel_valid_o != f->here)
		error(b, "RELEASE %u, expected %u", *b->rel_valid_o, f->here);
	if (!*b->rel_valid_o || !f->here)
		return;
	bool same = pin_get(b->rel_o, 0, 32) == 0 && pin_get(b->rel_o, 80, 32) == 0 &&
	            pin_get(b->rel_o, 112, 4) == f->slot && pin_get(b->rel_o, 116, 4) == RTL_UNIT_fence_unit &&
	            pin_get(b->rel_o, 120, 1) == 0;
	for (unsigned w = 0; w < WARPS; w++)
		same = same && pin_get(b->rel_o, 32 + w, 1) == (w == f->tag >> 16);
	if (!same)
		error(b, "RELEASE of warp %u, slot %u shows something else", f->tag >> 16, f->slot);
}

/* {results and faults of lanes, any fault, passes (6), last, tag (22)}, high to low */
static void check_answer(struct bench *b)
{
	const struct fence *f = &b->answer;
	if (*b->rsp_valid_o != f->here)
		error(b, "answer %u, expected %u", *b->rsp_valid_o, f->here);
	if (!*b->rsp_valid_o || !f->here)
		return;
	bool same = pin_get(b->rsp_o, 0, TAG) == f->tag && pin_get(b->rsp_o, TAG, 1) == 1 &&
	            pin_get(b->rsp_o, TAG + 1, 6) == 1 && (b->ports == 1 || pin_get(b->rsp_port_o, 0, 2) == f->port);
	for (unsigned at = 29; at < 30 + 8 * b->lanes; at++)
		same = same && pin_get(b->rsp_o, at, 1) == 0;
	if (!same)
		error(b, "answer to tag %x of port %u shows something else", f->tag, f->port);
}

static void one_cycle(struct bench *b, unsigned rate, unsigned slow)
{
	drive(b, rate);
	*b->rel_take_i = *b->rsp_take_i = 0;
	b->model.eval(b->model.self);
	*b->rel_take_i = *b->rel_valid_o && !rng_below(&b->rng, slow);
	*b->rsp_take_i = *b->rsp_valid_o && !rng_below(&b->rng, slow);
	b->model.eval(b->model.self);
	check_release(b);
	check_answer(b);
	if (*b->idle_o != !(b->release.here || b->answer.here))
		error(b, "idle %u", *b->idle_o);
	const bool rel_free = !b->release.here || *b->rel_take_i, rsp_free = !b->answer.here || *b->rsp_take_i;
	struct fence *f = next(b, rel_free, rsp_free);
	check_taken(b, f);
	for (unsigned p = 0; p < b->ports; p++)
		b->blocked += b->head[p].here && !(b->head[p].waits ? rel_free : rsp_free) && f;
	b->crowded += pin_get(b->head_valid_i, 0, b->ports) == (1u << b->ports) - 1;
	b->releases += *b->rel_take_i;
	b->answers += *b->rsp_take_i;
	b->release.here = b->release.here && !*b->rel_take_i;
	b->answer.here = b->answer.here && !*b->rsp_take_i;
	if (f) {
		*(f->waits ? &b->release : &b->answer) = *f;
		if (f == next(b, true, true)) /* a port whose fence found no room keeps the turn */
			b->last = f->port;
		b->taken[f->port]++;
		f->here = false;
	}
	*b->clk_i = 1;
	b->model.eval(b->model.self);
	*b->clk_i = 0;
	b->cycle++;
}

static struct bench_end run_bench(const struct bench_args *a)
{
	static struct bench b;
	const unsigned cycles = a->count;
	open_bench(&b, a);
	uint64_t all = 0;
	for (unsigned run = 0; run < 12 && !b.errors; run++) {
		reset(&b); /* also while fences of the last run are under way */
		for (unsigned i = 0; i < cycles / 12 && !b.errors; i++)
			one_cycle(&b, 1 + run % 8, 1 + run / 3);
	}
	for (unsigned p = 0; p < b.ports; p++) {
		all += b.taken[p];
		if (!b.errors && b.taken[p] < cycles / 40 / b.ports)
			error(&b, "port %u: %llu fences", p, (unsigned long long)b.taken[p]);
	}
	if (!b.errors && (b.releases < cycles / 50 || b.answers < cycles / 50 || b.crowded < cycles / 50 ||
	                  (b.ports > 1 && b.blocked < cycles / 500)))
		error(&b,
		      "too little was there: %llu releases, %llu answers, %llu full cycles, %llu times one passed "
		      "another",
		      (unsigned long long)b.releases, (unsigned long long)b.answers, (unsigned long long)b.crowded,
		      (unsigned long long)b.blocked);
	printf("%llu fences, %llu releases, %llu answers, %llu with all ports full, %llu times one passed another\n",
	       (unsigned long long)all, (unsigned long long)b.releases, (unsigned long long)b.answers,
	       (unsigned long long)b.crowded, (unsigned long long)b.blocked);
	return bench_good(!b.errors);
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {
	        .words = "MODEL.so [SEED [CYCLES [BUG]]]", .usual = 20000, .least = 50, .run = run_bench};
	return bench_main(argc, argv, &form);
}
