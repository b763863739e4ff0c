// SPDX-License-Identifier: Apache-2.0
/* cunits_matrix_test.c -- LDSM and STSM against the fragment layout of the PTX ISA ("ldmatrix", "stmatrix"), number by
 * number: thread 4i + j/2 holds numbers (i, j) and (i, j + 1) of each matrix, j even; with .trans (j, i) and
 * (j + 1, i). Both ways of the C model: plan / apply / finish, and wlrun's loop. Passes are counted bank by bank. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../../common/rng.h"
#include "warplock/config_check.h"
#include "warplock/units.h"

enum { SEED = 7, SLOT = 3, BASE = 48, WINDOW = 1024, SIDE = 8, NOTHING = 0x5a5a5a5a };

static _Alignas(16) uint8_t mem[65536], was[65536];
static struct wl_smem smem;
static struct wl_req req;
static struct wl_atoms_plan plan;
static struct wl_record rec;

struct shape {
	bool stores, trans;
	unsigned matrices;
};

static void setup(unsigned lanes, unsigned banks, struct rng *rng)
{
	struct wl_config c = wl_config_default();
	c.lanes = lanes;
	c.banks = banks;
	wl_smem_init(&smem, &c, mem);
	wl_smem_open(&smem, SLOT, BASE, WINDOW, 1, 0);
	for (unsigned i = 0; i < sizeof mem; i += 8) {
		const uint64_t v = rng_next(rng);
		memcpy(mem + i, &v, 8);
	}
	memcpy(was, mem, sizeof mem);
}

static void draw(const struct shape *f, uint8_t rd, bool spoilt, struct rng *rng)
{
	memset(&req, 0, sizeof req);
	req.tag.slot = SLOT;
	req.mask = UINT32_MAX;
	req.inst = (struct wl_inst){.uop = f->stores ? WL_UOP_STSM : WL_UOP_LDSM,
	                            .size = 16,
	                            .lut = (uint8_t)((1u << f->matrices) - 1),
	                            .type = f->trans,
	                            .rd = f->stores ? WL_RZ : rd,
	                            .ra = 2,
	                            .rb = f->stores ? 8 : WL_RZ,
	                            .rc = WL_RZ,
	                            .ur = 255,
	                            .off = 32};
	const unsigned rows = 1 + rng_below(rng, WINDOW / 16);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		uint32_t at = 16 * rng_below(rng, rows);
		if (spoilt && rng_below(rng, 6) == 0)
			at += rng_below(rng, 2) ? WINDOW : 1 + rng_below(rng, 15);
		req.ra[l] = rng_next(rng) << 32 | (uint32_t)(at - 32);
		for (unsigned w = 0; w < 4; w++)
			req.rb[l].w[w] = (uint32_t)rng_next(rng);
	}
}

/* ---- the oracle ---- */

static uint32_t place(unsigned lane)
{
	return (uint32_t)req.ra[lane] + 32;
}

static enum wl_fault fault_of(const struct shape *f, unsigned lane)
{
	if (lane >= SIDE * f->matrices)
		return WL_FAULT_NONE;
	if (place(lane) % 16)
		return WL_FAULT_MISALIGNED_ADDRESS;
	return place(lane) + 16 > WINDOW ? WL_FAULT_SHARED_OUT_OF_RANGE : WL_FAULT_NONE;
}

/* Number (i, j) of matrix m in the fragment of the thread. */
static uint16_t *held(struct wl_lane lanes[WL_WARP_LANES], unsigned m, unsigned i, unsigned j)
{
	return (uint16_t *)(void *)&lanes[4 * i + j / 2].w[m] + j % 2;
}

