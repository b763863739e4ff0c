// SPDX-License-Identifier: Apache-2.0
/* front.h -- private: the state of FRONT and how its files talk to each other.
 *
 *   prepare.c   instructions -> struct op, once per launch        groups.c    lanes of a warp at different pcs
 *   exec*.c     one function per micro-operation                  barrier.c   named barriers of a CTA
 *   step.c      the instruction loop of one warp                  grid.c      CTAs onto SMs
 *   constants.c what a launch writes to constant bank 0           sleep.c     time, and warps that sleep
 *   cluster.c   CTAs of a cluster: where they are, their barrier
 *   gpu.c       create, run, figures                              source.c    SOURCE of lockstep, replay
 *   schedule.c  policies that draw which warp runs next           misuse.c    what PTX leaves undefined
 *   guide.c     an order that somebody else chooses
 *   explain.c   faults, deadlocks and limits in words             spin.c      proof that a run hangs
 *
 * Everything lies in one block behind struct wl_gpu and is found by offsets from it, so that a snapshot is a copy;
 * the few pointers (struct wl_units) are set again whenever a public function is entered. */
#ifndef WARPLOCK_FRONT_H
#define WARPLOCK_FRONT_H

#include "async.h"
#include "warplock/sm.h"

#define ALL_LANES    UINT32_C(0xffffffff)
#define FOR_LANES(i) for (unsigned i = 0; i < WL_WARP_LANES; i++)

enum {
	URZ_SLOT = 80,        /* uniform register that reads 0: sm_75 to sm_90 have UR0..UR62, later ones UR0..UR79 */
	UPRED = 88,           /* word UPRED + n of the uniform file is UPn, spread to 0 or all ones */
	UNIFORMS = 96,        /* UR0..UR79, the one that reads 0, UP0..UP6, UPT */
	GROUP_TURN = 64,      /* instructions of a group before another one gets the warp */
	PATIENCE = 4096,      /* changes of group after which lanes at BSYNC do without those that run on ... */
	LEAST_PATIENCE = 64,  /* ... when that has helped often */
	WARP_TURN = 32,       /* instructions of a warp before the next one gets the SM: so far apart warps run */
	SUSPEND = 1024,       /* instructions after which a TRYWAIT gives up: the least that the contract allows */
	ROW_PAD = 4,          /* rows behind the last register: 128-bit operands may name them */
	MAX_BLOCK = 1024,     /* threads of a CTA */
	SYSTEM_SHARED = 1024, /* bytes of a CTA's shared memory that the system keeps: from sm_90 on the first ones; */
	SYSTEM_SHARED_GROUPS = 288, /* before, the last ones, and there here only where code uses them */
};
#define SHARED_ROW UINT32_C(0x80000000)

/* One instruction, prepared once. A source is a row of 32 words: of the warp's registers, or (SHARED_ROW set) of the
 * rows that all warps share: immediates and constants are the same for every lane of the launch. */
struct op {
	uint32_t row[3];
	uint32_t guard_inv; /* 0 or all ones */
	uint16_t uop;
	uint8_t guard; /* index into preds, or into the uniform file when guard_uniform */
	uint8_t guard_uniform;
	uint8_t unit;
	uint8_t slow;          /* bit i: source i is negated, absolute, inverted or uniform: fetch_slow has work */
	uint8_t neg, abs, inv; /* bit i: what is done to source i, in the order abs, neg, inv */
	uint8_t is_float;
	uint8_t wide; /* bit i: source i is a 64-bit pair */
	uint8_t plus; /* IADD3: ones added for negated sources, which are then inverted: the carries come out right */
	uint8_t bad;  /* enum bad_op */
	uint32_t target; /* branches: instruction index */
};

/* Why an instruction cannot be executed although its word is known. */
enum bad_op { BAD_NONE, BAD_UNMODELLED, BAD_ILLEGAL, BAD_CONSTANT, BAD_OPERAND };

/* GROUP_BAR_WARP waits for the other lanes of its own warp, GROUP_BAR has been counted by the barrier. */
enum group_state { GROUP_READY, GROUP_BSYNC, GROUP_WARPSYNC, GROUP_BAR_WARP, GROUP_BAR };

enum { BAR_OF_CLUSTER = 8 };

/* Lanes of a warp that stand at one instruction. */
struct group {
	uint32_t mask;
	uint32_t pc; /* instruction index; of a waiting group: where it goes on */
	uint8_t state;
	uint8_t id;                 /* what it waits at: convergence barrier, enum wl_warpsync or named barrier */
	uint8_t bar_op;             /* enum wl_bar, or BAR_OF_CLUSTER + enum wl_cbar_op */
	uint8_t bar_red;            /* enum wl_bar_red */
	uint8_t uni;                /* its file of uniform registers */
	uint32_t apart;             /* WARPSYNC.EXCLUSIVE: joins only lanes of this set; 0 = any */
	uint16_t ran;               /* instructions in this turn */
	uint32_t bar_id, bar_count; /* number and threads that the BAR names */
	uint32_t since;             /* waiting: warp->switches when it began */
	uint64_t wake;              /* it sleeps until warp->time is this */
};

