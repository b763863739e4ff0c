// SPDX-License-Identifier: Apache-2.0
/* Many requests at a time: random requests under all kinds of back-pressure, resets in between, a port that takes
 * nothing. */
#include <stdio.h>

#include "atom_unit_tests.h"

void atom_test_stalls(struct atom_bench *b, unsigned count)
{
	char what[80];
	for (unsigned k = 0; k < STALL_KINDS * STALL_KINDS; k++) {
		static const unsigned latencies[] = {1, 4, 40, 200};
		b->stall_in = k % STALL_KINDS;
		b->stall_mem = (k + k / STALL_KINDS) % STALL_KINDS;
		b->stall_out = k / STALL_KINDS;
		b->latency = latencies[k % 4];
		b->others = k % 3 == 0 ? 0 : 4;
		atom_random_run(b,
		                k % 3 == 1   ? atom_crowd
		                : k % 5 == 2 ? atom_wrong
		                : k % 5 == 0 ? atom_generic
		                             : atom_any,
		                count / (STALL_KINDS * STALL_KINDS));
		snprintf(what, sizeof what, "random, stalls %u %u %u, latency %u, others %u", b->stall_in, b->stall_mem,
		         b->stall_out, b->latency, b->others);
		atom_verdict(b, what);
	}
	b->stall_in = b->stall_mem = b->stall_out = STALL_NEVER;
	/* lanes with different faults, in slots that wait for their port while other requests are judged */
	for (unsigned k = 0; k < 4; k++) {
		b->stall_out = k & 1 ? STALL_LONG : STALL_RANDOM;
		b->stall_in = k & 1 ? STALL_RANDOM : STALL_LONG;
		b->latency = k & 1 ? 1 : 20;
		b->away = rng_below(&b->rng, 32);
		atom_random_run(b, k & 2 ? atom_spaces : atom_generic, count / 16);
	}
	atom_verdict(b, "faults of many requests");
	b->stall_in = b->stall_out = STALL_NEVER;
	b->others = 0;
	b->latency = 1;
}

/* Also with everything held back: then all slots are full, and several responses wait for their port. */
void atom_test_reset(struct atom_bench *b)
{
	for (unsigned k = 0; k < 60 && !b->errors; k++) {
		b->latency = 1 + k % 7;
		b->deaf = k % 3 == 2 ? ~0u : 0;
		b->stall_mem = k % 4 == 3 ? STALL_LONG : STALL_NEVER;
		for (unsigned i = 0; i < 20 + k * 3; i++) {
			atom_send(b, k % 5 ? atom_any : atom_generic);
			atom_bench_cycle(b);
		}
		b->deaf = 0;
		b->stall_mem = STALL_NEVER;
		atom_bench_reset(b);
		atom_random_run(b, atom_any, 2);
	}
	b->latency = 1;
	atom_verdict(b, "reset in the middle of traffic");
}

/* Ports from 1 on go on while nobody takes the responses of port 0. */
void atom_test_deaf_port(struct atom_bench *b)
{
	if (b->ports == 1)
		return;
	const uint64_t requests = b->requests, retired = b->retired;
	b->deaf = 1;
	for (unsigned i = 0; i < 3000; i++) { /* of port 0 until port 0 is full, of the others all the time */
		struct live *l;
		if (b->sending && b->sending->port == 0 && !b->beat && !(*b->port_open_o & 1)) {
			b->sending->used = false; /* the arbiter takes another port's request */
			b->sending = NULL;
			b->offering = false;
		}
		if (!b->sending && (l = atom_bench_new(b, i % b->ports))) {
			atom_any(b, &l->req);
			atom_finish(b, l);
			atom_bench_send(b, l);
		}
		atom_bench_cycle(b);
	}
	const unsigned long long came = b->requests - requests, gone = b->retired - retired;
	if (came < 40 || came - gone > 8)
		atom_bench_error(b, "%llu requests of %llu retired", gone, came);
	b->deaf = 0;
	atom_bench_drain(b);
	atom_verdict(b, "a port whose responses are not taken");
}