static void expect(const struct shape *f, struct wl_lane out[WL_WARP_LANES])
{
	memset(out, 0, WL_WARP_LANES * sizeof *out);
	for (unsigned m = 0; m < f->matrices; m++)
		for (unsigned i = 0; i < SIDE; i++) {
			if (fault_of(f, SIDE * m + i))
				continue;
			for (unsigned j = 0; j < SIDE; j++) {
				uint16_t *lane = f->stores ? held(req.rb, m, f->trans ? j : i, f->trans ? i : j)
				                           : held(out, m, f->trans ? j : i, f->trans ? i : j);
				uint8_t *at = was + BASE + place(SIDE * m + i) + 2 * j;
				f->stores ? memcpy(at, lane, 2) : memcpy(lane, at, 2);
			}
		}
}

/* Rows of a matrix in a beat: a bank group of 16 bytes serves a row in a pass; loads of the same row go together. */
static unsigned passes_of(const struct shape *f, unsigned first, unsigned end)
{
	const unsigned groups = smem.banks / 4;
	unsigned most = 0;
	for (unsigned g = 0; g < groups; g++) {
		unsigned n = 0;
		for (unsigned l = first; l < end; l++) {
			bool again = false;
			if (fault_of(f, l) || (BASE + place(l)) / 16 % groups != g)
				continue;
			for (unsigned k = first; k < l && !f->stores; k++)
				again |= !fault_of(f, k) && place(k) == place(l);
			n += !again;
		}
		most = n > most ? n : most;
	}
	return most;
}

static unsigned expect_passes(const struct shape *f)
{
	const unsigned named = SIDE * f->matrices, step = smem.lanes < SIDE ? smem.lanes : SIDE;
	unsigned n = 0;
	for (unsigned beat = 0; beat < WL_WARP_LANES; beat += smem.lanes) {
		unsigned rows = 0;
		for (unsigned l = beat; l < beat + smem.lanes && l < named; l += step)
			rows += passes_of(f, l, l + step);
		n += rows ? rows : beat + smem.lanes > named; /* lanes without a row commit, too */
	}
	return n;
}

/* ---- the twin ---- */

static void by_passes(void)
{
	uint32_t all = 0;
	wl_atoms_plan(&smem, &req, &plan);
	wl_atoms_start(&req, &plan, &rec);
	for (unsigned p = 0; p < plan.common.passes; p++) {
		assert_int_equal(all & plan.common.pass_lanes[p], 0);
		all |= plan.common.pass_lanes[p];
		wl_atoms_apply(&smem, &req, &plan, plan.common.pass_lanes[p], &rec);
	}
	wl_atoms_finish(&req, &plan, &rec);
}

static void check(const struct shape *f, const struct wl_lane want[WL_WARP_LANES], uint8_t rd)
{
	uint32_t faulted = 0;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const enum wl_fault fault = fault_of(f, l);
		faulted |= (uint32_t)(fault != WL_FAULT_NONE) << l;
		assert_int_equal(rec.fault[l], fault);
		for (unsigned w = 0; w < 4 && !fault && !f->stores && rd != WL_RZ; w++)
			assert_int_equal(rec.result[l].w[w], want[l].w[w]);
	}
	assert_int_equal(rec.faulted, faulted);
	assert_int_equal(rec.committed, ~faulted);
	assert_int_equal(rec.written, f->stores || rd == WL_RZ ? 0 : ~faulted);
	assert_int_equal(rec.passes, expect_passes(f));
}

static void check_at_once(const struct shape *f, const struct wl_lane want[WL_WARP_LANES])
{
	static uint32_t regs[16][WL_WARP_LANES];
	uint8_t fault[WL_WARP_LANES] = {0};
	unsigned passes;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		regs[2][l] = (uint32_t)req.ra[l];
		for (unsigned w = 0; w < 4; w++) {
			regs[4 + w][l] = NOTHING;
			regs[8 + w][l] = req.rb[l].w[w];
		}
	}
	wl_atoms_exec(&smem, SLOT, &req.inst, regs, UINT32_MAX, 0, fault, &passes);
	assert_int_equal(passes, rec.passes);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		assert_int_equal(fault[l], fault_of(f, l));
		for (unsigned w = 0; w < 4 && !f->stores; w++)
			assert_int_equal(regs[4 + w][l], w < f->matrices && !fault[l] ? want[l].w[w] : NOTHING);
	}
}

