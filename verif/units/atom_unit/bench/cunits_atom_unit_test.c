// SPDX-License-Identifier: Apache-2.0
/* cunits_atom_unit_test.c -- atom_unit: addresses, spaces and faults by hand; values lane after lane in host
 * arithmetic, for any order of sectors' COMMITs; passes counted by playing the banks of a sector. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../../../common/rng.h"
#include "../../atoms_pipe/bench/cunits_values.h"
#include "warplock/units.h"

enum { BYTES = 4096, WINDOW = 512 };

static struct wl_units u;
static struct wl_gmem gmem;
static uint8_t heap[2 * BYTES], want_heap[2 * BYTES];
static _Alignas(16) uint8_t shared[65536];
static uint64_t buffer[2];

static const struct wl_unit_ops *ops(void)
{
	return wl_unit_ops(WL_UNIT_atom_unit);
}

static void setup(void)
{
	const struct wl_config config = wl_config_default();
	gmem = (struct wl_gmem){.mem = heap, .bytes = sizeof heap};
	buffer[0] = wl_gmem_add(&gmem, BYTES - 256);
	buffer[1] = wl_gmem_add(&gmem, 1024);
	assert_true(buffer[0] && buffer[1]);
	wl_units_init(&u, &config, shared);
	wl_smem_open(&u.smem, 3, 64, WINDOW, 1, 0);
	u.gmem = &gmem;
}

static struct wl_req request(enum wl_uop uop, unsigned size, enum wl_atom_op op)
{
	struct wl_req req = {.tag = {.slot = 3}, .mask = UINT32_MAX};
	req.inst = (struct wl_inst){.uop = (uint16_t)uop,
	                            .op = (uint8_t)op,
	                            .size = (uint8_t)size,
	                            .flags = WL_F_E64,
	                            .rd = uop == WL_UOP_RED ? WL_RZ : 4,
	                            .ra = 2,
	                            .rb = 6,
	                            .rc = 8,
	                            .ur = 255,
	                            .desc = WL_NO_DESC,
	                            .pd = {WL_PT, WL_PT}};
	return req;
}

struct run {
	struct wl_atom_plan plan;
	struct wl_record rec;
	uint32_t state_faults;
};

/* The commits in the order of `order`; NULL: as planned. */
static void run(struct run *r, const struct wl_req *req, struct rng *order)
{
	bool done[32] = {false};
	ops()->plan(&u, req, &r->plan.common, &r->rec);
	r->state_faults = 0;
	for (unsigned left = r->plan.common.passes; left; left--) {
		unsigned p = 0, skip = order ? rng_below(order, left) : 0;
		while (done[p] || skip--)
			p++;
		done[p] = true;
		const struct wl_event ev = {.kind = WL_EV_COMMIT, .lanes = r->plan.common.pass_lanes[p]};
		r->state_faults |= ops()->apply(&u, req, &r->plan.common, &ev, &r->rec);
	}
	ops()->finish(&u, req, &r->plan.common, &r->rec);
}

/* ---- addresses and faults ---- */

static void test_addresses(void **x)
{
	(void)x;
	static const struct {
		uint8_t ra;
		uint32_t flags;
		uint64_t ra_value, ur;
		int32_t off;
		uint64_t addr;
	} rows[] = {
	        {2, WL_F_E64, 0x300001000, 0, 0, 0x300001000},
	        {2, WL_F_E64, 0x300001000, 0, -8, 0x300000ff8},
	        {2, WL_F_E64, 0x300001000, 0x500000000, 4, 0x800001004},
	        {2, WL_F_E64 | WL_F_A32, 0xffff00001000, 0x300000000, 0, 0x300001000}, /* .U32: the low word */
	        {2, 0, 0x700001000, 0, 0, 0x1000},
	        {WL_RZ, WL_F_E64, 0x5555, 0x300000000, 16, 0x300000010},
	        {2, WL_F_E64, 0xfffffffffffffff8, 0, 16, 8}, /* the sum wraps at 64 bits */
	};
	struct run r;
	setup();
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct wl_req req = request(WL_UOP_ATOMG, 4, WL_ATOM_ADD);
		req.mask = 1u << 17;
		req.inst.ra = rows[i].ra;
		req.inst.flags = rows[i].flags;
		req.inst.off = rows[i].off;
		req.ra[17] = rows[i].ra_value;
		req.inst.ur = rows[i].ur ? 4 : 255;
		req.ur = rows[i].ur;
		ops()->plan(&u, &req, &r.plan.common, &r.rec);
		if (r.plan.addr[17] != rows[i].addr)
			fail_msg("row %u: 0x%llx", i, (unsigned long long)r.plan.addr[17]);
	}
}

