// SPDX-License-Identifier: Apache-2.0
/* uop_copy_test -- LDGSTS (cp.async of PTX). Every thread copies a chunk, with a source size, a predicate and a guard
 * of its own. The test compares shared memory before, at and after the place byte by byte. .ZFILL finds `size - source
 * size` in the low bits of the address, as in ptxas's code for cp.async with a source size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../cmodel/sm/gpu.h"
#include "kernel.h"

enum { THREADS = 32, CHUNK = 16, AREA = 3 * CHUNK, FILL = 0xa5, SOURCE_WORDS = THREADS * CHUNK / 4 };

/* A thread's row of parameter 0: LDG.128 reads the row into R4..R7. */
struct row {
	uint32_t lo, hi, pred, guard;
};

static const struct arch {
	enum wl_arch arch;
	const char *param, *desc;    /* address of the first parameter; descriptor of global memory to UR4 */
	const char *global, *beside; /* prefix of an address in global memory; the same beside UR6 */
} archs[] = {{WL_SM80, "0x160", "ULDC.64 UR4, c[0x0][0x118]", "", ""},
             {WL_SM90, "0x210", "ULDC.64 UR4, c[0x0][0x208]", "desc[UR4]", "desc[UR7]"},
             {WL_SM100, "0x380", "LDCU.64 UR4, c[0x0][0x358]", "desc[UR4]", "desc[UR7]"},
             {WL_SM120, "0x380", "LDCU.64 UR4, c[0x0][0x358]", "desc[UR4]", "desc[UR7]"}};
enum { ARCHS = sizeof archs / sizeof archs[0] };

/* Forms of one instruction: opcode up to .ZFILL, and form of the place in shared memory (R2 + 16). */
static const struct form {
	const char *name, *place;
	unsigned size;
} forms[] = {{"LDGSTS.E", "[R2+0x10]", 4},
             {"LDGSTS.E.64", "[R2+0x10]", 8},
             {"LDGSTS.E.128", "[R2+0x10]", 16},
             {"LDGSTS.E.BYPASS.128", "[R2+0x10]", 16},
             {"LDGSTS.E.LTC128B.128", "[R2+0x10]", 16},
             {"LDGSTS.E.BYPASS.LTC128B.128", "[R2+UR6+0x8]", 16},
             {"LDGSTS.E.64", "[R2+UR6+0x8]", 8},
             {"LDGSTS.E", "[R2+UR6+0x8]", 4}};
enum { FORMS = sizeof forms / sizeof forms[0] };

static uint8_t source_byte(unsigned i)
{
	return (uint8_t)(i * 37 + 11 + (i >> 8));
}

struct setup {
	struct kernel k;
	struct row *rows;
	uint64_t source;
};

/* The kernel around the instruction; address operand and predicate (P0, or !P0) follow the place. */
static void begin(struct setup *c, const struct arch *a, const char *name, const char *place, const char *address,
                  const char *pred, unsigned words)
{
	char text[900];
	const char *imad = a->arch >= WL_SM100 ? "MOV R10, 0x30\nIMAD R2, R0, R10, RZ" : "IMAD R2, R0, 0x30, RZ";
	snprintf(text, sizeof text,
	         "%s\nUMOV UR6, 0x8\nS2R R0, SR_TID.X\nLDC.64 R8, c[0x0][%s]\nSHF.L.U32 R3, R0, 0x4, RZ\n"
	         "MOV R12, 0x1\nIMAD.WIDE.U32 R8, R3, R12, R8\nLDG.E.128 R4, %s[R8.64]\n%s\n"
	         "MOV R36, 0xa5a5a5a5\nMOV R37, 0xa5a5a5a5\nMOV R38, 0xa5a5a5a5\nMOV R39, 0xa5a5a5a5\n"
	         "STS.128 [R2], R36\nSTS.128 [R2+0x10], R36\nSTS.128 [R2+0x20], R36\n"
	         "ISETP.NE.U32.AND P0, PT, R6, RZ, PT\nISETP.NE.U32.AND P1, PT, R7, RZ, PT\n"
	         "@P1 %s %s, %s, %s\nLDGDEPBAR\nDEPBAR.LE SB0, 0x0\n"
	         "LDS.128 R12, [R2]\nLDS.128 R16, [R2+0x10]\nLDS.128 R20, [R2+0x20]\nEXIT\n",
	         a->desc, a->param, a->global, imad, name, place, address, pred);
	kernel_init_for(&c->k, a->arch, text);
	c->k.prog.shared_bytes = THREADS * AREA;
	c->rows = (struct row *)(void *)kernel_words(&c->k, 0, THREADS * 4, 0);
	uint8_t *bytes = (uint8_t *)kernel_words(&c->k, 1, words, 0);
	for (unsigned i = 0; i < 4 * words; i++)
		bytes[i] = source_byte(i);
	c->source = c->k.param[1];
}

static void ask(struct setup *c, unsigned t, uint64_t at, bool pred, bool guard)
{
	c->rows[t] = (struct row){(uint32_t)at, (uint32_t)(at >> 32), pred, guard};
}

/* Thread t's chunk of the source: every chunk is used, in another order than the threads'. A copy of less than 16 bytes
 * starts anywhere in the chunk. */
static unsigned chunk_at(unsigned t, unsigned size)
{
	return t * 7 % THREADS * CHUNK + t % (CHUNK / size) * size;
}

