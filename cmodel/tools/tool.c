// SPDX-License-Identifier: Apache-2.0
#include "tool.h"

#include <string.h>

enum wl_arch tool_parse_arch(const char *text)
{
	static const struct {
		const char *name;
		enum wl_arch arch;
	} known[] = {{"75", WL_SM75},   {"80", WL_SM80},    {"90", WL_SM90},   {"90a", WL_SM90},
	             {"100", WL_SM100}, {"100a", WL_SM100}, {"120", WL_SM120}, {"120a", WL_SM120}};
	if (!strncmp(text, "sm_", 3))
		text += 3;
	for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
		if (!strcmp(text, known[i].name))
			return known[i].arch;
	return (enum wl_arch)0;
}
