// SPDX-License-Identifier: Apache-2.0
/* Bench of fp_add, any format and number of stages, and of fp_sum, all formats in turn: answers worked out by hand,
 * special values crossed, pairs that stress alignment, cancellation and ties, or all pairs of a 16-bit format, against
 * the host's arithmetic.
 *
 *   fp_add_test MODEL.so [f16|bf16] [SEED [COUNT]]
 *   fp_add_test MODEL.so [f16|bf16] all [PART PARTS [FAR]]   every pair of a 16-bit format, or a part of PARTS equal
 *                                   parts; each FAR-th of the pairs with exponents far apart, where the sum is the
 *                                   larger number
 *
 * With a format the model is fp_add_half, for both formats. */
#include <stdio.h>
#include <stdlib.h>

#include "../../../common/rng.h"
#include "../../float_ref.h"
#include "../../bench_main.h"

enum { FP_SUM_CYCLES = 34 };

struct adder {
	struct model model;
	const struct float_format *f;
	uint8_t *clk, *valid, *ftz, *type, *a, *b, *sum; /* fp_sum has a type, fp_add `ftz` */
	bool half;                                       /* fp_add_half: subnormals are kept */
	unsigned bytes, stages;
	struct rng noise;
	unsigned long checked, wrong, subnormal, flushed, nans, infinities;
};

static void ticks(struct adder *m, unsigned n)
{
	for (; n; n--) {
		*m->clk = 1;
		m->model.eval(m->model.self);
		*m->clk = 0;
		m->model.eval(m->model.self);
	}
}

/* Random bits above a number narrower than the port. The port repeats the sum in all of its fields. */
static uint64_t add_in_steps(struct adder *m, bool ftz, uint64_t a, uint64_t b)
{
	const unsigned bits = 8 * m->bytes;
	uint64_t sum, all = 0;
	if (bits < 64) {
		a |= rng_next(&m->noise) << bits;
		b |= rng_next(&m->noise) << bits;
	}
	pin_set(m->type, 0, 3, m->f == &float_f16 ? 2 : m->f == &float_bf16 ? 5 : m->f == &float_f64 ? 3 : ftz ? 1 : 4);
	memcpy(m->a, &a, 8);
	memcpy(m->b, &b, 8);
	m->model.eval(m->model.self);
	*m->valid = 1;
	ticks(m, 1);
	*m->valid = 0;
	ticks(m, FP_SUM_CYCLES - 1);
	memcpy(&sum, m->sum, 8);
	for (unsigned at = 0; at < 64; at += bits)
		all |= (sum & UINT64_MAX >> (64 - bits)) << at;
	return all == sum ? sum & UINT64_MAX >> (64 - bits) : ~sum;
}

static uint64_t add(struct adder *m, bool ftz, uint64_t a, uint64_t b)
{
	uint64_t sum = 0;
	if (m->type)
		return add_in_steps(m, ftz, a, b);
	*m->ftz = ftz;
	memcpy(m->a, &a, m->bytes);
	memcpy(m->b, &b, m->bytes);
	m->model.eval(m->model.self);
	if (m->stages > 1)
		ticks(m, m->stages - 1);
	memcpy(&sum, m->sum, m->bytes);
	return sum;
}

static void expect(struct adder *m, bool ftz, uint64_t a, uint64_t b, uint64_t want)
{
	const uint64_t got = add(m, ftz, a, b), magnitude = want & ~(UINT64_C(1) << (m->f->exp + m->f->man));
	m->checked++;
	m->nans += want == m->f->nan;
	m->infinities += magnitude >> m->f->man == (1u << m->f->exp) - 1 && want != m->f->nan;
	m->subnormal += magnitude >> m->f->man == 0 && magnitude;
	m->flushed += ftz && magnitude == 0 && (float_flush(m->f, a) != a || float_flush(m->f, b) != b);
	if (got != want && m->wrong++ < 10)
		printf("%s%s %llx + %llx: %llx, expected %llx\n", m->f->name, ftz ? ".FTZ" : "", (unsigned long long)a,
		       (unsigned long long)b, (unsigned long long)got, (unsigned long long)want);
}

static void check(struct adder *m, uint64_t a, uint64_t b)
{
	const bool ftz = m->f->man == 23 && ((a ^ b) & 1); /* the machine flushes only f32 */
	expect(m, ftz, a, b, float_sum(m->f, ftz, a, b));
	if (m->f->man == 23 && float_flush(m->f, a) != a)
		expect(m, !ftz, a, b, float_sum(m->f, !ftz, a, b));
}

