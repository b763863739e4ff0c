// SPDX-License-Identifier: Apache-2.0
/* convergence.c -- lanes of a warp waiting for each other. A lane leaves every set at the lane's exit, because all code
 * looks at sets through `live`.
 * Source: docs/spec/convergence.md, "Instructions"; docs/spec/convergence.md, "Who goes on". */
#include "warplock/convergence.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "lane_row.h"
#include "warplock/units.h"

uint32_t wl_conv_same_set(const uint32_t row[WL_WARP_LANES], uint32_t lanes)
{
	return lanes ? row_equal(row, row[wl_lowest(lanes)]) & lanes : 0;
}

/* The lanes at a place with the wait over. Lanes waiting together have the same set: another set at the same barrier
 * number is another place in the code. */
static uint32_t complete(const uint32_t row[WL_WARP_LANES], uint32_t waiting, uint32_t live)
{
	uint32_t done = 0;
	for (uint32_t left = waiting; left;) {
		const uint32_t same = wl_conv_same_set(row, left);
		if (!(row[wl_lowest(left)] & live & ~same))
			done |= same;
		left &= ~same;
	}
	return done;
}

/* These lanes go on from BSYNC. */
static void leave(struct wl_conv_warp *w, unsigned bar, uint32_t lanes)
{
	row_set(w->set[bar], lanes, 0);
	w->at_bsync[bar] &= ~lanes;
	if (!w->at_bsync[bar])
		w->bars &= (uint16_t) ~(1u << bar);
	w->waits &= ~lanes;
}

/* Lanes of the same barrier leave together. */
static uint32_t release(struct wl_conv_warp *w)
{
	uint32_t any = 0;
	for (uint32_t bars = w->bars; bars; bars &= bars - 1) {
		const unsigned bar = wl_lowest(bars);
		const uint32_t done = complete(w->set[bar], w->at_bsync[bar], w->live);
		if (!done)
			continue;
		leave(w, bar, done);
		any |= done;
	}
	for (unsigned kind = 0; kind < WL_WARPSYNCS; kind++) {
		if (!w->at_warpsync[kind])
			continue;
		const uint32_t done = complete(w->wait_for, w->at_warpsync[kind], w->live);
		w->at_warpsync[kind] &= ~done;
		any |= done;
	}
	w->waits &= ~any;
	return any;
}

void wl_conv_start(struct wl_conv_warp *w, uint32_t lanes)
{
	*w = (struct wl_conv_warp){.live = lanes};
}

void wl_conv_bssy(struct wl_conv_warp *w, unsigned bar, uint32_t lanes)
{
	w->yielded &= ~lanes;
	row_set(w->set[bar], lanes, lanes);
}

uint32_t wl_conv_bsync(struct wl_conv_warp *w, unsigned bar, uint32_t lanes)
{
	w->yielded &= ~lanes;
	w->at_bsync[bar] |= lanes;
	w->bars |= (uint16_t)(lanes ? 1u << bar : 0);
	w->waits |= lanes;
	return release(w);
}

uint32_t wl_conv_break(struct wl_conv_warp *w, unsigned bar, uint32_t lanes)
{
	uint32_t others = 0, *set = w->set[bar];
	for (uint32_t m = lanes; m; m &= m - 1) {
		others |= set[wl_lowest(m)];
		set[wl_lowest(m)] = 0;
	}
	for (uint32_t m = others & ~lanes; m; m &= m - 1)
		set[wl_lowest(m)] &= ~lanes;
	return release(w);
}

/* Lanes in the mask of lane `l` with another mask, and with lane `l` in that mask. */
static uint32_t at_odds(unsigned l, uint32_t lanes, const uint32_t sets[WL_WARP_LANES])
{
	uint32_t odd = 0;
	for (uint32_t m = lanes & sets[l] & ~row_equal(sets, sets[l]); m; m &= m - 1)
		odd |= sets[wl_lowest(m)] & UINT32_C(1) << l ? m & -m : 0;
	return odd;
}

struct wl_conv_misuse wl_conv_judge(const struct wl_conv_warp *w, enum wl_warpsync kind, uint32_t lanes,
                                    const uint32_t sets[WL_WARP_LANES])
{
	struct wl_conv_misuse found = {0, 0};
	uint32_t mask[WL_WARP_LANES];
	if (!w->at_warpsync[kind] && wl_conv_same_set(sets, lanes) == lanes) { /* the usual case */
		found.self = lanes & ~sets[wl_lowest(lanes)];
		return found;
	}
	memcpy(mask, w->wait_for, sizeof mask);
	for (uint32_t m = lanes; m; m &= m - 1) {
		mask[wl_lowest(m)] = sets[wl_lowest(m)];
		found.self |= ~sets[wl_lowest(m)] & m & -m;
	}
	const uint32_t come = lanes & ~found.self;
	for (uint32_t m = come; m; m &= m - 1)
		if (at_odds(wl_lowest(m), come | w->at_warpsync[kind], mask))
			found.mismatch |= m & -m;
	return found;
}

