// SPDX-License-Identifier: Apache-2.0
// CUB's block algorithms: reduce, scan, load, store, exchange, neighbours. Expected contents: ../cccl_expected.c
#include <cub/block/block_shuffle.cuh>
#include <cub/cub.cuh>

#include "common.h"

enum { Threads = 128 };

template <cub::BlockReduceAlgorithm A> __device__ unsigned long long reduced(unsigned long long v, int n)
{
	using Reduce = cub::BlockReduce<unsigned long long, Threads, A>;
	__shared__ typename Reduce::TempStorage room;
	unsigned long long r = n < Threads ? Reduce(room).Sum(v, n) : Reduce(room).Sum(v);
	__syncthreads();
	return r;
}
KERNEL(reduce_three)
{
	unsigned long long v = in[ID] * 0x10001ull;
	unsigned long long a = reduced<cub::BLOCK_REDUCE_RAKING>(v, 128), b = reduced<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(v, 77),
			   c = reduced<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>(v, 128);
	if (T == 0) {
		out[4 * BLOCK] = (unsigned)a;
		out[4 * BLOCK + 1] = (unsigned)(a >> 32);
		out[4 * BLOCK + 2] = (unsigned)b;
		out[4 * BLOCK + 3] = (unsigned)(c - a);
	}
}

struct biggest {
	unsigned value, at;
};
KERNEL(arg_max)
{
	using Reduce = cub::BlockReduce<biggest, Threads>;
	__shared__ Reduce::TempStorage room;
	biggest items[2] = {{in[2 * ID], 2 * ID}, {in[2 * ID + 1], 2 * ID + 1}};
	biggest r = Reduce(room).Reduce(items, [](biggest a, biggest b) { return a.value > b.value || (a.value == b.value && a.at < b.at) ? a : b; });
	if (T == 0) {
		out[2 * BLOCK] = r.value;
		out[2 * BLOCK + 1] = r.at;
	}
}

template <cub::BlockScanAlgorithm A> __device__ void scanned(const unsigned *in, unsigned *out)
{
	using Scan = cub::BlockScan<unsigned, Threads, A>;
	__shared__ typename Scan::TempStorage room;
	unsigned v[3], all;
	for (int i = 0; i < 3; i++)
		v[i] = in[3 * T + i];
	Scan(room).InclusiveSum(v, v, all);
	for (int i = 0; i < 3; i++)
		out[3 * T + i] = v[i] + all;
	__syncthreads();
}
KERNEL(scan_raking) { scanned<cub::BLOCK_SCAN_RAKING>(in, out); }
KERNEL(scan_memoize) { scanned<cub::BLOCK_SCAN_RAKING_MEMOIZE>(in, out); }
KERNEL(scan_warps) { scanned<cub::BLOCK_SCAN_WARP_SCANS>(in, out); }

struct running {
	unsigned total;
	__device__ unsigned operator()(unsigned all)
	{
		unsigned was = total;
		total += all;
		return was;
	}
};
KERNEL(scan_prefix)
{
	using Scan = cub::BlockScan<unsigned, Threads>;
	__shared__ Scan::TempStorage room;
	running prefix = {1000};
	for (unsigned at = 0; at < 512; at += Threads) {
		unsigned v;
		Scan(room).ExclusiveSum(in[at + T], v, prefix);
		out[at + T] = v;
		__syncthreads();
	}
}

// Sums by key: a scan over pairs.
KERNEL(scan_by_key)
{
	using Pair = cub::KeyValuePair<int, unsigned>;
	using Scan = cub::BlockScan<Pair, Threads>;
	__shared__ Scan::TempStorage room;
	Pair p(in[ID] % 4 == 0, in[ID]), r;
	Scan(room).InclusiveScan(p, r, cub::ReduceBySegmentOp<::cuda::std::plus<>>());
	out[ID] = r.key * 1000000u + r.value;
}

