// SPDX-License-Identifier: Apache-2.0
/* int_cases.h -- ordinary integer code, written once and compiled twice: by nvcc for a GPU and by the host's compiler
 * for the expected results. A case reads CASE_IN words of a thread and writes CASE_OUT. */
#ifndef INT_CASES_H
#define INT_CASES_H
#include <stdint.h>
#ifdef __CUDACC__
#define HD     static __device__ __forceinline__
#define HDCALL static __device__ __noinline__
#else
#define HD     static
#define HDCALL static
#endif
enum { CASE_IN = 8, CASE_OUT = 8, CASE_THREADS = 128 };

/* Intrinsics of CUDA, loops in C. */
#ifdef __CUDACC__
#define POPC(v)            ((uint32_t)__popc(v))
#define POPCLL(v)          ((uint32_t)__popcll(v))
#define CLZ(v)             ((uint32_t)__clz((int)(v)))
#define CLZLL(v)           ((uint32_t)__clzll((long long)(v)))
#define FFS(v)             ((uint32_t)__ffs((int)(v)))
#define FFSLL(v)           ((uint32_t)__ffsll((long long)(v)))
#define BREV(v)            __brev(v)
#define BREVLL(v)          __brevll(v)
#define PERM(a, b, s)      __byte_perm(a, b, s)
#define FUNNEL_L(l, h, s)  __funnelshift_l(l, h, s)
#define FUNNEL_LC(l, h, s) __funnelshift_lc(l, h, s)
#define FUNNEL_R(l, h, s)  __funnelshift_r(l, h, s)
#define FUNNEL_RC(l, h, s) __funnelshift_rc(l, h, s)
#define DP4A_S(a, b, c)    ((uint32_t)__dp4a((int)(a), (int)(b), (int)(c)))
#define DP4A_U(a, b, c)    __dp4a((unsigned)(a), (unsigned)(b), (unsigned)(c))
#define DP2A_LO_S(a, b, c) ((uint32_t)__dp2a_lo((int)(a), (int)(b), (int)(c)))
#define DP2A_HI_S(a, b, c) ((uint32_t)__dp2a_hi((int)(a), (int)(b), (int)(c)))
#define DP2A_LO_U(a, b, c) __dp2a_lo((unsigned)(a), (unsigned)(b), (unsigned)(c))
#define DP2A_HI_U(a, b, c) __dp2a_hi((unsigned)(a), (unsigned)(b), (unsigned)(c))
#define SAD_S(a, b, c)     __sad((int)(a), (int)(b), c)
#define SAD_U(a, b, c)     __usad(a, b, c)
#define MULHI_S(a, b)      ((uint32_t)__mulhi((int)(a), (int)(b)))
#define MULHI_U(a, b)      __umulhi(a, b)
#define MUL64HI_S(a, b)    ((uint64_t)__mul64hi((long long)(a), (long long)(b)))
#define MUL64HI_U(a, b)    __umul64hi(a, b)
#define MUL24_S(a, b)      ((uint32_t)__mul24((int)(a), (int)(b)))
#define MUL24_U(a, b)      __umul24(a, b)
#define HADD_S(a, b)       ((uint32_t)__hadd((int)(a), (int)(b)))
#define RHADD_U(a, b)      __urhadd(a, b)
#define VABSDIFFU4(a, b)   __vabsdiffu4(a, b)
#define VADD4(a, b)        __vadd4(a, b)
#define VMINU2(a, b)       __vminu2(a, b)
#define VMAXS2(a, b)       __vmaxs2(a, b)
#define VCMPGTU4(a, b)     __vcmpgtu4(a, b)
#else
static uint32_t POPCLL(uint64_t v)
{
	uint32_t n = 0;
	for (; v; v >>= 1)
		n += v & 1;
	return n;
}
#define POPC(v)            POPCLL((uint32_t)(v))
static uint32_t top(uint64_t v, uint32_t bits)
{
	uint32_t n = 0;
	while (n < bits && !(v >> (bits - 1 - n) & 1))
		n++;
	return n;
}
#define CLZ(v)             top((uint32_t)(v), 32)
#define CLZLL(v)           top(v, 64)
static uint32_t FFSLL(uint64_t v)
{
	for (uint32_t i = 0; i < 64; i++)
		if (v >> i & 1)
			return i + 1;
	return 0;
}
#define FFS(v)             FFSLL((uint32_t)(v))
static uint64_t BREVLL(uint64_t v)
{
	uint64_t d = 0;
	for (unsigned i = 0; i < 64; i++)
		d |= (v >> i & 1) << (63 - i);
	return d;
}
#define BREV(v)            ((uint32_t)(BREVLL(v) >> 32))
static uint32_t PERM(uint32_t a, uint32_t b, uint32_t s)
{
	uint32_t d = 0;
	for (unsigned i = 0; i < 4; i++) {
		uint32_t k = s >> 4 * i & 7; /* __byte_perm looks at 3 bits */
		d |= ((k < 4 ? a >> 8 * k : b >> 8 * (k - 4)) & 0xff) << 8 * i;
	}
	return d;
}
static uint32_t FUNNEL_LC(uint32_t l, uint32_t h, uint32_t s)
{
	uint64_t v = (uint64_t)h << 32 | l;
	return (uint32_t)((s > 32 ? v << 32 : v << s) >> 32);
}
static uint32_t FUNNEL_RC(uint32_t l, uint32_t h, uint32_t s)
{
	uint64_t v = (uint64_t)h << 32 | l;
	return (uint32_t)(s > 32 ? v >> 32 : v >> s);
}
#define FUNNEL_L(l, h, s)  FUNNEL_LC(l, h, (s)&31)
#define FUNNEL_R(l, h, s)  FUNNEL_RC(l, h, (s)&31)
static uint32_t dot(int sgn, int parts, int at, uint32_t a, uint32_t b, uint32_t c)
{
	int64_t sum = sgn ? (int64_t)(int32_t)c : (int64_t)c;
	for (int i = 0; i < parts; i++) {
		int64_t x = parts == 4 ? (a >> 8 * i & 0xff) : (a >> 16 * i & 0xffff), y = b >> 8 * (i + at) & 0xff;
		if (sgn) {
			x = parts == 4 ? (int64_t)(int8_t)x : (int64_t)(int16_t)x;
			y = (int8_t)y;
		}
		sum += x * y;
	}
	return (uint32_t)sum;
}
#define DP4A_S(a, b, c)    dot(1, 4, 0, a, b, c)
#define DP4A_U(a, b, c)    dot(0, 4, 0, a, b, c)
#define DP2A_LO_S(a, b, c) dot(1, 2, 0, a, b, c)
#define DP2A_HI_S(a, b, c) dot(1, 2, 2, a, b, c)
#define DP2A_LO_U(a, b, c) dot(0, 2, 0, a, b, c)
#define DP2A_HI_U(a, b, c) dot(0, 2, 2, a, b, c)
static uint32_t SAD_S(uint32_t a, uint32_t b, uint32_t c)
{
	int64_t d = (int64_t)(int32_t)a - (int32_t)b;
	return (uint32_t)(d < 0 ? -d : d) + c;
}
static uint32_t SAD_U(uint32_t a, uint32_t b, uint32_t c)
{
	return (a > b ? a - b : b - a) + c;
}
#define MULHI_S(a, b)      ((uint32_t)((uint64_t)((int64_t)(int32_t)(a) * (int32_t)(b)) >> 32))
#define MULHI_U(a, b)      ((uint32_t)((uint64_t)(a) * (b) >> 32))
#define MUL64HI_S(a, b)    ((uint64_t)((unsigned __int128)((__int128)(int64_t)(a) * (int64_t)(b)) >> 64))
#define MUL64HI_U(a, b)    ((uint64_t)((unsigned __int128)(a) * (b) >> 64))
static int64_t low24(uint32_t v)
{
	v &= 0xffffff;
	return v & 0x800000 ? (int64_t)v - 0x1000000 : (int64_t)v;
}
#define MUL24_S(a, b)      ((uint32_t)(low24(a) * low24(b)))
#define MUL24_U(a, b)      ((uint32_t)((uint64_t)((a)&0xffffff) * ((b)&0xffffff)))
#define HADD_S(a, b)       ((uint32_t)(((int64_t)(int32_t)(a) + (int32_t)(b)) >> 1))
#define RHADD_U(a, b)      ((uint32_t)(((uint64_t)(a) + (b) + 1) >> 1))
static uint32_t bytes4(int what, uint32_t a, uint32_t b)
{
	uint32_t d = 0;
	for (int i = 0; i < 4; i++) {
		uint32_t x = a >> 8 * i & 0xff, y = b >> 8 * i & 0xff;
		uint32_t v = what == 0 ? (x > y ? x - y : y - x) : what == 1 ? (x + y) & 0xff : x > y ? 0xff : 0;
		d |= v << 8 * i;
	}
	return d;
}
#define VABSDIFFU4(a, b)   bytes4(0, a, b)
#define VADD4(a, b)        bytes4(1, a, b)
#define VCMPGTU4(a, b)     bytes4(2, a, b)
static uint32_t VMINU2(uint32_t a, uint32_t b)
{
	uint32_t l = (a & 0xffff) < (b & 0xffff) ? a & 0xffff : b & 0xffff,
	         h = (a >> 16) < (b >> 16) ? a >> 16 : b >> 16;
	return h << 16 | l;
}
static uint32_t VMAXS2(uint32_t a, uint32_t b)
{
	int16_t l = (int16_t)a > (int16_t)b ? (int16_t)a : (int16_t)b;
	int16_t h = (int16_t)(a >> 16) > (int16_t)(b >> 16) ? (int16_t)(a >> 16) : (int16_t)(b >> 16);
	return (uint32_t)(uint16_t)h << 16 | (uint16_t)l;
}
#endif

