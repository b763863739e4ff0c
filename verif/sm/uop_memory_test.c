// SPDX-License-Identifier: Apache-2.0
/* uop_memory_test.c -- sizes, signs, scales and operations of accesses to shared and local memory, and the forms of an
 * address, one instruction each. Every lane has 16 bytes of its own. The test compares the state after the instruction
 * with the instruction's effect on these bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../cmodel/sm/gpu.h"
#include "kernel.h"

/* R0 lane, R1 16 * lane, R4..R7 the lane's bytes before, R10..R13 operands, R20 all ones; R8, R9 results; R16..R19 the
 * bytes afterwards. B is R10:R11, in odd lanes equal to memory. C is R12:R13. */
#define BEFORE                                                                                                         \
	"S2R R0, SR_LANEID\nSHF.L.U32 R1, R0, 0x4, RZ\nMOV R20, 0x1010101\nMOV R8, 0x55555555\nMOV R9, 0x66666666\n"   \
	"IMAD R4, R0, R20, RZ\nLOP3.LUT R4, R4, 0x80c1a2f3, RZ, 0x3c, !PT\n"                                           \
	"LOP3.LUT R5, R4, 0x9254f8e1, RZ, 0x3c, !PT\nLOP3.LUT R6, R5, 0x1357ace0, RZ, 0x3c, !PT\n"                     \
	"LOP3.LUT R7, R6, 0xfedc1234, RZ, 0x3c, !PT\nLOP3.LUT R2, R0, 0x1, RZ, 0xc0, !PT\n"                            \
	"ISETP.NE.AND P0, PT, R2, RZ, PT\nLOP3.LUT R10, R4, 0x11, RZ, 0x3c, !PT\nMOV R11, R5\n"                        \
	"SEL R10, R4, R10, P0\nLOP3.LUT R12, R4, 0x5a5aa5a5, RZ, 0x3c, !PT\n"                                          \
	"LOP3.LUT R13, R5, 0xf00f0ff0, RZ, 0x3c, !PT\nMOV R20, 0xffffffff\n"

struct lane {
	uint32_t is[4], b[2], c[2], result[2], after[4];
};
static struct lane lanes[32];
static bool native; /* ATOMSN is known */

static void run(enum wl_arch arch, const char *space, const char *instruction)
{
	char text[2000];
	struct kernel k;
	snprintf(text, sizeof text, BEFORE "ST%s.128 [R1], R4\n%s\nLD%s.128 R16, [R1]\nEXIT\n", space, instruction,
	         space);
	kernel_init_for(&k, arch, text);
	k.config.native = native;
	k.prog.shared_bytes = k.prog.local_bytes = 32 * 16 + 16;
	if (kernel_run(&k) != WL_ENDED)
		fail_msg("sm_%d: %s: %s", (int)arch, instruction, k.detail);
	const lane_row *r = gpu_regs(k.gpu, 0, 0);
	for (unsigned i = 0; i < 32; i++) {
		for (unsigned w = 0; w < 4; w++) {
			lanes[i].is[w] = r[4 + w][i];
			lanes[i].after[w] = r[16 + w][i];
		}
		if (r[10][i] != (i % 2 ? r[4][i] : r[4][i] ^ 0x11) || r[11][i] != r[5][i])
			fail_msg("sm_%d: %s: lane %u: R10:R11 are not what they were", (int)arch, instruction, i);
		for (unsigned w = 0; w < 2; w++) {
			lanes[i].b[w] = r[10 + w][i];
			lanes[i].c[w] = r[12 + w][i];
			lanes[i].result[w] = r[8 + w][i];
		}
	}
	kernel_free(&k);
}

static void same(enum wl_arch arch, const char *text, unsigned lane, const char *what, uint32_t found, uint32_t want)
{
	if (found != want)
		fail_msg("sm_%d: %s: lane %u: %s 0x%08x, expected 0x%08x", (int)arch, text, lane, what, found, want);
}

