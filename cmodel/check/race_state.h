// SPDX-License-Identifier: Apache-2.0
/* race_state.h -- private: shared by the files of the race checker.
 *
 *   clock.c          vector clocks                    race_meet.c      fences, barriers, mbarriers
 *   shadow.c         memory of past accesses          race_release.c   places of releases and acquires
 *   race.c           events, knowledge of lanes       race_copy.c      asynchronous copies
 *   race_access.c    accesses of instructions         race_find.c      findings and their text
 *   race_quick.c     the quick way for accesses       race_touch.c     an access against the shadow
 *   race_compare.c   an access against an older one  race_words.c     facts missing in the words */
#ifndef WARPLOCK_CHECK_RACE_STATE_H
#define WARPLOCK_CHECK_RACE_STATE_H

#include "clock.h"
#include "shadow.h"
#include "warplock/race.h"

/* Known of a load or store, if the word leaves open whether the access is strong. */
enum poll {
	POLL_UNKNOWN,
	POLL_WAITS,  /* a loop without changes waits with the load: the load is strong */
	POLL_LIKE,   /* a load of the same address */
	POLL_LOOK,   /* first look of a compare-and-swap */
	POLL_RETRY,  /* a loop without barrier repeats by the value of the load: perhaps strong */
	POLL_STRONG, /* from the PTX, like the next three */
	POLL_ACQUIRE,
	POLL_WEAK,
};
enum { GROUPS_KEPT = 64, BOARDS = 6, NAMED_BARS = 16, SERIALS = 512, JOINS = 4, ASKED = 256, RECENT = 16, MEMOS = 64 };

/* Contents of a stamp beside warp, lanes and time: member `what`. */
enum stamp_of { STAMP_PLAIN, STAMP_BY_LANE, STAMP_BULK_IN, STAMP_BULK_OUT };
enum {
	WHAT_PC_BITS = 17,
	WHAT_DEED = 17, /* 2 bits: 1 + enum wl_race_deed */
	WHAT_STRONG = 19,
	WHAT_WIDE = 20, /* beyond the CTA */
	WHAT_SIZE = 21, /* 3 bits: logarithm */
	WHAT_OF = 24,   /* 2 bits: enum stamp_of */
};
/* Copies as known to a lane. For bulk copies to global memory DEPBAR tells: the source is read. CCTL.IVALL behind
 * DEPBAR (cp.async.bulk.wait_group without .read) tells: the target is written. */
enum copied { COPIED_BY_LANE, COPIED_BULK_IN, COPIED_BULK_READ, COPIED_BULK_WRITTEN, COPIES };
static inline uint32_t what_pc(uint32_t what)
{
	return what & ((1u << WHAT_PC_BITS) - 1);
}
static inline enum wl_race_deed what_deed(uint32_t what)
{
	return (enum wl_race_deed)((what >> WHAT_DEED & 3) - 1);
}
static inline enum stamp_of what_of(uint32_t what)
{
	return (enum stamp_of)(what >> WHAT_OF & 3);
}
/* Not for STAMP_PLAIN. */
static inline enum copied what_copied(uint32_t what)
{
	return (enum copied)(what_of(what) - 1 + (what_of(what) == STAMP_BULK_OUT && what_deed(what) != WL_RACE_READ));
}
static inline enum clock_of clock_of_what(uint32_t what)
{
	return what_of(what) == STAMP_PLAIN ? CLOCK_PLAIN : (enum clock_of)(CLOCK_BY_LANE + what_copied(what));
}
static inline uint32_t what_size(uint32_t what)
{
	return what >> WHAT_SIZE & 7;
}
static inline bool what_strong(uint32_t what)
{
	return what >> WHAT_STRONG & 1;
}
static inline bool what_wide(uint32_t what)
{
	return what >> WHAT_WIDE & 1;
}

