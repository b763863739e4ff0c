// SPDX-License-Identifier: Apache-2.0
/* spa50.h -- the SPA 5.0 text dialect of shared atomics, as sm_75 words (docs/spa50.md).
 *
 *   {@{!}Pg} ATOMS.op{.sz}          Rd, [address], Rb      {&req_N} {&rdN} {&wrN} {?sched} ;
 *   {@{!}Pg} ATOMS.CAS{.sz}         Rd, [address], Rb, Rc  ...
 *   {@{!}Pg} ATOMS.CAST{.SPIN}{.sz} Rd, [address], Rb, Rc  ...
 *   address: Ra + ImmS24, Ra - ImmS24, ImmU24
 * The dialect has no other instructions. The rules are stricter than the rules of sm_75 and hold both ways: a text
 * against a rule gets no word, a word against a rule gets no text. Pure functions; no state. */
#ifndef WARPLOCK_SPA50_H
#define WARPLOCK_SPA50_H

#include <stddef.h>

#include "warplock/isa.h"

/* One line of text to a word. A closing ';' and a comment after '#' or "//" may follow. Scheduling absent from the text
 * is safe: no scoreboards, stall 15 (beside ?yield stall 11, the longest with the bit of ?yield).
 * WL_ERR_SYNTAX: the text is not of the dialect. WL_ERR_RANGE: the text breaks a rule. `err` then gets a line: the
 * rule, the text found, the text expected. */
enum wl_status wl_spa50_assemble(const char *text, struct wl_word *out, char *err, size_t errn);

/* Word to text: the first of several spellings, decimal offsets beside registers, hexadecimal addresses, ';' at the
 * end. Returns the length of the text, or -1 for a word outside of the dialect; `err` then gets the reason. Never
 * writes more than n bytes. */
int wl_spa50_print(struct wl_word word, char *buf, size_t n, char *err, size_t errn);

#endif