/* Why a warp does not run although a group is ready: its request has been offered, or is to be answered; posted ones
 * must come back, all or one; it waits in a unit that is executed in C, or for copies; its last lanes are gone, which
 * the DUT is told. */
enum warp_hold { HOLD_NONE, HOLD_OFFERED, HOLD_RESULT, HOLD_DRAIN, HOLD_SLOT, HOLD_UNIT, HOLD_COPIES, HOLD_EXIT };

/* A posted request on its way: what names its addresses, should it fault. */
struct posted {
	uint32_t n;
	uint64_t ur, ra[WL_WARP_LANES];
};

struct warp {
	uint32_t live; /* lanes that have not exited; 0 = slot is free */
	uint32_t cta;
	uint32_t thread0; /* linear thread number of lane 0 in its CTA */
	uint16_t slot;
	uint16_t regs; /* of a thread, as USETMAXREG counts them */
	uint8_t ngroups, cur;
	uint8_t hold;                      /* enum warp_hold */
	bool parked;                       /* SOURCE: its request waits in the DUT for other warps */
	bool gathered;                     /* SOURCE: all live lanes stand at a BAR that the DUT is to be asked */
	uint8_t posted;                    /* SOURCE: posted requests outstanding */
	uint32_t forced;                   /* SOURCE: lanes that the DUT is to be told of as if they yielded */
	uint32_t bar_yes;                  /* lanes whose predicate held at their BAR.RED */
	uint32_t unit_mask;                /* HOLD_UNIT: lanes that executed the instruction that waits */
	struct async_warp async;           /* groups of copies; HOLD_COPIES: which it waits for */
	uint64_t give_up;                  /* HOLD_UNIT: when the wait ends by itself, in the SM's time; 0: never */
	uint32_t bar_pc;                   /* instruction index of the last BAR */
	uint64_t time;                     /* of its own: instructions and sleeps since launch */
	uint64_t ran_at;                   /* time of the SM behind its last instruction */
	uint64_t wake;                     /* the warp sleeps until the SM's time is this */
	uint32_t exited, exit_pc;          /* lanes that exited last, and the instruction index of their EXIT */
	uint16_t asked;                    /* registers of a thread that the warp asks for, and has not got */
	uint32_t n;                        /* unit requests since launch */
	uint32_t hold_n;                   /* HOLD_RESULT: number of the request waited for */
	struct posted post[WL_MAX_POSTED]; /* [n % WL_MAX_POSTED] */
	uint64_t near;                     /* groups.c, look_near */
	bool near_known;
	struct group g[WL_WARP_LANES];
	uint32_t preds[8];              /* P0..P6, PT: one bit a lane */
	uint32_t rpc[2][WL_WARP_LANES]; /* Rpc.LO, Rpc.HI */
	/* One file of uniform registers for each group: what one side of a branch writes must not change what the other
	 * side computed before the warp was taken from it. */
	uint32_t uni_used;
	uint32_t uni[WL_WARP_LANES][UNIFORMS];
	uint32_t priority; /* schedule.c: policy pct */
	uint64_t held,
	        drawn; /* ... delay: until the launch has issued so many; its own time when that was drawn, and 1 */
	uint32_t switches, patience; /* how often the warp went from one group to another; see groups_patience */
};

/* A CTA that ended keeps its slot until all CTAs of its cluster have: nobody else gets what its addresses name. */
enum cta_state { CTA_FREE, CTA_RUNS, CTA_ENDED /* not told to the host yet */ };
enum cta_refusal { REFUSAL_NONE, REFUSAL_LANDED, REFUSAL_SEEN };
struct cta {
	uint32_t number;
	uint32_t id[3];
	uint8_t state; /* enum cta_state */
	uint8_t rank;  /* in its cluster */
	uint32_t live_warps;
	uint32_t cluster;
	struct place home; /* of the cluster's CTA of rank 0, which alone has: */
	struct place member[WL_MAX_CLUSTER];
	uint32_t live_ctas;
	/* clusterlaunchcontrol: an answer that no cluster is left, and whether a warp has waited for the answer */
	uint8_t refusal;           /* enum cta_refusal */
	uint32_t refusal_mbarrier; /* in the SM's shared memory */
	struct wl_misuse_place refused;
	uint32_t free_regs; /* USETMAXREG: what warps have given back, in registers of a thread of one warp */
};

