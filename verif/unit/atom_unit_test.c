// SPDX-License-Identifier: Apache-2.0
/* Bench of atom_unit: every operation, type and width on lanes that share words, sectors or nothing, with edge
 * operands; random requests under all kinds of back-pressure, latencies, orders of answers and writes of others;
 * faults; resets in the middle of it; what it does in a cycle.
 *
 *   atom_unit_test MODEL.so [SEED [REQUESTS [BUG]]]      with BUG, not 0: passes when the bug is found */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atom_bench.h"
#include "float_ref.h"

static unsigned passed, failed;
static bool quiet;

static void verdict(struct atom_bench *b, const char *what)
{
	if (!quiet)
		printf("%s  %s\n", b->errors ? "FAIL" : "ok  ", what);
	passed += b->errors == 0;
	failed += b->errors != 0;
	b->errors = 0;
}

/* --- requests ------------------------------------------------------------------------------------------------- */

enum pattern { SAME_WORD, PAIRS, COALESCED, STRIDED, FEW_SECTORS, ANYWHERE, PATTERNS };

static const uint32_t edges32[] = {0,          1,          UINT32_MAX, 0x7fffffff, 0x80000000, 0x7f800000, 0xff800000,
                                   0x7fc00001, 0x00800000, 0x807fffff, 0x00000001, 0x3f800000, 0xbf800000, 0x7bff7bff,
                                   0x00010001, 0x83ff03ff, 0x3c003c00, 0xfc007c00, 0x7f7f7f7f, 0x00800080};

static uint32_t operand(struct atom_bench *b)
{
	switch (rng_below(&b->rng, 4)) {
	case 0:
		return edges32[rng_below(&b->rng, sizeof edges32 / sizeof edges32[0])];
	case 1:
		return rng_below(&b->rng, 4);
	case 2: /* a subnormal float32 */
		return rng_u32(&b->rng) >> 9;
	default:
		return rng_u32(&b->rng);
	}
}

/* Sums of doubles whose exponents are near each other, too. */
static uint32_t high_of_double(struct atom_bench *b)
{
	return rng_u32(&b->rng) << 31 | (1020 + rng_below(&b->rng, 60)) << 20 | (rng_u32(&b->rng) & 0xfffff);
}

static uint64_t place(struct atom_bench *b, enum pattern p, unsigned lane, unsigned bytes, uint64_t anchor)
{
	const unsigned slots = MEMORY / bytes;
	switch (p) {
	case SAME_WORD:
		return anchor / bytes * bytes;
	case PAIRS:
		return (anchor / bytes + lane / 2) % slots * bytes;
	case COALESCED:
		return (anchor / bytes + lane) % slots * bytes;
	case STRIDED:
		return (anchor / bytes + lane * 5) % slots * bytes;
	case FEW_SECTORS:
		return ((anchor / 32 + rng_below(&b->rng, 3)) * 32 + rng_below(&b->rng, 32 / bytes) * bytes) % MEMORY;
	default:
		return rng_below(&b->rng, slots) * bytes;
	}
}

static void fill(struct atom_bench *b, struct atom_req *r, enum pattern p)
{
	const unsigned bytes = 1u << r->size;
	const uint64_t anchor = rng_below(&b->rng, MEMORY);
	r->base = rng_one_in(&b->rng, 4) ? 0 : rng_next(&b->rng) >> rng_below(&b->rng, 60);
	r->base -= rng_one_in(&b->rng, 4) ? 64 : 0;
	for (unsigned i = 0; i < 32; i++) {
		const uint64_t at = place(b, p, i, bytes, anchor);
		r->ra[i] = b->memory_at + at - r->base;
		for (unsigned k = 0; k < 4; k++) {
			r->rb[i][k] = operand(b);
			r->rc[i][k] = operand(b);
		}
		if (r->type == TYPE_F64 && rng_one_in(&b->rng, 2))
			r->rb[i][1] = high_of_double(b);
		if (atom_is_cas(r->kind) && rng_below(&b->rng, 4)) /* often what is there */
			memcpy(r->rb[i], b->memory + at, bytes);
		if (atom_is_cas(r->kind) && i && p == SAME_WORD && rng_one_in(&b->rng, 2)) /* or will be */
			memcpy(r->rb[i], r->rc[i - 1], bytes);
	}
}

