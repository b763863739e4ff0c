// SPDX-License-Identifier: Apache-2.0
/* lockstep.h -- runs a SOURCE on a DUT, steps REF by the DUT's events, compares, and asks MON about the order.
 *
 * Only order and lane subsets of the events steer REF; every value goes to the comparator. The run ends at the first
 * complaint. Nothing is allocated after lockstep_new. */
#ifndef WARPLOCK_COSIM_LOCKSTEP_H
#define WARPLOCK_COSIM_LOCKSTEP_H

#include <signal.h>

#include "../common/stall.h"
#include "shim.h"
#include "warplock/units.h"
#include "warplock/lockstep.h"

enum {
	LOCKSTEP_MAX_INFLIGHT = 64,
	COSIM_COUNTERS = 80, /* of each unit, for the unit's own use */
};

/* Kinds of complaint; a check that is off is silent (tests of single checks, and the unchecked run
 * of the benchmark). */
enum check {
	CHECK_MON,      /* a rule of the order monitor */
	CHECK_PROTOCOL, /* handshakes, tags, beats */
	CHECK_PASSES,   /* number and lanes of the passes */
	CHECK_FAULTS,   /* lanes and codes */
	CHECK_VALUES,   /* results, predicates, written lanes, words before and after a pass */
	CHECK_MEMORY,   /* the whole shared memory, other state of units */
	CHECK_WAITS,    /* releases, and the table of waiting warps */
	CHECK_TIMING,   /* cycles of COMMITs (--timing) */
	CHECK_KINDS
};
const char *check_name(enum check c);
#define CHECK_ALL ((1u << CHECK_KINDS) - 1)

/* A field of the DUT's output. A self-test flips a bit of the field, and the comparator must notice each flip. Fields
 * of a single unit belong to the unit (unit.h). */
struct cosim_field;

struct board_memory;
struct lockstep_stats;

/* Stations of a request on its way through the DUT. */
enum lockstep_station {
	LOCKSTEP_OFFERED,  /* SOURCE has given the request to a port */
	LOCKSTEP_ACCEPTED, /* the first beat was taken */
	LOCKSTEP_SENT,     /* the last beat was taken */
	LOCKSTEP_PASSED,   /* `lanes` have taken effect: COMMIT, EXIT */
	LOCKSTEP_WAITS,    /* has left the pipe, and waits */
	LOCKSTEP_ENDED,    /* the response is complete, or the wait is over; `rec` is whole */
};
struct lockstep_seen {
	enum lockstep_station at;
	uint64_t cycle;
	const struct wl_req *req;
	const struct wl_plan *plan;  /* from ACCEPTED on */
	const struct wl_record *rec; /* REF's, likewise */
	uint32_t lanes;
};

/* Observers of events and stations: the order log, traces. A list. With a tap, checks are not late. */
struct lockstep_tap {
	void *self;
	void (*event)(void *self, const struct wl_event *ev);          /* NULL: of no interest */
	void (*station)(void *self, const struct lockstep_seen *seen); /* likewise */
	const struct lockstep_tap *next;
};

struct lockstep_config {
	const struct shim_api *model;
	enum wl_arch arch;                 /* of the words that SOURCE offers */
	unsigned inflight;                 /* requests of SOURCE accepted and not retired, at most; 1..64 */
	unsigned checks;                   /* bits 1 << enum check; 0 = unchecked, for measurement only */
	const char *mon_rules;             /* letters of the rules that count; NULL = all */
	unsigned bug;                      /* planted bug */
	const struct cosim_field *corrupt; /* NULL = none */
	bool stall;                        /* back-pressure: all pairs of patterns in turn */
	bool stop;                         /* now and then a source stops in the middle of a request, for long */
	bool host;                         /* host accesses while requests are on their way */
	bool poke;                         /* windows are filled at once where the DUT can, not through the host port */
	bool timing;                       /* compare cycles: one port, no back-pressure */
	unsigned late; /* checks may be so many cycles behind: SOURCE learns of a RETIRE by the tag alone, and looks at
	                  no state changed by REF */
	uint64_t seed; /* of the back-pressure */
	const char *wave;            /* FST file (a traced model), NULL = none */
	uint64_t wave_from, wave_to; /* cycles kept, to = 0: all */
	uint64_t max_cycles;         /* 0 = no limit */
	unsigned latency;            /* of global memory: most cycles from request to answer */
	unsigned rewrite; /* once in so many cycles a word is rewritten: conditional writes fail, memory stays */
	unsigned intrude; /* once in so many cycles somebody else writes a sector already read by the DUT; 0 = never */
	struct lockstep *beside; /* of an earlier DUT at the same global memory, in the same run; NULL: the first DUT */
	const struct lockstep_tap *tap;           /* NULL: nobody */
	const volatile sig_atomic_t *interrupted; /* the run ends when this is set; NULL: never */
	/* Once in PROGRESS_EVERY cycles (progress.h); NULL: nobody looks. */
	void (*progress)(void *self, const struct lockstep_stats *s);
	void *progress_self;
	const struct board_memory *board_memory; /* the DUT's own part of global memory; NULL: none */
};

