// SPDX-License-Identifier: Apache-2.0
/* cunits_native_test.c -- ATOMSN (docs/native.md): every form with all pairs of edge operands, through plan / apply /
 * finish and through wlrun's loop; passes, with numbers by hand; faults; and a configuration without ATOMSN. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cunits_values.h"
#include "warplock/config_check.h"

enum { SLOT = 2, BASE = 16, WINDOW = 2048 };

static _Alignas(16) uint8_t mem[65536];
static struct wl_smem smem;
static struct wl_req req;
static struct wl_atoms_plan plan;
static struct wl_record rec;
static uint8_t *const window = mem + BASE;

static void setup(unsigned lanes, unsigned banks, unsigned combine, unsigned native)
{
	struct wl_config c = wl_config_default();
	c.lanes = lanes;
	c.banks = banks;
	c.combine = combine;
	c.native = native;
	wl_smem_init(&smem, &c, mem);
	wl_smem_open(&smem, SLOT, BASE, WINDOW, 1, 0);
	memset(mem, 0, sizeof mem);
}

struct form {
	const char *text;
	enum wl_atom_op op;
	enum wl_atom_type type;
	uint8_t size;
	bool sgn;
};
static const struct form forms[] = {
        {"ADD.F32.RN", WL_ATOM_ADD, WL_AT_F32, 4, false},     {"ADD.F64.RN", WL_ATOM_ADD, WL_AT_F64, 8, false},
        {"ADD.F16x2.RN", WL_ATOM_ADD, WL_AT_F16X2, 4, false}, {"ADD.BF16x2.RN", WL_ATOM_ADD, WL_AT_BF16X2, 4, false},
        {"ADD.64", WL_ATOM_ADD, WL_AT_INT, 8, false},         {"AND.64", WL_ATOM_AND, WL_AT_INT, 8, false},
        {"OR.64", WL_ATOM_OR, WL_AT_INT, 8, false},           {"XOR.64", WL_ATOM_XOR, WL_AT_INT, 8, false},
        {"MIN.U64", WL_ATOM_MIN, WL_AT_INT, 8, false},        {"MAX.U64", WL_ATOM_MAX, WL_AT_INT, 8, false},
        {"MIN.S64", WL_ATOM_MIN, WL_AT_INT, 8, true},         {"MAX.S64", WL_ATOM_MAX, WL_AT_INT, 8, true},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

static void start(const struct form *f, uint8_t rd, uint32_t mask)
{
	memset(&req, 0, sizeof req);
	req.tag.slot = SLOT;
	req.mask = mask;
	req.inst = (struct wl_inst){.uop = WL_UOP_ATOMSN,
	                            .op = (uint8_t)f->op,
	                            .type = (uint8_t)f->type,
	                            .size = f->size,
	                            .flags = f->sgn ? WL_F_SIGNED : 0,
	                            .rd = rd,
	                            .ra = 2,
	                            .rb = 8,
	                            .rc = WL_RZ,
	                            .ur = 255};
}

static void by_passes(void)
{
	wl_atoms_plan(&smem, &req, &plan);
	wl_atoms_start(&req, &plan, &rec);
	for (unsigned p = 0; p < plan.common.passes; p++)
		wl_atoms_apply(&smem, &req, &plan, plan.common.pass_lanes[p], &rec);
	wl_atoms_finish(&req, &plan, &rec);
}

/* wlrun's loop on registers with the operands of the request. */
static uint32_t at_once(uint32_t regs[16][WL_WARP_LANES], uint8_t fault[WL_WARP_LANES], unsigned *passes)
{
	memset(regs, 0xee, 16 * sizeof regs[0]);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		regs[2][l] = (uint32_t)req.ra[l];
		regs[8][l] = req.rb[l].w[0];
		regs[9][l] = req.rb[l].w[1];
	}
	return wl_atoms_exec(&smem, SLOT, &req.inst, regs, req.mask, 0, fault, passes);
}

/* ---- values ---- */

static uint64_t expected(const struct form *f, uint64_t old, uint64_t b)
{
	if (f->type == WL_AT_INT)
		return (uint64_t)expected_integer(f->op, f->sgn, 8, old, b);
	const unsigned bits = 8 * edges_of(f->type, f->size).bytes;
	uint64_t now = 0;
	for (unsigned at = 0; at < 8u * f->size; at += bits)
		now |= expected_number(f->type, f->op, old >> at & UINT64_MAX >> (64 - bits),
		                       b >> at & UINT64_MAX >> (64 - bits))
		       << at;
	return now;
}

