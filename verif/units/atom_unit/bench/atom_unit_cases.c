// SPDX-License-Identifier: Apache-2.0
/* Single requests: all operations on all patterns of lanes, edges of floats with each other, forms of addresses. */
#include <stdio.h>
#include <string.h>

#include "atom_unit_tests.h"
#include "../../float_ref.h"

/* Every operation of every kind, type and width, with and without sign, on each pattern; a request at a time. A short
 * run draws a single pattern. */
void atom_test_matrix(struct atom_bench *b, bool whole)
{
	unsigned rows = 0;
	for (unsigned kind = 0; kind < ATOM_KINDS; kind++)
		for (unsigned op = 0; op <= OP_EXCH; op++)
			for (unsigned type = 0; type < TYPES; type++)
				for (unsigned size = 0; size < 5; size++)
					for (unsigned s = 0; s < 2 && atom_legal(kind, op, type, size); s++)
						for (unsigned p = 0, only = rng_below(&b->rng, PATTERNS);
						     p < PATTERNS && !b->errors; p++) {
							if (!whole && p != only)
								continue;
							struct live *l = atom_bench_new(b, 0);
							l->req = (struct atom_req){.kind = kind,
							                           .op = op,
							                           .type = type,
							                           .size = size,
							                           .is_signed = s};
							atom_bench_move(b);
							atom_fill(b, &l->req, (enum pattern)p);
							l->req.mask = p == ANYWHERE ? rng_u32(&b->rng) | 1 : UINT32_MAX;
							atom_finish(b, l);
							atom_bench_send(b, l);
							atom_bench_drain(b);
							rows++;
						}
	if (rows < (whole ? 400 : 200))
		atom_bench_error(b, "%u rows", rows);
	if (!b->quiet)
		printf("      %u rows\n", rows);
	atom_verdict(b, "each operation, type, width and pattern");
}

/* Pairs for sums, minima and maxima: zeros, subnormals, the least and the greatest number, ties, infinities, NaN, each
 * with each at known places. Upper numbers of a packed pair meet in another order. */
enum { EDGES = 16 };
static uint64_t edge(const struct float_format *f, unsigned i)
{
	enum exponent { NONE, LEAST, TIE, ONE, MOST, ALL };
	static const struct {
		bool minus;
		enum exponent exp;
		int fraction; /* -1: all bits 1 */
	} edges[EDGES] = {{0, NONE, 0},  {1, NONE, 0},  {0, NONE, 1},  {1, NONE, 1}, {0, NONE, -1}, {1, NONE, -1},
	                  {0, LEAST, 0}, {1, LEAST, 0}, {0, LEAST, 1}, {0, TIE, 0},  {0, ONE, 0},   {1, ONE, 1},
	                  {0, MOST, -1}, {0, ALL, 0},   {1, ALL, 0},   {0, ALL, 1}};
	const unsigned most = (1u << f->exp) - 1, bias = most / 2;
	const unsigned exponents[] = {0, 1, bias - f->man - 1, bias, most - 1, most};
	const uint64_t fraction = (uint64_t)(int64_t)edges[i].fraction & ((UINT64_C(1) << f->man) - 1);
	return (uint64_t)edges[i].minus << (f->exp + f->man) | (uint64_t)exponents[edges[i].exp] << f->man | fraction;
}

void atom_test_edges(struct atom_bench *b)
{
	static const struct {
		enum atom_type type;
		unsigned size; /* log2 of the bytes */
		bool packed;
		const struct float_format *format;
	} rows[] = {{TYPE_F32, 2, false, &float_f32},
	            {TYPE_F32_FTZ, 2, false, &float_f32},
	            {TYPE_F64, 3, false, &float_f64},
	            {TYPE_F16X2, 2, true, &float_f16},
	            {TYPE_BF16X2, 2, true, &float_bf16}};
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
		for (unsigned op = OP_ADD; op <= (rows[i].packed ? OP_MAX : OP_ADD); op++)
			for (unsigned first = 0; first < EDGES * EDGES; first += 32) {
				const struct float_format *f = rows[i].format;
				const unsigned bytes = 1u << rows[i].size;
				struct live *l = atom_bench_new(b, 0);
				l->req = (struct atom_req){.kind = ATOM_ATOMG,
				                           .op = (enum atom_op)op,
				                           .type = rows[i].type,
				                           .size = rows[i].size,
				                           .mask = UINT32_MAX};
				for (unsigned k = 0; k < 32; k++) {
					const unsigned pair = first + k;
					uint64_t old = edge(f, pair / EDGES), with = edge(f, pair % EDGES);
					if (rows[i].packed) {
						old |= edge(f, pair % EDGES) << 16;
						with |= edge(f, (pair / EDGES + pair) % EDGES) << 16;
					}
					l->req.ra[k] = b->memory_at + 64 + bytes * k;
					memcpy(b->memory + 64 + bytes * k, &old, bytes);
					memcpy(l->req.rb[k], &with, bytes);
				}
				atom_finish(b, l);
				atom_bench_send(b, l);
				atom_bench_drain(b);
			}
	atom_verdict(b, "floats: edges with edges");
}

