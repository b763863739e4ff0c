// SPDX-License-Identifier: Apache-2.0
/* cccl_expected.c -- what the kernels of this folder must leave in `out`, worked out on the host, one thread after the
 * other, from what the library's documentation says of each function.
 *
 *   cccl_expected DIR     writes DIR/KERNEL.out.bin */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "../expected.h"

typedef unsigned __int128 u128;
typedef uint64_t u64;
typedef uint32_t u32;

enum { INPUTS = 2048, OUTPUTS = 1024, N = 128 };

static u32 in[INPUTS], out[OUTPUTS];

static u32 float_bits(float f)
{
	u32 b;
	memcpy(&b, &f, 4);
	return b;
}

static void put64(u32 at, u64 v)
{
	out[at] = (u32)v;
	out[at + 1] = (u32)(v >> 32);
}

#define EACH(i, n) for (u32 i = 0; i < (n); i++)

/* ---- cells ---- */

static void ref_i8(u32 grid)
{
	u32 least[4] = {0}, cell[4] = {0}, mix[3] = {0};
	EACH(b, grid)
	EACH(t, N)
	{
		u32 v = in[b * N + t] & 255;
		cell[t % 4] += v;
		mix[t % 3] ^= v;
		least[b] = v > least[b] ? v : least[b];
	}
	uint8_t *o = (uint8_t *)out;
	EACH(i, 4)
	o[i] = (uint8_t)cell[i];
	EACH(i, 3)
	o[4 + i] = (uint8_t)mix[i];
	EACH(b, grid)
	o[8 + 2 * b] = (uint8_t)least[b];
}

static void ref_u16(u32 grid)
{
	uint16_t *h = (uint16_t *)out;
	EACH(i, grid * N)
	{
		uint16_t v = (uint16_t)in[i];
		h[0] = (uint16_t)(h[0] + v);
		h[1] = v > h[1] ? v : h[1];
		h[2] |= (uint16_t)(1u << in[i] % 16);
		h[3] = (uint16_t)(h[3] - in[i] * 7);
		if ((int16_t)v < (int16_t)h[4 + i / N])
			h[4 + i / N] = v;
	}
}

static void ref_u32(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 v = in[i];
		out[0] += v;
		out[1] -= v;
		out[2] |= v;
		out[3] ^= v;
		out[4] = v > out[4] ? v : out[4];
		out[5] += 3;
		out[6]++;
		out[7] ^= v * v;
		int s = (int)v - 500000;
		if (s < (int)out[8])
			out[8] = (u32)s;
	}
}

static void ref_u64(u32 grid)
{
	u64 w[6] = {0};
	EACH(i, grid * N)
	{
		u64 v = in[i] * UINT64_C(0x100000001) + i % N;
		w[0] += v;
		w[1] ^= v;
		w[2] = v * v > w[2] ? v * v : w[2];
		w[3] |= v;
		w[4] = (int64_t)(v << 20) < (int64_t)w[4] ? v << 20 : w[4];
		w[5] -= v;
	}
	memcpy(out, w, sizeof w);
}

static void shared_u64(u32 grid)
{
	EACH(b, grid)
	{
		u64 w[5] = {0, 0, 0, ~UINT64_C(0), 0};
		EACH(t, N)
		{
			u64 v = in[b * N + t] * UINT64_C(0x300000007);
			w[0] += v;
			w[1] ^= v;
			w[2] = v > w[2] ? v : w[2];
			w[3] &= ~(UINT64_C(1) << in[b * N + t] % 64);
			int64_t s = (int64_t)v - ((int64_t)1 << 45);
			w[4] = s < (int64_t)w[4] ? (u64)s : w[4];
		}
		EACH(i, 5)
		put64(10 * b + 2 * i, w[i]);
	}
}

static void floats(u32 grid)
{
	float *f = (float *)out;
	double total = 0, most = 0;
	EACH(b, grid)
	{
		double own = 0;
		EACH(t, N)
		{
			double v = in[b * N + t] % 1000 * 0.25;
			own += v;
			most = v > most ? v : most;
		}
		f[8 + b] = (float)(1 + own);
		f[12 + b] = (float)(-1 - own);
		total += own;
	}
	f[0] = (float)total;
	f[1] = (float)-total;
	f[2] = (float)most;
	f[3] = (float)-most;
	double d[2] = {total * 1024, most * 3};
	memcpy(out + 4, d, sizeof d);
}

