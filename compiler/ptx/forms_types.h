// SPDX-License-Identifier: Apache-2.0
/* forms_types.h -- sets of types shared by many rows of the form tables. */
#ifndef WLCC_PTX_FORMS_TYPES_H
#define WLCC_PTX_FORMS_TYPES_H

#define I16_64   "u16|u32|u64|s16|s32|s64"
#define U16_64   "u16|u32|u64"
#define S16_64   "s16|s32|s64"
#define I32      "u32|s32"
#define I32_64   "u32|u64|s32|s64"
#define I16_32   "u16|u32|s16|s32"
#define B16_64   "b16|b32|b64"
#define LOGIC    "pred|b16|b32|b64"
#define I8_64    "u8|u16|u32|u64|s8|s16|s32|s64"
#define F32_64   "f32|f64"
#define HALF     "f16|f16x2"
#define BHALF    "bf16|bf16x2"
#define ANY16_64 "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64"
#define MEMTYPE  "b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"

#endif
