// SPDX-License-Identifier: Apache-2.0
#include "mbar_draw.h"

#include <string.h>

static unsigned free_warp(struct mbar_bench *b)
{
	for (;;) {
		const unsigned w = mbar_below(b, WARPS);
		if (!b->warp[w].waits)
			return w;
		if (mbar_below(b, 8) == 0)
			mbar_cycle(b);
	}
}

/* A new object, or an object left by earlier phases and copies; sometimes a word of no object. */
static uint64_t new_v1(struct mbar_bench *b)
{
	static const unsigned counts[] = {1, 2, 3, 5, 9, 32, 33, 511};
	const int64_t n = counts[mbar_below(b, 8)];
	struct mbar_object o = {.expected = n, .pending = n};
	if (mbar_below(b, 4)) {
		o.phase = mbar_below(b, 2);
		o.conditional = mbar_below(b, 2);
		o.failed = mbar_below(b, 3) != 0;
		o.value = o.failed * mbar_below(b, 2) * mbar_below(b, 256);
		o.last_failed = mbar_below(b, 2);
		o.last_value = o.last_failed * mbar_below(b, 2) * mbar_below(b, 256);
	}
	return mbar_v1_pack(&o) ^ (mbar_below(b, 40) ? 0 : UINT64_C(1) << mbar_below(b, 64));
}

static uint64_t new_object(struct mbar_bench *b)
{
	if (b->smem.arch == 107 && mbar_below(b, 3))
		return new_v1(b);
	static const unsigned counts[] = {1, 2, 3, 5, 9, 32, 33, 0xfffff};
	const int64_t n = counts[mbar_below(b, 8)];
	return mbar_pack(&(struct mbar_object){.expected = n, .pending = n}, 20) |
	       (b->smem.arch != 107 && mbar_below(b, 2)); /* v0, v1 */
}

/* The operand of a lane for an object: mostly legal, often exactly the missing amount. */
static uint64_t operand(struct mbar_bench *b, const struct mbar_req *r, uint32_t addr)
{
	const struct mbar_object o = mbar_look(b->smem.word[(BASE + addr) / 8 % 8192], b->smem.arch == 107);
	const unsigned open = r->asks == ASKS_CONDITIONAL ? o.conditional : o.phase;
	static const uint32_t odd[] = {0, 0xfffff, 0x100000, 0xffffffff, 0x80000000};
	if (mbar_below(b, 24) == 0)
		return odd[mbar_below(b, 5)];
	if (r->op == OP_CHECK || r->op == OP_TRYWAIT)
		return (uint64_t)((open ^ (mbar_below(b, 6) == 0)) & 1) << 31 | (rng_next(&b->rng) & 0x7fffffff);
	if (r->form == ART0)
		return o.pending > 1 && mbar_below(b, 2) ? (uint64_t)o.pending - mbar_below(b, 2)
		                                         : 1 + mbar_below(b, 3);
	if (r->form == A0TX)
		return o.tx > 0 && mbar_below(b, 2) ? (uint64_t)o.tx : mbar_below(b, 64);
	return o.tx < 0 && mbar_below(b, 2) ? (uint64_t)-o.tx : mbar_below(b, 64);
}

static bool waits_still(const struct mbar_bench *b, unsigned w)
{
	const struct mbar_object o = mbar_look(b->smem.word[b->warp[w].object], b->smem.arch == 107);
	return b->warp[w].waits && b->warp[w].phase == (b->warp[w].conditional ? o.conditional : o.phase);
}

/* Brings the missing part of a phase to an object with a waiting warp. By chance alone few waiting warps would be
 * released. */
static bool end_a_phase(struct mbar_bench *b, struct mbar_req *r)
{
	unsigned w = mbar_below(b, WARPS), left = WARPS;
	while (left && !waits_still(b, w)) {
		w = (w + 1) % WARPS;
		left--;
	}
	const uint32_t addr = b->warp[w].object * 8 - BASE;
	if (!left || addr >= WINDOW)
		return false;
	const struct mbar_object o = mbar_look(b->smem.word[b->warp[w].object], b->smem.arch == 107);
	r->op = OP_ARRIVE;
	r->form = o.tx > 0 ? A0TX : o.tx < 0 ? A0TR : ART0;
	r->result = 2;
	r->mask = 1u << mbar_below(b, 32);
	for (unsigned i = 0; i < 32; i++) {
		r->addr[i] = addr;
		r->b[i] = (uint64_t)(o.tx > 0 ? o.tx : o.tx < 0 ? -o.tx : o.pending);
	}
	return true;
}