static void products(u32 grid)
{
	uint8_t c = 1;
	uint16_t h = 1;
	u32 w = 1;
	u64 d = 1;
	EACH(i, grid * N)
	{
		u32 v = in[i] | 1;
		c = (uint8_t)(c * v);
		h = (uint16_t)(h * v);
		w *= v;
		d *= (u64)v << 32 | v;
	}
	out[0] = (u32)c << 8;
	out[1] = h;
	out[2] = w;
	put64(4, d);
	out[6] = 1;
}

static void exchanges(u32 grid)
{
	EACH(b, grid)
	{
		u64 wide = 0;
		EACH(t, N)
		{
			out[4 * b] += in[b * N + t];
			wide += in[b * N + t] * UINT64_C(0x100000003);
		}
		put64(4 * b + 2, wide);
	}
}

static void flag_lock(u32 grid)
{
	EACH(i, grid * N)
	{
		out[0] += 3 * in[i];
		out[1] += 3;
	}
}

static void wait_notify(u32 grid)
{
	u32 word = in[0];
	for (u32 turn = 1; turn < 16; turn++)
		word = word * 5 + in[turn];
	EACH(i, grid * N)
	out[i] = word + i % N;
}

static void pointers(u32 grid)
{
	EACH(i, grid * N)
	{
		out[0] += 8 + i;
		out[1] += in[i];
	}
}

static void messages(u32 grid)
{
	EACH(i, grid * N)
	out[i] = i < N ? in[i] * 3 : in[(i + 1) % N] * 3 + i / N;
	out[1000] = 1;
}

static void structs(u32 grid)
{
	u32 sum = 0, mix = 0;
	EACH(i, grid * N)
	{
		sum += in[i];
		mix ^= in[i];
	}
	out[0] = (grid * N & 0xffff) | sum << 16;
	out[2] = grid * N;
	out[3] = mix;
}

static void bools(u32 grid)
{
	EACH(i, grid * N)
	out[i] = 11;
}

static void seqlock(u32 grid)
{
	EACH(i, grid * N)
	out[i] = in[16];
}

static void peterson(u32 grid)
{
	u32 sum = 0;
	EACH(i, 20)
	sum += 2 * in[i];
	EACH(i, grid * N)
	out[i] = sum;
}

static void hist_scopes(u32 grid)
{
	EACH(i, grid * 512)
	out[in[i] % 16]++;
}

/* ---- sync ---- */

static void completion(u32 grid)
{
	u32 word = 0, sum = 0;
	EACH(r, 5)
	{
		word = word * 3 + 1;
		sum = sum * 7 + word;
		word = word * 3 + 1;
	}
	EACH(i, grid * N)
	out[i] = sum + in[i];
}

static void dropped(u32 grid)
{
	EACH(b, grid)
	EACH(w, 4)
	EACH(r, w + 1)
	out[b] += 32 * in[r];
}

static void tested(u32 grid)
{
	EACH(b, grid)
	{
		out[b * N + 5] = 11;
		out[1000 + b] = 1;
	}
}

static void device_barrier(u32 grid)
{
	u32 all = grid * N, was[512];
	EACH(r, 4)
	{
		u32 *from = out + (r % 2 ? 512 : 0), *to = out + (r % 2 ? 0 : 512);
		memcpy(was, from, sizeof was);
		EACH(i, all)
		to[i] = r ? was[(i + N) % all] * 3 + r : in[i];
	}
}

static void device_latch(u32 grid)
{
	EACH(i, grid * 4)
	out[512] += in[32 * i];
	EACH(i, grid * N)
	out[i] = out[512] + i % N;
}

static void mutex(u32 grid)
{
	EACH(b, grid)
	{
		u32 sum = 0;
		EACH(w, 4)
		EACH(i, 8)
		sum += in[b * N + 32 * w + i];
		EACH(t, N)
		out[b * N + t] = sum ^ 32;
	}
}

static void gives_up(u32 grid)
{
	(void)grid;
	static const u32 said[] = {0, 0, 1, 1, 0, 1, 1, 0};
	memcpy(out, said, sizeof said);
}

