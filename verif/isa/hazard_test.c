// SPDX-License-Identifier: Apache-2.0
/* hazard_test.c -- the hazard checker on short pieces of code with verdicts written by hand.
 *
 * Deciding cycles are far from the public limits: an arithmetic result takes 4 cycles on these architectures, a guard
 * 12 or 13. Thus the verdicts do not come from the tables under test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "warplock/hazard.h"

enum { MAX_LINES = 12 };

struct line {
	const char *text;
	uint8_t stall, wr, rd, wait;
};
#define L(text, stall)                                                                                                 \
	{                                                                                                              \
		text, stall, 7, 7, 0                                                                                   \
	}
#define W(text, stall, b)                                                                                              \
	{                                                                                                              \
		text, stall, b, 7, 0                                                                                   \
	} /* sets b with the result */
#define R(text, stall, b)                                                                                              \
	{                                                                                                              \
		text, stall, 7, b, 0                                                                                   \
	} /* sets b after reading the operands */
#define A(text, stall, m)                                                                                              \
	{                                                                                                              \
		text, stall, 7, 7, m                                                                                   \
	} /* waits for the boards of mask m */

struct expected {
	enum wl_hazard_kind kind;
	unsigned producer, consumer;
	const char *reg;
	bool write;
};

struct piece {
	const char *what;
	struct line line[MAX_LINES];
	struct expected found[4];
	unsigned nfound;
};

#define CYCLES  WL_HAZARD_CYCLES
#define BOARD   WL_HAZARD_BOARD
#define OPERAND WL_HAZARD_OPERAND
#define EARLY   WL_HAZARD_EARLY