static const enum wl_arch archs[] = {WL_SM75, WL_SM80, WL_SM90, WL_SM100, WL_SM120};
enum { ARCHS = sizeof archs / sizeof archs[0] };

/* ---- loads and stores ---- */

static uint64_t loaded(const struct lane *l, unsigned at, unsigned bytes, bool sign)
{
	uint64_t v = 0;
	memcpy(&v, (const char *)l->is + at, bytes);
	if (sign && v >> (8 * bytes - 1))
		v |= ~UINT64_C(0) << (8 * bytes - 1);
	return v;
}

static void test_loads_and_stores(void **state)
{
	(void)state;
	static const struct {
		const char *suffix;
		unsigned bytes, at;
		bool sign;
	} sizes[] = {{".U8", 1, 6, false}, {".S8", 1, 0, true}, {".S8", 1, 3, true}, {".U16", 2, 2, false},
	             {".S16", 2, 2, true}, {"", 4, 8, false},   {".64", 8, 8, false}};
	static const char *const spaces[] = {"S", "L"};
	char text[100];
	for (unsigned k = 0; k < 2 * ARCHS * sizeof sizes / sizeof sizes[0]; k++) {
		const unsigned size = k / 2 / ARCHS, bytes = sizes[size].bytes, at = sizes[size].at;
		const enum wl_arch arch = archs[k / 2 % ARCHS];
		const char *space = spaces[k % 2];
		snprintf(text, sizeof text, "LD%s%s R8, [R1+0x%x]", space, sizes[size].suffix, at);
		run(arch, space, text);
		for (unsigned i = 0; i < 32; i++) {
			uint64_t v = loaded(&lanes[i], at, bytes, sizes[size].sign);
			same(arch, text, i, "R8", lanes[i].result[0], (uint32_t)v);
			same(arch, text, i, "R9", lanes[i].result[1], bytes == 8 ? (uint32_t)(v >> 32) : 0x66666666);
		}
		snprintf(text, sizeof text, "ST%s%s [R1+0x%x], R10", space, sizes[size].suffix, at);
		run(arch, space, text);
		for (unsigned i = 0; i < 32; i++) {
			uint32_t want[4];
			memcpy(want, lanes[i].is, sizeof want);
			memcpy((char *)want + at, lanes[i].b, bytes);
			for (unsigned w = 0; w < 4; w++)
				same(arch, text, i, "word", lanes[i].after[w], want[w]);
		}
	}
}

/* The lane's number times 4, 8 or 16, plus 4, as an address in shared memory: R8 gets the word there. */
static void test_scales(void **state)
{
	(void)state;
	char text[100];
	for (unsigned k = 0; k < 3 * ARCHS; k++) {
		const unsigned scale = 4u << k / ARCHS;
		const enum wl_arch arch = archs[k % ARCHS];
		static const char *const readers[] = {"LDS R8, [R0.X%u+0x4]", "ATOMSN.ADD.F32.RN R8, [R0.X%u+0x4], RZ"};
		for (unsigned a = 0; a < 2; a++) {
			snprintf(text, sizeof text, readers[a], scale);
			native = a == 1;
			run(arch, "S", text);
			native = false;
			for (unsigned i = 0; i < 32; i++) {
				unsigned at = i * scale + 4;
				same(arch, text, i, "R8", lanes[i].result[0], lanes[at / 16].is[at % 16 / 4]);
			}
		}
		/* READ loads the expected value of a CAS. CAST has two forms by architecture; .SPIN only where no two
		 * lanes meet in a bank. */
#define READ "LDS R14, [R0.X%u+0x4]\n"
		static const struct {
			const char *text;
			enum wl_arch from, to;
			unsigned scales; /* of 4, 8, 16 added */
		} atomics[] = {{"STS [R0.X%u+0x4], R12", WL_SM75, WL_SM120, 28},
		               {"ATOMS.EXCH R8, [R0.X%u+0x4], R12", WL_SM75, WL_SM120, 28},
		               {READ "ATOMS.CAS R8, [R0.X%u+0x4], R14, R12", WL_SM75, WL_SM120, 28},
		               {READ "ATOMS.CAST R8, [R0.X%u+0x4], R14, R12", WL_SM75, WL_SM90, 28},
		               {READ "ATOMS.CAST.SPIN R8, [R0.X%u+0x4], R14, R12", WL_SM75, WL_SM90, 4},
		               {READ "ATOMS.CAST P3, [R0.X%u+0x4], R14, R12", WL_SM100, WL_SM120, 28},
		               {READ "ATOMS.CAST.SPIN P3, [R0.X%u+0x4], R14, R12", WL_SM100, WL_SM120, 4}};
#undef READ
		for (unsigned a = 0; a < sizeof atomics / sizeof atomics[0]; a++) {
			if (arch < atomics[a].from || arch > atomics[a].to || !(atomics[a].scales & scale))
				continue;
			snprintf(text, sizeof text, atomics[a].text, scale, scale);
			run(arch, "S", text);
			for (unsigned i = 0; i < 32; i++)
				for (unsigned w = 0; w < 4; w++) {
					unsigned at = i * 16 + w * 4 - 4, who = at / scale;
					bool hit = i * 4 + w && at % scale == 0 && who < 32;
					same(arch, text, i, "word", lanes[i].after[w],
					     hit ? lanes[who].c[0] : lanes[i].is[w]);
				}
		}
	}
}

