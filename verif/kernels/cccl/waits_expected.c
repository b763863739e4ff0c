// SPDX-License-Identifier: Apache-2.0
/* waits_expected.c -- expected results of the kernels of waits.cu. */
#include "cccl_expected.h"

void cccl_relay(u32 grid)
{
	EACH(block, grid)
	{
		u32 token = block;
		EACH(t, N)
		out[block * N + t] = token = token * 3 + in[block * N + t];
		out[3 * N + block] = token ^ 0x5555;
	}
}

/* Thread t has turn (37 t + 11) modulo 128. */
void cccl_turns(u32 grid)
{
	EACH(block, grid)
	{
		u32 sum = 1;
		EACH(turn, N)
		EACH(t, N)
		if ((t * 37 + 11) % N == turn)
			out[block * N + t] = sum = sum * 5 + in[block * N + t] % 1000;
	}
}

void cccl_tickets(u32 grid)
{
	EACH(block, grid)
	{
		u32 count = 0;
		EACH(t, N)
		EACH(k, 3)
		count += (t + k) % 5 ? in[block * N + t] % 100 + k : 0;
		EACH(t, N)
		out[block * N + t] = count;
	}
}

void cccl_parities(u32 grid)
{
	EACH(block, grid)
	{
		u32 all = 0;
		EACH(k, 4)
		{
			u32 sum = 0;
			EACH(t, N)
			sum += in[block * N + t] % (50 + k);
			all = all * 7 + sum;
		}
		EACH(t, N)
		out[block * N + t] = all;
	}
}

void cccl_wide_tiles(u32 grid)
{
	EACH(i, grid * N)
	{
		const u32 first = i / 64 * 64;
		u32 sum = 0, most = 0, before = 0, any = 0, all = 1;
		EACH(k, 64)
		{
			const u32 v = in[first + k];
			sum += v % 1000;
			most = v > most ? v : most;
			before += first + k < i ? v % 77 : 0;
			any |= v % 64 == 5;
			all &= v % 64 != 9;
		}
		out[i] = (sum + most * 3 + before * 5 + any * 1000 + all * 2000) ^
		         (in[first + 40] + i % N / 64 * 11 + i % 64);
	}
}

void cccl_tokens(u32 grid)
{
	EACH(block, grid)
	{
		u32 r[N], next[N];
		EACH(t, N)
		r[t] = in[block * N + t];
		EACH(k, 3)
		{
			EACH(t, N)
			next[t] = r[t] * 3 + k + r[(t + 33) % N];
			memcpy(r, next, sizeof r);
		}
		memcpy(out + block * N, r, sizeof r);
	}
}

void cccl_updates(u32 grid)
{
	EACH(block, grid)
	{
		u32 total = 100, top = 0;
		EACH(t, N)
		{
			const u32 v = in[block * N + t];
			total += v % 1000;
			top = v > top ? v : top;
		}
		EACH(t, N)
		{
			u32 scan = 0;
			for (u32 k = t / 32 * 32; k <= t; k++)
				scan += (in[block * N + k] % 3 == 0) == (in[block * N + t] % 3 == 0) ? k : 0;
			out[block * N + t] = total + top * 3 + 7 + (scan << 4);
		}
	}
}

void cccl_three_stages(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 r = 0;
		EACH(k, 6)
		r = r * 9 + in[N * (k + i / N) + (i % N * 5 + k) % N];
		out[i] = r;
	}
}

void cccl_own_sorts(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 keys[8], at[8], r = 1, firsts = 0;
		EACH(k, 8)
		{
			keys[k] = in[(i * 8 + k * 129) % INPUTS] % 50;
			at[k] = k;
		}
		EACH(pass, 8)
		EACH(k, 7)
		if (keys[k] > keys[k + 1]) {
			const u32 key = keys[k], a = at[k];
			keys[k] = keys[k + 1];
			at[k] = at[k + 1];
			keys[k + 1] = key;
			at[k + 1] = a;
		}
		EACH(k, 8)
		if (k == 0 || keys[k] != keys[k - 1]) {
			r = r * 31 + keys[k] * 8 + at[k];
			firsts++;
		}
		EACH(k, 8)
		r = r * 3 + at[k];
		out[i] = r + firsts;
	}
}

void cccl_peeled(u32 grid)
{
	EACH(warp, grid * N / 32)
	{
		u32 v[32], r[32] = {0};
		EACH(l, 32)
		v[l] = in[warp * 32 + l] % 6 + 1;
		EACH(k, 6)
		{
			u32 least = UINT32_MAX, was[32];
			memcpy(was, v, sizeof was);
			EACH(l, 32)
			least = was[l] && was[l] < least ? was[l] : least;
			EACH(l, 32)
			{
				u32 sum = 0, rank = 0, size = 0;
				if (!was[l])
					continue;
				EACH(m, 32)
				if (was[m] && was[m] % 3 == was[l] % 3) {
					sum += was[m];
					size++;
					rank += m < l;
				}
				r[l] = r[l] * 5 + sum + rank * 2 + size;
				v[l] = was[l] == least ? 0 : was[l] - 1;
			}
		}
		memcpy(out + warp * 32, r, sizeof r);
	}
}
