// SPDX-License-Identifier: Apache-2.0
/* step.h -- private: the instruction loop of a warp. */
#ifndef WARPLOCK_SM_STEP_H
#define WARPLOCK_SM_STEP_H

#include "exec_state.h"

enum step_end { STEP_TURN_OVER, STEP_BLOCKED, STEP_REQUEST, STEP_OVER };
enum step_end step_warp(struct wl_gpu *gpu, unsigned sm, unsigned warp, unsigned turn);
/* Up to n instructions of the current group alone, with no scheduling; *done counts the executed instructions. */
enum flow step_group(struct exec *x, unsigned n, unsigned *done);
/* After step_group, with the returned flow: is another group next? In replay too: the same groups must have been
 * released (groups_patience). */
bool step_turned(struct exec *x, enum flow flow, unsigned done);
void step_fetch(struct exec *x, uint32_t pc);      /* x takes the instruction at pc: operands as registers stand */
void step_count(struct exec *x, unsigned done);    /* after step_group: instructions and time */
unsigned step_turn(const struct wl_gpu *gpu);      /* length of the next turn; 0 = the limit is reached */
int step_next_warp(uint64_t ready, unsigned last); /* round robin: the ready warp after `last`, -1 = none */
bool step_sm(struct wl_gpu *gpu, unsigned sm);     /* a turn of the SM's next ready warp; false: no warp is ready */
void warp_set_ready(struct wl_gpu *gpu, unsigned sm, unsigned warp);

#endif
