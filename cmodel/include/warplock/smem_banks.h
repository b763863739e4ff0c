// SPDX-License-Identifier: Apache-2.0
/* smem_banks.h -- the storage of one SM's shared memory and the windows of its CTAs.
 *
 * Source: docs/spec/shared-memory.md, "Storage"; docs/spec/shared-memory.md, "Passes";
 * docs/spec/mbarrier.md, "Marks". */
#ifndef WARPLOCK_SMEM_BANKS_H
#define WARPLOCK_SMEM_BANKS_H

#include "warplock/lockstep.h"

struct wl_window {
	uint32_t base, size; /* bytes, multiples of 16; base + size <= shared_bytes */
	bool valid;
	uint32_t origin; /* address of byte 0, as instructions name it: the CTA's rank in its cluster << 24 */
};

/* No CTA's slot: a window that is all of the SM's shared memory, for accesses that reach several CTAs. */
enum { WL_SMEM_WHOLE = WL_MAX_CTAS };

/* Shared memory of one SM. `mem` is owned by the caller: shared_bytes bytes, little endian, 16-byte aligned. */
struct wl_smem {
	uint8_t *mem;
	uint32_t bytes;
	uint8_t lanes, banks, combine;            /* the configuration: passes depend on it, values never */
	bool native;                              /* ATOMSN is known */
	struct wl_window window[WL_MAX_CTAS + 1]; /* the last one: WL_SMEM_WHOLE */
	/* Words of 64 bits that hold an mbarrier (sm_90 on): what SYNCS may touch. Set by SYNCS.EXCH, or by STS.64
	 * where that is how they are made; any other write takes the mark away. Nobody marks: stores need not look. */
	bool has_marks;   /* sm_90 on */
	bool store_marks; /* STS.64 marks (sm_100 on) */
	uint32_t nmarks;
	uint64_t mark[WL_MOST_SHARED / 8 / 64];
};
void wl_smem_init(struct wl_smem *s, const struct wl_config *c, uint8_t *mem);
/* Word (32 bits) at a byte address that is a multiple of 4 and below `bytes`. */
uint32_t wl_smem_read(const struct wl_smem *s, uint32_t addr);
void wl_smem_write(struct wl_smem *s, uint32_t addr, uint32_t value);
/* Opens the window of a CTA slot and fills it with wl_fill_word(seed, cta, offset within the window). */
void wl_smem_open(struct wl_smem *s, unsigned slot, uint32_t base, uint32_t size, uint64_t seed, uint32_t cta);
void wl_smem_close(struct wl_smem *s, unsigned slot);

/* Marks, by address in the SM's shared memory. */
static inline bool wl_smem_marked(const struct wl_smem *s, uint32_t addr)
{
	return s->mark[addr / 512] >> addr / 8 % 64 & 1;
}
void wl_smem_mark(struct wl_smem *s, uint32_t addr);
void wl_smem_unmark(struct wl_smem *s, uint32_t addr, uint32_t size); /* every word that has one of the bytes */
/* A store of `size` bytes, not by SYNCS; `sts`: it is an STS. */
static inline void wl_smem_wrote(struct wl_smem *s, uint32_t addr, uint32_t size, bool sts)
{
	if (__builtin_expect(s->store_marks && sts && size == 8, 0))
		wl_smem_mark(s, addr);
	else if (__builtin_expect(s->nmarks != 0, 0))
		wl_smem_unmark(s, addr, size);
}

enum { WL_FP_LANES = 4 }; /* lanes that the float adders serve in a pass */

/* Which lanes on one word go together in a pass. */
enum wl_smem_share {
	WL_SMEM_APART,    /* none */
	WL_SMEM_LOADS,    /* all; narrow ones by the 32-bit word */
	WL_SMEM_COMBINES, /* those of the words of the `combine` lowest lanes that go */
	WL_SMEM_FLOATS,   /* none, and at most WL_FP_LANES go at all: those in the lowest banks */
};
/* Passes of one beat through the banks, appended to the plan: `todo` are the lanes that need a bank, `losers`
 * those that do not. A bank group serves one word in a pass, lowest lane first. `addr`: in the window that
 * begins at `base`. */
void wl_smem_plan_beat(const struct wl_smem *s, uint32_t base, uint32_t size, enum wl_smem_share share,
                       const uint32_t addr[WL_WARP_LANES], uint32_t todo, uint32_t losers, struct wl_plan *plan);
/* The lanes of `todo` that go in the next pass, with WL_SMEM_COMBINES. */
uint32_t wl_smem_combined_pass(const struct wl_smem *s, uint32_t base, uint32_t size,
                               const uint32_t addr[WL_WARP_LANES], uint32_t todo);
/* And with WL_SMEM_FLOATS. */
uint32_t wl_smem_float_pass(const struct wl_smem *s, uint32_t base, uint32_t size, const uint32_t addr[WL_WARP_LANES],
                            uint32_t todo);
/* Bytes that an access takes in the banks: sub-word accesses take the bank of their 32-bit word. */
static inline uint32_t wl_smem_bank_bytes(uint32_t size)
{
	return size < 4 ? 4 : size;
}
/* Groups of banks that one access of the size fills; each serves one word in a pass. */
static inline unsigned wl_smem_bank_groups(const struct wl_smem *s, uint32_t size)
{
	return s->banks * 4u / wl_smem_bank_bytes(size);
}

#endif
