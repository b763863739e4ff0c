// SPDX-License-Identifier: Apache-2.0
/* fpcore.h -- private: floats of any format in exact arithmetic, rounded once at the end in a named direction.
 *
 * For results beyond the host's rounding to nearest: directed rounding, small formats, conversions. No function touches
 * the host's floating-point environment. */
#ifndef WARPLOCK_FPCORE_H
#define WARPLOCK_FPCORE_H

#include "warplock/isa.h"

__extension__ typedef unsigned __int128 fp_mant;

enum fp_kind { FP_K_ZERO, FP_K_FINITE, FP_K_INF, FP_K_NAN };

/* (-1)^neg * mant * 2^exp. The lowest bit of mant also stands for anything non-zero below (as long as mant has three
 * bits more than the format of the final rounding). NaN: mant holds the fraction, leading bit at bit 51. */
struct fp_num {
	enum fp_kind kind;
	bool neg;
	int exp;
	fp_mant mant;
};

struct fp_num fp_unpack(enum wl_format f, uint64_t bits);
/* A NaN becomes the NaN of the hardware: 0x7fffffff, 0x7fff, 0x7f; a float64 keeps the payload, made quiet. Overflow
 * gives infinity or the greatest number, by mode; with `finite` always the greatest number. */
uint64_t fp_round(enum wl_format f, struct fp_num n, enum wl_round mode, bool finite);

struct fp_num fp_integer(uint64_t magnitude, bool neg);
struct fp_num fp_mul(struct fp_num a, struct fp_num b);
/* Mode decides the sign of an exact zero. */
struct fp_num fp_add(struct fp_num a, struct fp_num b, enum wl_round mode);
/* The integer nearest in the direction of mode, as a number. */
struct fp_num fp_integral(struct fp_num n, enum wl_round mode);

/* Quiet NaN of an invalid operation, with the sign and payload of a float64. */
static inline struct fp_num fp_invalid(void)
{
	return (struct fp_num){.kind = FP_K_NAN, .neg = true, .mant = (fp_mant)1 << 51};
}

/* A subnormal of the format, given as bits, becomes zero of the same sign. */
static inline uint32_t fp_flush32(uint32_t v)
{
	return v & 0x7f800000u ? v : v & 0x80000000u;
}
static inline uint32_t fp_flush16(uint32_t h, bool bf16)
{
	return h & (bf16 ? 0x7f80u : 0x7c00u) ? h : h & 0x8000u;
}

#endif
