// SPDX-License-Identifier: Apache-2.0
// A matrix of 16-bit numbers turned round through shared memory: tiles of 32 x 32, a warp each. ldmatrix.trans turns four
// blocks of 8 x 8 at a time; stmatrix, where the chip has it, or plain stores put them at the turned place.
#include <cstdint>
constexpr unsigned N = 64, T = 32, Pitch = T + 8; // padded rows: eight rows of 16 bytes are in different banks

extern "C" __global__ void turn(uint16_t *out, const uint16_t *in)
{
	__shared__ __align__(16) uint16_t from[T][Pitch];
	__shared__ __align__(16) uint16_t to[T][Pitch];
	const unsigned lane = threadIdx.x, y = blockIdx.y * T, x = blockIdx.x * T;
	for (unsigned r = 0; r < T; r++)
		from[r][lane] = in[(y + r) * N + x + lane];
	__syncwarp();
	for (unsigned b = 0; b < T / 8; b++) { // a column of four blocks becomes a row of four
		const unsigned at = (unsigned)__cvta_generic_to_shared(&from[lane][8 * b]);
		const unsigned there = (unsigned)__cvta_generic_to_shared(&to[8 * b + lane % 8][8 * (lane / 8)]);
		uint32_t v[4];
		asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
		             : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "r"(at) : "memory");
#if __CUDA_ARCH__ >= 900
		asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
		             :: "r"(there), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]) : "memory");
#else
		(void)there;
		for (unsigned m = 0; m < 4; m++)
			*(uint32_t *)&to[8 * b + lane / 4][8 * m + 2 * (lane % 4)] = v[m];
#endif
	}
	__syncwarp();
	for (unsigned r = 0; r < T; r++)
		out[(x + r) * N + y + lane] = to[r][lane];
}
