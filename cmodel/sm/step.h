// SPDX-License-Identifier: Apache-2.0
/* step.h -- private: the instruction loop of one warp. */
#ifndef WARPLOCK_SM_STEP_H
#define WARPLOCK_SM_STEP_H

#include "exec_state.h"

enum step_end { STEP_TURN_OVER, STEP_BLOCKED, STEP_REQUEST, STEP_OVER };
enum step_end step_warp(struct wl_gpu *gpu, unsigned sm, unsigned warp, unsigned turn);
/* Up to n instructions of the current group alone, with no scheduling; *done counts those executed. */
enum flow step_group(struct exec *x, unsigned n, unsigned *done);
/* After step_group, with what it returned: whether it is another group's turn. In replay too: the same groups must have
 * been let go (groups_patience). */
bool step_turned(struct exec *x, enum flow flow, unsigned done);
void step_fetch(struct exec *x, uint32_t pc);      /* x's instruction is that at pc: operands as registers stand */
void step_count(struct exec *x, unsigned done);    /* after step_group: instructions and time */
unsigned step_turn(const struct wl_gpu *gpu);      /* length of the next turn; 0 = the limit is reached */
int step_next_warp(uint64_t ready, unsigned last); /* round robin: the ready warp after `last`, -1 = none */
bool step_sm(struct wl_gpu *gpu, unsigned sm);     /* one turn of its next ready warp; false: none is ready */
void warp_set_ready(struct wl_gpu *gpu, unsigned sm, unsigned warp);

#endif
