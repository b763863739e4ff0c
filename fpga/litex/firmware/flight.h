/* SPDX-License-Identifier: Apache-2.0 */
/* flight.h -- requests between command and record.
 *
 *   request.c  a request as a command
 *   flight.c   events of the core step the C units
 *   waits.c    requests waiting for a release, and releases
 *   record.c   the record of each side: the hash, and in a replay the differences */
#ifndef WARPLOCK_SOC_FLIGHT_H
#define WARPLOCK_SOC_FLIGHT_H

#include "entries.h"
#include "hash.h"
#include "sm.h"

enum { FLIGHTS = 3 };

/* The core's events and responses of a request so far. */
struct seen {
	uint32_t committed, written, preds, faulted;
	uint8_t fault[WL_WARP_LANES], passes, commits, beats;
	uint32_t pass_lanes[WL_WARP_LANES]; /* of the COMMITs */
	struct wl_lane result[WL_WARP_LANES];
};

struct flight {
	bool busy;
	bool judged, faults; /* the program of the warp says whether the request faults */
	const struct entry *entry;
	const struct wl_unit_ops *ops;
	struct wl_req req;
	struct wl_record ref;
	struct seen dut;
	union {
		struct wl_plan plan;
		struct wl_atoms_plan atoms;
		struct wl_atom_plan global;
		struct wl_mbar_plan mbarrier; /* the largest plan of all units here */
	};
};

/* Of a window: hashes of both sides, records so far; in a replay whether a difference has been told. */
struct tally {
	uint32_t hash[SIDES], done, waits; /* waits: waits ended by a release */
	bool replay, told;
};
extern struct tally tally;

static inline uint32_t core_tag(const struct wl_tag *t)
{
	return t->warp << 16 | (t->n & 0xffff);
}

/* request.c */
void request_send(const struct wl_req *q);

/* flight.c */
void flights_start(bool replay);
struct flight *flights_free(void);
bool flights_some(void);
bool flights_block(unsigned warp); /* a request of the warp is in flight and not posted */
bool flights_name(unsigned slot);  /* some request of the slot is in flight */
/* Plans the request of `f`, with entry, req, judged and faults set, and gives the request to the core. */
void flight_send(struct flight *f);
/* Looks at the snapshots received. */
void flights_look(void);
void flights_silent(void); /* prints the requests kept by the core */

/* waits.c */
void waits_start(void);
bool waits_block(unsigned warp);
void wait_begin(const struct flight *f);
void releases_collect(void); /* fixed by the C units */
void wait_release(const struct shim_event *e);
void wait_gives_up(const struct shim_event *e);
bool waits_end_alone(void); /* some wait ends without another request */
unsigned releases_due(void);
void releases_silent(void);
void waits_end(void); /* warps still waiting, on both sides */

/* record.c */
void record_end(struct flight *f);

#endif