/* From the definition: half of the last place at 1 is 2^-(man+1). */
static void by_hand(struct adder *m)
{
	const unsigned man = m->f->man, exp = m->f->exp;
	const uint64_t bias = (UINT64_C(1) << (exp - 1)) - 1, top = (UINT64_C(1) << exp) - 1,
	               sign = UINT64_C(1) << (exp + man);
	const uint64_t one = bias << man, half_place = (bias - man - 1) << man, inf = top << man, max = inf - 1,
	               min = UINT64_C(1) << man /* the least normal number */;
	const struct {
		bool ftz;
		uint64_t a, b, sum;
	} rows[] = {
	        {0, one, one, (bias + 1) << man},
	        {0, one, sign | one, 0}, /* +0 */
	        {0, sign, sign, sign},   /* -0 */
	        {0, 0, sign, 0},
	        {0, one, half_place, one}, /* a tie goes to the even number ... */
	        {0, one + 1, half_place, one + 2},
	        {0, one, half_place + 1, one + 1},        /* ... but more than half goes up */
	        {0, one + 2, sign | half_place, one + 2}, /* 1 + 2u - u/2, u the last place: a tie, even below */
	        {0, one, sign | half_place, one - 1},     /* exact: places are half as large below 1 */
	        {0, one, 1, one},                         /* sticky alone changes nothing ... */
	        {0, one + 1, sign | 1, one + 1},
	        {0, max, max, inf},
	        {0, max, (top - 2 - man) << man, inf}, /* half a place above the largest */
	        {0, max, ((top - 2 - man) << man) - 1, max},
	        {0, inf, max, inf},
	        {0, inf, inf, inf},
	        {0, inf, sign | inf, m->f->nan},
	        {0, inf + 1, one, man == 52 ? inf + 1 : m->f->nan}, /* a NaN of float64 passes */
	        {0, one, sign | (inf + 1), man == 52 ? sign | (inf + 1) : m->f->nan},
	        {0, 1, 1, 2}, /* subnormal numbers */
	        {0, min - 1, 1, min},
	        {0, min + 1, sign | min, 1},
	        {0, min, sign | 1, min - 1},
	        {1, 1, 1, 0}, /* and flushed */
	        {1, sign | 1, sign | 1, sign},
	        {1, min + 1, sign | min, 0},
	        {1, sign | (min + 1), min, sign},
	        {1, min, min - 1, min},
	        {1, sign | 1, one, one},
	};
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (rows[i].ftz && (m->half || (m->type && m->f != &float_f32))) /* fp_sum flushes f32 alone */
			continue;
		expect(m, rows[i].ftz, rows[i].a, rows[i].b, rows[i].sum);
		expect(m, rows[i].ftz, rows[i].b, rows[i].a, rows[i].sum);
	}
}

static unsigned special_values(const struct adder *m, uint64_t *v)
{
	const unsigned man = m->f->man, exp = m->f->exp;
	const uint64_t top = (UINT64_C(1) << exp) - 1, bias = top >> 1, full = (UINT64_C(1) << man) - 1;
	const uint64_t exps[] = {0,          1,        2,    man,      man + 1,    bias - man - 2, bias - man - 1,
	                         bias - man, bias - 1, bias, bias + 1, bias + man, bias + man + 1, bias + man + 2,
	                         top - 2,    top - 1,  top};
	const uint64_t mans[] = {0, 1, 2, 3, full >> 1, (full >> 1) + 1, full - 1, full};
	unsigned n = 0;
	for (unsigned e = 0; e < sizeof exps / sizeof exps[0]; e++)
		for (unsigned i = 0; i < sizeof mans / sizeof mans[0]; i++)
			for (uint64_t s = 0; s < 2; s++)
				v[n++] = s << (man + exp) | (exps[e] & top) << man | mans[i];
	return n;
}

/* A mantissa of few runs of equal bits, or a random mantissa. */
static uint64_t stressed_mantissa(const struct adder *m, struct rng *r)
{
	const uint64_t full = (UINT64_C(1) << m->f->man) - 1;
	switch (rng_below(r, 4)) {
	case 0:
		return rng_next(r) & full;
	case 1:
		return full << rng_below(r, m->f->man + 1) & full;
	case 2:
		return ((UINT64_C(1) << rng_below(r, m->f->man)) + rng_below(r, 3) - 1) & full;
	default:
		return (full ^ UINT64_C(1) << rng_below(r, m->f->man)) + rng_below(r, 2);
	}
}

static void stressed(struct adder *m, struct rng *r)
{
	const unsigned man = m->f->man, exp = m->f->exp;
	const uint64_t top = (UINT64_C(1) << exp) - 1;
	uint64_t ea = rng_one_in(r, 4) ? rng_below(r, 3) : rng_one_in(r, 8) ? top - rng_below(r, 3) : rng_next(r) & top;
	const uint64_t distance = rng_below(r, rng_one_in(r, 2) ? 3 : man + 4), sa = rng_next(r) >> 63,
	               sb = rng_next(r) >> 63;
	uint64_t eb = ea > distance ? ea - distance : rng_one_in(r, 2) ? 0 : ea;
	const uint64_t a = sa << (exp + man) | ea << man | (stressed_mantissa(m, r) & ((UINT64_C(1) << man) - 1)),
	               b = sb << (exp + man) | eb << man | (stressed_mantissa(m, r) & ((UINT64_C(1) << man) - 1));
	check(m, a, b);
	check(m, b, a);
}

