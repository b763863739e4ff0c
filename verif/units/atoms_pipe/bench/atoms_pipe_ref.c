// SPDX-License-Identifier: Apache-2.0
#include "atoms_pipe_ref.h"

#include <string.h>

#include "../../float_ref.h"

/* Fields of sm_75 words in NVIDIA's encodings. Other tests compare the encodings with NVIDIA's disassembler. */
static void put(uint32_t word[4], unsigned at, unsigned width, uint32_t value)
{
	for (unsigned i = 0; i < width; i++) {
		if (value >> i & 1) {
			word[(at + i) / 32] |= UINT32_C(1) << (at + i) % 32;
		}
	}
}

void ref_word(const struct ref_req *r, uint32_t word[4])
{
	/* EXIT, and VOTE for a missing unit; compare and swap has no form with a uniform register. */
	static const uint32_t opcode[] = {0x984, 0x388, 0x38c, 0x38d, 0x38d, 0x9f8, 0x94d, 0x806};
	static const uint32_t opcode_ur[] = {0x984, 0x988, 0x98c, 0, 0, 0x9f8};
	memset(word, 0, 16);
	put(word, 0, 12, r->ur_used ? opcode_ur[r->kind] : opcode[r->kind]);
	put(word, 91, 1, r->ur_used || r->kind == REF_NATIVE);
	put(word, 12, 3, 7); /* guard PT */
	if (r->kind >= REF_EXIT) {
		put(word, 87, 3, 7); /* of EXIT: PT */
		return;
	}
	put(word, 16, 8, r->kind == REF_STS ? 0 : r->rd_used ? 10 : 255);
	put(word, 24, 8, r->ra_used ? 2 : 255);
	put(word, 40, 24, r->off);
	put(word, 78, 2, r->scale);
	if (r->ur_used) {
		put(word, r->kind == REF_LDS ? 32 : 64, 6, 4);
	}
	if (r->kind != REF_LDS) {
		put(word, 32, 8, 12);
	}
	if (r->kind == REF_LDS || r->kind == REF_STS) {
		put(word, 73, 3, r->size >= 2 ? r->size + 2 : 2 * r->size + r->sgn);
		return;
	}
	if (r->kind == REF_NATIVE) {
		put(word, 64, 6, r->ur_used ? 4 : 63);
		put(word, 87, 4, r->native);
		return;
	}
	put(word, 74, 1, r->size == 3);
	put(word, 73, 1, r->kind != REF_ATOMS && r->illegal); /* a size without a meaning */
	if (r->kind == REF_ATOMS) {
		put(word, 73, 1, r->sgn);
		put(word, 87, 4, r->op);
	} else {
		put(word, 64, 8, 20);
		put(word, 87, 2, r->kind == REF_CAST ? 1 + 2 * r->spin : 0);
	}
}

/* Address in the window. With a register, bits 31:24 hold the CTA's rank. Without a register the address has no room
 * for a rank. */
static uint32_t address(const struct ref_smem *s, const struct ref_req *r, unsigned lane)
{
	static const unsigned shift[] = {0, 2, 3, 4};
	uint32_t a = r->off & 0xffffff;
	if (r->ra_used || r->ur_used) {
		a = (uint32_t)((int32_t)(a << 8) >> 8);
	}
	a += r->ra_used ? (uint32_t)r->ra[lane] << shift[r->scale] : 0;
	a += r->ur_used ? r->ur : 0;
	return a - (r->ra_used || r->ur_used ? s->window[r->slot].rank << 24 : 0);
}

static uint8_t judge(const struct ref_smem *s, const struct ref_req *r, uint32_t a)
{
	const struct ref_window *w = &s->window[r->slot];
	uint64_t bytes = UINT64_C(1) << r->size;
	if (r->illegal || (r->kind == REF_NATIVE && !s->native)) {
		return 3;
	}
	if (a % bytes != 0) {
		return 1;
	}
	return !w->valid || a + bytes > w->size ? 2 : 0;
}

static uint32_t modify(const struct ref_req *r, uint32_t old, uint32_t b)
{
	int32_t so = (int32_t)old, sb = (int32_t)b;
	switch (r->op) {
	case REF_ADD:
		return old + b;
	case REF_MIN:
		return r->sgn ? (so < sb ? old : b) : (old < b ? old : b);
	case REF_MAX:
		return r->sgn ? (so > sb ? old : b) : (old > b ? old : b);
	case REF_INC:
		return old >= b ? 0 : old + 1;
	case REF_DEC:
		return old == 0 || old > b ? b : old - 1;
	case REF_AND:
		return old & b;
	case REF_OR:
		return old | b;
	case REF_XOR:
		return old ^ b;
	default:
		return b;
	}
}