/* Pair k of edge values; the upper half of a word gets other values. */
static void operands(const struct form *f, unsigned k, uint64_t *old, uint64_t *b)
{
	const struct edges e = edges_of(f->type, f->size);
	*old = e.v[k / e.n % e.n];
	*b = e.v[k % e.n];
	if (e.bytes == 2) {
		*old |= e.v[(k + 5) % e.n] << 16;
		*b |= e.v[(k / e.n + 11) % e.n] << 16;
	}
}

static void check_values(const struct form *f, unsigned first, const uint64_t old[WL_WARP_LANES], const char *by)
{
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		uint64_t b = req.rb[l].w[0] | (uint64_t)(f->size == 8 ? req.rb[l].w[1] : 0) << 32, got = 0;
		memcpy(&got, window + f->size * l, f->size);
		if (got != expected(f, old[l], b))
			fail_msg("%s, %s, pair %u: %016llx op %016llx is %016llx, expected %016llx", f->text, by,
			         first + l, (unsigned long long)old[l], (unsigned long long)b, (unsigned long long)got,
			         (unsigned long long)expected(f, old[l], b));
	}
}

static void check_results(const uint32_t lo[], const uint32_t hi[], const uint64_t old[], unsigned size)
{
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		assert_int_equal(lo[l], (uint32_t)old[l]);
		if (size == 8)
			assert_int_equal(hi[l], (uint32_t)(old[l] >> 32));
	}
}

static void run_pairs(const struct form *f, unsigned first, uint8_t rd)
{
	static uint32_t regs[16][WL_WARP_LANES];
	uint32_t lo[WL_WARP_LANES], hi[WL_WARP_LANES];
	uint64_t old[WL_WARP_LANES], b;
	uint8_t fault[WL_WARP_LANES];
	start(f, rd, UINT32_MAX);
	for (unsigned how = 0; how < 2; how++) {
		for (unsigned l = 0; l < WL_WARP_LANES; l++) {
			operands(f, first + l, &old[l], &b);
			req.ra[l] = f->size * l;
			req.rb[l] = (struct wl_lane){{(uint32_t)b, f->size == 8 ? (uint32_t)(b >> 32) : 0x55555555}};
			memcpy(window + f->size * l, &old[l], f->size);
		}
		if (how == 0) {
			by_passes();
			assert_int_equal(rec.committed, UINT32_MAX);
			assert_int_equal(rec.stored, UINT32_MAX);
			assert_int_equal(rec.written, rd == WL_RZ ? 0 : UINT32_MAX);
			for (unsigned l = 0; l < WL_WARP_LANES; l++) {
				lo[l] = rec.result[l].w[0];
				hi[l] = rec.result[l].w[1];
				assert_true(rec.result[l].w[2] == 0 && rec.result[l].w[3] == 0);
			}
			if (rd != WL_RZ)
				check_results(lo, hi, old, f->size);
		} else {
			assert_int_equal(at_once(regs, fault, NULL), 0);
			if (rd != WL_RZ)
				check_results(regs[rd], regs[rd + 1], old, f->size);
			else
				assert_int_equal(regs[4][7], 0xeeeeeeee);
		}
		check_values(f, first, old, how ? "at once" : "by passes");
	}
}

static void values(void **state)
{
	unsigned pairs = 0;
	(void)state;
	setup(32, 32, 0, 1);
	for (unsigned i = 0; i < FORMS; i++) {
		const struct edges e = edges_of(forms[i].type, forms[i].size);
		for (unsigned k = 0; k < e.n * e.n; k += WL_WARP_LANES, pairs += WL_WARP_LANES) {
			run_pairs(&forms[i], k, 4);
			run_pairs(&forms[i], k, WL_RZ);
		}
	}
	printf("%u pairs of operands\n", pairs);
	assert_true(pairs > 3400);
}

