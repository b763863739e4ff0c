// SPDX-License-Identifier: Apache-2.0
/* async.h -- private: the agent of copies, beside the running warps. A copy lands after the instruction, in pieces, in
 * an order of the seed. No thread sees a byte of the copy before the landing.
 *
 * LDGSTS, bulk copies, STAS and REDAS are copies. ARRIVES is an arrival behind copies of the same threads. Groups
 * (LDGDEPBAR, UTMACMDFLUSH) are counted by warp and scoreboard, as in hardware: a thread that waits for its own groups
 * waits for all groups of the warp. Source: docs/spec/async.md, "Copies"; docs/spec/async.md, "Groups". */
#ifndef WARPLOCK_ASYNC_H
#define WARPLOCK_ASYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "warplock/isa.h"
#include "warplock/landing.h"

enum {
	ASYNC_MOST = 128,   /* under way in an SM; a further copy waits for the oldest */
	ASYNC_BOARDS = 6,   /* scoreboards of a warp */
	ASYNC_FILLS = 6,    /* copy.board of fills */
	ASYNC_NO_GROUP = 7, /* copy.board: no commit has come yet */
};

enum copy_kind {
	COPY_FREE,
	COPY_THREADS, /* LDGSTS: bytes of each lane to shared memory */
	COPY_STORE,   /* STAS, REDAS: the value of each lane to shared memory, then the lane's mbarrier */
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
	uint16_t mask; /* written bytes of every 16 */
	uint16_t slot;
	struct place {
		uint16_t sm, slot;
	} there; /* the CTA of the landing: the copy's own CTA, or another CTA of the cluster */
	uint32_t warp, pc;
	uint32_t lanes;     /* still to land */
	uint32_t group;     /* of the scoreboard, from 1 */
	uint64_t serial;    /* of the SM */
	uint64_t began;     /* time of the request */
	uint32_t low, high; /* bounds of the writes in shared memory, in the landing's SM; COPY_OUT, COPY_ARRIVE: 0 */
	uint64_t due;       /* time of the next landing, in the SM's time; UINT64_MAX: an arrival behind copies */
	/* bulk: pieces come in steps of `step`, from piece `next` on */
	uint32_t bytes, pieces, next, step, landed;
	bool shared_source;
	uint8_t validity;         /* bulk, member lut of UBLKCP_CHECK: the value sought; 0: none */
	bool matched;             /* the value was found */
	bool fills;               /* COPY_IN of zeros: no source, nobody is told, the warp waits */
	uint64_t from, to;        /* shared memory: address in the SM; `to`: in the SM of the landing */
	uint32_t mbarrier;        /* as `to`; copies of lanes: bar[] */
	uint32_t at[32], bar[32]; /* of lanes: shared memory of the landing's SM */
	uint64_t source[32];      /* of LDGSTS; the number of zeros: */
	uint8_t zeros[32];
	uint32_t value[32][4];
	/* in lockstep, of pieces (async_pieces.c) */
	uint32_t tells;   /* lanes with an mbarrier still to be told; bulk: lane 0 */
	bool reports;     /* ahead of `tells`: the result of the validity check */
	uint32_t flying;  /* pieces in the memory system, still to land */
	uint8_t reading;  /* within shared memory: 1 a READ is on the way, 2 the bytes can be written */
	uint32_t read_at; /* first byte of the piece read */
	uint8_t read[16]; /* bytes of the piece, while the run follows an order log */
};
/* Work of the agent of an SM. */
struct async {
	uint32_t n;    /* copies under way */
	uint64_t next; /* due time of the next copy; UINT64_MAX: none */
	uint64_t serial;
	bool outside;   /* shared memory lies in the DUT: the harness asks for pieces, by cycles of the harness */
	uint64_t cycle; /* of the harness */
	uint32_t piece; /* bytes of a piece, at most */
	uint64_t under_way[ASYNC_MOST / 64]; /* entries of copy[] under way: asked for, not landed wholly */
	uint8_t of_warp[WL_MAX_WARPS];       /* number of copies under way, of each warp */
	struct copy copy[ASYNC_MOST];
};
_Static_assert(ASYNC_MOST <= UINT8_MAX, "of_warp counts them in 8 bits");
#define FOR_COPIES(a, c)                                                                                               \
	for (unsigned word_ = 0; word_ < ASYNC_MOST / 64; word_++)                                                     \
		for (uint64_t left_ = (a)->under_way[word_];                                                           \
		     left_ && ((c) = &(a)->copy[64 * word_ + (unsigned)__builtin_ctzll(left_)], true);                 \
		     left_ &= left_ - 1)
