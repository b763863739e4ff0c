// SPDX-License-Identifier: Apache-2.0
/* cunits_warp_collective_test.c -- warp_collective against its definitions, lane by lane in host arithmetic: the
 * functions on rows, and the same functions behind the unit's interface. Source: docs/spec/warp.md, "Members". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../../../common/rng.h"
#include "warplock/units.h"

typedef uint32_t row[32];

/* In signed arithmetic. Source: docs/spec/warp.md, "Shuffle". */
static void define_shfl(enum wl_shfl op, uint32_t members, const row a, uint32_t b, uint32_t c, int lane, uint32_t *d,
                        bool *p)
{
	const int bval = (int)(b & 31), cval = (int)(c & 31), seg = (int)(c >> 8 & 31), notseg = 31 - seg;
	const int low = lane & seg, limit = low | (cval & notseg);
	int j = 0;
	switch (op) {
	case WL_SHFL_UP:
		j = lane - bval;
		*p = j >= limit;
		break;
	case WL_SHFL_DOWN:
		j = lane + bval;
		*p = j <= limit;
		break;
	case WL_SHFL_BFLY:
		j = lane ^ bval;
		*p = j <= limit;
		break;
	case WL_SHFL_IDX:
		j = low | (bval & notseg);
		*p = j <= limit;
		break;
	}
	j = *p ? j : lane;
	*d = members >> j & 1 ? a[j] : 0;
}

static struct wl_req request(enum wl_uop uop, uint32_t mask)
{
	struct wl_req req = {.mask = mask, .inst = {.uop = (uint16_t)uop, .rd = 8, .urd = 255, .pd = {1, 7}}};
	return req;
}

static struct wl_record behind_interface(const struct wl_req *req)
{
	static struct wl_units u;
	const struct wl_unit_ops *ops = wl_unit_ops(WL_UNIT_warp_collective);
	struct wl_plan plan;
	struct wl_record rec;
	ops->plan(&u, req, &plan, &rec);
	assert_int_equal(plan.ok, req->mask);
	assert_int_equal(plan.passes, 1);
	assert_int_equal(plan.pass_lanes[0], req->mask);
	assert_false(plan.waits);
	const struct wl_event ev = {.kind = WL_EV_COMMIT, .lanes = req->mask};
	assert_int_equal(ops->apply(&u, req, &plan, &ev, &rec), 0);
	ops->finish(&u, req, &plan, &rec);
	assert_int_equal(rec.committed, req->mask);
	assert_int_equal(rec.passes, 1);
	return rec;
}

static void expect(const struct wl_record *rec, uint32_t written, const row d, uint32_t pred_written, uint32_t preds)
{
	assert_int_equal(rec->written, written);
	assert_int_equal(rec->pred_written, pred_written);
	assert_int_equal(rec->preds, preds & pred_written);
	for (unsigned i = 0; i < 32; i++)
		assert_int_equal(rec->result[i].w[0], written >> i & 1 ? d[i] : 0);
}

/* All 2^5 distances and 2^10 of clamp and segment mask, for every direction. */
static void test_shfl_every_choice(void **x)
{
	(void)x;
	struct rng r = rng_seed(1, 0);
	row a, b, c, d;
	for (unsigned op = 0; op < 4; op++)
		for (uint32_t cv = 0; cv < 1u << 13; cv += cv % 256 == 31 ? 225 : 1)
			for (uint32_t bv = 0; bv < 32; bv++) {
				const uint32_t members = bv % 4 ? rng_u32(&r) | 1 : UINT32_MAX;
				for (unsigned i = 0; i < 32; i++) {
					a[i] = 1000 + i;
					b[i] = bv | (rng_u32(&r) & ~31u); /* upper bits have no meaning */
					c[i] = cv;
				}
				const uint32_t got = wl_shfl((enum wl_shfl)op, members, a, b, c, d);
				for (int i = 0; i < 32; i++) {
					uint32_t want;
					bool p;
					define_shfl((enum wl_shfl)op, members, a, bv, cv, i, &want, &p);
					if (d[i] != want || (got >> i & 1) != p)
						fail_msg("op %u b %u c %#x members %#x lane %d", op, bv, cv, members,
						         i);
				}
			}
}