static void check_form(const struct arch *a, const struct form *f, bool zfill, bool negated)
{
	struct setup c;
	char name[60], address[40];
	unsigned seen[CHUNK + 1] = {0};
	snprintf(name, sizeof name, "%s%s", f->name, zfill ? ".ZFILL" : "");
	snprintf(address, sizeof address, "%s[R4.64]", strchr(f->place, 'U') ? a->beside : a->global);
	begin(&c, a, name, f->place, address, negated ? "!P0" : "P0", SOURCE_WORDS);
	for (unsigned t = 0; t < THREADS; t++) {
		unsigned n = zfill ? 1 + t % f->size : f->size;
		ask(&c, t, c.source + chunk_at(t, f->size) + (f->size - n), (t % 5 != 3) != negated, t % 7 != 4);
	}
	if (kernel_run(&c.k) != WL_ENDED)
		fail_msg("sm_%d: %s %s: %s", (int)a->arch, name, f->place, c.k.detail);
	const lane_row *r = gpu_regs(c.k.gpu, 0, 0);
	for (unsigned t = 0; t < THREADS; t++) {
		unsigned n = zfill ? 1 + t % f->size : f->size;
		bool reads = t % 5 != 3, guard = t % 7 != 4;
		for (unsigned i = 0; i < AREA; i++) {
			unsigned is = r[12 + i / 4][t] >> i % 4 * 8 & 0xff, want = FILL;
			if (guard && i >= CHUNK && i < CHUNK + f->size)
				want = reads && i - CHUNK < n ? source_byte(chunk_at(t, f->size) + i - CHUNK) : 0;
			if (is != want)
				fail_msg("sm_%d: %s %s: byte %u of thread %u is 0x%02x, expected 0x%02x "
				         "(%u of %u bytes, predicate %d, guard %d)",
				         (int)a->arch, name, f->place, i, t, is, want, n, f->size, reads, guard);
		}
		seen[n]++;
	}
	for (unsigned n = 1; zfill && n <= f->size; n++)
		assert_true(seen[n] > 0);
	kernel_free(&c.k);
}

static void test_sizes(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ARCHS; i++)
		for (unsigned k = 0; k < FORMS; k++)
			for (unsigned way = 0; way < 4; way++)
				check_form(&archs[i], &forms[k], way & 1, way & 2);
}

/* Thread 0 alone copies, from byte `at` of 31 words; their last granule of 16 bytes ends at 128. `fault`: "" if the
 * kernel ends, else the name of the fault. */
static void edge(const struct arch *a, const char *name, unsigned at, bool pred, const char *fault)
{
	struct setup c;
	char address[40];
	snprintf(address, sizeof address, "%s[R4.64]", a->global);
	begin(&c, a, name, "[R2+0x10]", address, "P0", 31);
	ask(&c, 0, c.source + at, pred, true);
	enum wl_outcome o = kernel_run(&c.k);
	if (o != (*fault ? WL_FAULTED : WL_ENDED) || !strstr(c.k.detail, fault))
		fail_msg("sm_%d: %s at byte %u of 124, predicate %d: outcome %d: %s; expected \"%s\"", (int)a->arch,
		         name, at, pred, (int)o, c.k.detail, fault);
	kernel_free(&c.k);
}

/* Bytes not read are not checked: zero-filled bytes, and all bytes under a false predicate. */
static void test_edges(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ARCHS; i++) {
		edge(&archs[i], "LDGSTS.E.128.ZFILL", 112 + 4, true, "");
		edge(&archs[i], "LDGSTS.E.128", 128, true, "GLOBAL_OUT_OF_RANGE");
		edge(&archs[i], "LDGSTS.E.128.ZFILL", 128 + 15, true, "GLOBAL_OUT_OF_RANGE");
		edge(&archs[i], "LDGSTS.E.BYPASS.128", 128, false, "");
		edge(&archs[i], "LDGSTS.E.64", 4, true, "MISALIGNED_ADDRESS");
		edge(&archs[i], "LDGSTS.E", 2, true, "MISALIGNED_ADDRESS");
		edge(&archs[i], "LDGSTS.E", 120, true, "");
	}
}

/* The proof of a hang needs memory without changes (spin.c): a copy that changes shared memory must count. */
static uint64_t changes(const struct arch *a, const char *name, bool pred, bool guard)
{
	struct setup c;
	char address[40];
	snprintf(address, sizeof address, "%s[R4.64]", a->global);
	begin(&c, a, name, "[R2+0x10]", address, "P0", 31);
	ask(&c, 0, c.source, pred, guard);
	assert_int_equal(kernel_run(&c.k), WL_ENDED);
	uint64_t n = c.k.gpu->seen.changes;
	kernel_free(&c.k);
	return n;
}
static void test_changes_count(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ARCHS; i++) {
		uint64_t none = changes(&archs[i], "LDGSTS.E.128", true, false);
		assert_int_equal(changes(&archs[i], "LDGSTS.E.128", true, true), none + 1);
		assert_int_equal(changes(&archs[i], "LDGSTS.E.128", false, true), none + 1);
		assert_int_equal(changes(&archs[i], "LDGSTS.E.128.ZFILL", true, true), none + 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes), cmocka_unit_test(test_edges),
	                                   cmocka_unit_test(test_changes_count)};
	return cmocka_run_group_tests(tests, NULL, NULL) | kernel_covers("uop_copy_test");
}