// clang-format off
static const struct piece pieces[] = {
	{"arithmetic, enough", {L("IADD3 R2, R3, R4, RZ", 8), L("IADD3 R5, R2, R4, RZ", 8), L("EXIT", 5)}, {{0}}, 0},
	{"arithmetic, one cycle", {L("IADD3 R2, R3, R4, RZ", 1), L("IADD3 R5, R2, R4, RZ", 8), L("EXIT", 5)},
	 {{CYCLES, 0, 1, "R2", false}}, 1},
	{"cycles add up", {L("IADD3 R2, R3, R4, RZ", 1), L("NOP", 1), L("NOP", 1), L("IADD3 R5, R2, R4, RZ", 8), L("EXIT", 5)},
	 {{CYCLES, 0, 3, "R2", false}}, 1},
	{"both words of a wide product", {L("IMAD.WIDE R2, R5, R6, RZ", 1), L("IADD3 R8, R2, R3, RZ", 8), L("EXIT", 5)},
	 {{CYCLES, 0, 1, "R2", false}, {CYCLES, 0, 1, "R3", false}}, 2},
	{"a guard takes longer", {L("ISETP.NE.AND P0, PT, R2, RZ, PT", 8), L("@P0 IADD3 R5, R2, R4, RZ", 8), L("EXIT", 5)},
	 {{CYCLES, 0, 1, "P0", false}}, 1},
	{"a guard after 15", {L("ISETP.NE.AND P0, PT, R2, RZ, PT", 15), L("@P0 IADD3 R5, R2, R4, RZ", 8), L("EXIT", 5)}, {{0}}, 0},
	{"a load without board", {L("LDS R2, [R3]", 15), L("NOP", 15), L("NOP", 15), L("IADD3 R5, R2, R4, RZ", 8), L("EXIT", 5)},
	 {{BOARD, 0, 3, "R2", false}}, 1},
	{"a load not waited for", {W("LDS R2, [R3]", 2, 0), A("IADD3 R5, R2, R4, RZ", 8, 2), L("EXIT", 5)},
	 {{BOARD, 0, 1, "R2", false}}, 1},
	{"a load waited for", {W("LDS R2, [R3]", 2, 0), A("IADD3 R5, R2, R4, RZ", 8, 1), L("EXIT", 5)}, {{0}}, 0},
	{"waited for by another", {W("LDS R2, [R3]", 2, 0), A("NOP", 1, 1), L("IADD3 R5, R2, R4, RZ", 8), L("EXIT", 5)}, {{0}}, 0},
	{"waited for too early", {W("LDS R2, [R3]", 1, 0), A("IADD3 R5, R2, R4, RZ", 8, 1), L("EXIT", 5)},
	 {{EARLY, 0, 1, "R2", false}}, 1},
	{"a load overwritten", {W("LDS R2, [R3]", 2, 0), L("IADD3 R2, R5, R4, RZ", 8), L("EXIT", 5)},
	 {{BOARD, 0, 1, "R2", true}}, 1},
	{"four words of a load", {W("LDS.128 R4, [R3]", 2, 0), L("IADD3 R7, R9, R9, RZ", 8), L("EXIT", 5)},
	 {{BOARD, 0, 1, "R7", true}}, 1},
	{"an operand overwritten", {L("STS [R3], R2", 2), L("IADD3 R2, R5, R4, RZ", 8), L("EXIT", 5)},
	 {{OPERAND, 0, 1, "R2", true}}, 1},
	{"... and its address", {R("STS [R3], R2", 2, 1), L("IADD3 R3, R5, R4, RZ", 8), L("EXIT", 5)},
	 {{OPERAND, 0, 1, "R3", true}}, 1},
	{"an operand read", {R("STS [R3], R2", 2, 1), A("IADD3 R2, R5, R4, RZ", 8, 2), L("EXIT", 5)}, {{0}}, 0},
	{"shared loads come in order", {L("LDS R2, [R3]", 2), W("LDS R4, [R3+0x4]", 2, 0), A("IADD3 R5, R2, R4, RZ", 8, 1), L("EXIT", 5)},
	 {{0}}, 0},
	{"... and so do tests of an address", {L("LDS R2, [R3]", 2), W("QSPC.E.S P1, RZ, [R4]", 2, 0), A("IADD3 R5, R2, R4, RZ", 8, 1), L("EXIT", 5)},
	 {{0}}, 0},
	{"... behind a global load they do not", {L("QSPC.E.S P1, RZ, [R4]", 2), W("LDG.E.SYS R2, [R8]", 2, 0), A("@P1 IADD3 R5, R2, R4, RZ", 8, 1), L("EXIT", 5)},
	 {{BOARD, 0, 2, "P1", false}}, 1},
	{"global loads do not", {L("LDG.E.SYS R2, [R8]", 2), W("LDG.E.SYS R4, [R8]", 2, 0), A("IADD3 R5, R2, R4, RZ", 8, 1), L("EXIT", 5)},
	 {{BOARD, 0, 2, "R2", false}}, 1},
	{"DEPBAR leaves one", {W("LDG.E.SYS R2, [R8]", 2, 0), W("LDG.E.SYS R4, [R8]", 2, 0), L("DEPBAR.LE SB0, 0x1", 4),
	 L("IADD3 R5, R2, RZ, RZ", 8), L("IADD3 R6, R4, RZ, RZ", 8), L("EXIT", 5)}, {{BOARD, 1, 4, "R4", false}}, 1},
	{"the other half of the threads", {L("@P0 IADD3 R2, R3, R4, RZ", 1), L("@!P0 IADD3 R5, R2, R4, RZ", 8), L("EXIT", 5)}, {{0}}, 0},
	{"unless the predicate changes", {L("@P0 IADD3 R2, R3, R4, RZ", 1), L("PLOP3.LUT P0, PT, PT, PT, PT, 0x80, 0x0", 1),
	 L("@!P0 IADD3 R5, R2, R4, RZ", 8), L("EXIT", 5)}, {{CYCLES, 0, 2, "R2", false}, {CYCLES, 1, 2, "P0", false}}, 2},
	{"only one way is too short", {L("IADD3 R2, R3, R4, RZ", 1), L("@P0 BRA 0x40", 1), L("NOP", 12), L("NOP", 1),
	 L("IADD3 R5, R2, R4, RZ", 8), L("EXIT", 5)}, {{CYCLES, 0, 4, "R2", false}}, 1},
	{"around a loop", {A("IADD3 R5, R2, R4, RZ", 8, 0), W("LDG.E.SYS R2, [R8]", 2, 3), L("@P0 BRA 0x0", 5), A("NOP", 1, 8), L("EXIT", 5)},
	 {{BOARD, 1, 0, "R2", false}, {BOARD, 1, 1, "R2", true}}, 2},
	{"around a loop, waited for", {A("IADD3 R5, R2, R4, RZ", 8, 8), W("LDG.E.SYS R2, [R8]", 2, 3), L("@P0 BRA 0x0", 5), L("EXIT", 5)},
	 {{0}}, 0},
	{"what is not reached does not count", {L("BRA 0x30", 5), L("IADD3 R2, R3, R4, RZ", 1), L("IADD3 R5, R2, R4, RZ", 8), L("EXIT", 5)},
	 {{0}}, 0},
	{"uniform to vector", {L("UIADD3 UR4, UR5, UR6, URZ", 1), L("MOV R2, UR4", 8), L("EXIT", 5)},
	 {{CYCLES, 0, 1, "UR4", false}}, 1},
	{"carry", {L("IADD3 R2, P1, R3, R4, RZ", 1), L("IADD3.X R5, R6, R7, RZ, P1, !PT", 8), L("EXIT", 5)},
	 {{CYCLES, 0, 1, "P1", false}}, 1},
	{"convergence barrier", {L("BSSY B0, 0x20", 1), L("BSYNC B0", 5), L("EXIT", 5)}, {{CYCLES, 0, 1, "B0", false}}, 1},
	{"special function", {L("MUFU.RCP R2, R3", 15), L("FMUL R4, R2, R2", 8), L("EXIT", 5)}, {{BOARD, 0, 1, "R2", false}}, 1},
	{"special register", {W("S2R R2, SR_TID.X", 2, 5), A("IADD3 R3, R2, R4, RZ", 8, 31), L("EXIT", 5)},
	 {{BOARD, 0, 1, "R2", false}}, 1},
	{"an address", {L("IADD3 R3, R5, R4, RZ", 1), W("LDS R2, [R3]", 2, 0), L("EXIT", 5)}, {{CYCLES, 0, 1, "R3", false}}, 1},
	{"DEPBAR leaves one of another board", {W("LDG.E.SYS R2, [R8]", 2, 1), W("LDG.E.SYS R4, [R8]", 2, 1), L("DEPBAR.LE SB1, 0x1", 4),
	 L("IADD3 R5, R2, RZ, RZ", 8), L("IADD3 R6, R4, RZ, RZ", 8), L("EXIT", 5)}, {{BOARD, 1, 4, "R4", false}}, 1},
	{"a uniform guard takes longer, too", {L("UISETP.NE.AND UP0, UPT, UR4, URZ, UPT", 8), L("@UP0 UIADD3 UR5, UR6, UR7, URZ", 8),
	 L("EXIT", 5)}, {{CYCLES, 0, 1, "UP0", false}}, 1},
	{"a uniform guard after 15", {L("UISETP.NE.AND UP0, UPT, UR4, URZ, UPT", 15), L("@UP0 UIADD3 UR5, UR6, UR7, URZ", 8), L("EXIT", 5)},
	 {{0}}, 0},
	{"written again, by the same pipe", {L("IADD3 R2, R3, R4, RZ", 1), L("IADD3 R2, R5, R6, RZ", 8), L("EXIT", 5)}, {{0}}, 0},
	{"... the upper word", {L("CS2R R2, SRZ", 1), L("CS2R.32 R3, SR_CLOCKLO", 15), L("EXIT", 5)}, {{0}}, 0},
	{"written again, by one that takes longer", {L("UMOV UR4, 0x5", 2), L("UIADD3 UR4, UR5, UR6, URZ", 8), L("EXIT", 5)}, {{0}}, 0},
	{"written again at once, by a quicker one", {L("UIADD3 UR4, UR5, UR6, URZ", 1), L("UMOV UR4, 0x5", 8), L("EXIT", 5)},
	 {{CYCLES, 0, 1, "UR4", true}}, 1},
	{"... the upper word", {L("CS2R R2, SRZ", 1), L("FMUL R3, R4, R5", 8), L("EXIT", 5)}, {{CYCLES, 0, 1, "R3", true}}, 1},
	{"... after a while", {L("CS2R R2, SRZ", 8), L("FMUL R3, R4, R5", 8), L("EXIT", 5)}, {{0}}, 0},
	{"a call and its return", {L("CALL.REL.NOINC 0x30", 5), L("IADD3 R5, R2, R4, RZ", 8), L("EXIT", 5),
	 L("IADD3 R2, R3, R4, RZ", 1), L("RET.REL.NODEC R20 0x0", 1)}, {{CYCLES, 3, 1, "R2", false}}, 1},
	{"a call by register does not begin anew", {L("S2R R2, SR_TID.X", 2), L("CALL.REL.NOINC R20 0x0", 5), L("EXIT", 5)}, {{0}}, 0},
	{"... and leads into functions of the section", {L("CALL.REL.NOINC R20 0x0", 5), L("EXIT", 5), L("IADD3 R2, R3, R4, RZ", 1),
	 L("IADD3 R5, R2, R4, RZ", 8), L("RET.REL.NODEC R20 0x0", 5)}, {{CYCLES, 2, 3, "R2", false}}, 1},
};

