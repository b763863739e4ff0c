// SPDX-License-Identifier: Apache-2.0
/* flight.h -- private to the lockstep harness and the parts for the units: state of the harness, interfaces of
 * the files.
 *
 *   lockstep.c  life, the cycle, the end of a run
 *   ports.c     offers requests, drives the ports, takes responses
 *   windows.c   windows and content through the configuration and host ports
 *   events.c    an event goes to MON and the tap, steps REF and is compared
 *   late.c      checks that run a few cycles behind the DUT
 *   result.c    contents of responses
 *   waits.c     waiting warps, due releases, the wait table
 *   compare.c   plans, records and memory
 *   memory_agent.c  global memory behind the DUT
 *   board_memory.c  the part of global memory on a board
 *   landing.c   asynchronous copies: pieces go to the landing port, and land in REF at the event LAND
 *   corrupt.c   flips a bit of the DUT's output (self-test) */
#ifndef WARPLOCK_FLIGHT_H
#define WARPLOCK_FLIGHT_H

#include "../common/stall.h"
#include "board_memory.h"
#include "lockstep.h"
#include "memory_agent.h"
#include "mon.h"
#include "unit.h"
#include "warplock/landing.h"

enum {
	NO_FLIGHT = 0xff,
	TAG_WARPS = 64,
	TAG_FIND = 64,          /* request numbers of a warp in flight together */
	COMPARE_EVERY = 4096,   /* events between comparisons of the whole memory */
	COMPARE_FILLED = 512,   /* likewise, at most, when a window was filled at once */
	HOST_CYCLES = 3,        /* from the handshake of a host write to the written memory */
	QUIET_CYCLES = 1000000, /* nothing happens for so long: the run is stuck */
	STUCK_CYCLES = 64,      /* nothing but waits for so long: the waits never end */
	RELEASE_CYCLES = 4,     /* RELEASE follows the cause within so many cycles; */
	LEAN_RELEASE = 16,      /* ... RELEASE of barrier_file_lean follows an EXIT within so many */
	SWEEP_CYCLES = 4096,    /* until the status port has told everything */
	SLOT_JOBS = 4 * WL_MAX_CTAS,
	HOST_SERVED = 48, /* most cycles until a host access is served, whatever the traffic */
	SEGMENT = 2048,   /* cycles of one pair of back-pressure patterns */
	FLIGHTS = LOCKSTEP_MAX_INFLIGHT + SHIM_PORTS + WL_MAX_WARPS,
	CHUNK = 16,   /* bytes of shared memory, unit of windows */
	PART = 4096,  /* ... read from the DUT and compared at once: a part stays in the first-level cache */
	LANDINGS = 4, /* pieces between handshake and LAND */
	COPIES = 128, /* under way at once */
	LATE_ITEMS = 192,
	LATE_EVENTS = 64,
	LATE_VALUES = 57, /* 64-bit words of an event's values: together eight lines of the cache */
};

/* A request, from SOURCE's offer to retirement. */
struct flight {
	struct wl_req req;
	const struct wl_unit_ops *ops;
	const struct cosim_unit *unit;
	unsigned watched; /* MON's number of the request */
	union {
		struct wl_plan plan; /* the part common to all units */
		uint64_t plan_words[WL_PLAN_MAX / 8];
	};
	struct wl_record ref;
	bool waits; /* has left the pipe and waits for RELEASE or CHOICE */
	/* shown by the DUT */
	uint32_t committed, faulted, written, preds;
	uint8_t commits;   /* COMMIT events */
	uint8_t beats_out; /* response beats */
	uint8_t passes;
	uint8_t fault[WL_WARP_LANES];
	bool wide; /* `result` counts; else `low` counts, and the higher words are 0 */
	uint32_t low[WL_WARP_LANES];
	struct wl_lane result[WL_WARP_LANES];
};

/* A request port, and the response side of the same number. */
struct port {
	uint8_t flight;   /* being sent, NO_FLIGHT = none */
	uint8_t accepted; /* first beat taken in this cycle, likewise */
	uint8_t beat;
	bool presented;    /* valid was raised for this beat */
	bool done;         /* SOURCE has nothing more for this port */
	bool idle;         /* SOURCE had nothing in this cycle */
	uint8_t returning; /* flight of the response beats coming back */
	bool held;         /* a beat was offered in the last cycle and not taken: the beat must stand */
	uint32_t held_tag, held_mask, held_pred;
	uint8_t held_passes, held_last, held_any_fault;
	uint8_t held_fault[WL_WARP_LANES];
	struct wl_lane held_data[WL_WARP_LANES];
	struct stall in, out;
};

/* A window to open or close in the DUT. */
struct slot_job {
	uint8_t slot, warps, first, lanes, cluster, rank;
	bool open, sent;
	uint32_t base, size, at;
};

/* A piece of a copy, brought by the memory system. Each side's bytes come from the side's own memory. */
struct landing_piece {
	struct wl_landing what;
	uint8_t dut[WL_LANDING_MOST], ref[WL_LANDING_MOST];
};

