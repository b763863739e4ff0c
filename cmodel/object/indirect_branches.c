// SPDX-License-Identifier: Apache-2.0
/* indirect_branches.c -- targets of the indirect branches of a function, from .nv.info. */
#include <stdlib.h>

#include "cubin.h"
#include "warplock/hazard.h"

enum { BRANCH_TARGETS = 0x34, HEAD_WORDS = 3 };

/* A record is a row of lists: address of the branch, 0, number of targets, targets. */
static uint32_t read_lists(const struct cubin_record *rec, struct wl_way *ways, uint32_t max)
{
	uint32_t words = rec->size / 4, n = 0;
	for (uint32_t i = 0; i + HEAD_WORDS <= words;) {
		uint32_t from = cubin_record_word(rec, i), count = cubin_record_word(rec, i + 2);
		i += HEAD_WORDS;
		for (uint32_t k = 0; k < count && i < words && n < max; k++, i++)
			ways[n++] = (struct wl_way){from / WORD_BYTES, cubin_record_word(rec, i) / WORD_BYTES};
	}
	return n;
}

struct wl_way *wl_object_ways(const struct wl_object *o, const char *function, uint32_t *n)
{
	uint32_t section = cubin_find(o, ".nv.info.", function);
	const struct cubin_section *s = &o->sections[section];
	struct cubin_record rec;
	struct wl_way *ways = NULL;
	uint64_t at = 0;
	bool damaged = false;
	*n = 0;
	if (section == NO_SECTION || !s->data)
		return NULL;
	while (cubin_record(s, &at, &rec, &damaged)) {
		if (rec.attribute != BRANCH_TARGETS)
			continue;
		free(ways);
		ways = calloc(rec.size / 4 + 1, sizeof *ways);
		*n = ways ? read_lists(&rec, ways, rec.size / 4) : 0;
	}
	return ways;
}
