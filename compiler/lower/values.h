// SPDX-License-Identifier: Apache-2.0
/* values.h -- where the words of registers get their values, as long as that is one place. Holds while instructions are
 * neither added nor removed. Registers made later are written once, before everything that reads them. */
#ifndef WLCC_LOWER_VALUES_H
#define WLCC_LOWER_VALUES_H

#include "mir.h"

struct value_def {
	struct minst *in;
	uint32_t block, index;
	uint32_t count;               /* of writes; a guarded one counts as two */
	uint32_t last_in, last_index; /* the last write that values_pass() has seen: 1 + its block, 0 for none */
};

struct values {
	struct mfunc *f;
	uint32_t nwords;
	struct value_def *def; /* by word */
	uint32_t block, index; /* the place from which is looked */
};

void values_init(struct values *v, struct mfunc *f);
/* The one instruction that gives the word (both words of the pair) its value, NULL when there is no such one. */
const struct minst *value_of(const struct values *v, ref r);
const struct minst *value_of_pair(const struct values *v, ref r);
/* The same wherever it stands. */
const struct minst *value_of_result(const struct values *v, ref r);
/* Of two that value_of() gave. */
bool value_same_block(const struct values *v, const struct minst *a, const struct minst *b);
/* The word that `user` reads still has that value wherever `user` dominates. */
bool value_stable(const struct values *v, const struct minst *user, ref r);
/* The word that `user` reads still has that value at the place from which is looked, to which values_pass() has come:
 * `user` stands in the same block, and nothing has written the word since. */
bool value_lasts(const struct values *v, const struct minst *user, ref r);
bool value_lasts_pair(const struct values *v, const struct minst *user, ref r);
void values_pass(struct values *v, struct minst *in);
bool value_stable_pair(const struct values *v, const struct minst *user, ref r);

#endif