/* Work still to be done by the checks. */
enum late_kind { LATE_ACCEPT, LATE_COMMIT, LATE_RETIRE, LATE_NOTHING };
enum late_end { LATE_GOES_ON, LATE_ENDS, LATE_ENDS_STALLED };
struct late_item {
	uint8_t kind;
	uint8_t flight; /* all but NOTHING */
	uint8_t event;  /* COMMIT: place of the kept event */
	uint8_t end;    /* whether the cycle ends, and counts as time */
};

/* A COMMIT with values. */
struct late_event {
	struct shim_event event;
	uint64_t values[LATE_VALUES];
};

/* A release fixed by REF and not yet shown by the DUT. */
struct due_release {
	struct wl_released what;
	uint64_t cycle;
};

struct lockstep {
	struct lockstep_config config;
	const struct shim_api *api;
	void *model;
	struct wl_units *ref;
	struct wl_smem *smem; /* of ref */
	void *unit_state[WL_UNIT_COUNT];
	struct mon *mon; /* NULL when CHECK_MON is off */
	const struct mon_complaint *mon_says;
	struct memory_agent *memory; /* NULL: the DUT has no atom_unit */
	uint64_t board_at;           /* address of the window of config.board_memory */
	struct wl_source *source;
	struct shim_in in;
	struct shim_out out;
	const struct shim_event *now;  /* the event at hand, NULL between events */
	uint64_t when;                 /* the cycle at hand: stats.cycles, unless checks are late */
	uint32_t words[SHIM_PORTS][4]; /* instruction words of the beats being sent */
	unsigned lanes, beats, ports;
	struct port port[SHIM_PORTS];
	unsigned offered, inflight;
	uint8_t nfree, free[FLIGHTS];
	uint8_t find[TAG_WARPS][TAG_FIND];
	uint8_t waiting[TAG_WARPS]; /* flight of each warp's wait */
	unsigned nwaiting, ndue;
	struct due_release due[WL_MAX_WARPS];
	struct {
		bool offered, fresh; /* `next` stands at the port; since this cycle */
		bool owed;           /* some copy is under way */
		uint64_t since;      /* cycle of the first offer */
		struct landing_piece next, taken[LANDINGS];
		unsigned ntaken;
		uint32_t row[SHIM_LANES]; /* the words at the port */
		uint8_t read_dut[COPIES][WL_LANDING_MOST], read_ref[COPIES][WL_LANDING_MOST];
	} land;
	struct {
		unsigned limit; /* cycles that checks may be behind, 0: none */
		unsigned n, at, cycles, events, kept;
		uint64_t first; /* the cycle of the first item */
		bool running;
		struct late_item item[LATE_ITEMS];
		struct late_event event[LATE_EVENTS];
	} late;
	struct slot_job job[SLOT_JOBS];
	unsigned jobs;
	uint64_t last_compare, next_compare; /* counts of events */
	uint64_t last_sign;                  /* cycle of the last sign of life */
	uint64_t host_done;                  /* first cycle with all words of the host in memory */
	struct rng rng;                      /* of stops and host accesses */
	struct {
		unsigned port;
		uint64_t until; /* cycle */
	} stop;
	struct {
		bool valid, write, due; /* offered; a read was taken and its word is due */
		bool driven;            /* at the port in this cycle; false while a CTA's window is filled */
		uint32_t addr, data;
		uint64_t since;
	} host;
	const struct cosim_unit *status; /* the unit with a status port, NULL = none */
	bool sweep;                      /* the run is over, the status port shows all state */
	bool wave_on;
	bool corrupted, was_stuck;
	struct complaint complaint;
	struct lockstep_stats stats;
	struct wl_lane corrupt_data[WL_WARP_LANES];
	uint64_t corrupt_values[64]; /* copy of an event's values */
	uint32_t corrupt_words[SHIM_LANES];
	uint64_t written[65536 / CHUNK / 64]; /* chunks of memory filled since reset */
	uint32_t start[65536 / 4];            /* memory after reset */
	uint32_t mem[PART / 4];               /* the part under comparison */
	struct flight flight[FLIGHTS];
};

/* Records the first complaint of an active check. `f` may be NULL. Cold: code on the way to a complaint stands apart
 * from the code of every cycle, because the model throws the latter out of the instruction cache each time. */
void complain(struct lockstep *ls, enum check kind, const struct flight *f, const char *fmt, ...)
        __attribute__((cold, format(printf, 4, 5)));
/* The same for failures that end a run with any set of checks. */
void complain_always(struct lockstep *ls, const char *fmt, ...) __attribute__((cold, format(printf, 2, 3)));

/* Until the first complaint: events of the DUT after a complaint must not steer REF. */
static inline bool checking(const struct lockstep *ls)
{
	return ls->config.checks != 0 && !ls->complaint.any;
}

/* REF's record of a request, whole. */
static inline void fill_record(const struct lockstep *ls, const struct flight *f, struct wl_record *rec)
{
	if (f->ops && f->ops->fill)
		f->ops->fill(ls->ref, &f->req, &f->plan, rec);
}

static inline uint32_t hardware_tag(const struct wl_tag *t)
{
	return t->warp << 16 | (t->n & 0xffff);
}

