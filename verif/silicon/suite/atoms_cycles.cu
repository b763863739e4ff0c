// SPDX-License-Identifier: Apache-2.0
// Cycles per warp instruction of shared / remote-shared / global atomics and reductions by conflict
// degree, of compare-and-swap loops, mbarrier operations and warp collectives.
// usage: atoms_cycles OUTDIR [section]  section: shared | cluster | global | vector | loops | mbar | coll | base | all
//
// mode lat : every operation takes the value returned by the one before it (dependent chain; operations with a
//            non-zero operand - floating point, add.u64, xor.b64, loops - have one extra logic instruction in the
//            chain)
// mode tput: 16 independent operations in flight per warp
// Conflict degree d: the 32 lanes form 32/d groups of d lanes.
//   pattern addr : the d lanes of a group use one word, groups use neighbouring words
//   pattern bank : the d lanes of a group use d different words of one bank
//   pattern priv : as addr, but every warp has words of its own
//   global adds  stride : every lane its own word, d words apart
#include "sil.h"

struct u64x2 {
	u64 x, y;
};
struct v2w {
	u32 a[2];
};
struct v4w {
	u32 a[4];
};
struct v8h {
	u16 a[8];
};
__device__ static inline u32 fold(u16 x)
{
	return x;
}
__device__ static inline u32 fold(u32 x)
{
	return x;
}
__device__ static inline u32 fold(u64 x)
{
	return (u32)x ^ (u32)(x >> 32);
}
__device__ static inline u32 fold(const u64x2 &v)
{
	return fold(v.x) ^ fold(v.y);
}
__device__ static inline u32 fold(const v2w &v)
{
	return v.a[0] ^ v.a[1];
}
__device__ static inline u32 fold(const v4w &v)
{
	return v.a[0] ^ v.a[1] ^ v.a[2] ^ v.a[3];
}
__device__ static inline u32 fold(const v8h &v)
{
	u32 r = 0;
	for (int i = 0; i < 8; i++)
		r ^= v.a[i];
	return r;
}

#define SCALARS(X)                                                                                                     \
	X(add_u32, "add.u32", u32, "r", 4, 0, 0)                                                                       \
	X(add_u64, "add.u64", u64, "l", 8, 1, ~1ull)                                                                   \
	X(add_f32, "add.f32", u32, "r", 4, 0x3f800000u,                                                                \
	  0x80000000u) X(add_f64, "add.f64", u64, "l", 8, 0x3ff0000000000000ull,                                       \
	                 0x8000000000000000ull) X(add_f16, "add.noftz.f16", u16, "h", 2, 0x3c00u, 0x8000u)             \
	        X(add_bf16, "add.noftz.bf16", u16, "h", 2, 0x3f80u,                                                    \
	          0x8000u) X(add_f16x2, "add.noftz.f16x2", u32, "r", 4, 0x3c003c00u,                                   \
	                     0x80008000u) X(add_bf16x2, "add.noftz.bf16x2", u32, "r", 4, 0x3f803f80u, 0x80008000u)     \
	                X(inc_u32, "inc.u32", u32, "r", 4, 0, 0) X(dec_u32, "dec.u32", u32, "r", 4, 0, 0) X(           \
	                        min_u32, "min.u32", u32, "r", 4, 0, 0) X(min_s32, "min.s32", u32, "r", 4, 0,           \
	                                                                 0) X(min_u64, "min.u64", u64, "l", 8, 0, 0)   \
	                        X(min_s64, "min.s64", u64, "l", 8, 0, 0) X(max_u32, "max.u32", u32, "r", 4, 0, 0)      \
	                                X(max_s32, "max.s32", u32, "r", 4, 0,                                          \
	                                  0) X(max_u64, "max.u64", u64, "l", 8, 0,                                     \
	                                       0) X(max_s64, "max.s64", u64, "l", 8, 0,                                \
	                                            0) X(and_b32, "and.b32", u32, "r", 4, 0,                           \
	                                                 0) X(and_b64, "and.b64", u64, "l", 8, 0, 0)                   \
	                                        X(or_b32, "or.b32", u32, "r", 4, 0, 0)                                 \
	                                                X(or_b64, "or.b64", u64, "l", 8, 0, 0)                         \
	                                                        X(xor_b32, "xor.b32", u32, "r", 4, 0, 0)               \
	                                                                X(xor_b64, "xor.b64", u64, "l", 8, 1, 2)
#define EXCHS(X) X(exch_b32, "exch.b32", u32, "r", 4, 0, 0) X(exch_b64, "exch.b64", u64, "l", 8, 0, 0)
#define CASES(X)                                                                                                       \
	X(cas_b16, "cas.b16", u16, "h", 2, 0, 0)                                                                       \
	X(cas_b32, "cas.b32", u32, "r", 4, 0, 0) X(cas_b64, "cas.b64", u64, "l", 8, 0, 0)

#define SPS "relaxed.cta.shared::cta."
#define SPC "relaxed.cluster.shared::cluster."
#define SPG "relaxed.gpu.global."
#define DRMW1(id, sfx, sp, AT, AC, ptx, CT, C, es_, ONE, SGN)                                                          \
	struct id##sfx {                                                                                               \
		typedef CT T;                                                                                          \
		typedef AT A;                                                                                          \
		static const int es = es_;                                                                             \
		static const bool ret = true;                                                                          \
		static const u64 one = ONE, sgn = SGN;                                                                 \
		static __device__ __forceinline__ T ap(A a, T b, T)                                                    \
		{                                                                                                      \
			T x;                                                                                           \
			asm volatile("atom." sp ptx " %0,[%1],%2;" : "=" C(x) : AC(a), C(b) : "memory");               \
			return x;                                                                                      \
		}                                                                                                      \
	};
#define DRED1(id, sfx, sp, AT, AC, ptx, CT, C, es_, ONE, SGN)                                                          \
	struct id##sfx {                                                                                               \
		typedef CT T;                                                                                          \
		typedef AT A;                                                                                          \
		static const int es = es_;                                                                             \
		static const bool ret = false;                                                                         \
		static const u64 one = ONE, sgn = SGN;                                                                 \
		static __device__ __forceinline__ T ap(A a, T b, T)                                                    \
		{                                                                                                      \
			asm volatile("red." sp ptx " [%0],%1;" ::AC(a), C(b) : "memory");                              \
			return b;                                                                                      \
		}                                                                                                      \
	};
#define DCAS1(id, sfx, sp, AT, AC, ptx, CT, C, es_, ONE, SGN)                                                          \
	struct id##sfx {                                                                                               \
		typedef CT T;                                                                                          \
		typedef AT A;                                                                                          \
		static const int es = es_;                                                                             \
		static const bool ret = true;                                                                          \
		static const u64 one = ONE, sgn = SGN;                                                                 \
		static __device__ __forceinline__ T ap(A a, T b, T c)                                                  \
		{                                                                                                      \
			T x;                                                                                           \
			asm volatile("atom." sp ptx " %0,[%1],%2,%3;" : "=" C(x) : AC(a), C(b), C(c) : "memory");      \
			return x;                                                                                      \
		}                                                                                                      \
	};
