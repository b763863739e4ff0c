// SPDX-License-Identifier: Apache-2.0
/* Bench of convergence against a reference of its own: warps that divide, meet, break, yield and leave on the beat bus,
 * CTAs that come and go, four stall patterns on both sides crossed, resets under way; every answer, the cycle of each
 * COMMIT, the lanes that are ready, and which EXIT is a warp's last.
 *
 *   convergence_test MODEL.so [SEED [REQUESTS [BUG]]]      REQUESTS: for each pair of stall patterns */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/rng.h"
#include "../common/stall.h"
#include "converge_ref.h"
#include "rtl_model.h"

enum {
	MAX_PORTS = 4,
	WARPS = 48,
	SLOTS = 16,
	CTA_WARPS = 6, /* at most */
	FLAG_RA = 3,
	TO_COMMIT = 1, /* cycles from the last beat */
	TO_ANSWER = 3,
	PATIENCE = 5000,
	WARP_MASK_SELF = 24, /* codes: the table in "Traps" of docs/units/convergence.md */
	WARP_MASK_MISMATCH = 25,
	SRC_REG = 1,
	SRC_IMM = 2,
	SRC_CONST = 3
};

#define PINS(PIN)                                                                                                      \
	PIN(clk_i)                                                                                                     \
	PIN(rst_i)                                                                                                     \
	PIN(cta_valid_i)                                                                                               \
	PIN(cta_slot_i)                                                                                                \
	PIN(cta_first_i)                                                                                               \
	PIN(cta_warps_i)                                                                                               \
	PIN(cta_lanes_i)                                                                                               \
	PIN(exit_warp_i)                                                                                               \
	PIN(exit_slot_i)                                                                                               \
	PIN(exit_mask_i)                                                                                               \
	PIN(exit_stay_o)                                                                                               \
	PIN(beat_valid_i)                                                                                              \
	PIN(beat_ready_o)                                                                                              \
	PIN(room_o)                                                                                                    \
	PIN(beat_port_i)                                                                                               \
	PIN(beat_exit_i)                                                                                               \
	PIN(beat_header_i)                                                                                             \
	PIN(beat_tag_i)                                                                                                \
	PIN(beat_slot_i)                                                                                               \
	PIN(beat_kind_i)                                                                                               \
	PIN(beat_ctl_i)                                                                                                \
	PIN(beat_flags_i)                                                                                              \
	PIN(beat_imm_i)                                                                                                \
	PIN(beat_index_i)                                                                                              \
	PIN(beat_last_i)                                                                                               \
	PIN(beat_mask_i)                                                                                               \
	PIN(beat_pred_i)                                                                                               \
	PIN(beat_ra_i)                                                                                                 \
	PIN(done_valid_o)                                                                                              \
	PIN(done_warp_o)                                                                                               \
	PIN(rsp_valid_o)                                                                                               \
	PIN(rsp_take_i)                                                                                                \
	PIN(rsp_o)                                                                                                     \
	PIN(rsp_data_o)                                                                                                \
	PIN(idle_o)                                                                                                    \
	PIN(trace_fault_valid_o)                                                                                       \
	PIN(trace_fault_tag_o)                                                                                         \
	PIN(trace_fault_lanes_o)                                                                                       \
	PIN(trace_commit_valid_o)                                                                                      \
	PIN(trace_commit_tag_o)                                                                                        \
	PIN(trace_commit_lanes_o)                                                                                      \
	PIN(trace_commit_value_o)

/* A request, and what the reference says of it. */
struct request {
	struct ref_op op;
	uint32_t tag, mask, pred;
	unsigned slot, src;
	bool header, to_rd, ra_used;
	uint32_t imm, ready, walks; /* lanes that are ready then; barriers at which lanes wait, for a YIELD */
	uint32_t old[REF_LANES];
	struct ref_misuse bad;
	unsigned long taken;
	bool alone, seen;
};

struct warp {
	struct ref_warp ref;
	bool asked;
	unsigned slot; /* of its CTA; SLOTS: of none */
	unsigned plan_bar;
	uint32_t plan, meet;
};

