// SPDX-License-Identifier: Apache-2.0
/* checker.h -- checkers beside the run: misuse of synchronisation (sync), reads of memory never written (init),
 * accesses outside of an allocation (mem). Each checker is an observer (observe.h) and knows no other checker. */
#ifndef WARPLOCK_CHECKER_H
#define WARPLOCK_CHECKER_H

#include "warplock/observe.h"

enum wl_check_reason {
#define REASON(CHECK, NAME, option, why, mend) WL_CHECK_##NAME,
#include "warplock/check_reasons.def"
	WL_CHECK_REASONS
};

/* A place in the run. lanes 0: nobody. */
struct wl_check_site {
	uint32_t cta, warp, lanes, pc; /* pc: instruction index */
	const char *does;              /* "write" ... */
};
enum wl_check_space { WL_CHECK_NOWHERE, WL_CHECK_SHARED, WL_CHECK_GLOBAL, WL_CHECK_LOCAL, WL_CHECK_BARRIER };
/* Each pair of places once. */
struct wl_check_finding {
	enum wl_check_reason reason;
	uint64_t count;
	struct wl_check_site before, here;
	enum wl_check_space space;
	uint32_t owner; /* shared memory or a barrier: the CTA of the object */
	uint64_t addr;  /* shared: in the window of the CTA; a barrier: the number */
	uint32_t bytes;
};

struct wl_checker;
struct wl_checker *wl_sync_create(const struct wl_seen_shape *shape); /* NULL: no memory */
struct wl_checker *wl_init_create(const struct wl_seen_shape *shape);
struct wl_checker *wl_mem_create(const struct wl_seen_shape *shape);
void wl_checker_free(struct wl_checker *c);
const struct wl_observer *wl_checker_observer(const struct wl_checker *c);
/* init: [addr, addr + bytes) of global memory has no content; the kernel must not read the range. Before the run. */
void wl_init_unwritten(struct wl_checker *init, uint64_t addr, uint64_t bytes);

/* sync: the kernel has a fence.mbarrier_init without a word in the code: an init without a fence is no finding. */
void wl_sync_hide_fences(struct wl_checker *sync);
/* sync, from the PTX: the SHFL at pc has the mask of the WARPSYNC at pc `warpsync`. Before the run. */
void wl_sync_hint_mask(struct wl_checker *sync, uint32_t pc, uint32_t warpsync);

const char *wl_checker_name(const struct wl_checker *c); /* "sync" */
unsigned wl_checker_findings(const struct wl_checker *c);
const struct wl_check_finding *wl_checker_finding(const struct wl_checker *c, unsigned i);
const char *wl_checker_cannot_tell(const struct wl_checker *c); /* why; NULL: the checker can tell */
const char *wl_check_option(enum wl_check_reason r);            /* "mbarrier-plain" */
const char *wl_check_why(enum wl_check_reason r);
const char *wl_check_mend(enum wl_check_reason r);
/* "shared variable full+8 of CTA 0" */
void wl_checker_variable(const struct wl_checker *c, const struct wl_check_finding *f, char *buf, size_t n);
/* Calls `line` for each line of the text. */
void wl_checker_tell(const struct wl_checker *c, const struct wl_check_finding *f,
                     void (*line)(void *self, const char *text), void *self);

#endif