/* Code after a branch that may not be taken is judged. A branch of divided lanes has no predicate to say so. */
static const struct piece goes_on[] = {
	{"behind BRA.DIV, lanes that live", {L("BRA.DIV 0x40", 5), L("IADD3 R2, R3, R4, RZ", 1), L("IADD3 R5, R2, R4, RZ", 8), L("EXIT", 5),
	 L("EXIT", 5)}, {{CYCLES, 1, 2, "R2", false}}, 1},
	{"behind BRA.DIV, lanes of a mask", {L("BRA.DIV UR6, 0x40", 5), L("IADD3 R2, R3, R4, RZ", 1), L("IADD3 R5, R2, R4, RZ", 8), L("EXIT", 5),
	 L("EXIT", 5)}, {{CYCLES, 1, 2, "R2", false}}, 1},
};

/* Real code that the tables once called unsafe: ptxas's distance, and a cycle less. */
static const struct piece of_sm75[] = {
	{"the upper word of a uniform offset", {L("UIADD3 UR5, UR5, UR6, URZ", 1), L("BRA 0x20", 5), W("LDG.E.U8.SYS R5, [R2.64+UR4+-0x3]", 2, 0), L("EXIT", 5)}, {{0}}, 0},
	{"... and a cycle less", {L("UIADD3 UR5, UR5, UR6, URZ", 1), L("BRA 0x20", 4), W("LDG.E.U8.SYS R5, [R2.64+UR4+-0x3]", 2, 0), L("EXIT", 5)}, {{CYCLES, 0, 2, "UR5", false}}, 1},
	{"the lower word", {L("UIADD3 UR4, UR5, UR6, URZ", 1), L("BRA 0x20", 5), W("LDG.E.U8.SYS R5, [R2.64+UR4+-0x3]", 2, 0), L("EXIT", 5)}, {{CYCLES, 0, 2, "UR4", false}}, 1},
	{"a uniform address", {L("UIADD3 UR5, UR5, UR6, URZ", 6), W("LDG.E.U8.SYS R5, [UR4]", 2, 0), L("EXIT", 5)}, {{CYCLES, 0, 1, "UR5", false}}, 1},
	{"a dot product", {L("IDP.4A.U8.U8 R6, R21, R13, R12", 4), L("IMAD.WIDE.U32 R6, R6, R9, RZ", 8), L("EXIT", 5)}, {{0}}, 0},
	{"... and a cycle less", {L("IDP.4A.U8.U8 R6, R21, R13, R12", 3), L("IMAD.WIDE.U32 R6, R6, R9, RZ", 8), L("EXIT", 5)}, {{CYCLES, 0, 1, "R6", false}}, 1},
};
static const struct piece of_sm80[] = {
	{"a vote that is selected by", {L("VOTE.ANY P0, !P0", 4), L("SEL R7, RZ, 0x1, !P0", 8), L("EXIT", 5)}, {{0}}, 0},
	{"... and a cycle less", {L("VOTE.ANY P0, !P0", 3), L("SEL R7, RZ, 0x1, !P0", 8), L("EXIT", 5)}, {{CYCLES, 0, 1, "P0", false}}, 1},
	{"a descriptor", {L("ULDC.64 UR4, c[0x0][0x118]", 2), W("LDG.E R2, desc[UR4][R2.64]", 2, 0), L("EXIT", 5)}, {{0}}, 0},
	{"... and a cycle less", {L("ULDC.64 UR4, c[0x0][0x118]", 1), W("LDG.E R2, desc[UR4][R2.64]", 2, 0), L("EXIT", 5)}, {{CYCLES, 0, 1, "UR4", false}, {CYCLES, 0, 1, "UR5", false}}, 2},
	{"written again, the upper word", {L("CS2R R2, SRZ", 2), L("SEL R3, R5, 0x80000000, P2", 8), L("EXIT", 5)}, {{0}}, 0},
};
static const struct piece of_sm90[] = {
	{"written again by a vote", {L("IMAD.U32 R9, RZ, RZ, UR4", 1), L("VOTE.ANY R9, PT, !P0", 8), L("EXIT", 5)}, {{0}}, 0},
	{"a uniform guard", {L("UISETP.NE.AND UP1, UPT, UR4, 0x1f, UPT", 11), L("@UP1 UIADD3 UR4, UR4, 0x1, URZ", 8), L("EXIT", 5)}, {{0}}, 0},
	{"... and a cycle less", {L("UISETP.NE.AND UP1, UPT, UR4, 0x1f, UPT", 10), L("@UP1 UIADD3 UR4, UR4, 0x1, URZ", 8), L("EXIT", 5)}, {{CYCLES, 0, 1, "UP1", false}}, 1},
};
static const struct piece of_sm120[] = {
	{"a uniform conversion", {L("UIADD3 UR4, UPT, UPT, UR6, -0x1, URZ", 4), L("UI2FP.F32.U32 UR4, UR4", 12), L("EXIT", 5)}, {{0}}, 0},
	{"... and a cycle less", {L("UIADD3 UR4, UPT, UPT, UR6, -0x1, URZ", 3), L("UI2FP.F32.U32 UR4, UR4", 12), L("EXIT", 5)}, {{CYCLES, 0, 1, "UR4", false}}, 1},
	{"a predicate that is taken late", {L("PLOP3.LUT P1, PT, P1, P0, PT, 0xf2, 0x2f", 2), L("@P0 R2UR.OR P1, UR8, R8", 13), L("EXIT", 5)}, {{0}}, 0},
	{"... and a cycle less", {L("PLOP3.LUT P1, PT, P1, P0, PT, 0xf2, 0x2f", 1), L("@P0 R2UR.OR P1, UR8, R8", 13), L("EXIT", 5)}, {{CYCLES, 0, 1, "P1", false}}, 1},
};
#define ANNOUNCED {W("DADD R2, R4, R6", 2, 0), A("DMUL R8, R2, R2", 8, 1), L("EXIT", 5)}
/* sm_103 and sm_110 announce doubles, or count cycles as sm_100. */
static const struct piece of_sm103[] = {
	{"a double that is announced", ANNOUNCED, {{0}}, 0},
	{"... and nobody waits", {W("DADD R2, R4, R6", 2, 0), L("DFMA R8, R2, R2, R2", 8), L("EXIT", 5)}, {{BOARD, 0, 1, "R2", false}, {BOARD, 0, 1, "R3", false}}, 2},
	{"a double that takes its cycles", {L("DADD R2, R4, R6", 8), L("DMUL R8, R2, R2", 8), L("EXIT", 5)}, {{0}}, 0},
	{"... and fewer", {L("DADD R2, R4, R6", 2), L("DMUL R8, R2, R2", 8), L("EXIT", 5)}, {{CYCLES, 0, 1, "R2", false}, {CYCLES, 0, 1, "R3", false}}, 2},
};
static const struct piece of_sm100[] = {
	{"a scoreboard is no cycle", ANNOUNCED, {{CYCLES, 0, 1, "R2", false}, {CYCLES, 0, 1, "R3", false}}, 2},
};
// clang-format on