/* What became of an mbarrier: SYNCS.EXCH makes one, SYNCS.CCTL.IV ends the one. Found by address; the later one of two
 * with one place stays. */
enum { MBAR_LIVES = 64 };
enum mbar_life_state { LIFE_NONE, LIFE_MADE, LIFE_ENDED };
struct mbar_life {
	uint32_t addr; /* in the SM's shared memory */
	uint16_t slot;
	uint8_t state; /* enum mbar_life_state */
	struct wl_misuse_place made, ended;
};

struct sm {
	uint64_t ready;     /* warps that can go on */
	uint64_t asleep;    /* warps that can go on when time has passed */
	uint64_t held;      /* schedule.c: of them, those that are delayed */
	uint64_t next_wake; /* when the first of them wakes, or later than that would be known: UINT64_MAX */
	uint64_t issued;    /* instructions; with the time that was skipped: the clock */
	uint64_t skipped;
	uint64_t idle_from; /* sleep_idle: issued when it was asked last */
	uint64_t from_gpu;  /* SOURCE: bytes from the wl_gpu to here */
	uint32_t last;      /* warp that ran last */
	uint32_t last_of_port[WL_MAX_PORTS];
	struct wl_units units;
	struct cta cta[WL_MAX_CTAS];
	struct async async;
	uint32_t ended_mbars; /* entries in state LIFE_ENDED */
	uint32_t refusals;    /* CTAs with an answer that nobody has waited for */
	struct mbar_life life[MBAR_LIVES];
};

struct trouble {
	enum wl_fault fault;
	bool has_addr;
	uint32_t pc; /* bytes */
	uint32_t sm, cta, warp, lanes;
	uint64_t addr;   /* of the lowest faulting lane */
	uint32_t misuse; /* 1 + index of the finding that is the fault; 0: another fault */
	uint32_t warp_index;
	char text[480]; /* outcome error: what is wrong; fault ASSERT: which assertion */
};

/* What a warp read while the run was watched (spin.c): each lane's last read, and a set of all reads by hash. */
struct poll {
	uint64_t addr, value; /* shared memory: address in the window of the CTA */
	uint32_t pc;          /* bytes */
	uint32_t size;        /* 0 = it read nothing */
};
enum { SEEN_WORDS = 16 };
struct polls {
	struct poll lane[WL_WARP_LANES];
	uint64_t seen[SEEN_WORDS];
};
/* What spin.c must know of everything that happens: whether warps that go round can ever be woken by it. Only the
 * functions observe_... count, wherever something happens. */
struct observer {
	uint64_t changes; /* of what other warps can see: memory gets another value, a CTA starts, lanes exit */
	uint64_t unclear; /* what keeps a proof from holding: readings of a clock, arrivals at barriers */
	uint64_t clocks;  /* how often a clock was read */
};
/* What the seed has chosen for the policy of the order (schedule.c), and how far that is. */
struct schedule {
	uint64_t draws;
	uint32_t turn; /* instructions of a turn, at most */
	bool in_order; /* the next warp is not drawn */
	/* pct */
	uint32_t points, passed, lowest;
	uint32_t running; /* warp that ran last */
	uint64_t window, change, run, longest_run;
	/* delay */
	uint32_t one_in, delay;
};
enum spin_verdict { SPIN_NONE, SPIN_PROVEN, SPIN_JUDGED };

struct misuses {
	uint8_t mode[WL_MISUSE_COUNT]; /* enum wl_misuse_mode */
	uint32_t n;
	uint64_t more; /* findings without room */
	struct wl_misuse_found found[WL_MISUSE_MOST];
};

