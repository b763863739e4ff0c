// SPDX-License-Identifier: Apache-2.0
/* Bench of mbar_address alone: stage A with the beats of instructions on mbarriers. The bench compares every output, in
 * every cycle with a meaning, to the rules of the unit's page, worked out over the whole request.
 *
 *   mbar_address_test MODEL.so [SEED [REQUESTS]] */
#include <stdio.h>
#include <string.h>

#include "../../../common/rng.h"
#include "../../floors.h"
#include "mbar_ref.h"
#include "../../bench_main.h"
#include "pins/mbar_address.h"

enum { LANES = 32, ADDR_MOST = 16 };
enum kind { EXCH, ARRIVE, PHASECHK, CCTL, ARRIVE_A, KINDS }; /* numbers of the decoder */

struct request {
	enum kind kind;
	unsigned form,
	        result; /* of PHASECHK: form 1 is TRYWAIT, result 1 CONDITIONAL, 2 PRIMARY; result: 1 TMASK, 2 nothing */
	bool sm_107;
	bool drop, rd_used, urd_used;
	uint32_t mask, ok;
	uint32_t addr[LANES], operand[LANES];
	uint32_t high; /* EXCH: of all lanes */
};

static struct {
	struct model model;
	PINS_MEMBERS(mbar_address);
	unsigned lanes, beats, addr_bits;
	bool v1; /* the model builds layout v1 of sm_107 */
	struct rng rng;
	unsigned long cycle, errors, bad, good, alike, apart, later, held, resets, v1_made, v1_refused;
} b;

static unsigned below(unsigned n)
{
	return rng_below(&b.rng, n);
}

static void expect(const char *what, uint32_t got, uint32_t want)
{
	if (got == want)
		return;
	if (b.errors++ < 10)
		printf("cycle %lu: %s is 0x%x, expected 0x%x\n", b.cycle, what, got, want);
}

/* ---- requests ---- */

static uint32_t some_lanes(void)
{
	switch (below(4)) {
	case 0:
		return 1u << below(LANES);
	case 1:
		return UINT32_MAX;
	case 2:
		return rng_u32(&b.rng) & rng_u32(&b.rng) & rng_u32(&b.rng);
	default:
		return rng_u32(&b.rng);
	}
}

/* Counts around both ends of the range, and with a single bit. */
static uint32_t some_count(void)
{
	static const uint32_t edge[] = {0, 1, 2, 0xfffff, 0x100000, 0x100001, UINT32_MAX, 0x80000000};
	return below(3) == 0 ? edge[below(8)] : below(4) ? 1u << below(32) : rng_u32(&b.rng);
}

/* The low word of an object: bits 20:1 the count, bit 0 the layout. */
static uint32_t some_object(void)
{
	const uint32_t count = below(3) ? 2u << below(20) : below(2) ? 0 : rng_u32(&b.rng) & 0x1ffffe;
	return (rng_u32(&b.rng) & 0xffe00000) | count | (below(6) == 0);
}

/* Of layout v1: a count, or no count; sometimes a bit of an impossible object. */
static void some_v1_object(struct request *r)
{
	struct mbar_object o = {.expected = below(4) ? 1 + below(511) : 0,
	                        .pending = below(512),
	                        .conditional = below(2),
	                        .failed = below(2),
	                        .last_failed = below(2)};
	o.value = o.failed ? below(256) : 0;
	o.last_value = o.last_failed ? below(256) : 0;
	const uint64_t word = mbar_v1_pack(&o) ^ (below(2) ? 0 : UINT64_C(2) << below(63));
	r->high = (uint32_t)(word >> 32);
	for (unsigned l = 0; l < LANES; l++)
		r->operand[l] = (uint32_t)word;
}

static void draw(struct request *r)
{
	/* of the objects of layout v1 that each have one impossible bit, some for each bit of each lane */
	*r = (struct request){.kind = b.v1 && below(2) ? EXCH : (enum kind)below(KINDS),
	                      .form = below(8),
	                      .result = below(4),
	                      .drop = below(2),
	                      .rd_used = below(2),
	                      .urd_used = below(2),
	                      .mask = some_lanes()};
	if (r->kind == PHASECHK && below(4))
		r->form = below(3);
	else if (r->kind != PHASECHK && below(3) == 0)
		r->form = ART0;
	const bool same = r->kind == EXCH || below(4);
	const unsigned odd = below(4 * LANES); /* a single differing lane */
	for (unsigned l = 0; l < LANES; l++) {
		r->addr[l] = l && same ? r->addr[0] : rng_u32(&b.rng) & ((1u << b.addr_bits) - 1);
		r->operand[l] = l && same ? r->operand[0] : r->kind == EXCH ? some_object() : some_count();
	}
	r->sm_107 = b.v1 && below(4);
	r->high = rng_u32(&b.rng);
	if (b.v1 && r->kind == EXCH && below(4))
		some_v1_object(r);
	if (r->kind == PHASECHK && odd < LANES)
		r->addr[odd] ^= 1u << below(b.addr_bits);
	else if (r->kind == PHASECHK && odd < 2 * LANES)
		r->operand[odd - LANES] ^= 0x80000000;
	if (r->kind == PHASECHK) /* only the phase bit counts */
		for (unsigned l = 0; l < LANES; l++)
			r->operand[l] ^= rng_u32(&b.rng) & 0x7fffffff;
	r->ok = r->kind == EXCH ? (below(8) ? r->mask : 0) : r->mask & (below(2) ? UINT32_MAX : rng_u32(&b.rng));
}

