// SPDX-License-Identifier: Apache-2.0
/* cunits_mbarrier_engine_test.c -- mbarrier_engine: words by hand, each fault by itself, marks, TMASK, waits.
 * Source: docs/spec/mbarrier.md, "Layouts"; docs/spec/mbarrier.md, "Faults"; docs/spec/mbarrier.md, "Waits". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cunits_mbarrier.h"

/* A single lane's operation at `addr`; *f keeps the outcome. */
static enum wl_fault one(struct flight *f, enum wl_uop uop, uint32_t addr, uint32_t b, unsigned op, unsigned type,
                         bool drop)
{
	ask(f, uop, 0, 1u << 5);
	f->req.ra[5] = addr;
	f->req.ur = addr;
	f->req.rb[5].w[0] = b;
	f->req.inst.op = (uint8_t)op;
	f->req.inst.type = (uint8_t)type;
	f->req.inst.flags = drop ? WL_F_OPTOUT : 0;
	run(f);
	return f->rec.faulted ? (enum wl_fault)f->rec.fault[5] : WL_FAULT_NONE;
}

static enum wl_fault exchange(uint32_t addr, uint64_t v)
{
	struct flight f;
	ask(&f, WL_UOP_SYNCS_EXCH, 0, 0xff0);
	f.req.ur = addr;
	for (unsigned lane = 0; lane < 32; lane++)
		f.req.rb[lane] = (struct wl_lane){{(uint32_t)v, (uint32_t)(v >> 32)}};
	run(&f);
	return f.rec.faulted ? (enum wl_fault)f.rec.fault[4] : WL_FAULT_NONE;
}

static enum wl_fault arrive(uint32_t addr, uint32_t b, unsigned op, bool drop)
{
	struct flight f;
	return one(&f, WL_UOP_SYNCS_ARRIVE, addr, b, op, WL_MBAR_OLD, drop);
}

static bool complete(uint32_t addr, bool parity)
{
	struct flight f;
	assert_int_equal(one(&f, WL_UOP_SYNCS_PHASECHK, addr, (uint32_t)parity << 31, 0, 0, false), WL_FAULT_NONE);
	assert_int_equal(f.rec.pred_written, 1u << 5);
	return f.rec.preds != 0;
}

/* ---- directed ---- */

/* The words of ptxas 13.5.37 for init of .layout::v1 on sm_90 and later, except sm_107; counts act like v0. */
static void test_layout_v1(void **state)
{
	static const enum wl_arch archs[] = {WL_SM90, WL_SM100, WL_SM120};
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		start(archs[i], 32, 32);
		assert_int_equal(exchange(8, UINT64_C(0x7fffe000001ffff9)), WL_FAULT_NONE); /* init(4) */
		for (unsigned n = 1; n < 4; n++) {
			assert_int_equal(arrive(8, 0, WL_MBAR_A1T0, false), WL_FAULT_NONE);
			assert_true(bits_at(8) == UINT64_C(0x7fffe000001ffff9) + ((uint64_t)n << 43));
		}
		assert_false(complete(8, false));
		assert_int_equal(arrive(8, 0, WL_MBAR_A1T0, true), WL_FAULT_NONE);
		assert_true(bits_at(8) == UINT64_C(0xffffe800001ffffb)); /* three are expected */
		assert_true(complete(8, false));
		assert_int_equal(exchange(8, UINT64_C(0x7fffe00000200001)), WL_FAULT_MBAR_COUNT_RANGE);
		assert_int_equal(exchange(8, 1), WL_FAULT_MBAR_COUNT_RANGE); /* init(2^20) */
	}
}

