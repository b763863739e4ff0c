// SPDX-License-Identifier: Apache-2.0
/* find_word.c -- text to number; gen/ makes the table of all words at build time. */
#include "words.h"

#include "ptx_words.inc"

unsigned ptx_words_find(enum ptx_word_kind kind, const char *s, size_t n)
{
	return ptx_words_in(word_slots, kind, s, n);
}