void mbar_draw(struct mbar_bench *b, struct mbar_req *r)
{
	static const enum mbar_op ops[] = {OP_EXCH,    OP_ARRIVE,  OP_ARRIVE,  OP_ARRIVE, OP_ARRIVE,  OP_ARRIVE,
	                                   OP_ARRIVE,  OP_TRYWAIT, OP_TRYWAIT, OP_CHECK,  OP_TRYWAIT, OP_LDS,
	                                   OP_TRYWAIT, OP_ARRIVE,  OP_ARRIVE,  OP_STS,    OP_STS_32,  OP_IV};
	const uint32_t hot = b->object[mbar_below(b, OBJECTS)];
	const unsigned shape = mbar_below(b, 4);
	memset(r, 0, sizeof *r);
	r->tag = free_warp(b) << 16 | (b->number++ & 0xffff);
	if (b->smem.arch != 80 && mbar_below(b, 5) == 0 && end_a_phase(b, r))
		return;
	r->op = ops[mbar_below(b, mbar_below(b, 4) ? 15 : 18)];
	if (b->smem.arch == 80)
		r->op = (const enum mbar_op[]){OP_ARRIVE_A, OP_ARRIVE_A, OP_LDS, OP_STS,
		                               OP_STS_32}[mbar_below(b, 3 + mbar_below(b, 3))];
	if (b->smem.arch == 107 && (r->op == OP_CHECK || r->op == OP_TRYWAIT))
		r->asks = (enum mbar_asks)mbar_below(b, 3);
	r->form = (enum mbar_form)mbar_below(b, MBAR_FORMS);
	if (mbar_below(b, 3) == 0)
		r->form = A1T0;
	r->drop = mbar_below(b, 8) == 0;
	r->result = mbar_below(b, 6) == 0 ? 1 : mbar_below(b, 4) == 0 ? 2 : 0;
	r->rd_used = mbar_below(b, 4) != 0;
	r->mask = mbar_below(b, 3)   ? 1u << mbar_below(b, 32)
	          : mbar_below(b, 2) ? (uint32_t)rng_next(&b->rng)
	                             : UINT32_MAX;
	r->mask |= r->mask == 0;
	if (b->cluster && r->op <= OP_IV && mbar_below(b, 3) == 0)
		r->who = mbar_below(b, 16) ? MBAR_OTHER : MBAR_LACKING;
	for (unsigned i = 0; i < 32; i++) {
		r->addr[i] = shape ? hot : b->object[mbar_below(b, OBJECTS)];
		if (mbar_below(b, 300) == 0)
			r->addr[i] = mbar_below(b, 2) ? WINDOW + 8 * mbar_below(b, 4) : mbar_below(b, WINDOW);
		if (r->op == OP_STS_32)
			r->addr[i] += mbar_below(b, 2) * 4;
	}
	if (r->op == OP_EXCH)
		r->addr[0] = mbar_below(b, 40) ? hot : mbar_below(b, WINDOW + 64);
	for (unsigned i = 0; i < 32; i++)
		r->b[i] = r->op == OP_EXCH && mbar_below(b, 16) ? new_object(b)
		          : r->op == OP_STS && mbar_below(b, 4) ? new_object(b)
		          : r->op == OP_STS || r->op == OP_EXCH ? rng_next(&b->rng)
		                                                : operand(b, r, r->addr[i]) | rng_next(&b->rng) << 32;
	if ((r->op == OP_CHECK || r->op == OP_TRYWAIT) && mbar_below(b, 4)) /* one object, one phase */
		for (unsigned i = 0; i < 32; i++)
			r->b[i] = r->b[0];
}

void mbar_random_traffic(struct mbar_bench *b, unsigned count)
{
	for (unsigned n = 0; n < count; n++) {
		struct mbar_req r;
		while (b->queued - b->retired > QUEUE / 2 || b->last_due - b->first_due > DUE / 2) {
			mbar_busy(b);
			mbar_cycle(b);
		}
		mbar_draw(b, &r);
		mbar_queue(b, &r);
		if (n % 97 == 96) /* warps waiting in vain give up */
			for (unsigned i = 0; i < b->suspend; i++)
				mbar_cycle(b);
	}
	mbar_drain(b);
	for (unsigned i = 0; i < 2 * b->suspend + 2 * SERVED; i++)
		mbar_cycle(b);
	for (unsigned w = 0; w < WARPS; w++)
		if (b->warp[w].waits)
			mbar_complain(b, "a warp still waits after its time", w, 0);
}