#define DRMW(id, ptx, CT, C, es, ONE, SGN)                                                                             \
	DRMW1(id, _s, SPS, u32, "r", ptx, CT, C, es, ONE, SGN)                                                         \
	DRMW1(id, _c, SPC, u32, "r", ptx, CT, C, es, ONE, SGN) DRMW1(id, _g, SPG, u64, "l", ptx, CT, C, es, ONE, SGN)
#define DRED(id, ptx, CT, C, es, ONE, SGN)                                                                             \
	DRED1(id, _rs, SPS, u32, "r", ptx, CT, C, es, ONE, SGN)                                                        \
	DRED1(id, _rc, SPC, u32, "r", ptx, CT, C, es, ONE, SGN) DRED1(id, _rg, SPG, u64, "l", ptx, CT, C, es, ONE, SGN)
#define DCAS(id, ptx, CT, C, es, ONE, SGN)                                                                             \
	DCAS1(id, _s, SPS, u32, "r", ptx, CT, C, es, ONE, SGN)                                                         \
	DCAS1(id, _c, SPC, u32, "r", ptx, CT, C, es, ONE, SGN) DCAS1(id, _g, SPG, u64, "l", ptx, CT, C, es, ONE, SGN)
SCALARS(DRMW)
EXCHS(DRMW)
SCALARS(DRED) CASES(DCAS)
#define D128(sfx, sp, AT, AC)                                                                                          \
	struct exch_b128##sfx {                                                                                        \
		typedef u64x2 T;                                                                                       \
		typedef AT A;                                                                                          \
		static const int es = 16;                                                                              \
		static const bool ret = true;                                                                          \
		static const u64 one = 0, sgn = 0;                                                                     \
		static __device__ __forceinline__ T ap(A a, T b, T)                                                    \
		{                                                                                                      \
			T x;                                                                                           \
			asm volatile("{ .reg .b128 p,q; mov.b128 p,{%3,%4}; atom." sp                                  \
			             "exch.b128 q,[%2],p; mov.b128 {%0,%1},q; }"                                       \
			             : "=l"(x.x), "=l"(x.y)                                                            \
			             : AC(a), "l"(b.x), "l"(b.y)                                                       \
			             : "memory");                                                                      \
			return x;                                                                                      \
		}                                                                                                      \
	};                                                                                                             \
	struct cas_b128##sfx {                                                                                         \
		typedef u64x2 T;                                                                                       \
		typedef AT A;                                                                                          \
		static const int es = 16;                                                                              \
		static const bool ret = true;                                                                          \
		static const u64 one = 0, sgn = 0;                                                                     \
		static __device__ __forceinline__ T ap(A a, T b, T c)                                                  \
		{                                                                                                      \
			T x;                                                                                           \
			asm volatile("{ .reg .b128 p,q,r; mov.b128 p,{%3,%4}; mov.b128 r,{%5,%6}; atom." sp            \
			             "cas.b128 q,[%2],p,r; mov.b128 {%0,%1},q; }"                                      \
			             : "=l"(x.x), "=l"(x.y)                                                            \
			             : AC(a), "l"(b.x), "l"(b.y), "l"(c.x), "l"(c.y)                                   \
			             : "memory");                                                                      \
			return x;                                                                                      \
		}                                                                                                      \
	};
        D128(_s, SPS, u32, "r") D128(_c, SPC, u32, "r") D128(_g, SPG, u64, "l")

// constant operand forms (the compiler may pick a counting instruction for these)
#define DCONST(id, sp, AT, AC)                                                                                         \
	struct id {                                                                                                    \
		typedef u32 T;                                                                                         \
		typedef AT A;                                                                                          \
		static const int es = 4;                                                                               \
		static const bool ret = false;                                                                         \
		static const u64 one = 0, sgn = 0;                                                                     \
		static __device__ __forceinline__ T ap(A a, T b, T)                                                    \
		{                                                                                                      \
			asm volatile("red." sp "add.u32 [%0],1;" ::AC(a) : "memory");                                  \
			return b;                                                                                      \
		}                                                                                                      \
	};                                                                                                             \
	struct id##_atom {                                                                                             \
		typedef u32 T;                                                                                         \
		typedef AT A;                                                                                          \
		static const int es = 4;                                                                               \
		static const bool ret = true;                                                                          \
		static const u64 one = 0, sgn = 0;                                                                     \
		static __device__ __forceinline__ T ap(A a, T b, T)                                                    \
		{                                                                                                      \
			T x;                                                                                           \
			asm volatile("atom." sp "add.u32 %0,[%1],1;" : "=r"(x) : AC(a) : "memory");                    \
			return x;                                                                                      \
		}                                                                                                      \
	};
                DCONST(add_one_s, SPS, u32, "r") DCONST(add_one_c, SPC, u32, "r") DCONST(add_one_g, SPG, u64, "l")
        // compare that never matches
        struct cas_fail_s {
	typedef u32 T;
	typedef u32 A;
	static const int es = 4;
	static const bool ret = true;
	static const u64 one = 0, sgn = 0;
	static __device__ __forceinline__ T ap(A a, T b, T c)
	{
		T x;
		asm volatile("atom." SPS "cas.b32 %0,[%1],%2,%3;"
		             : "=r"(x)
		             : "r"(a), "r"(b | 0x80000000u), "r"(c)
		             : "memory");
		return x;
	}
};

// ------------------------------------------------------------ compare-and-swap loops on shared memory
__device__ static inline u32 ldv(u32 a)
{
	u32 x;
	asm volatile("ld.volatile.shared::cta.u32 %0,[%1];" : "=r"(x) : "r"(a) : "memory");
	return x;
}
__device__ static inline u64 ldv64(u32 a)
{
	u64 x;
	asm volatile("ld.volatile.shared::cta.u64 %0,[%1];" : "=l"(x) : "r"(a) : "memory");
	return x;
}
__device__ static inline void stv(u32 a, u32 v)
{
	asm volatile("st.volatile.shared::cta.u32 [%0],%1;" ::"r"(a), "r"(v) : "memory");
}
__device__ static inline u32 cas32(u32 a, u32 b, u32 c)
{
	return cas_b32_s::ap(a, b, c);
}
__device__ static inline u32 hadd2(u32 a, u32 b)
{
	u32 r;
	asm("add.rn.f16x2 %0,%1,%2;" : "=r"(r) : "r"(a), "r"(b));
	return r;
}
#define LOOPF(id, CT, es_, ONE, SGN, ...)                                                                              \
	struct id {                                                                                                    \
		typedef CT T;                                                                                          \
		typedef u32 A;                                                                                         \
		static const int es = es_;                                                                             \
		static const bool ret = true;                                                                          \
		static const u64 one = ONE, sgn = SGN;                                                                 \
		static __device__ __forceinline__ T ap(A a, T b, T)                                                    \
		{                                                                                                      \
			__VA_ARGS__                                                                                    \
		}                                                                                                      \
	};