/* The uniform register of a word with a descriptor is a policy of the L2, and no part of the address. */
static void test_policy(void **x)
{
	(void)x;
	struct run r;
	uint64_t policy = 1;
	setup();
	struct wl_req req = request(WL_UOP_ATOMG, 4, WL_ATOM_ADD);
	req.mask = 1u << 17;
	req.ra[17] = 0x300001000;
	assert_false(wl_atom_policy(&req, &policy));
	assert_true(policy == 0);
	req.inst.desc = 6;
	req.ur = UINT64_C(0x1470000000000010);
	ops()->plan(&u, &req, &r.plan.common, &r.rec);
	assert_true(r.plan.addr[17] == 0x300001000);
	assert_true(wl_atom_policy(&req, &policy));
	assert_true(policy == UINT64_C(0x1470000000000010));
}

/* Loads of 8 and 16 bits extend the sign if signed; sectors commit in any order. */
static void test_narrow_loads(void **x)
{
	(void)x;
	static const struct {
		unsigned size;
		uint32_t flags, expected;
	} rows[] = {{1, 0, 0x85}, {1, WL_F_SIGNED, 0xffffff85}, {2, 0, 0x9385}, {2, WL_F_SIGNED, 0xffff9385}};
	struct run r;
	setup();
	memcpy(wl_gmem_at(&gmem, buffer[0], 4), (const uint8_t[]){0x85, 0x93, 0x12, 0x34}, 4);
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct wl_req req = request(WL_UOP_LDG, rows[i].size, WL_ATOM_ADD);
		req.inst.flags |= rows[i].flags;
		req.mask = 1u << 5;
		req.ra[5] = buffer[0];
		run(&r, &req, NULL);
		assert_true(r.plan.common.any_order);
		assert_int_equal(r.rec.result[5].w[0], rows[i].expected);
	}
}

/* Sixteen bytes are compared whole, and the third operand is stored. */
static void test_cas128(void **x)
{
	(void)x;
	struct run r;
	setup();
	uint8_t *at = wl_gmem_at(&gmem, buffer[0] + 32, 16);
	for (unsigned differs = 0; differs < 5; differs++) {
		struct wl_req req = request(WL_UOP_ATOMG_CAS, 16, WL_ATOM_ADD);
		const struct wl_lane old = {{1, 2, 3, 4}}, now = {{5, 6, 7, 8}};
		memcpy(at, &old, 16);
		req.mask = 1u << 31;
		req.ra[31] = buffer[0] + 32;
		req.rb[31] = old;
		req.rc[31] = now;
		if (differs < 4)
			req.rb[31].w[differs] ^= 1u << 31;
		run(&r, &req, NULL);
		assert_memory_equal(&r.rec.result[31], &old, 16);
		assert_memory_equal(at, differs < 4 ? &old : &now, 16);
	}
}

