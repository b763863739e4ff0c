// SPDX-License-Identifier: Apache-2.0
// letter_hist: how often each of 26 letters occurs. Every block counts in shared memory, then adds to the global counts.
//
// Real text is skewed: letters are drawn so that a few of them are frequent, and lanes of one warp meet on one word.
// launch: letter_hist.json; expected counts: expected.c
extern "C" __global__ void letter_hist(const unsigned *noise, unsigned n, unsigned *count, unsigned *longest)
{
	__shared__ unsigned bin[26];
	__shared__ unsigned run;
	unsigned t = threadIdx.x;
	for (unsigned i = t; i < 26; i += blockDim.x)
		bin[i] = 0;
	if (t == 0)
		run = 0;
	__syncthreads();
	for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
		unsigned v = noise[i];
		unsigned letter = (v & 255u) * ((v >> 8) & 255u) * 26u >> 16; // product of two uniforms: skewed to 'a'
		atomicAdd(&bin[letter], 1u);
		atomicMax(&run, v >> 16);
	}
	__syncthreads();
	if (t < 26)
		atomicAdd(&count[t], bin[t]);
	if (t == 0)
		longest[blockIdx.x] = run;
}
