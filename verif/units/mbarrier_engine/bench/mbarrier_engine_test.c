// SPDX-License-Identifier: Apache-2.0
/* Bench of mbarrier_engine through the ports of sync_core: any model of one port with `Units` 9, RTL or netlist.
 *
 *   mbarrier_engine_test MODEL.so [SEED [COUNT [BUG]]]
 *
 * With one port instructions execute in sending order, so the reference executes each instruction when the bench queues
 * the instruction. A later instruction releases a warp waiting in the reference, or the warp gives up. The bench checks
 * both events when seen. COUNT: instructions for each architecture and pattern of stalls; 0: the figures alone. BUG is
 * a planted bug of the model. The test must find the bug: the exit status is then 0 if the test has seen errors. */
#include <stdio.h>

#include "mbar_bench.h"
#include "mbar_draw.h"

/* ---- time ---- */

/* Upper bounds of the lean form (docs/units/atoms_pipe.md): cycles from a beat's first cycle to the next beat's, and
 * from a pass to the next. The real length of a pass depends on the lanes with a result. */
static unsigned lean_beat(const struct mbar_bench *b)
{
	return 32 / b->beats + 5;
}

static unsigned lean_pass(const struct mbar_bench *b)
{
	return b->banks + 32 / b->beats + 10;
}

/* All 32 lanes bring an arrival to the same object: one a cycle. */
static void test_warp(struct mbar_bench *b)
{
	const unsigned long before = b->retires;
	struct mbar_req r = mbar_on_object(
	        b, OP_EXCH, 0, 64, mbar_pack(&(struct mbar_object){.expected = 0xfffff, .pending = 0xfffff}, 20));
	mbar_queue(b, &r);
	mbar_drain(b);
	r = mbar_on_object(b, OP_ARRIVE, 1, 64, 0);
	r.mask = UINT32_MAX;
	mbar_queue(b, &r);
	const unsigned cycles = mbar_wait_for(b, &b->retires, before + 2) - 1;
	/* from the first beat to the answer: 3 to the stage of passes, 32 passes, 3 behind the last pass, an answer
	 * each beat */
	const unsigned most = b->lean ? 32 * lean_pass(b) + b->beats * lean_beat(b) : 3 + 32 + 3 + b->beats;
	printf("mbar_32_lanes_cycles %u\n", cycles);
	if (cycles > most)
		mbar_complain(b, "cycles of 32 arrivals of one instruction", cycles, most);
	mbar_drain(b);
	mbar_verdict(b, "32 lanes on one object take little more than 32 cycles");
}

static void test_time(struct mbar_bench *b)
{
	struct mbar_req r =
	        mbar_on_object(b, OP_EXCH, 0, 64, mbar_pack(&(struct mbar_object){.expected = 1, .pending = 1}, 20));
	b->in.kind = b->out.kind = STALL_NEVER;
	mbar_queue(b, &r);
	mbar_drain(b);
	for (unsigned n = 0; n < 6; n++) {
		const unsigned phase = (unsigned)(b->smem.word[(BASE + 64) / 8] >> 63);
		r = mbar_on_object(b, OP_TRYWAIT, 1, 64, (uint64_t)phase << 31);
		mbar_queue(b, &r);
		while (mbar_busy(b))
			mbar_cycle(b);
		for (unsigned i = 0; i < (b->lean ? 80 : 24); i++) /* until the warp waits, but gives up not yet */
			mbar_cycle(b);
		r = mbar_on_object(b, OP_ARRIVE, 2, 64, 0);
		r.result = 2;
		mbar_queue(b, &r);
		const unsigned cycles = mbar_wait_for(b, &b->released, b->released + 1);
		/* the first beat, with the arrival, is taken in cycle 0 and goes on after the last beat has come */
		const unsigned want = b->lean         ? b->beats * lean_beat(b) + lean_pass(b)
		                      : b->beats == 1 ? 6
		                                      : 4 + b->beats;
		if (b->lean ? cycles - 1 > want : cycles - 1 != want)
			mbar_complain(b, "cycles from an arrival to the release", cycles - 1, want);
		if (n == 0)
			printf("mbar_wake_cycles %u\n", cycles - 1);
		mbar_drain(b);
	}
	mbar_verdict(b, "a warp is released 6 cycles after the arrival was taken (of one beat)");
	/* operations of a single lane on the same object: one a beat, and so one a cycle with 32 lanes */
	r = mbar_on_object(b, OP_EXCH, 0, 64,
	                   mbar_pack(&(struct mbar_object){.expected = 0xfffff, .pending = 0xfffff}, 20));
	mbar_queue(b, &r);
	mbar_drain(b);
	enum { MANY = 100 };
	for (unsigned n = 0; n < MANY; n++) {
		r = mbar_on_object(b, OP_ARRIVE, n % WARPS, 64, 0);
		mbar_queue(b, &r);
	}
	const unsigned long before = b->retires;
	mbar_wait_for(b, &b->retires, before + 20);
	const uint64_t from = b->cycle;
	mbar_wait_for(b, &b->retires, before + MANY);
	printf("mbar_operations_per_cycle %.3f\n", (MANY - 20) / (double)(b->cycle - from));
	const uint64_t want = (uint64_t)(MANY - 20) * b->beats * (b->lean ? lean_beat(b) : 1);
	if (b->lean ? b->cycle - from > want : b->cycle - from != want)
		mbar_complain(b, "cycles of 80 operations", b->cycle - from, want);
	mbar_drain(b);
	mbar_verdict(b, "an operation on one object each cycle (a beat)");
	test_warp(b);
}

