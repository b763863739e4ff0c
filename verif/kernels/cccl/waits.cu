// SPDX-License-Identifier: Apache-2.0
// Threads of a warp that wait for each other one by one: rings of semaphores and of notifications, barriers asked by
// parity; groups of several warps, of parts of a tile and of a cluster; results that groups add up by themselves; sorts of
// one thread. Expected contents: waits_expected.c
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cub/cub.cuh>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/inplace_vector>
#include <cuda/std/numeric>

#include "common.h"

namespace cg = cooperative_groups;
using Word = cuda::atomic<unsigned, cuda::thread_scope_block>;

// Each thread hands on to the next one what it has made of what it got: a semaphore for each, all lanes of a warp wait.
KERNEL(relay)
{
	using Gate = cuda::binary_semaphore<cuda::thread_scope_block>;
	__shared__ alignas(Gate) char gates_room[128 * sizeof(Gate)];
	Gate *gates = reinterpret_cast<Gate *>(gates_room);
	__shared__ unsigned token;
	new (&gates[T]) Gate(T == 0);
	if (T == 0)
		token = BLOCK;
	__syncthreads();
	gates[T].acquire();
	token = token * 3 + in[ID];
	out[ID] = token;
	gates[(T + 1) % 128].release();
	if (T == 0) {
		gates[0].acquire();
		out[3 * 128 + BLOCK] = token ^ 0x5555;
	}
}

// The same with one word and notifications: who is not meant waits on.
KERNEL(turns)
{
	ROOM(Word, turn);
	__shared__ unsigned sum;
	if (T == 0) {
		new (&turn) Word(0);
		sum = 1;
	}
	__syncthreads();
	const unsigned mine = (T * 37 + 11) % 128;
	for (unsigned now; (now = turn.load(cuda::memory_order_acquire)) != mine;)
		turn.wait(now, cuda::memory_order_acquire);
	sum = sum * 5 + in[ID] % 1000;
	out[ID] = sum;
	turn.fetch_add(1, cuda::memory_order_release);
	turn.notify_all();
}

// A ticket lock of the block that threads of all warps take three times each, in a function that is not inlined.
__device__ cuda::atomic<unsigned, cuda::thread_scope_device> next_ticket[3], serving[3];

static __device__ __noinline__ void with_ticket(unsigned block, volatile unsigned *count, unsigned add)
{
	const unsigned ticket = next_ticket[block].fetch_add(1, cuda::memory_order_relaxed);
	while (serving[block].load(cuda::memory_order_acquire) != ticket)
		;
	*count = *count + add;
	serving[block].fetch_add(1, cuda::memory_order_release);
}

KERNEL(tickets)
{
	__shared__ unsigned count;
	if (T == 0)
		count = 0;
	__syncthreads();
	for (unsigned k = 0; k < 3; k++)
		if ((T + k) % 5)
			with_ticket(BLOCK, &count, in[ID] % 100 + k);
	__syncthreads();
	out[ID] = count;
}

// A barrier asked by parity; every other thread counts twice.
KERNEL(parities)
{
	using Barrier = cuda::barrier<cuda::thread_scope_block>;
	ROOM(Barrier, meet);
	__shared__ unsigned sums[4];
	if (T == 0)
		init(&meet, 192);
	if (T < 4)
		sums[T] = 0;
	__syncthreads();
	unsigned all = 0;
	for (unsigned k = 0; k < 4; k++) {
		atomicAdd(&sums[k], in[ID] % (50 + k));
		(void)meet.arrive(2 - T % 2);
		meet.wait_parity(k % 2);
		all = all * 7 + sums[k];
	}
	out[ID] = all;
}

// Groups of two warps: what they add, who of them says yes, what the other's lane has.
KERNEL(wide_tiles)
{
	__shared__ cg::block_tile_memory<128> room;
	cg::thread_block block = cg::this_thread_block(room);
	const auto tile = cg::tiled_partition<64>(block);
	const unsigned v = in[ID];
	const unsigned sum = cg::reduce(tile, v % 1000, cg::plus<unsigned>());
	const unsigned most = cg::reduce(tile, v, cg::greater<unsigned>());
	const unsigned before = cg::exclusive_scan(tile, v % 77, cg::plus<unsigned>());
	unsigned r = sum + most * 3 + before * 5;
	r += tile.any(v % 64 == 5) ? 1000 : 0;
	r += tile.all(v % 64 != 9) ? 2000 : 0;
	r ^= tile.shfl(v, 40) + tile.meta_group_rank() * 11 + tile.thread_rank();
	tile.sync();
	out[ID] = r;
}

