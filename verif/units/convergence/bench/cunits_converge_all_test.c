// SPDX-License-Identifier: Apache-2.0
/* cunits_converge_all_test.c -- every state of a small warp, every instruction of its lanes. The functions of
 * convergence called by the front end run against the reference of the RTL's bench.
 *
 *   cunits_converge_all_test [more]      also the walks lasting minutes in RTL */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "converge_walk.h"
#include "warplock/convergence.h"

enum { WIDTH = 4, ALL_KINDS = (1 << REF_KINDS) - 1 };

static const struct walk_rules walks[] = {
        {"2 lanes, 2 barriers, all", 2, 2, ALL_KINDS, false},
        {"3 lanes, 1 barrier, all but BMOV of registers to it", 3, 1, ALL_KINDS & ~(1 << REF_R2B), false},
        {"3 lanes, 1 barrier, all", 3, 1, ALL_KINDS, false},
        {"3 lanes, 2 barriers, all but WARPSYNC and BMOV", 3, 2,
         1 << REF_BSSY | 1 << REF_BSYNC | 1 << REF_BREAK | 1 << REF_YIELD | 1 << REF_EXIT, false},
};
enum { QUICK = 2, WALKS = sizeof walks / sizeof walks[0] };

/* The warp in the unit's form. */
static struct wl_conv_warp placed(const struct ref_warp *w)
{
	struct wl_conv_warp c = {.live = ref_live(w)};
	for (unsigned l = 0; l < WIDTH; l++) {
		const struct ref_lane *lane = &w->lane[l];
		const uint32_t one = UINT32_C(1) << l;
		c.yielded |= lane->yielded ? one : 0;
		c.waits |= lane->waits ? one : 0;
		if (lane->waits && lane->at_warpsync) {
			c.at_warpsync[lane->place] |= one;
			c.wait_for[l] = ref_mask(w, lane->mask);
		} else if (lane->waits) {
			c.at_bsync[lane->place] |= one;
			c.bars |= (uint16_t)(1u << lane->place);
		}
		for (unsigned bar = 0; bar < 2; bar++) {
			c.set[bar][l] = ref_mask(w, w->in[bar][l]);
		}
	}
	return c;
}

static bool same(const struct wl_conv_warp *c, const struct ref_warp *w)
{
	const struct wl_conv_warp want = placed(w);
	bool good = c->live == want.live && c->waits == want.waits && c->bars == want.bars &&
	            (c->yielded & c->live) == (want.yielded & want.live) &&
	            memcmp(c->at_bsync, want.at_bsync, sizeof want.at_bsync) == 0 &&
	            memcmp(c->at_warpsync, want.at_warpsync, sizeof want.at_warpsync) == 0;
	for (unsigned l = 0; l < WIDTH; l++) {
		const bool masked = (want.at_warpsync[0] | want.at_warpsync[1]) >> l & 1;
		good &= !masked || c->wait_for[l] == want.wait_for[l];
		good &= c->set[0][l] == want.set[0][l] && c->set[1][l] == want.set[1][l];
	}
	return good;
}

static uint32_t run(struct wl_conv_warp *c, const struct ref_op *op, uint32_t lanes)
{
	switch (op->kind) {
	case REF_BSSY:
		wl_conv_bssy(c, op->bar, lanes);
		return 0;
	case REF_BSYNC:
		return wl_conv_bsync(c, op->bar, lanes);
	case REF_BREAK:
		return wl_conv_break(c, op->bar, lanes);
	case REF_CLEAR:
		wl_conv_clear(c, op->bar, lanes);
		return 0;
	case REF_R2B:
		wl_conv_put(c, op->bar, lanes, op->row);
		return 0;
	case REF_WARPSYNC:
		return lanes ? wl_conv_warpsync(c, op->apart ? WL_WARPSYNC_APART : WL_WARPSYNC_PLAIN, lanes, op->row)
		             : 0;
	case REF_YIELD:
		return wl_conv_yield(c, lanes);
	case REF_EXIT:
		return wl_conv_exit(c, lanes);
	default:
		return 0;
	}
}

static bool take(void *self, const struct walk_edge *e)
{
	const uint32_t began = e->op.kind == REF_BSYNC || e->op.kind == REF_WARPSYNC
	                               ? e->op.lanes & ~(e->bad.self | e->bad.mismatch)
	                               : 0;
	const uint32_t on = (began | (ref_live(e->before) & ~ref_ready(e->before))) & ref_ready(e->after);
	struct wl_conv_warp c = placed(e->before);
	struct wl_conv_misuse bad = {0, 0};
	if (e->op.kind == REF_WARPSYNC) {
		bad = wl_conv_judge(&c, e->op.apart ? WL_WARPSYNC_APART : WL_WARPSYNC_PLAIN, e->op.lanes, e->op.row);
	}
	const uint32_t got = run(&c, &e->op, e->op.lanes & ~(bad.self | bad.mismatch));
	if (bad.self == e->bad.self && bad.mismatch == e->bad.mismatch && got == on && same(&c, e->after)) {
		return true;
	}
	printf("kind %u, barrier %u, lanes %" PRIx32 ": %" PRIx32 " go on, expected %" PRIx32 "; faults %" PRIx32
	       " %" PRIx32 ", expected %" PRIx32 " %" PRIx32 "\n",
	       e->op.kind, e->op.bar, e->op.lanes, got, on, bad.self, bad.mismatch, e->bad.self, e->bad.mismatch);
	*(bool *)self = true;
	return false;
}

int main(int argc, char **argv)
{
	unsigned passed = 0;
	bool wrong = false;
	(void)argv;
	for (unsigned i = 0; i < (argc > 1 ? WALKS : QUICK) && !wrong; i++) {
		const struct walk_count n = walk_all(&walks[i], WIDTH, take, &wrong);
		wrong |= !n.seen.arrived || !n.seen.left || !n.seen.let_go || !n.seen.stood;
		printf("%s: %lu states, %lu instructions, %lu with a fault: %s\n", walks[i].name, n.states, n.steps,
		       n.faults, wrong ? "WRONG" : "right");
		passed += !wrong;
	}
	printf("%u passed, %d failed\n", passed, wrong);
	return wrong;
}
