// SPDX-License-Identifier: Apache-2.0
/* smem_banks.c -- the storage of one SM's shared memory and the windows of its CTAs.
 *
 * The banks are an arrangement of the hardware: word i lies in bank i mod BANKS, row i / BANKS. Here the words lie in
 * one array in address order, so values cannot depend on the number of banks. */
#include <assert.h>
#include <string.h>

#include "warplock/smem_banks.h"

/* Registers and memory words are copied by memcpy, which puts byte 0 lowest on such a host only. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the C model needs a little-endian host");

static bool is_way_count(unsigned n)
{
	return n == 4 || n == 8 || n == 16 || n == 32;
}

void wl_smem_init(struct wl_smem *s, const struct wl_config *c, uint8_t *mem)
{
	assert(is_way_count(c->lanes) && is_way_count(c->banks) && "4, 8, 16 or 32 lanes and banks");
	assert(c->combine == 0 && "wl_config_check refuses combine");
	*s = (struct wl_smem){.mem = mem,
	                      .bytes = c->shared_bytes,
	                      .lanes = (uint8_t)c->lanes,
	                      .banks = (uint8_t)c->banks,
	                      .combine = (uint8_t)c->combine};
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

/* Seed and CTA choose a stream, the address its element; what is mixed twice cannot cancel between the two. */
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
	s->window[slot] = (struct wl_window){base, size, true};
	for (uint32_t at = 0; at < size; at += 4)
		wl_smem_write(s, base + at, wl_fill_word(seed, cta, at));
}

void wl_smem_close(struct wl_smem *s, unsigned slot)
{
	assert(slot < WL_MAX_CTAS);
	s->window[slot].valid = false;
}
