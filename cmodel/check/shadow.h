// SPDX-License-Identifier: Apache-2.0
/* shadow.h -- for each word that the run touches (for each byte, where narrow accesses touch it): the last write, and
 * the reads and atomics since that are not ordered before one another. */
#ifndef WARPLOCK_CHECK_SHADOW_H
#define WARPLOCK_CHECK_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lanes of a warp that accessed the word in one instruction. what: see race.h. time 0: nobody. */
struct stamp {
	uint32_t warp, lanes, time, what;
};
struct cell {
	struct stamp write, other;
	uint32_t more; /* further ones: number in the pool, 0 = none */
	uint32_t has;  /* of what kinds `other` and these are, and the shape of the first: race.c */
	uint32_t shape;
};
struct more {
	struct stamp s;
	uint32_t next;
};
enum { SHADOW_PAGE = 256 };
struct page {
	bool bytes;    /* a cell a byte, else a word */
	bool releases; /* something in it has been written with a release */
	struct cell *cell;
};
struct shadow {
	uint64_t npages;
	struct page *page;
	struct more *pool;
	uint32_t npool, room, free;
	uint64_t allocated; /* bytes of cells, the most that there were at a time */
};

bool shadow_open(struct shadow *s, uint64_t bytes);
void shadow_close(struct shadow *s);
void shadow_forget(struct shadow *s, uint64_t at, uint64_t bytes);
/* The page of `at` with cells for an access that begins at `at` and has `size` bytes. */
struct page *shadow_page(struct shadow *s, uint64_t at, unsigned size);
uint32_t shadow_more(struct shadow *s, const struct stamp *stamp, uint32_t next);
void shadow_less(struct shadow *s, uint32_t *link); /* takes the one out that the link names */

#endif