/* Registers of each lane, an immediate distance, an immediate distance and clamp. */
static void test_shfl_requests(void **x)
{
	(void)x;
	struct rng r = rng_seed(2, 0);
	for (unsigned k = 0; k < 20000; k++) {
		struct wl_req req = request(WL_UOP_SHFL, rng_u32(&r) | 1u << rng_below(&r, 32));
		const unsigned form = rng_below(&r, 4);
		row a, d;
		uint32_t preds = 0;
		req.inst.op = (uint8_t)rng_below(&r, 4);
		req.inst.rd = rng_one_in(&r, 5) ? WL_RZ : 8;
		req.inst.pd[0] = rng_one_in(&r, 5) ? WL_PT : 1;
		req.inst.src[0] = WL_SRC_REG;
		req.inst.src[1] = form & 1 ? WL_SRC_IMM : WL_SRC_REG;
		req.inst.src[2] = form & 2 ? WL_SRC_IMM : WL_SRC_REG;
		req.inst.imm = rng_below(&r, 32);
		req.inst.imm2 = rng_below(&r, 1 << 13);
		for (unsigned i = 0; i < 32; i++) {
			a[i] = rng_u32(&r);
			req.ra[i] = a[i];
			req.rb[i].w[0] = rng_u32(&r);
			req.rc[i].w[0] = rng_u32(&r);
		}
		for (unsigned i = 0; i < 32; i++) {
			bool p;
			define_shfl((enum wl_shfl)req.inst.op, req.mask, a, form & 1 ? req.inst.imm : req.rb[i].w[0],
			            form & 2 ? req.inst.imm2 : req.rc[i].w[0], (int)i, &d[i], &p);
			preds |= (uint32_t)p << i;
		}
		const struct wl_record rec = behind_interface(&req);
		expect(&rec, req.inst.rd == WL_RZ ? 0 : req.mask, d, req.inst.pd[0] == WL_PT ? 0 : req.mask, preds);
	}
}

static void test_vote(void **x)
{
	(void)x;
	struct rng r = rng_seed(3, 0);
	for (unsigned k = 0; k < 20000; k++) {
		struct wl_req req = request(rng_one_in(&r, 2) ? WL_UOP_VOTE : WL_UOP_VOTEU, rng_u32(&r) | 2);
		unsigned yes = 0, no = 0;
		row d;
		req.inst.op = (uint8_t)rng_below(&r, 3);
		req.pred = rng_one_in(&r, 3) ? UINT32_MAX : rng_one_in(&r, 3) ? 0 : rng_u32(&r);
		if (req.inst.uop == WL_UOP_VOTEU)
			req.inst.urd = 5;
		for (unsigned i = 0; i < 32; i++) {
			yes += req.mask >> i & req.pred >> i & 1;
			no += req.mask >> i & ~req.pred >> i & 1;
			d[i] = req.mask & req.pred;
		}
		const bool holds = req.inst.op == WL_VOTE_ALL   ? no == 0
		                   : req.inst.op == WL_VOTE_ANY ? yes > 0
		                                                : no == 0 || yes == 0;
		assert_int_equal(wl_vote((enum wl_vote)req.inst.op, req.mask & req.pred, req.mask), holds);
		const struct wl_record rec = behind_interface(&req);
		expect(&rec, req.mask, d, req.mask, holds ? UINT32_MAX : 0);
	}
}

