// SPDX-License-Identifier: Apache-2.0
#include "shadow.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = SHADOW_PAGE / 4, BLOCK = 16 /* arrays */, FIRST_RECORDS = 512, SPARSE = 128 };

static void *or_abort(void *p)
{
	if (!p)
		abort(); /* the checker's knowledge would be wrong from here on */
	return p;
}

static uint64_t of_arrays(const struct marks *m)
{
	return (uint64_t)(m->n + BLOCK - 1) / BLOCK * BLOCK * m->size;
}

static void count(struct shadow *s)
{
	const uint64_t bytes = (of_arrays(&s->words) + of_arrays(&s->bytes)) * sizeof(uint32_t) +
	                       s->record_room * sizeof *s->record + s->link_room * sizeof *s->link;
	s->most = bytes > s->most ? bytes : s->most;
}

/* ---- arrays of marks ---- */

static uint32_t *new_array(struct shadow *s, struct marks *m)
{
	if (m->nfree)
		return m->free[--m->nfree];
	const uint32_t block = m->n / BLOCK, in = m->n % BLOCK;
	if (!in) {
		if (block == m->room) {
			m->room = m->room ? 2 * m->room : 4;
			m->block = or_abort(realloc(m->block, m->room * sizeof *m->block));
		}
		m->block[block] = or_abort(calloc((size_t)BLOCK * m->size, sizeof **m->block));
	}
	m->n++;
	count(s);
	return m->block[block] + in * m->size;
}

static void open_marks(struct marks *m, unsigned size)
{
	m->size = size;
	m->none = or_abort(calloc(size, sizeof *m->none));
}

static void free_array(struct marks *m, uint32_t *array)
{
	if (m->nfree == m->free_room) {
		m->free_room = m->free_room ? 2 * m->free_room : 16;
		m->free = or_abort(realloc(m->free, m->free_room * sizeof *m->free));
	}
	memset(array, 0, m->size * sizeof *array);
	m->free[m->nfree++] = array;
}

static void close_marks(struct marks *m)
{
	for (uint32_t i = 0; i < m->n; i += BLOCK)
		free(m->block[i / BLOCK]);
	free(m->block);
	free(m->free);
	free(m->none);
}

/* ---- pages ---- */

bool shadow_open(struct shadow *s, uint64_t bytes)
{
	memset(s, 0, sizeof *s);
	s->nregions = bytes / SHADOW_PAGE / REGION + 1;
	s->region = calloc(s->nregions, sizeof(struct region *));
	open_marks(&s->words, WORDS);
	open_marks(&s->bytes, SHADOW_PAGE);
	s->nrecords = s->nlinks = 1; /* 0 is none */
	return s->region;
}

void shadow_close(struct shadow *s)
{
	if (s->words.size) {
		close_marks(&s->words);
		close_marks(&s->bytes);
	}
	for (uint64_t i = 0; s->region && i < s->nregions; i++)
		free(s->region[i]);
	free(s->region);
	free(s->record);
	free(s->link);
}

struct region *shadow_region(struct shadow *s, uint64_t number)
{
	s->region[number] = or_abort(calloc(1, sizeof *s->region[number]));
	s->regions++;
	return s->region[number];
}

void shadow_allocate(struct shadow *s, bool bytes, uint32_t **array)
{
	*array = new_array(s, bytes ? &s->bytes : &s->words);
}

static void forget_marks(struct shadow *s, uint32_t *mark, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (mark[i] & MARK_CHAIN)
			shadow_drop(s, mark[i]);
	memset(mark, 0, n * sizeof *mark);
}

/* The bytes [from, to) of a page. */
static void forget_in(struct shadow *s, struct region *r, unsigned number, unsigned from, unsigned to)
{
	const struct page *p = &r->page[number];
	const struct marks *m = r->flags[number] & PAGE_BYTES ? &s->bytes : &s->words;
	const unsigned scale = SHADOW_PAGE / m->size;
	const unsigned first = (from + scale - 1) / scale, stop = (to + scale - 1) / scale;
	if (p->write && first < stop)
		forget_marks(s, p->write + first, stop - first);
	if (p->other && first < stop)
		forget_marks(s, p->other + first, stop - first);
	if (!from && to == SHADOW_PAGE)
		r->flags[number] &= (uint8_t)~PAGE_RELEASES;
}

void shadow_forget(struct shadow *s, uint64_t at, uint64_t bytes)
{
	const uint64_t end = at + bytes;
	while (at < end && at / SHADOW_PAGE / REGION < s->nregions) {
		const uint64_t number = at / SHADOW_PAGE, here = number * SHADOW_PAGE;
		const uint64_t to = end - here < SHADOW_PAGE ? end - here : SHADOW_PAGE;
		struct region *r = s->region[number / REGION];
		if (r)
			forget_in(s, r, number % REGION, (unsigned)(at - here), (unsigned)to);
		at = here + SHADOW_PAGE;
	}
}

static uint32_t copy_of(struct shadow *s, uint32_t mark)
{
	if (!(mark & MARK_CHAIN))
		return mark;
	const struct link head = s->link[mark & ~MARK_CHAIN];
	uint32_t rest = 0;
	for (uint32_t k = head.next; k; k = s->link[k].next) {
		const struct link l = s->link[k];
		rest = shadow_link(s, l.mark, l.lanes, rest);
	}
	const uint32_t to = shadow_link(s, head.mark, head.lanes, rest);
	s->link[to].has = head.has;
	return to | MARK_CHAIN;
}

