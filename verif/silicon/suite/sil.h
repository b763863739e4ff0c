// SPDX-License-Identifier: Apache-2.0
// Common host/device helpers of the silicon ground-truth suite.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

typedef uint32_t u32;
typedef uint64_t u64;
typedef uint16_t u16;

#define CK(x)                                                                                                          \
	do {                                                                                                           \
		cudaError_t e_ = (x);                                                                                  \
		if (e_ != cudaSuccess) {                                                                               \
			printf("CUDA error %d (%s) at %s:%d: %s\n", (int)e_, cudaGetErrorName(e_), __FILE__, __LINE__, \
			       #x);                                                                                    \
			fflush(NULL);                                                                                  \
			exit(3);                                                                                       \
		}                                                                                                      \
	} while (0)

static const char *g_outdir = ".";

static FILE *out_open(const char *name)
{
	char p[1024];
	snprintf(p, sizeof p, "%s/%s", g_outdir, name);
	FILE *f = fopen(p, "w");
	if (!f) {
		printf("cannot write %s\n", p);
		exit(2);
	}
	return f;
}

// Deterministic host generator (splitmix64).
struct Rng {
	u64 s;
	explicit Rng(u64 seed) : s(seed)
	{
	}
	u64 next()
	{
		u64 z = (s += 0x9E3779B97F4A7C15ull);
		z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
		z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
		return z ^ (z >> 31);
	}
	u32 below(u32 n)
	{
		return (u32)((next() >> 32) * (u64)n >> 32);
	}
};

// Deterministic per-thread hash usable on the device.
__host__ __device__ static inline u32 mix32(u32 x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	x ^= x >> 16;
	return x;
}

static void banner(const char *prog)
{
	int dev = 0, rt = 0, dr = 0;
	cudaDeviceProp p;
	CK(cudaGetDevice(&dev));
	CK(cudaGetDeviceProperties(&p, dev));
	CK(cudaRuntimeGetVersion(&rt));
	CK(cudaDriverGetVersion(&dr));
	printf("# %s: %s sm_%d%d, %d SMs, L2 %d bytes, runtime %d, driver API %d\n", prog, p.name, p.major, p.minor,
	       p.multiProcessorCount, p.l2CacheSize, rt, dr);
	fflush(stdout);
}

__device__ static inline u32 smem_addr(const void *p)
{
	return (u32)__cvta_generic_to_shared(p);
}
__device__ static inline u32 mapa32(u32 a, u32 rank)
{
	u32 r;
	asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(rank));
	return r;
}
__device__ static inline u32 cluster_rank()
{
	u32 r;
	asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
	return r;
}
__device__ static inline void cluster_sync_all()
{
	asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ static inline u32 smid()
{
	u32 r;
	asm volatile("mov.u32 %0, %%smid;" : "=r"(r));
	return r;
}
