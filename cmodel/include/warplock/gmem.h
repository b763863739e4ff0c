// SPDX-License-Identifier: Apache-2.0
/* gmem.h -- device memory: buffers of a launch at global addresses. */
#ifndef WARPLOCK_GMEM_H
#define WARPLOCK_GMEM_H

#include <stdbool.h>
#include <stdint.h>

#include "warplock/config.h"

struct wl_buf {
	uint64_t addr, size; /* global address and size in bytes */
	uint64_t at;         /* offset of the first byte in mem; of `many` any number leading to the byte */
	uint64_t room;       /* accessible bytes: whole granules, zero behind the last byte */
	const char *name;    /* of the launch file, for reports; NULL = none */
	uint32_t element;    /* bytes of an element, for reports; 0 = unknown */
};
/* Device memory: a heap at WL_GLOBAL_BASE with buffers and unmapped gaps between the buffers. A caller with more
 * buffers than buf holds, or with chosen addresses, keeps a private table in `many`. */
#ifndef WL_GMEM_BUFFERS
#define WL_GMEM_BUFFERS 256 /* a program with little memory sets a smaller number for all files of the program */
#endif
struct wl_gmem {
	uint8_t *mem; /* [bytes] content, the caller's */
	uint64_t bytes;
	uint32_t nbuf;
	const struct wl_buf *many; /* [nbuf] by address, instead of buf; the caller's. NULL: buf */
	struct wl_buf buf[WL_GMEM_BUFFERS];
};
/* Adds a buffer of `size` bytes: aligned to 256, filled up to granules of 16 bytes with zeros, followed by a gap.
 * Reason for granules: code for small types accesses the aligned word around the value. Returns the buffer's address, 0
 * when memory is too small. */
uint64_t wl_gmem_add(struct wl_gmem *g, uint64_t size);
/* Adds a buffer at an address of the caller's choice, without a gap before the next buffer. False when memory is too
 * small, or the address does not lie behind the last buffer. */
bool wl_gmem_add_at(struct wl_gmem *g, uint64_t addr, uint64_t size);
/* Adds the variables of a module at WL_MODULE_BASE, after the last buffer. False when memory is too small. */
bool wl_gmem_add_module(struct wl_gmem *g, const uint8_t *data, uint64_t size);
/* The same for constant bank 3 at WL_CONST_BASE, after the module's variables, for generic addresses. */
bool wl_gmem_add_constants(struct wl_gmem *g, const uint8_t *data, uint64_t size);
/* The same for the parameters of a launch, at `offset` of constant bank 0, after constant bank 3. */
bool wl_gmem_add_parameters(struct wl_gmem *g, uint32_t offset, const uint8_t *data, uint64_t size);
/* The table of the nbuf buffers: `many`, if given, else buf. Readers of the buffers go through this function. */
static inline const struct wl_buf *wl_gmem_buffers(const struct wl_gmem *g)
{
	return g->many ? g->many : g->buf;
}
/* Host address of a buffer's first byte. */
static inline uint8_t *wl_gmem_bytes(const struct wl_gmem *g, const struct wl_buf *b)
{
	return (uint8_t *)((uintptr_t)g->mem + (uintptr_t)b->at);
}
/* The buffer that holds addr, NULL without one. */
const struct wl_buf *wl_gmem_find(const struct wl_gmem *g, uint64_t addr);
/* Host pointer of [addr, addr + size); NULL when some byte lies in no buffer's room. */
uint8_t *wl_gmem_at(const struct wl_gmem *g, uint64_t addr, uint32_t size);

#endif
