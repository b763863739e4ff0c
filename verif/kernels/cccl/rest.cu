// SPDX-License-Identifier: Apache-2.0
// What the other files leave: ranks and searches, shuffles of any type, bit fields, crowds at a semaphore, atomic
// structures and maxima, the wrappers of PTX, bulk copies, pointers with an access property. Expected contents:
// rest_expected.c
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cub/cub.cuh>
#include <cuda/annotated_ptr>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/bit>
#include <cuda/functional>
#include <cuda/ptx>
#include <cuda/semaphore>
#include <cuda/std/functional>
#include <cuda/std/tuple>
#include <cuda/warp>

#include "common.h"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

// Where each of 256 numbers would stand by four of its bits, counted in two ways.
template <class Rank, int Items>
__device__ void ranked(const unsigned *in, unsigned *out)
{
	__shared__ typename Rank::TempStorage room;
	unsigned keys[Items];
	int ranks[Items];
	for (int k = 0; k < Items; k++)
		keys[k] = in[Items * T + k];
	Rank(room).RankKeys(keys, ranks, cub::BFEDigitExtractor<unsigned>(3, 4));
	for (int k = 0; k < Items; k++)
		out[Items * T + k] = ranks[k];
}
KERNEL(ranks) { ranked<cub::BlockRadixRank<128, 4, false>, 2>(in, out); }
KERNEL(ranks_down) { ranked<cub::BlockRadixRank<128, 4, true>, 2>(in, out); }

// Each thread looks where its number would stand among sorted ones, and reads with every kind of cache hint.
KERNEL(searches)
{
	__shared__ unsigned sorted[128];
	using Sort = cub::BlockRadixSort<unsigned, 128, 1>;
	__shared__ typename Sort::TempStorage room;
	unsigned mine[1] = {cub::ThreadLoad<cub::LOAD_CG>(in + ID) % 100};
	Sort(room).Sort(mine);
	cub::ThreadStore<cub::STORE_WB>(sorted + T, mine[0]);
	__syncthreads();
	const unsigned v = cub::ThreadLoad<cub::LOAD_CS>(in + ID + 300) % 110;
	const unsigned below = cub::LowerBound(sorted, 128, v), to = cub::UpperBound(sorted, 128, v);
	cub::ThreadStore<cub::STORE_CG>(out + 2 * ID, below * 1000 + to);
	cub::ThreadStore<cub::STORE_WT>(out + 2 * ID + 1,
	                                cub::ThreadLoad<cub::LOAD_LDG>(in + below) ^ cub::ThreadLoad<cub::LOAD_CA>(in + to) ^
	                                        cub::ThreadLoad<cub::LOAD_CV>(in + v));
}

struct Odd {
	unsigned char bytes[11];
	unsigned short half;
};

KERNEL(shuffled)
{
	Odd o;
	for (int k = 0; k < 11; k++)
		o.bytes[k] = (unsigned char)(in[ID] >> k);
	o.half = (unsigned short)(in[ID] * 3);
	unsigned r = 0;
	auto add = [&](Odd x) {
		for (int k = 0; k < 11; k++)
			r = r * 7 + x.bytes[k];
		r = r * 7 + x.half;
	};
	add(cuda::device::warp_shuffle_idx(o, (T * 5 + 3) % 32).data);
	add(cuda::device::warp_shuffle_up<16>(o, 3).data);
	const auto down = cuda::device::warp_shuffle_down<8>(o, 2);
	add(down.data);
	r += down.pred ? 1000003 : 0;
	const unsigned long long wide = in[ID] * 0x100000001ull + T;
	const unsigned long long far = cuda::device::warp_shuffle_xor(wide, 21);
	out[ID] = r ^ (unsigned)far ^ (unsigned)(far >> 32);
}

KERNEL(fields)
{
	const unsigned v = in[ID], w = in[ID + 1];
	const unsigned long long d = v * 0x9e3779b97f4a7c15ull + w;
	unsigned r = cuda::bit_reverse(v) + cuda::bitfield_extract(v, T % 12, 9) * 5 + cuda::bitmask<unsigned>(T % 20, 7);
	r ^= cuda::bitfield_insert(v, w, (int)(T % 18), 11) + cuda::bit_reverse((unsigned short)w) * 3;
	const unsigned long long e = cuda::bitfield_insert(d, (unsigned long long)w, (int)(T % 40), 20) ^ cuda::bit_reverse(d);
	out[ID] = r + (unsigned)e + (unsigned)(cuda::bitfield_extract(d, (int)(T % 30), 33) >> 7);
}

// 128 threads, room for five at once; who waits too long tries again.
__device__ cuda::counting_semaphore<cuda::thread_scope_device, 5> gate{5};
__device__ unsigned inside, most, crowd_sum;

