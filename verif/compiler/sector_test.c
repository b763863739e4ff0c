// SPDX-License-Identifier: Apache-2.0
/* sector_test.c -- loads and stores of 256 bits (sm_100 and later): the elements of PTX in turn, from odd offsets,
 * with unused elements. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_ptx.h"

enum { LANES = 32, WORDS = 8, BUFFER = LANES * WORDS };

/* Each row reads a lane's sector at %a and writes eight words at %b; from[] gives, for each word, the word of the
 * sector. */
static const struct {
	const char *ptx;
	uint8_t from[WORDS];
} rows[] = {
        {"ld.global.v8.b32 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%a];"
         "st.global.v8.b32 [%b], {%r7,%r6,%r5,%r4,%r3,%r2,%r1,%r0};",
         {7, 6, 5, 4, 3, 2, 1, 0}},
        {"ld.global.v8.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, [%a];"
         "st.global.v8.f32 [%b], {%f1,%f1,%f3,%f3,%f5,%f5,%f7,%f0};",
         {1, 1, 3, 3, 5, 5, 7, 0}},
        {"ld.v4.u64 {%d0,%d1,%d2,%d3}, [%a]; st.v4.u64 [%b], {%d2,%d3,%d0,%d1};", {4, 5, 6, 7, 0, 1, 2, 3}},
        {"ld.global.v4.f64 {%g0,%g1,%g2,%g3}, [%a]; st.global.v4.f64 [%b], {%g3,%g2,%g1,%g0};",
         {6, 7, 4, 5, 2, 3, 0, 1}},
        {"ld.relaxed.gpu.global.v4.b64 {%d0,%d1,%d2,%d3}, [%a]; st.volatile.global.v4.b64 [%b], {%d1,%d0,%d3,%d2};",
         {2, 3, 0, 1, 6, 7, 4, 5}},
        {"ld.acquire.gpu.global.v8.b32 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%a];"
         "st.release.gpu.global.v8.b32 [%b], {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7};",
         {0, 1, 2, 3, 4, 5, 6, 7}},
        {"ld.global.nc.L2::256B.v8.b32 {%r0,_,%r2,_,_,%r5,_,%r7}, [%a];"
         "st.global.L1::no_allocate.v8.b32 [%b], {%r0,%r0,%r2,%r2,%r5,%r5,%r7,%r7};",
         {0, 0, 2, 2, 5, 5, 7, 7}},
        {"add.u64 %a, %a, -20; ld.global.v8.s32 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%a+20]; add.u64 %b, %b, 4;"
         "st.global.v8.s32 [%b+-4], {%r3,%r2,%r1,%r0,%r7,%r6,%r5,%r4};",
         {3, 2, 1, 0, 7, 6, 5, 4}},
        {"sub.u64 %a, %a, 2097152; ld.global.v8.b32 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%a+2097152];"
         "sub.u64 %b, %b, 8388608; st.global.v8.b32 [%b+8388608], {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7};",
         {0, 1, 2, 3, 4, 5, 6, 7}},
        {"mov.b32 %r0, 0; mov.u64 %d0, %b; st.global.v8.b32 [%d0], {%r0,%r0,%r0,%r0,%r0,%r0,%r0,%r0};"
         "ld.global.v4.b64 {%a,%b,%d1,%d2}, [%a]; st.global.v4.b64 [%d0], {%b,%a,%d2,%d1};",
         {2, 3, 0, 1, 6, 7, 4, 5}},
};

static int fails(const char *ptx, enum wl_arch arch, int opt, const char *what)
{
	fprintf(stderr, "FAILED: sm_%d -O%d: %s: %s\n", (int)arch, opt, ptx, what);
	return 1;
}

static int check(unsigned row, enum wl_arch arch, int opt)
{
	static uint32_t from[BUFFER], to[BUFFER];
	char text[3000], why[1000];
	struct run_setup s = {.ptx = text, .arch = arch, .opt = opt, .grid = 1, .block = LANES, .nbufs = 2};
	snprintf(text, sizeof text,
	         ".version 8.8\n.target sm_100\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q)\n{\n"
	         ".reg .b64 %%a, %%b, %%d<4>, %%t; .reg .f64 %%g<4>; .reg .b32 %%r<8>, %%i; .reg .f32 %%f<8>;\n"
	         "ld.param.u64 %%a, [p]; ld.param.u64 %%b, [q]; mov.u32 %%i, %%tid.x; mul.wide.u32 %%t, %%i, 32;\n"
	         "add.u64 %%a, %%a, %%t; add.u64 %%b, %%b, %%t;\n%s\nret;\n}\n",
	         rows[row].ptx);
	for (unsigned i = 0; i < BUFFER; i++) {
		from[i] = 0x01010101u * (i % 251) ^ 0x9e3779b9u * i;
		to[i] = 0xdeadbeef;
	}
	s.buf[0].data = from;
	s.buf[1].data = to;
	s.buf[0].size = s.buf[1].size = sizeof from;
	if (!run_ptx(&s, why, sizeof why))
		return fails(rows[row].ptx, arch, opt, why);
	for (unsigned i = 0; i < BUFFER; i++)
		if (to[i] != from[i / WORDS * WORDS + rows[row].from[i % WORDS]])
			return fails(rows[row].ptx, arch, opt, "wrong words");
	return 0;
}

int main(void)
{
	static const enum wl_arch archs[] = {WL_SM100, WL_SM120};
	int failed = 0;
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0] * 4; k++)
		failed |= check(k / 4, archs[k % 2], k % 4 / 2 * 2);
	return failed;
}