// keeps the value the failed compare returned
LOOPF(
        loop_cas_f32, u32, 4, 0x3f800000u, 0x80000000u, u32 o = ldv(a), s; do {
	        s = o;
	        o = cas32(a, s, __float_as_uint(__uint_as_float(s) + __uint_as_float(b)));
        } while (o != s);
        return o;)
// reloads after a failure and looks only at success
LOOPF(
        loop_casreload_f32, u32, 4, 0x3f800000u, 0x80000000u, u32 o; bool ok; do {
	        o = ldv(a);
	        ok = cas32(a, o, __float_as_uint(__uint_as_float(o) + __uint_as_float(b))) == o;
        } while (!ok);
        return o;)
LOOPF(
        loop_cas_f16x2, u32, 4, 0x3c003c00u, 0x80008000u, u32 o = ldv(a), s; do {
	        s = o;
	        o = cas32(a, s, hadd2(s, b));
        } while (o != s);
        return o;)
LOOPF(
        loop_casreload_f16x2, u32, 4, 0x3c003c00u, 0x80008000u, u32 o; bool ok; do {
	        o = ldv(a);
	        ok = cas32(a, o, hadd2(o, b)) == o;
        } while (!ok);
        return o;)
LOOPF(
        loop_cas_f64, u64, 8, 0x3ff0000000000000ull, 0x8000000000000000ull, u64 o = ldv64(a); u64 s; do {
	        s = o;
	        o = cas_b64_s::ap(a, s,
	                          (u64)__double_as_longlong(__longlong_as_double((long long)s) +
	                                                    __longlong_as_double((long long)b)));
        } while (o != s);
        return o;)
LOOPF(
        loop_cas_maxf32, u32, 4, 0x3f800000u, 0x80000000u, u32 o = ldv(a), s; do {
	        s = o;
	        o = cas32(a, s, __float_as_uint(fmaxf(__uint_as_float(s), __uint_as_float(b))));
        } while (o != s);
        return o;)
LOOPF(
        loop_cas_u32, u32, 4, 1, 0xfffffffeu, u32 o = ldv(a), s; do {
	        s = o;
	        o = cas32(a, s, s + b);
        } while (o != s);
        return o;)
// the compiler's own expansions of the same work
LOOPF(ptx_add_f32, u32, 4, 0x3f800000u, 0x80000000u, return add_f32_s::ap(a, b, b);)
LOOPF(ptx_add_f16x2, u32, 4, 0x3c003c00u, 0x80008000u, return add_f16x2_s::ap(a, b, b);)
LOOPF(ptx_add_f64, u64, 8, 0x3ff0000000000000ull, 0x8000000000000000ull, return add_f64_s::ap(a, b, b);)
// lock word right after the data, test-and-set with compare-and-swap, data updated inside
LOOPF(
        lock_cas, u32, 4, 1, 0xfffffffeu, u32 L = a + 16384; u32 v = 0; bool done = false; while (!done) {
	        if (cas32(L, 0, 1) == 0) {
		        __threadfence_block();
		        v = ldv(a);
		        stv(a, v + b);
		        __threadfence_block();
		        stv(L, 0);
		        done = true;
	        }
        } return v;)
LOOPF(
        lock_exch, u32, 4, 1, 0xfffffffeu, u32 L = a + 16384; u32 v = 0; bool done = false; while (!done) {
	        if (exch_b32_s::ap(L, 1, 0) == 0) {
		        __threadfence_block();
		        v = ldv(a);
		        stv(a, v + b);
		        __threadfence_block();
		        stv(L, 0);
		        done = true;
	        }
        } return v;)

// ------------------------------------------------------------ plain accesses for comparison
struct lds32 {
	typedef u32 T;
	typedef u32 A;
	static const int es = 4;
	static const bool ret = true;
	static const u64 one = 0, sgn = 0;
	static __device__ __forceinline__ T ap(A a, T b, T)
	{
		u32 x;
		asm volatile("ld.volatile.shared::cta.u32 %0,[%1];" : "=r"(x) : "r"(a + b) : "memory");
		return x;
	}
};
struct lds64 {
	typedef u64 T;
	typedef u32 A;
	static const int es = 8;
	static const bool ret = true;
	static const u64 one = 0, sgn = 0;
	static __device__ __forceinline__ T ap(A a, T b, T)
	{
		u64 x;
		asm volatile("ld.volatile.shared::cta.u64 %0,[%1];" : "=l"(x) : "r"(a + (u32)b) : "memory");
		return x;
	}
};
struct lds128 {
	typedef u64x2 T;
	typedef u32 A;
	static const int es = 16;
	static const bool ret = true;
	static const u64 one = 0, sgn = 0;
	static __device__ __forceinline__ T ap(A a, T b, T)
	{
		T x;
		asm volatile("ld.volatile.shared::cta.v2.u64 {%0,%1},[%2];"
		             : "=l"(x.x), "=l"(x.y)
		             : "r"(a + (u32)b.x)
		             : "memory");
		return x;
	}
};
struct sts32 {
	typedef u32 T;
	typedef u32 A;
	static const int es = 4;
	static const bool ret = false;
	static const u64 one = 0, sgn = 0;
	static __device__ __forceinline__ T ap(A a, T b, T)
	{
		asm volatile("st.volatile.shared::cta.u32 [%0],%1;" ::"r"(a), "r"(b) : "memory");
		return b;
	}
};
struct ldc32 {
	typedef u32 T;
	typedef u32 A;
	static const int es = 4;
	static const bool ret = true;
	static const u64 one = 0, sgn = 0;
	static __device__ __forceinline__ T ap(A a, T b, T)
	{
		u32 x;
		asm volatile("ld.relaxed.cluster.shared::cluster.u32 %0,[%1];" : "=r"(x) : "r"(a + b) : "memory");
		return x;
	}
};
struct stc32 {
	typedef u32 T;
	typedef u32 A;
	static const int es = 4;
	static const bool ret = false;
	static const u64 one = 0, sgn = 0;
	static __device__ __forceinline__ T ap(A a, T b, T)
	{
		asm volatile("st.relaxed.cluster.shared::cluster.u32 [%0],%1;" ::"r"(a), "r"(b) : "memory");
		return b;
	}
};
struct ldg32 {
	typedef u32 T;
	typedef u64 A;
	static const int es = 4;
	static const bool ret = true;
	static const u64 one = 0, sgn = 0;
	static __device__ __forceinline__ T ap(A a, T b, T)
	{
		u32 x;
		asm volatile("ld.relaxed.gpu.global.u32 %0,[%1];" : "=r"(x) : "l"(a + b) : "memory");
		return x;
	}
};
struct stg32 {
	typedef u32 T;
	typedef u64 A;
	static const int es = 4;
	static const bool ret = false;
	static const u64 one = 0, sgn = 0;
	static __device__ __forceinline__ T ap(A a, T b, T)
	{
		asm volatile("st.relaxed.gpu.global.u32 [%0],%1;" ::"l"(a), "r"(b) : "memory");
		return b;
	}
};
struct ldl1 {
	typedef u32 T;
	typedef u64 A;
	static const int es = 4;
	static const bool ret = true;
	static const u64 one = 0, sgn = 0;
	static __device__ __forceinline__ T ap(A a, T b, T)
	{
		u32 x;
		asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(x) : "l"(a + b) : "memory");
		return x;
	}
};