static void test_faults(void **x)
{
	(void)x;
	setup();
	const struct {
		enum wl_uop uop;
		uint8_t size, pd;
		uint64_t addr;
		enum wl_fault fault;
		bool by_state;
		bool refused; /* Pu is false: global is always served, local never, shared by operation */
		enum wl_atom_op op;
		enum wl_atom_type type;
	} rows[] = {
	        {WL_UOP_ATOMG, 4, WL_PT, buffer[0] + 4, WL_FAULT_NONE, false, false, WL_ATOM_ADD, WL_AT_INT},
	        {WL_UOP_ATOMG, 4, WL_PT, buffer[0] + 2, WL_FAULT_MISALIGNED_ADDRESS, false, false, WL_ATOM_ADD,
	         WL_AT_INT},
	        {WL_UOP_ATOMG, 4, WL_PT, buffer[0] + 1, WL_FAULT_MISALIGNED_ADDRESS, false, false, WL_ATOM_ADD,
	         WL_AT_INT},
	        {WL_UOP_ATOMG, 8, WL_PT, buffer[0] + 4, WL_FAULT_MISALIGNED_ADDRESS, false, false, WL_ATOM_ADD,
	         WL_AT_INT},
	        {WL_UOP_ATOMG, 4, WL_PT, buffer[1] + 1024, WL_FAULT_GLOBAL_OUT_OF_RANGE, true, false, WL_ATOM_ADD,
	         WL_AT_INT},
	        {WL_UOP_ATOMG, 4, WL_PT, 0, WL_FAULT_GLOBAL_OUT_OF_RANGE, true, false, WL_ATOM_ADD, WL_AT_INT},
	        {WL_UOP_ATOMG, 4, WL_PT, WL_SHARED_WINDOW, WL_FAULT_GLOBAL_OUT_OF_RANGE, true, false, WL_ATOM_ADD,
	         WL_AT_INT}, /* not generic */
	        {WL_UOP_ATOM, 4, WL_PT, WL_SHARED_WINDOW + WINDOW - 4, WL_FAULT_NONE, false, false, WL_ATOM_ADD,
	         WL_AT_INT},
	        {WL_UOP_ATOM, 4, WL_PT, WL_SHARED_WINDOW + WINDOW, WL_FAULT_SHARED_OUT_OF_RANGE, false, false,
	         WL_ATOM_ADD, WL_AT_INT},
	        {WL_UOP_ATOM, 4, WL_PT, WL_SHARED_WINDOW + WINDOW + 2, WL_FAULT_MISALIGNED_ADDRESS, false, false,
	         WL_ATOM_ADD, WL_AT_INT},
	        {WL_UOP_ATOM, 4, WL_PT, WL_LOCAL_WINDOW + 16, WL_FAULT_BAD_SPACE, false, false, WL_ATOM_ADD, WL_AT_INT},
	        {WL_UOP_ATOM, 4, 2, WL_LOCAL_WINDOW + 16, WL_FAULT_NONE, false, true, WL_ATOM_ADD, WL_AT_INT},
	        {WL_UOP_ATOM, 8, 2, WL_LOCAL_WINDOW + 16, WL_FAULT_NONE, false, true, WL_ATOM_EXCH, WL_AT_INT},
	        {WL_UOP_ATOM_CAS, 8, 2, WL_LOCAL_WINDOW + 16, WL_FAULT_NONE, false, true, WL_ATOM_ADD, WL_AT_INT},
	        {WL_UOP_ATOM, 4, 2, WL_SHARED_WINDOW + 16, WL_FAULT_NONE, false, false, WL_ATOM_ADD, WL_AT_INT},
	        {WL_UOP_ATOM, 4, 2, WL_SHARED_WINDOW + 16, WL_FAULT_NONE, false, false, WL_ATOM_DEC, WL_AT_INT},
	        {WL_UOP_ATOM, 8, 2, WL_SHARED_WINDOW + 16, WL_FAULT_NONE, false, true, WL_ATOM_ADD, WL_AT_INT},
	        {WL_UOP_ATOM, 8, 2, WL_SHARED_WINDOW + 16, WL_FAULT_NONE, false, true, WL_ATOM_MAX, WL_AT_INT},
	        {WL_UOP_ATOM, 4, 2, WL_SHARED_WINDOW + 16, WL_FAULT_NONE, false, true, WL_ATOM_ADD, WL_AT_F32},
	        {WL_UOP_ATOM, 8, 2, WL_SHARED_WINDOW + 16, WL_FAULT_NONE, false, true, WL_ATOM_ADD, WL_AT_F64},
	        {WL_UOP_ATOM, 8, 2, WL_SHARED_WINDOW + 16, WL_FAULT_NONE, false, false, WL_ATOM_EXCH, WL_AT_INT},
	        {WL_UOP_ATOM_CAS, 8, 2, WL_SHARED_WINDOW + 16, WL_FAULT_NONE, false, false, WL_ATOM_ADD, WL_AT_INT},
	        {WL_UOP_ATOM_CAS, 4, 2, WL_SHARED_WINDOW + 16, WL_FAULT_NONE, false, false, WL_ATOM_ADD, WL_AT_INT},
	        {WL_UOP_ATOM, 4, 2, WL_SHARED_WINDOW + WINDOW, WL_FAULT_SHARED_OUT_OF_RANGE, false, false, WL_ATOM_ADD,
	         WL_AT_INT},
	        {WL_UOP_ATOM, 8, 2, buffer[0] + 16, WL_FAULT_NONE, false, false, WL_ATOM_ADD, WL_AT_INT},
	        {WL_UOP_ATOM, 4, 2, buffer[0] + 16, WL_FAULT_NONE, false, false, WL_ATOM_ADD, WL_AT_INT},
	};
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct wl_req req = request(rows[i].uop, rows[i].size, rows[i].op);
		const bool ok = rows[i].fault == WL_FAULT_NONE && !rows[i].refused;
		req.inst.type = rows[i].type;
		struct run r;
		req.mask = 1u << 9 | 1u << 30; /* lane 30 has no fault */
		req.inst.pd[0] = rows[i].pd;
		req.ra[9] = rows[i].addr;
		req.ra[30] = buffer[1];
		run(&r, &req, NULL);
		if (r.rec.fault[9] != rows[i].fault || r.rec.faulted != (rows[i].fault ? 1u << 9 : 0) ||
		    (r.state_faults != 0) != rows[i].by_state)
			fail_msg("row %u: %s", i, wl_fault_name(r.rec.fault[9]));
		assert_int_equal(r.rec.committed, 1u << 30 | (ok ? 1u << 9 : 0));
		assert_int_equal(r.rec.written, r.rec.committed);
		assert_int_equal(r.rec.pred_written, rows[i].pd == WL_PT ? 0 : req.mask & ~r.rec.faulted);
		assert_int_equal(r.rec.preds, rows[i].pd == WL_PT ? 0 : r.rec.committed);
	}
	struct wl_req req = request(WL_UOP_ATOMG, 4, WL_ATOM_ADD);
	struct run r;
	req.inst.flags |= WL_F_ILLEGAL;
	run(&r, &req, NULL);
	assert_int_equal(r.rec.faulted, UINT32_MAX);
	assert_int_equal(r.rec.fault[31], WL_FAULT_ILLEGAL_INSTRUCTION);
	assert_int_equal(r.rec.passes, 0);
}

