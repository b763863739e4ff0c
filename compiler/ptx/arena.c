// SPDX-License-Identifier: Apache-2.0
/* arena.c -- blocks from malloc, each at least twice the last up to 1 MiB. A small file costs a single block, a large
 * file a few. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

enum { FIRST_BLOCK = 16 << 10, LARGEST_BLOCK = 1 << 20, Align = 16 };

struct arena_block {
	struct arena_block *older;
	size_t size;
};

/* The whole newest block becomes free. */
static void start_block(struct arena *a)
{
	struct arena_block *b = a->last;
	uintptr_t first = ((uintptr_t)(b + 1) + Align - 1) & ~(uintptr_t)(Align - 1);
	a->next = (char *)b + (first - (uintptr_t)b);
	a->end = (char *)b + b->size;
}

static void add_block(struct arena *a, size_t need)
{
	size_t size = a->last ? a->last->size * 2 : FIRST_BLOCK;
	if (size > LARGEST_BLOCK)
		size = LARGEST_BLOCK;
	if (size < need + Align + sizeof(struct arena_block))
		size = need + Align + sizeof(struct arena_block);
	struct arena_block *b = malloc(size);
	if (b == NULL) {
		fprintf(stderr, "out of memory (%zu bytes)\n", size);
		exit(1);
	}
	b->older = a->last;
	b->size = size;
	a->last = b;
	a->total += size;
	start_block(a);
}

void *arena_alloc(struct arena *a, size_t size)
{
	size = (size + Align - 1) & ~(size_t)(Align - 1);
	if (a->last == NULL || (size_t)(a->end - a->next) < size)
		add_block(a, size);
	void *p = a->next;
	a->next += size;
	return p;
}

void *arena_zalloc(struct arena *a, size_t size)
{
	return memset(arena_alloc(a, size), 0, size);
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *copy = arena_alloc(a, n + 1);
	memcpy(copy, s, n);
	copy[n] = 0;
	return copy;
}

void *arena_grow(struct arena *a, const void *old, size_t old_size, size_t size)
{
	void *p = arena_alloc(a, size);
	if (old_size)
		memcpy(p, old, old_size);
	return p;
}

void arena_free(struct arena *a)
{
	for (struct arena_block *b = a->last; b != NULL;) {
		struct arena_block *older = b->older;
		free(b);
		b = older;
	}
	memset(a, 0, sizeof *a);
}

void arena_reset(struct arena *a)
{
	struct arena_block *keep = a->last;
	if (!keep)
		return;
	for (struct arena_block *b = keep->older; b != NULL;) {
		struct arena_block *older = b->older;
		free(b);
		b = older;
	}
	keep->older = NULL;
	a->last = keep;
	a->total = keep->size;
	start_block(a);
}
