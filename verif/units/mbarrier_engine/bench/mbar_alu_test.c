// SPDX-License-Identifier: Apache-2.0
/* Bench of mbar_alu (one object) against the rules on integers: a table of bits by hand, every object of 3-bit counts
 * with every small operand, values at the edges of 20-bit counts, random values.
 * Source: docs/spec/mbarrier.md, "Layouts"; docs/spec/mbarrier.md, "Completion".
 *
 *   mbar_alu_test MODEL.so [SEED [COUNT]]
 *
 * The parameter N of the model is the size of a count: 20, or 3 for the table of all objects. With LayoutV1 objects of
 * layout v1 of sm_107 come as well: words by hand, all objects of small counts, values at the edges of 9-bit counts. */
#include <stdio.h>
#include <string.h>

#include "../../../common/rng.h"
#include "mbar_ref.h"
#include "../../bench_main.h"
#include "pins/mbar_alu.h"

struct bench {
	struct model model;
	PINS_MEMBERS(mbar_alu);
	unsigned n;
	bool has_v1;
	unsigned long checked, wrong, faults[MBAR_FAULTS], flips, v1_faults[MBAR_FAULTS], v1_flips, v1_checked;
};

/* ---- a single operation on the model ---- */

static void run(struct bench *b, const struct mbar_step *op, struct mbar_outcome *got)
{
	*b->kind_i = op->kind;
	*b->form_i = op->form;
	*b->drop_i = op->drop;
	*b->stay_i = op->stay;
	*b->v1_i = op->sm_107;
	*b->mark_i = op->marked;
	memcpy(b->old_i, &op->old, 8);
	memcpy(b->b_i, &op->b, 8);
	b->model.eval(b->model.self);
	memcpy(&got->now, b->new_o, 8);
	got->written = *b->we_o;
	got->marked = *b->mark_o;
	got->flip = *b->flip_o;
	got->fault = (enum mbar_fault)(*b->fault_o & 63);
}

static void check(struct bench *b, const struct mbar_step *op)
{
	struct mbar_outcome got;
	const struct mbar_outcome want = mbar_run(op, b->n);
	run(b, op, &got);
	b->checked++;
	b->faults[want.fault]++;
	b->flips += want.flip;
	if (op->sm_107 && op->old & 1 && op->kind == MBAR_ARRIVE) {
		b->v1_checked++;
		b->v1_faults[want.fault]++;
		b->v1_flips += want.flip;
	}
	if (got.fault == want.fault && got.written == want.written && got.flip == want.flip &&
	    got.marked == want.marked && (!want.written || got.now == want.now))
		return;
	if (b->wrong++ < 10)
		printf("FAIL  kind %d form %d drop %d stay %d v1 %d mark %d old %016llx b %016llx: fault %d written %d "
		       "flip "
		       "%d "
		       "mark %d now %016llx, expected %d %d %d %d %016llx\n",
		       op->kind, op->form, op->drop, op->stay, op->sm_107, op->marked, (unsigned long long)op->old,
		       (unsigned long long)op->b, got.fault, got.written, got.flip, got.marked,
		       (unsigned long long)got.now, want.fault, want.written, want.flip, want.marked,
		       (unsigned long long)want.now);
}

/* ---- the examples of docs/spec/mbarrier.md, "Layouts": written out, not computed ---- */

