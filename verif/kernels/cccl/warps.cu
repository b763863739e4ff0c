// SPDX-License-Identifier: Apache-2.0
// CUB's warp algorithms and cooperative groups. Expected contents: ../cccl_expected.c
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cub/cub.cuh>
#include <cuda/barrier>

#include "common.h"

namespace cg = cooperative_groups;

KERNEL(reduce_parts)
{
	using Reduce = cub::WarpReduce<unsigned, 8>;
	__shared__ Reduce::TempStorage room[16];
	unsigned s = Reduce(room[T / 8]).Sum(in[ID]);
	if (T % 8 == 0)
		out[ID / 8] = s;
	__syncwarp();
	using Whole = cub::WarpReduce<long long>;
	__shared__ Whole::TempStorage whole[4];
	long long m = Whole(whole[T / 32]).Reduce((long long)in[ID] * -77777, [](long long a, long long b) { return a < b ? a : b; }, 20 + T / 32);
	if (T % 32 == 0) {
		out[128 + ID / 16] = (unsigned)m;
		out[129 + ID / 16] = (unsigned)(m >> 32);
	}
}

KERNEL(segments)
{
	using Reduce = cub::WarpReduce<unsigned>;
	__shared__ Reduce::TempStorage room[4];
	unsigned flag = in[ID] % 5 == 0;
	unsigned s = Reduce(room[T / 32]).HeadSegmentedSum(in[ID], flag);
	if (flag || T % 32 == 0)
		out[ID] = s;
	__syncwarp();
	unsigned m = Reduce(room[T / 32]).TailSegmentedReduce(in[ID], flag, [](unsigned a, unsigned b) { return a > b ? a : b; });
	if (T % 32 == 0 || in[ID - 1] % 5 == 0)
		out[512 + ID] = m;
}

KERNEL(scan_max)
{
	using Scan = cub::WarpScan<int>;
	__shared__ Scan::TempStorage room[4];
	int m, all;
	Scan(room[T / 32]).ExclusiveScan((int)in[ID] - 500000, m, -1000000, [](int a, int b) { return a > b ? a : b; }, all);
	out[ID] = (unsigned)m ^ (unsigned)all * 3u;
}

KERNEL(scan_wide)
{
	using Scan = cub::WarpScan<unsigned long long, 16>;
	__shared__ Scan::TempStorage room[8];
	unsigned long long x, e, all;
	Scan(room[T / 16]).InclusiveSum(in[ID] * 0x1000003ull, x, all);
	__syncwarp();
	Scan(room[T / 16]).ExclusiveSum(x, e);
	out[ID] = (unsigned)(e ^ e >> 32) + (unsigned)(all >> 3);
}

KERNEL(exchange)
{
	using Exchange = cub::WarpExchange<unsigned, 4>;
	__shared__ Exchange::TempStorage room[2];
	unsigned v[4];
	if (T < 64) {
		for (int i = 0; i < 4; i++)
			v[i] = in[T * 4 + i];
		Exchange(room[T / 32]).BlockedToStriped(v, v);
		for (int i = 0; i < 4; i++)
			out[T * 4 + i] = v[i];
		__syncwarp();
		int to[4];
		for (int i = 0; i < 4; i++)
			to[i] = (T % 32 * 4 + i) * 5 % 128;
		Exchange(room[T / 32]).ScatterToStriped(v, to);
		for (int i = 0; i < 4; i++)
			out[512 + T * 4 + i] = v[i];
	}
}

KERNEL(merge_sort)
{
	using Sort = cub::WarpMergeSort<unsigned, 4, 16>;
	__shared__ Sort::TempStorage room[8];
	unsigned v[4];
	for (int i = 0; i < 4; i++)
		v[i] = in[T * 4 + i];
	Sort(room[T / 16]).Sort(v, [](unsigned a, unsigned b) { return a % 1024 != b % 1024 ? a % 1024 > b % 1024 : a > b; });
	for (int i = 0; i < 4; i++)
		out[T * 4 + i] = v[i];
}

