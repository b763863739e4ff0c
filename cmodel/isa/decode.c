// SPDX-License-Identifier: Apache-2.0
/* decode.c -- word to instruction, and the neutral instruction. */
#include "inst_members.h"

#define PLACE(m, is_signed) [ISA_M_##m] = {offsetof(struct wl_inst, m), sizeof(((struct wl_inst *)0)->m), is_signed}
#define PLACE_AT(name, m)   [ISA_M_##name] = {offsetof(struct wl_inst, m), 1, 0}
/* imm64: the low half is imm, the high half imm2. */
_Static_assert(offsetof(struct wl_inst, imm2) == offsetof(struct wl_inst, imm) + 4, "imm64 covers imm and imm2");
const struct isa_member_place isa_members[ISA_M_COUNT] = {
        PLACE(rd, 0),           PLACE(ra, 0),           PLACE(rb, 0),
        PLACE(rc, 0),           PLACE(urd, 0),          PLACE(ur, 0),
        PLACE_AT(pd0, pd[0]),   PLACE_AT(pd1, pd[1]),   PLACE_AT(ps0, ps[0]),
        PLACE_AT(ps1, ps[1]),   PLACE_AT(ps2, ps[2]),   PLACE(imm, 0),
        PLACE(imm2, 0),         PLACE(cbank, 0),        PLACE(coff, 1),
        PLACE(off, 1),          PLACE(target, 1),       PLACE(cbar, 0),
        PLACE(op, 0),           PLACE(bop, 0),          PLACE(type, 0),
        PLACE(size, 0),         PLACE(xn, 0),           PLACE(lut, 0),
        PLACE(lut2, 0),         PLACE(shift, 0),        PLACE(scope, 0),
        PLACE(flags, 0),        PLACE(neg, 0),          PLACE(abs, 0),
        PLACE(inv, 0),          PLACE_AT(src0, src[0]), PLACE_AT(src1, src[1]),
        PLACE_AT(src2, src[2]), PLACE(uop, 0),          PLACE_AT(sel0, sel[0]),
        PLACE_AT(sel1, sel[1]), PLACE_AT(sel2, sel[2]), [ISA_M_imm64] = {offsetof(struct wl_inst, imm), 8, 0},
};

static const struct wl_inst neutral = {
        .uop = WL_UOP_NOP,
        .row = 0xffff,
        .guard = WL_PT,
        .rd = WL_RZ,
        .ra = WL_RZ,
        .rb = WL_RZ,
        .rc = WL_RZ,
        .urd = 255,
        .ur = 255,
        .pd = {WL_PT, WL_PT},
        .ps = {WL_PT, WL_PT, WL_PT},
        .sched = {.stall = 15, .wrbar = 7, .rdbar = 7},
};

struct wl_inst wl_inst_make(enum wl_uop uop)
{
	struct wl_inst in = neutral;
	in.uop = (uint16_t)uop;
	return in;
}

enum wl_status wl_decode(enum wl_arch arch, struct wl_word w, struct wl_inst *out)
{
	const struct isa_row *row = isa_find(isa_arch_index(arch), w);
	*out = neutral;
	if (!row)
		return WL_ERR_UNKNOWN_WORD;
	out->row = (uint16_t)(row - isa.rows);
	out->guard = (uint8_t)(w.lo >> 12 & 15);
	out->guard_uniform = row->upred;
	out->sched = wl_word_sched(w);
	if (!row->modelled || (row->nonly && !isa_holds(isa.terms + row->only, row->nonly, w))) {
		out->uop = WL_UOP_UNMODELLED;
		return WL_OK;
	}
	out->uop = row->uop;
	const struct isa_bind *b = isa.binds + row->binds;
	for (unsigned i = 0; i < row->nbinds; i++, b++) {
		if (b->kind == ISA_BIND_FIELD) {
			const struct isa_field *f = isa.fields + b->index;
			int64_t v = isa_field_get(f, w);
			if (f->kind == ISA_KIND_U && v == f->neutral)
				v = 255; /* URZ is 63 in the words of some architectures */
			isa_member_set(out, b->member, v);
		} else if (b->kind == ISA_BIND_CONST) {
			int64_t v = b->value;
			isa_member_set(out, b->member,
			               isa_member_is_mask(b->member) ? isa_member_get(out, b->member) | v : v);
		} else {
			const struct isa_option *o = isa_option(isa.pieces + b->index, w);
			for (unsigned k = 0; k < o->nassigns; k++) {
				const struct isa_assign *a = isa.assigns + o->assigns + k;
				int64_t v = a->value;
				isa_member_set(out, a->member,
				               isa_member_is_mask(a->member) ? isa_member_get(out, a->member) | v : v);
			}
		}
	}
	if (row->nillegal && isa_holds(isa.terms + row->illegal, row->nillegal, w))
		out->flags |= WL_F_ILLEGAL;
	return WL_OK;
}
