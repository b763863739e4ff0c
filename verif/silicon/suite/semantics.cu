// SPDX-License-Identifier: Apache-2.0
// One-lane atomic semantics: old value returned and memory after, as hex, for every legal
// (space, op, type) on sm_90; red-versus-atom comparison; lane serialisation order; red.async
// and cp.reduce.async.bulk element semantics.
// usage: semantics OUTDIR [section]   section: scalar | vector | order | async | all
#include "sil.h"

union V {
	u16 h[8];
	u32 w[4];
	u64 l[2];
};

struct Tab {
	const V *m, *b, *c;
	V *old_, *nw;
	V *scr;
	u32 *nbr;
	int n;
	int es;
};

// ---------------------------------------------------------------- operations
// X(id, ptx op.type, C type, constraint, union member, format)
#define SCALARS(X)                                                                                                     \
	X(add_u32, "add.u32", u32, "r", w, FU32)                                                                       \
	X(add_s32, "add.s32", u32, "r", w, FS32)                                                                       \
	X(add_u64, "add.u64", u64, "l", l, FU64)                                                                       \
	X(add_f32, "add.f32", u32, "r", w, FF32)                                                                       \
	X(add_f64, "add.f64", u64, "l", l, FF64)                                                                       \
	X(add_f16, "add.noftz.f16", u16, "h", h, FF16)                                                                 \
	X(add_bf16, "add.noftz.bf16", u16, "h", h, FBF16)                                                              \
	X(add_f16x2, "add.noftz.f16x2", u32, "r", w, FF16X2)                                                           \
	X(add_bf16x2, "add.noftz.bf16x2", u32, "r", w, FBF16X2)                                                        \
	X(inc_u32, "inc.u32", u32, "r", w, FINC)                                                                       \
	X(dec_u32, "dec.u32", u32, "r", w, FINC)                                                                       \
	X(min_u32, "min.u32", u32, "r", w, FU32)                                                                       \
	X(min_s32, "min.s32", u32, "r", w, FS32)                                                                       \
	X(min_u64, "min.u64", u64, "l", l, FU64)                                                                       \
	X(min_s64, "min.s64", u64, "l", l, FS64)                                                                       \
	X(max_u32, "max.u32", u32, "r", w, FU32)                                                                       \
	X(max_s32, "max.s32", u32, "r", w, FS32)                                                                       \
	X(max_u64, "max.u64", u64, "l", l, FU64)                                                                       \
	X(max_s64, "max.s64", u64, "l", l, FS64)                                                                       \
	X(and_b32, "and.b32", u32, "r", w, FU32)                                                                       \
	X(and_b64, "and.b64", u64, "l", l, FU64)                                                                       \
	X(or_b32, "or.b32", u32, "r", w, FU32)                                                                         \
	X(or_b64, "or.b64", u64, "l", l, FU64)                                                                         \
	X(xor_b32, "xor.b32", u32, "r", w, FU32)                                                                       \
	X(xor_b64, "xor.b64", u64, "l", l, FU64)
#define EXCHS(X)                                                                                                       \
	X(exch_b32, "exch.b32", u32, "r", w, FU32)                                                                     \
	X(exch_b64, "exch.b64", u64, "l", l, FU64)
#define CASES(X)                                                                                                       \
	X(cas_b16, "cas.b16", u16, "h", h, FCAS16)                                                                     \
	X(cas_b32, "cas.b32", u32, "r", w, FCAS32)                                                                     \
	X(cas_b64, "cas.b64", u64, "l", l, FCAS64)

enum Fmt {
	FU32,
	FS32,
	FU64,
	FS64,
	FINC,
	FF16,
	FBF16,
	FF32,
	FF64,
	FF16X2,
	FBF16X2,
	FCAS16,
	FCAS32,
	FCAS64,
	FCAS128,
	FB128
};

#define DEF_RMW(id, ptx, CT, C, M, fmt)                                                                                \
	struct id##_g {                                                                                                \
		static __device__ void ap(u64 a, const V &b, const V &, V &d)                                          \
		{                                                                                                      \
			CT x;                                                                                          \
			asm volatile("atom.relaxed.gpu.global." ptx " %0,[%1],%2;"                                     \
			             : "=" C(x)                                                                        \
			             : "l"(a), C(b.M[0])                                                               \
			             : "memory");                                                                      \
			d.M[0] = x;                                                                                    \
		}                                                                                                      \
	};                                                                                                             \
	struct id##_s {                                                                                                \
		static __device__ void ap(u32 a, const V &b, const V &, V &d)                                          \
		{                                                                                                      \
			CT x;                                                                                          \
			asm volatile("atom.relaxed.cta.shared::cta." ptx " %0,[%1],%2;"                                \
			             : "=" C(x)                                                                        \
			             : "r"(a), C(b.M[0])                                                               \
			             : "memory");                                                                      \
			d.M[0] = x;                                                                                    \
		}                                                                                                      \
	};                                                                                                             \
	struct id##_c {                                                                                                \
		static __device__ void ap(u32 a, const V &b, const V &, V &d)                                          \
		{                                                                                                      \
			CT x;                                                                                          \
			asm volatile("atom.relaxed.cluster.shared::cluster." ptx " %0,[%1],%2;"                        \
			             : "=" C(x)                                                                        \
			             : "r"(a), C(b.M[0])                                                               \
			             : "memory");                                                                      \
			d.M[0] = x;                                                                                    \
		}                                                                                                      \
	};
#define DEF_RED(id, ptx, CT, C, M, fmt)                                                                                \
	struct id##_rg {                                                                                               \
		static __device__ void ap(u64 a, const V &b, const V &, V &d)                                          \
		{                                                                                                      \
			asm volatile("red.relaxed.gpu.global." ptx " [%0],%1;" ::"l"(a), C(b.M[0]) : "memory");        \
			d.l[0] = d.l[1] = 0;                                                                           \
		}                                                                                                      \
	};                                                                                                             \
	struct id##_rs {                                                                                               \
		static __device__ void ap(u32 a, const V &b, const V &, V &d)                                          \
		{                                                                                                      \
			asm volatile("red.relaxed.cta.shared::cta." ptx " [%0],%1;" ::"r"(a), C(b.M[0]) : "memory");   \
			d.l[0] = d.l[1] = 0;                                                                           \
		}                                                                                                      \
	};                                                                                                             \
	struct id##_rc {                                                                                               \
		static __device__ void ap(u32 a, const V &b, const V &, V &d)                                          \
		{                                                                                                      \
			asm volatile("red.relaxed.cluster.shared::cluster." ptx " [%0],%1;" ::"r"(a), C(b.M[0])        \
			             : "memory");                                                                      \
			d.l[0] = d.l[1] = 0;                                                                           \
		}                                                                                                      \
	};
#define DEF_CAS(id, ptx, CT, C, M, fmt)                                                                                \
	struct id##_g {                                                                                                \
		static __device__ void ap(u64 a, const V &b, const V &c, V &d)                                         \
		{                                                                                                      \
			CT x;                                                                                          \
			asm volatile("atom.relaxed.gpu.global." ptx " %0,[%1],%2,%3;"                                  \
			             : "=" C(x)                                                                        \
			             : "l"(a), C(b.M[0]), C(c.M[0])                                                    \
			             : "memory");                                                                      \
			d.M[0] = x;                                                                                    \
		}                                                                                                      \
	};                                                                                                             \
	struct id##_s {                                                                                                \
		static __device__ void ap(u32 a, const V &b, const V &c, V &d)                                         \
		{                                                                                                      \
			CT x;                                                                                          \
			asm volatile("atom.relaxed.cta.shared::cta." ptx " %0,[%1],%2,%3;"                             \
			             : "=" C(x)                                                                        \
			             : "r"(a), C(b.M[0]), C(c.M[0])                                                    \
			             : "memory");                                                                      \
			d.M[0] = x;                                                                                    \
		}                                                                                                      \
	};                                                                                                             \
	struct id##_c {                                                                                                \
		static __device__ void ap(u32 a, const V &b, const V &c, V &d)                                         \
		{                                                                                                      \
			CT x;                                                                                          \
			asm volatile("atom.relaxed.cluster.shared::cluster." ptx " %0,[%1],%2,%3;"                     \
			             : "=" C(x)                                                                        \
			             : "r"(a), C(b.M[0]), C(c.M[0])                                                    \
			             : "memory");                                                                      \
			d.M[0] = x;                                                                                    \
		}                                                                                                      \
	};