static struct bench {
	struct model model;
#define MEMBER(name) uint8_t *name;
	PINS(MEMBER)
#undef MEMBER
	unsigned lanes, ports, beats;
	struct rng rng;
	struct stall in, out[MAX_PORTS];
	struct warp warp[WARPS];
	bool offered, settled; /* settled: no CTA comes */
	struct request req;
	unsigned req_port, beat;
	struct request owed[MAX_PORTS][WARPS]; /* rings */
	unsigned first[MAX_PORTS], last[MAX_PORTS], out_beat[MAX_PORTS];
	struct request commit; /* the one whose COMMIT is due */
	bool commits;
	unsigned long cycle, errors, taken, answered, moved, still, refused, launches, stays, goes, widest_walk;
	unsigned serial;
	unsigned long kinds[REF_KINDS], apart, nobody, self, mismatch, before, both, all_bad, some_bad;
	struct ref_seen seen;
} b;

static void error(const char *what, uint64_t got, uint64_t want)
{
	if (b.errors++ < 10) {
		printf("cycle %lu: %s is %" PRIx64 ", expected %" PRIx64 "\n", b.cycle, what, got, want);
	}
}

static void expect(const char *what, uint64_t got, uint64_t want)
{
	if (got != want) {
		error(what, got, want);
	}
}

static unsigned below(unsigned n)
{
	return rng_below(&b.rng, n);
}

static uint32_t some_of(uint32_t lanes)
{
	const unsigned how = below(4);
	uint32_t m = how == 0   ? lanes
	             : how == 1 ? lanes & rng_u32(&b.rng)
	             : how == 2 ? lanes & rng_u32(&b.rng) & rng_u32(&b.rng)
	                        : lanes & UINT32_MAX << below(32);
	return m ? m : lanes & -lanes;
}

/* ---- CTAs ----------------------------------------------------------------------------------------------------------
 */

/* Nothing of it is under way, and nobody goes on; or it ends all the same. */
static bool slot_over(unsigned slot)
{
	uint32_t ready = 0;
	if (b.offered && b.req.slot == slot) {
		return false;
	}
	for (unsigned w = 0; w < WARPS; w++) {
		if (b.warp[w].slot == slot) {
			if (b.warp[w].asked) {
				return false;
			}
			ready |= ref_ready(&b.warp[w].ref);
		}
	}
	return !ready || below(300) == 0;
}

/* One slot a cycle, when nobody of it goes on any more: the next CTA may have other warps. */
static void drive_launch(void)
{
	const unsigned slot = below(SLOTS), most = 1 + below(CTA_WARPS), lanes = below(2) ? 32 : 1 + below(32);
	unsigned first = below(WARPS), warps = 0;
	*b.cta_valid_i = !b.settled && slot_over(slot);
	/* what stands beside no launch means nothing */
	*b.cta_slot_i = (uint8_t)slot;
	*b.cta_first_i = (uint8_t)first;
	*b.cta_warps_i = (uint8_t)most;
	*b.cta_lanes_i = (uint8_t)lanes;
	if (!*b.cta_valid_i) {
		return;
	}
	for (unsigned w = 0; w < WARPS; w++) {
		if (b.warp[w].slot == slot) {
			b.warp[w] = (struct warp){.slot = SLOTS};
		}
	}
	while (b.warp[first].slot != SLOTS) {
		first = (first + 1) % WARPS;
	}
	while (warps < most && first + warps < WARPS && b.warp[first + warps].slot == SLOTS) {
		b.warp[first + warps++].slot = slot;
	}
	for (unsigned i = 0; i < warps; i++) {
		ref_launch(&b.warp[first + i].ref, i + 1 < warps ? 32 : lanes);
	}
	*b.cta_first_i = (uint8_t)first;
	*b.cta_warps_i = (uint8_t)warps;
	b.launches++;
}

static bool launching(unsigned w)
{
	return *b.cta_valid_i && *b.cta_slot_i == b.warp[w].slot;
}