struct wl_observer;
struct wl_guide;
struct wl_gpu {
	struct wl_config config;
	const struct wl_program *program;
	struct wl_gmem *gmem;
	struct wl_host host;
	uint64_t heap, heap_bytes; /* of malloc: address and size */
	void (*print)(void *self, const char *text, size_t n);
	void *print_self;
	uint32_t grid[3], block[3];
	uint32_t ctas, next_cta, done_ctas;
	uint32_t canceled;                 /* CTAs whose launch a kernel took back: counted in next_cta and done_ctas */
	uint32_t cluster[3], cluster_ctas; /* of a cluster: without one, 1 */
	bool given_cluster;                /* by the launch or the kernel */
	struct place home;                 /* of the cluster that is being started */
	bool refill;                       /* slots are free or CTAs ended: grid_fill has work */
	uint32_t threads, warps_per_cta, cta_slots, shared_per_cta, local_bytes;
	uint32_t reg_rows; /* rows of a warp's registers */
	uint64_t limit, issued;
	enum wl_outcome outcome;
	struct trouble trouble;
	struct misuses misuse;
	struct observer seen;
	struct schedule schedule;
	bool watch;                /* reads are noted in the polls */
	uint8_t spins;             /* enum spin_verdict; deadlock: warps can go on, but nothing will ever change */
	uint32_t copies;           /* that the agents of all SMs have under way */
	uint64_t quiet;            /* SPIN_JUDGED: instructions since the last change */
	uint64_t answers, gave_up; /* SOURCE: of units in the DUT; waits that ended without what they waited for */
	const struct wl_observer *observer; /* NULL: nobody looks on */
	struct wl_guide *guide;             /* NULL: the policy chooses the order */
	uint64_t executed[WL_UNIT_COUNT];
	uint64_t conflicts[WL_WARP_LANES + 1];
	/* SOURCE */
	bool source;
	uint64_t local_generic; /* accesses of atom_unit that stay here, although the DUT has it */
	uint32_t dut;           /* units of the SMs below dut_sms whose instructions are requests, 1 << enum wl_unit */
	unsigned dut_sms;       /* each of them has a DUT of its own */
	uint32_t inflight;      /* requests accepted and not retired */
	bool fault_seen;        /* a request has faulted; the first one: */
	struct wl_tag first_fault;
	uint32_t waits;   /* those of them that wait in the DUT for other warps: idle until something else happens */
	uint32_t offered; /* requests given by next and not accepted yet */
	/* offsets from this struct */
	uint64_t at_ops, at_rows, at_sms, at_warps, at_regs, at_local, at_shared, at_cbank0, at_polls, at_spin,
	        at_marked_regs;
	uint64_t bytes;
	uint8_t passes; /* of the last access to shared memory, for observers */
};

static inline void *block_at(const struct wl_gpu *g, uint64_t offset)
{
	return (char *)(uintptr_t)g + offset;
}
static inline struct op *gpu_ops(const struct wl_gpu *g)
{
	return block_at(g, g->at_ops);
}
static inline struct sm *gpu_sm(const struct wl_gpu *g, unsigned sm)
{
	return (struct sm *)block_at(g, g->at_sms) + sm;
}
static inline struct warp *gpu_warp(const struct wl_gpu *g, unsigned sm, unsigned warp)
{
	return (struct warp *)block_at(g, g->at_warps) + sm * g->config.warps_per_sm + warp;
}
typedef uint32_t lane_row[WL_WARP_LANES];
static inline lane_row *gpu_regs(const struct wl_gpu *g, unsigned sm, unsigned warp)
{
	return (lane_row *)block_at(g, g->at_regs) + (uint64_t)(sm * g->config.warps_per_sm + warp) * g->reg_rows;
}
static inline uint8_t *gpu_local(const struct wl_gpu *g, unsigned sm, unsigned warp, unsigned lane)
{
	uint64_t thread = (uint64_t)(sm * g->config.warps_per_sm + warp) * WL_WARP_LANES + lane;
	return (uint8_t *)block_at(g, g->at_local) + thread * g->local_bytes;
}

static inline void observe_change(struct wl_gpu *g, bool changed)
{
	g->seen.changes += changed;
}
/* The front end has stored to memory at host address p: who holds a second image of global memory is told. */
static inline void observe_store(const struct wl_gpu *g, const uint8_t *p, unsigned size)
{
	if (__builtin_expect(g->host.store != NULL, 0) && (uintptr_t)p - (uintptr_t)g->gmem->mem < g->gmem->bytes)
		g->host.store(g->host.self, (uint64_t)(p - g->gmem->mem), size);
}
/* A warp meets others at a barrier or in a unit: they may wait for it. */
static inline void observe_meeting(struct wl_gpu *g)
{
	g->seen.unclear++;
}
/* Who asks for the time sees something new. */
static inline void observe_clock(struct wl_gpu *g)
{
	g->seen.unclear++;
	g->seen.clocks++;
}

static inline uint64_t sm_time(const struct sm *s)
{
	return s->issued + s->skipped;
}
static inline uint64_t sm_not_stuck(const struct sm *s) /* warps that can go on now or later */
{
	return s->ready | s->asleep;
}

/* Pointers into the block; set whenever a public function is entered, because the block may have been moved. */
static inline void gpu_set_pointers(struct wl_gpu *g)
{
	for (unsigned sm = 0; sm < g->config.sms; sm++) {
		struct wl_units *u = &gpu_sm(g, sm)->units;
		u->smem.mem = (uint8_t *)block_at(g, g->at_shared) + (uint64_t)sm * g->config.shared_bytes;
		u->gmem = g->gmem;
	}
}

/* --- one instruction at work ---------------------------------------------------------------------------- */

