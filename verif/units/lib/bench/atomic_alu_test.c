// SPDX-License-Identifier: Apache-2.0
/* Bench of atomic_alu (a pair of banks): a table of known answers, special values crossed, random values, both
 * halves at once.
 *
 *   atomic_alu_test MODEL.so [SEED [COUNT]] */
#include <stdio.h>
#include <string.h>

#include "../../../common/rng.h"
#include "../../bench_main.h"
#include "pins/atomic_alu.h"

enum op { ADD, MIN, MAX, INC, DEC, AND, OR, XOR, EXCH, POPC_INC, OPS };
static const char *const op_names[] = {"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR", "EXCH", "POPC.INC"};

struct alu {
	struct model model;
	PINS_MEMBERS(atomic_alu);
	unsigned long checked, wrong;
};

struct input {
	unsigned op;
	bool sgn, cas, wide;
	uint64_t old, b, c;
};

static uint64_t evaluate(struct alu *a, const struct input *in, unsigned *match)
{
	uint64_t now;
	*a->op_i = (uint8_t)in->op;
	*a->signed_i = in->sgn;
	*a->cas_i = in->cas;
	*a->wide_i = in->wide;
	memcpy(a->old_i, &in->old, 8);
	memcpy(a->b_i, &in->b, 8);
	memcpy(a->c_i, &in->c, 8);
	a->model.eval(a->model.self);
	memcpy(&now, a->new_o, 8);
	*match = *a->match_o;
	return now;
}

/* The host's arithmetic; the sums of INC and DEC are done in 64 bits, so that nothing wraps by itself. */
static uint32_t host(const struct input *in, uint32_t old, uint32_t b)
{
	switch (in->op) {
	case ADD:
		return (uint32_t)((uint64_t)old + b);
	case MIN:
	case MAX: {
		int64_t x = in->sgn ? (int64_t)(int32_t)old : (int64_t)old,
		        y = in->sgn ? (int64_t)(int32_t)b : (int64_t)b;
		return (x < y) == (in->op == MIN) ? old : b;
	}
	case INC: {
		uint64_t next = (uint64_t)old + 1;
		return next > b ? 0 : (uint32_t)next;
	}
	case DEC: {
		int64_t next = (int64_t)old - 1;
		return next < 0 || old > b ? b : (uint32_t)next;
	}
	case AND:
		return ~(~old | ~b);
	case OR:
		return ~(~old & ~b);
	case XOR:
		return (old | b) - (old & b);
	case POPC_INC:
		return (uint32_t)((uint64_t)old + 1);
	default:
		return b;
	}
}

static void complain(struct alu *a, const struct input *in, uint64_t got, unsigned got_match, uint64_t want,
                     unsigned want_match)
{
	if (a->wrong++ < 10) {
		printf("%s%s%s old %016llx b %016llx c %016llx: %016llx match %u, expected %016llx %u\n",
		       in->cas ? "CAS" : op_names[in->op], in->wide ? ".64" : "", in->sgn ? ".S32" : "",
		       (unsigned long long)in->old, (unsigned long long)in->b, (unsigned long long)in->c,
		       (unsigned long long)got, got_match, (unsigned long long)want, want_match);
	}
}

static void check(struct alu *a, const struct input *in)
{
	unsigned match, want_match = (uint32_t)in->old == (uint32_t)in->b;
	uint64_t now = evaluate(a, in, &match), want;
	want_match |= (unsigned)(in->old >> 32 == in->b >> 32) << 1;
	if (in->wide) {
		want_match = in->old == in->b ? 3 : 0;
	}
	if (in->cas) {
		uint64_t take = (want_match & 1 ? UINT32_MAX : 0) | (want_match & 2 ? (uint64_t)UINT32_MAX << 32 : 0);
		want = (in->c & take) | (in->old & ~take);
	} else {
		want = host(in, (uint32_t)in->old, (uint32_t)in->b);
		want |= (uint64_t)host(in, (uint32_t)(in->old >> 32), (uint32_t)(in->b >> 32)) << 32;
	}
	a->checked++;
	if (now != want || (in->cas && match != want_match)) {
		complain(a, in, now, match, want, want_match);
	}
}

