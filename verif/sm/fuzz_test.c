// SPDX-License-Identifier: Apache-2.0
/* fuzz_test.c -- programs of instruction words with flipped bits. FRONT must end each program in a defined way, alone
 * and as SOURCE, twice alike, and with a message. The second run has an observer and thus another loop over
 * instructions than the first run. Meant for a build with SAN=1.
 *   fuzz_test [PROGRAMS [SEED]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/rng.h"
#include "kernel.h"
#include "warplock/observe.h"
#include "warplock/schedule.h"

enum { FIXED = 12, LENGTH = 28 };

static const char seeds[] = /* targets are relative: branches of the first lines stay near */
        "BRA 0x40\n@P0 BRA 0x0\n@P1 BRA 0x60\n@!P0 BRA 0x10\nBSSY B0, 0x80\nCALL.REL.NOINC 0x70\n"
        "MOV R8, R4\nMOV R8, c[0x0][0x160]\nIADD3 R8, P3, P4, R2, -R4, R6\nIADD3.X R8, R2, ~R4, RZ, P0, !PT\nIMAD R8, "
        "R2, 0x3, R6\n"
        "IMAD.WIDE.U32 R8, R2, R4, c[0x0][0x160]\nIMAD.HI.U32 R8, R2, R4, R6\nLEA.HI.X R8, R2, R4, R6, 0x2, P0\n"
        "LOP3.LUT P3, R8, R2, R4, R6, 0x96, P0\nSHF.R.U64 R8, R2, R4, R6\nSEL R8, R2, R4, P0\nISETP.GE.U32.AND.EX P3, "
        "PT, R2, R4, PT, P1\n"
        "IMNMX.U32 R8, R2, R4, P0\nPOPC R8, R4\nFLO.U32.SH R8, R4\nBREV R8, R4\nPRMT R8, R2, R4, R6\nPLOP3.LUT P3, P4, "
        "P0, P1, P2, 0xca, 0x35\n"
        "I2F.U32.RP R8, R6\nF2I.FTZ.U32.TRUNC.NTZ R8, R6\nMUFU.RCP R8, R6\nFFMA R8, R6, R6, R4\nS2R R0, SR_TID.X\nCS2R "
        "R8, SR_CLOCKLO\n"
        "LDC R8, c[0x0][0x0]\nULDC.64 UR4, c[0x0][0x0]\nR2UR UR4, R0\nVOTE.ANY R8, PT, P0\nVOTEU.ANY UR4, UPT, "
        "P0\nSHFL.IDX PT, R8, R0, 0x5, 0x1f\n"
        "LDG.E.128.SYS R16, [R2]\nSTG.E.64.SYS [R2+0x8], R12\nLDL R8, [R0]\nSTL.64 [R0+0x8], "
        "R6\nATOMG.E.ADD.STRONG.GPU PT, R8, [R2], R6\n"
        "ATOMG.E.CAS.STRONG.GPU PT, R14, [R2], R12, R13\nRED.E.ADD.64.STRONG.GPU [R2], R16\nLDS.U R8, [R0.X4]\nLDS.128 "
        "R8, [R0.X16]\n"
        "STS.64 [R0.X8+0x10], R6\nATOMS.ADD R8, [R0.X4], R5\nATOMS.CAS.64 R8, [R0.X8], R4, R6\nATOMS.CAST.SPIN R8, "
        "[R0.X4], R4, R6\n"
        "BSYNC B0\nBREAK B0\nBMOV.32.CLEAR R12, B0\nWARPSYNC "
        "0xffffffff\nYIELD\n"
        "RET.REL.NODEC R10 0x0\nBAR.SYNC 0x0\nBAR.ARV 0x1, 0x40\nMEMBAR.SC.GPU\nNOP\n@P1 "
        "EXIT\nEXIT\n";

/* Registers and predicates for useful accesses and branches, then room for the words under test. */
static const char frame[] = "S2R R0, SR_TID.X\nMOV R2, c[0x0][0x160]\nMOV R3, c[0x0][0x164]\nMOV R4, 0x10\nMOV R5, "
                            "0x1\nMOV R6, 0x40\nMOV R10, 0xa0\n"
                            "MOV R11, RZ\nLOP3.LUT P0, R12, R0, 0x1, RZ, 0xc0, !PT\nISETP.LT.U32.AND P1, PT, R0, 0x28, "
                            "PT\nMOV R16, 0x5\nMOV R13, 0x3\n"
                            "NOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nEXIT\n";

static struct rng rng;
static uint32_t rnd(void)
{
	return rng_u32(&rng);
}

