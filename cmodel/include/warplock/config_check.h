// SPDX-License-Identifier: Apache-2.0
/* config_check.h -- whether the model has a configuration. */
#ifndef WARPLOCK_CONFIG_CHECK_H
#define WARPLOCK_CONFIG_CHECK_H

#include <stddef.h>

#include "warplock/config.h"
#include "warplock/status.h"

/* WL_OK, WL_ERR_CONFIG (a field is out of range) or WL_ERR_UNSUPPORTED (an architecture that cannot be run). On failure
 * `why` gets one line: the field, what was found and what was expected. */
enum wl_status wl_config_check(const struct wl_config *c, char *why, size_t whyn);

#endif
