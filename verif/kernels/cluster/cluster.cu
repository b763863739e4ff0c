// SPDX-License-Identifier: Apache-2.0
// Clusters of CTAs, sm_90 on: distributed shared memory, the cluster's barrier, copies and arrivals across CTAs.
//   nvcc -std=c++17 -O3 -cubin -arch=sm_90 -o cluster.sm_90.cubin cluster.cu      (sm_100 and sm_120 likewise; -ptx)
// What the buffers hold in the end: cluster_expected.c.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
enum { Threads = 96 };

static __device__ uint64_t *native(block_barrier &b) { return cuda::device::barrier_native_handle(b); }

static __device__ void wait_parity(uint64_t *b, unsigned parity)
{
	while (!ptx::mbarrier_try_wait_parity(b, parity))
		;
}

// cuda::ptx has this form for sm_90a and the like only.
static __device__ void multicast(void *to, const void *from, unsigned bytes, uint64_t *bar, uint16_t ranks)
{
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
	             "[%0], [%1], %2, [%3], %4;"
	             :
	             : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)), "r"(bytes),
	               "r"((unsigned)__cvta_generic_to_shared(bar)), "h"(ranks)
	             : "memory");
}

// Bins spread over the CTAs of a cluster whose size the launch alone says.
extern "C" __global__ void spread(const unsigned *in, unsigned n, unsigned *out)
{
	__shared__ unsigned part[32];
	cg::cluster_group cl = cg::this_cluster();
	const unsigned bins = 32 * cl.num_blocks();
	if (threadIdx.x < 32)
		part[threadIdx.x] = 0;
	cl.sync();
	const unsigned cluster = blockIdx.x / cl.num_blocks(), clusters = gridDim.x / cl.num_blocks();
	for (unsigned i = cluster * cl.num_threads() + cl.thread_rank(); i < n; i += clusters * cl.num_threads()) {
		const unsigned bin = in[i] % bins;
		atomicAdd(cl.map_shared_rank(part, bin / 32) + bin % 32, 1u);
	}
	cl.sync();
	if (threadIdx.x < 32)
		atomicAdd(&out[cl.block_rank() * 32 + threadIdx.x], part[threadIdx.x]);
}

// Each CTA writes to the next one, round by round; arrival and wait are apart. Clusters of [2, 2] in a grid of [4, 4].
extern "C" __global__ void __cluster_dims__(2, 2, 1) ring(const unsigned *in, unsigned *out)
{
	__shared__ unsigned v[2][Threads];
	cg::cluster_group cl = cg::this_cluster();
	const unsigned block = blockIdx.y * gridDim.x + blockIdx.x, next = (cl.block_rank() + 1) % cl.num_blocks();
	v[0][threadIdx.x] = in[block * Threads + threadIdx.x];
	cl.sync();
	for (unsigned round = 0; round < 5; round++) {
		unsigned *to = cl.map_shared_rank(v[(round + 1) % 2], next);
		const unsigned mine = v[round % 2][threadIdx.x]; // behind the arrival, others may write there
		to[(threadIdx.x + 1) % Threads] = mine * 5 + cl.block_rank();
		auto token = cl.barrier_arrive();
		out[block * Threads + threadIdx.x] += mine;
		cl.barrier_wait(std::move(token));
	}
	out[block * Threads + threadIdx.x] ^= v[1][threadIdx.x];
}

// What the special registers say: CTA and cluster by number, by place, and how many there are.
extern "C" __global__ void __cluster_dims__(3, 1, 2) numbers(unsigned *out)
{
	cg::cluster_group cl = cg::this_cluster();
	const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
	unsigned *o = out + 16 * block, x, y, z;
	if (threadIdx.x)
		return;
	o[0] = cl.block_rank();
	o[1] = cl.num_blocks();
	const dim3 at = cl.block_index(), dims = cl.dim_blocks();
	o[2] = at.x | at.y << 8 | at.z << 16;
	o[3] = dims.x | dims.y << 8 | dims.z << 16;
	asm("mov.u32 %0, %%clusterid.x;" : "=r"(x));
	asm("mov.u32 %0, %%clusterid.y;" : "=r"(y));
	asm("mov.u32 %0, %%clusterid.z;" : "=r"(z));
	o[4] = x | y << 8 | z << 16;
	asm("mov.u32 %0, %%nclusterid.x;" : "=r"(x));
	asm("mov.u32 %0, %%nclusterid.y;" : "=r"(y));
	asm("mov.u32 %0, %%nclusterid.z;" : "=r"(z));
	o[5] = x | y << 8 | z << 16;
	asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(o[6]));
}

