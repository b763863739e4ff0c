// SPDX-License-Identifier: Apache-2.0
/* smem_banks.c -- the storage of an SM's shared memory and the windows of the SM's CTAs.
 *
 * In hardware word i lies in bank i mod BANKS, row i / BANKS. Here the words lie in a single array in address order, so
 * values cannot depend on the number of banks. Source: docs/spec/shared-memory.md, "Passes". */
#include <assert.h>
#include <string.h>

#include "lane_row.h"
#include "warplock/smem_banks.h"

/* memcpy copies registers and memory words. Byte 0 is the lowest byte on a little-endian host only. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the C model needs a little-endian host");

static bool is_way_count(unsigned n)
{
	return n == 4 || n == 8 || n == 16 || n == 32;
}

void wl_smem_init(struct wl_smem *s, const struct wl_config *c, uint8_t *mem)
{
	assert(is_way_count(c->lanes) && is_way_count(c->banks) && "4, 8, 16 or 32 lanes and banks");
	assert(c->combine <= 2 && "wl_config_check refuses others");
	*s = (struct wl_smem){.mem = mem,
	                      .bytes = c->shared_bytes,
	                      .lanes = (uint8_t)c->lanes,
	                      .banks = (uint8_t)c->banks,
	                      .combine = (uint8_t)c->combine,
	                      .native = c->native != 0,
	                      .has_marks = c->arch >= WL_SM90,
	                      .reports = c->arch == WL_SM107,
	                      .store_marks = c->arch >= WL_SM100};
	s->window[WL_SMEM_WHOLE] = (struct wl_window){.size = c->shared_bytes, .valid = true};
}

uint32_t wl_smem_read(const struct wl_smem *s, uint32_t addr)
{
	uint32_t value;
	assert(addr % 4 == 0 && addr < s->bytes);
	memcpy(&value, s->mem + addr, 4);
	return value;
}

void wl_smem_write(struct wl_smem *s, uint32_t addr, uint32_t value)
{
	assert(addr % 4 == 0 && addr < s->bytes);
	memcpy(s->mem + addr, &value, 4);
}

/* Finaliser of the splitmix64 generator (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators"). */
static uint64_t mix64(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

/* Seed and CTA choose a stream, the address chooses an element. Two rounds of mixing keep the two from cancelling. */
uint32_t wl_fill_word(uint64_t seed, uint32_t cta, uint32_t addr)
{
	const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t stream = mix64(seed + golden * ((uint64_t)cta + 1));
	return (uint32_t)(mix64(stream + golden * ((uint64_t)addr + 1)) >> 32);
}

void wl_smem_open(struct wl_smem *s, unsigned slot, uint32_t base, uint32_t size, uint64_t seed, uint32_t cta)
{
	assert(slot < WL_MAX_CTAS && base % 16 == 0 && size % 16 == 0);
	assert(base <= s->bytes && size <= s->bytes - base && "the window lies in the memory");
	s->window[slot] = (struct wl_window){.base = base, .size = size, .valid = true};
	if (s->nmarks)
		wl_smem_unmark(s, base, size);
	for (uint32_t at = 0; at < size; at += 4)
		wl_smem_write(s, base + at, wl_fill_word(seed, cta, at));
}

void wl_smem_close(struct wl_smem *s, unsigned slot)
{
	assert(slot < WL_MAX_CTAS);
	s->window[slot].valid = false;
}

/* ---- marks ---- */

void wl_smem_mark(struct wl_smem *s, uint32_t addr)
{
	assert(addr % 8 == 0 && addr < s->bytes);
	s->nmarks += !wl_smem_marked(s, addr);
	s->mark[addr / 512] |= UINT64_C(1) << addr / 8 % 64;
}

void wl_smem_make(struct wl_smem *s, uint32_t addr)
{
	wl_smem_mark(s, addr);
	s->stored[addr / 512] |= UINT64_C(1) << addr / 8 % 64;
}

void wl_smem_unmake(struct wl_smem *s, uint32_t addr)
{
	s->stored[addr / 512] &= ~(UINT64_C(1) << addr / 8 % 64);
}

void wl_smem_unmark(struct wl_smem *s, uint32_t addr, uint32_t size)
{
	for (uint32_t at = addr & ~7u; at < addr + size; at += 8) {
		s->nmarks -= wl_smem_marked(s, at);
		s->mark[at / 512] &= ~(UINT64_C(1) << at / 8 % 64);
	}
}

/* ---- passes ---- */

uint32_t wl_smem_combined_pass(const struct wl_smem *s, uint32_t base, uint32_t size,
                               const uint32_t addr[WL_WARP_LANES], uint32_t todo)
{
	const unsigned groups = wl_smem_bank_groups(s, size);
	const unsigned shift = (unsigned)__builtin_ctz(wl_smem_bank_bytes(size));
	uint32_t used = 0, lanes = 0;
	unsigned words = 0;
	for (uint32_t left = todo; left; left &= left - 1) {
		const unsigned lane = (unsigned)__builtin_ctz(left);
		const uint32_t group = UINT32_C(1) << ((base + addr[lane]) >> shift & (groups - 1));
		if (used & group)
			continue;
		used |= group;
		lanes |= UINT32_C(1) << lane;
		if (words++ >= s->combine)
			continue;
		for (uint32_t with = left; with; with &= with - 1)
			lanes |= (uint32_t)(addr[__builtin_ctz(with)] == addr[lane]) << __builtin_ctz(with);
	}
	return lanes;
}

uint32_t wl_smem_float_pass(const struct wl_smem *s, uint32_t base, uint32_t size, const uint32_t addr[WL_WARP_LANES],
                            uint32_t todo)
{
	const unsigned groups = wl_smem_bank_groups(s, size), shift = (unsigned)__builtin_ctz(size);
	uint32_t used = 0, lanes = 0;
	uint8_t lowest[WL_WARP_LANES]; /* candidate lane of each bank group in `used` */
	for (; todo; todo &= todo - 1) {
		const unsigned lane = (unsigned)__builtin_ctz(todo),
		               group = (base + addr[lane]) >> shift & (groups - 1);
		if (!(used >> group & 1))
			lowest[group] = (uint8_t)lane;
		used |= UINT32_C(1) << group;
	}
	for (unsigned n = 0; n < WL_FP_LANES && used; n++, used &= used - 1)
		lanes |= UINT32_C(1) << lowest[__builtin_ctz(used)];
	return lanes;
}

/* The turn of each lane that meets others in the lane's bank group. The lanes of a word go together; words go in the
 * order of the words' lowest lanes. */
static void load_turns(uint32_t lanes, const uint32_t word[WL_WARP_LANES], const uint32_t group[WL_WARP_LANES],
                       uint32_t *turn_lanes)
{
	uint8_t turns[WL_WARP_LANES] = {0};           /* turns taken in each bank group so far */
	uint32_t taken[WL_WARP_LANES][WL_WARP_LANES]; /* word of each turn, by turn and group: turns are few */
	for (; lanes; lanes &= lanes - 1) {
		const unsigned lane = (unsigned)__builtin_ctz(lanes), g = group[lane];
		unsigned turn = 0;
		while (turn < turns[g] && taken[turn][g] != word[lane])
			turn++;
		if (turn == turns[g])
			taken[turns[g]++][g] = word[lane];
		turn_lanes[turn] |= UINT32_C(1) << lane;
	}
}

/* Stores and atomics: each lane has a turn of its own. */
static void update_turns(uint32_t lanes, const uint32_t group[WL_WARP_LANES], uint32_t *turn_lanes)
{
	uint8_t turns[WL_WARP_LANES] = {0};
	for (; lanes; lanes &= lanes - 1) {
		const unsigned lane = (unsigned)__builtin_ctz(lanes);
		turn_lanes[turns[group[lane]]++] |= UINT32_C(1) << lane;
	}
}

LANE_LOOP void wl_smem_plan_beat(const struct wl_smem *s, uint32_t base, uint32_t size, enum wl_smem_share share,
                                 const uint32_t addr[WL_WARP_LANES], uint32_t todo, uint32_t losers,
                                 struct wl_plan *plan)
{
	const unsigned shift = (unsigned)__builtin_ctz(wl_smem_bank_bytes(size));
	const unsigned first = plan->passes;
	while (todo && share == WL_SMEM_FLOATS) {
		const uint32_t lanes = wl_smem_float_pass(s, base, size, addr, todo);
		plan->pass_lanes[plan->passes++] = lanes;
		todo &= ~lanes;
	}
	while (todo && share == WL_SMEM_COMBINES && s->combine) { /* no losers here */
		const uint32_t lanes = wl_smem_combined_pass(s, base, size, addr, todo);
		plan->pass_lanes[plan->passes++] = lanes;
		todo &= ~lanes;
	}
	const uint32_t low = wl_smem_bank_groups(s, size) - 1;
	uint32_t word[WL_WARP_LANES], group[WL_WARP_LANES];
	for (unsigned lane = 0; lane < WL_WARP_LANES; lane++) {
		word[lane] = (base + addr[lane]) >> shift;
		group[lane] = word[lane] & low;
	}
	const uint32_t meet = row_shared(group, todo); /* other lanes go at once; mostly all lanes do */
	plan->pass_lanes[first] |= (todo & ~meet) | losers;
	if (meet && share == WL_SMEM_LOADS)
		load_turns(meet, word, group, plan->pass_lanes + first);
	else if (meet)
		update_turns(meet, group, plan->pass_lanes + first);
	while (plan->passes < WL_WARP_LANES && plan->pass_lanes[plan->passes])
		plan->passes++;
}
