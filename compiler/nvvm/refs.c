/* SPDX-License-Identifier: Apache-2.0 */
/* refs.c -- a hash table with open addresses. */
#include "refs.h"

#include <stdio.h>
#include <stdlib.h>

void *nv_room(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);
	if (!p) {
		fprintf(stderr, "wlnvvm: out of memory\n");
		exit(1);
	}
	return p;
}

static size_t slot(const struct nv_refs *r, const void *key)
{
	size_t at = (size_t)((uintptr_t)key >> 4) * 0x9e3779b97f4a7c15u >> 20 & (r->room - 1);
	while (r->key[at] && r->key[at] != key)
		at = (at + 1) & (r->room - 1);
	return at;
}

uint32_t nv_refs_get(const struct nv_refs *r, const void *key)
{
	if (!r->room)
		return NV_NONE;
	const size_t at = slot(r, key);
	return r->key[at] ? r->number[at] : NV_NONE;
}

static void grow(struct nv_refs *r)
{
	struct nv_refs old = *r;
	r->room = old.room ? 2 * old.room : 64;
	r->key = nv_room(r->room, sizeof *r->key);
	r->number = nv_room(r->room, sizeof *r->number);
	for (size_t i = 0; i < old.room; i++)
		if (old.key[i]) {
			const size_t at = slot(r, old.key[i]);
			r->key[at] = old.key[i];
			r->number[at] = old.number[i];
		}
	free(old.key);
	free(old.number);
}

void nv_refs_put(struct nv_refs *r, const void *key, uint32_t number)
{
	if (2 * r->n >= r->room)
		grow(r);
	const size_t at = slot(r, key);
	r->n += !r->key[at];
	r->key[at] = key;
	r->number[at] = number;
}
