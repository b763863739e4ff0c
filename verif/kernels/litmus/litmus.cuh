// SPDX-License-Identifier: Apache-2.0
// litmus.cuh -- accesses of the litmus kernels, each the one PTX instruction of its name. An instance of a test is a lane
// in a round; its parts are played by warps of three CTAs (two in each), by role: 0 and 1 in CTA 0, 2 and 3 in CTA 1, 4 and 5 in CTA 2.
// Locations of 4 bytes stand in a row, eight instances in a sector of memory; those that FAR makes have a sector each.
#pragma once
typedef unsigned u32;

enum { ROUNDS = 6, INSTANCES = 32 * ROUNDS };
#define ROLE (2 * blockIdx.x + threadIdx.x / 32)
#define FOR_EACH_INSTANCE(n) for (u32 n = threadIdx.x % 32; n < INSTANCES; n += 32)
#define FAR(n) (8 * (n))

#define LOAD(name, how)                                                                                                \
	static __device__ __forceinline__ u32 name(const u32 *p)                                                       \
	{                                                                                                              \
		u32 v;                                                                                                 \
		asm volatile("ld" how ".global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");                          \
		return v;                                                                                              \
	}
#define STORE(name, how)                                                                                               \
	static __device__ __forceinline__ void name(u32 *p, u32 v)                                                     \
	{                                                                                                              \
		asm volatile("st" how ".global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");                            \
	}
#define ATOM(name, how)                                                                                                \
	static __device__ __forceinline__ u32 name(u32 *p, u32 v)                                                      \
	{                                                                                                              \
		u32 old;                                                                                               \
		asm volatile("atom" how " %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory");                     \
		return old;                                                                                            \
	}
LOAD(ld_weak, ".weak")
LOAD(ld_relaxed, ".relaxed.gpu")
LOAD(ld_acquire, ".acquire.gpu")
STORE(st_weak, ".weak")
STORE(st_relaxed, ".relaxed.gpu")
STORE(st_release, ".release.gpu")
ATOM(atom_add, ".relaxed.gpu.global.add.u32")
ATOM(atom_exch, ".relaxed.gpu.global.exch.b32")
ATOM(atom_add_acq_rel, ".acq_rel.gpu.global.add.u32")

static __device__ __forceinline__ u32 atom_cas(u32 *p, u32 compare, u32 v)
{
	u32 old;
	asm volatile("atom.relaxed.gpu.global.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(p), "r"(compare), "r"(v) : "memory");
	return old;
}
static __device__ __forceinline__ void fence_sc()
{
	asm volatile("fence.sc.gpu;" ::: "memory");
}
static __device__ __forceinline__ void fence_acq_rel()
{
	asm volatile("fence.acq_rel.gpu;" ::: "memory");
}
