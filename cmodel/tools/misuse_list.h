/* SPDX-License-Identifier: Apache-2.0
 * misuse_list.h -- misuses in the help, the text and the report of a run. */
#ifndef WARPLOCK_TOOLS_MISUSE_LIST_H
#define WARPLOCK_TOOLS_MISUSE_LIST_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "warplock/sm.h"

#define MISUSE_HELP                                                                                                    \
	"  --misuse MODE       what is undefined and silicon may execute: silicon (the default: as silicon does), "    \
	"report\n"                                                                                                     \
	"                      (each pair of places is told once, the words are executed), fault; also KIND=MODE\n"
/* The kinds, a line each. */
void misuse_help(FILE *f);
/* The findings of a run: a line for each finding to tell, and a single line for the forgiven findings. `all`: a line
 * for each forgiven finding, too. */
void misuse_notes(const struct wl_gpu *gpu, bool all, void (*note)(void *self, const char *text), void *self);
/* An array; NULL: nothing was found. */
json_t *misuse_json(const struct wl_gpu *gpu);

#endif