static void all_shapes(void **state)
{
	enum { CASES = 40 };
	struct rng rng = rng_seed(SEED, 0);
	(void)state;
	for (unsigned n = 0; n < 16 * 12 * CASES; n++) {
		const struct shape f = {n & 1, n >> 1 & 1, 1u << n / 4 % 3};
		struct wl_lane want[WL_WARP_LANES];
		setup(4u << n / 12 % 4, 4u << n / 48 % 4, &rng);
		draw(&f, 4, n % 5 == 0, &rng);
		expect(&f, want);
		by_passes();
		check(&f, want, 4);
		assert_memory_equal(mem, was, sizeof mem);
		if (f.stores)
			for (unsigned i = 0; i < WINDOW; i++)
				mem[BASE + i] = (uint8_t)~mem[BASE + i];
		check_at_once(&f, want);
		for (unsigned l = 0; l < SIDE * f.matrices && f.stores; l++)
			assert_true(fault_of(&f, l) || !memcmp(mem + BASE + place(l), was + BASE + place(l), 16));
	}
}

/* By hand: lane numbers stored by rows, and read transposed. */
static void by_hand(void **state)
{
	const struct shape store = {true, false, 1}, load = {false, true, 1};
	struct rng rng = rng_seed(SEED, 0);
	(void)state;
	setup(32, 32, &rng);
	draw(&store, WL_RZ, false, &rng);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		req.ra[l] = 16 * l;
		req.rb[l].w[0] = l << 16 | (100 + l);
	}
	by_passes();
	assert_int_equal(rec.passes, 1);
	assert_int_equal(mem[BASE + 32], 100);        /* row 0, number 0: the low half of lane 0; the offset is 32 */
	assert_int_equal(mem[BASE + 32 + 16 + 2], 4); /* row 1, number 1: the high half of lane 4 */
	draw(&load, 4, false, &rng);
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		req.ra[l] = 16 * l;
	by_passes();
	assert_int_equal(rec.result[0].w[0], 104 << 16 | 100); /* number 0 of rows 0 and 1 */
	assert_int_equal(rec.result[5].w[0], 12 << 16 | 8);    /* number 1 of rows 2 and 3 */
	assert_int_equal(rec.result[31].w[0], 31 << 16 | 27);  /* number 7 of rows 6 and 7 */
	assert_int_equal(rec.result[31].w[1] | rec.result[0].w[3], 0);
}

/* A warp without all lanes: all active lanes fault, at any address. */
static void lanes_missing(void **state)
{
	struct rng rng = rng_seed(SEED, 0);
	(void)state;
	for (unsigned lane = 0; lane < WL_WARP_LANES; lane++) {
		const struct shape f = {lane & 1, false, 2};
		setup(8, 16, &rng);
		draw(&f, 4, false, &rng);
		req.mask = ~(UINT32_C(1) << lane);
		by_passes();
		assert_int_equal(rec.faulted, req.mask);
		assert_int_equal(rec.fault[(lane + 1) % WL_WARP_LANES], WL_FAULT_ILLEGAL_INSTRUCTION);
		assert_int_equal(rec.passes | rec.committed | rec.written, 0);
		assert_memory_equal(mem, was, sizeof mem);
	}
}

/* Rd = RZ: rows are read, nothing is written. */
static void dropped(void **state)
{
	const struct shape f = {false, true, 4};
	struct wl_lane want[WL_WARP_LANES];
	struct rng rng = rng_seed(SEED, 0);
	(void)state;
	setup(16, 8, &rng);
	draw(&f, WL_RZ, true, &rng);
	expect(&f, want);
	by_passes();
	check(&f, want, WL_RZ);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(all_shapes),
	        cmocka_unit_test(by_hand),
	        cmocka_unit_test(lanes_missing),
	        cmocka_unit_test(dropped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