/* Which operations there are of a type and a size. */
static bool legal(enum atom_kind kind, enum atom_op op, enum atom_type type, unsigned size)
{
	if (atom_is_load(kind) || atom_is_store(kind))
		return op == OP_ADD && type == TYPE_INT;
	if (atom_is_cas(kind))
		return op == OP_ADD && type == TYPE_INT && size >= 2;
	if (type != TYPE_INT)
		return size >= 2 && (type != TYPE_F64 || size == 3) &&
		       (op == OP_ADD ||
		        ((type == TYPE_F16X2 || type == TYPE_BF16X2) && (op == OP_MIN || op == OP_MAX)));
	return size >= 2 && !(size == 3 && (op == OP_INC || op == OP_DEC)) && (size < 4 || op == OP_EXCH) &&
	       !(kind == ATOM_RED && op == OP_EXCH);
}

static void choose(struct atom_bench *b, struct atom_req *r)
{
	do {
		r->kind = (enum atom_kind)rng_below(&b->rng, ATOM_KINDS);
		r->op = (enum atom_op)rng_below(&b->rng, OP_EXCH + 1);
		r->type = rng_one_in(&b->rng, 2) ? TYPE_INT : (enum atom_type)rng_below(&b->rng, TYPES);
		r->size = rng_below(&b->rng, 5);
	} while (!legal(r->kind, r->op, r->type, r->size));
	r->is_signed = rng_next(&b->rng) >> 63;
}

static void finish(struct atom_bench *b, struct live *l)
{
	struct atom_req *r = &l->req;
	const unsigned warps = 48 / b->ports;
	r->ra_used = r->wide = true;
	r->rd_used = r->kind != ATOM_RED && !atom_is_store(r->kind) && rng_below(&b->rng, 5);
	r->pd_used = r->kind >= ATOM_ATOMG && r->kind != ATOM_RED && rng_one_in(&b->rng, 3);
	r->has_policy = rng_one_in(&b->rng, 2);
	r->policy = rng_next(&b->rng); /* what stands there without one means nothing */
	r->several = rng_below(&b->rng, 4);
	r->rank = rng_below(&b->rng, 16);
	r->tag = (rng_below(&b->rng, warps) * b->ports + l->port) << 16 | (uint32_t)(b->requests & 0xffff);
}

static bool send(struct atom_bench *b, void (*make)(struct atom_bench *, struct atom_req *))
{
	struct live *l;
	if (b->sending || !(l = atom_bench_new(b, rng_below(&b->rng, b->ports))))
		return false;
	make(b, &l->req);
	finish(b, l);
	atom_bench_send(b, l);
	return true;
}

static void make_any(struct atom_bench *b, struct atom_req *r)
{
	choose(b, r);
	fill(b, r, (enum pattern)rng_below(&b->rng, PATTERNS));
	r->mask = rng_one_in(&b->rng, 3)   ? UINT32_MAX
	          : rng_one_in(&b->rng, 6) ? UINT32_C(1) << rng_below(&b->rng, 32)
	                                   : rng_u32(&b->rng);
	r->mask |= !r->mask;
}

