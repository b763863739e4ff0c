/* SPDX-License-Identifier: Apache-2.0
 *
 * expand.h -- replaces calls of intrinsics in a PTX text by instructions. */
#ifndef WLCC_OCG_EXPAND_H
#define WLCC_OCG_EXPAND_H

#include "ocg.h"

struct ocg_edits;
struct ptx_function;
struct ptx_instr;

struct ocg_edits *ocg_edits_open(const char *text, size_t size);
void ocg_edits_close(struct ocg_edits *e);
/* Notes the replacement of a call accepted by ocg_judge; `i` is the call in the function `in`. False: `why` has the
 * reason. */
bool ocg_edits_add(struct ocg_edits *e, const struct ocg_call *c, const struct ptx_function *in,
                   const struct ptx_instr *i, char *why, size_t size);
/* The text with all replacements, to be freed; NULL: no replacements. Lines keep their numbers. */
char *ocg_edits_apply(struct ocg_edits *e, size_t *size);

#endif
