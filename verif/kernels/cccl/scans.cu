// SPDX-License-Identifier: Apache-2.0
// Tiles that look back at those before them, sorts of halves and of structures, sums of one thread, ways to load and store,
// scans that must not change sides, atomics of 128 bits, cuda::std's own barriers. Expected contents: scans_expected.c
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cub/cub.cuh>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/atomic>
#include <cuda/std/barrier>
#include <cuda/std/latch>
#include <cuda/std/memory>
#include <cuda/std/semaphore>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <nv/target>

#include "common.h"

namespace cg = cooperative_groups;
using cuda::thread_scope_block;
using cuda::thread_scope_device;
using Word = cuda::atomic<unsigned, thread_scope_block>;

// 128 bits at once: pairs of a sum and a count.
struct alignas(16) Quad {
	unsigned long long sum, count;
};
__device__ Quad quad;
KERNEL(quads)
{
	__shared__ Quad near, box;
	__shared__ unsigned lock;
	__shared__ unsigned long long total;
	if (T == 0) {
		near = {0, 0};
		box = {0, 0};
		lock = 0;
		total = 0;
	}
	__syncthreads();
	const unsigned long long v = in[ID] * 0x100000001ull;
	NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90,
		(Quad was = quad, now;
		for (;; was = now) {
			now = atomicCAS(&quad, was, Quad{was.sum + v, was.count + 1});
			if (now.sum == was.sum && now.count == was.count)
				break;
		}
		for (was = near;; was = now) {
			now = atomicCAS_block(&near, was, Quad{was.sum ^ v, was.count + T});
			if (now.sum == was.sum && now.count == was.count)
				break;
		}
		Quad got = atomicExch(&box, Quad{v, T});
		atomicAdd(&total, got.sum + got.count);),
		(atomicAdd(&quad.sum, v);
		atomicAdd(&quad.count, 1ull);
		atomicXor(&near.sum, v);
		atomicAdd(&near.count, (unsigned long long)T);
		atomicAdd(&total, v + T);))
	__syncthreads();
	if (T == 0) {
		out[8 * BLOCK + 0] = (unsigned)near.sum;
		out[8 * BLOCK + 1] = (unsigned)(near.sum >> 32);
		out[8 * BLOCK + 2] = (unsigned)near.count;
		unsigned long long t = total + box.sum + box.count;
		out[8 * BLOCK + 3] = (unsigned)t;
		out[8 * BLOCK + 4] = (unsigned)(t >> 32);
		__threadfence();
		if (atomicAdd(out + 100, 1) == gridDim.x - 1) {
			NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90,
				(Quad q = atomicCAS(&quad, Quad{0, 0}, Quad{0, 0});
				atomicExch(reinterpret_cast<Quad *>(out + 200), q);),
				(__threadfence(); *reinterpret_cast<volatile unsigned long long *>(out + 200) = *(volatile unsigned long long *)&quad.sum;
				*reinterpret_cast<volatile unsigned long long *>(out + 202) = *(volatile unsigned long long *)&quad.count;))
		}
	}
}

// cuda::std's own: scope of the system, in shared memory.
KERNEL(plain_std)
{
	using Bar = cuda::std::barrier<>;
	using Sem = cuda::std::counting_semaphore<4>;
	ROOM(Bar, bar);
	ROOM(Sem, sem);
	ROOM(cuda::std::latch, latch);
	ROOM(cuda::std::atomic<int>, sum);
	ROOM(cuda::std::atomic<unsigned long long>, wide);
	__shared__ unsigned inside, most;
	if (T == 0) {
		new (&bar) Bar(128);
		new (&sem) Sem(3);
		new (&latch) cuda::std::latch(4);
		new (&sum) cuda::std::atomic<int>(-5);
		new (&wide) cuda::std::atomic<unsigned long long>(1ull << 40);
		inside = most = 0;
	}
	__syncthreads();
	sum.fetch_add((int)(in[ID] % 1000) - 500);
	sum -= 3;
	wide.fetch_xor(in[ID] * 0x10001ull, cuda::std::memory_order_relaxed);
	bar.arrive_and_wait();
	int s = sum;
	if (T % 32 == 7) {
		sem.acquire();
		atomicMax(&most, atomicAdd(&inside, 1) + 1);
		atomicSub(&inside, 1);
		sem.release();
		latch.count_down();
	}
	latch.wait();
	auto token = bar.arrive();
	s = s * 3 + (int)(most > 3);
	bar.wait(cuda::std::move(token));
	out[ID] = (unsigned)s + (unsigned)wide.load() + (unsigned)(wide >> 32) * 7;
}

