// SPDX-License-Identifier: Apache-2.0
/* Expected results of the kernels of values.cu: containers and values of the standard library. */
#include "cccl_expected.h"

void cccl_matrices(u32 grid)
{
	EACH(i, grid * N)
	{
		const u32 *row = in + i / N * N, t = i % N;
		u32 room[N];
		EACH(k, N)
		room[k % 16 * 8 + k / 16] = row[k];
		u32 v = room[t] * 3 + 16;
		if (t < 16)
			v ^= room[t / 4 * 17 + t % 4 * 5];
		for (u32 k = 0; k < t % 5 && t + k < N; k++)
			v += row[t + k];
		out[i] = v + row[2] + row[121];
	}
}

void cccl_maybes(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 v = in[i], a = 1000001, b;
		if (v % 2 && v / 3 % 2)
			a = v / 3 / 3 + 7;
		if (v % 4 == 0)
			b = v % 100 - 50 + 9;
		else if (v / 2 % 4 == 0)
			b = v / 2 % 100 - 50 + 9;
		else
			b = v / 2 / 2 * 5;
		out[i] = (a ^ b) + (v % 3 == 0 ? (u32)((v * UINT64_C(0x100000001)) >> 31) : 0) + 1;
	}
}

void cccl_variants(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 v = in[i], r = 0;
		for (int k = 0; k < 4; k++, v = v * 5 + 1) {
			const u32 kind = v >> 3 & 3;
			const u32 size = kind == 0   ? (v & 255) * (v & 255)
			                 : kind == 1 ? v * 3 + 1
			                 : kind == 2 ? v % 4096
			                             : v + (u32)((int64_t)((u64)v << 30) >> 33);
			r = r * 31 + size + kind;
			if (kind == 1)
				r ^= v;
		}
		out[i] = r;
	}
}

void cccl_tuples(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 v = in[i], w = in[i + 1], low = v - 500000;
		bool less = v % 3 != w % 3 ? v % 3 < w % 3 : v % 7 < w % 7;
		out[i] = (u32)(int16_t)v + (u32)(v * UINT64_C(7) >> 2) + low * 3 + (u32)(int8_t)v + i % N + low * 2 +
		         less;
	}
}

static void sort12(u32 *a)
{
	EACH(i, 12)
	for (u32 k = i; k > 0 && a[k - 1] > a[k]; k--) {
		u32 x = a[k];
		a[k] = a[k - 1];
		a[k - 1] = x;
	}
}

void cccl_algorithms(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 a[12], b[12], even = 0, at = 0, dot = 1, left = 0, last = ~0u, t = i % N;
		EACH(k, 12)
		a[k] = in[i + 3 * k] % 1000;
		EACH(k, 12)
		{
			b[k] = a[(k + t) % 12];
			even += a[k] % 2 == 0;
			at += a[k] < 500;
		}
		for (u32 l = 2, r = 10; l < r; l++, r--) {
			u32 x = b[l];
			b[l] = b[r];
			b[r] = x;
		}
		sort12(a);
		EACH(k, 12)
		{
			b[k] += k ? b[k - 1] : 0;
			dot += a[k] * b[k];
			if (a[k] != last && a[k] % 5)
				left = left * 3 + a[k];
			last = a[k];
		}
		out[i] = left + dot * 7 + a[0] + a[11] * 2 + even * 1000 + at * 77 +
		         (b[5] < 100    ? 100
		          : b[5] > 4000 ? 4000
		                        : b[5]);
	}
}

void cccl_durations(u32 grid)
{
	EACH(i, grid * N)
	{
		const int64_t v = in[i], ms = v * 1000003, h = ms / 3600000, m = (ms - h * 3600000) / 60000;
		/* sixtieths of a second, to the nearest, a tie to even */
		int64_t f = ms * 60 / 1000, rest = ms * 60 % 1000;
		if (rest > 500 || (rest == 500 && f % 2))
			f++;
		const int64_t sum = v * 1000000000 + ms * 1000000 - v % 1000 * 3;
		out[i] = (u32)h + (u32)m * 100 + (u32)f * 7 + (u32)(sum >> 3) + (u32)((double)v / 1000 * 8) +
		         (ms > INT64_C(360000000000));
	}
}

