// SPDX-License-Identifier: Apache-2.0
/* Expected results of the kernels of blocks.cu: functions of a block. */
#include "cccl_expected.h"

void cccl_reduce_three(u32 grid)
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

void cccl_arg_max(u32 grid)
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

void cccl_scan_three(u32 grid)
{
	u32 sum = 0;
	(void)grid;
	EACH(i, 3 * N)
	out[i] = sum += in[i];
	EACH(i, 3 * N)
	out[i] += sum;
}

void cccl_scan_prefix(u32 grid)
{
	(void)grid;
	for (u32 i = 0, sum = 1000; i < 512; sum += in[i++])
		out[i] = sum;
}

void cccl_scan_by_key(u32 grid)
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

void cccl_load_ways(u32 grid)
{
	(void)grid;
	EACH(i, 510)
	out[i] = (i < 500 ? in[i] : 9) + in[512 + i] * 3;
}

void cccl_exchange_ways(u32 grid)
{
	u32 a[512], b[512];
	(void)grid;
	EACH(t, N)
	EACH(i, 4)
	a[4 * t + i] = in[N * i + t]; /* item i of thread t, after blocked-to-striped */
	EACH(k, 512)
	b[k * 7 % 512] = a[k];
	EACH(t, N)
	EACH(i, 4)
	{
		u32 at = 4 * t + i; /* striped to blocked: element `at` is item at / N of thread at % N */
		out[at] = b[4 * (at % N) + at / N];
	}
}

void cccl_neighbours(u32 grid)
{
	(void)grid;
	EACH(i, 2 * N)
	{
		u32 v = in[i] % 3;
		u32 head = !i || v != in[i - 1] % 3, tail = i + 1 == 2 * N || v != in[i + 1] % 3;
		out[i] = head + 10 * tail + 100 * ((i ? v - in[i - 1] % 3 : v) + 5);
	}
}

void cccl_run_lengths(u32 grid)
{
	u32 at = 0;
	(void)grid;
	EACH(t, N)
	EACH(k, in[t] % 4 + 1)
	out[at++] = in[t] + 1;
}

void cccl_moved(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 t = i % N, base = i - t;
		out[i] = in[base + (t + 5) % N] * 3 + (t >= 3 ? in[i - 3] * 5 : 0) + (t ? in[i - 1] : 0);
	}
}

void cccl_histograms(u32 grid)
{
	(void)grid;
	EACH(i, 512)
	{
		out[in[i] % 32] += 1000;
		out[in[i] / 7 % 32]++;
	}
}
