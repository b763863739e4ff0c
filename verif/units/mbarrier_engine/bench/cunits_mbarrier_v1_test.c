// SPDX-License-Identifier: Apache-2.0
/* cunits_mbarrier_v1_test.c -- objects of layout v1 on sm_107: words made by ptxas 13.5.37, each fault alone, and every
 * object of small counts under every operation. The oracle is made of tables: an object is a tuple of numbers; the word
 * is written digit by digit from the table of the contract.
 * Source: docs/spec/mbarrier.md, "Layout v1 on sm_107". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cunits_mbarrier.h"

enum { AT = 8, LANE = 5, SMALL = 7 /* counts of 3 bits */ };

static struct flight f;

static enum wl_fault lane_fault(void)
{
	return f.rec.faulted ? (enum wl_fault)f.rec.fault[LANE] : WL_FAULT_NONE;
}

static enum wl_fault exchange(uint64_t v)
{
	ask(&f, WL_UOP_SYNCS_EXCH, 0, 1u << LANE);
	f.req.ur = AT;
	f.req.rb[LANE] = (struct wl_lane){{(uint32_t)v, (uint32_t)(v >> 32)}};
	run(&f);
	return lane_fault();
}

static enum wl_fault operate(enum wl_uop uop, uint32_t b, unsigned op, unsigned type, bool drop)
{
	ask(&f, uop, 0, 1u << LANE);
	f.req.ra[LANE] = AT;
	f.req.rb[LANE].w[0] = b;
	f.req.inst.op = (uint8_t)op;
	f.req.inst.type = (uint8_t)type;
	f.req.inst.flags = drop ? WL_F_OPTOUT : 0;
	f.req.inst.pd[1] = uop == WL_UOP_SYNCS_PHASECHK ? 1 : WL_PT;
	run(&f);
	return lane_fault();
}

static enum wl_fault land(enum wl_land kind, uint32_t amount)
{
	return wl_mbar_land(&units, SLOT, BASE + AT, kind, amount);
}

/* Any word at all, left by plain stores after an EXCH. */
static void plant(uint64_t word)
{
	memcpy(memory + BASE + AT, &word, sizeof word);
	wl_smem_mark(&units.smem, BASE + AT);
}

/* ---- words ---- */

/* init as computed by ptxas 13.5.37 for sm_107. */
static uint64_t ptxas_init(uint32_t n)
{
	const uint32_t t = 0x200u - n;
	return (uint64_t)(t << 11) << 32 | (t << 4 | 1);
}

static void test_words(void **state)
{
	(void)state;
	start(WL_SM107, 32, 32);
	assert_int_equal(ptxas_init(4), 0x000fe00000001fc1);
	assert_int_equal(ptxas_init(1), 0x000ff80000001ff1);
	assert_int_equal(ptxas_init(511), 0x0000080000000011);
	assert_int_equal(exchange(0x000ff00000001fe1), WL_FAULT_NONE); /* init(2) */
	assert_int_equal(operate(WL_UOP_SYNCS_ARRIVE, 0, WL_MBAR_A1T0, 0, false), WL_FAULT_NONE);
	assert_int_equal(bits_at(AT), 0x000ff80000001fe1);
	assert_int_equal(land(WL_LAND_REPORT, 0x100), WL_FAULT_NONE);
	assert_int_equal(bits_at(AT), 0x000ff80000001fe3);
	assert_int_equal(operate(WL_UOP_SYNCS_ARRIVE, 0, WL_MBAR_A1T0, 0, true), WL_FAULT_NONE);
	assert_int_equal(bits_at(AT), 0x800ff80000001ff5); /* phase 1, the last phase failed, expected 1 */
	assert_int_equal(operate(WL_UOP_SYNCS_ARRIVE, 0, WL_MBAR_A1T0, 0, false), WL_FAULT_NONE);
	assert_int_equal(bits_at(AT), 0x000ff80000001ff9); /* the conditional phase goes on */
}

/* ---- faults ---- */

