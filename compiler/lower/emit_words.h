// SPDX-License-Identifier: Apache-2.0
/* emit_words.h -- instructions to words. Their encoding rows say how long the instructions take, so encoding comes
 * before scheduling; the scheduling fields are put into the words behind it. */
#ifndef WLCC_LOWER_EMIT_H
#define WLCC_LOWER_EMIT_H

#include "../object/code.h"
#include "mir.h"

/* Words, lines and exits, and the encoding row of every instruction; false when an error was reported. */
bool lower_encode(struct mfunc *f, struct kernel_code *c);
void lower_put_sched(const struct mfunc *f, struct kernel_code *c);

#endif
