// SPDX-License-Identifier: Apache-2.0
/* emit_words.h -- the last pass. */
#ifndef WLCC_LOWER_EMIT_H
#define WLCC_LOWER_EMIT_H

#include "../object/code.h"
#include "mir.h"

bool lower_emit(struct mfunc *f, struct kernel_code *c);

/* The word of one instruction as it stands; false when an error was reported. */
bool lower_encode(struct mfunc *f, const struct minst *in, struct wl_word *out);

#endif
