// SPDX-License-Identifier: Apache-2.0
/* Expected results of the kernels of sorts.cu: sorts, bits and wide numbers. */
#include "cccl_expected.h"

static int by_u32(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;
	return x < y ? -1 : x > y;
}

void cccl_radix_u32(u32 grid)
{
	(void)grid;
	memcpy(out, in, 2 * N * sizeof *in);
	qsort(out, 2 * N, sizeof *out, by_u32);
}

static int by_key_down(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;
	int16_t k = (int16_t)(x >> 16), l = (int16_t)(y >> 16);
	return k != l ? (k > l ? -1 : 1) : (int)(x & 0xffff) - (int)(y & 0xffff);
}

void cccl_radix_pairs(u32 grid)
{
	(void)grid;
	EACH(i, 2 * N)
	out[i] = in[i] << 16 | i;
	qsort(out, 2 * N, sizeof *out, by_key_down);
}

static int by_float(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;
	return x < y ? -1 : x > y;
}

void cccl_radix_floats(u32 grid)
{
	float v[N];
	(void)grid;
	EACH(t, N)
	v[t] = (float)((int)in[t] - 500000) * 0.37f;
	qsort(v, N, sizeof *v, by_float);
	memcpy(out, v, sizeof v);
}

static int by_u64(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;
	return x < y ? -1 : x > y;
}

void cccl_radix_u64(u32 grid)
{
	u64 v[N];
	(void)grid;
	EACH(t, N)
	v[t] = in[t] * UINT64_C(0x123456789);
	qsort(v, N, sizeof *v, by_u64);
	memcpy(out, v, sizeof v);
}

void cccl_block_merge(u32 grid)
{
	(void)grid;
	EACH(i, 3 * N)
	out[i] = in[i] % 64 << 16 | i;
	qsort(out, 3 * N, sizeof *out, by_u32);
}

void cccl_alone(u32 grid)
{
	EACH(id, grid * N)
	{
		u32 v[12], n = 0, sum = 0;
		EACH(i, 12)
		v[i] = in[(id % N * 12 + i) % 1024] % 97;
		qsort(v, 12, sizeof *v, by_u32);
		EACH(i, 12)
		if (!i || v[i] != v[i - 1]) {
			n++;
			sum += v[i];
		}
		out[id] = n * 100000 + sum;
	}
}

void cccl_bits(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 v = in[i], ones = 0, lead = 0, trail = 0, ceil = 1, width = 0, a = v + 1, b = 360;
		u64 w = v * UINT64_C(0x100000001b3), x = w | UINT64_C(1) << 40;
		EACH(k, 64)
		{
			ones += w >> k & 1;
			width = w >> k & 1 ? k + 1 : width;
		}
		while (lead < 32 && !(v >> (31 - lead) & 1))
			lead++;
		while (!(x >> trail & 1))
			trail++;
		while (ceil < v)
			ceil *= 2;
		while (b) {
			u32 r = a % b;
			a = b;
			b = r;
		}
		out[i] = ones + lead * 100 + trail * 10000 + ((v << 7 | v >> 25) ^ ceil) + a + width;
	}
}

void cccl_complexes(u32 grid)
{
	EACH(i, grid * N)
	{
		int x = (int)(in[i] % 100), y = (int)(in[i] / 100 % 100);
		int part[3] = {2 * x + 3 * y + x, 2 * y - 3 * x + y, x * x + y * y}, last = 7;
		EACH(k, 3)
		last = part[k] % 2 ? part[k] : last;
		out[i] = (u32)(part[0] * 3 + part[1] * 5 + part[2]) + (u32)last;
	}
}

void cccl_wide_ints(u32 grid)
{
	EACH(i, grid * N)
	{
		u128 a = (u128)in[i] * UINT64_C(0xfedcba9876543211) * (in[i] + 3);
		u128 b = (u128)in[(i + 1) % 1024] * UINT64_C(0x10000000f) + 1, q = a / b, r = a % b;
		__int128 s = -(__int128)a / 12345;
		out[i] = (u32)q + (u32)(r >> 17) * 3 + (u32)(s >> 40) + (u32)(q >> 64);
	}
}