KERNEL(load_store)
{
	using Load = cub::WarpLoad<unsigned, 4, cub::WARP_LOAD_TRANSPOSE>;
	using Store = cub::WarpStore<unsigned, 4, cub::WARP_STORE_TRANSPOSE>;
	__shared__ union {
		Load::TempStorage load;
		Store::TempStorage store;
	} room[4];
	unsigned v[4];
	const unsigned at = T / 32 * 128;
	Load(room[T / 32].load).Load(in + at, v, 100, 7u);
	for (int i = 0; i < 4; i++)
		v[i] = v[i] * 3 + i;
	__syncwarp();
	Store(room[T / 32].store).Store(out + at, v, 110);
}

struct three {
	unsigned a;
	unsigned short b;
	double c;
};
KERNEL(shuffles)
{
	three v = {in[ID], (unsigned short)(in[ID] >> 4), in[ID] * 0.5};
	three u = cub::ShuffleUp<32>(v, 3, 0, 0xffffffff), d = cub::ShuffleDown<16>(v, 5, 15, 0xffffffff), i = cub::ShuffleIndex<8>(v, (T * 3) % 8, 0xffffffff);
	out[ID] = u.a + d.b * 3u + (unsigned)(i.c * 2) + T % 32;
}

KERNEL(tiles)
{
	auto tile = cg::tiled_partition<8>(cg::this_thread_block());
	unsigned s = cg::reduce(tile, in[ID], cg::plus<unsigned>());
	unsigned x = cg::inclusive_scan(tile, in[ID] % 100, cg::plus<unsigned>());
	unsigned e = cg::exclusive_scan(tile, in[ID], cg::bit_xor<unsigned>());
	unsigned g = cg::reduce(tile, in[ID], cg::greater<unsigned>());
	out[ID] = s + x * 3 + e * 5 + g * 7 + tile.shfl_xor(in[ID], 3) + tile.any(in[ID] % 7 == 0) + tile.meta_group_rank();
}

KERNEL(coalesced)
{
	unsigned v = in[ID], r = 0;
	if (v % 3) {
		auto g = cg::coalesced_threads();
		r = g.size() * 1000 + g.thread_rank() * 10 + (unsigned)g.all(v % 2) + g.shfl(v, 0) * 3;
		if (v % 5 < 2) {
			auto h = cg::coalesced_threads();
			r += cg::reduce(h, v, cg::plus<unsigned>()) + (h.shfl_down(v, 1) > 0);
		}
	}
	out[ID] = r;
}

KERNEL(labels)
{
	auto tile = cg::tiled_partition<32>(cg::this_thread_block());
	auto same = cg::labeled_partition(tile, in[ID] % 4);
	unsigned s = cg::reduce(same, in[ID], cg::plus<unsigned>());
	auto odd = cg::binary_partition(tile, in[ID] % 2);
	unsigned n = odd.size() * 100 + odd.thread_rank();
	out[ID] = s + n * 3 + same.thread_rank();
}

KERNEL(group_float)
{
	auto tile = cg::tiled_partition<16>(cg::this_thread_block());
	float f = cg::reduce(tile, (float)(in[ID] % 4096) * 0.125f, cg::plus<float>());
	double d = cg::reduce(tile, (double)in[ID], cg::less<double>());
	int x = cg::inclusive_scan(tile, (int)in[ID] - 500000, cg::less<int>());
	out[ID] = __float_as_uint(f) + (unsigned)(d * 2) + (unsigned)x;
}

KERNEL(group_copy)
{
	__shared__ alignas(16) unsigned room[256];
	auto block = cg::this_thread_block();
	cg::memcpy_async(block, room, in + 128 * BLOCK, 512);
	cg::memcpy_async(block, room + 128, cuda::aligned_size_t<16>(128), in + 1024, cuda::aligned_size_t<16>(128));
	cg::wait_prior<1>(block);
	unsigned v = room[127 - T];
	cg::wait(block);
	auto tile = cg::tiled_partition<4>(block);
	out[ID] = v + room[128 + (T + 1) % 128] + tile.ballot(1);
}

KERNEL(group_barrier)
{
	__shared__ unsigned v[128];
	auto block = cg::this_thread_block();
	v[T] = in[ID];
	auto token = block.barrier_arrive();
	unsigned own = in[ID] * 3;
	block.barrier_wait(std::move(token));
	own += v[(T + 33) % 128];
	block.sync();
	v[T] = own;
	cg::tiled_partition<32>(block).sync();
	out[ID] = v[T ^ 5] + block.thread_rank() + block.group_index().x;
}
