// SPDX-License-Identifier: Apache-2.0
#include "shadow.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = SHADOW_PAGE / 4 };

bool shadow_open(struct shadow *s, uint64_t bytes)
{
	memset(s, 0, sizeof *s);
	s->npages = (bytes + SHADOW_PAGE - 1) / SHADOW_PAGE;
	s->page = calloc(s->npages ? s->npages : 1, sizeof *s->page);
	return s->page != NULL;
}

void shadow_close(struct shadow *s)
{
	for (uint64_t i = 0; s->page && i < s->npages; i++)
		free(s->page[i].cell);
	free(s->page);
	free(s->pool);
}

static void empty(struct shadow *s, struct cell *c)
{
	while (c->more)
		shadow_less(s, &c->more);
	memset(c, 0, sizeof *c);
}

void shadow_forget(struct shadow *s, uint64_t at, uint64_t bytes)
{
	for (uint64_t i = at / SHADOW_PAGE; bytes && i <= (at + bytes - 1) / SHADOW_PAGE && i < s->npages; i++) {
		struct page *p = &s->page[i];
		const unsigned scale = p->bytes ? 1 : 4;
		for (unsigned k = 0; p->cell && k < SHADOW_PAGE / scale; k++) {
			const uint64_t here = i * SHADOW_PAGE + k * scale;
			if (here >= at && here < at + bytes)
				empty(s, &p->cell[k]);
		}
		p->releases = false;
	}
}

static struct cell *new_cells(struct shadow *s, unsigned n)
{
	struct cell *c = calloc(n, sizeof *c);
	if (!c)
		abort();
	s->allocated += n * sizeof *c;
	return c;
}

/* Every byte begins with what was known of its word. */
static void split(struct shadow *s, struct page *p)
{
	struct cell *c = new_cells(s, SHADOW_PAGE);
	for (unsigned i = 0; i < SHADOW_PAGE; i++) {
		const struct cell *from = &p->cell[i / 4];
		c[i] = *from;
		c[i].more = 0;
		c[i].has = UINT32_MAX;
		for (uint32_t k = from->more; k; k = s->pool[k].next) {
			const struct stamp stamp = s->pool[k].s;
			c[i].more = shadow_more(s, &stamp, c[i].more);
		}
	}
	for (unsigned i = 0; i < WORDS; i++)
		while (p->cell[i].more)
			shadow_less(s, &p->cell[i].more);
	free(p->cell);
	p->cell = c;
	p->bytes = true;
}

struct page *shadow_page(struct shadow *s, uint64_t at, unsigned size)
{
	struct page *p = &s->page[at / SHADOW_PAGE];
	if (!p->cell)
		p->cell = new_cells(s, WORDS);
	if (__builtin_expect(!p->bytes && ((at | size) & 3), 0))
		split(s, p);
	return p;
}

uint32_t shadow_more(struct shadow *s, const struct stamp *stamp, uint32_t next)
{
	uint32_t i = s->free;
	if (i) {
		s->free = s->pool[i].next;
	} else {
		if (s->npool == s->room) {
			s->room = s->room ? 2 * s->room : 1024;
			s->pool = realloc(s->pool, s->room * sizeof *s->pool);
			if (!s->pool)
				abort();
			s->npool += !s->npool; /* 0 is none */
		}
		i = s->npool++;
	}
	s->pool[i] = (struct more){*stamp, next};
	return i;
}

void shadow_less(struct shadow *s, uint32_t *link)
{
	const uint32_t i = *link;
	*link = s->pool[i].next;
	s->pool[i].next = s->free;
	s->free = i;
}
