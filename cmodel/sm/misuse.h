// SPDX-License-Identifier: Apache-2.0
/* misuse.h -- private: uses that PTX leaves undefined. */
#ifndef WARPLOCK_SM_MISUSE_H
#define WARPLOCK_SM_MISUSE_H

#include "exec_state.h"

/* true: the run goes on. False: the finding is a fault, and the run has ended. */
bool misuse_barrier(struct exec *x); /* all lanes of x's warp stand at one barrier, perhaps at several places */
bool misuse_launch(struct exec *x); /* x asks for another cluster */
/* A refusal has come to a CTA, and its mbarrier is about to be told. */
void misuse_answered(struct wl_gpu *g, unsigned sm, unsigned slot, uint32_t mbarrier,
                     const struct wl_misuse_place *asked);
bool misuse_local_atomic(struct exec *x, uint32_t lanes, uint64_t addr);
/* asked: the instruction is executed, or the DUT is about to be asked; else it may come again, and only faults count.
 */
bool misuse_remote_arrive(struct exec *x, uint32_t lanes, uint32_t addr, bool asked);
bool misuse_mbarrier(struct exec *x, bool asked);  /* SYNCS */
void misuse_warp_mask(struct exec *x, bool asked); /* WARPSYNC; lanes that their masks leave out leave x->mask */
bool misuse_left_open(struct exec *x);             /* the CTA of x's warp ends */
void misuse_forget(struct sm *sm, unsigned slot);  /* mbarriers of the slot */
/* Who made or ended the mbarrier there; NULL: unknown. */
const struct mbar_life *misuse_life(const struct sm *sm, uint32_t addr);

struct wl_waiting;

#endif