/* Knowledge of a lane at the lane's last fence. */
struct fenced {
	struct clock *c;
	uint32_t time; /* 0: no fence yet */
};
struct group_of_copies {
	uint32_t time;
	uint32_t kinds;
};
struct lane_state {
	struct clock *near;      /* read from strong writes of the lane's CTA, not acquired yet */
	struct clock *far;       /* ... from wide writes */
	struct fenced cta, gpu;  /* last fences with at least this scope */
	uint32_t copied[COPIES]; /* the lane knows the lane's own copies up to this time */
};
/* A record for the next access at the same place of the program. */
struct recent {
	uint32_t what, lanes, epoch, record;
};
struct warp_state {
	uint32_t number;              /* in the grid */
	uint32_t cta, first, cluster; /* first: number of the CTA's first warp */
	uint32_t begun, live;
	uint32_t touched; /* lanes with an access behind the last barrier of the whole CTA */
	uint32_t lost;    /* ended lanes with an access that no barrier of the whole CTA comes behind */
	uint32_t cluster_phase, cluster_passed; /* arrivals at the cluster's barrier; the arrivals waited for */
	uint32_t epoch;                         /* counts the events able to tell others of the warp's accesses */
	uint32_t fencing;                       /* lanes without an access since a MEMBAR: see race_meet.c */
	bool alike, changed;              /* all live lanes know the same; some lane has got another clock since */
	bool has_fenced, has_copied;      /* some lane uses near, far, cta or gpu; some lane uses `copied` */
	struct clock *c[WL_WARP_LANES];   /* ordered before a lane's next access, beside the lane's own accesses */
	uint32_t cta_time[WL_WARP_LANES]; /* time of all accesses of the CTA: from c */
	struct lane_state lane[WL_WARP_LANES];
	struct recent recent[RECENT];
	uint32_t ngroups[BOARDS];
	struct group_of_copies (*group)[GROUPS_KEPT]; /* by board; NULL: none yet */
};
/* A place of releases and acquires, or an mbarrier. */
struct release {
	uint64_t at;              /* address + 1; 0: free */
	uint32_t cta, warp, lane; /* the last writer */
	struct clock *near, *far; /* for threads of `cta`, for all */
	bool both;                /* the last write has 8 bytes or more */
	/* mbarrier */
	bool old_mbarrier; /* of sm_80: atomics count in the object, loads wait at the object */
	bool phase;
	struct clock *now_near, *now_far;
	uint32_t made_cluster, made_phase; /* of the warp that made the object: cluster, cluster_phase */
};
/* Threads at a meeting exchange, beside their knowledge: the knowledge at fences, and knowledge read from releases. */
struct handed {
	struct clock *cta, *gpu, *near, *far;
};
struct bar_state {
	struct clock *c;
	struct handed handed;
	uint64_t waiting; /* warps, by number in the CTA */
};
struct cluster_state {
	struct clock *now, *done;
	uint32_t phase;
};

/* How much of a record a lane's clock orders before the lane. */
enum known {
	KNOWN_ALL = 1, /* all accesses of the record are ordered before the lane's */
	KNOWN_NONE,    /* no access: another warp's record */
	KNOWN_OWN,     /* only the lane's own: a record of instructions of the lane's warp */
	KNOWN_SOME,    /* depends on the lanes */
};
struct memo {
	uint64_t serial;
	uint32_t warp, cta_time;
	uint32_t number; /* of this question: entries with another number are stale */
	struct {
		uint32_t record, number;
		enum known known;
	} e[MEMOS];
};

/* A fence or an atomic executed by a single lane for all, by the compiler's choice: under a guard, or in the region of a
 * convergence barrier. */
enum elected { NOT_ELECTED, ELECTED_BY_GUARD, ELECTED_IN_REGION /* plus the number of the barrier */ };

struct race {
	struct wl_observer observer;
	struct wl_seen_shape shape;
	struct shadow shadow;
	uint32_t time;
	unsigned slots;                /* of CTAs in an SM */
	struct warp_state **warp;      /* [SM][warp slot]; NULL: no warp yet */
	struct bar_state *bar;         /* [SM][CTA slot][id] */
	struct cluster_state *cluster; /* [number of the cluster] */
	uint32_t (*serial)[SERIALS];   /* [SM], by serial number: time of the request for a copy */
	uint64_t *exited_warps;        /* [SM][CTA slot]: warps without live lanes */
	bool *lost;                    /* [SM][CTA slot]: some warp has `lost` lanes */
	uint32_t *window_cta;          /* [SM][CTA slot] */
	uint64_t *window_at;
	bool has_polls;
	uint8_t *elected; /* by instruction: enum elected, see race_words.c */
	uint8_t *polls;   /* by instruction: enum poll, see race_words.c */
	bool *relaxed;    /* by instruction, from the PTX: orders nothing without a fence */
	uint8_t *element; /* by instruction: 1 << logarithm of the size of an element, from the PTX; 0: unknown */
	uint64_t nreleases, room;
	struct release *release; /* by hash */
	struct wl_race_finding *finding;
	unsigned nfindings, finding_room;
	char doubt[300];
	/* The last joins: lanes of a warp mostly join the same two clocks. Holds references. */
	struct joined {
		struct clock *a, *b, *to;
	} joined[JOINS];
	unsigned next_joined;
	struct memo memo;
	struct newest {
		uint32_t time, what, warp, record;
	} newest[3]; /* records of the event, by deed */
	/* Time up to which a clock orders all of a warp, and the clock's entries for lanes of the warp. Clocks never
	 * change. */
	struct asked {
		uint64_t serial, key;
		uint32_t time, lane, end; /* entries [lane, end) are of lanes */
	} asked[ASKED];
	struct {
		uint64_t serial;
		uint32_t cta, time;
	} set; /* the last clock given to a lane, with the clock's time for the lane's CTA */
};