// vector forms
#define DV2(id, ptx)                                                                                                   \
	struct id {                                                                                                    \
		typedef v2w T;                                                                                         \
		typedef u64 A;                                                                                         \
		static const int es = 8;                                                                               \
		static const bool ret = true;                                                                          \
		static const u64 one = 0, sgn = 0;                                                                     \
		static __device__ __forceinline__ T ap(A a, T b, T)                                                    \
		{                                                                                                      \
			T x;                                                                                           \
			asm volatile("atom." SPG ptx " {%0,%1},[%2],{%3,%4};"                                          \
			             : "=r"(x.a[0]), "=r"(x.a[1])                                                      \
			             : "l"(a), "r"(b.a[0]), "r"(b.a[1])                                                \
			             : "memory");                                                                      \
			return x;                                                                                      \
		}                                                                                                      \
	};
#define DV4(id, ptx)                                                                                                   \
	struct id {                                                                                                    \
		typedef v4w T;                                                                                         \
		typedef u64 A;                                                                                         \
		static const int es = 16;                                                                              \
		static const bool ret = true;                                                                          \
		static const u64 one = 0, sgn = 0;                                                                     \
		static __device__ __forceinline__ T ap(A a, T b, T)                                                    \
		{                                                                                                      \
			T x;                                                                                           \
			asm volatile("atom." SPG ptx " {%0,%1,%2,%3},[%4],{%5,%6,%7,%8};"                              \
			             : "=r"(x.a[0]), "=r"(x.a[1]), "=r"(x.a[2]), "=r"(x.a[3])                          \
			             : "l"(a), "r"(b.a[0]), "r"(b.a[1]), "r"(b.a[2]), "r"(b.a[3])                      \
			             : "memory");                                                                      \
			return x;                                                                                      \
		}                                                                                                      \
	};
#define DV8(id, ptx)                                                                                                   \
	struct id {                                                                                                    \
		typedef v8h T;                                                                                         \
		typedef u64 A;                                                                                         \
		static const int es = 16;                                                                              \
		static const bool ret = true;                                                                          \
		static const u64 one = 0, sgn = 0;                                                                     \
		static __device__ __forceinline__ T ap(A a, T b, T)                                                    \
		{                                                                                                      \
			T x;                                                                                           \
			asm volatile("atom." SPG ptx                                                                   \
			             " {%0,%1,%2,%3,%4,%5,%6,%7},[%8],{%9,%10,%11,%12,%13,%14,%15,%16};"               \
			             : "=h"(x.a[0]), "=h"(x.a[1]), "=h"(x.a[2]), "=h"(x.a[3]), "=h"(x.a[4]),           \
			               "=h"(x.a[5]), "=h"(x.a[6]), "=h"(x.a[7])                                        \
			             : "l"(a), "h"(b.a[0]), "h"(b.a[1]), "h"(b.a[2]), "h"(b.a[3]), "h"(b.a[4]),        \
			               "h"(b.a[5]), "h"(b.a[6]), "h"(b.a[7])                                           \
			             : "memory");                                                                      \
			return x;                                                                                      \
		}                                                                                                      \
	};
#define DR4(id, ptx)                                                                                                   \
	struct id {                                                                                                    \
		typedef v4w T;                                                                                         \
		typedef u64 A;                                                                                         \
		static const int es = 16;                                                                              \
		static const bool ret = false;                                                                         \
		static const u64 one = 0, sgn = 0;                                                                     \
		static __device__ __forceinline__ T ap(A a, T b, T)                                                    \
		{                                                                                                      \
			asm volatile("red." SPG ptx " [%0],{%1,%2,%3,%4};" ::"l"(a), "r"(b.a[0]), "r"(b.a[1]),         \
			             "r"(b.a[2]), "r"(b.a[3])                                                          \
			             : "memory");                                                                      \
			return b;                                                                                      \
		}                                                                                                      \
	};
DV2(v2_add_f32, "add.v2.f32")
DV4(v4_add_f32, "add.v4.f32")
DV2(v2_add_f16x2, "add.noftz.v2.f16x2") DV4(v4_add_f16x2, "add.noftz.v4.f16x2")
        DV4(v4_add_bf16x2, "add.noftz.v4.bf16x2") DV4(v4_min_f16x2, "min.noftz.v4.f16x2")
                DV4(v4_max_bf16x2, "max.noftz.v4.bf16x2") DV8(v8_add_f16, "add.noftz.v8.f16")
                        DV8(v8_min_bf16, "min.noftz.v8.bf16") DR4(red_v4_add_f32, "add.v4.f32")
                                DR4(red_v4_add_f16x2, "add.noftz.v4.f16x2")

        // ------------------------------------------------------------ kernels
        static const int SMB = 33 * 1024; // 16 KB of words, 16 KB of locks
struct Par {
	int deg, pat, iters, same;
	u64 *clk;
	unsigned char *g;
	size_t gstride;
	u32 *sink;
	u64 zero;
};
enum { PADDR, PBANK, PPRIV, PSTRIDE };

