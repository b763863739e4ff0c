// SPDX-License-Identifier: Apache-2.0
/* spin.h -- private: proof that a run hangs. */
#ifndef WARPLOCK_SM_SPIN_H
#define WARPLOCK_SM_SPIN_H

#include "step.h"

uint64_t spin_bytes(uint64_t warps); /* of the state of spin.c, without registers */
/* True: spin_step_sm takes the next turns. */
bool spin_watches(struct wl_gpu *gpu);
bool spin_step_sm(struct wl_gpu *gpu, unsigned sm);                                     /* as step_sm */
enum step_end spin_turn(struct wl_gpu *gpu, unsigned sm, unsigned warp, unsigned turn); /* as step_warp */
/* SOURCE, before turns: watches begin and end, and the run may end. False: nothing may be executed now. Either the run
 * is over, or requests on the way must come back first. */
bool spin_source(struct wl_gpu *gpu);
void spin_note_read(const struct exec *x, unsigned lane, uint64_t addr, uint64_t value);
void spin_note_record(struct wl_gpu *gpu, const struct wl_record *rec);
void spin_start_over(struct wl_gpu *gpu); /* nothing is known of the run so far */
uint64_t spin_sum_shared(const struct wl_gpu *gpu);
uint64_t spin_leapt(const struct wl_gpu *gpu); /* ns that the clock has leapt since spin_start_over */

#endif
