// SPDX-License-Identifier: Apache-2.0
/* archs.h -- the architectures that have encoding rows: the one list of them. C expands it, scripts read it
 * (cmodel/isa/gen/archs.py). The order is that of indices in tables. */
#ifndef WARPLOCK_ARCHS_H
#define WARPLOCK_ARCHS_H

#include <stdbool.h>

/* FIRST is the one that tools take when none is named. */
#define WL_ARCHS(FIRST, NEXT) FIRST(75) NEXT(80) NEXT(90) NEXT(100) NEXT(120)
/* Names with a suffix: features of that chip or family alone, in the same encodings. */
#define WL_ARCH_SUFFIXES(SUFFIX) SUFFIX(90, a) SUFFIX(100, a) SUFFIX(100, f) SUFFIX(120, a) SUFFIX(120, f)

/* Chips that run the words of another one, with its encodings and its constant bank 0: of these a cubin may be loaded
 * and made, and `enum wl_arch` names them by their base. What differs is in docs/objects.md. */
#define WL_ARCH_RELATIVES(RELATIVE)                                                                                    \
	RELATIVE(86, 80) RELATIVE(87, 80) RELATIVE(88, 80) RELATIVE(89, 80) RELATIVE(103, 100) RELATIVE(121, 120)
#define WL_RELATIVE_SUFFIXES(SUFFIX) SUFFIX(103, a) SUFFIX(103, f) SUFFIX(121, a) SUFFIX(121, f)

/* The value is the decimal SM number. */
enum wl_arch {
#define WL_ARCH_VALUE(n) WL_SM##n = (n),
	WL_ARCHS(WL_ARCH_VALUE, WL_ARCH_VALUE)
#undef WL_ARCH_VALUE
};

/* Places in tables. */
enum wl_arch_index {
#define WL_ARCH_INDEX(n) WL_INDEX_SM##n,
	WL_ARCHS(WL_ARCH_INDEX, WL_ARCH_INDEX)
#undef WL_ARCH_INDEX
	        WL_ARCH_COUNT
};

/* Values of an array of all of them, and their names as a text: "sm_75, sm_80, ..." */
#define WL_ARCH_LIST_(n)       WL_SM##n,
#define WL_ARCH_LIST           WL_ARCHS(WL_ARCH_LIST_, WL_ARCH_LIST_)
#define WL_ARCH_NAME_FIRST_(n) "sm_" #n
#define WL_ARCH_NAME_NEXT_(n)  ", sm_" #n
#define WL_ARCH_NAMES          WL_ARCHS(WL_ARCH_NAME_FIRST_, WL_ARCH_NAME_NEXT_)
/* The same with the relatives behind. */
#define WL_RELATIVE_NAME_(n, base) ", sm_" #n
#define WL_CHIP_NAMES              WL_ARCH_NAMES WL_ARCH_RELATIVES(WL_RELATIVE_NAME_)

/* Index in tables, -1 when it is none of them. */
int wl_arch_index(enum wl_arch arch);

/* The architecture whose words a chip runs (of 86: WL_SM80), 0 when it is none of these. */
enum wl_arch wl_arch_of_chip(unsigned chip);

/* "sm_75", "sm_90a" or "75" to the architecture, 0 when there is none of that name; "sm_86" gives WL_SM80. `suffix`
 * (may be NULL) gets 'a', 'f' or 0. */
enum wl_arch wl_arch_parse(const char *text, char *suffix);
/* The number itself: of "sm_86" 86. */
unsigned wl_chip_parse(const char *text, char *suffix);

#endif
