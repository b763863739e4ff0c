// SPDX-License-Identifier: Apache-2.0
/* sync_core around the units, through its ports. A port stopping in the middle of a request, or taking no responses,
 * holds up no other port. Host and copies get on under full traffic. The end of a warp waits for the warp's accesses.
 * Requests of missing units fault.
 *
 *   slot_test MODEL.so [SEED] */
#include <stdio.h>
#include <string.h>

#include "core_bench.h"

enum {
	REGION = 512,    /* bytes of each port's window */
	HOST_AT = 3072,  /* words of host and copies, outside all windows */
	HOST_BOUND = 48, /* cycles until the host is served, at most */
	STUCK = 2000,    /* cycles for other ports to get through */
	REQUESTS = 20,
	ACCESSES = 200,
};

static unsigned passed, failed;

static void verdict(struct bench *b, const char *what)
{
	printf("%s  %s\n", b->errors ? "FAIL" : "ok  ", what);
	passed += b->errors == 0;
	failed += b->errors != 0;
	b->errors = 0;
}

static void issue(struct bench *b, struct ref_smem *s, unsigned port, struct ref_req *r)
{
	struct ref_rsp rsp;
	ref_run(s, r, &rsp);
	bench_queue(b, port, r, &rsp);
}

/* Stores of all lanes without conflicts, a pass a beat. */
static void stores(struct bench *b, struct ref_smem *s, unsigned port, unsigned count)
{
	for (unsigned n = 0; n < count; n++) {
		struct ref_req r = {.kind = REF_STS,
		                    .ra_used = true,
		                    .size = 2,
		                    .slot = port,
		                    .mask = UINT32_MAX,
		                    .tag = (n % 8 * b->ports + port) << 16 | n};
		for (unsigned i = 0; i < 32; i++) {
			r.ra[i] = i * 4;
			r.rb[i][0] = n + i;
		}
		issue(b, s, port, &r);
	}
}

static void cycles(struct bench *b, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		bench_cycle(b);
	}
}

/* All ports from 1 on must finish their requests while port 0 stands still. */
static void others_get_on(struct bench *b, struct ref_smem *s, const char *what)
{
	for (unsigned port = 0; port < b->ports; port++) {
		stores(b, s, port, REQUESTS);
	}
	cycles(b, STUCK);
	for (unsigned port = 1; port < b->ports; port++) {
		const struct bench_port *p = &b->port[port];
		if (p->retired != p->queued) {
			bench_error(b, "port %u: %u requests did not retire", port, p->queued - p->retired);
		}
	}
	if (b->port[0].retired == b->port[0].queued) {
		bench_error(b, "port 0 did not stand still");
	}
	b->stopped = b->deaf = 0;
	bench_drain(b);
	verdict(b, what);
}

static void test_progress(struct bench *b, struct ref_smem *s)
{
	if (b->ports == 1) {
		return;
	}
	if (b->beats > 1) {
		b->stopped = 1;
		others_get_on(b, s, "a port that stops in the middle of a request holds up no other");
	}
	b->deaf = 1;
	others_get_on(b, s, "a port that takes no responses holds up no other");
}

static void land_pins(struct bench *b, bool valid, bool write, uint32_t words, uint32_t value)
{
	pin_set(b->pin.land_valid_i, 0, 1, valid);
	pin_set(b->pin.land_kind_i, 0, 3, write ? 0 : 1);
	pin_set(b->pin.land_addr_i, 0, 16, HOST_AT);
	pin_set(b->pin.land_words_i, 0, b->banks, words);
	for (unsigned k = 0; k < b->banks; k++) {
		pin_set(b->pin.land_wdata_i, k * 32, 32, value + k);
	}
}

/* Host accesses while every cycle has a pass, alone and against copies: served in time, and each read returns the
 * written value. */
static void test_host(struct bench *b, struct ref_smem *s, bool against)
{
	unsigned worst = 0;
	for (unsigned n = 0; n < ACCESSES && b->errors == 0; n++) {
		for (unsigned port = 0; port < b->ports; port++) {
			if (b->port[port].queued - b->port[port].sent < 64) {
				stores(b, s, port, 128);
			}
		}
		if (against) {
			land_pins(b, true, true, 1, n);
		}
		uint32_t at = HOST_AT + 1024 - 4 - n % 16 * 4;
		unsigned waited = 0;
		while (!bench_host_ready(b, true, at, n * 7) && waited++ < 1000) {
			bench_cycle(b);
		}
		bench_cycle(b);
		*b->pin.host_valid_i = 0;
		worst = waited > worst ? waited : worst;
		uint32_t got = bench_host_read(b, at);
		if (got != n * 7) {
			bench_error(b, "the host reads %u at %04x, expected %u", got, at, n * 7);
		}
	}
	land_pins(b, false, false, 0, 0);
	if (worst > HOST_BOUND) {
		bench_error(b, "the host waited %u cycles, expected at most %d", worst, HOST_BOUND);
	}
	if (worst < 8) {
		bench_error(b, "the host never waited (%u cycles at most): there was no traffic", worst);
	}
	bench_drain(b);
	verdict(b, against ? "the host is served in time, against traffic and copies"
	                   : "the host is served in time, against traffic");
}

