// SPDX-License-Identifier: Apache-2.0
/* async.h -- private: the agent that copies while warps go on. A copy lands after its instruction, in pieces, in an
 * order of the seed. No thread sees a byte of the copy before.
 *
 * LDGSTS, bulk copies, STAS and REDAS are copies. ARRIVES is an arrival that waits for copies of its threads. Groups
 * (LDGDEPBAR, UTMACMDFLUSH) are counted by warp and scoreboard, as in hardware: a thread that waits for its own groups
 * waits for all groups of its warp. Source: docs/spec/async.md, "Copies"; docs/spec/async.md, "Groups". */
#ifndef WARPLOCK_ASYNC_H
#define WARPLOCK_ASYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "warplock/isa.h"
#include "warplock/landing.h"

enum {
	ASYNC_MOST = 128,   /* under way in one SM; more wait for the oldest */
	ASYNC_BOARDS = 6,   /* scoreboards of a warp */
	ASYNC_FILLS = 6,    /* copy.board of fills */
	ASYNC_NO_GROUP = 7, /* copy.board: no commit has come yet */
};

enum copy_kind {
	COPY_FREE,
	COPY_THREADS, /* LDGSTS: each lane its bytes to shared memory */
	COPY_STORE,   /* STAS, REDAS: each lane its value to shared memory, then its mbarrier */
	COPY_IN,      /* bulk, to shared memory, then an mbarrier */
	COPY_OUT,     /* bulk, to global memory: of groups */
	COPY_ARRIVE,  /* ARRIVES */
};
struct copy {
	uint8_t kind, board;
	uint8_t size; /* of a lane's access, of a number */
	bool reduces; /* M = op(M, B) instead of M = B */
	uint8_t op, type;
	bool sgn;
	uint16_t mask; /* bytes of every 16 that are written */
	uint16_t slot;
	struct place {
		uint16_t sm, slot;
	} there; /* the CTA whose shared memory it lands in: its own, or another one of its cluster */
	uint32_t warp, pc;
	uint32_t lanes;     /* that have not landed */
	uint32_t group;     /* of its scoreboard, from 1 */
	uint64_t serial;    /* of the SM */
	uint64_t began;     /* when it was asked for */
	uint32_t low, high; /* shared memory that it writes lies between, of `there`; COPY_OUT, COPY_ARRIVE: 0 */
	uint64_t due;       /* when something of it lands, in the SM's time; UINT64_MAX: when copies have */
	/* bulk: pieces are taken in steps of `step`, from piece `next` on */
	uint32_t bytes, pieces, next, step, landed;
	bool shared_source;
	uint8_t validity;         /* bulk, member lut of UBLKCP_CHECK: what is looked for; 0: nothing */
	bool matched;             /* and found */
	bool fills;               /* COPY_IN of zeros: no source, nobody is told, the warp waits */
	uint64_t from, to;        /* shared memory: in that of the SM, of `to` that of `there` */
	uint32_t mbarrier;        /* as `to`; of lanes: at[] */
	uint32_t at[32], bar[32]; /* of lanes: shared memory of the SM */
	uint64_t source[32];      /* of LDGSTS; its zeros: */
	uint8_t zeros[32];
	uint32_t value[32][4];
	/* in lockstep, of pieces (async_pieces.c) */
	uint32_t tells;   /* lanes whose mbarrier must still be told; bulk: lane 0 */
	bool reports;     /* ahead of that: what the validity check has found */
	uint32_t flying;  /* pieces that the memory system has and that have not landed */
	uint8_t reading;  /* within shared memory: 1 a READ is on its way, 2 its bytes can be written */
	uint32_t read_at; /* first byte of that piece */
	uint8_t read[16]; /* an order log is followed: its bytes */
};
/* What the agent of an SM has to do. */
struct async {
	uint32_t n;    /* copies under way */
	uint64_t next; /* when the next of them is due; UINT64_MAX: none */
	uint64_t serial;
	bool outside;   /* shared memory lies in the DUT: the harness asks for pieces, by its cycles */
	uint64_t cycle; /* of the harness */
	uint32_t piece; /* bytes of one, at most */
	uint64_t under_way[ASYNC_MOST / 64]; /* which of these have been asked for, and not landed wholly */
	uint8_t of_warp[WL_MAX_WARPS];       /* how many of these each warp has asked for */
	struct copy copy[ASYNC_MOST];
};
_Static_assert(ASYNC_MOST <= UINT8_MAX, "of_warp counts them in 8 bits");
#define FOR_COPIES(a, c)                                                                                               \
	for (unsigned word_ = 0; word_ < ASYNC_MOST / 64; word_++)                                                     \
		for (uint64_t left_ = (a)->under_way[word_];                                                           \
		     left_ && ((c) = &(a)->copy[64 * word_ + (unsigned)__builtin_ctzll(left_)], true);                 \
		     left_ &= left_ - 1)