/* Answers worked out by hand from the definition of each operation (PTX ISA, atom: inc, dec, min, max, cas). */
static void test_table(struct alu *a)
{
	static const struct {
		enum op op;
		bool sgn;
		uint32_t old, b, now;
	} rows[] = {
	        {ADD, false, 0xffffffff, 2, 1},
	        {ADD, false, 0x7fffffff, 1, 0x80000000},
	        {MIN, false, 0x80000000, 1, 1},
	        {MIN, true, 0x80000000, 1, 0x80000000},
	        {MIN, true, 5, 0xffffffff, 0xffffffff},
	        {MAX, false, 0x80000000, 1, 0x80000000},
	        {MAX, true, 0x80000000, 1, 1},
	        {MAX, true, 0xfffffffe, 0xffffffff, 0xffffffff},
	        {INC, false, 0, 0, 0},
	        {INC, false, 7, 0, 0},
	        {INC, false, 6, 7, 7},
	        {INC, false, 7, 7, 0},
	        {INC, false, 9, 7, 0},
	        {INC, false, 0xfffffffe, 0xffffffff, 0xffffffff},
	        {INC, false, 0xffffffff, 0xffffffff, 0},
	        {DEC, false, 0, 0, 0},
	        {DEC, false, 3, 0, 0},
	        {DEC, false, 0, 7, 7},
	        {DEC, false, 8, 7, 7},
	        {DEC, false, 7, 7, 6},
	        {DEC, false, 1, 7, 0},
	        {DEC, false, 0xffffffff, 0xffffffff, 0xfffffffe},
	        {AND, false, 0xff00ff00, 0x0ff00ff0, 0x0f000f00},
	        {OR, false, 0xff00ff00, 0x0ff00ff0, 0xfff0fff0},
	        {XOR, false, 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0},
	        {EXCH, false, 0x12345678, 0x9abcdef0, 0x9abcdef0},
	        {POPC_INC, false, 41, 0x9abcdef0, 42},
	        {POPC_INC, false, 0xffffffff, 7, 0},
	};
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct input in = {.op = rows[i].op, .sgn = rows[i].sgn};
		uint64_t want = (uint64_t)rows[i].now << 32 | rows[i].now;
		unsigned match;
		in.old = (uint64_t)rows[i].old << 32 | rows[i].old;
		in.b = (uint64_t)rows[i].b << 32 | rows[i].b;
		uint64_t now = evaluate(a, &in, &match);
		a->checked++;
		if (now != want) {
			complain(a, &in, now, 0, want, 0);
		}
	}
}

static void check_all_forms(struct alu *a, struct input *in)
{
	in->cas = in->wide = false;
	for (in->op = 0; in->op < OPS; in->op++) {
		in->sgn = false;
		check(a, in);
		in->sgn = true; /* makes a difference for MIN and MAX only */
		check(a, in);
	}
	in->sgn = false;
	in->op = 0;
	in->cas = true;
	check(a, in);
	in->wide = true;
	check(a, in);
}

static void test_specials(struct alu *a)
{
	static const uint32_t v[] = {0,          1,          2,          3,          0x7ffffffe, 0x7fffffff,
	                             0x80000000, 0x80000001, 0xaaaaaaaa, 0x55555555, 0xfffffffe, 0xffffffff};
	enum { N = sizeof v / sizeof v[0] };
	for (unsigned i = 0; i < N * N * N * N; i++) {
		struct input in = {.old = (uint64_t)v[i % N] << 32 | v[i / N % N],
		                   .b = (uint64_t)v[i / N / N % N] << 32 | v[i / N / N / N],
		                   .c = UINT64_C(0x0123456789abcdef) * (i + 1)};
		check_all_forms(a, &in);
	}
}

/* Each bit alone, beside all other bits and beside none. */
static void test_bits(struct alu *a)
{
	for (unsigned i = 0; i < 64 * 64; i++) {
		const uint64_t one = UINT64_C(1) << i % 64, other = UINT64_C(1) << i / 64;
		struct input in[] = {{.old = one, .b = ~other},
		                     {.old = one, .b = other},
		                     {.old = ~one, .b = other},
		                     {.old = one, .b = UINT64_MAX},
		                     {.old = one}};
		for (unsigned k = 0; k < sizeof in / sizeof in[0]; k++) {
			in[k].c = ~in[k].old;
			check_all_forms(a, &in[k]);
		}
	}
}

static void test_random(struct alu *a, uint64_t seed, unsigned count)
{
	struct rng s = rng_seed(seed, 0);
	for (unsigned i = 0; i < count; i++) {
		struct input in = {.old = rng_next(&s), .b = rng_next(&s), .c = rng_next(&s)};
		if (i % 4 == 1) {
			in.b = in.old + i % 3 - 1;
		} else if (i % 4 == 2) {
			in.b = in.old ^ UINT64_C(1) << (rng_next(&s) >> 58);
		} else if (i % 16 == 3) {
			in.b = in.old;
		}
		check_all_forms(a, &in);
	}
}

static unsigned verdict(struct alu *a, const char *what)
{
	unsigned failed = a->wrong != 0;
	printf("%s  %s: %lu evaluations\n", failed ? "FAIL" : "ok  ", what, a->checked);
	a->checked = a->wrong = 0;
	return failed;
}

static struct bench_end run_bench(const struct bench_args *a)
{
	static struct alu alu;
	unsigned failed = 0;
	alu.model = a->model;
	PINS_FIND(atomic_alu, &alu, &alu.model);
	*alu.valid_i = 1;
	test_table(&alu);
	failed += verdict(&alu, "table of known answers");
	test_bits(&alu);
	failed += verdict(&alu, "each bit alone");
	test_specials(&alu);
	failed += verdict(&alu, "special values crossed");
	test_random(&alu, a->seed, a->count);
	failed += verdict(&alu, "random values");
	return (struct bench_end){4 - failed, failed};
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {.words = "MODEL.so [SEED [COUNT]]", .usual = 200000, .run = run_bench};
	return bench_main(argc, argv, &form);
}
