// SPDX-License-Identifier: Apache-2.0
/* lockstep.h -- requests, events and records, exchanged by SOURCE, DUT, REF and MON.
 *
 * Source: docs/spec/lockstep.md, "Requests"; docs/spec/lockstep.md, "Events"; docs/spec/lockstep.md, "Records". */
#ifndef WARPLOCK_LOCKSTEP_H
#define WARPLOCK_LOCKSTEP_H

#include <stdbool.h>
#include <stdint.h>

#include "warplock/event_kind.h"
#include "warplock/isa.h"

/* Up to 128 bits of one lane, little endian: w[0] is the low word. */
struct wl_lane {
	uint32_t w[4];
};

/* Identity of a unit request. n counts the unit requests of the warp since the launch of the warp. The port carries
 * (warp, n mod 2^16); the harness widens the tag and adds SM and CTA. */
struct wl_tag {
	uint16_t sm;
	uint16_t slot; /* CTA slot of the SM */
	uint32_t cta;  /* linear CTA number of the grid */
	uint32_t warp; /* warp slot of the SM, 0..WL_MAX_WARPS-1 */
	uint32_t n;
};

/* A warp instruction for a unit. SOURCE reads registers; the unit forms addresses. */
struct wl_req {
	struct wl_tag tag;
	uint32_t pc; /* byte address of the instruction in its kernel */
	struct wl_word word;
	struct wl_inst inst; /* wl_decode of word, for the C side only */
	uint32_t mask;       /* active lanes, guard applied; never 0 */
	uint32_t pred;       /* predicate source 0 of each lane, after negation; 0 without the source */
	uint64_t ur;         /* value of the uniform register of the address, 0 without the register */
	bool posted;         /* no destination: the warp goes on at acceptance */
	bool header;         /* header-only: lane 0 holds the operands of the lowest active lane */
	uint8_t lane;        /* the lowest asking thread; of a request to several CTAs the lanes are the CTAs */
	uint64_t ra[WL_WARP_LANES];
	struct wl_lane rb[WL_WARP_LANES];
	struct wl_lane rc[WL_WARP_LANES];
};

/* An event of a unit: order, lanes and choices. No value of an event ever steers REF. */
struct wl_event {
	enum wl_event_kind kind;
	enum wl_unit unit;
	uint64_t cycle;
	struct wl_tag tag;    /* FAULT, EXIT, COMMIT, CHOICE, RETIRE; tag.sm and tag.slot for all kinds */
	uint32_t lanes;       /* FAULT, COMMIT: lanes of the warp (bit i = lane i) */
	enum wl_fault fault;  /* FAULT */
	uint16_t id, phase;   /* RELEASE: barrier, or address of the mbarrier / 8; phase of the object */
	uint64_t warps;       /* RELEASE: released warp slots */
	uint32_t value;       /* RELEASE: result of these warps, for the comparator only; LAND: number of the copy */
	uint32_t land;        /* LAND: enum wl_land */
	uint32_t addr, bytes; /* LAND */
};

/* The static part of a request, known before any change of state. The plan of every unit begins with this part. */
struct wl_plan {
	uint32_t ok;                        /* active lanes without a static fault */
	uint32_t faulted;                   /* active lanes with a static fault */
	uint8_t fault[WL_WARP_LANES];       /* enum wl_fault of faulted lanes */
	uint8_t passes;                     /* COMMITs to come, 0..32 */
	uint32_t pass_lanes[WL_WARP_LANES]; /* lanes of each pass, in order */
	bool whole;                         /* all lanes take effect in a single COMMIT, for any LANES */
	bool any_order;                     /* COMMITs behind the first `ordered` COMMITs come in any order */
	uint8_t ordered;
	bool waits; /* ends by RELEASE or CHOICE, not by a response; apply clears the flag of a wait answered at once */
	bool gives_up;    /* CHOICE ends the wait at last: no deadlock while the wait exists */
	uint16_t wait_id; /* the object of the wait, as in RELEASE */
};

/* The results of a retired instruction. REF builds a record from the events, the harness builds a record from the DUT.
 * The two records are compared whole. */
