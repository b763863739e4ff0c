// SPDX-License-Identifier: Apache-2.0
/* flight.h -- private to the lockstep harness: its state, and what its files tell each other.
 *
 *   lockstep.c  the cycle: offers requests, drives the ports, turns outputs into events
 *   compare.c   steps REF by an event and compares
 *   corrupt.c   flips a bit of the DUT's output (self-test) */
#ifndef WARPLOCK_FLIGHT_H
#define WARPLOCK_FLIGHT_H

#include "lockstep.h"
#include "mon.h"

enum {
	NO_FLIGHT = 0xff,
	TAG_WARPS = 64,
	TAG_FIND = 16,          /* requests of one warp in flight, at most */
	COMPARE_EVERY = 4096,   /* events between comparisons of the whole memory */
	QUIET_CYCLES = 1000000, /* nothing happens for so long: the run is stuck */
	SLOT_JOBS = 4 * WL_MAX_CTAS,
	SEGMENT = 2048, /* cycles of one pair of back-pressure patterns */
};

/* A request from the moment SOURCE gives it until its RETIRE. */
struct flight {
	struct wl_req req;
	struct wl_atoms_plan plan;
	struct wl_record ref;
	/* what the DUT has shown */
	uint32_t committed, faulted, written, preds;
	uint8_t commits;   /* COMMIT events */
	uint8_t beats_out; /* response beats */
	uint8_t passes;
	uint8_t fault[WL_WARP_LANES];
	struct wl_lane result[WL_WARP_LANES];
};

/* A request port, and the response side of the same number. */
struct port {
	uint8_t flight; /* being sent, NO_FLIGHT = none */
	uint8_t beat;
	bool presented;    /* valid was raised for this beat */
	bool done;         /* SOURCE has nothing more for this port */
	uint8_t returning; /* flight whose beats are coming back */
	bool held;         /* a beat was offered in the last cycle and not taken: it must stand */
	uint32_t held_tag, held_mask;
	struct wl_lane held_data[WL_WARP_LANES];
	struct stall in, out;
};

/* A window to open or close in the DUT. */
struct slot_job {
	uint8_t slot;
	bool open, sent;
	uint32_t base, size, at;
};

struct lockstep {
	struct lockstep_config config;
	const struct shim_api *api;
	void *model;
	struct wl_smem *ref;
	struct mon *mon; /* NULL when CHECK_MON is off */
	struct wl_source *source;
	struct shim_in in;
	struct shim_out out;
	const struct shim_event *now;  /* the event that is looked at, NULL between events */
	uint32_t words[SHIM_PORTS][4]; /* instruction words of the beats being sent */
	unsigned lanes, beats, ports, bank_bits;
	struct port port[SHIM_PORTS];
	unsigned offered, inflight;
	uint8_t nfree, free[LOCKSTEP_MAX_INFLIGHT + SHIM_PORTS];
	uint8_t find[TAG_WARPS][TAG_FIND];
	struct slot_job job[SLOT_JOBS];
	unsigned jobs;
	uint64_t next_compare, last_sign; /* event count; cycle of the last sign of life */
	bool wave_on;
	bool corrupted;
	struct complaint complaint;
	struct lockstep_stats stats;
	struct wl_lane corrupt_data[WL_WARP_LANES];
	uint32_t corrupt_words[SHIM_LANES];
	struct trace_atoms_pipe_commit corrupt_commit;
	uint32_t mem[65536 / 4];
	struct flight flight[LOCKSTEP_MAX_INFLIGHT + SHIM_PORTS];
};

/* Records the first complaint of a check that is on. `f` may be NULL. */
void complain(struct lockstep *ls, enum check kind, const struct flight *f, const char *fmt, ...)
        __attribute__((format(printf, 4, 5)));

static inline bool checking(const struct lockstep *ls)
{
	return ls->config.checks != 0;
}

static inline struct flight *flight_of(struct lockstep *ls, uint32_t tag)
{
	const uint32_t warp = tag >> 16, n = tag & 0xffff;
	const unsigned i = ls->find[warp % TAG_WARPS][n % TAG_FIND];
	if (i == NO_FLIGHT || ls->flight[i].req.tag.warp != warp || (ls->flight[i].req.tag.n & 0xffff) != n)
		return NULL;
	return &ls->flight[i];
}

void compare_accept(struct lockstep *ls, struct flight *f);
void compare_fault(struct lockstep *ls, struct flight *f, const struct shim_event *e);
void compare_commit(struct lockstep *ls, struct flight *f, const struct shim_event *e);
void compare_retire(struct lockstep *ls, struct flight *f);
void compare_memory(struct lockstep *ls);

void corrupt_outputs(struct lockstep *ls);

#endif
