// SPDX-License-Identifier: Apache-2.0
/* stimulus.c -- numbers, requests, CRCs and sums, as in docs/fpga-link.md ("On-chip stimulus"). */
#include "stimulus.h"

#include <stdio.h>
#include <string.h>

/* ---- the words ---- */

/* Address masks: 256 bytes are a CTA's window where shared memory has 4 KiB. A few hot words, lanes meeting in a bank,
 * misaligned lanes, lanes outside. */
struct kind {
	enum wl_uop uop;
	uint8_t op, size;
	uint32_t flags;
	uint16_t addresses;
};

static const struct kind kinds[STIMULUS_ENTRIES] = {
        {WL_UOP_LDS, 0, 4, 0, 0x00fc},
        {WL_UOP_STS, 0, 4, 0, 0x00fc},
        {WL_UOP_ATOMS, WL_ATOM_ADD, 4, 0, 0x001c},
        {WL_UOP_ATOMS, WL_ATOM_MIN, 4, WL_F_SIGNED, 0x00fc},
        {WL_UOP_ATOMS, WL_ATOM_MAX, 4, 0, 0x003c},
        {WL_UOP_ATOMS, WL_ATOM_INC, 4, 0, 0x000c},
        {WL_UOP_ATOMS, WL_ATOM_DEC, 4, 0, 0x003c},
        {WL_UOP_ATOMS, WL_ATOM_XOR, 4, 0, 0x00fc},
        {WL_UOP_ATOMS, WL_ATOM_EXCH, 4, 0, 0x007c},
        {WL_UOP_ATOMS_CAS, 0, 4, 0, 0x001c},
        {WL_UOP_ATOMS_CAST, 0, 4, WL_F_SPIN, 0x003c},
        {WL_UOP_LDS, 0, 1, WL_F_SIGNED, 0x00ff},
        {WL_UOP_STS, 0, 2, 0, 0x01fe},
        {WL_UOP_LDS, 0, 8, 0, 0x00f8},
        {WL_UOP_ATOMS_CAS, 0, 8, 0, 0x01fc},
        {WL_UOP_LDS, 0, 16, 0, 0x01f0},
};

static bool make_entry(struct stimulus_entry *e, enum wl_arch arch, const struct kind *k, char *why, size_t whyn)
{
	const char *reason = "";
	struct wl_inst in = wl_inst_make(k->uop);
	in.op = k->op;
	in.size = k->size;
	in.flags = k->flags;
	in.ra = 4;
	if (k->uop != WL_UOP_LDS)
		in.rb = 8;
	if (k->uop == WL_UOP_ATOMS_CAS || k->uop == WL_UOP_ATOMS_CAST)
		in.rc = 12;
	if (k->uop != WL_UOP_STS)
		in.rd = 16;
	e->addresses = k->addresses;
	if (wl_encode(arch, &in, &e->word, &reason) == WL_OK && wl_decode(arch, e->word, &e->inst) == WL_OK)
		return true;
	snprintf(why, whyn, "the stimulus' %s of %u bytes has no encoding: %s", wl_uop_name(k->uop), k->size,
	         reason ? reason : "");
	return false;
}

/* ---- numbers and requests ---- */

static uint64_t drawn(uint64_t *x)
{
	const uint64_t now = *x;
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return now;
}

bool stimulus_start(struct stimulus *s, enum wl_arch arch, unsigned lanes, uint32_t seed, char *why, size_t whyn)
{
	memset(s, 0, sizeof *s);
	s->lanes = lanes;
	for (uint32_t g = 0; g <= lanes; g++)
		s->generator[g] = (uint64_t)((g + 1) * UINT32_C(0x9e3779b9)) << 32 | (uint32_t)(seed + g);
	for (unsigned i = 0; i < STIMULUS_ENTRIES; i++)
		if (!make_entry(&s->entry[i], arch, &kinds[i], why, whyn))
			return false;
	return true;
}