/* A park between the arrivals of other warps, at every distance: no release is lost. */
static void test_races(struct mbar_bench *b)
{
	b->in.kind = b->out.kind = STALL_NEVER;
	for (unsigned n = 0; n < 40; n++) {
		struct mbar_req r = mbar_on_object(b, OP_EXCH, 0, 128,
		                                   mbar_pack(&(struct mbar_object){.expected = 2, .pending = 2}, 20));
		mbar_queue(b, &r);
		mbar_drain(b);
		r = mbar_on_object(b, OP_ARRIVE, 1, 128, 0);
		mbar_queue(b, &r);
		r = mbar_on_object(b, OP_TRYWAIT, 2, 128, 0);
		mbar_queue(b, &r);
		for (unsigned i = 0; i < n % 8; i++)
			mbar_cycle(b);
		r = mbar_on_object(b, OP_ARRIVE, 3, 128, 0);
		mbar_queue(b, &r);
		for (unsigned i = 0; i < n / 8; i++)
			mbar_cycle(b);
		r = mbar_on_object(b, OP_TRYWAIT, 4, 128, 0);
		mbar_queue(b, &r);
		mbar_drain(b);
		if (b->warp[2].waits || b->warp[4].waits)
			mbar_complain(b, "a wake is lost, warp", b->warp[2].waits ? 2 : 4, 0);
	}
	mbar_verdict(b, "a warp that parks just before the phase ends is released");
}

/* An arrival ends the phase in every cycle around the cycle of the warp's timeout. */
static void test_gives_up(struct mbar_bench *b)
{
	b->in.kind = b->out.kind = STALL_NEVER;
	for (unsigned n = 0; n < 90; n++) {
		struct mbar_req r = mbar_on_object(b, OP_EXCH, 0, 192,
		                                   mbar_pack(&(struct mbar_object){.expected = 1, .pending = 1}, 20));
		mbar_queue(b, &r);
		mbar_drain(b);
		r = mbar_on_object(b, OP_TRYWAIT, 5, 192, 0);
		mbar_queue(b, &r);
		for (unsigned i = 0; i < b->suspend - 20 + n; i++)
			mbar_cycle(b);
		r = mbar_on_object(b, OP_ARRIVE, 3, 192, 0);
		mbar_queue(b, &r);
		b->ender = 3;
		mbar_drain(b);
		b->ender = 0;
		b->ended = false;
		if (b->warp[5].waits)
			mbar_complain(b, "a wake is lost, warp", 5, 0);
	}
	mbar_verdict(b, "a phase that ends as a warp gives up");
}

/* ---- all tests ---- */

static void test_random(struct mbar_bench *b, unsigned arch, unsigned count)
{
	char what[96];
	b->smem.arch = arch;
	*b->pin.arch_i = (uint8_t)arch;
	for (unsigned i = 0; i < 4; i++) {
		b->in.kind = (enum stall_kind)i;
		b->out.kind = (enum stall_kind)(i * 3 % 4);
		mbar_random_traffic(b, count);
		mbar_check_memory(b);
		/* a reset in the middle of everything */
		for (unsigned n = 0; n < 60; n++) {
			struct mbar_req r;
			mbar_draw(b, &r);
			mbar_queue(b, &r);
		}
		for (unsigned n = mbar_below(b, 80); n; n--)
			mbar_cycle(b);
		mbar_reset(b);
		mbar_fill(b);
		snprintf(what, sizeof what, "sm_%u: random instructions, pattern %u, then a reset among them", arch, i);
		mbar_verdict(b, what);
	}
}