uint32_t wl_conv_warpsync(struct wl_conv_warp *w, enum wl_warpsync kind, uint32_t lanes,
                          const uint32_t sets[WL_WARP_LANES])
{
	w->yielded &= ~lanes;
	for (uint32_t m = lanes; m; m &= m - 1)
		w->wait_for[wl_lowest(m)] = sets[wl_lowest(m)];
	w->at_warpsync[kind] |= lanes;
	w->waits |= lanes;
	return release(w);
}

/* The lanes of this barrier that go on because all awaited lanes have yielded, wherever the awaited lanes are. The
 * yielded lanes no longer have the released lanes in their sets. A yielded lane keeps its set if the lane waits itself.
 * So no release causes another release in the same step. */
static uint32_t let_go(struct wl_conv_warp *w, unsigned bar, uint32_t yielded)
{
	uint32_t *set = w->set[bar], go = 0;
	for (uint32_t left = w->at_bsync[bar]; left;) {
		const uint32_t mine = set[wl_lowest(left)], same = wl_conv_same_set(set, left);
		const uint32_t rest = mine & w->live & ~same;
		left &= ~same;
		if (!rest || rest & ~yielded)
			continue;
		go |= same;
		for (uint32_t m = rest & ~w->waits; m; m &= m - 1)
			set[wl_lowest(m)] &= ~same;
	}
	return go;
}

uint32_t wl_conv_yield(struct wl_conv_warp *w, uint32_t lanes)
{
	w->yielded |= lanes & ~w->waits;
	uint32_t go[WL_NUM_CBARS], any = 0;
	const uint32_t yielded = w->yielded | lanes, at = w->bars;
	for (uint32_t bars = at; bars; bars &= bars - 1)
		any |= go[wl_lowest(bars)] = let_go(w, wl_lowest(bars), yielded);
	for (uint32_t bars = any ? at : 0; bars; bars &= bars - 1)
		leave(w, wl_lowest(bars), go[wl_lowest(bars)]);
	return any;
}

uint32_t wl_conv_exit(struct wl_conv_warp *w, uint32_t lanes)
{
	w->live &= ~lanes;
	return release(w);
}

void wl_conv_put(struct wl_conv_warp *w, unsigned bar, uint32_t lanes, const uint32_t row[WL_WARP_LANES])
{
	for (uint32_t m = lanes; m; m &= m - 1)
		w->set[bar][wl_lowest(m)] = row[wl_lowest(m)];
}

void wl_conv_clear(struct wl_conv_warp *w, unsigned bar, uint32_t lanes)
{
	row_set(w->set[bar], lanes, 0);
}

/* ---- behind the interface ---- */

static void open_cta(struct wl_units *u, const struct wl_cta_start *start)
{
	u->convergence.cta[start->slot] = (struct wl_conv_cta){
	        .first_warp = (uint8_t)start->first_warp,
	        .warps = (uint8_t)start->warps,
	        .last_lanes = (uint8_t)(start->threads - (start->warps - 1) * WL_WARP_LANES),
	};
	for (unsigned k = 0; k < start->warps; k++) {
		const unsigned left = start->threads - k * WL_WARP_LANES;
		wl_conv_start(&u->convergence.warp[start->first_warp + k],
		              left >= WL_WARP_LANES ? UINT32_MAX : (UINT32_C(1) << left) - 1);
	}
}

/* The answer to a request without a destination, for every active lane: the ready lanes of the warp. */
static void answer_ready(const struct wl_conv_warp *w, const struct wl_req *req, struct wl_record *rec)
{
	for (uint32_t m = req->mask; m; m &= m - 1)
		rec->result[wl_lowest(m)].w[0] = w->live & ~w->waits;
	rec->written = req->mask & ~rec->faulted;
	for (uint32_t m = rec->faulted; m; m &= m - 1)
		rec->result[wl_lowest(m)].w[0] = 0;
}

static void answer_sets(const struct wl_conv_warp *w, unsigned bar, const struct wl_req *req, struct wl_record *rec)
{
	rec->written = req->inst.rd == WL_RZ ? 0 : req->mask;
	for (uint32_t m = rec->written; m; m &= m - 1)
		rec->result[wl_lowest(m)].w[0] = w->set[bar][wl_lowest(m)];
}

