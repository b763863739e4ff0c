// SPDX-License-Identifier: Apache-2.0
/* cunits_atoms_test.c -- atoms_pipe, plan / apply / finish and the fast path, on random streams against the oracle.
 *
 *   cunits_atoms_test [INSTRUCTIONS [SEED]]     random instructions for each test and geometry */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cunits_oracle.h"
#include "warplock/units.h"

static const unsigned ways[] = {4, 8, 16, 32};
static unsigned long instructions = 1500;
static uint64_t seed = 1;

struct bench {
	struct wl_config config;
	struct wl_smem smem;
	struct rng rng;
	struct stim stim;
	_Alignas(16) uint8_t mem[4096];
	_Alignas(16) uint8_t expect_mem[4096];
};

static void bench_init(struct bench *b, unsigned lanes, unsigned banks, unsigned combine, uint64_t stream)
{
	memset(b, 0, sizeof *b);
	b->config = wl_config_default();
	b->config.shared_bytes = sizeof b->mem;
	b->config.lanes = lanes;
	b->config.banks = banks;
	b->config.combine = combine;
	b->config.native = stream % 16 != 5; /* a single geometry without native operations */
	b->rng = rng_seed(seed, stream);
	smem_for_test(&b->smem, &b->config, b->mem, &b->rng);
	memcpy(b->expect_mem, b->mem, sizeof b->mem);
}

static void plan_as_expected(const struct wl_atoms_plan *p, const struct expect_plan *e, const struct wl_req *req,
                             unsigned long index)
{
	bool same = p->common.ok == e->ok && p->common.faulted == e->faulted && p->spin_losers == e->losers &&
	            p->common.passes == e->passes;
	for (unsigned lane = 0; lane < 32; lane++)
		same = same && p->addr[lane] == e->addr[lane] && p->common.fault[lane] == e->fault[lane];
	for (unsigned pass = 0; pass < 32; pass++)
		same = same && p->common.pass_lanes[pass] == e->pass_lanes[pass] &&
		       p->pass_beat[pass] == e->pass_beat[pass];
	if (!same) {
		stim_explain("plan", seed, index, req);
		fail();
	}
}

static void expect_header(struct wl_record *rec, const struct wl_req *req, const struct expect_plan *e)
{
	memset(rec, 0, sizeof *rec);
	rec->tag = req->tag;
	rec->pc = req->pc;
	rec->word = req->word;
	rec->mask = req->mask;
	rec->size = req->inst.size;
	rec->passes = (uint8_t)e->passes;
	rec->faulted = e->faulted;
	memcpy(rec->fault, e->fault, sizeof rec->fault);
}

/* Order of COMMITs: at once, pass by pass, lane by lane in any order. */
enum manner { AT_ONCE, BY_PASS, ANY_ORDER, MANNERS };

/* The unit in the form for lockstep: lanes may stay in rows until `fill` fills the record. `fill` may come at any time,
 * any number of times. */
struct narrow {
	struct wl_units units;
	struct wl_atoms_narrow plan;
};

static void narrow_plan(struct bench *b, const struct wl_req *req, struct narrow *n, struct wl_record *rec)
{
	memset(rec, 0xa5, sizeof *rec);
	memset(rec->addr, 0, sizeof rec->addr); /* undefined for lanes without effect */
	memset(rec->old, 0, sizeof rec->old);
	memset(rec->now, 0, sizeof rec->now);
	memset(&n->plan.words, 0xa5, sizeof n->plan.words);
	n->units.smem = b->smem;
	wl_atoms_narrow_ops.plan(&n->units, req, &n->plan.plan.common, rec);
}

static void narrow_apply(struct bench *b, const struct wl_req *req, struct narrow *n, uint32_t lanes,
                         struct wl_record *rec)
{
	const struct wl_event ev = {.kind = WL_EV_COMMIT, .lanes = lanes};
	assert_int_equal(wl_atoms_narrow_ops.apply(&n->units, req, &n->plan.plan.common, &ev, rec), 0);
	if (rng_below(&b->rng, 4) == 0)
		wl_atoms_narrow_ops.fill(&n->units, req, &n->plan.plan.common, rec);
}

