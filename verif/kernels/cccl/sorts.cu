// SPDX-License-Identifier: Apache-2.0
// CUB's block sorts, and what libcu++'s and Thrust's headers do in one thread. Expected contents: ../cccl_expected.c
#include <cub/cub.cuh>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

#include "common.h"

enum { Threads = 128 };

KERNEL(radix_u32)
{
	using Sort = cub::BlockRadixSort<unsigned, Threads, 2>;
	__shared__ Sort::TempStorage room;
	unsigned v[2] = {in[2 * T], in[2 * T + 1]};
	Sort(room).Sort(v, 0, 20);
	out[2 * T] = v[0];
	out[2 * T + 1] = v[1];
}

KERNEL(radix_pairs)
{
	using Sort = cub::BlockRadixSort<short, Threads, 2, unsigned>;
	__shared__ Sort::TempStorage room;
	short k[2] = {(short)in[2 * T], (short)in[2 * T + 1]};
	unsigned v[2] = {2 * T, 2 * T + 1};
	Sort(room).SortDescending(k, v);
	out[2 * T] = (unsigned short)k[0] << 16 | v[0];
	out[2 * T + 1] = (unsigned short)k[1] << 16 | v[1];
}

KERNEL(radix_floats)
{
	using Sort = cub::BlockRadixSort<float, Threads, 1>;
	__shared__ Sort::TempStorage room;
	float v[1] = {((int)in[T] - 500000) * 0.37f};
	Sort(room).SortBlockedToStriped(v);
	out[T] = __float_as_uint(v[0]);
}

KERNEL(radix_u64)
{
	using Sort = cub::BlockRadixSort<unsigned long long, Threads, 1>;
	__shared__ Sort::TempStorage room;
	unsigned long long v[1] = {in[T] * 0x123456789ull};
	Sort(room).Sort(v);
	out[2 * T] = (unsigned)v[0];
	out[2 * T + 1] = (unsigned)(v[0] >> 32);
}

KERNEL(block_merge)
{
	using Sort = cub::BlockMergeSort<unsigned, Threads, 3, unsigned short>;
	__shared__ Sort::TempStorage room;
	unsigned k[3];
	unsigned short v[3];
	for (int i = 0; i < 3; i++) {
		k[i] = in[3 * T + i] % 64;
		v[i] = (unsigned short)(3 * T + i);
	}
	Sort(room).StableSort(k, v, [](unsigned a, unsigned b) { return a < b; });
	for (int i = 0; i < 3; i++)
		out[3 * T + i] = k[i] << 16 | v[i];
}

KERNEL(alone)
{
	unsigned v[12];
	for (int i = 0; i < 12; i++)
		v[i] = in[(T * 12 + i) % 1024] % 97;
	thrust::sort(thrust::seq, v, v + 12);
	unsigned *end = thrust::unique(thrust::seq, v, v + 12);
	thrust::inclusive_scan(thrust::seq, v, end, v);
	out[ID] = (unsigned)(end - v) * 100000 + end[-1];
}

KERNEL(bits)
{
	unsigned v = in[ID];
	unsigned long long w = v * 0x100000001b3ull;
	out[ID] = cuda::std::popcount(w) + cuda::std::countl_zero(v) * 100 + cuda::std::countr_zero(w | 1ull << 40) * 10000 +
		  (cuda::std::rotl(v, 7) ^ cuda::std::bit_ceil(v)) + cuda::std::gcd(v + 1, 360u) + (unsigned)cuda::std::bit_width(w);
}

KERNEL(complexes)
{
	cuda::std::complex<float> a((float)(in[ID] % 100), (float)(in[ID] / 100 % 100)), b(2.0f, -3.0f);
	cuda::std::complex<float> c = a * b + a;
	cuda::std::array<int, 3> parts = {(int)c.real(), (int)c.imag(), (int)cuda::std::norm(a)};
	cuda::std::optional<int> last;
	for (int p : cuda::std::span<int>(parts.data(), 3))
		if (p % 2)
			last = p;
	out[ID] = (unsigned)(parts[0] * 3 + parts[1] * 5 + parts[2]) + (unsigned)last.value_or(7);
}

KERNEL(wide_ints)
{
	unsigned __int128 a = (unsigned __int128)in[ID] * 0xfedcba9876543211ull * (in[ID] + 3), b = (unsigned __int128)in[(ID + 1) % 1024] * 0x10000000full + 1;
	unsigned __int128 q = a / b, r = a % b;
	__int128 s = -(__int128)a / 12345;
	out[ID] = (unsigned)q + (unsigned)(r >> 17) * 3 + (unsigned)(s >> 40) + (unsigned)(q >> 64);
}