static void test_layout_b(void **state)
{
	(void)state;
	start(WL_SM90, 32, 32);
	assert_int_equal(exchange(8, init_word(2)), WL_FAULT_NONE);
	assert_true(bits_at(8) == UINT64_C(0x7ffff000001ffffc));
	assert_int_equal(arrive(8, 0, WL_MBAR_A1T0, false), WL_FAULT_NONE);
	assert_true(bits_at(8) == UINT64_C(0x7ffff800001ffffc));
	assert_true(complete(8, true)); /* the phase before phase 0 */
	assert_false(complete(8, false));
	assert_int_equal(arrive(8, 0, WL_MBAR_A1T0, false), WL_FAULT_NONE);
	assert_true(bits_at(8) == UINT64_C(0xfffff000001ffffc));
	assert_true(complete(8, false));
	assert_false(complete(8, true));
	assert_int_equal(arrive(8, 0, WL_MBAR_A1T0, true), WL_FAULT_NONE);
	assert_true(bits_at(8) == UINT64_C(0xfffff800001ffffe));
	assert_int_equal(arrive(8, 0, WL_MBAR_A1T0, false), WL_FAULT_NONE);
	assert_true(bits_at(8) == UINT64_C(0x7ffff800001ffffe));
	assert_int_equal(exchange(16, init_word(32)), WL_FAULT_NONE); /* public dump */
	assert_true(bits_at(16) == UINT64_C(0x7fff0000001fffc0));
	assert_true(init_word(12) == UINT64_C(0x7fffa000001fffe8));
	/* 3 bytes outstanding, negated in bits 41:21; a lane completes before another lane expects: -5 */
	assert_int_equal(arrive(16, 3, WL_MBAR_A0TR, false), WL_FAULT_NONE);
	assert_true(bits_at(16) == (UINT64_C(0x7fff0000001fffc0) | (UINT64_C(0x200000) - 3) << 21));
	assert_int_equal(arrive(16, 8, WL_MBAR_A0TX, false), WL_FAULT_NONE);
	assert_true(bits_at(16) == (UINT64_C(0x7fff0000001fffc0) | UINT64_C(5) << 21));
	/* public dump of H200: init(54), 32 arrivals expecting 1 .. 32 bytes */
	assert_int_equal(exchange(24, init_word(54)), WL_FAULT_NONE);
	for (uint32_t n = 1; n <= 32; n++)
		assert_int_equal(arrive(24, n, WL_MBAR_A1TR, false), WL_FAULT_NONE);
	assert_true(bits_at(24) == UINT64_C(0x7fff53ffbe1fff94));
}

static void test_layout_a(void **state)
{
	static const uint32_t highs[] = {0x7fffffff, 0xfffffffe};
	(void)state;
	struct flight f;
	start(WL_SM80, 32, 32);
	uint64_t v = UINT64_C(0x7ffffffe3ffffffe);
	memcpy(memory + BASE + 24, &v, 8);
	for (unsigned i = 0; i < 2; i++) {
		const uint64_t before = bits_at(24);
		assert_int_equal(one(&f, WL_UOP_ATOMS_ARRIVE, 24, 0, 0, 0, false), WL_FAULT_NONE);
		assert_true(bits_at(24) == ((uint64_t)highs[i] << 32 | 0x3ffffffe));
		assert_int_equal(f.rec.result[5].w[0], (uint32_t)before);
		assert_int_equal(f.rec.result[5].w[1], (uint32_t)(before >> 32));
	}
	v = UINT64_C(0xfffffffe3fffffff); /* ATOMS.POPC.INC at the low word: a drop of one */
	memcpy(memory + BASE + 24, &v, 8);
	one(&f, WL_UOP_ATOMS_ARRIVE, 24, 0, 0, 0, false);
	assert_true(bits_at(24) == UINT64_C(0xffffffff3fffffff));
	one(&f, WL_UOP_ATOMS_ARRIVE, 24, 0, 0, 0, false);
	assert_true(bits_at(24) == UINT64_C(0x7fffffff3fffffff));
	/* the largest count of the header, and lanes of an instruction in turn */
	v = UINT64_C(0x6000000120000001);
	memcpy(memory + BASE + 24, &v, 8);
	ask(&f, WL_UOP_ATOMS_ARRIVE, 0, 0x80000101);
	for (unsigned lane = 0; lane < 32; lane++)
		f.req.ra[lane] = 24;
	run(&f);
	assert_true(bits_at(24) == UINT64_C(0x6000000420000001));
	assert_int_equal(f.rec.passes, 3);
	assert_int_equal(f.rec.result[31].w[1], 0x60000003);
	f.req.inst.flags = WL_F_ILLEGAL;
	run(&f);
	assert_int_equal(f.rec.faulted, 0x80000101);
	assert_int_equal(f.rec.fault[8], WL_FAULT_ILLEGAL_INSTRUCTION);
}