KERNEL(crowd)
{
	unsigned tries = 0;
	while (!gate.try_acquire_for(cuda::std::chrono::microseconds(20 + T)))
		tries++;
	const unsigned n = atomicAdd(&inside, 1) + 1;
	atomicMax(&most, n);
	atomicAdd(&crowd_sum, in[ID] % 100);
	atomicSub(&inside, 1);
	gate.release();
	if (T == 0) {
		while (!gate.try_acquire_until(cuda::std::chrono::system_clock::now() + cuda::std::chrono::microseconds(30)))
			;
		gate.release();
	}
	__syncthreads();
	__threadfence();
	out[ID] = atomicAdd(&crowd_sum, 0) + (atomicAdd(&most, 0) > 5 ? 1000000 : 0) + (atomicAdd(&inside, 0) > 5) + (tries > 1000000);
}

struct alignas(8) Pair {
	int sum;
	unsigned count;
};
struct alignas(4) Small {
	short low;
	unsigned char a, b;
};

KERNEL(ref_pairs)
{
	ROOM(Pair, shared);
	ROOM(Small, small);
	Pair *global = reinterpret_cast<Pair *>(out + 2 * BLOCK);
	if (T == 0) {
		shared = {0, 0};
		small = {0, 0, 0};
	}
	__syncthreads();
	const int v = (int)(in[ID] % 2001) - 1000;
	auto add = [v](auto ref) {
		Pair old = ref.load(cuda::memory_order_relaxed), now;
		do
			now = {old.sum + v, old.count + 1};
		while (!ref.compare_exchange_weak(old, now, cuda::memory_order_acq_rel));
	};
	add(cuda::atomic_ref<Pair, cuda::thread_scope_block>(shared));
	add(cuda::atomic_ref<Pair, cuda::thread_scope_device>(*global));
	cuda::atomic_ref<Small, cuda::thread_scope_block> s(small);
	Small old = s.load(), now;
	do
		now = {(short)(old.low + v), (unsigned char)(old.a + 1), (unsigned char)(old.b ^ (v & 0xff))};
	while (!s.compare_exchange_strong(old, now));
	__syncthreads();
	const Pair p = cuda::atomic_ref<Pair, cuda::thread_scope_block>(shared).load();
	const Small q = s.exchange(small, cuda::memory_order_relaxed);
	if (T == 0) {
		out[16 + 4 * BLOCK] = (unsigned)p.sum;
		out[17 + 4 * BLOCK] = p.count;
		out[18 + 4 * BLOCK] = (unsigned)(unsigned short)q.low | (unsigned)q.a << 16 | (unsigned)q.b << 24;
	}
}

// Greatest and least of floats and doubles; every value is whole, so sums are exact.
KERNEL(maxima)
{
	ROOM(float, least);
	ROOM(double, most);
	ROOM(double, total);
	if (T == 0) {
		least = 1e9f;
		most = -1e9;
		total = 0;
	}
	__syncthreads();
	const int v = (int)(in[ID] % 9001) - 4500;
	cuda::atomic_ref<float, cuda::thread_scope_block>(least).fetch_min((float)v);
	cuda::atomic_ref<double, cuda::thread_scope_block>(most).fetch_max((double)v);
	cuda::atomic_ref<double, cuda::thread_scope_block>(total).fetch_add((double)v * 3);
	cuda::atomic_ref<float>(reinterpret_cast<float &>(out[300 + BLOCK])).fetch_max((float)(v + 5000));
	cuda::atomic_ref<float>(reinterpret_cast<float &>(out[310 + BLOCK])).fetch_add((float)v);
	cuda::atomic_ref<double>(reinterpret_cast<double &>(out[320 + 2 * BLOCK])).fetch_sub((double)v);
	__syncthreads();
	if (T == 0) {
		out[4 * BLOCK] = (unsigned)(int)least;
		out[4 * BLOCK + 1] = (unsigned)(int)most;
		out[4 * BLOCK + 2] = (unsigned)(int)total;
	}
}

KERNEL(sregs)
{
	__shared__ unsigned slots[256];
	slots[T] = slots[T + 128] = 0;
	__syncthreads();
	if (ptx::get_sreg_laneid() == 0)
		slots[ptx::get_sreg_warpid()] = 1; /* each of the block's four warps has one of its own */
	const unsigned beside = ptx::get_sreg_warpid() < ptx::get_sreg_nwarpid() && ptx::get_sreg_smid() < ptx::get_sreg_nsmid();
	__syncthreads();
	const unsigned warps = __syncthreads_count(slots[T] || slots[T + 128]);
	unsigned r = warps * 17 + beside * 19 + ptx::get_sreg_tid_x() + ptx::get_sreg_ntid_x() * 3 + ptx::get_sreg_ctaid_x() * 1000 + ptx::get_sreg_nctaid_x() * 5;
	r += ptx::get_sreg_laneid() * 7 + ptx::get_sreg_tid_y() + ptx::get_sreg_ntid_z();
	r ^= ptx::get_sreg_lanemask_lt() ^ ptx::get_sreg_lanemask_ge() * 3 ^ ptx::get_sreg_lanemask_eq() * 11;
	r += ptx::get_sreg_lanemask_le() ^ ptx::get_sreg_lanemask_gt() * 9;
	const unsigned long long before = ptx::get_sreg_globaltimer(), from = ptx::get_sreg_clock64();
	NV_IF_TARGET(NV_PROVIDES_SM_70, (ptx::fence(ptx::sem_acq_rel, ptx::scope_gpu); ptx::fence(ptx::sem_sc, ptx::scope_cta);))
	NV_IF_TARGET(NV_PROVIDES_SM_90, (r += ptx::get_sreg_cluster_ctarank() + ptx::get_sreg_cluster_nctarank() - 1 +
	                                      (ptx::get_sreg_is_explicit_cluster() ? 7 : 0);))
	out[ID] = r + (ptx::get_sreg_globaltimer() < before) + (ptx::get_sreg_clock64() < from);
}

