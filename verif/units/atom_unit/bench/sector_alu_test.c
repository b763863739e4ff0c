// SPDX-License-Identifier: Apache-2.0
/* Bench of sector_alu: every operation, type and size on the words of a sector, each group against the group's lane in
 * the reference of atom_unit (atom_unit_ref.c).
 *
 *   sector_alu_test MODEL.so [SEED [ROUNDS]]      a round: each legal operation, type and size once */
#include <stdio.h>
#include <string.h>

#include "atom_unit_ref.h"
#include "../../bench_main.h"
#include "pins/sector_alu.h"

static struct {
	struct model model;
	PINS_MEMBERS(sector_alu);
	struct rng rng;
	unsigned long checks, errors, matches, misses;
} b;

static uint32_t word(void)
{
	static const uint32_t edges[] = {0,          1,          UINT32_MAX, 0x7fffffff, 0x80000000, 0x7f800000,
	                                 0xff800000, 0x7fc00001, 0x00800000, 0x807fffff, 0x3f800000, 0xbf800000,
	                                 0x7bff7bff, 0x00010001, 0x83ff03ff, 0x3c003c00, 0xfc007c00, 0x7f7f7f7f};
	return rng_one_in(&b.rng, 3) ? edges[rng_below(&b.rng, sizeof edges / sizeof edges[0])] : rng_u32(&b.rng);
}

/* Words, and other words: equal, 1 more or less, a bit different, or random. */
static void operands(uint8_t old[32], uint8_t with[32])
{
	for (unsigned w = 0; w < 8; w++) {
		const uint32_t a = word();
		uint32_t other = word();
		switch (rng_below(&b.rng, 6)) {
		case 0:
		case 1:
			other = a;
			break;
		case 2:
			other = a + 1 - 2 * rng_below(&b.rng, 2);
			break;
		case 3:
			other = a ^ UINT32_C(1) << rng_below(&b.rng, 32);
			break;
		default:;
		}
		memcpy(old + 4 * w, &a, 4);
		memcpy(with + 4 * w, &other, 4);
	}
}

/* In half of the groups of several words all words are equal, except for a random word. */
static void alike(uint8_t old[32], uint8_t with[32], unsigned bytes)
{
	for (unsigned at = 0; at < 32 && bytes > 4; at += bytes)
		if (rng_one_in(&b.rng, 2)) {
			const unsigned other = at + 4 * rng_below(&b.rng, bytes / 4);
			uint8_t kept[4];
			memcpy(kept, with + other, 4);
			memcpy(with + at, old + at, bytes);
			memcpy(with + other, kept, 4);
		}
}

static void check(const struct atom_req *what)
{
	struct atom_req r = *what;
	struct atom_outcome o;
	const bool cas = atom_is_cas(r.kind), store = atom_is_store(r.kind);
	const unsigned bytes = 1u << r.size, group = bytes < 4 ? 4 : bytes, groups = 32 / group;
	uint8_t old[32], with[32], other[32], now[32];
	unsigned match = 0;
	operands(old, with);
	alike(old, with, group);
	for (unsigned i = 0; i < 32; i++)
		other[i] = (uint8_t)rng_next(&b.rng);
	memset(&o, 0, sizeof o);
	for (unsigned i = 0; i < groups; i++) {
		o.addr[i] = i * group;
		memcpy(r.rb[i], with + i * group, group);
		memcpy(r.rc[i], other + i * group, group);
		if (memcmp(old + i * group, with + i * group, group) == 0)
			match |= ((1u << group / 4) - 1) << (i * group / 4);
	}
	memcpy(now, old, 32);
	if (cas)
		memcpy(now, other, 32); /* match_o decides about the write */
	else if (store)                 /* whole words: the bytes are selected behind sector_alu */
		memcpy(now, with, 32);
	else
		atom_apply(&r, &o, (uint32_t)((UINT64_C(1) << groups) - 1), 3, now);
	*b.valid_i = 1;
	pin_set(b.op_i, 0, 4, store ? OP_EXCH : cas ? rng_below(&b.rng, 9) : r.op);
	pin_set(b.type_i, 0, 3, r.type);
	*b.signed_i = r.is_signed;
	*b.cas_i = cas;
	pin_set(b.size_i, 0, 3, r.size);
	memcpy(b.old_i, old, 32);
	memcpy(b.b_i, with, 32);
	memcpy(b.c_i, other, 32);
	b.model.eval(b.model.self);
	b.checks++;
	b.matches += cas && match == 0xff;
	b.misses += cas && match == 0;
	if (memcmp(b.new_o, now, 32) != 0 || (cas && *b.match_o != match)) {
		printf("kind %u op %u type %u size %u signed %d: new or match_o %02x (expected %02x) is wrong\n",
		       r.kind, r.op, r.type, bytes, r.is_signed, *b.match_o, match);
		b.errors++;
	}
}

static struct bench_end run_bench(const struct bench_args *a)
{
	static const enum atom_kind kinds[] = {ATOM_ATOMG, ATOM_STG, ATOM_ATOMG_CAS};
	b.model = a->model;
	PINS_FIND(sector_alu, &b, &b.model);
	b.rng = rng_seed(a->seed, 0);
	for (unsigned long n = 0; n < a->count; n++)
		for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
			for (unsigned op = 0; op <= OP_EXCH; op++)
				for (unsigned type = 0; type < TYPES; type++)
					for (unsigned size = 0; size < 5; size++) {
						const struct atom_req r = {.kind = kinds[k],
						                           .op = op,
						                           .type = type,
						                           .size = size,
						                           .is_signed = rng_next(&b.rng) >> 63};
						if (!atom_legal(r.kind, r.op, r.type, size) ||
						    b.errors >= (b.model.changed ? 1u : 10u))
							continue;
						check(&r);
					}
	if (!b.errors && (!b.matches || !b.misses)) {
		printf("%lu compares of which all words are equal, %lu of which none\n", b.matches, b.misses);
		b.errors++;
	}
	return (struct bench_end){b.checks - b.errors, b.errors};
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {.words = "MODEL.so [SEED [ROUNDS]]", .usual = 200, .run = run_bench};
	return bench_main(argc, argv, &form);
}
