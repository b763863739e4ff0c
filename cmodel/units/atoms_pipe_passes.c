// SPDX-License-Identifier: Apache-2.0
/* atoms_pipe_passes.c -- the number of passes of an instruction, without the lanes of each pass, for wlrun's counters.
 * The number equals that of wl_smem_plan_beat. Source: docs/spec/shared-memory.md, "Passes". */
#include <string.h>

#include "atoms_pipe_inline.h"
#include "lane_row.h"

/* Some lanes of an instruction, and their words. */
struct lanes {
	const uint32_t *addr; /* of all lanes */
	uint32_t base, mask;
	unsigned shift, groups;
};

static inline uint32_t word_of(const struct lanes *x, unsigned lane)
{
	return (x->base + x->addr[lane]) >> x->shift;
}

/* Lanes with a word other than the kept word of the lane's bank group: in loads nearly always none. Lanes without a
 * part count as lanes at the word of the lowest lane. */
LANE_LOOP static uint32_t second_words(const struct lanes *x)
{
	const unsigned low = x->groups - 1;
	const uint32_t first = word_of(x, (unsigned)__builtin_ctz(x->mask));
	uint32_t word[WL_WARP_LANES], kept[WL_WARP_LANES], differs[WL_WARP_LANES];
	for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
		word[lane] = x->mask & 1u << lane ? word_of(x, lane) : first;
	for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
		kept[word[lane] & low] = word[lane];
	for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
		differs[lane] = kept[word[lane] & low] ^ word[lane];
	return x->mask & ~row_equal(differs, 0);
}

/* Number of different words in the fullest bank group. */
static unsigned most_words(const struct lanes *x, uint32_t lanes)
{
	uint32_t word[WL_WARP_LANES][WL_WARP_LANES];
	uint8_t words[WL_WARP_LANES] = {0};
	unsigned most = 0;
	for (uint32_t left = lanes; left; left &= left - 1) {
		const uint32_t at = word_of(x, (unsigned)__builtin_ctz(left));
		unsigned group = at & (x->groups - 1), i = 0;
		while (i < words[group] && word[group][i] != at)
			i++;
		if (i < words[group])
			continue;
		word[group][i] = at;
		words[group] = (uint8_t)(i + 1);
		most = i + 1 > most ? i + 1 : most;
	}
	return most;
}

/* Passes of a beat of loads: different words (at least 32 bits wide) of the fullest bank group. */
static unsigned load_passes(const struct lanes *x)
{
	const uint32_t others = second_words(x);
	return others ? 1 + most_words(x, others) : 1;
}

/* Passes of a beat of stores or atomics: lanes of the fullest bank group. */
LANE_LOOP static unsigned update_passes(const struct lanes *x)
{
	/* A lane in group n adds a window of 32 bytes of this array. The window ends n + 1 behind the 1. */
	static const uint8_t one[2 * WL_WARP_LANES - 1] = {[WL_WARP_LANES - 1] = 1};
	uint8_t count[WL_WARP_LANES] = {0}, most = 0;
	for (uint32_t left = x->mask; left; left &= left - 1) {
		const unsigned n = word_of(x, (unsigned)__builtin_ctz(left)) & (x->groups - 1);
		const uint8_t *add = &one[WL_WARP_LANES - 1 - n];
		for (unsigned group = 0; group < WL_WARP_LANES; group++)
			count[group] = (uint8_t)(count[group] + add[group]);
	}
	for (unsigned group = 0; group < WL_WARP_LANES; group++)
		most = count[group] > most ? count[group] : most;
	return most;
}

/* The same with COMBINE: the words of the lowest lanes of a pass take all lanes of the word. */
static unsigned combined_passes(const struct wl_smem *s, const struct lanes *x, uint32_t size)
{
	unsigned passes = 0;
	for (uint32_t left = x->mask; left; passes++)
		left &= ~wl_smem_combined_pass(s, x->base, size, x->addr, left);
	return passes;
}

/* The same for floats: few lanes go in a pass. */
static unsigned float_passes(const struct wl_smem *s, const struct lanes *x, uint32_t size)
{
	unsigned passes = 0;
	for (uint32_t left = x->mask; left; passes++)
		left &= ~wl_smem_float_pass(s, x->base, size, x->addr, left);
	return passes;
}

unsigned atoms_passes(const struct wl_smem *s, const struct wl_inst *in, uint32_t base,
                      const uint32_t addr[WL_WARP_LANES], uint32_t ok, bool row, uint32_t losers)
{
	const unsigned beats = WL_WARP_LANES / s->lanes;
	const uint32_t beat_mask = UINT32_MAX >> (WL_WARP_LANES - s->lanes);
	const enum wl_smem_share share = atoms_share(in);
	struct lanes x = {addr, base, 0, (unsigned)__builtin_ctz(wl_smem_bank_bytes(in->size)),
	                  wl_smem_bank_groups(s, in->size)};
	/* Words in a row spread evenly over the bank groups, and no two lanes share a word. */
	if (row && share != WL_SMEM_FLOATS && !losers)
		return s->lanes > x.groups ? beats * (s->lanes / x.groups) : beats;
	unsigned passes = 0;
	for (unsigned beat = 0; beat < beats; beat++) {
		const uint32_t lanes = ok & beat_mask << beat * s->lanes;
		x.mask = lanes & ~losers; /* losers need no bank, but a beat of losers alone takes a pass */
		if (!x.mask)
			passes += lanes != 0;
		else if (share == WL_SMEM_FLOATS)
			passes += float_passes(s, &x, in->size);
		else if (s->combine && share == WL_SMEM_COMBINES)
			passes += combined_passes(s, &x, in->size);
		else if (in->uop == WL_UOP_LDS)
			passes += load_passes(&x);
		else
			passes += update_passes(&x);
	}
	return passes;
}