/* What the loop does after an instruction. */
enum flow {
	FLOW_NEXT,    /* go on with the current group, whose pc is right */
	FLOW_SWITCH,  /* another group's turn */
	FLOW_GATHER,  /* as FLOW_SWITCH; the instruction counts when its request is accepted */
	FLOW_REQUEST, /* the group stands (again) at an instruction for a unit: SOURCE offers it */
	FLOW_HOLD,    /* the group stands (again) at an instruction that must wait for posted requests */
	FLOW_STOP,    /* the run is over: gpu->outcome says how */
};

struct exec {
	struct wl_gpu *gpu;
	struct sm *sm;
	struct warp *w;
	struct group *g;
	struct wl_conv_warp *conv;
	lane_row *r;   /* the warp's registers */
	uint32_t *uni; /* the group's uniform registers */
	const lane_row *shared_rows;
	const struct op *op;
	const struct wl_inst *in;
	uint32_t pc;     /* instruction index of op */
	uint32_t done;   /* instructions of this turn so far: the clock is sm->issued + done */
	uint32_t follow; /* one lane: the loop ends when it is no longer in the current group; 0 = no such lane */
	uint32_t mask;   /* lanes that execute: active and guard true; never 0 */
	const uint32_t *a, *b, *c; /* sources; of 64-bit ones [32..63] are the high words */
	unsigned sm_index, warp_index;
	_Alignas(16) uint32_t tmp[3][2 * WL_WARP_LANES];
};
void exec_init(struct exec *x, struct wl_gpu *gpu, unsigned sm, unsigned warp);

typedef enum flow exec_fn(struct exec *x);
/* exec_<uop> for what FRONT executes itself, exec_unit_<unit> for the rest: EXEC_OF expands to the one or the other. */
#define EXEC_PROBE_FRONT        ~,
#define EXEC_SECOND_(a, b, ...) b
#define EXEC_SECOND(...)        EXEC_SECOND_(__VA_ARGS__)
#define EXEC_OF(name, unit)     EXEC_SECOND(EXEC_PROBE_##unit exec_##name, exec_unit_##unit, ~)
#define UOP(name, unit, ...)    exec_fn EXEC_OF(name, unit);
#include "../isa/uops.def"
#undef UOP

/* The SM has a DUT. */
static inline bool sm_in_dut(const struct wl_gpu *gpu, unsigned sm)
{
	return sm < gpu->dut_sms;
}
/* The unit of x's instruction is in the DUT. */
static inline bool unit_in_dut(const struct exec *x)
{
	return __builtin_expect(x->gpu->dut != 0, 0) && x->gpu->dut >> x->op->unit & 1 &&
	       sm_in_dut(x->gpu, x->sm_index);
}
/* Shared memory lies in the DUT: the front end does not reach it. */
static inline bool shared_in_dut(const struct exec *x)
{
	return x->gpu->dut >> WL_UNIT_atoms_pipe & 1 && sm_in_dut(x->gpu, x->sm_index);
}
/* The DUT knows which CTAs are a cluster, and reaches all of their shared memory. */
static inline bool cluster_in_dut(const struct exec *x)
{
	return x->gpu->dut >> WL_UNIT_cluster_barrier & 1;
}
/* The DUT keeps the convergence barriers: it is asked by every EXIT and YIELD, too. */
static inline bool converges_in_dut(const struct wl_gpu *gpu, unsigned sm)
{
	return __builtin_expect(gpu->dut != 0, 0) && gpu->dut >> WL_UNIT_convergence & 1 && sm_in_dut(gpu, sm);
}
/* The DUT counts warps: it is told when one ends. */
static inline bool exit_in_dut(const struct wl_gpu *gpu, unsigned sm)
{
	return gpu->dut & (1u << WL_UNIT_barrier_file | 1u << WL_UNIT_convergence | 1u << WL_UNIT_cluster_barrier) &&
	       sm_in_dut(gpu, sm);
}
/* Requests that something will come of while nothing else happens. */
static inline uint32_t gpu_busy(const struct wl_gpu *g)
{
	return g->inflight - g->waits + g->offered;
}

/* request.c */
bool request_has_address(const struct wl_inst *in); /* of memory, which its record tells about */
void request_build(const struct exec *x, uint32_t mask, struct wl_req *req); /* of the instruction that x has fetched */
void request_write_back(struct wl_gpu *gpu, const struct wl_record *rec, struct warp *w, uint32_t *uni);

/* exec_memory.c: a lane of the access that x has fetched names memory that the DUT's atom_unit does not reach: it
 * is no request. */
bool atom_stays(const struct exec *x);

