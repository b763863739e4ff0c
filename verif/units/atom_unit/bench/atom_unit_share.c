// SPDX-License-Identifier: Apache-2.0
/* Stand-in for atoms_pipe behind atom_unit: takes the beats with lanes in shared memory, answers with passes of any
 * lanes after any time, and makes up the words read. */
#include <string.h>

#include "atom_unit_bench.h"
#include "rtl_units.h"

enum { TRAVEL = 3 /* least number of cycles from the begin of a beat to the first pass */ };

static struct share_beat *beat_at(struct atom_bench *b, unsigned at)
{
	return &b->share[at % SHARE_BEATS];
}

void atom_share_reset(struct atom_bench *b)
{
	b->share_in = b->share_begun = b->share_done = 0;
}

/* A few lanes, in half of the beats. */
static uint32_t rare(struct atom_bench *b)
{
	return rng_one_in(&b->rng, 2) ? rng_u32(&b->rng) & rng_u32(&b->rng) : 0;
}

static void drive_begin(struct atom_bench *b)
{
	struct share_beat *s = beat_at(b, b->share_begun);
	*b->share_begin_i = b->share_begun != b->share_in && rng_one_in(&b->rng, 2);
	if (!*b->share_begin_i)
		return;
	uint32_t outside = 0;
	for (unsigned i = 0; i < 32; i++)
		outside |= (uint32_t)((s->live->out.addr[i] & 0xffffff) >= WINDOW) << i; /* of every CTA */
	/* lanes of absent or ended CTAs, at any address; a lane has a single fault */
	const uint32_t absent = s->left & rare(b), ended = s->left & rare(b) & ~absent;
	outside &= s->left & ~absent & ~ended;
	s->left &= ~(outside | absent | ended);
	s->live->out.outside |= outside;
	s->live->out.absent |= absent;
	s->live->out.ended |= ended;
	b->absent_lanes += (unsigned)__builtin_popcount(absent);
	b->ended_lanes += (unsigned)__builtin_popcount(ended);
	pin_set(b->share_begin_slot_i, 0, b->slot_bits, s->slot);
	pin_set(b->share_begin_index_i, 0, 3, s->index);
	pin_set(b->share_outside_i, 0, b->lanes, outside >> (s->index * b->lanes));
	pin_set(b->share_absent_i, 0, b->lanes, absent >> (s->index * b->lanes));
	pin_set(b->share_ended_i, 0, b->lanes, ended >> (s->index * b->lanes));
	s->due = b->cycle + TRAVEL;
	b->share_begun++;
}

static void drive_pass(struct atom_bench *b)
{
	struct share_beat *s = beat_at(b, b->share_done);
	*b->share_pass_i = *b->share_end_i = 0;
	pin_set(b->share_we_i, 0, b->lanes, 0);
	if (b->share_done == b->share_begun || b->cycle < s->due || rng_one_in(&b->rng, 2))
		return;
	struct live *l = s->live;
	uint32_t lanes = rng_one_in(&b->rng, 3) ? s->left : s->left & rng_u32(&b->rng);
	if (!lanes)
		lanes = s->left & (0 - s->left);
	s->left &= ~lanes;
	pin_set(b->share_pass_slot_i, 0, b->slot_bits, s->slot);
	pin_set(b->share_pass_index_i, 0, 3, s->index);
	*b->share_pass_i = lanes != 0;
	*b->share_end_i = s->last && !s->left;
	l->out.passes += lanes != 0;
	const unsigned first = s->index * b->lanes;
	if (l->req.rd_used && !atom_is_store(l->req.kind))
		pin_set(b->share_we_i, 0, b->lanes, lanes >> first);
	for (unsigned i = 0; i < b->lanes; i++) { /* of all lanes, written or not */
		uint32_t data[4];
		for (unsigned k = 0; k < 4; k++)
			data[k] = rng_u32(&b->rng);
		memcpy(b->share_data_i + 16 * i, data, 16);
		if (lanes >> (first + i) & 1)
			memcpy(l->out.data[first + i], data, 16);
	}
	b->shared_lanes += (unsigned)__builtin_popcount(lanes);
	if (s->left)
		return;
	if (s->last)
		l->sharing = false;
	b->share_done++;
}

