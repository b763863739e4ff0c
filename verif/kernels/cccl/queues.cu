// SPDX-License-Identifier: Apache-2.0
// Queues, locks and deques that lanes of one warp share, objects made by new, atomics of halves and of vectors,
// copies of odd sizes, groups that only the run tells, waits for what is no word, Thrust in one thread.
// Expected contents: queues_expected.c
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cub/cub.cuh>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/memory>
#include <cuda/std/utility>
#include <cuda_awbarrier.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <nv/target>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>

#include "common.h"

namespace cg = cooperative_groups;
using cuda::thread_scope_block;
using cuda::thread_scope_device;
using Word = cuda::atomic<unsigned, thread_scope_block>;

// A bounded queue of many producers and consumers: a sequence number for each place.
struct Queue {
	Word tail, head;
	struct {
		Word seq;
		unsigned value;
	} cell[16];
	__device__ void push(unsigned v)
	{
		unsigned at = tail.load(cuda::memory_order_relaxed);
		for (;;) {
			auto &c = cell[at % 16];
			int d = (int)(c.seq.load(cuda::memory_order_acquire) - at);
			if (d == 0) {
				if (tail.compare_exchange_weak(at, at + 1, cuda::memory_order_relaxed)) {
					c.value = v;
					c.seq.store(at + 1, cuda::memory_order_release);
					return;
				}
			} else {
				at = tail.load(cuda::memory_order_relaxed);
			}
		}
	}
	__device__ unsigned pop()
	{
		unsigned at = head.load(cuda::memory_order_relaxed);
		for (;;) {
			auto &c = cell[at % 16];
			int d = (int)(c.seq.load(cuda::memory_order_acquire) - (at + 1));
			if (d == 0) {
				if (head.compare_exchange_weak(at, at + 1, cuda::memory_order_relaxed)) {
					unsigned v = c.value;
					c.seq.store(at + 16, cuda::memory_order_release);
					return v;
				}
			} else {
				at = head.load(cuda::memory_order_relaxed);
			}
		}
	}
};
KERNEL(queues)
{
	ROOM(Queue, q);
	__shared__ unsigned sum, mix;
	if (T == 0) {
		new (&q.tail) Word(0);
		new (&q.head) Word(0);
		sum = mix = 0;
	}
	if (T < 16)
		new (&q.cell[T].seq) Word(T);
	__syncthreads();
	// even lanes put in, odd ones take out: of the same warp
	for (unsigned i = 0; i < 3; i++)
		if (T % 2 == 0) {
			q.push(in[ID] + i);
		} else {
			unsigned v = q.pop();
			atomicAdd(&sum, v);
			atomicXor(&mix, v * 2654435761u);
		}
	__syncthreads();
	out[ID] = sum + mix;
}

// Readers and writers; the word that writers change has two halves that must agree.
KERNEL(readers)
{
	ROOM(Word, state); // readers, or 1 << 31 while somebody writes
	__shared__ volatile unsigned a, b, torn, writes;
	if (T == 0) {
		new (&state) Word(0);
		a = b = torn = writes = 0;
	}
	__syncthreads();
	for (unsigned i = 0; i < 3; i++) {
		if ((T + i) % 8 == 0) {
			unsigned none = 0;
			while (!state.compare_exchange_weak(none, 1u << 31, cuda::memory_order_acquire))
				none = 0;
			a = a + in[ID];
			b = b + in[ID];
			writes = writes + 1;
			state.store(0, cuda::memory_order_release);
		} else {
			unsigned now = state.load(cuda::memory_order_relaxed);
			while (now >> 31 || !state.compare_exchange_weak(now, now + 1, cuda::memory_order_acquire))
				now = state.load(cuda::memory_order_relaxed);
			if (a != b)
				torn = 1;
			state.fetch_sub(1, cuda::memory_order_release);
		}
	}
	__syncthreads();
	out[ID] = a + torn * 7 + writes;
}

