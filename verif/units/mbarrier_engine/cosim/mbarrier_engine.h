/* SPDX-License-Identifier: Apache-2.0
 * mbarrier_engine.h -- shared declarations of this folder. */
#ifndef WARPLOCK_COSIM_MBARRIER_ENGINE_H
#define WARPLOCK_COSIM_MBARRIER_ENGINE_H

#include "../../../cosim/unit.h"

/* Counters of the unit. */
enum {
	MBARS_EARLY,    /* lanes leaving more bytes complete than expected */
	MBARS_BY_BYTES, /* phases ended by bytes */
	MBARS_ENDED,    /* all ended phases */
	MBARS_DROPPED,  /* objects expecting no more arrivals */
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
	MBARS_OTHERS,          /* lanes with arrivals or bytes for another CTA's object ... */
	MBARS_OTHERS_ENDED,    /* ... ending the object's phase */
	MBARS_MANY,            /* lanes leaving 2^20 - 2 or 2^20 - 1 arrivals missing */
	MBARS_MOST_BYTES,      /* ... 2^20 - 1 bytes missing */
	MBARS_LEAST_BYTES,     /* ... 2^20 - 1 bytes complete but not expected */
	MBARS_V1,              /* lanes ending a phase of an object of layout v1 */
	MBARS_REPORTED,        /* ... with a report: the conditional phase stays open (sm_107) */
	MBARS_CONDITIONAL,     /* PHASECHK.CONDITIONAL */
	MBARS_PRIMARY,         /* PHASECHK.PRIMARY ... */
	MBARS_TOLD,            /* ... answers with a report */
	MBARS_MULTICAST,       /* arrivals at the objects of two CTAs and more, each lane at the CTA of its rank ... */
	MBARS_MULTICAST_CTAS,  /* ... number of CTAs */
	MBARS_MULTICAST_ENDED, /* ... ended phases */
	MBARS_COUNTERS
};
_Static_assert((int)MBARS_COUNTERS <= (int)COSIM_COUNTERS, "counters of mbarrier_engine");

/* State for the counters. */
struct mbarrier_engine_state {
	uint64_t object; /* of the last COMMIT */
	unsigned warp;
	/* --timing */
	bool timed;
	uint64_t first_taken;         /* first beat of the request now being taken */
	uint64_t parks[RANDOM_WARPS]; /* end of each warp's last request */
	unsigned fixed;               /* releases fixed by REF in cycle fixed_in */
	uint64_t fixed_in;
	bool turns; /* warp 0 is known to have its turn to give up in cycle `turn` */
	uint64_t turn;
	uint64_t woken, gave_up;
};

enum {
	MBARS_OBJECTS = 4,
	MBARS_DATA = 1024, /* in each window: landing words of copies */
	MBARS_DATA_BYTES = 512,
};

/* Rare events: the mixes lead to an event on purpose where a run lacks the event (lack.c). ROW(constant, least of
 * 10,000 instructions: the floor) */
#define MBARS_RARE(ROW)                                                                                                \
	ROW(DRAINED, 20)       /* lanes with MBAR_DRAINED */                                                           \
	ROW(DROP_RANGE, 10)    /* lanes with MBAR_DROP_RANGE */                                                        \
	ROW(NOCOMPLETE, 5)     /* lanes with MBAR_NOCOMPLETE */                                                        \
	ROW(MOST_BYTES, 1)     /* lanes leaving 2^20 - 1 bytes missing */                                              \
	ROW(LEAST_BYTES, 1)    /* ... complete but not expected */                                                     \
	ROW(COPY_FLIPS, 30)    /* phases ended by copies */                                                            \
	ROW(COPY_RELEASES, 10) /* ... with a waiting warp */
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

/* Two instructions leading to a rare event: the first makes the object anew, then comes the operation. */
struct mbars_script {
	uint8_t steps, rare, object; /* steps: instructions left */
};

/* The mixes' rough account of an object, and of the waiting warps. */
struct mbars_object {
	bool live, phase;
	int32_t expected, pending, tx;
	bool v1, conditional, failed; /* sm_107 */
};
struct mbars_draw {
	struct mbars_object object[RANDOM_SLOTS][MBARS_OBJECTS];
	uint32_t waiting[RANDOM_WARPS]; /* number of the TRYWAIT + 1 */
	unsigned waiters[RANDOM_SLOTS];
	uint8_t awaited[RANDOM_SLOTS]; /* object of the last TRYWAIT */
	uint64_t drawn, seen[MBARS_RARES];
	struct mbars_script script[RANDOM_SLOTS];
};

/* random.c */
extern const struct cosim_mix *const mbarrier_engine_mixes[];
uint32_t mbars_address(const struct random_config *c, unsigned object); /* in the window */
bool mbars_start(struct random_stream *stream, char *why, size_t whyn);
bool mbars_draw(struct random_stream *stream, struct wl_req *q);
bool mbars_draw_data(struct random_stream *stream, struct wl_req *q);
void mbars_account(struct mbars_object *o, unsigned form, uint32_t r, bool drop); /* of a single lane */
void mbars_retired(struct random_stream *stream, const struct wl_record *rec);

/* lack.c */
bool mbars_lacks(const struct mbars_draw *d, enum mbars_rare rare);
bool mbars_lacks_copies(const struct mbars_draw *d);
void mbars_note(struct mbars_draw *d, const struct wl_record *rec); /* counts events of a retired request */
/* The script of the slot, if due: the instruction, the value of every lane, and a single lane or all drawn lanes. */
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
