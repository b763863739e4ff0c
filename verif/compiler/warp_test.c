// SPDX-License-Identifier: Apache-2.0
/* warp_test.c -- kernels with threads that depend on each other: locks, contended atomics, votes and shuffles, early
 * returns, dynamic shared memory. Expected values follow from the purpose of the kernel, for any interleaving. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "run_ptx.h"

#define HEAD    ".version 8.0\n.target sm_75\n.address_size 64\n"
#define HEAD_80 ".version 8.0\n.target sm_80\n.address_size 64\n"
/* %me = thread of the CTA, %at = address of the thread's 8 bytes of `out` */
#define ENTRY                                                                                                          \
	".visible .entry k(.param .u64 out)\n{\n"                                                                      \
	".reg .pred %p<20>; .reg .b16 %h<9>; .reg .b32 %r<40>, %me; .reg .b64 %d<20>, %at, %base;\n"                   \
	"ld.param.u64 %base, [out];\nmov.u32 %me, %tid.x;\nmad.wide.u32 %at, %me, 8, %base;\n"

enum { Threads = 96 };

/* All levels on sm_75, the highest on other architectures, and none below `least`. */
static void run_from(enum wl_arch least, const char *body, const char *declarations, uint64_t out[Threads],
                     uint32_t dynamic)
{
	char text[8192], why[1024];
	snprintf(text, sizeof text, "%s%s%s%s%s", least == WL_SM75 ? HEAD : HEAD_80, declarations, ENTRY, body,
	         "\nret;\n}\n");
	for (unsigned k = 0; k < 2 + NUM_ARCHS; k++) {
		int opt = k < 2 ? (int)k : 2;
		if (all_archs[k < 2 ? 0 : k - 2] < least)
			continue;
		struct run_setup s = {.ptx = text,
		                      .arch = all_archs[k < 2 ? 0 : k - 2],
		                      .opt = opt,
		                      .grid = 1,
		                      .block = Threads,
		                      .nbufs = 1,
		                      .dynamic_shared = dynamic,
		                      .buf = {{out, Threads * sizeof *out}}};

		memset(out, 0, Threads * sizeof *out);
		if (!run_ptx(&s, why, sizeof why))
			fail_msg("sm_%u -O%d: %s\n%s", (unsigned)s.arch, opt, why, text);
	}
}

static void run(const char *body, const char *declarations, uint64_t out[Threads], uint32_t dynamic)
{
	run_from(WL_SM75, body, declarations, out, dynamic);
}

#define LOCK_VARS ".shared .align 8 .b8 box[16];\n"
#define CLEAR_BOX                                                                                                      \
	"setp.ne.s32 %p1, %me, 0;\n@%p1 bra READY;\n"                                                                  \
	"st.shared.u32 [box], 0;\nst.shared.u32 [box+4], 0;\nst.shared.u64 [box+8], 0;\nREADY:\nbar.sync 0;\n"

/* The critical section lies behind the loop: lanes must not wait for each other at the end of the loop. */
static void test_lock_behind(void **state)
{
	uint64_t out[Threads];
	(void)state;
	run(CLEAR_BOX "TRY:\natom.shared.cas.b32 %r1, [box], 0, 1;\nsetp.ne.s32 %p2, %r1, 0;\n@%p2 bra TRY;\n"
	              "membar.cta;\nld.shared.u32 %r2, [box+4];\nadd.s32 %r2, %r2, 1;\nst.shared.u32 [box+4], %r2;\n"
	              "membar.cta;\natom.shared.exch.b32 %r3, [box], 0;\nbar.sync 0;\n"
	              "ld.shared.u32 %r4, [box+4];\nst.global.u32 [%at], %r4;",
	    LOCK_VARS, out, 0);
	for (unsigned t = 0; t < Threads; t++)
		assert_int_equal(out[t], Threads);
}

/* The wait has a separate branch before the critical section: a ticket lock. */
static void test_ticket(void **state)
{
	uint64_t out[Threads];
	(void)state;
	run(CLEAR_BOX "atom.shared.add.u32 %r1, [box], 1;\nld.volatile.shared.u32 %r2, [box+4];\n"
	              "setp.eq.s32 %p2, %r1, %r2;\n@%p2 bra MINE;\n"
	              "WAIT:\nld.volatile.shared.u32 %r2, [box+4];\nsetp.ne.s32 %p3, %r1, %r2;\n@%p3 bra WAIT;\nMINE:\n"
	              "ld.shared.u64 %d1, [box+8];\nadd.s64 %d1, %d1, 1;\nst.shared.u64 [box+8], %d1;\n"
	              "membar.cta;\nadd.s32 %r3, %r1, 1;\nst.volatile.shared.u32 [box+4], %r3;\n"
	              "st.global.u64 [%at], %d1;",
	    LOCK_VARS, out, 0);
	for (unsigned t = 0; t < Threads; t++) { /* each count once */
		unsigned seen = 0;

		for (unsigned u = 0; u < Threads; u++)
			seen += out[u] == t + 1;
		assert_int_equal(seen, 1);
	}
}

