// SPDX-License-Identifier: Apache-2.0
/* cunits_alu_test.c -- atomic_alu against hand-written rows and against numbers computed in 64 bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>

#include "../../atoms_pipe/bench/cunits_oracle.h"

/* Rows of the definition, by hand: inc and dec at their ends, the sign at its border, carries. */
static void corner_rows(void **state)
{
	static const struct {
		enum wl_atom_op op;
		bool sgn;
		uint32_t old, b, now;
	} rows[] = {
	        {WL_ATOM_ADD, false, 0xffffffff, 1, 0},
	        {WL_ATOM_ADD, true, 0x7fffffff, 1, 0x80000000},
	        {WL_ATOM_ADD, false, 5, 0xfffffffe, 3},
	        {WL_ATOM_MIN, false, 0x80000000, 1, 1},
	        {WL_ATOM_MIN, true, 0x80000000, 1, 0x80000000},
	        {WL_ATOM_MIN, true, 0xffffffff, 0, 0xffffffff},
	        {WL_ATOM_MIN, false, 0xffffffff, 0, 0},
	        {WL_ATOM_MAX, false, 0x80000000, 1, 0x80000000},
	        {WL_ATOM_MAX, true, 0x80000000, 1, 1},
	        {WL_ATOM_MAX, true, 0x7fffffff, 0x80000000, 0x7fffffff},
	        {WL_ATOM_MAX, false, 0x7fffffff, 0x80000000, 0x80000000},
	        {WL_ATOM_INC, false, 0, 0, 0},
	        {WL_ATOM_INC, false, 7, 0, 0},
	        {WL_ATOM_INC, false, 6, 7, 7},
	        {WL_ATOM_INC, false, 7, 7, 0},
	        {WL_ATOM_INC, false, 8, 7, 0},
	        {WL_ATOM_INC, false, 0xfffffffe, 0xffffffff, 0xffffffff},
	        {WL_ATOM_INC, false, 0xffffffff, 0xffffffff, 0},
	        {WL_ATOM_DEC, false, 0, 0, 0},
	        {WL_ATOM_DEC, false, 7, 0, 0},
	        {WL_ATOM_DEC, false, 0, 7, 7},
	        {WL_ATOM_DEC, false, 7, 7, 6},
	        {WL_ATOM_DEC, false, 8, 7, 7},
	        {WL_ATOM_DEC, false, 1, 7, 0},
	        {WL_ATOM_DEC, false, 0, 0xffffffff, 0xffffffff},
	        {WL_ATOM_DEC, false, 0xffffffff, 0xffffffff, 0xfffffffe},
	        {WL_ATOM_AND, false, 0xff00ff00, 0x0ff00ff0, 0x0f000f00},
	        {WL_ATOM_OR, false, 0xff00ff00, 0x0ff00ff0, 0xfff0fff0},
	        {WL_ATOM_XOR, false, 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0},
	        {WL_ATOM_EXCH, false, 0x12345678, 0x9abcdef0, 0x9abcdef0},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
		assert_int_equal(wl_atomic_alu32(rows[i].op, rows[i].sgn, rows[i].old, rows[i].b), rows[i].now);
}

static void all_operations(uint32_t old, uint32_t b)
{
	for (int op = WL_ATOM_ADD; op <= WL_ATOM_EXCH; op++)
		for (int sgn = 0; sgn < 2; sgn++)
			if (wl_atomic_alu32((enum wl_atom_op)op, sgn, old, b) !=
			    oracle_alu32((enum wl_atom_op)op, sgn, old, b))
				fail_msg("op %d signed %d old %#x b %#x", op, sgn, old, b);
}

static void special_values(void **state)
{
	uint32_t values[3 * 33 + 3], n = 0;
	(void)state;
	for (unsigned i = 0; i < 32; i++)
		for (uint32_t d = 0; d < 3; d++)
			values[n++] = (UINT32_C(1) << i) + d - 1; /* around every power of two */
	values[n++] = 0x55555555;
	values[n++] = 0xaaaaaaaa;
	values[n++] = 0xffffffff;
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < n; k++)
			all_operations(values[i], values[k]);
}

static void random_values(void **state)
{
	struct rng r = rng_seed(11, 0);
	(void)state;
	for (unsigned i = 0; i < 200000; i++) {
		uint32_t old = rng_u32(&r) >> rng_below(&r, 32), b = rng_u32(&r) >> rng_below(&r, 32);
		all_operations(old, rng_one_in(&r, 4) ? old + rng_below(&r, 3) - 1 : b);
	}
}

static void compare_and_swap(void **state)
{
	(void)state;
	assert_true(wl_atomic_cas(5, 5, 9) == 9);
	assert_true(wl_atomic_cas(5, 4, 9) == 5);
	assert_true(wl_atomic_cas(UINT64_C(0x100000005), 5, 9) == UINT64_C(0x100000005));
	assert_true(wl_atomic_cas(UINT64_MAX, UINT64_MAX, 0) == 0);
	for (unsigned bit = 0; bit < 64; bit++) /* every bit is compared */
		assert_true(wl_atomic_cas(0, UINT64_C(1) << bit, 9) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(corner_rows),
	        cmocka_unit_test(special_values),
	        cmocka_unit_test(random_values),
	        cmocka_unit_test(compare_and_swap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
