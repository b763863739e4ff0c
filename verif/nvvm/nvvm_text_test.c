// SPDX-License-Identifier: Apache-2.0
/* nvvm_text_test.c -- the builtin tables and the text of an operation, against the documented ranges and rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "asmtext.h"

#define ALL_DIFFS (~0u)

static struct nv_request request(enum nv_op op, const char *tag, int order, int scope, unsigned sm)
{
	const struct nv_type *t = nv_type_find(tag);
	assert_non_null(t);
	return (struct nv_request){
	        .op = op, .type = *t, .form = NV_SUFFIX, .order = order, .scope = scope, .sm = sm, .diffs = ALL_DIFFS};
}

static void expect_text(struct nv_request q, const char *before, const char *op, const char *after,
                        const char *constraints)
{
	struct nv_text t;
	assert_int_equal(nv_atomic_text(&q, &t), NV_TEXT_OK);
	assert_string_equal(t.before, before);
	assert_string_equal(t.op, op);
	assert_string_equal(t.after, after);
	assert_string_equal(t.constraints, constraints);
}

/* Every ID of the documented ranges has one row (8 has two spellings), and no row has an ID outside. */
static void test_ids(void **state)
{
	static const int ranges[][2] = {{1, 5}, {8, 20}, {202, 203}, {205, 275}, {365, 379}, {405, 408}, {417, 473}};
	size_t n;
	const struct nv_row *rows = nv_rows(&n);
	unsigned seen[512] = {0}, named = 0, redux = 0;
	(void)state;
	for (size_t i = 0; i < n; i++) {
		if (!strncmp(rows[i].name, "__cuda_sm70_barrier_", 20))
			named++;
		if (!strncmp(rows[i].name, "__cuda_reduxsync_", 17)) {
			assert_int_equal(rows[i].id, (int)++redux);
			continue;
		}
		assert_in_range(rows[i].id, 0, 511);
		seen[rows[i].id]++;
		for (size_t k = i + 1; k < n; k++)
			assert_string_not_equal(rows[i].name, rows[k].name);
	}
	assert_int_equal(named, 160);
	assert_int_equal(redux, 17);
	for (int id = 1; id < 512; id++) {
		unsigned want = 0;
		for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
			want |= id >= ranges[r][0] && id <= ranges[r][1];
		assert_int_equal(seen[id], id == 8 ? 2 : want);
	}
}

static void test_orders(void **state)
{
	static const char *const plain[] = {"relaxed", "acquire", "acquire", "release", "acq_rel"};
	char want[64];
	(void)state;
	for (int o = 0; o < 5; o++) {
		strcpy(want, "atom.add.");
		strcat(want, plain[o]);
		strcat(want, ".gpu.u32 $0,[$1],$2;");
		expect_text(request(NV_ADD, "u32", o, NV_DEVICE, 75), "", want, "", "=r,l,r,~{memory}");
	}
	expect_text(request(NV_ADD, "u32", 5, NV_SYSTEM, 75), "fence.sc.sys;", "atom.add.acquire.sys.u32 $0,[$1],$2;",
	            "", "=r,l,r,~{memory}");
	expect_text(request(NV_LOAD, "u64", 5, NV_BLOCK, 75), "fence.sc.cta;", "ld.acquire.cta.b64 $0, [$1];", "",
	            "=l,l,~{memory}");
	expect_text(request(NV_STORE, "u16", 5, NV_BLOCK, 75), "fence.sc.cta;", "st.relaxed.cta.b16 [$0], $1;", "",
	            "l,h,~{memory}");
	struct nv_request q = request(NV_ADD, "u32", 5, NV_SYSTEM, 75);
	q.diffs = 0; /* as documented: fences on both sides */
	expect_text(q, "fence.sc.sys;", "atom.add.acq_rel.sys.u32 $0,[$1],$2;", "fence.sc.sys;", "=r,l,r,~{memory}");
	q = request(NV_LOAD, "u32", 5, NV_SYSTEM, 75);
	q.diffs = 0;
	expect_text(q, "", "ld.acquire.sys.b32 $0, [$1];", "fence.sc.sys;", "=r,l,~{memory}");
}

