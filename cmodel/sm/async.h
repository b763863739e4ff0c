// SPDX-License-Identifier: Apache-2.0
/* async.h -- private: the agent that copies while warps go on. What has been asked for lands later, in pieces, in an
 * order of the seed's; nobody sees a byte of it before.
 *
 * LDGSTS, bulk copies, STAS and REDAS are copies; ARRIVES is an arrival that waits for copies of its threads. Groups
 * (LDGDEPBAR, UTMACMDFLUSH) are counted by warp and scoreboard, as hardware does: a thread that waits for its own
 * groups waits for those of its warp. */
#ifndef WARPLOCK_ASYNC_H
#define WARPLOCK_ASYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "warplock/isa.h"

enum {
	ASYNC_MOST = 128,   /* under way in one SM; more wait for the oldest */
	ASYNC_BOARDS = 6,   /* scoreboards of a warp */
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
	uint32_t warp, pc;
	uint32_t lanes;  /* that have not landed */
	uint32_t group;  /* of its scoreboard, from 1 */
	uint64_t serial; /* of the SM */
	uint64_t due;    /* when something of it lands, in the SM's time; UINT64_MAX: when copies have */
	/* bulk: pieces are taken in steps of `step`, from piece `next` on */
	uint32_t bytes, pieces, next, step, landed;
	bool shared_source;
	uint64_t from, to;        /* shared memory: in that of the SM */
	uint32_t mbarrier;        /* likewise; of lanes: at[] */
	uint32_t at[32], bar[32]; /* of lanes: shared memory of the SM */
	uint64_t source[32];      /* of LDGSTS; its zeros: */
	uint8_t zeros[32];
	uint32_t value[32][4];
};
/* What the agent of an SM has to do. */
struct async {
	uint32_t n;    /* copies under way */
	uint64_t next; /* when the next of them is due; UINT64_MAX: none */
	uint64_t serial;
	struct copy copy[ASYNC_MOST];
};
/* Of a warp: groups committed so far, and what it waits for. */
struct async_warp {
	uint32_t groups[ASYNC_BOARDS];
	uint8_t board;
	uint32_t most;
};

struct wl_gpu;
struct exec;
void async_init(struct async *a);
/* A copy of x's instruction, all members but those of what it copies set; async_go starts it. */
struct copy *async_new(struct exec *x, enum copy_kind kind);
void async_go(struct exec *x, struct copy *c);
/* Copies of these kinds (1 << enum copy_kind) that x's warp has issued are the next group of a scoreboard. */
void async_commit(struct exec *x, uint32_t kinds, unsigned board);
/* Whether x's warp must wait until at most `most` groups of the scoreboard are under way; it is told to. */
bool async_wait(struct exec *x, unsigned board, uint32_t most);
/* What is due lands. A fault there ends the run. */
void async_land(struct wl_gpu *gpu, unsigned sm);
/* All copies of a CTA land: its shared memory is about to be somebody else's. */
void async_drain(struct wl_gpu *gpu, unsigned sm, unsigned slot);

#endif
