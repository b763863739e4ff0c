/* SPDX-License-Identifier: Apache-2.0
 * mbar_bench.h -- drives mbarrier_engine through the ports of sync_core. The bench compares every answer, the released
 * warps and the time of each timeout with mbar_ref. The reference executes an instruction when the bench queues the
 * instruction. */
#ifndef MBAR_BENCH_H
#define MBAR_BENCH_H

#include "../../../common/rng.h"
#include "../../../common/stall.h"
#include "mbar_pins.h"
#include "mbar_ref.h"
#include "../../bench_main.h"

enum {
	WARPS = 48,
	QUEUE = 256,
	DUE = 1024,
	WINDOW = 1536,
	BASE = 512,
	SERVED = 40,
	OBJECTS = 6,
	OTHER = 5 /* slot of the other CTA of the cluster */
};

struct due { /* a phase ended in the reference */
	uint32_t object;
	struct mbar_end end;
	unsigned request; /* number of the ending request among the queued requests */
	uint64_t warps;
};

struct mbar_bench {
	struct model model;
	struct mbar_pins pin;
	unsigned lanes, banks, beats, suspend;
	bool lean;    /* the small form: more cycles */
	bool cluster; /* the model has clusters: the CTA is one of two */
	struct mbar_smem smem;
	struct mbar_req req[QUEUE];
	struct mbar_rsp rsp[QUEUE];
	unsigned queued, sent, send_beat, retired, recv_beat;
	bool offering;
	struct stall in, out;
	struct {
		bool waits, sent;
		uint32_t object;
		unsigned phase;   /* the warp waits for the end of this phase ... */
		bool conditional; /* ... of the conditional phases */
		uint64_t since;   /* cycle of the COMMIT; before the COMMIT, of the last beat's take */
	} warp[WARPS];
	struct due due[DUE];
	unsigned first_due, last_due;
	uint32_t object[OBJECTS];
	uint64_t cycle, progress; /* cycle of the last beat, response or release */
	struct rng rng;
	unsigned number, errors, bug, passed, failed;
	unsigned ender; /* warp whose COMMIT ends the phase awaited by another warp, 0: none; */
	bool ended;     /* the bench has seen the COMMIT */
	unsigned long flips, by_other, released, gave_up, parked, faults[MBAR_FAULTS], retires, late;
	/* sm_107 */
	unsigned long reported, stayed, told,
	        conditional; /* phases with a report; warps waiting on; lanes told; warps released */
	unsigned long apart; /* released from a conditional phase of another parity than the phase */
	unsigned long odd;   /* arrivals at words not of layout v1 */
};

/* Opens a model. On failure the function prints the reason and exits with status 2. `bug`: a planted bug, 0: none. */
void mbar_open(struct mbar_bench *b, const struct bench_args *a);
void mbar_reset(struct mbar_bench *b);
/* Fills the window through the host port; host writes take the marks away. */
void mbar_fill(struct mbar_bench *b);

void mbar_queue(struct mbar_bench *b, const struct mbar_req *r);
/* A cycle of the model: queued requests go out, outputs are compared. Ends the program when the model stands still. */
void mbar_cycle(struct mbar_bench *b);
bool mbar_busy(struct mbar_bench *b);
/* Until each queued request has its answer, or waits. */
void mbar_drain(struct mbar_bench *b);
/* Loads all objects: the memory must equal the reference's. */
void mbar_check_memory(struct mbar_bench *b);

/* An instruction of one lane on the object at `addr` of the window. */
struct mbar_req mbar_on_object(struct mbar_bench *b, enum mbar_op op, unsigned warp, uint32_t addr, uint64_t value);
/* Cycles until *what has reached the value. */
unsigned mbar_wait_for(struct mbar_bench *b, const unsigned long *what, unsigned long value);

/* An error; the first ten are printed. */
void mbar_complain(struct mbar_bench *b, const char *what, unsigned long long got, unsigned long long want);
/* Ends a test: prints and counts the result. */
void mbar_verdict(struct mbar_bench *b, const char *what);

static inline uint32_t mbar_below(struct mbar_bench *b, uint32_t n)
{
	return rng_below(&b->rng, n);
}

#endif