HD uint64_t u64_of(const uint32_t *in, int i)
{
	return (uint64_t)in[i + 1] << 32 | in[i];
}
HD void put64(uint32_t *out, int i, uint64_t v)
{
	out[i] = (uint32_t)v;
	out[i + 1] = (uint32_t)(v >> 32);
}

HD void case_div32(const uint32_t *in, uint32_t *out)
{
	uint32_t a = in[0], b = in[1] | 1;
	int32_t s = (int32_t)in[2], t = (int32_t)(in[3] >> 8) + 1;
	out[0] = a / b;
	out[1] = a % b;
	out[2] = (uint32_t)(s / t);
	out[3] = (uint32_t)(s % t);
	out[4] = a / 7 + a % 10;
	out[5] = (uint32_t)(s / 1000);
	out[6] = (uint32_t)(s / 8) + (uint32_t)(s % 16);
	out[7] = (uint16_t)a / (uint16_t)(b | 3) + (uint8_t)s % (uint8_t)(in[4] | 1);
}
HD void case_div64(const uint32_t *in, uint32_t *out)
{
	uint64_t a = u64_of(in, 0), b = u64_of(in, 2) | 1;
	int64_t s = (int64_t)u64_of(in, 4), t = (int64_t)(u64_of(in, 6) >> 5) + 1;
	put64(out, 0, a / b);
	put64(out, 2, a % b);
	put64(out, 4, (uint64_t)(s / t));
	put64(out, 6, (uint64_t)(s % t) + a / 1000003);
}
HD void case_arith64(const uint32_t *in, uint32_t *out)
{
	uint64_t a = u64_of(in, 0), b = u64_of(in, 2), c = u64_of(in, 4);
	put64(out, 0, a * b + c - (b << (in[6] & 63)));
	put64(out, 2, MUL64HI_U(a, b) ^ MUL64HI_S(a, c));
	put64(out, 4, ((uint64_t)((int64_t)a >> (in[7] & 63)) | c >> (in[6] & 63)) - b);
	put64(out, 6, a < b ? a : (int64_t)a < (int64_t)c ? b : 0 - c);
}
/* 128-bit product and sum by hand */
HD void case_mul128(const uint32_t *in, uint32_t *out)
{
	unsigned __int128 a = (unsigned __int128)u64_of(in, 0) << 64 | u64_of(in, 2),
	                  b = (unsigned __int128)u64_of(in, 4) << 64 | u64_of(in, 6), p = a * b, s = a + b, d = a - b;
	put64(out, 0, (uint64_t)p);
	put64(out, 2, (uint64_t)(p >> 64));
	put64(out, 4, (uint64_t)(s >> 64) ^ (uint64_t)(d >> 64));
	put64(out, 6, (uint64_t)s + (uint64_t)d + (a < b) + 2 * ((__int128)a >= (__int128)b));
}
HD void case_bits(const uint32_t *in, uint32_t *out)
{
	uint32_t a = in[0], b = in[1], s = in[2];
	uint64_t A = u64_of(in, 3);
	out[0] = POPC(a) | CLZ(b) << 8 | FFS(a & b) << 16;
	out[1] = POPCLL(A) | CLZLL(A >> (s & 63)) << 8 | FFSLL(A & ~(A >> 1) & (uint64_t)b << 20) << 16;
	out[2] = BREV(a);
	put64(out, 3, BREVLL(A) + (A >> 3));
	out[5] = PERM(a, b, s);
	out[6] = (a >> (s & 15) & ((1u << (b & 15)) - 1)) | (a & 0xf0f0) << 7 | (~a & b);
	out[7] = (uint32_t)((int32_t)(a << (32 - 13 - 5)) >> (32 - 13)) ^ ((a & b) | (~a & s)) ^
	         ((a & b) | (a & s) | (b & s));
}
HD void case_funnel(const uint32_t *in, uint32_t *out)
{
	uint32_t l = in[0], h = in[1], s = in[2] & 63;
	uint64_t v = u64_of(in, 3);
	out[0] = FUNNEL_L(l, h, in[2]);
	out[1] = FUNNEL_LC(l, h, in[2] >> 24);
	out[2] = FUNNEL_R(l, h, in[2]);
	out[3] = FUNNEL_RC(l, h, in[2] >> 24);
	put64(out, 4, v << s | (s ? v >> (64 - s) : 0));
	put64(out, 6, (v >> 13 | v << 51) ^ (l << 7 | l >> 25));
}
HD void case_dot(const uint32_t *in, uint32_t *out)
{
	out[0] = DP4A_S(in[0], in[1], in[2]);
	out[1] = DP4A_U(in[0], in[1], in[2]);
	out[2] = DP2A_LO_S(in[0], in[1], in[2]);
	out[3] = DP2A_HI_S(in[3], in[4], in[5]);
	out[4] = DP2A_LO_U(in[0], in[1], in[2]);
	out[5] = DP2A_HI_U(in[3], in[4], in[5]);
	out[6] = SAD_S(in[0], in[1], in[2]);
	out[7] = SAD_U(in[3], in[4], in[5]);
}
HD void case_video(const uint32_t *in, uint32_t *out)
{
	out[0] = VABSDIFFU4(in[0], in[1]);
	out[1] = VADD4(in[0], in[1]);
	out[2] = VMINU2(in[2], in[3]);
	out[3] = VMAXS2(in[2], in[3]);
	out[4] = VCMPGTU4(in[0], in[3]);
	out[5] = MUL24_S(in[0], in[1]) + MUL24_U(in[2], in[3]);
	out[6] = HADD_S(in[4], in[5]);
	out[7] = RHADD_U(in[4], in[5]) + MULHI_S(in[6], in[7]) + MULHI_U(in[6], in[7]);
}
HD void case_minmax(const uint32_t *in, uint32_t *out)
{
	int32_t a = (int32_t)in[0], b = (int32_t)in[1], c = (int32_t)in[2], d;
	int64_t A = (int64_t)u64_of(in, 3), B = (int64_t)u64_of(in, 5);
	d = a < b ? a : b;
	out[0] = (uint32_t)(d < c ? d : c);
	d = a > b ? a : b;
	out[1] = (uint32_t)(d > c ? d : c);
	d = (int32_t)((uint32_t)a + (uint32_t)b);
	out[2] = (uint32_t)(d > c ? d : c);
	out[3] = (uint32_t)(d < 0 ? 0 : d > 255 ? 255 : d);
	put64(out, 4, (uint64_t)(A < B ? A : B));
	out[6] = in[0] > in[1] ? in[0] : in[1];
	out[7] = (uint32_t)(a < 0 ? 0 - (uint32_t)a : (uint32_t)a) + (in[1] < in[2]) * 5 + (b == c) + (A > B && a < b);
}
/* a switch with many arms becomes a jump table */
HD void case_switch(const uint32_t *in, uint32_t *out)
{
	for (int i = 0; i < 8; i++) {
		uint32_t v = in[i], r = in[(i + 1) & 7];
		switch (v % 13) {
		case 0:
			r += v;
			break;
		case 1:
			r ^= v >> 3;
			break;
		case 2:
			r *= v | 1;
			break;
		case 3:
			r = r << (v & 7) | r >> (31 - (v & 7));
			break;
		case 4:
			r -= v * 3;
			break;
		case 5:
			r |= v;
			break;
		case 6:
			r &= ~v;
			break;
		case 7:
			r = r / (v | 1);
			break;
		case 8:
			r = POPC(r) * v;
			break;
		case 9:
			r = ~r;
			break;
		case 10:
			r = (uint32_t)((int32_t)r >> 5) + 99;
			break;
		case 11:
			r = r % 1000 + v;
			break;
		default:
			r = v;
			break;
		}
		out[i] = r;
	}
}
HDCALL uint32_t gcd(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t t = a % b;
		a = b;
		b = t;
	}
	return a;
}
HDCALL uint32_t ackermann(uint32_t m, uint32_t n)
{
	if (m == 0)
		return n + 1;
	if (n == 0)
		return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}
