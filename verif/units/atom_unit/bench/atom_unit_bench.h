/* SPDX-License-Identifier: Apache-2.0
 * atom_unit_bench.h -- drives a model of atom_unit: requests in, memory behind (any latency and order, writes of others
 * that make conditional writes fail), responses compared. The bench judges the unit at the memory port and on the trace,
 * where the parameter Trace is not 0. */
#ifndef ATOM_BENCH_H
#define ATOM_BENCH_H

#include "../../../common/stall.h"
#include "atom_unit_ref.h"
#include "../../bench_main.h"
#include "pins/atom_unit.h"

enum {
	BENCH_LIVE = 64,
	MAX_PORTS = 4,
	MEMORY = 4096,
	MEMORY_MOST = 1 << 18, /* for figures: sectors without a second request */
	IDS = 256,
	WINDOW = 512,
	SHARE_BEATS = 16,
	ASKED = 8
};
#define FIRST_AT                                                                                                       \
	UINT64_C(0x00007f1200345000) /* place of the memory at the start; the first and last 16 bytes are absent */

struct live { /* a request from the first beat to the response */
	struct atom_req req;
	struct atom_outcome out;
	bool used, whole;
	bool sharing;        /* beats are with atoms_pipe */
	uint32_t told;       /* lanes shown on the trace with their own faults */
	uint32_t ranged;     /* lanes shown as out of range */
	unsigned port, beat; /* of the response */
	uint64_t order;      /* order of arrival */
};

struct mem_id {                        /* the unit's work with an id */
	bool busy, write, cond, owned; /* owned: `sector` was read, and nothing has happened since */
	uint64_t sector, due;
	uint32_t mask;
	uint8_t data[32];
	bool kept;  /* a conditional write succeeded, and no other id has asked for the sector since */
	bool stale; /* the sector was written by others since the last answer to this id */
};

struct share_beat { /* at atoms_pipe */
	struct live *live;
	unsigned slot, index;
	bool last;
	uint32_t left; /* lanes */
	uint64_t due;
};

struct atom_bench {
	struct model model;
	PINS_MEMBERS(atom_unit);
	unsigned lanes, ports, ids, beats;
	unsigned id_bits, slot_bits; /* set by the unit */
	bool lean;                   /* atom_unit_lean: a sector at a time, a lane a step */
	struct atom_hw hw;
	uint64_t memory_at;
	bool traced, quiet;
	struct rng rng;
	uint64_t cycle, orders;
	struct live live[BENCH_LIVE];
	unsigned told[64], answered[64]; /* of each warp: to the scoreboard, with a response */
	unsigned memory_bytes;
	uint8_t memory[MEMORY_MOST];
	struct mem_id id[IDS];
	struct share_beat share[SHARE_BEATS]; /* a ring; counted from the start: */
	unsigned share_in, share_begun, share_done;
	/* settings of this run */
	enum stall_kind stall_in, stall_mem, stall_out;
	struct stall in, mem, out[MAX_PORTS];
	unsigned latency,
	        others; /* longest latency; 1 in `others` conditional writes fails by another's write, 0: none */
	unsigned deaf;  /* ports whose responses are not taken */
	uint64_t slow;  /* a sector with a late answer: after slow_latency cycles, 0: none */
	unsigned slow_latency;
	bool fixed;    /* memory answers each request after `latency` cycles */
	bool mute;     /* memory answers nothing */
	unsigned away; /* atom_spaces: the differing bit of lanes beside a window */
	struct {       /* the newest requests to memory: a ring */
		uint64_t cycle, sector;
		bool write;
	} asked[ASKED];
	unsigned asks;
	/* the request being sent, and the request held at the memory port */
	struct live *sending;
	unsigned beat;
	bool offering, req_held;
	uint8_t req_was[80];
	/* the range FAULT and the COMMIT due on the trace in this cycle */
	struct {
		bool range, commit, has_old, has_policy;
		uint32_t range_tag, range_lanes, commit_tag, commit_lanes, written;
		uint64_t sector, policy;
		uint8_t old[32], now[32];
	} expect;
	/* counters */
	uint64_t requests, retired, sectors, retries, kept, passes, lanes_done, faults, reordered, refusals, errors,
	        failed_compares, shared_lanes, others_lanes, absent_lanes, ended_lanes;
	uint64_t by_type[TYPES], by_kind[ATOM_KINDS], answered_order;
	unsigned good, bad; /* tests */
	unsigned inflight_sectors, most_sectors, most_requests;
};

void atom_bench_open(struct atom_bench *b, const struct bench_args *a);
void atom_bench_reset(struct atom_bench *b);
/* Moves memory and windows; nothing may be in flight. */
void atom_bench_move(struct atom_bench *b);
/* A free entry for a request of `port`, or NULL; atom_bench_send sends the request next. */
struct live *atom_bench_new(struct atom_bench *b, unsigned port);
void atom_bench_send(struct atom_bench *b, struct live *l);
void atom_bench_cycle(struct atom_bench *b);
/* Runs until everything has retired; an error after too many cycles. */
void atom_bench_drain(struct atom_bench *b);
/* atom_unit_share.c, the stand-in for atoms_pipe: before the cycle, and when a beat goes. */
void atom_share_reset(struct atom_bench *b);
void atom_share_drive(struct atom_bench *b);
void atom_share_take(struct atom_bench *b, struct live *l);
/* atom_unit_check.c: outputs of this cycle. */
void atom_check_done(struct atom_bench *b);
void atom_check_trace(struct atom_bench *b);
void atom_check_response(struct atom_bench *b);
void atom_check_request(struct atom_bench *b);
/* The request under way with a tag; the present halves of a sector. */
struct live *atom_by_tag(struct atom_bench *b, uint32_t tag);
unsigned atom_halves(const struct atom_bench *b, uint64_t sector);
void atom_bench_error(struct atom_bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
