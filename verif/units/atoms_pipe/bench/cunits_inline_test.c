// SPDX-License-Identifier: Apache-2.0
/* cunits_inline_test.c -- small functions of the shared-memory units and the rules of addresses, each alone. With a
 * wrong answer in one direction the callers would still work, only slower. Tested: all lanes in range, lanes that meet,
 * plain requests, rows of lanes against masks, addresses.
 *
 * Behind the 32 words of a row stands a word that would change the answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "../../../../cmodel/units/atoms_pipe_inline.h"
#include "../../../../cmodel/units/lane_row.h"
#include "../../../common/rng.h"
#include "warplock/address.h"
#include "warplock/units.h"

enum { LANES = 32 };

/* ---- ranges ---- */

/* In exact numbers: the access begins at a multiple of the size and ends in the window. */
static bool fits(uint64_t addr, uint64_t size, uint64_t window)
{
	return addr % size == 0 && addr + size <= window;
}

static void check_range(const struct wl_window *w, uint32_t size, const uint32_t addr[LANES + 1])
{
	bool all = w->valid;
	for (unsigned lane = 0; lane < LANES; lane++)
		all = all && fits(addr[lane], size, w->size);
	if (atoms_all_in_range(w, size, addr) != all)
		fail_msg("window of %u bytes, valid %d, accesses of %u: lanes at %#x .. %#x are said to be %s", w->size,
		         w->valid, size, addr[0], addr[31], all ? "outside" : "inside");
}

static void ranges(void **state)
{
	static const uint32_t windows[] = {0, 16, 32, 48, 4096};
	(void)state;
	for (unsigned n = 0; n < 2 * sizeof windows / sizeof windows[0]; n++)
		for (uint32_t size = 1; size <= 16; size *= 2) {
			const struct wl_window w = {.base = 64, .size = windows[n / 2], .valid = n % 2};
			const uint32_t strays[] = {0,
			                           1,
			                           2,
			                           3,
			                           4,
			                           6,
			                           8,
			                           12,
			                           15,
			                           w.size,
			                           w.size - 1,
			                           w.size - 2,
			                           w.size - 4,
			                           w.size - 8,
			                           w.size - 16,
			                           0x80000000,
			                           0u - size,
			                           w.size + size,
			                           w.size - size};
			for (unsigned s = 0; s < sizeof strays / sizeof strays[0]; s++) {
				uint32_t addr[LANES + 1];
				for (unsigned lane = 0; lane < LANES;
				     lane++) { /* a single lane elsewhere; then all lanes */
					memset(addr, 0, sizeof addr);
					addr[LANES] = UINT32_MAX;
					addr[lane] = strays[s];
					check_range(&w, size, addr);
				}
				for (unsigned lane = 0; lane < LANES; lane++)
					addr[lane] = strays[s];
				check_range(&w, size, addr);
			}
		}
}

/* ---- lanes that meet ---- */

static void check_shared(const uint32_t v[LANES + 1], uint32_t mask)
{
	uint32_t meet = 0;
	for (unsigned lane = 0; lane < LANES; lane++)
		for (unsigned other = 0; other < LANES; other++)
			if (lane != other && v[lane] == v[other] && mask >> lane & mask >> other & 1)
				meet |= UINT32_C(1) << lane;
	if (row_shared(v, mask) != meet)
		fail_msg("lanes %#x: %#x are said to meet others, %#x do", mask, row_shared(v, mask), meet);
}

/* Each lane has its own number; then a lane has another lane's number; then any lanes share numbers. */
static void meetings(void **state)
{
	struct rng r = rng_seed(3, 0);
	uint32_t v[LANES + 1];
	(void)state;
	for (unsigned lane = 0; lane < LANES; lane++)
		v[lane] = (lane * 5 + 3) & 31;
	v[LANES] = v[5];
	check_shared(v, UINT32_MAX);
	check_shared(v, 0);
	for (unsigned lane = 0; lane < LANES; lane++)
		for (unsigned other = 0; other < LANES; other++) {
			const uint32_t was = v[lane];
			v[lane] = v[other];
			v[LANES] = was; /* now held by no lane */
			check_shared(v, UINT32_MAX);
			check_shared(v, UINT32_C(1) << lane | UINT32_C(1) << other);
			check_shared(v, ~(UINT32_C(1) << lane));
			check_shared(v, rng_u32(&r));
			v[lane] = was;
		}
	for (unsigned n = 0; n < 4000; n++) {
		const unsigned of = 1 + rng_below(&r, LANES);
		for (unsigned lane = 0; lane <= LANES; lane++)
			v[lane] = rng_below(&r, of);
		check_shared(v, n % 2 ? UINT32_MAX : rng_u32(&r) & rng_u32(&r));
		check_shared(v, rng_u32(&r));
	}
}