static void test_faults(void **state)
{
	(void)state;
	struct flight f;
	start(WL_SM90, 32, 32);
	const uint64_t fill = bits_at(0);
	assert_int_equal(arrive(0, 0, WL_MBAR_A1T0, false), WL_FAULT_MBAR_UNINIT);
	assert_int_equal(one(&f, WL_UOP_SYNCS_PHASECHK, 0, 0, 0, 0, false), WL_FAULT_MBAR_UNINIT);
	assert_int_equal(one(&f, WL_UOP_SYNCS_PHASECHK, 0, 0, 1, 0, false), WL_FAULT_MBAR_UNINIT);
	assert_false(plan_of(&f)->waits);
	assert_int_equal(one(&f, WL_UOP_SYNCS_CCTL, 0, 0, 0, 0, false), WL_FAULT_MBAR_UNINIT);
	assert_int_equal(arrive(4, 0, WL_MBAR_A1T0, false), WL_FAULT_MISALIGNED_ADDRESS);
	assert_int_equal(arrive(SIZE, 0, WL_MBAR_A1T0, false), WL_FAULT_SHARED_OUT_OF_RANGE);
	assert_int_equal(arrive(1u << 24, 0, WL_MBAR_A1T0, false), WL_FAULT_SHARED_OUT_OF_RANGE);
	assert_int_equal(arrive(SIZE + 4, 0, WL_MBAR_A1T0, false), WL_FAULT_MISALIGNED_ADDRESS);
	assert_int_equal(arrive(0, MOST + 1, WL_MBAR_ART0, false), WL_FAULT_MBAR_COUNT_RANGE);
	assert_int_equal(exchange(0, init_word(0)), WL_FAULT_MBAR_COUNT_RANGE);
	assert_int_equal(exchange(0, init_word(MOST + 1)), WL_FAULT_MBAR_COUNT_RANGE);
	assert_int_equal(exchange(SIZE, init_word(1)), WL_FAULT_SHARED_OUT_OF_RANGE);
	assert_true(bits_at(0) == fill);
	assert_int_equal(exchange(0, init_word(MOST)), WL_FAULT_NONE);
	assert_int_equal(arrive(0, MOST, WL_MBAR_A0TR, false), WL_FAULT_NONE);
	assert_int_equal(arrive(0, 0, WL_MBAR_ART0, false), WL_FAULT_NONE);
	assert_int_equal(arrive(0, 0, WL_MBAR_A0T1, false), WL_FAULT_NONE);
	assert_int_equal(arrive(0, 0, WL_MBAR_A0T1, false), WL_FAULT_MBAR_TX_RANGE);
	assert_int_equal(arrive(0, UINT32_MAX, WL_MBAR_A0TX, false), WL_FAULT_MBAR_TX_RANGE);
	assert_int_equal(arrive(0, MOST + 1, WL_MBAR_A0TX, false), WL_FAULT_MBAR_TX_RANGE);
	assert_int_equal(arrive(0, 1, WL_MBAR_A0TX, false), WL_FAULT_NONE);
	assert_int_equal(arrive(0, MOST, WL_MBAR_A0TX, false), WL_FAULT_NONE);
	assert_int_equal(arrive(0, MOST, WL_MBAR_A0TX, false), WL_FAULT_NONE);
	assert_int_equal(arrive(0, 1, WL_MBAR_A0TX, false), WL_FAULT_MBAR_TX_RANGE);
	assert_int_equal(arrive(0, MOST, WL_MBAR_A0TR, false), WL_FAULT_NONE);
	assert_int_equal(arrive(0, MOST - 1, WL_MBAR_ART0, false), WL_FAULT_NONE);
	assert_int_equal(arrive(0, 2, WL_MBAR_ART0, false), WL_FAULT_MBAR_UNDERFLOW);
	/* tx is judged first, then the drop, then the arrival; a drop of 3 breaks two rules */
	assert_int_equal(exchange(8, init_word(2)), WL_FAULT_NONE);
	assert_int_equal(arrive(8, 3, WL_MBAR_ART0, true), WL_FAULT_MBAR_DROP_RANGE);
	assert_int_equal(arrive(8, 1, WL_MBAR_ART0, false), WL_FAULT_NONE);
	assert_int_equal(arrive(8, 2, WL_MBAR_ART0, true), WL_FAULT_MBAR_UNDERFLOW);
	assert_int_equal(one(&f, WL_UOP_SYNCS_ARRIVE, 8, 1, WL_MBAR_ART0, WL_MBAR_TMASK, false),
	                 WL_FAULT_MBAR_NOCOMPLETE);
	assert_true(bits_at(8) == UINT64_C(0x7ffff800001ffffc)); /* faults have changed nothing */
	/* all leave with bytes outstanding: the phase ends only after the bytes; afterwards every operation faults */
	assert_int_equal(exchange(16, init_word(1)), WL_FAULT_NONE);
	assert_int_equal(arrive(16, 4, WL_MBAR_A1TR, true), WL_FAULT_NONE);
	assert_false(complete(16, false));
	assert_int_equal(arrive(16, 0, WL_MBAR_A1T0, false), WL_FAULT_MBAR_UNDERFLOW);
	assert_int_equal(arrive(16, 4, WL_MBAR_A0TX, false), WL_FAULT_NONE);
	assert_true(complete(16, false));
	assert_int_equal(arrive(16, 0, WL_MBAR_A1T0, false), WL_FAULT_MBAR_DRAINED);
	assert_int_equal(arrive(16, 1, WL_MBAR_A0TR, false), WL_FAULT_MBAR_DRAINED);
	assert_int_equal(arrive(16, 0, WL_MBAR_A0TX, false), WL_FAULT_MBAR_DRAINED);
	assert_int_equal(one(&f, WL_UOP_SYNCS_CCTL, 16, 0, 0, 0, false), WL_FAULT_NONE);
	assert_int_equal(arrive(16, 0, WL_MBAR_A1T0, false),
	                 WL_FAULT_MBAR_DRAINED); /* the object's words are as before */
}