/* Exponents so far apart that the smaller number changes no place of the larger number. */
static bool far_apart(const struct float_format *f, uint32_t a, uint32_t b)
{
	const int top = (1 << f->exp) - 1, ea = (int)(a >> f->man) & top, eb = (int)(b >> f->man) & top;
	return abs(ea - eb) > (int)f->man + 3 && ea != top && eb != top;
}

static void every_pair(struct adder *m, uint32_t part, uint32_t parts, uint32_t every)
{
	for (uint32_t a = part; a < 0x10000; a += parts)
		for (uint32_t b = 0; b < 0x10000; b++)
			if (every == 1 || (a + b) % every == 0 || !far_apart(m->f, a, b))
				check(m, a, b);
}

static int report(const struct adder *m)
{
	if (m->type)
		printf("%s, in steps: ", m->f->name);
	else
		printf("%s, %u stage%s: ", m->f->name, m->stages, m->stages > 1 ? "s" : "");
	printf("%lu sums, %lu of them subnormal, %lu flushed, %lu infinite, %lu NaN\n", m->checked, m->subnormal,
	       m->flushed, m->infinities, m->nans);
	const bool met = m->subnormal && m->infinities && m->nans && (m->f->man != 23 || m->flushed);
	return m->wrong || !met;
}

static int test(struct adder *m, const struct bench_args *a)
{
	m->bytes = (1 + m->f->exp + m->f->man) / 8;
	m->checked = m->subnormal = m->flushed = m->nans = m->infinities = 0;
	by_hand(m);
	if (bench_has(a, "all")) {
		every_pair(m, a->count, a->further[0], a->further[1]);
		return report(m);
	}
	static uint64_t v[512];
	const unsigned n = special_values(m, v);
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < n; k++)
			check(m, v[i], v[k]);
	struct rng r = rng_seed(a->seed, 0);
	while (m->checked < a->count) {
		stressed(m, &r);
		check(m, rng_next(&r) & (UINT64_MAX >> (64 - 8 * m->bytes)),
		      rng_next(&r) & (UINT64_MAX >> (64 - 8 * m->bytes)));
	}
	return report(m);
}

static struct bench_end run_bench(const struct bench_args *a)
{
	static const struct float_format *const formats[] = {&float_f16, &float_bf16, &float_f32, &float_f64};
	struct adder m = {.model = a->model};
	const char *half = bench_has(a, "f16") ? "f16" : bench_has(a, "bf16") ? "bf16" : NULL;
	if (bench_has(a, "all") && a->count >= a->further[0])
		bench_refuse("PART is %u, expected less than PARTS, %u", a->count, a->further[0]);
	m.clk = model_pin(&m.model, "clk_i");
	m.valid = model_pin(&m.model, model_has_pin(&m.model, "next_i") ? "next_i" : "valid_i");
	*m.valid = 1;
	m.a = model_pin(&m.model, "a_i");
	m.b = model_pin(&m.model, "b_i");
	m.sum = model_pin(&m.model, "sum_o");
	if (model_has_pin(&m.model, "type_i")) {
		unsigned failed = 0;
		if (half)
			bench_refuse("found %s, expected no format: the model has all four", half);
		m.type = model_pin(&m.model, "type_i");
		for (unsigned i = 0; i < 4; i++) {
			m.f = formats[i];
			failed += test(&m, a) != 0;
		}
		return (struct bench_end){4 - failed, failed};
	}
	static uint8_t no_flush;
	m.half = half != NULL;
	for (unsigned i = 0; i < 4; i++)
		if (half ? strcmp(formats[i]->name, half) == 0 : formats[i]->man == model_param(&m.model, "Man", 23))
			m.f = formats[i];
	if (!m.f || (!half && m.f->exp != model_param(&m.model, "Exp", 8))) {
		bench_refuse("the host has no such format");
	}
	m.stages = model_param(&m.model, "Stages", 1);
	m.ftz = half ? &no_flush : model_pin(&m.model, "ftz_i");
	if (half)
		*model_pin(&m.model, "bf_i") = m.f == &float_bf16;
	return bench_good(!test(&m, a));
}

int main(int argc, char **argv)
{
	static const struct bench_form all = {.words = "MODEL.so [f16|bf16] all [PART PARTS [FAR]]",
	                                      .key = "all",
	                                      .zero = "PART 0: the first part",
	                                      .run = run_bench};
	static const struct bench_form form = {
	        .words = "MODEL.so [f16|bf16] [SEED [COUNT]]", .usual = 1000000, .run = run_bench, .other = &all};
	return bench_main(argc, argv, &form);
}