/* ---- plain requests ---- */

static void plain_requests(void **state)
{
	static const struct {
		enum wl_uop uop;
		uint8_t size;
		uint32_t flags, losers;
		bool plain;
	} rows[] = {
	        {WL_UOP_LDS, 4, 0, 0, true},
	        {WL_UOP_LDS, 4, WL_F_SIGNED, 0, true},
	        {WL_UOP_STS, 4, 0, 0, true},
	        {WL_UOP_ATOMS, 4, 0, 0, true},
	        {WL_UOP_ATOMS, 4, WL_F_SIGNED, 0, true},
	        {WL_UOP_ATOMS_CAS, 4, 0, 0, true},
	        {WL_UOP_ATOMS_CAST, 4, 0, 0, true},
	        {WL_UOP_ATOMS_CAST, 4, WL_F_SPIN, 0, true},
	        {WL_UOP_ATOMS_CAST, 4, WL_F_SPIN, 1u << 31, false}, /* some lanes fail at once */
	        {WL_UOP_ATOMS_CAST, 4, WL_F_SPIN, 2, false},
	        {WL_UOP_ATOMS, 4, WL_F_ONE, 0, false}, /* the operand is no register */
	        {WL_UOP_ATOMS_CAST_P, 4, 0, 0, false}, /* answers with a predicate */
	        {WL_UOP_ATOMSN, 4, 0, 0, false},
	        {WL_UOP_LDS, 1, 0, 0, false},
	        {WL_UOP_LDS, 2, 0, 0, false},
	        {WL_UOP_STS, 8, 0, 0, false},
	        {WL_UOP_ATOMS, 8, 0, 0, false},
	        {WL_UOP_LDS, 16, 0, 0, false},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct wl_inst in = {.uop = (uint16_t)rows[i].uop, .size = rows[i].size, .flags = rows[i].flags};
		if (atoms_is_plain32(&in, rows[i].losers) != rows[i].plain)
			fail_msg("row %u: expected %d", i, rows[i].plain);
	}
}

/* ---- a lane's turn ---- */

/* MIN and MAX, signed or not: for nearly all requests the loops of the units decide this elsewhere. */
static void turns(void **state)
{
	static const struct {
		uint8_t op;
		uint32_t flags, old, b, now;
	} rows[] = {
	        {WL_ATOM_MIN, 0, 5, 0xffffffff, 5},          {WL_ATOM_MIN, WL_F_SIGNED, 5, 0xffffffff, 0xffffffff},
	        {WL_ATOM_MAX, 0, 5, 0xffffffff, 0xffffffff}, {WL_ATOM_MAX, WL_F_SIGNED, 5, 0xffffffff, 5},
	        {WL_ATOM_ADD, 0, 5, 0xffffffff, 4},          {WL_ATOM_EXCH, 0, 5, 0xffffffff, 0xffffffff},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct wl_inst in = {.uop = WL_UOP_ATOMS, .op = rows[i].op, .size = 4, .flags = rows[i].flags};
		const struct wl_lane old = {{rows[i].old}}, b = {{rows[i].b, 0x1111}}, c = {{0x2222}};
		struct wl_lane result;
		const struct wl_lane now = atoms_lane_turn(&in, 4, &old, &b, &c, false, &result);
		assert_memory_equal(&now, &((struct wl_lane){{rows[i].now}}), sizeof now);
		assert_memory_equal(&result, &old, sizeof result);
	}
}

/* ---- rows of lanes ---- */

