// SPDX-License-Identifier: Apache-2.0
/* unit.h -- the interface of every hardware unit in C. REF is made of these units.
 *
 * A unit has three main functions: plan (pure), apply (the events of a request, in their order), finish (the record). A
 * unit knows CTA slots, warp numbers, lane masks and values. A unit knows no warp objects, no front end, no other unit
 * and no time. For speed the front end calls functions on rows of lanes; the headers of the units declare the
 * functions. plan and apply wrap the same functions.
 *
 * Source: docs/spec/units.md, "Interface in C". */
#ifndef WARPLOCK_UNIT_H
#define WARPLOCK_UNIT_H

#include "warplock/lockstep.h"

struct wl_units; /* units.h */

enum { WL_PLAN_MAX = 1024 }; /* bytes of the largest plan; every unit asserts the fit */

/* Released warps after a complete count, and the result of the wait. */
struct wl_released {
	enum wl_unit unit;
	uint16_t slot, id, phase;
	uint64_t warps; /* warp slots of the SM */
	uint32_t value;
};

/* The start of a CTA in a slot. */
struct wl_cta_start {
	unsigned slot;
	uint32_t cta;            /* number in the grid; part of the start content of shared memory */
	uint32_t base, size;     /* shared window, bytes */
	unsigned first_warp;     /* the warps are first_warp .. first_warp + warps - 1 */
	unsigned warps, threads; /* the last warp may have fewer than 32 threads */
	uint32_t cluster;        /* number of the cluster in the grid */
	unsigned cluster_ctas;   /* CTAs of the cluster; 0 means 1 */
	unsigned rank;           /* number of the CTA in the cluster */
	uint64_t seed;
};

struct wl_unit_ops {
	uint16_t plan_bytes;
	/* A CTA comes, a CTA leaves. NULL: the unit keeps nothing of a CTA. */
	void (*open)(struct wl_units *u, const struct wl_cta_start *start);
	void (*close)(struct wl_units *u, unsigned slot);
	/* Pure; starts the record. `plan` has plan_bytes bytes and begins with struct wl_plan. */
	void (*plan)(const struct wl_units *u, const struct wl_req *req, struct wl_plan *plan, struct wl_record *rec);
	/* COMMIT: lanes take effect. Returns the lanes faulting by state; rec holds the codes, and a FAULT event stands
	 * in the place of the lanes' COMMIT. CHOICE: rec gets the answer of the ended wait. */
	uint32_t (*apply)(struct wl_units *u, const struct wl_req *req, struct wl_plan *plan, const struct wl_event *ev,
	                  struct wl_record *rec);
	/* EXIT of a warp, LAND: events outside of this unit's requests. NULL: the unit ignores them. */
	void (*event)(struct wl_units *u, const struct wl_event *ev);
	/* The next release, fixed by an event of this unit, an EXIT or a LAND; false: none. NULL: no request ever waits
	 * in this unit. */
	bool (*released)(struct wl_units *u, struct wl_released *r);
	/* A release has ended the wait of this request. rec gets the result of the warp. NULL: no result. */
	void (*answer)(const struct wl_units *u, const struct wl_req *req, const struct wl_plan *plan,
	               const struct wl_released *r, struct wl_record *rec);
	/* Completes the record once all lanes have had their turn. */
	void (*finish)(const struct wl_units *u, const struct wl_req *req, const struct wl_plan *plan,
	               struct wl_record *rec);
	/* Writes the part of the record left out by plan, apply and finish: words and results of committed lanes. Any
	 * number of calls. NULL: nothing is left out. */
	void (*fill)(const struct wl_units *u, const struct wl_req *req, const struct wl_plan *plan,
	             struct wl_record *rec);
	/* The state against `dut`, the state from the status port (the unit's header has the type). False: `why` holds
	 * the first difference. NULL: the unit has no state. */
	bool (*compare)(const struct wl_units *u, const void *dut, char *why, size_t n);
	/* The state of a CTA in words, a line for each object with possible waits. NULL: none. */
	void (*explain)(const struct wl_units *u, unsigned slot, void (*line)(void *self, const char *text),
	                void *self);
};
const struct wl_unit_ops *wl_unit_ops(enum wl_unit unit); /* NULL: not built in C */

/* Start of every unit's plan: header of the record, all lanes of the mask in one pass. */
void wl_plan_all(const struct wl_req *req, struct wl_plan *plan, struct wl_record *rec);
/* All lanes of the request fault before anything happens. */
void wl_plan_fault(const struct wl_req *req, struct wl_plan *plan, enum wl_fault fault);
/* finish for units with a record determined by plan and COMMITs alone. */
void wl_finish_plain(const struct wl_units *u, const struct wl_req *req, const struct wl_plan *plan,
                     struct wl_record *rec);
/* All `lanes` fault in their turn. Returns `lanes`. */
uint32_t wl_fault_lanes(struct wl_record *rec, uint32_t lanes, enum wl_fault fault);

/* The unit of a request. After an EXIT that is not posted, lanes of the warp live. */
static inline enum wl_unit wl_req_unit(const struct wl_req *req)
{
	if (req->inst.uop == WL_UOP_EXIT && !req->posted)
		return WL_UNIT_convergence;
	return req->inst.uop == WL_UOP_EXIT ? WL_UNIT_sync_core : wl_uop_unit((enum wl_uop)req->inst.uop);
}
/* Operand i (0 = A, 1 = B, 2 = C) of a lane: register or constant from the request, immediate, uniform register. */
uint64_t wl_req_source(const struct wl_req *req, unsigned i, unsigned lane);
/* The immediate of source i. The row of the micro-operation names the source with the second immediate. */
uint32_t wl_inst_immediate(const struct wl_inst *in, unsigned i);

static inline unsigned wl_lowest(uint32_t mask)
{
	return (unsigned)__builtin_ctz(mask);
}

#endif