/* Of a warp: groups committed so far, and what it waits for. */
struct async_warp {
	uint32_t groups[ASYNC_BOARDS + 1];
	uint8_t board;
	uint32_t most;
};

struct wl_gpu;
struct exec;
/* A bulk copy into shared memory. */
struct bulk_in {
	bool within, reduces; /* from the CTA's own shared memory; M = op(M, B) */
	uint8_t validity;     /* as in struct copy */
	uint32_t bytes, to, mbarrier;
	uint64_t from;
};
void async_init(struct async *a);
/* A copy of x's instruction, all members but those of what it copies set; async_go starts it. */
struct copy *async_new(struct exec *x, enum copy_kind kind);
void async_go(struct exec *x, struct copy *c);
/* Copies of these kinds (1 << enum copy_kind) that x's warp has issued are the next group of a scoreboard. */
void async_commit(struct exec *x, uint32_t kinds, unsigned board);
/* A fill lands before x's warp goes on. True: x's warp must wait. */
bool async_fill(struct exec *x, struct copy *c);
/* Whether x's warp must wait until at most `most` groups of the scoreboard are under way; it is told to. */
bool async_wait(struct exec *x, unsigned board, uint32_t most);
/* The same for no group of any of these scoreboards, a mask: what a word's wait field asks before it is executed. */
bool async_wait_boards(struct exec *x, unsigned boards);
/* What is due lands. A fault there ends the run. */
void async_land(struct wl_gpu *gpu, unsigned sm);
/* All copies of a CTA land: its shared memory is about to be somebody else's. */
void async_drain(struct wl_gpu *gpu, unsigned sm, unsigned slot);
/* In lockstep: there is no room for the copies of an instruction. */
bool async_full(const struct wl_gpu *gpu, unsigned sm);
/* In lockstep nobody can make them land at once: the CTA must stay. */
bool async_stays(const struct wl_gpu *gpu, unsigned sm, unsigned slot);

/* exec_async.c: the mbarrier of the copy's lane is told. A refusal of clusterlaunchcontrol is noted. */
void launch_answered(struct wl_gpu *gpu, unsigned sm, const struct copy *c, unsigned lane);

/* For async_pieces.c */
uint64_t async_later(const struct wl_gpu *g, uint64_t now, uint64_t salt);
void async_store(struct wl_gpu *g, uint8_t *p, const void *v, uint32_t n);
void async_reduce(const struct copy *c, const uint8_t *m, const uint8_t *b, uint8_t *to, uint32_t n);
bool async_late(struct wl_gpu *g, unsigned sm, const struct copy *c); /* a fault: it lands in a CTA that has ended */
void async_fault(struct wl_gpu *g, unsigned sm, const struct copy *c, uint32_t lanes, enum wl_fault fault,
                 uint32_t addr);
/* The copy's validity check finds something in these bytes. */
bool async_matches(const struct copy *c, const uint8_t *p, uint32_t n);
uint32_t async_behind(const struct async *a, const struct copy *c); /* lanes of the warp with older LDGSTS */
void async_done(struct wl_gpu *g, unsigned sm, struct copy *c, uint64_t now);
/* Pieces of a bulk copy lie in rows of the banks: so many bytes each, the first one less by the skew. */
uint32_t async_cut(const struct async *a, const struct copy *c);
uint32_t async_skew(const struct async *a, const struct copy *c);
/* In lockstep: what lands next, and that it has. */
enum wl_piece async_piece(struct wl_gpu *g, unsigned sm, uint64_t cycle, struct wl_landing *l);
void async_landed(struct wl_gpu *g, unsigned sm, const struct wl_landing *l, const uint8_t *data, enum wl_fault fault);
/* The piece that a line of an order log names; false: no copy has it now. */
bool async_find(struct wl_gpu *g, unsigned sm, uint32_t copy, uint32_t kind, uint32_t addr, uint32_t bytes,
                struct wl_landing *l);

#endif