/* The critical section lies inside the loop. */
static void test_lock_inside(void **state)
{
	uint64_t out[Threads];
	(void)state;
	run(CLEAR_BOX
	    "mov.u32 %r9, 0;\nTRY:\natom.shared.cas.b32 %r1, [box], 0, 1;\nsetp.ne.s32 %p2, %r1, 0;\n@%p2 bra ROUND;\n"
	    "ld.shared.u32 %r2, [box+4];\nadd.s32 %r2, %r2, %me;\nst.shared.u32 [box+4], %r2;\n"
	    "membar.cta;\natom.shared.exch.b32 %r3, [box], 0;\nmov.u32 %r9, 1;\n"
	    "ROUND:\nsetp.eq.s32 %p3, %r9, 0;\n@%p3 bra TRY;\nbar.sync 0;\n"
	    "ld.shared.u32 %r4, [box+4];\nst.global.u32 [%at], %r4;",
	    LOCK_VARS, out, 0);
	assert_int_equal(out[17], Threads * (Threads - 1) / 2);
}

/* 64-bit operations in shared memory, all threads on the same word, operations in turn. */
static void test_contended64(void **state)
{
	static const struct {
		const char *op;
		uint64_t start, want;
	} ops[] = {
	        {"add.u64", UINT64_C(0xfffffff0), UINT64_C(0xfffffff0) + (uint64_t)Threads * (Threads + 1) / 2 * 3},
	        {"min.u64", UINT64_MAX, 3},
	        {"max.u64", 0, 3 * Threads},
	        {"min.s64", 5, 3},
	        {"max.s64", UINT64_C(0x8000000000000000), 3 * Threads},
	        {"and.b64", UINT64_MAX, 0},
	        {"or.b64", UINT64_C(0x100000000), UINT64_C(0x1000001ff)},
	};
	uint64_t out[Threads];

	(void)state;
	for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++) {
		char body[2048];
		snprintf(body, sizeof body,
		         ".local .align 8 .b8 own[16];\nmov.u64 %%d1, 0x%llx;\nst.shared.u64 [box+8], %%d1;\nbar.sync "
		         "0;\nadd.s32 %%r1, %%me, 1;\n"
		         "mul.wide.u32 %%d2, %%r1, 3;\natom.shared.%s %%d3, [box+8], %%d2;\nbar.sync 0;\n"
		         "ld.shared.u64 %%d4, [box+8];\nst.global.u64 [%%at], %%d4;\n",
		         (unsigned long long)ops[i].start, ops[i].op);
		run(body, LOCK_VARS, out, 0);
		if (out[40] != ops[i].want)
			fail_msg("atom.shared.%s: found 0x%llx, expected 0x%llx", ops[i].op,
			         (unsigned long long)out[40], (unsigned long long)ops[i].want);
	}
}

/* Under a guard, and with an unused result. */
static void test_guarded_loop(void **state)
{
	uint64_t out[Threads];
	(void)state;
	run(CLEAR_BOX
	    "and.b32 %r1, %me, 3;\nsetp.eq.s32 %p2, %r1, 1;\nmov.u64 %d1, 77;\n"
	    "@%p2 atom.shared.add.u64 %d1, [box+8], 1;\n@!%p2 red.shared.add.u64 [box+8], 0x100000000;\nbar.sync 0;\n"
	    "ld.shared.u64 %d2, [box+8];\nsetp.eq.s64 %p3, %d1, 77;\nselp.u64 %d3, 1, 0, %p3;\n"
	    "shl.b64 %d3, %d3, 63;\nor.b64 %d2, %d2, %d3;\nst.global.u64 [%at], %d2;",
	    LOCK_VARS, out, 0);
	for (unsigned t = 0; t < Threads; t++) {
		uint64_t sum = (uint64_t)(Threads / 4 * 3) << 32 | Threads / 4;
		/* no old value can be 77 by counting: fewer additions of 1 exist */
		assert_true(out[t] == (t % 4 == 1 ? sum : sum | UINT64_C(1) << 63));
	}
}

static void test_votes(void **state)
{
	uint64_t out[Threads];
	(void)state;
	run("and.b32 %r1, %me, 1;\nsetp.eq.s32 %p1, %r1, 1;\nvote.sync.ballot.b32 %r2, %p1, 0xffffffff;\n"
	    "vote.sync.any.pred %p2, %p1, -1;\nvote.sync.all.pred %p3, %p1, -1;\nsetp.lt.u32 %p4, %me, 1000;\n"
	    "vote.sync.all.pred %p5, %p4, -1;\nvote.sync.uni.pred %p6, %p1, -1;\nvote.sync.uni.pred %p7, !%p4, -1;\n"
	    "and.b32 %r9, %me, 31;\nsetp.lt.u32 %p8, %r9, 16;\nmov.u32 %r3, 0;\n@!%p8 bra NEXT;\n"
	    "vote.sync.ballot.b32 %r3, %p1, 0xffff;\nNEXT:\nselp.u32 %r4, 1, 0, %p2;\nselp.u32 %r5, 2, 0, %p3;\n"
	    "selp.u32 %r6, 4, 0, %p5;\nselp.u32 %r7, 8, 0, %p6;\nselp.u32 %r8, 16, 0, %p7;\nor.b32 %r4, %r4, %r5;\n"
	    "or.b32 %r4, %r4, %r6;\nor.b32 %r4, %r4, %r7;\nor.b32 %r4, %r4, %r8;\nadd.s32 %r4, %r4, %r3;\n"
	    "st.global.u32 [%at], %r2;\nst.global.u32 [%at+4], %r4;",
	    "", out, 0);
	for (unsigned t = 0; t < Threads; t++) {
		assert_int_equal((uint32_t)out[t], 0xaaaaaaaa);
		assert_int_equal(out[t] >> 32, (1 | 4 | 16) + (t % 32 < 16 ? 0xaaaa : 0));
	}
}

