// SPDX-License-Identifier: Apache-2.0
/* cunits_marks_test.c -- marks of mbarriers against a list of bytes, set and taken by functions and by stores. Also
 * atoms_pipe behind the interface of units: windows of ranks, answers, comparison. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "../../../common/rng.h"
#include "warplock/units.h"

enum { BYTES = 4096, WORDS = BYTES / 8 };

static _Alignas(16) uint8_t mem[WL_MOST_SHARED];
static struct wl_smem smem;
static bool expected[WL_MOST_SHARED / 8]; /* by word of 8 bytes */

static void setup(enum wl_arch arch, unsigned bytes)
{
	struct wl_config c = wl_config_default();
	c.shared_bytes = bytes;
	c.arch = arch;
	wl_smem_init(&smem, &c, mem);
	memset(mem, 0, sizeof mem);
	memset(expected, 0, sizeof expected);
}

static void check(const char *what)
{
	unsigned count = 0;
	for (uint32_t word = 0; word < smem.bytes / 8; word++) {
		count += expected[word];
		if (wl_smem_marked(&smem, word * 8) != expected[word])
			fail_msg("%s: the word at %u, expected %d", what, word * 8, expected[word]);
	}
	if (smem.nmarks != count)
		fail_msg("%s: %u marks are counted, expected %u", what, smem.nmarks, count);
}

/* A write takes the mark of every word with a written byte. */
static void taken(uint32_t addr, uint32_t size)
{
	for (uint32_t byte = addr; byte < addr + size; byte++)
		expected[byte / 8] = false;
}

/* Set bits in a map of the words. */
static unsigned bits_of(const uint64_t map[WL_MOST_SHARED / 512])
{
	unsigned all = 0;
	for (unsigned i = 0; i < WL_MOST_SHARED / 512; i++)
		all += (unsigned)__builtin_popcountll(map[i]);
	return all;
}

/* Each word alone, in all of the largest memory: no other word changes. */
static void words_apart(void **state)
{
	(void)state;
	setup(WL_SM90, WL_MOST_SHARED);
	for (uint32_t addr = 0; addr < WL_MOST_SHARED; addr += 8) {
		wl_smem_mark(&smem, addr);
		assert_true(wl_smem_marked(&smem, addr));
		assert_int_equal(smem.nmarks, 1);
		assert_int_equal(bits_of(smem.mark), 1);
		assert_false(wl_smem_marked(&smem, addr ^ 8));
		wl_smem_mark(&smem, addr); /* a second time changes nothing */
		assert_int_equal(smem.nmarks, 1);
		wl_smem_unmark(&smem, addr + addr / 8 % 8, 1); /* any byte of the word */
		assert_false(wl_smem_marked(&smem, addr));
		assert_int_equal(smem.nmarks, 0);
	}
	check("all taken");
}

/* The same test for the marks made by STS.64. */
static void made_apart(void **state)
{
	(void)state;
	setup(WL_SM100, WL_MOST_SHARED);
	for (uint32_t addr = 0; addr < WL_MOST_SHARED; addr += 8) {
		wl_smem_make(&smem, addr);
		assert_true(wl_smem_marked(&smem, addr) && wl_smem_made(&smem, addr));
		assert_false(wl_smem_made(&smem, addr ^ 8));
		assert_int_equal(bits_of(smem.stored), 1);
		wl_smem_unmark(&smem, addr, 8); /* the mark goes; the record of the store stays */
		assert_true(wl_smem_made(&smem, addr) && !wl_smem_marked(&smem, addr));
		wl_smem_unmake(&smem, addr);
		assert_int_equal(bits_of(smem.stored), 0);
	}
	check("all taken");
}