static void test_match(void **x)
{
	(void)x;
	struct rng r = rng_seed(4, 0);
	unsigned equal = 0;
	for (unsigned k = 0; k < 20000; k++) {
		struct wl_req req =
		        request(WL_UOP_MATCH, rng_u32(&r) & rng_u32(&r) & (rng_one_in(&r, 2) ? rng_u32(&r) : ~0u));
		const uint32_t values = 1 + rng_below(&r, 4);
		bool all_equal = true;
		row d;
		req.mask |= 1u << rng_below(&r, 32);
		req.inst.op = (uint8_t)rng_below(&r, 2); /* 1: .ANY */
		req.inst.size = rng_one_in(&r, 2) ? 8 : 4;
		req.inst.src[0] = WL_SRC_REG;
		for (unsigned i = 0; i < 32; i++) /* values differing in one half only */
			req.ra[i] = (uint64_t)rng_below(&r, values) << 32 | (rng_below(&r, values) << 20 & 0x100000);
		for (unsigned i = 0; i < 32; i++) {
			d[i] = 0;
			for (unsigned j = 0; j < 32; j++) {
				const uint64_t differ = req.ra[i] ^ req.ra[j];
				const bool same = req.inst.size == 8 ? !differ : !(uint32_t)differ;
				d[i] |= (uint32_t)(same && req.mask >> j & 1) << j;
				all_equal &= same || !(req.mask >> i & 1) || !(req.mask >> j & 1);
			}
		}
		equal += all_equal;
		for (unsigned i = 0; i < 32 && !req.inst.op; i++)
			d[i] = all_equal ? req.mask : 0;
		const struct wl_record rec = behind_interface(&req);
		expect(&rec, req.mask, d, req.mask, all_equal ? UINT32_MAX : 0);
	}
	assert_true(equal > 1000 && equal < 19000);
}

static void test_redux(void **x)
{
	(void)x;
	struct rng r = rng_seed(5, 0);
	for (unsigned k = 0; k < 20000; k++) {
		struct wl_req req = request(WL_UOP_REDUX, rng_u32(&r) | 1u << rng_below(&r, 32));
		int64_t most = INT64_MIN, least = INT64_MAX;
		uint64_t sum = 0;
		unsigned ones[32] = {0}, lanes = 0;
		uint32_t bits = 0;
		row d;
		const bool sgn = rng_one_in(&r, 2);
		req.inst.urd = 3;
		req.inst.pd[0] = WL_PT;
		req.inst.op = (uint8_t)rng_below(&r, 6);
		req.inst.flags = sgn ? WL_F_SIGNED : 0;
		req.inst.src[0] = WL_SRC_REG;
		for (unsigned i = 0; i < 32; i++) {
			req.ra[i] = rng_one_in(&r, 4) ? rng_u32(&r) | 0xfffffff0 : rng_u32(&r);
			if (!(req.mask >> i & 1))
				continue;
			const uint32_t a = (uint32_t)req.ra[i];
			const int64_t v = sgn ? (int32_t)a : (int64_t)a;
			most = v > most ? v : most;
			least = v < least ? v : least;
			sum += a;
			lanes++;
			for (unsigned b = 0; b < 32; b++)
				ones[b] += a >> b & 1;
		}
		for (unsigned b = 0; b < 32; b++)
			bits |= (uint32_t)(req.inst.op == WL_REDUX_AND  ? ones[b] == lanes
			                   : req.inst.op == WL_REDUX_OR ? ones[b] > 0
			                                                : ones[b] % 2)
			        << b;
		const uint32_t want = req.inst.op == WL_REDUX_SUM   ? (uint32_t)sum
		                      : req.inst.op == WL_REDUX_MIN ? (uint32_t)least
		                      : req.inst.op == WL_REDUX_MAX ? (uint32_t)most
		                                                    : bits;
		for (unsigned i = 0; i < 32; i++)
			d[i] = want;
		const struct wl_record rec = behind_interface(&req);
		expect(&rec, req.mask, d, 0, 0);
	}
}

