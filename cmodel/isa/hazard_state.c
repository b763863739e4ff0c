// SPDX-License-Identifier: Apache-2.0
/* hazard_state.c -- ordered sets of results and operands under way. */
#include "hazard_state.h"

#include <stdlib.h>
#include <string.h>

static int order(const struct pending *a, const struct pending *b)
{
	if (a->slot != b->slot)
		return a->slot < b->slot ? -1 : 1;
	if (a->pc != b->pc)
		return a->pc < b->pc ? -1 : 1;
	return (int)a->kind - (int)b->kind;
}

bool state_insert(struct state *s, const struct pending *x)
{
	unsigned at = 0, end = s->n;
	while (at < end) {
		unsigned mid = (at + end) / 2;
		int d = order(x, &s->p[mid]);
		if (d == 0) { /* the same word, a turn of the loop later */
			s->p[mid] = *x;
			return true;
		}
		if (d < 0)
			end = mid;
		else
			at = mid + 1;
	}
	if (s->n == s->cap) {
		unsigned cap = s->cap ? 2 * s->cap : 32;
		struct pending *p = realloc(s->p, cap * sizeof *p);
		if (!p)
			return false;
		s->p = p;
		s->cap = cap;
	}
	memmove(s->p + at + 1, s->p + at, (s->n - at) * sizeof *s->p);
	s->p[at] = *x;
	s->n++;
	return true;
}

bool state_copy(struct state *to, const struct state *from)
{
	if (to->cap < from->n) {
		struct pending *p = realloc(to->p, from->n * sizeof *p);
		if (!p)
			return false;
		to->p = p;
		to->cap = from->n;
	}
	if (from->n)
		memcpy(to->p, from->p, from->n * sizeof *to->p);
	to->n = from->n;
	to->known = from->known;
	return true;
}

/* Facts of both ways stay. An entry under way on either way is under way. Returns whether `to` changed. */
static bool merge_pending(struct pending *to, const struct pending *x)
{
	struct pending old = *to;
	to->age = x->age < to->age ? x->age : to->age;
	to->later = x->later < to->later ? x->later : to->later;
	to->boards &= x->boards;
	to->own = to->own == x->own ? to->own : WL_NO_BOARD;
	to->guard = to->guard == x->guard ? to->guard : NO_GUARD;
	return old.age != to->age || old.later != to->later || old.boards != to->boards || old.guard != to->guard ||
	       old.own != to->own;
}

bool state_merge(struct state *to, const struct state *from, bool *changed)
{
	unsigned k = 0;
	if (!to->known) {
		*changed = to->known = state_copy(to, from);
		return to->known;
	}
	for (unsigned i = 0; i < from->n; i++) {
		while (k < to->n && order(&to->p[k], &from->p[i]) < 0)
			k++;
		if (k < to->n && order(&to->p[k], &from->p[i]) == 0) {
			*changed |= merge_pending(&to->p[k], &from->p[i]);
		} else {
			*changed = true;
			if (!state_insert(to, &from->p[i]))
				return false;
		}
	}
	return true;
}