// Tiles that look back at what the ones before them have: 12 tiles taken by three blocks in turn.
template <class V> __device__ void looked_back(const unsigned *in, unsigned *out, V (*make)(unsigned), unsigned (*show)(V))
{
	using State = cub::ScanTileState<V>;
	using Op = cub::TilePrefixCallbackOp<V, ::cuda::std::plus<>, State>;
	using Scan = cub::BlockScan<V, 128>;
	__shared__ union {
		typename Scan::TempStorage scan;
		typename Op::TempStorage op;
	} room;
	__shared__ typename Op::TempStorage prefix_room;
	static __device__ unsigned long long memory[512];
	static __device__ unsigned ready, next;
	State state;
	state.Init(12, memory, sizeof memory);
	cuda::atomic_ref<unsigned, thread_scope_device> r(ready);
	if (BLOCK == 0) {
		state.InitializeStatus(12);
		__threadfence();
		__syncthreads();
		if (T == 0)
			r.store(1, cuda::memory_order_release);
	}
	if (T == 0)
		while (!r.load(cuda::memory_order_acquire))
			;
	__syncthreads();
	__shared__ unsigned tile;
	for (;;) {
		if (T == 0)
			tile = atomicAdd(&next, 1);
		__syncthreads();
		const int mine = (int)tile;
		if (mine >= 8)
			return;
		V v = make(in[mine * 128 + T]), s;
		if (mine == 0) {
			V all;
			Scan(room.scan).InclusiveScan(v, s, ::cuda::std::plus<>(), all);
			if (T == 0)
				state.SetInclusive(0, all);
		} else {
			Op prefix(state, prefix_room, ::cuda::std::plus<>(), mine);
			Scan(room.scan).InclusiveScan(v, s, ::cuda::std::plus<>(), prefix);
		}
		out[mine * 128 + T] = show(s);
		__syncthreads();
	}
}
KERNEL(lookback)
{
	looked_back<unsigned>(in, out, [](unsigned x) { return x * 3; }, [](unsigned x) { return x; });
}
KERNEL(lookback_wide)
{
	looked_back<unsigned long long>(in, out, [](unsigned x) { return x * 0x300000001ull; }, [](unsigned long long x) { return (unsigned)(x ^ x >> 32); });
}
struct Both {
	unsigned short a;
	unsigned b;
	unsigned c;
	__device__ Both operator+(Both o) const { return {(unsigned short)(a + o.a), b + o.b, c ^ o.c}; }
};
KERNEL(lookback_structs)
{
	looked_back<Both>(in, out, [](unsigned x) { return Both{(unsigned short)x, x, x}; }, [](Both x) { return x.a * 3u + x.b + x.c * 5; });
}

// Sums by key that look back.
KERNEL(lookback_keys)
{
	using Pair = cub::KeyValuePair<int, unsigned>;
	using State = cub::ReduceByKeyScanTileState<unsigned, int>;
	using Add = cub::ReduceBySegmentOp<::cuda::std::plus<>>;
	using Op = cub::TilePrefixCallbackOp<Pair, Add, State>;
	using Scan = cub::BlockScan<Pair, 128>;
	__shared__ typename Scan::TempStorage room;
	__shared__ typename Op::TempStorage prefix_room;
	static __device__ unsigned long long memory[512];
	static __device__ unsigned ready;
	State state;
	state.Init(3, memory, sizeof memory);
	cuda::atomic_ref<unsigned, thread_scope_device> r(ready);
	if (BLOCK == 0) {
		state.InitializeStatus(3);
		__threadfence();
		__syncthreads();
		if (T == 0)
			r.store(1, cuda::memory_order_release);
	}
	if (T == 0)
		while (!r.load(cuda::memory_order_acquire))
			;
	__syncthreads();
	Pair v(in[ID] % 16 == 0, in[ID]), s;
	if (BLOCK == 0) {
		Pair all;
		Scan(room).InclusiveScan(v, s, Add(), all);
		if (T == 0)
			state.SetInclusive(0, all);
	} else {
		Op prefix(state, prefix_room, Add(), (int)BLOCK);
		Scan(room).InclusiveScan(v, s, Add(), prefix);
	}
	out[ID] = s.key * 100000000u + s.value;
}

