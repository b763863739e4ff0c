// SPDX-License-Identifier: Apache-2.0
/* Throughput against floors; figures, `name value`, for verif/bench. */
#include <stdio.h>

#include "atom_unit_tests.h"

static void make_scattered(struct atom_bench *b, struct atom_req *r)
{
	*r = (struct atom_req){.kind = ATOM_RED, .size = 2};
	atom_fill(b, r, ANYWHERE);
	r->mask = UINT32_MAX;
}
static void make_loads(struct atom_bench *b, struct atom_req *r)
{
	*r = (struct atom_req){.kind = ATOM_LDG, .size = 2};
	atom_fill(b, r, ANYWHERE);
	const uint64_t line = b->memory_at + 128 + 128 * rng_below(&b->rng, MEMORY / 128 - 2); /* of 128 bytes */
	for (unsigned i = 0; i < 32; i++)
		r->ra[i] = line + 4 * i - r->base;
	r->mask = UINT32_MAX;
}
static void make_sums(struct atom_bench *b, struct atom_req *r)
{
	*r = (struct atom_req){.kind = ATOM_RED, .type = TYPE_F32_FTZ, .size = 2};
	atom_fill(b, r, SAME_WORD);
	r->mask = UINT32_MAX;
}

/* Integers on the same word, with and without a result, of 32 and 64 bits. */
static void make_counts(struct atom_bench *b, struct atom_req *r)
{
	static const enum atom_op ops[] = {OP_ADD, OP_MIN, OP_MAX, OP_AND, OP_OR, OP_XOR};
	*r = (struct atom_req){.kind = rng_one_in(&b->rng, 2) ? ATOM_RED : ATOM_ATOMG,
	                       .op = ops[rng_below(&b->rng, 6)],
	                       .size = 2 + rng_below(&b->rng, 2)};
	atom_fill(b, r, SAME_WORD);
	r->mask = UINT32_MAX;
}

enum {
	FAR = 200,       /* cycles of a distant memory for each answer */
	FAR_START = 2000 /* cycles until all sectors are under way */
};

static double rate(struct atom_bench *b, atom_maker *make, unsigned latency, double *lanes)
{
	b->latency = latency;
	for (unsigned i = 0; i < (b->fixed ? FAR_START : 200); i++) {
		atom_send(b, make);
		atom_bench_cycle(b);
	}
	const uint64_t sectors = b->sectors, done = b->lanes_done;
	for (unsigned i = 0; i < 2000; i++) {
		atom_send(b, make);
		atom_bench_cycle(b);
	}
	const double n = (double)(b->sectors - sectors) / 2000;
	*lanes = (double)(b->lanes_done - done) / 2000;
	atom_bench_drain(b);
	return n;
}

