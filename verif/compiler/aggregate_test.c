// SPDX-License-Identifier: Apache-2.0
/* aggregate_test.c -- atomics of many lanes at one address, in every space, by all lanes or some, at every level and
 * architecture. The operation gives the final value of the word. The old values of additions must chain in some order
 * of threads: each is the previous value plus the value added by the previous thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run_ptx.h"

enum { THREADS = 80 }; /* the last warp is half full */

/* The threads that take part, as PTX (sets %p1) and in C. */
static const struct {
	const char *ptx;
	unsigned modulus, least;
} parts[] = {
        {"setp.ge.u32 %p1, %me, 0;", 1, 0},
        {"rem.u32 %r20, %me, 3;\nsetp.ge.u32 %p1, %r20, 1;", 3, 1},
        {"and.b32 %r20, %me, 31;\nsetp.ge.u32 %p1, %r20, 31;", 32, 31},
        {"and.b32 %r20, %me, 63;\nsetp.ge.u32 %p1, %r20, 32;", 64, 32},
};

static const struct {
	const char *name; /* operation and type */
	unsigned bits;
	bool same;                  /* the same value for all */
	uint64_t start, add, times; /* value of a thread: add + times * thread number */
} ops[] = {
        {"add.u32", 32, true, 5, 3, 0},
        {"add.u32", 32, false, 5, 3, 7},
        {"add.s32", 32, false, 1000, 3, 1},
        {"add.u64", 64, true, 0xfffffff0, 0x300000001, 0},
        {"add.u64", 64, false, 1, 0x100000001, 3},
        {"min.s32", 32, false, 50, 0xfffffff0, 1},
        {"min.u32", 32, false, 0xffffffff, 9, 2},
        {"max.s32", 32, false, 0x80000000, 0xffffff00, 5},
        {"max.u32", 32, true, 2, 77, 0},
        {"and.b32", 32, false, 0xffffffff, 0xfffff0ff, 0x100},
        {"or.b32", 32, false, 0, 1, 2},
        {"xor.b32", 32, false, 0x55, 3, 0x101},
        {"xor.b32", 32, true, 0x55, 0x1234, 0},
        {"or.b32", 32, true, 0x10, 0x1234, 0},
};

static uint64_t apply(const char *name, uint64_t m, uint64_t v)
{
	if (!strncmp(name, "add", 3))
		return strstr(name, "64") ? m + v : (uint32_t)(m + v);
	if (!strcmp(name, "min.s32"))
		return (uint32_t)((int32_t)m < (int32_t)v ? m : v);
	if (!strcmp(name, "max.s32"))
		return (uint32_t)((int32_t)m > (int32_t)v ? m : v);
	if (!strncmp(name, "min", 3))
		return m < v ? m : v;
	if (!strncmp(name, "max", 3))
		return m > v ? m : v;
	if (!strncmp(name, "and", 3))
		return m & v;
	return !strncmp(name, "or.", 3) ? m | v : m ^ v;
}

struct item {
	uint64_t old, value;
};

static int by_old(const void *x, const void *y)
{
	const struct item *a = x, *b = y;
	return a->old < b->old ? -1 : a->old > b->old;
}

static const char *const spaces[] = {".global", ".shared", "", ""}; /* generic of global, of shared memory */
static const char *const places[] = {"mov.u64 %at, %base;", "", "mov.u64 %at, %base;",
                                     "mov.u64 %at, box;\ncvta.shared.u64 %at, %at;"};

/* Some threads go around the atomic, or the atomic has a guard. */
enum way { AROUND, GUARDED, NEGATED, WAYS };
static const char *const branches[WAYS] = {"@!%p1 bra NEXT;\n", "", ""};
static const char *const guards[WAYS] = {"", "@%p1 ", "not.pred %p3, %p1;\n@!%p3 "};