/* ---- expected outputs ---- */

/* MBAR_COUNT_RANGE: a count from 2^20 on; an object without count. Bit 0 names the layout: both values are objects. */
static bool out_of_range(const struct request *r, unsigned lane)
{
	const uint32_t v = r->operand[lane];
	const uint64_t word = (uint64_t)r->high << 32 | v;
	if (r->kind == EXCH && r->sm_107 && v & 1)
		return mbar_v1_unpack(word).expected == 0 || mbar_v1_impossible(word);
	if (r->kind == EXCH)
		return (v >> 1 & 0xfffff) == 0;
	return r->kind == ARRIVE && r->form == ART0 && v > 0xfffff;
}

static uint32_t operation(const struct request *r)
{
	/* operation for mbar_alu: arrive, arrive of sm_80, exchange, remove the object, read */
	static const uint32_t of_kind[KINDS] = {[EXCH] = 2, [ARRIVE] = 0, [PHASECHK] = 4, [CCTL] = 3, [ARRIVE_A] = 1};
	return of_kind[r->kind] | r->form << 3 | (uint32_t)r->drop << 6 |
	       (uint32_t)(r->kind == ARRIVE && r->result == 1) << 7 |
	       (uint32_t)(r->kind == PHASECHK && r->form == 1) << 8 | (uint32_t)(r->kind == EXCH) << 9 |
	       (uint32_t)(b.v1 && r->kind == PHASECHK && r->result == 1) << 10 |
	       (uint32_t)(b.v1 && r->kind == PHASECHK && r->result == 2) << 11 | (uint32_t)r->sm_107 << 12;
}

/* All lanes so far name the same object and the same phase, and at least a single lane has come. */
static bool one_so_far(const struct request *r, unsigned lanes)
{
	const uint32_t come = lanes == LANES ? r->ok : r->ok & ((1u << lanes) - 1);
	if (!come)
		return false;
	const unsigned first = (unsigned)__builtin_ctz(come);
	for (uint32_t left = come; left; left &= left - 1) {
		const unsigned l = (unsigned)__builtin_ctz(left);
		if (r->addr[l] != r->addr[first] || (r->operand[l] ^ r->operand[first]) >> 31)
			return false;
	}
	return true;
}

static void check(const struct request *r, unsigned beat, bool done)
{
	const unsigned first = beat * b.lanes;
	uint32_t bad = 0, ok = 0;
	for (unsigned l = 0; l < b.lanes; l++) {
		const bool good = r->ok >> (first + l) & 1;
		ok |= (uint32_t)good << l;
		bad |= (uint32_t)(good && out_of_range(r, first + l)) << l;
	}
	b.bad += bad != 0;
	b.v1_made += r->kind == EXCH && r->sm_107 && r->operand[0] & 1 && ok && !bad;
	b.v1_refused += r->kind == EXCH && r->sm_107 && r->operand[0] & 1 && bad;
	b.good += (ok & ~bad) != 0;
	expect("op_o", pin_get(b.op_o, 0, 13), operation(r));
	expect("rd_used_o", *b.rd_used_o,
	       r->kind == EXCH ? r->urd_used
	                       : (r->rd_used && !(r->kind == ARRIVE && r->result == 2)) ||
	                                 (b.v1 && r->kind == PHASECHK && r->result == 2));
	expect("count_o", pin_get(b.count_o, 0, b.lanes), bad);
	expect("pending_o", pin_get(b.pending_o, 0, b.lanes), r->kind == EXCH && done ? 0 : ok & ~bad);
	expect("whole_o", pin_get(b.whole_o, 0, 32), r->mask);
	b.later += r->kind == EXCH && done && ok;
	if (r->kind != PHASECHK || beat != b.beats - 1)
		return;
	const bool one = one_so_far(r, LANES);
	expect("one_o", *b.one_o, one);
	b.alike += one;
	b.apart += !one && r->ok;
}

/* ---- cycles ---- */

