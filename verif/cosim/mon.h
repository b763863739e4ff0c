// SPDX-License-Identifier: Apache-2.0
/* mon.h -- the order monitor: was the order in which the DUT did things a legal one?
 *
 * Written from the lockstep contract and the design's "Contracts" alone. It sees requests as they are accepted and
 * events without their values; it forms addresses, finds faults and SPIN losers by itself and knows no unit of the C
 * model. Rules (letters as in the design):
 *   a  every active lane that does not fault commits exactly once, before its one RETIRE; faulting lanes never
 *   b  lanes on one word commit in lane order, or together when combined (loads, or COMBINE = 1)
 *   c  one warp's accesses to one word commit in program order
 *   f  every request retires within 64 x (in flight + 1) x 32/LANES cycles, cycles of stalled outputs not counted
 * Rules d and e speak of barriers and of waits that give up; no unit that has them exists yet, so any such event is
 * itself a complaint. */
#ifndef WARPLOCK_MON_H
#define WARPLOCK_MON_H

#include "warplock/lockstep.h"

enum { MON_LIVE = 128 /* most requests in flight */ };

struct mon_complaint {
	char rule; /* 'a' .. 'f', 0 = none */
	struct wl_tag tag;
	uint32_t lanes; /* the lanes it is about, 0 = the whole request */
	char text[240];
};

struct mon;

struct mon *mon_new(unsigned lanes, unsigned combine);
void mon_free(struct mon *m);

/* Shared window of a CTA slot; what a request sees is the window at its acceptance. */
void mon_window(struct mon *m, unsigned slot, uint32_t size, bool valid);
void mon_accept(struct mon *m, const struct wl_req *req);
void mon_event(struct mon *m, const struct wl_event *ev);
/* Once a cycle, after its events. stalled: some result was offered and not taken. */
void mon_cycle(struct mon *m, bool stalled);
/* At the end of a run: whatever is still in flight never retired. */
void mon_end(struct mon *m);

/* Only complaints of these rules count (a string of letters); the default is all. For tests of the checks. */
void mon_rules(struct mon *m, const char *letters);

/* The first complaint since mon_new; rule 0 when there is none. */
const struct mon_complaint *mon_complaint(const struct mon *m);

#endif