void atom_test_address_forms(struct atom_bench *b)
{
	static const struct {
		bool used, wide, narrow;
		uint64_t ra, base;
	} rows[] = {
	        {true, true, false, FIRST_AT + 64, 0},
	        {true, true, false, FIRST_AT + 128, -(uint64_t)64},
	        {true, true, false, -(uint64_t)32, FIRST_AT + 96},
	        {true, true, true, UINT64_C(0xffffffff00000040), FIRST_AT},   /* .U32: zero-extended */
	        {true, false, false, UINT64_C(0xffffffff00000040), FIRST_AT}, /* no .E */
	        {true, true, true, UINT64_C(0x00345080), FIRST_AT - 0x345040},
	        {false, true, false, UINT64_C(0x123456789abcdef), FIRST_AT + 64}, /* RZ */
	};
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct live *l = atom_bench_new(b, 0);
		l->req = (struct atom_req){
		        .kind = i % 2 ? ATOM_LDG : ATOM_ATOMG, .size = 2, .mask = 0x10, .base = rows[i].base};
		atom_finish(b, l);
		l->req.ra[4] = rows[i].ra;
		l->req.rb[4][0] = 5;
		l->req.ra_used = rows[i].used;
		l->req.wide = rows[i].wide;
		l->req.narrow = rows[i].narrow;
		atom_bench_send(b, l);
		if (l->out.addr[4] != FIRST_AT + 64)
			atom_bench_error(b, "row %u is not made as it says", i);
		atom_bench_drain(b);
	}
	atom_verdict(b, "address forms");
}

/* Each lane in an absent half of a sector, beside lanes in the other half: the ends of memory. Others write
 * meanwhile. */
void atom_test_ends(struct atom_bench *b)
{
	static const enum atom_kind kinds[] = {ATOM_LDG, ATOM_STG, ATOM_RED, ATOM_ATOMG_CAS};
	b->others = 3;
	for (unsigned k = 0; k < 8; k++) {
		uint32_t upper = rng_u32(&b->rng);
		for (unsigned turn = 0; turn < 2; turn++, upper = ~upper) {
			struct live *l = atom_bench_new(b, 0);
			l->req = (struct atom_req){.kind = kinds[k / 2], .size = 2};
			atom_fill(b, &l->req, ANYWHERE);
			l->req.mask = UINT32_MAX;
			for (unsigned i = 0; i < 32; i++)
				l->req.ra[i] = b->memory_at + (k & 1 ? MEMORY - 32 : 0) + 16 * (upper >> i & 1) +
				               4 * rng_below(&b->rng, 4) - l->req.base;
			atom_finish(b, l);
			atom_bench_send(b, l);
			atom_bench_drain(b);
		}
	}
	b->others = 0;
	atom_verdict(b, "ends of memory");
}

/* Each lane in each window, and a bit away from the window. */
void atom_test_windows(struct atom_bench *b)
{
	for (b->away = 0; b->away < 32; b->away++)
		for (unsigned k = 0; k < 2; k++) {
			struct live *l = atom_bench_new(b, 0);
			atom_bench_move(b);
			atom_spaces(b, &l->req);
			l->req.mask = UINT32_MAX;
			atom_finish(b, l);
			atom_bench_send(b, l);
			atom_bench_drain(b);
		}
	atom_verdict(b, "windows, and a bit away from them");
}