static void narrow_finish(struct bench *b, const struct wl_req *req, struct narrow *n, struct wl_record *rec)
{
	wl_atoms_narrow_ops.finish(&n->units, req, &n->plan.plan.common, rec);
	wl_atoms_narrow_ops.fill(&n->units, req, &n->plan.plan.common, rec);
	b->smem = n->units.smem; /* marks of `units` */
}

static void run_one(struct bench *b, enum mix mix, enum manner manner, unsigned long index)
{
	static struct wl_req req;
	static struct narrow n;
	struct expect_plan e;
	struct wl_atoms_plan plan;
	struct wl_record rec, expect;
	const bool narrow = index % 2;
	stim_random(&b->rng, mix, &b->smem, &b->stim);
	stim_request(&b->stim, &req);
	oracle_plan(&b->smem, &req, &e);
	wl_atoms_plan(&b->smem, &req, &plan);
	plan_as_expected(&plan, &e, &req, index);

	expect_header(&expect, &req, &e);
	if (narrow) {
		narrow_plan(b, &req, &n, &rec);
		plan_as_expected(&n.plan.plan, &e, &req, index);
	} else {
		wl_atoms_start(&req, &plan, &rec);
	}
	uint32_t left = e.ok;
	for (unsigned step = 0; left; step++) {
		uint32_t lanes = manner == AT_ONCE   ? left
		                 : manner == BY_PASS ? e.pass_lanes[step]
		                                     : left & rng_u32(&b->rng);
		if (narrow)
			narrow_apply(b, &req, &n, lanes, &rec);
		else
			wl_atoms_apply(&b->smem, &req, &plan, lanes, &rec);
		oracle_apply(&b->smem, b->expect_mem, &req, &e, lanes, &expect);
		left &= ~lanes;
	}
	if (narrow)
		narrow_finish(b, &req, &n, &rec);
	else
		wl_atoms_finish(&req, &plan, &rec);
	if (memcmp(&rec, &expect, sizeof rec) != 0 || memcmp(b->mem, b->expect_mem, sizeof b->mem) != 0) {
		stim_explain("record or memory", seed, index, &req);
		fail();
	}
}

static void random_stream(enum mix mix)
{
	static struct bench b;
	for (unsigned l = 0; l < 4; l++)
		for (unsigned k = 0; k < 4; k++) {
			bench_init(&b, ways[l], ways[k], (l + k) % 3, mix * 16 + l * 4 + k);
			for (unsigned long i = 0; i < instructions; i++)
				run_one(&b, mix, (enum manner)rng_below(&b.rng, MANNERS), i);
		}
}

static void random_any(void **state)
{
	(void)state;
	random_stream(MIX_ANY);
}

static void random_legal(void **state)
{
	(void)state;
	random_stream(MIX_LEGAL);
}

static void random_spin(void **state)
{
	(void)state;
	random_stream(MIX_SPIN);
}

/* Registers, faults, memory and number of passes of the fast path against the oracle. */
static void exec_one(struct bench *b, enum mix mix, unsigned long index)
{
	static struct wl_req req;
	static uint32_t regs[WL_NUM_REGS][WL_WARP_LANES];
	struct expect_plan e;
	struct wl_record expect;
	uint8_t fault[WL_WARP_LANES] = {0};
	unsigned passes = 99;
	stim_random(&b->rng, mix, &b->smem, &b->stim);
	const struct wl_inst *in = &b->stim.inst;
	stim_request(&b->stim, &req);
	memcpy(regs, b->stim.regs, sizeof regs);
	oracle_plan(&b->smem, &req, &e);
	expect_header(&expect, &req, &e);
	oracle_apply(&b->smem, b->expect_mem, &req, &e, e.ok, &expect);
	unsigned words = in->size < 4 ? 1 : in->size / 4u;
	for (unsigned lane = 0; lane < 32; lane++)
		for (unsigned i = 0; i < words && expect.written >> lane & 1 && in->rd + i < WL_RZ; i++)
			regs[in->rd + i][lane] = expect.result[lane].w[i];

	bool counted = rng_one_in(&b->rng, 2);
	uint32_t faulted = wl_atoms_exec(&b->smem, b->stim.slot, in, b->stim.regs, b->stim.mask, b->stim.ur, fault,
	                                 counted ? &passes : NULL);
	if (faulted != e.faulted || memcmp(fault, e.fault, sizeof fault) != 0 ||
	    memcmp(regs, b->stim.regs, sizeof regs) != 0 || memcmp(b->mem, b->expect_mem, sizeof b->mem) != 0 ||
	    (counted && passes != e.passes)) {
		stim_explain("fast path", seed, index, &req);
		fail();
	}
}

