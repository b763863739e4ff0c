// SPDX-License-Identifier: Apache-2.0
#include "atoms_pipe_native.h"

#include <stdio.h>

#include "../../float_ref.h"

static const char *const names[NATIVES] = {"ADD.F32", "ADD.F64", "ADD.F16x2", "ADD.BF16x2", "ADD.64",  "AND.64",
                                           "OR.64",   "XOR.64",  "MIN.U64",   "MAX.U64",    "MIN.S64", "MAX.S64"};

static uint32_t below(struct bench *b, uint32_t n)
{
	return (uint32_t)((bench_random(b) >> 32) * n >> 32);
}

static bool is_word(enum ref_native n)
{
	return n == NATIVE_F32 || n == NATIVE_F16 || n == NATIVE_BF16;
}

void native_form(struct bench *b, struct ref_req *r)
{
	r->kind = REF_NATIVE;
	r->native = below(b, 2) ? below(b, NATIVE_ADD) : below(b, NATIVES);
	r->size = is_word(r->native) ? 2 : 3;
	r->rd_used = below(b, 4) != 0;
}

/* ---- operands ----------------------------------------------------------------------------------------------- */

static uint64_t mantissa(struct bench *b, unsigned man)
{
	const uint64_t full = (UINT64_C(1) << man) - 1, half = UINT64_C(1) << (man - 1);
	switch (below(b, 6)) {
	case 0:
		return 0;
	case 1:
		return full;
	case 2:
		return half;
	case 3:
		return UINT64_C(1) << below(b, man);
	case 4:
		return full ^ UINT64_C(1) << below(b, man);
	default:
		return bench_random(b) & full;
	}
}

static uint64_t float_operand(struct bench *b, const struct float_format *f, uint64_t old)
{
	const uint64_t sign = UINT64_C(1) << (f->exp + f->man), any_sign = below(b, 2) ? sign : 0;
	const int top = (1 << f->exp) - 1, exp = (int)(old >> f->man & (uint64_t)top);
	int near;
	switch (below(b, 8)) {
	case 0: /* cancels */
		return old ^ sign;
	case 1: /* cancels all but a few places */
		return old ^ sign ^ (1 + below(b, 7));
	case 2: /* subnormal, or 0 */
		return any_sign | mantissa(b, f->man);
	case 3: /* infinity or NaN; the largest numbers; the least normal ones */
		return any_sign |
		       (uint64_t)(below(b, 8) == 0 ? top
		                  : below(b, 2)    ? top - 1
		                                   : 1)
		               << f->man |
		       mantissa(b, f->man);
	case 4:
		return bench_random(b) & (sign | (sign - 1));
	default: /* at most man + 3 exponents away: the sum touches the last places */
		near = exp + (int)below(b, 2 * f->man + 7) - (int)f->man - 3;
		near = near < 0 ? 0 : near >= top ? top - 1 : near;
		return any_sign | (uint64_t)near << f->man | mantissa(b, f->man);
	}
}

static uint64_t long_operand(struct bench *b, uint64_t old)
{
	const uint64_t edges[] = {0, 1, UINT64_MAX, UINT64_C(1) << 63, UINT64_MAX >> 1, UINT64_C(1) << 32, UINT32_MAX};
	switch (below(b, 5)) {
	case 0: /* one half alone decides, or carries */
		return old ^ (uint64_t)(uint32_t)bench_random(b) << (below(b, 2) ? 32 : 0);
	case 1:
		return old + below(b, 3) - 1;
	case 2:
		return -old + below(b, 3) - 1;
	case 3:
		return edges[below(b, sizeof edges / sizeof edges[0])];
	default:
		return bench_random(b);
	}
}

static uint64_t operand(struct bench *b, enum ref_native n, uint64_t old)
{
	switch (n) {
	case NATIVE_F32:
		return float_operand(b, &float_f32, old & UINT32_MAX);
	case NATIVE_F64:
		return float_operand(b, &float_f64, old);
	case NATIVE_F16:
	case NATIVE_BF16: {
		const struct float_format *f = n == NATIVE_F16 ? &float_f16 : &float_bf16;
		const uint64_t low = float_operand(b, f, old & 0xffff);
		return low | float_operand(b, f, old >> 16 & 0xffff) << 16;
	}
	default:
		return long_operand(b, old);
	}
}

void native_operands(struct bench *b, const struct ref_smem *s, struct ref_req *r)
{
	for (unsigned i = 0; i < 32; i++) {
		uint64_t old = bench_random(b), v;
		uint32_t at;
		if (ref_place(s, r, i, &at) == 0) {
			memcpy(&old, s->mem + at, 1u << r->size);
		}
		v = operand(b, r->native, old);
		r->rb[i][0] = (uint32_t)v;
		r->rb[i][1] = is_word(r->native) ? (uint32_t)bench_random(b) : (uint32_t)(v >> 32);
	}
}

/* ---- time --------------------------------------------------------------------------------------------------- */

static uint64_t first_commit, last_commit, commits, taken; /* taken: the first beat */
static unsigned whole_cycles, f32_cycles;

static void watch_commits(struct bench *b)
{
	if (!taken && *b->pin.req_valid_i & *b->pin.req_ready_o & 1) {
		taken = b->cycle;
	}
	if (*b->pin.trace_atoms_pipe_commit_valid_o) {
		first_commit = commits++ ? first_commit : b->cycle;
		last_commit = b->cycle;
	}
}