/* Rows of redux.f32 by hand: values of lanes 0 to 2; the results of maximum and minimum, plain and of absolute values;
 * whether .NaN gives NaN.
 * Source: docs/spec/warp.md, "Reduction". */
static void test_floats(void **x)
{
	(void)x;
	enum { ONE = 0x3f800000, TWO = 0x40000000, MINUS = 0x80000000, INF = 0x7f800000, NAN_ = 0x7fffffff };
	static const struct {
		uint32_t a[3], most, most_abs, least, least_abs;
		bool nan;
	} rows[] = {
	        {{ONE, TWO, ONE}, TWO, TWO, ONE, ONE, false},
	        {{ONE | MINUS, TWO | MINUS, ONE}, ONE, TWO, TWO | MINUS, ONE, false},
	        {{0, MINUS, 0}, 0, 0, MINUS, 0, false}, /* +0 above -0 */
	        {{MINUS, MINUS, MINUS}, MINUS, 0, MINUS, 0, false},
	        {{INF, INF | MINUS, 0}, INF, INF, INF | MINUS, 0, false},
	        {{1, MINUS | 1, ONE}, ONE, ONE, MINUS | 1, 1, false}, /* subnormals stay */
	        {{0x7f800001, ONE, TWO}, TWO, TWO, ONE, ONE, true},   /* a NaN does not count ... */
	        {{ONE, TWO, 0xffffffff}, TWO, TWO, ONE, ONE, true},
	        {{0x7fc00000, 0xff800001, 0xffffffff}, NAN_, NAN_, NAN_, NAN_, true}, /* ... unless all are NaN */
	};
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const uint32_t plain[4] = {rows[i].most, rows[i].most_abs, rows[i].least, rows[i].least_abs};
		for (unsigned k = 0; k < 8; k++) {
			struct wl_req req = request(WL_UOP_FREDUX, 0x10101);
			row d;
			req.inst.urd = 3;
			req.inst.pd[0] = WL_PT;
			req.inst.op = k & 3;
			req.inst.flags = k & 4 ? WL_F_NAN : 0;
			req.inst.src[0] = WL_SRC_REG;
			for (unsigned l = 0; l < 32; l++) { /* inactive lanes hold NaN and the ends */
				req.ra[l] = l % 8 || l > 16 ? 0xff7fffff ^ l << 31 ^ (l & 2) << 22 : rows[i].a[l / 8];
				d[l] = k & 4 && rows[i].nan ? NAN_ : plain[k & 3];
			}
			const struct wl_record rec = behind_interface(&req);
			expect(&rec, req.mask, d, 0, 0);
		}
	}
}

/* The lowest candidate leads; without a candidate the predicate is false and the register stays. */
static void test_elect(void **x)
{
	(void)x;
	static const struct {
		uint32_t mask, pred, leader; /* 32: none */
	} rows[] = {{UINT32_MAX, UINT32_MAX, 0}, {0xfffffff0, UINT32_MAX, 4},  {0x80000000, UINT32_MAX, 31},
	            {UINT32_MAX, 0xff00, 8},     {0xf0f0f0f0, 0xff000000, 28}, {0xffff, 0xffff0000, 32}};
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct wl_req req = request(WL_UOP_ELECT, rows[i].mask);
		row d;
		req.inst.urd = 7;
		req.pred = rows[i].pred;
		for (unsigned l = 0; l < 32; l++)
			d[l] = rows[i].leader;
		const struct wl_record rec = behind_interface(&req);
		const bool any = rows[i].leader < 32;
		expect(&rec, any ? rows[i].mask : 0, d, rows[i].mask, any ? 1u << (rows[i].leader & 31) : 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_shfl_every_choice),
	        cmocka_unit_test(test_shfl_requests),
	        cmocka_unit_test(test_vote),
	        cmocka_unit_test(test_match),
	        cmocka_unit_test(test_redux),
	        cmocka_unit_test(test_floats),
	        cmocka_unit_test(test_elect),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