static void test_types(void **state)
{
	(void)state;
	expect_text(request(NV_ADD, "int", 0, 3, 75), "", "atom.add.relaxed.gpu.s32 $0,[$1],$2;", "",
	            "=r,l,r,~{memory}");
	expect_text(request(NV_SUB, "double", 0, 3, 75), "", "atom.add.relaxed.gpu.f64 $0,[$1],$2;", "",
	            "=d,l,d,~{memory}");
	expect_text(request(NV_MAX, "s64", 0, 3, 75), "", "atom.max.relaxed.gpu.s64 $0,[$1],$2;", "",
	            "=l,l,l,~{memory}");
	expect_text(request(NV_EXCH, "float", 0, 3, 75), "", "atom.exch.relaxed.gpu.b32 $0,[$1],$2;", "",
	            "=r,l,r,~{memory}");
	expect_text(request(NV_CAS, "u16", 0, 3, 75), "", "atom.cas.relaxed.gpu.b16 $0,[$1],$2,$3;", "",
	            "=h,l,h,h,~{memory}");
	struct nv_request q = request(NV_ADD, "int", 0, 3, 75);
	q.diffs = 0;
	expect_text(q, "", "atom.add.relaxed.gpu.u32 $0,[$1],$2;", "", "=r,l,r,~{memory}");
	for (unsigned bytes = 0; bytes <= 40; bytes++) {
		struct nv_text t;
		bool exists = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
		q = request(NV_LOAD, "u32", 0, 3, 75);
		q.type.bytes = bytes;
		assert_int_equal(nv_atomic_text(&q, &t), exists ? NV_TEXT_OK : NV_TEXT_SIZE);
	}
}

static void test_scopes(void **state)
{
	static const char *const old[] = {"cta", "cta", "gpu", "gpu", "sys"}, *const new[] = {"cta", "cta", "cluster",
	                                                                                      "gpu", "sys"};
	struct nv_text t;
	(void)state;
	for (int s = 0; s < 5; s++) {
		assert_string_equal(nv_scope_name(s, 89), old[s]);
		assert_string_equal(nv_scope_name(s, 90), new[s]);
	}
	for (int s = -1; s <= 5; s += 6) {
		struct nv_request q = request(NV_LOAD, "u32", 0, s, 75);
		assert_int_equal(nv_atomic_text(&q, &t), NV_TEXT_SCOPE);
	}
	struct nv_request q = request(NV_LOAD, "u32", 6, 3, 75);
	assert_int_equal(nv_atomic_text(&q, &t), NV_TEXT_ORDER);
	q = request(NV_STORE, "u32", NV_ACQUIRE, 3, 75);
	assert_int_equal(nv_atomic_text(&q, &t), NV_TEXT_ORDER);
	q = request(NV_FENCE, "u32", 0, 3, 75);
	assert_int_equal(nv_atomic_text(&q, &t), NV_TEXT_OP);
}

static void test_fences(void **state)
{
	char t[48];
	(void)state;
	for (int o = 0; o <= 5; o++) {
		assert_int_equal(nv_fence_text(o, NV_DEVICE, 80, ALL_DIFFS, t, sizeof t), NV_TEXT_OK);
		assert_string_equal(t, o == NV_ACQ_REL ? "fence.acq_rel.gpu;" : "fence.sc.gpu;");
		assert_int_equal(nv_fence_text(o, NV_DEVICE, 80, 0, t, sizeof t), o < 3 ? NV_TEXT_ORDER : NV_TEXT_OK);
	}
	assert_int_equal(nv_fence_text(5, NV_CLUSTER, 60, ALL_DIFFS, t, sizeof t), NV_TEXT_OK);
	assert_string_equal(t, "membar.gl;");
	assert_int_equal(nv_fence_text(5, 5, 60, ALL_DIFFS, t, sizeof t), NV_TEXT_SCOPE);
	assert_string_equal(nv_membar_of_operand(1), "membar.cta;");
	assert_string_equal(nv_membar_of_operand(4), "fence.sc.cluster;");
	assert_null(nv_membar_of_operand(3));
	assert_null(nv_membar_of_operand(5));
}

static void test_old_targets(void **state)
{
	(void)state;
	expect_text(request(NV_ADD, "u32", 5, 3, 69), "", "atom.add.volatile.u32 $0,[$1],$2;", "", "=r,l,r,~{memory}");
	expect_text(request(NV_LOAD, "u32", 2, 3, 60), "", "ld.volatile.b32 $0, [$1];", "", "=r,l,~{memory}");
}

