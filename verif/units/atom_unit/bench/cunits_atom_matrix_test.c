// SPDX-License-Identifier: Apache-2.0
/* cunits_atom_matrix_test.c -- atom_unit, every operation x type x width x space x kind of result, with all pairs of
 * edge operands: through the unit's interface, and through the front end's loops. Expected values: cunits_values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../atoms_pipe/bench/cunits_values.h"

enum { WINDOW = 2048, BUFFER = 2048, SLOT = 3, MAX_EDGES = 24 };

static struct wl_units u;
static struct wl_gmem gmem;
static uint8_t heap[4096];
static _Alignas(16) uint8_t shared[65536];
static uint64_t buffer;

static void setup(void)
{
	const struct wl_config config = wl_config_default();
	memset(&gmem, 0, sizeof gmem);
	gmem.mem = heap;
	gmem.bytes = sizeof heap;
	buffer = wl_gmem_add(&gmem, BUFFER);
	wl_units_init(&u, &config, shared);
	wl_smem_open(&u.smem, SLOT, 64, WINDOW, 1, 0);
	u.gmem = &gmem;
}

static u128 to128(const struct wl_lane *v, unsigned size)
{
	u128 x = 0;
	memcpy(&x, v, size);
	return x;
}

static struct wl_lane to_lane(u128 x)
{
	struct wl_lane v;
	memcpy(&v, &x, sizeof v);
	return v;
}

static bool is_cas(enum wl_uop uop)
{
	return uop == WL_UOP_ATOMG_CAS || uop == WL_UOP_ATOM_CAS || uop == WL_UOP_ATOM_CAST;
}

static struct wl_lane expected(const struct wl_inst *in, struct wl_lane old, struct wl_lane b, struct wl_lane c,
                               struct wl_lane *result)
{
	const u128 o = to128(&old, in->size), x = to128(&b, in->size);
	*result = to_lane(in->uop == WL_UOP_ATOM_CAST ? o == x : o);
	if (is_cas(in->uop))
		return to_lane(o == x ? to128(&c, in->size) : o);
	if (in->type == WL_AT_INT)
		return to_lane(expected_integer((enum wl_atom_op)in->op, in->flags & WL_F_SIGNED, in->size, o, x));
	const struct edges e = edges_of((enum wl_atom_type)in->type, in->size);
	u128 now = 0;
	for (unsigned at = 0; at < in->size; at += e.bytes) {
		const uint64_t most = UINT64_MAX >> (64 - 8 * e.bytes);
		now |= (u128)expected_number((enum wl_atom_type)in->type, (enum wl_atom_op)in->op,
		                             (uint64_t)(o >> 8 * at) & most, (uint64_t)(x >> 8 * at) & most)
		       << 8 * at;
	}
	return to_lane(now);
}

/* ---- rows ---- */

enum space { GLOBAL, GENERIC_GLOBAL, GENERIC_SHARED, GENERIC_LOCAL };
static const char *const space_names[] = {"global", "generic, global", "generic, shared", "generic, local"};

struct row {
	enum wl_uop uop;
	enum wl_atom_op op;
	enum wl_atom_type type;
	uint8_t size;
	bool sgn, keeps, asks; /* a result register, a predicate */
	enum space space;
};

static char row_text[160];

static const char *uop_name(enum wl_uop uop)
{
	static const char *const names[WL_UOP_COUNT] = {
#define UOP(name, ...) [WL_UOP_##name] = #name,
#include "../../../../cmodel/isa/uops.def"
#undef UOP
	};
	return names[uop];
}

static void name_row(const struct row *r)
{
	snprintf(row_text, sizeof row_text, "%s op %u type %u size %u%s, %s%s%s", uop_name(r->uop), r->op, r->type,
	         r->size, r->sgn ? " signed" : "", space_names[r->space], r->keeps ? ", Rd" : "",
	         r->asks ? ", Pu" : "");
}

