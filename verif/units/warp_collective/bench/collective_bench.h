/* SPDX-License-Identifier: Apache-2.0
 * collective_bench.h -- drives warp_collective on the beat bus. The bench compares every answer, the cycle of each
 * COMMIT, room and idle with collective_ref. The caller brings the requests. */
#ifndef COLLECTIVE_BENCH_H
#define COLLECTIVE_BENCH_H

#include "../../../common/rng.h"
#include "../../../common/stall.h"
#include "collective_seen.h"
#include "../../bench_main.h"
#include "pins/warp_collective.h"

enum {
	MAX_PORTS = 4,
	QUEUE = 256,
	TO_COMMIT = 2, /* cycles from the last beat */
	LEAN_FOLD = 1, /* lean form: from the COMMIT until the first lane is answered */
	TO_ANSWER = 4
};

/* A request still owed by the unit. */
struct owed {
	struct ref_rsp rsp;
	uint32_t mask;
	unsigned kind;
	unsigned long taken; /* cycle of the last beat */
	bool alone;          /* no request of the port was under way, and no answer is held back */
	bool seen;           /* the first answer has been offered */
};

struct collective_bench {
	struct model model;
	PINS_MEMBERS(warp_collective);
	unsigned lanes, ports, beats;
	bool lean; /* warp_collective_lean: one request at a time, a lane at a time */
	struct rng rng;
	struct stall in, out[MAX_PORTS];
	/* The next request, for a port; false: no more requests. */
	bool (*next)(void *self, unsigned port, struct ref_req *r);
	void *self;
	bool no_more;
	bool offered; /* a request is on the bus: `req`, from port `req_port`; `beat` beats are gone */
	struct ref_req req;
	unsigned req_port, beat;
	bool busy;                          /* answers were owed at the begin of the cycle */
	unsigned shown;                     /* lean: cycles in which the unit has seen the beat */
	unsigned long due;                  /* lean: cycle of the next beat of answers */
	struct owed owed[MAX_PORTS][QUEUE]; /* rings */
	unsigned first[MAX_PORTS], last[MAX_PORTS], out_beat[MAX_PORTS];
	unsigned promised[MAX_PORTS], depth; /* beats of answers: promised to accepted requests; room of a port */
	struct {
		unsigned long cycle;
		uint32_t tag, mask;
	} commit[QUEUE];
	unsigned first_commit, last_commit;
	unsigned long cycle, errors, taken, answered, moved, still, beats_taken, refused;
	struct collective_seen seen;
};

/* Opens a model. On failure the function prints the reason and exits with status 2. */
void bench_open(struct collective_bench *b, const struct bench_args *a);
void bench_reset(struct collective_bench *b);
void bench_stalls(struct collective_bench *b, enum stall_kind in, enum stall_kind out);
/* `more`: a new request may begin. */
void bench_cycle(struct collective_bench *b, bool more);
bool bench_owes(const struct collective_bench *b);
/* Lean: cycles from the last beat of a request to the last beat of the next, without stalls. */
unsigned long bench_lean_period(const struct collective_bench *b, const struct ref_req *r);
/* Until all are answered. */
void bench_drain(struct collective_bench *b);
/* Counts an error when got and want differ, and prints the first ten. */
void bench_expect(struct collective_bench *b, const char *what, uint64_t got, uint64_t want);

#endif
