// SPDX-License-Identifier: Apache-2.0
/* mon_unit.h -- interface between the monitor and the parts for the units. Includes isa and lockstep.h only. */
#ifndef WARPLOCK_MON_UNIT_H
#define WARPLOCK_MON_UNIT_H

#include "mon.h"

enum { MON_OWN = 512, MON_NO_WAIT = WL_UNIT_COUNT, MON_NOBODY = 0xff };

/* Kinds of LAND. */
enum { LANDS_WRITE, LANDS_READ, LANDS_TX, LANDS_ARRIVE, LANDS_REDUCE, LANDS_REPORT };

struct mon_window {
	uint32_t size;
	bool valid;
	uint8_t warps;             /* launched */
	uint8_t first, last_lanes; /* number of the first warp, lanes of the last warp; 0: nobody has told */
	uint8_t cluster;           /* number of the CTA's cluster on this SM */
	uint32_t origin; /* rank in the cluster << 24: address of byte 0; base of addresses without register */
	uint32_t base;   /* in the SM's shared memory, for LAND events */
	uint64_t left;   /* warps without an EXIT */
};

/* A request in flight. The unit's part fills `faulting` and the part's own data. Members for every COMMIT stand in the
 * first two lines of the cache. */
struct mon_item {
	_Alignas(64) struct wl_tag tag;
	const struct mon_unit *unit;
	uint32_t mask;
	uint32_t faulting; /* lanes with a fault, whatever the state of the unit */
	uint32_t committed;
	uint32_t fault_seen;
	uint64_t settled; /* cycle of the last COMMIT */
	uint32_t value;   /* of the COMMIT at hand */
	bool live;        /* the place is taken */
	bool exited;      /* EXIT was seen */
	bool reads;       /* a load with two lanes on the same word: set by a part with `torn` */
	bool reading;     /* ... some lanes have committed, others have not */
	uint8_t waits;    /* enum wl_unit of the awaited RELEASE, MON_NO_WAIT = none */
	uint8_t place;    /* in the list of live requests */
	uint8_t older;    /* next older request of the same warp in flight, MON_NOBODY = none */
	uint64_t born;    /* counted cycles at acceptance, plus cycles owed to the request since */
	uint64_t number;  /* acceptances up to this request, itself included */
	_Alignas(8) uint8_t own[MON_OWN];
};

struct mon_unit {
	enum wl_unit unit;
	unsigned state_bytes; /* of the part's state, 0 at the start: mon_state */
	bool state_faults;    /* lanes may fault by the unit's state: FAULT then takes the place of COMMIT */
	bool one_event;       /* a request has a single EXIT and no COMMIT */
	bool several_slots;   /* a RELEASE names a single slot for warps of several slots */
	void (*open)(struct mon *m, unsigned slot); /* a CTA comes or leaves; NULL: no state of CTAs */
	void (*accept)(struct mon *m, struct mon_item *it, const struct wl_req *req);
	/* Lanes commit; `committed` does not have these lanes yet. */
	void (*commit)(struct mon *m, struct mon_item *it, uint32_t lanes);
	/* Lanes fault, but not by the request alone: does the part's own count agree? NULL: the part cannot tell. */
	void (*fault)(struct mon *m, struct mon_item *it, const struct wl_event *ev);
	/* All lanes have committed: unit of the RELEASE awaited from now on, MON_NO_WAIT = a response follows. NULL:
	 * never waits. */
	enum wl_unit (*waits)(struct mon *m, struct mon_item *it);
	/* For a RELEASE or CHOICE: does the request wait, although the commits did not tell? NULL: commits always
	 * tell. */
	bool (*parked)(struct mon *m, struct mon_item *it);
	/* Rule d: does the part's own count agree? Each of the warps waits with a request of the warp's own. */
	void (*release)(struct mon *m, const struct wl_event *ev);
	/* Rule e: a parked request gives up. NULL: the unit's waits never give up. */
	void (*gave_up)(struct mon *m, const struct mon_item *it);
	/* Once a cycle for each request waiting for this unit: the other side of rule e, an overdue wait. */
	void (*waiting)(struct mon *m, const struct mon_item *it);
	void (*exit)(struct mon *m, const struct wl_event *ev); /* a warp has left; every part is told */
	/* Another unit writes bytes of a CTA's window. Only called after a part has asked: mon_wants_touches */
	void (*touched)(struct mon *m, unsigned slot, uint32_t addr, unsigned size);
	/* Rule c over units: an uncommitted lane with bytes of the CTA's window overlapping from .. to - 1; -1: none.
	 * NULL: the unit does not reach shared memory. */
	int (*shared_pending)(const struct mon_item *it, uint32_t from, uint32_t to);
	/* Rule g: the lowest uncommitted lane of a load, on a word with another, committed lane, and with bytes of the
	 * slot's window overlapping from .. to - 1; -1: none. NULL: no request of the unit is a load of shared
	 * memory. */
	int (*torn)(const struct mon_item *it, unsigned slot, uint32_t from, uint32_t to);
	/* A piece of a copy has landed in shared memory, at `addr`; fault: the mbarrier's objection. Every part is
	 * told. NULL: no interest. */
	void (*land)(struct mon *m, const struct wl_event *ev);
};

void mon_complain(struct mon *m, char rule, const struct wl_tag *tag, uint32_t lanes, const char *fmt, ...)
        __attribute__((cold, format(printf, 5, 6)));
unsigned mon_lanes(const struct mon *m);
unsigned mon_combine(const struct mon *m);
bool mon_has_native(const struct mon *m);
bool mon_is_lean(const struct mon *m);
bool mon_has_reports(const struct mon *m);
const struct mon_window *mon_window_of(const struct mon *m, unsigned slot);
/* The slot of the CTA named by an address in shared memory, for a CTA in `slot`. -1: the cluster has no CTA of this
 * rank, or the CTA has ended. Where the cluster has no other CTA here, addresses name no CTA: `slot`. */
int mon_slot_named(const struct mon *m, unsigned slot, uint32_t addr);
void *mon_state(struct mon *m, enum wl_unit unit);
void mon_wants_touches(struct mon *m);
/* Whether anybody wants to hear of a request's writes to shared memory: a part has asked, or a load has uncommitted
 * lanes. */
bool mon_wants_writes(const struct mon *m);
/* A lane of the request commits, and may write these bytes of the slot's window. */
void mon_writes(struct mon *m, const struct mon_item *it, unsigned slot, uint32_t addr, unsigned size);
/* Rule c: lane l of the request commits at these bytes of shared memory. Asks the warp's older requests for other
 * units. */
void mon_check_shared(struct mon *m, const struct mon_item *it, unsigned l, uint32_t from, unsigned size);
/* Whether the warp has older requests to shared memory for other units. */
bool mon_older_shared(const struct mon *m, const struct mon_item *it);
uint64_t mon_now(const struct mon *m); /* cycles since the start, all of them */
/* The next older request of the warp in flight, NULL = none. */
const struct mon_item *mon_older(const struct mon *m, const struct mon_item *it);

#endif