__device__ static inline u32 lane_off(const Par &p, int es, int warp, int lane)
{
	u32 e = es < 4 ? 4 : es;
	u32 grp = lane / p.deg, mem = lane % p.deg;
	if (p.pat == PADDR)
		return grp * e;
	if (p.pat == PBANK)
		return (grp + mem * 32) * e;
	if (p.pat == PPRIV)
		return (warp * 32 + grp) * e;
	return lane * p.deg * e;
}
// operand that depends on the returned value without changing (one extra logic operation in the chain)
__device__ static inline u16 tie(u16 i, u16 o, u64 z)
{
	return i ^ (o & (u16)z);
}
__device__ static inline u32 tie(u32 i, u32 o, u64 z)
{
	return i ^ (o & (u32)z);
}
__device__ static inline u64 tie(u64 i, u64 o, u64 z)
{
	return i ^ (o & z);
}
template <class T> __device__ static inline T tie(const T &, const T &o, u64)
{
	return o;
}
__device__ static inline void setinit(u16 &b, u64 v)
{
	b = (u16)v;
}
__device__ static inline void setinit(u32 &b, u64 v)
{
	b = (u32)v;
}
__device__ static inline void setinit(u64 &b, u64 v)
{
	b = v;
}
template <class T> __device__ static inline void setinit(T &, u64)
{
}
template <class F, int LAT> __device__ static inline void body(const Par &p, typename F::A a)
{
	typename F::T b, c;
	memset(&b, 0, sizeof b);
	memset(&c, 0, sizeof c);
	setinit(b,
	        F::one ^
	                (threadIdx.x & 1
	                         ? F::sgn
	                         : 0)); // emulated operations need a value that changes memory, else every retry would succeed
	const typename F::T init = b;
	u32 acc = 0;
	typename F::T w = F::ap(a, b, c); // warm up
	acc ^= fold(w);
	__syncthreads();
	u64 t0 = clock64();
	if (LAT) {
#pragma unroll 1
		for (int i = 0; i < p.iters; i += 8) {
#pragma unroll
			for (int j = 0; j < 8; j++) {
				typename F::T o = F::ap(a, b, c);
				if (F::one)
					b = tie(init, o, p.zero);
				else
					b = o;
			}
		}
		acc ^= fold(b);
	} else {
#pragma unroll 1
		for (int i = 0; i < p.iters; i += 16) {
			typename F::T r[16];
#pragma unroll
			for (int j = 0; j < 16; j++)
				r[j] = F::ap(a, b, c);
#pragma unroll
			for (int j = 0; j < 16; j++)
				if (F::ret)
					acc ^= fold(r[j]);
		}
	}
	if (acc == 0xdeadbeefu)
		p.sink[0] = acc; // results are needed before the second clock read
	if (!F::ret)
		__threadfence();
	u64 t1 = clock64();
	if (acc == 0xdeadbee1u)
		p.sink[1] = acc;
	int wid = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
	if ((threadIdx.x & 31) == 0) {
		p.clk[wid * 2] = t0;
		p.clk[wid * 2 + 1] = t1;
	}
}
template <class F, int LAT> __global__ void k_s(Par p)
{
	__shared__ __align__(128) unsigned char buf[SMB];
	for (int i = threadIdx.x; i < SMB / 4; i += blockDim.x)
		((u32 *)buf)[i] = 0;
	__syncthreads();
	body<F, LAT>(p, smem_addr(buf) + lane_off(p, F::es, threadIdx.x >> 5, threadIdx.x & 31));
}
template <class F, int LAT> __global__ void __cluster_dims__(2, 1, 1) k_c(Par p)
{ // rank 0 works on rank 1; same=1: both work
	__shared__ __align__(128) unsigned char buf[SMB];
	for (int i = threadIdx.x; i < SMB / 4; i += blockDim.x)
		((u32 *)buf)[i] = 0;
	cluster_sync_all();
	u32 r = cluster_rank();
	if (r == 0 || p.same)
		body<F, LAT>(p, mapa32(smem_addr(buf), r ^ 1) + lane_off(p, F::es, threadIdx.x >> 5, threadIdx.x & 31));
	cluster_sync_all();
}
template <class F, int LAT> __global__ void k_g(Par p)
{
	unsigned char *base = p.g + (p.same ? 0 : (size_t)blockIdx.x * p.gstride);
	body<F, LAT>(p, (u64)__cvta_generic_to_global(base) + lane_off(p, F::es, threadIdx.x >> 5, threadIdx.x & 31));
}

static FILE *fo;
static u64 *dclk;
static unsigned char *dg;
static u32 *dsink;
static int NSM;
static const size_t GS = 256 * 1024;
static std::vector<u64> hclk;
static const char *pname[] = {"addr", "bank", "priv", "stride"};

typedef void (*KF)(Par);
static void measure(const char *space, const char *op, bool lat, KF k, int sp, int W, int blocks, int pat, int deg,
                    int iters, int same)
{
	Par p = {deg, pat, iters, same, dclk, dg, GS, dsink, 0};
	double best = 1e30;
	for (int rep = 0; rep < 4; rep++) {
		if (sp == 2)
			CK(cudaMemset(dg, 0, same ? GS : GS * (size_t)blocks));
		k<<<sp == 1 ? 2 : blocks, W * 32>>>(p);
		CK(cudaGetLastError());
		CK(cudaDeviceSynchronize());
		int nb = sp == 1 ? (same ? 2 : 1) : blocks;
		CK(cudaMemcpy(hclk.data(), dclk, (size_t)nb * W * 16, cudaMemcpyDeviceToHost));
		double worst = 0;
		for (int b = 0; b < nb; b++) {
			u64 lo = ~0ull, hi = 0;
			for (int w = 0; w < W; w++) {
				lo = std::min(lo, hclk[(b * W + w) * 2]);
				hi = std::max(hi, hclk[(b * W + w) * 2 + 1]);
			}
			worst = std::max(worst, (double)(hi - lo));
		}
		best = std::min(best, worst);
	}
	double per = best / ((double)iters * W);
	fprintf(fo, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%.3f\t%.3f\t%.4f\n", space, op, lat ? "lat" : "tput", pname[pat],
	        deg, W, blocks, same, best / iters, per, 32.0 / per);
}

template <class F> static void shared_op(const char *nm, int it = 128)
{
	for (int pat : {PADDR, PBANK, PPRIV})
		for (int d : {1, 2, 4, 8, 16, 32})
			for (int W : {1, 4, 32}) {
				if (pat == PPRIV && W == 1)
					continue;
				if (F::ret)
					measure("shared", nm, true, k_s<F, 1>, 0, W, 1, pat, d, it, 0);
				measure("shared", nm, false, k_s<F, 0>, 0, W, 1, pat, d, it, 0);
			}
	printf("shared %s\n", nm);
	fflush(stdout);
}
template <class F> static void cluster_op(const char *nm)
{
	for (int pat : {PADDR, PBANK})
		for (int d : {1, 4, 32})
			for (int W : {1, 32})
				for (int both = 0; both < 2; both++) {
					if (F::ret && !both)
						measure("cluster", nm, true, k_c<F, 1>, 1, W, 2, pat, d, 64, both);
					measure("cluster", nm, false, k_c<F, 0>, 1, W, 2, pat, d, 64, both);
				}
	printf("cluster %s\n", nm);
	fflush(stdout);
}
template <class F> static void global_op(const char *nm)
{
	for (int pat : {PADDR, PSTRIDE})
		for (int d : {1, 2, 4, 8, 16, 32}) {
			if (F::ret)
				measure("global", nm, true, k_g<F, 1>, 2, 1, 1, pat, d, 64, 0);
			measure("global", nm, false, k_g<F, 0>, 2, 1, 1, pat, d, 64, 0);
			measure("global", nm, false, k_g<F, 0>, 2, 32, 1, pat, d, 64, 0);
			if (d == 1 || d == 32) {
				measure("global", nm, false, k_g<F, 0>, 2, 32, NSM, pat, d, 32, 0);
				if (pat == PADDR)
					measure("global", nm, false, k_g<F, 0>, 2, 32, NSM, pat, d, 32, 1);
			}
		}
	printf("global %s\n", nm);
	fflush(stdout);
}

