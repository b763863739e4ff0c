// SPDX-License-Identifier: Apache-2.0
// Atomics that came with sm_90: pairs of bfloat16 and vectors, minima of halves, 128 bits. Sums are of small numbers, so
// that they are exact whatever the order. nvcc -arch=sm_90 -cubin; atomics_expected.c has the host's arithmetic.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Every thread adds to a few words: the words end at the same value in any order.
extern "C" __global__ void halves(__half2 *h, __nv_bfloat162 *b, float4 *v, float2 *w)
{
	const int t = blockIdx.x * blockDim.x + threadIdx.x, at = t % 5;
	atomicAdd(&h[at], __floats2half2_rn(1.0f, 0.25f * (t % 3)));
	atomicAdd(&b[at], __floats2bfloat162_rn(-1.0f, 0.5f));
	atomicAdd(&v[at], make_float4(1.0f, 2.0f, t % 7, -0.125f));
	atomicAdd(&w[at], make_float2(1.0f, (float)(t % 4)));
}

// Lowest and highest of 16-bit numbers, four and eight at a time.
extern "C" __global__ void extremes(uint2 *low, uint4 *high)
{
	const int t = blockIdx.x * blockDim.x + threadIdx.x, at = t % 3;
	const __half2 a = __floats2half2_rn((float)(t % 41) - 20.0f, (float)(t % 17));
	const __nv_bfloat162 b = __floats2bfloat162_rn((float)(t % 29) - 14.0f, -(float)(t % 23));
	unsigned ha, hb, old;
	memcpy(&ha, &a, 4);
	memcpy(&hb, &b, 4);
	asm volatile("{ .reg .b32 x, y; atom.global.v2.f16x2.min.noftz {x, y}, [%1], {%2, %3}; mov.b32 %0, x; }"
	             : "=r"(old) : "l"(&low[at]), "r"(ha), "r"(ha ^ 0x80008000u) : "memory");
	asm volatile("red.global.v4.bf16x2.max.noftz [%0], {%1, %2, %1, %2};"
	             :: "l"(&high[at]), "r"(hb), "r"(hb ^ 0x80008000u) : "memory");
	asm volatile("red.global.v2.f16x2.min.noftz [%0], {%1, %2};"
	             :: "l"(&low[at]), "r"(old | 0x7fffu), "r"(0x7e007e00u) : "memory"); // NaN never wins
}

// 128 bits change together: a counter and three sums that go with it.
extern "C" __global__ void wide(uint4 *cell, unsigned *torn)
{
	const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
	uint4 *at = &cell[t % 2];
	uint4 old = make_uint4(0, 0, 0, 0);
	for (;;) {
		unsigned long long l = (unsigned long long)old.y << 32 | old.x, h = (unsigned long long)old.w << 32 | old.z;
		const uint4 now = make_uint4(old.x + 1, old.y + t, old.z + 3, old.w ^ t);
		unsigned long long nl = (unsigned long long)now.y << 32 | now.x, nh = (unsigned long long)now.w << 32 | now.z;
		unsigned long long gl, gh;
		asm volatile("{ .reg .b128 d, e, n; mov.b128 e, {%3, %4}; mov.b128 n, {%5, %6};\n"
		             "atom.global.b128.cas d, [%2], e, n; mov.b128 {%0, %1}, d; }"
		             : "=l"(gl), "=l"(gh) : "l"(at), "l"(l), "l"(h), "l"(nl), "l"(nh) : "memory");
		if (gl == l && gh == h)
			break;
		old = make_uint4((unsigned)gl, (unsigned)(gl >> 32), (unsigned)gh, (unsigned)(gh >> 32));
		if (old.z != 3 * old.x)
			atomicAdd(torn, 1);
	}
}

// A stack of nodes, its head a number of changes and the node on top, 128 bits that are compared and swapped together: so that a
// node that comes back between reading the head and swapping it is noticed. Everybody pushes his node, then takes one off.
struct head { unsigned long long changes, top; };
static __device__ head swap_head(head *at, head expected, head now)
{
	head old;
	asm volatile("{ .reg .b128 d, e, n; mov.b128 e, {%3, %4}; mov.b128 n, {%5, %6};\n"
	             "atom.acq_rel.gpu.global.b128.cas d, [%2], e, n; mov.b128 {%0, %1}, d; }"
	             : "=l"(old.changes), "=l"(old.top) : "l"(at), "l"(expected.changes), "l"(expected.top), "l"(now.changes),
	               "l"(now.top) : "memory");
	return old;
}
extern "C" __global__ void list(head *head_at, volatile unsigned long long *next, unsigned *taken, unsigned *sum)
{
	const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
	head seen = {0, 0}, old;
	for (;; seen = old) {
		next[t] = seen.top;
		old = swap_head(head_at, seen, {seen.changes + 1, t + 1});
		if (old.changes == seen.changes && old.top == seen.top)
			break;
	}
	for (;; seen = old) {
		const unsigned long long below = seen.top ? next[seen.top - 1] : 0;
		old = swap_head(head_at, seen, {seen.changes + (seen.top != 0), below});
		if (seen.top && old.changes == seen.changes && old.top == seen.top)
			break;
	}
	atomicAdd(&taken[seen.top - 1], 1);
	atomicAdd(sum, (unsigned)seen.top * 3);
}

// The lowest of all numbers and, of the odd threads, the highest, by compare and swap of their bits; zeros of both signs among them.
extern "C" __global__ void least(float *low, float *high)
{
	const int t = blockIdx.x * blockDim.x + threadIdx.x, at = t % 3;
	const float v = t % 5 ? (float)(t * 37 % 480 - 240) * 0.25f : -0.0f;
	unsigned *word = (unsigned *)(t % 2 ? &high[at] : &low[at]);
	unsigned old = *(volatile unsigned *)word, seen;
	do {
		seen = old;
		if (t % 2 ? __uint_as_float(seen) >= v : __uint_as_float(seen) <= v)
			break;
		old = atomicCAS(word, seen, __float_as_uint(v));
	} while (old != seen);
}