/* Values that need no arithmetic, only a look at the formats. */
static void by_hand(void **state)
{
	(void)state;
	static const struct {
		unsigned form;
		uint64_t old, b, now;
	} rows[] = {
	        {0, 0x00000001, 0x00000001, 0x00000002},                         /* subnormals stay */
	        {0, 0x007fffff, 0x00000001, 0x00800000},                         /* and grow out of the range */
	        {0, 0x00800001, 0x80800000, 0x00000001},                         /* or into the range */
	        {0, 0x3f800000, 0x33800000, 0x3f800000},                         /* a tie: 1 + 2^-24, to even */
	        {0, 0x3f800001, 0x33800000, 0x3f800002},                         /* the other way */
	        {0, 0x7f7fffff, 0x73000000, 0x7f800000},                         /* half an ulp over the largest */
	        {0, 0x7f7fffff, 0x72ffffff, 0x7f7fffff},                         /* less than half an ulp */
	        {0, 0x80000000, 0x80000000, 0x80000000},                         /* -0 + -0 */
	        {0, 0x80000000, 0x00000000, 0x00000000},                         /* -0 + +0 */
	        {0, 0xc0490fdb, 0x40490fdb, 0x00000000},                         /* x - x */
	        {0, 0x7f800000, 0xff800000, 0x7fffffff},                         /* infinities */
	        {0, 0xffc12345, 0x3f800000, 0x7fffffff},                         /* a payload does not stay */
	        {0, 0x3f800000, 0x7f800001, 0x7fffffff},                         /* signalling */
	        {1, 0x7ff0000000000000, 0xfff0000000000000, 0xfff8000000000000}, /* of 64 bits */
	        {1, 0xfff8123456789abc, 0x3ff0000000000000, 0xfff8123456789abc}, /* a payload stays */
	        {1, 0x7ff8123456789abc, 0xfff0000000000001,
	         0xfff0000000000001}, /* the NaN of the operand, not made quiet */
	        {1, 0x0000000000000001, 0x8010000000000000, 0x800fffffffffffff},  /* subnormal result */
	        {1, 0x3ff0000000000001, 0x3ca0000000000000, 0x3ff0000000000002},  /* tie */
	        {1, 0x8000000000000000, 0x8000000000000000, 0x8000000000000000},  /* -0 */
	        {2, 0x3c007c00, 0x3c00fc00, 0x40007fff},                          /* 1 + 1; infinities */
	        {2, 0x7bff0001, 0x4c000001, 0x7c000002},                          /* overflow by a tie; subnormal */
	        {2, 0xfe128000, 0x00008000, 0x7fff8000},                          /* NaN; -0 + -0 */
	        {3, 0x3f807f80, 0x3f80ff80, 0x40007fff},                          /* the same of bfloat16 */
	        {3, 0x3f810001, 0x3b800001, 0x3f820002},                          /* tie; subnormal */
	        {4, 0xffffffffffffffff, 0x0000000000000002, 0x0000000000000001},  /* the carry crosses the words */
	        {4, 0x00000000ffffffff, 0x0000000000000001, 0x0000000100000000},  /* ... */
	        {8, 0x8000000000000000, 0x7fffffffffffffff, 0x7fffffffffffffff},  /* unsigned */
	        {9, 0x8000000000000000, 0x7fffffffffffffff, 0x8000000000000000},  /* ... */
	        {10, 0x8000000000000000, 0x7fffffffffffffff, 0x8000000000000000}, /* signed */
	        {11, 0x8000000000000000, 0x7fffffffffffffff, 0x7fffffffffffffff}, /* ... */
	        {11, 0x00000001ffffffff, 0x0000000200000000, 0x0000000200000000}, /* the high word decides */
	        {7, 0xff00ff00ff00ff00, 0x0ff00ff00ff00ff0, 0xf0f0f0f0f0f0f0f0},  /* XOR */
	};
	setup(4, 4, 0, 1);
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct form *f = &forms[rows[i].form];
		uint64_t now = 0;
		start(f, 4, 1u << 5);
		memcpy(window, &rows[i].old, f->size);
		req.rb[5] = (struct wl_lane){{(uint32_t)rows[i].b, (uint32_t)(rows[i].b >> 32)}};
		by_passes();
		memcpy(&now, window, f->size);
		if (now != rows[i].now)
			fail_msg("row %u, %s: %016llx, expected %016llx", i, f->text, (unsigned long long)now,
			         (unsigned long long)rows[i].now);
	}
}

