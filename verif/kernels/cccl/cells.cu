// SPDX-License-Identifier: Apache-2.0
// cuda::atomic and cuda::atomic_ref of every width and kind. Expected contents: ../cccl_expected.c
#include <cuda/atomic>

#include "common.h"

using cuda::thread_scope_block;
using cuda::thread_scope_device;
using cuda::thread_scope_system;

KERNEL(ref_i8)
{
	cuda::atomic_ref<signed char, thread_scope_device> c(reinterpret_cast<signed char *>(out)[T % 4]);
	c.fetch_add((signed char)in[ID]);
	cuda::atomic_ref<unsigned char, thread_scope_device> x(reinterpret_cast<unsigned char *>(out)[4 + T % 3]);
	x.fetch_xor((unsigned char)in[ID], cuda::memory_order_relaxed);
	cuda::atomic_ref<unsigned char, thread_scope_block> m(reinterpret_cast<unsigned char *>(out)[8 + 2 * BLOCK]);
	m.fetch_max((unsigned char)in[ID]);
}

KERNEL(ref_u16)
{
	auto h = reinterpret_cast<unsigned short *>(out);
	cuda::atomic_ref<unsigned short, thread_scope_device> a(h[0]), b(h[1]), c(h[2]), d(h[3]);
	a.fetch_add((unsigned short)in[ID], cuda::memory_order_acq_rel);
	b.fetch_max((unsigned short)in[ID]);
	c.fetch_or((unsigned short)(1u << in[ID] % 16));
	d.fetch_sub((unsigned short)(in[ID] * 7), cuda::memory_order_release);
	cuda::atomic_ref<short, thread_scope_block> e(reinterpret_cast<short *>(out)[4 + BLOCK]);
	e.fetch_min((short)in[ID]);
}

KERNEL(ref_u32)
{
	cuda::atomic_ref<unsigned, thread_scope_device> c[8] = {
		cuda::atomic_ref<unsigned, thread_scope_device>(out[0]), cuda::atomic_ref<unsigned, thread_scope_device>(out[1]),
		cuda::atomic_ref<unsigned, thread_scope_device>(out[2]), cuda::atomic_ref<unsigned, thread_scope_device>(out[3]),
		cuda::atomic_ref<unsigned, thread_scope_device>(out[4]), cuda::atomic_ref<unsigned, thread_scope_device>(out[5]),
		cuda::atomic_ref<unsigned, thread_scope_device>(out[6]), cuda::atomic_ref<unsigned, thread_scope_device>(out[7])};
	unsigned v = in[ID];
	c[0].fetch_add(v, cuda::memory_order_seq_cst);
	c[1].fetch_sub(v, cuda::memory_order_relaxed);
	c[2].fetch_or(v, cuda::memory_order_acquire);
	c[3].fetch_xor(v, cuda::memory_order_release);
	c[4].fetch_max(v, cuda::memory_order_acq_rel);
	c[5] += 3;
	c[6]++;
	c[7] ^= v * v;
	cuda::atomic_ref<int, thread_scope_system> low(reinterpret_cast<int *>(out)[8]);
	low.fetch_min((int)v - 500000);
}

KERNEL(ref_u64)
{
	auto w = reinterpret_cast<unsigned long long *>(out);
	unsigned long long v = in[ID] * 0x100000001ull + T;
	cuda::atomic_ref<unsigned long long, thread_scope_device>(w[0]).fetch_add(v);
	cuda::atomic_ref<unsigned long long, thread_scope_device>(w[1]).fetch_xor(v, cuda::memory_order_release);
	cuda::atomic_ref<unsigned long long, thread_scope_device>(w[2]).fetch_max(v * v);
	cuda::atomic_ref<unsigned long long, thread_scope_system>(w[3]).fetch_or(v, cuda::memory_order_relaxed);
	cuda::atomic_ref<long long, thread_scope_device>(reinterpret_cast<long long *>(w)[4]).fetch_min((long long)(v << 20));
	cuda::atomic_ref<unsigned long long, thread_scope_device>(w[5]).fetch_sub(v, cuda::memory_order_acq_rel);
}