// A work-stealing deque: warp 0's leader puts in and takes out at the bottom, others at the top.
KERNEL(steals)
{
	ROOM(cuda::atomic<int>, top);
	ROOM(cuda::atomic<int>, bottom);
	__shared__ unsigned task[256];
	__shared__ unsigned sum, done;
	if (T == 0) {
		new (&top) cuda::atomic<int>(0);
		new (&bottom) cuda::atomic<int>(0);
		sum = done = 0;
	}
	__syncthreads();
	auto work = [&](unsigned v) {
		atomicAdd(&sum, v);
		atomicAdd(&done, 1);
	};
	if (T == 0) {
		for (unsigned i = 0; i < 60; i++) {
			int b = bottom.load(cuda::memory_order_relaxed);
			task[b % 256] = in[i + BLOCK];
			bottom.store(b + 1, cuda::memory_order_release);
			if (i % 3 == 2) {
				b = bottom.load(cuda::memory_order_relaxed) - 1;
				bottom.store(b, cuda::memory_order_seq_cst);
				int t = top.load(cuda::memory_order_seq_cst);
				if (t <= b) {
					unsigned v = task[b % 256];
					if (t == b) {
						if (top.compare_exchange_strong(t, t + 1))
							work(v);
						bottom.store(b + 1, cuda::memory_order_relaxed);
					} else {
						work(v);
					}
				} else {
					bottom.store(b + 1, cuda::memory_order_relaxed);
				}
			}
		}
	}
	if (T % 16 == 8)
		while (*(volatile unsigned *)&done < 60) {
			int t = top.load(cuda::memory_order_acquire);
			cuda::atomic_thread_fence(cuda::memory_order_seq_cst, thread_scope_block);
			int b = bottom.load(cuda::memory_order_acquire);
			if (t < b) {
				unsigned v = task[t % 256];
				if (top.compare_exchange_strong(t, t + 1, cuda::memory_order_seq_cst, cuda::memory_order_relaxed))
					work(v);
			}
		}
	__syncthreads();
	out[ID] = sum + done;
}

// Objects that own others, made by new, called through their tables.
struct Shape {
	unsigned side;
	__device__ Shape(unsigned s) : side(s) {}
	__device__ virtual unsigned area() const = 0;
	__device__ virtual ~Shape() {}
};
struct Square : Shape {
	__device__ Square(unsigned s) : Shape(s) {}
	__device__ unsigned area() const override { return side * side; }
};
struct Frame : Square {
	cuda::std::unique_ptr<Shape> inner;
	unsigned *gone;
	__device__ Frame(unsigned s, cuda::std::unique_ptr<Shape> i, unsigned *g) : Square(s), inner(cuda::std::move(i)), gone(g) {}
	__device__ unsigned area() const override { return Square::area() * 3 - inner->area(); }
	__device__ ~Frame() override { atomicAdd(gone, side); }
};
KERNEL(owners)
{
	__shared__ unsigned gone;
	if (T == 0)
		gone = 0;
	__syncthreads();
	cuda::std::unique_ptr<Shape> s = cuda::std::make_unique<Square>(in[ID] % 50);
	for (unsigned i = 0; i < in[ID] % 4; i++)
		s = cuda::std::unique_ptr<Shape>(new Frame(in[ID] % 60 + i, cuda::std::move(s), &gone));
	unsigned a = s->area();
	s.reset();
	auto array = cuda::std::make_unique<unsigned[]>(T % 5 + 1);
	for (unsigned i = 0; i <= T % 5; i++)
		array[i] = in[ID + i];
	for (unsigned i = 0; i <= T % 5; i++)
		a = a * 3 + array[i];
	__syncthreads();
	out[ID] = a + gone;
}