static inline uint32_t warps_per_cta(const struct race *r)
{
	return r->shape.warps_per_cta;
}
struct warp_state *warp_of(const struct race *r, const struct wl_seen *e);
/* clock_join; join_into sets *to to the join. Clocks never change, so joins repeat. */
struct clock *join_of(struct race *r, struct clock *a, struct clock *b);
void join_into(struct race *r, struct clock **to, struct clock *b);
static inline void replace(struct clock **to, struct clock *c)
{
	clock_drop(*to);
	*to = c;
}
void lane_set(struct race *r, struct warp_state *w, unsigned lane, struct clock *c); /* takes the reference */
void lane_join(struct race *r, struct warp_state *w, unsigned lane, struct clock *c);
void lanes_join(struct race *r, struct warp_state *w, uint32_t lanes, struct clock *c);
/* *to becomes the join with the knowledge of the lanes and with the lanes' own accesses up to now. */
void publish_into(struct race *r, struct clock **to, const struct warp_state *w, uint32_t lanes);
struct clock *publish(struct race *r, const struct warp_state *w, uint32_t lanes);
__attribute__((format(printf, 2, 3))) void race_doubt(struct race *r, const char *format, ...);

/* ---- race_touch.c: a lane's access against the shadow ---- */
struct touch {
	struct warp_state *w;
	unsigned lane;
	uint32_t lanes; /* `lane`, and the lanes with the same access */
	uint32_t what;
	bool proxy;      /* by the async proxy */
	bool constant;   /* a load of memory that nobody writes during the kernel */
	uint32_t record; /* 0: record_now() */
	bool unchanged;  /* no change of memory; `kept`: lanes of the instruction whose value is in memory afterwards */
	uint32_t kept;
	enum clock_of proxy_of;
};
static inline uint32_t touch_mark(const struct touch *t)
{
	return t->record << MARK_RECORD | t->lane;
}
void race_touch(struct race *r, struct touch *t, uint64_t at, uint32_t bytes);
/* As race_touch, for t->lanes. All of them read. */
void race_touch_lanes(struct race *r, struct touch *t, uint64_t at, uint32_t bytes);
/* The record of this event for accesses of this kind. */
uint32_t record_now(struct race *r, const struct warp_state *w, uint32_t what);
/* From here on the memo is about the lane. */
void memo_begin(struct race *r, const struct warp_state *w, unsigned lane);
enum known memo_ask(struct race *r, const struct warp_state *w, unsigned lane, uint32_t record);
static inline enum known memo_look(struct race *r, const struct warp_state *w, unsigned lane, uint32_t record)
{
	const struct memo *m = &r->memo;
	if (m->e[record % MEMOS].record == record && m->e[record % MEMOS].number == m->number)
		return m->e[record % MEMOS].known;
	return memo_ask(r, w, lane, record);
}
/* The access against a single cell, after memo_begin(); behind_write: the last write is known to be ordered before. */
void touch_cell(struct race *r, const struct touch *t, const struct cells *c, uint64_t at, unsigned bytes,
                bool behind_write);
const struct asked *ask(struct race *r, const struct clock *c, enum clock_of of, uint32_t warp);

/* ---- race_compare.c ---- */
/* Lanes of the stamp not ordered before by the clock. */
uint32_t clock_lacks(struct race *r, const struct clock *c, enum clock_of of, const struct stamp *s, uint32_t lanes);
/* Lanes of the stamp with an access not ordered before the touch. */
uint32_t race_unordered(struct race *r, const struct touch *t, const struct stamp *s);
bool race_morally_strong(const struct race *r, const struct touch *t, const struct stamp *s);
void race_compare(struct race *r, const struct touch *t, const struct stamp *s, uint64_t at, unsigned bytes);

/* ---- race_access.c, race_quick.c ---- */
/* The lanes are all lanes of the warp, and none has ended: the lanes speak for the warp. */
static inline bool is_whole(const struct warp_state *w, uint32_t lanes)
{
	return lanes == w->begun;
}

