// SPDX-License-Identifier: Apache-2.0
/* word_verdict.h -- verdict of the tables on a word: "unknown", "unmodelled", "illegal", or the name of the
 * micro-operation. */
#ifndef VERIF_ISA_WORD_VERDICT_H
#define VERIF_ISA_WORD_VERDICT_H

#include "warplock/isa.h"

static inline const char *verdict_of(enum wl_arch arch, struct wl_word w)
{
	struct wl_inst in;
	if (wl_decode(arch, w, &in) != WL_OK)
		return "unknown";
	if (in.uop == WL_UOP_UNMODELLED)
		return "unmodelled";
	return in.flags & WL_F_ILLEGAL ? "illegal" : wl_uop_name((enum wl_uop)in.uop);
}

#endif