// Atomics of halves and of vectors of floats. All sums are whole and small.
__device__ __half2 pair_of_halves[2];
__device__ float4 four_floats;
__device__ float2 two_floats;
KERNEL(half_sums)
{
	__shared__ __half2 near;
	__shared__ __nv_bfloat162 brain;
	__shared__ __half one[2];
	__shared__ unsigned arrived;
	if (T == 0) {
		near = __half2(__int2half_rn(0), __int2half_rn(0));
		brain = __nv_bfloat162(__int2bfloat16_rn(0), __int2bfloat16_rn(0));
		one[0] = one[1] = __int2half_rn(1);
	}
	__syncthreads();
	int v = (int)(in[ID] % 9) - 4, w = (int)(in[ID] / 9 % 3) - 1;
	atomicAdd(&near, __half2(__int2half_rn(v), __int2half_rn(-v)));
	atomicAdd(&one[T % 2], __int2half_rn(v));
	NV_IF_ELSE_TARGET(NV_PROVIDES_SM_80, (atomicAdd(&brain, __nv_bfloat162(__int2bfloat16_rn(w), __int2bfloat16_rn(1))); atomicAdd(reinterpret_cast<__nv_bfloat16 *>(out + 900 + BLOCK), __int2bfloat16_rn(w));),
		(if (T == 0) { int a = 0; for (int i = 0; i < 128; i++) a += (int)(in[BLOCK * 128 + i] / 9 % 3) - 1; brain = __nv_bfloat162(__int2bfloat16_rn(a), __int2bfloat16_rn(128));
		*reinterpret_cast<__nv_bfloat16 *>(out + 900 + BLOCK) = __int2bfloat16_rn(a); }))
	atomicAdd(&pair_of_halves[T % 2], __half2(__int2half_rn(1), __int2half_rn(v)));
	NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90, (atomicAdd(&four_floats, float4{(float)v, (float)w, 1.0f, (float)T}); float2 was = atomicAdd(&two_floats, float2{2.0f, (float)-v}); (void)was;),
		(atomicAdd(&four_floats.x, (float)v); atomicAdd(&four_floats.y, (float)w); atomicAdd(&four_floats.z, 1.0f); atomicAdd(&four_floats.w, (float)T); atomicAdd(&two_floats.x, 2.0f); atomicAdd(&two_floats.y, (float)-v);))
	__threadfence();
	__syncthreads();
	if (T == 0) {
		unsigned *o = out + 16 * BLOCK;
		o[0] = (unsigned)__half2int_rn(near.x);
		o[1] = (unsigned)__half2int_rn(near.y);
		o[2] = (unsigned)__bfloat162int_rn(brain.x);
		o[3] = (unsigned)__bfloat162int_rn(brain.y);
		o[4] = (unsigned)__half2int_rn(one[0]);
		o[5] = (unsigned)__half2int_rn(one[1]);
		arrived = atomicAdd(out + 800, 1);
		if (arrived == gridDim.x - 1) {
			volatile float *f = reinterpret_cast<volatile float *>(&four_floats);
			volatile unsigned short *h = reinterpret_cast<volatile unsigned short *>(pair_of_halves);
			volatile float *g = reinterpret_cast<volatile float *>(&two_floats);
			for (int i = 0; i < 4; i++) {
				out[810 + i] = (unsigned)(int)f[i];
				out[820 + i] = h[i];
			}
			out[830] = (unsigned)(int)g[0];
			out[831] = (unsigned)(int)g[1];
		}
	}
}

// The older interfaces: awbarrier, pipeline and the primitives below them.
KERNEL(older)
{
#if __CUDA_ARCH__ >= 800
	namespace nv = nvcuda::experimental;
	__shared__ nv::awbarrier bar;
	__shared__ unsigned room[128];
	__shared__ alignas(16) uint4 wide[32];
	if (T == 0)
		nv::init(&bar, 128);
	__syncthreads();
	nv::pipeline pipe;
	nv::memcpy_async(room[T], in[ID], pipe);
	pipe.commit();
	if (T < 32)
		__pipeline_memcpy_async(wide + T, reinterpret_cast<const uint4 *>(in) + T, 16, T % 4 * 4);
	__pipeline_commit();
	__pipeline_wait_prior(1);
	auto t = bar.arrive();
	bar.wait(t);
	unsigned r = room[127 - T];
	__pipeline_wait_prior(0);
	bar.arrive_and_wait();
	nv::memcpy_async(room[T], in[ID + 128], pipe);
	pipe.arrive_on(bar);
	auto u = bar.arrive();
	bar.wait(u);
	r += room[(T + 1) % 128] * 3;
	uint4 w = wide[T % 32];
	out[ID] = r + w.x + w.y * 3 + w.z * 5 + w.w * 7;
#else
	unsigned n = 16 - T % 4 * 4;
	unsigned r = in[BLOCK * 128 + 127 - T] + in[BLOCK * 128 + 128 + (T + 1) % 128] * 3;
	for (unsigned i = 0; i < n / 4; i++)
		r += in[T % 32 * 4 + i] * (2 * i + 1);
	out[ID] = r;
#endif
}

