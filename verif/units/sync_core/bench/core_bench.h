/* SPDX-License-Identifier: Apache-2.0
 * core_bench.h -- drives a model of sync_core through its ports: requests and their expected responses go in, every
 * response beat is compared, both sides stall as asked. */
#ifndef CORE_BENCH_H
#define CORE_BENCH_H

#include "../../../common/stall.h"
#include "../../atoms_pipe/bench/atoms_pipe_ref.h"
#include "../../rtl_model.h"

enum { BENCH_PORTS = 4, BENCH_QUEUE = 4096, BENCH_RETIRES = 4096 };

struct bench_pins {
	uint8_t *clk, *rst, *req_valid, *req_ready, *req_tag, *req_word, *req_mask, *req_slot, *req_ur, *req_pred,
	        *req_ra, *req_rb, *req_rc, *rsp_valid, *rsp_ready, *rsp_tag, *rsp_last, *rsp_mask, *rsp_pred, *rsp_data,
	        *rsp_passes, *rsp_fault, *rsp_any_fault, *cfg_valid, *cfg_slot, *cfg_window_valid, *cfg_base, *cfg_size,
	        *cfg_rank, *host_valid, *host_ready, *host_write, *host_addr, *host_wdata, *host_rvalid, *host_rdata,
	        *idle;
};

/* What the trace has said of a request, and of memory (core_trace.c). */
struct bench_told {
	uint32_t committed, faulted;
	unsigned passes;
};
struct bench_trace {
	bool there, follows; /* the model has a trace; every word is known */
	bool sums;           /* the pass of this cycle adds floats */
	uint8_t *commit_valid, *commit_tag, *commit_lanes, *commit_we, *commit_row, *commit_old, *commit_now,
	        *commit_fwd, *fault_valid, *fault_tag, *fault_lanes, *count_valid, *state_valid;
	uint32_t word[65536 / 4];
	uint64_t commits, faults, words, misses; /* counters of what was seen */
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
	unsigned stopped, deaf; /* ports that send one beat of a request and no more; that take no responses */
	struct rng rng;
	uint64_t cycle;
	uint64_t retires, beats_seen, faults_seen, passes_seen; /* counters of what was seen */
	unsigned inflight, inflight_max;
	uint64_t retire_cycle[BENCH_RETIRES]; /* of the last ones, ring by `retires` */
	uint32_t wrote[3], wrote_row[3][32];  /* banks that a pass wrote one, two and three cycles ago, and where */
	bool lean;                            /* the small form */
	unsigned lean_pass; /* its passes are not further apart, and a beat beside them takes no longer
	                       (docs/units/atoms_pipe.md) */
	unsigned fp_stages; /* of the adders: of 2, sums commit a cycle after they have read */
	unsigned row_bits;
	void (*watch)(struct bench *b); /* sees the pins of every cycle before its edge; NULL: nobody */
	unsigned errors;
};

uint64_t bench_random(struct bench *b);
void bench_open(struct bench *b, const char *path, uint64_t seed);
/* Drops what is under way and what is queued. */
void bench_reset(struct bench *b);
/* Adds a request and its expected response to a port's queue; the queue must have room. */
void bench_queue(struct bench *b, unsigned port, const struct ref_req *req, const struct ref_rsp *rsp);
/* One clock cycle. */
void bench_cycle(struct bench *b);
/* Cycles until everything queued has retired; an error when that takes longer than the bound. */
void bench_drain(struct bench *b);
void bench_window(struct bench *b, unsigned slot, const struct ref_window *w);
/* Offers a host access in this cycle; true: it is taken with the next bench_cycle. The pin stays. */
bool bench_host_ready(struct bench *b, bool write, uint32_t addr, uint32_t value);
void bench_host_write(struct bench *b, uint32_t addr, uint32_t value);
uint32_t bench_host_read(struct bench *b, uint32_t addr);
/* Counts an error and prints it (the first ten). */
void bench_error(struct bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