static void values_of(const struct wl_req *req, uint32_t row[WL_WARP_LANES])
{
	for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
		row[lane] = (uint32_t)wl_req_source(req, 0, lane);
}

/* Returns the lanes of `lanes` with a fault instead of a wait. */
static uint32_t warpsync(struct wl_conv_warp *w, const struct wl_req *req, uint32_t lanes, struct wl_record *rec)
{
	const enum wl_warpsync kind = req->inst.op ? WL_WARPSYNC_APART : WL_WARPSYNC_PLAIN;
	uint32_t row[WL_WARP_LANES];
	values_of(req, row);
	if (!rec->committed) { /* judge all lanes before any lane begins to wait */
		const struct wl_conv_misuse bad = wl_conv_judge(w, kind, req->mask, row);
		wl_fault_lanes(rec, bad.self, WL_FAULT_WARP_MASK_SELF);
		wl_fault_lanes(rec, bad.mismatch, WL_FAULT_WARP_MASK_MISMATCH);
	}
	const uint32_t come = lanes & ~rec->faulted;
	if (come)
		wl_conv_warpsync(w, kind, come, row);
	return lanes & rec->faulted;
}

static uint32_t apply(struct wl_units *u, const struct wl_req *req, struct wl_plan *p, const struct wl_event *ev,
                      struct wl_record *rec)
{
	struct wl_conv_warp *w = &u->convergence.warp[req->tag.warp];
	const unsigned bar = req->inst.cbar % WL_NUM_CBARS;
	const uint32_t chosen = req->mask & req->pred;
	uint32_t row[WL_WARP_LANES];
	uint32_t faults = 0;
	(void)p;
	if (req->inst.uop == WL_UOP_WARPSYNC)
		faults = warpsync(w, req, ev->lanes, rec);
	else
		assert(ev->lanes == req->mask && "the lanes of a group come together");
	rec->committed |= ev->lanes & ~faults;
	switch (req->inst.uop) {
	case WL_UOP_BMOV_CLEAR:
		answer_sets(w, bar, req, rec);
		wl_conv_clear(w, bar, req->mask);
		return 0;
	case WL_UOP_BMOV_B2R:
		answer_sets(w, bar, req, rec);
		return 0;
	case WL_UOP_BMOV_R2B:
		values_of(req, row);
		wl_conv_put(w, bar, req->mask, row);
		break;
	case WL_UOP_BSSY:
		wl_conv_bssy(w, bar, req->mask);
		break;
	case WL_UOP_BSYNC:
		wl_conv_bsync(w, bar, chosen);
		break;
	case WL_UOP_BREAK:
		wl_conv_break(w, bar, chosen);
		break;
	case WL_UOP_WARPSYNC:
		break;
	case WL_UOP_YIELD:
		wl_conv_yield(w, req->mask);
		break;
	case WL_UOP_EXIT:
		wl_conv_exit(w, chosen);
		break;
	default:
		assert(!"a micro-operation of convergence");
	}
	answer_ready(w, req, rec);
	return faults;
}

static void plan(const struct wl_units *u, const struct wl_req *req, struct wl_plan *p, struct wl_record *rec)
{
	(void)u;
	wl_plan_all(req, p, rec);
	p->whole = req->inst.uop != WL_UOP_WARPSYNC; /* some lanes may fault */
}

/* dut: a struct wl_convergence. Compares `live`, and `set` of live lanes. */
static bool compare(const struct wl_units *u, const void *dut, char *why, size_t n)
{
	const struct wl_convergence *ref = &u->convergence, *other = dut;
	for (unsigned warp = 0; warp < WL_MAX_WARPS; warp++)
		for (unsigned bar = 0; bar < WL_NUM_CBARS; bar++)
			for (uint32_t m = ref->warp[warp].live; m; m &= m - 1) {
				const uint32_t a = ref->warp[warp].set[bar][wl_lowest(m)],
				               b = other->warp[warp].set[bar][wl_lowest(m)];
				if (a == b)
					continue;
				snprintf(why, n, "B%u of warp %u, lane %u: lanes 0x%08x, REF has 0x%08x", bar, warp,
				         wl_lowest(m), b, a);
				return false;
			}
	return true;
}

const struct wl_unit_ops wl_convergence_ops = {.plan_bytes = sizeof(struct wl_plan),
                                               .open = open_cta,
                                               .plan = plan,
                                               .apply = apply,
                                               .finish = wl_finish_plain,
                                               .compare = compare};