/* ---- values ---- */

static uint64_t mask_to(uint64_t v, unsigned size)
{
	return size == 8 ? v : v & 0xffffffff;
}

/* Turns at the banks of each sector, played out: in a turn every bank serves its lowest pending lane. */
static unsigned count_passes(const uint64_t addr[32], uint32_t lanes, unsigned size)
{
	unsigned passes = 0;
	for (unsigned first = 0; first < 32; first++) {
		uint32_t pending = 0;
		bool seen = false;
		for (unsigned i = 0; i < 32; i++) {
			const bool mine = lanes >> i & 1 && lanes >> first & 1 && addr[i] / 32 == addr[first] / 32;
			seen |= mine && i < first;
			pending |= (uint32_t)mine << i;
		}
		for (; !seen && pending; passes++) {
			uint32_t busy = 0;
			for (unsigned i = 0; i < 32; i++) {
				const uint32_t banks = (size == 8 ? 3u : 1u) << (addr[i] % 32 / 4);
				if (!(pending >> i & 1) || busy & banks)
					continue;
				busy |= banks;
				pending &= ~(1u << i);
			}
		}
	}
	return passes;
}

static void random_request(struct rng *r, struct wl_req *req)
{
	static const enum wl_uop uops[] = {WL_UOP_ATOMG,     WL_UOP_RED,      WL_UOP_ATOM,
	                                   WL_UOP_ATOMG_CAS, WL_UOP_ATOM_CAS, WL_UOP_ATOM_CAST};
	const unsigned size = rng_one_in(r, 2) ? 8 : 4, spread = 1 + rng_below(r, 60);
	enum wl_atom_op op = (enum wl_atom_op)rng_below(r, 9);
	if (size == 8 && (op == WL_ATOM_INC || op == WL_ATOM_DEC))
		op = WL_ATOM_ADD;
	*req = request(uops[rng_below(r, 6)], size, op);
	req->mask = rng_one_in(r, 3) ? UINT32_MAX : rng_u32(r) | 1;
	req->inst.flags |= rng_one_in(r, 2) ? WL_F_SIGNED : 0;
	if (rng_one_in(r, 4))
		req->inst.rd = WL_RZ;
	for (unsigned i = 0; i < 32; i++) {
		req->ra[i] = buffer[rng_below(r, 2)] + 8 * rng_below(r, spread) + (size == 4 ? 4 * rng_below(r, 2) : 0);
		req->rb[i].w[0] = rng_one_in(r, 3) ? rng_below(r, 3) : rng_u32(r);
		req->rb[i].w[1] = rng_below(r, 3) - 1u;
		req->rc[i].w[0] = rng_below(r, 3);
		req->rc[i].w[1] = rng_u32(r) % 2;
	}
}

