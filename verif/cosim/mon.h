// SPDX-License-Identifier: Apache-2.0
/* mon.h -- the order monitor: was the order in which the DUT did things a legal one?
 *
 * The monitor sees requests as they are accepted, and events without values. The monitor knows no unit of the C model.
 * Source: docs/spec/lockstep.md, "Order rules"; docs/spec/units.md, "Lane order". The rules:
 *   a  every active lane without a fault commits exactly once, before the only retirement; faulting lanes never
 *   b  lanes on a word commit in lane order, or together when combined (loads; with COMBINE as far as possible)
 *   c  accesses of a warp to a word commit in program order
 *   d  RELEASE ends the wait of waiting warps, of each warp once, and of the warps of the unit's own count
 *   e  a wait gives up in time and only unreleased
 *   f  every request retires within 64 x (in flight + 1) x 32/LANES cycles; not counted are cycles of stalled outputs,
 *      cycles in which the harness owes the request something, and waits
 *   g  lanes of a load on the same word see the same value: nobody writes the word in between (mon_read.h)
 * mon.c keeps the requests in flight and judges a, the frame of d and e, f, and g. The unit's part judges the meaning
 * of requests (mon_unit.h; verif/units/<unit>/cosim/mon.c): addresses, faults, counts of arrivals. */
#ifndef WARPLOCK_MON_H
#define WARPLOCK_MON_H

#include "warplock/lockstep.h"

#define MON_RULES "abcdefg"
enum { MON_LIVE = 128 /* most requests in flight, including waiting requests */ };

struct mon_complaint {
	char rule; /* 'a' .. 'g', 0 = none */
	struct wl_tag tag;
	uint32_t lanes; /* lanes of the complaint, 0 = the whole request */
	char text[240];
};

struct mon;
struct mon_unit;

/* `units` are the judging parts, one for each unit with requests. The parts outlive the monitor. */
struct mon *mon_new(unsigned lanes, unsigned combine, const struct mon_unit *const *units, unsigned n);
void mon_free(struct mon *m);
/* Most cycles from a request to global memory to the answer. */
void mon_memory(struct mon *m, unsigned latency);
/* ATOMSN is known; else it is illegal. */
void mon_native(struct mon *m, bool native);
/* Units have their lean forms: a request may take longer. */
void mon_lean(struct mon *m, bool lean);

/* sm_107: mbarriers of layout v1 have extra fields. */
void mon_reports(struct mon *m, bool reports);

/* A CTA comes to a slot or leaves a slot: shared window and warps. A request sees the window at acceptance. */
/* Before mon_window: the slot's first warp, and the lanes of the slot's last warp. */
void mon_launch(struct mon *m, unsigned slot, unsigned first, unsigned last_lanes);
/* Before mon_window: number of the CTA's cluster on this SM, and rank in the cluster. */
void mon_cluster(struct mon *m, unsigned slot, unsigned cluster, unsigned rank);
void mon_window(struct mon *m, unsigned slot, uint32_t size, bool valid, unsigned warps);
void mon_base(struct mon *m, unsigned slot, uint32_t base); /* address of the window; for LAND events alone */
/* Returns the request's number for mon_commit; after a complaint without meaning. */
unsigned mon_accept(struct mon *m, const struct wl_req *req);
void mon_event(struct mon *m, const struct wl_event *ev);
/* mon_event of a COMMIT with the number of the request. If another request has the number, the tag decides. */
void mon_commit(struct mon *m, unsigned number, const struct wl_event *ev);
/* Once a cycle for each request owed something by the harness in this cycle: a beat, an answer of the memory. */
void mon_owed(struct mon *m, const struct wl_tag *tag);
/* Before the events of a cycle of a self-running DUT: the DUT's cycle. Waits then count from this cycle. */
void mon_clock(struct mon *m, uint64_t cycle);
/* Once a cycle, after the cycle's events. stalled: some result was offered and not taken. */
void mon_cycle(struct mon *m, bool stalled);
/* At the end of a run: a request still in flight without a wait never retired. */
void mon_end(struct mon *m);

/* Only complaints of the rules in `letters` count; the default is all rules. For tests of the checks. */
void mon_rules(struct mon *m, const char *letters);

/* The first complaint since mon_new; rule 0: no complaint. */
const struct mon_complaint *mon_complaint(const struct mon *m);

#endif
