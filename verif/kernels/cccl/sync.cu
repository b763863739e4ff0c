// SPDX-License-Identifier: Apache-2.0
// cuda::barrier, latch, semaphore with time-outs, pipeline, memcpy_async. Expected contents: ../cccl_expected.c
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/chrono>

#include "common.h"

namespace cg = cooperative_groups;
using cuda::thread_scope_block;
using cuda::thread_scope_device;
using block_barrier = cuda::barrier<thread_scope_block>;

// A barrier with a function that runs once a phase.
struct bump {
	unsigned *word;
	__device__ void operator()() const { *word = *word * 3 + 1; }
};
KERNEL(completion)
{
	using counted = cuda::barrier<thread_scope_block, bump>;
	ROOM(counted, bar);
	__shared__ unsigned word;
	if (T == 0) {
		word = 0;
		new (&bar) counted(blockDim.x, bump{&word});
	}
	__syncthreads();
	unsigned sum = 0;
	for (unsigned r = 0; r < 5; r++) {
		bar.arrive_and_wait();
		sum = sum * 7 + word;
		bar.arrive_and_wait();
	}
	out[ID] = sum + in[ID];
}

// Warps leave one after the other; those that stay go on.
KERNEL(dropped)
{
	ROOM(block_barrier, bar);
	__shared__ unsigned here;
	if (T == 0) {
		init(&bar, blockDim.x);
		here = 0;
	}
	__syncthreads();
	unsigned rounds = T / 32 + 1;
	for (unsigned r = 0; r < rounds; r++) {
		atomicAdd(&here, in[r]);
		if (r + 1 == rounds)
			bar.arrive_and_drop();
		else
			bar.arrive_and_wait();
	}
	__syncthreads();
	if (T == 0)
		out[BLOCK] = here;
}

// Tokens, tests, waits with a limit that is over, and one that is not.
KERNEL(tested)
{
	ROOM(block_barrier, bar);
	if (T == 0)
		init(&bar, blockDim.x);
	__syncthreads();
	unsigned seen = 0;
	if (T == 5) {
		auto token = bar.arrive();
		// warp 3 comes only when this has given up
		seen += bar.try_wait_for(std::move(token), cuda::std::chrono::microseconds(3)) ? 100 : 1;
		cuda::atomic_ref<unsigned, thread_scope_device>(out[1000 + BLOCK]).store(1);
		auto again = bar.try_wait_parity_for(false, cuda::std::chrono::milliseconds(200));
		seen += again ? 10 : 1000;
	} else {
		if (T / 32 == 3)
			while (!cuda::atomic_ref<unsigned, thread_scope_device>(out[1000 + BLOCK]).load())
				;
		auto token = bar.arrive();
		bar.wait(std::move(token));
	}
	out[ID] = seen;
}

__device__ alignas(16) char far_room[sizeof(cuda::barrier<thread_scope_device>)];
__device__ unsigned far_ready;
KERNEL(device_barrier)
{
	auto &bar = *reinterpret_cast<cuda::barrier<thread_scope_device> *>(far_room);
	cuda::atomic_ref<unsigned, thread_scope_device> ready(far_ready);
	if (ID == 0) {
		init(&bar, gridDim.x);
		ready.store(1, cuda::memory_order_release);
	}
	if (T == 0)
		while (!ready.load(cuda::memory_order_acquire))
			;
	__syncthreads();
	for (unsigned r = 0; r < 4; r++) {
		unsigned *from = out + (r % 2 ? 512 : 0), *to = out + (r % 2 ? 0 : 512);
		to[ID] = r ? static_cast<volatile unsigned *>(from)[(ID + blockDim.x) % ALL] * 3 + r : in[ID];
		__threadfence();
		__syncthreads();
		if (T == 0)
			bar.arrive_and_wait();
		__syncthreads();
	}
}

__device__ alignas(16) char latch_room[sizeof(cuda::latch<thread_scope_device>)];
__device__ unsigned latch_ready;
KERNEL(device_latch)
{
	auto &l = *reinterpret_cast<cuda::latch<thread_scope_device> *>(latch_room);
	cuda::atomic_ref<unsigned, thread_scope_device> ready(latch_ready);
	if (ID == 0) {
		new (&l) cuda::latch<thread_scope_device>(gridDim.x * 4);
		ready.store(1, cuda::memory_order_release);
	}
	while (!ready.load(cuda::memory_order_acquire))
		;
	if (T % 32 == 0) {
		cuda::atomic_ref<unsigned, thread_scope_device>(out[512]).fetch_add(in[ID], cuda::memory_order_relaxed);
		l.count_down();
	}
	if (T == 1)
		while (!l.try_wait())
			;
	l.wait();
	out[ID] = static_cast<volatile unsigned *>(out)[512] + T;
}

KERNEL(mutex)
{
	using sem = cuda::binary_semaphore<thread_scope_block>;
	ROOM(sem, s);
	__shared__ unsigned a, b;
	if (T == 0) {
		new (&s) sem(1);
		a = b = 0;
	}
	__syncthreads();
	// one lane of each warp: between lanes of one warp ptxas puts the WARPSYNC of __syncthreads before the release
	for (unsigned i = 0; T % 32 == 0 && i < 8; i++) {
		s.acquire();
		*(volatile unsigned *)&a = *(volatile unsigned *)&a + in[ID + i];
		*(volatile unsigned *)&b = *(volatile unsigned *)&b + 1;
		s.release();
	}
	__syncthreads();
	out[ID] = a ^ b;
}