// ------------------------------------------------------------ mbarrier operations and collectives (no conflict
// patterns of words) deg: lanes of a warp that share one barrier object / one value
enum {
	MB_ARRIVE,
	MB_ARRIVE_N,
	MB_ARRTX,
	MB_EXPECT,
	MB_COMPLETE,
	MB_TEST,
	MB_TRY,
	MB_REMOTE,
	MB_INIT,
	MB_DROPNC,
	MB_PENDING,
	C_BALLOT,
	C_ALL,
	C_MATCHANY32,
	C_MATCHANY64,
	C_MATCHALL32,
	C_MATCHALL64,
	C_SHFL_IDX,
	C_SHFL_BFLY,
	C_SHFL_UP,
	C_REDUX_ADD,
	C_REDUX_MIN,
	C_REDUX_AND,
	C_REDUX_XOR,
	C_ELECT,
	C_ACTIVE,
	C_WARPSYNC,
	C_LOP,
	C_IADD,
	C_POPC,
	C_FFS,
	X_NUM
};
static const char *xn[X_NUM] = {"mbarrier.arrive",
                                "mbarrier.arrive_n",
                                "mbarrier.arrive.expect_tx",
                                "mbarrier.expect_tx",
                                "mbarrier.complete_tx",
                                "mbarrier.test_wait.parity(done)",
                                "mbarrier.try_wait.parity(done)",
                                "mbarrier.arrive.remote_form_self",
                                "mbarrier.init",
                                "mbarrier.arrive.noComplete",
                                "mbarrier.pending_count",
                                "vote.ballot",
                                "vote.all",
                                "match.any.b32",
                                "match.any.b64",
                                "match.all.b32",
                                "match.all.b64",
                                "shfl.idx",
                                "shfl.bfly",
                                "shfl.up",
                                "redux.add.s32",
                                "redux.min.s32",
                                "redux.and.b32",
                                "redux.xor.b32",
                                "elect",
                                "activemask",
                                "bar.warp.sync",
                                "lop3(baseline)",
                                "iadd(baseline)",
                                "popc(baseline)",
                                "brev+flo(baseline)"};