static void drive(const struct request *r, unsigned beat)
{
	const unsigned first = beat * b.lanes;
	*b.first_i = beat == 0;
	*b.last_i = beat == b.beats - 1;
	*b.kind_i = (uint8_t)r->kind;
	pin_noise(b.ctl_i, 32, &b.rng);
	pin_set(b.ctl_i, 0, 3, r->form);
	pin_set(b.ctl_i, 3, 2, r->result);
	pin_set(b.ctl_i, 5, 1, r->drop);
	pin_set(b.ctl_i, 6, 1, r->rd_used);
	pin_set(b.ctl_i, 7, 1, r->urd_used);
	*b.v1_i = b.v1 ? r->sm_107 : (uint8_t)below(2);
	pin_set(b.mask_i, 0, 32, beat ? rng_u32(&b.rng) : r->mask);
	pin_noise(b.addr_i, b.lanes * b.addr_bits, &b.rng);
	pin_noise(b.data_i, b.lanes * 128, &b.rng);
	pin_set(b.ok_i, 0, b.lanes, r->ok >> first);
	for (unsigned l = 0; l < b.lanes; l++) {
		if (!(r->ok >> (first + l) & 1))
			continue;
		pin_set(b.addr_i, l * b.addr_bits, b.addr_bits, r->addr[first + l]);
		pin_set(b.data_i, l * 128, 32, r->operand[first + l]);
		if (r->kind == EXCH)
			pin_set(b.data_i, l * 128 + 32, 32, r->high);
	}
}

static void clock_edge(void)
{
	*b.clk_i = 1;
	b.model.eval(b.model.self);
	*b.clk_i = 0;
	b.cycle++;
}

/* No beat of this unit: random values at the pins. */
static void other_cycle(void)
{
	*b.valid_i = *b.move_i = 0;
	*b.first_i = (uint8_t)below(2);
	*b.last_i = (uint8_t)below(2);
	*b.kind_i = (uint8_t)below(KINDS);
	pin_noise(b.ctl_i, 32, &b.rng);
	pin_noise(b.ok_i, b.lanes, &b.rng);
	b.model.eval(b.model.self);
	expect("count_o of nobody", pin_get(b.count_o, 0, b.lanes), 0);
	clock_edge();
}

static void reset(void)
{
	*b.rst_i = 1;
	other_cycle();
	*b.rst_i = 0;
	b.resets++;
}

static void request(void)
{
	struct request r;
	bool done = false;
	draw(&r);
	for (unsigned beat = 0; beat < b.beats; beat++) {
		while (below(6) == 0)
			other_cycle();
		drive(&r, beat);
		*b.valid_i = 1;
		for (*b.move_i = 0; !*b.move_i;) {
			*b.move_i = below(4) != 0;
			b.model.eval(b.model.self);
			check(&r, beat, done);
			b.held += !*b.move_i;
			clock_edge();
		}
		for (unsigned l = beat * b.lanes; l < (beat + 1) * b.lanes; l++)
			done |= (r.ok >> l & 1) && !out_of_range(&r, l);
		if (below(100) == 0) { /* the rest of the request never comes */
			reset();
			return;
		}
	}
}

static int floors(void)
{
	const struct floor floors[] = {{"beats with MBAR_COUNT_RANGE", b.bad},
	                               {"beats with lanes that go on", b.good},
	                               {"requests at one phase", b.alike},
	                               {"requests at several", b.apart},
	                               {"beats held", b.held},
	                               {"resets", b.resets},
	                               {"exchanges done by an earlier beat", b.beats > 1 ? b.later : ~0ul},
	                               {"objects of layout v1 made", b.v1 ? b.v1_made : ~0ul},
	                               {"... refused", b.v1 ? b.v1_refused : ~0ul}};
	return floors_missed(floors, sizeof floors / sizeof floors[0], 20);
}

static struct bench_end run_bench(const struct bench_args *a)
{
	b.model = a->model;
	b.rng = rng_seed(a->seed, 0);
	b.lanes = model_param(&b.model, "Lanes", 32);
	b.v1 = model_param(&b.model, "LayoutV1", 0);
	b.addr_bits = model_param(&b.model, "AddrBits", ADDR_MOST);
	b.beats = LANES / b.lanes;
	PINS_FIND(mbar_address, &b, &b.model);
	reset();
	for (unsigned long n = 0; n < a->count && b.errors < (b.model.changed ? 1u : 10u); n++)
		request();
	printf("mbar_address: %u requests, %lu cycles, %lu errors\n", a->count, b.cycle, b.errors);
	return bench_good(!b.errors && !floors());
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {.words = "MODEL.so [SEED [REQUESTS]]", .usual = 20000, .run = run_bench};
	return bench_main(argc, argv, &form);
}
