// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "core.h"
#include "hash.h"
#include "sm.h"

static struct wl_gmem gmem;
static _Alignas(16) uint8_t copy[GLOBAL];

void global_open(uint64_t seed, uint32_t window)
{
	volatile uint32_t *core = core_global();
	gmem = (struct wl_gmem){.mem = copy, .bytes = GLOBAL};
	for (uint32_t at = 0; at < GLOBAL; at += 4) {
		const uint32_t word = wl_fill_word(seed, ~window, at);
		memcpy(copy + at, &word, 4);
		core[at / 4] = word;
	}
	wl_gmem_add_at(&gmem, GLOBAL_BASE, GLOBAL);
	units.gmem = &gmem;
}

void global_hash(uint32_t hash[SIDES])
{
	volatile uint32_t *core = core_global();
	for (uint32_t at = 0; at < GLOBAL; at += 4) {
		uint32_t word;
		memcpy(&word, copy + at, 4);
		hash_add(&hash[REF], word);
		hash_add(&hash[DUT], core[at / 4]);
	}
}