/* The 13 operations, their slots, scopes and the twin with a cache hint. */
static void test_emission(void **state)
{
	static const struct {
		unsigned code;
		const char *text;
	} want[] = {{0x00, "exch.b"}, {0x01, "add.u"}, {0x03, "and.b"}, {0x05, "or.b"},  {0x06, "xor.b"},
	            {0x07, "max.s"},  {0x08, "min.s"}, {0x09, "max.u"}, {0x0a, "min.u"}, {0x0b, "add.f"},
	            {0x0c, "inc.u"},  {0x0d, "dec.u"}, {0x0e, "cas.b"}};
	static const char *const scopes[] = {"", ".cta", ".sys"};
	char out[64], text[64];
	unsigned k = 0;
	(void)state;
	for (unsigned code = 0; code < 256; code++) {
		bool occupied = k < 13 && want[k].code == code;
		assert_int_equal(nv_emit_atom(code << 16, 0, 64, "", "", out, sizeof out), occupied);
		if (!occupied)
			continue;
		for (unsigned s = 0; s < 3; s++) {
			const char *dot = strchr(want[k].text, '.');
			nv_emit_atom(code << 16 | s << 4, 0, 64, "", "", out, sizeof out);
			snprintf(text, sizeof text, "atom%s.%s64", scopes[s], want[k].text);
			assert_string_equal(out, text);
			nv_emit_atom(code << 16 | s << 4, NV_EMIT_L2, 64, "", "", out, sizeof out);
			snprintf(text, sizeof text, "atom%s.%.*s.L2::cache_hint%s64", scopes[s],
			         (int)(dot - want[k].text), want[k].text, dot);
			assert_string_equal(out, text);
		}
		assert_false(nv_emit_atom(code << 16 | 3 << 4, 0, 64, "", "", out, sizeof out));
		k++;
	}
	assert_int_equal(k, 13);
}

static void test_names(void **state)
{
	struct nv_builtin b;
	char name[64];
	(void)state;
	assert_true(nv_mangle("__nv_atomic_fetch_add", nv_type_find("int"), name, sizeof name));
	assert_string_equal(name, "__nv_atomic_fetch_add_4_s");
	assert_true(nv_mangle("__nv_atomic_fetch_max", nv_type_find("double"), name, sizeof name));
	assert_string_equal(name, "__nv_atomic_fetch_max_8_f");
	assert_true(nv_mangle("__nv_atomic_fetch_sub", nv_type_find("ptr32"), name, sizeof name));
	assert_string_equal(name, "__nv_atomic_fetch_sub_8_u");
	assert_true(nv_mangle("__nv_atomic_fetch_xor", nv_type_find("s64"), name, sizeof name));
	assert_string_equal(name, "__nv_atomic_fetch_xor_8");
	assert_true(nv_mangle("__nv_atomic_load", nv_type_find("u128"), name, sizeof name));
	assert_string_equal(name, "__nv_atomic_load_16");
	assert_false(nv_mangle("__nv_atomic_fetch_add", nv_type_find("u16"), name, sizeof name));
	assert_false(nv_mangle("__nv_atomic_load", nv_type_find("s12"), name, sizeof name));

	assert_int_equal(nv_resolve("__nv_atomic_load_n.short", 75, false, &b), NV_FOUND);
	assert_int_equal(b.type.bytes, 2);
	assert_int_equal(nv_resolve("__nv_atomic_load_n", 75, false, &b), NV_UNDEFINED);
	assert_int_equal(nv_resolve("__nv_atomic_exchange_2", 75, false, &b), NV_UNDEFINED);
	assert_int_equal(nv_resolve("atomicSub.u64", 75, false, &b), NV_UNDEFINED);
	assert_int_equal(nv_resolve("__f4AtomicAdd", 89, false, &b), NV_UNDEFINED);
	assert_int_equal(nv_resolve("__f4AtomicAdd", 90, false, &b), NV_FOUND);
	assert_int_equal(nv_resolve("__nvvm_bar_sync", 75, false, &b), NV_UNDEFINED);
	assert_int_equal(nv_resolve("__nvvm_bar_sync", 75, true, &b), NV_FOUND);
	assert_int_equal(nv_resolve("malloc", 75, false, &b), NV_NOT_OURS);
	assert_int_equal(nv_resolve("llvm.nvvm.barrier0", 75, false, &b), NV_NOT_OURS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_ids),      cmocka_unit_test(test_orders), cmocka_unit_test(test_types),
	        cmocka_unit_test(test_scopes),   cmocka_unit_test(test_fences), cmocka_unit_test(test_old_targets),
	        cmocka_unit_test(test_emission), cmocka_unit_test(test_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