/* Any warp that is not under way: do lanes of it stay when these leave? */
static void drive_exit(unsigned p)
{
	const unsigned w = below(WARPS / b.ports) * b.ports + p;
	const uint32_t live = ref_live(&b.warp[w].ref);
	const unsigned how = below(3); /* all leave, or some; or one stays */
	const uint32_t mask = how == 0 ? live : how == 1 ? live & rng_u32(&b.rng) : live & ~(UINT32_C(1) << below(32));
	const bool known = live && !b.warp[w].asked && !launching(w);
	pin_set(b.exit_warp_i, p * 6, 6, w);
	pin_set(b.exit_slot_i, p * 4, 4, b.warp[w].slot);
	pin_set(b.exit_mask_i, p * 32, 32, mask);
	b.model.eval(b.model.self);
	if (known) {
		expect("exit_stay_o", pin_get(b.exit_stay_o, p, 1), (live & ~mask) != 0);
		*(live & ~mask ? &b.stays : &b.goes) += 1;
	}
}

/* ---- what goes in --------------------------------------------------------------------------------------------------
 */

static void draw_lanes(struct request *r, struct warp *w, uint32_t ready)
{
	r->mask = some_of(ready);
	if (r->op.kind == REF_BSSY) {
		w->plan = r->mask;
		w->plan_bar = below(below(2) ? 3 : REF_BARS);
		r->op.bar = w->plan_bar;
	} else if (w->plan & ready && below(4)) {
		r->mask = below(2) ? w->plan & ready : some_of(w->plan & ready);
		r->op.bar = w->plan_bar;
	}
	if (r->op.kind == REF_WARPSYNC && below(8)) {
		w->meet = w->meet & ready ? w->meet : some_of(ready);
		r->mask = some_of(w->meet & ready);
		/* 0: all of these lanes have another mask, 1: some of them, 2: some are not in their own */
		const unsigned odd = below(8);
		const uint32_t wrong = w->meet ^ UINT32_C(1) << below(REF_LANES);
		for (unsigned l = 0; l < REF_LANES; l++) {
			const bool other = odd == 0 || (odd == 1 && below(4) == 0);
			r->op.row[l] = other ? wrong | UINT32_C(1) << l : w->meet;
			r->op.row[l] &= odd == 2 && below(6) == 0 ? ~(UINT32_C(1) << l) : UINT32_MAX;
		}
	}
	if (r->op.kind == REF_R2B && below(4)) {
		for (unsigned l = 0; l < REF_LANES; l++) {
			r->op.row[l] = w->plan;
		}
	}
	if (r->op.kind == REF_YIELD && below(2)) { /* whoever is waited for, in two steps or three */
		r->mask = below(2) ? ready : some_of(ready);
	}
	if (r->op.kind == REF_EXIT && below(3)) {
		r->mask = some_of(r->mask);
	}
}

/* Where the row comes from: registers, RZ, a constant (which the source brings as registers), the word. */
static void draw_source(struct request *r)
{
	r->src = r->op.kind == REF_WARPSYNC && below(3) == 0 ? SRC_IMM : below(4) ? SRC_REG : SRC_CONST;
	r->ra_used = r->src == SRC_REG && below(12);
	r->imm = r->op.row[__builtin_ctz(r->mask)];
	for (unsigned l = 0; l < REF_LANES; l++) {
		if (r->src == SRC_IMM) {
			r->op.row[l] = r->imm;
		} else if (r->src == SRC_REG && !r->ra_used) {
			r->op.row[l] = 0;
		}
	}
}

