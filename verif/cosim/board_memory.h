/* SPDX-License-Identifier: Apache-2.0
 * board_memory.h -- global memory on a board: a window of sectors in block RAM. The board answers requests to the
 * window without asking (docs/fpga-link.md, "Memory on the board"). Addresses beyond the window are the
 * host's as ever. */
#ifndef WARPLOCK_COSIM_BOARD_MEMORY_H
#define WARPLOCK_COSIM_BOARD_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "memory_agent.h"

struct board_sector {
	uint8_t halves; /* mask of the halves that exist */
	uint32_t mask;  /* bytes of `data` to store */
	uint8_t data[MEMORY_SECTOR];
};

/* Interface of a DUT with memory on the board. Sectors are counted from the begin of the window. */
struct board_memory {
	uint64_t bytes; /* a power of two */
	void *self;
	void (*place)(void *self, uint64_t addr); /* at a multiple of `bytes`; open from now on, and empty */
	void (*store)(void *self, uint32_t first, unsigned n, const struct board_sector *sector);
	void (*load)(void *self, uint32_t first, unsigned n, uint8_t *to); /* 32 bytes each */
	uint64_t (*served)(void *self);                                    /* requests answered by the board itself */
};

/* How lockstep keeps the window and the memory agent's image equal. The board runs ahead of the cycles shown, and the
 * board's part of the image is as old as the last fetch. So every other reader or writer of this memory (the front end,
 * copies, the comparison) waits until nothing is in flight, and nobody begins anything meanwhile. Copies go first:
 * copies end by themselves, but waits for copies do not. */
struct lockstep;
/* After reset: the window is placed at the first buffer, and gets the content of the image. */
void board_memory_open(struct lockstep *ls);
/* Somebody else has stored `size` bytes, `at` bytes into the buffers' memory, to the image. */
void board_memory_store(struct lockstep *ls, uint64_t at, unsigned size);
/* The image of these bytes gets the board's content; all bytes. */
void board_memory_fetch(struct lockstep *ls, uint64_t addr, uint64_t size);
void board_memory_fetch_all(struct lockstep *ls);
/* Whether the sector at this address is the board's. */
bool board_memory_holds(const struct lockstep *ls, uint64_t addr);
/* busy: nobody else may touch memory now. holds_source: SOURCE may not be asked for more. Never true without memory on
 * the board. */
bool board_memory_busy(const struct lockstep *ls);
bool board_memory_holds_source(const struct lockstep *ls);

#endif