static void test_faults(void **state)
{
	(void)state;
	start(WL_SM107, 32, 32);
	for (uint32_t n = 1; n <= 511; n++)
		assert_int_equal(exchange(ptxas_init(n)), WL_FAULT_NONE);
	for (uint32_t n = 512; n < 1048576; n += n < 4096 ? 1 : 997)
		assert_int_equal(exchange(ptxas_init(n)), WL_FAULT_MBAR_COUNT_RANGE);
	assert_int_equal(exchange(ptxas_init(0)), WL_FAULT_MBAR_COUNT_RANGE);
	plant(ptxas_init(600)); /* an init of each lane is a store, without checks */
	assert_int_equal(operate(WL_UOP_SYNCS_ARRIVE, 0, WL_MBAR_A1T0, 0, false), WL_FAULT_MBAR_COUNT_RANGE);
	assert_int_equal(land(WL_LAND_TX, 16), WL_FAULT_MBAR_COUNT_RANGE);
	assert_int_equal(exchange(ptxas_init(511)), WL_FAULT_NONE);
	assert_int_equal(operate(WL_UOP_SYNCS_ARRIVE, 512, WL_MBAR_ART0, 0, false), WL_FAULT_MBAR_COUNT_RANGE);
	assert_int_equal(operate(WL_UOP_SYNCS_ARRIVE, 511, WL_MBAR_ART0, 0, false), WL_FAULT_NONE);
	assert_int_equal(bits_at(AT) >> 63, 1);
	assert_int_equal(exchange(init_word(4)), WL_FAULT_NONE); /* layout v0 */
	assert_int_equal(land(WL_LAND_REPORT, 0), WL_FAULT_MBAR_LAYOUT);
	assert_int_equal(operate(WL_UOP_SYNCS_ARRIVE, 4, WL_MBAR_ART0, 0, false), WL_FAULT_NONE);
	start(WL_SM100, 32, 32); /* a tag alone */
	assert_int_equal(exchange(init_word(600) | 1), WL_FAULT_NONE);
	assert_int_equal(operate(WL_UOP_SYNCS_ARRIVE, 600, WL_MBAR_ART0, 0, false), WL_FAULT_NONE);
	assert_int_equal(land(WL_LAND_REPORT, 0), WL_FAULT_MBAR_LAYOUT);
}

/* ---- every small object ---- */

struct thing {
	int expected, pending, tx, phase, conditional, failed, last;
};

/* The word as a string of digits, bit 63 first: no shift, no field of the code under test. */
static uint64_t word_of(const struct thing *t)
{
	char digits[65];
	uint64_t w = 0;
	char *d = digits;
#define DIGITS(value, n)                                                                                               \
	for (int i_ = (n)-1; i_ >= 0; i_--)                                                                            \
		*d++ = (char)('0' + (((value) % (1 << (n)) + (1 << (n))) % (1 << (n)) / (1 << i_)) % 2);
	DIGITS(t->phase, 1)
	DIGITS(0, 3)
	DIGITS(0, 8)
	DIGITS(-t->pending, 9)
	DIGITS(0, 1)
	DIGITS(-t->tx, 21)
	DIGITS(0, 8)
	DIGITS(-t->expected, 9)
	DIGITS(t->conditional, 1)
	DIGITS(t->last, 1)
	DIGITS(t->failed, 1)
	DIGITS(1, 1)
#undef DIGITS
	for (d = digits; d < digits + 64; d++)
		w = w * 2 + (uint64_t)(*d - '0');
	return w;
}

/* The contract's answer to `arrivals` and `tx`. */
static enum wl_fault oracle(struct thing *t, int arrivals, int tx, bool drop, bool stays)
{
	struct thing n = *t;
	if (t->expected + t->pending == 0 && t->tx == 0)
		return WL_FAULT_MBAR_DRAINED;
	n.tx += tx;
	n.expected -= drop ? arrivals : 0;
	n.pending -= arrivals;
	if (n.expected < 0)
		return WL_FAULT_MBAR_DROP_RANGE;
	if (n.pending < 0)
		return WL_FAULT_MBAR_UNDERFLOW;
	if (n.pending == 0 && n.tx == 0) {
		if (stays)
			return WL_FAULT_MBAR_NOCOMPLETE;
		n.phase = 1 - n.phase;
		if (!n.failed)
			n.conditional = 1 - n.conditional;
		n.last = n.failed;
		n.failed = 0;
		n.pending = n.expected;
	}
	*t = n;
	return WL_FAULT_NONE;
}

static void waits_of(const struct thing *t)
{
	for (uint32_t parity = 0; parity < 2; parity++) {
		const bool done = t->phase != (int)parity, conditional = t->conditional != (int)parity;
		operate(WL_UOP_SYNCS_PHASECHK, parity << 31, 0, WL_MBAR_PRIMARY, false);
		assert_int_equal(f.rec.preds != 0, done);
		assert_int_equal(f.rec.result[LANE].w[0], done && t->last);
		operate(WL_UOP_SYNCS_PHASECHK, parity << 31, 0, WL_MBAR_CONDITIONAL, false);
		assert_int_equal(f.rec.preds != 0, conditional);
		operate(WL_UOP_SYNCS_PHASECHK, parity << 31, 0, WL_MBAR_PLAIN, false);
		assert_int_equal(f.rec.preds != 0, done);
	}
}