// Sorts of halves and of structures.
KERNEL(sort_halves)
{
	using H = cub::BlockRadixSort<__half, 128, 2>;
	using B = cub::BlockRadixSort<__nv_bfloat16, 128, 1, unsigned short>;
	__shared__ union {
		typename H::TempStorage h;
		typename B::TempStorage b;
	} room;
	__half v[2] = {__int2half_rn((int)(in[2 * T] % 4001) - 2000), __int2half_rn((int)(in[2 * T + 1] % 4001) - 2000)};
	H(room.h).Sort(v);
	__syncthreads();
	__nv_bfloat16 k[1] = {__int2bfloat16_rn((int)(in[T] % 511) - 255)};
	unsigned short w[1] = {(unsigned short)T};
	B(room.b).SortDescending(k, w);
	out[2 * T] = (unsigned)(int)__half2int_rn(v[0]);
	out[2 * T + 1] = (unsigned)(int)__half2int_rn(v[1]);
	out[256 + T] = (unsigned)__bfloat162int_rn(k[0]) << 16 | w[0];
}
struct Card {
	unsigned char suit;
	short rank;
	unsigned id;
};
struct parts_of {
	__device__ ::cuda::std::tuple<unsigned char &, short &> operator()(Card &c) const { return {c.suit, c.rank}; }
};
KERNEL(sort_cards)
{
	using Sort = cub::BlockRadixSort<Card, 128, 2>;
	__shared__ typename Sort::TempStorage room;
	Card v[2];
	for (int i = 0; i < 2; i++)
		v[i] = {(unsigned char)(in[2 * T + i] % 4), (short)((int)(in[2 * T + i] / 4 % 27) - 13), 2 * T + i};
	Sort(room).Sort(v, parts_of());
	for (int i = 0; i < 2; i++)
		out[2 * T + i] = v[i].suit << 28 | (unsigned)(v[i].rank + 13) << 16 | v[i].id;
}

// What one thread adds up of its own, in pairs of halves where that is done.
KERNEL(thread_sums)
{
	unsigned w[7];
	short s[8];
	unsigned short u[8];
	__half h[8];
	__nv_bfloat16 b[6];
	for (int i = 0; i < 8; i++) {
		unsigned v = in[(ID * 8 + i) % 2048];
		if (i < 7)
			w[i] = v;
		s[i] = (short)v;
		u[i] = (unsigned short)(v >> 3);
		h[i] = __int2half_rn((int)(v % 201) - 100);
		if (i < 6)
			b[i] = __int2bfloat16_rn((int)(v % 41) - 20);
	}
	unsigned r = cub::ThreadReduce(w, ::cuda::std::plus<>()) + cub::ThreadReduce(w, ::cuda::maximum<>()) * 3;
	r += (unsigned)(int)cub::ThreadReduce(s, ::cuda::maximum<>()) * 5 + (unsigned)(int)cub::ThreadReduce(s, ::cuda::minimum<>()) * 7;
	r += cub::ThreadReduce(u, ::cuda::minimum<>()) * 11u + cub::ThreadReduce(u, ::cuda::maximum<>()) * 13u;
	r += (unsigned)__half2int_rn(cub::ThreadReduce(h, ::cuda::std::plus<>())) * 17 + (unsigned)__half2int_rn(cub::ThreadReduce(h, ::cuda::maximum<>())) * 19;
	r += (unsigned)__bfloat162int_rn(cub::ThreadReduce(b, ::cuda::minimum<>())) * 23 + (unsigned)__bfloat162int_rn(cub::ThreadReduce(b, ::cuda::std::plus<>())) * 29;
	r ^= cub::ThreadReduce(w, ::cuda::std::bit_xor<>(), 5u);
	out[ID] = r;
}

