/* SPDX-License-Identifier: Apache-2.0
 * barrier_bench.h -- drives barrier_file with the programs of barrier_script. The bench compares each judgement,
 * RELEASE and answer, with the cycle, to barrier_ref. */
#ifndef BARRIER_BENCH_H
#define BARRIER_BENCH_H

#include "barrier_script.h"
#include "../../../common/rng.h"
#include "../../../common/stall.h"
#include "barrier_ref.h"
#include "../../bench_main.h"
#include "warplock/status.h"
#include "pins/barrier_file.h"

enum { MAX_PORTS = 4, FAULTS = WL_FAULT_BAR_DOUBLE_ARRIVE - WL_FAULT_SLOT_CLOSED + 1 };

/* barrier_file_lean: cycles from the take of a request to the judgement, and from a new beginning at step Read. */
enum { LEAN_CYCLES = 6, LEAN_ANEW = 4 };

enum warp_state { WARP_FREE, WARP_READY, WARP_OFFERED, WARP_TAKEN, WARP_WAITS };

struct answer {
	bool due;
	unsigned warp;
	uint32_t tag, mask, fault, value;
};

struct barrier_bench {
	struct model model;
	PINS_MEMBERS(barrier_file);
	unsigned ports, warps, slots, barriers, warp_bits, slot_bits, id_bits;
	struct rng rng;
	struct ref ref;
	struct script_cta cta[REF_SLOTS];
	struct script_warp script[REF_WARPS];
	enum warp_state state[REF_WARPS];
	unsigned slot_of[REF_WARPS];
	uint32_t serial;
	unsigned alive[REF_SLOTS];  /* warps that have not exited */
	unsigned closed[REF_SLOTS]; /* requests under way to this closed slot */
	struct {
		bool offered, taken, late, leaving, looks, behind; /* leaving: an EXIT; looks: at a phase */
		unsigned waited;                                   /* cycles in a row for others at the same barrier */
		struct sent {
			struct script_op op;
			uint32_t tag;
		} head, now;         /* offered; taken */
		unsigned long cycle; /* cycle of the take */
		struct answer answer;
	} port[MAX_PORTS];
	struct {
		struct ref_release release;
		unsigned long cycle; /* last cycle for the RELEASE of an EXIT */
	} pending[REF_SLOTS];
	bool lean; /* the model is barrier_file_lean; walk: its only request or status read under way */
	struct {
		bool busy, status;
		unsigned long due; /* cycle of the judgement, or of the answer */
	} walk;
	struct stall head_stall[MAX_PORTS], rsp_stall[MAX_PORTS];
	bool rsp_open[MAX_PORTS];
	bool counted[MAX_PORTS];      /* an arrival counted in this cycle */
	bool was_late[MAX_PORTS];     /* late before the judgements of this cycle; also before them: */
	bool blocked[MAX_PORTS];      /* no room for an answer */
	unsigned fault_of[MAX_PORTS]; /* fault of the request, if judged now */
	bool status_asked;
	bool wholly; /* all lanes live, and all vote yes */
	bool mixed;  /* random programs, with misuse between the requests */
	unsigned status_slot, status_id;
	unsigned long cycle, errors;
	unsigned long last_taken, last_release; /* for the figures */
	struct {
		unsigned long arrivals, releases, exits, exit_releases, answers, statuses, launches, results, together,
		        late, late_faults, reuse, many_ctas, anew, held, fault[FAULTS], mode[4];
	} seen;
	unsigned long ended[REF_SLOTS][REF_BARRIERS]; /* cycle in which the last phase ended */
};

void bench_open(struct barrier_bench *b, const struct bench_args *a);
void bench_reset(struct barrier_bench *b);
void bench_stalls(struct barrier_bench *b, enum stall_kind head, enum stall_kind rsp);
void bench_cycle(struct barrier_bench *b);
/* Counts an error when got and want differ. The function prints the first ten errors. */
void bench_expect(struct barrier_bench *b, const char *what, unsigned port, uint64_t got, uint64_t want);
/* A CTA with at most `most` of the free warps comes to a closed slot. cycle() takes the CTA in. */
void bench_launch(struct barrier_bench *b, unsigned slot, unsigned most, unsigned rounds);
/* One cycle of random programs; `launches`: new CTAs come. */
void bench_random_cycle(struct barrier_bench *b, bool launches);
bool bench_busy(const struct barrier_bench *b);

#endif
