// SPDX-License-Identifier: Apache-2.0
/* board_memory.c -- a window of global memory on the board and the memory agent's image, kept equal. */
#include "board_memory.h"

#include <string.h>

#include "flight.h"

enum { MOST = 32 /* sectors handed over at a time */ };

static uint64_t sector_at(const struct lockstep *ls, uint32_t i)
{
	return ls->board_at + (uint64_t)i * MEMORY_SECTOR;
}

static uint32_t sectors(const struct lockstep *ls)
{
	return (uint32_t)(ls->config.board_memory->bytes / MEMORY_SECTOR);
}

static bool has_window(const struct lockstep *ls)
{
	return ls->config.board_memory && ls->memory;
}

bool board_memory_holds(const struct lockstep *ls, uint64_t addr)
{
	return has_window(ls) && addr - ls->board_at < ls->config.board_memory->bytes;
}

/* Number of sectors in a row with existing bytes, from `first` on, below `end`, MOST at most; 0: `first` has none. */
static unsigned run_of(const struct lockstep *ls, uint32_t first, uint32_t end)
{
	uint8_t ignored[MEMORY_SECTOR];
	unsigned n = 0;
	while (n < MOST && first + n < end && memory_sector(ls->memory, sector_at(ls, first + n), ignored))
		n++;
	return n;
}

void board_memory_open(struct lockstep *ls)
{
	const struct board_memory *b = ls->config.board_memory;
	struct board_sector sector[MOST];
	if (!has_window(ls) || !ls->ref->gmem->nbuf)
		return;
	ls->board_at = ls->ref->gmem->buf[0].addr & ~(b->bytes - 1);
	b->place(b->self, ls->board_at);
	for (uint32_t i = 0; i < sectors(ls);) {
		const unsigned n = run_of(ls, i, sectors(ls));
		for (unsigned k = 0; k < n; k++) {
			sector[k].halves = (uint8_t)memory_sector(ls->memory, sector_at(ls, i + k), sector[k].data);
			sector[k].mask = UINT32_MAX;
		}
		if (n)
			b->store(b->self, i, n, sector);
		i += n ? n : 1;
	}
}

/* Bytes [addr, addr + size) of a buffer, sector by sector. */
static void store_at(struct lockstep *ls, uint64_t addr, unsigned size)
{
	const struct board_memory *b = ls->config.board_memory;
	for (uint64_t s = addr & ~(uint64_t)(MEMORY_SECTOR - 1); s < addr + size; s += MEMORY_SECTOR) {
		struct board_sector sector = {.mask = 0};
		if (!board_memory_holds(ls, s))
			continue;
		for (unsigned i = 0; i < MEMORY_SECTOR; i++)
			if (s + i >= addr && s + i < addr + size)
				sector.mask |= UINT32_C(1) << i;
		sector.halves = (uint8_t)memory_sector(ls->memory, s, sector.data);
		if (ls->inflight)
			complain_always(ls, "a store to memory on the board, at 0x%llx, while requests are in flight",
			                (unsigned long long)s);
		b->store(b->self, (uint32_t)((s - ls->board_at) / MEMORY_SECTOR), 1, &sector);
	}
}

void board_memory_store(struct lockstep *ls, uint64_t at, unsigned size)
{
	if (!has_window(ls))
		return;
	const struct wl_gmem *g = ls->ref->gmem;
	for (unsigned i = 0; i < g->nbuf; i++)
		if (at >= g->buf[i].at && at - g->buf[i].at < g->buf[i].room)
			store_at(ls, g->buf[i].addr + (at - g->buf[i].at), size);
}

void board_memory_fetch(struct lockstep *ls, uint64_t addr, uint64_t size)
{
	const struct board_memory *b = ls->config.board_memory;
	uint8_t data[MOST * MEMORY_SECTOR];
	if (!has_window(ls) || addr + size <= ls->board_at || addr >= ls->board_at + b->bytes)
		return;
	uint32_t i = addr > ls->board_at ? (uint32_t)((addr - ls->board_at) / MEMORY_SECTOR) : 0;
	const uint64_t after = (addr + size - ls->board_at + MEMORY_SECTOR - 1) / MEMORY_SECTOR;
	const uint32_t end = after < sectors(ls) ? (uint32_t)after : sectors(ls);
	while (i < end) {
		const unsigned n = run_of(ls, i, end);
		if (n)
			b->load(b->self, i, n, data);
		for (unsigned k = 0; k < n; k++)
			memory_put(ls->memory, sector_at(ls, i + k), data + k * MEMORY_SECTOR);
		i += n ? n : 1;
	}
}

void board_memory_fetch_all(struct lockstep *ls)
{
	if (has_window(ls))
		board_memory_fetch(ls, ls->board_at, ls->config.board_memory->bytes);
}

bool board_memory_busy(const struct lockstep *ls)
{
	return has_window(ls) && ls->inflight;
}

bool board_memory_holds_source(const struct lockstep *ls)
{
	return has_window(ls) && (ls->inflight || ls->land.owed || !landing_idle(ls));
}