static void examples(struct bench *b)
{
	static const struct {
		enum mbar_kind kind;
		enum mbar_form form;
		bool drop;
		uint32_t r, lo, hi;
	} step[] =
	        {
	                {MBAR_EXCH, 0, false, 2, 0x001ffffc, 0x7ffff000},
	                {MBAR_ARRIVE, A1T0, false, 0, 0x001ffffc, 0x7ffff800},
	                {MBAR_ARRIVE, A1T0, false, 0, 0x001ffffc, 0xfffff000},
	                {MBAR_ARRIVE, A1T0, true, 0, 0x001ffffe, 0xfffff800},
	                {MBAR_ARRIVE, A1T0, false, 0, 0x001ffffe, 0x7ffff800},
	                {MBAR_EXCH, 0, false, 32, 0x001fffc0, 0x7fff0000},
	                {MBAR_EXCH, 0, false, 12, 0x001fffe8, 0x7fffa000},
	        },
	  layout_a[] = {
	          {MBAR_ARRIVE_A, 0, false, 0, 0x3ffffffe, 0x7fffffff},
	          {MBAR_ARRIVE_A, 0, false, 0, 0x3ffffffe, 0xfffffffe},
	          {MBAR_READ, 0, true, 0, 0x3fffffff, 0xfffffffe},
	          {MBAR_ARRIVE_A, 0, false, 0, 0x3fffffff, 0xffffffff},
	          {MBAR_ARRIVE_A, 0, false, 0, 0x3fffffff, 0x7fffffff},
	  };
	uint64_t at = 0;
	struct mbar_outcome got;
	for (unsigned i = 0; i < sizeof step / sizeof step[0]; i++) {
		const uint64_t t = 0x100000u - step[i].r; /* value written by init */
		const struct mbar_step op = {.kind = step[i].kind,
		                             .form = step[i].form,
		                             .drop = step[i].drop,
		                             .marked = step[i].kind != MBAR_EXCH,
		                             .old = at,
		                             .b = (uint64_t)(uint32_t)(t << 11) << 32 | (uint32_t)(t << 1)};
		run(b, &op, &got);
		at = got.now;
		b->checked++;
		if (at != ((uint64_t)step[i].hi << 32 | step[i].lo) || got.fault || !got.marked) {
			b->wrong++;
			printf("FAIL  layout B, step %u: %016llx\n", i, (unsigned long long)at);
		}
	}
	at = UINT64_C(0x7ffffffe3ffffffe); /* init(2) */
	for (unsigned i = 0; i < sizeof layout_a / sizeof layout_a[0]; i++) {
		const struct mbar_step op = {.kind = MBAR_ARRIVE_A, .old = at};
		b->checked++;
		if (layout_a[i].drop) { /* ATOMS.POPC.INC on the low word: not of this unit */
			at++;
			continue;
		}
		run(b, &op, &got);
		at = got.now;
		if (at != ((uint64_t)layout_a[i].hi << 32 | layout_a[i].lo) || got.fault) {
			b->wrong++;
			printf("FAIL  layout A, step %u: %016llx\n", i, (unsigned long long)at);
		}
	}
}

/* ---- layout v1 of sm_107 ---- */

/* Words of ptxas 13.5.37 for sm_107, and by hand from the contract's page. */
static void examples_v1(struct bench *b)
{
	static const struct {
		enum mbar_form form;
		bool drop;
		uint32_t r;
		uint64_t old, now;
	} step[] = {
	        {A1T0, false, 0, 0x000ff00000001fe1, 0x000ff80000001fe1}, /* init(2) */
	        {A1T0, true, 0, 0x000ff80000001fe3, 0x800ff80000001ff5},  /* phase 0 has failed, expected is 1 */
	        {A1T0, false, 0, 0x800ff80000001ff5, 0x000ff80000001ff9}, /* the conditional phase goes on */
	        {A0TR, false, 16, 0x000ff80000001ff1, 0x000ffbfffe001ff1},
	        {ART0, false, 511, 0x0000080000000011, 0x8000080000000019}, /* init(511) */
	        {A1T0, false, 0, 0x000ff8000000fff3, 0x807ff80000001ff5},   /* a value, 0x07 */
	};
	struct mbar_outcome got;
	for (unsigned i = 0; i < sizeof step / sizeof step[0]; i++) {
		const struct mbar_step op = {.kind = MBAR_ARRIVE,
		                             .form = step[i].form,
		                             .drop = step[i].drop,
		                             .marked = true,
		                             .sm_107 = true,
		                             .old = step[i].old,
		                             .b = step[i].r};
		run(b, &op, &got);
		b->checked++;
		if (got.now == step[i].now && !got.fault)
			continue;
		b->wrong++;
		printf("FAIL  layout v1, step %u: fault %d, %016llx, expected %016llx\n", i, got.fault,
		       (unsigned long long)got.now, (unsigned long long)step[i].now);
	}
}