/* In a branch of the odd lanes, with masks that differ between lanes: lanes of equal remainder by 3. */
static void test_masks_apart(void **state)
{
	uint64_t out[Threads];
	(void)state;
	run_from(WL_SM80,
	         "and.b32 %r1, %me, 1;\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra END;\nactivemask.b32 %r2;\n"
	         "rem.u32 %r3, %me, 3;\nmatch.any.sync.b32 %r4, %r3, %r2;\nredux.sync.add.s32 %r5, %me, %r4;\n"
	         "redux.sync.max.u32 %r6, %me, %r4;\nsetp.ne.u32 %p2, %r3, 1;\nvote.sync.all.pred %p3, %p2, %r4;\n"
	         "and.b32 %r7, %me, 2;\nsetp.ne.u32 %p4, %r7, 0;\nvote.sync.ballot.b32 %r8, %p4, %r4;\n"
	         "brev.b32 %r9, %r4;\nclz.b32 %r9, %r9;\nshfl.sync.idx.b32 %r10, %me, %r9, 31, %r4;\n"
	         "shl.b32 %r5, %r5, 16;\nshl.b32 %r6, %r6, 8;\nselp.u32 %r11, 128, 0, %p3;\nor.b32 %r5, %r5, %r6;\n"
	         "or.b32 %r5, %r5, %r11;\nor.b32 %r5, %r5, %r10;\nst.global.u32 [%at], %r5;\n"
	         "st.global.u32 [%at+4], %r8;\nEND:",
	         "", out, 0);
	for (uint32_t t = 0; t < Threads; t++) {
		uint32_t sum = 0, most = 0, least = UINT32_MAX, twos = 0;
		for (uint32_t u = t / 32 * 32 + 1; u < t / 32 * 32 + 32; u += 2) {
			if (u % 3 != t % 3)
				continue;
			sum += u;
			most = u;
			least = least < u ? least : u;
			twos |= (u >> 1 & 1) << u % 32;
		}
		const uint32_t low = sum << 16 | most << 8 | (t % 3 != 1) << 7 | least;
		assert_int_equal(out[t], t & 1 ? (uint64_t)twos << 32 | low : 0);
	}
}

static void test_shuffles(void **state)
{
	uint64_t out[Threads];
	(void)state;
	run("mul.lo.s32 %r1, %me, 10;\nshfl.sync.up.b32 %r2|%p1, %r1, 1, 0, -1;\nshfl.sync.bfly.b32 %r3, %r1, 5, 31, "
	    "-1;\n"
	    "shfl.sync.idx.b32 %r4, %r1, 7, 31, -1;\nselp.u32 %r5, 1, 0, %p1;\nadd.s32 %r6, %r3, %r4;\nshl.b32 %r6, "
	    "%r6, 1;\n"
	    "or.b32 %r6, %r6, %r5;\nst.global.u32 [%at], %r2;\nst.global.u32 [%at+4], %r6;",
	    "", out, 0);
	for (unsigned t = 0; t < Threads; t++) {
		assert_int_equal((uint32_t)out[t], t % 32 ? 10 * (t - 1) : 10 * t);
		assert_int_equal(out[t] >> 32, 2 * (10 * (t ^ 5) + 10 * (t / 32 * 32 + 7)) + (t % 32 != 0));
	}
}

/* Every lane gets the literal, and the predicate tells whether the source is a lane. */
static void test_shuffled_literals(void **state)
{
	uint64_t out[Threads];
	(void)state;
	run("shfl.sync.idx.b32 %r1|%p1, 77, 3, 31, -1;\nshfl.sync.bfly.b32 %r2, 55, 1, 31, -1;\n"
	    "selp.u32 %r3, 0x100, 0, %p1;\nor.b32 %r1, %r1, %r3;\nst.global.u32 [%at], %r1;\n"
	    "st.global.u32 [%at+4], %r2;",
	    "", out, 0);
	for (unsigned t = 0; t < Threads; t++)
		assert_int_equal(out[t], UINT64_C(55) << 32 | 0x100 | 77);
}

static unsigned count(const struct wl_program *p, enum wl_uop uop)
{
	unsigned n = 0;
	for (uint32_t i = 0; i < p->ninst; i++)
		n += p->insts[i].uop == uop;
	return n;
}

