// SPDX-License-Identifier: Apache-2.0
/* config_check.h -- checks whether the model supports a configuration. */
#ifndef WARPLOCK_CONFIG_CHECK_H
#define WARPLOCK_CONFIG_CHECK_H

#include <stddef.h>

#include "warplock/config.h"
#include "warplock/status.h"

/* WL_OK, WL_ERR_CONFIG (a field is out of range) or WL_ERR_UNSUPPORTED (the model does not run the architecture). On
 * failure `why` gets a line: the field, the value found and the value expected. */
enum wl_status wl_config_check(const struct wl_config *c, char *why, size_t whyn);

#endif