static void every_v1(struct bench *b, uint64_t word, uint64_t most)
{
	for (unsigned form = 0; form < MBAR_FORMS; form++)
		for (unsigned i = 0; i < 4; i++)
			for (uint64_t r = 0; r <= most; r++)
				check(b, &(struct mbar_step){.form = (enum mbar_form)form,
				                             .drop = i & 1,
				                             .stay = i >> 1,
				                             .marked = true,
				                             .sm_107 = true,
				                             .old = word,
				                             .b = r});
}

/* Counts of 3 bits, tx from -4 to 4, both phases, both reports. */
static void all_small_v1(struct bench *b)
{
	for (unsigned code = 0; code < 8 * 8 * 9 * 16; code++) {
		const struct mbar_object o = {.expected = code % 8,
		                              .pending = code / 8 % 8,
		                              .tx = (int64_t)(code / 64 % 9) - 4,
		                              .phase = code / 576 % 2,
		                              .conditional = code / 1152 % 2,
		                              .failed = code / 2304 % 2,
		                              .value = code / 2304 % 2 * (code % 3),
		                              .last_failed = code / 4608,
		                              .last_value = code / 4608 * (code % 5)};
		every_v1(b, mbar_v1_pack(&o), 8);
	}
	for (unsigned bit = 1; bit < 64; bit++) { /* inverted bits of an object: some objects are impossible */
		every_v1(b, 0x000ff00000001fe1 ^ UINT64_C(1) << bit, 3);
		every_v1(b, 0x80aff80000181ff7 ^ UINT64_C(1) << bit, 3);
	}
	for (unsigned bit = 0; bit < 32; bit++)
		for (unsigned i = 0; i < 2 * MBAR_FORMS; i++)
			check(b, &(struct mbar_step){.form = (enum mbar_form)(i / 2),
			                             .drop = i & 1,
			                             .marked = true,
			                             .sm_107 = true,
			                             .old = 0x0000080000000011,
			                             .b = UINT64_C(1) << bit});
}

/* ---- all objects of small counts, all operations, operands up to beyond both ranges ---- */

static void all_objects(struct bench *b)
{
	const uint64_t objects = UINT64_C(1) << (3 * b->n + 4);
	for (uint64_t old = 0; old < objects; old++)
		for (unsigned form = 0; form < MBAR_FORMS; form++)
			for (unsigned i = 0; i < 4; i++)
				for (uint64_t r = 0; r <= UINT64_C(2) << b->n; r++)
					check(b, &(struct mbar_step){.form = (enum mbar_form)form,
					                             .drop = i & 1,
					                             .stay = i >> 1,
					                             .marked = true,
					                             .old = old,
					                             .b = r});
	for (uint64_t word = 0; word < objects; word++)
		for (unsigned i = 0; i < 2 * MBAR_KINDS; i++)
			if (i / 2 != MBAR_ARRIVE_A) /* fields of MBAR_ARRIVE_A do not shrink */
				check(b, &(struct mbar_step){.kind = (enum mbar_kind)(i / 2),
				                             .marked = i & 1,
				                             .old = objects - 1 - word,
				                             .b = word});
}

/* ---- counts at their edges ---- */

static uint64_t edge(struct rng *rng, unsigned n)
{
	const uint64_t top = UINT64_C(1) << n;
	switch (rng_below(rng, 6)) {
	case 0:
		return rng_below(rng, 4);
	case 1:
		return top - 1 - rng_below(rng, 4);
	case 2:
		return top + rng_below(rng, 3);
	case 3:
		return UINT32_MAX - rng_below(rng, 2);
	case 4:
		return top / 2 + rng_below(rng, 3) - 1;
	default:
		return rng_next(rng) & UINT32_MAX;
	}
}

