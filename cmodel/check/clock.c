// SPDX-License-Identifier: Apache-2.0
#include "clock.h"

#include <stdlib.h>
#include <string.h>

enum { WARP_LANES = 32 };

struct clock *clock_hold(struct clock *c)
{
	if (c)
		c->refs++;
	return c;
}

void clock_drop(struct clock *c)
{
	if (c && !--c->refs)
		free(c);
}

uint32_t clock_at(const struct clock *c, uint64_t key)
{
	uint32_t low = 0, high = c ? c->n : 0;
	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (c->e[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return c && low < c->n && c->e[low].key == key ? c->e[low].time : 0;
}

/* The keys of wider levels that say the same of what `key` names; how many. */
static unsigned wider(uint64_t key, uint32_t warps_per_cta, uint64_t to[2])
{
	const enum clock_of of = (enum clock_of)(key >> 48);
	const uint64_t id = CLOCK_ID(key);
	switch ((enum clock_level)(key >> 44 & 15)) {
	case LEVEL_LANE:
		to[0] = clock_key(of, LEVEL_WARP, id / WARP_LANES);
		to[1] = clock_key(of, LEVEL_CTA, id / WARP_LANES / warps_per_cta);
		return 2;
	case LEVEL_WARP:
		to[0] = clock_key(of, LEVEL_CTA, id / warps_per_cta);
		return 1;
	default:
		return 0;
	}
}

static bool says(const struct clock *c, const struct clock_entry *e, uint32_t warps_per_cta)
{
	uint64_t keys[2];
	if (clock_at(c, e->key) >= e->time)
		return true;
	for (unsigned n = wider(e->key, warps_per_cta, keys); n--;)
		if (clock_at(c, keys[n]) >= e->time)
			return true;
	return false;
}

/* Takes out what a wider entry says, too: wider entries of one kind come first. */
static void tidy(struct clock *c, uint32_t warps_per_cta)
{
	uint32_t n = c->n;
	c->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct clock_entry e = c->e[i];
		uint64_t keys[2];
		bool said = false;
		for (unsigned k = wider(e.key, warps_per_cta, keys); k-- && !said;)
			said = clock_at(c, keys[k]) >= e.time;
		if (!said)
			c->e[c->n++] = e;
	}
}

struct clock *clock_add(struct clock *a, const struct clock_entry *e, uint32_t n, uint32_t warps_per_cta)
{
	const uint32_t na = a ? a->n : 0;
	uint32_t i = 0, k = 0, news = 0;
	for (; news < n && says(a, &e[news], warps_per_cta); news++)
		;
	if (news == n)
		return clock_hold(a);
	struct clock *c = malloc(sizeof *c + (na + n) * sizeof c->e[0]);
	if (!c)
		abort(); /* what the checker knows would be wrong from here on */
	c->refs = 1;
	c->n = 0;
	while (i < na || k < n) {
		struct clock_entry *to = &c->e[c->n++];
		if (k == n || (i < na && a->e[i].key < e[k].key)) {
			*to = a->e[i++];
		} else if (i == na || e[k].key < a->e[i].key) {
			*to = e[k++];
		} else {
			*to = a->e[i].time > e[k].time ? a->e[i] : e[k];
			i++;
			k++;
		}
	}
	tidy(c, warps_per_cta);
	return c;
}

struct clock *clock_join(struct clock *a, const struct clock *b, uint32_t warps_per_cta)
{
	if (!b || a == b)
		return clock_hold(a);
	return clock_add(a, b->e, b->n, warps_per_cta);
}

void clock_join_into(struct clock **to, const struct clock *b, uint32_t warps_per_cta)
{
	struct clock *c;
	if (!b || *to == b)
		return;
	c = clock_join(*to, b, warps_per_cta);
	clock_drop(*to);
	*to = c;
}
