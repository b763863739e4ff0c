// SPDX-License-Identifier: Apache-2.0
/* Expected results of the kernels of cells.cu: atomic cells. */
#include "cccl_expected.h"

void cccl_ref_i8(u32 grid)
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

void cccl_ref_u16(u32 grid)
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

void cccl_ref_u32(u32 grid)
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

void cccl_ref_u64(u32 grid)
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

void cccl_shared_u64(u32 grid)
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

void cccl_floats(u32 grid)
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

void cccl_products(u32 grid)
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

void cccl_exchanges(u32 grid)
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

void cccl_flag_lock(u32 grid)
{
	EACH(i, grid * N)
	{
		out[0] += 3 * in[i];
		out[1] += 3;
	}
}

void cccl_wait_notify(u32 grid)
{
	u32 word = in[0];
	for (u32 turn = 1; turn < 16; turn++)
		word = word * 5 + in[turn];
	EACH(i, grid * N)
	out[i] = word + i % N;
}

void cccl_pointers(u32 grid)
{
	EACH(i, grid * N)
	{
		out[0] += 8 + i;
		out[1] += in[i];
	}
}

void cccl_messages(u32 grid)
{
	EACH(i, grid * N)
	out[i] = i < N ? in[i] * 3 : in[(i + 1) % N] * 3 + i / N;
	out[1000] = 1;
}

void cccl_structs(u32 grid)
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

void cccl_bools(u32 grid)
{
	EACH(i, grid * N)
	out[i] = 11;
}

void cccl_seqlock(u32 grid)
{
	EACH(i, grid * N)
	out[i] = in[16];
}

void cccl_peterson(u32 grid)
{
	u32 sum = 0;
	EACH(i, 20)
	sum += 2 * in[i];
	EACH(i, grid * N)
	out[i] = sum;
}

void cccl_hist_scopes(u32 grid)
{
	EACH(i, grid * 512)
	out[in[i] % 16]++;
}
