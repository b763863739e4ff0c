// SPDX-License-Identifier: Apache-2.0
/* uniform_operands.h -- words whose operands are uniform registers, for lanes that may have different values. */
#ifndef WLCC_LOWER_UNIFORM_OPERANDS_H
#define WLCC_LOWER_UNIFORM_OPERANDS_H

#include "select.h"

enum { UNIFORM_OPERANDS = 12 };

/* Value k goes to uniform register UNIFORM_AT(k); REF_NONE: there is none. */
struct uniform_operands {
	ref r[UNIFORM_OPERANDS];
};

#define UNIFORM_NONE                                                                                                   \
	{                                                                                                              \
		{                                                                                                      \
			REF_NONE, REF_NONE, REF_NONE, REF_NONE, REF_NONE, REF_NONE, REF_NONE, REF_NONE, REF_NONE,      \
			        REF_NONE, REF_NONE, REF_NONE                                                           \
		}                                                                                                      \
	}
#define UNIFORM_AT(k) (SELECT_UR + (k))

/* The words (texts with | between them) once, with the values of one lane: they are the same in all. */
void uniform_once(struct select *s, const struct uniform_operands *u, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));
/* Once for each lane. */
void uniform_each_lane(struct select *s, const struct uniform_operands *u, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));
/* Once for all lanes that have the same values. */
void uniform_each_value(struct select *s, const struct uniform_operands *u, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

/* Uniform register UNIFORM_AT(k) = v of the lowest active lane (where p: of those where it is true). */
void uniform_read(struct select *s, ref v, unsigned k, ref p);
/* The same; p = (or |= if `too`) the lane has another value. */
void uniform_compare(struct select *s, ref v, unsigned k, ref p, bool too);

#endif
