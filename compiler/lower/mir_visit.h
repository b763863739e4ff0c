// SPDX-License-Identifier: Apache-2.0
/* mir_visit.h -- registers read and written by an instruction (part of mir.h).
 *
 * Every pass visits every instruction several times: a fifth of the compiler's time, as calls with call-backs. Inlined,
 * each pass has its own visit in the loop. */
#ifndef WLCC_LOWER_MIR_VISIT_H
#define WLCC_LOWER_MIR_VISIT_H

#include "mir.h"

#define VISIT static inline __attribute__((always_inline)) void

/* NULL: for a pseudo micro-operation. Bit WL_REG_x of `results`: a register that stands with the sources and is
 * written. */
static inline const struct wl_uop_traits *minst_traits(const struct minst *in)
{
	return in->w.uop >= WL_UOP_COUNT ? NULL : wl_uop_traits((enum wl_uop)in->w.uop);
}

/* minst_words(), quick where the width does not depend on the instruction. */
static inline unsigned minst_words_by(const struct wl_uop_traits *t, const struct minst *in, enum wl_reg r)
{
	static const uint8_t fixed[] = {
	        [WL_WIDTH_NONE] = 0, [WL_WIDTH_ONE] = 1, [WL_WIDTH_TWO] = 2, [WL_WIDTH_FOUR] = 4};
	return t && t->width[r] < sizeof fixed ? fixed[t->width[r]] : minst_words(in, r);
}

VISIT minst_use_source(const struct wl_uop_traits *t, struct minst *in, enum wl_reg r, ref *source, ref_visit visit,
                       void *self)
{
	unsigned words;
	if (!ref_is_reg(*source) || (t && t->results >> r & 1))
		return;
	words = minst_words_by(t, in, r);
	if (words)
		visit(self, source, words);
}

VISIT minst_uses(struct minst *in, ref_visit visit, void *self)
{
	const struct wl_uop_traits *t = minst_traits(in);

	minst_use_source(t, in, WL_REG_RA, &in->ra, visit, self);
	minst_use_source(t, in, WL_REG_RB, &in->rb, visit, self);
	minst_use_source(t, in, WL_REG_RC, &in->rc, visit, self);
	for (unsigned i = 0; i < 3; i++)
		if (ref_is_reg(in->ps[i]))
			visit(self, &in->ps[i], 0);
	if (ref_is_reg(in->guard))
		visit(self, &in->guard, 0);
	for (unsigned i = 0; in->call && i < in->call->nuses; i++)
		visit(self, &in->call->use[i], 1);
}

VISIT minst_defs(struct minst *in, ref_visit visit, void *self)
{
	const struct wl_uop_traits *t = minst_traits(in);
	unsigned wd = ref_is_reg(in->rd) ? minst_words_by(t, in, WL_REG_RD) : 0;

	if (wd)
		visit(self, &in->rd, wd);
	if (ref_is_reg(in->rc) && t && t->results >> WL_REG_RC & 1)
		visit(self, &in->rc, minst_words_by(t, in, WL_REG_RC));
	for (unsigned i = 0; i < 2; i++)
		if (ref_is_reg(in->pd[i]))
			visit(self, &in->pd[i], 0);
	for (unsigned i = 0; in->call && i < in->call->ndefs; i++)
		visit(self, &in->call->def[i], 1);
}

#undef VISIT

#endif