/* Lanes that may come apart wait for the lanes of the mask. */
static void test_waits_apart(void **state)
{
	static const char *const operation[] = {"shfl.sync.down.b32 %r1, %me, 1, 31, 0xffff",
	                                        "vote.sync.ballot.b32 %r1, %p2, 0xffff",
	                                        "match.any.sync.b32 %r1, %me, 0xffff"};
	static const char begin[] = HEAD ENTRY "and.b32 %r2, %me, 31;\nsetp.lt.u32 %p1, %r2, 16;\n"
	                                       "setp.ne.u32 %p2, %r2, 3;\nmov.u32 %r1, 0;\n@!%p1 bra OUT;\n";
	(void)state;
	for (unsigned i = 0; i < sizeof operation / sizeof *operation; i++)
		for (unsigned a = 0; a < NUM_ARCHS; a++) {
			char text[2048], why[1024];
			struct wl_program p;
			snprintf(text, sizeof text, "%s%s;\nOUT:\nst.global.u32 [%%at], %%r1;\nret;\n}\n", begin,
			         operation[i]);
			if (!build_ptx(text, all_archs[a], 2, &p, why, sizeof why))
				fail_msg("%s", why);
			assert_int_equal(count(&p, WL_UOP_WARPSYNC), 1);
			wl_program_free(&p);
		}
}

/* Half of the lanes leave early; the rest meets again. */
static void test_early_return(void **state)
{
	uint64_t out[Threads];
	(void)state;
	run("and.b32 %r1, %me, 2;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra GO;\nst.global.u32 [%at], 1;\nret;\nGO:\n"
	    "and.b32 %r2, %me, 1;\nsetp.eq.s32 %p2, %r2, 0;\nmov.u32 %r3, 5;\n@%p2 bra EVEN;\nmov.u32 %r3, 7;\nEVEN:\n"
	    "activemask.b32 %r4;\nst.global.u32 [%at], %r3;\nst.global.u32 [%at+4], %r4;",
	    "", out, 0);
	for (unsigned t = 0; t < Threads; t++) {
		assert_int_equal((uint32_t)out[t], t & 2 ? (t & 1 ? 7 : 5) : 1);
		if (t & 2)
			assert_int_equal(out[t] >> 32, 0xcccccccc); /* all lanes without return are together again */
	}
}

static void test_dynamic_shared(void **state)
{
	uint64_t out[Threads];
	(void)state;
	run("mov.u32 %r1, rest;\nshl.b32 %r2, %me, 3;\nadd.s32 %r3, %r1, %r2;\nst.shared.v2.u32 [%r3], {%me, %r2};\n"
	    "st.shared.u32 [box], 1;\nbar.sync 0;\nxor.b32 %r4, %r2, 8;\nadd.s32 %r5, %r1, %r4;\nld.shared.u64 %d1, "
	    "[%r5];\n"
	    "st.global.u64 [%at], %d1;",
	    LOCK_VARS ".extern .shared .align 16 .b8 rest[];\n", out, 8 * Threads);
	for (unsigned t = 0; t < Threads; t++)
		assert_int_equal(out[t], (t ^ 1) | (uint64_t)(8 * (t ^ 1)) << 32);
}

static void test_global_atomics(void **state)
{
	uint64_t out[Threads];
	(void)state;
	run("atom.global.add.u64 %d1, [%base], 3;\nred.global.max.u32 [%base+8], %me;\nred.global.or.b64 [%base+16], "
	    "0x10000000001;\n"
	    "setp.ne.s32 %p1, %me, 9;\n@%p1 bra END;\natom.global.cas.b64 %d2, [%base+24], 0, 0x123456789a;\n"
	    "atom.global.exch.b32 %r1, [%base+32], 4;\nEND:\n",
	    "", out, 0);
	assert_int_equal(out[0], 3 * Threads);
	assert_int_equal(out[1], Threads - 1);
	assert_int_equal(out[2], 0x10000000001);
	assert_int_equal(out[3], 0x123456789a);
	assert_int_equal(out[4], 4);
}

/* Reductions at a barrier, number and thread count as literals and in registers. */
static void test_barrier_reductions(void **state)
{
	uint64_t out[Threads];
	(void)state;
	run("and.b32 %r1, %me, 3;\nsetp.eq.s32 %p1, %r1, 1;\nsetp.lt.s32 %p2, %me, 1000;\nmov.u32 %r2, %ntid.x;\n"
	    "shr.u32 %r3, %r2, 5;\nbar.red.popc.u32 %r4, 0, %p1;\nbar.red.popc.u32 %r5, 1, 96, !%p1;\n"
	    "bar.red.popc.u32 %r6, %r3, %r2, %p2;\nbar.red.or.pred %p3, 2, %p1;\nbar.red.and.pred %p4, 2, %p1;\n"
	    "bar.red.and.pred %p5, %r3, 96, %p2;\nselp.u32 %r7, 1, 0, %p3;\nselp.u32 %r8, 2, 0, %p4;\n"
	    "selp.u32 %r9, 4, 0, %p5;\nor.b32 %r7, %r7, %r8;\nor.b32 %r7, %r7, %r9;\nmad.lo.s32 %r4, %r4, 256, %r5;\n"
	    "mad.lo.s32 %r4, %r4, 256, %r6;\nmad.lo.s32 %r4, %r4, 8, %r7;\nst.global.u32 [%at], %r4;",
	    "", out, 0);
	for (unsigned t = 0; t < Threads; t++)
		assert_int_equal(out[t], ((24 * 256 + 72) * 256 + 96) * 8 + 5);
}