void atom_test_speed(struct atom_bench *b)
{
	double lanes, fast, slow, load, sums;
	const unsigned stages = model_param(&b->model, "FpStages", 1);
	fast = rate(b, make_scattered, 1, &lanes);
	slow = rate(b, make_scattered, 8, &lanes);
	load = rate(b, make_loads, 1, &lanes);
	if (!b->quiet)
		printf("      sectors a cycle: RED on random addresses %.2f (latency 1), %.2f (1 to 8);"
		       " loads of lines %.2f, %.1f lanes\n",
		       fast, slow, load, lanes);
	rate(b, make_sums, 1, &sums);
	if (!b->quiet)
		printf("      lanes a cycle on one word, f32: %.2f\n", sums);
	b->latency = 1;
	if (b->ids >= 8 && b->lanes >= 16 && fast < 0.4)
		atom_bench_error(b, "%.2f sectors a cycle, expected 0.4", fast);
	if (b->ids >= 8 && b->lanes == 32 && load < 0.2)
		atom_bench_error(b, "%.2f sectors a cycle of loads, expected 0.2", load);
	if (sums < 0.55 / stages)
		atom_bench_error(b, "%.2f lanes a cycle on one word", sums);
	if (b->hw.combine) { /* a pass a request, so beats and slots are the limit */
		double counts;
		/* with several ports, a request of a port without a slot holds up later requests of other ports */
		const double share = b->ports == 1 ? 0.6 : 0.45, least = b->lanes == 32         ? 6
		                                                         : share * b->lanes < 6 ? share * b->lanes
		                                                                                : 6;
		rate(b, make_counts, 1, &counts);
		if (!b->quiet)
			printf("      lanes a cycle on one word, integers that combine: %.2f\n", counts);
		if (b->ids >= 8 && counts < least)
			atom_bench_error(b, "%.2f lanes a cycle on one word, expected %.1f", counts, least);
	}
	/* 32 sums on one word from the first beat to the response */
	struct live *l = atom_bench_new(b, 0);
	make_sums(b, &l->req);
	atom_finish(b, l);
	atom_bench_send(b, l);
	const uint64_t start = b->cycle;
	while (l->used && b->cycle < start + 1000)
		atom_bench_cycle(b);
	if (!b->quiet)
		printf("      32 sums of f32 on one word: %llu cycles\n", (unsigned long long)(b->cycle - start));
	if (b->cycle - start > 32u * stages + 16 + 2 * b->beats)
		atom_bench_error(b, "%llu cycles", (unsigned long long)(b->cycle - start));
	atom_verdict(b, "speed");
}

/* --- a distant memory --------------------------------------------------------------------------------------------- */

/* 32 lanes on random addresses of 256 KB, with requests of the same kind. */
static enum atom_kind far_kind;
static void make_far(struct atom_bench *b, struct atom_req *r)
{
	*r = (struct atom_req){.kind = far_kind, .size = 2};
	atom_fill(b, r, ANYWHERE);
	r->mask = UINT32_MAX;
}

/* One lane on a word that all requests share. */
static void make_hot(struct atom_bench *b, struct atom_req *r)
{
	*r = (struct atom_req){.kind = ATOM_RED, .size = 2};
	atom_fill(b, r, SAME_WORD);
	for (unsigned i = 0; i < 32; i++)
		r->ra[i] = b->memory_at + 64 - r->base;
	r->mask = 1;
}

/* Sectors that wait in a queue: the first request reads, each request behind writes what the last write left. */
static void hot_sector(struct atom_bench *b)
{
	double lanes;
	const double sectors = rate(b, make_hot, FAR, &lanes), least = 0.9 / (FAR + 10);
	if (!b->quiet)
		printf("atom_far_hot_sectors_per_cycle %.4f\n", sectors);
	if (sectors < least)
		atom_bench_error(b, "atomics on one word, latency %u: %.4f sectors a cycle, expected %.4f", FAR,
		                 sectors, least);
}

/* Each kind has a floor if ids suffice. An atomic asks memory twice; the port takes a request a cycle. */
void atom_test_far(struct atom_bench *b)
{
	static const struct {
		const char *name;
		enum atom_kind kind;
		double floor, asks;
	} rows[] = {{"loads", ATOM_LDG, 0.8, 1}, {"stores", ATOM_STG, 0.8, 1}, {"atomics", ATOM_RED, 0.4, 2}};
	const unsigned slots = model_param(&b->model, "Slots", 4);
	atom_bench_drain(b);
	b->memory_at = FIRST_AT;
	b->memory_bytes = MEMORY_MOST;
	b->fixed = true;
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		double lanes;
		far_kind = rows[i].kind;
		const double sectors = rate(b, make_far, FAR, &lanes);
		const unsigned most = 32 * slots < b->ids ? 32 * slots : b->ids;
		/* limit of the ids: a sector is under way for the answers and some 20 cycles */
		const double can = most / (rows[i].asks * FAR + 20);
		const double least = 0.75 * can < rows[i].floor ? 0.75 * can : rows[i].floor;
		if (!b->quiet)
			printf("atom_far_%s_sectors_per_cycle %.3f\n", rows[i].name, sectors);
		if (sectors < least)
			atom_bench_error(b, "%s, latency %u: %.3f sectors a cycle, expected %.3f", rows[i].name, FAR,
			                 sectors, least);
	}
	if (b->ids > 16)
		hot_sector(b);
	b->fixed = false;
	b->memory_bytes = MEMORY;
	b->latency = 1;
	atom_verdict(b, "a distant memory");
}