/* An arrival at an object in sm_80's layout adds one to the high word and returns the old object. With .X4 only even
 * lanes address an object. */
static void test_scaled_arrivals(void **state)
{
	(void)state;
	for (unsigned scale = 1; scale <= 16; scale *= scale == 1 ? 4 : 2) {
		char text[100];
		if (scale == 1)
			snprintf(text, sizeof text, "ATOMS.ARRIVE.64 R8, [R1+URZ]");
		else
			snprintf(text, sizeof text, "%sATOMS.ARRIVE.64 R8, [R0.X%u+URZ]", scale == 4 ? "@!P0 " : "",
			         scale);
		run(WL_SM80, "S", text);
		const unsigned step = scale == 1 ? 16 : scale;
		for (unsigned i = 0; i < 32; i++) {
			const unsigned at = i * step;
			const bool runs = at % 8 == 0;
			same(WL_SM80, text, i, "R8", lanes[i].result[0],
			     runs ? lanes[at / 16].is[at % 16 / 4] : 0x55555555);
			same(WL_SM80, text, i, "R9", lanes[i].result[1],
			     runs ? lanes[at / 16].is[at % 16 / 4 + 1] : 0x66666666);
			for (unsigned w = 0; w < 4; w++) {
				const unsigned place = i * 16 + w * 4;
				const bool counted = w % 2 && (place - 4) % step == 0 && (place - 4) / step < 32;
				same(WL_SM80, text, i, "word", lanes[i].after[w], lanes[i].is[w] + counted);
			}
		}
	}
}

/* ---- atomics ---- */

#define OP(name, suffix, expr)                                                                                         \
	static uint32_t op_##name(uint32_t m, uint32_t b)                                                              \
	{                                                                                                              \
		return (expr);                                                                                         \
	}
#include "uop_memory_ops.def"
#undef OP

static void test_atomics(void **state)
{
	(void)state;
	static const struct {
		const char *suffix;
		uint32_t (*op)(uint32_t, uint32_t);
	} ops[] = {
#define OP(name, suffix, expr) {suffix, op_##name},
#include "uop_memory_ops.def"
#undef OP
	};
	char text[100];
	for (unsigned k = 0; k < ARCHS * sizeof ops / sizeof ops[0]; k++) {
		const enum wl_arch arch = archs[k % ARCHS];
		snprintf(text, sizeof text, "ATOMS.%s R8, [R1+0x4], R10", ops[k / ARCHS].suffix);
		run(arch, "S", text);
		for (unsigned i = 0; i < 32; i++) {
			same(arch, text, i, "R8", lanes[i].result[0], lanes[i].is[1]);
			same(arch, text, i, "R9", lanes[i].result[1], 0x66666666);
			same(arch, text, i, "word 1", lanes[i].after[1],
			     ops[k / ARCHS].op(lanes[i].is[1], lanes[i].b[0]));
			same(arch, text, i, "word 0", lanes[i].after[0], lanes[i].is[0]);
			same(arch, text, i, "word 2", lanes[i].after[2], lanes[i].is[2]);
		}
	}
}