/* Operations taking a mark away, and making a mark. */
static void test_marks(void **state)
{
	static const struct {
		enum wl_uop uop;
		unsigned size, at, op, b;
		bool keeps;
	} rows[] = {{WL_UOP_STS, 4, 8, 0, 0, false},      {WL_UOP_STS, 1, 15, 0, 0, false},
	            {WL_UOP_STS, 4, 16, 0, 0, true},      {WL_UOP_STS, 8, 8, 0, 0, false},
	            {WL_UOP_STS, 16, 0, 0, 0, false},     {WL_UOP_LDS, 8, 8, 0, 0, true},
	            {WL_UOP_ATOMS, 4, 12, 0, 0, false},   {WL_UOP_ATOMS_CAS, 4, 12, 0, 0x7ffff000, false},
	            {WL_UOP_ATOMS_CAS, 4, 12, 0, 1, true}};
	(void)state;
	for (unsigned k = 0; k < 2 * sizeof rows / sizeof rows[0]; k++) {
		const unsigned i = k / 2;
		struct wl_inst in = neutral(rows[i].uop);
		static uint32_t regs[64][32];
		uint8_t fault[32];
		start(WL_SM90, 32, 32);
		assert_int_equal(exchange(8, init_word(2)), WL_FAULT_NONE);
		in.size = (uint8_t)rows[i].size;
		in.off = (int32_t)rows[i].at;
		in.rb = 8;
		in.rc = 12;
		in.rd = rows[i].uop == WL_UOP_STS ? WL_RZ : 16;
		in.op = (uint8_t)rows[i].op;
		regs[8][3] = rows[i].b;
		if (k % 2) { /* through the interface, like lockstep; else like wlrun */
			struct flight f = {.req = {.tag = {0, SLOT, 0, 1, 0}, .inst = in, .mask = 8}};
			f.req.rb[3].w[0] = rows[i].b;
			ops = wl_unit_ops(WL_UNIT_atoms_pipe);
			run(&f);
			ops = wl_unit_ops(WL_UNIT_mbarrier_engine);
		} else {
			assert_int_equal(wl_atoms_exec(&units.smem, SLOT, &in, regs, 8, 0, fault, NULL), 0);
		}
		assert_int_equal(wl_smem_marked(&units.smem, BASE + 8), rows[i].keeps);
		if (wl_smem_marked(&units.smem, BASE + 8) != rows[i].keeps || units.smem.nmarks != rows[i].keeps)
			fail_msg("row %u: %u marks", i, units.smem.nmarks);
	}
	for (unsigned k = 0; k < 2; k++) { /* STS.64 makes objects from sm_100 on */
		struct wl_inst in = neutral(WL_UOP_STS);
		static uint32_t regs[64][32];
		uint8_t fault[32];
		start(k ? WL_SM100 : WL_SM90, 32, 32);
		in.size = 8;
		in.off = 40;
		in.rb = 8;
		assert_int_equal(wl_atoms_exec(&units.smem, SLOT, &in, regs, 8, 0, fault, NULL), 0);
		assert_int_equal(wl_smem_marked(&units.smem, BASE + 40), k);
		wl_units_open(&units, &(struct wl_cta_start){.slot = SLOT, .base = BASE, .size = SIZE});
		assert_int_equal(units.smem.nmarks, 0);
	}
}

