// SPDX-License-Identifier: Apache-2.0
// What bench_cubin runs: ordinary integer code of nvcc, with a histogram in shared memory and loads from a buffer.
//   nvcc -arch=sm_75 -cubin -o bench_cubin.sm_75.cubin bench_cubin.cu     (and sm_90)
extern "C" __global__ void bench(unsigned *out, const unsigned *in, unsigned turns)
{
	__shared__ unsigned bins[256];
	unsigned t = threadIdx.x, h = in[t], sum = 0;
	bins[t] = 0;
	__syncthreads();
	for (unsigned i = 0; i < turns; i++) {
		h ^= h << 13;
		h ^= h >> 17;
		h ^= h << 5;
		sum += (h & 0xff) * 3 + in[(t + i) & 255];
		if (sum & 1)
			sum ^= 0x5a5a;
		sum += atomicAdd(&bins[(t + (i & 7)) & 255], 1);
	}
	__syncthreads();
	out[t] = sum + bins[t];
}
