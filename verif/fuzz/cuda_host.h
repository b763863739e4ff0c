// SPDX-License-Identifier: Apache-2.0
/* cuda_host.h -- the names of cuda_device.h in plain C, from the text of CUDA's documentation; shares no code with the
 * model. */
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWN static
typedef uint32_t u32;
typedef uint64_t u64;
typedef unsigned short u16;

static u32 popc(u32 x)
{
	u32 n = 0;
	for (; x; x >>= 1)
		n += x & 1;
	return n;
}
static u32 clz(u32 x)
{
	u32 n = 32;
	for (; x; x >>= 1)
		n--;
	return n;
}
static u32 ffs1(u32 x)
{
	u32 n = 1;
	if (!x)
		return 0;
	for (; !(x & 1); x >>= 1)
		n++;
	return n;
}
static u32 brev(u32 x)
{
	u32 r = 0;
	for (int i = 0; i < 32; i++)
		r |= (x >> i & 1) << (31 - i);
	return r;
}
static u32 popcl(u64 x)
{
	return popc((u32)x) + popc((u32)(x >> 32));
}
static u32 clzl(u64 x)
{
	return x >> 32 ? clz((u32)(x >> 32)) : 32 + clz((u32)x);
}
static u32 mulhi(u32 x, u32 y)
{
	return (u32)((u64)x * y >> 32);
}
static u32 smulhi(u32 x, u32 y)
{
	return (u32)((int64_t)(int32_t)x * (int32_t)y >> 32);
}
static u64 mulhil(u64 x, u64 y)
{
	return (u64)((unsigned __int128)x * y >> 64);
}
static u32 perm(u32 x, u32 y, u32 s)
{
	u64 v = (u64)y << 32 | x;
	u32 d = 0;
	for (int i = 0; i < 4; i++) {
		d |= ((u32)(v >> 8 * (s >> 4 * i & 7)) & 255) << 8 * i; /* bit 3 of a selector means nothing */
	}
	return d;
}
static u32 fshl(u32 x, u32 y, u32 n)
{
	return (u32)(((u64)y << 32 | x) << (n & 31) >> 32);
}
static u32 fshrc(u32 x, u32 y, u32 n)
{
	return n >= 32 ? y : (u32)(((u64)y << 32 | x) >> n);
}
static u32 usad(u32 x, u32 y, u32 z)
{
	return (x > y ? x - y : y - x) + z;
}
static u32 sad(u32 x, u32 y, u32 z)
{
	return ((int32_t)x > (int32_t)y ? x - y : y - x) + z;
}
static int32_t part(u32 x, int i, int n, int sgn)
{
	u32 v = n == 4 ? x >> 8 * i & 255 : x >> 16 * i & 65535;
	return sgn ? n == 4 ? (int32_t)(int8_t)v : (int32_t)(int16_t)v : (int32_t)v;
}
static u32 dp4a(u32 x, u32 y, u32 z)
{
	for (int i = 0; i < 4; i++)
		z += (u32)(part(x, i, 4, 1) * part(y, i, 4, 1));
	return z;
}
static u32 udp4a(u32 x, u32 y, u32 z)
{
	for (int i = 0; i < 4; i++)
		z += (u32)(part(x, i, 4, 0) * part(y, i, 4, 0));
	return z;
}
#define PARTS(name, n, sgn, expr)                                                                                      \
	static u32 name(u32 x, u32 y)                                                                                  \
	{                                                                                                              \
		u32 d = 0;                                                                                             \
		for (int i = 0; i < n; i++) {                                                                          \
			int32_t a = part(x, i, n, sgn), b = part(y, i, n, sgn);                                        \
			d |= ((u32)(expr) & (n == 4 ? 255u : 65535u)) << (32 / n) * i;                                 \
		}                                                                                                      \
		return d;                                                                                              \
	}
PARTS(absdiff4, 4, 0, a > b ? a - b : b - a)
PARTS(sabsdiff4, 4, 1, a > b ? a - b : b - a)
PARTS(add2, 2, 0, a + b)
PARTS(addss2, 2, 1, a + b > 32767 ? 32767 : a + b < -32768 ? -32768 : a + b)
PARTS(subus4, 4, 0, a > b ? a - b : 0)
PARTS(maxs2, 2, 1, a > b ? a : b)
PARTS(minu4, 4, 0, a < b ? a : b)
PARTS(cmplts4, 4, 1, a < b ? 255 : 0)