/* Addresses that fault or are refused, words that are illegal, addresses of 32 bits and without a register. */
static void make_wrong(struct atom_bench *b, struct atom_req *r)
{
	make_any(b, r);
	for (unsigned i = 0; i < 32; i++)
		switch (rng_below(&b->rng, 20)) {
		case 0:
			r->ra[i] += rng_below(&b->rng, 16);
			break;
		case 1:
			r->ra[i] += (rng_next(&b->rng) & 1) ? MEMORY : -(uint64_t)MEMORY;
			break;
		case 2:
			r->ra[i] = ((uint64_t)b->hw.shared_high << 32) + rng_below(&b->rng, 256) - r->base;
			break;
		case 3:
			r->ra[i] = ((uint64_t)b->hw.local_high << 32) + rng_below(&b->rng, 256) - r->base;
			break;
		case 4:
			r->ra[i] = (b->memory_at | (rng_next(&b->rng) << 48)) + rng_below(&b->rng, MEMORY) / 16 * 16 -
			           r->base;
			break;
		case 5: /* a bit away from a window */
			r->ra[i] = ((uint64_t)b->hw.shared_high << 32) + rng_below(&b->rng, 16) * 16 - r->base;
			r->ra[i] = ((r->ra[i] + r->base) ^ UINT64_C(1) << (32 + rng_below(&b->rng, 32))) - r->base;
			break;
		case 6:
			r->ra[i] = ((uint64_t)b->hw.local_high << 32) + rng_below(&b->rng, 16) * 16 - r->base;
			r->ra[i] = ((r->ra[i] + r->base) ^ UINT64_C(1) << (32 + rng_below(&b->rng, 32))) - r->base;
			break;
		case 7: /* a bit away from where it was */
		case 8:
			r->ra[i] = ((r->ra[i] + r->base) ^ UINT64_C(1) << (5 + rng_below(&b->rng, 59))) - r->base;
			break;
		default:;
		}
	r->illegal = rng_one_in(&b->rng, 10);
}

/* Generic ones with lanes in shared memory, aligned, some beyond the window. */
static void make_generic(struct atom_bench *b, struct atom_req *r)
{
	const uint32_t lanes = rng_one_in(&b->rng, 3) ? UINT32_MAX : rng_u32(&b->rng);
	do
		make_any(b, r);
	while (r->kind != ATOM_LD && r->kind != ATOM_ST && r->kind < ATOM_ATOM);
	r->spin = r->kind == ATOM_ATOM_CAST && rng_one_in(&b->rng, 2);
	for (unsigned i = 0; i < 32; i++)
		if (lanes >> i & 1)
			r->ra[i] = ((uint64_t)b->hw.shared_high << 32) + (rng_below(&b->rng, 16) << 24) +
			           (rng_below(&b->rng, WINDOW + (rng_one_in(&b->rng, 4) ? 64 : 0)) & -(1u << r->size)) -
			           r->base;
}

/* Few words, so that all is on them. */
static void make_crowd(struct atom_bench *b, struct atom_req *r)
{
	choose(b, r);
	fill(b, r, rng_one_in(&b->rng, 2) ? SAME_WORD : FEW_SECTORS);
	for (unsigned i = 0; i < 32; i++)
		r->ra[i] = b->memory_at + (r->ra[i] + r->base - b->memory_at) % 128 - r->base;
	r->mask = rng_u32(&b->rng) | 1;
}

static void random_run(struct atom_bench *b, void (*make)(struct atom_bench *, struct atom_req *), unsigned count)
{
	atom_bench_move(b);
	const uint64_t until = b->requests + count, patience = b->cycle + (uint64_t)count * 4000;
	while (b->requests < until && b->cycle < patience && !b->errors) {
		send(b, make);
		atom_bench_cycle(b);
	}
	atom_bench_drain(b);
}

/* --- tests ---------------------------------------------------------------------------------------------------- */

/* Every operation of every kind, type and width, with and without sign, on each pattern; one request at a time. In a
 * short run on one pattern, that it draws. */
static void test_matrix(struct atom_bench *b, bool whole)
{
	unsigned rows = 0;
	for (unsigned kind = 0; kind < ATOM_KINDS; kind++)
		for (unsigned op = 0; op <= OP_EXCH; op++)
			for (unsigned type = 0; type < TYPES; type++)
				for (unsigned size = 0; size < 5; size++)
					for (unsigned s = 0; s < 2 && legal(kind, op, type, size); s++)
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
							fill(b, &l->req, (enum pattern)p);
							l->req.mask = p == ANYWHERE ? rng_u32(&b->rng) | 1 : UINT32_MAX;
							finish(b, l);
							atom_bench_send(b, l);
							atom_bench_drain(b);
							rows++;
						}
	if (rows < (whole ? 400 : 200))
		atom_bench_error(b, "%u rows", rows);
	if (!quiet)
		printf("      %u rows\n", rows);
	verdict(b, "each operation, type, width and pattern");
}