static void random_operations(struct bench *b, uint64_t seed, unsigned long count)
{
	struct rng rng = rng_seed(seed, 7);
	for (unsigned long i = 0; i < count; i++) {
		const uint64_t mask = (uint64_t)((INT64_C(1) << b->n) - 1);
		struct mbar_object o = {.phase = rng_below(&rng, 2),
		                        .expected = (int64_t)(edge(&rng, b->n) & mask),
		                        .pending = (int64_t)(edge(&rng, b->n) & mask),
		                        .tx = (int64_t)(edge(&rng, b->n) & mask)};
		struct mbar_step op = {.kind = rng_below(&rng, 8) ? MBAR_ARRIVE
		                                                  : (enum mbar_kind)rng_below(&rng, MBAR_KINDS),
		                       .form = (enum mbar_form)rng_below(&rng, MBAR_FORMS),
		                       .drop = rng_below(&rng, 3) == 0,
		                       .stay = rng_below(&rng, 4) == 0,
		                       .marked = rng_below(&rng, 30) != 0,
		                       .b = edge(&rng, b->n)};
		if (rng_below(&rng, 2))
			o.tx = rng_below(&rng, 3) ? -o.tx : rng_below(&rng, 9) ? 0 : INT64_C(1) << b->n;
		if (rng_below(&rng, 3) == 0) /* exactly the missing amount, or 1 more or less */
			op.b = (uint64_t)(op.form == ART0   ? o.pending
			                  : op.form == A0TX ? o.tx
			                                    : -o.tx) +
			       rng_below(&rng, 3) - 1;
		if (rng_below(&rng, 3) == 0)
			o.pending = rng_below(&rng, 2);
		op.b &= UINT32_MAX;
		op.old = op.kind == MBAR_ARRIVE_A ? rng_next(&rng) : mbar_pack(&o, b->n) | rng_below(&rng, 2);
		if (op.kind == MBAR_ARRIVE_A && rng_below(&rng, 2)) /* the last arrival; no arrival is missing */
			op.old = (op.old & UINT64_C(0x8000000000000000)) |
			         (rng_below(&rng, 2) ? UINT64_C(0x7fffffff) << 32 : 0) |
			         (rng_below(&rng, 2) ? (uint32_t)op.old & 0x3fffffff : 0);
		if (op.kind == MBAR_EXCH) { /* a new object, or any word */
			o.phase = 0;
			o.pending = o.expected;
			o.tx = 0;
			op.b = rng_below(&rng, 2) ? mbar_pack(&o, b->n) : rng_next(&rng);
		}
		check(b, &op);
	}
}

static void random_v1(struct bench *b, uint64_t seed, unsigned long count)
{
	struct rng rng = rng_seed(seed, 8);
	for (unsigned long i = 0; i < count; i++) {
		struct mbar_object o = {.phase = rng_below(&rng, 2),
		                        .conditional = rng_below(&rng, 2),
		                        .failed = rng_below(&rng, 2),
		                        .last_failed = rng_below(&rng, 2),
		                        .expected = (int64_t)(edge(&rng, 9) & 511),
		                        .pending = (int64_t)(edge(&rng, 9) & 511),
		                        .tx = (int64_t)(edge(&rng, 20) & 0xfffff) * (rng_below(&rng, 2) ? 1 : -1)};
		struct mbar_step op = {.kind = rng_below(&rng, 8) ? MBAR_ARRIVE
		                                                  : (enum mbar_kind)rng_below(&rng, MBAR_KINDS),
		                       .form = (enum mbar_form)rng_below(&rng, MBAR_FORMS),
		                       .drop = rng_below(&rng, 3) == 0,
		                       .stay = rng_below(&rng, 4) == 0,
		                       .marked = rng_below(&rng, 30) != 0,
		                       .sm_107 = rng_below(&rng, 12) != 0,
		                       .b = edge(&rng, rng_below(&rng, 2) ? 9 : 20)};
		o.value = o.failed ? rng_below(&rng, 256) : 0;
		o.last_value = o.last_failed ? rng_below(&rng, 256) : 0;
		if (rng_below(&rng, 2))
			o.tx = 0;
		if (rng_below(&rng, 2)) /* exactly the missing amount, or 1 more or less */
			op.b = (uint64_t)(op.form == ART0   ? o.pending
			                  : op.form == A0TX ? o.tx
			                                    : -o.tx) +
			       rng_below(&rng, 3) - 1;
		op.b = op.kind == MBAR_EXCH ? rng_next(&rng) : op.b & UINT32_MAX;
		op.old = rng_below(&rng, 12) ? mbar_v1_pack(&o) : rng_next(&rng);
		if (rng_below(&rng, 12) == 0)
			op.old ^= UINT64_C(1) << rng_below(&rng, 64);
		if (op.kind == MBAR_ARRIVE_A)
			op.sm_107 = false;
		check(b, &op);
	}
}

