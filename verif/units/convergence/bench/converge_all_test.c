// SPDX-License-Identifier: Apache-2.0
/* Every state of a small warp, every instruction of its lanes: converge_step against converge_ref.
 *
 *   converge_all_test MODEL.so [more]      the model has Warp=4 Bars=2; `more`: also the walks lasting minutes */
#include <stdio.h>
#include <string.h>

#include "converge_block.h"
#include "converge_walk.h"

enum { ALL_KINDS = (1 << REF_KINDS) - 1, PUTS = 1 << REF_R2B };

static const struct walk_rules quick[] = {
        {"2 lanes, 2 barriers, all", 2, 2, ALL_KINDS, false},
        {"3 lanes, 1 barrier, all but BMOV of registers to it", 3, 1, ALL_KINDS & ~PUTS, false},
};
static const struct walk_rules longer[] = {
        {"3 lanes, 1 barrier, all", 3, 1, ALL_KINDS, false},
        {"3 lanes, 2 barriers, all but WARPSYNC and BMOV", 3, 2,
         1 << REF_BSSY | 1 << REF_BSYNC | 1 << REF_BREAK | 1 << REF_YIELD | 1 << REF_EXIT, false},
        {"4 lanes, 1 barrier, all but WARPSYNC and BMOV", 4, 1,
         1 << REF_BSSY | 1 << REF_BSYNC | 1 << REF_BREAK | 1 << REF_YIELD | 1 << REF_EXIT, false},
};

static bool take(void *self, const struct walk_edge *e)
{
	struct block *b = self;
	const struct block_step step = {
	        .op = &e->op, .after = e->after, .old = e->old, .bad = e->bad, .lets_go = e->lets_go, .bars = e->bars};
	block_place(b, e->before);
	block_take(b, &step);
	return b->errors == 0;
}

/* Whether the walk was right, and a walk at all: each requested kind came, and some lane waited. */
static bool walk(struct block *b, const struct walk_rules *rules)
{
	const struct walk_count n = walk_all(rules, b->lanes, take, b);
	bool good = b->errors == 0 && n.seen.arrived && n.seen.left && n.seen.let_go && n.seen.stood;
	for (unsigned kind = 0; kind < REF_KINDS; kind++) {
		good &= !(rules->kinds >> kind & 1) || n.kinds[kind];
	}
	good &= !(rules->kinds >> REF_WARPSYNC & 1) || n.faults;
	printf("%s: %lu states, %lu instructions, %lu with a fault: %s\n", rules->name, n.states, n.steps, n.faults,
	       good ? "right" : "WRONG");
	return good;
}

static struct bench_end run_bench(const struct bench_args *a)
{
	static struct block b;
	unsigned passed = 0, failed = 0;
	block_open(&b, a);
	if (b.lanes < 4 || b.bars < 2) {
		bench_refuse("a model of %u lanes and %u barriers, expected 4 and 2", b.lanes, b.bars);
	}
	for (unsigned i = 0; i < sizeof quick / sizeof quick[0] && !failed; i++) {
		*(walk(&b, &quick[i]) ? &passed : &failed) += 1;
	}
	for (unsigned i = 0; i < sizeof longer / sizeof longer[0] && bench_has(a, "more") && !failed; i++) {
		*(walk(&b, &longer[i]) ? &passed : &failed) += 1;
	}
	return (struct bench_end){passed, failed};
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {.words = "MODEL.so [more]", .run = run_bench};
	return bench_main(argc, argv, &form);
}
