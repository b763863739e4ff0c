// SPDX-License-Identifier: Apache-2.0
// Bulk copies and transaction counts, sm_90 on.
//   nvcc -std=c++17 -O3 -cubin -arch=sm_90 -o bulk.sm_90.cubin bulk.cu      (sm_100 and sm_120 likewise)
// What the buffers hold in the end: mbar_expected.c.
#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;
namespace ptx = cuda::ptx;
enum { Threads = 128, Tile = 512 };

// A tile in by libcu++'s bulk copy, changed, out by a bulk group.
extern "C" __global__ void tile(const unsigned *in, unsigned *out)
{
	__shared__ alignas(128) unsigned v[Tile];
	__shared__ block_barrier bar;
	if (threadIdx.x == 0) {
		init(&bar, Threads);
		cuda::device::experimental::fence_proxy_async_shared_cta();
	}
	__syncthreads();
	block_barrier::arrival_token token;
	if (threadIdx.x == 0) {
		cuda::device::experimental::cp_async_bulk_global_to_shared(v, in + blockIdx.x * Tile, sizeof v, bar);
		token = cuda::device::barrier_arrive_tx(bar, 1, sizeof v);
	} else {
		token = bar.arrive();
	}
	bar.wait(std::move(token));
	for (unsigned i = threadIdx.x; i < Tile; i += Threads)
		v[i] = v[i] * 3 + i;
	cuda::device::experimental::fence_proxy_async_shared_cta();
	__syncthreads();
	if (threadIdx.x == 0) {
		cuda::device::experimental::cp_async_bulk_shared_to_global(out + blockIdx.x * Tile, v, sizeof v);
		cuda::device::experimental::cp_async_bulk_commit_group();
		cuda::device::experimental::cp_async_bulk_wait_group_read<0>();
	}
}

__device__ static void wait_parity(uint64_t *bar, unsigned parity)
{
	while (!ptx::mbarrier_try_wait_parity(bar, parity))
		;
}

// One producer warp, three consumer warps, four stages, waits by parity.
extern "C" __global__ void specialised(const unsigned *in, unsigned *out)
{
	enum { Stages = 4, Rounds = 21, Words = 96 };
	__shared__ alignas(128) unsigned v[Stages][Words];
	__shared__ uint64_t full[Stages], empty[Stages];
	const unsigned t = threadIdx.x;
	if (t == 0) {
		for (unsigned s = 0; s < Stages; s++) {
			ptx::mbarrier_init(&full[s], 1);
			ptx::mbarrier_init(&empty[s], 96);
		}
	}
	__syncthreads();
	if (t < 32) {
		if (t == 0) {
			for (unsigned r = 0; r < Rounds; r++) {
				wait_parity(&empty[r % Stages], ~(r / Stages) & 1);
				ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[r % Stages],
				                               sizeof v[0]);
				ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, v[r % Stages],
				                   in + (blockIdx.x * Rounds + r) * Words, sizeof v[0], &full[r % Stages]);
			}
		}
		return;
	}
	unsigned sum = 0;
	for (unsigned r = 0; r < Rounds; r++) {
		wait_parity(&full[r % Stages], r / Stages & 1);
		sum = sum * 5 + v[r % Stages][(t - 32 + 11 * r) % Words];
		(void)ptx::mbarrier_arrive(&empty[r % Stages]);
	}
	out[blockIdx.x * Words + t - 32] = sum;
}

// Sums of all blocks by bulk reductions, and a wait with a time limit.
extern "C" __global__ void summed(const unsigned *in, unsigned *out)
{
	__shared__ alignas(128) unsigned v[Threads];
	__shared__ uint64_t bar;
	const unsigned t = threadIdx.x;
	if (t == 0)
		ptx::mbarrier_init(&bar, 1);
	v[t] = in[blockIdx.x * Threads + t];
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
	__syncthreads();
	if (t == 0) {
		ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out, v, sizeof v);
		ptx::cp_async_bulk_commit_group();
		ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
		(void)ptx::mbarrier_arrive(&bar);
	}
	while (!ptx::mbarrier_try_wait_parity(&bar, 0, 20))
		;
}

// A copy that nobody counted: its bytes are complete before they are expected, and the wait is for ever.
extern "C" __global__ void hang_bytes(const unsigned *in, unsigned *out)
{
	__shared__ alignas(128) unsigned v[Threads];
	__shared__ uint64_t bar;
	if (threadIdx.x == 0) {
		ptx::mbarrier_init(&bar, 1);
		ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof v);
		ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, v, in, sizeof v - 16, &bar);
	}
	__syncthreads();
	wait_parity(&bar, 0);
	out[threadIdx.x] = v[threadIdx.x];
}
