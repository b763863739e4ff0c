// SPDX-License-Identifier: Apache-2.0
/* Expected results of the kernels of warps.cu: functions of a warp and of groups. */
#include "cccl_expected.h"

void cccl_reduce_parts(u32 grid)
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

void cccl_segments(u32 grid)
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

void cccl_scan_max(u32 grid)
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

void cccl_scan_wide(u32 grid)
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

void cccl_exchange(u32 grid)
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

void cccl_merge_sort(u32 grid)
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

void cccl_load_store(u32 grid)
{
	(void)grid;
	EACH(w, 4)
	EACH(i, 110)
	out[128 * w + i] = (i < 100 ? in[128 * w + i] : 7) * 3 + i % 4;
}

void cccl_shuffles(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 lane = i % 32, base = i - lane;
		u32 up = lane >= 3 ? i - 3 : i, down = base + (lane % 16 + 5 <= 15 ? lane + 5 : lane);
		u32 idx = base + lane / 8 * 8 + i % N * 3 % 8;
		out[i] = in[up] + (u32)(uint16_t)(in[down] >> 4) * 3 + in[idx] + lane;
	}
}

void cccl_tiles(u32 grid)
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

void cccl_coalesced(u32 grid)
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
			          1; /* a group's last thread gets back its own value, and this value is not 0 here */
	}
}

void cccl_labels(u32 grid)
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

void cccl_group_float(u32 grid)
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

void cccl_group_copy(u32 grid)
{
	EACH(i, grid * N)
	out[i] = in[i / N * N + N - 1 - i % N] + in[1024 + (i % N + 1) % N] + 15;
}

void cccl_group_barrier(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 k = i ^ 5;
		out[i] = in[k] * 3 + in[k / N * N + (k + 33) % N] + i % N + i / N;
	}
}
