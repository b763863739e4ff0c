// SPDX-License-Identifier: Apache-2.0
/* Reports of copies to an mbarrier on sm_107: results of validity checks, bytes, arrivals. The words are of layout v1,
 * of layout v0, words made by no operation, and plain words. Any model of sync_core of one port with `Units` 9, with
 * the trace.
 *
 *   mbar_report_test MODEL.so [SEED [COUNT [BUG]]]
 *
 * A word is stored (STS.64 marks the word) or written by the host (the write takes the mark away). Then some pieces
 * land at the word. Each piece must have the fault and leave the word given by mbar_ref. BUG is a planted bug of the
 * model. The test must find the bug: the exit status is then 0 if the test has seen errors. */
#include <stdio.h>
#include <string.h>

#include "../../../common/rng.h"
#include "mbar_pins.h"
#include "mbar_ref.h"
#include "../../bench_main.h"

enum { BASE = 512, WINDOW = 1536, WORDS = 16, BOUND = 400 /* cycles */ };
enum { LAND_TX = 2, LAND_ARRIVE = 3, LAND_REPORT = 5 };

struct bench {
	struct model model;
	struct mbar_pins pin;
	struct rng rng;
	unsigned lanes, banks, number, errors;
	/* seen in the last cycle */
	bool lands, read;
	unsigned land_fault;
	uint32_t host_data;
	unsigned long reports, matches, added, ends, faults[MBAR_FAULTS];
};

static void complain(struct bench *b, const char *what, unsigned long long got, unsigned long long want)
{
	if (b->errors++ < 10)
		printf("%s %llx, expected %llx\n", what, got, want);
}

static void cycle(struct bench *b)
{
	b->model.eval(b->model.self);
	b->lands = *b->pin.trace_sync_core_land_valid_o;
	b->land_fault = pin_get(b->pin.land_fault_o, 0, 6);
	b->read = *b->pin.host_rvalid_o;
	b->host_data = pin_get(b->pin.host_rdata_o, 0, 32);
	*b->pin.clk_i = 1;
	b->model.eval(b->model.self);
	*b->pin.clk_i = 0;
}

/* Holds `valid` until the offer is taken; `valid` is low afterwards. */
static void until_taken(struct bench *b, uint8_t *valid, const uint8_t *ready)
{
	*valid = 1;
	for (unsigned i = 0; i < BOUND && *valid; i++) {
		b->model.eval(b->model.self);
		const bool taken = *ready;
		cycle(b);
		if (taken)
			*valid = 0;
	}
	if (*valid)
		complain(b, "cycles until something is taken", BOUND, 0);
	*valid = 0;
}

static uint32_t host(struct bench *b, uint32_t at, bool write, uint32_t value)
{
	*b->pin.host_write_i = write;
	pin_set(b->pin.host_addr_i, 0, 16, at);
	pin_set(b->pin.host_wdata_i, 0, 32, value);
	until_taken(b, b->pin.host_valid_i, b->pin.host_ready_o);
	for (unsigned i = 0; i < 8 && !(b->read && !write); i++)
		cycle(b);
	return b->host_data;
}

static uint64_t look(struct bench *b, uint32_t at)
{
	const uint32_t low = host(b, at, false, 0);
	return low | (uint64_t)host(b, at + 4, false, 0) << 32;
}

/* STS.64 of lane 0. */
static void store(struct bench *b, uint32_t at, uint64_t word)
{
	struct mbar_req r = {.op = OP_STS, .mask = 1, .tag = b->number++ & 0xffff};
	uint32_t code[4];
	mbar_word(&r, 107, code);
	memcpy(b->pin.req_word_i, code, 16);
	pin_set(b->pin.req_tag_i, 0, 22, r.tag);
	pin_set(b->pin.req_slot_i, 0, 4, 0);
	for (unsigned beat = 0; beat < 32 / b->lanes; beat++) {
		const uint64_t ra = at - BASE, rb[2] = {word, 0};
		pin_set(b->pin.req_mask_i, 0, 32, 1);
		memcpy(b->pin.req_ra_i, &ra, 8);
		memcpy(b->pin.req_rb_i, rb, 16);
		until_taken(b, b->pin.req_valid_i, b->pin.req_ready_o);
	}
	for (unsigned i = 0; i < 40 + 2 * b->banks; i++)
		cycle(b);
}

/* A piece lands at the mbarrier; returns the fault. */
static unsigned land(struct bench *b, uint32_t at, unsigned kind, uint32_t amount)
{
	pin_noise(b->pin.land_wdata_i, b->banks * 32, &b->rng);
	pin_noise(b->pin.land_words_i, b->banks, &b->rng);
	pin_set(b->pin.land_kind_i, 0, 3, kind);
	pin_set(b->pin.land_addr_i, 0, 16, at);
	pin_set(b->pin.land_wdata_i, 0, 32, amount);
	until_taken(b, b->pin.land_valid_i, b->pin.land_ready_o);
	unsigned cycles = 0;
	while (!b->lands && cycles++ < BOUND)
		cycle(b);
	if (!b->lands)
		complain(b, "cycles until a piece lands", cycles, 8);
	return b->land_fault;
}