// Copies of odd sizes and places by tiles, by whoever is converged, by one thread.
KERNEL(odd_copies)
{
	__shared__ alignas(16) unsigned char room[4 * 256], own[128 * 24];
	__shared__ alignas(16) unsigned long long wide[256];
	ROOM(cuda::barrier<thread_scope_block>, bar);
	const auto block = cg::this_thread_block();
	const auto tile = cg::tiled_partition<32>(block);
	if (T == 0)
		init(&bar, 128);
	for (unsigned i = T; i < 1024; i += 128)
		room[i] = 0;
	for (unsigned i = 0; i < 24; i++)
		own[T * 24 + i] = 0;
	block.sync();
	const unsigned char *bytes = reinterpret_cast<const unsigned char *>(in);
	const unsigned w = T / 32;
	cg::memcpy_async(tile, room + w * 256 + w, bytes + w * 77 + w, 100 + w * 14);
	cg::wait(tile);
	unsigned r = 0;
	for (unsigned i = T % 32; i < 256; i += 32)
		r = r * 3 + room[w * 256 + i];
	cuda::memcpy_async(own + T * 24 + T % 3, bytes + T * 9 + T % 3, 1 + T % 17, bar);
	wide[2 * T + 1] = 0;
	cuda::memcpy_async(wide + 2 * T, bytes + T * 16, cuda::aligned_size_t<8>(8 + T % 2 * 8), bar);
	bar.arrive_and_wait();
	for (unsigned i = 0; i < 24; i++)
		r = r * 5 + own[(127 - T) * 24 + i];
	r += (unsigned)wide[2 * (127 - T)] + (unsigned)(wide[2 * (127 - T) + 1] >> 32) * 7;
	if (in[ID] % 3) {
		const auto some = cg::coalesced_threads();
		cg::memcpy_async(some, room + w * 256, bytes + 256 * w + 512, 200u);
		cg::wait(some);
		r += room[w * 256 + T % 200];
	}
	out[ID] = r;
}

// Groups known only when the program runs.
static __device__ __noinline__ unsigned sum_of(const cg::thread_group &g, unsigned *room, unsigned v)
{
	const unsigned lane = (unsigned)g.thread_rank(), n = (unsigned)g.size();
	for (unsigned i = n / 2; i > 0; i /= 2) {
		room[lane] = v;
		g.sync();
		if (lane < i)
			v += room[lane + i];
		g.sync();
	}
	if (lane == 0)
		room[0] = v;
	g.sync();
	return room[0];
}
KERNEL(any_group)
{
	__shared__ unsigned room[128];
	const auto block = cg::this_thread_block();
	unsigned r = sum_of(block, room, in[ID]);
	block.sync();
	for (unsigned n = 4; n <= 32; n *= 2) {
		const cg::thread_group g = cg::tiled_partition(block, n);
		r = r * 3 + sum_of(g, room + T / n * n, in[ID] % 1000);
		block.sync();
	}
	const cg::thread_group half = cg::tiled_partition(cg::tiled_partition(block, 32), 8);
	r += sum_of(half, room + T / 8 * 8, T);
	out[ID] = r;
}

