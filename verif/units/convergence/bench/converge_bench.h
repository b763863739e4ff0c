/* SPDX-License-Identifier: Apache-2.0
 * converge_bench.h -- drives the RTL block convergence with warps dividing, meeting, breaking, yielding and leaving.
 * The bench compares every answer, the cycle of each COMMIT and the ready lanes with converge_ref. */
#ifndef CONVERGE_BENCH_H
#define CONVERGE_BENCH_H

#include "../../../common/rng.h"
#include "../../../common/stall.h"
#include "converge_ref.h"
#include "../../bench_main.h"
#include "pins/convergence.h"

enum {
	MAX_PORTS = 4,
	WARPS = 48, /* at most */
	SLOTS = 16,
	TO_COMMIT = 1, /* cycles from the last beat */
	TO_ANSWER = 3,
	LEAN_START = 2, /* convergence_lean: cycles to the COMMIT of a request without a pass ... */
	LEAN_PASS = 33, /* ... of a pass over the lanes ... */
	LEAN_LOOK = 32, /* ... to search for waiting lanes ... */
	LEAN_GROUP = 35 /* ... and to judge lanes waiting together */
};

enum { SRC_REG = 1, SRC_IMM = 2, SRC_CONST = 3 }; /* source of a row */

/* A request, and the reference's results. */
struct request {
	struct ref_op op;
	uint32_t tag, mask, pred;
	unsigned slot, src;
	bool header, to_rd, ra_used;
	uint32_t imm, ready, walks; /* ready: afterwards ready lanes; walks: barriers with waiting lanes, for a YIELD */
	uint32_t old[REF_LANES];
	struct ref_misuse bad;
	unsigned long taken;
	unsigned long due; /* cycle of the COMMIT */
	bool alone, seen;
};

struct warp {
	struct ref_warp ref;
	bool asked;
	unsigned slot; /* of the warp's CTA; SLOTS: no CTA */
	unsigned plan_bar;
	uint32_t plan, meet;
	unsigned born;    /* lanes at the launch */
	bool fresh, used; /* fresh: no request since the launch; used: the last warp left state */
};

struct cta {
	bool due;
	unsigned slot, first, warps, lanes; /* lanes: of the last warp */
};

/* Coverage of the launches. */
struct launched {
	unsigned long of_slot[SLOTS], of_first[WARPS], of_count[WARPS + 1], of_lanes[REF_LANES + 1]; /* launches */
	unsigned long again;             /* used warps launched again: some lanes had an EXIT, or a wait */
	unsigned long anew[REF_KINDS];   /* the first request of a used warp */
	unsigned long halves;            /* warps with an EXIT of some lanes right after a launch */
	unsigned long asked[WARPS][2];   /* exit_stay_o of each warp: no lane stays, some lane stays */
	unsigned long tails, kept_tails; /* exit_stay_o of last warps with fewer lanes: new, and after a reset */
};

struct converge_bench {
	struct model model;
	PINS_MEMBERS(convergence);
	unsigned lanes, ports, warps, beats;
	bool lean; /* convergence_lean: a single request at a time */
	struct rng rng;
	struct stall in, out[MAX_PORTS];
	struct warp warp[WARPS];
	struct cta next;       /* the launch now due */
	bool offered, settled; /* settled: CTAs come by bench_launch only */
	struct request req;
	unsigned req_port, beat;
	struct request owed[MAX_PORTS][WARPS]; /* rings */
	unsigned first[MAX_PORTS], last[MAX_PORTS], out_beat[MAX_PORTS];
	unsigned room, promised[MAX_PORTS]; /* beats of answers: room of a port; promised to accepted requests */
	struct request commit;              /* the request with a COMMIT due */
	bool commits;
	unsigned long step_free; /* first cycle able to take a last beat */
	unsigned long filled;    /* lean: cycle of the next answer beat */
	unsigned held;           /* lean: cycles of the present beat on the bus */
	unsigned long cycle, errors, taken, answered, moved, still, refused, launches, stays, goes, widest_walk;
	unsigned serial;
	unsigned long kinds[REF_KINDS], apart, nobody, self, mismatch, before, both, all_bad, some_bad;
	struct ref_seen seen;
	struct launched launched;
};

/* Counts an error (when got and want differ), and prints the first ten. */
void bench_error(struct converge_bench *b, const char *what, uint64_t got, uint64_t want);
void bench_expect(struct converge_bench *b, const char *what, uint64_t got, uint64_t want);
unsigned bench_below(struct converge_bench *b, unsigned n);
/* The model of convergence, or with `lean` of convergence_lean. */
void bench_open(struct converge_bench *b, const struct bench_args *a);
/* Afterwards all lanes of all warps live. */
void bench_reset(struct converge_bench *b);
void bench_stalls(struct converge_bench *b, enum stall_kind in, enum stall_kind out);
/* A cycle; `more`: new requests are offered. */
void bench_cycle(struct converge_bench *b, bool more);
/* Until each offered request is answered. */
void bench_drain(struct converge_bench *b);
/* A request of a warp, with the cycles until the answer. */
void bench_ask(struct converge_bench *b, unsigned w, enum ref_kind kind, unsigned bar, uint32_t lanes);
/* BMOV to a barrier: all `lanes` get the same set. */
void bench_put(struct converge_bench *b, unsigned w, unsigned bar, uint32_t lanes, uint32_t set);
/* Any instruction, until the answer. BSYNC and BREAK come from all ready lanes; the predicate selects. */
void bench_do(struct converge_bench *b, unsigned w, const struct ref_op *op);
/* Like bench_ask, without waiting. */
void bench_offer(struct converge_bench *b, unsigned w, enum ref_kind kind, unsigned bar, uint32_t lanes);
/* The warp for the nth of several trials, each in a warp of its own; launched anew after all warps had a trial. */
unsigned bench_warp(struct converge_bench *b, unsigned n);
/* Launches the warp anew, as the only warp of a CTA. */
void bench_renew(struct converge_bench *b, unsigned w);
/* A request of a warp like in the random traffic; no request without ready lanes. */
void bench_ask_any(struct converge_bench *b, unsigned w);

/* Single warps, request by request (converge_cases.c). */
void lone_waiters(struct converge_bench *b);
void waiters_everywhere(struct converge_bench *b);
void walked_barriers(struct converge_bench *b);
void named_waiters(struct converge_bench *b);
void foreign_sets(struct converge_bench *b);
void resets_in_walks(struct converge_bench *b);
void groups_of_one_yield(struct converge_bench *b, unsigned rounds);
void kept_sets(struct converge_bench *b, unsigned rounds);

/* CTAs (converge_launch.c): any first warp, any number of warps, over used warps; exit_stay_o of all warps. */
void launch_everywhere(struct converge_bench *b, unsigned rounds);
/* exit_stay_o of every warp of a CTA, at every port; nothing may be under way. */
void ask_who_stays(struct converge_bench *b);

/* Inputs of a cycle (converge_draw.c): a launch, the query of an EXIT at a port, beats. */
void drive_launch(struct converge_bench *b);
/* The CTA's warps belong to no CTA until the next launch; state left in the unit stays. */
void drop_cta(struct converge_bench *b, unsigned slot);
bool draw_request(struct converge_bench *b, struct request *r, unsigned w);
void drive_exit(struct converge_bench *b, unsigned p);
void drive_bus(struct converge_bench *b, bool more);

#endif