KERNEL(load_ways)
{
	using Turned = cub::BlockLoad<unsigned, Threads, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
	using Wide = cub::BlockLoad<unsigned, Threads, 4, cub::BLOCK_LOAD_VECTORIZE>;
	using Store = cub::BlockStore<unsigned, Threads, 4, cub::BLOCK_STORE_TRANSPOSE>;
	__shared__ union {
		Turned::TempStorage turned;
		Wide::TempStorage wide;
		Store::TempStorage store;
	} room;
	unsigned a[4], b[4];
	Turned(room.turned).Load(in, a, 500, 9u);
	__syncthreads();
	Wide(room.wide).Load(in + 512, b);
	__syncthreads();
	for (int i = 0; i < 4; i++)
		a[i] += b[i] * 3;
	Store(room.store).Store(out, a, 510);
}

KERNEL(exchange_ways)
{
	using Exchange = cub::BlockExchange<unsigned, Threads, 4>;
	__shared__ Exchange::TempStorage room;
	unsigned v[4];
	int to[4];
	for (int i = 0; i < 4; i++) {
		v[i] = in[4 * T + i];
		to[i] = (4 * T + i) * 7 % 512;
	}
	Exchange(room).BlockedToStriped(v, v);
	__syncthreads();
	Exchange(room).ScatterToBlocked(v, to);
	__syncthreads();
	Exchange(room).StripedToBlocked(v, v);
	for (int i = 0; i < 4; i++)
		out[4 * T + i] = v[i];
}

KERNEL(neighbours)
{
	using Flags = cub::BlockDiscontinuity<unsigned, Threads>;
	using Difference = cub::BlockAdjacentDifference<unsigned, Threads>;
	__shared__ union {
		Flags::TempStorage flags;
		Difference::TempStorage difference;
	} room;
	unsigned v[2] = {in[2 * T] % 3, in[2 * T + 1] % 3}, d[2];
	int head[2], tail[2];
	Flags(room.flags).FlagHeadsAndTails(head, tail, v, ::cuda::std::not_equal_to<>());
	__syncthreads();
	Difference(room.difference).SubtractLeft(v, d, [](unsigned a, unsigned b) { return a - b; });
	for (int i = 0; i < 2; i++)
		out[2 * T + i] = head[i] + 10 * tail[i] + 100 * (d[i] + 5);
}

KERNEL(run_lengths)
{
	using Decode = cub::BlockRunLengthDecode<unsigned, Threads, 1, 4>;
	__shared__ Decode::TempStorage room;
	unsigned value[1] = {in[T]}, length[1] = {in[T] % 4 + 1}, total;
	Decode decode(room, value, length, total);
	for (unsigned at = 0; at < total; at += 4 * Threads) {
		unsigned items[4];
		decode.RunLengthDecode(items, at);
		for (unsigned i = 0; i < 4; i++)
			if (at + 4 * T + i < total)
				out[at + 4 * T + i] = items[i] + 1;
		__syncthreads();
	}
}

KERNEL(moved)
{
	using Shuffle = cub::BlockShuffle<unsigned, Threads>;
	__shared__ Shuffle::TempStorage room;
	unsigned v = in[ID], r = 0, o = 0;
	Shuffle(room).Rotate(v, r, 5);
	__syncthreads();
	Shuffle(room).Offset(v, o, -3);
	__syncthreads();
	unsigned up[1] = {v}, prev[1];
	Shuffle(room).Up(up, prev);
	out[ID] = r * 3 + (T >= 3 ? o : 0) * 5 + (T ? prev[0] : 0);
}

KERNEL(histograms)
{
	using Sorted = cub::BlockHistogram<unsigned char, Threads, 4, 32, cub::BLOCK_HISTO_SORT>;
	using Counted = cub::BlockHistogram<unsigned char, Threads, 4, 32, cub::BLOCK_HISTO_ATOMIC>;
	__shared__ union {
		Sorted::TempStorage sorted;
		Counted::TempStorage counted;
	} room;
	__shared__ unsigned a[32], b[32];
	unsigned char v[4];
	for (int i = 0; i < 4; i++)
		v[i] = (unsigned char)(in[4 * T + i] % 32);
	Sorted(room.sorted).Histogram(v, a);
	__syncthreads();
	for (int i = 0; i < 4; i++)
		v[i] = (unsigned char)(in[4 * T + i] / 7 % 32);
	Counted(room.counted).InitHistogram(b);
	__syncthreads();
	Counted(room.counted).Composite(v, b);
	__syncthreads();
	if (T < 32)
		out[T] = a[T] * 1000 + b[T];
}
