// SPDX-License-Identifier: Apache-2.0
/* spin.h -- private: proof that a run hangs. */
#ifndef WARPLOCK_SM_SPIN_H
#define WARPLOCK_SM_SPIN_H

#include "step.h"

uint64_t spin_bytes(uint64_t warps); /* of its state, without registers */
/* Whether the next turns are to be taken by spin_step_sm. */
bool spin_watches(struct wl_gpu *gpu);
bool spin_step_sm(struct wl_gpu *gpu, unsigned sm);                                     /* as step_sm */
enum step_end spin_turn(struct wl_gpu *gpu, unsigned sm, unsigned warp, unsigned turn); /* as step_warp */
/* SOURCE, before turns: watches begin and end, the run may. False: nothing may be executed now, since it is over or
 * requests that are on their way must come back first. */
bool spin_source(struct wl_gpu *gpu);
void spin_note_read(const struct exec *x, unsigned lane, uint64_t addr, uint64_t value);
void spin_note_record(struct wl_gpu *gpu, const struct wl_record *rec);

#endif
