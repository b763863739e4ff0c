// SPDX-License-Identifier: Apache-2.0
/* mon_unit.h -- what the monitor and its parts for the units tell each other. Includes isa and lockstep.h only. */
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
	uint8_t first, last_lanes; /* the first of them, lanes of the last of them; 0: nobody has told */
	uint8_t cluster;           /* number of its cluster on this SM */
	uint32_t origin;           /* its rank in that << 24: the address of its byte 0, unless it names no register */
	uint32_t base;             /* in the SM's shared memory: where LAND events lie */
	uint64_t left;             /* warps that have not exited */
};

/* One request in flight. The part of its unit fills `faulting` and what it needs of its own. What each COMMIT asks for
 * stands in the first two lines of the cache. */
struct mon_item {
	_Alignas(64) struct wl_tag tag;
	const struct mon_unit *unit;
	uint32_t mask;
	uint32_t faulting; /* lanes that must fault, whatever the state of the unit */
	uint32_t committed;
	uint32_t fault_seen;
	uint64_t settled; /* cycle of the last COMMIT */
	uint32_t value;   /* of the COMMIT at hand */
	bool live;        /* its place is taken */
	bool exited;      /* EXIT was seen */
	bool reads;       /* a load, two lanes of which name one word: set by the part, when it has `torn` */
	bool reading;     /* ... some lanes have committed, others have not */
	uint8_t waits;    /* enum wl_unit whose RELEASE it waits for, MON_NO_WAIT = none */
	uint8_t place;    /* in the list of live ones */
	uint8_t older;    /* next older request of the same warp in flight, MON_NOBODY = none */
	uint64_t born;    /* counted cycles at acceptance, and those owed to it since */
	uint64_t number;  /* acceptances until then, its own included */
	_Alignas(8) uint8_t own[MON_OWN];
};

struct mon_unit {
	enum wl_unit unit;
	unsigned state_bytes; /* of the part's state, 0 at the start: mon_state */
	bool state_faults;    /* lanes may fault by the unit's state: their FAULT takes the place of their COMMIT */
	bool one_event;       /* a request has one EXIT and no COMMIT */
	bool several_slots;   /* a RELEASE names one slot for warps of several */
	void (*open)(struct mon *m, unsigned slot); /* a CTA comes or leaves; NULL: nothing of it is kept */
	void (*accept)(struct mon *m, struct mon_item *it, const struct wl_req *req);
	/* Lanes commit; they are not in it->committed yet. */
	void (*commit)(struct mon *m, struct mon_item *it, uint32_t lanes);
	/* Lanes fault that need not by themselves: does the part's own count agree? NULL: it cannot tell. */
	void (*fault)(struct mon *m, struct mon_item *it, const struct wl_event *ev);
	/* All lanes have committed: whose RELEASE the request now waits for, MON_NO_WAIT = a response follows. NULL:
	 * never waits. */
	enum wl_unit (*waits)(struct mon *m, struct mon_item *it);
	/* For a RELEASE or CHOICE: does the request wait, which its commits did not tell? NULL: they always do. */
	bool (*parked)(struct mon *m, struct mon_item *it);
	/* Rule d: does the part's own count agree? The warps wait, each with a request of its own. */
	void (*release)(struct mon *m, const struct wl_event *ev);
	/* Rule e: a parked request gives up. NULL: its waits never do. */
	void (*gave_up)(struct mon *m, const struct mon_item *it);
	/* Once a cycle for each request that waits for this unit: rule e's other side, a wait that
	 * should have ended. */
	void (*waiting)(struct mon *m, const struct mon_item *it);
	void (*exit)(struct mon *m, const struct wl_event *ev); /* a warp has left; every part is told */
	/* Bytes of a CTA's window are written by another unit; told once the part has asked
	 * for it: mon_wants_touches */
	void (*touched)(struct mon *m, unsigned slot, uint32_t addr, unsigned size);
	/* Rule c over units: a lane that has still to commit and whose bytes of its CTA's window overlap from .. to -
	 * 1; -1: none. NULL: the unit does not reach shared memory. */
	int (*shared_pending)(const struct mon_item *it, uint32_t from, uint32_t to);
	/* Rule g: the lowest lane of a load that has still to commit, names a word of which another lane has
	 * committed, and whose bytes of the slot's window overlap from .. to - 1; -1: none. NULL: no request of the
	 * unit is a load of shared memory. */
	int (*torn)(const struct mon_item *it, unsigned slot, uint32_t from, uint32_t to);
	/* A piece of a copy has landed in shared memory, `addr` there; fault: what the mbarrier had against it. Every
	 * part is told; NULL: does not matter to it. */
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
/* The slot of the CTA that an address in shared memory names, asked by one in `slot`; -1: its cluster has none, or it
 * has ended. Where the cluster has no other CTA here, addresses name none. */
int mon_slot_named(const struct mon *m, unsigned slot, uint32_t addr);
void *mon_state(struct mon *m, enum wl_unit unit);
void mon_wants_touches(struct mon *m);
/* Whether somebody wants to hear of what a request writes in shared memory: a part has asked, or lanes of a load are
 * still to commit. */
bool mon_wants_writes(const struct mon *m);
/* A lane of the request commits, and may write these bytes of the slot's window. */
void mon_writes(struct mon *m, const struct mon_item *it, unsigned slot, uint32_t addr, unsigned size);
/* Rule c: lane l of `it` commits at these bytes of shared memory; older requests of the warp for other
 * units are asked. */
void mon_check_shared(struct mon *m, const struct mon_item *it, unsigned l, uint32_t from, unsigned size);
/* Whether the warp has older requests for other units that reach shared memory. */
bool mon_older_shared(const struct mon *m, const struct mon_item *it);
uint64_t mon_now(const struct mon *m); /* cycles since the start, all of them */
/* The next older request of the warp in flight, NULL = none. */
const struct mon_item *mon_older(const struct mon *m, const struct mon_item *it);

#endif