static bool draw(struct request *r, unsigned w)
{
	static const uint8_t weight[REF_KINDS] = {20, 34, 8, 4, 6, 5, 12, 10, 3};
	struct warp *warp = &b.warp[w];
	const uint32_t ready = ref_ready(&warp->ref);
	if (!ready || warp->asked || launching(w)) {
		return false;
	}
	memset(r, 0, sizeof *r);
	unsigned kind = 0, at = below(102);
	while (at >= weight[kind]) {
		at -= weight[kind++];
	}
	r->op.kind = (enum ref_kind)kind;
	r->op.bar = below(REF_BARS);
	r->op.apart = below(2);
	r->slot = warp->slot;
	r->tag = w << 16 | (b.serial++ * 0x9e37 & 0xffff);
	for (unsigned l = 0; l < REF_LANES; l++) {
		r->op.row[l] = rng_u32(&b.rng);
	}
	draw_lanes(r, warp, ready);
	draw_source(r);
	if (kind == REF_EXIT && r->mask == ref_live(&warp->ref)) {
		return false; /* the warp's last: no request of this unit */
	}
	const bool chooses = kind == REF_BSYNC || kind == REF_BREAK;
	r->header = chooses || kind == REF_BSSY || kind == REF_YIELD || kind == REF_EXIT;
	r->to_rd = below(6) != 0;
	r->pred = chooses && below(2) ? UINT32_MAX : rng_u32(&b.rng);
	r->op.lanes = chooses ? r->mask & r->pred : r->mask;
	return true;
}

static void drive_beat(void)
{
	const struct request *r = &b.req;
	const unsigned at = b.beat * b.lanes;
	*b.beat_exit_i = r->op.kind == REF_EXIT;
	*b.beat_kind_i = r->op.kind == REF_EXIT ? (uint8_t)below(8) : (uint8_t)r->op.kind;
	*b.beat_header_i = r->header;
	*b.beat_slot_i = (uint8_t)r->slot;
	pin_set(b.beat_port_i, 0, b.ports == 4 ? 2 : 1, b.req_port);
	pin_set(b.beat_tag_i, 0, 22, r->tag);
	pin_set(b.beat_ctl_i, 0, 32, r->op.bar | (uint32_t)r->op.apart << 4 | r->src << 5 | (uint32_t)r->to_rd << 8);
	*b.beat_flags_i = (uint8_t)(r->ra_used << FLAG_RA);
	pin_set(b.beat_imm_i, 0, 32, r->src == SRC_IMM ? r->imm : rng_u32(&b.rng));
	*b.beat_index_i = (uint8_t)b.beat;
	*b.beat_last_i = r->header || b.beat + 1 == b.beats;
	pin_set(b.beat_mask_i, 0, 32, r->mask >> at);
	pin_set(b.beat_pred_i, 0, 32, r->pred >> at);
	for (unsigned l = 0; l < b.lanes; l++) {
		const bool named = r->src == SRC_CONST || (r->src == SRC_REG && r->ra_used);
		pin_set(b.beat_ra_i, l * 64, 32, named ? r->op.row[at + l] : rng_u32(&b.rng));
		pin_set(b.beat_ra_i, l * 64 + 32, 32, rng_u32(&b.rng));
	}
}

/* The bus as the arbiter of sync_core drives it: mostly requests that have room begin. */
static void drive_bus(bool more)
{
	const bool stalled = stall_now(&b.in);
	if (!b.offered && more && !stalled) {
		b.req_port = below(b.ports);
		for (unsigned i = 0; i < b.ports && !pin_get(b.room_o, b.req_port, 1) && below(16); i++) {
			b.req_port = (b.req_port + 1) % b.ports;
		}
		for (unsigned tries = 0; tries < 16 && !b.offered; tries++) {
			b.offered = draw(&b.req, below(WARPS / b.ports) * b.ports + b.req_port);
		}
		b.beat = 0;
	}
	*b.beat_valid_i = b.offered && !(stalled && b.beat);
	if (*b.beat_valid_i) {
		drive_beat();
	}
}

/* ---- what comes out ------------------------------------------------------------------------------------------------
 */

