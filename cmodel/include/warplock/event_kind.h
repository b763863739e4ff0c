// SPDX-License-Identifier: Apache-2.0
/* event_kind.h -- kinds of events, in the order that breaks ties within a unit and cycle. Read by C and by the C++ of
 * the RTL models. */
#ifndef WARPLOCK_EVENT_KIND_H
#define WARPLOCK_EVENT_KIND_H

enum wl_event_kind {
	WL_EV_FAULT,   /* lanes fault with a code */
	WL_EV_EXIT,    /* a warp's last lanes are gone */
	WL_EV_COMMIT,  /* lanes take effect */
	WL_EV_LAND,    /* an asynchronous copy writes, or tells the mbarrier of the copy */
	WL_EV_RELEASE, /* waiting warps go on */
	WL_EV_CHOICE,  /* a wait gave up */
	WL_EV_RETIRE,  /* results are handed back */
	WL_EV_COUNT
};

#endif