struct complaint {
	bool any;
	enum check kind;
	char rule; /* of CHECK_MON */
	uint64_t cycle;
	char text[320];
	bool has_req; /* req, ref and the dut members hold the request in flight */
	struct wl_req req;
	struct wl_record ref; /* so far */
	struct wl_record dut; /* shown by the DUT so far; old and now of written banks only */
	uint32_t dut_shown;   /* lanes with results handed back by the DUT */
	uint32_t dut_stored;  /* lanes with a store: `dut` has old and now of the lane */
};

/* Counters of a run: the figures of the report, and the values held against floors. */
struct lockstep_stats {
	uint64_t cycles, started; /* all cycles; cycles before the first accepted request */
	uint64_t events, retired, commits, memory_compares;
	uint64_t checked[WL_UNIT_COUNT]; /* compared requests, by unit */
	uint64_t sum_inflight;
	unsigned max_inflight;
	uint64_t passes[33];             /* instructions by passes */
	uint64_t faults[WL_FAULT_COUNT]; /* lanes by code */
	uint64_t uops[WL_UOP_COUNT];     /* instructions */
	uint64_t partial;                /* instructions with some lane inactive */
	uint64_t posted;
	uint64_t waits, releases, released, choices, exits,
	        lands; /* waits begun; RELEASE events, warps in them; others */
	uint64_t landed[6], land_flips, land_faults,
	        land_released; /* LAND by kind; phases ended by LAND, faults of mbarriers, warps released by LAND */
	uint64_t land_found, land_layouts; /* reports of a match; faults MBAR_LAYOUT */
	unsigned max_waiting;
	uint64_t stops;                                 /* stops of a source in the middle of a request */
	uint64_t host_reads, host_writes, host_longest; /* --host; longest wait of an access, in cycles */
	uint64_t stalled_in, stalled_out;               /* cycles a request or a result was held back */
	uint64_t counter[WL_UNIT_COUNT][COSIM_COUNTERS];
	bool deadlock; /* nothing was left but waits */
};

/* Cycles since the first accepted request, and the mean of requests in flight over these cycles. */
static inline uint64_t lockstep_busy(const struct lockstep_stats *s)
{
	return s->cycles - s->started;
}
static inline double lockstep_mean_inflight(const struct lockstep_stats *s)
{
	return lockstep_busy(s) ? (double)s->sum_inflight / (double)lockstep_busy(s) : 0;
}

struct lockstep;
struct memory_stats;

/* `ref` is the state changed by REF, and must outlive the run. NULL when memory is short. */
struct lockstep *lockstep_new(const struct lockstep_config *config, struct wl_units *ref);
/* Of several, free the first lockstep first. Verilator 5.006 finds part of a model's data through the context of the
 * thread, and this context is the last model's. */
void lockstep_free(struct lockstep *ls);

/* CTA slots: to be called from SOURCE's hooks, after REF's window was opened and filled. The DUT gets window and
 * content through the DUT's ports, from REF's window, before any further request is offered. */
void lockstep_open(struct lockstep *ls, unsigned slot);
void lockstep_close(struct lockstep *ls, unsigned slot);
/* SOURCE itself has stored `size` bytes to REF's global memory, `at` bytes into the buffers. The DUT's memory gets the
 * same store, as a write of somebody else. */
void lockstep_store(struct lockstep *ls, uint64_t at, unsigned size);

/* Lets the DUT take the windows open so far. lockstep_run does the same. A separate call keeps this time out of a
 * measurement. */
void lockstep_prepare(struct lockstep *ls);

/* Runs until SOURCE is done and everything has retired, or until a complaint or max_cycles. True without a
 * complaint. */
bool lockstep_run(struct lockstep *ls, struct wl_source *source);
/* The same for several DUTs in turn, in every cycle; source[i] belongs to ls[i]. The first complaint ends all runs. */
bool lockstep_run_all(struct lockstep *const *ls, struct wl_source *source, unsigned n);

/* After the run: the RTL's state of a waiting warp. False: the RTL does not know the warp. */
struct lockstep_wait {
	bool waits; /* stands in the wait table */
	bool bars;  /* `bar` is valid: the RTL has a status port of barriers */
	enum wl_unit unit;
	unsigned id;
	uint32_t mbarrier; /* address in the CTA's window, for a wait at an mbarrier */
	struct shim_bar bar;
};
bool lockstep_waits(const struct lockstep *ls, unsigned warp, struct lockstep_wait *w);
/* Likewise: lanes of the warp with no wait for other lanes of the warp. */
bool lockstep_ready(const struct lockstep *ls, unsigned warp, uint32_t *lanes);

const struct complaint *lockstep_complaint(const struct lockstep *ls);
const struct lockstep_stats *lockstep_stats(const struct lockstep *ls);
/* Of the global memory behind the DUT; NULL: no global memory. */
const struct memory_stats *lockstep_memory(const struct lockstep *ls);

#endif
