// SPDX-License-Identifier: Apache-2.0
/* words.h -- private facts of the front end about the words of PTX: the search for a word, and facts for checks. */
#ifndef WLCC_PTX_WORDS_H
#define WLCC_PTX_WORDS_H

#include <stddef.h>
#include <string.h>

#include "ast.h"

enum ptx_mod_kind {
	PTX_MOD_SPECIAL,
	PTX_MOD_OPERATION,
	PTX_MOD_COMPARE,
	PTX_MOD_HALF,
	PTX_MOD_ROUND,
	PTX_MOD_ORDER,
	PTX_MOD_SCOPE,
	PTX_MOD_VECTOR,
	PTX_MOD_CACHE,
	PTX_MOD_MODE,
	PTX_MOD_CLAMP
};
enum ptx_mod_kind ptx_mod_kind(enum ptx_mod m);
unsigned ptx_mod_since(enum ptx_mod m); /* the first toolkit with the word, 0 = every toolkit */
bool ptx_op_is_prefix(enum ptx_op op);  /* no name alone: `mbarrier` */

struct ptx_sreg_info {
	const char *name;
	uint8_t type;
	bool vec;
	uint16_t version, target; /* 10 * major + minor each */
	uint8_t since;            /* the first toolkit with the register; 0: all */
};
const struct ptx_sreg_info *ptx_sreg_info(enum ptx_sreg s);

/* Qualifiers are one name space: types, state spaces and modifiers, told apart by their PTX_Q_ value. */
enum ptx_word_kind { PTX_WORD_OP, PTX_WORD_QUALIFIER, PTX_WORD_SREG };
enum { PTX_WORDS_SIZE = 2048 }; /* at least twice the number of words */

struct ptx_word {
	const char *name;
	uint8_t kind, len;
	uint16_t value;
};

static inline unsigned ptx_word_hash(enum ptx_word_kind kind, const char *s, size_t n)
{
	uint32_t h = 2166136261u ^ (uint32_t)kind;
	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	return (h ^ h >> 15) & (PTX_WORDS_SIZE - 1);
}

/* In a table of PTX_WORDS_SIZE slots. */
static inline unsigned ptx_words_in(const struct ptx_word *slot, enum ptx_word_kind kind, const char *s, size_t n)
{
	if (n > 255)
		return 0;
	for (unsigned i = ptx_word_hash(kind, s, n); slot[i].name != NULL; i = (i + 1) & (PTX_WORDS_SIZE - 1)) {
		const struct ptx_word *e = &slot[i];
		if (e->kind == kind && e->len == n && memcmp(e->name, s, n) == 0)
			return e->value;
	}
	return 0;
}

/* The value, or 0 for an unknown word. */
unsigned ptx_words_find(enum ptx_word_kind kind, const char *s, size_t n);

#endif