static void limited(u32 grid)
{
	for (u32 i = 0; i < grid * N; i += 64)
		out[0] += in[i];
}

static void staged(u32 grid)
{
	EACH(i, grid * N)
	EACH(r, 6)
	out[i] = out[i] * 3 + in[N * ((i / N + r) % 6) + (i % N + 9 * r) % N];
}

static void roles(u32 grid)
{
	(void)grid;
	EACH(t, 64)
	EACH(r, 7)
	out[t] = out[t] * 5 + in[64 * r + (t + 64 + 11 * r) % 64];
}

static void private_pipe(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 t = i % N;
		out[i] = (in[t] * 3 + in[N + t] + in[2 * N + t]) * 3 + in[3 * N + t];
	}
}

static void copied(u32 grid)
{
	const uint8_t *bytes = (const uint8_t *)in + 1;
	EACH(i, grid * N)
	{
		u32 t = N - 1 - i % N;
		out[i] =
		        in[i / N * N + t] + bytes[3 * t] + ((u32)bytes[3 * t + 1] << 8) + ((u32)bytes[3 * t + 2] << 16);
	}
}

static void several(u32 grid)
{
	for (u32 i = 0; i < grid * N; i += 4)
		out[i / 4] = in[i / N * N + (i % N + 4) % N];
}

/* ---- warps ---- */

static void reduce_parts(u32 grid)
{
	EACH(i, grid * N)
	out[i / 8] += in[i];
	EACH(w, grid * 4)
	{
		int64_t least = INT64_MAX;
		EACH(l, 20 + w % 4)
		{
			int64_t v = (int64_t)in[32 * w + l] * -77777;
			least = v < least ? v : least;
		}
		put64(128 + 2 * w, (u64)least);
	}
}

static void segments(u32 grid)
{
	EACH(i, grid * N)
	{
		bool head = in[i] % 5 == 0 || i % 32 == 0;
		for (u32 k = i; head && k < (i | 31) + 1 && (k == i || in[k] % 5 != 0); k++)
			out[i] += in[k];
		bool first = i % 32 == 0 || in[i - 1] % 5 == 0;
		for (u32 k = i; first && k < (i | 31) + 1; k++) {
			out[512 + i] = in[k] > out[512 + i] ? in[k] : out[512 + i];
			if (in[k] % 5 == 0)
				break;
		}
	}
}

static void scan_max(u32 grid)
{
	EACH(i, grid * N)
	{
		int before = -1000000, all = INT32_MIN;
		EACH(l, 32)
		{
			int v = (int)in[i / 32 * 32 + l] - 500000;
			if (l < i % 32 && v > before)
				before = v;
			all = v > all ? v : all;
		}
		out[i] = (u32)before ^ (u32)all * 3;
	}
}

static void scan_wide(u32 grid)
{
	EACH(i, grid * N)
	{
		u64 sum = 0, upto = 0, all = 0;
		EACH(l, 16)
		{
			sum += in[i / 16 * 16 + l] * UINT64_C(0x1000003);
			upto += l < i % 16 ? sum : 0;
			all = sum;
		}
		out[i] = (u32)(upto ^ upto >> 32) + (u32)(all >> 3);
	}
}

static void exchange(u32 grid)
{
	(void)grid;
	EACH(w, 2)
	EACH(l, 32)
	EACH(i, 4)
	{
		u32 v = in[128 * w + 32 * i + l], to = (4 * l + i) * 5 % 128;
		out[128 * w + 4 * l + i] = v;
		out[512 + 128 * w + to % 32 * 4 + to / 32] = v;
	}
}

static bool down_by_low(u32 a, u32 b)
{
	return a % 1024 != b % 1024 ? a % 1024 > b % 1024 : a > b;
}

static void merge_sort(u32 grid)
{
	(void)grid;
	memcpy(out, in, 512 * sizeof *in);
	EACH(g, 8)
	EACH(i, 64)
	for (u32 *k = out + 64 * g + i; k > out + 64 * g && down_by_low(*k, k[-1]); k--) {
		u32 was = *k;
		*k = k[-1];
		k[-1] = was;
	}
}

static void load_store(u32 grid)
{
	(void)grid;
	EACH(w, 4)
	EACH(i, 110)
	out[128 * w + i] = (i < 100 ? in[128 * w + i] : 7) * 3 + i % 4;
}