#define ROUNDED(type, name, mode, expr)                                                                                \
	static type name(type x, type y)                                                                               \
	{                                                                                                              \
		volatile type a = x, b = y, r;                                                                         \
		fesetround(mode);                                                                                      \
		r = expr;                                                                                              \
		fesetround(FE_TONEAREST);                                                                              \
		return r;                                                                                              \
	}
ROUNDED(float, fadd_rd, FE_DOWNWARD, a + b)
ROUNDED(float, fadd_ru, FE_UPWARD, a + b)
ROUNDED(float, fmul_rz, FE_TOWARDZERO, a *b)
ROUNDED(float, fdiv_ru, FE_UPWARD, a / b)
ROUNDED(float, fsqrt_rd_, FE_DOWNWARD, sqrtf(a) * b)
#define fsqrt_rd(x) fsqrt_rd_(x, 1)
ROUNDED(double, dadd_ru, FE_UPWARD, a + b)
ROUNDED(double, dmul_rd, FE_DOWNWARD, a *b)
static u32 ftoi(float x)
{
	return x != x ? 0 : x >= 0x1p31f ? 0x7fffffff : x < -0x1p31f ? 0x80000000 : (u32)(int32_t)x;
}
static u32 ftou(float x)
{
	double d = nearbyint((double)x);
	return x != x || d <= 0 ? 0 : d >= 0x1p32 ? 0xffffffff : (u32)d;
}
static u64 dtol(double x)
{
	double d = nearbyint(x);
	return x != x ? UINT64_C(1) << 63 : d >= 0x1p63 ? INT64_MAX : d < -0x1p63 ? (u64)INT64_MIN : (u64)(int64_t)d;
}
static float itof(u32 x)
{
	volatile float r;
	volatile int32_t i = (int32_t)x;
	fesetround(FE_TOWARDZERO);
	r = (float)i;
	fesetround(FE_TONEAREST);
	return r;
}
static double ltod(u64 x)
{
	return (double)(int64_t)x;
}
static u32 bits(float x)
{
	u32 v;
	memcpy(&v, &x, 4);
	return v;
}

/* Rounds a number, exact in __float128, to a format of `e` exponent and `f` fraction bits, to nearest even. */
static u16 to_small(__float128 x, int e, int f)
{
	const int bias = (1 << (e - 1)) - 1;
	u16 sign = 0;
	if (x != x)
		return 0x7fff;
	if (x < 0 || (x == 0 && signbit((double)x))) {
		sign = 0x8000;
		x = -x;
	}
	if (x == 0)
		return sign;
	int at = 0;
	__float128 m = x;
	if (m > 1e300Q)
		return (u16)(sign | ((1 << e) - 1) << f);
	while (m >= 2) {
		m /= 2;
		at++;
	}
	while (m < 1 && at > 1 - bias) {
		m *= 2;
		at--;
	}
	__float128 scaled = m * (1 << f); /* in units of the last place */
	u32 n = (u32)scaled;
	__float128 rest = scaled - n;
	n += rest > 0.5Q || (rest == 0.5Q && n & 1);
	if (at == 1 - bias && n < 1u << f)
		return (u16)(sign | n);
	u32 v = ((u32)(at + bias) << f) + n - (1u << f);
	return (u16)(sign | (v >= (u32)((1 << e) - 1) << f ? (u32)((1 << e) - 1) << f : v));
}
static float htof(u16 h)
{
	int e = h >> 10 & 31, m = h & 1023;
	float v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexpf((float)(1024 + m), e - 25) : ldexpf((float)m, -24);
	return h & 0x8000 ? -v : v;
}
static float btof(u16 b)
{
	u32 v = (u32)b << 16;
	float f;
	memcpy(&f, &v, 4);
	return f;
}
static u16 ftoh(float x)
{
	return to_small(x, 5, 10);
}
static u16 ftob(float x)
{
	return to_small(x, 8, 7);
}
/* -0 as a sum only from two negative zeros */
static u16 hadd(u16 x, u16 y)
{
	return to_small((__float128)htof(x) + htof(y), 5, 10);
}
static u16 hmul(u16 x, u16 y)
{
	return to_small((__float128)htof(x) * htof(y), 5, 10);
}
static u16 hfma(u16 x, u16 y, u16 z)
{
	return to_small((__float128)htof(x) * htof(y) + htof(z), 5, 10);
}
static u32 hlt(u16 x, u16 y)
{
	return htof(x) < htof(y);
}
static u32 half2_add(u32 x, u32 y)
{
	return hadd((u16)x, (u16)y) | (u32)hadd((u16)(x >> 16), (u16)(y >> 16)) << 16;
}