HDCALL uint32_t op_add(uint32_t a, uint32_t b)
{
	return a + b;
}
HDCALL uint32_t op_rot(uint32_t a, uint32_t b)
{
	return a << (b & 31) | a >> (-b & 31);
}
HDCALL uint32_t op_mix(uint32_t a, uint32_t b)
{
	return a * 0x9e3779b9u ^ b;
}
HD void case_calls(const uint32_t *in, uint32_t *out)
{
	out[0] = gcd(in[0], in[1]);
	out[1] = ackermann(in[2] & 1, in[3] & 3);
	out[2] = in[4] & 1 ? gcd(in[4], 360) : in[5];
	uint32_t v = in[6];
	for (int i = 0; i < 5; i++) {
		uint32_t (*f)(uint32_t, uint32_t) = in[i] % 3 == 0 ? op_add : in[i] % 3 == 1 ? op_rot : op_mix;
		v = f(v, in[i]);
		out[3 + i] = v;
	}
}
/* bytes and halves in an array, indexed at run time: local memory and sub-word accesses */
HD void case_local(const uint32_t *in, uint32_t *out)
{
	uint8_t b[32];
	int16_t h[16];
	for (int i = 0; i < 32; i++)
		b[i] = (uint8_t)(in[i & 7] >> (i >> 3) * 8);
	for (int i = 0; i < 16; i++)
		h[i] = (int16_t)((uint32_t)b[(in[i & 7] + (uint32_t)i) & 31] * 257 - b[i]);
	for (int i = 0; i < 8; i++) {
		uint32_t k = in[i] & 31;
		out[i] = b[k] | (uint32_t)(int32_t)h[k & 15] << 4;
		b[(k * 7) & 31] ^= (uint8_t)i;
	}
}
/* predicates: many conditions alive at once */
HD void case_logic(const uint32_t *in, uint32_t *out)
{
	int p = in[0]<in[1], q = (int32_t)in[2]>(int32_t) in[3], r = in[4] == in[5], s = (in[6] & 64) != 0,
	    t = in[7] > 1000, u = (in[0] & 3) == 2, v = in[1] & 1, w = (int32_t)in[4]<0, x = (in[3] & 0xff)> 77;
	out[0] = (p && q) || (r && !s) || (t ^ u) ? in[0] : in[1];
	out[1] = (p ^ q ^ r ^ s) ? 1 : 2;
	out[2] = (p && q && s) || (v && w) ? in[2] + 5 : in[3];
	out[3] = (uint32_t)(p + q * 2 + r * 4 + s * 8 + t * 16 + u * 32 + v * 64 + w * 128 + x * 256);
	if (p && (q || t) && !w)
		out[4] = in[4] / (in[5] | 1);
	else if (v != x)
		out[4] = in[5] * 3;
	else
		out[4] = 7;
	out[5] = (x ? (v ? (w ? 1u : 2u) : 3u) : (u ? 4u : 5u)) + (s ? in[6] : 0);
	out[6] = (in[0] == 0) | (in[1] != 0) << 1 | ((in[2] & in[3]) == 0) << 2;
	out[7] = !p && !q ? ~in[7] : p && q ? 0 - in[7] : in[7];
}

#define CASES(X)                                                                                                       \
	X(div32)                                                                                                       \
	X(div64) X(arith64) X(mul128) X(bits) X(funnel) X(dot) X(video) X(minmax) X(switch) X(calls) X(local) X(logic)
#endif
