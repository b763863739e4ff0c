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

enum wl_arch wl_arch_parse(const char *text, char *suffix)
{
	static const struct {
		const char *name;
		enum wl_arch arch;
		char suffix;
	} known[] = {
#define ARCH(n)      {#n, WL_SM##n, 0},
#define SUFFIX(n, s) {#n #s, WL_SM##n, #s[0]},
	        WL_ARCHS(ARCH, ARCH) WL_ARCH_SUFFIXES(SUFFIX)
#undef SUFFIX
#undef ARCH
	};
	if (!strncmp(text, "sm_", 3))
		text += 3;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(text, known[i].name)) {
			if (suffix)
				*suffix = known[i].suffix;
			return known[i].arch;
		}
	return (enum wl_arch)0;
}