static inline struct flight *flight_of(struct lockstep *ls, uint32_t tag)
{
	const uint32_t warp = tag >> 16, n = tag & 0xffff;
	const unsigned i = ls->find[warp % TAG_WARPS][n % TAG_FIND];
	if (i == NO_FLIGHT || ls->flight[i].req.tag.warp != warp || (ls->flight[i].req.tag.n & 0xffff) != n)
		return NULL;
	return &ls->flight[i];
}

/* Whether the checks of this request may come late. */
static inline bool may_be_late(const struct lockstep *ls, const struct flight *f)
{
	return ls->late.limit && f->unit && f->unit->keep;
}

void late_run(struct lockstep *ls);

/* Before every look at REF, MON or the record of a request: the checks catch up with the DUT. */
static inline void late_drain(struct lockstep *ls)
{
	if (ls->late.n && !ls->late.running)
		late_run(ls);
}

/* ports.c */
void drive_port(struct lockstep *ls, unsigned p);
void accept_beat(struct lockstep *ls, unsigned p);
void take_beat(struct lockstep *ls, unsigned p);
void watch_hold(struct lockstep *ls, unsigned p);
void flight_leave(struct lockstep *ls, struct flight *f);
void flight_free(struct lockstep *ls, struct flight *f);

/* result.c */
void result_keep(struct flight *f, const uint32_t *words, unsigned lane, unsigned lanes); /* of a beat */
void result_spread(struct flight *f, const uint32_t *words, uint32_t lanes);              /* the same for all lanes */
void result_lanes(const struct flight *f, struct wl_lane lane[WL_WARP_LANES]);            /* of the beats so far */
bool result_equal(const struct flight *f, const struct wl_lane want[WL_WARP_LANES]);

/* windows.c */
void drive_job(struct lockstep *ls);
void advance_job(struct lockstep *ls);
void drive_host(struct lockstep *ls);
void advance_host(struct lockstep *ls);

/* landing.c */
void landing_drive(struct lockstep *ls);
void landing_look(struct lockstep *ls);
void landing_name(const struct lockstep *ls, struct wl_event *e);
void landing_event(struct lockstep *ls, const struct shim_event *s);
bool landing_idle(const struct lockstep *ls);

/* events.c */
struct flight *must_find(struct lockstep *ls, uint32_t tag, const char *what);
void announce(struct lockstep *ls, const struct flight *f, struct wl_event *e);
void tell_station(const struct lockstep *ls, const struct flight *f, enum lockstep_station at, uint32_t lanes);
static inline void tap_station(const struct lockstep *ls, const struct flight *f, enum lockstep_station at,
                               uint32_t lanes)
{
	if (__builtin_expect(ls->config.tap != NULL, 0))
		tell_station(ls, f, at, lanes);
}
void on_event(struct lockstep *ls, const struct shim_event *s);
void retire(struct lockstep *ls, struct flight *f);
/* Checks of an accepted request, of an event of a request, of the end of a request, and of the end of a cycle. */
void check_accept(struct lockstep *ls, struct flight *f);
void check_event(struct lockstep *ls, struct flight *f, const struct shim_event *s);
void check_commit(struct lockstep *ls, struct flight *f, const struct shim_event *s); /* a COMMIT of `f` */
void check_retire(struct lockstep *ls, struct flight *f);
void check_cycle(struct lockstep *ls, bool stalled); /* lockstep.c */

/* late.c */
void late_start(struct lockstep *ls);
void late_add(struct lockstep *ls, enum late_kind kind, const struct flight *f);
void late_commit(struct lockstep *ls, const struct flight *f, const struct shim_event *s);
void late_cycle(struct lockstep *ls, bool stalled);
/* The request still in flight for the checks; NULL: no request of this tag. */
const struct flight *late_flight(struct lockstep *ls, uint32_t tag);

/* waits.c */
void waits_start(struct lockstep *ls);
unsigned waits_ctas(const struct lockstep *ls); /* CTAs with a waiting warp */
void wait_begin(struct lockstep *ls, struct flight *f);
void releases_collect(struct lockstep *ls);
void on_release(struct lockstep *ls, const struct wl_event *e);
void on_choice(struct lockstep *ls, struct flight *f, const struct wl_event *e);
void releases_watch(struct lockstep *ls);
bool waits_for_ever(const struct lockstep *ls);
void compare_waits(struct lockstep *ls);

/* compare.c */
void compare_accept(struct lockstep *ls, struct flight *f);
void compare_fault(struct lockstep *ls, struct flight *f, const struct wl_event *e);
void compare_commit(struct lockstep *ls, struct flight *f, struct wl_event *e);
void compare_retire(struct lockstep *ls, struct flight *f);
void compare_memory(struct lockstep *ls);
void compare_global(struct lockstep *ls);

/* For a complaint about a differing word of an atomic operation on floats: the numbers of both sides; else "". */
void complain_numbers(const struct flight *f, const uint32_t *dut, const uint32_t *ref, char *buf, size_t n);

void corrupt_outputs(struct lockstep *ls);
struct shim_event *corrupt_event(struct shim_out *out, enum wl_unit unit, enum wl_event_kind kind);

#endif
