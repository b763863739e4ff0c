// SPDX-License-Identifier: Apache-2.0
/* Bench of cluster_windows against a reference of its own. Clusters of CTAs come to slots and leave; warps end, several
 * in a cycle. In every cycle a CTA asks for the other CTAs, with the lives of the cycle or of an earlier cycle. The
 * reference keeps CTAs, each with its cluster, and searches all CTAs for a rank.
 *
 *   cluster_windows_test MODEL.so [SEED [CYCLES [BUG]]]
 *
 * A model has as many ranks as slots. */
#include <stdio.h>
#include <string.h>

#include "../../../common/rng.h"
#include "../../floors.h"
#include "../../bench_main.h"
#include "pins/cluster_windows.h"

enum { SLOTS = 16, CLUSTERS = 16, WARPS = 48, MAX_PORTS = 4 };

struct cta {
	bool here;
	unsigned cluster, rank, base, size, warps; /* warps: not ended yet */
};

static struct {
	struct model model;
	PINS_MEMBERS(cluster_windows);
	unsigned ports, slots, slot_bits;
	struct rng rng;
	struct cta cta[SLOTS], coming;
	unsigned slot;                                /* slot of the coming or going CTA, SLOTS: none */
	unsigned members[CLUSTERS], wanted[CLUSTERS]; /* CTAs of each cluster: already here, and in all */
	unsigned lives_before;
	unsigned long cycle, errors;
	struct {
		unsigned long alone, others, ended, absent, late, together, launches;
	} seen;
} b;

static unsigned below(unsigned n)
{
	return rng_below(&b.rng, n);
}

static void expect(const char *what, unsigned rank, unsigned got, unsigned want)
{
	if (got != want && b.errors++ < 10)
		printf("cycle %lu, rank %u: %s is 0x%x, expected 0x%x\n", b.cycle, rank, what, got, want);
}

/* ---- inputs ---- */

static bool over(unsigned cluster)
{
	for (unsigned s = 0; s < SLOTS; s++)
		if (b.cta[s].here && b.cta[s].cluster == cluster && b.cta[s].warps)
			return false;
	return true;
}

static void show(unsigned slot, const struct cta *c)
{
	b.slot = slot;
	b.coming = *c;
	*b.cfg_valid_i = 1;
	*b.cfg_slot_i = (uint8_t)slot;
	*b.cfg_window_valid_i = c->here;
	pin_set(b.cfg_base_i, 0, 17, c->base);
	pin_set(b.cfg_size_i, 0, 17, c->size);
	*b.cfg_cluster_i = (uint8_t)c->cluster;
	*b.cfg_rank_i = (uint8_t)c->rank;
	*b.cfg_warps_i = (uint8_t)c->warps;
}

/* For a leaving CTA only the slot counts. */
static void show_going(unsigned slot)
{
	show(slot, &(struct cta){.cluster = below(CLUSTERS),
	                         .rank = below(b.slots),
	                         .base = 16 * below(4096),
	                         .size = 16 * (below(2) ? below(4097) : 4096),
	                         .warps = below(64)});
	b.coming = b.cta[slot];
	b.coming.here = false;
}

/* Slots not promised to a cluster. */
static unsigned free_slots(void)
{
	unsigned free = b.slots;
	for (unsigned c = 0; c < CLUSTERS; c++)
		free -= b.wanted[c];
	return free;
}

/* A CTA of a coming cluster comes, or a CTA of an ended cluster goes. */
static void come_or_go(void)
{
	const unsigned slot = below(b.slots), cluster = below(CLUSTERS);
	struct cta *c = &b.cta[slot];
	*b.cfg_valid_i = 0;
	b.slot = SLOTS;
	if (c->here && b.members[c->cluster] == b.wanted[c->cluster] && over(c->cluster)) {
		show_going(slot);
	} else if (!c->here && (b.members[cluster] < b.wanted[cluster] || (!b.wanted[cluster] && free_slots()))) {
		if (!b.wanted[cluster])
			b.wanted[cluster] =
			        1 + below(b.slots > 4 && (below(4) || free_slots() < 6) ? 1 + free_slots() / 4
			                                                                : free_slots());
		show(slot, &(struct cta){.here = true,
		                         .cluster = cluster,
		                         .rank = b.members[cluster],
		                         .base = 16 * below(4096),
		                         .size = 16 * (below(8) ? below(4097) : 4096),
		                         .warps = 1 + below(below(4) ? 4 : WARPS)});
	}
}

static void end_warps(void)
{
	unsigned left[SLOTS], any = 0;
	for (unsigned s = 0; s < SLOTS; s++)
		left[s] = b.cta[s].here ? b.cta[s].warps : 0;
	*b.exit_i = 0;
	for (unsigned p = 0; p < b.ports; p++) {
		const unsigned slot = below(3) ? below(b.slots) : 5 % b.slots;
		pin_set(b.exit_slot_i, p * b.slot_bits, b.slot_bits, slot);
		if (slot == b.slot || !left[slot] || !below(3))
			continue;
		left[slot]--;
		*b.exit_i |= (uint8_t)(1u << p);
		b.seen.together += any >> slot & 1;
		any |= 1u << slot;
	}
}

