// SPDX-License-Identifier: Apache-2.0
/* misuse.h -- private: uses left undefined by PTX. */
#ifndef WARPLOCK_SM_MISUSE_H
#define WARPLOCK_SM_MISUSE_H

#include "exec_state.h"

/* true: the run goes on. False: the finding is a fault, and the run has ended. */
bool misuse_barrier(struct exec *x); /* all lanes of x's warp stand at the same barrier, perhaps at several places */
/* The CTA waits at the mbarrier, and sees a refusal with a complete phase. */
void misuse_waits(struct sm *sm, unsigned slot, bool parity, uint32_t addr);
bool misuse_launch(struct exec *x); /* x asks for another cluster */
/* A refusal has come to a CTA, and the mbarrier of the refusal is about to be told. */
void misuse_answered(struct wl_gpu *g, unsigned sm, unsigned slot, uint32_t mbarrier,
                     const struct wl_misuse_place *asked);
bool misuse_local_atomic(struct exec *x, uint32_t lanes, uint64_t addr);
/* A request of mbarrier_engine: `lanes` are about to take effect, `before` have taken effect. An object is judged with
 * all lanes at the object, ahead of the first. */
bool misuse_mbarrier(struct wl_gpu *g, const struct wl_req *req, uint32_t lanes, uint32_t before, uint64_t time);
/* misuse_value.c. at: an arrival with tokens of an object of layout v1, in R(rd + 1). */
bool misuse_token(struct wl_gpu *g, unsigned warp, const struct wl_misuse_found *at, uint8_t rd);
/* The results of a wait are about to be read; the phase is incomplete for `lanes`. pc: in bytes. */
bool misuse_report(struct wl_gpu *g, const struct wl_tag *tag, uint32_t pc, uint32_t lanes);
/* The phase is incomplete for these lanes. Found here: a test whose code drops the answer. */
bool misuse_report_unasked(struct wl_gpu *g, const struct wl_req *req, uint32_t lanes);
/* WARPSYNC; lanes missing from their own masks leave x->mask. asked: the instruction is executed, or the DUT is about
 * to be asked; else the instruction may come again, and only faults count. */
void misuse_warp_mask(struct exec *x, bool asked);
bool misuse_left_open(struct exec *x);                                                 /* the CTA of x's warp ends */
void misuse_forget(struct sm *sm, unsigned slot);                                      /* mbarriers of the slot */
bool misuse_goes_on(struct wl_gpu *g, unsigned warp, const struct wl_misuse_found *f); /* a finding of misuse_*.c */
/* The init or the end of the mbarrier at addr; NULL: unknown. */
const struct mbar_life *misuse_life(const struct sm *sm, uint32_t addr);

/* A finding at x's instruction. */
bool misuse_tell(struct exec *x, struct wl_misuse_found *f, uint32_t lanes);
/* misuse_copy.c: x's instruction of atoms_pipe or atom_unit, while copies are under way. */
bool misuse_copies(struct exec *x);

#endif