/* Shared memory serves 32-bit integers, and EXCH and CAS of any width. Source: docs/spec/global-memory.md, "Spaces". */
static bool serves(const struct row *r)
{
	if (r->space == GENERIC_LOCAL)
		return false;
	return r->space != GENERIC_SHARED || is_cas(r->uop) || r->op == WL_ATOM_EXCH ||
	       (r->type == WL_AT_INT && r->size == 4);
}

static uint64_t base_of(enum space space)
{
	return space == GENERIC_SHARED ? WL_SHARED_WINDOW : space == GENERIC_LOCAL ? WL_LOCAL_WINDOW : buffer;
}

static uint8_t *memory_of(enum space space)
{
	return space == GENERIC_SHARED ? shared + 64 : heap;
}

static struct wl_req request(const struct row *r)
{
	struct wl_req q = {.tag = {.slot = SLOT}, .mask = UINT32_MAX};
	q.inst = (struct wl_inst){.uop = (uint16_t)r->uop,
	                          .op = (uint8_t)r->op,
	                          .type = (uint8_t)r->type,
	                          .size = r->size,
	                          .flags = WL_F_E64 | (r->sgn ? WL_F_SIGNED : 0),
	                          .rd = r->keeps ? 4 : WL_RZ,
	                          .ra = 2,
	                          .rb = 8,
	                          .rc = 12,
	                          .ur = 255,
	                          .pd = {r->asks ? 3 : WL_PT, WL_PT}};
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		q.ra[l] = base_of(r->space) + r->size * l;
	return q;
}

/* Pair k of edge values: the numbers of a vector get neighbours of each other. */
static void operands(const struct row *r, unsigned k, struct wl_lane *old, struct wl_lane *b, struct wl_lane *c)
{
	const struct edges e = edges_of(r->type, r->size);
	u128 vo = 0, vb = 0;
	for (unsigned at = 0, i = 0; at < r->size; at += e.bytes, i++) {
		vo |= (u128)e.v[(k / e.n + i) % e.n] << 8 * at;
		vb |= (u128)e.v[(k + (r->type == WL_AT_INT ? i * (k / e.n % 2) : 3 * i)) % e.n] << 8 * at;
	}
	if (is_cas(r->uop) && k % 3 == 0)
		vb = vo;
	else if (is_cas(r->uop) && k % 3 == 1) /* one bit differs */
		vb = vo ^ (u128)1 << k % (8 * r->size);
	*old = to_lane(vo);
	*b = to_lane(vb);
	*c = to_lane(~vo);
}

static void judge(bool good, unsigned lane, const struct wl_lane *got, const struct wl_lane *want, const char *what)
{
	if (!good)
		fail_msg("%s: lane %u: %s %08x%08x%08x%08x, expected %08x%08x%08x%08x", row_text, lane, what, got->w[3],
		         got->w[2], got->w[1], got->w[0], want->w[3], want->w[2], want->w[1], want->w[0]);
}

static void compare(const struct wl_lane *got, const struct wl_lane *want, unsigned lane, const char *what)
{
	judge(memcmp(got, want, sizeof *got) == 0, lane, got, want, what);
}

