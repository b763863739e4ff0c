// SPDX-License-Identifier: Apache-2.0
/* cuda_device.h -- names for the programs of cuda_fuzz, on the device; cuda_host.h has the same names for the
 * reference. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define OWN __device__
typedef unsigned u32;
typedef unsigned long long u64;

#define popc(x)         ((u32)__popc(x))
#define clz(x)          ((u32)__clz((int)(x)))
#define ffs1(x)         ((u32)__ffs((int)(x)))
#define brev(x)         ((u32)__brev(x))
#define popcl(x)        ((u32)__popcll(x))
#define clzl(x)         ((u32)__clzll((long long)(x)))
#define mulhi(x, y)     ((u32)__umulhi(x, y))
#define smulhi(x, y)    ((u32)__mulhi((int)(x), (int)(y)))
#define mulhil(x, y)    ((u64)__umul64hi(x, y))
#define perm(x, y, s)   ((u32)__byte_perm(x, y, s))
#define fshl(x, y, n)   ((u32)__funnelshift_l(x, y, n))
#define fshrc(x, y, n)  ((u32)__funnelshift_rc(x, y, n))
#define sad(x, y, z)    ((u32)__sad((int)(x), (int)(y), z))
#define usad(x, y, z)   ((u32)__usad(x, y, z))
#define dp4a(x, y, z)   ((u32)__dp4a((int)(x), (int)(y), (int)(z)))
#define udp4a(x, y, z)  ((u32)__dp4a((u32)(x), (u32)(y), (u32)(z)))
#define absdiff4(x, y)  ((u32)__vabsdiffu4(x, y))
#define sabsdiff4(x, y) ((u32)__vabsdiffs4(x, y))
#define add2(x, y)      ((u32)__vadd2(x, y))
#define addss2(x, y)    ((u32)__vaddss2(x, y))
#define subus4(x, y)    ((u32)__vsubus4(x, y))
#define maxs2(x, y)     ((u32)__vmaxs2(x, y))
#define minu4(x, y)     ((u32)__vminu4(x, y))
#define cmplts4(x, y)   ((u32)__vcmplts4(x, y))
#define fadd_rd(x, y)   __fadd_rd(x, y)
#define fadd_ru(x, y)   __fadd_ru(x, y)
#define fmul_rz(x, y)   __fmul_rz(x, y)
#define fdiv_ru(x, y)   __fdiv_ru(x, y)
#define fsqrt_rd(x)     __fsqrt_rd(x)
#define dadd_ru(x, y)   __dadd_ru(x, y)
#define dmul_rd(x, y)   __dmul_rd(x, y)
#define ftoi(x)         ((u32)__float2int_rz(x))
#define ftou(x)         ((u32)__float2uint_rn(x))
#define dtol(x)         ((u64)__double2ll_rn(x))
#define itof(x)         __int2float_rz((int)(x))
#define ltod(x)         __ll2double_rn((long long)(x))
#define bits(x)         __float_as_uint(x)
#define hadd(x, y)      __half_as_ushort(__hadd_rn(__ushort_as_half(x), __ushort_as_half(y)))
#define hmul(x, y)      __half_as_ushort(__hmul_rn(__ushort_as_half(x), __ushort_as_half(y)))
#define hfma(x, y, z)   __half_as_ushort(__hfma(__ushort_as_half(x), __ushort_as_half(y), __ushort_as_half(z)))
#define hlt(x, y)       ((u32)__hlt(__ushort_as_half(x), __ushort_as_half(y)))
#define htof(x)         __half2float(__ushort_as_half(x))
#define ftoh(x)         __half_as_ushort(__float2half_rn(x))
#define btof(x)         __bfloat162float(__ushort_as_bfloat16(x))
#define ftob(x)         __bfloat16_as_ushort(__float2bfloat16_rn(x))
static __device__ inline unsigned half2_add(unsigned x, unsigned y)
{
	__half2 s = __hadd2_rn(*(__half2 *)&x, *(__half2 *)&y);
	return *(unsigned *)&s;
}

/* ---- collectives: every lane of `m` makes the call ---- */
#if __CUDA_ARCH__ >= 800
#define red_add(m, x) __reduce_add_sync(m, x)
#define red_min(m, x) ((u32)__reduce_min_sync(m, (int)(x)))
#define red_max(m, x) __reduce_max_sync(m, x)
#define red_xor(m, x) __reduce_xor_sync(m, x)
#else
#define FOLD(name, type, expr)                                                                                         \
	static __device__ u32 name(u32 m, u32 v)                                                                       \
	{                                                                                                              \
		type a = 0;                                                                                            \
		for (u32 left = m; left; left &= left - 1) {                                                           \
			type b = (type)__shfl_sync(m, v, __ffs((int)left) - 1);                                        \
			a = left == m ? b : (expr);                                                                    \
		}                                                                                                      \
		return (u32)a;                                                                                         \
	}
FOLD(red_add, u32, a + b)
FOLD(red_min, int, a < b ? a : b)
FOLD(red_max, u32, a > b ? a : b)
FOLD(red_xor, u32, a ^ b)
#endif
#define first_of(m, x) __shfl_sync(m, x, __ffs((int)(m)) - 1)

/* ---- atomics on halves: adds only ones; the sum does not depend on the order even with rounding ---- */
static __device__ void atomic_h2(unsigned *p, unsigned k)
{
	atomicAdd((__half2 *)p, __halves2half2(__uint2half_rn(k & 1), __uint2half_rn(k >> 1 & 1)));
}
static __device__ void atomic_b2(unsigned *p, unsigned k)
{
	atomicAdd((__nv_bfloat162 *)p, __halves2bfloat162(__uint2bfloat16_rn(k & 1), __uint2bfloat16_rn(k >> 1 & 1)));
}
static __device__ u32 cas_max(u32 *p, u32 v) /* as atomicMax, by hand */
{
	u32 old = *(volatile u32 *)p, seen;
	while (old < v && (seen = atomicCAS(p, old, v)) != old)
		old = seen;
	return old;
}
