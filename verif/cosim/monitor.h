// SPDX-License-Identifier: Apache-2.0
/* monitor.h -- the order monitor as a library: was the order in which hardware did things a legal one?
 *
 * A bench tells each request taken by the hardware and each event, without values. The monitor knows the order rules
 * and no C unit, so the monitor judges hardware of any number of pipes. Arguments are numbers and texts alone.
 * Source: docs/spec/lockstep.md, "Order rules". The rules:
 *   a  every active lane without a fault commits once, before the request retires; faulting lanes never
 *   b  lanes on a word commit in lane order, or together where the configuration combines lanes
 *   c  accesses of a warp to a word commit in program order
 *   d  a release ends the wait of waiting warps, once, and of the warps of the barrier's own count
 *   e  a wait gives up in time, and unreleased
 *   f  every request retires within 64 x (requests in flight + 1) x 32 / lanes cycles; at the end nothing is open
 *   g  lanes of a load on a word see the same value: nobody writes the word between the commits of these lanes
 * Rules on time need wl_monitor_cycle; without cycles the other rules hold all the same. */
#ifndef WARPLOCK_MONITOR_H
#define WARPLOCK_MONITOR_H

#include <stdint.h>

struct wl_monitor;

/* Answer of every call about the hardware. wl_monitor_why has a line after any answer but LEGAL. */
enum wl_monitor_verdict {
	WL_MONITOR_LEGAL = 0,
	WL_MONITOR_ILLEGAL = 1, /* the hardware broke a rule; the first breach stays, later events are not judged */
	WL_MONITOR_MISUSE = 2   /* the bench is wrong: a number out of range, an unknown tag; nothing has changed */
};

/* parameters: "arch=sm_90 lanes=4", separated by blanks or commas, "" for none; the defaults are shown:
 *   arch=sm_75 lanes=32 combine=0 native=0   as in struct wl_config
 *   latency=0     cycles from a request to global memory to its answer, at most
 *   lean=0        1: the longer times of the small forms of the units
 *   rules=abcdefg the rules that are judged
 * NULL: wl_monitor_open_error() has one line. */
struct wl_monitor *wl_monitor_open(const char *parameters);
const char *wl_monitor_open_error(void);
void wl_monitor_close(struct wl_monitor *m); /* NULL is fine */
const char *wl_monitor_why(const struct wl_monitor *m);
char wl_monitor_rule(const struct wl_monitor *m); /* of the first breach, 'a' to 'g'; 0: none */

/* A CTA comes to a slot: warps first_warp .. first_warp + warps - 1 of the SM, and `bytes` bytes of shared memory from
 * byte `base` on. lanes: lanes of the last warp. */
int wl_monitor_start_cta(struct wl_monitor *m, uint32_t slot, uint32_t first_warp, uint32_t warps, uint32_t lanes,
                         uint32_t base, uint32_t bytes);
/* Before wl_monitor_start_cta: cluster of the CTA on this SM, and rank of the CTA in the cluster. */
int wl_monitor_cluster(struct wl_monitor *m, uint32_t slot, uint32_t cluster, uint32_t rank);
int wl_monitor_end_cta(struct wl_monitor *m, uint32_t slot);

/* Values of registers for the next request, as wl_unit_operand. Needed where addresses or barrier numbers stand in
 * registers: the monitor knows an address from the operands alone. */
int wl_monitor_operand(struct wl_monitor *m, uint32_t source, uint32_t lane, uint32_t word, uint32_t value);
/* The hardware takes a request, in the program order of the warp. tag: a number of the bench's choice that no open
 * request has. The tag is free again after wl_monitor_retire, wl_monitor_give_up, or the release of the warp. */
int wl_monitor_request(struct wl_monitor *m, uint32_t tag, uint32_t slot, uint32_t warp, const char *instruction,
                       uint32_t mask, uint32_t preds);

/* Events of the hardware, in their order. `lanes` take effect; `lanes` fault with a number of units.def. */
int wl_monitor_commit(struct wl_monitor *m, uint32_t tag, uint32_t lanes);
int wl_monitor_fault(struct wl_monitor *m, uint32_t tag, uint32_t lanes, uint32_t fault);
int wl_monitor_exit(struct wl_monitor *m, uint32_t tag); /* of EXIT: the warp has ended */
int wl_monitor_retire(struct wl_monitor *m, uint32_t tag);
int wl_monitor_give_up(struct wl_monitor *m, uint32_t tag); /* a wait with a time limit ends */
/* Waiting warps (a bit for each warp of the SM) go on. unit: "barrier_file", ...; id: of the barrier, or address of the
 * mbarrier / 8. */
int wl_monitor_release(struct wl_monitor *m, const char *unit, uint32_t slot, uint32_t id, uint64_t warps);

/* The bench holds something back from a request in this cycle: the cycle does not count for rule f. */
int wl_monitor_owed(struct wl_monitor *m, uint32_t tag);
/* Once a cycle, after the events. stalled: some result was offered and not taken; the cycle does not count for f. */
int wl_monitor_cycle(struct wl_monitor *m, int stalled);
/* The end of a run: what is open and does not wait never retired. */
int wl_monitor_end(struct wl_monitor *m);

#endif