static void exec_stream(enum mix mix)
{
	static struct bench b;
	for (unsigned l = 0; l < 4; l++)
		for (unsigned k = 0; k < 4; k++) {
			bench_init(&b, ways[l], ways[k], (l + k) % 3, 100 + mix * 16 + l * 4 + k);
			for (unsigned reg = 0; reg < WL_NUM_REGS; reg++)
				for (unsigned lane = 0; lane < 32; lane++)
					b.stim.regs[reg][lane] = rng_u32(&b.rng);
			for (unsigned long i = 0; i < instructions; i++)
				exec_one(&b, mix, i);
		}
}

static void exec_any_mix(void **state)
{
	(void)state;
	exec_stream(MIX_ANY);
}

static void exec_legal_mix(void **state)
{
	(void)state;
	exec_stream(MIX_LEGAL);
}

static void exec_spin_mix(void **state)
{
	(void)state;
	exec_stream(MIX_SPIN);
}

/* The same stream at all 16 geometries, with and without combining: memory and records, except for passes, must be the
 * same. */
static void geometry_changes_passes_only(void **state)
{
	static struct bench b;
	static uint8_t first_mem[sizeof b.mem];
	static struct wl_req req;
	const unsigned long n = instructions < 20000 ? instructions / 2 : 10000; /* a record of each is kept */
	struct wl_record rec, *first = malloc(n * sizeof *first);
	unsigned long more_passes = 0;
	(void)state;
	assert_non_null(first);
	for (unsigned geometry = 0; geometry < 16; geometry++) {
		bench_init(&b, ways[3 - geometry / 4], ways[3 - geometry % 4], geometry % 3, 1000);
		for (unsigned long i = 0; i < n; i++) {
			struct wl_atoms_plan plan;
			stim_random(&b.rng, i % 8 == 0 ? MIX_SPIN : MIX_ANY, &b.smem, &b.stim);
			stim_request(&b.stim, &req);
			wl_atoms_plan(&b.smem, &req, &plan);
			wl_atoms_start(&req, &plan, &rec);
			wl_atoms_apply(&b.smem, &req, &plan, plan.common.ok, &rec);
			wl_atoms_finish(&req, &plan, &rec);
			if (geometry == 0)
				first[i] = rec;
			more_passes += rec.passes > first[i].passes;
			rec.passes = first[i].passes;
			assert_memory_equal(&rec, &first[i], sizeof rec);
		}
		if (geometry == 0)
			memcpy(first_mem, b.mem, sizeof b.mem);
		assert_memory_equal(b.mem, first_mem, sizeof b.mem);
	}
	assert_true(more_passes > 2 * n); /* the geometries did differ */
	free(first);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(random_any),
	        cmocka_unit_test(random_legal),
	        cmocka_unit_test(random_spin),
	        cmocka_unit_test(exec_any_mix),
	        cmocka_unit_test(exec_legal_mix),
	        cmocka_unit_test(exec_spin_mix),
	        cmocka_unit_test(geometry_changes_passes_only),
	};
	if (argc > 1)
		instructions = strtoul(argv[1], NULL, 10);
	if (argc > 2)
		seed = strtoull(argv[2], NULL, 10);
	printf("%lu instructions for each test and geometry, seed %llu\n", instructions, (unsigned long long)seed);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