static void marks_at_random(void **state)
{
	struct rng r = rng_seed(5, 0);
	unsigned met = 0, kept = 0;
	(void)state;
	setup(WL_SM90, BYTES);
	for (unsigned n = 0; n < 20000; n++) {
		if (rng_one_in(&r, 2)) {
			const uint32_t word = rng_below(&r, 48) + (rng_one_in(&r, 2) ? 0 : WORDS - 48);
			wl_smem_mark(&smem, word * 8);
			expected[word] = true;
		} else {
			const uint32_t size =
			        rng_one_in(&r, 8) ? 1 + rng_below(&r, 100) : UINT32_C(1) << rng_below(&r, 5);
			const uint32_t addr = rng_below(&r, 384) + (rng_one_in(&r, 2) ? 0 : BYTES - 384 - size);
			const unsigned before = smem.nmarks;
			wl_smem_unmark(&smem, addr, size);
			taken(addr, size);
			met += smem.nmarks != before;
			kept += smem.nmarks == before;
		}
		check("mark, unmark");
	}
	assert_true(met > 2000 && kept > 200);
}

/* Requests: a store of 8 bytes marks on sm_100, any other store takes marks; a request without a store leaves marks.
 * Memory stays 0. So a compare with 0 stores, and a compare with 1 does not. */
static void requests(enum wl_arch arch, bool stores_mark)
{
	static const struct {
		enum wl_uop uop;
		uint8_t size;
	} forms[] = {{WL_UOP_STS, 1},       {WL_UOP_STS, 2},       {WL_UOP_STS, 4},        {WL_UOP_STS, 8},
	             {WL_UOP_STS, 8},       {WL_UOP_STS, 16},      {WL_UOP_ATOMS, 4},      {WL_UOP_ATOMS, 8},
	             {WL_UOP_ATOMS_CAS, 4}, {WL_UOP_ATOMS_CAS, 8}, {WL_UOP_ATOMS_CAST, 8}, {WL_UOP_LDS, 8}};
	static struct wl_req req;
	static struct wl_atoms_plan plan;
	static struct wl_record rec;
	struct rng r = rng_seed(6, arch);
	const uint32_t base = 512;
	unsigned set = 0, cleared = 0, missed = 0;
	setup(arch, BYTES);
	wl_smem_open(&smem, 1, base, 1024, 1, 0);
	memset(mem, 0, sizeof mem);
	for (unsigned n = 0; n < 6000; n++) {
		const unsigned form = rng_below(&r, sizeof forms / sizeof forms[0]), size = forms[form].size;
		const bool compares = forms[form].uop == WL_UOP_ATOMS_CAS || forms[form].uop == WL_UOP_ATOMS_CAST;
		memset(&req, 0, sizeof req);
		req.tag.slot = 1;
		req.mask = rng_one_in(&r, 4) ? UINT32_MAX
		                             : UINT32_C(1) << rng_below(&r, 32) | UINT32_C(1) << rng_below(&r, 32);
		req.inst = (struct wl_inst){.uop = (uint16_t)forms[form].uop, .size = forms[form].size};
		req.inst.op = WL_ATOM_EXCH;
		req.inst.ra = 1;
		req.inst.ur = WL_NO_UR;
		req.inst.rd = forms[form].uop == WL_UOP_STS ? WL_RZ : 2;
		for (unsigned lane = 0; lane < WL_WARP_LANES; lane++) {
			req.ra[lane] = rng_below(&r, 1024 / size) * size;
			req.rb[lane].w[0] = compares && rng_one_in(&r, 2);
		}
		if (rng_one_in(&r, 2)) { /* SYNCS.EXCH */
			const uint32_t word = base / 8 + rng_below(&r, 128);
			wl_smem_mark(&smem, word * 8);
			expected[word] = true;
		}
		wl_atoms_plan(&smem, &req, &plan);
		wl_atoms_start(&req, &plan, &rec);
		for (unsigned p = 0; p < plan.common.passes; p++) {
			const uint32_t lanes = plan.common.pass_lanes[p];
			wl_atoms_apply(&smem, &req, &plan, lanes, &rec);
			for (unsigned lane = 0; lane < WL_WARP_LANES; lane++) {
				const uint32_t addr = base + (uint32_t)req.ra[lane];
				if (!(lanes >> lane & 1) || forms[form].uop == WL_UOP_LDS)
					continue;
				if (compares && req.rb[lane].w[0]) {
					missed += expected[addr / 8];
					continue;
				}
				if (stores_mark && forms[form].uop == WL_UOP_STS && size == 8) {
					set += !expected[addr / 8];
					expected[addr / 8] = true;
				} else {
					cleared += expected[addr / 8];
					taken(addr, size);
				}
			}
			check("a pass");
		}
		wl_atoms_finish(&req, &plan, &rec);
	}
	assert_true(cleared > 500 && missed > 200 && (set > 500) == stores_mark);
	wl_smem_open(&smem, 2, base + 64, 256, 1, 0); /* a CTA comes */
	taken(base + 64, 256);
	check("a window is opened");
}