/* 32 pairs, each on a separate word. */
static void run_unit(const struct row *r, unsigned first)
{
	const struct wl_unit_ops *ops = wl_unit_ops(WL_UNIT_atom_unit);
	struct wl_req q = request(r);
	struct wl_atom_plan plan;
	struct wl_record rec;
	struct wl_lane old[WL_WARP_LANES];
	uint8_t *mem = memory_of(r->space);
	const bool fails = !serves(r) && !r->asks;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		operands(r, first + l, &old[l], &q.rb[l], &q.rc[l]);
		memcpy(mem + r->size * l, &old[l], r->size);
	}
	ops->plan(&u, &q, &plan.common, &rec);
	for (unsigned p = 0; p < plan.common.passes; p++) {
		const struct wl_event ev = {.kind = WL_EV_COMMIT, .lanes = plan.common.pass_lanes[p]};
		assert_int_equal(ops->apply(&u, &q, &plan.common, &ev, &rec), 0);
	}
	ops->finish(&u, &q, &plan.common, &rec);
	if (rec.committed != (serves(r) ? UINT32_MAX : 0) || rec.faulted != (fails ? UINT32_MAX : 0))
		fail_msg("%s: committed 0x%08x, faulted 0x%08x", row_text, rec.committed, rec.faulted);
	if (fails)
		assert_int_equal(rec.fault[17], WL_FAULT_BAD_SPACE);
	assert_int_equal(rec.pred_written, r->asks && !fails ? UINT32_MAX : 0);
	assert_int_equal(rec.preds, r->asks && serves(r) ? UINT32_MAX : 0);
	assert_int_equal(rec.written, r->keeps && serves(r) ? UINT32_MAX : 0);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		static const struct wl_lane none;
		struct wl_lane result, want = expected(&q.inst, old[l], q.rb[l], q.rc[l], &result), got = none;
		memcpy(&got, mem + r->size * l, r->size);
		compare(&got, serves(r) ? &want : &old[l], l, "memory holds");
		compare(&rec.result[l], r->keeps && serves(r) ? &result : &none, l, "the result is");
		if (!serves(r))
			continue;
		compare(&rec.old[l], &old[l], l, "the record has as old");
		compare(&rec.now[l], &want, l, "the record has as new");
		assert_int_equal(rec.stored >> l & 1, !is_cas(r->uop) || !memcmp(&old[l], &q.rb[l], r->size));
	}
}

/* The same through the front end's loops: words in a row, and any words (here in reverse). */
static void run_loops(const struct row *r, unsigned first, bool in_row)
{
	static uint32_t regs[16][WL_WARP_LANES];
	const struct wl_req q = request(r);
	struct wl_lane old[WL_WARP_LANES], b[WL_WARP_LANES], c[WL_WARP_LANES];
	uint8_t *at[WL_WARP_LANES];
	bool changed = false, differs = false;
	memset(regs, 0xee, sizeof regs);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		at[l] = heap + r->size * (in_row ? l : 31 - l);
		operands(r, first + l, &old[l], &b[l], &c[l]);
		memcpy(at[l], &old[l], r->size);
		for (unsigned k = 0; k < r->size / 4u; k++) {
			regs[8 + k][l] = b[l].w[k];
			regs[12 + k][l] = c[l].w[k];
		}
	}
	if (in_row && !wl_atom_row_exec(&q.inst, heap, regs, &changed))
		return;
	if (!in_row)
		changed = wl_atom_exec(&q.inst, at, regs, UINT32_MAX);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		struct wl_lane result, want = expected(&q.inst, old[l], b[l], c[l], &result), got = {{0}}, reg = {{0}};
		memcpy(&got, at[l], r->size);
		compare(&got, &want, l, "the loop leaves");
		differs |= memcmp(&want, &old[l], r->size) != 0;
		for (unsigned k = 0; k < r->size / 4u; k++)
			reg.w[k] = regs[4 + k][l];
		if (r->keeps)
			compare(&reg, &result, l, "the loop's result is");
		else
			assert_int_equal(regs[4][l], 0xeeeeeeee);
	}
	assert_int_equal(changed, differs);
}

static unsigned rows, pairs;

static void try_row(const struct row *r)
{
	const struct edges e = edges_of(r->type, r->size);
	name_row(r);
	rows++;
	for (unsigned k = 0; k < e.n * e.n; k += WL_WARP_LANES) {
		run_unit(r, k);
		if (r->space == GLOBAL && r->size < 16) {
			run_loops(r, k, true);
			run_loops(r, k, false);
		}
		pairs += WL_WARP_LANES;
	}
}

