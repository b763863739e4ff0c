// SPDX-License-Identifier: Apache-2.0
/* values.h -- sources of the words of registers, for words with a single source. Valid while instructions are neither
 * added nor removed. Registers made later are written once, before all reads. */
#ifndef WLCC_LOWER_VALUES_H
#define WLCC_LOWER_VALUES_H

#include "mir.h"

struct value_def {
	struct minst *in;
	uint32_t block, index;
	uint32_t count;               /* of writes; a guarded write counts twice */
	uint32_t last_in, last_index; /* the last write seen by values_pass(): 1 + the block, 0 for none */
};

struct values {
	struct mfunc *f;
	uint32_t nwords;
	struct value_def *def; /* by word */
	uint32_t block, index; /* the place of the look-up */
};

void values_init(struct values *v, struct mfunc *f);
/* The single definition of the word (of both words of the pair), if the definition dominates the place; else NULL. */
const struct minst *value_of(const struct values *v, ref r);
const struct minst *value_of_pair(const struct values *v, ref r);
/* The same for a definition at any place. */
const struct minst *value_of_result(const struct values *v, ref r);
/* Two instructions given by value_of() stand in the same block. */
bool value_same_block(const struct values *v, const struct minst *a, const struct minst *b);
/* The word read by `user` keeps the value wherever `user` dominates. */
bool value_stable(const struct values *v, const struct minst *user, ref r);
/* The word read by `user` still has the value at the place of the look-up, the last of values_pass(). Also true where
 * `user` stands in the same block, without a write of the word since. */
bool value_lasts(const struct values *v, const struct minst *user, ref r);
bool value_lasts_pair(const struct values *v, const struct minst *user, ref r);
void values_pass(struct values *v, struct minst *in);
bool value_stable_pair(const struct values *v, const struct minst *user, ref r);

#endif
