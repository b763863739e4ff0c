// SPDX-License-Identifier: Apache-2.0
/* observe.h -- private: where the front end tells an observer. Callers ask for gpu->observer first. */
#ifndef WARPLOCK_FRONT_OBSERVE_H
#define WARPLOCK_FRONT_OBSERVE_H

#include "exec_state.h"
#include "warplock/observe.h"

/* x's instruction is over; pc: the instruction issued. */
void observe_issue(const struct exec *x, uint32_t pc, uint32_t lanes);
/* Executes x's instruction and tells the events. */
enum flow observe_exec(struct exec *x, enum flow (*execute)(struct exec *x));
void observe_passed(struct exec *x); /* x's lanes have waited for a phase, now complete */
void observe_lanes(const struct exec *x, uint32_t lanes);
void observe_fresh(const struct exec *x, uint64_t addr, uint32_t bytes);
void observe_freed(const struct exec *x, uint64_t addr);
void observe_masks(const struct exec *x, const uint32_t *mask);
void observe_shuffle(const struct exec *x);
void observe_misuse(const struct wl_gpu *g, const struct wl_misuse_found *f);
void observe_fault(const struct wl_gpu *g); /* as gpu->trouble says */
void observe_exit(const struct exec *x, uint32_t lanes);
void observe_cta(const struct wl_gpu *g, unsigned sm, unsigned slot);
void observe_arrival(const struct exec *x, enum wl_seen_kind kind, uint32_t id, uint32_t count, bool waits);
void observe_release(const struct wl_gpu *g, unsigned sm, enum wl_seen_kind kind, uint32_t id, uint64_t warps);
void observe_fill(const struct exec *x, uint32_t to, uint32_t bytes); /* of the own shared memory */
void observe_copy(const struct exec *x, const struct copy *c);
void observe_told(const struct wl_gpu *g, unsigned sm, const struct copy *c, uint32_t lanes, uint32_t addr);
void observe_landed(const struct wl_gpu *g, unsigned sm, const struct copy *c);
void observe_commit(const struct exec *x, uint32_t kinds, unsigned board);

#endif
