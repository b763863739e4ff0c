// SPDX-License-Identifier: Apache-2.0
/* cvt_test.c -- cvt between all integer types, from and into registers of every allowed width, at -O0 and -O2,
 * against the host's conversions.
 *
 * PTX: cvt reads the source in the source type. The sign of the destination type extends the result to the width of
 * the register. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "run_ptx.h"

enum { Threads = 64, MAX_FORMS = 9, TEXT_BYTES = 1 << 15 };

struct type {
	const char *name;
	unsigned bits;
	bool sign;
};
static const struct type types[] = {{"u8", 8, false},   {"s8", 8, true},   {"u16", 16, false}, {"s16", 16, true},
                                    {"u32", 32, false}, {"s32", 32, true}, {"u64", 64, false}, {"s64", 64, true}};
enum { NUM_TYPES = sizeof types / sizeof *types };
static const unsigned widths[] = {16, 32, 64};
static const char reg_names[] = "hwd";

static uint64_t in_type(const struct type *t, uint64_t v)
{
	unsigned shift = 64 - t->bits;
	return t->sign ? (uint64_t)((int64_t)(v << shift) >> shift) : v << shift >> shift;
}

static uint64_t low(uint64_t v, unsigned bits)
{
	return v << (64 - bits) >> (64 - bits);
}

struct form {
	unsigned from, to; /* numbers of registers' widths */
};

static unsigned forms_of(const struct type *to, const struct type *from, struct form *f)
{
	unsigned n = 0;
	for (unsigned d = 0; d < 3; d++)
		for (unsigned s = 0; s < 3; s++)
			if (widths[d] >= to->bits && widths[s] >= from->bits)
				f[n++] = (struct form){s, d};
	return n;
}

static void write_kernel(char *text, const struct type *to, const struct type *from, const struct form *f, unsigned n)
{
	size_t at = 0;
#define PUT(...) at += (size_t)snprintf(text + at, TEXT_BYTES - at, __VA_ARGS__)
	PUT(".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
	    ".reg .b16 %%h<3>; .reg .b32 %%w<3>; .reg .b64 %%d<3>, %%a<4>; .reg .b32 %%t;\n"
	    "ld.param.u64 %%a0, [in];\nld.param.u64 %%a1, [out];\nmov.u32 %%t, %%tid.x;\n"
	    "mad.wide.u32 %%a0, %%t, 8, %%a0;\nmad.wide.u32 %%a1, %%t, %u, %%a1;\n"
	    "ld.global.u64 %%d0, [%%a0];\ncvt.u32.u64 %%w0, %%d0;\ncvt.u16.u64 %%h0, %%d0;\n",
	    8 * MAX_FORMS);
	for (unsigned k = 0; k < n; k++) {
		char d = reg_names[f[k].to];
		PUT("cvt.%s.%s %%%c1, %%%c0;\n", to->name, from->name, d, reg_names[f[k].from]);
		if (d == 'h')
			PUT("mov.b32 %%w2, {%%h1, 0};\nst.global.u32 [%%a1+%u], %%w2;\n", 8 * k);
		else
			PUT("st.global.u%u [%%a1+%u], %%%c1;\n", widths[f[k].to], 8 * k, d);
	}
	PUT("ret;\n}\n");
#undef PUT
}

static uint64_t value(unsigned thread)
{
	static const uint64_t corners[] = {0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000};
	uint64_t v = (thread + 1) * UINT64_C(0x9e3779b97f4a7c15);
	return thread < 10 ? corners[thread] : thread < 20 ? ~corners[thread - 10] : v ^ v >> 29;
}

static void try_pair(const struct type *to, const struct type *from, int opt)
{
	static uint64_t in[Threads], out[Threads][MAX_FORMS];
	char text[TEXT_BYTES], why[1024];
	struct form f[MAX_FORMS];
	unsigned n = forms_of(to, from, f);
	struct run_setup s = {.ptx = text,
	                      .opt = opt,
	                      .grid = 1,
	                      .block = Threads,
	                      .nbufs = 2,
	                      .buf = {{in, sizeof in}, {out, sizeof out}}};

	memset(out, 0, sizeof out);
	for (unsigned t = 0; t < Threads; t++)
		in[t] = value(t);
	write_kernel(text, to, from, f, n);
	if (!run_ptx(&s, why, sizeof why))
		fail_msg("cvt.%s.%s -O%d: %s\n%s", to->name, from->name, opt, why, text);
	for (unsigned t = 0; t < Threads; t++)
		for (unsigned k = 0; k < n; k++) {
			uint64_t want = low(in_type(to, in_type(from, in[t])), widths[f[k].to]);
			if (out[t][k] != want)
				fail_msg("cvt.%s.%s of 0x%llx (%u bits) into %u bits, -O%d: found 0x%llx, expected "
				         "0x%llx",
				         to->name, from->name, (unsigned long long)in[t], widths[f[k].from],
				         widths[f[k].to], opt, (unsigned long long)out[t][k], (unsigned long long)want);
		}
}

static void test_destination(void **type)
{
	for (unsigned from = 0; from < NUM_TYPES; from++)
		for (int opt = 0; opt <= 2; opt += 2)
			try_pair(*type, &types[from], opt);
}