static void check_commit(void)
{
	const struct request *r = &b.commit;
	const bool due = b.commits && b.cycle == r->taken + TO_COMMIT + r->walks;
	const uint32_t bad = r->bad.self | r->bad.mismatch;
	expect("trace_commit_valid_o", *b.trace_commit_valid_o, due && r->mask & ~bad);
	expect("trace_fault_valid_o", *b.trace_fault_valid_o, due && bad);
	expect("done_valid_o", *b.done_valid_o, due && !r->header);
	if (!due) {
		return;
	}
	if (bad) {
		expect("trace_fault_tag_o", pin_get(b.trace_fault_tag_o, 0, 22), r->tag);
		expect("trace_fault_lanes_o: self", pin_get(b.trace_fault_lanes_o, 0, 32), r->bad.self);
		expect("trace_fault_lanes_o: mismatch", pin_get(b.trace_fault_lanes_o, 32, 32), r->bad.mismatch);
	}
	if (r->mask & ~bad) {
		expect("trace_commit_tag_o", pin_get(b.trace_commit_tag_o, 0, 22), r->tag);
		expect("trace_commit_lanes_o", pin_get(b.trace_commit_lanes_o, 0, 32), r->mask & ~bad);
		expect("trace_commit_value_o", pin_get(b.trace_commit_value_o, 0, 32), r->ready);
	}
	if (!r->header) {
		expect("done_warp_o", *b.done_warp_o, r->tag >> 16);
	}
	b.commits = false;
}

static void check_beat(unsigned p, const struct request *r)
{
	const unsigned at = p * (30 + b.lanes * 8), lanes = b.lanes, first = b.out_beat[p] * lanes;
	const uint32_t part = lanes == 32 ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
	const bool reads = r->op.kind == REF_CLEAR || r->op.kind == REF_B2R;
	const uint32_t self = r->bad.self >> first & part, mismatch = r->bad.mismatch >> first & part;
	const uint32_t taken = r->mask >> first & part & ~(self | mismatch);
	const uint32_t written = r->header ? 1 : reads && !r->to_rd ? 0 : taken;
	expect("tag of the answer", pin_get(b.rsp_o, at, 22), r->tag);
	expect("last", pin_get(b.rsp_o, at + 22, 1), r->header || b.out_beat[p] + 1 == b.beats);
	expect("passes", pin_get(b.rsp_o, at + 23, 6), 1);
	expect("written lanes", pin_get(b.rsp_o, at + 29, lanes), written);
	expect("predicates", pin_get(b.rsp_o, at + 29 + lanes, lanes), 0);
	expect("any fault", pin_get(b.rsp_o, at + 29 + 2 * lanes, 1), (self | mismatch) != 0);
	for (unsigned l = 0; l < lanes; l++) {
		const uint32_t word = !(written >> l & 1) ? 0 : reads ? r->old[first + l] : r->ready;
		const unsigned code = self >> l & 1 ? WARP_MASK_SELF : mismatch >> l & 1 ? WARP_MASK_MISMATCH : 0;
		expect("fault", pin_get(b.rsp_o, at + 30 + 2 * lanes + l * 6, 6), code);
		expect("word", pin_get(b.rsp_data_o, (p * lanes + l) * 128, 32), word);
		for (unsigned k = 1; k < 4; k++) {
			expect("upper words", pin_get(b.rsp_data_o, (p * lanes + l) * 128 + k * 32, 32), 0);
		}
	}
}

static void check_answers(void)
{
	for (unsigned p = 0; p < b.ports; p++) {
		struct request *o = &b.owed[p][b.first[p] % WARPS];
		const bool valid = pin_get(b.rsp_valid_o, p, 1);
		const bool open = !stall_now(&b.out[p]);
		const unsigned long soon = o->taken + TO_ANSWER + o->walks;
		pin_set(b.rsp_take_i, p, 1, valid && open);
		if (!valid) {
			if (b.first[p] != b.last[p] && o->alone && !o->seen && b.cycle >= soon) {
				expect("cycle of an answer", b.cycle, soon);
			}
			continue;
		}
		if (b.first[p] == b.last[p]) {
			error("an answer that nobody asked for", pin_get(b.rsp_o, p * (30 + b.lanes * 8), 22), 0);
			continue;
		}
		if (!o->seen && b.cycle < soon) {
			expect("cycle of an answer", b.cycle, soon);
		}
		o->seen = true;
		check_beat(p, o);
		if (!open) {
			continue;
		}
		b.out_beat[p] = o->header ? 0 : (b.out_beat[p] + 1) % b.beats;
		if (b.out_beat[p] == 0) {
			b.first[p]++;
			b.answered++;
			b.warp[o->tag >> 16].asked = false;
		}
	}
}