/* --- figures ---------------------------------------------------------------------------------------------------- */

/* The same kind of request again and again, 32 lanes in this pattern. */
static enum pattern figure_pattern;
static void make_adds(struct atom_bench *b, struct atom_req *r)
{
	*r = (struct atom_req){.kind = ATOM_RED, .size = 2};
	atom_fill(b, r, figure_pattern);
	r->mask = UINT32_MAX;
}

/* Cycles from the first beat to the response. */
static uint64_t whole(struct atom_bench *b, struct live *l)
{
	const uint64_t start = b->cycle;
	atom_finish(b, l);
	l->req.rd_used = true;
	l->req.pd_used = false;
	atom_bench_send(b, l);
	while (l->used && b->cycle < start + 1000)
		atom_bench_cycle(b);
	if (l->used)
		atom_bench_error(b, "no response");
	return b->cycle - start;
}

/* A request of all lanes of `mask`, `degree` lanes on each word. */
static struct live *on_words(struct atom_bench *b, enum atom_kind kind, unsigned degree, uint32_t mask)
{
	struct live *l = atom_bench_new(b, 0);
	l->req = (struct atom_req){.kind = kind, .size = 2, .mask = mask};
	for (unsigned i = 0; i < 32; i++) {
		l->req.ra[i] = b->memory_at + 256 + 4 * (i / degree);
		l->req.rb[i][0] = 1;
	}
	return l;
}

/* Code without a native atomic: load, then compare and swap until each lane has stored. */
static uint64_t cas_loop(struct atom_bench *b, unsigned degree)
{
	uint32_t seen[32], left = UINT32_MAX;
	struct live *l = on_words(b, ATOM_LDG, degree, left);
	uint64_t cycles = whole(b, l);
	for (unsigned i = 0; i < 32; i++)
		seen[i] = l->out.data[i][0];
	for (unsigned round = 0; left && round < 40; round++) {
		l = on_words(b, ATOM_ATOMG_CAS, degree, left);
		for (unsigned i = 0; i < 32; i++) {
			l->req.rb[i][0] = seen[i];
			l->req.rc[i][0] = seen[i] + 1;
		}
		cycles += whole(b, l);
		for (unsigned i = 0; i < 32; i++) {
			if (l->out.data[i][0] == seen[i])
				left &= ~(UINT32_C(1) << i);
			seen[i] = l->out.data[i][0];
		}
	}
	if (left)
		atom_bench_error(b, "compare and swap: lanes %08x never store", left);
	return cycles;
}

void atom_figures(struct atom_bench *b)
{
	static const struct {
		const char *name;
		enum pattern pattern;
	} rows[] = {{"coalesced", COALESCED}, {"strided", STRIDED}, {"same_word", SAME_WORD}, {"random", ANYWHERE}};
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		double lanes;
		figure_pattern = rows[i].pattern;
		const double sectors = rate(b, make_adds, 1, &lanes);
		printf("atom_%s_lanes_per_cycle %.3f\natom_%s_sectors_per_cycle %.3f\n", rows[i].name, lanes,
		       rows[i].name, sectors);
	}
	b->latency = 1;
	for (unsigned degree = 1; degree <= 32; degree *= 2) {
		const uint64_t native = whole(b, on_words(b, ATOM_ATOMG, degree, UINT32_MAX));
		printf("atom_native_cycles_degree_%u %llu\natom_cas_loop_cycles_degree_%u %llu\n", degree,
		       (unsigned long long)native, degree, (unsigned long long)cas_loop(b, degree));
	}
	atom_bench_drain(b);
	atom_test_far(b);
	atom_verdict(b, "figures");
}
