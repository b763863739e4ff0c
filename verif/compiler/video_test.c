// SPDX-License-Identifier: Apache-2.0
/* video_test.c -- video instructions of a single value: each form (types, parts, saturation, second operation,
 * merging into a part of c) on corner and random values, against the functions of the PTX manual ("Scalar Video
 * Instructions"), written in 128-bit arithmetic of the host. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/rng.h"
#include "run_ptx.h"

typedef __int128 wide;

enum { LANES = 32, CHUNK = 64, MOST = 6000 };
enum { ADD, SUB, ABSDIFF, MIN, MAX, SHL, SHR, MAD, SET };
static const char *const names[] = {"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vmad", "vset"};
static const char *const parts[] = {"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
static const char *const seconds[] = {"", ".add", ".min", ".max"};
static const char *const compares[] = {"eq", "ne", "lt", "le", "gt", "ge"};

struct form {
	uint8_t what, second, to, pa, pb, cmp, scale;
	bool d_signed, a_signed, b_signed, sat, wrap, po;
};
static struct form forms[MOST];
static unsigned nforms;

static wide clamp(wide v, wide least, wide most)
{
	return v < least ? least : v > most ? most : v;
}

static unsigned bits_of(unsigned part, unsigned *shift)
{
	*shift = part == 0 ? 0 : part <= 4 ? 8 * (part - 1) : 16 * (part - 5);
	return part == 0 ? 32 : part <= 4 ? 8 : 16;
}

static wide select_part(uint32_t v, unsigned part, bool sign)
{
	unsigned shift, bits = bits_of(part, &shift);
	wide x = v >> shift;
	x &= ((wide)1 << bits) - 1;
	return sign && x >> (bits - 1) ? x - ((wide)1 << bits) : x;
}

static wide saturated(wide v, bool sign, unsigned part)
{
	unsigned shift, bits = bits_of(part, &shift);
	const wide most = ((wide)1 << (bits - sign)) - 1;
	return clamp(v, sign ? -most - 1 : 0, most);
}

static wide first_result(const struct form *f, wide a, wide b)
{
	const unsigned n = (unsigned)(f->wrap ? b & 31 : b > 32 ? 32 : b);
	const bool is[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
	switch (f->what) {
	case ADD:
		return a + b;
	case SUB:
		return a - b;
	case ABSDIFF:
		return a < b ? b - a : a - b;
	case MIN:
		return a < b ? a : b;
	case MAX:
		return a > b ? a : b;
	case SHL:
		return a * ((wide)1 << n);
	case SHR:
		return a >> n;
	default:
		return is[f->cmp];
	}
}

static uint32_t multiply_add(const struct form *f, uint32_t ra, uint32_t rb, uint32_t rc)
{
	const bool sign = f->a_signed || f->b_signed;
	wide v = select_part(ra, f->pa, f->a_signed) * select_part(rb, f->pb, f->b_signed);
	const wide c = select_part(rc, 0, sign);
	v += c + f->po;
	v >>= f->scale;
	return (uint32_t)(f->sat ? saturated(v, sign, 0) : v);
}

static uint32_t expected(const struct form *f, uint32_t ra, uint32_t rb, uint32_t rc)
{
	unsigned shift, bits = bits_of(f->to, &shift);
	if (f->what == MAD)
		return multiply_add(f, ra, rb, rc);
	wide v = first_result(f, select_part(ra, f->pa, f->a_signed), select_part(rb, f->pb, f->b_signed));
	const wide c = select_part(rc, 0, f->d_signed);
	if (f->sat)
		v = saturated(v, f->d_signed, f->to);
	v = f->second == 1 ? v + c : f->second == 2 ? (v < c ? v : c) : f->second == 3 ? (v > c ? v : c) : v;
	const uint32_t mask = (uint32_t)((((uint64_t)1 << bits) - 1) << shift);
	return f->to ? (((uint32_t)v << shift) & mask) | (rc & ~mask) : (uint32_t)v;
}

static void put(const struct form *f, char *to, size_t n)
{
	const char *t[] = {".u32", ".s32"};
	char name[100];
	if (f->what == MAD)
		snprintf(name, sizeof name, "vmad%s%s%s%s%s%s", f->po ? ".po" : "", t[f->d_signed], t[f->a_signed],
		         t[f->b_signed], f->sat ? ".sat" : "",
		         f->scale == 7 ? ".shr7"
		         : f->scale    ? ".shr15"
		                       : "");
	else if (f->what == SET)
		snprintf(name, sizeof name, "vset%s%s.%s%s", t[f->a_signed], t[f->b_signed], compares[f->cmp],
		         seconds[f->second]);
	else
		snprintf(name, sizeof name, "%s%s%s%s%s%s%s", names[f->what], t[f->d_signed], t[f->a_signed],
		         t[f->b_signed], f->sat ? ".sat" : "",
		         f->what == SHL || f->what == SHR ? f->wrap ? ".wrap" : ".clamp" : "", seconds[f->second]);
	const bool third = f->what == MAD || f->second || f->to;
	snprintf(to, n, "%s %%r0%s, %%r1%s, %%r2%s%s;\n", name, parts[f->to], parts[f->pa], parts[f->pb],
	         third ? ", %r3" : "");
}

static void add(struct form f)
{
	if (nforms == MOST)
		abort();
	forms[nforms++] = f;
}

/* All types and saturations, parts in turn. */
static void make_forms(void)
{
	unsigned turn = 0;
	for (unsigned what = ADD; what <= SET; what++)
		for (unsigned k = 0; k < 16; k++)
			for (unsigned m = 0; m < (what == SET ? 6 : what == MAD ? 6 : 2); m++)
				for (unsigned last = 0; last < 4 + 6; last++, turn++) {
					struct form f = {.what = (uint8_t)what,
					                 .d_signed = k & 1,
					                 .a_signed = k & 2,
					                 .b_signed = k & 4,
					                 .sat = k & 8,
					                 .pa = (uint8_t)(turn % 7),
					                 .pb = (uint8_t)(turn / 7 % 7)};
					const bool shifts = what == SHL || what == SHR;
					if ((shifts && f.b_signed) ||
					    (what == SET && (f.sat || f.d_signed != f.a_signed)) ||
					    (m && !shifts && what < MAD))
						continue;
					f.cmp = (uint8_t)m;
					f.wrap = shifts && m;
					if (what == MAD) {
						if (last > 0)
							continue;
						f.scale = m % 3 == 0 ? 0 : m % 3 == 1 ? 7 : 15;
						f.po = m / 3 == 1;
					} else {
						f.second = (uint8_t)(last < 4 ? last : 0);
						f.to = (uint8_t)(last < 4 ? 0 : last - 3);
					}
					add(f);
				}
}

