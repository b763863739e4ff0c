// SPDX-License-Identifier: Apache-2.0
/* timing.h -- the cycles of the RTL: a small model for each unit. The C units know no time.
 *
 * `taken`: the cycle of a beat's handshake at the port. */
#ifndef WARPLOCK_TIMING_H
#define WARPLOCK_TIMING_H

#include <stdbool.h>
#include <stdint.h>

/* atoms_pipe with a single request port, while results and memory are never held back. Beats go through one after the
 * other. A beat takes a cycle for every pass, at least a cycle, and a place for the answer. A load begins with free
 * places for all beats of the load. */
enum { WL_TIMING_ANSWERS = 16 /* places of a port, at most */ };
struct wl_atoms_timing {
	uint64_t free;                      /* first possible cycle of the next beat's start */
	uint64_t front;                     /* first possible cycle of the next beat at the stage of addresses */
	uint64_t leaves[WL_TIMING_ANSWERS]; /* a ring: the cycles of the last answers' departure from the places */
	unsigned answers;
};
/* The next beat, with `passes` passes, of a request of `beats` beats; first_taken, last_taken: cycles of the request's
 * first and last beat. `needs`: free places required at the beat's start; the first beat of a load requires a place
 * for every beat. Returns the cycle of the first COMMIT. The other COMMITs follow, one a cycle. */
uint64_t wl_atoms_timing_beat(struct wl_atoms_timing *t, uint64_t first_taken, uint64_t last_taken, unsigned passes,
                              unsigned needs, unsigned beats);

/* Shared by the models of atoms_pipe and mbarrier_engine. begin: the first cycle of a beat, ready in cycle `ready`;
 * the beat requires `places` places; requests have `beats` beats. answer: the last pass of a beat came back in cycle
 * `end`; the answer can leave from the next cycle on. */
uint64_t wl_atoms_timing_begin(struct wl_atoms_timing *t, uint64_t ready, unsigned places, unsigned beats);
void wl_atoms_timing_answer(struct wl_atoms_timing *t, uint64_t end);

/* mbarrier_engine: requests go through the stages of atoms_pipe. */
enum wl_mbar_timing_kind {
	WL_MBAR_TIMING_PLAIN,
	WL_MBAR_TIMING_LOAD,     /* a look at objects, or a new object: begins with places for all answers */
	WL_MBAR_TIMING_GATHERED, /* ARRIVE.TMASK of several beats: the stage of addresses collects all beats first */
	/* TRYWAIT: a load; the answers leave after the last pass */
	WL_MBAR_TIMING_JUDGED,
};
enum { WL_MBAR_TIMING_BEATS = 8 };
/* A request of `beats` beats with `passes`; first_taken, last_taken: cycles of the first and last beat. commit[]: the
 * cycle of the first COMMIT of each beat. Returns the cycle of the last pass: a TRYWAIT parks or is answered in the
 * cycle. */
uint64_t wl_mbar_timing_request(struct wl_atoms_timing *t, uint64_t first_taken, uint64_t last_taken,
                                enum wl_mbar_timing_kind kind, unsigned beats,
                                const uint8_t passes[WL_MBAR_TIMING_BEATS], uint64_t commit[WL_MBAR_TIMING_BEATS]);
/* The cycle of the warps' release, when a COMMIT ends the awaited phase. */
static inline uint64_t wl_mbar_timing_wakes(uint64_t commit)
{
	return commit + 1;
}
/* The cycle of a parked warp's CHOICE: the warp gives up. The unit looks at one warp a cycle, in turn; `turn`: some
 * cycle with warp 0's turn. */
uint64_t wl_mbar_timing_gives_up(uint64_t parked, unsigned warp, uint64_t turn, unsigned suspend, unsigned warps);

/* atom_unit behind a single port: lanes in global memory alone, no requests of other units. The memory takes a request
 * in every cycle, and answers `latency` + 1 cycles later. The model goes cycle by cycle. */
