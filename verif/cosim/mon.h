// SPDX-License-Identifier: Apache-2.0
/* mon.h -- the order monitor: was the order in which the DUT did things a legal one?
 *
 * The monitor sees requests as they are accepted, and events without values. The monitor knows no unit of the C model.
 * Source: docs/spec/lockstep.md, "Order rules"; docs/spec/units.md, "Lane order". The rules:
 *   a  every active lane that does not fault commits exactly once, before its one retirement; faulting lanes never
 *   b  lanes on one word commit in lane order, or together when combined (loads; with COMBINE what can be)
 *   c  one warp's accesses to one word commit in program order
 *   d  RELEASE ends the wait of warps that wait, of each once, and of those that the unit's own count names
 *   e  a wait gives up in its time and only unreleased
 *   f  every request retires within 64 x (in flight + 1) x 32/LANES cycles; not counted are cycles of stalled outputs,
 *      cycles in which the harness owes the request something, and waits
 *   g  lanes of one load that name the same word see one value: nobody writes the word between them (mon_read.h)
 * mon.c keeps who is in flight and judges a, e's and d's frame, f, and g. What a unit's requests mean is judged by its
 * part (mon_unit.h; verif/units/<unit>/cosim/mon.c), which forms addresses, finds faults and counts arrivals. */
#ifndef WARPLOCK_MON_H
#define WARPLOCK_MON_H

#include "warplock/lockstep.h"

#define MON_RULES "abcdefg"
enum { MON_LIVE = 128 /* most requests in flight, those that wait included */ };

struct mon_complaint {
	char rule; /* 'a' .. 'g', 0 = none */
	struct wl_tag tag;
	uint32_t lanes; /* the lanes it is about, 0 = the whole request */
	char text[240];
};

struct mon;
struct mon_unit;

/* `units` are the parts that judge, one for each unit that takes requests; they outlive the monitor. */
struct mon *mon_new(unsigned lanes, unsigned combine, const struct mon_unit *const *units, unsigned n);
void mon_free(struct mon *m);
/* Most cycles from a request to global memory to its answer. */
void mon_memory(struct mon *m, unsigned latency);
/* ATOMSN is known; else it is illegal. */
void mon_native(struct mon *m, bool native);
/* Units have their lean forms: a request may take longer. */
void mon_lean(struct mon *m, bool lean);

/* sm_107: mbarriers of layout v1 have fields of their own. */
void mon_reports(struct mon *m, bool reports);

/* A CTA comes to a slot or leaves its slot: shared window and warps. A request sees the window of its acceptance. */
/* Before mon_window: the slot's first warp, and the lanes of its last one. */
void mon_launch(struct mon *m, unsigned slot, unsigned first, unsigned last_lanes);
/* Before mon_window: number of the CTA's cluster on this SM, and its rank in it. */
void mon_cluster(struct mon *m, unsigned slot, unsigned cluster, unsigned rank);
void mon_window(struct mon *m, unsigned slot, uint32_t size, bool valid, unsigned warps);
void mon_base(struct mon *m, unsigned slot, uint32_t base); /* where it lies; for LAND events alone */
/* Returns the number by which mon_commit finds the request; of no worth when there was a complaint. */
unsigned mon_accept(struct mon *m, const struct wl_req *req);
void mon_event(struct mon *m, const struct wl_event *ev);
/* mon_event of a COMMIT with the number of the request. If another request has the number, the tag decides. */
void mon_commit(struct mon *m, unsigned number, const struct wl_event *ev);
/* Once a cycle for each request that the harness owes something in this cycle: a beat, an answer of the memory. */
void mon_owed(struct mon *m, const struct wl_tag *tag);
/* Before the events of a cycle of a DUT that runs by itself: its cycle, from which waits are counted then. */
void mon_clock(struct mon *m, uint64_t cycle);
/* Once a cycle, after its events. stalled: some result was offered and not taken. */
void mon_cycle(struct mon *m, bool stalled);
/* At the end of a run: whatever is still in flight and does not wait never retired. */
void mon_end(struct mon *m);

/* Only complaints of these rules count (a string of letters); the default is all. For tests of the checks. */
void mon_rules(struct mon *m, const char *letters);

/* The first complaint since mon_new; rule 0 when there is none. */
const struct mon_complaint *mon_complaint(const struct mon *m);

#endif
