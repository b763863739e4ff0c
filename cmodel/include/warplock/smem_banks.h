// SPDX-License-Identifier: Apache-2.0
/* smem_banks.h -- the storage of an SM's shared memory, and the windows of the CTAs.
 *
 * Source: docs/spec/shared-memory.md, "Storage"; docs/spec/shared-memory.md, "Passes";
 * docs/spec/mbarrier.md, "Marks". */
#ifndef WARPLOCK_SMEM_BANKS_H
#define WARPLOCK_SMEM_BANKS_H

#include "warplock/lockstep.h"

struct wl_window {
	uint32_t base, size; /* bytes, multiples of 16; base + size <= shared_bytes */
	bool valid;
	uint32_t origin; /* address of byte 0 in instructions: rank of the CTA in the cluster << 24 */
};

/* The slot of no CTA. The window of the slot is all of the SM's shared memory: for accesses to several CTAs. */
enum { WL_SMEM_WHOLE = WL_MAX_CTAS };

/* Shared memory of one SM. `mem` is the caller's: shared_bytes bytes, little endian, aligned to 16 bytes. */
struct wl_smem {
	uint8_t *mem;
	uint32_t bytes;
	uint8_t lanes, banks, combine;            /* the configuration: determines passes, never values */
	bool native;                              /* ATOMSN is known */
	struct wl_window window[WL_MAX_CTAS + 1]; /* the last window: WL_SMEM_WHOLE */
	/* Marks: 64-bit words with an mbarrier (sm_90 on), open to SYNCS. SYNCS.EXCH sets a mark; so does STS.64 with
	 * store_marks. Any other write takes the mark away. Without marks stores need not look. */
	bool has_marks;   /* sm_90 on */
	bool reports;     /* sm_107: mbarriers of layout v1 have additional bits */
	bool store_marks; /* STS.64 marks (sm_100 on) */
	uint32_t nmarks;
	uint64_t mark[WL_CHIP_MOST_SHARED / 8 / 64];
	uint64_t stored[WL_CHIP_MOST_SHARED / 8 / 64]; /* words marked by STS.64, for reports alone */
};
void wl_smem_init(struct wl_smem *s, const struct wl_config *c, uint8_t *mem);
/* Word (32 bits) at a byte address: a multiple of 4, below `bytes`. */
uint32_t wl_smem_read(const struct wl_smem *s, uint32_t addr);
void wl_smem_write(struct wl_smem *s, uint32_t addr, uint32_t value);
/* Opens the window of a CTA slot. Fills the window with wl_fill_word(seed, cta, offset within the window). */
void wl_smem_open(struct wl_smem *s, unsigned slot, uint32_t base, uint32_t size, uint64_t seed, uint32_t cta);
void wl_smem_close(struct wl_smem *s, unsigned slot);

/* Marks, by address in the SM's shared memory. */
static inline bool wl_smem_marked(const struct wl_smem *s, uint32_t addr)
{
	return s->mark[addr / 512] >> addr / 8 % 64 & 1;
}
void wl_smem_mark(struct wl_smem *s, uint32_t addr);
void wl_smem_make(struct wl_smem *s, uint32_t addr); /* the mark of STS.64 */
/* Has STS.64 marked the word since wl_smem_unmake? */
static inline bool wl_smem_made(const struct wl_smem *s, uint32_t addr)
{
	return s->stored[addr / 512] >> addr / 8 % 64 & 1;
}
void wl_smem_unmake(struct wl_smem *s, uint32_t addr);
void wl_smem_unmark(struct wl_smem *s, uint32_t addr, uint32_t size); /* each word with a byte of the range */
/* A store of `size` bytes, not by SYNCS; `sts`: by STS. */
static inline void wl_smem_wrote(struct wl_smem *s, uint32_t addr, uint32_t size, bool sts)
{
	if (__builtin_expect(s->store_marks && sts && size == 8, 0))
		wl_smem_make(s, addr);
	else if (__builtin_expect(s->nmarks != 0, 0))
		wl_smem_unmark(s, addr, size);
}

enum { WL_FP_LANES = 4 }; /* lanes of a pass through the float adders */

/* Lanes on the same word, together in a pass. */
enum wl_smem_share {
	WL_SMEM_APART,    /* none */
	WL_SMEM_LOADS,    /* all; narrow accesses by the 32-bit word */
	WL_SMEM_COMBINES, /* lanes on the words of the `combine` lowest lanes of the pass */
	WL_SMEM_FLOATS,   /* none; at most WL_FP_LANES lanes go in a pass: the lanes in the lowest banks */
};
/* Passes of a beat through the banks, appended to the plan. `todo`: lanes needing a bank. `losers`: lanes needing no
 * bank. A bank group serves one word in a pass, lowest lane first. `addr`: in the window from `base` on. */
void wl_smem_plan_beat(const struct wl_smem *s, uint32_t base, uint32_t size, enum wl_smem_share share,
                       const uint32_t addr[WL_WARP_LANES], uint32_t todo, uint32_t losers, struct wl_plan *plan);
/* The lanes of `todo` in the next pass, with WL_SMEM_COMBINES. */
uint32_t wl_smem_combined_pass(const struct wl_smem *s, uint32_t base, uint32_t size,
                               const uint32_t addr[WL_WARP_LANES], uint32_t todo);
/* The same with WL_SMEM_FLOATS. */
uint32_t wl_smem_float_pass(const struct wl_smem *s, uint32_t base, uint32_t size, const uint32_t addr[WL_WARP_LANES],
                            uint32_t todo);
/* Bytes of an access in the banks. A narrower access takes the bank of its 32-bit word. */
static inline uint32_t wl_smem_bank_bytes(uint32_t size)
{
	return size < 4 ? 4 : size;
}
/* Number of bank groups, each as wide as an access of this size. A group serves one word in a pass. */
static inline unsigned wl_smem_bank_groups(const struct wl_smem *s, uint32_t size)
{
	return s->banks * 4u / wl_smem_bank_bytes(size);
}

#endif
