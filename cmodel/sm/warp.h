// SPDX-License-Identifier: Apache-2.0
/* warp.h -- private: a warp and the groups of the warp's lanes. */
#ifndef WARPLOCK_SM_WARP_H
#define WARPLOCK_SM_WARP_H

#include "async.h"
#include "warplock/sm.h"

#define ALL_LANES    UINT32_C(0xffffffff)
#define FOR_LANES(i) for (unsigned i = 0; i < WL_WARP_LANES; i++)

enum {
	URZ_SLOT = 80,        /* uniform register with value 0: sm_75 to sm_90 have UR0..UR62, later chips UR0..UR79 */
	UPRED = 88,           /* word UPRED + n of the uniform file is UPn, spread to 0 or all ones */
	UNIFORMS = 96,        /* UR0..UR79, the register with value 0, UP0..UP6, UPT */
	GROUP_TURN = 64,      /* instructions of a group before another group gets the warp */
	PATIENCE = 4096,      /* changes of group until lanes at BSYNC do without the running lanes ... */
	CLOCKED = 16,         /* so many times as long, where the running lanes poll with a clock */
	LEAST_PATIENCE = 64,  /* ... when the release has helped often */
	WARP_TURN = 32,       /* instructions of a warp before the next warp gets the SM: warps run so far apart */
	SUSPEND = 1024,       /* instructions until a TRYWAIT gives up: the least allowed by the contract */
	ADVANCE_PLACES = 32,  /* hashes that make the state of a group: advance.c */
	ADVANCE_SEEN = 128,   /* words of the table of states */
	ROW_PAD = 4,          /* rows behind the last register: 128-bit operands may name these rows */
	MAX_BLOCK = 1024,     /* threads of a CTA */
	SYSTEM_SHARED = 1024, /* bytes of a CTA's shared memory kept by the system, the first from sm_90 on; ... */
	SYSTEM_SHARED_GROUPS = 288, /* ... before sm_90 the last, kept only if code uses the bytes */
};

/* GROUP_BAR_WARP waits for the other lanes of the same warp, GROUP_BAR has been counted by the barrier. */
enum group_state { GROUP_READY, GROUP_BSYNC, GROUP_WARPSYNC, GROUP_BAR_WARP, GROUP_BAR };

enum { BAR_OF_CLUSTER = 8 };

/* Lanes of a warp at the same instruction. */
struct group {
	uint32_t mask;
	uint32_t pc; /* instruction index; of a waiting group: the place to go on */
	uint8_t state;
	uint8_t id;                 /* place of the wait: convergence barrier, enum wl_warpsync or named barrier */
	uint8_t bar_op;             /* enum wl_bar, or BAR_OF_CLUSTER + enum wl_cbar_op */
	uint8_t bar_red;            /* enum wl_bar_red */
	uint8_t uni;                /* the group's file of uniform registers */
	uint32_t apart;             /* WARPSYNC.EXCLUSIVE: joins only lanes of this set; 0 = any */
	uint16_t ran;               /* instructions in this turn */
	uint32_t bar_id, bar_count; /* number and threads of the BAR */
	uint32_t since;             /* waiting: warp->switches at the start */
	uint64_t wake;              /* the group sleeps until warp->time is this */
};

/* Why a warp does not run: warp.def has the reasons, and the legal moves from state to state. */
enum warp_state {
#define WARP_STATE(name, why) WARP_##name,
#include "warp.def"
#undef WARP_STATE
	WARP_STATES
};

/* The request that the warp waits for: WARP_UNIT, WARP_RESULT, WARP_PARKED. */
struct wait {
	uint32_t pc;      /* instruction index */
	uint32_t lanes;   /* executing lanes */
	uint32_t n;       /* SOURCE: number of the request */
	uint64_t give_up; /* WARP_UNIT: end of the wait by itself, in the SM's time; 0: never */
};

/* A posted request on the way: address operands for a fault. */
struct posted {
	uint32_t n;
	uint8_t lane; /* the lowest lane of the request */
	uint64_t ur, ra[WL_WARP_LANES];
};

/* advance.c: while lanes have waited at BSYNC for some time, and other groups run. */
struct advance {
	bool on;
	uint32_t since;                                /* warp->switches at the last new state */
	uint32_t polled;                               /* lanes with a read of memory in a known state since then */
	uint32_t read;                                 /* lanes with a read of memory since the begin */
	uint32_t clocked;                              /* lanes with a look at a clock since the begin */
	uint32_t states;                               /* in the table */
	uint32_t place[WL_WARP_LANES][ADVANCE_PLACES]; /* of each group, by the group's file of uniform registers */
	uint64_t seen[ADVANCE_SEEN];
};

struct warp {
	uint32_t live; /* lanes that have not exited; 0 = slot is free */
	uint32_t cta;
	uint32_t thread0; /* linear thread number of lane 0 in the CTA */
	uint16_t slot;
	uint16_t regs; /* of a thread, as counted by USETMAXREG */
	uint8_t ngroups, cur;
	uint8_t state;    /* enum warp_state: warp_enter alone writes */
	uint8_t posted;   /* SOURCE: posted requests outstanding */
	uint32_t forced;  /* from WARP_YIELDS to the answer: lanes told to the DUT as yielding */
	uint32_t bar_yes; /* lanes with a true predicate at BAR.RED */
	struct wait wait;
	struct async_warp async;           /* groups of copies; WARP_COPIES: the group waited for */
	uint32_t bar_pc;                   /* instruction index of the last BAR */
	uint64_t time;                     /* of the warp: instructions and sleeps since launch */
	uint64_t ran_at;                   /* time of the SM behind the warp's last instruction */
	uint64_t wake;                     /* the warp sleeps until the SM's time is this */
	uint32_t exited, exit_pc;          /* lanes of the last exit, and the instruction index of the EXIT */
	uint16_t asked;                    /* registers of a thread asked for by the warp, and not yet got */
	uint32_t n;                        /* unit requests since launch */
	struct posted post[WL_MAX_POSTED]; /* [n % WL_MAX_POSTED] */
	uint64_t near;                     /* groups.c, look_near */
	bool near_known;
	struct group g[WL_WARP_LANES];
	uint32_t preds[8];              /* P0..P6, PT: a bit a lane */
	uint32_t rpc[2][WL_WARP_LANES]; /* Rpc.LO, Rpc.HI */
	/* A file of uniform registers for each group: writes of one side of a branch must not change values of the
	 * other side, computed before a change of group. */
	uint32_t uni_used;
	uint32_t uni[WL_WARP_LANES][UNIFORMS];
	uint32_t priority; /* schedule.c: policy pct */
	uint64_t held,
	        drawn; /* ... delay: until the launch has issued so many; the warp's own time at the draw, and 1 */
	uint32_t switches, patience; /* number of changes of group; see groups_patience */
	struct advance advance;
};

/* The word for the move in warp.def; NULL: the move is not legal. */
const char *warp_move_why(enum warp_state from, enum warp_state to);
/* The only writer of the state. An illegal move ends the program with the names of both states. */
void warp_enter(struct warp *w, enum warp_state to);

/* The warp has a question for the DUT of its own, beside the instructions of its groups. */
static inline bool warp_asks(const struct warp *w)
{
	return w->state == WARP_MEETS || w->state == WARP_YIELDS;
}
/* No group runs, and no question is open, before an event from outside. */
static inline bool warp_is_held(const struct warp *w)
{
	return w->state > WARP_YIELDS;
}

static inline unsigned lowest(uint32_t mask)
{
	return (unsigned)__builtin_ctz(mask);
}

#endif
