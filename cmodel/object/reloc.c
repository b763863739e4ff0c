// SPDX-License-Identifier: Apache-2.0
/* reloc.c -- kinds of relocations: the way from bits of a symbol's address to bits of the place. */
#include <string.h>

#include "cubin.h"

static const struct reloc_kind kinds[] = {
#define RELOC(name, bytes, what, from, lo, len, lo2, len2)                                                             \
	{"R_CUDA_" #name, bytes, from, lo, len, lo2, len2, RELOC_##what},
#include "reloc.def"
#undef RELOC
};

const struct reloc_kind *reloc_kind(uint32_t type)
{
	return type < sizeof kinds / sizeof *kinds ? &kinds[type] : NULL;
}

static void put_bits(unsigned char *place, unsigned lo, unsigned len, uint64_t value)
{
	for (unsigned i = 0; i < len; i++) {
		unsigned char bit = (unsigned char)(1u << (lo + i) % 8);
		if (value >> i & 1)
			place[(lo + i) / 8] |= bit;
		else
			place[(lo + i) / 8] &= (unsigned char)~bit;
	}
}

/* Halves and bytes of an address (kinds with 32 or 8 bits of the address) drop the rest. All other places must hold the
 * whole value. */
bool reloc_put(const struct reloc_kind *k, uint64_t value, unsigned char *place)
{
	unsigned bits = (unsigned)k->len + k->len2;
	bool part = k->bytes == 1 || strstr(k->name, "_LO") || strstr(k->name, "_HI");
	if (!part && k->from && value & ((UINT64_C(1) << k->from) - 1))
		return false;
	value >>= k->from;
	if (!part && bits < 64 && value >> bits)
		return false;
	put_bits(place, k->lo, k->len, value);
	if (k->len2)
		put_bits(place, k->lo2, k->len2, value >> k->len);
	return true;
}
