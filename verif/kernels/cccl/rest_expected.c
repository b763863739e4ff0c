// SPDX-License-Identifier: Apache-2.0
/* rest_expected.c -- expected results of the kernels of rest.cu. */
#include "cccl_expected.h"

/* Stable ranks by bits 3 to 6, the least or the greatest digit first. */
static void ranked(bool down)
{
	EACH(i, 2 * N)
	{
		const u32 mine = in[i] >> 3 & 15;
		u32 rank = 0;
		EACH(k, 2 * N)
		{
			const u32 other = in[k] >> 3 & 15;
			rank += (down ? other > mine : other < mine) || (other == mine && k < i);
		}
		out[i] = rank;
	}
}
void cccl_ranks(u32 grid)
{
	(void)grid;
	ranked(false);
}
void cccl_ranks_down(u32 grid)
{
	(void)grid;
	ranked(true);
}

void cccl_searches(u32 grid)
{
	EACH(i, grid * N)
	{
		const u32 v = in[i + 300] % 110;
		u32 below = 0, to = 0;
		EACH(k, N)
		{
			below += in[i / N * N + k] % 100 < v;
			to += in[i / N * N + k] % 100 <= v;
		}
		out[2 * i] = below * 1000 + to;
		out[2 * i + 1] = in[below] ^ in[to] ^ in[v];
	}
}

/* The bytes of a thread's structure, made from number v. */
static u32 odd(u32 r, u32 v)
{
	EACH(k, 11)
	r = r * 7 + (v >> k & 0xff);
	return r * 7 + (v * 3 & 0xffff);
}

void cccl_shuffled(u32 grid)
{
	EACH(i, grid * N)
	{
		const u32 lane = i % 32, t = i % N, first = i - lane;
		const bool down = lane % 8 + 2 < 8;
		u32 r = odd(0, in[first + (t * 5 + 3) % 32]);
		r = odd(r, in[lane % 16 >= 3 ? i - 3 : i]);
		r = odd(r, in[down ? i + 2 : i]);
		r += down ? 1000003 : 0;
		const u32 from = first + (lane ^ 21);
		const u64 far = in[from] * UINT64_C(0x100000001) + from % N;
		out[i] = r ^ (u32)far ^ (u32)(far >> 32);
	}
}

static u64 reversed(u64 v, u32 bits)
{
	u64 r = 0;
	EACH(k, bits)
	r |= (v >> k & 1) << (bits - 1 - k);
	return r;
}
static u64 extracted(u64 v, u32 at, u32 width)
{
	return v >> at & ((UINT64_C(1) << width) - 1);
}
static u64 inserted(u64 to, u64 v, u32 at, u32 width)
{
	const u64 mask = ((UINT64_C(1) << width) - 1) << at;
	return (to & ~mask) | (v << at & mask);
}

void cccl_fields(u32 grid)
{
	EACH(i, grid * N)
	{
		const u32 v = in[i], w = in[i + 1], t = i % N;
		const u64 d = v * UINT64_C(0x9e3779b97f4a7c15) + w;
		u32 r = (u32)reversed(v, 32) + (u32)extracted(v, t % 12, 9) * 5 + (127u << t % 20);
		r ^= (u32)inserted(v, w, t % 18, 11) + (u32)reversed(w & 0xffff, 16) * 3;
		const u64 e = inserted(d, w, t % 40, 20) ^ reversed(d, 64);
		out[i] = r + (u32)e + (u32)(extracted(d, t % 30, 33) >> 7);
	}
}

/* One block: every thread has added before any thread reads the sum. */
void cccl_crowd(u32 grid)
{
	u32 sum = 0;
	EACH(i, grid * N)
	sum += in[i] % 100;
	EACH(i, grid * N)
	out[i] = sum;
}

void cccl_ref_pairs(u32 grid)
{
	EACH(block, grid)
	{
		int sum = 0;
		u32 bits = 0;
		EACH(t, N)
		{
			const int v = (int)(in[block * N + t] % 2001) - 1000;
			sum += v;
			bits ^= (u32)v & 0xff;
		}
		out[2 * block] = out[16 + 4 * block] = (u32)sum;
		out[2 * block + 1] = out[17 + 4 * block] = N;
		out[18 + 4 * block] = ((u32)sum & 0xffff) | N << 16 | bits << 24;
	}
}

void cccl_maxima(u32 grid)
{
	EACH(block, grid)
	{
		int least = 1000000, most = -1000000, total = 0;
		EACH(t, N)
		{
			const int v = (int)(in[block * N + t] % 9001) - 4500;
			least = v < least ? v : least;
			most = v > most ? v : most;
			total += v;
		}
		out[4 * block] = (u32)least;
		out[4 * block + 1] = (u32)most;
		out[4 * block + 2] = (u32)(total * 3);
		out[300 + block] = float_bits((float)(most + 5000));
		out[310 + block] = float_bits((float)total);
		const double d = -(double)total;
		memcpy(&out[320 + 2 * block], &d, 8);
	}
}

void cccl_sregs(u32 grid)
{
	EACH(i, grid * N)
	{
		const u32 lane = i % 32, bit = 1u << lane, below = bit - 1;
		u32 r = 4 * 17 + 19 + i % N + N * 3 + i / N * 1000 + grid * 5 + lane * 7 + 1;
		r ^= below ^ ~below * 3 ^ bit * 11;
		r += (below | bit) ^ ~(below | bit) * 9;
		out[i] = r;
	}
}

void cccl_bulk(u32 grid)
{
	EACH(i, grid * N)
	out[i] = i % N + 2 * in[i];
}

void cccl_annotated(u32 grid)
{
	EACH(i, grid * N)
	{
		const u32 from = i / N * N + 127 - i % N;
		out[i] = (in[from] * 3 + in[500 + from]) ^ in[700 + i % N];
	}
	EACH(t, N)
	out[896 + t] = t;
}

void cccl_once(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 next = 5;
		EACH(t, 64)
		next += in[i / N * N + t] % 4;
		out[i] = next; /* plus a value from one thread of 16, below */
	}
	EACH(i, grid * N)
	out[i] += in[i / 16 * 16] % 50 * 100;
}

static u32 three(u32 a, u32 b, u32 c)
{
	return a * 100 + b * 10 + c;
}

void cccl_calls(u32 grid)
{
	EACH(i, grid * N)
	{
		const u32 v = in[i], w = in[i + 7], least = v < w ? v : w, most = v < w ? w : v;
		u32 total = three(v % 10, w % 10, 5) + three(w % 7, v % 7, 1);
		total ^= v + w + v + (v % 3 ? 17 : 4);
		out[i] = total + most - least + (v ^ w) * (v & 1 ? 1 : 3);
	}
}
