// SPDX-License-Identifier: Apache-2.0
/* Every state of a small warp, every instruction of its lanes, through the ports of the unit. The bench launches the
 * warp, and brings the warp into the state by requests. Then comes the instruction, then reads of all readable sets. A
 * few random requests show all other effects. The bench compares everything with converge_ref, cycles too, like
 * convergence_test.
 *
 *   converge_ports_test MODEL.so [--lean] [EVERY [SEED]]      EVERY: one instruction in EVERY, by chance */
#include <stdio.h>

#include "converge_bench.h"
#include "converge_walk.h"

enum { ALL_KINDS = (1 << REF_KINDS) - 1, BEHIND = 3 };

/* The second walk takes only some of the instructions: all would be too many. */
static const struct {
	struct walk_rules rules;
	unsigned every;
} walks[] = {
        {{"2 lanes, 2 barriers, all", 2, 2, ALL_KINDS, false}, 1},
        {{"3 lanes, 1 barrier, all but BMOV of registers to it", 3, 1, ALL_KINDS & ~(1 << REF_R2B), false}, 50},
};

struct ports {
	struct converge_bench bench;
	const struct walk_rules *rules;
	unsigned every;
	unsigned long steps, skipped;
};

static struct ref_warp *warp_of(struct ports *p)
{
	return &p->bench.warp[0].ref;
}

/* ---- into a state ---- */

static void launch(struct ports *p)
{
	struct converge_bench *b = &p->bench;
	if (b->warp[0].slot != SLOTS) {
		drop_cta(b, b->warp[0].slot);
	}
	b->next = (struct cta){.due = true, .slot = 0, .first = 0, .warps = 1, .lanes = p->rules->lanes};
	bench_cycle(b, false);
}

/* The sets of all lanes; mostly without a row if all sets are empty. */
static void put_rows(struct ports *p, const struct ref_warp *to)
{
	for (unsigned bar = 0; bar < p->rules->bars; bar++) {
		struct ref_op op = {.kind = REF_R2B, .bar = bar, .lanes = ref_live(warp_of(p))};
		uint32_t any = 0;
		for (unsigned l = 0; l < p->rules->lanes; l++) {
			any |= op.row[l] = ref_mask(to, to->in[bar][l]);
		}
		if (any || bench_below(&p->bench, 4) == 0) {
			bench_do(&p->bench, 0, &op);
		}
	}
}

/* Each waiting lane misses a lane, also while other lanes have not come yet: no lane goes on. */
static void let_wait(struct ports *p, const struct ref_warp *to, enum ref_kind kind, unsigned place)
{
	struct ref_op op = {.kind = kind, .apart = kind == REF_WARPSYNC && place, .bar = place};
	for (unsigned l = 0; l < p->rules->lanes; l++) {
		const struct ref_lane *lane = &to->lane[l];
		if (lane->waits && lane->at_warpsync == (kind == REF_WARPSYNC) && lane->place == place) {
			op.lanes |= UINT32_C(1) << l;
			op.row[l] = ref_mask(to, lane->mask);
		}
	}
	if (op.lanes) {
		bench_do(&p->bench, 0, &op);
	}
}

static void come_to(struct ports *p, const struct ref_warp *to)
{
	struct ref_op yield = {.kind = REF_YIELD}, leave = {.kind = REF_EXIT};
	launch(p);
	put_rows(p, to);
	for (unsigned l = 0; l < p->rules->lanes; l++) {
		yield.lanes |= (uint32_t)to->lane[l].yielded << l;
		leave.lanes |= (uint32_t)!to->lane[l].live << l;
	}
	if (yield.lanes) {
		bench_do(&p->bench, 0, &yield);
	}
	if (leave.lanes) {
		bench_do(&p->bench, 0, &leave);
	}
	for (unsigned place = 0; place < 2; place++) {
		let_wait(p, to, REF_BSYNC, place);
		let_wait(p, to, REF_WARPSYNC, place);
	}
}

static bool same_state(const struct ports *p, const struct ref_warp *a, const struct ref_warp *b)
{
	for (unsigned l = 0; l < p->rules->lanes; l++) {
		const struct ref_lane *x = &a->lane[l], *y = &b->lane[l];
		if (x->live != y->live || (x->live && (x->waits != y->waits || x->yielded != y->yielded))) {
			return false;
		}
		if (x->live && x->waits && (x->at_warpsync != y->at_warpsync || x->place != y->place)) {
			return false;
		}
		if (x->live && x->waits && x->at_warpsync && ref_mask(a, x->mask) != ref_mask(b, y->mask)) {
			return false;
		}
		for (unsigned bar = 0; bar < p->rules->bars && x->live; bar++) {
			if (ref_mask(a, a->in[bar][l]) != ref_mask(b, b->in[bar][l])) {
				return false;
			}
		}
	}
	return true;
}

/* ---- the instruction, and its effects ---- */

static void look_behind(struct ports *p)
{
	struct converge_bench *b = &p->bench;
	for (unsigned bar = 0; bar < p->rules->bars && ref_ready(warp_of(p)); bar++) {
		bench_do(b, 0, &(struct ref_op){.kind = REF_B2R, .bar = bar, .lanes = ref_ready(warp_of(p))});
	}
	for (unsigned i = 0; i < BEHIND; i++) {
		bench_ask_any(b, 0);
	}
}

static bool take(void *self, const struct walk_edge *e)
{
	struct ports *p = self;
	struct converge_bench *b = &p->bench;
	const bool nobody = !e->op.lanes && !ref_ready(e->before); /* a request has a lane */
	if (nobody || (p->every > 1 && bench_below(b, p->every))) {
		p->skipped++;
		return true;
	}
	come_to(p, e->before);
	bench_expect(b, "the state before the instruction is the one that was meant",
	             same_state(p, warp_of(p), e->before), 1);
	if (b->errors) {
		return false;
	}
	bench_do(b, 0, &e->op);
	bench_expect(b, "the state behind it is the walk's", same_state(p, warp_of(p), e->after), 1);
	look_behind(p);
	p->steps++;
	return b->errors == 0;
}

static bool walk(struct ports *p, const struct walk_rules *rules)
{
	p->rules = rules;
	p->steps = p->skipped = 0;
	const struct walk_count n = walk_all(rules, rules->lanes, take, p);
	const bool good = p->bench.errors == 0 && p->steps && n.seen.let_go && n.seen.stood && n.faults;
	printf("%s: %lu states, %lu instructions, of which %lu came, %lu cycles: %s\n", rules->name, n.states, n.steps,
	       p->steps, p->bench.cycle, good ? "right" : "WRONG");
	return good;
}

static struct bench_end run_bench(const struct bench_args *a)
{
	static struct ports p;
	unsigned passed = 0, failed = 0;
	bench_open(&p.bench, a);
	bench_stalls(&p.bench, STALL_NEVER, STALL_NEVER);
	bench_reset(&p.bench);
	p.bench.settled = true;
	for (unsigned i = 0; i < sizeof walks / sizeof walks[0] && !failed; i++) {
		p.every = a->count * walks[i].every;
		*(walk(&p, &walks[i].rules) ? &passed : &failed) += 1;
	}
	return (struct bench_end){passed, failed};
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {
	        .words = "MODEL.so [--lean] [EVERY [SEED]]", .usual = 1, .run = run_bench};
	return bench_main(argc, argv, &form);
}
