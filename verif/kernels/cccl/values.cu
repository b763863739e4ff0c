// SPDX-License-Identifier: Apache-2.0
// cuda::std's containers and values on the device. Expected contents: values_expected.c
#include <cuda/cmath>
#include <cuda/std/__algorithm_>
#include <cuda/std/array>
#include <cuda/std/bitset>
#include <cuda/std/chrono>
#include <cuda/std/complex>
#include <cuda/std/expected>
#include <cuda/std/inplace_vector>
#include <cuda/std/limits>
#include <cuda/std/mdspan>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/variant>

#include "common.h"

namespace s = cuda::std;

// A matrix of 8 rows of 16 in three layouts, and a slice of it.
KERNEL(matrices)
{
	__shared__ unsigned room[128];
	s::mdspan<unsigned, s::extents<int, 8, 16>, s::layout_left> down(room);
	s::mdspan<const unsigned, s::dextents<int, 2>> right(in + 128 * BLOCK, 8, 16);
	using Strides = s::layout_stride::mapping<s::extents<int, 4, 4>>;
	s::mdspan<unsigned, s::extents<int, 4, 4>, s::layout_stride> some(room, Strides(s::extents<int, 4, 4>(), s::array<int, 2>{17, 5}));
	down(T / 16, T % 16) = right(T / 16, T % 16);
	__syncthreads();
	unsigned v = room[T] * 3 + (unsigned)down.extent(1);
	if (T < 16)
		v ^= some(T / 4, T % 4);
	s::span<const unsigned> row(in + 128 * BLOCK, 128);
	for (unsigned x : row.subspan(T, T % 5 < 128 - T ? T % 5 : 128 - T))
		v += x;
	out[ID] = v + row.first<3>().back() + row.last(7).front();
}

KERNEL(maybes)
{
	unsigned v = in[ID];
	auto odd = [](unsigned x) { return x & 1 ? s::optional<unsigned>(x / 3) : s::nullopt; };
	auto half = [](unsigned x) -> s::expected<unsigned, int> {
		if (x % 4 == 0)
			return s::unexpected<int>((int)x % 100 - 50);
		return x / 2;
	};
	auto a = odd(v).and_then(odd).transform([](unsigned x) { return x + 7; });
	auto b = half(v).and_then(half).transform([](unsigned x) { return x * 5; });
	s::optional<unsigned long long> c;
	if (v % 3 == 0)
		c.emplace(v * 0x100000001ull);
	unsigned r = a.value_or(1000001) ^ (b ? *b : (unsigned)(b.error() + 9));
	if (c.has_value())
		r += (unsigned)(*c >> 31);
	a.reset();
	out[ID] = r + !a;
}

struct area {
	__device__ unsigned operator()(unsigned char side) const { return side * side; }
	__device__ unsigned operator()(unsigned side) const { return side * 3 + 1; }
	__device__ unsigned operator()(float f) const { return (unsigned)(f * 4); }
	__device__ unsigned operator()(const s::tuple<int, long long> &t) const { return s::get<0>(t) + (unsigned)(s::get<1>(t) >> 33); }
};
KERNEL(variants)
{
	unsigned v = in[ID], r = 0;
	s::variant<unsigned char, unsigned, float, s::tuple<int, long long>> shape;
	for (int i = 0; i < 4; i++, v = v * 5 + 1) {
		switch (v >> 3 & 3) {
		case 0: shape = (unsigned char)v; break;
		case 1: shape = v; break;
		case 2: shape = (float)(v % 4096) * 0.25f; break;
		default: shape = s::make_tuple((int)v, (long long)v << 30); break;
		}
		r = r * 31 + s::visit(area(), shape) + (unsigned)shape.index();
		if (auto p = s::get_if<unsigned>(&shape))
			r ^= *p;
	}
	out[ID] = r;
}

KERNEL(tuples)
{
	unsigned v = in[ID];
	auto t = s::make_tuple((short)v, v * 7ull, s::pair<int, char>((int)v - 500000, (char)v));
	auto u = s::tuple_cat(t, s::tuple<unsigned>(T));
	unsigned sum = s::apply([](short a, unsigned long long b, s::pair<int, char> c, unsigned d) { return (unsigned)a + (unsigned)(b >> 2) + (unsigned)c.first * 3 + (unsigned)c.second + d; }, u);
	int low;
	s::tie(low, s::ignore) = s::get<2>(t);
	bool less = s::make_tuple(v % 3, v % 7) < s::make_tuple(in[ID + 1] % 3, in[ID + 1] % 7);
	out[ID] = sum + (unsigned)low * 2 + less;
}