struct seen {
	const struct piece *p;
	bool hit[4];
	unsigned n;
};

static void check_one(void *self, const struct wl_hazard *h)
{
	struct seen *s = self;
	char name[8], text[128];
	wl_slot_name(h->slot, name);
	wl_hazard_text(h, text, sizeof text);
	s->n++;
	for (unsigned i = 0; i < s->p->nfound; i++) {
		const struct expected *e = &s->p->found[i];
		if (e->kind == h->kind && e->producer == h->producer && e->consumer == h->consumer &&
		    e->write == h->write && !strcmp(e->reg, name)) {
			assert_false(s->hit[i]);
			s->hit[i] = true;
			return;
		}
	}
	fail_msg("%s: not expected: word %u to %u: %s", s->p->what, h->producer, h->consumer, text);
}

static void run_pieces(unsigned chip, const struct piece *list, size_t count)
{
	const enum wl_arch arch = wl_arch_of_chip(chip);
	for (size_t i = 0; i < count; i++) {
		struct seen s = {.p = &list[i]};
		unsigned char bytes[MAX_LINES * 16];
		uint32_t n = 0;
		for (; n < MAX_LINES && s.p->line[n].text; n++) {
			const struct line *l = &s.p->line[n];
			struct wl_word w;
			char err[200];
			char sm90[64];
			const char *text = l->text, *sys = strstr(text, ".SYS");
			if (arch != WL_SM75 && sys) { /* the other architectures print no scope for plain loads */
				snprintf(sm90, sizeof sm90, "%.*s%s", (int)(sys - text), text, sys + 4);
				text = sm90;
			}
			if (wl_assemble(arch, text, 16 * n, &w, err, sizeof err) != WL_OK)
				fail_msg("%s: %s: %s", s.p->what, text, err);
			w = wl_word_set_sched(
			        w,
			        (struct wl_sched){.stall = l->stall, .wrbar = l->wr, .rdbar = l->rd, .wait = l->wait});
			memcpy(bytes + 16 * (size_t)n, &w, 16);
		}
		int found = wl_hazard_check(chip, bytes, n, NULL, 0, check_one, &s);

		assert_int_equal(found, s.n);
		for (unsigned k = 0; k < s.p->nfound; k++)
			if (!s.hit[k])
				fail_msg("%s: not found: word %u to %u, %s", s.p->what, s.p->found[k].producer,
				         s.p->found[k].consumer, s.p->found[k].reg);
	}
}

