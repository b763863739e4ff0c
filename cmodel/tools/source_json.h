// SPDX-License-Identifier: Apache-2.0
/* source_json.h -- the source of an instruction, in reports. */
#ifndef WARPLOCK_SOURCE_JSON_H
#define WARPLOCK_SOURCE_JSON_H

#include <jansson.h>

#include "warplock/program.h"

/* "source" and "line" of instruction i, as far as known. Of inlined code also "inlined": the places from the innermost
 * function to the outermost call, each with "source", "line" and, but for the last, "function". */
void source_json(const struct wl_program *p, uint32_t i, json_t *o);
/* "inlined" alone. */
void inlined_json(const struct wl_program *p, uint32_t i, json_t *o);

#endif