void cccl_lists(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 l[32], n = 0;
		EACH(k, 20)
		if (in[i + k] % 3)
			l[n++] = in[i + k];
		if (n > 4) {
			u32 was = n, copy[32];
			memcpy(copy, l, sizeof l);
			/* the second and third go, and five new elements follow the new second */
			l[1] = copy[3];
			EACH(k, 5)
			l[2 + k] = i % N;
			n = 7;
			for (u32 k = 4; k < was; k++)
				l[n++] = copy[k];
		}
		l[n++] = 77;
		if (n > 20)
			n--;
		out[i] = n;
		EACH(k, n)
		out[i] = out[i] * 33 + l[k];
	}
}

void cccl_bit_sets(u32 grid)
{
	EACH(i, grid * N)
	{
		bool a[100] = {0}, b[100] = {0}, none = true;
		u32 c = 0, d = 0, ones = 0, fifty = 0, shift = i % N % 70;
		EACH(k, 12)
		{
			a[in[i + k] % 100] = true;
			b[in[i + 2 * k] % 100] ^= true;
		}
		EACH(k, 100)
		{
			bool set = (k >= shift && a[k - shift]) || (k + 3 < 100 && b[k + 3]);
			c += set;
			fifty |= k == 50 && set;
			d += a[k] == b[k];
			none &= !(a[k] && b[k]);
		}
		const u64 e = (u64)in[i] * 0x123457 & ((UINT64_C(1) << 40) - 1);
		EACH(k, 40)
		ones += e >> k & 1;
		out[i] = c + d * 200 + fifty * 40000 + (d > 0) + none * 2 + (u32)(e >> 9) + (40 - ones) * 11;
	}
}

static u64 common_divisor(u64 a, u64 b)
{
	return b ? common_divisor(b, a % b) : a;
}

void cccl_numbers(u32 grid)
{
	EACH(i, grid * N)
	{
		const u32 v = in[i] + 1, w = in[i + 1] + 1, x = v % 1000 + 1, y = w % 1000 + 1;
		const u64 b = (u64)v * w * 12345 + 7;
		u32 log2 = 0, log10 = 0;
		while (b >> log2 > 1)
			log2++;
		for (u32 k = v; k >= 10; k /= 10)
			log10++;
		/* half way, rounded towards the first of the two */
		const int64_t p = v, q = (int64_t)w * 9, m = (int64_t)v - 500000, n = -(int64_t)w;
		u32 r = x / (u32)common_divisor(x, y) * y + (u32)common_divisor(b, w) + (u32)(p + (q - p) / 2) +
		        (u32)(m + (n - m) / 2);
		r += (v + 36) / 37 + (w + 99) / 100 * 100 + v / 64 * 64 + log2 * 5 + log10 * 3;
		r += (u32)(b % 1000003) + (u32) - (b / w) + (u32)(INT64_MAX % b) + 5 + 1;
		EACH(k, 9)
		r += in[i + k];
		EACH(k, 4)
		r += in[i + k] * in[i + 8 + k];
		out[i] = r;
	}
}

void cccl_gauss(u32 grid)
{
	EACH(i, grid * N)
	{
		const int64_t x = in[i] % 50 - INT64_C(25), y = in[i] / 50 % 50 - INT64_C(25);
		int64_t re = 0, im = 0;
		for (int k = 0; k < 4; k++) {
			int64_t a = re * x - im * y + 3 * k, b = re * y + im * x - 2 * k;
			re = a;
			im = b;
		}
		/* the conjugate less half of z; twice, since halves are left */
		const int64_t r2 = 2 * re - x, i2 = -2 * im - y;
		out[2 * i] = (u32)(r2 / 2) + (u32)(x * x + y * y);
		out[2 * i + 1] = (u32)i2 + (re == 0 && im == 0);
	}
}
