// SPDX-License-Identifier: Apache-2.0
/* timing.h -- when things happen in the RTL: one small model a unit, beside the C units, which know no time. */
#ifndef WARPLOCK_TIMING_H
#define WARPLOCK_TIMING_H

#include <stdbool.h>
#include <stdint.h>

/* atoms_pipe with one request port and nobody who holds results or memory back: beats go through one after the other,
 * each takes a cycle for every pass, at least one, and a place for its answer. */
enum { WL_TIMING_ANSWERS = 8 /* places of a port */ };
struct wl_atoms_timing {
	uint64_t free;                      /* first cycle in which the next beat can begin */
	uint64_t front;                     /* ... in which it can be at the stage of addresses */
	uint64_t leaves[WL_TIMING_ANSWERS]; /* when the last answers leave their places: a ring */
	unsigned answers;
};
/* The next beat, with so many passes, of a request whose first and last beat were taken in these cycles. Returns the
 * cycle of its first COMMIT; the others follow one a cycle. */
uint64_t wl_atoms_timing_beat(struct wl_atoms_timing *t, uint64_t first_taken, uint64_t last_taken, unsigned passes);

/* What the models of atoms_pipe and mbarrier_engine share. The cycle in which a beat begins that is ready in `ready`
 * and needs so many places; its answer can leave from the cycle after its last pass has come back on, `end` is that of
 * this pass. */
uint64_t wl_atoms_timing_begin(struct wl_atoms_timing *t, uint64_t ready, unsigned places);
void wl_atoms_timing_answer(struct wl_atoms_timing *t, uint64_t end);

/* mbarrier_engine: its requests go through the same stages. */
enum wl_mbar_timing_kind {
	WL_MBAR_TIMING_PLAIN,
	WL_MBAR_TIMING_GATHERED, /* ARRIVE.TMASK of several beats: all are collected at the stage of addresses first */
	/* TRYWAIT: begins with places for all its answers, which leave when all passes are over */
	WL_MBAR_TIMING_JUDGED,
};
enum { WL_MBAR_TIMING_BEATS = 8 };
/* A request of so many beats with these passes, taken in these cycles: commit[] is the cycle of the first COMMIT of
 * each beat. Returns the cycle in which its last pass is over: a TRYWAIT parks, or is answered. */
uint64_t wl_mbar_timing_request(struct wl_atoms_timing *t, uint64_t first_taken, uint64_t last_taken,
                                enum wl_mbar_timing_kind kind, unsigned beats,
                                const uint8_t passes[WL_MBAR_TIMING_BEATS], uint64_t commit[WL_MBAR_TIMING_BEATS]);
/* Warps that wait go on in this cycle, when their phase ends in that of a COMMIT. */
static inline uint64_t wl_mbar_timing_wakes(uint64_t commit)
{
	return commit + 1;
}
/* The cycle in which a warp gives up that has parked: one warp is looked at in each, in turn; `turn` is some cycle in
 * which warp 0 is. */
uint64_t wl_mbar_timing_gives_up(uint64_t parked, unsigned warp, uint64_t turn, unsigned suspend, unsigned warps);

/* atom_unit behind one port, with lanes in global memory alone and no other requests, behind a memory that takes a
 * request in every cycle, and answers each `latency` + 1 cycles after it. It goes cycle by cycle. */