/* EXCH and CAS of both sizes; CAST with and without .SPIN, where lanes 8 apart meet in a bank; POPC.INC. */
static void test_exchanges(void **state)
{
	(void)state;
	for (unsigned k = 0; k < 12 * ARCHS; k++) {
		static const char *const texts[] = {
		        "ATOMS.EXCH R8, [R1], R12", "ATOMS.EXCH.64 R8, [R1], R12", "ATOMS.CAS R8, [R1], R10, R12",
		        "ATOMS.CAS.64 R8, [R1], R10, R12", "ATOMS.CAST R8, [R1], R10, R12",
		        "ATOMS.CAST.64 R8, [R1], R10, R12", "ATOMS.CAST.SPIN R8, [R1], R10, R12",
		        "ATOMS.CAST.SPIN.64 R8, [R1], R10, R12",
		        /* sm_100 and later */
		        "ATOMS.CAST.SPIN P3, [R1], R10, R12\nSEL R8, R20, RZ, P3\nISETP.NE.AND P3, PT, RZ, RZ, PT",
		        "ATOMS.CAST.SPIN.64 P3, [R1], R10, R12\nSEL R8, R20, RZ, P3\nISETP.NE.AND P3, PT, RZ, RZ, PT",
		        "ATOMS.CAST P3, [R1], R10, R12\nSEL R8, R20, RZ, P3\nISETP.NE.AND P3, PT, RZ, RZ, PT",
		        "ATOMS.CAST.64 P3, [R1], R10, R12\nSEL R8, R20, RZ, P3\nISETP.NE.AND P3, PT, RZ, RZ, PT"};
		const unsigned form = k / ARCHS, wide = form % 2, kind = form / 2;
		const enum wl_arch arch = archs[k % ARCHS];
		const char *text = texts[form];
		uint32_t won = 0;
		const bool spins = kind == 3 || kind == 4, tells = kind >= 4; /* by a predicate */
		if (tells != (arch >= WL_SM100 && kind >= 2))
			continue;
		run(arch, "S", text);
		for (unsigned i = 0; i < 32; i++) {
			const struct lane *l = &lanes[i];
			bool hit = kind == 0 || i % 2;
			if (spins) { /* .SPIN: the result names the winners, at most one of a bank, at least one */
				hit = hit && l->result[0] != 0;
				assert_false(hit && won >> i % 8 & 1);
				won |= (uint32_t)hit << i % 8;
			}
			uint32_t want = kind < 2 ? l->is[0] : hit ? (tells ? ~0u : 1) : 0;
			same(arch, text, i, "R8", l->result[0], want);
			/* the result of a CAST of 64 bits is a pair, too */
			same(arch, text, i, "R9", l->result[1], !wide || tells ? 0x66666666 : kind < 2 ? l->is[1] : 0);
			same(arch, text, i, "word 0", l->after[0], hit ? l->c[0] : l->is[0]);
			same(arch, text, i, "word 1", l->after[1], hit && wide ? l->c[1] : l->is[1]);
			same(arch, text, i, "word 2", l->after[2], l->is[2]);
		}
		assert_int_equal(won, spins ? 0xaa : 0);
	}
	for (unsigned k = 1; k < ARCHS; k++) {
		run(archs[k], "S", "ATOMS.POPC.INC.32 RZ, [R1+URZ+0x8]");
		for (unsigned i = 0; i < 32; i++)
			same(archs[k], "POPC.INC", i, "word 2", lanes[i].after[2], lanes[i].is[2] + 1);
	}
}