/* What meets what in sums, minima and maxima: zeros, subnormals, the least and the greatest number, ties, infinities,
 * NaN, each with each at known places. Of packed numbers the upper ones meet in another order. */
enum { EDGES = 16 };
static uint64_t edge(const struct float_format *f, unsigned i)
{
	enum exponent { NONE, LEAST, TIE, ONE, MOST, ALL };
	static const struct {
		bool minus;
		enum exponent exp;
		int fraction; /* -1: all ones */
	} edges[EDGES] = {{0, NONE, 0},  {1, NONE, 0},  {0, NONE, 1},  {1, NONE, 1}, {0, NONE, -1}, {1, NONE, -1},
	                  {0, LEAST, 0}, {1, LEAST, 0}, {0, LEAST, 1}, {0, TIE, 0},  {0, ONE, 0},   {1, ONE, 1},
	                  {0, MOST, -1}, {0, ALL, 0},   {1, ALL, 0},   {0, ALL, 1}};
	const unsigned most = (1u << f->exp) - 1, bias = most / 2;
	const unsigned exponents[] = {0, 1, bias - f->man - 1, bias, most - 1, most};
	const uint64_t fraction = (uint64_t)(int64_t)edges[i].fraction & ((UINT64_C(1) << f->man) - 1);
	return (uint64_t)edges[i].minus << (f->exp + f->man) | (uint64_t)exponents[edges[i].exp] << f->man | fraction;
}

static void test_edges(struct atom_bench *b)
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
				finish(b, l);
				atom_bench_send(b, l);
				atom_bench_drain(b);
			}
	verdict(b, "floats: edges with edges");
}

static void test_address_forms(struct atom_bench *b)
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
		finish(b, l);
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
	verdict(b, "address forms");
}

static void test_stalls(struct atom_bench *b, unsigned count)
{
	char what[80];
	for (unsigned k = 0; k < STALL_KINDS * STALL_KINDS; k++) {
		static const unsigned latencies[] = {1, 4, 40, 200};
		b->stall_in = k % STALL_KINDS;
		b->stall_mem = (k + k / STALL_KINDS) % STALL_KINDS;
		b->stall_out = k / STALL_KINDS;
		b->latency = latencies[k % 4];
		b->others = k % 3 == 0 ? 0 : 4;
		random_run(b,
		           k % 3 == 1   ? make_crowd
		           : k % 5 == 2 ? make_wrong
		           : k % 5 == 0 ? make_generic
		                        : make_any,
		           count / (STALL_KINDS * STALL_KINDS));
		snprintf(what, sizeof what, "random, stalls %u %u %u, latency %u, others %u", b->stall_in, b->stall_mem,
		         b->stall_out, b->latency, b->others);
		verdict(b, what);
	}
	b->stall_in = b->stall_mem = b->stall_out = STALL_NEVER;
	b->others = 0;
	b->latency = 1;
}

static void test_reset(struct atom_bench *b)
{
	for (unsigned k = 0; k < 60 && !b->errors; k++) {
		b->latency = 1 + k % 7;
		for (unsigned i = 0; i < 20 + k * 3; i++) {
			send(b, make_any);
			atom_bench_cycle(b);
		}
		b->errors = b->errors ? b->errors : 0;
		atom_bench_reset(b);
		random_run(b, make_any, 2);
	}
	b->latency = 1;
	verdict(b, "reset in the middle of traffic");
}

/* Ports from 1 on get on while nobody takes what port 0 gets. */
static void test_deaf_port(struct atom_bench *b)
{
	if (b->ports == 1)
		return;
	const uint64_t requests = b->requests, retired = b->retired;
	b->deaf = 1;
	for (unsigned i = 0; i < 3000; i++) { /* of port 0 until it is full, of the others all the time */
		struct live *l;
		if (b->sending && b->sending->port == 0 && !b->beat && !(*b->port_open_o & 1)) {
			b->sending->used = false; /* the arbiter takes another port's */
			b->sending = NULL;
			b->offering = false;
		}
		if (!b->sending && (l = atom_bench_new(b, i % b->ports))) {
			make_any(b, &l->req);
			finish(b, l);
			atom_bench_send(b, l);
		}
		atom_bench_cycle(b);
	}
	const unsigned long long came = b->requests - requests, gone = b->retired - retired;
	if (came < 40 || came - gone > 8)
		atom_bench_error(b, "%llu requests of %llu retired", gone, came);
	b->deaf = 0;
	atom_bench_drain(b);
	verdict(b, "a port whose responses are not taken");
}

