// SPDX-License-Identifier: Apache-2.0
/* access.c -- the registers read and written by an instruction, by the columns of uops.def. The fields of the encoding
 * row serve for members dropped by decoding, and for words without a meaning. */
#include <stdio.h>

#include "isa_table.h"
#include "warplock/hazard.h"

enum { NO_REGISTER = 255 };

static struct wl_operand *add(struct wl_access *a, unsigned slot, unsigned words, bool write)
{
	enum { Most = sizeof a->op / sizeof *a->op }; /* more operands than any instruction has */
	struct wl_operand *o = &a->op[a->n < Most - 1 ? a->n++ : Most - 1];
	*o = (struct wl_operand){.slot = (uint16_t)slot, .words = (uint8_t)words, .write = write};
	return o;
}

static void add_predicate(struct wl_access *a, unsigned p, bool uniform, bool write)
{
	if ((p & 7) != WL_PT)
		add(a, (uniform ? WL_SLOT_UP : WL_SLOT_P) + (p & 7), 1, write);
}

static void add_guard(struct wl_access *a, unsigned guard, bool uniform)
{
	if ((guard & 7) != WL_PT)
		add(a, (uniform ? WL_SLOT_UP : WL_SLOT_P) + (guard & 7), 1, false)->guard = true;
}

static void add_vector(struct wl_access *a, unsigned r, unsigned words, bool write, bool late)
{
	if (words && r != WL_RZ)
		add(a, WL_SLOT_R + r, words, write)->late = late && !write;
}

static void add_uniform(struct wl_access *a, unsigned r, unsigned words, bool write)
{
	if (words && r < NO_REGISTER)
		add(a, WL_SLOT_UR + r, words, write);
}

/* Source i, or the register in place of the source. */
static void add_source(struct wl_access *a, const struct wl_inst *in, const struct wl_uop_traits *t, unsigned i)
{
	const uint8_t regs[3] = {in->ra, in->rb, in->rc};
	unsigned words = wl_inst_words(in, WL_REG_RA + i);
	bool late = t->late >> (WL_REG_RA + i) & 1;
	if (t->uniform_sources >> i & 1) {
		if (in->src[i] != WL_SRC_IMM)
			add_uniform(a, regs[i], words, false);
	} else if (t->by_kind >> i & 1) {
		if (in->src[i] == WL_SRC_REG)
			add_vector(a, regs[i], words, false, late);
		else if (in->src[i] == WL_SRC_UREG)
			add_uniform(a, in->ur, words, false);
	} else {
		add_vector(a, regs[i], words, t->results >> (WL_REG_RA + i) & 1, late);
	}
}

static void add_predicates(struct wl_access *a, const struct wl_inst *in, const struct wl_uop_traits *t)
{
	const uint8_t preds[5] = {in->pd[0], in->pd[1], in->ps[0], in->ps[1], in->ps[2]};
	unsigned uniform = t->uniform_preds | (in->flags & WL_F_U ? t->flagged_preds : 0);
	for (unsigned i = 0; i < 5; i++)
		add_predicate(a, preds[i], uniform >> i & 1, i < 2);
}

/* The mask of R2P and P2R names the predicates; without an immediate mask all predicates count. */
static void add_mask(struct wl_access *a, const struct wl_inst *in, const struct wl_uop_traits *t)
{
	for (unsigned p = 0; t->mask && p < WL_PT; p++)
		if (in->src[1] != WL_SRC_IMM || in->imm >> p & 1)
			add_predicate(a, p, (t->mask & 12) != 0, (t->mask & 10) != 0);
}

static void add_operands(struct wl_access *a, const struct wl_inst *in)
{
	const struct wl_uop_traits *t = wl_uop_traits(in->uop);
	bool named_only = t->addresses >> WL_REG_URD & 1;
	add_vector(a, in->rd, wl_inst_words(in, WL_REG_RD), true, false);
	add_uniform(a, in->urd, wl_inst_words(in, WL_REG_URD), !named_only);
	for (unsigned i = 0; i < 3; i++)
		add_source(a, in, t, i);
	if (t->width[WL_REG_UR])
		add_uniform(a, in->ur, wl_inst_words(in, WL_REG_UR), false);
	add_uniform(a, in->desc, wl_inst_words(in, WL_REG_DESC), false);
	add_predicates(a, in, t);
	if (t->cbar & 1)
		add(a, WL_SLOT_B + in->cbar, 1, false);
	if (t->cbar & 2)
		add(a, WL_SLOT_B + in->cbar, 1, true);
	add_mask(a, in, t);
}

/* Registers of the word without a member. */
static void add_unbound(struct wl_access *a, const struct isa_row *row, struct wl_word w, const struct wl_inst *in)
{
	const struct isa_reg *r = isa.regs + row->regs;
	for (unsigned i = 0; i < row->nregs; i++, r++) {
		const struct isa_field *f = isa.fields + r->field;
		int64_t v = isa_field_get(f, w);
		if (v == f->neutral)
			continue;
		if (f->kind == ISA_KIND_R)
			add_vector(a, (unsigned)v, isa_words(in, r->width), r->write, r->late);
		else if (f->kind == ISA_KIND_U)
			add_uniform(a, (unsigned)v, isa_words(in, r->width), r->write);
		else if (f->nruns)
			add_predicate(a, (unsigned)v, f->kind == ISA_KIND_V, r->write);
	}
}

void wl_inst_access(enum wl_arch arch, const struct wl_inst *in, struct wl_access *out)
{
	out->n = 0;
	out->traits = wl_inst_traits(in);
	out->sync = wl_sync_row(wl_inst_sync_class(in));
	out->drains = wl_inst_drains(in);
	out->timing = wl_timing_of(arch, wl_inst_timing(in));
	add_guard(out, in->guard, in->guard_uniform);
	add_operands(out, in);
}

bool wl_access_of(enum wl_arch arch, struct wl_word w, struct wl_access *out)
{
	const struct isa_row *row = isa_find(wl_arch_index(arch), w);
	struct wl_inst in;
	out->n = 0;
	if (!row)
		return false;
	isa_bind(row, w, &in);
	wl_inst_access(arch, &in, out);
	add_unbound(out, row, w, &in);
	return true;
}

enum wl_file wl_slot_file(unsigned slot)
{
	return slot < WL_SLOT_UR   ? WL_FILE_R
	       : slot < WL_SLOT_P  ? WL_FILE_UR
	       : slot < WL_SLOT_UP ? WL_FILE_P
	       : slot < WL_SLOT_B  ? WL_FILE_UP
	                           : WL_FILE_B;
}

const char *wl_slot_name(unsigned slot, char buf[8])
{
	static const char *const prefix[] = {"R", "UR", "P", "UP", "B"};
	static const uint16_t base[] = {WL_SLOT_R, WL_SLOT_UR, WL_SLOT_P, WL_SLOT_UP, WL_SLOT_B};
	enum wl_file file = wl_slot_file(slot);
	snprintf(buf, 8, "%s%u", prefix[file], (slot - base[file]) & 255);
	return buf;
}