/* Lane 17 faults. The low word of TMASK has the lanes on the same object without a fault. */
static void test_tmask(void **state)
{
	(void)state;
	struct flight f;
	start(WL_SM90, 4, 8);
	exchange(32, init_word(100));
	exchange(48, init_word(7));
	ask(&f, WL_UOP_SYNCS_ARRIVE, 0, 0x000f00f3);
	for (unsigned lane = 0; lane < 32; lane++) {
		f.req.ra[lane] = lane < 4 ? 48 : 32;
		f.req.rb[lane].w[0] = lane == 17 ? MOST + 1 : 3;
	}
	f.req.inst.op = WL_MBAR_ART0;
	f.req.inst.type = WL_MBAR_TMASK;
	run(&f);
	assert_int_equal(f.rec.faulted, 1u << 17);
	assert_int_equal(f.rec.written, 0x000d00f3);
	assert_int_equal(f.rec.result[5].w[0], 0x000d00f0);
	assert_int_equal(f.rec.result[19].w[0], 0x000d00f0);
	assert_int_equal(f.rec.result[19].w[1], (0x100000u - 100) << 11);
	assert_int_equal(f.rec.result[0].w[0], 3);
	assert_true(bits_at(32) >> 43 == 0x100000u - 100 + 7 * 3);
}

/* TRYWAIT of a warp at `addr`; true: the warp parks. */
static bool park(struct flight *f, unsigned warp, uint32_t addr, bool parity)
{
	ask(f, WL_UOP_SYNCS_PHASECHK, warp, 0xffff0000);
	for (unsigned lane = 0; lane < 32; lane++) {
		f->req.ra[lane] = addr;
		f->req.rb[lane].w[0] = (uint32_t)parity << 31 | lane;
	}
	f->req.inst.op = 1;
	run(f);
	return plan_of(f)->waits;
}

