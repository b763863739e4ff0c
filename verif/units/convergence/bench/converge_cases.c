// SPDX-License-Identifier: Apache-2.0
/* Requests of single warps, one at a time, too rare in random traffic: each lane waits for another lane, at each
 * barrier. A YIELD walks over many barriers, names waiting lanes, is ended by a reset. Every bit of every set is
 * written, emptied and read. */
#include "converge_bench.h"

/* Each lane waits alone, and another lane elsewhere, both for a yielding lane; then for all other lanes, yielding in
 * two halves. The other barriers keep their contents. */
void lone_waiters(struct converge_bench *b)
{
	bench_stalls(b, STALL_NEVER, STALL_NEVER);
	bench_reset(b);
	b->settled = true;
	for (unsigned l = 0; l < REF_LANES && b->errors == 0; l++) {
		const unsigned w = bench_warp(b, l);
		const uint32_t one = UINT32_C(1) << l, next = one << 1 | one >> 31, third = next << 1 | next >> 31;
		const uint32_t half = rng_u32(&b->rng) & ~one;
		const unsigned bar = l % REF_BARS;
		for (unsigned all = 0; all < REF_BARS && l % 4 == 0; all++) {
			bench_ask(b, w, REF_BSSY, all, UINT32_MAX);
		}
		bench_ask(b, w, REF_BSSY, bar, one | next);
		bench_ask(b, w, REF_BSYNC, bar, one);
		bench_ask(b, w, REF_YIELD, 0, ~one & ~next);
		bench_ask(b, w, REF_BSSY, (bar + 5) % REF_BARS, third | next);
		bench_ask(b, w, REF_BSYNC, (bar + 5) % REF_BARS, third);
		bench_ask(b, w, REF_YIELD, 0, ~one & ~next & ~third);
		bench_ask(b, w, REF_YIELD, 0, next);
		bench_ask(b, w, REF_BSSY, (bar + 10) % REF_BARS, UINT32_MAX);
		bench_ask(b, w, REF_BSYNC, (bar + 10) % REF_BARS, one);
		bench_ask(b, w, REF_YIELD, 0, half | next);
		bench_ask(b, w, REF_YIELD, 0, ~half & ~one);
		for (unsigned all = 0; all < REF_BARS && l % 4 == 0; all++) {
			bench_ask(b, w, REF_B2R, all, UINT32_MAX);
		}
	}
	b->settled = false;
}

/* Each lane waits at each barrier, and the next lane at another barrier, for a third lane. The third lane yields: the
 * walk must come to both barriers. */
void waiters_everywhere(struct converge_bench *b)
{
	bench_stalls(b, STALL_NEVER, STALL_NEVER);
	bench_reset(b);
	b->settled = true;
	for (unsigned i = 0; i < REF_LANES * REF_BARS && b->errors == 0; i++) {
		const unsigned l = i / REF_BARS, bar = i % REF_BARS;
		const uint32_t one = UINT32_C(1) << l, next = one << 1 | one >> 31, third = next << 1 | next >> 31;
		const unsigned other = (bar + 1 + l % (REF_BARS - 1)) % REF_BARS;
		bench_ask(b, i % b->warps, REF_BSSY, bar, one | third);
		bench_ask(b, i % b->warps, REF_BSYNC, bar, one);
		bench_ask(b, i % b->warps, REF_BSSY, other, next | third);
		bench_ask(b, i % b->warps, REF_BSYNC, other, next);
		bench_ask(b, i % b->warps, REF_YIELD, 0, third);
	}
	b->settled = false;
}

/* At each of the first barriers, then at any set of barriers, a lane waits for the last lane. The last lane yields
 * after the others. */