/* Of a warp: groups committed so far, and the present wait. */
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
/* A new copy of x's instruction. The caller sets source, target and bytes; async_go starts the copy. */
struct copy *async_new(struct exec *x, enum copy_kind kind);
void async_go(struct exec *x, struct copy *c);
/* Issued copies of x's warp of these kinds (1 << enum copy_kind) become the next group of a scoreboard. */
void async_commit(struct exec *x, uint32_t kinds, unsigned board);
/* A fill lands before x's warp goes on. True: x's warp must wait. */
bool async_fill(struct exec *x, struct copy *c);
/* True: x's warp must wait until at most `most` groups of the scoreboard are under way. The hold of the warp is set. */
bool async_wait(struct exec *x, unsigned board, uint32_t most);
/* The same until no group of these scoreboards (a mask) is under way: the wait field of a word, before execution. */
bool async_wait_boards(struct exec *x, unsigned boards);
/* Lands all due pieces. A fault of a landing ends the run. */
void async_land(struct wl_gpu *gpu, unsigned sm);
/* All copies of a CTA land: another CTA is about to get the shared memory. */
void async_drain(struct wl_gpu *gpu, unsigned sm, unsigned slot);
/* In lockstep: no room for the copies of an instruction. */
bool async_full(const struct wl_gpu *gpu, unsigned sm);
/* In lockstep nobody can force copies to land at once: the CTA must stay. */
bool async_stays(const struct wl_gpu *gpu, unsigned sm, unsigned slot);

/* exec_async.c: the mbarrier of the copy's lane is told. A refusal of clusterlaunchcontrol is noted. */
void launch_answered(struct wl_gpu *gpu, unsigned sm, const struct copy *c, unsigned lane);

/* For async_pieces.c */
uint64_t async_later(const struct wl_gpu *g, uint64_t now, uint64_t salt);
void async_store(struct wl_gpu *g, uint8_t *p, const void *v, uint32_t n);
void async_reduce(const struct copy *c, const uint8_t *m, const uint8_t *b, uint8_t *to, uint32_t n);
bool async_late(struct wl_gpu *g, unsigned sm, const struct copy *c); /* a fault: the copy lands in an ended CTA */
void async_fault(struct wl_gpu *g, unsigned sm, const struct copy *c, uint32_t lanes, enum wl_fault fault,
                 uint32_t addr);
/* The copy's validity check finds something in these bytes. */
bool async_matches(const struct copy *c, const uint8_t *p, uint32_t n);
uint32_t async_behind(const struct async *a, const struct copy *c); /* lanes of the warp with older LDGSTS */
void async_done(struct wl_gpu *g, unsigned sm, struct copy *c, uint64_t now);
/* Pieces of a bulk copy lie in rows of the banks: async_cut bytes each, the first piece async_skew bytes fewer. */
uint32_t async_cut(const struct async *a, const struct copy *c);
uint32_t async_skew(const struct async *a, const struct copy *c);
/* In lockstep: the next piece to land, and the landing of a piece. */
enum wl_piece async_piece(struct wl_gpu *g, unsigned sm, uint64_t cycle, struct wl_landing *l);
void async_landed(struct wl_gpu *g, unsigned sm, const struct wl_landing *l, const uint8_t *data, enum wl_fault fault);
/* The piece named by a line of an order log; false: no copy has this piece now. */
bool async_find(struct wl_gpu *g, unsigned sm, uint32_t copy, uint32_t kind, uint32_t addr, uint32_t bytes,
                struct wl_landing *l);

#endif
