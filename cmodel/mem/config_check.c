// SPDX-License-Identifier: Apache-2.0
/* config_check.c -- the configurations of the model. */
#include <stdbool.h>
#include <stdio.h>

#include "warplock/config_check.h"

const struct wl_cb0_layout *wl_cb0_layout(enum wl_arch arch)
{
	static const struct wl_cb0_layout layouts[] = {
#define ROW(a, block, grid, stack, shared, local, desc, param) {WL_##a, block, grid, stack, shared, local, desc, param},
	        WL_CB0_LAYOUTS(ROW)
#undef ROW
	};
	for (unsigned i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
		if (layouts[i].arch == wl_arch_base(arch))
			return &layouts[i];
	return NULL;
}

uint32_t wl_cb0_param_base(enum wl_arch arch, uint64_t bytes)
{
	return arch < WL_SM90 && bytes > WL_PARAM_SMALL ? WL_CB0_PARAM_LARGE : wl_cb0_layout(arch)->param;
}

struct chip_shared {
	unsigned chip, sm, cta; /* KiB */
};

static const struct chip_shared *shared_of(unsigned chip)
{
	static const struct chip_shared rows[] = {
#define ROW(chip, sm, cta) {chip, sm, cta},
	        WL_CHIP_SHARED(ROW)
#undef ROW
	};
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].chip == chip)
			return &rows[i];
	return &rows[0];
}

uint32_t wl_chip_shared_of_sm(unsigned chip)
{
	return shared_of(chip)->sm * 1024u;
}

uint32_t wl_chip_shared_of_cta(unsigned chip)
{
	return shared_of(chip)->cta * 1024u;
}

static bool is_power_of_two(unsigned n)
{
	return n && (n & (n - 1)) == 0;
}

static bool in_powers(unsigned n, unsigned least, unsigned most)
{
	return is_power_of_two(n) && n >= least && n <= most;
}

enum wl_status wl_config_check(const struct wl_config *c, char *why, size_t whyn)
{
	const unsigned chip = c->chip ? c->chip : (unsigned)c->arch;
#define REQUIRE(condition, status, ...)                                                                                \
	if (!(condition)) {                                                                                            \
		snprintf(why, whyn, __VA_ARGS__);                                                                      \
		return status;                                                                                         \
	}
	REQUIRE(wl_cb0_layout(c->arch), WL_ERR_UNSUPPORTED, "arch is sm_%d, built are " WL_ARCH_NAMES, (int)c->arch)
	REQUIRE(c->sms >= 1, WL_ERR_CONFIG, "sms is 0, must be at least 1")
	REQUIRE(c->ctas_per_sm >= 1 && c->ctas_per_sm <= WL_MAX_CTAS, WL_ERR_CONFIG, "ctas_per_sm is %u, must be 1..%d",
	        c->ctas_per_sm, WL_MAX_CTAS)
	REQUIRE(c->warps_per_sm >= 1 && c->warps_per_sm <= WL_MAX_WARPS, WL_ERR_CONFIG,
	        "warps_per_sm is %u, must be 1..%d", c->warps_per_sm, WL_MAX_WARPS)
	REQUIRE(in_powers(c->shared_bytes, 4096, WL_MOST_SHARED) || c->shared_bytes == wl_chip_shared_of_sm(chip),
	        WL_ERR_CONFIG, "shared_bytes is %u, must be a power of two in 4096..65536, or %u as sm_%u has",
	        c->shared_bytes, wl_chip_shared_of_sm(chip), chip)
	REQUIRE(in_powers(c->lanes, 4, 32), WL_ERR_CONFIG, "lanes is %u, must be 4, 8, 16 or 32", c->lanes)
	REQUIRE(in_powers(c->banks, 4, 32), WL_ERR_CONFIG, "banks is %u, must be 4, 8, 16 or 32", c->banks)
	REQUIRE(in_powers(c->ports, 1, WL_MAX_PORTS), WL_ERR_CONFIG, "ports is %u, must be 1, 2 or 4", c->ports)
	REQUIRE(c->combine <= 2, WL_ERR_CONFIG, "combine is %u, must be 0, 1 or 2", c->combine)
	REQUIRE(c->schedule < WL_SCHEDULE_COUNT, WL_ERR_CONFIG, "schedule is %u, must be 0..%d", c->schedule,
	        WL_SCHEDULE_COUNT - 1)
	REQUIRE(c->native <= 1, WL_ERR_CONFIG, "native is %u, must be 0 or 1", c->native)
#undef REQUIRE
	return WL_OK;
}
