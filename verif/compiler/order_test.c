// SPDX-License-Identifier: Apache-2.0
/* order_test.c -- code of each ordered access and each fence of PTX, with the order of the words, at -O0 and -O2.
 *
 * The table follows the PTX memory model. Everything published by a release must be visible before the access (MEMBAR
 * of the scope; ERRBAR for observers outside the CTA). Reads behind an acquire must not come from a stale line
 * (CCTL.IVALL; not within a CTA, since the threads share the cache, nor for shared memory out of reach of other
 * CTAs). A strong access says STRONG with its scope. No other words are allowed: fences cost hundreds of cycles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wlcc.h"

static const struct {
	const char *ptx, *code;
	enum wl_arch arch;
} rows[] = {
        /* loads and stores */
        {"ld.global.u32 %r1, [%d1];", "LDG.E.SYS", WL_SM75},
        {"ld.weak.global.u32 %r1, [%d1];", "LDG.E.SYS", WL_SM75},
        {"ld.volatile.global.u32 %r1, [%d1];", "LDG.E.STRONG.SYS", WL_SM75},
        {"ld.volatile.u32 %r1, [%d1];", "LD.E.STRONG.SYS", WL_SM75},
        {"ld.relaxed.cta.global.u32 %r1, [%d1];", "LDG.E.STRONG.CTA", WL_SM75},
        {"ld.relaxed.gpu.global.u64 %d3, [%d1];", "LDG.E.64.STRONG.GPU", WL_SM75},
        {"ld.relaxed.sys.global.u32 %r1, [%d1];", "LDG.E.STRONG.SYS", WL_SM75},
        {"ld.acquire.cta.global.u32 %r1, [%d1];", "LDG.E.STRONG.CTA", WL_SM75},
        {"ld.acquire.gpu.global.u32 %r1, [%d1];", "LDG.E.STRONG.GPU CCTL.IVALL", WL_SM75},
        {"ld.acquire.sys.global.u8 %r1, [%d1];", "LDG.E.U8.STRONG.SYS CCTL.IVALL", WL_SM75},
        {"ld.acquire.gpu.u32 %r1, [%d1];", "LD.E.STRONG.GPU CCTL.IVALL", WL_SM75},
        {"ld.global.nc.u32 %r1, [%d1];", "LDG.E.CONSTANT.SYS", WL_SM75},
        {"ld.global.nc.L1::no_allocate.u32 %r1, [%d1];", "LDG.E.NA.CONSTANT", WL_SM90},
        {"ld.global.nc.L1::no_allocate.L2::128B.v2.u32 {%r1, %r2}, [%d1];", "LDG.E.NA.LTC128B.64.CONSTANT", WL_SM100},
        {"st.global.u32 [%d1], %r2;", "STG.E.SYS", WL_SM75},
        {"ld.relaxed.gpu.global.v4.b64 {%d3, %d2, %d0, %d1}, [%d1];", "LDG.E.ENL2.256.STRONG.GPU", WL_SM100},
        {"ld.acquire.sys.v4.b64 {%d3, %d2, %d0, %d1}, [%d1];", "LDG.E.ENL2.256.STRONG.SYS CCTL.IVALL", WL_SM120},
        {"ld.global.nc.L2::256B.v4.b64 {%d3, %d2, %d0, %d1}, [%d1];", "LDG.E.ENL2.LTC256B.256.CONSTANT", WL_SM100},
        {"st.release.gpu.global.v4.b64 [%d1], {%d2, %d2, %d2, %d2};",
         "MEMBAR.ALL.GPU ERRBAR CGAERRBAR STG.E.ENL2.256.STRONG.GPU", WL_SM100},
        {"st.global.L1::no_allocate.v4.b64 [%d1], {%d2, %d2, %d2, %d2};", "STG.E.NA.ENL2.256", WL_SM120},
        /* hints about lines of the caches */
        {"prefetch.global.L1 [%d1];", "CCTL.E.PF1", WL_SM75},
        {"prefetch.L2 [%d1+256];", "CCTL.E.PF2", WL_SM90},
        {"prefetchu.L1 [%d1];", "CCTL.E.PF1", WL_SM120},
        {"prefetch.global.L2::evict_last [%d1];", "CCTL.E.PML2", WL_SM80},
        {"prefetch.global.L2::evict_normal [%d1];", "CCTL.E.PF2", WL_SM100},
        {"applypriority.global.L2::evict_normal [%d1], 128;", "CCTL.E.DML2", WL_SM90},
        {"discard.global.L2 [%d1], 128;", "CCTL.E.RML2", WL_SM100},
        {"st.volatile.global.u32 [%d1], %r2;", "STG.E.STRONG.SYS", WL_SM75},
        {"st.relaxed.cta.global.u32 [%d1], %r2;", "STG.E.STRONG.CTA", WL_SM75},
        {"st.relaxed.gpu.u32 [%d1], %r2;", "ST.E.STRONG.GPU", WL_SM75},
        {"st.release.cta.global.u32 [%d1], %r2;", "MEMBAR.ALL.CTA STG.E.STRONG.CTA", WL_SM75},
        {"st.release.gpu.global.u32 [%d1], %r2;", "MEMBAR.ALL.GPU ERRBAR STG.E.STRONG.GPU", WL_SM75},
        {"st.release.sys.global.u32 [%d1], %r2;", "MEMBAR.ALL.SYS ERRBAR STG.E.STRONG.SYS", WL_SM75},
        {"st.release.gpu.u64 [%d1], %d2;", "MEMBAR.ALL.GPU ERRBAR ST.E.64.STRONG.GPU", WL_SM75},
        {"st.mmio.relaxed.sys.global.u32 [%d1], %r2;", "STG.E.MMIO.SYS", WL_SM75},
        {"ld.mmio.relaxed.sys.global.u32 %r1, [%d1];", "LDG.E.MMIO.SYS", WL_SM75},
        /* shared memory has no field for the order, and no cache holds shared memory */
        {"ld.acquire.gpu.shared.u32 %r1, [%r3];", "LDS.U", WL_SM75},
        {"ld.volatile.shared.u32 %r1, [%r3];", "LDS.U", WL_SM75},
        {"st.release.cta.shared.u32 [%r3], %r2;", "MEMBAR.ALL.CTA STS", WL_SM75},
        {"st.release.gpu.shared.u32 [%r3], %r2;", "MEMBAR.ALL.GPU ERRBAR STS", WL_SM75},
        /* atomics */
        {"atom.global.add.u32 %r1, [%d1], %r2;", "ATOMG.E.ADD.STRONG.GPU", WL_SM75},
        {"atom.relaxed.cta.global.add.u32 %r1, [%d1], %r2;", "ATOMG.E.ADD.STRONG.CTA", WL_SM75},
        {"atom.acquire.gpu.global.add.u32 %r1, [%d1], %r2;", "ATOMG.E.ADD.STRONG.GPU CCTL.IVALL", WL_SM75},
        {"atom.release.gpu.global.add.u32 %r1, [%d1], %r2;", "MEMBAR.ALL.GPU ERRBAR ATOMG.E.ADD.STRONG.GPU", WL_SM75},
        {"atom.acq_rel.gpu.global.cas.b32 %r1, [%d1], %r2, %r3;",
         "MEMBAR.ALL.GPU ERRBAR ATOMG.E.CAS.STRONG.GPU CCTL.IVALL", WL_SM75},
        {"atom.acq_rel.sys.global.exch.b64 %d3, [%d1], %d2;",
         "MEMBAR.ALL.SYS ERRBAR ATOMG.E.EXCH.64.STRONG.SYS CCTL.IVALL", WL_SM75},
        {"atom.acq_rel.cta.global.max.s32 %r1, [%d1], %r2;", "MEMBAR.ALL.CTA ATOMG.E.MAX.S32.STRONG.CTA", WL_SM75},
        {"atom.acquire.gpu.global.add.u32 _, [%d1], %r2;", "ATOMG.E.ADD.STRONG.GPU CCTL.IVALL", WL_SM75},
        {"atom.acq_rel.gpu.add.u32 %r1, [%d1], %r2;", "MEMBAR.ALL.GPU ERRBAR ATOM.E.ADD.STRONG.GPU CCTL.IVALL",
         WL_SM75},
        {"red.relaxed.gpu.global.add.u32 [%d1], %r2;", "RED.E.ADD.STRONG.GPU", WL_SM75},
        {"red.release.gpu.global.add.u32 [%d1], %r2;", "MEMBAR.ALL.GPU ERRBAR RED.E.ADD.STRONG.GPU", WL_SM75},
        {"red.release.cta.global.add.u32 [%d1], %r2;", "MEMBAR.ALL.CTA RED.E.ADD.STRONG.CTA", WL_SM75},
        {"atom.acq_rel.gpu.shared.add.u32 %r1, [%r3], %r2;", "MEMBAR.ALL.GPU ERRBAR ATOMS.ADD", WL_SM75},
        {"atom.acq_rel.cta.shared.add.u32 %r1, [%r3], %r2;", "MEMBAR.ALL.CTA ATOMS.ADD", WL_SM75},
        {"atom.acq_rel.cta.shared.add.u64 %d3, [%r3], %d2;", "MEMBAR.ALL.CTA LDS.U.64 ATOMS.CAST.SPIN.64", WL_SM75},
        {"atom.acq_rel.gpu.global.cas.b16 %h1, [%d1], %h2, %h3;",
         "MEMBAR.ALL.GPU ERRBAR LDG.E.SYS ATOMG.E.CAS.STRONG.GPU CCTL.IVALL", WL_SM75},
        /* fences */
        {"fence.sc.cta;", "MEMBAR.SC.CTA", WL_SM75},
        {"fence.sc.gpu;", "MEMBAR.SC.GPU ERRBAR CCTL.IVALL", WL_SM75},
        {"fence.sc.sys;", "MEMBAR.SC.SYS ERRBAR CCTL.IVALL", WL_SM75},
        {"fence.acq_rel.cta;", "MEMBAR.ALL.CTA", WL_SM75},
        {"fence.acq_rel.gpu;", "MEMBAR.ALL.GPU ERRBAR CCTL.IVALL", WL_SM75},
        {"fence.acq_rel.sys;", "MEMBAR.ALL.SYS ERRBAR CCTL.IVALL", WL_SM75},
        {"membar.cta;", "MEMBAR.SC.CTA", WL_SM75},
        {"membar.gl;", "MEMBAR.SC.GPU ERRBAR CCTL.IVALL", WL_SM75},
        {"membar.sys;", "MEMBAR.SC.SYS ERRBAR CCTL.IVALL", WL_SM75},
        /* an aligned barrier is for all lanes of a warp together: lanes wait for each other if possibly apart */
        {"bar.sync 0;", "BAR.SYNC", WL_SM75},
        {"{.reg .pred %p; setp.eq.u32 %p, %r3, 5; @%p bra OUT; bar.sync 0; OUT:}", "WARPSYNC BAR.SYNC", WL_SM75},
        {"{.reg .pred %p; setp.eq.u32 %p, %r2, 5; @%p bra OUT; bar.sync 0; OUT:}", "BAR.SYNC", WL_SM75},
        {"{.reg .pred %p; setp.eq.u32 %p, %r3, 5; @%p bar.sync 0;}", "WARPSYNC BAR.SYNC", WL_SM75},
        {"bar.sync 1, 64;", "BAR.SYNC.DEFER_BLOCKING", WL_SM80},
        {"barrier.sync 1, 64;", "BAR.SYNC", WL_SM80},
        {"{.reg .pred %p; setp.eq.u32 %p, %r3, 5; @%p bra OUT; bar.red.popc.u32 %r1, 0, %p; OUT:}",
         "WARPSYNC BAR.RED.POPC.DEFER_BLOCKING", WL_SM80},
        {"{.reg .pred %p; setp.eq.u32 %p, %r3, 5; @%p bra OUT; bar.arrive 0, 64; OUT:}", "WARPSYNC.ALL BAR.ARV",
         WL_SM120},
        {"{.reg .pred %p; setp.eq.u32 %p, %r3, 5; TRY: atom.global.cas.b32 %r1, [%d1], 0, 1; setp.ne.u32 %p, %r1, 0; "
         "@%p bra TRY; bar.sync 0;}",
         "ATOMG.E.CAS.STRONG.GPU WARPSYNC.ALL BAR.SYNC.DEFER_BLOCKING", WL_SM90},
        /* a single access for the lanes together, with fences beside the access from sm_90 on: another CTA of the
         * cluster may have released through its address of the same shared memory */
        {"red.release.gpu.global.add.u32 [%d2], 5;", "MEMBAR.ALL.GPU ERRBAR RED.E.ADD.STRONG.GPU", WL_SM80},
        {"atom.acq_rel.gpu.shared.add.u64 %d3, [%r3], %d2;",
         "MEMBAR.ALL.GPU ERRBAR CGAERRBAR LDS.64 ATOMS.CAST.SPIN.64 CCTL.IVALL", WL_SM90},
        {"atom.acquire.gpu.shared.add.u64 %d3, [%r3], %d2;", "LDS.64 ATOMS.CAST.SPIN.64 CCTL.IVALL", WL_SM120},
        {"atom.acq_rel.gpu.global.cas.b16 %h1, [%d1], %h2, %h3;",
         "LDG.E MEMBAR.ALL.GPU ERRBAR CGAERRBAR ATOMG.E.CAS.STRONG.GPU CCTL.IVALL", WL_SM90},
        /* from sm_90 on errors of the cluster are surfaced, too, and shared memory of other CTAs may be cached */
        {"ld.global.u32 %r1, [%d1];", "LDG.E", WL_SM80},
        {"ld.relaxed.cta.global.u32 %r1, [%d1];", "LDG.E.STRONG.SM", WL_SM80},
        {"st.release.gpu.global.u32 [%d1], %r2;", "MEMBAR.ALL.GPU ERRBAR STG.E.STRONG.GPU", WL_SM80},
        {"st.release.gpu.global.u32 [%d1], %r2;", "MEMBAR.ALL.GPU ERRBAR CGAERRBAR STG.E.STRONG.GPU", WL_SM90},
        {"st.release.cta.global.u32 [%d1], %r2;", "MEMBAR.ALL.CTA STG.E.STRONG.SM", WL_SM90},
        {"atom.acquire.gpu.shared.add.u32 %r1, [%r3], %r2;", "ATOMS.ADD CCTL.IVALL", WL_SM90},
        {"fence.sc.sys;", "MEMBAR.SC.SYS ERRBAR CGAERRBAR CCTL.IVALL", WL_SM100},
        {"fence.acquire.gpu;", "CCTL.IVALL", WL_SM100},
        {"fence.release.gpu;", "MEMBAR.ALL.GPU ERRBAR CGAERRBAR", WL_SM120},
        {"atom.acq_rel.sys.global.cas.b32 %r1, [%d1], %r2, %r3;",
         "MEMBAR.ALL.SYS ERRBAR CGAERRBAR ATOMG.E.CAS.STRONG.SYS CCTL.IVALL", WL_SM120},
};

