// SPDX-License-Identifier: Apache-2.0
/* Sectors of two requests at a time, by the cycle: the order if both sectors could go; a waiting sector must hold up no
 * other request. The cycles of the table in docs/units/atom_unit.md, with a memory that answers all sectors but one in
 * one cycle. */
#include <stddef.h>

#include "atom_unit_tests.h"

enum {
	READ_SHOWN = 3,  /* from the last beat: a read is shown */
	ANSWER_RUNS = 1, /* from the answer: the passes begin */
	STORE_RUNS = 2,  /* from the last beat: passes of a store begin */
	WRITE_SHOWN = 4, /* from there, with a single pass: the write is shown */
	APART = 20 /* cycles before the second request, so that every order is met with any number of lanes a beat */
};

static uint64_t sector_at(const struct atom_bench *b, unsigned n)
{
	return b->memory_at / 32 + 8 + n;
}

/* A lane on each of `count` sectors. */
static struct live *on_sectors(struct atom_bench *b, enum atom_kind kind, unsigned first, unsigned count)
{
	struct live *l = atom_bench_new(b, 0);
	l->req = (struct atom_req){.kind = kind, .size = 2, .mask = UINT32_MAX >> (32 - count)};
	for (unsigned i = 0; i < count; i++) {
		l->req.ra[i] = sector_at(b, first + i) * 32;
		l->req.rb[i][0] = 1;
	}
	atom_finish(b, l);
	return l;
}

/* The cycle that takes the last beat of the request. */
static uint64_t taken(struct atom_bench *b, struct live *l)
{
	const uint64_t until = b->cycle + 300;
	uint64_t at = b->cycle;
	for (atom_bench_send(b, l); b->sending && b->cycle < until; atom_bench_cycle(b))
		at = b->cycle;
	if (b->sending) {
		atom_bench_error(b, "an empty slot does not take a request");
		b->sending = NULL;
	}
	return at;
}

static void retire(struct atom_bench *b, const struct live *l)
{
	for (unsigned i = 0; i < 300 && l->used; i++)
		atom_bench_cycle(b);
	if (l->used)
		atom_bench_error(b, "a request waits for the sector of another one");
}

/* Cycle of the last request to memory for a sector. */
static uint64_t asked_at(const struct atom_bench *b, uint64_t sector, bool write)
{
	for (unsigned i = 1; i <= ASKED && i <= b->asks; i++)
		if (b->asked[(b->asks - i) % ASKED].sector == sector && b->asked[(b->asks - i) % ASKED].write == write)
			return b->asked[(b->asks - i) % ASKED].cycle;
	return 0;
}

/* An atomic in id 0, with a slow read of its sector. Behind the atomic, a load or a store in id 1. `passes`: the
 * store's passes begin around the cycle of the atomic's passes. Otherwise the load's request comes around the cycle of
 * the atomic's write. If both come in the same cycle, the id without the last turn goes first. The last turn was id 0's
 * or, with `turned`, another load's in id 1. Returns the latency at which both come in the same cycle, less
 * `latency`. */
static int two_sectors(struct atom_bench *b, bool passes, bool turned, unsigned latency)
{
	taken(b, on_sectors(b, ATOM_LDG, 0, 1)); /* id 0 had the last turn */
	atom_bench_drain(b);
	b->slow = sector_at(b, 1);
	b->slow_latency = latency;
	const uint64_t first = taken(b, on_sectors(b, ATOM_RED, 1, 1));
	if (turned) {
		struct live *l = on_sectors(b, ATOM_LDG, 2, 1);
		taken(b, l);
		retire(b, l);
	}
	for (unsigned i = 0; i < APART; i++)
		atom_bench_cycle(b);
	const uint64_t second = taken(b, on_sectors(b, passes ? ATOM_STG : ATOM_LDG, 3, 1));
	atom_bench_drain(b);
	uint64_t one = first + READ_SHOWN + latency + ANSWER_RUNS, other = second + STORE_RUNS;
	if (!passes) {
		one += WRITE_SHOWN;
		other = second + READ_SHOWN;
	}
	const int early = (int)(other - one);
	*(one == other && !turned ? &one : &other) += one == other;
	if (passes) {
		one += WRITE_SHOWN;
		other += WRITE_SHOWN;
	}
	const uint64_t is = asked_at(b, sector_at(b, 1), true), other_is = asked_at(b, sector_at(b, 3), passes);
	if (latency < 200 && (is != one || other_is != other))
		atom_bench_error(b, "%s, turned %d, %d cycles early: cycles %d and %d off",
		                 passes ? "passes" : "requests", turned, early, (int)(is - one),
		                 (int)(other_is - other));
	return early;
}