/* ---- from half to float: every value is exact; .ftz is for float32 and changes no value ---- */

enum { Halves = 1 << 16 };

static uint32_t float_of_half(uint32_t h)
{
	const uint32_t sign = (h & 0x8000) << 16, exponent = h >> 10 & 31, low_bits = h & 0x3ff;
	uint32_t bits;
	float f = (float)low_bits * 0x1p-24f;
	if (exponent)
		return sign | (exponent + 127 - 15) << 23 | low_bits << 13;
	memcpy(&bits, &f, sizeof bits);
	return sign | bits;
}

static void test_halves(void **state)
{
	static uint16_t in[Halves];
	static uint32_t out[Halves][2];
	static const char text[] = ".version 8.0\n.target sm_75\n.address_size 64\n"
	                           ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
	                           ".reg .b16 %h0; .reg .f32 %f<2>; .reg .b64 %a<2>; .reg .b32 %t<3>;\n"
	                           "ld.param.u64 %a0, [in];\nld.param.u64 %a1, [out];\n"
	                           "mov.u32 %t0, %tid.x;\nmov.u32 %t1, %ctaid.x;\nmov.u32 %t2, %ntid.x;\n"
	                           "mad.lo.u32 %t0, %t1, %t2, %t0;\n"
	                           "mad.wide.u32 %a0, %t0, 2, %a0;\nmad.wide.u32 %a1, %t0, 8, %a1;\n"
	                           "ld.global.b16 %h0, [%a0];\n"
	                           "cvt.f32.f16 %f0, %h0;\ncvt.ftz.f32.f16 %f1, %h0;\n"
	                           "st.global.v2.f32 [%a1], {%f0, %f1};\nret;\n}\n";
	char why[1024];
	struct run_setup s = {.ptx = text,
	                      .opt = 2,
	                      .grid = Halves / 256,
	                      .block = 256,
	                      .nbufs = 2,
	                      .buf = {{in, sizeof in}, {out, sizeof out}}};
	(void)state;
	for (unsigned h = 0; h < Halves; h++)
		in[h] = (uint16_t)h;
	if (!run_ptx(&s, why, sizeof why))
		fail_msg("cvt.f32.f16: %s", why);
	for (unsigned h = 0; h < Halves; h++)
		for (unsigned k = 0; k < 2 && (h & 0x7c00) != 0x7c00; k++)
			if (out[h][k] != float_of_half(h))
				fail_msg("cvt%s.f32.f16 of 0x%04x: found 0x%08x, expected 0x%08x", k ? ".ftz" : "", h,
				         out[h][k], float_of_half(h));
}

/* Conversions in hardware are a single instruction, not a function of the library. */
static void test_one_instruction(void **state)
{
	static const struct {
		const char *text;
		enum wl_uop uop;
	} rows[] = {
	        {"cvt.rzi.s32.f32 %r1, %f0", WL_UOP_F2I}, {"cvt.rni.u64.f64 %d1, %d0", WL_UOP_F2I},
	        {"cvt.f64.f32 %d1, %f0", WL_UOP_F2F},     {"cvt.rn.f32.f64 %f1, %d0", WL_UOP_F2F},
	        {"cvt.f32.f16 %f1, %h0", WL_UOP_HADD2},   {"cvt.rpi.f32.f32 %f1, %f0", WL_UOP_FRND},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		for (unsigned a = 0; a < NUM_ARCHS; a++) {
			char text[1024], why[1024];
			unsigned found = 0, calls = 0;
			struct wl_program p;
			snprintf(
			        text, sizeof text,
			        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
			        ".reg .b16 %%h<2>; .reg .b32 %%r<2>; .reg .f32 %%f<2>; .reg .b64 %%d<2>, %%a;\n"
			        "ld.param.u64 %%a, [out];\nld.global.u16 %%h0, [%%a];\nld.global.f32 %%f0, [%%a];\n"
			        "ld.global.u64 %%d0, [%%a];\n%s;\nst.global.u32 [%%a], %%r1;\n"
			        "st.global.f32 [%%a+4], %%f1;\nst.global.u64 [%%a+8], %%d1;\nret;\n}\n",
			        rows[i].text);
			if (!build_ptx(text, all_archs[a], 2, &p, why, sizeof why))
				fail_msg("%s: %s", rows[i].text, why);
			for (uint32_t k = 0; k < p.ninst; k++) {
				found += p.insts[k].uop == rows[i].uop;
				calls += (wl_uop_traits(p.insts[k].uop)->traits & WL_TRAIT(CALLS)) != 0;
			}
			if (found != 1 || calls)
				fail_msg("%s of sm_%d: %u of the instruction, %u calls", rows[i].text,
				         (int)all_archs[a], found, calls);
			wl_program_free(&p);
		}
}

int main(void)
{
	struct CMUnitTest tests[NUM_TYPES + 2] = {[NUM_TYPES] = cmocka_unit_test(test_halves),
	                                          [NUM_TYPES + 1] = cmocka_unit_test(test_one_instruction)};
	for (unsigned i = 0; i < NUM_TYPES; i++)
		tests[i] = (struct CMUnitTest){.name = types[i].name,
		                               .test_func = test_destination,
		                               .initial_state = (void *)(uintptr_t)&types[i]};
	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
