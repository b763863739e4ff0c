// SPDX-License-Identifier: Apache-2.0
/* sync_state.h -- private: shared by the files of --check=sync.
 *
 *   sync.c        events, named barriers, masks, clusters, faults and misuses of the run
 *   sync_mbar.c   mbarriers
 *   sync_copy.c   asynchronous copies */
#ifndef WARPLOCK_CHECK_SYNC_STATE_H
#define WARPLOCK_CHECK_SYNC_STATE_H

#include "checker_state.h"

enum { SYNC_BARS = 16, SYNC_BOARDS = 6, SYNC_SERIALS = 512, OBJECTS = 4096 /* a power of two */ };

/* History of a lane at an mbarrier. Phases are numbered from the init; 0: never, else 1 + number. */
struct lane_at {
	uint32_t arrived; /* newer than the lane's last successful wait */
	uint32_t owes;    /* an earlier arrival, in another phase: the lane may still wait for that phase */
	uint32_t passed, passed_pc;
	uint32_t failed; /* the wait under way began in this phase */
};
struct warp_at {
	struct lane_at lane[WL_WARP_LANES];
};
struct object {
	uint64_t at; /* 0: free */
	uint32_t phase;
	bool bit;
	uint64_t fenced_at, met_at; /* first fence, first barrier of the init's warp since the init; 0: none */
	uint32_t warp_slot, sm;     /* of the init */
	uint32_t cta;               /* the owner */
	uint64_t made_at;           /* event */
	struct wl_check_site made;
	struct warp_at **warp; /* [all warp slots of all SMs] */
};
struct copy_of {
	bool used, told;
	bool handed;               /* to an mbarrier, by ARRIVES behind the copy */
	uint32_t next, before;     /* in the list of open copies */
	uint32_t sm, warp_slot;    /* the requester */
	uint32_t owner;            /* CTA of the shared memory in `range` */
	uint32_t group, board_set; /* group: the board's commits, with the copy's commit; board_set: 1 + board */
	enum wl_seen_copy kind;
	bool reads_shared; /* a bulk copy into shared memory, from shared memory of the requesting CTA */
	uint64_t asked;    /* event */
	uint64_t met;      /* `met` of the requesting warp at the request */
	uint64_t object;   /* address of the mbarrier told */
	struct wl_check_site site;
	uint32_t n; /* ranges */
	struct {
		uint64_t at;
		uint32_t bytes;
	} range[WL_WARP_LANES];
};
struct warp_of_sync {
	uint64_t met; /* last event telling the warp of others in the CTA */
	uint32_t commits[SYNC_BOARDS];
	uint32_t know[SYNC_BARS];                             /* phases of named barriers known to be complete */
	uint32_t mask[WL_WARP_LANES], mask_pc[WL_WARP_LANES]; /* of a lane's last WARPSYNC; mask_pc: 1 + pc, 0: none */
};
struct cta_of_sync {
	uint32_t number, cluster;
	uint64_t base; /* of the window: index in shared memory */
	uint32_t bytes, warps_left;
	uint32_t done[SYNC_BARS];
	uint64_t arrived[SYNC_BARS];
	struct wl_check_site last[SYNC_BARS]; /* newest arrival of the phase before */
	struct wl_check_site newest[SYNC_BARS];
	struct wl_check_site remote; /* another CTA's newest access, nothing of this CTA comes behind; lanes 0: none */
	uint64_t remote_addr;
};

struct sync {
	struct wl_checker c;
	uint64_t now;        /* number of the event */
	bool hidden_fence;   /* fences behind mbarrier.init leave no word */
	uint32_t *mask_from; /* by SHFL: 1 + pc of the WARPSYNC with the mask; 0: unknown */
	struct warp_of_sync *warp;
	struct cta_of_sync *cta;    /* [SM][slot] */
	struct wl_check_site *left; /* [CTA]: the CTA's end; lanes 0: not yet */
	struct object *object;      /* by hash */
	unsigned nobjects, young;   /* young: without a fence or without a barrier since the init */
	uint8_t *is_object;         /* a byte a word of shared memory */
	uint32_t *copied;           /* a word of shared memory: 1 + copy touching the word */
	struct copy_of *copy;
	uint32_t ncopies, room, open, free; /* open, free: 1 + first of the list */
	uint32_t (*serial)[SYNC_SERIALS];
};

static inline struct warp_of_sync *sync_warp(const struct sync *s, const struct wl_seen *e)
{
	return &s->warp[e->sm * WL_MAX_WARPS + e->warp_slot];
}
static inline struct cta_of_sync *sync_cta(const struct sync *s, const struct wl_seen *e)
{
	return &s->cta[e->sm * WL_MAX_CTAS + e->slot];
}
/* From here on the warp may know all events of the CTA so far. */
void sync_learn(struct sync *s, const struct wl_seen *e);
/* A finding at shared memory. */
void sync_found(struct sync *s, enum wl_check_reason reason, const struct wl_check_site *before,
                const struct wl_check_site *here, uint32_t owner, uint64_t addr, uint32_t bytes);

/* ---- sync_mbar.c ---- */
void mbar_event(struct sync *s, const struct wl_seen *e);
struct object *mbar_find(const struct sync *s, uint64_t at);
void mbar_touched(struct sync *s, const struct wl_seen *e, unsigned lane);
/* A copy touches `bytes` bytes at `at`, offset `addr` in the window of CTA `owner`: perhaps bytes of a live object. */
void mbar_copied(struct sync *s, const struct wl_check_site *copy, uint64_t at, uint32_t bytes, uint32_t owner,
                 uint64_t addr);
void mbar_fenced(struct sync *s, const struct wl_seen *e);
void mbar_met(struct sync *s, unsigned sm, uint64_t warps); /* at a barrier */
void mbar_forget(struct sync *s, uint64_t base, uint32_t bytes);
void mbar_note_phase(struct object *o, bool bit);

/* ---- sync_copy.c ---- */
void copies_event(struct sync *s, const struct wl_seen *e);
void copies_touched(struct sync *s, const struct wl_seen *e, unsigned lane);
void copies_passed(struct sync *s, uint64_t object); /* a wait at the object has succeeded */
void copies_exit(struct sync *s, const struct wl_seen *e);
void copies_cta_ends(struct sync *s, const struct wl_seen *e);

#endif