/* exec_unit.c */
enum flow exec_any_unit(struct exec *x);
bool unit_may(struct exec *x, bool asked);                              /* no misuse ends the run (misuse.c) */
void unit_go_on(struct wl_gpu *gpu, unsigned sm, uint64_t warps);       /* these waited in a unit */
void unit_give_up(struct wl_gpu *gpu, unsigned sm, unsigned warp);      /* its time has come: it waits no longer */
void unit_wait(struct exec *x, bool gives_up);                          /* until its unit lets the warp go on */
void unit_releases(struct wl_gpu *gpu, unsigned sm, enum wl_unit unit); /* what it has fixed: those go on */
void unit_exit(struct exec *x); /* the last lanes of x's warp are gone: units that are executed in C hear of it */

/* prepare.c */
bool prepare_own_signs(const struct wl_inst *in); /* its function applies the signs of the sources */
void prepare_ops(struct wl_gpu *gpu);             /* constant bank 0 must be complete */
uint32_t prepare_reg_rows(const struct wl_program *p);
uint64_t prepare_shared_rows(const struct wl_program *p);

/* guide.c */
bool guide_chooses(const struct wl_gpu *g); /* else it only sees the turns */
bool guide_turn(struct wl_gpu *g);          /* as schedule_turn */
void guide_ran(struct wl_gpu *g, const struct warp *w, unsigned count);

/* constants.c */
uint32_t constants_bytes(const struct wl_program *p); /* of bank 0 */
/* Offsets in words have 16 bits, which texts show with a sign: ptxas writes 0x9a68 as -0x6598. */
static inline int64_t constants_offset(uint32_t at)
{
	return (int32_t)at < 0 ? (int64_t)(int32_t)at + 0x10000 : (int64_t)at;
}
void constants_fill(struct wl_gpu *gpu, const struct wl_launch *launch);

/* groups.c: all keep g, cur and ready groups consistent; x->g is set again where the current group may have moved. */
void groups_start(struct warp *w, uint32_t mask);
void groups_set_current(struct exec *x);                        /* x->g, x->uni from warp->cur */
void groups_split(struct exec *x, uint32_t lanes, uint32_t pc); /* lanes of the current group go to pc, a group apart */
void groups_merge_here(struct exec *x);                         /* other ready groups at the current one's pc join it */
void groups_meet(struct exec *x); /* the same, while the current one runs: quick where it meets nobody */
bool groups_pick(struct warp *w, bool after_current); /* chooses a ready group, round robin */
bool groups_select(struct warp *w, unsigned lane);    /* the group that holds lane becomes current; false: none */
/* Lanes of the current group wait; those that waited and that the unit lets go on do so. */
enum flow groups_wait(struct exec *x, uint32_t lanes, enum group_state state, unsigned id, uint32_t go_on);
enum flow groups_exit(struct exec *x, uint32_t lanes);
enum flow groups_left(struct exec *x, uint32_t lanes, uint32_t go_on);            /* the unit has been told */
uint32_t groups_waiting(const struct warp *w);                                    /* lanes at BSYNC or WARPSYNC */
void groups_forced(struct warp *w, const struct wl_conv_warp *c, uint32_t ready); /* the DUT has been asked */
/* BSYNC and WARPSYNC waits of these lanes end: so says the unit, whose state c is. */
void groups_go_on(struct warp *w, const struct wl_conv_warp *c, uint32_t lanes);
void groups_yield(struct warp *w, struct wl_conv_warp *c, uint32_t lanes); /* lanes at BSYNC no longer wait for these */
/* Lanes that spin without YIELD must not keep those at BSYNC waiting for ever, since these may be the ones that they
 * spin for: every thread of a warp makes progress (CUDA C++ Programming Guide, "Independent Thread Scheduling"). */
bool groups_force(struct warp *w, struct wl_conv_warp *c); /* now; false: nobody can go on */
/* At a change of group: now and then, who has waited for long. In the DUT: it is to be asked. */
void groups_patience(struct warp *w, struct wl_conv_warp *c, bool in_dut);
void groups_wake_bar(struct warp *w);                 /* groups counted at a named barrier go on */
uint32_t groups_waiting_at_bar(const struct warp *w); /* lanes that wait at a BAR for the rest of their warp */

/* sleep.c */
void sleep_group(struct exec *x);                                 /* NANOSLEEP by x->mask */
bool sleep_warp(struct sm *s, struct warp *w);                    /* w could run: does it sleep? */
bool sleep_unit(struct sm *s, const struct warp *w);              /* w waits in a unit, until it gives up: true */
void sleep_end(struct wl_gpu *gpu, unsigned sm);                  /* time has passed: who wakes? */
void sleep_until(struct wl_gpu *gpu, unsigned sm, uint64_t time); /* time goes on to this at least */
bool sleep_jump(struct wl_gpu *gpu); /* to the nearest end of a sleep; false: nobody sleeps */
void sleep_idle(struct wl_gpu *gpu); /* where all sleep, time passes as elsewhere */

