// SPDX-License-Identifier: Apache-2.0
// Block-scope synchronisation of libcu++: barrier, latch, semaphore, pipeline, memcpy_async.
//   nvcc -std=c++17 -O3 -cubin -arch=sm_90 -o mbar.sm_90.cubin mbar.cu      (sm_80 and sm_120 likewise)
// What the buffers hold in the end: mbar_expected.c.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;
enum { Threads = 128 };

// Every thread adds its right neighbour's value and its own, round after round.
extern "C" __global__ void rounds(const unsigned *in, unsigned *out)
{
	__shared__ unsigned v[2][Threads];
	__shared__ block_barrier bar;
	const unsigned t = threadIdx.x;
	if (t == 0)
		init(&bar, Threads);
	v[0][t] = in[blockIdx.x * Threads + t];
	__syncthreads();
	for (unsigned r = 0; r < 9; r++) {
		v[~r & 1][t] = v[r & 1][t] + 3 * v[r & 1][(t + 1) % Threads];
		bar.arrive_and_wait();
	}
	out[blockIdx.x * Threads + t] = v[1][t];
}

// Warp 0 fills, the others drain, through two buffers with a barrier each for "full" and "free".
extern "C" __global__ void handed_over(const unsigned *in, unsigned *out)
{
	enum { Rounds = 12, Words = 96 };
	__shared__ unsigned box[2][Words];
	__shared__ block_barrier full[2], empty[2];
	const unsigned t = threadIdx.x;
	if (t < 2) {
		init(&full[t], Threads);
		init(&empty[t], Threads);
	}
	__syncthreads();
	if (t < 32) {
		for (unsigned r = 0; r < Rounds; r++) {
			empty[r % 2].arrive_and_wait();
			for (unsigned i = t; i < Words; i += 32)
				box[r % 2][i] = in[(blockIdx.x * Rounds + r) * Words + i] ^ r;
			(void)full[r % 2].arrive();
		}
		return;
	}
	unsigned sum = 0;
	(void)empty[0].arrive();
	(void)empty[1].arrive();
	for (unsigned r = 0; r < Rounds; r++) {
		full[r % 2].arrive_and_wait();
		sum = sum * 5 + box[r % 2][(t * 7 + r) % Words];
		(void)empty[r % 2].arrive();
	}
	out[blockIdx.x * Words + t - 32] = sum;
}

// Threads leave one after the other: a phase expects fewer then.
extern "C" __global__ void leavers(unsigned *out)
{
	__shared__ block_barrier bar;
	__shared__ unsigned here;
	const unsigned t = threadIdx.x;
	if (t == 0) {
		init(&bar, Threads);
		here = 0;
	}
	__syncthreads();
	for (unsigned r = 0; r < 16; r++) {
		if (t / 8 == r) {
			bar.arrive_and_drop();
			return;
		}
		atomicAdd(&here, 1);
		bar.arrive_and_wait();
		if (t == Threads - 1)
			out[blockIdx.x * 16 + r] = here;
		bar.arrive_and_wait();
	}
}

extern "C" __global__ void latched(const unsigned *in, unsigned *out)
{
	__shared__ unsigned v[Threads];
	__shared__ cuda::latch<cuda::thread_scope_block> *done;
	__shared__ alignas(16) unsigned char room[sizeof(cuda::latch<cuda::thread_scope_block>)];
	const unsigned t = threadIdx.x;
	if (t == 0)
		done = new (room) cuda::latch<cuda::thread_scope_block>(Threads / 2);
	__syncthreads();
	if (t % 2) {
		v[t] = in[t] * 3;
		done->count_down();
	} else {
		done->wait();
		out[t / 2] = v[Threads - 1 - t] + v[t + 1];
	}
}

// Three permits: never more than three threads inside.
extern "C" __global__ void permits(unsigned *out)
{
	__shared__ alignas(16) unsigned char room[sizeof(cuda::counting_semaphore<cuda::thread_scope_block, 3>)];
	__shared__ cuda::counting_semaphore<cuda::thread_scope_block, 3> *sem;
	__shared__ unsigned inside, most, sum;
	const unsigned t = threadIdx.x;
	if (t == 0) {
		sem = new (room) cuda::counting_semaphore<cuda::thread_scope_block, 3>(3);
		inside = most = sum = 0;
	}
	__syncthreads();
	sem->acquire();
	atomicMax(&most, atomicAdd(&inside, 1) + 1);
	atomicAdd(&sum, t);
	atomicSub(&inside, 1);
	sem->release();
	__syncthreads();
	if (t == 0) {
		out[0] = most <= 3;
		out[1] = sum;
	}
}

// Copies of a thread's own, and of the whole block, that arrive at a barrier.
extern "C" __global__ void fetched(const uint4 *in, unsigned *out)
{
	__shared__ alignas(16) uint4 v[Threads];
	__shared__ alignas(16) unsigned w[Threads];
	__shared__ block_barrier bar;
	const unsigned t = threadIdx.x;
	if (t == 0)
		init(&bar, Threads);
	__syncthreads();
	cuda::memcpy_async(&v[t], &in[blockIdx.x * Threads + t], cuda::aligned_size_t<16>(16), bar);
	cuda::memcpy_async(cooperative_groups::this_thread_block(), w, (const unsigned *)in, sizeof w, bar);
	bar.arrive_and_wait();
	const uint4 x = v[Threads - 1 - t];
	out[blockIdx.x * Threads + t] = x.x + 2 * x.y + 4 * x.z + 8 * x.w + w[(t + 5) % Threads];
}

// Four stages of a pipeline of the block.
extern "C" __global__ void staged(const unsigned *in, unsigned *out)
{
	enum { Stages = 4, Rounds = 20 };
	__shared__ alignas(16) unsigned v[Stages][Threads];
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
	auto block = cooperative_groups::this_thread_block();
	auto pipe = cuda::make_pipeline(block, &state);
	unsigned sum = 0, asked = 0;
	for (unsigned r = 0; r < Rounds; r++) {
		for (; asked < Rounds && asked < r + Stages; asked++) {
			pipe.producer_acquire();
			cuda::memcpy_async(block, v[asked % Stages], in + (blockIdx.x * Rounds + asked) * Threads,
			                   cuda::aligned_size_t<16>(sizeof v[0]), pipe);
			pipe.producer_commit();
		}
		pipe.consumer_wait();
		sum = sum * 3 + v[r % Stages][(threadIdx.x + r) % Threads];
		pipe.consumer_release();
	}
	out[blockIdx.x * Threads + threadIdx.x] = sum;
}

// A thread's own pipeline: groups of its copies.
extern "C" __global__ void own_pipe(const unsigned *in, unsigned *out)
{
	__shared__ unsigned v[2][Threads];
	auto pipe = cuda::make_pipeline();
	const unsigned t = threadIdx.x;
	unsigned sum = 0;
	for (unsigned r = 0; r < 2; r++) {
		pipe.producer_acquire();
		cuda::memcpy_async(&v[r][t], &in[r * Threads + t], sizeof v[0][0], pipe);
		pipe.producer_commit();
	}
	for (unsigned r = 0; r < 10; r++) {
		cuda::pipeline_consumer_wait_prior<1>(pipe);
		sum = sum * 7 + v[r % 2][t];
		pipe.consumer_release();
		pipe.producer_acquire();
		if (r < 8)
			cuda::memcpy_async(&v[r % 2][t], &in[(r + 2) * Threads + t], sizeof v[0][0], pipe);
		pipe.producer_commit();
	}
	out[t] = sum;
}