void stimulus_next(struct stimulus *s, struct wl_req *q)
{
	const uint64_t i = s->given++, x = drawn(&s->generator[0]);
	const uint32_t low = (uint32_t)x, high = (uint32_t)(x >> 32),
	               masks[4] = {UINT32_MAX, low, low & high, low | high};
	const struct stimulus_entry *e = &s->entry[x >> 60];
	const uint32_t data = x >> 29 & 1 ? 3 : UINT32_MAX;
	q->tag.warp = (uint32_t)((i + 1) % STIMULUS_WARPS);
	q->tag.n = (uint32_t)(i / STIMULUS_WARPS);
	q->tag.slot = (uint16_t)(q->tag.warp / STIMULUS_PER_SLOT);
	q->word = e->word;
	q->inst = e->inst;
	q->posted = wl_inst_posted(&e->inst);
	q->header = false;
	q->pred = 0;
	q->ur = 0;
	q->mask = masks[x >> 30 & 3] | UINT32_C(1) << (x & 31);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint64_t y = drawn(&s->generator[1 + l % s->lanes]);
		q->ra[l] = (uint16_t)y & e->addresses;
		q->rb[l] = (struct wl_lane){{(uint32_t)(y >> 16) & data, (uint32_t)(y >> 32) & data}};
		q->rc[l] = (struct wl_lane){{(uint32_t)(y >> 8) & data, (uint32_t)(y >> 24) & data}};
	}
}

/* ---- results ---- */

static uint32_t crc(uint32_t c, uint32_t word)
{
	static uint32_t table[256];
	if (!table[1])
		for (uint32_t i = 0; i < 256; i++) {
			uint32_t v = i;
			for (unsigned k = 0; k < 8; k++)
				v = v & 1 ? v >> 1 ^ 0xedb88320 : v >> 1;
			table[i] = v;
		}
	for (unsigned i = 0; i < 4; i++)
		c = c >> 8 ^ table[(c ^ word >> 8 * i) & 255];
	return c;
}

/* The xor of words, each rotated further than the word before. */
struct fold {
	uint32_t word;
	unsigned turn;
};

static void add(struct fold *f, uint32_t word)
{
	f->word ^= f->turn ? word << f->turn | word >> (32 - f->turn) : word;
	f->turn = (f->turn + 7) % 32;
}

static uint32_t port_tag(const struct wl_tag *t)
{
	return t->warp << 16 | (t->n & 0xffff);
}

static uint32_t beat_word(const struct wl_record *r, unsigned lanes, unsigned first)
{
	const uint32_t of_beat = (UINT32_C(1) << lanes) - 1;
	const bool last = first + lanes == WL_WARP_LANES, faults = (r->faulted >> first & of_beat) != 0;
	struct fold f = {0};
	add(&f,
	    port_tag(&r->tag) | (uint32_t)last << 22 | (uint32_t)faults << 23 | (last ? (uint32_t)r->passes << 24 : 0));
	add(&f, (r->written >> first & of_beat) | (r->preds >> first & of_beat) << 16);
	for (unsigned l = first; l < first + lanes; l++)
		add(&f, r->faulted >> l & 1 ? r->fault[l] : 0);
	for (unsigned l = first; l < first + lanes; l++)
		for (unsigned w = 0; w < 4; w++)
			add(&f, r->result[l].w[w]);
	return f.word;
}

void stimulus_expect(struct stimulus_found *e)
{
	memset(e, 0, sizeof *e);
	e->responses = e->committed = UINT32_MAX;
}

void stimulus_count(struct stimulus_found *e, unsigned lanes, const struct wl_plan *plan, const struct wl_record *rec)
{
	for (unsigned p = 0; p < plan->passes; p++) {
		const uint32_t of_pass = plan->pass_lanes[p];
		e->committed = crc(e->committed, port_tag(&rec->tag) ^ (of_pass << 7 | of_pass >> 25));
	}
	e->commits += plan->passes;
	for (unsigned first = 0; first < WL_WARP_LANES; first += lanes) {
		const uint32_t word = beat_word(rec, lanes, first);
		e->responses = crc(e->responses, word);
		e->sum[rec->tag.warp] += word;
	}
	e->given++;
	e->retired++;
}