/* Lanes on the same word: in lane order, rounded at each step. 2^24 swallows each 1; after -2^24 only later lanes
 * count. */
static void lane_order(void **state)
{
	(void)state;
	static uint32_t regs[16][WL_WARP_LANES];
	uint8_t fault[WL_WARP_LANES];
	const float start_value = 1.0f, big = 16777216.0f, small = -16777216.0f, one = 1.0f;
	float left;
	for (unsigned how = 0; how < 2; how++) {
		setup(8, 8, 2, 1);
		start(&forms[0], 4, UINT32_MAX);
		memcpy(window, &start_value, 4);
		for (unsigned l = 0; l < WL_WARP_LANES; l++)
			memcpy(&req.rb[l], l == 0 ? &big : l == 20 ? &small : &one, 4);
		if (how)
			at_once(regs, fault, NULL);
		else
			by_passes();
		memcpy(&left, window, 4);
		assert_true(left == 11.0f); /* lanes 21 to 31 */
	}
}

/* ---- passes ---- */

/* `lanes` of each pass. Addresses are window-relative; the window begins at byte 16.
 * Source: docs/spec/shared-memory.md, "Passes". */
static void check_passes(unsigned row, const uint32_t *lanes, unsigned n)
{
	static uint32_t regs[16][WL_WARP_LANES];
	uint8_t fault[WL_WARP_LANES];
	unsigned passes = 0;
	by_passes();
	for (unsigned p = 0; p < n && p < plan.common.passes; p++)
		if (plan.common.pass_lanes[p] != lanes[p])
			fail_msg("row %u, pass %u: lanes 0x%08x, expected 0x%08x", row, p, plan.common.pass_lanes[p],
			         lanes[p]);
	if (plan.common.passes != n)
		fail_msg("row %u: %u passes, expected %u", row, plan.common.passes, n);
	assert_int_equal(at_once(regs, fault, &passes), 0);
	if (passes != n)
		fail_msg("row %u, at once: %u passes, expected %u", row, passes, n);
}

static void pass_rows(void **state)
{
	(void)state;
	static const struct {
		uint8_t lanes, banks, combine, form;
		uint32_t mask;
		uint32_t addr[8];
		uint32_t passes;
		uint32_t lanes_of[8];
	} rows[] = {
	        /* Eight lanes on the eight banks 4 5 6 7 0 1 2 3 (the window begins in bank 4): those in banks 0..3,
	         * then the others. */
	        {8, 8, 0, 0, 0xff, {0, 4, 8, 12, 16, 20, 24, 28}, 2, {0xf0, 0x0f}},
	        /* Integers of 64 bits have no such limit: eight words on four pairs of banks are two passes. */
	        {8, 8, 0, 4, 0xff, {0, 8, 16, 24, 32, 40, 48, 56}, 2, {0x0f, 0xf0}},
	        {8, 32, 0, 4, 0xff, {0, 8, 16, 24, 32, 40, 48, 56}, 1, {0xff}},
	        /* Eight pairs of floats of 64 bits: word 0 lies in pair 2 of 16. */
	        {8, 32, 0, 1, 0xff, {0, 8, 16, 24, 32, 40, 48, 56}, 2, {0x0f, 0xf0}},
	        /* and backwards: the lowest banks go, not the lowest lanes */
	        {8, 32, 0, 1, 0xff, {56, 48, 40, 32, 24, 16, 8, 0}, 2, {0xf0, 0x0f}},
	        /* Each pass decides afresh: lanes 0 and 1 on bank 4, lanes 2..6 on banks 5..9 of 32. First 0 2 3 4,
	         * then bank 4 again with lane 1, and 5 6. */
	        {8, 32, 0, 2, 0x7f, {0, 0, 4, 8, 12, 16, 20}, 2, {0x1d, 0x62}},
	        /* Banks 8 and 9 wait for the second pass; the low banks have other lanes then. */
	        {8, 32, 0, 3, 0xff, {0, 0, 0, 4, 8, 12, 16, 20}, 3, {0x39, 0xc2, 0x04}},
	        {8, 32, 0, 0, 0xff, {0, 0, 4, 4, 8, 8, 12, 16}, 2, {0x55, 0xaa}},
	        /* The same word: a pass for each lane, with any combining. */
	        {8, 8, 2, 0, 0xff, {64, 64, 64, 64, 64, 64, 64, 64}, 8, {1, 2, 4, 8, 16, 32, 64, 128}},
	        {8, 8, 1, 4, 0x0f, {64, 64, 64, 64}, 4, {1, 2, 4, 8}},
	        /* Four lanes a beat: never more than four, so that the limit does not show. */
	        {4, 8, 0, 0, 0xff, {0, 4, 8, 12, 16, 20, 24, 28}, 2, {0x0f, 0xf0}},
	};
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		setup(rows[i].lanes, rows[i].banks, rows[i].combine, 1);
		start(&forms[rows[i].form], 4, rows[i].mask);
		for (unsigned l = 0; l < 8; l++)
			req.ra[l] = rows[i].addr[l];
		check_passes(i, rows[i].lanes_of, rows[i].passes);
	}
}

