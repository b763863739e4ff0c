// SPDX-License-Identifier: Apache-2.0
/* groups.h -- private: lanes of a warp at different pcs. */
#ifndef WARPLOCK_SM_GROUPS_H
#define WARPLOCK_SM_GROUPS_H

#include "exec_state.h"

/* all keep g, cur and ready groups consistent; x->g is set again where the current group may have moved. */
void groups_start(struct warp *w, uint32_t mask);
/* x->g, x->uni from warp->cur */
static inline void groups_set_current(struct exec *x)
{
	x->g = &x->w->g[x->w->cur];
	x->uni = x->w->uni[x->g->uni];
}
/* Nearly always: all lanes of the warp are one group, and this group can go on. */
static inline bool groups_are_one(const struct warp *w)
{
	return w->ngroups == 1 && w->g[0].state == GROUP_READY && w->g[0].wake <= w->time;
}
void groups_split_off(struct exec *x, uint32_t lanes, uint32_t pc);
/* lanes of the current group go to pc, a group apart */
static inline void groups_split(struct exec *x, uint32_t lanes, uint32_t pc)
{
	if (lanes != x->g->mask) {
		groups_split_off(x, lanes, pc);
		return;
	}
	x->g->pc = pc;
	x->w->near_known = false;
}
void groups_merge_here(struct exec *x); /* other ready groups at the current one's pc join it */
void groups_meet(struct exec *x);       /* the same, while the current one runs: quick where it meets nobody */
bool groups_pick(struct warp *w, bool after_current); /* chooses a ready group, round robin */
bool groups_select(struct warp *w, unsigned lane);    /* the group that holds lane becomes current; false: none */
/* Lanes of the current group wait; those that waited and that the unit lets go on do so. */
enum flow groups_wait(struct exec *x, uint32_t lanes, enum group_state state, unsigned id, uint32_t go_on);
enum flow groups_exit(struct exec *x, uint32_t lanes);
enum flow groups_left(struct exec *x, uint32_t lanes, uint32_t go_on);            /* the unit has been told */
uint32_t groups_waiting(const struct warp *w);                                    /* lanes at BSYNC or WARPSYNC */
void groups_forced(struct warp *w, const struct wl_conv_warp *c, uint32_t ready); /* the DUT has been asked */
/* BSYNC and WARPSYNC waits of these lanes end: so says the unit, whose state c is. */
void groups_go_on(struct warp *w, const struct wl_conv_warp *c, uint32_t lanes);
void groups_yield(struct warp *w, struct wl_conv_warp *c, uint32_t lanes); /* lanes at BSYNC no longer wait for these */
/* Lanes that spin without YIELD must not keep those at BSYNC waiting for ever, since these may be the ones that they
 * spin for: every thread of a warp makes progress (CUDA C++ Programming Guide, "Independent Thread Scheduling"). */
bool groups_force(struct warp *w, struct wl_conv_warp *c); /* now; false: nobody can go on */
/* At a change of group: now and then, who has waited for long. In the DUT: it is to be asked. */
void groups_patience(struct warp *w, struct wl_conv_warp *c, bool in_dut);
void groups_wake_bar(struct warp *w);                 /* groups counted at a named barrier go on */
uint32_t groups_waiting_at_bar(const struct warp *w); /* lanes that wait at a BAR for the rest of their warp */

#endif
