// SPDX-License-Identifier: Apache-2.0
/* divide_test.c -- quotients and remainders of 64-bit integers, against the host: random values, powers of two and
 * their neighbours, and dividends beside multiples of the divisor. At such dividends an off-by-one quotient shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "../common/rng.h"
#include "run_ptx.h"

enum { Pairs = 2048, Block = 256 };

static const char kernel[] =
        ".version 7.8\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
        ".reg .b64 %a<4>, %d<6>; .reg .b32 %t<3>;\n"
        "ld.param.u64 %a0, [in];\nld.param.u64 %a1, [out];\nmov.u32 %t0, %tid.x;\nmov.u32 %t1, %ctaid.x;\n"
        "mad.lo.u32 %t0, %t1, 256, %t0;\nmad.wide.u32 %a0, %t0, 16, %a0;\nmad.wide.u32 %a1, %t0, 32, %a1;\n"
        "ld.global.v2.u64 {%d0, %d1}, [%a0];\n"
        "div.u64 %d2, %d0, %d1;\nrem.u64 %d3, %d0, %d1;\nst.global.v2.u64 [%a1], {%d2, %d3};\n"
        "div.s64 %d4, %d0, %d1;\nrem.s64 %d5, %d0, %d1;\nst.global.v2.u64 [%a1+16], {%d4, %d5};\nret;\n}\n";

static uint64_t value(struct rng *r)
{
	switch (rng_below(r, 5)) {
	case 0:
		return rng_next(r);
	case 1:
		return rng_next(r) >> rng_below(r, 64);
	case 2:
		return (UINT64_C(1) << rng_below(r, 64)) + rng_below(r, 5) - 2;
	case 3:
		return -(rng_next(r) >> (30 + rng_below(r, 34)));
	default: /* a divisor with a nearly whole reciprocal */
		return UINT64_MAX / ((rng_next(r) >> (24 + rng_below(r, 40))) | 1);
	}
}

static void make(struct rng *r, uint64_t pair[2])
{
	pair[1] = value(r);
	if (!pair[1])
		pair[1] = 1;
	pair[0] = value(r);
	if (rng_below(r, 2))
		pair[0] += -(pair[0] % pair[1]) + rng_below(r, 3) - 1;
}

static uint64_t signed_quotient(uint64_t a, uint64_t b)
{
	return b == UINT64_MAX ? -a : (uint64_t)((int64_t)a / (int64_t)b);
}

static void divide(enum wl_arch arch, int opt, uint64_t seed)
{
	static uint64_t in[Pairs][2], out[Pairs][4];
	struct run_setup s = {.ptx = kernel,
	                      .arch = arch,
	                      .opt = opt,
	                      .grid = Pairs / Block,
	                      .block = Block,
	                      .nbufs = 2,
	                      .buf = {{in, sizeof in}, {out, sizeof out}}};
	struct rng r = rng_seed(seed, 1);
	char why[500];
	for (unsigned i = 0; i < Pairs; i++)
		make(&r, in[i]);
	if (!run_ptx(&s, why, sizeof why))
		fail_msg("%s", why);
	for (unsigned i = 0; i < Pairs; i++) {
		const uint64_t a = in[i][0], b = in[i][1], q = signed_quotient(a, b);
		const uint64_t want[4] = {a / b, a % b, q, a - q * b};
		for (unsigned k = 0; k < 4; k++)
			if (out[i][k] != want[k])
				fail_msg("sm_%u -O%d: %s of 0x%llx and 0x%llx: found 0x%llx, expected 0x%llx",
				         (unsigned)arch, opt,
				         k == 0   ? "div.u64"
				         : k == 1 ? "rem.u64"
				         : k == 2 ? "div.s64"
				                  : "rem.s64",
				         (unsigned long long)a, (unsigned long long)b, (unsigned long long)out[i][k],
				         (unsigned long long)want[k]);
	}
}

static void test_divide(void **state)
{
	(void)state;
	for (unsigned i = 0; i < NUM_ARCHS; i++)
		divide(all_archs[i], 2, i);
	divide(WL_SM75, 0, NUM_ARCHS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_divide)};
	return cmocka_run_group_tests_name("division", tests, NULL, NULL);
}