/* 32 words in a row at 32 lanes and banks: eight passes of floats of 32 bits; 32 sums on one word 32 passes. */
static void whole_warps(void **state)
{
	(void)state;
	static const uint32_t in_row[] = {0xf0000000, 0xf, 0xf0, 0xf00, 0xf000, 0xf0000, 0xf00000, 0xf000000};
	uint32_t one_each[WL_WARP_LANES];
	setup(32, 32, 0, 1);
	start(&forms[0], 4, UINT32_MAX);
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		req.ra[l] = 4 * l; /* lane 0 in bank 4, lane 28 in bank 0 */
	check_passes(0, in_row, 8);
	start(&forms[0], WL_RZ, UINT32_MAX);
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		one_each[l] = UINT32_C(1) << l;
	check_passes(1, one_each, 32);
}

/* ---- faults ---- */

static void faults(void **state)
{
	(void)state;
	static uint32_t regs[16][WL_WARP_LANES];
	uint8_t fault[WL_WARP_LANES];
	for (unsigned i = 0; i < 2 * FORMS; i++) {
		const struct form *f = &forms[i / 2];
		const bool native = i % 2;
		uint8_t want[4] = {WL_FAULT_NONE, WL_FAULT_MISALIGNED_ADDRESS, WL_FAULT_SHARED_OUT_OF_RANGE,
		                   WL_FAULT_MISALIGNED_ADDRESS};
		uint32_t bad = 0xe;
		setup(32, 32, 0, native);
		start(f, 4, 0xf);
		req.ra[0] = WINDOW - f->size;
		req.ra[1] = f->size / 2u;
		req.ra[2] = WINDOW;
		req.ra[3] = WINDOW + f->size / 2u; /* misaligned is judged first */
		if (!native) {
			memset(want, WL_FAULT_ILLEGAL_INSTRUCTION, sizeof want);
			bad = 0xf;
		}
		for (unsigned l = 0; l < 4; l++)
			req.rb[l] = (struct wl_lane){{0x3f803f80, 0x3ff03f80}};
		by_passes();
		assert_int_equal(rec.faulted, bad);
		assert_int_equal(rec.committed, 0xf & ~bad);
		assert_memory_equal(rec.fault, want, sizeof want);
		assert_int_equal(at_once(regs, fault, NULL), bad);
		for (unsigned l = 0; l < 4; l++)
			if (bad >> l & 1)
				assert_int_equal(fault[l], want[l]);
		for (unsigned at = 0; at < WINDOW - (native ? f->size : 0u); at++)
			assert_int_equal(window[at], 0);
	}
}

static void configurations(void **state)
{
	(void)state;
	struct wl_config c = wl_config_default();
	char why[120] = "";
	assert_int_equal(c.native, 0);
	c.native = 1;
	assert_int_equal(wl_config_check(&c, why, sizeof why), WL_OK);
	c.native = 2;
	assert_int_equal(wl_config_check(&c, why, sizeof why), WL_ERR_CONFIG);
	assert_string_equal(why, "native is 2, must be 0 or 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(values),         cmocka_unit_test(by_hand),     cmocka_unit_test(lane_order),
	        cmocka_unit_test(pass_rows),      cmocka_unit_test(whole_warps), cmocka_unit_test(faults),
	        cmocka_unit_test(configurations),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
