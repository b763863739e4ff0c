// SPDX-License-Identifier: Apache-2.0
/* emit_words.h -- the last pass. */
#ifndef WLCC_LOWER_EMIT_H
#define WLCC_LOWER_EMIT_H

#include "code.h"
#include "mir.h"

bool lower_emit(struct mfunc *f, struct kernel_code *c);

#endif