template <int K> __device__ static __forceinline__ u32 xop(u32 a, u32 v)
{
	u32 r = v;
	u64 t;
	const u32 M = 0xFFFFFFFFu;
	switch (K) {
	case MB_ARRIVE:
		asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0,[%1];" : "=l"(t) : "r"(a) : "memory");
		r = (u32)t;
		break;
	case MB_ARRIVE_N:
		asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0,[%1],%2;"
		             : "=l"(t)
		             : "r"(a), "r"(2)
		             : "memory");
		r = (u32)t;
		break;
	case MB_ARRTX:
		asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0,[%1],%2;"
		             : "=l"(t)
		             : "r"(a), "r"(1)
		             : "memory");
		r = (u32)t;
		break;
	case MB_EXPECT:
		asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0],%1;" ::"r"(a), "r"(1) : "memory");
		break;
	case MB_COMPLETE:
		asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0],%1;" ::"r"(a), "r"(1) : "memory");
		break;
	case MB_TEST:
		asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 p,[%1],%2; "
		             "selp.u32 %0,1,0,p; }"
		             : "=r"(r)
		             : "r"(a), "r"(v)
		             : "memory");
		break;
	case MB_TRY:
		asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p,[%1],%2; selp.u32 "
		             "%0,1,0,p; }"
		             : "=r"(r)
		             : "r"(a), "r"(v)
		             : "memory");
		break;
	case MB_REMOTE:
		asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _,[%0];" ::"r"(a) : "memory");
		break;
	case MB_INIT:
		asm volatile("mbarrier.init.shared::cta.b64 [%0],%1;" ::"r"(a), "r"(0xFFFFF) : "memory");
		break;
	case MB_DROPNC:
		asm volatile("mbarrier.arrive.noComplete.release.cta.shared::cta.b64 %0,[%1],%2;"
		             : "=l"(t)
		             : "r"(a), "r"(1)
		             : "memory");
		r = (u32)t;
		break;
	case MB_PENDING:
		asm volatile("mbarrier.pending_count.b64 %0,%1;" : "=r"(r) : "l"((u64)v << 20 | v));
		break;
	case C_BALLOT:
		asm volatile("{ .reg .pred p; setp.ne.u32 p,%1,0; vote.sync.ballot.b32 %0,p,%2; }"
		             : "=r"(r)
		             : "r"(v), "r"(M));
		break;
	case C_ALL:
		asm volatile("{ .reg .pred p,q; setp.ne.u32 p,%1,0; vote.sync.all.pred q,p,%2; selp.u32 %0,1,0,q; }"
		             : "=r"(r)
		             : "r"(v), "r"(M));
		break;
	case C_MATCHANY32:
		asm volatile("match.any.sync.b32 %0,%1,%2;" : "=r"(r) : "r"(v), "r"(M));
		break;
	case C_MATCHANY64:
		asm volatile("match.any.sync.b64 %0,%1,%2;" : "=r"(r) : "l"((u64)v << 32 | v), "r"(M));
		break;
	case C_MATCHALL32:
		asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p,%1,%2; }" : "=r"(r) : "r"(v), "r"(M));
		break;
	case C_MATCHALL64:
		asm volatile("{ .reg .pred p; match.all.sync.b64 %0|p,%1,%2; }"
		             : "=r"(r)
		             : "l"((u64)v << 32 | v), "r"(M));
		break;
	case C_SHFL_IDX:
		asm volatile("shfl.sync.idx.b32 %0,%1,%2,31,%3;" : "=r"(r) : "r"(v), "r"(a), "r"(M));
		break;
	case C_SHFL_BFLY:
		asm volatile("shfl.sync.bfly.b32 %0,%1,1,31,%2;" : "=r"(r) : "r"(v), "r"(M));
		break;
	case C_SHFL_UP:
		asm volatile("shfl.sync.up.b32 %0,%1,1,0,%2;" : "=r"(r) : "r"(v), "r"(M));
		break;
	case C_REDUX_ADD:
		asm volatile("redux.sync.add.s32 %0,%1,%2;" : "=r"(r) : "r"(v), "r"(M));
		break;
	case C_REDUX_MIN:
		asm volatile("redux.sync.min.s32 %0,%1,%2;" : "=r"(r) : "r"(v), "r"(M));
		break;
	case C_REDUX_AND:
		asm volatile("redux.sync.and.b32 %0,%1,%2;" : "=r"(r) : "r"(v), "r"(M));
		break;
	case C_REDUX_XOR:
		asm volatile("redux.sync.xor.b32 %0,%1,%2;" : "=r"(r) : "r"(v), "r"(M));
		break;
	case C_ELECT:
		asm volatile("{ .reg .pred p; elect.sync %0|p,%1; }" : "=r"(r) : "r"(M));
		break;
	case C_ACTIVE:
		asm volatile("activemask.b32 %0;" : "=r"(r));
		break;
	case C_WARPSYNC:
		asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
		break;
	case C_LOP:
		asm volatile("lop3.b32 %0,%1,%2,%3,0x96;" : "=r"(r) : "r"(v), "r"(a), "r"(M));
		break;
	case C_IADD:
		asm volatile("add.u32 %0,%1,%2;" : "=r"(r) : "r"(v), "r"(a));
		break;
	case C_POPC:
		asm volatile("popc.b32 %0,%1;" : "=r"(r) : "r"(v));
		break;
	case C_FFS:
		asm volatile("{ .reg .b32 t; brev.b32 t,%1; bfind.u32 %0,t; }" : "=r"(r) : "r"(v));
		break;
	}
	return r;
}
template <int K, int LAT> __global__ void k_x(Par p)
{
	__shared__ __align__(128) u64 mb[1024];
	int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
	for (int i = threadIdx.x; i < 1024; i += blockDim.x)
		mb[i] = 0;
	__syncthreads();
	bool ism = K <= MB_PENDING;
	u32 grp = lane / p.deg;
	u32 a = ism ? smem_addr(&mb[p.pat == PPRIV ? warp * 32 + grp : grp]) : (u32)(lane ^ 5), v = grp;
	bool act = true;
	if (ism && p.same) {
		act = lane == 0;
	} // one lane per warp
	if (ism)
		for (int i = threadIdx.x; i < 1024; i += blockDim.x)
			asm volatile("mbarrier.init.shared::cta.b64 [%0],%1;" ::"r"(smem_addr(&mb[i])), "r"(0xFFFFF)
			             : "memory");
	if (ism)
		v = 1; // parity 1 of a fresh object counts as complete
	__syncthreads();
	u32 acc = 0;
	u64 t0 = 0, t1 = 0;
	if (act) {
		acc = xop<K>(a, v);
		if (LAT && !ism)
			v = acc ^ grp;
	}
	__syncthreads();
	if (act) {
		t0 = clock64();
		if (LAT) {
#pragma unroll 1
			for (int i = 0; i < p.iters; i += 8) {
#pragma unroll
				for (int j = 0; j < 8; j++)
					v = xop<K>(a, v);
			}
			acc ^= v;
		} else {
#pragma unroll 1
			for (int i = 0; i < p.iters; i += 16) {
				u32 r[16];
#pragma unroll
				for (int j = 0; j < 16; j++)
					r[j] = xop<K>(a, v);
#pragma unroll
				for (int j = 0; j < 16; j++)
					acc ^= r[j];
			}
		}
		if (acc == 0xdeadbeefu)
			p.sink[0] = acc;
		t1 = clock64();
		if (acc == 0xdeadbee1u)
			p.sink[1] = acc;
	}
	int wid = blockIdx.x * (blockDim.x >> 5) + warp;
	if (lane == 0) {
		p.clk[wid * 2] = t0;
		p.clk[wid * 2 + 1] = t1;
	}
}
template <int K> static void mbar_op()
{
	bool chain = K == MB_TEST || K == MB_TRY;
	// lanes=1 (same=1), or all 32 lanes with deg lanes per object
	for (int pat : {PADDR, PPRIV})
		for (int W : {1, 4, 32}) {
			if (chain)
				measure("mbar_lane0", xn[K], true, k_x<K, 1>, 0, W, 1, pat, 1, 64, 1);
			measure("mbar_lane0", xn[K], false, k_x<K, 0>, 0, W, 1, pat, 1, 64, 1);
			for (int d : {1, 2, 4, 8, 16, 32}) {
				if (chain)
					measure("mbar_32lanes", xn[K], true, k_x<K, 1>, 0, W, 1, pat, d, 64, 0);
				measure("mbar_32lanes", xn[K], false, k_x<K, 0>, 0, W, 1, pat, d, 64, 0);
			}
		}
	printf("%s\n", xn[K]);
	fflush(stdout);
}
template <int K> static void coll_op()
{
	for (int d : {1, 2, 4, 8, 16, 32})
		for (int W : {1, 4, 8, 16, 32}) {
			bool data = K >= C_MATCHANY32 && K <= C_MATCHALL64;
			if (d != 1 && !data)
				continue;
			measure("coll", xn[K], true, k_x<K, 1>, 0, W, 1, PADDR, d, 256, 0);
			measure("coll", xn[K], false, k_x<K, 0>, 0, W, 1, PADDR, d, 256, 0);
		}
	printf("%s\n", xn[K]);
	fflush(stdout);
}
// arrive latency as a chain: the token's low word is folded into the next address
template <int N> __global__ void k_arrive_chain(Par p)
{
	__shared__ __align__(128) u64 mb[32];
	int lane = threadIdx.x;
	asm volatile("mbarrier.init.shared::cta.b64 [%0],%1;" ::"r"(smem_addr(&mb[lane])), "r"(0xFFFFF) : "memory");
	__syncwarp();
	u32 a = smem_addr(&mb[lane / p.deg]);
	u64 t = 0;
	if (lane < N) {
		u64 t0 = clock64();
#pragma unroll 8
		for (int i = 0; i < p.iters; i++) {
			u32 z = (u32)(t >> 63) & (u32)p.same;
			asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0,[%1];"
			             : "=l"(t)
			             : "r"(a + z)
			             : "memory");
		}
		if (t == 1)
			p.sink[0] = 1;
		u64 t1 = clock64();
		if (lane == 0) {
			p.clk[0] = t0;
			p.clk[1] = t1;
		}
	}
}

static const char *HDR = "space\top\tmode\tpattern\tdegree\twarps_per_sm\tblocks\tsame\tcycles_per_step\tcycles_per_"
                         "warp_instr_per_sm\tlane_"
                         "ops_per_cycle_per_sm\n";