/* In all spaces, with and without a result register and a predicate. */
static void try_everywhere(enum wl_atom_op op, enum wl_atom_type type, unsigned size, bool sgn, enum wl_uop global,
                           enum wl_uop generic)
{
	for (unsigned how = 0; how < 4; how++) {
		struct row r = {global, op, type, (uint8_t)size, sgn, how & 1, how >> 1, GLOBAL};
		if (global != WL_UOP_UNMODELLED)
			try_row(&r);
		r.uop = generic;
		for (r.space = GENERIC_GLOBAL; r.space <= GENERIC_LOCAL; r.space++)
			try_row(&r);
	}
	if (global == WL_UOP_ATOMG && op != WL_ATOM_EXCH)
		try_row(&(struct row){WL_UOP_RED, op, type, (uint8_t)size, sgn, false, false, GLOBAL});
}

static void test_matrix(void **x)
{
	(void)x;
	setup();
	for (unsigned op = 0; op <= WL_ATOM_EXCH; op++)
		for (unsigned size = 4; size <= 16; size *= 2)
			for (unsigned sgn = 0; sgn < 2; sgn++) {
				const bool wide_only = op == WL_ATOM_INC || op == WL_ATOM_DEC;
				const bool compares = op == WL_ATOM_MIN || op == WL_ATOM_MAX;
				if ((size == 16 && op != WL_ATOM_EXCH) || (wide_only && size != 4) ||
				    (sgn && !compares))
					continue;
				try_everywhere((enum wl_atom_op)op, WL_AT_INT, size, sgn, WL_UOP_ATOMG, WL_UOP_ATOM);
			}
	for (unsigned size = 4; size <= 16; size *= 2) {
		try_everywhere(WL_ATOM_ADD, WL_AT_INT, size, false, WL_UOP_ATOMG_CAS, WL_UOP_ATOM_CAS);
		try_everywhere(WL_ATOM_ADD, WL_AT_INT, size, false, WL_UOP_UNMODELLED, WL_UOP_ATOM_CAST);
		try_everywhere(WL_ATOM_ADD, WL_AT_F32, size, false, WL_UOP_ATOMG, WL_UOP_ATOM);
		try_everywhere(WL_ATOM_ADD, WL_AT_F32_FTZ, size, false, WL_UOP_ATOMG, WL_UOP_ATOM);
		for (unsigned op = WL_ATOM_ADD; op <= WL_ATOM_MAX; op++) {
			try_everywhere((enum wl_atom_op)op, WL_AT_F16X2, size, false, WL_UOP_ATOMG, WL_UOP_ATOM);
			try_everywhere((enum wl_atom_op)op, WL_AT_BF16X2, size, false, WL_UOP_ATOMG, WL_UOP_ATOM);
		}
	}
	try_everywhere(WL_ATOM_ADD, WL_AT_F64, 8, false, WL_UOP_ATOMG, WL_UOP_ATOM);
	printf("%u rows, %u pairs of operands\n", rows, pairs);
	assert_true(rows >= 400);
}

/* ---- loads and stores ---- */