void atom_share_drive(struct atom_bench *b)
{
	*b->share_ready_i = b->share_in - b->share_done < SHARE_BEATS && !rng_one_in(&b->rng, 4);
	drive_begin(b);
	drive_pass(b);
}

/* The request to the pipe. */
static bool right_words(struct atom_bench *b, const struct live *l, uint32_t mask)
{
	const struct atom_req *r = &l->req;
	const bool cas = atom_is_cas(r->kind);
	const unsigned kind = atom_is_load(r->kind)       ? RTL_atoms_pipe_LDS
	                      : atom_is_store(r->kind)    ? RTL_atoms_pipe_STS
	                      : r->kind == ATOM_ATOM_CAS  ? RTL_atoms_pipe_ATOMS_CAS
	                      : r->kind == ATOM_ATOM_CAST ? RTL_atoms_pipe_ATOMS_CAST
	                      : atom_is_native(r)         ? RTL_atoms_pipe_ATOMS
	                                                  : RTL_atoms_pipe_ATOMSN;
	const uint32_t ctl = (uint32_t)r->op << RTL_atoms_pipe_CTL_op_LSB |
	                     (uint32_t)(atom_is_native(r) ? 0 : r->type) << RTL_atoms_pipe_CTL_type_LSB |
	                     (uint32_t)r->is_signed << RTL_atoms_pipe_CTL_signed_LSB |
	                     r->size << RTL_atoms_pipe_CTL_size_LSB |
	                     (uint32_t)(r->rd_used && !atom_is_store(r->kind)) << RTL_atoms_pipe_CTL_rd_used_LSB |
	                     (uint32_t)r->spin << RTL_atoms_pipe_CTL_spin_LSB;
	if (pin_get(b->share_kind_o, 0, 5) != kind || pin_get(b->share_ctl_o, 0, 32) != ctl)
		return false;
	for (unsigned i = 0; i < b->lanes; i++) {
		uint32_t want[4];
		const unsigned lane = b->beat * b->lanes + i;
		memcpy(want, r->rb[lane], 16);
		if (cas && r->size < 4)
			memcpy(want + 2, r->rc[lane], 8);
		if (mask >> lane & 1 && memcmp(b->share_rb_o + 16 * i, want, 16) != 0)
			return false;
	}
	return true;
}

/* The offered beat goes in this cycle. */
void atom_share_take(struct atom_bench *b, struct live *l)
{
	const uint32_t beat = (b->lanes == 32 ? UINT32_MAX : (UINT32_C(1) << b->lanes) - 1) << (b->beat * b->lanes);
	const uint32_t mask = l->out.shared & beat;
	const bool last = b->beat == b->beats - 1, goes = mask || (last && l->sharing);
	if (*b->share_valid_o != goes)
		atom_bench_error(b, "tag %x, beat %u: goes to atoms_pipe %u, expected %d", l->req.tag, b->beat,
		                 *b->share_valid_o, goes);
	if (!*b->share_valid_o || !goes)
		return;
	if (pin_get(b->share_mask_o, 0, b->lanes) != mask >> (b->beat * b->lanes) || !right_words(b, l, mask))
		atom_bench_error(b, "tag %x kind %u, beat %u: asks something else of atoms_pipe", l->req.tag,
		                 l->req.kind, b->beat);
	*beat_at(b, b->share_in++) = (struct share_beat){.live = l,
	                                                 .slot = pin_get(b->share_slot_o, 0, b->slot_bits),
	                                                 .index = b->beat,
	                                                 .last = last,
	                                                 .left = mask};
	l->sharing = true;
	b->others_lanes += atom_is_native(&l->req) ? 0 : (unsigned)__builtin_popcount(mask);
}