static void test_match(void **state)
{
	uint64_t out[Threads];
	(void)state;
	run("and.b32 %r1, %me, 31;\nshr.u32 %r2, %r1, 3;\ncvt.u64.u32 %d1, %r2;\nshl.b64 %d1, %d1, 40;\n"
	    "match.any.sync.b32 %r3, %r2, 0xffffffff;\nmatch.any.sync.b64 %r4, %d1, 0xffffffff;\n"
	    "xor.b32 %r5, %r3, %r4;\nmatch.all.sync.b32 %r6|%p1, %r2, 0xffffffff;\n"
	    "match.all.sync.b32 %r7|%p2, %r5, 0xffffffff;\nselp.u32 %r8, 4, 0, %p1;\nselp.u32 %r9, 2, 0, %p2;\n"
	    "or.b32 %r5, %r5, %r6;\nor.b32 %r5, %r5, %r8;\nor.b32 %r5, %r5, %r9;\nnot.b32 %r7, %r7;\n"
	    "or.b32 %r5, %r5, %r7;\nmov.b64 %d2, {%r3, %r5};\nst.global.u64 [%at], %d2;",
	    "", out, 0);
	for (unsigned t = 0; t < Threads; t++)
		assert_int_equal(out[t], UINT64_C(0x200000000) | (uint64_t)0xff << (t % 32 / 8 * 8));
}

/* An atomic at addresses with another space in each lane: global, shared and local memory, as far as NVIDIA's code
 * supports local memory: not for 32-bit integers. */
static void test_generic_atomics(void **state)
{
	static const struct {
		const char *op, *type;
		uint64_t start, operand, shared, local;
	} ops[] = {
	        {"add.u32", "u32", 5, 3, 5 + 3 * 32, 8},
	        {"add.u64", "u64", UINT64_C(0xffffffff), 3, UINT64_C(0xffffffff) + 3 * 32, UINT64_C(0x100000002)},
	        {"max.u64", "u64", 5, UINT64_C(1) << 40, UINT64_C(1) << 40, UINT64_C(1) << 40},
	        {"xor.b64", "b64", UINT64_C(7) << 33, UINT64_C(3) << 33, UINT64_C(7) << 33, UINT64_C(4) << 33},
	        {"add.f32", "u32", 0x3f800000, 0x3f000000, 0x41880000, 0x3fc00000},
	        {"add.f64", "u64", 0x3ff0000000000000, 0x3fe0000000000000, 0x4031000000000000, 0x3ff8000000000000},
	        {"add.noftz.f16x2", "u32", 0x3c003c00, 0x3c003800, 0x50204c40, 0x40003e00},
	};
	uint64_t out[Threads];

	(void)state;
	for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++) {
		char body[2048];
		bool wide = strchr(ops[i].type, '6') != NULL;
		snprintf(body, sizeof body,
		         ".local .align 8 .b8 own[16];\nmov.u64 %%d1, 0x%llx;\nmov.u64 %%d2, 0x%llx;\ncvt.u32.u64 "
		         "%%r1, %%d2;\n"
		         "st.shared.u64 [box], %%d1;\nst.local.u64 [own], %%d1;\nst.global.u64 [%%at], %%d1;\n"
		         "mov.u64 %%d3, box;\ncvta.shared.u64 %%d3, %%d3;\nmov.u64 %%d4, own;\n"
		         "cvta.local.u64 %%d4, %%d4;\n%sshr.u32 %%r2, %%me, 5;\nsetp.eq.s32 %%p1, %%r2, 0;\n"
		         "setp.eq.s32 %%p2, %%r2, 1;\nselp.b64 %%d5, %%d3, %%d4, %%p1;\n"
		         "selp.b64 %%d5, %%at, %%d5, %%p2;\nbar.sync 0;\natom.%s %%%s, [%%d5], %%%s;\nbar.sync 0;\n"
		         "ld.u64 %%d6, [%%d5];\nst.global.u64 [%%at], %%d6;",
		         (unsigned long long)ops[i].start, (unsigned long long)ops[i].operand,
		         i == 0 ? "mov.u64 %d4, %at;\n" : "", ops[i].op, wide ? "d9" : "r9", wide ? "d2" : "r1");
		run(body, ".shared .align 8 .b8 box[16];\n", out, 0);
		for (unsigned t = 0; t < Threads; t++)
			assert_int_equal(out[t], t < 32 ? ops[i].shared : ops[i].local);
	}
}

/* The other 16 bits of the word stay as other threads leave them. */
static void test_halfword_atomics(void **state)
{
	uint64_t out[Threads];
	(void)state;
	run(CLEAR_BOX "mov.u32 %r2, box;\nand.b32 %r3, %me, 1;\nshl.b32 %r3, %r3, 1;\nadd.s32 %r2, %r2, %r3;\n"
	              "TRY:\nld.volatile.shared.u16 %r4, [%r2];\nadd.s32 %r5, %r4, 1;\ncvt.u16.u32 %h1, %r4;\n"
	              "cvt.u16.u32 %h2, %r5;\natom.shared.cas.b16 %h3, [%r2], %h1, %h2;\nsetp.ne.s16 %p2, %h3, %h1;\n"
	              "@%p2 bra TRY;\nmov.b16 %h4, 0x3c00;\natom.shared.add.noftz.f16 %h5, [box+6], %h4;\nbar.sync 0;\n"
	              "ld.shared.u64 %d1, [box];\nst.global.u64 [%at], %d1;",
	    ".shared .align 8 .b8 box[16];\n", out, 0);
	for (unsigned t = 0; t < Threads; t++)
		assert_int_equal(out[t], UINT64_C(0x5600000000300030));
}