/* Barriers at which lanes wait when somebody yields. */
static uint32_t walks(const struct ref_warp *w)
{
	uint32_t bars = 0;
	for (unsigned l = 0; l < REF_LANES; l++) {
		bars |= w->lane[l].waits && !w->lane[l].at_warpsync ? UINT32_C(1) << w->lane[l].place : 0;
	}
	return (uint32_t)__builtin_popcount(bars);
}

static void count_misuse(const struct request *r)
{
	const uint32_t bad = r->bad.self | r->bad.mismatch;
	b.self += r->bad.self != 0;
	b.mismatch += r->bad.mismatch != 0;
	b.before += r->bad.waiting;
	b.both += r->bad.self && r->bad.mismatch;
	b.all_bad += bad && bad == r->mask;
	b.some_bad += bad && bad != r->mask;
}

static void check_take(void)
{
	const bool ready = *b.beat_ready_o;
	if (!*b.beat_valid_i) {
		return;
	}
	if (b.beat == 0 && !pin_get(b.room_o, b.req_port, 1)) {
		expect("beat_ready_o", ready, 0);
		b.refused++;
	}
	if (!ready) {
		return;
	}
	if (!*b.beat_last_i) {
		b.beat++;
		return;
	}
	struct request *o = &b.owed[b.req_port][b.last[b.req_port] % WARPS];
	struct warp *w = &b.warp[b.req.tag >> 16];
	b.req.alone = b.first[b.req_port] == b.last[b.req_port] && b.out[b.req_port].kind == STALL_NEVER;
	b.req.taken = b.cycle;
	b.req.walks = b.req.op.kind == REF_YIELD ? walks(&w->ref) : 0;
	b.req.bad = ref_misused(&w->ref, &b.req.op);
	ref_step(&w->ref, &b.req.op, b.req.old, &b.seen);
	count_misuse(&b.req);
	b.req.ready = ref_ready(&w->ref);
	w->asked = true;
	b.kinds[b.req.op.kind]++;
	b.apart += b.req.op.kind == REF_WARPSYNC && b.req.op.apart;
	b.nobody += !b.req.op.lanes;
	b.widest_walk = b.req.walks > b.widest_walk ? b.req.walks : b.widest_walk;
	expect("requests whose COMMIT is still due", b.commits, 0);
	b.commits = true;
	b.commit = *o = b.req;
	b.last[b.req_port]++;
	b.offered = false;
	b.taken++;
}

/* ---- cycles --------------------------------------------------------------------------------------------------------
 */

static bool owes(void)
{
	for (unsigned p = 0; p < b.ports; p++) {
		if (b.first[p] != b.last[p]) {
			return true;
		}
	}
	return false;
}

static void edge(void)
{
	*b.clk_i = 1;
	b.model.eval(b.model.self);
	*b.clk_i = 0;
	b.model.eval(b.model.self);
	b.cycle++;
}

/* A run in which nothing goes on any more ends. */
static void watch(void)
{
	b.still = b.moved == b.taken + b.answered ? b.still + 1 : 0;
	b.moved = b.taken + b.answered;
	if (b.still > PATIENCE) {
		error("cycles in which nothing was taken and nothing answered", b.still, 0);
		b.still = 0;
	}
}

static void cycle(bool more)
{
	watch();
	drive_launch();
	drive_bus(more);
	b.model.eval(b.model.self);
	for (unsigned p = 0; p < b.ports; p++) {
		drive_exit(p);
	}
	expect("idle_o", *b.idle_o, !owes());
	check_commit();
	check_answers();
	b.model.eval(b.model.self);
	check_take();
	edge();
}