static void real_code(void **state)
{
	(void)state;
	run_pieces(75, of_sm75, sizeof of_sm75 / sizeof *of_sm75);
	run_pieces(80, of_sm80, sizeof of_sm80 / sizeof *of_sm80);
	run_pieces(90, of_sm90, sizeof of_sm90 / sizeof *of_sm90);
	run_pieces(100, of_sm100, sizeof of_sm100 / sizeof *of_sm100);
	run_pieces(103, of_sm103, sizeof of_sm103 / sizeof *of_sm103);
	run_pieces(110, of_sm103, sizeof of_sm103 / sizeof *of_sm103);
	run_pieces(120, of_sm120, sizeof of_sm120 / sizeof *of_sm120);
}

static void pieces_sm75(void **state)
{
	(void)state;
	run_pieces(WL_SM75, pieces, sizeof pieces / sizeof *pieces);
	run_pieces(WL_SM75, &goes_on[0], 1);
}

static void pieces_sm90(void **state)
{
	(void)state;
	run_pieces(WL_SM90, pieces, sizeof pieces / sizeof *pieces);
	run_pieces(WL_SM90, &goes_on[1], 1);
}

static void count_any(void *self, const struct wl_hazard *h)
{
	(void)self;
	assert_int_equal(h->kind, WL_HAZARD_CYCLES);
}