static void requests_of_sm90(void **state)
{
	(void)state;
	requests(WL_SM90, false);
}

static void requests_of_sm100(void **state)
{
	(void)state;
	requests(WL_SM100, true);
}

/* Without any mark yet, the first STS.64 of sm_100 makes a mark; on sm_90 STS.64 makes none. */
static void the_first_mark(void **state)
{
	(void)state;
	for (unsigned n = 0; n < 2; n++) {
		setup(n ? WL_SM100 : WL_SM90, BYTES);
		wl_smem_wrote(&smem, 64, 8, true);
		expected[8] = n;
		check("STS.64");
		wl_smem_wrote(&smem, 72, 8, false); /* by another instruction */
		check("8 bytes, no STS");
		wl_smem_wrote(&smem, 80, 4, true);
		check("STS.32");
	}
}

/* CAST with a single destination predicate: pd[0] gets the answer, pd[1] gets nothing. */
static void no_predicate(void **state)
{
	struct wl_req req = {.mask = 3, .tag.slot = 1};
	struct wl_atoms_plan plan;
	struct wl_record rec;
	(void)state;
	setup(WL_SM90, BYTES);
	wl_smem_open(&smem, 1, 512, 1024, 1, 0);
	memset(mem, 0, sizeof mem);
	for (unsigned n = 0; n < 2; n++) {
		req.inst =
		        (struct wl_inst){.uop = WL_UOP_ATOMS_CAST_P, .size = 4, .ra = 1, .ur = WL_NO_UR, .rd = WL_RZ};
		req.inst.pd[0] = n ? 3 : WL_PT;
		req.inst.pd[1] = n ? WL_PT : 3;
		req.ra[1] = 4;
		req.rb[1].w[0] = 1; /* lane 1 finds another value */
		wl_atoms_plan(&smem, &req, &plan);
		wl_atoms_start(&req, &plan, &rec);
		wl_atoms_apply(&smem, &req, &plan, 3, &rec);
		assert_int_equal(rec.stored, 1);
		assert_int_equal(rec.written, 0);
		assert_int_equal(rec.pred_written, n ? 3 : 0);
		assert_int_equal(rec.preds, n ? 1 : 0);
	}
}

/* ---- behind the interface ---- */

