/* SPDX-License-Identifier: Apache-2.0
 * atom_unit_bench.h -- drives a model of atom_unit: requests in, memory behind it (any latency and order, writes of others
 * that make conditional writes fail), responses compared. What the unit does is judged at its memory port, so a netlist
 * without trace ports will do. */
#ifndef ATOM_BENCH_H
#define ATOM_BENCH_H

#include "../../../common/stall.h"
#include "atom_unit_ref.h"
#include "../../rtl_model.h"

enum {
	BENCH_LIVE = 64,
	MAX_PORTS = 4,
	MEMORY = 4096,
	MEMORY_MOST = 1 << 18, /* of figures that want sectors without a second request */
	IDS = 256,
	WINDOW = 512,
	SHARE_BEATS = 16,
	ASKED = 8
};
#define FIRST_AT                                                                                                       \
	UINT64_C(0x00007f1200345000) /* where the memory is at first; its first and last 16 bytes are not there */

#define PINS(PIN)                                                                                                      \
	PIN(clk_i)                                                                                                     \
	PIN(rst_i)                                                                                                     \
	PIN(shared_window_i)                                                                                           \
	PIN(local_window_i)                                                                                            \
	PIN(several_i)                                                                                                 \
	PIN(rank_i)                                                                                                    \
	PIN(share_valid_o)                                                                                             \
	PIN(share_ready_i)                                                                                             \
	PIN(share_slot_o)                                                                                              \
	PIN(share_kind_o)                                                                                              \
	PIN(share_ctl_o)                                                                                               \
	PIN(share_mask_o)                                                                                              \
	PIN(share_rb_o)                                                                                                \
	PIN(share_begin_i)                                                                                             \
	PIN(share_begin_slot_i)                                                                                        \
	PIN(share_begin_index_i)                                                                                       \
	PIN(share_absent_i)                                                                                            \
	PIN(share_ended_i)                                                                                             \
	PIN(share_outside_i)                                                                                           \
	PIN(share_pass_i)                                                                                              \
	PIN(share_end_i)                                                                                               \
	PIN(share_pass_slot_i)                                                                                         \
	PIN(share_pass_index_i)                                                                                        \
	PIN(share_we_i)                                                                                                \
	PIN(share_data_i)                                                                                              \
	PIN(beat_valid_i)                                                                                              \
	PIN(beat_ready_o)                                                                                              \
	PIN(port_open_o)                                                                                               \
	PIN(beat_port_i)                                                                                               \
	PIN(beat_tag_i)                                                                                                \
	PIN(beat_kind_i)                                                                                               \
	PIN(beat_ctl_i)                                                                                                \
	PIN(beat_flags_i)                                                                                              \
	PIN(beat_base_i)                                                                                               \
	PIN(beat_policy_i)                                                                                             \
	PIN(beat_index_i)                                                                                              \
	PIN(beat_last_i)                                                                                               \
	PIN(beat_mask_i)                                                                                               \
	PIN(beat_ra_i)                                                                                                 \
	PIN(beat_rb_i)                                                                                                 \
	PIN(beat_rc_i)                                                                                                 \
	PIN(done_valid_o)                                                                                              \
	PIN(done_warp_o)                                                                                               \
	PIN(rsp_valid_o)                                                                                               \
	PIN(rsp_take_i)                                                                                                \
	PIN(rsp_port_o)                                                                                                \
	PIN(rsp_o)                                                                                                     \
	PIN(rsp_data_o)                                                                                                \
	PIN(mem_req_valid_o)                                                                                           \
	PIN(mem_req_ready_i)                                                                                           \
	PIN(mem_req_id_o)                                                                                              \
	PIN(mem_req_write_o)                                                                                           \
	PIN(mem_req_cond_o)                                                                                            \
	PIN(mem_req_addr_o)                                                                                            \
	PIN(mem_req_mask_o)                                                                                            \
	PIN(mem_req_data_o)                                                                                            \
	PIN(mem_req_policy_o)                                                                                          \
	PIN(mem_req_policy_valid_o)                                                                                    \
	PIN(mem_rsp_valid_i)                                                                                           \
	PIN(mem_rsp_id_i)                                                                                              \
	PIN(mem_rsp_ok_i)                                                                                              \
	PIN(mem_rsp_halves_i)                                                                                          \
	PIN(mem_rsp_data_i)                                                                                            \
	PIN(idle_o)