enum wl_atom_timing_kind { WL_ATOM_TIMING_LOAD, WL_ATOM_TIMING_STORE, WL_ATOM_TIMING_OTHER };
enum {
	WL_ATOM_TIMING_IDS = 256,    /* at most */
	WL_ATOM_TIMING_SLOTS = 32,   /* at most */
	WL_ATOM_TIMING_ALONE = 16,   /* up to so many ids a sector under way keeps all later sectors waiting */
	WL_ATOM_TIMING_SECTORS = 32, /* of a request */
	WL_ATOM_TIMING_QUEUE = 16,   /* more than the port can hold */
};
struct wl_atom_timing_sector {
	uint64_t sector; /* address / 32 */
	uint32_t tag;    /* the caller's */
	uint8_t passes;
	uint8_t kind;
	bool commits; /* some lane is in an existing half */
	bool there;   /* some half exists */
	bool whole;   /* both halves exist */
};
struct wl_atom_timing_request {
	uint64_t from; /* first possible cycle of the beats */
	unsigned n;
	struct wl_atom_timing_sector sector[WL_ATOM_TIMING_SECTORS]; /* sector of the lowest lane first */
};
struct wl_atom_timing {
	unsigned beats, latency, ids, slots;
	struct wl_atom_timing_request queue[WL_ATOM_TIMING_QUEUE];
	unsigned in, out, come;            /* of the queue; beats taken of the oldest request */
	unsigned next_slot;                /* slot of the oldest request */
	struct wl_atom_timing_request now; /* request with sectors to come; `at` is the next sector */
	bool full;                         /* `now` is in use */
	unsigned at, now_slot;
	unsigned busy, taken, done, sent; /* slots: in use; all sectors taken; all sectors committed; being answered */
	unsigned answering, to_answer, last_reply;
	struct wl_atom_timing_sector id[WL_ATOM_TIMING_IDS];
	unsigned slot_of[WL_ATOM_TIMING_IDS];
	/* ids: under way; with a request to memory; ready for passes; passed once */
	bool used[WL_ATOM_TIMING_IDS], ask[WL_ATOM_TIMING_IDS], run[WL_ATOM_TIMING_IDS], made[WL_ATOM_TIMING_IDS];
	/* id waiting for the sector of this id; the id itself: none */
	uint8_t behind[WL_ATOM_TIMING_IDS];
	unsigned last_asked, last_run;
	unsigned shown;                 /* id of the request shown to memory */
	unsigned passing, left, ending; /* id in its passes, passes left; id at the end of its last pass */
	struct {
		uint64_t cycle;
		uint8_t id;
	} due[WL_ATOM_TIMING_IDS]; /* answers, in the order of the requests */
	unsigned asked, answers;
};
/* `ids` and `slots` are the parameters Ids and Slots of the RTL. */
void wl_atom_timing_start(struct wl_atom_timing *t, unsigned beats, unsigned latency, unsigned ids, unsigned slots);
/* A request is taken; first, last: cycles of the first and last beat, the last beat in this cycle. The caller fills in
 * the sectors. */
struct wl_atom_timing_request *wl_atom_timing_take(struct wl_atom_timing *t, uint64_t first, uint64_t last);
/* The cycle is over, and wl_atom_timing_take has reported the cycle's requests. True: a sector commits in this
 * cycle. */
bool wl_atom_timing_step(struct wl_atom_timing *t, uint64_t cycle, struct wl_atom_timing_sector *committed);

/* warp_collective, likewise: a request takes as many cycles as beats. */
struct wl_collective_timing {
	uint64_t free; /* first possible cycle of the next request */
};
/* The cycle of the COMMIT of the next request; first_taken, last_taken: cycles of the request's first and last beat. */
uint64_t wl_collective_timing_request(struct wl_collective_timing *t, uint64_t first_taken, uint64_t last_taken,
                                      unsigned beats);

/* barrier_file behind a single port with header-only requests alone, while results are never held back. The model goes
 * cycle by cycle: wl_barrier_timing_look names the candidate for judgement in a cycle; the caller of
 * wl_barrier_timing_step tells whether the candidate was judged. */
enum {
	WL_BARRIER_TIMING_QUEUE = 64 /* more than the most under way */,
	WL_BARRIER_TIMING_ANSWERS = 2,
	WL_BARRIER_NOBODY = 255
};
struct wl_barrier_timing {
	struct {
		uint64_t from;
		uint8_t warp;
		bool ends;
	} queue[WL_BARRIER_TIMING_QUEUE];
	unsigned in, out;
	uint64_t held, ends;                /* warps with a held header; held warps with an EXIT */
	uint8_t last;                       /* last warp on the bus */
	uint8_t bus, judge;                 /* warp on the bus; warp at the stage of judgement */
	bool bus_ends, judge_ends;          /* the request on the bus, at judgement, is an EXIT */
	bool looks, looked;                 /* the EXIT has a phase to look at; has looked */
	uint8_t unit_answers, exit_answers; /* waiting answers: at most WL_BARRIER_TIMING_ANSWERS of each kind */
	bool served_exit;                   /* the answer handed over last belonged to an EXIT */
};
struct wl_barrier_timing_cycle {
	unsigned judge; /* the candidate for judgement, or WL_BARRIER_NOBODY */
	bool room;      /* the candidate can be judged even with an answer */
	bool ends;      /* an EXIT looks at a phase, and the phase may end */
};
void wl_barrier_timing_start(struct wl_barrier_timing *t);
/* A request was taken in this cycle; `ends`: an EXIT. */
void wl_barrier_timing_take(struct wl_barrier_timing *t, uint64_t cycle, unsigned warp, bool ends);
struct wl_barrier_timing_cycle wl_barrier_timing_look(const struct wl_barrier_timing *t);
/* The cycle is over. judged, answers: the warp was judged, and answered. Returns the warp of the EXIT seen in this
 * cycle. */
unsigned wl_barrier_timing_step(struct wl_barrier_timing *t, uint64_t cycle, bool judged, bool answers);
/* After wl_barrier_timing_step: this EXIT has a phase to look at, for a further cycle. */
void wl_barrier_timing_looks(struct wl_barrier_timing *t);

#endif