/* All lanes of all warps live then. */
static void reset(void)
{
	*b.rst_i = 1;
	*b.beat_valid_i = *b.cta_valid_i = 0;
	pin_set(b.rsp_take_i, 0, b.ports, 0);
	edge();
	*b.rst_i = 0;
	b.offered = b.commits = false;
	memset(b.first, 0, sizeof b.first);
	memset(b.last, 0, sizeof b.last);
	memset(b.out_beat, 0, sizeof b.out_beat);
	memset(b.warp, 0, sizeof b.warp);
	for (unsigned w = 0; w < WARPS; w++) {
		b.warp[w].slot = w * SLOTS / WARPS;
		ref_launch(&b.warp[w].ref, 32);
	}
}

static void stalls(enum stall_kind in, enum stall_kind out)
{
	b.in = (struct stall){.kind = in, .rng = rng_seed(rng_next(&b.rng), 9)};
	for (unsigned p = 0; p < b.ports; p++) {
		b.out[p] = (struct stall){.kind = out, .rng = rng_seed(rng_next(&b.rng), p)};
	}
}

static void drain(void)
{
	for (unsigned i = 0; (owes() || b.offered) && b.errors == 0; i++) {
		if (i > PATIENCE) {
			error("requests without an answer", 1, 0);
		}
		cycle(false);
	}
}

static void ask(unsigned w, enum ref_kind kind, unsigned bar, uint32_t lanes)
{
	b.req = (struct request){.op = {.kind = kind, .bar = bar, .lanes = lanes}, .mask = lanes, .pred = UINT32_MAX};
	b.req.tag = w << 16 | (b.serial++ & 0xffff);
	b.req.slot = b.warp[w].slot;
	b.req.header = kind != REF_B2R;
	b.req.to_rd = true;
	b.req_port = w % b.ports;
	b.beat = 0;
	b.offered = true;
	drain();
}

/* Each lane waits alone, and another one elsewhere, both for one that yields; then for all others, which yield one half
 * after the other. What the other barriers hold stays as it was. */
static void lone_waiters(void)
{
	stalls(STALL_NEVER, STALL_NEVER);
	reset();
	b.settled = true;
	for (unsigned l = 0; l < REF_LANES && b.errors == 0; l++) {
		const uint32_t one = UINT32_C(1) << l, next = one << 1 | one >> 31, third = next << 1 | next >> 31;
		const uint32_t half = rng_u32(&b.rng) & ~one;
		const unsigned bar = l % REF_BARS;
		for (unsigned all = 0; all < REF_BARS && l % 4 == 0; all++) {
			ask(l, REF_BSSY, all, UINT32_MAX);
		}
		ask(l, REF_BSSY, bar, one | next);
		ask(l, REF_BSYNC, bar, one);
		ask(l, REF_YIELD, 0, ~one & ~next);
		ask(l, REF_BSSY, (bar + 5) % REF_BARS, third | next);
		ask(l, REF_BSYNC, (bar + 5) % REF_BARS, third);
		ask(l, REF_YIELD, 0, ~one & ~next & ~third);
		ask(l, REF_YIELD, 0, next);
		ask(l, REF_BSSY, (bar + 10) % REF_BARS, UINT32_MAX);
		ask(l, REF_BSYNC, (bar + 10) % REF_BARS, one);
		ask(l, REF_YIELD, 0, half | next);
		ask(l, REF_YIELD, 0, ~half & ~one);
		for (unsigned all = 0; all < REF_BARS && l % 4 == 0; all++) {
			ask(l, REF_B2R, all, UINT32_MAX);
		}
	}
	b.settled = false;
}

/* The way of a request that is alone, and how many go through. */
static void figures(void)
{
	stalls(STALL_NEVER, STALL_NEVER);
	reset();
	for (unsigned i = 0; i < 300 && b.errors == 0; i++) {
		cycle(true);
		while (b.offered && b.errors == 0) {
			cycle(false);
		}
		drain();
	}
	const unsigned long start = b.cycle, taken = b.taken;
	for (unsigned i = 0; i < 4000 && b.errors == 0; i++) {
		cycle(true);
	}
	printf("%u lanes, %u ports: %.3f requests a cycle, COMMIT %u cycle after the last beat, answer after %u\n",
	       b.lanes, b.ports, (double)(b.taken - taken) / (double)(b.cycle - start), TO_COMMIT, TO_ANSWER);
	drain();
}