#define TRACE_PINS(PIN)                                                                                                \
	PIN(trace_fault_valid_o)                                                                                       \
	PIN(trace_fault_tag_o)                                                                                         \
	PIN(trace_fault_lanes_o)                                                                                       \
	PIN(trace_range_valid_o)                                                                                       \
	PIN(trace_range_tag_o)                                                                                         \
	PIN(trace_range_lanes_o)                                                                                       \
	PIN(trace_commit_valid_o)                                                                                      \
	PIN(trace_commit_tag_o)                                                                                        \
	PIN(trace_commit_lanes_o)                                                                                      \
	PIN(trace_commit_addr_lo_o)                                                                                    \
	PIN(trace_commit_addr_hi_o)                                                                                    \
	PIN(trace_commit_bytes_written_o)                                                                              \
	PIN(trace_commit_has_old_o)                                                                                    \
	PIN(trace_commit_has_policy_o)                                                                                 \
	PIN(trace_commit_policy_lo_o)                                                                                  \
	PIN(trace_commit_policy_hi_o)                                                                                  \
	PIN(trace_commit_old_o)                                                                                        \
	PIN(trace_commit_now_o)

struct live { /* a request from its first beat to its response */
	struct atom_req req;
	struct atom_outcome out;
	bool used, whole;
	bool sharing;        /* beats of it are with atoms_pipe */
	uint32_t told;       /* lanes whose faults by themselves were shown */
	uint32_t ranged;     /* lanes that were shown to be out of range */
	unsigned port, beat; /* of the response */
	uint64_t order;      /* in which requests came */
};

struct mem_id {                        /* what the unit has under way with an id */
	bool busy, write, cond, owned; /* owned: it has read `sector` and nothing else has happened since */
	uint64_t sector, due;
	uint32_t mask;
	uint8_t data[32];
	bool stale; /* somebody wrote the sector since this id was told of it */
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
#define PIN(name) uint8_t *name;
	PINS(PIN)
	TRACE_PINS(PIN)
#undef PIN
	unsigned lanes, ports, ids, beats;
	unsigned id_bits, slot_bits; /* that the unit sets */
	bool lean;                   /* atom_unit_lean: one sector at a time, a lane a step */
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
	/* what this run does */
	enum stall_kind stall_in, stall_mem, stall_out;
	struct stall in, mem, out[MAX_PORTS];
	unsigned latency,
	        others; /* longest latency; one in so many conditional writes is beaten by another's write, 0: none */
	unsigned deaf;  /* ports whose responses are not taken */
	uint64_t slow;  /* a sector that memory answers later than others: after so many cycles, 0: none */
	unsigned slow_latency;
	bool fixed;    /* memory answers each request after `latency` cycles */
	bool mute;     /* memory answers nothing */
	unsigned away; /* atom_spaces: the bit that lanes beside a window differ in */
	struct {       /* requests to memory, the newest ones: a ring */
		uint64_t cycle, sector;
		bool write;
	} asked[ASKED];
	unsigned asks;
	/* the request that is being sent, and the one that the memory port holds */
	struct live *sending;
	unsigned beat;
	bool offering, req_held;
	uint8_t req_was[80];
	/* the range FAULT that the trace must show in this cycle, the COMMIT */
	struct {
		bool range, commit, has_old, has_policy;
		uint32_t range_tag, range_lanes, commit_tag, commit_lanes, written;
		uint64_t sector, policy;
		uint8_t old[32], now[32];
	} expect;
	/* counters */
	uint64_t requests, retired, sectors, retries, passes, lanes_done, faults, reordered, refusals, errors,
	        failed_compares, shared_lanes, others_lanes, absent_lanes, ended_lanes;
	uint64_t by_type[TYPES], by_kind[ATOM_KINDS], answered_order;
	unsigned good, bad; /* tests */
	unsigned inflight_sectors, most_sectors, most_requests;
};

void atom_bench_open(struct atom_bench *b, const char *path, uint64_t seed);
void atom_bench_reset(struct atom_bench *b);
/* Memory and windows lie elsewhere from now on; nothing is in flight. */
void atom_bench_move(struct atom_bench *b);
/* A free entry to fill with a request of `port`, or NULL; atom_bench_send makes it the next one that is sent. */
struct live *atom_bench_new(struct atom_bench *b, unsigned port);
void atom_bench_send(struct atom_bench *b, struct live *l);
void atom_bench_cycle(struct atom_bench *b);
/* Cycles until everything has retired; an error when that takes too long. */
void atom_bench_drain(struct atom_bench *b);
/* atom_unit_share.c, what stands for atoms_pipe: before the cycle, and when a beat goes. */
void atom_share_reset(struct atom_bench *b);
void atom_share_drive(struct atom_bench *b);
void atom_share_take(struct atom_bench *b, struct live *l);
/* atom_unit_check.c: what comes out in this cycle. */
void atom_check_done(struct atom_bench *b);
void atom_check_trace(struct atom_bench *b);
void atom_check_response(struct atom_bench *b);
void atom_check_request(struct atom_bench *b);
/* The request under way with a tag; which halves of a sector there are. */
struct live *atom_by_tag(struct atom_bench *b, uint32_t tag);
unsigned atom_halves(const struct atom_bench *b, uint64_t sector);
void atom_bench_error(struct atom_bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