static uint32_t value(struct rng *rng)
{
	static const uint32_t corners[] = {0,    1,          0xffffffff, 0x7fffffff, 0x80000000, 0x7f,
	                                   0x80, 0xff,       0x7fff,     0x8000,     0xffff,     31,
	                                   32,   0x80808080, 0x7f7f7f7f, 33};
	const uint32_t r = rng_u32(rng);
	return r % 2 ? corners[r / 2 % 16] : rng_u32(rng) >> r / 2 % 30;
}

static int run(unsigned first, unsigned n, enum wl_arch arch, int opt)
{
	static uint32_t in[LANES][4], out[CHUNK][LANES];
	static char text[20000];
	char why[1000];
	struct rng rng = rng_seed(first, (unsigned)arch);
	struct run_setup s = {.ptx = text, .arch = arch, .opt = opt, .grid = 1, .block = LANES, .nbufs = 2};
	size_t at = (size_t)snprintf(
	        text, sizeof text,
	        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q)\n{\n"
	        ".reg .b64 %%a, %%b, %%t; .reg .b32 %%r<5>, %%i;\nld.param.u64 %%a, [p]; ld.param.u64 %%b, [q];\n"
	        "mov.u32 %%i, %%tid.x; mul.wide.u32 %%t, %%i, 16; add.u64 %%a, %%a, %%t; mul.wide.u32 %%t, %%i, 4;\n"
	        "add.u64 %%b, %%b, %%t; ld.global.v4.u32 {%%r1, %%r2, %%r3, %%r4}, [%%a];\n");
	for (unsigned i = 0; i < n; i++) {
		put(&forms[first + i], text + at, sizeof text - at);
		at += strlen(text + at);
		at += (size_t)snprintf(text + at, sizeof text - at, "st.global.u32 [%%b+%u], %%r0;\n", 4 * LANES * i);
	}
	snprintf(text + at, sizeof text - at, "ret;\n}\n");
	for (unsigned k = 0; k < 4 * LANES; k++)
		in[k / 4][k % 4] = value(&rng);
	s.buf[0].data = in;
	s.buf[0].size = sizeof in;
	s.buf[1].data = out;
	s.buf[1].size = sizeof out;
	if (!run_ptx(&s, why, sizeof why)) {
		fprintf(stderr, "FAILED: %s\n", why);
		return 1;
	}
	for (unsigned k = 0; k < n * LANES; k++) {
		const uint32_t *v = in[k % LANES], want = expected(&forms[first + k / LANES], v[0], v[1], v[2]);
		if (out[k / LANES][k % LANES] == want)
			continue;
		char form[200];
		put(&forms[first + k / LANES], form, sizeof form);
		fprintf(stderr, "FAILED: sm_%d -O%d: %x %x %x: %x, expected %x: %s", (int)arch, opt, v[0], v[1], v[2],
		        out[k / LANES][k % LANES], want, form);
		return 1;
	}
	return 0;
}

int main(void)
{
	unsigned failed = 0, runs = 0;
	make_forms();
	for (unsigned at = 0; at < nforms; at += CHUNK, runs++)
		failed += (unsigned)run(at, nforms - at < CHUNK ? nforms - at : CHUNK, all_archs[runs % NUM_ARCHS],
		                        runs / NUM_ARCHS % 2 * 2);
	printf("%u forms, %u runs: %u failed\n", nforms, runs, failed);
	return failed != 0;
}
