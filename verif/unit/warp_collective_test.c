// SPDX-License-Identifier: Apache-2.0
/* Bench of warp_collective against a reference of its own: random requests of every form on the beat bus, four stall
 * patterns on both sides crossed, resets under way; every answer, the cycle of each COMMIT, latency and throughput.
 *
 *   warp_collective_test MODEL.so [SEED [REQUESTS [BUG]]]      REQUESTS: for each pair of stall patterns
 *   warp_collective_test MODEL.so all [more]                   every case of a few lanes instead (collective_cases.h);
 *                                                              `more`: wherever they stand in the warp, in all forms */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/rng.h"
#include "../common/stall.h"
#include "collective_cases.h"
#include "rtl_model.h"

enum {
	MAX_PORTS = 4,
	QUEUE = 256,
	FLAG_RA = 3,
	FLAG_RB = 4,
	FLAG_RC = 5,
	TO_COMMIT = 2,
	TO_ANSWER = 4,
	PATIENCE = 5000
};

#define PINS(PIN)                                                                                                      \
	PIN(clk_i)                                                                                                     \
	PIN(rst_i)                                                                                                     \
	PIN(beat_valid_i)                                                                                              \
	PIN(beat_ready_o)                                                                                              \
	PIN(room_o)                                                                                                    \
	PIN(beat_port_i)                                                                                               \
	PIN(beat_tag_i)                                                                                                \
	PIN(beat_kind_i)                                                                                               \
	PIN(beat_ctl_i)                                                                                                \
	PIN(beat_flags_i)                                                                                              \
	PIN(beat_index_i)                                                                                              \
	PIN(beat_last_i)                                                                                               \
	PIN(beat_mask_i)                                                                                               \
	PIN(beat_pred_i)                                                                                               \
	PIN(beat_ra_i)                                                                                                 \
	PIN(beat_rb_i)                                                                                                 \
	PIN(beat_rc_i)                                                                                                 \
	PIN(done_valid_o)                                                                                              \
	PIN(done_warp_o)                                                                                               \
	PIN(rsp_valid_o)                                                                                               \
	PIN(rsp_take_i)                                                                                                \
	PIN(rsp_o)                                                                                                     \
	PIN(rsp_data_o)                                                                                                \
	PIN(idle_o)                                                                                                    \
	PIN(trace_commit_valid_o)                                                                                      \
	PIN(trace_commit_tag_o)                                                                                        \
	PIN(trace_commit_lanes_o)

/* What the unit still owes. */
struct owed {
	struct ref_rsp rsp;
	uint32_t mask;
	unsigned long taken; /* cycle of its last beat */
	bool alone;          /* nothing of its port was under way, and no answer is held back */
	bool seen;           /* its first answer has been offered */
};

