// SPDX-License-Identifier: Apache-2.0
/* random.c -- draws fences behind accesses, among them posted stores and atomics. The accesses take long, because lanes
 * meet on banks: a fence without a wait for the accesses would be noticed. */
#include <stdio.h>
#include <string.h>

#include "fence_unit.h"

enum { ROWS = 32, OTHERS = 4 };

struct row {
	struct wl_word word;
	struct wl_inst inst;
};

struct draw {
	unsigned n;
	struct row fence[ROWS], other[OTHERS]; /* STS, ATOMS without a result, LDS, ATOMS with a result */
};

static bool encode(enum wl_arch arch, const struct wl_inst *in, struct row *row)
{
	const char *reason;
	return wl_encode(arch, in, &row->word, &reason) == WL_OK && wl_decode(arch, row->word, &row->inst) == WL_OK &&
	       row->inst.uop == in->uop;
}

static void add_fences(struct draw *d, enum wl_arch arch, enum wl_uop uop)
{
	for (unsigned op = 0; op < 4; op++)
		for (unsigned scope = 0; scope < 6 && d->n < ROWS; scope++) {
			struct wl_inst in = wl_inst_make(uop);
			in.op = (uint8_t)op;
			in.scope = (uint8_t)scope;
			if ((op && uop == WL_UOP_CCTL_IVALL) || (scope && uop != WL_UOP_MEMBAR))
				continue;
			d->n += encode(arch, &in, &d->fence[d->n]);
		}
}

static bool start(struct random_stream *r, char *why, size_t whyn)
{
	static const enum wl_uop uops[OTHERS] = {WL_UOP_STS, WL_UOP_ATOMS, WL_UOP_LDS, WL_UOP_ATOMS};
	struct draw *d = r->own;
	add_fences(d, r->config->arch, WL_UOP_ERRBAR);
	add_fences(d, r->config->arch, WL_UOP_CCTL_IVALL);
	add_fences(d, r->config->arch, WL_UOP_MEMBAR);
	for (unsigned i = 0; i < OTHERS; i++) {
		struct wl_inst in = wl_inst_make(uops[i]);
		in.size = 4;
		in.ra = 2;
		in.rb = i == 2 ? WL_RZ : 8;
		in.rd = i < 2 ? WL_RZ : 10;
		if (!encode(r->config->arch, &in, &d->other[i])) {
			snprintf(why, whyn, "fence_unit: an access has no encoding");
			return false;
		}
	}
	if (d->n < 3) {
		snprintf(why, whyn, "fence_unit: %u fences have an encoding", d->n);
		return false;
	}
	return true;
}

static bool draw(struct random_stream *r, struct wl_req *q)
{
	const struct draw *d = r->own;
	const bool fence = rng_one_in(r->rng, 4);
	const struct row *row = fence ? &d->fence[rng_below(r->rng, d->n)] : &d->other[rng_below(r->rng, OTHERS)];
	const uint32_t stride = 4u * r->config->banks, window = r->smem->window[q->tag.slot].size;
	const uint32_t base = 4 * rng_below(r->rng, r->config->banks);
	const unsigned spread = rng_below(r->rng, 2);
	q->word = row->word;
	q->inst = row->inst;
	q->header = fence;
	q->posted = wl_inst_posted(&q->inst);
	q->mask = rng_one_in(r->rng, 3) ? rng_u32(r->rng) | 1u << rng_below(r->rng, 32) : UINT32_MAX;
	memset(q->ra, 0, sizeof q->ra);
	for (unsigned l = 0; !fence && l < WL_WARP_LANES; l++) /* on the same bank, or side by side */
		q->ra[l] = (base + (spread ? 4 * l : stride * l)) % window - (uint32_t)q->inst.off;
	memcpy(q->rb, &r->pool[FLAVOUR_RANDOM][rng_below(r->rng, RANDOM_POOL)], sizeof q->rb);
	memset(q->rc, 0, sizeof q->rc);
	return true;
}

static unsigned floors(const struct random_config *c, const struct lockstep_stats *s, struct random_floor *f)
{
	const uint64_t *n = s->counter[WL_UNIT_fence_unit];
	(void)c;
	f[0] = (struct random_floor){"MEMBAR", n[FENCES_MEMBAR], 500};
	f[1] = (struct random_floor){"ERRBAR", n[FENCES_ERRBAR], 50};
	f[2] = (struct random_floor){"CCTL.IVALL", n[FENCES_IVALL], 50};
	f[3] = (struct random_floor){"posted requests", s->posted, 2500};
	return 4;
}

static const struct cosim_mix fence = {.name = "fence",
                                       .what = "fences behind accesses that take long",
                                       .waits = true,
                                       .own_bytes = sizeof(struct draw),
                                       .start = start,
                                       .draw = draw,
                                       .floors = floors};

const struct cosim_mix *const fence_unit_mixes[] = {&fence, NULL};
