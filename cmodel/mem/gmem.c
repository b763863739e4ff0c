// SPDX-License-Identifier: Apache-2.0
/* gmem.c -- device memory: buffers on the global heap with unmapped gaps in between. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "warplock/gmem.h"

enum {
	ALIGN = 256,  /* of every buffer, as cudaMalloc gives */
	GRANULE = 16, /* accessible bytes, if any of the bytes is the buffer's */
	GAP = 4096,   /* addresses after a buffer without memory: a small overrun is a fault, not another buffer */
	MAX_BUFFERS = sizeof((struct wl_gmem *)0)->buf / sizeof(struct wl_buf),
};

static uint64_t round_up(uint64_t n, uint64_t to)
{
	return (n + to - 1) & ~(to - 1);
}

/* Buffers are added in address order, so the table is sorted. */
static uint64_t add(struct wl_gmem *g, uint64_t base, uint64_t size)
{
	const struct wl_buf *last = g->nbuf ? &g->buf[g->nbuf - 1] : NULL;
	uint64_t at = last ? round_up(last->at + last->size, ALIGN) : 0;
	uint64_t behind = last ? round_up(last->addr + last->size, ALIGN) + GAP : 0;
	uint64_t addr = behind > base ? behind : base;
	if (g->nbuf == MAX_BUFFERS || at > g->bytes || size > g->bytes - at)
		return 0;
	uint64_t room = round_up(size, GRANULE);
	if (room > g->bytes - at)
		return 0;
	g->buf[g->nbuf++] = (struct wl_buf){addr, size, at, room, NULL, 0};
	memset(g->mem + at + size, 0, room - size);
	return addr;
}

uint64_t wl_gmem_add(struct wl_gmem *g, uint64_t size)
{
	return add(g, WL_GLOBAL_BASE, size);
}

bool wl_gmem_add_at(struct wl_gmem *g, uint64_t addr, uint64_t size)
{
	const struct wl_buf *last = g->nbuf ? &g->buf[g->nbuf - 1] : NULL;
	const uint64_t room = round_up(size, GRANULE);
	/* as far into a granule as the address is: wide accesses are aligned in both */
	const uint64_t at = (last ? round_up(last->at + last->room, ALIGN) : 0) + addr % ALIGN;
	if (g->nbuf == MAX_BUFFERS || !size || (last && addr < last->addr + last->size) || at > g->bytes ||
	    room > g->bytes - at)
		return false;
	g->buf[g->nbuf++] = (struct wl_buf){addr, size, at, room, NULL, 0};
	memset(g->mem + at + size, 0, room - size);
	return true;
}

static bool add_content(struct wl_gmem *g, uint64_t base, const uint8_t *data, uint64_t size)
{
	if (!size)
		return true;
	if (add(g, base, size) != base)
		return false;
	memcpy(g->mem + g->buf[g->nbuf - 1].at, data, size);
	return true;
}

bool wl_gmem_add_module(struct wl_gmem *g, const uint8_t *data, uint64_t size)
{
	return add_content(g, WL_MODULE_BASE, data, size);
}

bool wl_gmem_add_constants(struct wl_gmem *g, const uint8_t *data, uint64_t size)
{
	return add_content(g, WL_CONST_BASE, data, size);
}

bool wl_gmem_add_parameters(struct wl_gmem *g, uint32_t offset, const uint8_t *data, uint64_t size)
{
	return add_content(g, WL_PARAM_BASE + offset, data, size);
}

/* The last buffer that starts at or below addr. */
const struct wl_buf *wl_gmem_find(const struct wl_gmem *g, uint64_t addr)
{
	const struct wl_buf *buf = wl_gmem_buffers(g);
	uint32_t low = 0, high = g->nbuf;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (buf[middle].addr <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low && addr - buf[low - 1].addr < buf[low - 1].room ? &buf[low - 1] : NULL;
}

uint8_t *wl_gmem_at(const struct wl_gmem *g, uint64_t addr, uint32_t size)
{
	assert(size > 0);
	const struct wl_buf *b = wl_gmem_find(g, addr);
	if (!b)
		return NULL;
	uint64_t into = addr - b->addr;
	if (into >= b->room || size > b->room - into)
		return NULL;
	return wl_gmem_bytes(g, b) + into;
}
