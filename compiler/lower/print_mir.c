// SPDX-License-Identifier: Apache-2.0
/* print_mir.c -- machine IR as text (--dump-after=PASS): a line for each block with the predecessors, and a line for
 * each instruction. v12.0 is a word of a register without a number, R4 a register with a number; `?` marks a guarded
 * write without need of the old value. Behind the scheduler, {...} are the scheduling fields. */
#include "mir.h"

#include "warplock/hazard.h"

#include <inttypes.h>
#include <string.h>

static void print_ref(FILE *to, const struct mfunc *f, ref r)
{
	const struct vreg *v;
	if (!ref_is_reg(r)) {
		fputs(r == REF_SP ? "SP" : "RZ", to);
		return;
	}
	v = &f->vregs[ref_reg(r)];
	if (v->phys >= 0)
		fprintf(to, "%c%u", v->pred ? 'P' : 'R', (unsigned)v->phys + ref_word(r));
	else if (v->pred)
		fprintf(to, "p%u", ref_reg(r));
	else
		fprintf(to, "v%u.%u", ref_reg(r), ref_word(r));
}

static void print_predicate(FILE *to, const struct mfunc *f, ref p, uint8_t number)
{
	fputs(number & NOT_P ? "!" : "", to);
	if (p == REF_NONE)
		fputs("PT", to);
	else
		print_ref(to, f, p);
}

static void print_source(FILE *to, const struct mfunc *f, const struct minst *in, unsigned i)
{
	const ref sources[3] = {in->ra, in->rb, in->rc};
	fputs(in->w.neg >> i & 1 ? ", -" : ", ", to);
	switch (in->w.src[i]) {
	case WL_SRC_IMM:
		if (in->w.uop < WL_UOP_COUNT)
			fprintf(to, "0x%" PRIx64, (uint64_t)(uint32_t)in->w.imm);
		else
			fprintf(to, "0x%" PRIx64, in->imm64);
		break;
	case WL_SRC_CONST:
		fprintf(to, "c[0x%x][0x%x]", in->w.cbank, (unsigned)in->w.coff);
		break;
	case WL_SRC_UREG:
		fprintf(to, "UR%u", in->w.ur);
		break;
	default:
		print_ref(to, f, sources[i]);
	}
}

static const char *name_of(const struct minst *in)
{
	static const char *const pseudo[] = {"MOV64", "ADD64", "SYMBOL"};
	return in->w.uop < WL_UOP_COUNT ? wl_uop_name((enum wl_uop)in->w.uop) : pseudo[in->w.uop - WL_UOP_COUNT];
}

/* The scheduling fields: cycles, boards waited for, boards set by a result and by operands. */
static void print_sched(FILE *to, const struct wl_sched *s)
{
	fprintf(to, " {stall %u", s->stall);
	for (unsigned b = 0; b < WL_BOARDS; b++)
		if (s->wait >> b & 1)
			fprintf(to, ", wait %u", b);
	if (s->wrbar < WL_BOARDS)
		fprintf(to, ", result %u", s->wrbar);
	if (s->rdbar < WL_BOARDS)
		fprintf(to, ", operands %u", s->rdbar);
	fputs("}", to);
}

static void print_inst(FILE *to, const struct mfunc *f, const struct minst *in, bool scheduled)
{
	fputs("    ", to);
	if (in->guard != REF_NONE) {
		fputs("@", to);
		print_predicate(to, f, in->guard, in->w.guard);
		fputs(in->fresh ? "? " : " ", to);
	}
	fputs(name_of(in), to);
	for (unsigned i = 0; i < 2; i++)
		if (in->pd[i] != REF_NONE) {
			fputs(" =", to);
			print_ref(to, f, in->pd[i]);
		}
	if (minst_words(in, WL_REG_RD)) {
		fputs(" ", to);
		print_ref(to, f, in->rd);
	}
	for (unsigned i = 0; i < 3; i++)
		if (minst_words(in, WL_REG_RA + i) || in->w.src[i] == WL_SRC_IMM || in->w.src[i] == WL_SRC_CONST)
			print_source(to, f, in, i);
	if (in->w.off)
		fprintf(to, " %+d", (int)in->w.off);
	for (unsigned i = 0; i < 3; i++)
		if (in->ps[i] != REF_NONE) {
			fputs(", ", to);
			print_predicate(to, f, in->ps[i], in->w.ps[i]);
		}
	if (in->target != NO_BLOCK)
		fprintf(to, " -> B%" PRIu32 "%s", in->target, in->together ? " together" : "");
	if (scheduled)
		print_sched(to, &in->w.sched);
	fprintf(to, " // line %" PRIu32 "\n", in->line);
}

void lower_print(const struct mfunc *f, const char *pass, FILE *to)
{
	const bool scheduled = strcmp(pass, "sched") == 0 || strcmp(pass, "114") == 0;
	fprintf(to, "// %s after %s\n", f->src->name, pass);
	for (uint32_t i = 0; i < f->norder; i++) {
		const struct mblock *b = f->blocks[f->order[i]];
		fprintf(to, "  B%" PRIu32 ":", b->id);
		for (uint32_t k = 0; k < b->npred; k++)
			fprintf(to, "%s B%" PRIu32, k ? "" : " // from", b->pred[k]);
		fputs("\n", to);
		for (uint32_t k = 0; k < b->n; k++)
			print_inst(to, f, &b->ins[k], scheduled);
		if (b->next != NO_BLOCK)
			fprintf(to, "    -> B%" PRIu32 "\n", b->next);
	}
}
