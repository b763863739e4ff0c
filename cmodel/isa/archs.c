// SPDX-License-Identifier: Apache-2.0
/* archs.c -- architectures by index and by name. */
#include "warplock/archs.h"

#include <stddef.h>
#include <string.h>

int wl_arch_index(enum wl_arch arch)
{
	switch (arch) {
#define ARCH(n)                                                                                                        \
	case WL_SM##n:                                                                                                 \
		return WL_INDEX_SM##n;
		WL_ARCHS(ARCH, ARCH)
#undef ARCH
	}
	return -1;
}

enum wl_arch wl_arch_of_chip(unsigned chip)
{
	switch (chip) {
#define ARCH(n)                                                                                                        \
	case n:                                                                                                        \
		return WL_SM##n;
#define RELATIVE(n, base)                                                                                              \
	case n:                                                                                                        \
		return WL_SM##base;
		WL_ARCHS(ARCH, ARCH) WL_ARCH_RELATIVES(RELATIVE)
#undef RELATIVE
#undef ARCH
	}
	return (enum wl_arch)0;
}

unsigned wl_chip_parse(const char *text, char *suffix)
{
	static const struct {
		const char *name;
		unsigned chip;
		char suffix;
	} known[] = {
#define ARCH(n)           {#n, n, 0},
#define RELATIVE(n, base) {#n, n, 0},
#define SUFFIX(n, s)      {#n #s, n, #s[0]},
	        WL_ARCHS(ARCH, ARCH) WL_ARCH_RELATIVES(RELATIVE) WL_ARCH_SUFFIXES(SUFFIX) WL_RELATIVE_SUFFIXES(SUFFIX)
#undef SUFFIX
#undef RELATIVE
#undef ARCH
	};
	if (!strncmp(text, "sm_", 3))
		text += 3;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(text, known[i].name)) {
			if (suffix)
				*suffix = known[i].suffix;
			return known[i].chip;
		}
	return 0;
}

enum wl_arch wl_arch_parse(const char *text, char *suffix)
{
	return wl_arch_of_chip(wl_chip_parse(text, suffix));
}
