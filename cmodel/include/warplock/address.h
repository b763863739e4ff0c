// SPDX-License-Identifier: Apache-2.0
/* address.h -- how addresses are formed: each rule once, for units and front end. `ra` and `ur` are register values.
 * The value of a register that the instruction does not name is ignored.
 *
 * Source: docs/spec/shared-memory.md, "Addresses"; docs/spec/global-memory.md, "Addresses". */
#ifndef WARPLOCK_ADDRESS_H
#define WARPLOCK_ADDRESS_H

#include "warplock/isa.h"

enum { WL_NO_UR = 255 }; /* wl_inst.ur: no uniform register */
/* An address in shared memory: rank of the CTA in its cluster, and offset in the window of this CTA. */
enum { WL_RANK_SHIFT = 24 };

/* Shared memory: the part of the address that is equal for all lanes. The offset of an address without any register is
 * zero-extended, and so reaches the upper half of the 24 bits. All other offsets are sign-extended. */
static inline uint32_t wl_shared_addend(const struct wl_inst *in, uint32_t ur)
{
	const uint32_t off = (uint32_t)in->off & 0xffffff;
	if (in->ra == WL_RZ && in->ur == WL_NO_UR)
		return off;
	return ((off ^ 0x800000) - 0x800000) + (in->ur == WL_NO_UR ? 0 : ur);
}
/* Shared memory: the part of the lane's register. */
static inline uint32_t wl_shared_base(const struct wl_inst *in, uint32_t ra)
{
	return in->ra == WL_RZ ? 0 : ra << in->xn;
}
/* Shared memory: the address of the own window's byte 0, `origin` of the window. An address without any register has no
 * room for a rank: such an address is an offset in the own window. */
static inline uint32_t wl_shared_origin(const struct wl_inst *in, uint32_t origin)
{
	const bool named = in->ra != WL_RZ || in->ur != WL_NO_UR;
	return named ? origin : 0;
}
/* Bits 31:24 are the rank of the CTA. Byte 0 of a CTA without a cluster is address 0. */
static inline uint32_t wl_shared_address(const struct wl_inst *in, uint32_t ra, uint32_t ur)
{
	return wl_shared_base(in, ra) + wl_shared_addend(in, ur);
}

/* Whether Ra of a global address is a pair. */
static inline bool wl_global_ra_is_pair(const struct wl_inst *in)
{
	return in->ra != WL_RZ && in->flags & WL_F_E64 && !(in->flags & WL_F_A32);
}
/* Global and generic memory. `ur` must be 0 when the instruction names no uniform register. */
static inline uint64_t wl_global_address(const struct wl_inst *in, uint64_t ra, uint64_t ur)
{
	const uint64_t base = in->ra == WL_RZ ? 0 : wl_global_ra_is_pair(in) ? ra : (uint32_t)ra;
	return base + ur + (uint64_t)(int64_t)in->off;
}

/* The space of a generic address: shared and local windows of 4 GiB; all other addresses are global. */
enum wl_space { WL_SPACE_GLOBAL, WL_SPACE_LOCAL, WL_SPACE_SHARED };
static inline enum wl_space wl_space_of(uint64_t addr)
{
	return addr >> 32 == WL_SHARED_WINDOW >> 32  ? WL_SPACE_SHARED
	       : addr >> 32 == WL_LOCAL_WINDOW >> 32 ? WL_SPACE_LOCAL
	                                             : WL_SPACE_GLOBAL;
}

#endif
