// SPDX-License-Identifier: Apache-2.0
/* Expected results of the kernels of sync.cu: means of waiting. */
#include "cccl_expected.h"

void cccl_completion(u32 grid)
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

void cccl_dropped(u32 grid)
{
	EACH(b, grid)
	EACH(w, 4)
	EACH(r, w + 1)
	out[b] += 32 * in[r];
}

void cccl_tested(u32 grid)
{
	EACH(b, grid)
	{
		out[b * N + 5] = 11;
		out[1000 + b] = 1;
	}
}

void cccl_device_barrier(u32 grid)
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

void cccl_device_latch(u32 grid)
{
	EACH(i, grid * 4)
	out[512] += in[32 * i];
	EACH(i, grid * N)
	out[i] = out[512] + i % N;
}

void cccl_mutex(u32 grid)
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

void cccl_gives_up(u32 grid)
{
	(void)grid;
	static const u32 said[] = {0, 0, 1, 1, 0, 1, 1, 0};
	memcpy(out, said, sizeof said);
}

void cccl_limited(u32 grid)
{
	for (u32 i = 0; i < grid * N; i += 64)
		out[0] += in[i];
}

void cccl_staged(u32 grid)
{
	EACH(i, grid * N)
	EACH(r, 6)
	out[i] = out[i] * 3 + in[N * ((i / N + r) % 6) + (i % N + 9 * r) % N];
}

void cccl_roles(u32 grid)
{
	(void)grid;
	EACH(t, 64)
	EACH(r, 7)
	out[t] = out[t] * 5 + in[64 * r + (t + 64 + 11 * r) % 64];
}

void cccl_private_pipe(u32 grid)
{
	EACH(i, grid * N)
	{
		u32 t = i % N;
		out[i] = (in[t] * 3 + in[N + t] + in[2 * N + t]) * 3 + in[3 * N + t];
	}
}

void cccl_copied(u32 grid)
{
	const uint8_t *bytes = (const uint8_t *)in + 1;
	EACH(i, grid * N)
	{
		u32 t = N - 1 - i % N;
		out[i] =
		        in[i / N * N + t] + bytes[3 * t] + ((u32)bytes[3 * t + 1] << 8) + ((u32)bytes[3 * t + 2] << 16);
	}
}

void cccl_several(u32 grid)
{
	for (u32 i = 0; i < grid * N; i += 4)
		out[i / 4] = in[i / N * N + (i % N + 4) % N];
}