/* --- cycles ----------------------------------------------------------------------------------------------------
 * Of a unit that is empty, with a memory that answers in one cycle: those of the table in docs/units/atom_unit.md,
 * which is of two slots a port or more: with four ports and as many slots a request waits for the one before it of its
 * port. */

/* The lanes of `mask` on one word. */
static struct live *on_one_word(struct atom_bench *b, enum atom_kind kind, uint32_t mask)
{
	struct live *l = atom_bench_new(b, 0);
	l->req = (struct atom_req){.kind = kind, .size = 2};
	fill(b, &l->req, SAME_WORD);
	l->req.mask = mask;
	finish(b, l);
	return l;
}

enum { LOAD_CYCLES = 10, STORE_CYCLES = 10, ATOMIC_CYCLES = 12 /* and one a pass */ };

/* From the last beat to the last one of the response. */
static unsigned cycles_of(struct atom_bench *b, struct live *l)
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

static void test_cycles(struct atom_bench *b)
{
	for (unsigned i = 0; i < 96 && !b->errors; i++) {
		const uint32_t mask = i < 32 ? UINT32_C(1) << i : rng_u32(&b->rng) | 1u << i % 32,
		               next = i < 32 ? UINT32_C(0x80000000) >> i : rng_u32(&b->rng) | 1;
		const unsigned d = (unsigned)__builtin_popcount(mask), reply = b->beats - 1;
		atom_bench_move(b);
		/* A request goes on with its last sector: the next one follows at once, of another port where there are
		 * several, since a port may have one slot alone. */
		atom_bench_send(b, on_one_word(b, ATOM_LDG, mask));
		for (unsigned k = 0; k < 100 && b->sending; k++)
			atom_bench_cycle(b);
		if (b->sending) {
			atom_bench_error(b, "lanes %08x: an empty unit does not take them", mask);
			break;
		}
		atom_bench_send(b, on_one_word(b, ATOM_STG, next));
		atom_bench_cycle(b);
		if (b->sending && b->beat != 1)
			atom_bench_error(b, "lanes %08x: the next request has to wait", mask);
		atom_bench_drain(b);
		const unsigned load = cycles_of(b, on_one_word(b, ATOM_LDG, mask)),
		               store = cycles_of(b, on_one_word(b, ATOM_STG, 1u << i % 32)),
		               compare = cycles_of(b, on_one_word(b, ATOM_ATOMG_CAS, mask));
		atom_bench_drain(b);
		if (load != LOAD_CYCLES + reply || store != STORE_CYCLES + reply ||
		    compare != ATOMIC_CYCLES + d + reply)
			atom_bench_error(b, "lanes %08x: %u cycles of a load, %u of a store, %u of a compare", mask,
			                 load - reply, store - reply, compare - reply);
	}
	verdict(b, "cycles of an empty unit");
}

/* --- speed ---------------------------------------------------------------------------------------------------- */

static void make_scattered(struct atom_bench *b, struct atom_req *r)
{
	*r = (struct atom_req){.kind = ATOM_RED, .size = 2};
	fill(b, r, ANYWHERE);
	r->mask = UINT32_MAX;
}
static void make_loads(struct atom_bench *b, struct atom_req *r)
{
	*r = (struct atom_req){.kind = ATOM_LDG, .size = 2};
	fill(b, r, ANYWHERE);
	const uint64_t line = b->memory_at + 128 + 128 * rng_below(&b->rng, MEMORY / 128 - 2); /* of 128 bytes */
	for (unsigned i = 0; i < 32; i++)
		r->ra[i] = line + 4 * i - r->base;
	r->mask = UINT32_MAX;
}
static void make_sums(struct atom_bench *b, struct atom_req *r)
{
	*r = (struct atom_req){.kind = ATOM_RED, .type = TYPE_F32_FTZ, .size = 2};
	fill(b, r, SAME_WORD);
	r->mask = UINT32_MAX;
}