static void begin(const char *nm)
{
	fo = out_open(nm);
	fputs(HDR, fo);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		g_outdir = argv[1];
	std::string s = argc > 2 ? argv[2] : "all";
	banner("atoms_cycles");
	cudaDeviceProp pr;
	CK(cudaGetDeviceProperties(&pr, 0));
	NSM = pr.multiProcessorCount;
	CK(cudaMalloc(&dclk, (size_t)NSM * 64 * 16));
	CK(cudaMalloc(&dg, GS * (size_t)NSM));
	CK(cudaMalloc(&dsink, 64));
	hclk.resize((size_t)NSM * 128);
	bool all = s == "all";
#define SH(id, ptx, CT, C, es, ONE, SGN)  shared_op<id##_s>(#id);
#define SHR(id, ptx, CT, C, es, ONE, SGN) shared_op<id##_rs>("red_" #id);
#define CL(id, ptx, CT, C, es, ONE, SGN)  cluster_op<id##_c>(#id);
#define CLR(id, ptx, CT, C, es, ONE, SGN) cluster_op<id##_rc>("red_" #id);
#define GL(id, ptx, CT, C, es, ONE, SGN)  global_op<id##_g>(#id);
#define GLR(id, ptx, CT, C, es, ONE, SGN) global_op<id##_rg>("red_" #id);
	if (all || s == "base") {
		begin("cycles_base.tsv");
		shared_op<lds32>("ld.shared.u32");
		shared_op<lds64>("ld.shared.u64");
		shared_op<lds128>("ld.shared.v2.u64");
		shared_op<sts32>("st.shared.u32");
		cluster_op<ldc32>("ld.shared::cluster.u32");
		cluster_op<stc32>("st.shared::cluster.u32");
		global_op<ldg32>("ld.relaxed.gpu.u32");
		global_op<stg32>("st.relaxed.gpu.u32");
		global_op<ldl1>("ld.ca.u32");
		fclose(fo);
	}
	if (all || s == "shared") {
		begin("cycles_shared.tsv");
		SCALARS(SH) EXCHS(SH) CASES(SH) shared_op<exch_b128_s>("exch_b128");
		shared_op<cas_b128_s>("cas_b128");
		shared_op<cas_fail_s>("cas_b32_never_equal");
		SCALARS(SHR)
		shared_op<add_one_s>("red_add_u32_const1");
		shared_op<add_one_s_atom>("add_u32_const1");
		fclose(fo);
	}
	if (all || s == "cluster") {
		begin("cycles_cluster.tsv");
		SCALARS(CL) EXCHS(CL) CASES(CL) cluster_op<exch_b128_c>("exch_b128");
		cluster_op<cas_b128_c>("cas_b128");
		SCALARS(CLR)
		cluster_op<add_one_c>("red_add_u32_const1");
		fclose(fo);
	}
	if (all || s == "global") {
		begin("cycles_global.tsv");
		SCALARS(GL) EXCHS(GL) CASES(GL) global_op<exch_b128_g>("exch_b128");
		global_op<cas_b128_g>("cas_b128");
		SCALARS(GLR)
		global_op<add_one_g>("red_add_u32_const1");
		global_op<add_one_g_atom>("add_u32_const1");
		fclose(fo);
	}
	if (all || s == "vector") {
		begin("cycles_vector.tsv");
		global_op<v2_add_f32>("add_v2_f32");
		global_op<v4_add_f32>("add_v4_f32");
		global_op<v2_add_f16x2>("add_v2_f16x2");
		global_op<v4_add_f16x2>("add_v4_f16x2");
		global_op<v4_add_bf16x2>("add_v4_bf16x2");
		global_op<v4_min_f16x2>("min_v4_f16x2");
		global_op<v4_max_bf16x2>("max_v4_bf16x2");
		global_op<v8_add_f16>("add_v8_f16");
		global_op<v8_min_bf16>("min_v8_bf16");
		global_op<red_v4_add_f32>("red_add_v4_f32");
		global_op<red_v4_add_f16x2>("red_add_v4_f16x2");
		fclose(fo);
	}
	if (all || s == "coll") {
		begin("cycles_collectives.tsv");
		coll_op<C_BALLOT>();
		coll_op<C_ALL>();
		coll_op<C_MATCHANY32>();
		coll_op<C_MATCHANY64>();
		coll_op<C_MATCHALL32>();
		coll_op<C_MATCHALL64>();
		coll_op<C_SHFL_IDX>();
		coll_op<C_SHFL_BFLY>();
		coll_op<C_SHFL_UP>();
		coll_op<C_REDUX_ADD>();
		coll_op<C_REDUX_MIN>();
		coll_op<C_REDUX_AND>();
		coll_op<C_REDUX_XOR>();
		coll_op<C_ELECT>();
		coll_op<C_ACTIVE>();
		coll_op<C_WARPSYNC>();
		coll_op<C_LOP>();
		coll_op<C_IADD>();
		coll_op<C_POPC>();
		coll_op<C_FFS>();
		fclose(fo);
	}
	if (all || s == "mbar") {
		begin("cycles_mbarrier.tsv");
		mbar_op<MB_ARRIVE>();
		mbar_op<MB_ARRIVE_N>();
		mbar_op<MB_ARRTX>();
		mbar_op<MB_EXPECT>();
		mbar_op<MB_COMPLETE>();
		mbar_op<MB_TEST>();
		mbar_op<MB_TRY>();
		mbar_op<MB_REMOTE>();
		mbar_op<MB_INIT>();
		mbar_op<MB_DROPNC>();
		mbar_op<MB_PENDING>();
		for (int d : {1, 2, 4, 8, 16, 32})
			measure("mbar_32lanes", "mbarrier.arrive(chain)", true, k_arrive_chain<32>, 0, 1, 1, PADDR, d,
			        64, 0);
		measure("mbar_lane0", "mbarrier.arrive(chain)", true, k_arrive_chain<1>, 0, 1, 1, PADDR, 1, 64, 0);
		fclose(fo);
	}
	if (all || s == "loops") {
		begin("cycles_loops.tsv");
		const int it = 32;
		shared_op<loop_cas_u32>("loop_cas_u32", it);
		shared_op<loop_cas_f32>("loop_cas_f32", it);
		shared_op<loop_casreload_f32>("loop_casreload_f32", it);
		shared_op<ptx_add_f32>("atom.add.f32", it);
		shared_op<loop_cas_f16x2>("loop_cas_f16x2", it);
		shared_op<loop_casreload_f16x2>("loop_casreload_f16x2", it);
		shared_op<ptx_add_f16x2>("atom.add.f16x2", it);
		shared_op<loop_cas_f64>("loop_cas_f64", it);
		shared_op<ptx_add_f64>("atom.add.f64", it);
		shared_op<loop_cas_maxf32>("loop_cas_max_f32", it);
		shared_op<lock_cas>("lock_cas", 16);
		shared_op<lock_exch>("lock_exch", 16);
		fclose(fo);
	}
	printf("atoms_cycles done\n");
	return 0;
}
