// SPDX-License-Identifier: Apache-2.0
/* groups.h -- private: lanes of a warp at different pcs. */
#ifndef WARPLOCK_SM_GROUPS_H
#define WARPLOCK_SM_GROUPS_H

#include "exec_state.h"

/* all keep g, cur and ready groups consistent, and set x->g again if the current group may have moved. */
void groups_start(struct warp *w, uint32_t mask);
/* x->g, x->uni from warp->cur */
static inline void groups_set_current(struct exec *x)
{
	x->g = &x->w->g[x->w->cur];
	x->uni = x->w->uni[x->g->uni];
}
/* Nearly always: all lanes of the warp are a single group, and this group can go on. */
static inline bool groups_are_one(const struct warp *w)
{
	return w->ngroups == 1 && w->g[0].state == GROUP_READY && w->g[0].wake <= w->time;
}
void groups_split_off(struct exec *x, uint32_t lanes, uint32_t pc);
/* lanes of the current group go to pc, as a separate group */
static inline void groups_split(struct exec *x, uint32_t lanes, uint32_t pc)
{
	if (lanes != x->g->mask) {
		groups_split_off(x, lanes, pc);
		return;
	}
	x->g->pc = pc;
	x->w->near_known = false;
}
void groups_merge_here(struct exec *x); /* other ready groups at the current group's pc join the current group */
void groups_meet(struct exec *x);       /* the same, while the current group runs: quick if nobody is met */
bool groups_pick(struct warp *w, bool after_current); /* chooses a ready group, round robin */
bool groups_select(struct warp *w, unsigned lane);    /* the group with the lane becomes current; false: none */
/* Lanes of the current group wait; lanes released by the unit go on. */
enum flow groups_wait(struct exec *x, uint32_t lanes, enum group_state state, unsigned id, uint32_t go_on);
enum flow groups_exit(struct exec *x, uint32_t lanes);
enum flow groups_left(struct exec *x, uint32_t lanes, uint32_t go_on);            /* the unit has been told */
uint32_t groups_waiting(const struct warp *w);                                    /* lanes at BSYNC or WARPSYNC */
void groups_forced(struct warp *w, const struct wl_conv_warp *c, uint32_t ready); /* the DUT has been asked */
/* The unit ends BSYNC and WARPSYNC waits of these lanes; c is the unit's state. */
void groups_go_on(struct warp *w, const struct wl_conv_warp *c, uint32_t lanes);
void groups_yield(struct warp *w, struct wl_conv_warp *c, uint32_t lanes); /* lanes at BSYNC no longer wait for these */
/* Lanes that spin without YIELD must not keep lanes at BSYNC waiting for ever: the spin may wait for the lanes at
 * BSYNC. Every thread of a warp makes progress (CUDA C++ Programming Guide, "Independent Thread Scheduling"). */
bool groups_force(struct warp *w, struct wl_conv_warp *c); /* now; false: nobody can go on */
/* At a change of group: now and then releases lanes after a long wait. In the DUT: the DUT is to be asked. */
void groups_patience(struct warp *w, struct wl_conv_warp *c, bool in_dut);
void groups_wake_bar(struct warp *w);                 /* groups counted at a named barrier go on */
uint32_t groups_waiting_at_bar(const struct warp *w); /* lanes at a BAR, in wait for the rest of the warp */

#endif