/* Integers on one word, with and without a result, of 32 and 64 bits. */
static void make_counts(struct atom_bench *b, struct atom_req *r)
{
	static const enum atom_op ops[] = {OP_ADD, OP_MIN, OP_MAX, OP_AND, OP_OR, OP_XOR};
	*r = (struct atom_req){.kind = rng_one_in(&b->rng, 2) ? ATOM_RED : ATOM_ATOMG,
	                       .op = ops[rng_below(&b->rng, 6)],
	                       .size = 2 + rng_below(&b->rng, 2)};
	fill(b, r, SAME_WORD);
	r->mask = UINT32_MAX;
}

static double rate(struct atom_bench *b, void (*make)(struct atom_bench *, struct atom_req *), unsigned latency,
                   double *lanes)
{
	b->latency = latency;
	for (unsigned i = 0; i < 200; i++) {
		send(b, make);
		atom_bench_cycle(b);
	}
	const uint64_t sectors = b->sectors, done = b->lanes_done;
	for (unsigned i = 0; i < 2000; i++) {
		send(b, make);
		atom_bench_cycle(b);
	}
	const double n = (double)(b->sectors - sectors) / 2000;
	*lanes = (double)(b->lanes_done - done) / 2000;
	atom_bench_drain(b);
	return n;
}

static void test_speed(struct atom_bench *b)
{
	double lanes, fast, slow, load, sums;
	const unsigned stages = model_param(&b->model, "FpStages", 1);
	fast = rate(b, make_scattered, 1, &lanes);
	slow = rate(b, make_scattered, 8, &lanes);
	load = rate(b, make_loads, 1, &lanes);
	if (!quiet)
		printf("      sectors a cycle: RED on random addresses %.2f (latency 1), %.2f (1 to 8);"
		       " loads of lines %.2f, %.1f lanes\n",
		       fast, slow, load, lanes);
	rate(b, make_sums, 1, &sums);
	if (!quiet)
		printf("      lanes a cycle on one word, f32: %.2f\n", sums);
	b->latency = 1;
	if (b->ids >= 8 && b->lanes >= 16 && fast < 0.4)
		atom_bench_error(b, "%.2f sectors a cycle, expected 0.4", fast);
	if (b->ids >= 8 && b->lanes == 32 && load < 0.2)
		atom_bench_error(b, "%.2f sectors a cycle of loads, expected 0.2", load);
	if (sums < 0.55 / stages)
		atom_bench_error(b, "%.2f lanes a cycle on one word", sums);
	if (b->hw.combine) { /* one pass a request, so beats and slots bound it */
		double counts;
		const double least = b->lanes == 32 ? 6 : 0.6 * b->lanes < 6 ? 0.6 * b->lanes : 6;
		rate(b, make_counts, 1, &counts);
		if (!quiet)
			printf("      lanes a cycle on one word, integers that combine: %.2f\n", counts);
		if (b->ids >= 8 && counts < least)
			atom_bench_error(b, "%.2f lanes a cycle on one word, expected %.1f", counts, least);
	}
	/* 32 sums on one word from the first beat to the response */
	struct live *l = atom_bench_new(b, 0);
	make_sums(b, &l->req);
	finish(b, l);
	atom_bench_send(b, l);
	const uint64_t start = b->cycle;
	while (l->used && b->cycle < start + 1000)
		atom_bench_cycle(b);
	if (!quiet)
		printf("      32 sums of f32 on one word: %llu cycles\n", (unsigned long long)(b->cycle - start));
	if (b->cycle - start > 32u * stages + 16 + 2 * b->beats)
		atom_bench_error(b, "%llu cycles", (unsigned long long)(b->cycle - start));
	verdict(b, "speed");
}