/* Member masks that differ between lanes: four separate groups of lanes, with all lanes together and with lanes
 * coming apart. */
static void test_member_masks(void **state)
{
	static const char *const ways[] = {"",
	                                   "setp.lt.u32 %p19, %r9, 2;\n@%p19 bra HERE;\nxor.b32 %r1, %r1, 0;\nHERE:\n"};
	uint64_t out[Threads];
	(void)state;
	for (unsigned w = 0; w < 2; w++) {
		char body[2048];
		snprintf(body, sizeof body,
		         "and.b32 %%r9, %%me, 3;\nmov.u32 %%r1, 0x11111111;\nshl.b32 %%r1, %%r1, %%r9;\n%s"
		         "and.b32 %%r2, %%me, 4;\nsetp.ne.u32 %%p1, %%r2, 0;\nsetp.ne.u32 %%p2, %%r9, 3;\n"
		         "vote.sync.ballot.b32 %%r3, %%p1, %%r1;\nvote.sync.all.pred %%p3, %%p2, %%r1;\n"
		         "vote.sync.any.pred %%p4, !%%p2, %%r1;\nvote.sync.uni.pred %%p5, %%p1, %%r1;\n"
		         "match.any.sync.b32 %%r4, %%r2, %%r1;\nmatch.all.sync.b32 %%r5|%%p6, %%r9, %%r1;\n"
		         "shfl.sync.idx.b32 %%r6, %%me, %%r9, 31, %%r1;\nbar.warp.sync %%r1;\n"
		         "selp.u32 %%r7, 1, 0, %%p3;\nselp.u32 %%r8, 2, 0, %%p4;\nor.b32 %%r7, %%r7, %%r8;\n"
		         "selp.u32 %%r8, 4, 0, %%p5;\nor.b32 %%r7, %%r7, %%r8;\nselp.u32 %%r8, 8, 0, %%p6;\n"
		         "or.b32 %%r7, %%r7, %%r8;\nshl.b32 %%r6, %%r6, 4;\nor.b32 %%r7, %%r7, %%r6;\n"
		         "xor.b32 %%r4, %%r4, %%r5;\nshl.b32 %%r4, %%r4, 12;\nxor.b32 %%r7, %%r7, %%r4;\n"
		         "mov.b64 %%d1, {%%r3, %%r7};\nst.global.u64 [%%at], %%d1;",
		         ways[w]);
		run(body, "", out, 0);
		for (unsigned t = 0; t < Threads; t++) {
			uint32_t group = 0x11111111u << (t % 4), upper = group & 0xf0f0f0f0;
			uint32_t same = t & 4 ? upper : group & 0x0f0f0f0f;
			uint32_t bits = (t % 4 != 3 ? 1 : 2) | 8 | (t / 32 * 32 + t % 4) << 4;
			assert_int_equal((uint32_t)out[t], upper);
			assert_int_equal(out[t] >> 32, bits ^ (same ^ group) << 12);
		}
	}
}

/* Reductions and elections, on the architectures with the instruction. */
static void test_redux(void **state)
{
	static const char body[] = "and.b32 %r9, %me, 3;\nmov.u32 %r1, 0x11111111;\nshl.b32 %r1, %r1, %r9;\n"
	                           "sub.s32 %r2, %me, 40;\nredux.sync.add.s32 %r3, %r2, -1;\n"
	                           "redux.sync.min.s32 %r4, %r2, %r1;\nredux.sync.max.u32 %r5, %r2, %r1;\n"
	                           "redux.sync.xor.b32 %r6, %r2, %r1;\nxor.b32 %r5, %r5, %r4;\n"
	                           "mad.lo.s32 %r6, %r6, 7, %r5;\n";
	(void)state;
	for (unsigned k = 1; k < NUM_ARCHS; k++) {
		uint64_t out[Threads] = {0};
		bool elects = all_archs[k] >= WL_SM90;
		char text[8192], why[1024];
		struct run_setup s = {.ptx = text,
		                      .arch = all_archs[k],
		                      .opt = 2,
		                      .grid = 1,
		                      .block = Threads,
		                      .nbufs = 1,
		                      .buf = {{out, sizeof out}}};
		snprintf(text, sizeof text, ".version 9.0\n.target sm_%u\n.address_size 64\n%s%s%s%s",
		         (unsigned)all_archs[k], ENTRY, body,
		         elects ? "elect.sync %r7|%p1, %r1;\nselp.u32 %r8, 64, 0, %p1;\nadd.s32 %r8, %r8, %r7;\n"
		                  "add.s32 %r6, %r6, %r8;\n"
		                : "",
		         "mov.b64 %d1, {%r3, %r6};\nst.global.u64 [%at], %d1;\nret;\n}\n");
		if (!run_ptx(&s, why, sizeof why))
			fail_msg("sm_%u: %s\n%s", (unsigned)s.arch, why, text);
		for (unsigned t = 0; t < Threads; t++) {
			int32_t sum = 0, least = INT32_MAX;
			uint32_t most = 0, odd = 0;
			for (unsigned u = t / 32 * 32; u < t / 32 * 32 + 32; u++) {
				int32_t v = (int32_t)u - 40;
				sum += v;
				if (u % 4 != t % 4)
					continue;
				least = v < least ? v : least;
				most = (uint32_t)v > most ? (uint32_t)v : most;
				odd ^= (uint32_t)v;
			}
			odd = odd * 7 + (most ^ (uint32_t)least);
			if (elects)
				odd += t % 4 + (t % 32 == t % 4 ? 64 : 0);
			assert_int_equal((uint32_t)out[t], (uint32_t)sum);
			assert_int_equal(out[t] >> 32, odd);
		}
	}
}

