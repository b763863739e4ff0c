// SPDX-License-Identifier: Apache-2.0
/* archs.h -- the one list of architectures with encoding rows. C expands the list, scripts read the list
 * (cmodel/isa/gen/archs.py). Indices in tables have this order. */
#ifndef WARPLOCK_ARCHS_H
#define WARPLOCK_ARCHS_H

#include <stdbool.h>

/* FIRST is the default chip, for an input without a chip: see WL_DEFAULT_CHIP. */
#define WL_ARCHS(FIRST, NEXT) FIRST(75) NEXT(80) NEXT(90) NEXT(100) NEXT(107) NEXT(120)
/* VARIANT(N, base): architecture N has the encoding rows of its base, except rows marked `-N`. Constant bank, latencies
 * and the compiler's choices are equal to the base's. */
#define WL_ARCH_VARIANTS(VARIANT) VARIANT(107, 100)
/* Names with a suffix: features of a single chip or family, in the same encodings. */
#define WL_ARCH_SUFFIXES(SUFFIX)                                                                                       \
	SUFFIX(90, a) SUFFIX(100, a) SUFFIX(100, f) SUFFIX(107, a) SUFFIX(107, f) SUFFIX(120, a) SUFFIX(120, f)

/* Relatives: chips with the words, the encodings and constant bank 0 of an architecture. Cubins of these chips may be
 * loaded and made; `enum wl_arch` names a chip by its architecture. docs/objects.md lists the differences. */
#define WL_ARCH_RELATIVES(RELATIVE)                                                                                    \
	RELATIVE(86, 80)                                                                                               \
	RELATIVE(87, 80) RELATIVE(88, 80) RELATIVE(89, 80) RELATIVE(103, 100) RELATIVE(110, 100) RELATIVE(121, 120)
#define WL_RELATIVE_SUFFIXES(SUFFIX)                                                                                   \
	SUFFIX(103, a) SUFFIX(103, f) SUFFIX(110, a) SUFFIX(110, f) SUFFIX(121, a) SUFFIX(121, f)

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

/* Values of an array of all architectures; names as a text: "sm_75, sm_80, ..." */
#define WL_ARCH_LIST_(n)       WL_SM##n,
#define WL_ARCH_LIST           WL_ARCHS(WL_ARCH_LIST_, WL_ARCH_LIST_)
#define WL_ARCH_NAME_FIRST_(n) "sm_" #n
#define WL_ARCH_NAME_NEXT_(n)  ", sm_" #n
#define WL_ARCH_NAMES          WL_ARCHS(WL_ARCH_NAME_FIRST_, WL_ARCH_NAME_NEXT_)
/* The same with the relatives behind. */
#define WL_RELATIVE_NAME_(n, base) ", sm_" #n
#define WL_CHIP_NAMES              WL_ARCH_NAMES WL_ARCH_RELATIVES(WL_RELATIVE_NAME_)

/* The rule of all tools without -arch: the chip of the input, else WL_DEFAULT_CHIP. Text of --help. */
#define WL_DEFAULT_VALUE_(n) n
#define WL_DEFAULT_NO_(n)
enum { WL_DEFAULT_CHIP = WL_ARCHS(WL_DEFAULT_VALUE_, WL_DEFAULT_NO_) };
#define WL_DEFAULT_CHIP_NAME WL_ARCHS(WL_ARCH_NAME_FIRST_, WL_DEFAULT_NO_)
#define WL_DEFAULT_CHIP_RULE "default: the chip that the input names, else " WL_DEFAULT_CHIP_NAME

/* Index in tables, -1 for any other value. */
int wl_arch_index(enum wl_arch arch);

/* The base of a variant (107: WL_SM100); any other value is returned unchanged. */
static inline enum wl_arch wl_arch_base(enum wl_arch arch)
{
#define WL_ARCH_BASE(n, base) arch == WL_SM##n ? WL_SM##base:
	return WL_ARCH_VARIANTS(WL_ARCH_BASE) arch;
#undef WL_ARCH_BASE
}

/* The architecture of a chip's words (86: WL_SM80), 0 for an unknown chip. */
enum wl_arch wl_arch_of_chip(unsigned chip);

/* "sm_75", "sm_90a" or "75" to the architecture, 0 for an unknown name; "sm_86" gives WL_SM80. `suffix` (may be NULL)
 * gets 'a', 'f' or 0. */
enum wl_arch wl_arch_parse(const char *text, char *suffix);
/* The number in the name: 86 for "sm_86". */
unsigned wl_chip_parse(const char *text, char *suffix);

#endif
