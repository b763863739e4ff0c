// SPDX-License-Identifier: Apache-2.0
/* arena.h -- memory allocated piece by piece and freed all at once.
 * No piece of an arena is freed alone. Out of memory ends the process with a message: a compiler has nothing useful
 * left to do, and no caller has to test for this case. */
#ifndef WLCC_ARENA_H
#define WLCC_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *last; /* blocks, newest first */
	char *next, *end;         /* the free part of the newest block */
	size_t total;             /* bytes taken from the system */
};

/* A zeroed struct arena is an empty arena. */
void *arena_alloc(struct arena *a, size_t size);  /* 16-aligned, not cleared; size 0 gives a valid address */
void *arena_zalloc(struct arena *a, size_t size); /* the same, cleared */
char *arena_strndup(struct arena *a, const char *s, size_t n);
/* A piece of `size` bytes that starts with the old_size bytes at `old`. */
void *arena_grow(struct arena *a, const void *old, size_t old_size, size_t size);
void arena_free(struct arena *a);  /* leaves an empty arena */
void arena_reset(struct arena *a); /* the same, but keeps a block to start with */

#endif