// Generic addresses of other CTAs: rank, space, loads and stores of every width, atomics that have no instruction.
extern "C" __global__ void __cluster_dims__(4, 1, 1) reached(unsigned *out, float *sums, unsigned long long *wide)
{
	__shared__ alignas(16) unsigned v[Threads];
	__shared__ float sum;
	__shared__ double dsum;
	__shared__ unsigned long long total, top;
	__shared__ unsigned short half[Threads];
	cg::cluster_group cl = cg::this_cluster();
	const unsigned rank = cl.block_rank(), other = (rank + 3) % 4;
	v[threadIdx.x] = 1000 * rank + threadIdx.x;
	half[threadIdx.x] = (unsigned short)(rank + threadIdx.x);
	if (threadIdx.x == 0) {
		sum = 0;
		dsum = 0;
		total = top = 0;
	}
	cl.sync();
	unsigned *there = cl.map_shared_rank(v, other), seen = 0, p;
	uint64_t a = (uint64_t)there, own = (uint64_t)v;
	asm("getctarank.u64 %0, %1;" : "=r"(p) : "l"(a));
	seen = p;
	asm("{ .reg .pred q; isspacep.shared::cta q, %1; selp.u32 %0, 16, 0, q; }" : "=r"(p) : "l"(a));
	seen |= p;
	asm("{ .reg .pred q; isspacep.shared::cluster q, %1; selp.u32 %0, 32, 0, q; }" : "=r"(p) : "l"(a));
	seen |= p;
	asm("{ .reg .pred q; isspacep.shared::cta q, %1; selp.u32 %0, 64, 0, q; }" : "=r"(p) : "l"(own));
	seen |= p;
	asm("{ .reg .pred q; isspacep.global q, %1; selp.u32 %0, 128, 0, q; }" : "=r"(p) : "l"(a));
	seen |= p;
	const uint4 four = *reinterpret_cast<uint4 *>(there + threadIdx.x / 4 * 4);
	const unsigned short h = cl.map_shared_rank(half, other)[threadIdx.x];
	atomicAdd(cl.map_shared_rank(&sum, other), (float)(threadIdx.x % 8));
	atomicAdd(cl.map_shared_rank(&dsum, other), 0.5);
	atomicAdd(cl.map_shared_rank(&total, other), 0x100000001ull * threadIdx.x);
	atomicMax(cl.map_shared_rank(&top, other), (unsigned long long)rank << 40 | threadIdx.x);
	cl.sync();
	const unsigned old = atomicCAS(there + threadIdx.x, 1000 * other + threadIdx.x, 7 * rank);
	cl.sync();
	const unsigned i = blockIdx.x * Threads + threadIdx.x;
	out[i] = seen + (four.x ^ four.y ^ four.z ^ four.w) + h + old * 3 + v[threadIdx.x];
	if (threadIdx.x == 0) {
		sums[blockIdx.x] = sum + (float)dsum;
		wide[blockIdx.x] = total ^ top;
	}
}

// Atomics that shared memory of other CTAs serves by itself: pairs of f16 and bf16, integers of 64 bits.
extern "C" __global__ void __cluster_dims__(4, 1, 1) packed(unsigned *out, unsigned long long *wide)
{
	__shared__ __half2 h[Threads], sum;
	__shared__ __nv_bfloat162 bsum;
	__shared__ long long low, high;
	__shared__ unsigned long long all, some, odd, given[Threads];
	cg::cluster_group cl = cg::this_cluster();
	const unsigned rank = cl.block_rank(), other = (rank + 1) % 4, t = threadIdx.x;
	h[t] = __halves2half2(__uint2half_rn(rank), __uint2half_rn(t));
	given[t] = 0x100000000ull * rank + t;
	if (t == 0) {
		sum = __halves2half2(__uint2half_rn(0), __uint2half_rn(rank));
		bsum = __halves2bfloat162(__uint2bfloat16_rn(rank), __uint2bfloat16_rn(0));
		low = high = 0;
		all = ~0ull;
		some = odd = 0;
	}
	cl.sync();
	const __half2 was = atomicAdd(cl.map_shared_rank(h, other) + t, __halves2half2(__uint2half_rn(t % 8), __uint2half_rn(rank)));
	atomicAdd(cl.map_shared_rank(&sum, other), __halves2half2(__uint2half_rn(1), __uint2half_rn(t % 4)));
	atomicAdd(cl.map_shared_rank(&bsum, other), __halves2bfloat162(__uint2bfloat16_rn(1), __uint2bfloat16_rn(t % 2)));
	atomicMin(cl.map_shared_rank(&low, other), (long long)t - 0x4000000000ll * rank);
	atomicMax(cl.map_shared_rank(&high, other), 0x300000000ll * t - rank);
	atomicAnd(cl.map_shared_rank(&all, other), ~(1ull << (t / 2 + rank)));
	atomicOr(cl.map_shared_rank(&some, other), 1ull << (t / 3 + 8 * rank));
	atomicXor(cl.map_shared_rank(&odd, other), 0x200000001ull * t);
	const unsigned long long gave = atomicExch(cl.map_shared_rank(given, other) + t, 0x700000000ull + t);
	cl.sync();
	const unsigned i = blockIdx.x * Threads + t;
	out[i] = *reinterpret_cast<unsigned *>(&h[t]) + 3 * *reinterpret_cast<const unsigned *>(&was);
	wide[i] = given[t] ^ gave << 8;
	if (t == 0) {
		out[i] ^= *reinterpret_cast<unsigned *>(&sum) ^ *reinterpret_cast<unsigned *>(&bsum) << 1;
		wide[i] ^= (low ^ high << 2) ^ (all ^ some << 4) ^ odd << 6;
	}
}