// In by a copy that an mbarrier hears of, doubled, back by a reduction in bulk, where there are such; else by hand.
KERNEL(bulk)
{
	__shared__ alignas(128) unsigned area[128];
	__shared__ cuda::std::uint64_t bar;
	unsigned *to = out + 128 * BLOCK;
	const unsigned *from = in + 128 * BLOCK;
	(void)bar;
	to[T] = T;
	__syncthreads();
	NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90,
		(if (T == 0) {
			ptx::mbarrier_init(&bar, 128);
			ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
			ptx::fence_proxy_async(ptx::space_shared);
		}
		__syncthreads();
		cuda::std::uint64_t token;
		if (T == 0) {
			ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, area, from, 512, &bar);
			token = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 512);
		} else {
			token = ptx::mbarrier_arrive(&bar);
		}
		while (!ptx::mbarrier_try_wait(ptx::sem_acquire, ptx::scope_cta, &bar, token))
			;
		area[T] = area[T] * 2;
		__threadfence();
		ptx::fence_proxy_async(ptx::space_shared);
		ptx::fence_proxy_async(ptx::space_global);
		__syncthreads();
		if (T == 0) {
			ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, to, area, 512);
			ptx::cp_async_bulk_commit_group();
			ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
		}
		if (T == 0)
			ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());),
		(area[T] = from[T];
		__syncthreads();
		atomicAdd(to + (T + 1) % 128, 2 * area[(T + 1) % 128]);))
}

KERNEL(annotated)
{
	cuda::annotated_ptr<const unsigned, cuda::access_property::persisting> stays(in);
	cuda::annotated_ptr<const unsigned, cuda::access_property::streaming> goes(in + 500);
	cuda::annotated_ptr<unsigned, cuda::access_property::global> to(out);
	__shared__ unsigned room[128];
	cuda::annotated_ptr<unsigned, cuda::access_property::shared> near(room);
	cuda::apply_access_property(in, 4096, cuda::access_property::persisting{});
	near[T] = stays[ID] * 3 + goes[ID];
	__syncthreads();
	cuda::annotated_ptr<const unsigned, cuda::access_property> some(in + 700, cuda::access_property(cuda::access_property::streaming{}));
	to[ID] = near[127 - T] ^ some[T];
	unsigned *gone = out + 896; /* nobody reads what is written there before it is again */
	if (BLOCK == 0) {
		gone[T] = 77;
		__syncthreads();
		if (T == 0)
			cuda::discard_memory(gone, 512);
		__syncthreads();
		gone[T] = T;
	}
}

// One of a group does what the others wait for; scans that take places in a common list.
KERNEL(once)
{
	__shared__ unsigned next;
	auto block = cg::this_thread_block();
	auto tile = cg::tiled_partition<16>(block);
	cg::invoke_one(block, [&] { next = 5; });
	block.sync();
	const unsigned n = in[ID] % 4;
	const unsigned base = cg::invoke_one_broadcast(tile, [&] { return in[ID / 16 * 16] % 50; });
	unsigned place = 0;
	if (T < 64) {
		auto some = cg::coalesced_threads();
		cuda::atomic_ref<unsigned, cuda::thread_scope_block> ref(next);
		place = cg::exclusive_scan_update(some, ref, n, cg::plus<unsigned>());
	}
	(void)place; /* who comes first is not known */
	block.sync();
	out[ID] = base * 100 + next;
}

// Calls that are put together.
KERNEL(calls)
{
	namespace s = cuda::std;
	const unsigned v = in[ID], w = in[ID + 7];
	auto three = [](unsigned a, unsigned b, unsigned c) { return a * 100 + b * 10 + c; };
	const auto bound = s::bind_front(three, v % 10);
	const auto never = s::not_fn([](unsigned x) { return x % 3 == 0; });
	unsigned total = 0;
	auto &&add = s::reference_wrapper<unsigned>(total);
	add.get() += s::invoke(bound, w % 10, 5u) + s::apply(three, s::make_tuple(w % 7, v % 7, 1u));
	struct Held {
		unsigned x;
		__device__ unsigned plus(unsigned y) const { return x + y; }
	} held{v};
	total ^= s::invoke(&Held::plus, held, w) + s::invoke(&Held::x, held) + (never(v) ? 17 : 4);
	const auto lesser = cuda::minimum<unsigned>()(v, w), greater = cuda::maximum<>()(v, w);
	out[ID] = total + s::minus<>()(greater, lesser) + s::bit_xor<unsigned>()(v, w) * (s::logical_not<bool>()(v & 1) ? 3 : 1);
}