static void test_counters(struct atom_bench *b)
{
	for (unsigned i = 0; i < ATOM_KINDS; i++)
		if (!b->by_kind[i])
			atom_bench_error(b, "no request of kind %u", i);
	for (unsigned i = 0; i < TYPES; i++)
		if (!b->by_type[i])
			atom_bench_error(b, "no request of type %u", i);
	if (!b->absent_lanes || !b->ended_lanes)
		atom_bench_error(b, "%llu lanes in CTAs that the cluster lacks, %llu in CTAs that have ended",
		                 (unsigned long long)b->absent_lanes, (unsigned long long)b->ended_lanes);
	if (b->hw.cluster && !b->others_lanes)
		atom_bench_error(b, "no lane where other CTAs' shared memory alone serves it");
	if (!b->shared_lanes || !b->retries || !b->reordered || !b->faults || !b->refusals || !b->failed_compares ||
	    b->most_sectors < b->ids || b->most_requests < 2)
		atom_bench_error(b,
		                 "%llu retries, %llu out of order, %llu faults, %llu refusals, %llu failed compares, "
		                 "at most %u sectors and %u "
		                 "requests at a time",
		                 (unsigned long long)b->retries, (unsigned long long)b->reordered,
		                 (unsigned long long)b->faults, (unsigned long long)b->refusals,
		                 (unsigned long long)b->failed_compares, b->most_sectors, b->most_requests);
	verdict(b, "all of it was there");
}

/* --- figures: `name value`, for verif/bench --------------------------------------------------------------------- */

/* The same kind of request over and over, 32 lanes in this pattern. */
static enum pattern figure_pattern;
static void make_adds(struct atom_bench *b, struct atom_req *r)
{
	*r = (struct atom_req){.kind = ATOM_RED, .size = 2};
	fill(b, r, figure_pattern);
	r->mask = UINT32_MAX;
}

/* Cycles from the first beat to the response. */
static uint64_t whole(struct atom_bench *b, struct live *l)
{
	const uint64_t start = b->cycle;
	finish(b, l);
	l->req.rd_used = true;
	l->req.pd_used = false;
	atom_bench_send(b, l);
	while (l->used && b->cycle < start + 1000)
		atom_bench_cycle(b);
	if (l->used)
		atom_bench_error(b, "no response");
	return b->cycle - start;
}

/* A request of all lanes of `mask`, `degree` of them on each word. */
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

/* What code without a native atomic does: load, then compare and swap until each lane's has stored. */
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

static void figures(struct atom_bench *b)
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
	verdict(b, "figures");
}

int main(int argc, char **argv)
{
	static struct atom_bench b;
	if (argc < 2) {
		fprintf(stderr, "usage: atom_unit_test MODEL.so [SEED [REQUESTS [BUG]]]     0 requests: figures alone; "
		                "from 1000 on the whole matrix\n");
		return 2;
	}
	const unsigned count = argc > 3 ? (unsigned)atoi(argv[3]) : 4000, bug = argc > 4 ? (unsigned)atoi(argv[4]) : 0;
	atom_bench_open(&b, argv[1], argc > 2 ? strtoull(argv[2], NULL, 0) : 1);
	if (model_has_pin(&b.model, "bug_i"))
		*model_pin(&b.model, "bug_i") = (uint8_t)bug;
	quiet = bug != 0;
	b.latency = 1;
	atom_bench_reset(&b);
	if (!count) {
		figures(&b);
		return failed != 0;
	}
	test_address_forms(&b);
	if (!failed && b.ports <= 2)
		test_cycles(&b);
	if (!failed)
		test_matrix(&b, count >= 1000);
	if (!failed)
		test_edges(&b);
	if (!failed)
		test_stalls(&b, count);
	if (!failed)
		test_reset(&b);
	if (!failed)
		test_deaf_port(&b);
	if (!failed)
		test_speed(&b);
	if (!failed && !bug)
		test_counters(&b);
	if (bug) {
		printf("%s\n", failed ? "found" : "NOT FOUND");
		return !failed;
	}
	printf("%llu requests, %llu sectors, %llu passes, %llu retries, %llu sectors out of order, %llu lanes fault; "
	       "%llu cycles\n",
	       (unsigned long long)b.requests, (unsigned long long)b.sectors, (unsigned long long)b.passes,
	       (unsigned long long)b.retries, (unsigned long long)b.reordered, (unsigned long long)b.faults,
	       (unsigned long long)b.cycle);
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}
