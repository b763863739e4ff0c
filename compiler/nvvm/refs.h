/* SPDX-License-Identifier: Apache-2.0 */
/* refs.h -- numbers of LLVM's values and blocks, by address. */
#ifndef NV_REFS_H
#define NV_REFS_H

#include <stddef.h>
#include <stdint.h>

enum { NV_NONE = 0xffffffff };

struct nv_refs {
	const void **key;
	uint32_t *number;
	size_t room, n;
};

/* Zeroed memory. Out of memory ends the program. */
void *nv_room(size_t n, size_t size);
/* The number of a key; NV_NONE: no number. */
uint32_t nv_refs_get(const struct nv_refs *r, const void *key);
void nv_refs_put(struct nv_refs *r, const void *key, uint32_t number);

#endif
