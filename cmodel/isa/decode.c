// SPDX-License-Identifier: Apache-2.0
/* decode.c -- word to instruction, and the neutral instruction. */
#include "inst_members.h"

/* imm64: the low half is imm, the high half imm2. */
_Static_assert(offsetof(struct wl_inst, imm2) == offsetof(struct wl_inst, imm) + 4, "imm64 covers imm and imm2");
const struct isa_member_place isa_members[ISA_M_COUNT] = {
#define MEMBER(name, m, is_signed, neutral)                                                                            \
	[ISA_M_##name] = {offsetof(struct wl_inst, m), sizeof(((struct wl_inst *)0)->m), is_signed},
#include "members.def"
#undef MEMBER
        [ISA_M_imm64] = {offsetof(struct wl_inst, imm), 8, 0},
};

static const struct wl_inst neutral = {
#define MEMBER(name, m, is_signed, value) .m = (value),
#include "members.def"
#undef MEMBER
        .row = 0xffff,
        .guard = WL_PT,
        .sched = {.stall = 15, .wrbar = 7, .rdbar = 7},
};

struct wl_inst wl_inst_make(enum wl_uop uop)
{
	struct wl_inst in = neutral;
	in.uop = (uint16_t)uop;
	return in;
}

static inline void bind_members(const struct isa_row *row, struct wl_word w, struct wl_inst *out)
{
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
}

static inline void start(const struct isa_row *row, struct wl_word w, struct wl_inst *out)
{
	*out = neutral;
	out->row = (uint16_t)(row - isa.rows);
	out->guard = (uint8_t)(w.lo >> 12 & 15);
	out->guard_uniform = row->upred;
	out->sched = wl_word_sched(w);
}

void isa_bind(const struct isa_row *row, struct wl_word w, struct wl_inst *out)
{
	start(row, w, out);
	bind_members(row, w, out);
}

enum wl_status wl_decode(enum wl_arch arch, struct wl_word w, struct wl_inst *out)
{
	const struct isa_row *row = isa_find(wl_arch_index(arch), w);
	if (!row) {
		*out = neutral;
		return WL_ERR_UNKNOWN_WORD;
	}
	start(row, w, out);
	if (!row->modelled || (row->nonly && !isa_holds(isa.terms + row->only, row->nonly, w))) {
		out->uop = WL_UOP_UNMODELLED;
		return WL_OK;
	}
	bind_members(row, w, out);
	if (row->nillegal && isa_holds(isa.terms + row->illegal, row->nillegal, w))
		out->flags |= WL_F_ILLEGAL;
	return WL_OK;
}
