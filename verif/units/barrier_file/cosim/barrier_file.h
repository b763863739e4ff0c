/* SPDX-License-Identifier: Apache-2.0
 * barrier_file.h -- shared declarations of this folder. */
#ifndef WARPLOCK_COSIM_BARRIER_FILE_H
#define WARPLOCK_COSIM_BARRIER_FILE_H

#include "../bench/barrier_request.h"
#include "../../../cosim/unit.h"
#include "warplock/timing.h"

/* Counters of the unit. */
enum {
	BARS_TOGETHER,                 /* COMMITs beside another COMMIT in the same cycle */
	BARS_REUSE,                    /* arrivals in the cycle after their barrier's last phase */
	BARS_MANY_CTAS,                /* COMMITs while warps of four CTAs or more wait */
	BARS_LARGE,                    /* arrivals in CTAs of more than 32 warps */
	BARS_COUNT_ALL,                /* arrivals with the number of their CTA's warps as count ... */
	BARS_COUNT_MOST,               /* ... where the CTA has all warps of an SM */
	BARS_COUNT_OVER,               /* BAR_BAD_COUNT for a warp more than an SM holds */
	BARS_ID_LAST,                  /* arrivals at the last barrier ... */
	BARS_ID_OVER,                  /* ... and BAR_BAD_ID for the next number */
	BARS_ENDED,                    /* phases ended by an arrival, with a waiting warp */
	BARS_DEFER,                    /* words with .DEFER_BLOCKING */
	BARS_PART,                     /* arrivals of warps with some lanes exited */
	BARS_STATUS,                   /* answers of the status port: no phase is open ... */
	BARS_STATUS_OPEN,              /* ... a phase is open */
	BARS_FORMS,                    /* by enum bar_form */
	BARS_KINDS = BARS_FORMS + 4,   /* by enum bar_kind */
	BARS_RESULTS = BARS_KINDS + 5, /* B2R.RESULT */
	BARS_COUNTERS
};
_Static_assert((int)BARS_COUNTERS <= (int)COSIM_COUNTERS, "counters of barrier_file");

struct barrier_file_state {
	/* inputs of the counters */
	uint64_t commit;                            /* cycle of the last COMMIT */
	uint64_t ended[WL_MAX_CTAS][WL_NAMED_BARS]; /* cycle in which the barrier's last phase ended */
	/* the status port */
	bool asking, due, all; /* asking: a query is out; due: answer in this cycle; all: look at all barriers, once */
	unsigned asked, answered, turn, next;
	struct shim_bar view[WL_MAX_CTAS][WL_NAMED_BARS]; /* last answer for each barrier */
	/* --timing */
	struct wl_barrier_timing timing;
	bool timed, waited;                                     /* timed: has begun; waited: for room of an answer */
	uint64_t judged;                                        /* comparisons */
	uint64_t committed;                                     /* cycle after that of the last arrival ... */
	unsigned commit_slot, commit_id;                        /* ... its barrier ... */
	bool commit_counted;                                    /* ... and whether it gave a count */
	struct wl_named_bar before[WL_MAX_CTAS][WL_NAMED_BARS]; /* state left by the cycle before */
};

/* fields.c */
extern const struct cosim_field barrier_file_fields[];

/* cycles.c */
void barrier_file_note_commit(struct lockstep *ls, const struct flight *f, bool counted);
void barrier_file_compare_cycle(struct lockstep *ls);

/* status.c */
bool barrier_file_ask(struct lockstep *ls, bool all);
void barrier_file_answer(struct lockstep *ls);
struct shim_bar barrier_file_view(const struct lockstep *ls, unsigned slot, unsigned id);

/* random.c */
extern const struct cosim_mix *const barrier_file_mixes[];

/* mon.c */
extern const struct mon_unit mon_barrier_file;

#endif