static void land(struct bench *b, bool write, uint32_t words, uint32_t value)
{
	land_pins(b, true, write, words, value);
	unsigned waited = 0;
	for (b->model.eval(b->model.self); !*b->pin.land_ready_o; b->model.eval(b->model.self)) {
		bench_cycle(b);
		if (waited++ > HOST_BOUND) {
			bench_error(b, "a piece of a copy waits %u cycles", waited);
			break;
		}
	}
	bench_cycle(b);
	land_pins(b, false, false, 0, 0);
}

/* Pieces of copies land in the named words and in no other words, under traffic; reads give the row. */
static void test_land(struct bench *b, struct ref_smem *s)
{
	const uint32_t all = b->banks == 32 ? UINT32_MAX : (UINT32_C(1) << b->banks) - 1;
	uint32_t row[32] = {0};
	for (unsigned n = 0; n < ACCESSES; n++) {
		uint32_t words = n ? (uint32_t)bench_random(b) & all : all, value = (uint32_t)bench_random(b);
		stores(b, s, n % b->ports, b->port[n % b->ports].queued - b->port[n % b->ports].retired < 64 ? 64 : 0);
		land(b, true, words, value);
		for (unsigned k = 0; k < b->banks; k++) {
			row[k] = words >> k & 1 ? value + k : row[k];
		}
		cycles(b, 1); /* two cycles after the handshake: the edge of the write */
		b->model.eval(b->model.self);
		if (!*b->pin.trace_sync_core_land_valid_o ||
		    pin_get(b->pin.trace_sync_core_land_words_o, 0, b->banks) != words) {
			bench_error(b, "no LAND of words %x", words);
		}
		land(b, false, all, 0);
		cycles(b, 1);
		b->model.eval(b->model.self);
		if (!*b->pin.land_rvalid_o) {
			bench_error(b, "no land_rvalid_o after a read");
		}
		for (unsigned k = 0; k < b->banks; k++) {
			uint32_t got = pin_get(b->pin.land_rdata_o, k * 32, 32);
			if (got != row[k]) {
				bench_error(b, "word %u of the row is %08x, expected %08x", k, got, row[k]);
			}
		}
	}
	bench_drain(b);
	verdict(b, "pieces of copies");
}

static uint32_t committed[48]; /* lanes of each warp's store */
static unsigned ends;

/* At its EXIT all lanes of the warp's store must have committed. */
static void watch_exit(struct bench *b)
{
	for (unsigned port = 0; port < b->ports; port++) {
		unsigned warp = pin_get(b->pin.trace_sync_core_exit_tag_o, port * 22 + 16, 6);
		if (!pin_get(b->pin.trace_sync_core_exit_valid_o, port, 1)) {
			continue;
		}
		ends++;
		if (committed[warp] != UINT32_MAX) {
			bench_error(b, "warp %u ends, and only lanes %08x of its store have committed", warp,
			            committed[warp]);
		}
	}
	if (*b->pin.trace_atoms_pipe_commit_valid_o) {
		unsigned warp = pin_get(b->pin.trace_atoms_pipe_commit_tag_o, 16, 6);
		committed[warp] |= pin_get(b->pin.trace_atoms_pipe_commit_lanes_o, 0, 32);
	}
}

/* EXIT behind stores of its warp: answered with a single beat, after the stores. */
static void test_exit(struct bench *b, struct ref_smem *s)
{
	for (unsigned n = 0; n < 48; n++) {
		unsigned port = n % b->ports;
		struct ref_req store = {
		        .kind = REF_STS, .ra_used = true, .size = 2, .slot = port, .mask = UINT32_MAX, .tag = n << 16};
		struct ref_req end = {.kind = REF_EXIT, .mask = UINT32_MAX, .slot = port, .tag = n << 16 | 1};
		for (unsigned i = 0; i < 32; i++) {
			store.ra[i] = i % 2 ? 0 : 4 * b->banks * (i % 4);
			store.rb[i][0] = n * 100 + i;
		}
		issue(b, s, port, &store);
		issue(b, s, port, &end);
	}
	b->watch = watch_exit;
	bench_drain(b);
	b->watch = NULL;
	if (ends != 48) {
		bench_error(b, "%u EXIT events, expected 48", ends);
	}
	verdict(b, "the end of a warp waits for its accesses");
}

static void test_refused(struct bench *b, struct ref_smem *s)
{
	for (unsigned n = 0; n < 64; n++) {
		struct ref_req r = {.kind = REF_OTHER, .tag = n % 48 << 16 | n};
		r.mask = (uint32_t)bench_random(b) | 1u << n % 32;
		issue(b, s, n % 48 % b->ports, &r);
	}
	bench_drain(b);
	verdict(b, "requests for units that are not built fault");
}

static struct bench_end run_bench(const struct bench_args *a)
{
	static struct bench b;
	static struct ref_smem s;
	bench_open(&b, a);
	s.lanes = b.lanes;
	s.banks = b.banks;
	bench_reset(&b);
	for (unsigned port = 0; port < b.ports; port++) {
		s.window[port] = (struct ref_window){port * REGION, REGION, true, 0};
		bench_window(&b, port, &s.window[port]);
	}
	test_progress(&b, &s);
	test_host(&b, &s, false);
	test_host(&b, &s, true);
	test_land(&b, &s);
	test_exit(&b, &s);
	test_refused(&b, &s);
	return (struct bench_end){passed, failed};
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {.words = "MODEL.so [SEED]", .run = run_bench};
	return bench_main(argc, argv, &form);
}
