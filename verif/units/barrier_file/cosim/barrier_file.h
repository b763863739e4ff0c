/* SPDX-License-Identifier: Apache-2.0
 * barrier_file.h -- what the files of this folder tell each other. */
#ifndef WARPLOCK_COSIM_BARRIER_FILE_H
#define WARPLOCK_COSIM_BARRIER_FILE_H

#include "../bench/barrier_request.h"
#include "../../../cosim/unit.h"
#include "warplock/timing.h"

/* Counters of the unit. */
enum {
	BARS_TOGETHER,                 /* COMMITs beside another one in the same cycle */
	BARS_REUSE,                    /* arrivals in the cycle after their barrier's last phase */
	BARS_MANY_CTAS,                /* COMMITs while warps of four CTAs or more wait */
	BARS_LARGE,                    /* arrivals in CTAs of more than 32 warps */
	BARS_COUNT_ALL,                /* arrivals that give the number of their CTA's warps ... */
	BARS_COUNT_MOST,               /* ... and these are all that an SM holds */
	BARS_COUNT_OVER,               /* BAR_BAD_COUNT for one warp more than an SM holds */
	BARS_ID_LAST,                  /* arrivals at the last barrier ... */
	BARS_ID_OVER,                  /* ... and BAR_BAD_ID for the one behind it */
	BARS_ENDED,                    /* phases that an arrival ended and somebody waited for */
	BARS_DEFER,                    /* words with .DEFER_BLOCKING */
	BARS_PART,                     /* arrivals of warps some lanes of which have left */
	BARS_STATUS,                   /* answers of the status port: no phase is open ... */
	BARS_STATUS_OPEN,              /* ... one is */
	BARS_FORMS,                    /* by enum bar_form */
	BARS_KINDS = BARS_FORMS + 4,   /* by enum bar_kind */
	BARS_RESULTS = BARS_KINDS + 5, /* B2R.RESULT */
	BARS_COUNTERS
};
_Static_assert((int)BARS_COUNTERS <= (int)COSIM_COUNTERS, "counters of barrier_file");

struct barrier_file_state {
	/* what the counters need */
	uint64_t commit;                            /* cycle of the last COMMIT */
	uint64_t ended[WL_MAX_CTAS][WL_NAMED_BARS]; /* cycle in which the barrier's last phase ended */
	/* the status port */
	bool asking, due, all; /* a barrier is asked for; its answer comes in this cycle; all are looked at, once */
	unsigned asked, answered, turn, next;
	struct shim_bar view[WL_MAX_CTAS][WL_NAMED_BARS]; /* what it answered last */
	/* --timing */
	struct wl_barrier_timing timing;
	bool timed, waited;                                     /* has begun; somebody waited for room of an answer */
	uint64_t judged;                                        /* comparisons */
	uint64_t committed;                                     /* cycle after that of the last arrival ... */
	unsigned commit_slot, commit_id;                        /* ... its barrier ... */
	bool commit_counted;                                    /* ... and whether it gave a count */
	struct wl_named_bar before[WL_MAX_CTAS][WL_NAMED_BARS]; /* as the cycle before left them */
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