/* An indirect branch: a short way to word 3, with and without the list of ways, and no way to word 5. */
static void indirect_branches(void **state)
{
	static const char *const text[] = {
	        "IADD3 R2, R3, R4, RZ", "BRX R10 -0x20", "EXIT", "IADD3 R5, R2, R4, RZ", "EXIT",
	        "IADD3 R6, R2, R4, RZ", "EXIT"};
	static const struct wl_way ways[] = {{1, 3}};
	unsigned char bytes[7 * 16];
	char err[200];

	(void)state;
	for (unsigned i = 0; i < 7; i++) {
		struct wl_word w;
		if (wl_assemble(WL_SM75, text[i], 16 * i, &w, err, sizeof err) != WL_OK)
			fail_msg("%s: %s", text[i], err);
		w = wl_word_set_sched(w, (struct wl_sched){.stall = 1, .wrbar = 7, .rdbar = 7});
		memcpy(bytes + 16 * (size_t)i, &w, 16);
	}
	assert_int_equal(wl_hazard_check(WL_SM75, bytes, 7, ways, 1, count_any, NULL), 1);
	assert_int_equal(wl_hazard_check(WL_SM75, bytes, 7, NULL, 0, count_any, NULL), 2);
}

/* Every pair with fixed latency, near enough or not, and no other pair. */
static void pairs(void **state)
{
	static const char *const text[] = {"IADD3 R2, R3, R4, RZ", "LDS R6, [R7]", "IADD3 R5, R2, R6, RZ", "EXIT"};
	unsigned char bytes[4 * 16];
	char err[200];
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct wl_word w;
		if (wl_assemble(WL_SM75, text[i], 16 * i, &w, err, sizeof err) != WL_OK)
			fail_msg("%s: %s", text[i], err);
		w = wl_word_set_sched(w, (struct wl_sched){.stall = 15, .wrbar = 7, .rdbar = 7});
		memcpy(bytes + 16 * (size_t)i, &w, 16);
	}
	assert_int_equal(wl_hazard_pairs(WL_SM75, bytes, 4, NULL, 0, count_any, NULL), 1);
}