uint8_t ref_place(const struct ref_smem *s, const struct ref_req *r, unsigned lane, uint32_t *at)
{
	const uint32_t a = address(s, r, lane);
	*at = s->window[r->slot].base + a;
	return judge(s, r, a);
}

static uint64_t halves_sum(const struct float_format *f, uint64_t old, uint64_t b)
{
	return float_sum(f, false, old & 0xffff, b & 0xffff) | float_sum(f, false, old >> 16, b >> 16) << 16;
}

/* Shared memory keeps subnormals. */
static uint64_t modify_native(const struct ref_req *r, uint64_t old, uint64_t b)
{
	switch (r->native) {
	case NATIVE_F32:
		return float_sum(&float_f32, false, old, b);
	case NATIVE_F64:
		return float_sum(&float_f64, false, old, b);
	case NATIVE_F16:
		return halves_sum(&float_f16, old, b);
	case NATIVE_BF16:
		return halves_sum(&float_bf16, old, b);
	case NATIVE_ADD:
		return old + b;
	case NATIVE_AND:
		return old & b;
	case NATIVE_OR:
		return old | b;
	case NATIVE_XOR:
		return old ^ b;
	case NATIVE_UMIN:
		return old < b ? old : b;
	case NATIVE_UMAX:
		return old > b ? old : b;
	case NATIVE_SMIN:
		return (int64_t)old < (int64_t)b ? old : b;
	default:
		return (int64_t)old > (int64_t)b ? old : b;
	}
}

/* A lane takes effect; `at` is the byte address in the SM's memory. */
static void lane_effect(struct ref_smem *s, const struct ref_req *r, unsigned lane, uint32_t at, bool tries,
                        uint32_t out[4])
{
	unsigned bytes = 1u << r->size;
	uint32_t old[4] = {0}, now[4];
	memcpy(old, s->mem + at, bytes);
	memcpy(now, old, sizeof now);
	bool same = memcmp(old, r->rb[lane], bytes) == 0 && tries;
	switch (r->kind) {
	case REF_LDS:
		break;
	case REF_STS:
		memcpy(now, r->rb[lane], bytes);
		break;
	case REF_ATOMS:
		if (r->op == REF_EXCH) {
			memcpy(now, r->rb[lane], bytes);
		} else {
			now[0] = modify(r, old[0], r->rb[lane][0]);
		}
		break;
	case REF_NATIVE: {
		const uint64_t sum = modify_native(r, old[0] | (uint64_t)old[1] << 32,
		                                   r->rb[lane][0] | (uint64_t)(bytes == 8 ? r->rb[lane][1] : 0) << 32);
		now[0] = (uint32_t)sum;
		now[1] = (uint32_t)(sum >> 32);
		s->nans += r->native == NATIVE_F32 && sum == float_f32.nan;
		s->subnormals += r->native == NATIVE_F32 && (sum & 0x7f800000) == 0 && (sum & 0x7fffff) != 0;
		break;
	}
	default:
		if (same) {
			memcpy(now, r->rc[lane], bytes);
		}
		break;
	}
	memcpy(s->mem + at, now, bytes);
	if (r->kind == REF_LDS && r->sgn && r->size < 2) {
		unsigned shift = 32 - 8 * bytes;
		old[0] = (uint32_t)((int32_t)(old[0] << shift) >> shift);
	}
	if (r->kind == REF_CAST) {
		memset(old, 0, sizeof old);
		old[0] = same;
	}
	if (r->rd_used) {
		memcpy(out, old, sizeof old);
	}
}

/* Stores, and operations that combine: no compares, no INC, no DEC. */
static bool combines(const struct ref_req *r)
{
	return r->kind == REF_STS || (r->kind == REF_ATOMS && r->size == 2 && r->op != REF_INC && r->op != REF_DEC);
}

/* Passes of the lanes `left` of a beat. Each pass serves the lowest lane of every bank group. The lowest `combine` of
 * the served lanes take along all lanes on their words. */