/* A short run, for example of a netlist, has few random instructions beside the directed instructions. */
static void test_floors(struct mbar_bench *b, bool is_short)
{
	const unsigned long many = is_short ? 200 : 500, some = is_short ? 40 : 100;
	const struct {
		const char *what;
		unsigned long seen, least;
	} floors[] = {
	        {"lanes that are misaligned", b->faults[MBAR_MISALIGNED], 1},
	        {"lanes out of range", b->faults[MBAR_OUT_OF_RANGE], 1},
	        {"lanes at no object", b->faults[MBAR_UNINIT], 1},
	        {"counts that cannot be", b->faults[MBAR_COUNT_RANGE], 1},
	        {"arrivals beyond those pending", b->faults[MBAR_UNDERFLOW], 1},
	        {"bytes beyond an edge", b->faults[MBAR_TX_RANGE], 1},
	        {"arrivals that must not be the last", b->faults[MBAR_NOCOMPLETE], 1},
	        {"drops beyond those expected", b->faults[MBAR_DROP_RANGE], 1},
	        {"arrivals at a drained object", b->faults[MBAR_DRAINED], 1},
	        {"phases that end", b->flips, many},
	        {"warps that are released", b->released, some},
	        {"warps that give up", b->gave_up, some},
	        {"sm_107: phases that end with a report", b->reported, is_short ? 1 : 100},
	        {"sm_107: warps that wait on for the conditional phase", b->stayed, is_short ? 0 : 10},
	        {"sm_107: warps that are released from the conditional phase", b->conditional, is_short ? 1 : 100},
	        {"sm_107: ... of another parity than the phase", b->apart, is_short ? 1 : 20},
	        {"sm_107: lanes that are told of a report", b->told, is_short ? 0 : 100},
	        {"sm_107: arrivals at words that no operation makes", b->odd, !is_short},
	        {"other CTA: lanes that it does not serve", b->faults[MBAR_BAD_SPACE], b->cluster},
	        {"other CTA: ranks that the cluster lacks", b->faults[MBAR_CLUSTER_RANK], b->cluster},
	        {"other CTA: phases that it ends", b->by_other, b->cluster ? some : 0},
	};
	for (unsigned i = 0; i < sizeof floors / sizeof floors[0]; i++)
		if (floors[i].seen < floors[i].least)
			mbar_complain(b, floors[i].what, floors[i].seen, floors[i].least);
	mbar_verdict(b, "every fault, releases and waits that were given up");
}

static struct bench_end run_bench(const struct bench_args *a)
{
	static struct mbar_bench b;
	const unsigned count = a->count;
	mbar_open(&b, a);
	printf("mbarrier_engine: %s, seed %llu\n", b.model.params, (unsigned long long)a->seed);
	mbar_reset(&b);
	mbar_fill(&b);
	b.smem.arch = 90;
	*b.pin.arch_i = 90;
	test_time(&b);
	if (count) { /* 0: figures alone */
		test_races(&b);
		test_gives_up(&b);
	}
	static const unsigned archs[] = {90, 100, 107, 120, 80};
	for (unsigned i = 0; i < sizeof archs / sizeof archs[0] && count; i++)
		test_random(&b, archs[i], count);
	if (count)
		test_floors(&b, count < 1000);
	printf("%lu instructions answered, %lu phases ended, %lu warps parked, %lu released, %lu gave up, %llu "
	       "cycles\n",
	       b.retires, b.flips, b.parked, b.released, b.gave_up, (unsigned long long)b.cycle);
	printf("sm_107: %lu phases ended with a report, %lu warps waited on, %lu released from the conditional phase, "
	       "%lu of another parity, %lu lanes told, %lu odd words\n",
	       b.reported, b.stayed, b.conditional, b.apart, b.told, b.odd);
	return (struct bench_end){b.passed, b.failed};
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {.words = "MODEL.so [SEED [COUNT [BUG]]]",
	                                       .usual = 3000,
	                                       .zero = "COUNT 0: the figures alone",
	                                       .run = run_bench};
	return bench_main(argc, argv, &form);
}