KERNEL(shared_u64)
{
	__shared__ unsigned long long w[5];
	if (T < 5)
		w[T] = T == 3 ? ~0ull : 0;
	__syncthreads();
	unsigned long long v = in[ID] * 0x300000007ull;
	cuda::atomic_ref<unsigned long long, thread_scope_block>(w[0]).fetch_add(v);
	cuda::atomic_ref<unsigned long long, thread_scope_block>(w[1]).fetch_xor(v);
	cuda::atomic_ref<unsigned long long, thread_scope_block>(w[2]).fetch_max(v);
	cuda::atomic_ref<unsigned long long, thread_scope_block>(w[3]).fetch_and(~(1ull << in[ID] % 64));
	cuda::atomic_ref<long long, thread_scope_block>(reinterpret_cast<long long &>(w[4])).fetch_min((long long)v - (1ll << 45));
	__syncthreads();
	if (T < 5) {
		out[10 * BLOCK + 2 * T] = (unsigned)w[T];
		out[10 * BLOCK + 2 * T + 1] = (unsigned)(w[T] >> 32);
	}
}

KERNEL(floats)
{
	auto f = reinterpret_cast<float *>(out);
	auto d = reinterpret_cast<double *>(out + 4);
	float v = (float)(in[ID] % 1000) * 0.25f;
	cuda::atomic_ref<float, thread_scope_device>(f[0]).fetch_add(v);
	cuda::atomic_ref<float, thread_scope_device>(f[1]).fetch_sub(v, cuda::memory_order_relaxed);
	cuda::atomic_ref<float, thread_scope_device>(f[2]).fetch_max(v);
	cuda::atomic_ref<float, thread_scope_system>(f[3]).fetch_min(-v);
	cuda::atomic_ref<double, thread_scope_device>(d[0]).fetch_add(v * 1024.0);
	cuda::atomic_ref<double, thread_scope_device>(d[1]).fetch_max(v * 3.0);
	__shared__ float sum;
	__shared__ double total;
	if (T == 0) {
		sum = 1;
		total = -1;
	}
	__syncthreads();
	cuda::atomic_ref<float, thread_scope_block>(sum).fetch_add(v);
	cuda::atomic_ref<double, thread_scope_block>(total).fetch_sub(v);
	__syncthreads();
	if (T == 0) {
		f[8 + BLOCK] = sum;
		f[12 + BLOCK] = (float)total;
	}
}

// Products commute: bytes, halves, words and double words multiplied by compare-and-exchange.
template <class V> __device__ void multiply(V &cell, V by)
{
	cuda::atomic_ref<V, thread_scope_device> c(cell);
	V was = c.load(cuda::memory_order_relaxed);
	while (!c.compare_exchange_weak(was, (V)(was * by), cuda::memory_order_acq_rel, cuda::memory_order_relaxed))
		;
}
KERNEL(products)
{
	if (BLOCK == 0 && T == 0) {
		reinterpret_cast<unsigned char *>(out)[1] = 1;
		reinterpret_cast<unsigned short *>(out)[2] = 1;
		out[2] = 1;
		reinterpret_cast<unsigned long long *>(out)[2] = 1;
		cuda::atomic_ref<unsigned, thread_scope_device>(out[6]).store(1, cuda::memory_order_release);
	}
	while (!cuda::atomic_ref<unsigned, thread_scope_device>(out[6]).load(cuda::memory_order_acquire))
		;
	unsigned v = in[ID] | 1;
	multiply(reinterpret_cast<unsigned char *>(out)[1], (unsigned char)v);
	multiply(reinterpret_cast<unsigned short *>(out)[2], (unsigned short)v);
	multiply(out[2], v);
	multiply(reinterpret_cast<unsigned long long *>(out)[2], (unsigned long long)v << 32 | v);
}