/* ---- a single bit, where a comparison reads many bits ---- */

static void every_form(struct bench *b, const struct mbar_object *o, uint64_t operand)
{
	for (unsigned form = 0; form < MBAR_FORMS; form++)
		for (unsigned i = 0; i < 4; i++)
			check(b, &(struct mbar_step){.kind = MBAR_ARRIVE,
			                             .form = (enum mbar_form)form,
			                             .drop = i & 1,
			                             .stay = i >> 1,
			                             .marked = true,
			                             .old = mbar_pack(o, b->n),
			                             .b = operand});
}

static void single_bits(struct bench *b)
{
	for (unsigned bit = 0; bit < b->n; bit++) {
		const int64_t one = INT64_C(1) << bit;
		for (unsigned operand = 0; operand < 3; operand++) {
			every_form(b, &(struct mbar_object){.expected = one}, operand);
			every_form(b, &(struct mbar_object){.pending = one}, operand);
			every_form(b, &(struct mbar_object){.tx = one}, operand);
			every_form(b, &(struct mbar_object){.tx = -one}, operand);
		}
	}
	for (unsigned bit = 0; bit < 32; bit++)
		for (int64_t tx = -1; tx <= 1; tx++) {
			every_form(b, &(struct mbar_object){.expected = 3, .pending = 2, .tx = tx}, UINT64_C(1) << bit);
			every_form(b,
			           &(struct mbar_object){
			                   .expected = 3, .pending = 2, .tx = tx * ((INT64_C(1) << b->n) - 1)},
			           UINT64_C(1) << bit);
		}
	for (unsigned bit = 0; bit < 64; bit++)
		check(b, &(struct mbar_step){.kind = MBAR_ARRIVE_A, .old = UINT64_MAX ^ UINT64_C(1) << bit});
}

static struct bench_end run_bench(const struct bench_args *a)
{
	static const enum mbar_fault raised[] = {MBAR_UNINIT,     MBAR_UNDERFLOW,  MBAR_TX_RANGE,
	                                         MBAR_NOCOMPLETE, MBAR_DROP_RANGE, MBAR_DRAINED};
	struct bench b = {.checked = 0};
	b.model = a->model;
	b.n = model_param(&b.model, "N", 20);
	b.has_v1 = model_param(&b.model, "LayoutV1", 0) && b.n == 20;
	PINS_FIND(mbar_alu, &b, &b.model);
	*b.valid_i = 1;
	if (b.n == 20)
		examples(&b);
	else
		all_objects(&b);
	single_bits(&b);
	random_operations(&b, a->seed, a->count);
	if (b.has_v1) {
		examples_v1(&b);
		all_small_v1(&b);
		random_v1(&b, a->seed, a->count);
		printf("layout v1: %lu operations, %lu phases ended\n", b.v1_checked, b.v1_flips);
	}
	b.wrong += b.has_v1 && !b.v1_faults[MBAR_COUNT_RANGE];
	for (unsigned i = 0; i < sizeof raised / sizeof raised[0]; i++)
		if (!b.faults[raised[i]] || (b.has_v1 && raised[i] != MBAR_UNINIT && !b.v1_faults[raised[i]])) {
			printf("FAIL  fault %d was never expected\n", raised[i]);
			b.wrong++;
		}
	printf("%lu operations, %lu phases ended, %lu differ\n", b.checked, b.flips, b.wrong);
	return bench_good(!b.wrong);
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {.words = "MODEL.so [SEED [COUNT]]", .usual = 500000, .run = run_bench};
	return bench_main(argc, argv, &form);
}