struct wl_record {
	struct wl_tag tag;
	uint32_t pc;
	struct wl_word word;
	uint32_t mask;
	uint32_t committed;           /* lanes with effect */
	uint32_t written;             /* lanes with a written destination register: committed lanes when Rd != RZ */
	uint32_t pred_written;        /* lanes with a written destination predicate */
	uint32_t preds;               /* values of the predicates; 0 for other lanes */
	uint32_t faulted;             /* lanes with a fault */
	uint8_t fault[WL_WARP_LANES]; /* enum wl_fault of each faulted lane */
	uint8_t passes;
	uint8_t size;                         /* access size in bytes: the part of old / now in use */
	uint32_t stored;                      /* lanes with a store; a load or a failed compare stores nothing */
	struct wl_lane result[WL_WARP_LANES]; /* of written lanes; all other words are 0 */
	/* memory effects of committed lanes */
	uint64_t addr[WL_WARP_LANES];      /* byte address, shared: within the SM's shared memory */
	struct wl_lane old[WL_WARP_LANES]; /* the word (access width) before this lane's turn */
	struct wl_lane now[WL_WARP_LANES]; /* and after this turn; equal for loads and failed compares */
};

/* SOURCE gives requests. All calls come from the same thread. `next` is called at most once for a port and cycle. */
enum wl_offer {
	WL_OFFER_REQ,
	WL_OFFER_WAIT /* nothing before a request retires */,
	WL_OFFER_DONE /* nothing ever again */
};
enum wl_piece {
	WL_PIECE_NONE,  /* no copy is under way */
	WL_PIECE_LATER, /* a copy is under way, but no piece lands in this cycle */
	WL_PIECE_LANDS
};
struct wl_landing; /* landing.h */
struct wl_source {
	void *self;
	enum wl_offer (*next)(void *self, unsigned port, struct wl_req *req);
	/* The DUT took the first beat of req. The warp of a posted request goes on. */
	void (*accept)(void *self, const struct wl_req *req);
	/* Results are handed back; posted requests retire too. rec holds REF's values. */
	void (*retire)(void *self, const struct wl_record *rec);
	/* The request waits: the request has left the pipe and is not in flight. NULL: no call. */
	void (*waits)(void *self, const struct wl_tag *tag);
	/* Only waits are left, nothing is in flight, and 64 cycles brought no event. SOURCE judges the case, and `next`
	 * answers DONE from then on. NULL: the run ends. */
	void (*stuck)(void *self);
	/* Lanes of the request have faulted. The call comes at the event, since requests may retire in another order.
	 * NULL: no call. */
	void (*fault)(void *self, const struct wl_tag *tag);
	/* REF is about to apply these lanes of the request; `before`: lanes already applied by REF or faulted. SOURCE
	 * judges misuses (docs/misuse.md). NULL: no call. */
	void (*applies)(void *self, const struct wl_req *req, uint32_t lanes, uint32_t before);
	/* Asynchronous copies: the piece brought to the DUT by the memory system in this cycle. At most one call a
	 * cycle. NULL: no copies. */
	enum wl_piece (*piece)(void *self, uint64_t cycle, struct wl_landing *l);
	/* The piece has landed, in REF too. `data`: the bytes of a READ. `fault`: fault of the mbarrier. */
	void (*landed)(void *self, const struct wl_landing *l, const uint8_t *data, enum wl_fault fault);
};

/* Calls of SOURCE to the host while `next` runs. The host fills the window's shared memory (wl_fill_word) in every
 * model before cta_launch returns. Any hook may be NULL. */
struct wl_host {
	void *self;
	void (*cta_launch)(void *self, unsigned sm, unsigned slot, uint32_t cta, uint32_t base, uint32_t size);
	void (*cta_exit)(void *self, unsigned sm, unsigned slot, uint32_t cta);
	/* FRONT executed `count` instructions of the front end, one after the other, in the group of `warp` with
	 * `lane`. */
	void (*step)(void *self, unsigned sm, unsigned warp, unsigned lane, unsigned count);
	/* FRONT, or another SM, changed `size` bytes of global memory, `at` bytes into wl_gmem.mem. */
	void (*store)(void *self, uint64_t at, unsigned size);
};

/* Start content of shared memory: word at byte address `addr` of CTA `cta`, a hash of (seed, cta, addr). */
uint32_t wl_fill_word(uint64_t seed, uint32_t cta, uint32_t addr);

#endif