SCALARS(DEF_RMW)
EXCHS(DEF_RMW)
SCALARS(DEF_RED)
CASES(DEF_CAS)

#define EXCH128(SFX, AT, AC, PRE)                                                                                      \
	struct exch_b128_##SFX {                                                                                       \
		static __device__ void ap(AT a, const V &b, const V &, V &d)                                           \
		{                                                                                                      \
			u64 x, y;                                                                                      \
			asm volatile("{ .reg .b128 p,q; mov.b128 p,{%3,%4}; atom." PRE                                 \
			             ".exch.b128 q,[%2],p; mov.b128 {%0,%1},q; }"                                      \
			             : "=l"(x), "=l"(y)                                                                \
			             : AC(a), "l"(b.l[0]), "l"(b.l[1])                                                 \
			             : "memory");                                                                      \
			d.l[0] = x;                                                                                    \
			d.l[1] = y;                                                                                    \
		}                                                                                                      \
	};                                                                                                             \
	struct cas_b128_##SFX {                                                                                        \
		static __device__ void ap(AT a, const V &b, const V &c, V &d)                                          \
		{                                                                                                      \
			u64 x, y;                                                                                      \
			asm volatile("{ .reg .b128 p,q,r; mov.b128 p,{%3,%4}; mov.b128 r,{%5,%6}; atom." PRE           \
			             ".cas.b128 q,[%2],p,r; mov.b128 {%0,%1},q; }"                                     \
			             : "=l"(x), "=l"(y)                                                                \
			             : AC(a), "l"(b.l[0]), "l"(b.l[1]), "l"(c.l[0]), "l"(c.l[1])                       \
			             : "memory");                                                                      \
			d.l[0] = x;                                                                                    \
			d.l[1] = y;                                                                                    \
		}                                                                                                      \
	};
EXCH128(g, u64, "l", "relaxed.gpu.global")
EXCH128(s, u32, "r", "relaxed.cta.shared::cta")
EXCH128(c, u32, "r", "relaxed.cluster.shared::cluster")

// vector forms, global only
#define V2(id, ptx, C, M)                                                                                              \
	struct id {                                                                                                    \
		static __device__ void ap(u64 a, const V &b, const V &, V &d)                                          \
		{                                                                                                      \
			asm volatile("atom.relaxed.gpu.global." ptx " {%0,%1},[%2],{%3,%4};"                           \
			             : "=" C(d.M[0]), "=" C(d.M[1])                                                    \
			             : "l"(a), C(b.M[0]), C(b.M[1])                                                    \
			             : "memory");                                                                      \
		}                                                                                                      \
	};
#define V4(id, ptx, C, M)                                                                                              \
	struct id {                                                                                                    \
		static __device__ void ap(u64 a, const V &b, const V &, V &d)                                          \
		{                                                                                                      \
			asm volatile("atom.relaxed.gpu.global." ptx " {%0,%1,%2,%3},[%4],{%5,%6,%7,%8};"               \
			             : "=" C(d.M[0]), "=" C(d.M[1]), "=" C(d.M[2]), "=" C(d.M[3])                      \
			             : "l"(a), C(b.M[0]), C(b.M[1]), C(b.M[2]), C(b.M[3])                              \
			             : "memory");                                                                      \
		}                                                                                                      \
	};
#define V8(id, ptx)                                                                                                    \
	struct id {                                                                                                    \
		static __device__ void ap(u64 a, const V &b, const V &, V &d)                                          \
		{                                                                                                      \
			asm volatile("atom.relaxed.gpu.global." ptx                                                    \
			             " {%0,%1,%2,%3,%4,%5,%6,%7},[%8],{%9,%10,%11,%12,%13,%14,%15,%16};"               \
			             : "=h"(d.h[0]), "=h"(d.h[1]), "=h"(d.h[2]), "=h"(d.h[3]), "=h"(d.h[4]),           \
			               "=h"(d.h[5]), "=h"(d.h[6]), "=h"(d.h[7])                                        \
			             : "l"(a), "h"(b.h[0]), "h"(b.h[1]), "h"(b.h[2]), "h"(b.h[3]), "h"(b.h[4]),        \
			               "h"(b.h[5]), "h"(b.h[6]), "h"(b.h[7])                                           \
			             : "memory");                                                                      \
		}                                                                                                      \
	};