/* ATOMSN of 64-bit integers (docs/native.md). */
static void test_native_integers(void **state)
{
	(void)state;
	static const char *const forms[] = {"ADD.64",  "AND.64",  "OR.64",   "XOR.64",
	                                    "MIN.U64", "MAX.U64", "MIN.S64", "MAX.S64"};
	native = true;
	for (unsigned k = 0; k < 8 * ARCHS; k++) {
		const unsigned form = k / ARCHS;
		const enum wl_arch arch = archs[k % ARCHS];
		char text[100];
		snprintf(text, sizeof text, "ATOMSN.%s R8, [R1+0x8], R10", forms[form]);
		run(arch, "S", text);
		for (unsigned i = 0; i < 32; i++) {
			const struct lane *l = &lanes[i];
			const uint64_t m = loaded(l, 8, 8, false), b = l->b[0] | (uint64_t)l->b[1] << 32;
			const bool less = form < 6 ? b < m : (int64_t)b < (int64_t)m;
			const uint64_t now = form == 0                 ? m + b
			                     : form == 1               ? (m & b)
			                     : form == 2               ? (m | b)
			                     : form == 3               ? (m ^ b)
			                     : less == (form % 2 == 0) ? b
			                                               : m;
			same(arch, text, i, "R8", l->result[0], l->is[2]);
			same(arch, text, i, "R9", l->result[1], l->is[3]);
			same(arch, text, i, "word 2", l->after[2], (uint32_t)now);
			same(arch, text, i, "word 3", l->after[3], (uint32_t)(now >> 32));
			same(arch, text, i, "word 1", l->after[1], l->is[1]);
		}
	}
	native = false;
}

/* Of floats: the same word doubled, with another result in each format. */
static void test_native_floats(void **state)
{
	(void)state;
	static const struct {
		const char *form;
		uint32_t low, high, old_high;
	} rows[] = {{"ADD.F32.RN", 0x3c803c01, 0x40003c00, 0x66666666},
	            {"ADD.F64.RN", 0x3c003c01, 0x40103c00, 0x40003c00},
	            {"ADD.F16x2.RN", 0x40004001, 0x40003c00, 0x66666666},
	            {"ADD.BF16x2.RN", 0x3c803c81, 0x40003c00, 0x66666666}};
	native = true;
	for (unsigned k = 0; k < 4 * ARCHS; k++) {
		const unsigned row = k / ARCHS;
		const enum wl_arch arch = archs[k % ARCHS];
		char text[160];
		snprintf(text, sizeof text,
		         "MOV R14, 0x3c003c01\nMOV R15, 0x40003c00\nSTS.64 [R1+0x8], R14\nATOMSN.%s R8, [R1+0x8], R14",
		         rows[row].form);
		run(arch, "S", text);
		for (unsigned i = 0; i < 32; i++) {
			same(arch, text, i, "R8", lanes[i].result[0], 0x3c003c01);
			same(arch, text, i, "R9", lanes[i].result[1], rows[row].old_high);
			same(arch, text, i, "word 2", lanes[i].after[2], rows[row].low);
			same(arch, text, i, "word 3", lanes[i].after[3], rows[row].high);
		}
	}
	native = false;
}

/* Without the switch: a fault, with the switch in the message. */
static void test_native_missing(void **state)
{
	(void)state;
	struct kernel k;
	kernel_init(&k, "ATOMSN.MAX.U64 RZ, [0x8], R4\nEXIT\n");
	k.prog.shared_bytes = 16;
	assert_int_equal(kernel_run(&k), WL_FAULTED);
	assert_non_null(strstr(k.detail, "ILLEGAL_INSTRUCTION"));
	assert_non_null(strstr(k.detail, "built with -mnative-shared: run with --native"));
	kernel_free(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_loads_and_stores), cmocka_unit_test(test_scales),
	        cmocka_unit_test(test_scaled_arrivals),  cmocka_unit_test(test_atomics),
	        cmocka_unit_test(test_exchanges),        cmocka_unit_test(test_native_integers),
	        cmocka_unit_test(test_native_floats),    cmocka_unit_test(test_native_missing)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
