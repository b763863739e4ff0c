// SPDX-License-Identifier: Apache-2.0
/* Bench of fp_minmax for numbers of 16 bits: every first operand with edges, with the numbers next to the operand, with
 * itself, with the negated operand and with random numbers, against MIN and MAX of atom_unit's reference
 * (atom_unit_ref.c).
 *
 *   fp_minmax_test MODEL.so [SEED [STEP]]      STEP: every STEP-th first operand */
#include <stdio.h>
#include <string.h>

#include "../../atom_unit/bench/atom_unit_ref.h"
#include "../../bench_main.h"
#include "pins/fp_minmax.h"

static uint16_t expected(enum atom_type type, bool max, uint16_t a, uint16_t b)
{
	const struct atom_req r = {
	        .kind = ATOM_ATOMG, .op = max ? OP_MAX : OP_MIN, .type = type, .size = 2, .rb = {{b}}};
	struct atom_outcome o;
	uint8_t sector[32] = {(uint8_t)a, (uint8_t)(a >> 8)};
	memset(&o, 0, sizeof o);
	atom_apply(&r, &o, 1, 3, sector);
	return (uint16_t)(sector[0] | sector[1] << 8);
}

static struct bench_end run_bench(const struct bench_args *a)
{
	const struct model m = a->model;
	const unsigned man = model_param(&m, "Man", 10), step = a->count;
	const enum atom_type type = man == 7 ? TYPE_BF16X2 : TYPE_F16X2;
	PINS_MEMBERS(fp_minmax) pin;
	PINS_FIND(fp_minmax, &pin, &m);
	struct rng rng = rng_seed(a->seed, 0);
	const uint16_t least = (uint16_t)(1u << man), infinity = (uint16_t)(0x7fffu >> man << man);
	unsigned long passed = 0, failed = 0;
	for (unsigned first = rng_below(&rng, step); first < 0x10000 && failed < (m.changed ? 1u : 10u);
	     first += step) {
		const uint16_t others[] = {0,
		                           0x8000,
		                           1,
		                           0x8001,
		                           least,
		                           infinity,
		                           (uint16_t)(infinity | 0x8000),
		                           (uint16_t)(infinity + 1),
		                           0xffff,
		                           (uint16_t)first,
		                           (uint16_t)(first ^ 0x8000),
		                           (uint16_t)(first + 1),
		                           (uint16_t)(first - 1),
		                           (uint16_t)(first ^ 1u << rng_below(&rng, 16)),
		                           (uint16_t)rng_u32(&rng)};
		for (unsigned k = 0; k < 2 * sizeof others / sizeof others[0]; k++) {
			const uint16_t other = others[k / 2], want = expected(type, k & 1, (uint16_t)first, other);
			*pin.valid_i = 1;
			*pin.max_i = k & 1;
			pin_set(pin.a_i, 0, 16, first);
			pin_set(pin.b_i, 0, 16, other);
			m.eval(m.self);
			if (pin_get(pin.result_o, 0, 16) == want) {
				passed++;
			} else if (failed++ < 8) {
				printf("%s of %04x and %04x: %04x, expected %04x\n", k & 1 ? "max" : "min", first,
				       other, pin_get(pin.result_o, 0, 16), want);
			}
		}
	}
	return (struct bench_end){passed, failed};
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {.words = "MODEL.so [SEED [STEP]]", .usual = 1, .run = run_bench};
	return bench_main(argc, argv, &form);
}