static bool is_cas(const struct wl_inst *in)
{
	return in->uop == WL_UOP_ATOMG_CAS || in->uop == WL_UOP_ATOM_CAS || in->uop == WL_UOP_ATOM_CAST;
}

/* Checks the values found and left by the lanes, in turn, lowest first. */
static void expect(const struct wl_req *req, const struct wl_record *rec)
{
	const struct wl_inst *in = &req->inst;
	for (unsigned i = 0; i < 32; i++) {
		if (!(req->mask >> i & 1))
			continue;
		uint8_t *at = want_heap + (wl_gmem_at(&gmem, req->ra[i], in->size) - heap);
		const uint64_t b = mask_to(req->rb[i].w[0] | (uint64_t)req->rb[i].w[1] << 32, in->size);
		const uint64_t c = mask_to(req->rc[i].w[0] | (uint64_t)req->rc[i].w[1] << 32, in->size);
		uint64_t old = 0, now;
		memcpy(&old, at, in->size);
		now = is_cas(in) ? old == b ? c : old
		                 : (uint64_t)expected_integer((enum wl_atom_op)in->op, in->flags & WL_F_SIGNED,
		                                              in->size, old, b);
		memcpy(at, &now, in->size);
		const uint64_t result = in->uop == WL_UOP_ATOM_CAST ? old == b : old;
		const bool keeps = in->uop != WL_UOP_RED && in->rd != WL_RZ;
		assert_int_equal(rec->old[i].w[0] | (uint64_t)rec->old[i].w[1] << 32, old);
		assert_int_equal(rec->now[i].w[0] | (uint64_t)rec->now[i].w[1] << 32, now);
		assert_int_equal(rec->result[i].w[0] | (uint64_t)rec->result[i].w[1] << 32, keeps ? result : 0);
		assert_int_equal(rec->stored >> i & 1, !is_cas(in) || old == b);
		assert_int_equal(rec->written >> i & 1, keeps);
		assert_int_equal(rec->addr[i], req->ra[i]);
	}
}

static void test_random(void **x)
{
	(void)x;
	struct rng r = rng_seed(21, 0);
	struct wl_req req;
	struct run done;
	unsigned most = 0;
	setup();
	for (unsigned k = 0; k < 30000; k++) {
		if (k % 100 == 0)
			for (unsigned i = 0; i < sizeof heap; i++)
				heap[i] = (uint8_t)(rng_one_in(&r, 3) ? rng_u32(&r) : 0);
		memcpy(want_heap, heap, sizeof heap);
		random_request(&r, &req);
		run(&done, &req, &r);
		expect(&req, &done.rec);
		assert_memory_equal(heap, want_heap, sizeof heap);
		assert_int_equal(done.rec.committed, req.mask);
		assert_int_equal(done.rec.passes, count_passes(req.ra, req.mask, req.inst.size));
		for (unsigned p = 0; p < done.plan.common.passes; p++) { /* a sector each */
			const uint32_t lanes = done.plan.common.pass_lanes[p];
			for (uint32_t m = lanes; m; m &= m - 1)
				assert_int_equal(req.ra[__builtin_ctz(m)] / 32, req.ra[__builtin_ctz(lanes)] / 32);
		}
		most = done.rec.passes > most ? done.rec.passes : most;
	}
	assert_int_equal(most, 32);
}

