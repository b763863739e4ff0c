// SPDX-License-Identifier: Apache-2.0
/* queues_expected.c -- expected results of the kernels of queues.cu. */
#include "cccl_expected.h"
/* each thread t of each block b; I is the thread's number */
#define FOR_ALL EACH(b, g) EACH(t, N)
#define I       (b * N + t)
void cccl_queues(u32 g)
{
	EACH(b, g)
	{
		u32 sum = 0, mix = 0;
		EACH(t, N) if (t % 2 == 0) EACH(i, 3)
		{
			sum += in[I] + i;
			mix ^= (in[I] + i) * 2654435761u;
		}
		EACH(t, N) out[I] = sum + mix;
	}
}
void cccl_readers(u32 g)
{
	EACH(b, g)
	{
		u32 a = 0, w = 0;
		EACH(t, N) EACH(i, 3) if ((t + i) % 8 == 0)
		{
			a += in[I];
			w++;
		}
		EACH(t, N) out[I] = a + w;
	}
}
void cccl_steals(u32 g)
{
	EACH(b, g)
	{
		u32 s = 60;
		EACH(i, 60) s += in[i + b];
		EACH(t, N) out[I] = s;
	}
}
void cccl_owners(u32 g)
{
	EACH(b, g)
	{
		u32 gone = 0;
		EACH(t, N)
		{
			u32 a = in[I] % 50;
			a *= a;
			EACH(i, in[I] % 4)
			{
				u32 side = in[I] % 60 + i;
				a = side * side * 3 - a;
				gone += side;
			}
			EACH(i, t % 5 + 1) a = a * 3 + in[I + i];
			out[I] = a;
		}
		EACH(t, N) out[I] += gone;
	}
}
static u32 half_of(int v)
{
	u32 s = v < 0 ? 0x8000 : 0, m = (u32)(v < 0 ? -v : v), e = 25;
	if (!m)
		return 0;
	while (!(m & 0x400)) {
		m <<= 1;
		e--;
	}
	return s | e << 10 | (m & 0x3ff);
}
void cccl_half_sums(u32 g)
{
	int v4 = 0, w4 = 0, pa[2] = {0}, pb[2] = {0};
	u64 t4 = 0;
	EACH(b, g)
	{
		int v = 0, w = 0, one[2] = {1, 1};
		EACH(t, N)
		{
			int x = (int)(in[I] % 9) - 4, y = (int)(in[I] / 9 % 3) - 1;
			v += x;
			w += y;
			one[t % 2] += x;
			pa[t % 2]++;
			pb[t % 2] += x;
			t4 += t;
		}
		u32 *o = out + 16 * b;
		o[0] = (u32)v;
		o[1] = (u32)-v;
		o[2] = (u32)w;
		o[3] = N;
		o[4] = (u32)one[0];
		o[5] = (u32)one[1];
		out[900 + b] = float_bits((float)w) >> 16;
		v4 += v;
		w4 += w;
	}
	out[800] = g;
	out[810] = (u32)v4;
	out[811] = (u32)w4;
	out[812] = g * N;
	out[813] = (u32)t4;
	EACH(i, 2)
	{
		out[820 + 2 * i] = half_of(pa[i]);
		out[821 + 2 * i] = half_of(pb[i]);
	}
	out[830] = g * N * 2;
	out[831] = (u32)-v4;
}
void cccl_older(u32 g)
{
	FOR_ALL
	{
		u32 r = in[b * N + 127 - t] + in[b * N + 128 + (t + 1) % 128] * 3;
		EACH(i, (16 - t % 4 * 4) / 4) r += in[t % 32 * 4 + i] * (2 * i + 1);
		out[I] = r;
	}
}
static u32 byte_of(u32 i)
{
	return in[i / 4] >> (i % 4 * 8) & 255;
}
void cccl_odd_copies(u32 g)
{
	EACH(b, g)
	{
		unsigned char room[1024] = {0}, own[128 * 24] = {0};
		EACH(w, 4) EACH(i, 100 + w * 14) room[w * 256 + w + i] = (unsigned char)byte_of(w * 77 + w + i);
		EACH(t, N) EACH(i, 1 + t % 17) own[t * 24 + t % 3 + i] = (unsigned char)byte_of(t * 9 + t % 3 + i);
		EACH(t, N)
		{
			u32 w = t / 32, r = 0, o = 127 - t;
			for (u32 i = t % 32; i < 256; i += 32)
				r = r * 3 + room[w * 256 + i];
			EACH(i, 24) r = r * 5 + own[o * 24 + i];
			r += in[4 * o] + (o % 2 ? in[4 * o + 3] : 0) * 7;
			if (in[I] % 3)
				r += byte_of(256 * w + 512 + t % 200);
			out[I] = r;
		}
	}
}
void cccl_any_group(u32 g)
{
	FOR_ALL
	{
		u32 r = 0;
		EACH(i, N) r += in[b * N + i];
		for (u32 n = 4; n <= 32; n *= 2) {
			u32 s = 0;
			EACH(i, n) s += in[b * N + t / n * n + i] % 1000;
			r = r * 3 + s;
		}
		EACH(i, 8) r += t / 8 * 8 + i;
		out[I] = r;
	}
}
void cccl_wait_kinds(u32 g)
{
	FOR_ALL
	{
		u32 w = t / 32;
		out[I] = w == 0 ? 5 : w == 1 ? in[b] : w == 2 ? (u32)-7 : (in[1] & 0xffff) + 7;
	}
}
void cccl_table(u32 g)
{
	EACH(i, 2 * g * N) out[400 + in[i] % 60 + 1]++;
	out[300] = g;
}
static int up(const void *a, const void *b)
{
	return *(const u32 *)a < *(const u32 *)b ? -1 : *(const u32 *)a > *(const u32 *)b;
}
void cccl_one_thread(u32 g)
{
	FOR_ALL
	{
		u32 a[10], c[20], bb[10], r = 0;
		EACH(i, 10)
		{
			a[i] = in[(I * 3 + i) % 2048] % 30;
			bb[i] = in[(I * 5 + i * 7) % 2048] % 30;
		}
		qsort(a, 10, 4, up);
		qsort(bb, 10, 4, up);
		memcpy(c, a, sizeof a);
		memcpy(c + 10, bb, sizeof bb);
		qsort(c, 20, 4, up);
		EACH(i, 20) r = r * 3 + c[i];
		u32 both = 0, only = 0, na[30] = {0}, nb[30] = {0};
		EACH(i, 10)
		{
			na[a[i]]++;
			nb[bb[i]]++;
		}
		EACH(v, 30)
		{
			both += na[v] < nb[v] ? na[v] : nb[v];
			only += na[v] > nb[v] ? (na[v] - nb[v]) * v : 0;
		}
		r = r * 5 + both;
		r = r * 5 + only;
		u32 kinds = 0, third = 0;
		EACH(i, 20)
		{
			if (i == 0 || c[i] != c[i - 1])
				kinds++;
			if (kinds == 4)
				third = c[i];
		}
		/* fewer than four different numbers are not among twenty of thirty here */
		r = r * 5 + kinds + third;
		/* a stable partition */
		u32 p[20], n = 0, yes;
		EACH(i, 20) if (c[i] % 3 == 0) p[n++] = c[i];
		yes = n;
		EACH(i, 20) if (c[i] % 3) p[n++] = c[i];
		r = r * 5 + yes + p[0] + p[19];
		u32 sq = 0, ub = 0;
		EACH(i, 10)
		{
			sq += bb[i] * bb[i];
			ub += bb[i] <= 15;
		}
		r += sq;
		out[I] = r ^ ub;
	}
}