static uint64_t some_word(struct bench *b)
{
	struct mbar_object o = {.phase = rng_below(&b->rng, 2),
	                        .expected = 1 + rng_below(&b->rng, 4),
	                        .pending = rng_below(&b->rng, 4),
	                        .tx = (int64_t)rng_below(&b->rng, 64) - 8,
	                        .conditional = rng_below(&b->rng, 2),
	                        .failed = rng_below(&b->rng, 2),
	                        .last_failed = rng_below(&b->rng, 2)};
	o.value = o.failed * rng_below(&b->rng, 256);
	o.last_value = o.last_failed * rng_below(&b->rng, 256);
	const unsigned shape = rng_below(&b->rng, 8);
	return shape == 0   ? mbar_pack(&o, 20)
	       : shape == 1 ? mbar_v1_pack(&o) ^ UINT64_C(1) << rng_below(&b->rng, 64)
	       : shape == 2 ? rng_next(&b->rng)
	                    : mbar_v1_pack(&o);
}

/* Some pieces land at the same word. */
static void try_word(struct bench *b)
{
	const uint32_t at = BASE + 8 * rng_below(&b->rng, WORDS);
	const bool marked = rng_below(&b->rng, 8) != 0;
	uint64_t word = some_word(b);
	if (marked) {
		store(b, at, word);
	} else {
		host(b, at, true, (uint32_t)word);
		host(b, at + 4, true, (uint32_t)(word >> 32));
	}
	for (unsigned left = 1 + rng_below(&b->rng, 4); left; left--) {
		const struct mbar_object o = mbar_look(word, true);
		const unsigned kind = rng_below(&b->rng, 3) ? LAND_REPORT : LAND_TX + rng_below(&b->rng, 2);
		const bool all = o.tx > 0 && rng_below(&b->rng, 2);
		const uint32_t amount = kind == LAND_REPORT ? rng_below(&b->rng, 512)
		                        : all               ? (uint32_t)o.tx
		                                            : rng_below(&b->rng, 32);
		const struct mbar_step step = {.kind = MBAR_ARRIVE,
		                               .form = kind == LAND_TX ? A0TX : A1T0,
		                               .marked = marked,
		                               .sm_107 = true,
		                               .old = word,
		                               .b = amount};
		const struct mbar_outcome want =
		        kind == LAND_REPORT ? mbar_report(word, marked, amount) : mbar_run(&step, 20);
		const unsigned fault = land(b, at, kind, amount);
		if (fault != want.fault)
			complain(b, "fault of a landing", fault, want.fault);
		b->faults[want.fault]++;
		b->reports += kind == LAND_REPORT && !want.fault;
		b->matches += kind == LAND_REPORT && !want.fault && amount >> 8;
		b->added += kind == LAND_REPORT && !want.fault && amount >> 8 && o.value & ~amount & 0xff;
		b->ends += want.flip;
		if (!want.fault)
			word = want.now;
		const uint64_t now = look(b, at);
		if (now != word)
			complain(b, "an mbarrier after a landing", now, word);
	}
}

static void open(struct bench *b, const struct bench_args *a)
{
	b->model = a->model;
	mbar_find_pins(&b->model, &b->pin);
	b->rng = rng_seed(a->seed, 0);
	b->lanes = model_param(&b->model, "Lanes", 32);
	b->banks = model_param(&b->model, "Banks", 32);
	*b->pin.req_valid_i = *b->pin.land_valid_i = *b->pin.cfg_valid_i = *b->pin.host_valid_i = 0;
	*b->pin.rsp_ready_i = 1;
	*b->pin.arch_i = 107;
	*b->pin.rst_i = 1;
	for (unsigned i = 0; i < 4; i++)
		cycle(b);
	*b->pin.rst_i = 0;
	mbar_offer_cta(&b->pin, 0, BASE, WINDOW, 0, 48);
	cycle(b);
	*b->pin.cfg_valid_i = 0;
}

static void check_floors(struct bench *b, unsigned count)
{
	const struct {
		const char *what;
		unsigned long seen;
	} floors[] = {{"reports taken", b->reports},
	              {"matches", b->matches},
	              {"values added to a value", b->added},
	              {"phases that copies end", b->ends},
	              {"landings at plain words", b->faults[MBAR_UNINIT]},
	              {"reports to layout v0", b->faults[MBAR_LAYOUT]},
	              {"landings at impossible words", b->faults[MBAR_COUNT_RANGE]}};
	for (unsigned i = 0; i < sizeof floors / sizeof floors[0]; i++)
		if (floors[i].seen < 1 + count / 100)
			complain(b, floors[i].what, floors[i].seen, 1 + count / 100);
}

static struct bench_end run_bench(const struct bench_args *a)
{
	static struct bench b;
	open(&b, a);
	for (unsigned i = 0; i < a->count && b.errors < 100; i++)
		try_word(&b);
	check_floors(&b, a->count);
	printf("mbar_report: %s: %lu reports, %lu of a match, %lu phases ended\n", b.model.params, b.reports, b.matches,
	       b.ends);
	return bench_good(!b.errors);
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {
	        .words = "MODEL.so [SEED [COUNT [BUG]]]", .usual = 1000, .run = run_bench};
	return bench_main(argc, argv, &form);
}