// The CTA of rank 0 fetches a tile for all others at once, stage by stage; they tell it when they have read it.
extern "C" __global__ void __cluster_dims__(4, 1, 1) tiles(const unsigned *in, unsigned *out, unsigned stages)
{
	enum { Words = 256 };
	__shared__ alignas(128) unsigned v[2][Words];
	#pragma nv_diag_suppress static_var_with_dynamic_init
	__shared__ block_barrier full[2], empty[2];
	cg::cluster_group cl = cg::this_cluster();
	const unsigned rank = cl.block_rank(), cluster = blockIdx.x / 4;
	if (threadIdx.x == 0) {
		for (unsigned s = 0; s < 2; s++) {
			init(&full[s], 1);
			init(&empty[s], 4);
		}
		ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
	}
	cl.sync();
	unsigned sum = 0;
	for (unsigned k = 0; k < stages; k++) {
		const unsigned s = k % 2, round = k / 2;
		if (threadIdx.x == 0) {
			ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, native(full[s]), sizeof v[s]);
			// Nobody may still read what the copy will overwrite, and everybody must expect its bytes: both in one arrival.
			uint64_t *e = cl.map_shared_rank(native(empty[s]), 0);
			ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, e, 1);
			if (rank == 0) {
				wait_parity(native(empty[s]), round % 2);
				multicast(v[s], in + (cluster * stages + k) * Words, sizeof v[s], native(full[s]), 0xf);
			}
		}
		wait_parity(native(full[s]), round % 2);
		for (unsigned i = threadIdx.x; i < Words; i += Threads)
			sum += v[s][i] * (rank + 1) + k;
		__syncthreads();
	}
	out[blockIdx.x * Threads + threadIdx.x] = sum;
	cl.sync();
}

// Stores and reductions that the mbarrier of another CTA waits for, and bulk copies between CTAs.
extern "C" __global__ void __cluster_dims__(2, 1, 1) posted(const unsigned *in, unsigned *out)
{
	__shared__ alignas(16) unsigned v[Threads], got[Threads];
	__shared__ alignas(16) uint4 q[Threads];
	__shared__ unsigned sum;
	__shared__ block_barrier bar;
	cg::cluster_group cl = cg::this_cluster();
	const unsigned other = 1 - cl.block_rank(), i = blockIdx.x * Threads + threadIdx.x;
	v[threadIdx.x] = in[i];
	if (threadIdx.x == 0) {
		sum = 0;
		init(&bar, 1);
		ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
	}
	ptx::fence_proxy_async(ptx::space_shared);
	cl.sync();
	uint64_t *there = cl.map_shared_rank(native(bar), other);
	if (threadIdx.x == 0)
		ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, native(bar),
		                               sizeof got + sizeof q + 4 * Threads);
	const uint32_t four[4] = {in[i], in[i] + 1, in[i] ^ 0xff, threadIdx.x};
	ptx::st_async(reinterpret_cast<uint32_t *>(cl.map_shared_rank(&q[threadIdx.x], other)), four, there);
	ptx::red_async(ptx::op_add, cl.map_shared_rank(&sum, other), in[i], there);
	if (threadIdx.x == 64)
		ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, cl.map_shared_rank(got, other), v, sizeof v, there);
	wait_parity(native(bar), 0);
	out[i] = got[threadIdx.x] + q[threadIdx.x].x * 3 + q[threadIdx.x].y * 5 + q[threadIdx.x].z * 7 +
	         q[threadIdx.x].w * 11 + sum;
	cl.sync();
}

// Warps and whole CTAs leave; the others meet without them.
extern "C" __global__ void __cluster_dims__(4, 1, 1) leaving(unsigned *out)
{
	__shared__ unsigned count;
	cg::cluster_group cl = cg::this_cluster();
	const unsigned rank = cl.block_rank(), warp = threadIdx.x / 32;
	if (threadIdx.x == 0)
		count = 0;
	cl.sync();
	for (unsigned round = 0; round < 4; round++) {
		if (round == 1 && warp == 1)
			return;
		if (round == 2 && rank == 3)
			return;
		if (threadIdx.x % 32 >= 24 - round) // lanes of a warp that stays
			return;
		atomicAdd(cl.map_shared_rank(&count, rank == 2 ? 2 : 0), 1u);
		cl.sync();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = count;
	cl.sync(); // nobody leaves before the others have added
}

// BUG: a warp of the last CTA waits for a flag that it sets itself behind the cluster's barrier.
extern "C" __global__ void __cluster_dims__(2, 1, 1) hang_cluster(unsigned *out)
{
	__shared__ volatile unsigned flag;
	cg::cluster_group cl = cg::this_cluster();
	if (threadIdx.x == 0)
		flag = 0;
	__syncthreads();
	if (cl.block_rank() == 1 && threadIdx.x / 32 == 2)
		__syncthreads();
	cl.sync();
	flag = 1;
	out[blockIdx.x] = flag;
}
