// SPDX-License-Identifier: Apache-2.0
/* scans_expected.c -- expected results of the kernels of scans.cu. */
#include "cccl_expected.h"

void cccl_quads(u32 g)
{
	u64 s = 0;
	EACH(b, g)
	{
		u64 x = 0, t = 0;
		EACH(i, N)
		{
			u64 v = in[b * N + i] * 0x100000001ull;
			x ^= v;
			t += v + i;
			s += v;
		}
		put64(8 * b, x);
		out[8 * b + 2] = N * (N - 1) / 2;
		put64(8 * b + 3, t);
	}
	out[100] = g;
	put64(200, s);
	put64(202, g * N);
}

void cccl_plain_std(u32 g)
{
	EACH(b, g)
	{
		int s = -5;
		u64 w = 1ull << 40;
		EACH(i, N)
		{
			s += (int)(in[b * N + i] % 1000) - 503;
			w ^= in[b * N + i] * 0x10001ull;
		}
		EACH(i, N) out[b * N + i] = (u32)(s * 3) + (u32)w + (u32)(w >> 32) * 7;
	}
}

void cccl_lookback(u32 g)
{
	u32 s = 0;
	(void)g;
	EACH(i, 1024) out[i] = s += in[i] * 3;
}
void cccl_lookback_wide(u32 g)
{
	u64 s = 0;
	(void)g;
	EACH(i, 1024)
	{
		s += in[i] * 0x300000001ull;
		out[i] = (u32)(s ^ s >> 32);
	}
}
void cccl_lookback_structs(u32 g)
{
	u32 a = 0, b = 0, c = 0;
	(void)g;
	EACH(i, 1024)
	{
		a = (a + in[i]) & 0xffff;
		b += in[i];
		c ^= in[i];
		out[i] = a * 3 + b + c * 5;
	}
}
void cccl_lookback_keys(u32 g)
{
	u32 key = 0, sum = 0;
	EACH(i, g * N)
	{
		u32 head = in[i] % 16 == 0;
		key += head;
		sum = head ? in[i] : sum + in[i];
		out[i] = key * 100000000u + sum;
	}
}

static int by_value(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return x < y ? -1 : x > y;
}
void cccl_sort_halves(u32 g)
{
	int v[256], k[128];
	bool used[128] = {0};
	(void)g;
	EACH(i, 256) v[i] = (int)(in[i] % 4001) - 2000;
	qsort(v, 256, sizeof *v, by_value);
	EACH(i, 256) out[i] = (u32)v[i];
	EACH(i, 128) k[i] = (int)(in[i] % 511) - 255;
	EACH(i, 128)
	{
		u32 best = 128;
		EACH(j, 128)
		if (!used[j] && (best == 128 || k[j] > k[best]))
			best = j;
		used[best] = true;
		out[256 + i] = (u32)k[best] << 16 | best;
	}
}
void cccl_sort_cards(u32 g)
{
	int v[256];
	(void)g;
	EACH(i, 256) v[i] = (int)(in[i] % 4 << 28 | (in[i] / 4 % 27) << 16 | i);
	qsort(v, 256, sizeof *v, by_value);
	EACH(i, 256) out[i] = (u32)v[i];
}
void cccl_thread_sums(u32 g)
{
	EACH(t, g * N)
	{
		u32 sum = 0, most = 0, x = 5;
		int smax = -40000, smin = 40000, umin = 70000, umax = -1, hsum = 0, hmax = -1000, bmin = 1000, bsum = 0;
		EACH(i, 8)
		{
			u32 v = in[(t * 8 + i) % 2048];
			int s = (int16_t)v, u = (v >> 3) & 0xffff, h = (int)(v % 201) - 100, b = (int)(v % 41) - 20;
			if (i < 7) {
				sum += v;
				most = v > most ? v : most;
				x ^= v;
			}
			smax = s > smax ? s : smax;
			smin = s < smin ? s : smin;
			umax = u > umax ? u : umax;
			umin = u < umin ? u : umin;
			hsum += h;
			hmax = h > hmax ? h : hmax;
			if (i < 6) {
				bsum += b;
				bmin = b < bmin ? b : bmin;
			}
		}
		u32 r = sum + most * 3 + (u32)smax * 5 + (u32)smin * 7 + (u32)umin * 11 + (u32)umax * 13 +
		        (u32)hsum * 17 + (u32)hmax * 19 + (u32)bmin * 23 + (u32)bsum * 29;
		out[t] = r ^ x;
	}
}
void cccl_carry(u32 g)
{
	(void)g;
	/* striped: item i of thread t is number 128 i + t; transposed: 4 t + i. Memory after the last item stays */
	EACH(k, 502) out[k] = (k < 500 ? in[k] : 3) * 5 + k / 128;
	EACH(k, 402) out[512 + k] = (k < 400 ? in[512 + k] : 3) * 5 + k % 4;
}
void cccl_carry_vectors(u32 g)
{
	(void)g;
	EACH(k, 1024)
	{
		u32 h = (in[k / 2] >> (k % 2 * 16)) & 0xffff;
		out[k / 2] |= ((h * 3 + k % 8) & 0xffff) << (k % 2 * 16);
	}
	EACH(w, 4)
	EACH(l, 32)
	{
		u32 at = 512 + w * 128;
		u64 a = in[at + 4 * l] | (u64)in[at + 4 * l + 1] << 32,
		    b = in[at + 4 * l + 2] | (u64)in[at + 4 * l + 3] << 32;
		put64(at + 2 * l, a + b);
		put64(at + 2 * (32 + l), b);
	}
}
typedef struct {
	u32 a, b;
} affine_fn;
static affine_fn then(affine_fn f, affine_fn g)
{
	return (affine_fn){f.a * g.a, g.a * f.b + g.b};
}
void cccl_affine(u32 grid)
{
	EACH(b, grid)
	{
		affine_fn ex[256], inc[256], e = {1, 7}, p = {1, b}, all = {1, 0};
		EACH(i, 256)
		{
			affine_fn v = {in[i] | 1, in[i] >> 3};
			ex[i] = e;
			e = then(e, v);
			inc[i] = p = then(p, v);
			all = then(all, v);
		}
		EACH(t, N)
		{
			u32 r = ex[2 * t].a + ex[2 * t + 1].b * 3 + all.b;
			r ^= inc[2 * t].b + inc[2 * t + 1].a * 5;
			if (t == 0)
				r += all.a * 9 + all.b * 11;
			out[b * N + t] = r;
		}
	}
}