void walked_barriers(struct converge_bench *b)
{
	const uint32_t last = UINT32_C(1) << (REF_LANES - 1);
	bench_stalls(b, STALL_NEVER, STALL_NEVER);
	bench_reset(b);
	b->settled = true;
	for (unsigned n = 0; n < 2 * REF_BARS && b->errors == 0; n++) {
		const unsigned w = bench_warp(b, n);
		const uint32_t bars = n < REF_BARS ? UINT32_C(2) << n : 1 + rng_u32(&b->rng) % 0xffff;
		uint32_t ready = UINT32_MAX;
		for (unsigned bar = 0; bar < REF_BARS; bar++) {
			const uint32_t one = UINT32_C(1) << bar;
			if (n < REF_BARS ? one < bars : bars & one) {
				bench_ask(b, w, REF_BSSY, bar, one | last);
				bench_ask(b, w, REF_BSYNC, bar, one);
				ready &= ~one;
			}
		}
		bench_ask(b, w, REF_YIELD, 0, ready & ~last);
		bench_ask(b, w, REF_YIELD, 0, last);
		for (unsigned bar = 0; bar < REF_BARS; bar++) {
			bench_ask(b, w, REF_B2R, bar, UINT32_MAX);
		}
	}
	b->settled = false;
}

/* Some lanes wait, each at a barrier of its own for a group of other lanes. Some of the other lanes yield, so the state
 * goes through a walk over all barriers. Then the lanes come one by one: each waiting lane goes on with the last lane
 * of its group. */
void groups_of_one_yield(struct converge_bench *b, unsigned rounds)
{
	bench_stalls(b, STALL_NEVER, STALL_NEVER);
	bench_reset(b);
	b->settled = true;
	for (unsigned i = 0; i < rounds && b->errors == 0; i++) {
		const unsigned w = i % b->warps, groups = 2 + bench_below(b, 5), bar = bench_below(b, REF_BARS);
		const unsigned turn = bench_below(b, REF_LANES), step = 1 + 2 * bench_below(b, REF_LANES / 2);
		uint32_t group[8] = {0};
		for (unsigned l = 0; l < REF_LANES; l++) {
			const unsigned lane = (turn + l * step) % REF_LANES; /* the first lanes are the waiting lanes */
			group[l < groups ? l : bench_below(b, groups)] |= UINT32_C(1) << lane;
		}
		if (i >= b->warps) {
			bench_renew(b, w);
		}
		for (unsigned g = 0; g < groups; g++) {
			bench_ask(b, w, REF_BSSY, (bar + 3 * g) % REF_BARS, group[g]);
			bench_ask(b, w, REF_BSYNC, (bar + 3 * g) % REF_BARS,
			          UINT32_C(1) << (turn + g * step) % REF_LANES);
		}
		uint32_t ready = ref_ready(&b->warp[w].ref);
		if (ready & (ready >> 16 | ready << 16)) {
			bench_ask(b, w, REF_YIELD, 0, ready & (ready >> 16 | ready << 16));
		}
		for (unsigned l = 0; l < REF_LANES && b->errors == 0; l++) {
			const uint32_t one = UINT32_C(1) << (turn + 5 * l) % REF_LANES;
			for (unsigned g = 0; g < groups && ref_ready(&b->warp[w].ref) & one; g++) {
				if (group[g] & one) {
					bench_ask(b, w, REF_BSYNC, (bar + 3 * g) % REF_BARS, one);
					break;
				}
			}
		}
		for (unsigned g = 0; g < REF_BARS && ref_ready(&b->warp[w].ref); g++) {
			bench_ask(b, w, REF_B2R, g, ref_ready(&b->warp[w].ref));
		}
	}
	b->settled = false;
}

/* Each lane waits while missing at another barrier, and a YIELD names the lane. The lane missing the named lane goes
 * on. The named lane keeps its sets, and has not yielded. Then the lane itself yields while no lane waits, and counts
 * as yielded. */
void named_waiters(struct converge_bench *b)
{
	bench_stalls(b, STALL_NEVER, STALL_NEVER);
	bench_reset(b);
	b->settled = true;
	for (unsigned l = 0; l < REF_LANES && b->errors == 0; l++) {
		const unsigned w = bench_warp(b, l);
		const uint32_t one = UINT32_C(1) << l, next = one << 1 | one >> 31, third = next << 1 | next >> 31,
		               other = third << 1 | third >> 31;
		const unsigned at = l % REF_BARS, missed = (l + 5) % REF_BARS, last = (l + 9) % REF_BARS;
		bench_ask(b, w, REF_BSSY, at, one | third);
		bench_ask(b, w, REF_BSSY, missed, one | next);
		bench_ask(b, w, REF_BSYNC, at, one);
		bench_ask(b, w, REF_BSYNC, missed, next);
		bench_ask(b, w, REF_YIELD, 0, one | other);
		bench_ask(b, w, REF_BSYNC, at, third);
		bench_ask(b, w, REF_B2R, missed, UINT32_MAX);
		bench_ask(b, w, REF_BSSY, last, one | next | third);
		bench_ask(b, w, REF_YIELD, 0, one);
		bench_ask(b, w, REF_BSYNC, last, next);
		bench_ask(b, w, REF_YIELD, 0, third);
		bench_ask(b, w, REF_B2R, last, one | third);
	}
	b->settled = false;
}

