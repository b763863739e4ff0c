// SPDX-License-Identifier: Apache-2.0
/* words.h -- what the front end alone knows about the words of PTX: how to find one, and facts that checks need. */
#ifndef WLCC_PTX_WORDS_H
#define WLCC_PTX_WORDS_H

#include <stddef.h>

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
bool ptx_op_is_prefix(enum ptx_op op); /* no name by itself: `mbarrier` */

struct ptx_sreg_info {
	const char *name;
	uint8_t type;
	bool vec;
	uint16_t version, target; /* 10 * major + minor each */
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

struct ptx_words {
	struct ptx_word slot[PTX_WORDS_SIZE];
};

void ptx_words_init(struct ptx_words *w);
/* The value, or 0 for a word that is none. */
unsigned ptx_words_find(const struct ptx_words *w, enum ptx_word_kind kind, const char *s, size_t n);

#endif