/* Both results come by way of the same uniform register: the choice takes the first before the second is made. */
static void test_redux_chosen(void **state)
{
	uint64_t out[Threads];
	(void)state;
	run_from(WL_SM80,
	         "and.b32 %r1, %me, 1;\nsetp.eq.u32 %p1, %r1, 0;\nredux.sync.add.u32 %r2, %me, -1;\n"
	         "redux.sync.max.u32 %r3, %me, -1;\nselp.u32 %r4, %r2, %r3, %p1;\nst.global.u32 [%at], %r4;",
	         "", out, 0);
	for (unsigned t = 0; t < Threads; t++) {
		const unsigned first = t / 32 * 32;
		assert_int_equal(out[t], t % 2 ? first + 31 : 32 * first + 496);
	}
}

/* Results that differ from lane to lane though the operands do not: one lane must not add for all. */
static void test_results_by_lane(void **state)
{
#define SUM_OF(reg)                                                                                                    \
	"red.shared.add.u32 [box+16], " reg ";\nbar.sync 0;\nld.shared.u32 %r9, [box+16];\nst.global.u32 [%at], %r9;"
	static const char *const bodies[] = {
	        "setp.ne.s32 %p1, %me, 0;\n@%p1 bra READY;\nst.shared.v4.u32 [box], {%r1, %r1, %r1, %r1};\n"
	        "st.shared.u32 [box+4], 100;\nst.shared.u32 [box+16], 0;\nREADY:\nbar.sync 0;\n"
	        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r3];\n" SUM_OF("%r2"),
	        "setp.ne.s32 %p1, %me, 0;\n@%p1 bra READY;\nst.shared.u32 [box+16], 0;\nREADY:\nbar.sync 0;\n"
	        "and.b32 %r2, %me, 1;\nsetp.eq.u32 %p2, %r2, 0;\nalloca.u64 %d1, 16;\n@%p2 bra SMALL;\n"
	        "alloca.u64 %d2, 256;\nst.local.u32 [%d2], %me;\nSMALL:\nalloca.u64 %d3, 16;\n"
	        "sub.u64 %d4, %d1, %d3;\ncvt.u32.u64 %r2, %d4;\n" SUM_OF("%r2"),
	        "setp.ne.s32 %p1, %me, 0;\n@%p1 bra READY;\nst.shared.u32 [box+16], 0;\nREADY:\nbar.sync 0;\n"
	        "and.b32 %r2, %me, 1;\nsetp.eq.u32 %p2, %r2, 0;\nstacksave.u64 %d1;\n@%p2 bra SMALL;\n"
	        "alloca.u64 %d2, 256;\nst.local.u32 [%d2], %me;\nSMALL:\nstacksave.u64 %d3;\n"
	        "sub.u64 %d4, %d1, %d3;\ncvt.u32.u64 %r2, %d4;\n" SUM_OF("%r2"),
	};
	static const uint32_t sums[] = {Threads / 4 * (3 + 100), Threads / 2 * (16 + 272), Threads / 2 * 256};
	uint64_t out[Threads];
	char body[2048];
	(void)state;
	for (unsigned k = 0; k < sizeof bodies / sizeof *bodies; k++) {
		snprintf(body, sizeof body, "mov.u32 %%r1, 1;\nmov.u32 %%r3, box;\n%s", bodies[k]);
		run(body, ".shared .align 16 .b8 box[32];\n", out, 0);
		for (unsigned t = 0; t < Threads; t++)
			assert_int_equal(out[t], sums[k]);
	}
}

/* The return reads the results: an atomic straight into a result has a reader. The caller writes the parameters: a literal
 * written later is not the value before. */