static void try_one(unsigned i, unsigned part, unsigned space, bool wanted, enum way way, enum wl_arch arch, int opt)
{
	uint64_t out[THREADS + 1] = {ops[i].start}, end = ops[i].start;
	struct item items[THREADS];
	unsigned wide = ops[i].bits == 64, n = 0;
	char text[4096], atomic[256], why[1024], value[128];
	struct run_setup s = {.ptx = text,
	                      .arch = arch,
	                      .opt = opt,
	                      .grid = 1,
	                      .block = THREADS,
	                      .nbufs = 1,
	                      .buf = {{out, sizeof out}}};
	const char *type = wide ? "u64" : "u32", *d = wide ? "%d9" : "%r9", *v = wide ? "%d8" : "%r8";
	if (ops[i].same)
		snprintf(value, sizeof value, "mov.%s %s, 0x%llx;\n", type, v, (unsigned long long)ops[i].add);
	else if (wide)
		snprintf(value, sizeof value, "cvt.u64.u32 %%d8, %%me;\nmad.lo.u64 %%d8, %%d8, %llu, %llu;\n",
		         (unsigned long long)ops[i].times, (unsigned long long)ops[i].add);
	else
		snprintf(value, sizeof value, "mad.lo.u32 %%r8, %%me, %llu, %llu;\n", (unsigned long long)ops[i].times,
		         (unsigned long long)ops[i].add);
	if (wanted)
		snprintf(atomic, sizeof atomic, "atom%s.%s %s, [%s], %s;\n", spaces[space], ops[i].name, d,
		         space == 1 ? "box" : "%at", v);
	else
		snprintf(atomic, sizeof atomic, "red%s.%s [%s], %s;\n", spaces[space], ops[i].name,
		         space == 1 ? "box" : "%at", v);
	snprintf(text, sizeof text,
	         ".version 8.0\n.target sm_75\n.address_size 64\n.shared .align 8 .b8 box[16];\n"
	         ".visible .entry k(.param .u64 out)\n{\n.reg .pred %%p<9>; .reg .b32 %%r<40>, %%me; "
	         ".reg .b64 %%d<20>, %%at, %%base, %%own;\nld.param.u64 %%base, [out];\nmov.u32 %%me, %%tid.x;\n"
	         "mad.wide.u32 %%own, %%me, 8, %%base;\nld.global.u64 %%d1, [%%base];\nst.shared.u64 [box], %%d1;\n"
	         "%s\nbar.sync 0;\nmov.u64 %%d9, 0;\nmov.u32 %%r9, 0;\n%s%s\n%s%s%sNEXT:\nbar.sync 0;\n"
	         "ld.global.u64 %%d1, [%%base];\n%sst.global.%s [%%own+8], %s;\n"
	         "setp.eq.u32 %%p2, %%me, 0;\n@%%p2 st.global.u64 [%%base], %%d1;\nret;\n}\n",
	         places[space], value, parts[part].ptx, branches[way], guards[way], atomic,
	         space & 1 ? "ld.shared.u64 %d1, [box];\n" : "", type, d);
	if (!run_ptx(&s, why, sizeof why))
		fail_msg("sm_%u -O%d: %s\n%s", (unsigned)arch, opt, why, text);
	for (unsigned t = 0; t < THREADS; t++) {
		uint64_t mine = ops[i].add + ops[i].times * t;
		if (!wide)
			mine = (uint32_t)mine;
		if (t % parts[part].modulus < parts[part].least)
			continue;
		end = apply(ops[i].name, end, mine);
		items[n++] = (struct item){wide ? out[t + 1] : (uint32_t)out[t + 1], mine};
	}
	if ((wide ? out[0] : (uint32_t)out[0]) != end)
		fail_msg("sm_%u -O%d: found 0x%llx, expected 0x%llx\n%s", (unsigned)arch, opt,
		         (unsigned long long)out[0], (unsigned long long)end, text);
	if (!wanted || strncmp(ops[i].name, "add", 3))
		return;
	qsort(items, n, sizeof *items, by_old);
	end = ops[i].start;
	for (unsigned k = 0; k < n; end = apply(ops[i].name, end, items[k++].value))
		if (items[k].old != end)
			fail_msg("sm_%u -O%d: old value %u is 0x%llx, expected 0x%llx\n%s", (unsigned)arch, opt, k,
			         (unsigned long long)items[k].old, (unsigned long long)end, text);
}

static void try_all(enum wl_arch arch, int opt)
{
	for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
		for (unsigned part = 0; part < sizeof parts / sizeof *parts; part++)
			for (unsigned space = 0; space < 4; space++)
				for (unsigned form = 0; form < 2 * WAYS; form++)
					try_one(i, part, space, form & 1, (enum way)(form / 2), arch, opt);
}

static void test_levels(void **state)
{
	(void)state;
	try_all(all_archs[0], 0);
	try_all(all_archs[0], 2);
}

static void test_architectures(void **state)
{
	(void)state;
	for (unsigned k = 1; k < NUM_ARCHS; k++)
		try_all(all_archs[k], 2);
}

/* Rounds of a loop with lanes leaving one by one: fewer lanes take part in each round. */
static void test_loop(void **state)
{
	static const char text[] =
	        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
	        ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %base;\nld.param.u64 %base, [out];\n"
	        "mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nAGAIN:\nadd.u32 %r2, %r2, 1;\n"
	        "atom.global.add.u32 %r3, [%base], %r2;\nred.global.max.u32 [%base+4], %r2;\n"
	        "red.global.add.u32 [%base+8], 1;\nsetp.le.u32 %p1, %r2, %r1;\n@%p1 bra AGAIN;\n"
	        "red.global.add.u32 [%base+12], %r2;\nred.global.add.u32 [%base+16], %r3;\nret;\n}\n";
	(void)state;
	for (unsigned k = 0; k < 2 + NUM_ARCHS; k++) {
		uint32_t out[5] = {0}, sum = 0, rounds = 0, ends = 0;
		char why[1024];
		struct run_setup s = {.ptx = text,
		                      .arch = all_archs[k < 2 ? 0 : k - 2],
		                      .opt = k < 2 ? (int)k : 2,
		                      .grid = 1,
		                      .block = THREADS,
		                      .nbufs = 1,
		                      .buf = {{out, sizeof out}}};
		if (!run_ptx(&s, why, sizeof why))
			fail_msg("sm_%u -O%d: %s\n%s", (unsigned)s.arch, s.opt, why, text);
		for (uint32_t t = 0; t < THREADS; t++) {
			sum += (t + 1) * (t + 2) / 2;
			rounds += t + 1;
			ends += t + 1;
		}
		assert_int_equal(out[0], sum);
		assert_int_equal(out[1], THREADS);
		assert_int_equal(out[2], rounds);
		assert_int_equal(out[3], ends);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels), cmocka_unit_test(test_architectures),
	                                   cmocka_unit_test(test_loop)};
	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