static void check_rows(uint32_t mask, struct rng *r)
{
	uint32_t row[2 * LANES], was[2 * LANES];
	const uint32_t value = rng_u32(r);
	for (unsigned i = 0; i < 2 * LANES; i++)
		row[i] = i < LANES && !(mask >> i & 1) ? 0 : UINT32_MAX;
	assert_int_equal(row_mask(row), mask);

	memset(row, 0x5a, sizeof row);
	mask_row(mask, row);
	for (unsigned i = 0; i < 2 * LANES; i++)
		assert_int_equal(row[i], i >= LANES ? 0x5a5a5a5a : mask >> i & 1 ? UINT32_MAX : 0);

	for (unsigned i = 0; i < 2 * LANES; i++)
		row[i] = i >= LANES || mask >> i & 1 ? value : value ^ UINT32_C(1) << rng_below(r, 32);
	assert_int_equal(row_equal(row, value), mask);

	for (unsigned i = 0; i < 2 * LANES; i++) {
		was[i] = rng_u32(r);
		row[i] = i >= LANES || mask >> i & 1 ? was[i] : was[i] ^ UINT32_C(1) << rng_below(r, 32);
	}
	assert_int_equal(rows_equal(row, was), mask);

	for (unsigned i = 0; i < 2 * LANES; i++)
		was[i] = row[i] = rng_u32(r);
	row_set(row, mask, value);
	for (unsigned i = 0; i < 2 * LANES; i++)
		assert_int_equal(row[i], i < LANES && mask >> i & 1 ? value : was[i]);
}

/* A single word of a lane, or of the lane behind the row, is not 0. The low words are random, or all other words are
 * 0. */
static void low_words(void **state)
{
	struct rng r = rng_seed(5, 0);
	(void)state;
	for (unsigned lanes = 4; lanes <= LANES; lanes *= 2)
		for (unsigned n = 0; n < 2 * (4 * LANES + 4); n++) {
			const unsigned at = n / 2;
			uint32_t lane[4 * LANES + 4] = {0}, low[LANES + 1];
			for (unsigned l = 0; l <= LANES && n % 2; l++)
				lane[4 * l] = rng_u32(&r);
			lane[at] = rng_u32(&r) | 1u << at % 32;
			low[lanes] = 0x5a5a5a5a;
			assert_int_equal(row_low(lane, lanes, low), at % 4 && at < 4 * lanes);
			for (unsigned l = 0; l < lanes; l++)
				assert_int_equal(low[l], lane[4 * l]);
			assert_int_equal(low[lanes], 0x5a5a5a5a);
		}
}

static void lane_rows(void **state)
{
	struct rng r = rng_seed(4, 0);
	(void)state;
	check_rows(0, &r);
	check_rows(UINT32_MAX, &r);
	for (unsigned lane = 0; lane < LANES; lane++) {
		check_rows(UINT32_C(1) << lane, &r);
		check_rows(~(UINT32_C(1) << lane), &r);
	}
	for (unsigned n = 0; n < 200; n++)
		check_rows(rng_u32(&r), &r);
}

/* ---- addresses ---- */

/* By hand. Source: docs/spec/shared-memory.md, "Addresses"; docs/spec/global-memory.md, "Addresses". */
static void shared_addresses(void **state)
{
	static const struct {
		uint8_t ra, ur, xn;
		uint32_t ra_value, ur_value;
		int32_t off;
		uint32_t addr;
	} rows[] = {
	        {1, WL_NO_UR, 0, 0x40, 0x1111, 0, 0x40},
	        {1, WL_NO_UR, 0, 0x40, 0x1111, 4, 0x44},
	        {1, WL_NO_UR, 0, 0x40, 0x1111, -4, 0x3c},
	        {1, WL_NO_UR, 4, 0x10, 0x1111, -0x800000, 0xff800100},
	        {1, 3, 3, 0x20, 0x10, 0x7fffff, 0x80010f},
	        {WL_RZ, 3, 2, 0x40, 0x50, -16, 0x40},
	        {WL_RZ, 3, 0, 0x40, 0, -0x800000, 0xff800000},
	        {WL_RZ, WL_NO_UR, 0, 0x40, 0x50, -16, 0xfffff0}, /* no register: 24 bits, no sign */
	        {WL_RZ, WL_NO_UR, 0, 0x40, 0x50, -0x800000, 0x800000},
	        {WL_RZ, WL_NO_UR, 0, 0x40, 0x50, 0x123, 0x123},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct wl_inst in = {.ra = rows[i].ra, .ur = rows[i].ur, .xn = rows[i].xn, .off = rows[i].off};
		assert_int_equal(wl_shared_address(&in, rows[i].ra_value, rows[i].ur_value), rows[i].addr);
		/* an address with a register counts from the CTA's rank in the cluster */
		assert_int_equal(wl_shared_origin(&in, 0x05000000), i < 7 ? 0x05000000 : 0);
	}
}