// Arrive and go on; wait with the token. Two phases are open one after the other.
KERNEL(tokens)
{
	const auto block = cg::this_thread_block();
	__shared__ unsigned words[2][128];
	unsigned r = in[ID];
	for (unsigned k = 0; k < 3; k++) {
		words[k % 2][T] = r;
		auto token = block.barrier_arrive();
		r = r * 3 + k;
		block.barrier_wait(cuda::std::move(token));
		r += words[k % 2][(T + 33) % 128];
	}
	out[ID] = r;
}

// What groups add to words by themselves.
KERNEL(updates)
{
	ROOM(Word, sum);
	ROOM(Word, most);
	const auto block = cg::this_thread_block();
	const auto tile = cg::tiled_partition<16>(block);
	if (T == 0) {
		new (&sum) Word(100);
		new (&most) Word(0);
	}
	block.sync();
	cg::reduce_update_async(tile, sum, in[ID] % 1000, cg::plus<unsigned>());
	cg::reduce_update_async(tile, most, in[ID], cg::greater<unsigned>());
	block.sync();
	const unsigned total = sum.load(), top = most.load();
	block.sync();
	const auto part = cg::binary_partition(cg::tiled_partition<32>(block), in[ID] % 3 == 0);
	cg::reduce_store_async(part, sum, 7u, cg::bit_or<unsigned>());
	block.sync();
	out[ID] = total + top * 3 + sum.load() + (cg::inclusive_scan(part, T) << 4);
}

// All threads load the next of three stages while they use one.
KERNEL(three_stages)
{
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
	__shared__ alignas(16) unsigned stage[3][128];
	const auto block = cg::this_thread_block();
	auto pipe = cuda::make_pipeline(block, &state);
	unsigned r = 0;
	for (unsigned k = 0, ahead = 0; k < 6; k++) {
		for (; ahead < 6 && ahead < k + 3; ahead++) {
			pipe.producer_acquire();
			cuda::memcpy_async(block, stage[ahead % 3], in + 128 * (ahead + BLOCK), cuda::aligned_size_t<16>(512), pipe);
			pipe.producer_commit();
		}
		pipe.consumer_wait();
		r = r * 9 + stage[k % 3][(T * 5 + k) % 128];
		pipe.consumer_release();
	}
	out[ID] = r;
}

// Sorts, sums and scans of one thread.
KERNEL(own_sorts)
{
	unsigned keys[8], at[8];
	for (unsigned k = 0; k < 8; k++) {
		keys[k] = in[(ID * 8 + k * 129) % 2048] % 50;
		at[k] = k;
	}
	cub::StableOddEvenSort(keys, at, [](unsigned a, unsigned b) { return a < b; });
	cuda::std::inplace_vector<unsigned, 8> firsts;
	for (unsigned k = 0; k < 8; k++)
		if (k == 0 || keys[k] != keys[k - 1])
			firsts.push_back(keys[k] * 8 + at[k]);
	unsigned r = cuda::std::accumulate(firsts.begin(), firsts.end(), 1u, [](unsigned a, unsigned b) { return a * 31 + b; });
	for (unsigned k = 0; k < 8; k++)
		r = r * 3 + at[k];
	out[ID] = r + (unsigned)firsts.size();
}

// Lanes of a warp that drop out one after the other, those that stay in groups of equals.
KERNEL(peeled)
{
	const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
	unsigned v = in[ID] % 6 + 1, r = 0;
	for (unsigned k = 0; k < 6; k++) {
		const auto left = cg::binary_partition(warp, v != 0);
		if (v) {
			const auto same = cg::labeled_partition(left, v % 3);
			r = r * 5 + cg::reduce(same, v, cg::plus<unsigned>()) + same.thread_rank() * 2 + same.size();
			const unsigned least = cg::reduce(left, v, cg::less<unsigned>());
			v = v == least ? 0 : v - 1;
		}
		warp.sync();
	}
	out[ID] = r;
}
