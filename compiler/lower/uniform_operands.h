// SPDX-License-Identifier: Apache-2.0
/* uniform_operands.h -- words with uniform registers as operands, for lanes with possibly different values. */
#ifndef WLCC_LOWER_UNIFORM_OPERANDS_H
#define WLCC_LOWER_UNIFORM_OPERANDS_H

#include "select.h"

enum { UNIFORM_OPERANDS = 12 };

/* Value k goes to uniform register UNIFORM_AT(k); REF_NONE: no value. */
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

/* The words (texts with | between) once, with the values of one lane: all lanes have the same values. */
void uniform_once(struct select *s, const struct uniform_operands *u, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));
/* Once for each lane. */
void uniform_each_lane(struct select *s, const struct uniform_operands *u, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));
/* Once for all lanes with the same values. */
void uniform_each_value(struct select *s, const struct uniform_operands *u, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

/* Uniform register UNIFORM_AT(k) = v of the lowest active lane (with p: of the lanes where p is true). */
void uniform_read(struct select *s, ref v, unsigned k, ref p);
/* The same; p = (or |= if `too`) the lane has another value. */
void uniform_compare(struct select *s, ref v, unsigned k, ref p, bool too);

#endif