static struct bench {
	struct model model;
#define MEMBER(name) uint8_t *name;
	PINS(MEMBER)
#undef MEMBER
	unsigned lanes, ports, beats;
	struct rng rng;
	struct stall in, out[MAX_PORTS];
	bool offered; /* a request is on the bus: `req`, from port `req_port`, so many beats of it are gone */
	struct ref_req req;
	struct cases *cases; /* where the requests come from, if not drawn, until ... */
	bool no_more;
	unsigned req_port, beat;
	struct owed owed[MAX_PORTS][QUEUE]; /* rings */
	unsigned first[MAX_PORTS], last[MAX_PORTS], out_beat[MAX_PORTS];
	unsigned promised[MAX_PORTS],
	        depth; /* beats of answers to requests that were let in; that a port has room for */
	struct {
		unsigned long cycle;
		uint32_t tag, mask;
	} commit[QUEUE];
	unsigned first_commit, last_commit;
	unsigned long cycle, errors, taken, answered, moved, still, beats_taken, refused;
	unsigned serial;
	unsigned long seen[REF_KINDS][8], forms[4], partial, lonely, inactive_source, out_of_range, all_equal,
	        not_equal, unelected, high_differs, dropped, all_nan, some_nan[2], both_zeros;
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

/* ---- what goes in ------------------------------------------------------------------------------------------------ */

static uint32_t draw_mask(void)
{
	uint32_t m = rng_u32(&b.rng);
	switch (below(6)) {
	case 0:
		return m ? m : 1;
	case 1:
		m &= rng_u32(&b.rng) & rng_u32(&b.rng);
		return m ? m : UINT32_C(1) << 31;
	case 2:
		return UINT32_C(1) << below(32);
	default:
		return UINT32_MAX;
	}
}

/* Values that are often equal, in one half, or in all but one bit; or at the ends of the ranges. */
static void draw_values(uint64_t v[REF_LANES])
{
	static const uint32_t edge[8] = {0, 1, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x55555555};
	const uint64_t base = rng_next(&b.rng);
	const unsigned how = below(6), odd = below(32);
	for (unsigned l = 0; l < REF_LANES; l++) {
		const uint32_t bits = rng_u32(&b.rng);
		v[l] = how == 0   ? rng_next(&b.rng)
		       : how == 1 ? (uint64_t)edge[bits >> 3 & 7] << 32 | edge[bits & 7]
		       : how == 2 ? base ^ (uint64_t)(bits & 3) << (bits >> 4 & 1 ? 32 : 0)
		       : how == 3 ? base ^ (l == odd ? UINT64_C(1) << below(64) : 0)
		       : how == 4 ? base ^ (uint64_t)(bits & 1) << below(64)
		                  : base;
	}
}

/* Floats: zeros, infinities and NaNs of both signs among others; or nothing but NaNs, but for one lane, or for none. */
static void draw_floats(uint64_t v[REF_LANES])
{
	static const uint32_t edge[8] = {0,          0x80000000, 0x7f800000, 0xff800000,
	                                 0x7f800001, 0xff800001, 0x3f800000, 0xbf800000};
	const unsigned how = below(6), odd = below(32);
	for (unsigned l = 0; l < REF_LANES; l++) {
		const uint32_t bits = rng_u32(&b.rng), nan = bits | 0x7f800001;
		const bool special = how == 0 || (how == 1 && bits >> 3 & 1);
		v[l] = how == 2 || (how == 3 && l != odd)  ? nan
		       : how == 4 && l == odd              ? nan
		       : special                           ? edge[bits & 7]
		       : (bits & 0x7f800000) == 0x7f800000 ? bits ^ 0x40000000
		                                           : bits;
	}
}

/* Usual shuffles of a part of the warp, or anything. */
static void draw_operands(struct ref_req *r)
{
	const uint32_t width = UINT32_C(1) << below(6), high = rng_u32(&b.rng) << 13;
	const uint32_t usual = (32 - width) << 8 | (r->op == REF_UP ? 0 : 31), same = below(32);
	const unsigned how = below(3);
	for (unsigned l = 0; l < REF_LANES; l++) {
		const uint32_t bits = rng_u32(&b.rng);
		r->rb[l] = how == 0 ? bits : same | (bits & ~31u);
		r->rc[l] = how == 2 ? bits : usual | (bits & 0xe0) | high;
	}
	r->imm_b = r->rb[0] & 31;
	r->imm_c = r->rc[0] & 0x1fff;
}

static uint32_t draw_tag(unsigned port)
{
	return (below(48 / b.ports) * b.ports + port) << 16 | (b.serial++ * 0x9e37 & 0xffff);
}

static void draw(struct ref_req *r, unsigned port)
{
	static const unsigned ops[REF_KINDS] = {3, 3, 4, 2, 6, 1, 4};
	memset(r, 0, sizeof *r);
	r->kind = (enum ref_kind)below(REF_KINDS);
	r->op = below(ops[r->kind]);
	r->sgn = r->kind == REF_REDUX && below(2);
	r->wide = r->kind == REF_MATCH && below(2);
	r->nan = r->kind == REF_FREDUX && below(2);
	r->ra_used = below(16) != 0;
	r->rb_used = r->kind == REF_SHFL && below(2);
	r->rc_used = r->kind == REF_SHFL && below(2);
	r->to_pd = below(4) != 0 && r->kind != REF_REDUX && r->kind != REF_FREDUX;
	r->to_rd = below(8) != 0 && (r->kind == REF_VOTE || r->kind == REF_SHFL || r->kind == REF_MATCH);
	r->to_urd = below(8) != 0 &&
	            (r->kind == REF_VOTEU || r->kind == REF_REDUX || r->kind == REF_ELECT || r->kind == REF_FREDUX);
	r->tag = draw_tag(port);
	r->mask = draw_mask();
	r->pred = below(4) == 0 ? r->mask : below(4) == 0 ? ~r->mask : below(3) ? rng_u32(&b.rng) : 0;
	if (r->kind == REF_ELECT && below(2)) { /* any lane leads, beside others that execute */
		r->pred = (rng_u32(&b.rng) | 1) << below(32);
	}
	if (r->kind == REF_FREDUX && below(8)) {
		draw_floats(r->ra);
	} else {
		draw_values(r->ra);
	}
	draw_operands(r);
}

/* Operands stand in 64 or 128 bits a lane; what is not named holds anything. */
static void drive_beat(void)
{
	const struct ref_req *r = &b.req;
	const unsigned at = b.beat * b.lanes;
	const uint32_t b_field = r->rb_used ? (uint32_t)below(32) : r->imm_b;
	const uint32_t c_field = r->rc_used ? (uint32_t)below(8192) : r->imm_c;
	const uint32_t size = r->wide ? 3 : r->tag % 3; /* what is not 64 bits is 32 */
	*b.beat_kind_i = (uint8_t)r->kind;
	pin_set(b.beat_port_i, 0, b.ports == 4 ? 2 : 1, b.req_port);
	pin_set(b.beat_tag_i, 0, 22, r->tag);
	pin_set(b.beat_ctl_i, 0, 32,
	        r->op | (uint32_t)r->sgn << 3 | size << 4 | b_field << 6 | c_field << 11 | (uint32_t)r->to_rd << 24 |
	                (uint32_t)r->to_urd << 25 | (uint32_t)r->to_pd << 26 |
	                (uint32_t)(r->kind == REF_FREDUX ? r->nan : below(2)) << 27);
	*b.beat_flags_i = (uint8_t)(r->ra_used << FLAG_RA | r->rb_used << FLAG_RB | r->rc_used << FLAG_RC);
	*b.beat_index_i = (uint8_t)b.beat;
	*b.beat_last_i = b.beat + 1 == b.beats;
	pin_set(b.beat_mask_i, 0, 32, r->mask >> at);
	pin_set(b.beat_pred_i, 0, 32, r->pred >> at);
	for (unsigned l = 0; l < b.lanes; l++) {
		pin_set(b.beat_ra_i, l * 64, 32, (uint32_t)r->ra[at + l]);
		pin_set(b.beat_ra_i, l * 64 + 32, 32, (uint32_t)(r->ra[at + l] >> 32));
		pin_set(b.beat_rb_i, l * 128, 32, r->rb[at + l]);
		pin_set(b.beat_rc_i, l * 128, 32, r->rc[at + l]);
		pin_set(b.beat_rb_i, l * 128 + 64, 32, rng_u32(&b.rng));
		pin_set(b.beat_rc_i, l * 128 + 32, 32, rng_u32(&b.rng));
	}
}

/* No beat: anything of the port that is next, but a kind of the unit. */
static void drive_nothing(void)
{
	*b.beat_kind_i = (uint8_t)below(REF_KINDS);
	pin_noise(b.beat_tag_i, 22, &b.rng);
	pin_noise(b.beat_ctl_i, 28, &b.rng);
	pin_noise(b.beat_index_i, b.beats > 1 ? (unsigned)__builtin_ctz(b.beats) : 0, &b.rng);
	*b.beat_last_i = below(2) != 0;
	pin_noise(b.beat_mask_i, b.lanes, &b.rng);
	pin_noise(b.beat_pred_i, b.lanes, &b.rng);
	pin_noise(b.beat_ra_i, b.lanes * 64, &b.rng);
	pin_noise(b.beat_rb_i, b.lanes * 128, &b.rng);
	pin_noise(b.beat_rc_i, b.lanes * 128, &b.rng);
}

/* The bus as the arbiter of sync_core drives it: with several ports only requests that have room begin; now and then
 * one that has none is offered all the same, and must stand. */
static void drive_bus(bool more)
{
	const bool stalled = stall_now(&b.in);
	if (!b.offered && more && !stalled) {
		b.req_port = below(b.ports);
		for (unsigned i = 0; i < b.ports && !pin_get(b.room_o, b.req_port, 1) && below(16); i++) {
			b.req_port = (b.req_port + 1) % b.ports;
		}
		b.offered = true;
		if (b.cases) {
			b.no_more = !cases_next(b.cases, &b.req);
			b.offered = !b.no_more;
			b.req.tag = draw_tag(b.req_port);
		} else {
			draw(&b.req, b.req_port);
		}
		b.beat = 0;
	}
	*b.beat_valid_i = b.offered && !(stalled && b.beat);
	if (*b.beat_valid_i) {
		drive_beat();
	} else {
		drive_nothing();
	}
}

/* ---- what must have occurred ------------------------------------------------------------------------------------- */

static void count_shuffle(const struct ref_req *r)
{
	b.forms[r->rb_used * 2 + r->rc_used]++;
	for (uint32_t m = r->mask; m; m &= m - 1) {
		const int l = __builtin_ctz(m);
		bool in_range;
		const int j = ref_choice((enum ref_shfl)r->op, l, r->rb_used ? r->rb[l] : r->imm_b,
		                         r->rc_used ? r->rc[l] : r->imm_c, &in_range);
		b.out_of_range += !in_range;
		b.inactive_source += in_range && !(r->mask >> j & 1);
	}
}

static bool is_nan(uint64_t bits)
{
	return (bits & 0x7fffffff) > 0x7f800000;
}

static void count_floats(const struct ref_req *r)
{
	unsigned nans = 0, lanes = 0;
	uint32_t zeros = 0;
	for (uint32_t m = r->mask; m; m &= m - 1) {
		const uint32_t bits = (uint32_t)r->ra[__builtin_ctz(m)];
		nans += is_nan(bits);
		zeros |= bits == 0 ? 1 : bits == 0x80000000 ? 2 : 0;
		lanes++;
	}
	b.all_nan += nans == lanes;
	b.some_nan[r->nan] += nans && nans < lanes;
	b.both_zeros += zeros == 3;
}

static void count(const struct ref_req *r, const struct ref_rsp *rsp)
{
	b.seen[r->kind][r->op]++;
	b.partial += r->mask != UINT32_MAX;
	b.lonely += !(r->mask & (r->mask - 1));
	b.dropped += !rsp->written && !r->to_pd;
	if (r->kind == REF_SHFL) {
		count_shuffle(r);
	}
	if (r->kind == REF_MATCH && r->op == REF_MATCH_ALL && r->to_rd) {
		*(rsp->word[__builtin_ctz(r->mask)] ? &b.all_equal : &b.not_equal) += 1;
	}
	if (r->kind == REF_MATCH && r->wide && r->ra_used) {
		for (unsigned l = 1; l < REF_LANES; l++) {
			b.high_differs += (uint32_t)r->ra[l] == (uint32_t)r->ra[0] && r->ra[l] != r->ra[0];
		}
	}
	b.unelected += r->kind == REF_ELECT && !(r->mask & r->pred);
	if (r->kind == REF_FREDUX && r->to_urd && r->ra_used) {
		count_floats(r);
	}
}

static bool met_everything(void)
{
	static const unsigned ops[REF_KINDS] = {3, 3, 4, 2, 6, 1, 4};
	static const char *const names[REF_KINDS] = {"VOTE", "VOTEU", "SHFL", "MATCH", "REDUX", "ELECT", "FREDUX"};
	const struct {
		const char *what;
		unsigned long seen;
	} floors[] = {
	        {"shuffles with b and c in the word", b.forms[0]},
	        {"shuffles with c in a register", b.forms[1]},
	        {"shuffles with b in a register", b.forms[2]},
	        {"shuffles with both in registers", b.forms[3]},
	        {"partial masks", b.partial},
	        {"masks of one lane", b.lonely},
	        {"reads of lanes that do not execute", b.inactive_source},
	        {"choices out of range", b.out_of_range},
	        {"MATCH.ALL of equal values", b.all_equal},
	        {"MATCH.ALL of others", b.not_equal},
	        {"values of 64 bits that differ above only", b.high_differs},
	        {"elections without a candidate", b.unelected},
	        {"reductions of NaNs alone", b.all_nan},
	        {"reductions of NaNs and others", b.some_nan[0]},
	        {"of these, with one that is enough", b.some_nan[1]},
	        {"reductions of both zeros", b.both_zeros},
	        {"requests that hand back nothing", b.dropped},
	        {"cycles in which a request had no room", b.refused},
	};
	const unsigned long least = 20;
	bool met = true;
	for (unsigned i = 0; i < sizeof floors / sizeof floors[0]; i++) {
		if (floors[i].seen < least) {
			printf("only %lu %s, expected %lu\n", floors[i].seen, floors[i].what, least);
			met = false;
		}
	}
	for (unsigned k = 0; k < REF_KINDS; k++) {
		for (unsigned op = 0; op < ops[k]; op++) {
			if (b.seen[k][op] < least) {
				printf("only %lu %s of operation %u, expected %lu\n", b.seen[k][op], names[k], op,
				       least);
				met = false;
			}
		}
	}
	return met;
}

/* ---- what comes out ---------------------------------------------------------------------------------------------- */

static void check_commit(void)
{
	const bool commit = *b.trace_commit_valid_o;
	const bool due = b.first_commit != b.last_commit && b.commit[b.first_commit % QUEUE].cycle == b.cycle;
	expect("trace_commit_valid_o", commit, due);
	expect("done_valid_o", *b.done_valid_o, due);
	if (commit && due) {
		expect("trace_commit_tag_o", pin_get(b.trace_commit_tag_o, 0, 22),
		       b.commit[b.first_commit % QUEUE].tag);
		expect("trace_commit_lanes_o", pin_get(b.trace_commit_lanes_o, 0, 32),
		       b.commit[b.first_commit % QUEUE].mask);
		expect("done_warp_o", *b.done_warp_o, b.commit[b.first_commit % QUEUE].tag >> 16);
	}
	b.first_commit += due;
}

/* A beat of answers against its part of the record. */
static void check_beat(unsigned p, const struct owed *o)
{
	const unsigned at = p * (30 + b.lanes * 8), lanes = b.lanes, first = b.out_beat[p] * lanes;
	const uint32_t part = lanes == 32 ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
	expect("tag of the answer", pin_get(b.rsp_o, at, 22), o->rsp.tag);
	expect("last", pin_get(b.rsp_o, at + 22, 1), b.out_beat[p] + 1 == b.beats);
	expect("passes", pin_get(b.rsp_o, at + 23, 6), 1);
	expect("written lanes", pin_get(b.rsp_o, at + 29, lanes), o->rsp.written >> first & part);
	expect("predicates", pin_get(b.rsp_o, at + 29 + lanes, lanes), o->rsp.preds >> first & part);
	expect("any fault", pin_get(b.rsp_o, at + 29 + 2 * lanes, 1), 0);
	for (unsigned l = 0; l < lanes; l++) {
		expect("fault", pin_get(b.rsp_o, at + 30 + 2 * lanes + l * 6, 6), 0);
		expect("word", pin_get(b.rsp_data_o, (p * lanes + l) * 128, 32), o->rsp.word[first + l]);
		for (unsigned k = 1; k < 4; k++) {
			expect("upper words", pin_get(b.rsp_data_o, (p * lanes + l) * 128 + k * 32, 32), 0);
		}
	}
}

static void check_answers(void)
{
	for (unsigned p = 0; p < b.ports; p++) {
		struct owed *o = &b.owed[p][b.first[p] % QUEUE];
		const bool valid = pin_get(b.rsp_valid_o, p, 1);
		const bool open = !stall_now(&b.out[p]);
		pin_set(b.rsp_take_i, p, 1, valid && open);
		if (!valid) {
			if (b.first[p] != b.last[p] && b.cycle > o->taken + TO_ANSWER && o->alone) {
				expect("cycle of an answer", b.cycle, o->taken + TO_ANSWER);
			}
			continue;
		}
		if (b.first[p] == b.last[p]) {
			error("an answer that nobody asked for", pin_get(b.rsp_o, p * (30 + b.lanes * 8), 22), 0);
			continue;
		}
		if (!o->seen && b.cycle < o->taken + TO_ANSWER) {
			expect("cycle of an answer", b.cycle, o->taken + TO_ANSWER);
		}
		o->seen = true;
		check_beat(p, o);
		if (!open) {
			continue;
		}
		b.promised[p]--;
		b.out_beat[p] = (b.out_beat[p] + 1) % b.beats;
		b.first[p] += b.out_beat[p] == 0;
		b.answered += b.out_beat[p] == 0;
	}
}

static void check_take(void)
{
	const bool ready = *b.beat_ready_o;
	if (!*b.beat_valid_i) {
		return;
	}
	if (b.beat) {
		expect("beat_ready_o of a request that was let in", ready, 1);
	} else {
		expect("beat_ready_o", ready, pin_get(b.room_o, b.req_port, 1));
		b.refused += !ready;
	}
	if (!ready) {
		return;
	}
	b.beats_taken++;
	b.promised[b.req_port] += b.beat ? 0 : b.beats;
	if (++b.beat < b.beats) {
		return;
	}
	struct owed *o = &b.owed[b.req_port][b.last[b.req_port] % QUEUE];
	o->alone = b.first[b.req_port] == b.last[b.req_port] && b.out[b.req_port].kind == STALL_NEVER;
	o->seen = false;
	o->taken = b.cycle;
	o->mask = b.req.mask;
	ref_run(&b.req, &o->rsp);
	count(&b.req, &o->rsp);
	b.last[b.req_port]++;
	b.commit[b.last_commit % QUEUE].cycle = b.cycle + TO_COMMIT;
	b.commit[b.last_commit % QUEUE].tag = b.req.tag;
	b.commit[b.last_commit++ % QUEUE].mask = b.req.mask;
	b.offered = false;
	b.taken++;
}

/* ---- cycles ------------------------------------------------------------------------------------------------------ */

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

/* A request is let in while all of its answers have room. */
static void check_room(void)
{
	for (unsigned p = 0; p < b.ports; p++) {
		expect("room_o", pin_get(b.room_o, p, 1), b.promised[p] + b.beats <= b.depth);
	}
}

static void cycle(bool more)
{
	watch();
	drive_bus(more);
	b.model.eval(b.model.self);
	check_room();
	expect("idle_o", *b.idle_o, !owes());
	check_commit();
	check_answers();
	b.model.eval(b.model.self);
	check_take();
	edge();
}

static void reset(void)
{
	*b.rst_i = 1;
	*b.beat_valid_i = 0;
	pin_set(b.rsp_take_i, 0, b.ports, 0);
	edge();
	*b.rst_i = 0;
	b.offered = false;
	memset(b.first, 0, sizeof b.first);
	memset(b.last, 0, sizeof b.last);
	memset(b.out_beat, 0, sizeof b.out_beat);
	memset(b.promised, 0, sizeof b.promised);
	b.first_commit = b.last_commit = 0;
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

/* One beat in every cycle, whatever the instructions are; and the way of a request that is alone. */
static void figures(void)
{
	stalls(STALL_NEVER, STALL_NEVER);
	reset();
	for (unsigned i = 0; i < 200 && b.errors == 0; i++) {
		cycle(true);
		while (b.offered && b.errors == 0) {
			cycle(false);
		}
		drain();
	}
	const unsigned long beats = b.beats_taken, start = b.cycle, taken = b.taken;
	for (unsigned i = 0; i < 4000 && b.errors == 0; i++) {
		cycle(true);
	}
	printf("%u lanes, %u ports: %.3f requests a cycle, COMMIT %u cycles after the last beat, answer after %u\n",
	       b.lanes, b.ports, (double)(b.taken - taken) / (double)(b.cycle - start), TO_COMMIT, TO_ANSWER);
	expect("beats taken in 4000 cycles", b.beats_taken - beats, b.cycle - start);
	drain();
}

/* One port takes no answers: the others go on. */
static void deaf_port(void)
{
	if (b.ports == 1) {
		return;
	}
	stalls(STALL_NEVER, STALL_NEVER);
	reset();
	b.out[0] = (struct stall){.kind = STALL_LONG, .on = true, .left = 1500, .rng = rng_seed(1, 1)};
	const unsigned long answered = b.answered;
	for (unsigned i = 0; i < 1000 && b.errors == 0; i++) {
		if (!b.offered) { /* never a request without room: the arbiter passes such a port over */
			b.req_port = 1 + i % (b.ports - 1);
			draw(&b.req, b.req_port);
			b.offered = true;
			b.beat = 0;
			if (pin_get(b.room_o, 0, 1)) {
				draw(&b.req, b.req_port = 0);
			}
		}
		cycle(false);
	}
	expect("answers to other ports, below what they can have", b.answered - answered < 900 / b.beats, 0);
	b.out[0] = (struct stall){.kind = STALL_NEVER};
	drain();
}

/* Every case of eight lanes and of four; `more`: at each place of a warp. */
static int all_cases(bool more)
{
	unsigned passed = 0, failed = 0;
	stalls(STALL_NEVER, STALL_NEVER);
	for (unsigned base = 0; base < (more ? REF_LANES : 1) && !failed; base += CASE_LANES) {
		struct cases cases = {.base = base, .all_forms = more, .rng = rng_seed(7, base)};
		const unsigned long before = b.answered;
		reset();
		b.cases = &cases;
		for (b.no_more = false; !b.no_more && b.errors == 0;) {
			cycle(true);
		}
		b.cases = NULL;
		drain();
		const bool good = b.errors == 0 && b.answered - before == cases_count(&cases);
		printf("warp_collective: %u lanes, %u ports, %lu requests of lanes %u to %u, of %lu that there are: "
		       "%s\n",
		       b.lanes, b.ports, b.answered - before, base, base + CASE_LANES - 1, cases_count(&cases),
		       good ? "right" : "WRONG");
		*(good ? &passed : &failed) += 1;
	}
	model_close(&b.model);
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: warp_collective_test MODEL.so [SEED [REQUESTS [BUG]]]\n"
		                "       warp_collective_test MODEL.so all [more]\n");
		return 2;
	}
	model_open(&b.model, argv[1]);
	b.lanes = model_param(&b.model, "Lanes", 32);
	b.ports = model_param(&b.model, "Ports", 1);
	b.beats = 32 / b.lanes;
	b.depth = model_param(&b.model, "Answers", (b.lanes < 16 ? 128 : 256) / b.lanes);
#define FIND(name) b.name = model_pin(&b.model, #name);
	PINS(FIND)
#undef FIND
	if (argc > 2 && strcmp(argv[2], "all") == 0) {
		b.rng = rng_seed(1, 0);
		return all_cases(argc > 3);
	}
	b.rng = rng_seed(argc > 2 ? strtoull(argv[2], NULL, 0) : 1, 0);
	const unsigned long requests = argc > 3 ? strtoul(argv[3], NULL, 0) : 2000;
	const unsigned bug = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 0) : 0;
	if (argc > 4) {
		*model_pin(&b.model, "bug_i") = (uint8_t)bug;
	}
	reset();
	figures();
	deaf_port();
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
	printf("warp_collective: %u lanes, %u ports, %lu cycles, %lu requests, %lu answered, %lu errors\n", b.lanes,
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
