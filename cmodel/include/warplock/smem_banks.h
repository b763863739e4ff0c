// SPDX-License-Identifier: Apache-2.0
/* smem_banks.h -- the storage of one SM's shared memory and the windows of its CTAs. */
#ifndef WARPLOCK_SMEM_BANKS_H
#define WARPLOCK_SMEM_BANKS_H

#include "warplock/lockstep.h"

struct wl_window {
	uint32_t base, size; /* bytes, multiples of 16; base + size <= shared_bytes */
	bool valid;
};

/* Shared memory of one SM. `mem` is owned by the caller: shared_bytes bytes, little endian, 16-byte aligned. */
struct wl_smem {
	uint8_t *mem;
	uint32_t bytes;
	uint8_t lanes, banks, combine; /* the configuration: passes depend on it, values never */
	struct wl_window window[WL_MAX_CTAS];
};
void wl_smem_init(struct wl_smem *s, const struct wl_config *c, uint8_t *mem);
/* Word (32 bits) at a byte address that is a multiple of 4 and below `bytes`. */
uint32_t wl_smem_read(const struct wl_smem *s, uint32_t addr);
void wl_smem_write(struct wl_smem *s, uint32_t addr, uint32_t value);
/* Opens the window of a CTA slot and fills it with wl_fill_word(seed, cta, offset within the window). */
void wl_smem_open(struct wl_smem *s, unsigned slot, uint32_t base, uint32_t size, uint64_t seed, uint32_t cta);
void wl_smem_close(struct wl_smem *s, unsigned slot);

#endif