// One waits with a limit for a permit that does not come, then for one that does.
KERNEL(gives_up)
{
	using sem = cuda::counting_semaphore<thread_scope_block, 8>;
	ROOM(sem, s);
	ROOM(sem, t);
	if (T == 0) {
		new (&s) sem(0);
		new (&t) sem(0);
	}
	__syncthreads();
	if (T == 0) {
		out[0] = s.try_acquire();
		out[1] = s.try_acquire_for(cuda::std::chrono::milliseconds(2));
		t.release(3);
		out[2] = s.try_acquire_for(cuda::std::chrono::seconds(1));
		out[3] = s.try_acquire();
		out[4] = s.try_acquire();
	}
	if (T == 40) {
		t.acquire();
		out[5] = t.try_acquire();
		out[6] = t.try_acquire_until(cuda::std::chrono::high_resolution_clock::now() + cuda::std::chrono::milliseconds(5));
		out[7] = t.try_acquire_until(cuda::std::chrono::high_resolution_clock::now() + cuda::std::chrono::milliseconds(5));
		s.release(2);
	}
}

__device__ cuda::counting_semaphore<thread_scope_device> permits(2);
KERNEL(limited)
{
	if (T % 64 == 0) {
		permits.acquire();
		cuda::atomic_ref<unsigned, thread_scope_device> inside(out[1]);
		if (inside.fetch_add(1) >= 2)
			out[2] = 1;
		atomicAdd(out, in[ID]);
		inside.fetch_sub(1);
		permits.release();
	}
}

// Stages through a pipeline that the block shares: everybody produces and consumes.
KERNEL(staged)
{
	constexpr unsigned Stages = 2, Rounds = 6;
	__shared__ unsigned room[Stages][128];
	__shared__ cuda::pipeline_shared_state<thread_scope_block, Stages> state;
	auto block = cg::this_thread_block();
	auto pipe = cuda::make_pipeline(block, &state);
	unsigned sum = 0, fetched = 0;
	for (unsigned r = 0; r < Rounds; r++) {
		for (; fetched < Rounds && fetched < r + Stages; fetched++) {
			pipe.producer_acquire();
			cuda::memcpy_async(block, room[fetched % Stages], in + 128 * ((BLOCK + fetched) % Rounds), cuda::aligned_size_t<16>(512), pipe);
			pipe.producer_commit();
		}
		pipe.consumer_wait();
		sum = sum * 3 + room[r % Stages][(T + 9 * r) % 128];
		pipe.consumer_release();
	}
	out[ID] = sum;
}

// Two warps fetch, two warps work.
KERNEL(roles)
{
	constexpr unsigned Stages = 3, Rounds = 7;
	__shared__ unsigned room[Stages][64];
	__shared__ cuda::pipeline_shared_state<thread_scope_block, Stages> state;
	auto block = cg::this_thread_block();
	const bool fetches = T < 64;
	auto pipe = cuda::make_pipeline(block, &state, fetches ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
	unsigned sum = 0;
	for (unsigned r = 0; r < Rounds; r++)
		if (fetches) {
			pipe.producer_acquire();
			cuda::memcpy_async(&room[r % Stages][T], in + 64 * r + T, sizeof(unsigned), pipe);
			pipe.producer_commit();
		} else {
			pipe.consumer_wait();
			sum = sum * 5 + room[r % Stages][(T + 11 * r) % 64];
			pipe.consumer_release();
		}
	if (!fetches)
		out[T - 64] = sum;
}

// A pipeline of each thread's own, four copies in flight.
KERNEL(private_pipe)
{
	__shared__ unsigned room[4][128];
	auto pipe = cuda::make_pipeline();
	unsigned sum = 0;
	for (unsigned i = 0; i < 4; i++) {
		pipe.producer_acquire();
		cuda::memcpy_async(&room[i][T], in + 128 * i + T, cuda::aligned_size_t<4>(4), pipe);
		pipe.producer_commit();
	}
	cuda::pipeline_consumer_wait_prior<3>(pipe);
	sum = room[0][T];
	cuda::pipeline_consumer_wait_prior<1>(pipe);
	sum = sum * 3 + room[1][T] + room[2][T];
	cuda::pipeline_consumer_wait_prior<0>(pipe);
	out[ID] = sum * 3 + room[3][T];
}

// Copies that a barrier waits for: by the group, by each thread, of sizes that are no power of two.
KERNEL(copied)
{
	__shared__ alignas(16) unsigned room[128];
	__shared__ unsigned char bytes[128 * 3];
	ROOM(block_barrier, bar);
	auto block = cg::this_thread_block();
	if (T == 0)
		init(&bar, blockDim.x);
	__syncthreads();
	cuda::memcpy_async(block, room, in + 128 * BLOCK, sizeof room, bar);
	cuda::memcpy_async(bytes + 3 * T, reinterpret_cast<const unsigned char *>(in) + 3 * T + 1, 3, bar);
	bar.arrive_and_wait();
	const unsigned t = blockDim.x - 1 - T;
	out[ID] = room[t] + bytes[3 * t] + (bytes[3 * t + 1] << 8) + (bytes[3 * t + 2] << 16);
}

// Arrivals of more than one, by those that are awake.
KERNEL(several)
{
	ROOM(block_barrier, bar);
	__shared__ unsigned v[128];
	if (T == 0)
		init(&bar, 128);
	__syncthreads();
	v[T] = in[ID];
	if (T % 4 == 0) {
		__syncwarp(0x11111111);
		(void)bar.arrive(3);
	}
	if (T % 4 != 0)
		v[T] *= 2;
	__syncwarp();
	if (T % 4 == 0)
		bar.arrive_and_wait();
	if (T % 4 == 0)
		out[ID / 4] = v[(T + 4) % 128];
}