/* A word of the list, one time in four with up to three bits flipped; the word always decodes. */
static void pick(const struct wl_program *from, struct wl_program *to, uint32_t at)
{
	do {
		struct wl_word w = from->words[rnd() % from->ninst];
		for (unsigned flips = rnd() % 4 ? 0 : 1 + rnd() % 3; flips; flips--) {
			unsigned bit = rnd() % 105;
			*(bit < 64 ? &w.lo : &w.hi) ^= UINT64_C(1) << bit % 64;
		}
		to->words[at] = w;
	} while (wl_decode(WL_SM75, to->words[at], &to->insts[at]));
}

struct digest {
	enum wl_outcome outcome;
	uint64_t instructions;
	uint32_t memory;
};

static void ignore(void *self, const char *text)
{
	*(size_t *)self += strlen(text);
}

/* The C unit serves requests one after the other. */
static enum wl_outcome serve(struct wl_gpu *gpu)
{
	struct wl_source s = wl_gpu_source(gpu, 1u << WL_UNIT_atoms_pipe, NULL);
	struct wl_req req;
	struct wl_atoms_plan plan;
	struct wl_record rec;
	while (s.next(s.self, 0, &req) == WL_OFFER_REQ) {
		s.accept(s.self, &req);
		wl_atoms_plan(wl_gpu_smem(gpu, 0), &req, &plan);
		wl_atoms_start(&req, &plan, &rec);
		wl_atoms_apply(wl_gpu_smem(gpu, 0), &req, &plan, plan.common.ok, &rec);
		wl_atoms_finish(&req, &plan, &rec);
		s.retire(s.self, &rec);
	}
	return wl_gpu_outcome(gpu);
}

static void look(void *self, const struct wl_seen *e)
{
	(void)self;
	(void)e;
}

static struct digest run(struct kernel *k, bool source, bool observed)
{
	static const struct wl_observer observer = {.event = look, .issues = true};
	struct digest d;
	size_t said = 0;
	memset(k->mem.mem, 0, KERNEL_HEAP);
	kernel_start(k);
	wl_gpu_observe(k->gpu, observed ? &observer : NULL);
	d.outcome = source ? serve(k->gpu) : wl_gpu_run(k->gpu);
	d.instructions = wl_gpu_warp_instructions(k->gpu);
	d.memory = 0;
	for (unsigned i = 0; i < 4096; i++)
		d.memory = d.memory * 31 + k->mem.mem[i];
	wl_gpu_detail(k->gpu, k->detail, sizeof k->detail);
	for (const char *c = k->detail; *c; c++)
		d.memory = d.memory * 31 + (uint8_t)*c;
	wl_gpu_explain(k->gpu, ignore, &said);
	if (d.outcome == WL_RUNNING || !k->detail[0]) {
		printf("no end: outcome %d, '%s'\n", d.outcome, k->detail);
		exit(1);
	}
	return d;
}

int main(int argc, char **argv)
{
	unsigned programs = argc > 1 ? (unsigned)atoi(argv[1]) : 3000, ends[WL_ERROR + 1] = {0};
	rng = rng_seed(argc > 2 ? strtoull(argv[2], NULL, 0) : 1, 0);
	struct kernel list, k;
	kernel_init(&list, seeds);
	kernel_init(&k, frame);
	k.config.warps_per_sm = 6;
	k.config.shared_bytes = 4096;
	k.prog.shared_bytes = 2048;
	k.prog.local_bytes = 64;
	k.launch.block[0] = 72;
	k.launch.grid[0] = 2;
	k.launch.limit = 3000;
	kernel_words(&k, 0, 1024, 0);
	for (unsigned n = 0; n < programs; n++) {
		for (uint32_t i = FIXED; i + 1 < LENGTH; i++)
			pick(&list.prog, &k.prog, i);
		k.config.seed = n;
		k.config.schedule = n % (WL_SCHEDULE_EXPLORE + 1);
		struct digest once = run(&k, false, false), twice = run(&k, false, true);
		struct digest served = run(&k, true, false);
		if (once.outcome != twice.outcome || once.instructions != twice.instructions ||
		    once.memory != twice.memory) {
			printf("program %u: two runs differ\n", n);
			return 1;
		}
		ends[once.outcome]++;
		ends[served.outcome]++;
	}
	kernel_free(&list);
	kernel_free(&k);
	printf("%u programs:", programs);
	for (unsigned o = WL_ENDED; o <= WL_ERROR; o++)
		printf(" %s %u", wl_outcome_name((enum wl_outcome)o), ends[o]);
	printf("\n");
	for (unsigned o = WL_ENDED; o <= WL_ERROR; o++)
		if (programs >= 3000 && !ends[o]) {
			printf("no program had the outcome %s: the programs are too tame\n",
			       wl_outcome_name((enum wl_outcome)o));
			return 1;
		}
	return 0;
}