V2(add_v2_f32, "add.v2.f32", "r", w)
V4(add_v4_f32, "add.v4.f32", "r", w)
#define VHALF(op)                                                                                                      \
	V2(op##_v2_f16, #op ".noftz.v2.f16", "h", h)                                                                   \
	V4(op##_v4_f16, #op ".noftz.v4.f16", "h", h)                                                                   \
	V8(op##_v8_f16, #op ".noftz.v8.f16")                                                                           \
	V2(op##_v2_bf16, #op ".noftz.v2.bf16", "h", h)                                                                 \
	V4(op##_v4_bf16, #op ".noftz.v4.bf16", "h", h)                                                                 \
	V8(op##_v8_bf16, #op ".noftz.v8.bf16")                                                                         \
	V2(op##_v2_f16x2, #op ".noftz.v2.f16x2", "r", w)                                                               \
	V4(op##_v4_f16x2, #op ".noftz.v4.f16x2", "r", w)                                                               \
	V2(op##_v2_bf16x2, #op ".noftz.v2.bf16x2", "r", w)                                                             \
	V4(op##_v4_bf16x2, #op ".noftz.v4.bf16x2", "r", w)
VHALF(add)
VHALF(min)
VHALF(max)

// ---------------------------------------------------------------- kernels
// row i runs on lane i%32 alone, at byte offset off(i) inside a private 16-byte slot
__host__ __device__ static inline int row_off(int i, int es)
{
	return es >= 16 ? 0 : (int)((mix32(i) % (16 / es)) * es);
}

__device__ static void shift_in(V &r, const V &m, int off)
{ // element at byte off -> byte 0
	const unsigned char *p = (const unsigned char *)&m;
	unsigned char *q = (unsigned char *)&r;
	r.l[0] = r.l[1] = 0;
	for (int k = 0; k + off < 16; k++)
		q[k] = p[k + off];
}
__device__ static void place(V &slot, const V &elem, int off, int es)
{
	const unsigned char *p = (const unsigned char *)&elem;
	unsigned char *q = (unsigned char *)&slot;
	for (int k = 0; k < es; k++)
		q[off + k] = p[k];
}
__device__ static u32 nbr_changed(const V &before, const V &after, int off, int es)
{
	const unsigned char *p = (const unsigned char *)&before, *q = (const unsigned char *)&after;
	u32 bad = 0;
	for (int k = 0; k < 16; k++)
		if ((k < off || k >= off + es) && p[k] != q[k])
			bad |= 1u << k;
	return bad;
}
__device__ static V guard(int i)
{
	V g;
	for (int k = 0; k < 4; k++)
		g.w[k] = mix32(i * 4 + k + 77);
	return g;
}

template <class F> __global__ void k_global(Tab t)
{
	for (int i = blockIdx.x; i < t.n; i += gridDim.x) {
		if ((int)threadIdx.x == i % 32) {
			int off = row_off(i, t.es);
			V s = guard(i), b = t.b[i], c = t.c[i], d, r;
			d.l[0] = d.l[1] = 0;
			place(s, t.m[i], off, t.es);
			volatile u64 *vs = (volatile u64 *)&t.scr[i];
			vs[0] = s.l[0];
			vs[1] = s.l[1];
			__threadfence();
			F::ap((u64)__cvta_generic_to_global(&t.scr[i]) + off, b, c, d);
			__threadfence();
			r.l[0] = vs[0];
			r.l[1] = vs[1];
			t.nbr[i] = nbr_changed(s, r, off, t.es);
			V e;
			shift_in(e, r, off);
			t.old_[i] = d;
			t.nw[i] = e;
		}
		__syncwarp();
	}
}
template <class F> __global__ void k_shared(Tab t)
{
	__shared__ __align__(16) V slot[32];
	for (int i = blockIdx.x; i < t.n; i += gridDim.x) {
		int lane = i % 32;
		if ((int)threadIdx.x == lane) {
			int off = row_off(i, t.es);
			V s = guard(i), b = t.b[i], c = t.c[i], d, r;
			d.l[0] = d.l[1] = 0;
			place(s, t.m[i], off, t.es);
			volatile u64 *vs = (volatile u64 *)&slot[lane];
			vs[0] = s.l[0];
			vs[1] = s.l[1];
			F::ap(smem_addr(&slot[lane]) + off, b, c, d);
			r.l[0] = vs[0];
			r.l[1] = vs[1];
			t.nbr[i] = nbr_changed(s, r, off, t.es);
			V e;
			shift_in(e, r, off);
			t.old_[i] = d;
			t.nw[i] = e;
		}
		__syncwarp();
	}
}
// cluster of 2: rank 0 operates on rank 1's shared memory
template <class F> __global__ void __cluster_dims__(2, 1, 1) k_cluster(Tab t)
{
	__shared__ __align__(16) V slot[32];
	u32 rank = cluster_rank();
	int cid = blockIdx.x / 2, nc = gridDim.x / 2;
	for (int i = cid; i < t.n; i += nc) {
		int lane = i % 32, off = row_off(i, t.es);
		V s = guard(i);
		place(s, t.m[i], off, t.es);
		volatile u64 *vs = (volatile u64 *)&slot[lane];
		if (rank == 1 && (int)threadIdx.x == lane) {
			vs[0] = s.l[0];
			vs[1] = s.l[1];
		}
		cluster_sync_all();
		if (rank == 0 && (int)threadIdx.x == lane) {
			V b = t.b[i], c = t.c[i], d;
			d.l[0] = d.l[1] = 0;
			F::ap(mapa32(smem_addr(&slot[lane]), 1) + off, b, c, d);
			t.old_[i] = d;
		}
		cluster_sync_all();
		if (rank == 1 && (int)threadIdx.x == lane) {
			V r, e;
			r.l[0] = vs[0];
			r.l[1] = vs[1];
			t.nbr[i] = nbr_changed(s, r, off, t.es);
			shift_in(e, r, off);
			t.nw[i] = e;
		}
	}
	cluster_sync_all();
}

// ---------------------------------------------------------------- operands
struct FF {
	int e, m;
};
static u64 mkf(FF f, int s, int E, u64 M)
{
	return ((u64)s << (f.e + f.m)) | ((u64)E << f.m) | (M & ((1ull << f.m) - 1));
}

static void fp_rows(FF f, Rng &g, std::vector<u64> &A, std::vector<u64> &B)
{
	int bias = (1 << (f.e - 1)) - 1, emax = (1 << f.e) - 1;
	u64 mm = (1ull << f.m) - 1, hb = 1ull << (f.m - 1);
	std::vector<u64> ed;
	struct {
		int E;
		u64 M;
	} base[] = {{0, 0},
	            {0, 1},
	            {0, hb},
	            {0, mm},
	            {1, 0},
	            {1, 1},
	            {1, mm},
	            {2, 0},
	            {bias, 0},
	            {bias, 1},
	            {bias, hb},
	            {bias, mm},
	            {bias - 1, 0},
	            {std::min(bias + f.m, emax - 1), 0},
	            {std::min(bias + f.m + 1, emax - 1), 1},
	            {std::max(bias - f.m, 1), 0},
	            {std::max(bias - f.m - 1, 1), 0},
	            {std::max(bias - f.m - 1, 1), 1},
	            {emax - 1, 0},
	            {emax - 1, mm - 1},
	            {emax - 1, mm},
	            {std::max(emax - 2 - f.m, 1), 0},
	            {emax, 0},
	            {emax, hb},
	            {emax, hb | (0x155 & (hb - 1))},
	            {emax, 1},
	            {emax, hb - 1},
	            {emax, mm}};
	for (auto &x : base)
		for (int s = 0; s < 2; s++)
			ed.push_back(mkf(f, s, x.E, x.M));
	for (u64 a : ed)
		for (u64 b : ed) {
			A.push_back(a);
			B.push_back(b);
		}
	auto rs = [&] { return (int)(g.next() & 1); };
	for (int i = 0; i < 300; i++) { // exact ties and one step either side of them
		int lo = f.m + 2, E = lo + (int)g.below(emax - 1 - lo > 0 ? emax - 1 - lo : 1);
		if (E >= emax)
			E = emax - 1;
		u64 a = mkf(f, rs(), E, g.next());
		int Eb = E - f.m - 1; // half an ulp of a
		if (Eb < 1)
			Eb = 1;
		u64 M = (i % 3 == 0) ? 0 : (i % 3 == 1) ? 1 : mm;
		u64 b = mkf(f, rs(), (i % 3 == 2 && Eb > 1) ? Eb - 1 : Eb, M);
		if (i & 1)
			std::swap(a, b);
		A.push_back(a);
		B.push_back(b);
	}
	for (int i = 0; i < 300; i++) { // subnormal inputs and results
		u64 a = mkf(f, rs(), g.below(2), g.next()), b = mkf(f, rs(), g.below(3), g.next());
		A.push_back(a);
		B.push_back(b);
	}
	for (int i = 0; i < 200; i++) { // cancellation
		int E = 1 + (int)g.below(emax - 1);
		u64 M = g.next() & mm;
		u64 a = mkf(f, 0, E, M), b = mkf(f, 1, E, M ^ (g.next() & ((1ull << g.below(f.m)) - 1)));
		A.push_back(a);
		B.push_back(b);
	}
	for (int i = 0; i < 700; i++) { // exponent difference sweep
		int d = i % (f.m + 5), E = 1 + d + (int)g.below(std::max(1, emax - 2 - d));
		if (E >= emax)
			E = emax - 1;
		u64 a = mkf(f, rs(), E, g.next()), b = mkf(f, rs(), std::max(E - d, 0), g.next());
		if (i & 1)
			std::swap(a, b);
		A.push_back(a);
		B.push_back(b);
	}
	for (int i = 0; i < 150; i++) { // overflow
		u64 a = mkf(f, i & 1, emax - 1, g.next()), b = mkf(f, i & 1, emax - 1 - (int)g.below(3), g.next());
		A.push_back(a);
		B.push_back(b);
	}
	for (int i = 0; i < 100; i++) { // NaN payloads
		u64 a = mkf(f, rs(), emax, g.next()),
		    b = (i & 1) ? mkf(f, rs(), emax, g.next()) : g.next() & ((2ull << (f.e + f.m)) - 1);
		if (i & 2)
			std::swap(a, b);
		A.push_back(a);
		B.push_back(b);
	}
	for (int i = 0; i < 700; i++) {
		A.push_back(g.next() & ((f.e + f.m == 63) ? ~0ull : (2ull << (f.e + f.m)) - 1));
		B.push_back(g.next() & ((f.e + f.m == 63) ? ~0ull : (2ull << (f.e + f.m)) - 1));
	}
}

static void int_rows(int bits, Rng &g, std::vector<u64> &A, std::vector<u64> &B, bool small_)
{
	u64 mk = bits == 64 ? ~0ull : (1ull << bits) - 1;
	std::vector<u64> ed = {0,
	                       1,
	                       2,
	                       3,
	                       mk,
	                       mk - 1,
	                       mk >> 1,
	                       (mk >> 1) + 1,
	                       (mk >> 1) + 2,
	                       (mk >> 1) - 1,
	                       0x5555555555555555ull & mk,
	                       0xAAAAAAAAAAAAAAAAull & mk,
	                       0xFFFFFFFFull & mk,
	                       0x80000000ull & mk,
	                       0x7FFFFFFFull & mk,
	                       0x100000000ull & mk,
	                       0xFFFFFFFF00000000ull & mk,
	                       0x8000000080000000ull & mk,
	                       0xFFFFull & mk,
	                       0x8000ull & mk};
	for (u64 a : ed)
		for (u64 b : ed) {
			A.push_back(a);
			B.push_back(b);
		}
	for (int i = 0; i < 400; i++) { // neighbours
		u64 a = g.next() & mk;
		A.push_back(a);
		B.push_back((a + (u64)g.below(3) - 1) & mk);
	}
	for (int i = 0; i < bits * 2; i++) {
		A.push_back((1ull << (i % bits)) & mk);
		B.push_back(i < bits ? mk : (1ull << ((i * 7) % bits)) & mk);
	}
	if (small_)
		for (int i = 0; i < 400; i++) {
			A.push_back(g.below(40));
			B.push_back(g.below(40));
		}
	for (int i = 0; i < 900; i++) {
		A.push_back(g.next() & mk);
		B.push_back(g.next() & mk);
	}
}

struct Rows {
	std::vector<V> m, b, c;
	int es;
	int nel;
	int width;
}; // width: bytes of one printed element

static V v64(u64 x)
{
	V v;
	v.l[0] = x;
	v.l[1] = 0;
	return v;
}

static Rows make_rows(Fmt f, u64 seed)
{
	Rng g(seed);
	Rows r;
	r.nel = 1;
	std::vector<u64> A, B;
	static const FF f16 = {5, 10}, bf16 = {8, 7}, f32 = {8, 23}, f64 = {11, 52};
	switch (f) {
	case FU32:
	case FS32:
		int_rows(32, g, A, B, false);
		r.es = 4;
		break;
	case FINC:
		int_rows(32, g, A, B, true);
		r.es = 4;
		break;
	case FU64:
	case FS64:
		int_rows(64, g, A, B, false);
		r.es = 8;
		break;
	case FF16:
		fp_rows(f16, g, A, B);
		r.es = 2;
		break;
	case FBF16:
		fp_rows(bf16, g, A, B);
		r.es = 2;
		break;
	case FF32:
		fp_rows(f32, g, A, B);
		r.es = 4;
		break;
	case FF64:
		fp_rows(f64, g, A, B);
		r.es = 8;
		break;
	case FF16X2:
	case FBF16X2: {
		std::vector<u64> a, b;
		fp_rows(f == FF16X2 ? f16 : bf16, g, a, b);
		size_t n = a.size();
		for (size_t i = 0; i < n; i++) {
			size_t j = (i * 1009 + 17) % n;
			A.push_back(a[i] | a[j] << 16);
			B.push_back(b[i] | b[j] << 16);
		}
		r.es = 4;
		break;
	}
	case FCAS16:
		int_rows(16, g, A, B, false);
		r.es = 2;
		break;
	case FCAS32:
		int_rows(32, g, A, B, false);
		r.es = 4;
		break;
	case FCAS64:
		int_rows(64, g, A, B, false);
		r.es = 8;
		break;
	case FCAS128:
	case FB128:
		int_rows(64, g, A, B, false);
		r.es = 16;
		break;
	}
	r.width = r.es;
	size_t n = A.size();
	for (size_t i = 0; i < n; i++) {
		V m = v64(A[i]), b = v64(B[i]), c = v64(g.next());
		if (r.es == 16) {
			m.l[1] = B[(i * 7 + 3) % n];
			b.l[1] = A[(i * 11 + 5) % n];
			c.l[1] = g.next();
		}
		if (f == FCAS16 || f == FCAS32 || f == FCAS64 || f == FCAS128) {
			int bits = r.es * 8;
			if (i % 4 != 3)
				b = m; // must hit
			if (i % 4 == 2) {
				int k = (int)g.below(bits);
				b.l[k / 64] ^= 1ull << (k % 64);
			} // one bit off
			if (i % 16 == 4)
				c = m;
		}
		if (r.es == 2) {
			m.l[0] &= 0xFFFF;
			b.l[0] &= 0xFFFF;
			c.l[0] &= 0xFFFF;
		}
		if (r.es == 4) {
			m.l[0] &= 0xFFFFFFFFu;
			b.l[0] &= 0xFFFFFFFFu;
			c.l[0] &= 0xFFFFFFFFu;
		}
		r.m.push_back(m);
		r.b.push_back(b);
		r.c.push_back(c);
	}
	return r;
}
static Rows make_vec(Fmt f, int nel, u64 seed, int n)
{
	Rows s = make_rows(f, seed), r;
	r.es = s.es * nel;
	r.nel = nel;
	r.width = s.es;
	size_t N = s.m.size();
	Rng g(seed ^ 99);
	for (int i = 0; i < n; i++) {
		V m, b;
		memset(&m, 0, 16);
		memset(&b, 0, 16);
		for (int k = 0; k < nel; k++) {
			size_t j = (k == i % nel) ? ((size_t)i * N / n + (size_t)k) % N : g.below((u32)N);
			memcpy((char *)&m + k * s.es, &s.m[j], s.es);
			memcpy((char *)&b + k * s.es, &s.b[j], s.es);
		}
		r.m.push_back(m);
		r.b.push_back(b);
		r.c.push_back(v64(0));
	}
	return r;
}

static void phex(FILE *f, const V &v, int width, int nel)
{
	const unsigned char *p = (const unsigned char *)&v;
	for (int k = 0; k < nel; k++) {
		if (k)
			fputc(',', f);
		for (int i = width - 1; i >= 0; i--)
			fprintf(f, "%02x", p[k * width + i]);
	}
}

static V *dm, *db, *dc, *dold, *dnw, *dscr;
static u32 *dnbr;
static const int MAXN = 16384;

typedef void (*Launch)(Tab);
template <class F> static void lg(Tab t)
{
	k_global<F><<<1024, 32>>>(t);
}
template <class F> static void ls(Tab t)
{
	k_shared<F><<<1024, 32>>>(t);
}
template <class F> static void lc(Tab t)
{
	k_cluster<F><<<264, 32>>>(t);
}

static Tab upload(const Rows &r)
{
	int n = (int)r.m.size();
	if (n > MAXN) {
		printf("too many rows\n");
		exit(2);
	}
	CK(cudaMemcpy(dm, r.m.data(), n * 16, cudaMemcpyHostToDevice));
	CK(cudaMemcpy(db, r.b.data(), n * 16, cudaMemcpyHostToDevice));
	CK(cudaMemcpy(dc, r.c.data(), n * 16, cudaMemcpyHostToDevice));
	CK(cudaMemset(dold, 0xEE, n * 16));
	CK(cudaMemset(dnw, 0xEE, n * 16));
	CK(cudaMemset(dnbr, 0xEE, n * 4));
	Tab t = {dm, db, dc, dold, dnw, dscr, dnbr, n, r.es};
	return t;
}

struct Res {
	std::vector<V> o, n;
	std::vector<u32> nb;
};
static Res exec(Launch L, const Rows &r)
{
	Tab t = upload(r);
	L(t);
	CK(cudaGetLastError());
	CK(cudaDeviceSynchronize());
	Res x;
	x.o.resize(t.n);
	x.n.resize(t.n);
	x.nb.resize(t.n);
	CK(cudaMemcpy(x.o.data(), dold, t.n * 16, cudaMemcpyDeviceToHost));
	CK(cudaMemcpy(x.n.data(), dnw, t.n * 16, cudaMemcpyDeviceToHost));
	CK(cudaMemcpy(x.nb.data(), dnbr, t.n * 4, cudaMemcpyDeviceToHost));
	return x;
}

static void dump(FILE *f, const char *space, const char *op, const Rows &r, const Res &x, bool cas, FILE *sum)
{
	int bad = 0, oldbad = 0;
	for (size_t i = 0; i < r.m.size(); i++) {
		fprintf(f, "%s\t%s\t%zu\t%d\t", space, op, i, row_off((int)i, r.es));
		phex(f, r.m[i], r.width, r.nel);
		fputc('\t', f);
		phex(f, r.b[i], r.width, r.nel);
		fputc('\t', f);
		if (cas)
			phex(f, r.c[i], r.width, r.nel);
		else
			fputc('-', f);
		fputc('\t', f);
		phex(f, x.o[i], r.width, r.nel);
		fputc('\t', f);
		phex(f, x.n[i], r.width, r.nel);
		fprintf(f, "\t%x\n", x.nb[i]);
		bad += x.nb[i] != 0;
		oldbad += memcmp(&x.o[i], &r.m[i], r.es) != 0;
	}
	fprintf(sum, "%s\t%s\trows=%zu\tneighbour_changed=%d\told_differs_from_memory=%d\n", space, op, r.m.size(), bad,
	        oldbad);
}

static const char *HDR = "space\top\trow\toff\tmem\tb\tc\told\tnew\tnbr\n";

struct Ent {
	const char *op;
	Fmt fmt;
	bool cas;
	Launch g, s, c, rg, rs, rc;
};

static void run_scalar()
{
	static const Ent ents[] = {
#define E_RMW(id, ptx, CT, C, M, fmt)                                                                                  \
	{#id, fmt, false, lg<id##_g>, ls<id##_s>, lc<id##_c>, lg<id##_rg>, ls<id##_rs>, lc<id##_rc>},
#define E_X(id, ptx, CT, C, M, fmt)   {#id, fmt, false, lg<id##_g>, ls<id##_s>, lc<id##_c>, 0, 0, 0},
#define E_CAS(id, ptx, CT, C, M, fmt) {#id, fmt, true, lg<id##_g>, ls<id##_s>, lc<id##_c>, 0, 0, 0},
	        SCALARS(E_RMW) EXCHS(E_X) CASES(E_CAS){"exch_b128", FB128, false, lg<exch_b128_g>, ls<exch_b128_s>,
	                                               lc<exch_b128_c>, 0, 0, 0},
	        {"cas_b128", FCAS128, true, lg<cas_b128_g>, ls<cas_b128_s>, lc<cas_b128_c>, 0, 0, 0}};
	FILE *f = out_open("semantics_scalar.tsv");
	FILE *rd = out_open("semantics_red_differs.tsv");
	FILE *sm = out_open("semantics_summary.txt");
	fputs(HDR, f);
	fputs("space\top\trow\tmem\tb\tatom_new\tred_new\n", rd);
	u64 seed = 1;
	for (const Ent &e : ents) {
		Rows r = make_rows(e.fmt, 1000 + seed++);
		Launch L[3] = {e.g, e.s, e.c}, R[3] = {e.rg, e.rs, e.rc};
		const char *nm[3] = {"global", "shared", "cluster"};
		for (int k = 0; k < 3; k++) {
			Res x = exec(L[k], r);
			dump(f, nm[k], e.op, r, x, e.cas, sm);
			if (R[k]) {
				Res y = exec(R[k], r);
				int diff = 0;
				for (size_t i = 0; i < r.m.size(); i++)
					if (memcmp(&x.n[i], &y.n[i], r.es)) {
						diff++;
						fprintf(rd, "%s\t%s\t%zu\t", nm[k], e.op, i);
						phex(rd, r.m[i], r.width, 1);
						fputc('\t', rd);
						phex(rd, r.b[i], r.width, 1);
						fputc('\t', rd);
						phex(rd, x.n[i], r.width, 1);
						fputc('\t', rd);
						phex(rd, y.n[i], r.width, 1);
						fputc('\n', rd);
					}
				fprintf(sm, "%s\t%s\tred_vs_atom_differences=%d\n", nm[k], e.op, diff);
			}
		}
		printf("scalar %s: %zu rows x 3 spaces\n", e.op, r.m.size());
		fflush(NULL);
	}
	fclose(f);
	fclose(rd);
	fclose(sm);
}

static void run_vector()
{
	struct VE {
		const char *op;
		Fmt f;
		int nel;
		Launch L;
	};
#define VH(op)                                                                                                         \
	{#op "_v2_f16", FF16, 2, lg<op##_v2_f16>}, {#op "_v4_f16", FF16, 4, lg<op##_v4_f16>},                          \
	        {#op "_v8_f16", FF16, 8, lg<op##_v8_f16>}, {#op "_v2_bf16", FBF16, 2, lg<op##_v2_bf16>},               \
	        {#op "_v4_bf16", FBF16, 4, lg<op##_v4_bf16>}, {#op "_v8_bf16", FBF16, 8, lg<op##_v8_bf16>},            \
	        {#op "_v2_f16x2", FF16X2, 2, lg<op##_v2_f16x2>}, {#op "_v4_f16x2", FF16X2, 4, lg<op##_v4_f16x2>},      \
	        {#op "_v2_bf16x2", FBF16X2, 2, lg<op##_v2_bf16x2>},                                                    \
	        {#op "_v4_bf16x2", FBF16X2, 4, lg<op##_v4_bf16x2>},
	static const VE ents[] = {{"add_v2_f32", FF32, 2, lg<add_v2_f32>},
	                          {"add_v4_f32", FF32, 4, lg<add_v4_f32>},
	                          VH(add) VH(min) VH(max)};
	FILE *f = out_open("semantics_vector.tsv");
	FILE *sm = out_open("semantics_vector_summary.txt");
	fputs(HDR, f);
	u64 seed = 1;
	for (const VE &e : ents) {
		Rows r = make_vec(e.f, e.nel, 2000 + seed++, 2400);
		Res x = exec(e.L, r);
		dump(f, "global", e.op, r, x, false, sm);
		printf("vector %s: %zu rows\n", e.op, r.m.size());
		fflush(NULL);
	}
	fclose(f);
	fclose(sm);
}

// ---------------------------------------------------------------- lane order
// All lanes of mask operate in one instruction on words picked by idx[lane]; returned values of an
// exchange give the exact order in which one word was visited.
enum {
	O_XS32,
	O_XS64,
	O_XS128,
	O_XG32,
	O_XG64,
	O_XG128,
	O_AS32,
	O_AG32,
	O_FS32,
	O_FG32,
	O_FS64,
	O_FG64,
	O_HS,
	O_HG,
	O_RG32F,
	O_RG64F,
	O_XC32,
	O_CASS32,
	O_CASG32,
	O_MAXS32,
	O_INCS32,
	O_NUM
};
static const char *onames[O_NUM] = {"shared.exch.b32",  "shared.exch.b64",  "shared.exch.b128",   "global.exch.b32",
                                    "global.exch.b64",  "global.exch.b128", "shared.add.u32",     "global.add.u32",
                                    "shared.add.f32",   "global.add.f32",   "shared.add.f64",     "global.add.f64",
                                    "shared.add.f16x2", "global.add.f16x2", "global.red.add.f32", "global.red.add.f64",
                                    "cluster.exch.b32", "shared.cas.b32",   "global.cas.b32",     "shared.max.u32",
                                    "shared.inc.u32"};

struct OrdRow {
	u32 mask;
	u32 pad;
	unsigned char idx[32];
	u64 val[32];
};
template <int OP> __device__ static u64 ord_op(u32 sa, u64 ga, u64 v, int lane)
{
	V b, c, d;
	b.l[0] = v;
	b.l[1] = ~v;
	c = b;
	d.l[0] = d.l[1] = 0;
	if (OP == O_XS32)
		exch_b32_s::ap(sa, b, c, d);
	if (OP == O_XS64)
		exch_b64_s::ap(sa, b, c, d);
	if (OP == O_XS128)
		exch_b128_s::ap(sa, b, c, d);
	if (OP == O_XG32)
		exch_b32_g::ap(ga, b, c, d);
	if (OP == O_XG64)
		exch_b64_g::ap(ga, b, c, d);
	if (OP == O_XG128)
		exch_b128_g::ap(ga, b, c, d);
	if (OP == O_AS32)
		add_u32_s::ap(sa, b, c, d);
	if (OP == O_AG32)
		add_u32_g::ap(ga, b, c, d);
	if (OP == O_FS32)
		add_f32_s::ap(sa, b, c, d);
	if (OP == O_FG32)
		add_f32_g::ap(ga, b, c, d);
	if (OP == O_FS64)
		add_f64_s::ap(sa, b, c, d);
	if (OP == O_FG64)
		add_f64_g::ap(ga, b, c, d);
	if (OP == O_HS)
		add_f16x2_s::ap(sa, b, c, d);
	if (OP == O_HG)
		add_f16x2_g::ap(ga, b, c, d);
	if (OP == O_RG32F)
		add_f32_rg::ap(ga, b, c, d);
	if (OP == O_RG64F)
		add_f64_rg::ap(ga, b, c, d);
	if (OP == O_XC32)
		exch_b32_c::ap(sa, b, c, d);
	// cas: compare with 0, swap in own tag: exactly one winner per word
	if (OP == O_CASS32) {
		b.l[0] = 0;
		cas_b32_s::ap(sa, b, c, d);
	}
	if (OP == O_CASG32) {
		b.l[0] = 0;
		cas_b32_g::ap(ga, b, c, d);
	}
	if (OP == O_MAXS32)
		max_u32_s::ap(sa, b, c, d);
	if (OP == O_INCS32) {
		b.l[0] = 1000000;
		inc_u32_s::ap(sa, b, c, d);
	}
	return d.l[0];
}
template <int OP> __global__ void k_order(const OrdRow *rows, u64 *ret, u64 *fin, V *gscr, int n)
{
	__shared__ __align__(16) V w[32];
	int lane = threadIdx.x;
	for (int i = blockIdx.x; i < n; i += gridDim.x) {
		V z;
		z.l[0] = z.l[1] = 0;
		w[lane] = z;
		gscr[i * 32 + lane] = z;
		__threadfence();
		__syncwarp();
		const OrdRow &r = rows[i];
		u64 d = ~0ull;
		u32 sa = smem_addr(&w[r.idx[lane]]);
		if (OP == O_XC32)
			sa = mapa32(sa, cluster_rank());
		u64 ga = (u64)__cvta_generic_to_global(&gscr[i * 32 + r.idx[lane]]);
		u64 v = r.val[lane];
		__syncwarp();
		if (r.mask >> lane & 1)
			d = ord_op<OP>(sa, ga, v, lane);
		__syncwarp();
		__threadfence();
		ret[i * 32 + lane] = d;
		bool g = OP == O_XG32 || OP == O_XG64 || OP == O_XG128 || OP == O_AG32 || OP == O_FG32 ||
		         OP == O_FG64 || OP == O_HG || OP == O_RG32F || OP == O_RG64F || OP == O_CASG32;
		volatile u64 *q = g ? (volatile u64 *)&gscr[i * 32 + lane] : (volatile u64 *)&w[lane];
		fin[i * 32 + lane] = q[0];
		__syncwarp();
	}
}
template <int OP> static void order_one(FILE *f, const std::vector<OrdRow> &rows, OrdRow *dr, u64 *dret, u64 *dfin)
{
	int n = (int)rows.size();
	CK(cudaMemcpy(dr, rows.data(), n * sizeof(OrdRow), cudaMemcpyHostToDevice));
	k_order<OP><<<64, 32>>>(dr, dret, dfin, dscr, n);
	CK(cudaGetLastError());
	CK(cudaDeviceSynchronize());
	std::vector<u64> r(n * 32), fi(n * 32);
	CK(cudaMemcpy(r.data(), dret, n * 256, cudaMemcpyDeviceToHost));
	CK(cudaMemcpy(fi.data(), dfin, n * 256, cudaMemcpyDeviceToHost));
	bool isx = OP == O_XS32 || OP == O_XS64 || OP == O_XS128 || OP == O_XG32 || OP == O_XG64 || OP == O_XG128 ||
	           OP == O_XC32;
	for (int i = 0; i < n; i++) {
		fprintf(f, "%s\t%d\t%08x\t", onames[OP], i, rows[i].mask);
		for (int l = 0; l < 32; l++)
			fprintf(f, "%02x", rows[i].idx[l]);
		fputc('\t', f);
		if (isx) { // print the visiting order of each word, lanes in hex
			bool first = true;
			for (int wd = 0; wd < 32; wd++) {
				u64 cur = fi[i * 32 + wd];
				if (!cur)
					continue;
				std::vector<int> ord;
				for (int step = 0; step < 33 && cur; step++) {
					int lane = (int)(cur & 0xFF) - 1;
					if (lane < 0 || lane > 31) {
						ord.push_back(-1);
						break;
					}
					ord.push_back(lane);
					cur = r[i * 32 + lane];
				}
				std::reverse(ord.begin(), ord.end());
				fprintf(f, "%sw%d:", first ? "" : " ", wd);
				first = false;
				for (size_t k = 0; k < ord.size(); k++)
					fprintf(f, "%s%d", k ? "," : "", ord[k]);
			}
			fputs("\t-\n", f);
		} else {
			for (int l = 0; l < 32; l++)
				if (rows[i].mask >> l & 1)
					fprintf(f, "%d=%llx/%llx ", l, (unsigned long long)rows[i].val[l],
					        (unsigned long long)r[i * 32 + l]);
			fputc('\t', f);
			for (int wd = 0; wd < 32; wd++) {
				bool used = false;
				for (int l = 0; l < 32; l++)
					used |= (rows[i].mask >> l & 1) && rows[i].idx[l] == wd;
				if (used)
					fprintf(f, "w%d=%llx ", wd, (unsigned long long)fi[i * 32 + wd]);
			}
			fputc('\n', f);
		}
	}
	printf("order %s: %d rows\n", onames[OP], n);
	fflush(NULL);
}
template <int OP> static std::vector<OrdRow> order_rows(int n)
{
	Rng g(31337 + OP);
	std::vector<OrdRow> v;
	for (int i = 0; i < n; i++) {
		OrdRow r;
		memset(&r, 0, sizeof r);
		r.mask = i < 4 ? 0xFFFFFFFFu : i < n / 3 ? 0xFFFFFFFFu : (u32)g.next();
		if (!r.mask)
			r.mask = 1;
		int kinds = i % 6;
		for (int l = 0; l < 32; l++) {
			int x = 0;
			if (kinds == 1)
				x = l & 1;
			else if (kinds == 2)
				x = l >> 4;
			else if (kinds == 3)
				x = (int)g.below(2);
			else if (kinds == 4)
				x = (int)g.below(4);
			else if (kinds == 5)
				x = (int)g.below(32);
			r.idx[l] = (unsigned char)x;
			u64 val = l + 1;
			if (OP == O_FS32 || OP == O_FG32 || OP == O_RG32F)
				val = ((g.next() & 1) << 31) | ((u64)(110 + g.below(30)) << 23) | (g.next() & 0x7FFFFF);
			if (OP == O_FS64 || OP == O_FG64 || OP == O_RG64F)
				val = ((g.next() & 1) << 63) | ((u64)(1000 + g.below(50)) << 52) |
				      (g.next() & 0xFFFFFFFFFFFFFull);
			if (OP == O_HS || OP == O_HG) {
				u64 a = ((g.next() & 1) << 15) | ((u64)(8 + g.below(14)) << 10) | (g.next() & 0x3FF),
				    b = ((g.next() & 1) << 15) | ((u64)(8 + g.below(14)) << 10) | (g.next() & 0x3FF);
				val = a | b << 16;
			}
			if (OP == O_AS32 || OP == O_AG32)
				val = 1;
			if (OP == O_MAXS32)
				val = 1 + g.below(1000);
			r.val[l] = val;
		}
		v.push_back(r);
	}
	return v;
}
static void run_order()
{
	FILE *f = out_open("lane_order.tsv");
	fputs("op\trow\tmask\tword_index_per_lane\torder_or_lane=val/returned\tfinal\n", f);
	OrdRow *dr;
	u64 *a, *b;
	const int N = 300;
	CK(cudaMalloc(&dr, N * sizeof(OrdRow)));
	CK(cudaMalloc(&a, N * 256));
	CK(cudaMalloc(&b, N * 256));
#define ORD(OP) order_one<OP>(f, order_rows<OP>(OP == O_XS32 || OP == O_XG32 ? N : 120), dr, a, b);
	ORD(O_XS32)
	ORD(O_XS64)
	ORD(O_XS128) ORD(O_XG32) ORD(O_XG64) ORD(O_XG128) ORD(O_AS32) ORD(O_AG32) ORD(O_FS32) ORD(O_FG32) ORD(O_FS64)
	        ORD(O_FG64) ORD(O_HS) ORD(O_HG) ORD(O_RG32F) ORD(O_RG64F) ORD(O_XC32) ORD(O_CASS32) ORD(O_CASG32)
	                ORD(O_MAXS32) ORD(O_INCS32) fclose(f);
}

// ---------------------------------------------------------------- asynchronous reductions
__device__ static void mb_init(u32 a, u32 n)
{
	asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(a), "r"(n) : "memory");
}
__device__ static void mb_arrive_tx(u32 a, u32 n)
{
	asm volatile("{ .reg .b64 t; mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 t,[%0],%1; }" ::"r"(a),
	             "r"(n)
	             : "memory");
}
__device__ static bool mb_try(u32 a, u32 par)
{
	u32 r;
	asm volatile(
	        "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p,[%1],%2; selp.u32 %0,1,0,p; }"
	        : "=r"(r)
	        : "r"(a), "r"(par)
	        : "memory");
	return r;
}
__device__ static bool mb_wait(u32 a, u32 par)
{
	for (int i = 0; i < 200000; i++)
		if (mb_try(a, par))
			return true;
	return false;
}

#define RASY(X)                                                                                                        \
	X(add_u32, "add.u32", "r", w, 4, FU32)                                                                         \
	X(add_s32, "add.s32", "r", w, 4, FS32)                                                                         \
	X(min_u32, "min.u32", "r", w, 4, FU32) X(min_s32, "min.s32", "r", w, 4, FS32)                                  \
	        X(max_u32, "max.u32", "r", w, 4, FU32) X(max_s32, "max.s32", "r", w, 4, FS32)                          \
	                X(inc_u32, "inc.u32", "r", w, 4, FINC) X(dec_u32, "dec.u32", "r", w, 4, FINC)                  \
	                        X(and_b32, "and.b32", "r", w, 4, FU32) X(or_b32, "or.b32", "r", w, 4, FU32)            \
	                                X(xor_b32, "xor.b32", "r", w, 4, FU32) X(add_u64, "add.u64", "l", l, 8, FU64)
#define DEF_RASY(id, ptx, C, M, es, fmt)                                                                               \
	struct ra_##id {                                                                                               \
		static __device__ void ap(u32 a, u32 mb, const V &b)                                                   \
		{                                                                                                      \
			asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." ptx     \
			             " [%0],%1,[%2];" ::"r"(a),                                                        \
			             C(b.M[0]), "r"(mb)                                                                \
			             : "memory");                                                                      \
		}                                                                                                      \
	};
RASY(DEF_RASY)
template <class F> __global__ void __cluster_dims__(2, 1, 1) k_redasync(Tab t)
{
	__shared__ __align__(16) V slot[1];
	__shared__ __align__(8) u64 bar;
	u32 rank = cluster_rank(), par = 0;
	if (threadIdx.x == 0)
		mb_init(smem_addr(&bar), 1);
	asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
	cluster_sync_all();
	int cid = blockIdx.x / 2, nc = gridDim.x / 2;
	for (int i = cid; i < t.n; i += nc) {
		volatile u64 *vs = (volatile u64 *)&slot[0];
		if (rank == 1 && threadIdx.x == 0) {
			vs[0] = t.m[i].l[0];
			vs[1] = 0;
			mb_arrive_tx(smem_addr(&bar), t.es);
		}
		cluster_sync_all();
		if (rank == 0 && (int)threadIdx.x == i % 32)
			F::ap(mapa32(smem_addr(&slot[0]), 1), mapa32(smem_addr(&bar), 1), t.b[i]);
		if (rank == 1 && threadIdx.x == 0) {
			bool ok = mb_wait(smem_addr(&bar), par);
			t.nw[i].l[0] = vs[0];
			t.nw[i].l[1] = 0;
			t.old_[i] = t.m[i];
			t.nbr[i] = ok ? 0 : 0xBAD;
		}
		par ^= 1;
		cluster_sync_all();
	}
	cluster_sync_all();
}
template <class F> static void lra(Tab t)
{
	k_redasync<F><<<264, 32>>>(t);
}

// cp.reduce.async.bulk over dense arrays: 16 bytes (one slot) per row, 64 rows per bulk operation
#define BULKG(X)                                                                                                       \
	X(add_u32, "add.u32", FU32)                                                                                    \
	X(add_s32, "add.s32", FS32)                                                                                    \
	X(add_u64, "add.u64", FU64) X(add_f16, "add.noftz.f16", FF16) X(add_bf16, "add.noftz.bf16", FBF16)             \
	        X(add_f32, "add.f32", FF32) X(add_f64, "add.f64", FF64) X(min_u32, "min.u32", FU32)                    \
	                X(min_s32, "min.s32", FS32) X(min_u64, "min.u64", FU64) X(min_s64, "min.s64", FS64) X(         \
	                        max_u32, "max.u32", FU32) X(max_s32, "max.s32", FS32) X(max_u64, "max.u64", FU64)      \
	                        X(max_s64, "max.s64", FS64) X(min_f16, "min.f16", FF16) X(max_f16, "max.f16", FF16)    \
	                                X(min_bf16, "min.bf16", FBF16) X(max_bf16, "max.bf16", FBF16)                  \
	                                        X(inc_u32, "inc.u32", FINC) X(dec_u32, "dec.u32", FINC)                \
	                                                X(and_b32, "and.b32", FU32) X(or_b32, "or.b32", FU32)          \
	                                                        X(xor_b32, "xor.b32", FU32)                            \
	                                                                X(and_b64, "and.b64", FU64)                    \
	                                                                        X(or_b64, "or.b64", FU64)              \
	                                                                                X(xor_b64, "xor.b64", FU64)
#define DEF_BULKG(id, ptx, fmt)                                                                                        \
	struct bg_##id {                                                                                               \
		static __device__ void ap(u64 g, u32 s, u32 n)                                                         \
		{                                                                                                      \
			asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." ptx                         \
			             " [%0],[%1],%2;" ::"l"(g),                                                        \
			             "r"(s), "r"(n)                                                                    \
			             : "memory");                                                                      \
		}                                                                                                      \
	};
BULKG(DEF_BULKG)
template <class F> __global__ void k_bulkg(Tab t)
{
	__shared__ __align__(128) V s[64];
	int i0 = blockIdx.x * 64;
	for (int k = threadIdx.x; k < 64; k += 32) {
		int i = min(i0 + k, t.n - 1);
		s[k] = t.b[i];
		t.scr[i0 + k] = t.m[i];
	}
	__threadfence();
	__syncwarp();
	asm volatile("fence.proxy.async;" ::: "memory");
	__syncwarp();
	if (threadIdx.x == 0) {
		F::ap((u64)__cvta_generic_to_global(&t.scr[i0]), smem_addr(s), 1024);
		asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
	}
	asm volatile("fence.proxy.async;" ::: "memory");
	__threadfence();
	__syncwarp();
	for (int k = threadIdx.x; k < 64; k += 32)
		if (i0 + k < t.n) {
			volatile u64 *q = (volatile u64 *)&t.scr[i0 + k];
			V r;
			r.l[0] = q[0];
			r.l[1] = q[1];
			t.nw[i0 + k] = r;
			t.old_[i0 + k] = t.m[i0 + k];
			t.nbr[i0 + k] = 0;
		}
}
template <class F> static void lbg(Tab t)
{
	k_bulkg<F><<<(t.n + 63) / 64, 32>>>(t);
}

#define BULKS(X)                                                                                                       \
	X(add_u32, "add.u32", FU32)                                                                                    \
	X(add_s32, "add.s32", FS32)                                                                                    \
	X(add_u64, "add.u64", FU64) X(min_u32, "min.u32", FU32) X(min_s32, "min.s32", FS32)                            \
	        X(max_u32, "max.u32", FU32) X(max_s32, "max.s32", FS32) X(inc_u32, "inc.u32", FINC)                    \
	                X(dec_u32, "dec.u32", FINC) X(and_b32, "and.b32", FU32) X(or_b32, "or.b32", FU32)              \
	                        X(xor_b32, "xor.b32", FU32)
#define DEF_BULKS(id, ptx, fmt)                                                                                        \
	struct bs_##id {                                                                                               \
		static __device__ void ap(u32 d, u32 s, u32 n, u32 mb)                                                 \
		{                                                                                                      \
			asm volatile(                                                                                  \
			        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." ptx   \
			        " [%0],[%1],%2,[%3];" ::"r"(d),                                                        \
			        "r"(s), "r"(n), "r"(mb)                                                                \
			        : "memory");                                                                           \
		}                                                                                                      \
	};
BULKS(DEF_BULKS)
template <class F> __global__ void __cluster_dims__(2, 1, 1) k_bulks(Tab t)
{
	__shared__ __align__(128) V s[64];
	__shared__ __align__(128) V dst[64];
	__shared__ __align__(8) u64 bar;
	u32 rank = cluster_rank();
	int i0 = (blockIdx.x / 2) * 64;
	for (int k = threadIdx.x; k < 64; k += 32) {
		int i = min(i0 + k, t.n - 1);
		s[k] = t.b[i];
		dst[k] = t.m[i];
	}
	if (threadIdx.x == 0) {
		mb_init(smem_addr(&bar), 1);
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		mb_arrive_tx(smem_addr(&bar), 1024);
	}
	asm volatile("fence.proxy.async;" ::: "memory");
	cluster_sync_all();
	if (rank == 0 && threadIdx.x == 0)
		F::ap(mapa32(smem_addr(dst), 1), smem_addr(s), 1024, mapa32(smem_addr(&bar), 1));
	if (rank == 1) {
		bool ok = mb_wait(smem_addr(&bar), 0);
		for (int k = threadIdx.x; k < 64; k += 32)
			if (i0 + k < t.n) {
				t.nw[i0 + k] = dst[k];
				t.old_[i0 + k] = t.m[i0 + k];
				t.nbr[i0 + k] = ok ? 0 : 0xBAD;
			}
	}
	cluster_sync_all();
}
template <class F> static void lbs(Tab t)
{
	k_bulks<F><<<((t.n + 63) / 64) * 2, 32>>>(t);
}

static void run_async()
{
	struct AE {
		const char *kind;
		const char *op;
		Fmt f;
		Launch L;
		int bulk;
	};
	static const AE ents[] = {
#define E_RA(id, ptx, C, M, es, fmt) {"red.async", #id, fmt, lra<ra_##id>, 0},
#define E_BS(id, ptx, fmt)           {"bulk.cluster", #id, fmt, lbs<bs_##id>, 1},
#define E_BG(id, ptx, fmt)           {"bulk.global", #id, fmt, lbg<bg_##id>, 1},
	        RASY(E_RA) BULKS(E_BS) BULKG(E_BG)};
	FILE *f = out_open("semantics_async.tsv");
	FILE *sm = out_open("semantics_async_summary.txt");
	fputs(HDR, f);
	u64 seed = 1;
	for (const AE &e : ents) {
		Rows s = make_rows(e.f, 3000 + seed++);
		Rows r = s;
		if (e.bulk)
			r = make_vec(e.f, 16 / s.es, 3000 + seed, std::min(MAXN - 64, (int)(1200)));
		r.es = e.bulk ? 16 : s.es;
		Res x = exec(e.L, r);
		// rows of the bulk forms hold 16/width independent elements; off is always 0 here
		FILE *ff = f;
		for (size_t i = 0; i < r.m.size(); i++) {
			fprintf(ff, "%s\t%s\t%zu\t0\t", e.kind, e.op, i);
			phex(ff, r.m[i], r.width, r.nel);
			fputc('\t', ff);
			phex(ff, r.b[i], r.width, r.nel);
			fputs("\t-\t-\t", ff);
			phex(ff, x.n[i], r.width, r.nel);
			fprintf(ff, "\t%x\n", x.nb[i]);
		}
		int bad = 0;
		for (u32 q : x.nb)
			bad += q != 0;
		fprintf(sm, "%s\t%s\trows=%zu\tnot_completed=%d\n", e.kind, e.op, r.m.size(), bad);
		printf("async %s %s: %zu rows, %d not completed\n", e.kind, e.op, r.m.size(), bad);
		fflush(NULL);
	}
	fclose(f);
	fclose(sm);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		g_outdir = argv[1];
	std::string sec = argc > 2 ? argv[2] : "all";
	banner("semantics");
	CK(cudaMalloc(&dm, MAXN * 16));
	CK(cudaMalloc(&db, MAXN * 16));
	CK(cudaMalloc(&dc, MAXN * 16));
	CK(cudaMalloc(&dold, MAXN * 16));
	CK(cudaMalloc(&dnw, MAXN * 16));
	CK(cudaMalloc(&dscr, MAXN * 16));
	CK(cudaMalloc(&dnbr, MAXN * 4));
	bool all = sec == "all";
	if (all || sec == "scalar")
		run_scalar();
	if (all || sec == "vector")
		run_vector();
	if (all || sec == "order")
		run_order();
	if (all || sec == "async")
		run_async();
	printf("semantics done\n");
	return 0;
}