static void shuffles(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 lane = i % 32, base = i - lane;
		u32 up = lane >= 3 ? i - 3 : i, down = base + (lane % 16 + 5 <= 15 ? lane + 5 : lane);
		u32 idx = base + lane / 8 * 8 + i % N * 3 % 8;
		out[i] = in[up] + (u32)(uint16_t)(in[down] >> 4) * 3 + in[idx] + lane;
	}
}

static void tiles(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 sum = 0, upto = 0, mix = 0, most = 0, any = 0;
		EACH(l, 8)
		{
			u32 v = in[i / 8 * 8 + l];
			sum += v;
			upto += l <= i % 8 ? v % 100 : 0;
			mix ^= l < i % 8 ? v : 0;
			most = v > most ? v : most;
			any |= v % 7 == 0;
		}
		out[i] = sum + upto * 3 + mix * 5 + most * 7 + in[i ^ 3] + any + i % N / 8;
	}
}

static void coalesced(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 v = in[i], base = i / 32 * 32, size = 0, rank = 0, all = 1, first = 0, sum = 0;
		bool next = false;
		if (v % 3 == 0)
			continue;
		EACH(l, 32)
		{
			u32 x = in[base + l];
			if (x % 3 == 0)
				continue;
			if (!size)
				first = x;
			size++;
			rank += base + l < i;
			all &= x % 2;
			if (x % 5 < 2) {
				sum += x;
				if (base + l > i)
					next = true;
			}
		}
		out[i] = size * 1000 + rank * 10 + all + first * 3;
		(void)next;
		if (v % 5 < 2)
			out[i] += sum +
			          1; /* the one at the end of a group gets its own value back, which is not 0 here */
	}
}

static void labels(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 sum = 0, rank = 0, size = 0, odd_rank = 0;
		EACH(l, 32)
		{
			u32 k = i / 32 * 32 + l;
			if (in[k] % 4 == in[i] % 4) {
				sum += in[k];
				rank += k < i;
			}
			if (in[k] % 2 == in[i] % 2) {
				size++;
				odd_rank += k < i;
			}
		}
		out[i] = sum + (size * 100 + odd_rank) * 3 + rank;
	}
}

static void group_float(u32 grid)
{
	EACH(i, grid * N)
	{
		float sum = 0;
		u32 least = UINT32_MAX;
		int upto = INT32_MAX;
		EACH(l, 16)
		{
			u32 v = in[i / 16 * 16 + l];
			sum += (float)(v % 4096) * 0.125f; /* exact */
			least = v < least ? v : least;
			if (l <= i % 16 && (int)v - 500000 < upto)
				upto = (int)v - 500000;
		}
		out[i] = float_bits(sum) + 2 * least + (u32)upto;
	}
}

static void group_copy(u32 grid)
{
	EACH(i, grid * N)
	out[i] = in[i / N * N + N - 1 - i % N] + in[1024 + (i % N + 1) % N] + 15;
}

static void group_barrier(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 k = i ^ 5;
		out[i] = in[k] * 3 + in[k / N * N + (k + 33) % N] + i % N + i / N;
	}
}

/* ---- blocks ---- */

static void reduce_three(u32 grid)
{
	EACH(b, grid)
	{
		u64 all = 0, some = 0;
		EACH(t, N)
		{
			all += in[b * N + t] * UINT64_C(0x10001);
			some += t < 77 ? in[b * N + t] * UINT64_C(0x10001) : 0;
		}
		put64(4 * b, all);
		out[4 * b + 2] = (u32)some;
	}
}

static void arg_max(u32 grid)
{
	EACH(b, grid)
	{
		u32 best = 2 * N * b;
		for (u32 i = best; i < 2 * N * (b + 1); i++)
			best = in[i] > in[best] ? i : best;
		out[2 * b] = in[best];
		out[2 * b + 1] = best;
	}
}

static void scan_three(u32 grid)
{
	u32 sum = 0;
	(void)grid;
	EACH(i, 3 * N)
	out[i] = sum += in[i];
	EACH(i, 3 * N)
	out[i] += sum;
}

static void scan_prefix(u32 grid)
{
	(void)grid;
	for (u32 i = 0, sum = 1000; i < 512; sum += in[i++])
		out[i] = sum;
}

