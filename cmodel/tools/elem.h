// SPDX-License-Identifier: Apache-2.0
/* elem.h -- conversions to element types; private to the launch code. */
#ifndef WARPLOCK_ELEM_H
#define WARPLOCK_ELEM_H

#include "launch.h"

#define ELEM_TYPES "u8, s8, u16, s16, u32, s32, u64, s64, f16, bf16, f32, f64"
const struct elem_type *elem_find(const char *name); /* NULL: unknown type */
/* Bytes of an element, little endian, with the value converted to the type. */
uint64_t elem_from_int(const struct elem_type *t, int64_t v);
uint64_t elem_from_real(const struct elem_type *t, double v); /* float types only */
/* False for a number with infinity as the nearest value of a float type. */
bool elem_real_fits(const struct elem_type *t, double v);
bool elem_is_real(const struct elem_type *t);
bool elem_fits(const struct elem_type *t, int64_t v);
/* zero, iota, const:V, random:SEED:LO:HI. False: another text, or a value does not fit the type. */
bool elem_fill_parse(const struct elem_type *t, const char *text, struct launch_fill *out);

#endif