/* CTAs of rank 5 and 0: an address with a register has the rank in bits 31:24. */
static void ranks(void **state)
{
	static struct wl_units u;
	static union {
		struct wl_plan common;
		uint8_t bytes[WL_PLAN_MAX];
	} plan;
	const struct wl_unit_ops *ops = wl_unit_ops(WL_UNIT_atoms_pipe);
	struct wl_config c = wl_config_default();
	(void)state;
	c.shared_bytes = BYTES;
	wl_units_init(&u, &c, mem);
	for (unsigned n = 0; n < 2; n++) {
		const struct wl_cta_start start = {.slot = 3, .base = 256, .size = 1024, .rank = n ? 5 : 0, .cta = 1};
		static struct wl_req req;
		static struct wl_record rec;
		ops->open(&u, &start);
		assert_int_equal(u.smem.window[3].origin, n ? 0x05000000 : 0);
		memset(mem, 0, sizeof mem);
		memset(&req, 0, sizeof req);
		req.tag.slot = 3;
		req.mask = 0x11;
		req.inst =
		        (struct wl_inst){.uop = WL_UOP_STS, .size = 4, .ra = 1, .ur = WL_NO_UR, .rd = WL_RZ, .rb = 4};
		req.ra[0] = 0x05000010; /* rank 5 */
		req.ra[4] = 0x10;       /* rank 0 */
		req.rb[0].w[0] = 7;
		req.rb[4].w[0] = 9;
		ops->plan(&u, &req, &plan.common, &rec);
		assert_int_equal(plan.common.ok, n ? 1 : 0x10);
		assert_int_equal(plan.common.faulted, n ? 0x10 : 1);
		const struct wl_event ev = {.kind = WL_EV_COMMIT, .lanes = plan.common.ok};
		assert_int_equal(ops->apply(&u, &req, &plan.common, &ev, &rec), 0); /* no lane faults in its turn */
		ops->finish(&u, &req, &plan.common, &rec);
		assert_int_equal(rec.committed, n ? 1 : 0x10);
		assert_int_equal(rec.faulted, n ? 0x10 : 1);
		assert_int_equal(wl_smem_read(&u.smem, 256 + 16), n ? 7 : 9);
		ops->close(&u, 3);
		assert_false(u.smem.window[3].valid);
	}
}

/* The comparison covers every word of an open window, and no word beside the windows. */
static void comparison(void **state)
{
	static struct wl_units u;
	static uint32_t dut[BYTES / 4];
	static const struct {
		unsigned slot;
		uint32_t base, size;
		bool closed;
	} windows[] = {{0, 16, 48, false},
	               {7, 128, 16, false},
	               {8, 256, 64, true},
	               {WL_MAX_CTAS - 1, BYTES - 512, 256, false}};
	const struct wl_unit_ops *ops = wl_unit_ops(WL_UNIT_atoms_pipe);
	struct wl_config c = wl_config_default();
	unsigned found = 0;
	char why[160];
	(void)state;
	c.shared_bytes = BYTES;
	memset(mem, 0x77, sizeof mem);
	wl_units_init(&u, &c, mem);
	for (unsigned i = 0; i < sizeof windows / sizeof windows[0]; i++) {
		const struct wl_cta_start start = {
		        .slot = windows[i].slot, .base = windows[i].base, .size = windows[i].size};
		ops->open(&u, &start);
		if (windows[i].closed)
			ops->close(&u, windows[i].slot);
	}
	memcpy(dut, mem, sizeof dut);
	assert_true(ops->compare(&u, dut, why, sizeof why));
	for (uint32_t at = 0; at < BYTES; at += 4) {
		bool inside = false;
		for (unsigned i = 0; i < sizeof windows / sizeof windows[0]; i++)
			inside = inside || (!windows[i].closed && at >= windows[i].base &&
			                    at < windows[i].base + windows[i].size);
		dut[at / 4] ^= UINT32_C(1) << at / 4 % 32;
		why[0] = 0;
		assert_int_equal(ops->compare(&u, dut, why, sizeof why), !inside);
		if (inside) {
			char text[160];
			uint32_t ref;
			memcpy(&ref, mem + at, 4);
			snprintf(text, sizeof text, "shared memory at 0x%x: 0x%08x, REF has 0x%08x", at, dut[at / 4],
			         ref);
			assert_string_equal(why, text);
			found++;
		}
		dut[at / 4] ^= UINT32_C(1) << at / 4 % 32;
	}
	assert_int_equal(found, (48 + 16 + 256) / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(words_apart),       cmocka_unit_test(made_apart),
	        cmocka_unit_test(marks_at_random),   cmocka_unit_test(requests_of_sm90),
	        cmocka_unit_test(requests_of_sm100), cmocka_unit_test(the_first_mark),
	        cmocka_unit_test(no_predicate),      cmocka_unit_test(ranks),
	        cmocka_unit_test(comparison),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
