// SPDX-License-Identifier: Apache-2.0
/* Cycles of an empty unit, with a memory that answers in one cycle: the table in docs/units/atom_unit.md. A response of
 * another port than the last comes a cycle later, so all counted requests are of the same port. */
#include "atom_unit_tests.h"

/* The lanes of `mask` on the same word. */
static struct live *on_one_word(struct atom_bench *b, unsigned port, enum atom_kind kind, uint32_t mask)
{
	struct live *l = atom_bench_new(b, port);
	l->req = (struct atom_req){.kind = kind, .size = 2};
	atom_fill(b, &l->req, SAME_WORD);
	l->req.mask = mask;
	atom_finish(b, l);
	return l;
}

enum { STORE_CYCLES = 10, ATOMIC_CYCLES = 12 /* plus a cycle a pass */ };

unsigned atom_cycles_of(struct atom_bench *b, struct live *l)
{
	const uint64_t start = b->cycle;
	uint64_t from = start;
	atom_bench_send(b, l);
	while (l->used && b->cycle < start + 300) {
		atom_bench_cycle(b);
		if (b->sending)
			from = b->cycle;
	}
	return (unsigned)(b->cycle - 1 - from);
}

void atom_test_cycles(struct atom_bench *b)
{
	for (unsigned i = 0; i < 96 && !b->errors; i++) {
		const uint32_t mask = i < 32 ? UINT32_C(1) << i : rng_u32(&b->rng) | 1u << i % 32,
		               next = i < 32 ? UINT32_C(0x80000000) >> i : rng_u32(&b->rng) | 1;
		const unsigned d = (unsigned)__builtin_popcount(mask), reply = b->beats - 1;
		atom_bench_move(b);
		/* The last sector of a request frees the way: the next request follows at once. With several ports the
		 * next request is of another port, since a port may have a single slot. */
		atom_bench_send(b, on_one_word(b, 0, ATOM_LDG, mask));
		for (unsigned k = 0; k < 100 && b->sending; k++)
			atom_bench_cycle(b);
		if (b->sending) {
			atom_bench_error(b, "lanes %08x: an empty unit does not take them", mask);
			break;
		}
		atom_bench_send(b, on_one_word(b, b->ports > 1, ATOM_STG, next));
		atom_bench_cycle(b);
		if (b->sending && b->beat != 1)
			atom_bench_error(b, "lanes %08x: the next request has to wait", mask);
		atom_bench_drain(b);
		const unsigned other = atom_cycles_of(b, on_one_word(b, 0, ATOM_LDG, mask)),
		               load = atom_cycles_of(b, on_one_word(b, 0, ATOM_LDG, mask)),
		               store = atom_cycles_of(b, on_one_word(b, 0, ATOM_STG, 1u << i % 32)),
		               compare = atom_cycles_of(b, on_one_word(b, 0, ATOM_ATOMG_CAS, mask));
		if (other != load + (b->ports > 1))
			atom_bench_error(b, "lanes %08x: %u cycles of a load behind %s port's request, then %u", mask,
			                 other, b->ports > 1 ? "another" : "the same", load);
		atom_bench_drain(b);
		if (load != ATOM_LOAD_CYCLES + reply || store != STORE_CYCLES + reply ||
		    compare != ATOMIC_CYCLES + d + reply)
			atom_bench_error(b, "lanes %08x: %u cycles of a load, %u of a store, %u of a compare", mask,
			                 load - reply, store - reply, compare - reply);
	}
	atom_verdict(b, "cycles of an empty unit");
}
