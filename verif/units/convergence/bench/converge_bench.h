/* SPDX-License-Identifier: Apache-2.0
 * converge_bench.h -- drives the RTL block convergence with warps that divide, meet, break, yield and leave, and
 * compares all that comes out with converge_ref: every answer, the cycle of each COMMIT, the lanes that are ready. */
#ifndef CONVERGE_BENCH_H
#define CONVERGE_BENCH_H

#include "../../../common/rng.h"
#include "../../../common/stall.h"
#include "converge_ref.h"
#include "../../rtl_model.h"

enum {
	MAX_PORTS = 4,
	WARPS = 48, /* at most */
	SLOTS = 16,
	TO_COMMIT = 1, /* cycles from the last beat */
	TO_ANSWER = 3,
	LEAN_START = 2, /* convergence_lean: cycles to the COMMIT of a request that needs no pass ... */
	LEAN_PASS = 33, /* ... of a pass over the lanes ... */
	LEAN_LOOK = 32, /* ... to look who waits ... */
	LEAN_GROUP = 35 /* ... and to judge lanes that wait together */
};

#define PINS(PIN)                                                                                                      \
	PIN(clk_i)                                                                                                     \
	PIN(rst_i)                                                                                                     \
	PIN(cta_valid_i)                                                                                               \
	PIN(cta_slot_i)                                                                                                \
	PIN(cta_first_i)                                                                                               \
	PIN(cta_warps_i)                                                                                               \
	PIN(cta_lanes_i)                                                                                               \
	PIN(exit_warp_i)                                                                                               \
	PIN(exit_slot_i)                                                                                               \
	PIN(exit_mask_i)                                                                                               \
	PIN(exit_stay_o)                                                                                               \
	PIN(beat_valid_i)                                                                                              \
	PIN(beat_ready_o)                                                                                              \
	PIN(room_o)                                                                                                    \
	PIN(beat_port_i)                                                                                               \
	PIN(beat_exit_i)                                                                                               \
	PIN(beat_header_i)                                                                                             \
	PIN(beat_tag_i)                                                                                                \
	PIN(beat_slot_i)                                                                                               \
	PIN(beat_kind_i)                                                                                               \
	PIN(beat_ctl_i)                                                                                                \
	PIN(beat_flags_i)                                                                                              \
	PIN(beat_imm_i)                                                                                                \
	PIN(beat_index_i)                                                                                              \
	PIN(beat_last_i)                                                                                               \
	PIN(beat_mask_i)                                                                                               \
	PIN(beat_pred_i)                                                                                               \
	PIN(beat_ra_i)                                                                                                 \
	PIN(done_valid_o)                                                                                              \
	PIN(done_warp_o)                                                                                               \
	PIN(rsp_valid_o)                                                                                               \
	PIN(rsp_take_i)                                                                                                \
	PIN(rsp_o)                                                                                                     \
	PIN(rsp_data_o)                                                                                                \
	PIN(idle_o)                                                                                                    \
	PIN(trace_fault_valid_o)                                                                                       \
	PIN(trace_fault_tag_o)                                                                                         \
	PIN(trace_fault_lanes_o)                                                                                       \
	PIN(trace_commit_valid_o)                                                                                      \
	PIN(trace_commit_tag_o)                                                                                        \
	PIN(trace_commit_lanes_o)                                                                                      \
	PIN(trace_commit_value_o)

enum { SRC_REG = 1, SRC_IMM = 2, SRC_CONST = 3 }; /* where a row comes from */

/* A request, and what the reference says of it. */
struct request {
	struct ref_op op;
	uint32_t tag, mask, pred;
	unsigned slot, src;
	bool header, to_rd, ra_used;
	uint32_t imm, ready, walks; /* lanes that are ready then; barriers at which lanes wait, for a YIELD */
	uint32_t old[REF_LANES];
	struct ref_misuse bad;
	unsigned long taken;
	unsigned long due; /* cycle of the COMMIT */
	bool alone, seen;
};

struct warp {
	struct ref_warp ref;
	bool asked;
	unsigned slot; /* of its CTA; SLOTS: of none */
	unsigned plan_bar;
	uint32_t plan, meet;
	unsigned born;    /* its lanes at the launch */
	bool fresh, used; /* no request since its launch; the warp before it left some of its state behind */
};

struct cta {
	bool due;
	unsigned slot, first, warps, lanes; /* lanes: of its last warp */
};