/* Sectors with addresses that differ in a single bit are different sectors: neither waits for the other, even if the
 * other is beyond memory. Over the bits, each lane but lane 0 is once alone in a sector. */
static void a_bit_apart(struct atom_bench *b)
{
	for (unsigned bit = 5; bit < 64 && !b->errors; bit++)
		for (unsigned order = 0; order < 2; order++) {
			struct live *l = on_sectors(b, ATOM_LDG, 0, 1);
			const unsigned alone = 1 + bit % 31;
			const uint64_t near = l->req.ra[0], far = near ^ UINT64_C(1) << bit;
			l->req.mask = UINT32_MAX;
			for (unsigned i = 0; i < 32; i++)
				l->req.ra[i] = (i == alone) == order ? near : far;
			/* the second sector is answered last, unless memory is not asked for the second */
			const unsigned want = ATOM_LOAD_CYCLES + b->beats - 1 + (bit < 48 || order == 1),
			               is = atom_cycles_of(b, l);
			if (is != want)
				atom_bench_error(b, "loads %u bits apart, order %u: %u cycles, expected %u", bit, order,
				                 is, want);
		}
	atom_bench_drain(b);
}

/* A request with a last sector that memory does not answer, in any id and either slot of the port; another request
 * overtakes. */
static void past_a_slow_one(struct atom_bench *b)
{
	for (unsigned k = 0; k < 2 * (b->ids < 4 ? b->ids : 4) && !b->errors; k++) {
		const unsigned ids = 1 + k / 2;
		struct live *before = NULL;
		if (k % 2) { /* the first slot is full meanwhile: the response is not taken */
			b->deaf = 1;
			taken(b, before = on_sectors(b, ATOM_LDG, 10, 1));
			for (unsigned i = 0; i < APART; i++)
				atom_bench_cycle(b);
		}
		b->slow = sector_at(b, ids - 1);
		b->slow_latency = 200;
		struct live *slow = on_sectors(b, ATOM_LDG, 0, ids);
		taken(b, slow);
		b->deaf = 0;
		if (before)
			retire(b, before);
		for (unsigned i = 0; i < APART; i++)
			atom_bench_cycle(b);
		const unsigned is = atom_cycles_of(b, on_sectors(b, ATOM_LDG, 12, 1)) - (b->beats - 1);
		if (is != ATOM_LOAD_CYCLES || !slow->used)
			atom_bench_error(b, "a load past a slow one of %u sectors: %u cycles", ids, is);
		atom_bench_drain(b);
	}
}

/* All ids are full and memory does not answer: a request without a sector gets a response. */
static void past_full_ids(struct atom_bench *b)
{
	struct live *full = NULL, *l;
	b->mute = true;
	for (unsigned n = 0; n < b->ids; n += 32)
		taken(b, full = on_sectors(b, ATOM_LDG, n, b->ids < 32 ? b->ids : 32));
	for (unsigned i = 0; i < APART; i++)
		atom_bench_cycle(b);
	l = on_sectors(b, ATOM_LDG, 20, 3);
	l->req.illegal = true;
	const unsigned is = atom_cycles_of(b, l) - (b->beats - 1);
	if (is > ATOM_LOAD_CYCLES || !full->used)
		atom_bench_error(b, "a request without a sector: %u cycles", is);
	b->mute = false;
	atom_bench_drain(b);
}

void atom_test_turns(struct atom_bench *b)
{
	unsigned at_once = 0;
	for (unsigned k = 0; k < 4 && !b->errors; k++) {
		const int latency = 200 + two_sectors(b, k & 1, k & 2, 200);
		for (int off = -3; off <= 3 && !b->errors; off++)
			at_once += two_sectors(b, k & 1, k & 2, (unsigned)(latency + off)) == 0;
	}
	b->slow_latency = 0;
	a_bit_apart(b);
	past_a_slow_one(b);
	b->slow_latency = 0;
	past_full_ids(b);
	if (at_once != 4 && !b->errors)
		atom_bench_error(b, "both at once: %u times, expected 4", at_once);
	atom_verdict(b, "two at a time");
}
