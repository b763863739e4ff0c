/* SPDX-License-Identifier: Apache-2.0
 * mbarrier_engine.h -- what the files of this folder tell each other. */
#ifndef WARPLOCK_COSIM_MBARRIER_ENGINE_H
#define WARPLOCK_COSIM_MBARRIER_ENGINE_H

#include "../../../cosim/unit.h"

/* Counters of the unit. */
enum {
	MBARS_EARLY,    /* lanes after whose turn more bytes are complete than expected */
	MBARS_BY_BYTES, /* phases that bytes have ended */
	MBARS_ENDED,    /* all phases that ended */
	MBARS_DROPPED,  /* objects that expect nobody any more */
	MBARS_SHARED,   /* COMMITs on the object of the COMMIT before, of another warp */
	MBARS_SERIAL,   /* instructions of 8 passes and more */
	MBARS_FORMS,    /* instructions by form of ARRIVE */
	MBARS_TMASK = MBARS_FORMS + 6,
	MBARS_OPTOUT,
	MBARS_CHECKS,
	MBARS_TRYWAIT,
	MBARS_EXCH,
	MBARS_IV,
	MBARS_ARRIVE_A,
	MBARS_OTHERS,          /* lanes that bring arrivals or bytes to another CTA's object ... */
	MBARS_OTHERS_ENDED,    /* ... and end its phase */
	MBARS_MANY,            /* lanes after whose turn 2^20 - 2 arrivals are missing, or 2^20 - 1 */
	MBARS_MOST_BYTES,      /* ... 2^20 - 1 bytes are missing */
	MBARS_LEAST_BYTES,     /* ... 2^20 - 1 bytes are complete that nobody expects */
	MBARS_V1,              /* lanes that end a phase of an object of layout v1 */
	MBARS_REPORTED,        /* ... that has a report: the conditional phase stays open (sm_107) */
	MBARS_CONDITIONAL,     /* PHASECHK.CONDITIONAL */
	MBARS_PRIMARY,         /* PHASECHK.PRIMARY ... */
	MBARS_TOLD,            /* ... answers with a report */
	MBARS_MULTICAST,       /* arrivals at the objects of two CTAs and more, each lane at the CTA of its rank ... */
	MBARS_MULTICAST_CTAS,  /* ... these CTAs */
	MBARS_MULTICAST_ENDED, /* ... phases that they end */
	MBARS_COUNTERS
};
_Static_assert((int)MBARS_COUNTERS <= (int)COSIM_COUNTERS, "counters of mbarrier_engine");

/* What the counters need. */
struct mbarrier_engine_state {
	uint64_t object; /* of the last COMMIT */
	unsigned warp;
	/* --timing */
	bool timed;
	uint64_t first_taken;         /* first beat of the request that is being taken */
	uint64_t parks[RANDOM_WARPS]; /* when the last request of each warp is through */
	unsigned fixed;               /* releases that REF has fixed in cycle fixed_in */
	uint64_t fixed_in;
	bool turns; /* it is known that warp 0 may give up in cycle `turn` */
	uint64_t turn;
	uint64_t woken, gave_up;
};

enum {
	MBARS_OBJECTS = 4,
	MBARS_DATA = 1024, /* in each window: words in which copies land */
	MBARS_DATA_BYTES = 512,
};

/* What is rare: the mixes lead to it on purpose where a run lacks it (lack.c). ROW(constant, least of 10,000 instructions:
 * the floor) */
#define MBARS_RARE(ROW)                                                                                                \
	ROW(DRAINED, 20)       /* lanes with MBAR_DRAINED */                                                           \
	ROW(DROP_RANGE, 10)    /* lanes with MBAR_DROP_RANGE */                                                        \
	ROW(NOCOMPLETE, 5)     /* lanes with MBAR_NOCOMPLETE */                                                        \
	ROW(MOST_BYTES, 1)     /* lanes after whose turn 2^20 - 1 bytes are missing */                                 \
	ROW(LEAST_BYTES, 1)    /* ... are complete that nobody expects */                                              \
	ROW(COPY_FLIPS, 30)    /* phases that copies end */                                                            \
	ROW(COPY_RELEASES, 10) /* ... and for which a warp waits */
enum mbars_rare {
#define ROW(constant, least) MBARS_RARE_##constant,
	MBARS_RARE(ROW)
#undef ROW
	        MBARS_RARES
};
enum {
#define ROW(constant, least) MBARS_FLOOR_##constant = least,
	MBARS_RARE(ROW)
#undef ROW
};

/* Two instructions that lead to a rare event: the object is made anew, then comes the operation. */
struct mbars_script {
	uint8_t steps, rare, object; /* steps that are left */
};

/* The mixes' rough account of an object, and of who waits. */
struct mbars_object {
	bool live, phase;
	int32_t expected, pending, tx;
	bool v1, conditional, failed; /* sm_107 */
};
struct mbars_draw {
	struct mbars_object object[RANDOM_SLOTS][MBARS_OBJECTS];
	uint32_t waiting[RANDOM_WARPS]; /* number of the TRYWAIT + 1 */
	unsigned waiters[RANDOM_SLOTS];
	uint8_t awaited[RANDOM_SLOTS]; /* object of the last of them */
	uint64_t drawn, seen[MBARS_RARES];
	struct mbars_script script[RANDOM_SLOTS];
};

/* random.c */
extern const struct cosim_mix *const mbarrier_engine_mixes[];
uint32_t mbars_address(const struct random_config *c, unsigned object); /* in the window */
bool mbars_start(struct random_stream *stream, char *why, size_t whyn);
bool mbars_draw(struct random_stream *stream, struct wl_req *q);
bool mbars_draw_data(struct random_stream *stream, struct wl_req *q);
void mbars_account(struct mbars_object *o, unsigned form, uint32_t r, bool drop); /* of one lane */
void mbars_retired(struct random_stream *stream, const struct wl_record *rec);

/* lack.c */
bool mbars_lacks(const struct mbars_draw *d, enum mbars_rare rare);
bool mbars_lacks_copies(const struct mbars_draw *d);
void mbars_note(struct mbars_draw *d, const struct wl_record *rec); /* what a retired request has brought */
/* The script of the slot, where one is due: the instruction, the value of every lane, and one lane or all those drawn. */
struct mbars_step {
	bool exch, one_lane;
	unsigned object;
	uint32_t expected, pending; /* exch */
	uint8_t op, type;           /* else */
	uint32_t flags;
	uint32_t value;
};
bool mbars_script(struct random_stream *stream, unsigned slot, struct mbars_step *step);

/* copies.c */
extern const struct cosim_mix mbars_async;

/* cycles.c */
void mbars_beat(struct lockstep *ls, const struct flight *f, unsigned beat);
void mbars_compare_cycle(struct lockstep *ls);

/* mon.c */
extern const struct mon_unit mon_mbarrier_engine;

#endif