/* All of the lanes have the same clock. */
static inline bool know_the_same(const struct warp_state *w, uint32_t lanes)
{
	const uintptr_t c = (uintptr_t)w->c[__builtin_ctz(lanes)];
	uintptr_t other = 0;
	for (unsigned i = 0; i < WL_WARP_LANES; i++)
		other |= ((uintptr_t)w->c[i] ^ c) & (0 - (uintptr_t)(lanes >> i & 1));
	return !other;
}

void access_event(struct race *r, const struct wl_seen *e);
/* A weak or strong access of some lanes. Most marks are ordered before. */
struct quick {
	struct race *r;
	struct warp_state *w;
	enum wl_race_deed deed;
	uint32_t lanes; /* lanes with the same access */
	unsigned lane;  /* the first of `lanes` */
	bool one;       /* `lanes` is a single lane */
	bool alike;     /* the memo is about all lanes of the instruction */
	bool constant;  /* see struct touch */
	uint64_t page;  /* the last page: number + 1; 0: none */
	struct cells cells;
	unsigned step; /* bytes of a cell in the page */
	/* records in marks of writes and of others. all: ordered before all lanes of the instruction; own: each lane's
	 * own mark is ordered before the lane */
	struct {
		uint32_t all, own;
	} write, other;
};
void quick_begin(struct quick *q, const struct wl_seen *e);
/* Another path has touched cells; may_acquire: lanes may know more. */
void quick_again(struct quick *q, bool may_acquire);
/* A record of this warp and place, of the warp's present epoch. */
uint32_t quick_record(struct race *r, struct warp_state *w, uint32_t what, uint32_t lanes);
/* False: nothing is done yet. */
bool quick_lane(struct quick *q, const struct wl_seen *e, uint32_t what, unsigned lane, uint32_t record);
/* quick_lane() for lane after lane. Returns the lanes left to do, from the first such lane on. */
uint32_t quick_row(struct quick *q, const struct wl_seen *e, uint32_t what, uint32_t lanes, uint32_t record);
bool quick_lanes(struct quick *q, const struct wl_seen *e, uint32_t what, uint32_t lanes); /* at one address */
/* Neighbouring lanes at neighbouring bytes. Returns the lanes left to do. */
uint32_t quick_spans(struct quick *q, const struct wl_seen *e, uint32_t record);

/* ---- race_meet.c ---- */
void bar_forget(struct bar_state *b);
void lanes_end(struct race *r, const struct wl_seen *e);
/* The lanes for which the instruction counts: at an election all lanes of the vote. */
uint32_t lanes_served(const struct race *r, const struct wl_seen *e);
/* `which`: offset of a struct fenced in struct lane_state. *to also knows what the lanes knew at the fence, and their own
 * accesses up to the fence. */
void collect_fenced(struct race *r, const struct warp_state *w, uint32_t lanes, size_t which, struct clock **to);
void meet_event(struct race *r, const struct wl_seen *e);
void mbar_phase(struct race *r, struct release *x, bool phase);
/* The lane uses the mbarrier at `at`. makes: the lane makes or ends the mbarrier. */
void touch_object(struct race *r, const struct wl_seen *e, unsigned lane, uint64_t at, bool makes);

/* ---- race_release.c ---- */
struct release *release_find(const struct race *r, uint64_t at);
struct release *release_make(struct race *r, uint64_t at);
void release_forget(struct race *r, uint64_t at, uint64_t bytes);
/* A strong access of the lane has read; `wide`, `at_once`: see race_release.c. */
void release_read(struct race *r, struct warp_state *w, unsigned lane, uint64_t at, bool wide, bool at_once);
struct release_kind {
	bool atomic;     /* a read-modify-write */
	bool wide;       /* the scope goes beyond the CTA */
	bool words;      /* a store of several words of shared memory */
	bool both;       /* 8 bytes at least: readers of the upper word see the release */
	uint32_t served; /* the lanes that release */
};
void release_written(struct race *r, struct warp_state *w, unsigned lane, uint64_t at, const struct release_kind *k);
void release_broken(struct race *r, uint64_t at); /* a weak write */
void release_empty(struct release *l);
/* Knowledge of the lane at the fence, with the lane's own accesses up to the fence. */
struct clock *fenced(const struct race *r, const struct warp_state *w, unsigned lane, const struct fenced *f);

/* ---- race_copy.c ---- */
void copy_event(struct race *r, const struct wl_seen *e);

/* ---- race_find.c ---- */
/* ordered: the accesses are in order, which is not enough. */
void race_found(struct race *r, const struct touch *t, const struct stamp *old, uint32_t lanes, uint64_t at,
                unsigned bytes, bool ordered);
void find_polls(struct race *r);
void find_elected(struct race *r);

#endif