static void scan_by_key(u32 grid)
{
	EACH(b, grid)
	{
		u32 keys = 0, sum = 0;
		EACH(t, N)
		{
			u32 v = in[b * N + t];
			keys += v % 4 == 0;
			sum = v % 4 == 0 ? v : sum + v;
			out[b * N + t] = keys * 1000000u + sum;
		}
	}
}

static void load_ways(u32 grid)
{
	(void)grid;
	EACH(i, 510)
	out[i] = (i < 500 ? in[i] : 9) + in[512 + i] * 3;
}

static void exchange_ways(u32 grid)
{
	u32 a[512], b[512];
	(void)grid;
	EACH(t, N)
	EACH(i, 4)
	a[4 * t + i] = in[N * i + t]; /* item i of thread t, as blocked-to-striped leaves it */
	EACH(k, 512)
	b[k * 7 % 512] = a[k];
	EACH(t, N)
	EACH(i, 4)
	{
		u32 at = 4 * t + i; /* striped to blocked: element `at` is item at / N of thread at % N */
		out[at] = b[4 * (at % N) + at / N];
	}
}

static void neighbours(u32 grid)
{
	(void)grid;
	EACH(i, 2 * N)
	{
		u32 v = in[i] % 3;
		u32 head = !i || v != in[i - 1] % 3, tail = i + 1 == 2 * N || v != in[i + 1] % 3;
		out[i] = head + 10 * tail + 100 * ((i ? v - in[i - 1] % 3 : v) + 5);
	}
}

static void run_lengths(u32 grid)
{
	u32 at = 0;
	(void)grid;
	EACH(t, N)
	EACH(k, in[t] % 4 + 1)
	out[at++] = in[t] + 1;
}

static void moved(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 t = i % N, base = i - t;
		out[i] = in[base + (t + 5) % N] * 3 + (t >= 3 ? in[i - 3] * 5 : 0) + (t ? in[i - 1] : 0);
	}
}

static void histograms(u32 grid)
{
	(void)grid;
	EACH(i, 512)
	{
		out[in[i] % 32] += 1000;
		out[in[i] / 7 % 32]++;
	}
}

/* ---- sorts ---- */

static int by_u32(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;
	return x < y ? -1 : x > y;
}

static void radix_u32(u32 grid)
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

static void radix_pairs(u32 grid)
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

static void radix_floats(u32 grid)
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

static void radix_u64(u32 grid)
{
	u64 v[N];
	(void)grid;
	EACH(t, N)
	v[t] = in[t] * UINT64_C(0x123456789);
	qsort(v, N, sizeof *v, by_u64);
	memcpy(out, v, sizeof v);
}

static void block_merge(u32 grid)
{
	(void)grid;
	EACH(i, 3 * N)
	out[i] = in[i] % 64 << 16 | i;
	qsort(out, 3 * N, sizeof *out, by_u32);
}

static void alone(u32 grid)
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

static void bits(u32 grid)
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

static void complexes(u32 grid)
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

static void wide_ints(u32 grid)
{
	EACH(i, grid * N)
	{
		u128 a = (u128)in[i] * UINT64_C(0xfedcba9876543211) * (in[i] + 3);
		u128 b = (u128)in[(i + 1) % 1024] * UINT64_C(0x10000000f) + 1, q = a / b, r = a % b;
		__int128 s = -(__int128)a / 12345;
		out[i] = (u32)q + (u32)(r >> 17) * 3 + (u32)(s >> 40) + (u32)(q >> 64);
	}
}

static const struct {
	const char *name;
	void (*work)(u32 grid);
	u32 grid;
} kernels[] = {
#define KERNEL(name, from, grid) {#name, from, grid},
#include "kernels.def"
#undef KERNEL
};

int main(int argc, char **argv)
{
	char file[64];
	if (argc != 2) {
		fputs("usage: cccl_expected DIR\n", stderr);
		return 2;
	}
	EACH(i, INPUTS)
	in[i] = rnd(16, 0, 1000000, i);
	EACH(k, sizeof kernels / sizeof *kernels)
	{
		memset(out, 0, sizeof out);
		kernels[k].work(kernels[k].grid);
		snprintf(file, sizeof file, "%s.out", kernels[k].name);
		save(argv[1], file, out, sizeof out);
	}
	return 0;
}