static bool met_everything(void)
{
	const struct {
		const char *what;
		unsigned long seen;
	} floors[] = {
	        {"BSSY", b.kinds[REF_BSSY]},
	        {"BSYNC", b.kinds[REF_BSYNC]},
	        {"BREAK", b.kinds[REF_BREAK]},
	        {"BMOV.CLEAR", b.kinds[REF_CLEAR]},
	        {"BMOV to registers", b.kinds[REF_B2R]},
	        {"BMOV from registers", b.kinds[REF_R2B]},
	        {"WARPSYNC", b.kinds[REF_WARPSYNC]},
	        {"WARPSYNC apart", b.apart},
	        {"YIELD", b.kinds[REF_YIELD]},
	        {"EXIT", b.kinds[REF_EXIT]},
	        {"BSYNC or BREAK of no lane", b.nobody},
	        {"WARPSYNCs with a lane that is not in its own mask", b.self},
	        {"WARPSYNCs with lanes that name each other in different masks", b.mismatch},
	        {"of these, with lanes that came before", b.before},
	        {"WARPSYNCs with both faults", b.both},
	        {"WARPSYNCs all of whose lanes fault", b.all_bad},
	        {"WARPSYNCs some of whose lanes fault", b.some_bad},
	        {"lanes that began to wait", b.seen.arrived},
	        {"lanes that went on later", b.seen.left},
	        {"lanes that went on at once", b.seen.at_once},
	        {"lanes that were let go", b.seen.let_go},
	        {"sets that they were taken out of", b.seen.unbound},
	        {"launches", b.launches},
	        {"EXITs after which lanes stay", b.stays},
	        {"last EXITs", b.goes},
	        {"cycles in which a request had no room", b.refused},
	};
	bool met = b.widest_walk >= 3;
	if (!met) {
		printf("a YIELD met at most %lu barriers at which lanes wait, expected 3\n", b.widest_walk);
	}
	for (unsigned i = 0; i < sizeof floors / sizeof floors[0]; i++) {
		if (floors[i].seen < 20) {
			printf("only %lu %s, expected 20\n", floors[i].seen, floors[i].what);
			met = false;
		}
	}
	return met;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: convergence_test MODEL.so [SEED [REQUESTS [BUG]]]\n");
		return 2;
	}
	model_open(&b.model, argv[1]);
	b.lanes = model_param(&b.model, "Lanes", 32);
	b.ports = model_param(&b.model, "Ports", 1);
	b.beats = 32 / b.lanes;
#define FIND(name) b.name = model_pin(&b.model, #name);
	PINS(FIND)
#undef FIND
	b.rng = rng_seed(argc > 2 ? strtoull(argv[2], NULL, 0) : 1, 0);
	const unsigned long requests = argc > 3 ? strtoul(argv[3], NULL, 0) : 2000;
	const unsigned bug = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 0) : 0;
	if (argc > 4) {
		*model_pin(&b.model, "bug_i") = (uint8_t)bug;
	}
	reset();
	figures();
	lone_waiters();
	for (unsigned in = 0; in < STALL_KINDS && b.errors == 0; in++) {
		for (unsigned out = 0; out < STALL_KINDS && b.errors == 0; out++) {
			stalls((enum stall_kind)in, (enum stall_kind)out);
			reset(); /* what was under way is gone */
			for (const unsigned long end = b.taken + requests; b.taken < end && b.errors == 0;) {
				cycle(true);
			}
			drain();
			for (unsigned i = 0, n = below(300); i < n && b.errors == 0; i++) {
				cycle(true);
			}
		}
	}
	printf("convergence: %u lanes, %u ports, %lu cycles, %lu requests, %lu answered, %lu errors\n", b.lanes,
	       b.ports, b.cycle, b.taken, b.answered, b.errors);
	const bool good = b.errors == 0 && met_everything();
	model_close(&b.model);
	if (bug) {
		printf("planted bug %u: %s\n", bug, good ? "NOT found" : "found");
		return good;
	}
	printf("%d passed, %d failed\n", good, !good);
	return !good;
}