/* What the launches met. */
struct launched {
	unsigned long of_slot[SLOTS], of_first[WARPS], of_count[WARPS + 1], of_lanes[REF_LANES + 1]; /* how many each */
	unsigned long again;             /* warps that were used before, by an EXIT of some lanes or by a wait */
	unsigned long anew[REF_KINDS];   /* the first request of such a warp */
	unsigned long halves;            /* warps of which some lanes left right after a launch */
	unsigned long asked[WARPS][2];   /* exit_stay_o of each warp: nobody stays, somebody */
	unsigned long tails, kept_tails; /* it of last warps that have fewer lanes: new ones, and after a reset */
};

struct converge_bench {
	struct model model;
#define MEMBER(name) uint8_t *name;
	PINS(MEMBER)
#undef MEMBER
	unsigned lanes, ports, warps, beats;
	bool lean; /* convergence_lean, which has one request at a time */
	struct rng rng;
	struct stall in, out[MAX_PORTS];
	struct warp warp[WARPS];
	struct cta next;       /* the launch that is due */
	bool offered, settled; /* settled: no CTA comes but those of bench_launch */
	struct request req;
	unsigned req_port, beat;
	struct request owed[MAX_PORTS][WARPS]; /* rings */
	unsigned first[MAX_PORTS], last[MAX_PORTS], out_beat[MAX_PORTS];
	unsigned room, promised[MAX_PORTS]; /* beats of answers that a port keeps; of requests that were let in */
	struct request commit;              /* the one whose COMMIT is due */
	bool commits;
	unsigned long step_free; /* first cycle in which a last beat is taken */
	unsigned long filled;    /* lean: cycle in which the next beat of the answer is there */
	unsigned held;           /* lean: cycles for which the beat on the bus has stood there */
	unsigned long cycle, errors, taken, answered, moved, still, refused, launches, stays, goes, widest_walk;
	unsigned serial;
	unsigned long kinds[REF_KINDS], apart, nobody, self, mismatch, before, both, all_bad, some_bad;
	struct ref_seen seen;
	struct launched launched;
};

/* Counts an error (when got and want differ); the first ten are printed. */
void bench_error(struct converge_bench *b, const char *what, uint64_t got, uint64_t want);
void bench_expect(struct converge_bench *b, const char *what, uint64_t got, uint64_t want);
unsigned bench_below(struct converge_bench *b, unsigned n);
/* The model of convergence, or with `lean` of convergence_lean. */
void bench_open(struct converge_bench *b, const char *path, bool lean, uint64_t seed);
/* All lanes of all warps live then. */
void bench_reset(struct converge_bench *b);
void bench_stalls(struct converge_bench *b, enum stall_kind in, enum stall_kind out);
/* One cycle; `more`: new requests are offered. */
void bench_cycle(struct converge_bench *b, bool more);
/* Until all that was offered is answered. */
void bench_drain(struct converge_bench *b);
/* One request of a warp, and what it takes until its answer. */
void bench_ask(struct converge_bench *b, unsigned w, enum ref_kind kind, unsigned bar, uint32_t lanes);
/* BMOV to a barrier: all of these lanes get the same set. */
void bench_put(struct converge_bench *b, unsigned w, unsigned bar, uint32_t lanes, uint32_t set);
/* Any instruction, until it is answered. BSYNC and BREAK are those of all lanes that are ready, by their predicate. */
void bench_do(struct converge_bench *b, unsigned w, const struct ref_op *op);
/* As bench_ask, but nothing is waited for. */
void bench_offer(struct converge_bench *b, unsigned w, enum ref_kind kind, unsigned bar, uint32_t lanes);
/* The warp for the nth of several trials, each of which wants a warp of its own; launched anew when all had one. */
unsigned bench_warp(struct converge_bench *b, unsigned n);
/* The warp is launched anew, as the only one of its CTA. */
void bench_renew(struct converge_bench *b, unsigned w);
/* A request as the random traffic has them, of one warp; none when nobody of it is ready. */
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

/* CTAs (converge_launch.c): any first warp, any number of them, over warps that were used; exit_stay_o of all warps. */
void launch_everywhere(struct converge_bench *b, unsigned rounds);
/* exit_stay_o of every warp of a CTA, at every port; nothing may be under way. */
void ask_who_stays(struct converge_bench *b);

/* What goes in within a cycle (converge_draw.c): a launch, the query of an EXIT at a port, beats. */
void drive_launch(struct converge_bench *b);
/* Its warps are nobody's until the next CTA; what they left in the unit stays. */
void drop_cta(struct converge_bench *b, unsigned slot);
bool draw_request(struct converge_bench *b, struct request *r, unsigned w);
void drive_exit(struct converge_bench *b, unsigned p);
void drive_bus(struct converge_bench *b, bool more);

#endif