static void operations_of(const struct thing *t)
{
	for (unsigned op = WL_MBAR_A1TR; op <= WL_MBAR_ART0; op++)
		for (int b = 0; b <= SMALL + 1; b++)
			for (unsigned how = 0; how < 3; how++) { /* plain, a drop, TMASK */
				const int arrivals = op == WL_MBAR_ART0 ? b : op <= WL_MBAR_A1T0;
				const int tx = op == WL_MBAR_A1TR || op == WL_MBAR_A0TR ? b
				               : op == WL_MBAR_A0TX                     ? -b
				                                                        : op == WL_MBAR_A0T1;
				struct thing n = *t;
				const enum wl_fault expect = oracle(&n, arrivals, tx, how == 1, how == 2);
				plant(word_of(t));
				assert_int_equal(operate(WL_UOP_SYNCS_ARRIVE, (uint32_t)b, op,
				                         how == 2 ? WL_MBAR_TMASK : WL_MBAR_OLD, how == 1),
				                 expect);
				assert_int_equal(bits_at(AT), word_of(&n));
			}
}

static void landings_of(const struct thing *t)
{
	for (unsigned match = 0; match < 2; match++) {
		struct thing n = *t;
		n.failed |= (int)match;
		plant(word_of(t));
		assert_int_equal(land(WL_LAND_REPORT, match << 8), WL_FAULT_NONE);
		assert_int_equal(bits_at(AT), word_of(&n));
	}
	for (int bytes = 1; bytes <= SMALL; bytes++) {
		struct thing n = *t;
		const enum wl_fault expect = oracle(&n, 0, -bytes, false, false);
		plant(word_of(t));
		assert_int_equal(land(WL_LAND_TX, (uint32_t)bytes), expect);
		assert_int_equal(bits_at(AT), word_of(&n));
	}
}

static void test_all_small_objects(void **state)
{
	unsigned objects = 0;
	(void)state;
	start(WL_SM107, 32, 32);
	for (int code = 0; code < 8 * 8 * 9 * 16; code++) {
		const struct thing t = {.expected = code % 8,
		                        .pending = code / 8 % 8,
		                        .tx = code / 64 % 9 - 4,
		                        .phase = code / 576 % 2,
		                        .conditional = code / 1152 % 2,
		                        .failed = code / 2304 % 2,
		                        .last = code / 4608};
		plant(word_of(&t));
		waits_of(&t);
		operations_of(&t);
		landings_of(&t);
		objects++;
	}
	printf("%u objects, each operation\n", objects);
}

/* ---- waiting warps ---- */

static void park(unsigned warp, unsigned type, uint32_t parity)
{
	ask(&f, WL_UOP_SYNCS_PHASECHK, warp, 0xff);
	for (unsigned lane = 0; lane < 32; lane++) {
		f.req.ra[lane] = AT;
		f.req.rb[lane].w[0] = parity << 31;
	}
	f.req.inst.op = 1;
	f.req.inst.type = (uint8_t)type;
	f.req.inst.pd[1] = 1;
	run(&f);
	assert_true(plan_of(&f)->waits);
}

static uint64_t woken(uint32_t *value)
{
	struct wl_released r = {0};
	if (!ops->released(&units, &r))
		return 0;
	*value = r.value;
	return r.warps;
}

/* A failed phase releases the warps waiting for the phase, not for the conditional phase; a later clean phase releases
 * the latter. */
static void test_wakes(void **state)
{
	uint32_t value = 0;
	(void)state;
	start(WL_SM107, 32, 32);
	assert_int_equal(exchange(ptxas_init(1)), WL_FAULT_NONE);
	park(1, WL_MBAR_PLAIN, 0);
	park(2, WL_MBAR_CONDITIONAL, 0);
	park(3, WL_MBAR_PRIMARY, 0);
	assert_int_equal(land(WL_LAND_REPORT, 0x15a), WL_FAULT_NONE);
	assert_int_equal(operate(WL_UOP_SYNCS_ARRIVE, 0, WL_MBAR_A1T0, 0, false), WL_FAULT_NONE);
	assert_int_equal(woken(&value), 1 << 1 | 1 << 3);
	assert_int_equal(value, 0x5a03);
	assert_int_equal(woken(&value), 0);
	assert_int_equal(operate(WL_UOP_SYNCS_ARRIVE, 0, WL_MBAR_A1T0, 0, false), WL_FAULT_NONE);
	assert_int_equal(woken(&value), 1 << 2);
	assert_int_equal(value, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_words), cmocka_unit_test(test_faults),
	                                   cmocka_unit_test(test_all_small_objects), cmocka_unit_test(test_wakes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