static unsigned combined_passes(const struct ref_smem *s, unsigned group_bytes, uint32_t left, const uint32_t at[32])
{
	unsigned passes = 0;
	for (; left; passes++) {
		bool taken[32] = {false};
		unsigned words = 0;
		uint32_t served = 0;
		for (unsigned i = 0; i < 32; i++) {
			const unsigned g = at[i] / group_bytes % (s->banks * 4 / group_bytes);
			if (!(left >> i & 1) || taken[g]) {
				continue;
			}
			taken[g] = true;
			served |= UINT32_C(1) << i;
			for (unsigned j = i + 1; words < s->combine && j < 32; j++) {
				served |= (uint32_t)((left >> j & 1) && at[j] == at[i]) << j;
			}
			words++;
		}
		left &= ~served;
	}
	return passes;
}

/* Passes of the lanes `left` of a beat for sums of floats. A pass serves the lowest lane of a bank group, for the four
 * lowest groups with lanes. */
static unsigned float_passes(struct ref_smem *s, unsigned group_bytes, uint32_t left, const uint32_t at[32])
{
	enum { ADDERS = 4 };
	const unsigned groups = s->banks * 4 / group_bytes;
	unsigned passes = 0;
	for (; left; passes++) {
		unsigned served = 0, groups_left = 0;
		for (unsigned g = 0; g < groups; g++) {
			unsigned i = 0;
			while (i < 32 && !((left >> i & 1) && at[i] / group_bytes % groups == g)) {
				i++;
			}
			groups_left += i < 32 && served == ADDERS;
			if (i < 32 && served < ADDERS) {
				left &= ~(UINT32_C(1) << i);
				served++;
			}
		}
		s->cut += groups_left != 0;
	}
	return passes;
}

/* Passes of a beat. Every pass serves a lane of a bank group; of a load, a word of at least 32 bits. So the fullest
 * group counts. */
static unsigned beat_passes(struct ref_smem *s, const struct ref_req *r, unsigned first, uint32_t tries, uint32_t ok,
                            const uint32_t at[32])
{
	unsigned group_bytes = r->size > 2 ? 1u << r->size : 4, most = 0;
	unsigned groups = s->banks * 4 / group_bytes;
	uint32_t beat = (s->lanes == 32 ? UINT32_MAX : (UINT32_C(1) << s->lanes) - 1) << first;
	if (s->combine && combines(r)) {
		return combined_passes(s, group_bytes, tries & beat, at);
	}
	if (r->kind == REF_NATIVE && r->native < NATIVE_ADD) {
		return float_passes(s, group_bytes, tries & beat, at);
	}
	for (unsigned g = 0; g < groups; g++) {
		unsigned items = 0;
		for (unsigned i = first; i < first + s->lanes; i++) {
			bool counts = (tries >> i & 1) && at[i] / group_bytes % groups == g;
			for (unsigned j = first; counts && r->kind == REF_LDS && j < i; j++) {
				counts = !((tries >> j & 1) && at[j] / 4 == at[i] / 4);
			}
			items += counts;
		}
		most = items > most ? items : most;
	}
	return most > 0 ? most : (ok & beat) != 0;
}

void ref_run(struct ref_smem *s, const struct ref_req *r, struct ref_rsp *out)
{
	uint32_t at[32] = {0}, ok = 0, tries = 0, tried = 0;
	memset(out, 0, sizeof *out);
	out->tag = r->tag;
	if (r->kind >= REF_EXIT) {
		for (unsigned i = 0; i < 32; i++) {
			out->fault[i] = r->kind == REF_OTHER && (r->mask >> i & 1) ? 3 : 0;
		}
		return;
	}
	for (unsigned i = 0; i < 32; i++) {
		if (!(r->mask >> i & 1)) {
			continue;
		}
		out->fault[i] = ref_place(s, r, i, &at[i]);
		if (out->fault[i]) {
			continue;
		}
		const uint32_t a = at[i] - s->window[r->slot].base;
		ok |= UINT32_C(1) << i;
		unsigned bank = r->size == 3 ? a >> 3 & 15 : a >> 2 & 31;
		if (!r->spin || !(tried >> bank & 1)) {
			tries |= UINT32_C(1) << i;
		}
		tried |= UINT32_C(1) << bank;
	}
	for (unsigned i = 0; i < 32; i++) {
		if (ok >> i & 1) {
			lane_effect(s, r, i, at[i], tries >> i & 1, out->data[i]);
		}
	}
	for (unsigned first = 0; first < 32; first += s->lanes) {
		out->passes += beat_passes(s, r, first, tries, ok, at);
	}
	out->mask = r->rd_used ? ok : 0;
}