/* Float sums by hand, and the turns of four adders. Source: docs/spec/atomics.md, "Floats". */
static void test_floats(void **x)
{
	(void)x;
	static const struct {
		enum wl_atom_type type;
		uint8_t size;
		uint64_t old, b, now;
	} rows[] = {
	        {WL_AT_F32, 4, 0x3f800000, 0x40000000, 0x40400000},     /* 1 + 2 */
	        {WL_AT_F32, 4, 0x4b800000, 0x3f800000, 0x4b800000},     /* 2^24 + 1: to even */
	        {WL_AT_F32, 4, 0x4b800001, 0x3f800000, 0x4b800002},     /* 2^24 + 2 + 1 */
	        {WL_AT_F32, 4, 0x00000001, 0x00000001, 0x00000002},     /* subnormals are kept */
	        {WL_AT_F32_FTZ, 4, 0x00000001, 0x80000001, 0x00000000}, /* ... or flushed, sign kept */
	        {WL_AT_F32_FTZ, 4, 0x807fffff, 0x80000001, 0x80000000},
	        {WL_AT_F32_FTZ, 4, 0x00800000, 0x80800001, 0x80000000}, /* the result, too */
	        {WL_AT_F32, 4, 0x7f800000, 0xff800000, 0x7fffffff},     /* inf - inf */
	        {WL_AT_F32, 4, 0xffc12345, 0x3f800000, 0x7fffffff},
	        {WL_AT_F32, 4, 0x3f800000, 0xbf800000, 0x00000000},
	        {WL_AT_F32, 4, 0x80000000, 0x80000000, 0x80000000},
	        {WL_AT_F64, 8, 0x3ff0000000000000, 0x3ca0000000000000, 0x3ff0000000000000}, /* 1 + 2^-53 */
	        {WL_AT_F64, 8, 0x3ff0000000000001, 0x3ca0000000000000, 0x3ff0000000000002},
	        {WL_AT_F64, 8, 0x7ff0000000000000, 0xfff0000000000000, 0xfff8000000000000},
	        {WL_AT_F64, 8, 0x7ff0000000000001, 0x3ff0000000000000, 0x7ff0000000000001}, /* a NaN passes */
	        {WL_AT_F64, 8, 0x7ff8000000000007, 0xfff0000000000009, 0xfff0000000000009}, /* of two, the operand */
	        {WL_AT_F16X2, 4, 0x3c004000, 0x3c003c00, 0x40004200},                       /* {1, 2} + {1, 1} */
	        {WL_AT_F16X2, 4, 0x7bff0001, 0x7bff0001, 0x7c000002}, /* overflow; subnormals are kept */
	        {WL_AT_F16X2, 4, 0x7c003c00, 0xfc001400, 0x7fff3c01}, /* NaN; 1 + 2^-10 */
	};
	setup();
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct wl_req req = request(WL_UOP_ATOMG, rows[i].size, WL_ATOM_ADD);
		struct run r;
		req.mask = 1;
		req.inst.type = (uint8_t)rows[i].type;
		req.ra[0] = buffer[0];
		req.rb[0] = (struct wl_lane){{(uint32_t)rows[i].b, (uint32_t)(rows[i].b >> 32)}};
		memcpy(heap, &rows[i].old, rows[i].size);
		run(&r, &req, NULL);
		uint64_t now = 0;
		memcpy(&now, heap, rows[i].size);
		if (now != rows[i].now)
			fail_msg("row %u: 0x%llx", i, (unsigned long long)now);
	}
	static const struct {
		uint8_t words, passes; /* lanes 0..31 on this number of words in a row */
	} turns[] = {{1, 32}, {2, 16}, {4, 8}, {8, 8}, {32, 8}};
	for (unsigned i = 0; i < sizeof turns / sizeof turns[0]; i++) {
		struct wl_req req = request(WL_UOP_RED, 4, WL_ATOM_ADD);
		struct run r;
		req.inst.type = WL_AT_F32_FTZ;
		for (unsigned l = 0; l < 32; l++)
			req.ra[l] = buffer[0] + 4 * (l % turns[i].words);
		run(&r, &req, NULL);
		assert_int_equal(r.rec.passes, turns[i].passes);
	}
}

/* Passes where up to two words take all their lanes; lane l is at l % words, `step` bytes apart. By hand: with one word
 * in a pass, the lowest lane's word goes as a whole and the other words lose a lane each, so four words take four
 * passes. */