// The other ways to load and store.
template <class L, class S> __device__ void carried(const unsigned *in, unsigned *out, int n)
{
	__shared__ union {
		typename L::TempStorage load;
		typename S::TempStorage store;
	} room;
	unsigned v[4];
	L(room.load).Load(in, v, n, 3u);
	__syncthreads();
	for (int i = 0; i < 4; i++)
		v[i] = v[i] * 5 + i;
	S(room.store).Store(out, v, n + 2);
	__syncthreads();
}
KERNEL(carry)
{
	carried<cub::BlockLoad<unsigned, 128, 4, cub::BLOCK_LOAD_STRIPED>, cub::BlockStore<unsigned, 128, 4, cub::BLOCK_STORE_STRIPED>>(in, out, 500);
	carried<cub::BlockLoad<unsigned, 128, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED>, cub::BlockStore<unsigned, 128, 4, cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED>>(in + 512, out + 512, 400);
}
KERNEL(carry_vectors)
{
	using L = cub::BlockLoad<unsigned short, 128, 8, cub::BLOCK_LOAD_VECTORIZE>;
	using S = cub::BlockStore<unsigned short, 128, 8, cub::BLOCK_STORE_VECTORIZE>;
	using W = cub::WarpLoad<unsigned long long, 2, cub::WARP_LOAD_VECTORIZE>;
	using X = cub::WarpStore<unsigned long long, 2, cub::WARP_STORE_STRIPED>;
	__shared__ union {
		typename L::TempStorage l;
		typename S::TempStorage s;
		typename W::TempStorage w[4];
		typename X::TempStorage x[4];
	} room;
	unsigned short v[8];
	L(room.l).Load(reinterpret_cast<const unsigned short *>(in), v);
	__syncthreads();
	for (int i = 0; i < 8; i++)
		v[i] = (unsigned short)(v[i] * 3 + i);
	S(room.s).Store(reinterpret_cast<unsigned short *>(out), v);
	__syncthreads();
	unsigned long long d[2];
	W(room.w[T / 32]).Load(reinterpret_cast<const unsigned long long *>(in + 512) + T / 32 * 64, d);
	__syncwarp();
	d[0] += d[1];
	X(room.x[T / 32]).Store(reinterpret_cast<unsigned long long *>(out + 512) + T / 32 * 64, d);
}

// Functions x -> a x + b put together in order: a scan that must not change sides.
struct Affine {
	unsigned a, b;
};
struct Then {
	__device__ Affine operator()(Affine f, Affine g) const { return {f.a * g.a, g.a * f.b + g.b}; }
};
struct Running {
	Affine so_far;
	__device__ Affine operator()(Affine all)
	{
		Affine was = so_far;
		so_far = Then()(so_far, all);
		return was;
	}
};
KERNEL(affine)
{
	using Scan = cub::BlockScan<Affine, 128, cub::BLOCK_SCAN_WARP_SCANS>;
	using Rake = cub::BlockScan<Affine, 128, cub::BLOCK_SCAN_RAKING>;
	using Reduce = cub::BlockReduce<Affine, 128, cub::BLOCK_REDUCE_RAKING>;
	__shared__ union {
		typename Scan::TempStorage s;
		typename Rake::TempStorage r;
		typename Reduce::TempStorage d;
	} room;
	Running prefix{{1, BLOCK}};
	Affine v[2] = {{in[2 * T] | 1, in[2 * T] >> 3}, {in[2 * T + 1] | 1, in[2 * T + 1] >> 3}}, s[2], all;
	Scan(room.s).ExclusiveScan(v, s, Affine{1, 7}, Then(), all);
	__syncthreads();
	unsigned r = s[0].a + s[1].b * 3 + all.b;
	Rake(room.r).InclusiveScan(v, s, Then(), prefix);
	__syncthreads();
	r ^= s[0].b + s[1].a * 5;
	Affine d = Reduce(room.d).Reduce(v, Then());
	if (T == 0)
		r += d.a * 9 + d.b * 11;
	out[ID] = r;
}