// Waits for what is no word: a byte, a double word, a float, a structure.
// libcu++ 3.0 loads the atomic Point through a local Point, by an access of 4 bytes. Debug builds leave this Point in local
// memory, and a Point of alignment 2 can stand where an access of 4 bytes is misaligned.
#ifdef __CUDACC_DEBUG__
struct alignas(4) Point {
#else
struct Point {
#endif
	short x, y;
	__device__ bool operator==(const Point &o) const { return x == o.x && y == o.y; }
};
KERNEL(wait_kinds)
{
	ROOM(cuda::atomic<unsigned long long>, wide);
	ROOM(cuda::atomic<float>, real);
	ROOM(cuda::atomic<Point>, point);
	ROOM(cuda::atomic<signed char>, byte);
	if (T == 0) {
		new (&wide) cuda::atomic<unsigned long long>(1ull << 33);
		new (&real) cuda::atomic<float>(0.5f);
		new (&point) cuda::atomic<Point>(Point{1, 2});
		new (&byte) cuda::atomic<signed char>(-3);
	}
	__syncthreads();
	unsigned r = 0;
	switch (T / 32) {
	case 0:
		if (T == 9) {
			wide.store(in[BLOCK] + (1ull << 33), cuda::memory_order_release);
			wide.notify_one();
		}
		real.wait(0.5f);
		r = (unsigned)(real.load() * 4);
		break;
	case 1:
		wide.wait(1ull << 33, cuda::memory_order_acquire);
		if (T == 40) {
			real.store(1.25f);
			real.notify_all();
		}
		r = (unsigned)wide.load();
		break;
	case 2:
		byte.wait(-3);
		r = (unsigned)(int)byte.load();
		if (T == 70) {
			point.store(Point{(short)in[1], 7});
			point.notify_all();
		}
		break;
	default:
		if (T == 100)
			byte.fetch_sub(4);
		byte.notify_all();
		point.wait(Point{1, 2});
		r = (unsigned)(unsigned short)point.load().x + (unsigned)point.load().y;
	}
	out[ID] = r;
}

// A table of keys and counts, filled by all blocks.
KERNEL(table)
{
	auto slots = reinterpret_cast<unsigned long long *>(out);
	for (unsigned i = 0; i < 2; i++) {
		const unsigned key = in[ID * 2 + i] % 60 + 1;
		for (unsigned at = key * 40503u % 128;; at = (at + 1) % 128) {
			cuda::atomic_ref<unsigned long long, thread_scope_device> slot(slots[at]);
			unsigned long long was = slot.load(cuda::memory_order_relaxed);
			bool placed = false;
			while (was == 0 || (unsigned)(was >> 32) == key)
				if (slot.compare_exchange_weak(was, ((unsigned long long)key << 32) + (unsigned)was + 1, cuda::memory_order_relaxed)) {
					placed = true;
					break;
				}
			if (placed)
				break;
		}
	}
	__threadfence();
	__syncthreads();
	if (T == 0 && atomicAdd(out + 300, 1) == gridDim.x - 1) {
		__threadfence();
		for (unsigned at = 0; at < 128; at++) {
			unsigned long long s = atomicExch(&slots[at], 0ull);
			if (s)
				atomicAdd(out + 400 + (unsigned)(s >> 32), (unsigned)s);
		}
	}
}

// Thrust in one thread.
KERNEL(one_thread)
{
	unsigned a[10], b[10], c[20], d[20], f[20];
	for (int i = 0; i < 10; i++) {
		a[i] = in[(ID * 3 + i) % 2048] % 30;
		b[i] = in[(ID * 5 + i * 7) % 2048] % 30;
	}
	thrust::sort(thrust::seq, a, a + 10);
	thrust::sort(thrust::seq, b, b + 10, thrust::less<unsigned>());
	unsigned *e = thrust::merge(thrust::seq, a, a + 10, b, b + 10, c);
	unsigned r = thrust::reduce(thrust::seq, c, e, 0u, [](unsigned x, unsigned y) { return x * 3 + y; });
	e = thrust::set_intersection(thrust::seq, a, a + 10, b, b + 10, d);
	r = r * 5 + (unsigned)(e - d);
	e = thrust::set_difference(thrust::seq, a, a + 10, b, b + 10, d);
	r = r * 5 + thrust::reduce(thrust::seq, d, e);
	auto k = thrust::reduce_by_key(thrust::seq, c, c + 20, thrust::counting_iterator<unsigned>(0), d, f);
	(void)k;
	r = r * 5 + (unsigned)(k.first - d) + d[3];
	e = thrust::stable_partition(thrust::seq, c, c + 20, [](unsigned x) { return x % 3 == 0; });
	r = r * 5 + (unsigned)(e - c) + c[0] + c[19];
	r += thrust::transform_reduce(thrust::seq, b, b + 10, [](unsigned x) { return x * x; }, 0u, thrust::plus<unsigned>());
	r ^= (unsigned)(thrust::upper_bound(thrust::seq, b, b + 10, 15u) - b);
	out[ID] = r;
}
