// SPDX-License-Identifier: Apache-2.0
/* traits.c -- questions about micro-operations and instructions, answered by the columns of uops.def. */
#include "isa_table.h"

enum { URZ = 255 };

const struct wl_uop_traits *wl_uop_traits(enum wl_uop u)
{
	return &isa.uop_traits[u < WL_UOP_COUNT ? u : WL_UOP_UNMODELLED];
}

uint64_t wl_inst_traits(const struct wl_inst *in)
{
	return in->row < isa.nrows ? isa.rows[in->row].traits : wl_uop_traits(in->uop)->traits;
}

enum wl_sync_class wl_inst_sync_class(const struct wl_inst *in)
{
	return in->row < isa.nrows ? isa.rows[in->row].sync_class : wl_uop_traits(in->uop)->sync_class;
}

const struct wl_sync_row *wl_sync_row(enum wl_sync_class c)
{
	static const struct wl_sync_row rows[] = {
#define SYNC_CLASS(name, number, mask, order, meaning) {#name, number, mask, WL_ORDER_##order, meaning},
#include "sync_class.def"
#undef SYNC_CLASS
	};
	return &rows[c < WL_SYNC_COUNT ? c : WL_SYNC_None];
}

bool wl_inst_drains(const struct wl_inst *in)
{
	const bool arrives = in->uop == WL_UOP_BAR && in->op == WL_BAR_ARV; /* blocks nobody */
	return wl_sync_row(wl_inst_sync_class(in))->mask & WL_WAR_BARRIER && !arrives;
}

enum wl_timing_class wl_inst_timing(const struct wl_inst *in)
{
	return in->row < isa.nrows ? isa.rows[in->row].timing : wl_uop_traits(in->uop)->timing;
}

unsigned isa_words(const struct wl_inst *in, enum wl_width width)
{
	switch (width) {
	case WL_WIDTH_NONE:
		return 0;
	case WL_WIDTH_ONE:
		return 1;
	case WL_WIDTH_TWO:
		return 2;
	case WL_WIDTH_FOUR:
		return 4;
	case WL_WIDTH_SIZE:
		return in->size <= 4 ? 1 : in->size / 4;
	case WL_WIDTH_PAIR:
		return in->flags & WL_F_PAIR ? 2 : 1;
	case WL_WIDTH_XN:
		return in->xn == WL_FMT_F64 ? 2 : 1;
	case WL_WIDTH_BOP:
		return in->bop == WL_FMT_F64 ? 2 : 1;
	case WL_WIDTH_ADDRESS:
		return in->flags & WL_F_E64 && !(in->flags & WL_F_A32) ? 2 : 1;
	case WL_WIDTH_E64:
		return in->flags & WL_F_E64 ? 2 : 1;
	case WL_WIDTH_SEL0:
	case WL_WIDTH_SEL1:
	case WL_WIDTH_SEL2:
		return in->sel[width - WL_WIDTH_SEL0] == WL_PAIR_F32 ? 1 : 2;
	case WL_WIDTH_LUT_LOW:
		return (unsigned)__builtin_popcount(in->lut & 15);
	case WL_WIDTH_LUT_HIGH:
		return (unsigned)__builtin_popcount(in->lut >> 4 & 15);
	case WL_WIDTH_SIZE_1:
	case WL_WIDTH_SIZE_2:
		return width - WL_WIDTH_SIZE_1 + 1 + isa_words(in, WL_WIDTH_SIZE);
	}
	return 0;
}

unsigned wl_inst_words(const struct wl_inst *in, enum wl_reg r)
{
	return isa_words(in, wl_uop_traits(in->uop)->width[r]);
}

bool wl_inst_posted(const struct wl_inst *in)
{
	const struct wl_uop_traits *row = wl_uop_traits(in->uop);
	const uint64_t t = row->traits;
	const bool uniform = row->width[WL_REG_URD] && !(row->addresses >> WL_REG_URD & 1) && in->urd != URZ;
	bool result = in->rd != WL_RZ || in->pd[0] != WL_PT || in->pd[1] != WL_PT || uniform;
	return t & WL_TRAIT(EXITS) || (t & WL_TRAIT(WRITES_MEMORY) && !result);
}

static bool fits(uint16_t form, const uint8_t kinds[3])
{
	return form == (kinds[0] | kinds[1] << 3 | kinds[2] << 6);
}

bool wl_uop_takes(enum wl_arch arch, enum wl_uop u, unsigned source, enum wl_src kind)
{
	int a = wl_arch_index(arch);
	struct isa_first f = a < 0 || u >= WL_UOP_COUNT ? (struct isa_first){0, 0} : isa.form_first[u][a];
	for (unsigned i = 0; i < f.n; i++)
		if ((isa.forms[f.at + i] >> 3 * source & 7) == kind)
			return true;
	return false;
}

bool wl_uop_takes_all(enum wl_arch arch, enum wl_uop u, const uint8_t kinds[3])
{
	int a = wl_arch_index(arch);
	struct isa_first f = a < 0 || u >= WL_UOP_COUNT ? (struct isa_first){0, 0} : isa.form_first[u][a];
	for (unsigned i = 0; i < f.n; i++)
		if (fits(isa.forms[f.at + i], kinds))
			return true;
	return false;
}