enum wl_atom_timing_kind { WL_ATOM_TIMING_LOAD, WL_ATOM_TIMING_STORE, WL_ATOM_TIMING_OTHER };
enum {
	WL_ATOM_TIMING_IDS = 8,
	WL_ATOM_TIMING_SLOTS = 4,
	WL_ATOM_TIMING_SECTORS = 32, /* of a request */
	WL_ATOM_TIMING_QUEUE = 16,   /* requests that the port can hold, and more */
};
struct wl_atom_timing_sector {
	uint64_t sector; /* address / 32 */
	uint32_t tag;    /* the caller's */
	uint8_t passes;
	uint8_t kind;
	bool commits; /* some lane is in a half that is there */
	bool there;   /* some half is */
};
struct wl_atom_timing_request {
	uint64_t from; /* cycle from which its beats can come */
	unsigned n;
	struct wl_atom_timing_sector sector[WL_ATOM_TIMING_SECTORS]; /* that of the lowest lane first */
};
struct wl_atom_timing {
	unsigned beats, latency;
	struct wl_atom_timing_request queue[WL_ATOM_TIMING_QUEUE];
	unsigned in, out, come;            /* of the queue; beats of its oldest request that have come */
	unsigned next_slot;                /* its slot */
	struct wl_atom_timing_request now; /* whose sectors come, `at` is next */
	bool full;                         /* there is one */
	unsigned at, now_slot;
	unsigned busy, taken, done, sent; /* slots: in use; all sectors have come; and committed; is being answered */
	unsigned answering, to_answer, last_reply;
	struct wl_atom_timing_sector id[WL_ATOM_TIMING_IDS];
	unsigned slot_of[WL_ATOM_TIMING_IDS];
	unsigned used, ask, run, made; /* ids under way; with a request to memory; to be passed; passed once */
	unsigned last_asked, last_run;
	unsigned shown;                 /* id whose request memory is shown */
	unsigned passing, left, ending; /* id whose passes begin, how many more; whose last one is over in this cycle */
	struct {
		uint64_t cycle;
		uint8_t id;
	} due[WL_ATOM_TIMING_IDS]; /* answers, in the order of the requests */
	unsigned asked, answers;
};
void wl_atom_timing_start(struct wl_atom_timing *t, unsigned beats, unsigned latency);
/* A request is taken whose first and last beat were taken in these cycles, the last one in this. The caller fills in
 * its sectors. */
struct wl_atom_timing_request *wl_atom_timing_take(struct wl_atom_timing *t, uint64_t first, uint64_t last);
/* The cycle is over; what was taken in it has been told. Whether a sector commits in it, and which. */
bool wl_atom_timing_step(struct wl_atom_timing *t, uint64_t cycle, struct wl_atom_timing_sector *committed);

/* warp_collective, likewise: a request takes as many cycles as it has beats. */
struct wl_collective_timing {
	uint64_t free; /* first cycle in which the next request can begin */
};
/* The cycle of the COMMIT of the next request, whose first and last beat were taken in these cycles. */
uint64_t wl_collective_timing_request(struct wl_collective_timing *t, uint64_t first_taken, uint64_t last_taken,
                                      unsigned beats);

/* barrier_file behind one port on which there are only header-only requests; nobody holds results back. It goes
 * cycle by cycle: wl_barrier_timing_look says who can be judged in a cycle, then wl_barrier_timing_step is told
 * whether he was. */
enum {
	WL_BARRIER_TIMING_QUEUE = 64 /* more than can be under way */,
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
	uint64_t held, ends;                /* warps whose header is held; those of them that exit */
	uint8_t last;                       /* who went on the bus last */
	uint8_t bus, judge;                 /* warp on the bus; where arrivals are judged */
	bool bus_ends, judge_ends;          /* there it is an EXIT */
	bool looks, looked;                 /* which has a phase to look at; has looked */
	uint8_t unit_answers, exit_answers; /* that wait to be handed over: WL_BARRIER_TIMING_ANSWERS of each at most */
	bool served_exit;                   /* whose was handed over last */
};
struct wl_barrier_timing_cycle {
	unsigned judge; /* the warp that can be judged, or WL_BARRIER_NOBODY */
	bool room;      /* ... also when it is answered */
	bool ends;      /* an EXIT looks at a phase, which may end */
};
void wl_barrier_timing_start(struct wl_barrier_timing *t);
/* A request was taken in this cycle; `ends`: an EXIT. */
void wl_barrier_timing_take(struct wl_barrier_timing *t, uint64_t cycle, unsigned warp, bool ends);
struct wl_barrier_timing_cycle wl_barrier_timing_look(const struct wl_barrier_timing *t);
/* The cycle is over: whether the warp was judged, and answered. Returns the warp whose EXIT was seen in this cycle. */
unsigned wl_barrier_timing_step(struct wl_barrier_timing *t, uint64_t cycle, bool judged, bool answers);
/* After it: that EXIT has a phase to look at, which takes a cycle more. */
void wl_barrier_timing_looks(struct wl_barrier_timing *t);

#endif