/* A request of all lanes, lane i at i * stride. */
static struct ref_req of_all_lanes(struct bench *b, const struct ref_smem *s, enum ref_native n, unsigned stride)
{
	struct ref_req r = {.kind = REF_NATIVE,
	                    .native = n,
	                    .size = is_word(n) ? 2 : 3,
	                    .rd_used = true,
	                    .ra_used = true,
	                    .mask = UINT32_MAX,
	                    .tag = n};
	for (unsigned i = 0; i < 32; i++) {
		r.ra[i] = i * stride;
	}
	native_operands(b, s, &r);
	return r;
}

/* Runs an instruction; returns the cycles of the passes. */
static unsigned cycles_of(struct bench *b, struct ref_smem *s, enum ref_native n, unsigned stride, unsigned want_passes)
{
	struct ref_req r = of_all_lanes(b, s, n, stride);
	struct ref_rsp rsp;
	ref_run(s, &r, &rsp);
	if (rsp.passes != want_passes) {
		bench_error(b, "%s: the reference has %u passes, expected %u", names[n], rsp.passes, want_passes);
	}
	commits = taken = 0;
	b->watch = watch_commits;
	bench_queue(b, 0, &r, &rsp);
	bench_drain(b);
	b->watch = NULL;
	if (commits != want_passes) {
		bench_error(b, "%s: %llu COMMITs, expected %u", names[n], (unsigned long long)commits, want_passes);
	}
	whole_cycles = (unsigned)(b->retire_cycle[(b->retires - 1) % BENCH_RETIRES] - taken) + 1;
	return (unsigned)(last_commit - first_commit) + 1;
}

/* Cycles of passes in a row. With adders of two stages, sums take every other cycle. For the lean form the result is an
 * upper limit. */
static unsigned expected_cycles(const struct bench *b, enum ref_native n, unsigned passes, unsigned stages)
{
	if (b->lean)
		return (passes + b->beats) * b->lean_pass;
	return n < NATIVE_ADD && stages == 2 ? 2 * passes - 1 : passes;
}

void native_times(struct bench *b, struct ref_smem *s)
{
	enum { ADDERS = 4, WHOLE = 8 /* cycles of a request beside the passes */ };
	const unsigned stages = model_param(&b->model, "FpStages", 1);
	b->stall_in = b->stall_out = STALL_NEVER;
	printf("cycles from the first COMMIT to the last, all 32 lanes on one word:");
	for (unsigned n = 0; n < NATIVES; n++) {
		const unsigned cycles = cycles_of(b, s, n, 0, 32), want = expected_cycles(b, n, 32, stages);
		printf(" %s %u", names[n], cycles);
		if (b->lean ? cycles > want : cycles != want) {
			bench_error(b, "%s on one word: %u cycles, expected %u", names[n], cycles, want);
		}
		if (n == NATIVE_F32) {
			f32_cycles = whole_cycles;
		}
	}
	printf("\n32 sums of f32 on one word, from the first beat to the last of the response: %u cycles\n",
	       f32_cycles);
	if (b->lanes == 32 && f32_cycles > 32 * stages + WHOLE) {
		bench_error(b, "%u cycles, expected %u at most", f32_cycles, 32 * stages + WHOLE);
	}
	for (unsigned n = 0; n < NATIVE_ADD; n++) { /* lanes side by side: four are served at a time */
		const unsigned bytes = is_word(n) ? 4 : 8, groups = b->banks * 4 / bytes;
		const unsigned at_once = groups < ADDERS ? groups : ADDERS;
		const unsigned passes = (b->lanes + at_once - 1) / at_once * b->beats,
		               cycles = cycles_of(b, s, n, bytes, passes);
		const unsigned want = expected_cycles(b, n, passes, stages);
		if (b->lean ? cycles > want : cycles != want) {
			bench_error(b, "%s on all banks: %u cycles, expected %u", names[n], cycles, want);
		}
	}
}

void native_host(struct bench *b, struct ref_smem *s)
{
	enum { COUNT = 200, PATIENCE = 20 };
	unsigned served = 0, waited = 0;
	b->stall_in = b->stall_out = STALL_NEVER;
	for (unsigned i = 0; i < COUNT; i++) {
		const enum ref_native n = below(b, NATIVE_ADD);
		struct ref_req r = of_all_lanes(b, s, n, below(b, 2) ? 0 : is_word(n) ? 4 : 8);
		struct ref_rsp rsp;
		r.tag = i;
		ref_run(s, &r, &rsp);
		bench_queue(b, 0, &r, &rsp);
	}
	const uint64_t until = b->cycle + COUNT * 200 * (b->lean ? b->lean_pass : 1);
	while (b->port[0].retired != b->port[0].queued && b->cycle < until) {
		const bool taken_now = bench_host_ready(b, false, below(b, b->bytes / 4) * 4, 0);
		bench_cycle(b);
		served += taken_now;
		waited = taken_now ? 0 : waited + 1;
		if (waited > PATIENCE + (b->lean ? b->lean_pass : 0)) {
			bench_error(b, "the host has waited for %u cycles", waited);
			break;
		}
	}
	*b->pin.host_valid_i = 0;
	bench_drain(b);
	if (served < COUNT) {
		bench_error(b, "the host was served %u times", served);
	}
}
