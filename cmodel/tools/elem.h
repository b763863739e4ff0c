// SPDX-License-Identifier: Apache-2.0
/* elem.h -- conversions to element types; private to the launch code. */
#ifndef WARPLOCK_ELEM_H
#define WARPLOCK_ELEM_H

#include "launch.h"

#define ELEM_TYPES "u8, s8, u16, s16, u32, s32, u64, s64, f16, bf16, f32, f64"
const struct elem_type *elem_find(const char *name); /* NULL: no such type */
/* Bytes of an element, little endian, with the value converted to its type. */
uint64_t elem_from_int(const struct elem_type *t, int64_t v);
uint64_t elem_from_real(const struct elem_type *t, double v); /* float types only */
/* Not so for a number whose nearest value of a float type is infinite. */
bool elem_real_fits(const struct elem_type *t, double v);
bool elem_is_real(const struct elem_type *t);
bool elem_fits(const struct elem_type *t, int64_t v);
/* zero, iota, const:V, random:SEED:LO:HI. False: the text is none of these, or a value does not fit the type. */
bool elem_fill_parse(const struct elem_type *t, const char *text, struct launch_fill *out);

#endif
