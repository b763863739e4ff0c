// SPDX-License-Identifier: Apache-2.0
/* shadow.h -- for each word touched by the run (for each byte under narrow accesses): the last write, and the later
 * reads and atomics without order among each other.
 *
 * A cell is two marks of 32 bits: the first for the write, the second for the others. A mark is 0, or the number of a
 * record and a lane, or the number of a chain of links. All words touched by a warp at the same place share the record.
 * Marks of a page are allocated with the first write and the first other access. Records without a mark are
 * collected. */
#ifndef WARPLOCK_CHECK_SHADOW_H
#define WARPLOCK_CHECK_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lanes of a warp with an access to the word in the same instruction. what: see race_state.h. time 0: nobody. */
struct stamp {
	uint32_t warp, lanes, time, what;
};
/* lanes 0: the mark names the lane. time 0: a free record; `warp` is the number of the next free record. */
struct record {
	uint32_t warp, time, what, lanes;
};
/* `mark` names the record; `lanes` replaces the lanes of mark and record. has: the bits below LINK_WARP hold the kinds
 * of this link and of all links behind, for race_touch.c; the bits from LINK_WARP on are the low bits of the warp. A
 * free link has the mark 0. */
struct link {
	uint32_t mark, lanes, next, has;
};
enum { LINK_WARP = 8 };
enum { SHADOW_PAGE = 256, REGION = 64, PAGE_BYTES = 1, PAGE_RELEASES = 2, MARK_LANE = 31, MARK_RECORD = 5 };
#define MARK_CHAIN (UINT32_C(1) << 31)

/* Arrays of marks of one size, zeros at first. `none` serves pages without an array: nobody writes to `none`. */
struct marks {
	unsigned size; /* marks of an array */
	uint32_t *none;
	uint32_t **block, n, room; /* arrays in blocks */
	uint32_t **free, nfree, free_room;
};
struct page {
	uint32_t *write, *other; /* NULL: none yet */
};
struct region {
	struct page page[REGION];
	uint8_t flags[REGION]; /* of pages: PAGE_BYTES, a cell a byte, else a word; PAGE_RELEASES, see race_release.c */
};
struct shadow {
	uint64_t nregions;
	struct region **region; /* NULL: nothing known */
	uint64_t regions;       /* regions other than NULL */
	struct marks words, bytes;
	struct record *record;
	uint32_t nrecords, record_room, free_record, unused; /* unused: records still available */
	struct link *link;
	uint32_t nlinks, link_room, free_link;
	uint64_t most; /* peak of the bytes of all members but regions */
};
/* The cells of a page. */
struct cells {
	uint32_t *write, *other;
};

bool shadow_open(struct shadow *s, uint64_t bytes);
void shadow_close(struct shadow *s);
void shadow_forget(struct shadow *s, uint64_t at, uint64_t bytes);
uint64_t shadow_bytes(const struct shadow *s);   /* the peak */
uint64_t shadow_watched(const struct shadow *s); /* bytes of the cells with a mark */

struct region *shadow_region(struct shadow *s, uint64_t number);
void shadow_split(struct shadow *s, struct page *p);
void shadow_allocate(struct shadow *s, bool bytes, uint32_t **array);
/* The flags of the page of `at`. */
static inline uint8_t *shadow_flags(struct shadow *s, uint64_t at)
{
	const uint64_t number = at / SHADOW_PAGE;
	struct region *r = s->region[number / REGION];
	if (__builtin_expect(!r, 0))
		r = shadow_region(s, number / REGION);
	return &r->flags[number % REGION];
}
/* The flags of the page of `at`. The page's cells suit an access of `size` bytes at `at` from then on. */
static inline uint8_t shadow_suit(struct shadow *s, uint64_t at, unsigned size)
{
	uint8_t *flags = shadow_flags(s, at);
	const uint64_t number = at / SHADOW_PAGE;
	if (__builtin_expect(((at | size) & 3) && !(*flags & PAGE_BYTES), 0)) {
		shadow_split(s, &s->region[number / REGION]->page[number % REGION]);
		*flags |= PAGE_BYTES;
	}
	return *flags;
}
/* The cells of the page of `at`, after shadow_flags() or shadow_suit(). write: marks of writes can be changed; else the
 * marks of others. The other array can be changed, too, if the page has an array of its own. */
static inline struct cells shadow_cells(struct shadow *s, uint64_t at, bool write)
{
	const uint64_t number = at / SHADOW_PAGE;
	struct region *r = s->region[number / REGION];
	struct page *p = &r->page[number % REGION];
	const bool bytes = r->flags[number % REGION] & PAGE_BYTES;
	const struct marks *m = bytes ? &s->bytes : &s->words;
	if (__builtin_expect(!(write ? p->write : p->other), 0))
		shadow_allocate(s, bytes, write ? &p->write : &p->other);
	return (struct cells){p->write ? p->write : m->none, p->other ? p->other : m->none};
}

/* Marks and records. */
uint32_t shadow_record(struct shadow *s, const struct record *as);
void shadow_collect(struct shadow *s);
/* Enough records for one event are available. */
static inline bool shadow_has_records(const struct shadow *s)
{
	return s->unused >= 128;
}
uint32_t shadow_link(struct shadow *s, uint32_t mark, uint32_t lanes, uint32_t next);
void shadow_unlink(struct shadow *s, uint32_t *link); /* takes out the link named by *link */
void shadow_drop(struct shadow *s, uint32_t mark);    /* all links of a chain */

static inline struct stamp stamp_of_record(const struct record *x, uint32_t lanes)
{
	return (struct stamp){x->warp, lanes, x->time, x->what};
}
/* The stamp of a mark. Of a chain: the stamp of the first link. */
static inline struct stamp stamp_of(const struct shadow *s, uint32_t mark)
{
	if (mark & MARK_CHAIN) {
		const struct link *l = &s->link[mark & ~MARK_CHAIN];
		return stamp_of_record(&s->record[l->mark >> MARK_RECORD], l->lanes);
	}
	const struct record *x = &s->record[mark >> MARK_RECORD];
	return stamp_of_record(x, x->lanes ? x->lanes : 1u << (mark & MARK_LANE));
}

#endif
