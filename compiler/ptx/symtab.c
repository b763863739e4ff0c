// SPDX-License-Identifier: Apache-2.0
/* symtab.c -- one hash table for all scopes. A name may be present once for each open scope; the deepest entry is
 * meant. */
#include <string.h>

#include "parse.h"

enum { FIRST_BUCKETS = 256 };

/* The three name spaces. Kinds of the same space have the same hash. */
static unsigned space_of(enum sym_kind kind)
{
	return kind == SYM_RANGE ? 1 : kind == SYM_LABEL ? 2 : 0;
}

static uint32_t hash_of(unsigned space, const char *s, size_t n)
{
	uint32_t h = 2166136261u + space;
	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	return h ^ h >> 16;
}

void symtab_init(struct symtab *t, struct arena *a)
{
	memset(t, 0, sizeof *t);
	t->arena = a;
	t->nbuckets = FIRST_BUCKETS;
	t->bucket = arena_zalloc(a, FIRST_BUCKETS * sizeof *t->bucket);
}

static void double_buckets(struct symtab *t)
{
	uint32_t n = t->nbuckets * 2;
	struct sym **to = arena_zalloc(t->arena, n * sizeof *to);
	for (uint32_t i = 0; i < t->nbuckets; i++)
		for (struct sym *s = t->bucket[i], *next; s != NULL; s = next) {
			next = s->next;
			s->next = to[s->hash & (n - 1)];
			to[s->hash & (n - 1)] = s;
		}
	t->bucket = to;
	t->nbuckets = n;
}

void symtab_open(struct symtab *t)
{
	t->local[++t->depth] = NULL;
}

static void unlink_sym(struct symtab *t, struct sym *s)
{
	struct sym **at = &t->bucket[s->hash & (t->nbuckets - 1)];
	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
	t->nsyms--;
}

struct sym *symtab_close(struct symtab *t)
{
	struct sym *labels = NULL;
	for (struct sym *s = t->local[t->depth], *next; s != NULL; s = next) {
		next = s->local;
		unlink_sym(t, s);
		if (s->kind == SYM_RANGE && s->depth > 1)
			t->inner_ranges--;
		if (s->kind == SYM_LABEL) {
			s->local = labels;
			labels = s;
		}
	}
	t->local[t->depth--] = NULL;
	return labels;
}

struct sym *symtab_add(struct symtab *t, uint32_t depth, enum sym_kind kind, const char *name, size_t len)
{
	if (t->nsyms >= t->nbuckets)
		double_buckets(t);
	struct sym *s = arena_zalloc(t->arena, sizeof *s);
	s->name = arena_strndup(t->arena, name, len);
	s->len = (uint32_t)len;
	s->hash = hash_of(space_of(kind), name, len);
	s->kind = kind;
	s->depth = depth;
	s->next = t->bucket[s->hash & (t->nbuckets - 1)];
	t->bucket[s->hash & (t->nbuckets - 1)] = s;
	s->local = t->local[depth];
	t->local[depth] = s;
	t->nsyms++;
	if (kind == SYM_RANGE && depth > 1)
		t->inner_ranges++;
	return s;
}

struct sym *symtab_find(const struct symtab *t, enum sym_kind kind, const char *name, size_t len)
{
	unsigned space = space_of(kind);
	uint32_t h = hash_of(space, name, len);
	struct sym *best = NULL;
	for (struct sym *s = t->bucket[h & (t->nbuckets - 1)]; s != NULL; s = s->next)
		if (s->hash == h && s->len == len && space_of(s->kind) == space && memcmp(s->name, name, len) == 0 &&
		    (best == NULL || s->depth > best->depth))
			best = s;
	return best;
}

struct sym *symtab_find_at(const struct symtab *t, uint32_t depth, enum sym_kind kind, const char *name, size_t len)
{
	unsigned space = space_of(kind);
	uint32_t h = hash_of(space, name, len);
	for (struct sym *s = t->bucket[h & (t->nbuckets - 1)]; s != NULL; s = s->next)
		if (s->hash == h && s->len == len && s->depth == depth && space_of(s->kind) == space &&
		    memcmp(s->name, name, len) == 0)
			return s;
	return NULL;
}