static void test_waits(void **state)
{
	(void)state;
	struct flight a, b, c, d;
	struct wl_released r;
	start(WL_SM90, 8, 32);
	exchange(8, init_word(1));
	exchange(64, init_word(1));
	assert_true(park(&a, 1, 8, false));
	assert_true(plan_of(&a)->gives_up);
	assert_int_equal(plan_of(&a)->wait_id, (BASE + 8) / 8);
	assert_true(park(&b, 3, 8, false));
	assert_true(park(&c, 2, 64, false));
	assert_false(park(&d, 0, 8, true));
	assert_int_equal(d.rec.preds, 0xffff0000);
	assert_false(next_release(&r));
	assert_int_equal(arrive(8, 16, WL_MBAR_A1TR, false), WL_FAULT_NONE);
	assert_false(next_release(&r));
	assert_int_equal(wl_mbar_land(&units, SLOT, BASE + 8, WL_LAND_TX, 17), WL_FAULT_NONE);
	assert_false(next_release(&r)); /* a byte too many */
	assert_int_equal(arrive(8, 0, WL_MBAR_A0T1, false), WL_FAULT_NONE);
	assert_true(next_release(&r));
	assert_int_equal(r.warps, 1 << 1 | 1 << 3);
	assert_int_equal(r.id, (BASE + 8) / 8);
	assert_int_equal(r.slot, SLOT);
	assert_int_equal(r.phase, 0);
	assert_false(next_release(&r));
	ops->answer(&units, &a.req, plan_of(&a), &r, &a.rec);
	assert_int_equal(a.rec.pred_written, 0xffff0000);
	assert_int_equal(a.rec.preds, 0xffff0000);
	/* c gives up: the end of its phase then releases no warp */
	const struct wl_event choice = {.kind = WL_EV_CHOICE, .tag = c.req.tag};
	ops->apply(&units, &c.req, plan_of(&c), &choice, &c.rec);
	assert_false(plan_of(&c)->waits);
	assert_int_equal(c.rec.pred_written, 0xffff0000);
	assert_int_equal(c.rec.preds, 0);
	assert_int_equal(arrive(64, 0, WL_MBAR_A1T0, false), WL_FAULT_NONE);
	assert_false(next_release(&r));
	/* a landing arrival ends a phase; without an object the landing faults */
	assert_true(park(&a, 1, 64, true));
	const struct wl_event land = {
	        .kind = WL_EV_LAND, .land = WL_LAND_ARRIVE, .addr = BASE + 64, .tag = {.slot = SLOT}};
	ops->event(&units, &land);
	assert_true(next_release(&r));
	assert_int_equal(r.phase, 1);
	assert_int_equal(wl_mbar_land(&units, SLOT, BASE + 72, WL_LAND_TX, 1), WL_FAULT_MBAR_UNINIT);
	/* a question about two phases: answered for each lane, without a wait */
	ask(&a, WL_UOP_SYNCS_PHASECHK, 1, 3);
	a.req.ra[0] = a.req.ra[1] = 64;
	a.req.rb[1].w[0] = 0x80000000;
	a.req.inst.op = 1;
	run(&a);
	assert_false(plan_of(&a)->waits);
	assert_int_equal(a.rec.preds, 2);
}

/* Eight lanes a pass: between two passes the phase ends, and (`gone`) the mark goes. */
static void test_wait_between_passes(void **state)
{
	(void)state;
	for (unsigned gone = 0; gone < 2; gone++) {
		struct flight f;
		start(WL_SM90, 8, 32);
		exchange(8, init_word(1));
		ask(&f, WL_UOP_SYNCS_PHASECHK, 1, 0x01010100);
		for (unsigned lane = 0; lane < 32; lane++)
			f.req.ra[lane] = 8;
		f.req.inst.op = 1;
		begin(&f);
		assert_true(step(&f) && step(&f));
		assert_int_equal(arrive(8, 0, WL_MBAR_A1T0, false), WL_FAULT_NONE);
		if (gone)
			wl_smem_unmark(&units.smem, BASE + 8, 8); /* like a plain store */
		assert_true(step(&f));
		assert_false(step(&f));
		assert_false(plan_of(&f)->waits);
		assert_int_equal(f.rec.faulted, gone ? 1 << 24 : 0);
		assert_int_equal(f.rec.pred_written, gone ? 0x10100 : 0x1010100);
		assert_int_equal(f.rec.preds, gone ? 0 : 0x1010100);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_layout_b), cmocka_unit_test(test_layout_v1),
	                                   cmocka_unit_test(test_layout_a), cmocka_unit_test(test_faults),
	                                   cmocka_unit_test(test_marks),    cmocka_unit_test(test_tmask),
	                                   cmocka_unit_test(test_waits),    cmocka_unit_test(test_wait_between_passes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