static void test_combine(void **x)
{
	static const struct {
		enum wl_uop uop;
		enum wl_atom_op op;
		uint8_t type, size, words, step, passes[3];
	} rows[] = {
	        {WL_UOP_RED, WL_ATOM_ADD, WL_AT_INT, 4, 1, 4, {32, 1, 1}},
	        {WL_UOP_ATOMG, WL_ATOM_XOR, WL_AT_INT, 4, 2, 4, {16, 2, 1}},
	        {WL_UOP_ATOMG, WL_ATOM_MIN, WL_AT_INT, 4, 4, 4, {8, 4, 2}},
	        {WL_UOP_ATOMG, WL_ATOM_MAX, WL_AT_INT, 8, 1, 8, {32, 1, 1}},
	        {WL_UOP_ATOMG, WL_ATOM_EXCH, WL_AT_INT, 8, 2, 8, {16, 2, 1}},
	        {WL_UOP_ATOMG, WL_ATOM_EXCH, WL_AT_INT, 16, 1, 16, {32, 32, 32}},
	        {WL_UOP_ATOMG, WL_ATOM_INC, WL_AT_INT, 4, 1, 4, {32, 32, 32}},
	        {WL_UOP_RED, WL_ATOM_DEC, WL_AT_INT, 4, 1, 4, {32, 32, 32}},
	        {WL_UOP_ATOMG_CAS, WL_ATOM_ADD, WL_AT_INT, 4, 1, 4, {32, 32, 32}},
	        {WL_UOP_RED, WL_ATOM_ADD, WL_AT_F32_FTZ, 4, 1, 4, {32, 32, 32}},
	        {WL_UOP_STG, WL_ATOM_ADD, WL_AT_INT, 16, 2, 16, {16, 2, 1}},
	        {WL_UOP_STG, WL_ATOM_ADD, WL_AT_INT, 1, 4, 1, {32, 4, 4}}, /* the same bank: a byte at a time */
	        {WL_UOP_LDG, WL_ATOM_ADD, WL_AT_INT, 4, 2, 4, {1, 1, 1}},
	};
	(void)x;
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
		for (unsigned combine = 0; combine < 3; combine++) {
			struct wl_req req = request(rows[i].uop, rows[i].size, rows[i].op);
			struct run r;
			setup();
			u.smem.combine = (uint8_t)combine;
			req.inst.type = rows[i].type;
			for (unsigned l = 0; l < 32; l++)
				req.ra[l] = buffer[0] + rows[i].step * (l % rows[i].words);
			run(&r, &req, NULL);
			if (r.rec.passes != rows[i].passes[combine])
				fail_msg("row %u, combine %u: %u passes", i, combine, r.rec.passes);
		}
}

/* Lanes of generic addresses: lanes in shared memory first, in the passes of atoms_pipe, then the sectors. */
static void test_shared_lanes(void **x)
{
	(void)x;
	struct wl_req req = request(WL_UOP_ATOM, 4, WL_ATOM_ADD);
	struct run r;
	uint32_t word;
	setup();
	memset(shared, 0, sizeof shared);
	memset(heap, 0, sizeof heap);
	for (unsigned i = 0; i < 32; i++) {
		req.ra[i] = i % 2 ? WL_SHARED_WINDOW + 8 : buffer[0] + 64;
		req.rb[i].w[0] = i;
	}
	run(&r, &req, NULL);
	assert_int_equal(r.plan.common.passes, 16 + 1); /* 16 lanes on the same word of shared memory, then a sector */
	assert_int_equal(r.rec.passes, 16 + 16);
	for (unsigned i = 0; i < 16; i++)
		assert_int_equal(r.plan.common.pass_lanes[i], 2u << 2 * i);
	assert_int_equal(r.plan.common.pass_lanes[16], 0x55555555);
	memcpy(&word, shared + 64 + 8, 4);
	assert_int_equal(word, 1 + 3 + 5 + 7 + 9 + 11 + 13 + 15 + 17 + 19 + 21 + 23 + 25 + 27 + 29 + 31);
	assert_int_equal(r.rec.result[31].w[0], word - 31);
	memcpy(&word, heap + 64, 4);
	assert_int_equal(word, 240);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_addresses),    cmocka_unit_test(test_policy),
	        cmocka_unit_test(test_narrow_loads), cmocka_unit_test(test_cas128),
	        cmocka_unit_test(test_faults),       cmocka_unit_test(test_random),
	        cmocka_unit_test(test_floats),       cmocka_unit_test(test_shared_lanes),
	        cmocka_unit_test(test_combine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