/* exec_async.c: a bulk copy that the driver's function makes for x's lanes; ranks: to those CTAs, 0:
 * where `to` says. */
enum flow bulk_called(struct exec *x, const struct bulk_in *b, uint32_t ranks);

/* runtime.c: the function of the driver that stands at x's instruction; false: the model does not have it */
bool runtime_call(struct exec *x, const char *name, enum flow *flow);

/* barrier.c */
/* SOURCE: the request of a gathered warp has been accepted, and answered. */
void barrier_fetch(struct exec *x);
/* exec_converge.c */
bool converge_as_yield(const struct exec *x, uint32_t lanes, struct wl_req *req); /* the DUT is asked for a YIELD */
void converge_answered(struct wl_gpu *gpu, const struct wl_record *rec);

void barrier_accepted(struct warp *w);
void barrier_answered(struct wl_gpu *gpu, unsigned sm, unsigned warp);
enum flow barrier_arrive(struct exec *x); /* the warp's lanes may be complete at a BAR */

/* cluster.c */
bool cluster_is_one(const struct wl_gpu *g); /* a CTA is alone in its cluster: addresses name no ranks */
/* Those of `lanes` whose address names the same CTA as that of the lowest. */
uint32_t cluster_mates(const struct wl_gpu *g, uint32_t lanes, const uint32_t addr[WL_WARP_LANES]);
/* Where the CTA is that the address names. A fault: it is not there. */
enum wl_fault cluster_find(const struct exec *x, uint32_t addr, struct place *to);
static inline bool cluster_is_own(const struct exec *x, struct place p)
{
	return p.sm == x->sm_index && p.slot == x->w->slot;
}
/* Whether some of these lanes' addresses in shared memory name another CTA than the own one. */
#define NO_CLUSTER_IN_DUT                                                                                              \
	"accesses to other CTAs' shared memory need cluster_barrier in the RTL (--units cluster_barrier)"
bool cluster_names_others(const struct exec *x, uint32_t lanes, const uint32_t addr[WL_WARP_LANES]);
/* The cluster's barrier may be complete: of a cluster on several SMs, whose units know their own warps only. */
void cluster_meet(struct wl_gpu *gpu, unsigned sm, unsigned slot);

/* grid.c */
uint32_t grid_next_number(const struct wl_gpu *gpu); /* of the CTA that is launched next */
/* Takes the launch of the next cluster back: id of its first CTA; false: all have started. */
bool grid_cancel(struct wl_gpu *gpu, uint32_t id[3]);
void grid_fill(struct wl_gpu *gpu); /* tells the host of CTAs that ended; CTAs onto free slots, lower-numbered first */
void grid_launch(struct wl_gpu *gpu, unsigned sm, unsigned slot); /* the next CTA into this slot, which is free */
void grid_retire(struct wl_gpu *gpu, unsigned sm, unsigned slot); /* an ended CTA's slot becomes free */
void grid_warp_exit(struct exec *x);

/* step.c */
enum step_end { STEP_TURN_OVER, STEP_BLOCKED, STEP_REQUEST, STEP_OVER };
enum step_end step_warp(struct wl_gpu *gpu, unsigned sm, unsigned warp, unsigned turn);
/* Up to n instructions of the current group alone, with no scheduling; *done counts those executed. */
enum flow step_group(struct exec *x, unsigned n, unsigned *done);
/* After step_group, with what it returned: whether it is another group's turn. In replay too: the same groups must have
 * been let go (groups_patience). */
bool step_turned(struct exec *x, enum flow flow, unsigned done);
void step_fetch(struct exec *x, uint32_t pc);      /* x's instruction is that at pc: operands as registers stand */
void step_count(struct exec *x, unsigned done);    /* after step_group: instructions and time */
unsigned step_turn(const struct wl_gpu *gpu);      /* length of the next turn; 0 = the limit is reached */
int step_next_warp(uint64_t ready, unsigned last); /* round robin: the ready warp after `last`, -1 = none */
bool step_sm(struct wl_gpu *gpu, unsigned sm);     /* one turn of its next ready warp; false: none is ready */
void warp_set_ready(struct wl_gpu *gpu, unsigned sm, unsigned warp);