/* Predicates missing in our micro-operations: VIMNMX.RELU R136, P5, P6, R65, -0x5479ea4, P5 of sm_90. */
static void unbound_predicates(void **state)
{
	struct wl_access a;
	struct wl_word w;
	unsigned read = 0, written = 0;
	(void)state;
	assert_true(wl_word_parse("220e9e0002ea1100fab8615c41887848", &w));
	assert_true(wl_access_of(WL_SM90, w, &a));
	for (unsigned i = 0; i < a.n; i++) {
		assert_int_not_equal(wl_slot_file(a.op[i].slot), WL_FILE_UP);
		if (wl_slot_file(a.op[i].slot) == WL_FILE_P)
			*(a.op[i].write ? &written : &read) |= 1u << (a.op[i].slot - WL_SLOT_P);
	}
	assert_int_equal(written, 1 << 5 | 1 << 6);
	assert_int_equal(read, 1 << 5);
}

static void texts(void **state)
{
	static const struct {
		struct wl_hazard h;
		const char *says;
	} row[] = {
	        {{.kind = CYCLES, .slot = WL_SLOT_R + 2, .cycles = 1, .needed = 4},
	         "R2 is read after 1 cycles, 4 needed"},
	        {{.kind = BOARD, .slot = WL_SLOT_R + 2, .write = true, .board = 3},
	         "R2 is written without waiting for its result: scoreboard SB3"},
	        {{.kind = BOARD, .slot = WL_SLOT_R + 2, .board = 7},
	         "R2 is read without waiting for its result: no scoreboard is set"},
	        {{.kind = OPERAND, .slot = WL_SLOT_R + 2, .write = true, .board = 0},
	         "R2 is written and perhaps not read yet: scoreboard SB0"},
	        {{.kind = OPERAND, .slot = WL_SLOT_R + 2, .write = true, .board = 7},
	         "R2 is written and perhaps not read yet: no scoreboard is set"},
	};
	char text[128];
	(void)state;
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		wl_hazard_text(&row[i].h, text, sizeof text);
		assert_string_equal(text, row[i].says);
	}
}

/* Public limits: 4 cycles and more for arithmetic, 12 and more for a guard, in every table. */
static void not_laxer_than_public(void **state)
{
	static const enum wl_arch archs[] = {WL_ARCH_LIST};
	static const enum wl_pipe arithmetic[] = {WL_PIPE_Alu, WL_PIPE_Fma, WL_PIPE_Imad, WL_PIPE_Half};
	(void)state;
	for (unsigned a = 0; a < WL_ARCH_COUNT; a++)
		for (unsigned from = 0; from < 4; from++)
			for (unsigned to = 0; to < 4; to++) {
				assert_true(wl_latency(archs[a], arithmetic[from], WL_FILE_R, false, WL_USE_READ,
				                       arithmetic[to]) >= 4);
				assert_true(wl_latency(archs[a], WL_PIPE_Alu, WL_FILE_P, false, WL_USE_GUARD,
				                       arithmetic[to]) >= 12);
				assert_true(wl_latency(archs[a], WL_PIPE_Alu, WL_FILE_P, false, WL_USE_GUARD,
				                       WL_PIPE_Ctl) >= 12);
			}
}

static void count_unknown(void *self, const struct wl_hazard *h)
{
	unsigned *n = self;
	char text[128];
	wl_hazard_text(h, text, sizeof text);
	assert_int_equal(h->kind, WL_HAZARD_UNKNOWN);
	assert_non_null(strstr(text, "no instruction"));
	++*n;
}

static void unknown_words(void **state)
{
	unsigned char words[32];
	unsigned n = 0;
	(void)state;
	memset(words, 0xff, sizeof words);
	assert_int_equal(wl_hazard_check(WL_SM75, words, 2, NULL, 0, count_unknown, &n), 2);
	assert_int_equal(n, 2);
	assert_int_equal(wl_hazard_check(WL_SM75, words, 0, NULL, 0, count_unknown, &n), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(pieces_sm75),
	        cmocka_unit_test(real_code),
	        cmocka_unit_test(pieces_sm90),
	        cmocka_unit_test(indirect_branches),
	        cmocka_unit_test(not_laxer_than_public),
	        cmocka_unit_test(unknown_words),
	        cmocka_unit_test(pairs),
	        cmocka_unit_test(unbound_predicates),
	        cmocka_unit_test(texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
