// SPDX-License-Identifier: Apache-2.0
/* unit_ref_global.c -- the global memory of atom_unit as reference.
 * Source: docs/spec/global-memory.md, "Spaces". */
#include <stdlib.h>
#include <string.h>

#include "unit_ref.h"

enum { BUFFER_MOST = 1 << 28 /* bytes of a buffer */, SLACK = 1024 /* most bytes lost to alignment */ };

static bool has_none(struct wl_unit_ref *u)
{
	if (u->unit != WL_UNIT_atom_unit)
		MISUSE(u, "%s has no global memory", wl_unit_name(u->unit));
	return u->unit != WL_UNIT_atom_unit;
}

int wl_unit_global(struct wl_unit_ref *u, uint64_t address, uint32_t bytes)
{
	struct wl_gmem *g = &u->gmem;
	if (has_none(u))
		return WL_UNIT_MISUSE;
	if (!bytes || bytes > BUFFER_MOST || address % 16 || address > UINT64_MAX - bytes)
		return MISUSE(u, "buffer of %u bytes at 0x%llx: expected 1..%u bytes at a multiple of 16", bytes,
		              (unsigned long long)address, BUFFER_MOST);
	const uint64_t most = g->bytes + bytes + SLACK;
	uint8_t *mem = realloc(g->mem, most);
	if (!mem)
		return MISUSE(u, "memory is short");
	memset(mem + g->bytes, 0, most - g->bytes);
	g->mem = mem;
	g->bytes = most;
	if (!wl_gmem_add_at(g, address, bytes))
		return MISUSE(u,
		              "buffer at 0x%llx: expected an address behind the buffers before, and at most %u "
		              "buffers",
		              (unsigned long long)address, WL_GMEM_BUFFERS);
	return AGREES(u);
}

/* NULL: wl_unit_why has the line. */
static uint8_t *word_at(struct wl_unit_ref *u, uint64_t address)
{
	uint8_t *word = NULL;
	if (has_none(u))
		return NULL;
	if (address % 4 == 0)
		word = wl_gmem_at(&u->gmem, address, 4);
	if (!word)
		MISUSE(u, "global address 0x%llx: expected a multiple of 4 in a buffer", (unsigned long long)address);
	return word;
}

int wl_unit_write_global(struct wl_unit_ref *u, uint64_t address, uint32_t word)
{
	uint8_t *to = word_at(u, address);
	if (!to)
		return WL_UNIT_MISUSE;
	memcpy(to, &word, sizeof word);
	return AGREES(u);
}

int wl_unit_compare_global(struct wl_unit_ref *u, uint64_t address, uint32_t word)
{
	uint32_t have;
	const uint8_t *from = word_at(u, address);
	if (!from)
		return WL_UNIT_MISUSE;
	memcpy(&have, from, sizeof have);
	if (have != word)
		return DIFFERS(u, "global address 0x%llx: 0x%x; REF has 0x%x", (unsigned long long)address, word, have);
	return AGREES(u);
}