KERNEL(algorithms)
{
	s::array<unsigned, 12> a;
	for (unsigned i = 0; i < 12; i++)
		a[i] = in[ID + 3 * i] % 1000;
	s::array<unsigned, 12> b = a;
	s::rotate(b.begin(), b.begin() + T % 12, b.end());
	s::reverse(b.begin() + 2, b.end() - 1);
	unsigned least = *s::min_element(a.begin(), a.end()), most = *s::max_element(a.begin(), a.end());
	auto even = s::count_if(a.begin(), a.end(), [](unsigned x) { return x % 2 == 0; });
	s::make_heap(a.begin(), a.end());
	s::sort_heap(a.begin(), a.end());
	auto at = s::lower_bound(a.begin(), a.end(), 500u) - a.begin();
	s::partial_sum(b.begin(), b.end(), b.begin());
	unsigned dot = s::inner_product(a.begin(), a.end(), b.begin(), 1u);
	auto end = s::unique(a.begin(), a.end());
	end = s::remove_if(a.begin(), end, [](unsigned x) { return x % 5 == 0; });
	unsigned left = s::accumulate(a.begin(), end, 0u, [](unsigned x, unsigned y) { return x * 3 + y; });
	out[ID] = left + dot * 7 + least + most * 2 + (unsigned)even * 1000 + (unsigned)at * 77 + s::clamp(b[5], 100u, 4000u);
}

KERNEL(durations)
{
	using namespace s::chrono;
	using frames = duration<long long, s::ratio<1, 60>>;
	long long v = in[ID];
	auto ms = milliseconds(v * 1000003);
	auto h = duration_cast<hours>(ms);
	auto m = floor<minutes>(ms - h);
	auto f = round<frames>(ms);
	auto sum = seconds(v) + ms - nanoseconds(v % 1000) * 3;
	double d = duration<double, s::milli>(microseconds(v)).count();
	out[ID] = (unsigned)h.count() + (unsigned)m.count() * 100 + (unsigned)f.count() * 7 + (unsigned)(sum.count() >> 3) + (unsigned)(d * 8) + (ms > hours(100000));
}

KERNEL(lists)
{
	s::inplace_vector<unsigned, 24> l;
	for (unsigned i = 0; i < 20; i++)
		if (in[ID + i] % 3)
			l.push_back(in[ID + i]);
	if (l.size() > 4) {
		l.erase(l.begin() + 1, l.begin() + 3);
		l.insert(l.begin() + 2, 5, T);
	}
	if (l.try_push_back(77u) && l.size() > 20)
		l.pop_back();
	unsigned r = (unsigned)l.size();
	for (unsigned x : l)
		r = r * 33 + x;
	out[ID] = r;
}

KERNEL(bit_sets)
{
	s::bitset<100> a, b;
	for (unsigned i = 0; i < 12; i++) {
		a.set(in[ID + i] % 100);
		b.flip(in[ID + 2 * i] % 100);
	}
	auto c = (a << T % 70) | (b >> 3), d = a ^ ~b;
	s::bitset<40> e((unsigned long long)in[ID] * 0x123457);
	out[ID] = (unsigned)c.count() + (unsigned)d.count() * 200 + c.test(50) * 40000 + d.any() + (a & b).none() * 2 + (unsigned)(e.to_ullong() >> 9) + (unsigned)(~e).count() * 11;
}

KERNEL(numbers)
{
	unsigned v = in[ID] + 1, w = in[ID + 1] + 1;
	unsigned long long b = (unsigned long long)v * w * 12345 + 7;
	unsigned r = s::lcm(v % 1000 + 1, w % 1000 + 1) + s::gcd(b, (unsigned long long)w) + s::midpoint(v, w * 9) + (unsigned)s::midpoint((int)v - 500000, -(int)w);
	r += cuda::ceil_div(v, 37u) + cuda::round_up(w, 100u) + cuda::round_down(v, 64u) + (unsigned)cuda::ilog2(b) * 5 + (unsigned)cuda::ilog10(v) * 3;
	r += (unsigned)(b % 1000003) + (unsigned)((long long)b / -(long long)w) + (unsigned)(s::numeric_limits<long long>::max() % (long long)b);
	out[ID] = r + s::reduce(in + ID, in + ID + 9, 5u) + s::transform_reduce(in + ID, in + ID + 4, in + ID + 8, 1u);
}

// Complex numbers of doubles that stay whole.
KERNEL(gauss)
{
	s::complex<double> z((double)(in[ID] % 50) - 25, (double)(in[ID] / 50 % 50) - 25), w(3, -2), acc(0, 0);
	for (int i = 0; i < 4; i++)
		acc = acc * z + w * (double)i;
	auto half = s::conj(acc) - z / 2.0;
	out[2 * (ID % 384)] = (unsigned)(long long)half.real() + (unsigned)(long long)s::norm(z);
	out[2 * (ID % 384) + 1] = (unsigned)(long long)(half.imag() * 2) + (acc == s::complex<double>(0, 0));
}