/* schedule.c */
void schedule_begin(struct wl_gpu *gpu);
void schedule_warp_starts(struct wl_gpu *gpu, struct warp *w);
bool schedule_draws(const struct wl_gpu *gpu);          /* the policy draws who runs: the next functions say so */
bool schedule_turn(struct wl_gpu *gpu);                 /* one turn of some warp of some SM; false: none is ready */
bool schedule_step_sm(struct wl_gpu *gpu, unsigned sm); /* as step_sm */
/* SOURCE: the next of these ready warps, -1 = none; after its turn: no other has one before the next cycle. */
int schedule_next(struct wl_gpu *gpu, unsigned sm, uint64_t ready, unsigned last);
bool schedule_rests(struct wl_gpu *gpu);
enum step_end schedule_run(struct wl_gpu *gpu, unsigned sm, unsigned warp);

/* stop.c: ends the run */
enum flow stop_fault(struct exec *x, enum wl_fault fault, uint32_t lanes, bool has_addr, uint64_t addr);
enum flow stop_error(struct exec *x, const char *text);
/* Of a unit's instruction: several lanes may have faulted, each in its way; the lowest one's fault is reported, with
 * its address if the instruction has one. ra, ur: address operands. */
void stop_lanes_fault(struct wl_gpu *gpu, unsigned sm, unsigned warp, uint32_t pc, uint32_t lanes, const uint8_t *fault,
                      const uint64_t *ra, uint64_t ur);
/* Of something that lands, long after its instruction. addr: in the CTA's shared memory. */
void stop_landing(struct wl_gpu *gpu, unsigned sm, unsigned warp, uint32_t pc, uint32_t lanes, enum wl_fault fault,
                  uint32_t addr);
void stop_deadlock(struct wl_gpu *gpu);
void stop_spinning(struct wl_gpu *gpu, enum spin_verdict verdict);

/* misuse.c: true: the run goes on. False: the finding is a fault, and the run has ended. */
bool misuse_barrier(struct exec *x); /* all lanes of x's warp stand at one barrier, perhaps at several places */
bool misuse_launch(struct exec *x);  /* x asks for another cluster */
/* An answer has come to a CTA: `refused`, and the mbarrier is about to be told. */
void misuse_answered(struct wl_gpu *g, unsigned sm, unsigned slot, uint32_t mbarrier,
                     const struct wl_misuse_place *asked);
bool misuse_local_atomic(struct exec *x, uint32_t lanes, uint64_t addr);
/* asked: the instruction is executed, or the DUT is about to be asked; else it may come again, and only faults count.
 */
bool misuse_remote_arrive(struct exec *x, uint32_t lanes, uint32_t addr, bool asked);
bool misuse_mbarrier(struct exec *x, bool asked);  /* SYNCS */
void misuse_warp_mask(struct exec *x, bool asked); /* WARPSYNC; lanes that their masks leave out leave x->mask */
bool misuse_left_open(struct exec *x);             /* the CTA of x's warp ends */
void misuse_forget(struct sm *sm, unsigned slot);  /* mbarriers of the slot */
/* Who made or ended the mbarrier there; NULL: unknown. */
const struct mbar_life *misuse_life(const struct sm *sm, uint32_t addr);

struct wl_waiting;
/* waiting.c: what group `grp` of warp k waits for. */
void waiting_row(const struct wl_gpu *g, unsigned sm, unsigned k, const struct group *grp, struct wl_waiting *r);

/* explain.c: "pc 0x120 `BAR.SYNC 0x0` (hist.ptx, line 31)" */
void explain_place(const struct wl_program *p, uint32_t pc, char *buf, size_t n);
/* "shared address 0x408", with the variable that lies there: "full+8 (shared address 0x408)" */
void explain_shared(const struct wl_gpu *g, uint32_t addr, char *buf, size_t n);

/* spin.c */
uint64_t spin_bytes(uint64_t warps); /* of its state, without registers */
/* Whether the next turns are to be taken by spin_step_sm. */
bool spin_watches(struct wl_gpu *gpu);
bool spin_step_sm(struct wl_gpu *gpu, unsigned sm);                                     /* as step_sm */
enum step_end spin_turn(struct wl_gpu *gpu, unsigned sm, unsigned warp, unsigned turn); /* as step_warp */
/* SOURCE, before turns: watches begin and end, the run may. False: nothing may be executed now, since it is over or
 * requests that are on their way must come back first. */
bool spin_source(struct wl_gpu *gpu);
void spin_note_read(const struct exec *x, unsigned lane, uint64_t addr, uint64_t value);
void spin_note_record(struct wl_gpu *gpu, const struct wl_record *rec);

/* 32 bits of a hash of a and b: poison and turn lengths. */
static inline uint32_t mix32(uint64_t a, uint64_t b)
{
	uint64_t z = a * UINT64_C(0x9e3779b97f4a7c15) + b + UINT64_C(0x2545f4914f6cdd1d);
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)(z >> 32);
}
static inline unsigned lowest(uint32_t mask)
{
	return (unsigned)__builtin_ctz(mask);
}

#endif