static void test_loads_and_stores(void **x)
{
	(void)x;
	static const enum wl_uop uops[2][2] = {{WL_UOP_LDG, WL_UOP_LD}, {WL_UOP_STG, WL_UOP_ST}};
	const struct wl_unit_ops *ops = wl_unit_ops(WL_UNIT_atom_unit);
	setup();
	for (unsigned store = 0; store < 2; store++)
		for (unsigned size = 1; size <= 16; size *= 2)
			for (unsigned sgn = 0; sgn < (store || size >= 4 ? 1 : 2); sgn++)
				for (enum space space = GLOBAL; space <= GENERIC_LOCAL; space++) {
					struct row r = {.uop = uops[store][space != GLOBAL],
					                .size = (uint8_t)size,
					                .sgn = sgn,
					                .keeps = !store,
					                .space = space};
					struct wl_req q = request(&r);
					struct wl_atom_plan plan;
					struct wl_record rec;
					uint8_t *mem = memory_of(space), before[512];
					name_row(&r);
					for (unsigned i = 0; i < sizeof before; i++)
						mem[i] = before[i] = (uint8_t)(i * 37 + 0x70);
					for (unsigned l = 0; l < WL_WARP_LANES; l++)
						for (unsigned k = 0; k < 4; k++)
							q.rb[l].w[k] = 0x9e3779b9u * (l * 4 + k + 1);
					ops->plan(&u, &q, &plan.common, &rec);
					for (unsigned p = 0; p < plan.common.passes; p++) {
						const struct wl_event ev = {.kind = WL_EV_COMMIT,
						                            .lanes = plan.common.pass_lanes[p]};
						assert_int_equal(ops->apply(&u, &q, &plan.common, &ev, &rec), 0);
					}
					ops->finish(&u, &q, &plan.common, &rec);
					const bool there = space != GENERIC_LOCAL;
					assert_int_equal(rec.committed, there ? UINT32_MAX : 0);
					assert_int_equal(rec.faulted, there ? 0 : UINT32_MAX);
					assert_int_equal(rec.written, there && !store ? UINT32_MAX : 0);
					assert_int_equal(rec.stored, there && store ? UINT32_MAX : 0);
					if (space == GLOBAL ||
					    space == GENERIC_GLOBAL) /* a pass a sector; stores of bytes take turns */
						assert_int_equal(rec.passes, store && size < 4 ? 4 : size);
					for (unsigned l = 0; l < WL_WARP_LANES && there; l++) {
						struct wl_lane want = {{0}}, got = rec.result[l];
						const uint8_t *part = before + size * l;
						if (store) {
							memcpy(&want, &q.rb[l], size);
							got = (struct wl_lane){{0}};
							memcpy(&got, mem + size * l, size);
						} else {
							memcpy(&want, part, size);
							if (sgn && part[size - 1] & 0x80)
								want.w[0] |= UINT32_MAX << 8 * size;
						}
						compare(&got, &want, l, store ? "memory holds" : "the result is");
					}
					if (!store || !there)
						assert_memory_equal(mem, before, sizeof before);
				}
}

/* Memory is present by halves of a sector: a lane in the half behind a buffer faults; lanes in the other half do
 * not. */
static void test_halves(void **x)
{
	(void)x;
	static const struct {
		enum wl_uop uop;
		uint8_t size;
	} rows_[] = {{WL_UOP_LDG, 4}, {WL_UOP_STG, 4}, {WL_UOP_RED, 4}, {WL_UOP_STG, 16}, {WL_UOP_LDG, 1}};
	const struct wl_unit_ops *ops = wl_unit_ops(WL_UNIT_atom_unit);
	setup();
	const uint64_t odd = wl_gmem_add(&gmem, 40); /* 48 bytes are present: a sector and a half */
	assert_true(odd != 0);
	for (unsigned i = 0; i < sizeof rows_ / sizeof rows_[0]; i++) {
		const struct row r = {.uop = rows_[i].uop, .size = rows_[i].size, .keeps = rows_[i].uop == WL_UOP_LDG};
		struct wl_req q = request(&r);
		struct wl_atom_plan plan;
		struct wl_record rec;
		uint32_t faults = 0;
		for (unsigned l = 0; l < WL_WARP_LANES; l++)
			q.ra[l] = odd + r.size * (l % (64 / r.size));
		ops->plan(&u, &q, &plan.common, &rec);
		assert_int_equal(plan.common.faulted, 0);
		assert_int_equal(plan.common.passes, r.size == 1 ? 1 : 2);
		for (unsigned p = 0; p < plan.common.passes; p++) {
			const struct wl_event ev = {.kind = WL_EV_COMMIT, .lanes = plan.common.pass_lanes[p]};
			faults |= ops->apply(&u, &q, &plan.common, &ev, &rec);
		}
		ops->finish(&u, &q, &plan.common, &rec);
		for (unsigned l = 0; l < WL_WARP_LANES; l++) {
			const bool outside = q.ra[l] + r.size > odd + 48;
			assert_int_equal(faults >> l & 1, outside);
			assert_int_equal(rec.committed >> l & 1, !outside);
			assert_int_equal(rec.fault[l], outside ? WL_FAULT_GLOBAL_OUT_OF_RANGE : WL_FAULT_NONE);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_matrix),
	        cmocka_unit_test(test_loads_and_stores),
	        cmocka_unit_test(test_halves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
