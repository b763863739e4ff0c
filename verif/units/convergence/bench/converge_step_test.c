// SPDX-License-Identifier: Apache-2.0
/* Bench of converge_step against converge_ref: warp after warp divides, meets, breaks, yields and leaves.
 *
 *   converge_step_test MODEL.so [SEED [INSTRUCTIONS]] */
#include <stdio.h>

#include "converge_block.h"

static struct bench {
	struct block block;
	struct ref_warp ref;
	uint32_t meet; /* most common mask of this warp's WARPSYNCs */
	unsigned long warps, kinds[REF_KINDS], self, mismatch, before;
	struct ref_seen seen;
} b;

static unsigned below(unsigned n)
{
	return rng_below(&b.block.rng, n);
}

static uint32_t some_of(uint32_t lanes)
{
	const uint32_t some = below(3) ? lanes & rng_u32(&b.block.rng) : lanes;
	return some ? some : lanes & -lanes;
}

static void launch(void)
{
	ref_launch(&b.ref, b.block.lanes, 1 + (below(4) ? b.block.lanes - 1 : below(b.block.lanes)));
	block_launch(&b.block, ref_live(&b.ref));
	b.meet = b.block.all;
	b.warps++;
}

/* ---- instructions ---------------------------------------------------------------------------------------------- */

static void draw_masks(struct ref_op *op, uint32_t ready)
{
	const unsigned odd = below(6); /* 0: many masks differ; 1: some; 2: some lanes are not in their own mask */
	if (below(2) || !(b.meet & ready)) {
		b.meet = some_of(below(2) ? b.block.all : ready);
	}
	if (below(4) && b.meet & ready) {
		op->lanes = some_of(b.meet & ready);
	}
	for (unsigned l = 0; l < b.block.lanes; l++) {
		op->row[l] = odd == 0 || (odd == 1 && below(4) == 0)
		                     ? (rng_u32(&b.block.rng) & b.block.all) | UINT32_C(1) << l
		                     : b.meet;
		op->row[l] &= odd == 2 && below(3) == 0 ? ~(UINT32_C(1) << l) : UINT32_MAX;
	}
}

static bool draw(struct ref_op *op)
{
	static const uint8_t weight[REF_KINDS] = {8, 10, 3, 1, 1, 3, 6, 6, 2};
	const uint32_t ready = ref_ready(&b.ref), waiting = ref_live(&b.ref) & ~ready;
	unsigned kind = 0, at = below(40);
	while (at >= weight[kind]) {
		at -= weight[kind++];
	}
	kind = ready ? kind : REF_YIELD;
	*op = (struct ref_op){.kind = (enum ref_kind)kind, .apart = below(2), .bar = below(b.block.bars)};
	op->lanes = some_of(ready);
	for (unsigned l = 0; l < b.block.lanes; l++) {
		op->row[l] = rng_u32(&b.block.rng) & b.block.all;
	}
	if (kind == REF_WARPSYNC) {
		draw_masks(op, ready);
	} else if ((kind == REF_BSYNC || kind == REF_BREAK) && below(16) == 0) {
		op->lanes = 0; /* the predicate holds in no lane */
	} else if (kind == REF_YIELD && below(2)) {
		op->lanes = ready;
	} else if (kind == REF_R2B && below(2)) {
		for (unsigned l = 0; l < b.block.lanes; l++) {
			op->row[l] = b.meet;
		}
	}
	if (kind == REF_YIELD && waiting && (!ready || below(3) == 0)) { /* names waiting lanes, too, or alone */
		op->lanes = some_of(waiting) | (below(2) ? op->lanes & ready : 0);
	}
	return (ready || waiting) && !(kind == REF_EXIT && op->lanes == ref_live(&b.ref));
}

/* Barriers with waiting lanes. */
static uint32_t at_bars(void)
{
	uint32_t bars = 0;
	for (unsigned l = 0; l < b.block.lanes; l++) {
		const struct ref_lane *lane = &b.ref.lane[l];
		bars |= lane->waits && !lane->at_warpsync ? UINT32_C(1) << lane->place : 0;
	}
	return bars;
}

static void step(const struct ref_op *op)
{
	uint32_t old[REF_LANES];
	struct ref_op asked = *op;
	const unsigned let_go = b.seen.let_go;
	struct block_step step = {.op = op,
	                          .after = &b.ref,
	                          .old = old,
	                          .bad = ref_misused(&b.ref, op),
	                          .bars = op->kind == REF_YIELD ? at_bars() : 0};
	asked.bar = step.bars ? (unsigned)__builtin_ctz(step.bars) : op->bar;
	ref_step(&b.ref, &asked, old, &b.seen);
	step.lets_go = b.seen.let_go != let_go;
	block_take(&b.block, &step);
	b.kinds[op->kind]++;
	b.self += step.bad.self != 0;
	b.mismatch += step.bad.mismatch != 0;
	b.before += step.bad.waiting;
}

static bool met_everything(void)
{
	static const char *const names[REF_KINDS] = {
	        "BSSY",     "BSYNC", "BREAK", "BMOV.CLEAR", "BMOV to registers", "BMOV from registers",
	        "WARPSYNC", "YIELD", "EXIT"};
	const struct {
		const char *what;
		unsigned long seen;
	} floors[] = {
	        {"lanes that began to wait", b.seen.arrived},
	        {"lanes that went on later", b.seen.left},
	        {"lanes that went on at once", b.seen.at_once},
	        {"lanes that were let go", b.seen.let_go},
	        {"sets that they were taken out of", b.seen.unbound},
	        {"lanes that were let go by a YIELD that named them", b.seen.stood},
	        {"WARPSYNCs with a lane that is not in its own mask", b.self},
	        {"WARPSYNCs with lanes that name each other in different masks", b.mismatch},
	        {"of these, with lanes that came before", b.before},
	        {"warps", b.warps},
	};
	bool met = true;
	for (unsigned i = 0; i < sizeof floors / sizeof floors[0] + REF_KINDS; i++) {
		const bool kind = i < REF_KINDS;
		const unsigned long seen = kind ? b.kinds[i] : floors[i - REF_KINDS].seen;
		if (seen < 20) {
			printf("only %lu %s, expected 20\n", seen, kind ? names[i] : floors[i - REF_KINDS].what);
			met = false;
		}
	}
	return met;
}

static struct bench_end run_bench(const struct bench_args *a)
{
	block_open(&b.block, a);
	launch();
	while (b.block.steps < a->count && b.block.errors == 0) {
		struct ref_op op;
		while (!draw(&op) || below(60) == 0) {
			launch(); /* no lane is ready, or all would leave: another warp */
		}
		step(&op);
		if (below(8) == 0) {
			block_idle(&b.block);
		}
	}
	printf("converge_step: %u lanes, %u barriers, %lu warps, %lu instructions, %lu errors\n", b.block.lanes,
	       b.block.bars, b.warps, b.block.steps, b.block.errors);
	return bench_good(b.block.errors == 0 && met_everything());
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {
	        .words = "MODEL.so [SEED [INSTRUCTIONS]]", .usual = 5000, .run = run_bench};
	return bench_main(argc, argv, &form);
}