// What was put in comes out again, once: the sum of what the exchanges returned and of what is left.
KERNEL(exchanges)
{
	__shared__ unsigned box, sum;
	__shared__ unsigned long long wide, total;
	if (T == 0) {
		box = sum = 0;
		wide = total = 0;
	}
	__syncthreads();
	unsigned v = in[ID];
	cuda::atomic_ref<unsigned, thread_scope_block> s(sum);
	s.fetch_add(cuda::atomic_ref<unsigned, thread_scope_block>(box).exchange(v, cuda::memory_order_acq_rel));
	cuda::atomic_ref<unsigned long long, thread_scope_block> t(total);
	t += cuda::atomic_ref<unsigned long long, thread_scope_block>(wide).exchange(v * 0x100000003ull);
	__syncthreads();
	if (T == 0) {
		out[4 * BLOCK] = sum + box;
		out[4 * BLOCK + 2] = (unsigned)(total + wide);
		out[4 * BLOCK + 3] = (unsigned)((total + wide) >> 32);
	}
}

__device__ cuda::std::atomic_flag gate;
KERNEL(flag_lock)
{
	for (int i = 0; i < 3; i++) {
		while (gate.test_and_set(cuda::std::memory_order_acquire))
			;
		volatile unsigned *o = out;
		o[0] = o[0] + in[ID];
		o[1] = o[1] + 1;
		gate.clear(cuda::std::memory_order_release);
	}
}

KERNEL(wait_notify)
{
	ROOM(cuda::atomic<unsigned char>, step);
	__shared__ unsigned word;
	if (T == 0)
		new (&step) cuda::atomic<unsigned char>(0);
	__syncthreads();
	// warp w waits for its turn; the turn goes round four times
	for (unsigned round = 0; round < 4; round++) {
		unsigned turn = round * 4 + T / 32;
		if (T % 32 == 0) {
			for (unsigned char now; (now = step.load(cuda::memory_order_acquire)) != turn;)
				step.wait(now, cuda::memory_order_acquire);
			word = turn ? word * 5 + in[turn] : in[0];
			step.store((unsigned char)(turn + 1), cuda::memory_order_release);
			step.notify_all();
		}
	}
	__syncthreads();
	out[ID] = word + T;
}

__device__ cuda::atomic<unsigned *, thread_scope_device> top;
KERNEL(pointers)
{
	if (ID == 0)
		top.store(out + 8, cuda::memory_order_release);
	unsigned *p;
	while (!(p = top.load(cuda::memory_order_acquire)))
		__nanosleep(20);
	// everybody takes a place of his own; who has which one does not show in the sums
	p = top.fetch_add(1);
	*p = in[ID];
	cuda::atomic_ref<unsigned, thread_scope_device>(out[0]).fetch_add((unsigned)(p - out));
	cuda::atomic_ref<unsigned, thread_scope_device>(out[1]).fetch_add(*p);
	*p = 0;
}

KERNEL(messages)
{
	// block 0 writes in the plain way and raises a flag behind a fence; the others read behind one
	if (BLOCK == 0) {
		out[T] = in[T] * 3;
		__syncthreads();
		if (T == 0) {
			cuda::atomic_thread_fence(cuda::memory_order_release, thread_scope_device);
			cuda::atomic_ref<unsigned, thread_scope_device>(out[1000]).store(1, cuda::memory_order_relaxed);
		}
		return;
	}
	while (!cuda::atomic_ref<unsigned, thread_scope_device>(out[1000]).load(cuda::memory_order_relaxed))
		;
	cuda::atomic_thread_fence(cuda::memory_order_acquire, thread_scope_device);
	out[ID] = static_cast<volatile unsigned *>(out)[(T + 1) % blockDim.x] + BLOCK;
}