/* Every byte begins with the mark of the byte's word. */
static uint32_t *split_array(struct shadow *s, uint32_t *from)
{
	if (!from)
		return NULL;
	uint32_t *to = new_array(s, &s->bytes);
	for (unsigned i = 0; i < SHADOW_PAGE; i++) {
		const uint32_t mark = from[i / 4];
		to[i] = mark ? copy_of(s, mark) : 0;
	}
	forget_marks(s, from, WORDS);
	free_array(&s->words, from);
	return to;
}

void shadow_split(struct shadow *s, struct page *p)
{
	p->write = split_array(s, p->write);
	p->other = split_array(s, p->other);
}

static uint64_t watched_in(const struct shadow *s, const struct region *r, unsigned number)
{
	uint64_t n = 0;
	const struct page *p = &r->page[number];
	const struct marks *m = r->flags[number] & PAGE_BYTES ? &s->bytes : &s->words;
	for (unsigned k = 0; (p->write || p->other) && k < m->size; k++)
		if ((p->write && p->write[k]) || (p->other && p->other[k]))
			n += SHADOW_PAGE / m->size;
	return n;
}

uint64_t shadow_watched(const struct shadow *s)
{
	uint64_t n = 0;
	for (uint64_t i = 0; i < s->nregions; i++)
		for (unsigned k = 0; s->region[i] && k < REGION; k++)
			n += watched_in(s, s->region[i], k);
	return n;
}

uint64_t shadow_bytes(const struct shadow *s)
{
	return s->most + s->nregions * sizeof(struct region *) + s->regions * sizeof(struct region);
}

/* ---- records ---- */

static void room_for_records(struct shadow *s, uint32_t room)
{
	s->unused += room - s->record_room - !s->record_room;
	s->record_room = room;
	s->record = or_abort(realloc(s->record, room * sizeof *s->record));
	count(s);
}

/* The caller has made sure of a free record. */
uint32_t shadow_record(struct shadow *s, const struct record *as)
{
	uint32_t i = s->free_record;
	if (i)
		s->free_record = s->record[i].warp;
	else
		i = s->nrecords++;
	s->unused--;
	s->record[i] = *as;
	return i;
}

/* Marks the records named by the n marks: `words`, a bit for each record. */
static void find_used(const uint32_t *mark, uint64_t n, uint64_t *words)
{
	uint32_t last = 0;
	for (uint64_t i = 0; i < n; i++) {
		const uint32_t record = mark[i] >> MARK_RECORD;
		if (record == last || mark[i] & MARK_CHAIN)
			continue;
		last = record;
		words[record / 64] |= UINT64_C(1) << record % 64;
	}
}

static void find_used_in(const struct marks *m, uint64_t *words)
{
	for (uint32_t i = 0; i < m->n; i += BLOCK)
		find_used(m->block[i / BLOCK], (uint64_t)(m->n - i < BLOCK ? m->n - i : BLOCK) * m->size, words);
}

/* Records without a mark are free again. */
static void sweep(struct shadow *s, const uint64_t *words)
{
	s->free_record = 0;
	s->unused = s->record_room - s->nrecords;
	for (uint32_t i = s->nrecords; i-- > 1;) {
		if (words[i / 64] >> i % 64 & 1)
			continue;
		s->record[i] = (struct record){.warp = s->free_record};
		s->free_record = i;
		s->unused++;
	}
}

void shadow_collect(struct shadow *s)
{
	const uint64_t marks = of_arrays(&s->words) + of_arrays(&s->bytes);
	if (s->record_room) {
		uint64_t *words = or_abort(calloc(s->record_room / 64 + 1, sizeof *words));
		find_used_in(&s->words, words);
		find_used_in(&s->bytes, words);
		for (uint32_t i = 1; i < s->nlinks; i++)
			find_used(&s->link[i].mark, 1, words);
		sweep(s, words);
		free(words);
	}
	uint64_t room = s->record_room ? s->record_room : FIRST_RECORDS;
	while (room < UINT32_C(1) << 26 && (s->unused + room - s->record_room < room / 2 || room < marks / SPARSE))
		room *= 2;
	if (room > s->record_room)
		room_for_records(s, (uint32_t)room);
}

/* ---- links ---- */

uint32_t shadow_link(struct shadow *s, uint32_t mark, uint32_t lanes, uint32_t next)
{
	uint32_t i = s->free_link;
	if (i) {
		s->free_link = s->link[i].next;
	} else {
		if (s->nlinks >= s->link_room) {
			s->link_room = s->link_room ? s->link_room + s->link_room / 2 : 256;
			s->link = or_abort(realloc(s->link, s->link_room * sizeof *s->link));
			count(s);
		}
		i = s->nlinks++;
	}
	s->link[i] = (struct link){mark, lanes, next, s->record[mark >> MARK_RECORD].warp << LINK_WARP};
	return i;
}

void shadow_unlink(struct shadow *s, uint32_t *link)
{
	const uint32_t i = *link;
	*link = s->link[i].next;
	s->link[i] = (struct link){.next = s->free_link};
	s->free_link = i;
}

void shadow_drop(struct shadow *s, uint32_t mark)
{
	uint32_t link = mark & MARK_CHAIN ? mark & ~MARK_CHAIN : 0;
	while (link)
		shadow_unlink(s, &link);
}