static void step_reference(void)
{
	for (unsigned p = 0; p < b.ports; p++)
		if (*b.exit_i >> p & 1)
			b.cta[pin_get(b.exit_slot_i, p * b.slot_bits, b.slot_bits)].warps--;
	if (b.slot == SLOTS)
		return;
	b.cta[b.slot] = b.coming;
	b.seen.launches += b.coming.here;
	if (b.coming.here)
		b.members[b.coming.cluster]++;
	else if (!--b.members[b.coming.cluster])
		b.wanted[b.coming.cluster] = 0;
	else
		b.wanted[b.coming.cluster] = b.members[b.coming.cluster]; /* the other CTAs of the cluster go, too */
}

/* ---- outputs ---- */

static unsigned lives_now(void)
{
	unsigned lives = 0;
	for (unsigned s = 0; s < SLOTS; s++)
		lives |= (unsigned)(b.cta[s].here && b.cta[s].warps) << s;
	return lives;
}

static void ask(void)
{
	const bool late = below(2);
	const unsigned lives = late ? b.lives_before : lives_now();
	*b.valid_i = 1;
	*b.slot_i = (uint8_t)below(b.slots);
	pin_set(b.live_i, 0, b.slots, lives);
	b.model.eval(b.model.self);
	expect("live_o", 0, pin_get(b.live_o, 0, b.slots), lives_now());
	const struct cta *own = &b.cta[*b.slot_i];
	if (!own->here)
		return;
	unsigned ctas = 0;
	for (unsigned rank = 0; rank < b.slots; rank++) {
		unsigned s = 0;
		while (s < SLOTS && !(b.cta[s].here && b.cta[s].cluster == own->cluster && b.cta[s].rank == rank))
			s++;
		expect("there_o", rank, pin_get(b.there_o, rank, 1), s < SLOTS);
		b.seen.absent += s == SLOTS;
		if (s == SLOTS)
			continue;
		ctas++;
		expect("lives_o", rank, pin_get(b.lives_o, rank, 1), lives >> s & 1);
		expect("base_o", rank, pin_get(b.base_o, rank * 13, 13) * 16, b.cta[s].base);
		expect("size_o", rank, pin_get(b.size_o, rank * 13, 13) * 16, b.cta[s].size);
		b.seen.ended += !(lives >> s & 1);
		b.seen.late += (lives ^ lives_now()) >> s & 1;
	}
	expect("several_o", 0, *b.several_o, ctas > 1);
	if (ctas > 1)
		expect("rank_o", *b.slot_i, *b.rank_o, b.cta[*b.slot_i].rank);
	b.seen.alone += ctas == 1;
	b.seen.others += ctas > 1;
}

static void cycle(void)
{
	*b.clk_i = 0;
	come_or_go();
	end_warps();
	ask();
	if (!below(8))
		b.lives_before = lives_now();
	*b.clk_i = 1;
	b.model.eval(b.model.self);
	step_reference();
	b.cycle++;
}

static void reset(void)
{
	memset(b.cta, 0, sizeof b.cta);
	memset(b.members, 0, sizeof b.members);
	memset(b.wanted, 0, sizeof b.wanted);
	b.lives_before = 0;
	*b.rst_i = 1;
	*b.cfg_valid_i = *b.exit_i = *b.valid_i = 0;
	for (unsigned i = 0; i < 4; i++) {
		*b.clk_i = i & 1;
		b.model.eval(b.model.self);
	}
	*b.rst_i = 0;
}

static bool floors_are_missed(void)
{
	const struct floor rows[] = {{"CTAs alone", b.seen.alone},           {"CTAs with others", b.seen.others},
	                             {"CTAs that have ended", b.seen.ended}, {"ranks without", b.seen.absent},
	                             {"lives of before", b.seen.late},       {"launches", b.seen.launches},
	                             {"ends together", b.seen.together}};
	const size_t all = sizeof rows / sizeof rows[0];
	return floors_missed(rows, b.ports > 1 ? all : all - 1, 100); /* one port: no two warps end together */
}

static struct bench_end run_bench(const struct bench_args *a)
{
	b.model = a->model;
	b.rng = rng_seed(a->seed, 0);
	b.ports = model_param(&b.model, "Ports", 1);
	b.slots = model_param(&b.model, "Slots", SLOTS);
	b.slot_bits = (unsigned)__builtin_ctz(b.slots);
	PINS_FIND(cluster_windows, &b, &b.model);
	for (unsigned long n = 0; n < a->count; n++) {
		if (n == 0 || below(300) == 0)
			reset();
		cycle();
	}
	printf("%lu cycles: %lu CTAs came, %lu questions in clusters of several, %lu alone, %lu errors\n", b.cycle,
	       b.seen.launches, b.seen.others, b.seen.alone, b.errors);
	return bench_good(!b.errors && (a->bug || !floors_are_missed()));
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {
	        .words = "MODEL.so [SEED [CYCLES [BUG]]]", .usual = 200000, .run = run_bench};
	return bench_main(argc, argv, &form);
}