/* Lanes wait for a set, and one waiting lane is not in the set: all go on together all the same. */
void foreign_sets(struct converge_bench *b)
{
	bench_stalls(b, STALL_NEVER, STALL_NEVER);
	bench_reset(b);
	b->settled = true;
	for (unsigned l = 0; l < REF_LANES && b->errors == 0; l++) {
		const unsigned w = bench_warp(b, l);
		const uint32_t one = UINT32_C(1) << l, next = one << 1 | one >> 31, third = next << 1 | next >> 31;
		const unsigned bar = l % REF_BARS;
		bench_put(b, w, bar, one | next | third, next | third);
		bench_ask(b, w, REF_BSYNC, bar, one);
		bench_ask(b, w, REF_BSYNC, bar, next);
		bench_ask(b, w, REF_BSYNC, bar, third);
	}
	b->settled = false;
}

/* A reset in each cycle of a walk over all barriers; requests of other kinds afterwards work as ever. */
void resets_in_walks(struct converge_bench *b)
{
	const uint32_t last = UINT32_C(1) << (REF_LANES - 1);
	bench_stalls(b, STALL_NEVER, STALL_NEVER);
	for (unsigned n = 0; n < 2 * REF_BARS && b->errors == 0; n++) {
		const unsigned w = n % b->warps;
		bench_reset(b);
		b->settled = true;
		for (unsigned bar = 0; bar < REF_BARS; bar++) {
			bench_ask(b, w, REF_BSSY, bar, UINT32_C(1) << bar | last);
			bench_ask(b, w, REF_BSYNC, bar, UINT32_C(1) << bar);
		}
		bench_offer(b, w, REF_YIELD, 0, last);
		const unsigned cycles = b->lean ? n * LEAN_PASS + n % 8 : n; /* the walk takes longer */
		for (unsigned cycle = 0; cycle < cycles && b->errors == 0; cycle++) {
			bench_cycle(b, false);
		}
		bench_reset(b);
		b->settled = true;
		bench_ask(b, w, REF_BSSY, n % REF_BARS, UINT32_MAX);
		bench_ask(b, w, REF_BSYNC, n % REF_BARS, ~last);
		bench_ask(b, w, REF_BSYNC, n % REF_BARS, last);
		b->settled = false;
	}
}

static void read_all(struct converge_bench *b, unsigned w)
{
	for (unsigned bar = 0; bar < REF_BARS; bar++) {
		bench_ask(b, w, REF_B2R, bar, UINT32_MAX);
	}
}

/* Random rows at all barriers of a warp, then meetings of some lanes to empty their sets, then again rows of some
 * lanes. */
void kept_sets(struct converge_bench *b, unsigned rounds)
{
	static const enum ref_kind kinds[] = {REF_R2B, REF_BSSY,  REF_BSYNC, REF_BSYNC,
	                                      REF_R2B, REF_CLEAR, REF_BREAK, REF_BSSY};
	bench_stalls(b, STALL_NEVER, STALL_NEVER);
	bench_reset(b);
	b->settled = true;
	for (unsigned i = 0; i < rounds && b->errors == 0; i++) {
		const unsigned w = bench_below(b, b->warps), turn = bench_below(b, REF_BARS);
		for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0] && b->errors == 0; k++) {
			for (unsigned n = 0; n < REF_BARS; n++) {
				const unsigned bar = (turn + 7 * n) % REF_BARS;
				const uint32_t some = k ? rng_u32(&b->rng) | 1 : UINT32_MAX;
				if (kinds[k] == REF_BSYNC) { /* all lanes of a set together: no lane stays behind */
					bench_ask(b, w, REF_BSSY, bar, some);
				}
				bench_ask(b, w, kinds[k], bar, some);
			}
			read_all(b, w);
		}
	}
	b->settled = false;
}
