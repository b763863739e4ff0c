/* SPDX-License-Identifier: Apache-2.0
 * core_bench.h -- drives a model of sync_core through its ports. Requests and expected responses go in. The bench
 * compares every response beat, and stalls both sides on request. */
#ifndef CORE_BENCH_H
#define CORE_BENCH_H

#include "../../../common/stall.h"
#include "../../atoms_pipe/bench/atoms_pipe_ref.h"
#include "../../bench_main.h"
#include "pins/sync_core.h"

enum { BENCH_PORTS = 4, BENCH_QUEUE = 4096, BENCH_RETIRES = 4096 };

struct bench_pins {
	PINS_MEMBERS(sync_core);
};

/* Trace so far of a request, and of memory (core_trace.c). */
struct bench_told {
	uint32_t committed, faulted;
	unsigned passes;
};
struct bench_trace {
	bool follows; /* every word is known */
	bool sums;    /* the pass of this cycle adds floats */
	uint32_t word[65536 / 4];
	uint64_t commits, faults, words, misses; /* coverage counters */
};

struct bench_port {
	struct ref_req req[BENCH_QUEUE]; /* ring: [sent .. queued) still to send */
	struct ref_rsp rsp[BENCH_QUEUE]; /* ring: [retired .. queued) still expected */
	struct bench_told told[BENCH_QUEUE];
	unsigned queued, sent, retired;
	unsigned send_beat, recv_beat;
	bool offering; /* valid is high and must stay so */
	struct stall in, out;
};

struct bench {
	struct model model;
	struct bench_pins pin;
	struct bench_trace trace;
	unsigned lanes, banks, ports, bytes, beats;
	struct bench_port port[BENCH_PORTS];
	enum stall_kind stall_in, stall_out;
	unsigned stopped, deaf; /* ports sending one beat of a request and no more; ports taking no responses */
	struct rng rng;
	uint64_t cycle;
	uint64_t retires, beats_seen, faults_seen, passes_seen; /* coverage counters */
	unsigned inflight, inflight_max;
	uint64_t retire_cycle[BENCH_RETIRES]; /* of the last retires, ring by `retires` */
	uint32_t wrote[3], wrote_row[3][32];  /* banks and rows written by the passes of 1, 2 and 3 cycles ago */
	bool lean;                            /* the small form */
	unsigned lean_pass; /* most cycles from pass to pass, and of a beat beside (docs/units/atoms_pipe.md) */
	unsigned fp_stages; /* of the adders; with 2, sums commit a cycle later */
	unsigned row_bits;
	void (*watch)(struct bench *b); /* sees the pins of every cycle before the edge; NULL: none */
	unsigned errors;
};

uint64_t bench_random(struct bench *b);
void bench_open(struct bench *b, const struct bench_args *a);
/* Drops requests under way and queued requests. */
void bench_reset(struct bench *b);
/* Adds a request and its expected response to a port's queue; the queue must have room. */
void bench_queue(struct bench *b, unsigned port, const struct ref_req *req, const struct ref_rsp *rsp);
/* A clock cycle. */
void bench_cycle(struct bench *b);
/* Cycles until every queued request has retired; an error beyond the bound. */
void bench_drain(struct bench *b);
void bench_window(struct bench *b, unsigned slot, const struct ref_window *w);
/* Offers a host access in this cycle; true: the next bench_cycle takes the access. The pin stays. */
bool bench_host_ready(struct bench *b, bool write, uint32_t addr, uint32_t value);
void bench_host_write(struct bench *b, uint32_t addr, uint32_t value);
uint32_t bench_host_read(struct bench *b, uint32_t addr);
/* Counts an error and prints it (the first ten). */
void bench_error(struct bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
