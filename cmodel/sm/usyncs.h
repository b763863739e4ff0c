// SPDX-License-Identifier: Apache-2.0
/* usyncs.h -- private: mbarrier words of sm_107 at a single address (USYNCS, SYNCSU). FRONT makes of each word a
 * request of SYNCS by a single lane. Source: docs/spec/mbarrier.md, "Words at one address". */
#ifndef WARPLOCK_SM_USYNCS_H
#define WARPLOCK_SM_USYNCS_H

#include "exec_state.h"

static inline bool usyncs_is_one(uint16_t uop)
{
	return uop == WL_UOP_USYNCS_ARRIVE || uop == WL_UOP_SYNCSU_ARRIVE || uop == WL_UOP_USYNCS_PHASECHK ||
	       uop == WL_UOP_USYNCS_CCTL;
}
static inline bool usyncs_is_multicast(uint16_t uop)
{
	return uop == WL_UOP_USYNCS_MULTICAST || uop == WL_UOP_SYNCSU_MULTICAST;
}
static inline bool usyncs_is(uint16_t uop)
{
	return usyncs_is_one(uop) || usyncs_is_multicast(uop);
}
/* The instruction asks for a phase. */
static inline bool usyncs_asks(uint16_t uop)
{
	return uop == WL_UOP_SYNCS_PHASECHK || uop == WL_UOP_USYNCS_PHASECHK;
}

/* Puts the request in place of x's instruction USYNCS or SYNCSU. A request to several CTAs has a lane for each CTA: the
 * lane's number is the rank. No CTA: x's instruction stays. */
void usyncs_make(struct exec *x);
static inline bool usyncs_is_made(const struct exec *x)
{
	return x->in == &x->made;
}
/* The word of the request made. */
struct wl_word usyncs_word(const struct exec *x);

#endif