struct pair {
	unsigned short low, high;
};
struct wide_pair {
	unsigned count, sum;
};
KERNEL(structs)
{
	auto &p = *reinterpret_cast<pair *>(out);
	auto &w = *reinterpret_cast<wide_pair *>(out + 2);
	cuda::atomic_ref<pair, thread_scope_device> a(p);
	cuda::atomic_ref<wide_pair, thread_scope_device> b(w);
	pair was = a.load();
	while (!a.compare_exchange_weak(was, pair{(unsigned short)(was.low + 1), (unsigned short)(was.high + in[ID])}))
		;
	wide_pair seen = b.load(cuda::memory_order_relaxed);
	while (!b.compare_exchange_strong(seen, wide_pair{seen.count + 1, seen.sum ^ in[ID]}))
		;
}

KERNEL(bools)
{
	ROOM(cuda::atomic<bool>, once);
	__shared__ unsigned winners;
	if (T == 0) {
		new (&once) cuda::atomic<bool>(false);
		winners = 0;
	}
	__syncthreads();
	bool expected = false;
	if (once.compare_exchange_strong(expected, true))
		atomicAdd(&winners, 1);
	if (!once.exchange(true))
		atomicAdd(&winners, 100);
	__syncthreads();
	out[ID] = winners * 10 + once.load();
}

// A sequence lock: two words that belong together, a writer, readers that count torn pairs.
KERNEL(seqlock)
{
	__shared__ unsigned data[2], torn;
	ROOM(cuda::atomic<unsigned>, seq);
	if (T == 0) {
		new (&seq) cuda::atomic<unsigned>(0);
		data[0] = data[1] = torn = 0;
	}
	__syncthreads();
	if (T == 0) {
		for (unsigned i = 1; i <= 16; i++) {
			seq.store(2 * i - 1, cuda::memory_order_relaxed);
			cuda::atomic_thread_fence(cuda::memory_order_release);
			*(volatile unsigned *)&data[0] = in[i];
			*(volatile unsigned *)&data[1] = ~in[i];
			seq.store(2 * i, cuda::memory_order_release);
		}
	} else {
		for (unsigned at = 0; at < 32;) {
			unsigned before = seq.load(cuda::memory_order_acquire);
			unsigned x = *(volatile unsigned *)&data[0], y = *(volatile unsigned *)&data[1];
			cuda::atomic_thread_fence(cuda::memory_order_acquire);
			if (before % 2 || seq.load(cuda::memory_order_relaxed) != before)
				continue;
			if (before && x != ~y)
				atomicAdd(&torn, 1);
			at = before;
		}
	}
	__syncthreads();
	out[ID] = torn + data[0];
}

// Peterson's lock between two warps' leaders: sequential consistency or a lost count.
KERNEL(peterson)
{
	__shared__ unsigned want[2], turn, count;
	if (T == 0)
		want[0] = want[1] = turn = count = 0;
	__syncthreads();
	if (T % 32 == 0 && T < 64) {
		unsigned me = T / 32;
		cuda::atomic_ref<unsigned, thread_scope_block> mine(want[me]), other(want[1 - me]), t(turn);
		for (unsigned i = 0; i < 20; i++) {
			mine.store(1);
			t.store(1 - me);
			while (other.load() && t.load() == 1 - me)
				;
			*(volatile unsigned *)&count = *(volatile unsigned *)&count + in[i];
			mine.store(0);
		}
	}
	__syncthreads();
	out[ID] = count;
}

KERNEL(hist_scopes)
{
	__shared__ unsigned bins[16];
	if (T < 16)
		bins[T] = 0;
	__syncthreads();
	for (unsigned i = T; i < 512; i += blockDim.x)
		cuda::atomic_ref<unsigned, thread_scope_block>(bins[in[512 * BLOCK + i] % 16]).fetch_add(1, cuda::memory_order_relaxed);
	__syncthreads();
	if (T < 16)
		cuda::atomic_ref<unsigned, thread_scope_device>(out[T]).fetch_add(bins[T], cuda::memory_order_relaxed);
}