static void complain(void *self, const struct wlcc_message *m)
{
	(void)self;
	if (m->severity == WLCC_ERROR)
		printf("  %s\n", m->text);
}

static bool counts(const char *line)
{
	static const char *const families[] = {"LD.", "LDG",    "LDS",    "ST.",       "STG",  "STS",  "ATOM",
	                                       "RED", "MEMBAR", "ERRBAR", "CGAERRBAR", "CCTL", "BAR.", "WARPSYNC"};

	for (unsigned i = 0; i < sizeof families / sizeof *families; i++)
		if (strncmp(line, families[i], strlen(families[i])) == 0)
			return true;
	return false;
}

/* The names of the memory instructions of the text, separated by single blanks. */
static void names_of(char *sass, char *out, size_t n)
{
	size_t at = 0;
	out[0] = 0;
	for (char *line = strtok(sass, "\n"); line; line = strtok(NULL, "\n")) {
		if (*line == '@')
			line = strchr(line, ' ') + 1;
		if (counts(line))
			at += (size_t)snprintf(out + at, n - at, "%s%.*s", at ? " " : "", (int)strcspn(line, " "),
			                       line);
	}
}

static bool try_row(const char *ptx, const char *expected, enum wl_arch arch, int opt)
{
	char text[2048], names[512], *sass = NULL;
	size_t n = 0;
	FILE *to = open_memstream(&sass, &n);
	struct wlcc_options o = {
	        .arch = arch ? arch : WL_SM75, .opt = opt, .file = ptx, .emit_sass = to, .diag = complain};
	struct wlcc_bytes object = {NULL, 0};
	bool good;

	snprintf(text, sizeof text,
	         ".version 9.0\n.target sm_%u\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b, "
	         ".param .u32 c)\n{\n.reg .b16 %%h<4>;\n.reg .b32 %%r<4>;\n.reg .b64 %%d<4>;\n.local .b64 l[2];\n"
	         "ld.param.u64 %%d1, [a];\nld.param.u64 %%d2, [b];\nld.param.u32 %%r2, [c];\nmov.u32 %%r3, %%tid.x;\n"
	         "mov.u32 %%r1, 0;\nmov.u64 %%d3, 0;\ncvt.u16.u32 %%h2, %%r2;\ncvt.u16.u32 %%h3, %%r3;\n"
	         "mov.u16 %%h1, 0;\n%s\n"
	         "st.local.u32 [l], %%r1;\nst.local.u64 [l+8], %%d3;\nst.local.u16 [l+4], %%h1;\nret;\n}\n",
	         (unsigned)arch, ptx);
	good = wlcc_compile_ptx(text, strlen(text), &o, false, &object);
	fclose(to);
	names_of(sass, names, sizeof names);
	if (!good || strcmp(names, expected) != 0) {
		printf("FAILED %s -O%d\n  found    %s\n  expected %s\n", ptx, opt, names, expected);
		good = false;
	}
	free(object.data);
	free(sass);
	return good;
}

int main(void)
{
	unsigned failed = 0, n = sizeof rows / sizeof *rows;
	for (unsigned i = 0; i < n; i++)
		failed += !(try_row(rows[i].ptx, rows[i].code, rows[i].arch, 0) &&
		            try_row(rows[i].ptx, rows[i].code, rows[i].arch, 2));
	printf("%u passed, %u failed\n", n - failed, failed);
	return failed != 0;
}
