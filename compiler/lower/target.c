// SPDX-License-Identifier: Apache-2.0
#include "target.h"

#include <stddef.h>

static const struct target rows[] = {
#define TARGET(name, operands, predicate, masks, shared, offset, desc, clear, beside, clustered)                       \
	{WL_##name, operands, predicate, masks, shared, offset, desc, clear, beside, clustered},
#include "target.def"
};

const struct target *lower_target(enum wl_arch arch)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].arch == wl_arch_base(arch))
			return &rows[i];
	return NULL;
}

const struct wl_cb0_specials *target_specials(const struct target *t)
{
	static const struct wl_cb0_specials all[] = {
#define ROW(arch, ...) {WL_##arch, __VA_ARGS__},
	        WL_CB0_SPECIALS(ROW)
#undef ROW
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i].arch == t->arch)
			return &all[i];
	return NULL;
}