static void global_addresses(void **state)
{
	static const struct {
		uint8_t ra;
		uint32_t flags;
		uint64_t ra_value, ur_value;
		int32_t off;
		bool pair;
		uint64_t addr;
	} rows[] = {
	        {2, WL_F_E64, 0x1234500000100, 0, 8, true, 0x1234500000108},
	        {2, WL_F_E64, 0x1234500000100, 0x1000000000, -8, true, 0x12355000000f8},
	        {2, WL_F_E64 | WL_F_A32, 0x1234500000100, 0x7000000000, 0x10, false, 0x7000000110}, /* .U32 + UR */
	        {2, 0, 0x9900000100, 0, 4, false, 0x104},
	        {2, WL_F_A32, 0x9900000100, 0, 4, false, 0x104},
	        {WL_RZ, WL_F_E64, 0x9900000100, 0x300000040, -0x40, false, 0x300000000},
	        {WL_RZ, 0, 0x9900000100, 0, 0x7fffff, false, 0x7fffff},
	        {WL_RZ, WL_F_E64, 0x9900000100, 0, -1, false, 0xffffffffffffffff},
	        {2, WL_F_E64, 0xfffffffffffffff0, 0, 0x20, true, 0x10}, /* 64 bits: the sum wraps around */
	        {2, 0, 0xfffffff0, 0, 0x20, false, 0x100000010},        /* 32 bits of the register, 64 of the sum */
	};
	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct wl_inst in = {.ra = rows[i].ra, .flags = rows[i].flags, .off = rows[i].off};
		assert_int_equal(wl_global_ra_is_pair(&in), rows[i].pair);
		if (wl_global_address(&in, rows[i].ra_value, rows[i].ur_value) != rows[i].addr)
			fail_msg("row %u: %#llx", i,
			         (unsigned long long)wl_global_address(&in, rows[i].ra_value, rows[i].ur_value));
	}
}

/* Windows of 4 GiB for shared and local memory, at 1 and 2 times 2^32; the rest is global. */
static void spaces(void **state)
{
	static const struct {
		uint64_t addr;
		enum wl_space space;
	} rows[] = {
	        {0x0, WL_SPACE_GLOBAL},
	        {0xffffffff, WL_SPACE_GLOBAL},
	        {0x100000000, WL_SPACE_SHARED},
	        {0x17fffffff, WL_SPACE_SHARED},
	        {0x180000000, WL_SPACE_SHARED},
	        {0x1ffffffff, WL_SPACE_SHARED},
	        {0x200000000, WL_SPACE_LOCAL},
	        {0x27fffffff, WL_SPACE_LOCAL},
	        {0x280000000, WL_SPACE_LOCAL},
	        {0x2ffffffff, WL_SPACE_LOCAL},
	        {0x300000000, WL_SPACE_GLOBAL},
	        {0x3ffffffff, WL_SPACE_GLOBAL},
	        {0x400000000, WL_SPACE_GLOBAL},
	        {0x500000000, WL_SPACE_GLOBAL},
	        {0xffffffffffffffff, WL_SPACE_GLOBAL},
	        {0x8000000100000000, WL_SPACE_GLOBAL}, /* all bits count */
	};
	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (wl_space_of(rows[i].addr) != rows[i].space)
			fail_msg("%#llx: space %d, expected %d", (unsigned long long)rows[i].addr,
			         wl_space_of(rows[i].addr), rows[i].space);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(ranges),           cmocka_unit_test(meetings),
	        cmocka_unit_test(plain_requests),   cmocka_unit_test(turns),
	        cmocka_unit_test(lane_rows),        cmocka_unit_test(low_words),
	        cmocka_unit_test(shared_addresses), cmocka_unit_test(global_addresses),
	        cmocka_unit_test(spaces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