static void test_functions(void **state)
{
	static const char functions[] =
	        ".shared .align 8 .b8 box[16];\n"
	        ".func (.reg .b32 %o, .reg .b32 %m) count(.reg .b64 %at, .reg .b32 %mask, .reg .pred %q)\n{\n"
	        ".reg .pred %p;\n.reg .b32 %t;\nmov.u32 %m, 0;\n@%q vote.sync.ballot.b32 %m, %q, %mask;\n"
	        "mov.u32 %mask, 0xffffffff;\nsetp.ne.u32 %q, 0, 0;\natom.global.add.u32 %o, [%at], %mask;\nret;\n}\n"
	        ".func (.reg .b64 %o) swap(.reg .b64 %at, .reg .b64 %v)\n{\n"
	        "atom.global.exch.b64 %o, [%at], %v;\nret;\n}\n";
	uint64_t out[Threads];
	(void)state;
	run("add.u32 %r1, %me, 1000;\nst.global.u32 [%at], %r1;\nand.b32 %r2, %me, 31;\nsetp.lt.u32 %p1, %r2, 7;\n"
	    "call (%r3, %r4), count, (%at, 0x7f, %p1);\nmov.b64 %d1, {%r4, %r3};\n"
	    "call (%d2), swap, (%at, %d1);\ncvt.u32.u64 %r5, %d2;\nst.global.u32 [%at], %r5;\n"
	    "bar.warp.sync -1;\nadd.u32 %r3, %r3, %r4;\nst.global.u32 [%at+4], %r3;",
	    functions, out, 0);
	for (unsigned t = 0; t < Threads; t++) {
		assert_int_equal((uint32_t)out[t], 999 + t);
		assert_int_equal(out[t] >> 32, 1000 + t + (t % 32 < 7 ? 0x7f : 0));
	}
}

/* Of floats, by groups of lanes and of all lanes: lane numbers with signs, and some NaN. */
static void test_redux_floats(void **state)
{
	static const char body[] = "and.b32 %r9, %me, 3;\nmov.u32 %r1, 0x11111111;\nshl.b32 %r1, %r1, %r9;\n"
	                           "sub.s32 %r2, %me, 40;\ncvt.rn.f32.s32 %f1, %r2;\nsetp.eq.s32 %p1, %r9, 2;\n"
	                           "@%p1 mov.f32 %f1, 0f7FC12345;\n"
	                           "redux.sync.min.f32 %f2, %f1, -1;\nredux.sync.max.abs.f32 %f3, %f1, %r1;\n"
	                           "redux.sync.max.NaN.f32 %f4, %f1, %r1;\nmov.b32 %r3, %f2;\nmov.b32 %r4, %f3;\n"
	                           "mov.b32 %r5, %f4;\nxor.b32 %r3, %r3, %r5;\nmov.b64 %d1, {%r3, %r4};\n"
	                           "st.global.u64 [%at], %d1;\nret;\n}\n";
	uint64_t out[Threads] = {0};
	char text[8192], why[1024];
	struct run_setup s = {.ptx = text,
	                      .arch = WL_SM100,
	                      .opt = 2,
	                      .grid = 1,
	                      .block = Threads,
	                      .nbufs = 1,
	                      .buf = {{out, sizeof out}}};
	(void)state;
	snprintf(text, sizeof text, ".version 9.0\n.target sm_100a\n.address_size 64\n%s.reg .f32 %%f<5>;\n%s", ENTRY,
	         body);
	if (!run_ptx(&s, why, sizeof why))
		fail_msg("%s\n%s", why, text);
	for (unsigned t = 0; t < Threads; t++) {
		const bool none = t % 4 == 2;
		float least = 1000, wide = 0, most = -1000;
		uint32_t least_bits, wide_bits, most_bits;
		for (unsigned u = t / 32 * 32; u < t / 32 * 32 + 32; u++) {
			const float v = (float)u - 40;
			least = u % 4 != 2 && v < least ? v : least;
			if (u % 4 != t % 4)
				continue;
			wide = v > wide ? v : -v > wide ? -v : wide;
			most = v > most ? v : most;
		}
		memcpy(&least_bits, &least, 4);
		memcpy(&wide_bits, &wide, 4);
		memcpy(&most_bits, &most, 4);
		assert_int_equal((uint32_t)out[t], least_bits ^ (none ? 0x7fffffff : most_bits));
		assert_int_equal(out[t] >> 32, none ? 0x7fffffff : wide_bits);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_lock_behind),
	        cmocka_unit_test(test_ticket),
	        cmocka_unit_test(test_lock_inside),
	        cmocka_unit_test(test_contended64),
	        cmocka_unit_test(test_guarded_loop),
	        cmocka_unit_test(test_votes),
	        cmocka_unit_test(test_masks_apart),
	        cmocka_unit_test(test_shuffles),
	        cmocka_unit_test(test_early_return),
	        cmocka_unit_test(test_shuffled_literals),
	        cmocka_unit_test(test_waits_apart),
	        cmocka_unit_test(test_dynamic_shared),
	        cmocka_unit_test(test_global_atomics),
	        cmocka_unit_test(test_barrier_reductions),
	        cmocka_unit_test(test_match),
	        cmocka_unit_test(test_generic_atomics),
	        cmocka_unit_test(test_halfword_atomics),
	        cmocka_unit_test(test_member_masks),
	        cmocka_unit_test(test_redux),
	        cmocka_unit_test(test_redux_chosen),
	        cmocka_unit_test(test_results_by_lane),
	        cmocka_unit_test(test_functions),
	        cmocka_unit_test(test_redux_floats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
