// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "atom_unit_requests.h"

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

/* For sums of doubles with near exponents. */
static uint32_t high_of_double(struct atom_bench *b)
{
	return rng_u32(&b->rng) << 31 | (1020 + rng_below(&b->rng, 60)) << 20 | (rng_u32(&b->rng) & 0xfffff);
}

static uint64_t place(struct atom_bench *b, enum pattern p, unsigned lane, unsigned bytes, uint64_t anchor)
{
	const unsigned slots = b->memory_bytes / bytes;
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
		return ((anchor / 32 + rng_below(&b->rng, 3)) * 32 + rng_below(&b->rng, 32 / bytes) * bytes) %
		       b->memory_bytes;
	default:
		return rng_below(&b->rng, slots) * bytes;
	}
}

void atom_fill(struct atom_bench *b, struct atom_req *r, enum pattern p)
{
	const unsigned bytes = 1u << r->size;
	const uint64_t anchor = rng_below(&b->rng, b->memory_bytes);
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
		if (atom_is_cas(r->kind) && rng_below(&b->rng, 4)) /* often the value in memory */
			memcpy(r->rb[i], b->memory + at, bytes);
		if (atom_is_cas(r->kind) && i && p == SAME_WORD && rng_one_in(&b->rng, 2)) /* or left by another lane */
			memcpy(r->rb[i], r->rc[i - 1], bytes);
	}
}

static void choose(struct atom_bench *b, struct atom_req *r)
{
	do {
		r->kind = (enum atom_kind)rng_below(&b->rng, ATOM_KINDS);
		r->op = (enum atom_op)rng_below(&b->rng, OP_EXCH + 1);
		r->type = rng_one_in(&b->rng, 2) ? TYPE_INT : (enum atom_type)rng_below(&b->rng, TYPES);
		r->size = rng_below(&b->rng, 5);
	} while (!atom_legal(r->kind, r->op, r->type, r->size));
	r->is_signed = rng_next(&b->rng) >> 63;
}

void atom_finish(struct atom_bench *b, struct live *l)
{
	struct atom_req *r = &l->req;
	const unsigned warps = 48 / b->ports;
	r->ra_used = r->wide = true;
	r->rd_used = r->kind != ATOM_RED && !atom_is_store(r->kind) && rng_below(&b->rng, 5);
	r->pd_used = r->kind >= ATOM_ATOMG && r->kind != ATOM_RED && rng_one_in(&b->rng, 3);
	r->has_policy = rng_one_in(&b->rng, 2);
	r->policy = rng_next(&b->rng); /* without a policy the value means nothing */
	r->several = rng_below(&b->rng, 4);
	r->rank = rng_below(&b->rng, 16);
	do /* the low bits mean nothing here; requests under way have different tags */
		r->tag = (rng_below(&b->rng, warps) * b->ports + l->port) << 16 | (rng_u32(&b->rng) & 0xffff);
	while (atom_by_tag(b, r->tag));
}

bool atom_send(struct atom_bench *b, atom_maker *make)
{
	struct live *l;
	if (b->sending || !(l = atom_bench_new(b, rng_below(&b->rng, b->ports))))
		return false;
	make(b, &l->req);
	atom_finish(b, l);
	atom_bench_send(b, l);
	return true;
}

void atom_any(struct atom_bench *b, struct atom_req *r)
{
	choose(b, r);
	atom_fill(b, r, (enum pattern)rng_below(&b->rng, PATTERNS));
	r->mask = rng_one_in(&b->rng, 3)   ? UINT32_MAX
	          : rng_one_in(&b->rng, 6) ? UINT32_C(1) << rng_below(&b->rng, 32)
	                                   : rng_u32(&b->rng);
	r->mask |= !r->mask;
}

/* Addresses that fault or are refused, illegal words, addresses of 32 bits and without a register. */
void atom_wrong(struct atom_bench *b, struct atom_req *r)
{
	atom_any(b, r);
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
		case 7: /* a bit away from the address */
		case 8:
			r->ra[i] = ((r->ra[i] + r->base) ^ UINT64_C(1) << (5 + rng_below(&b->rng, 59))) - r->base;
			break;
		default:;
		}
	r->illegal = rng_one_in(&b->rng, 10);
}

/* Generic requests with lanes in shared memory, aligned, some beyond the window. */
void atom_generic(struct atom_bench *b, struct atom_req *r)
{
	const uint32_t lanes = rng_one_in(&b->rng, 3) ? UINT32_MAX : rng_u32(&b->rng);
	do
		atom_any(b, r);
	while (r->kind != ATOM_LD && r->kind != ATOM_ST && r->kind < ATOM_ATOM);
	r->spin = r->kind == ATOM_ATOM_CAST && rng_one_in(&b->rng, 2);
	for (unsigned i = 0; i < 32; i++)
		if (lanes >> i & 1)
			r->ra[i] = ((uint64_t)b->hw.shared_high << 32) + (rng_below(&b->rng, 16) << 24) +
			           (rng_below(&b->rng, WINDOW + (rng_one_in(&b->rng, 4) ? 64 : 0)) & -(1u << r->size)) -
			           r->base;
}

/* Generic requests with lanes in both windows, and a bit away from the windows: bit `away` of the high half. */
void atom_spaces(struct atom_bench *b, struct atom_req *r)
{
	do
		atom_any(b, r);
	while (r->kind != ATOM_LD && r->kind != ATOM_ST && r->kind < ATOM_ATOM);
	for (unsigned i = 0; i < 32; i++) {
		const unsigned where = rng_below(&b->rng, 4);
		const uint32_t high = (where & 1 ? b->hw.local_high : b->hw.shared_high) ^
		                      (where & 2 ? UINT32_C(1) << b->away % 32 : 0);
		r->ra[i] = ((uint64_t)high << 32) + (rng_below(&b->rng, 16) << 24) +
		           (rng_below(&b->rng, WINDOW) & -(1u << r->size)) - r->base;
	}
}

/* Few words for all lanes. */
void atom_crowd(struct atom_bench *b, struct atom_req *r)
{
	choose(b, r);
	atom_fill(b, r, rng_one_in(&b->rng, 2) ? SAME_WORD : FEW_SECTORS);
	for (unsigned i = 0; i < 32; i++)
		r->ra[i] = b->memory_at + (r->ra[i] + r->base - b->memory_at) % 128 - r->base;
	r->mask = rng_u32(&b->rng) | 1;
}

void atom_random_run(struct atom_bench *b, atom_maker *make, unsigned count)
{
	atom_bench_move(b);
	const uint64_t until = b->requests + count, patience = b->cycle + (uint64_t)count * (b->lean ? 15000 : 4000);
	while (b->requests < until && b->cycle < patience && !b->errors) {
		atom_send(b, make);
		atom_bench_cycle(b);
	}
	atom_bench_drain(b);
}
