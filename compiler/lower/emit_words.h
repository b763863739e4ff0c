// SPDX-License-Identifier: Apache-2.0
/* emit_words.h -- instructions to words. The encoding rows of instructions hold their durations. Encoding therefore
 * comes before scheduling, and the scheduling fields are put into the words afterwards. */
#ifndef WLCC_LOWER_EMIT_H
#define WLCC_LOWER_EMIT_H

#include "../object/code.h"
#include "mir.h"

/* Words, lines and exits, and the encoding row of every instruction; false when an error was reported. */
bool lower_encode(struct mfunc *f, struct kernel_code *c);
/* fix_boards.c: the scoreboards set by the instruction; the pass behind lower_sched(). */
uint8_t sched_own_boards(const struct minst *in);
void lower_fix_boards(struct mfunc *f);
void lower_put_sched(const struct mfunc *f, struct kernel_code *c);

#endif
